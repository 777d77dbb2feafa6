# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Patterns of use, played by pitot-patterns: the combinations of words on the
axes of use that make sense. The GPU does only what a call waits for, so that
counts depend on the drivers alone; or all is at full speed, for times."""

import json
import os
import zlib
from typing import NamedTuple

GL = ("occlusion", "boolean", "elapsed", "timestamp", "primitives",
      "statistic", "statistics")
# Drivers handle each of these in another way.
VARIED = ("occlusion", "elapsed", "statistics", "amd")
KINDS = (*GL, "intel", "amd")
# Many objects in each measurement, or much memory.
HEAVY = ("statistics", "intel", "amd")

# The words of an axis; the first one is the default.
COUNTS = (100, 1, 10, 1000)
LATENCIES = (1, 0, 3)
REUSES = ("same", "fresh", "pinned")
CONTEXTS = ("one", "shared", "threads")
WORKS = ("draw", "dispatch", "blit")

BUFFERS = ("buffer_result", "buffer_result_32", "buffer_no_wait",
           "buffer_available")
CONDITIONS = ("condition_wait", "condition_no_wait")
READS = ("wait", "poll_once", "poll_until", *BUFFERS, *CONDITIONS, "never",
         "delete", "disjoint")
# No result is read, so it is never late.
UNREAD = ("never", "delete")


class Pattern(NamedTuple):
    kind: str
    count: int = COUNTS[0] # measurements of a frame
    read: str = READS[0]
    latency: int = LATENCIES[0] # frames from the end to the read
    reuse: str = REUSES[0]
    contexts: str = CONTEXTS[0]
    work: str = WORKS[0]

    def __str__(self):
        return ",".join(map(str, self))


def makes_sense(pattern):
    kind, count, read, latency, reuse, _, work = pattern
    if read in BUFFERS and kind not in GL:
        return False
    if read in CONDITIONS and kind not in ("occlusion", "boolean"):
        return False
    # Reading disjoint takes a context of OpenGL ES, which has only these
    # kinds.
    if read == "disjoint" and (work != "draw" or
                               kind not in ("boolean", "elapsed", "timestamp")):
        return False
    if read in UNREAD and latency != LATENCIES[0]:
        return False
    if read == "delete" and reuse == "same":
        return False # deleted names are fresh ones
    return not (kind in HEAVY and count > COUNTS[0])


def candidates():
    """All kinds with all ways of reading; some kinds with one other word on
    each axis; and the worst words together."""
    for read in READS:
        reuse = "fresh" if read == "delete" else "same"
        for kind in KINDS:
            yield Pattern(kind, read=read, reuse=reuse)
        for kind in VARIED:
            usual = Pattern(kind, read=read, reuse=reuse)
            for axis, words in (("count", COUNTS), ("latency", LATENCIES),
                                ("reuse", REUSES), ("contexts", CONTEXTS),
                                ("work", WORKS)):
                for word in words:
                    yield usual._replace(**{axis: word})
        for kind in ("boolean", "timestamp"):
            for count in (COUNTS[0], 1000):
                yield Pattern(kind, count, read, LATENCIES[0], "pinned")
                yield Pattern(kind, count, read, LATENCIES[0], "fresh")


PATTERNS = list(dict.fromkeys(filter(makes_sense, candidates())))

DRIVERS = ("zink", "llvmpipe", "iris", "radeonsi")
# Patterns per process: earlier ones leave shaders and memory to later ones.
CHUNK = 40
SHARE = 8


def chunks(patterns):
    return [patterns[first:first + CHUNK]
            for first in range(0, len(patterns), CHUNK)]


def chosen(driver, is_all):
    """The names of a driver's patterns: all, or an eighth, chosen by hash,
    other ones on each driver."""
    return [name for name in map(str, PATTERNS) if is_all or
            zlib.crc32(name.encode()) % SHARE == DRIVERS.index(driver)]


def counts(mesa, program, patterns, frames=20):
    # So that the calling thread enters the driver.
    return runs(mesa, [program, "counts", str(frames), *patterns],
                {**os.environ, "GALLIUM_THREAD": "0"})


def times(mesa, program, patterns, frames=24):
    return runs(mesa, [program, "times", str(frames), *patterns])


def runs(mesa, command, env=None):
    """{pattern: run}; patterns that cannot run are missing."""
    found = map(json.loads, mesa.output_of(command, env=env).splitlines())
    return {run["pattern"]: run for run in found}
