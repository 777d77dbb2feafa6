# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Patterns of use, played by pitot-patterns. The GPU does only what a call
waits for, so that counts depend on the drivers alone; or all is at full
speed, for times."""

import json
import os
import zlib

from tests.bench.axes import PATTERNS

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
