# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Walks of Mesa's driver library with a call of the program at each entry and
exit of Pitot's functions. Objects with code of Pitot's are compiled again; the
others are Mesa's."""

import os
import pathlib
import re
import shlex
import subprocess

from tests.bench.walks import CALLS, Function, calls_of, usual, walk_of
from tests.runners import devices
from tests.runners.mesa import VERSION, Mesa

SOURCES = "subprojects/pitot/"
LIBRARY = f"src/gallium/targets/dri/libgallium-{VERSION}.so"
# Without optimization, each function has its own address.
FLAGS = ("-O0", "-g1", "-finstrument-functions")
# A frame that polls until the result is ready, and one that waits for it.
POLLS = "occlusion,4,poll_until,1,same,one,draw"
WAITS = "occlusion,4,wait,1,same,one,draw"
FRAMES = "20"

COMPILATION = re.compile(r"(.*) -MD .* -o (\S+) (-c .*)")


def output_of(arguments, directory=None):
    return subprocess.run(arguments, cwd=directory, text=True, check=True,
                          stdout=subprocess.PIPE,
                          env={**os.environ, "CCACHE_DISABLE": "1"}).stdout


def depends_on_pitot(build):
    """The objects of Mesa's build that have code of Pitot's."""
    rules = output_of(["ninja", "-t", "deps"], build).split("\n\n")
    return {rule.partition(": ")[0] for rule in rules if SOURCES in rule}


def build(libraries, folder):
    """Builds the library into a folder, from the Mesa in libraries. Returns
    its path."""
    directory = pathlib.Path(libraries).parents[1] / "src" / "build"
    *steps, link = output_of(["ninja", "-t", "commands", LIBRARY],
                             directory).splitlines()
    wanted = depends_on_pitot(directory)
    objects = []
    for match in filter(None, map(COMPILATION.fullmatch, steps)):
        if match[2] in wanted:
            objects.append(f"{folder}/{match[2].replace('/', '_')}")
            output_of([*shlex.split(match[1]), *FLAGS, "-o", objects[-1],
                       *shlex.split(match[3])], directory)

    library = os.path.join(folder, os.path.basename(LIBRARY))
    linker, _, rest = link.partition(f" -o {LIBRARY} ")
    # The objects come first, to replace those in archives. All drivers compile
    # a shared source in the same way.
    output_of([*shlex.split(linker), "-o", library,
               "-Wl,--allow-multiple-definition", *objects,
               *shlex.split(rest)], directory)
    return library


def functions_at(library, calls):
    """{address: Function} of all functions that calls enter; None for
    Mesa's."""
    addresses = sorted({event[1:] for _, events in calls for event in events
                        if event != "-"})
    # GNU addr2line reports another file for some functions of headers.
    lines = output_of(["llvm-addr2line", "-f", "-e", library,
                       *addresses]).splitlines()
    found = {}
    for address, name, place in zip(addresses, lines[::2], lines[1::2]):
        _, is_here, path = place.rpartition(SOURCES)
        found[address] = (Function(name, path.partition(":")[0]) if is_here
                          else None)
    return found


def walks_of(build_of_tests, folder):
    """Returns {(driver, call): Walk}: Pitot's functions that most of these
    calls enter, inline ones included."""
    path = Mesa(devices.default("iris"), False).environment()[
        "LD_LIBRARY_PATH"]
    library = build(path.split(":")[0], folder)
    found = {}
    for driver in ("llvmpipe", "iris"):
        events = [(frame, call, events) for frame in (POLLS, WAITS)
                  for call, events in calls_of(
                      Mesa(devices.default(driver), False).output_of(
                          ["env", f"LD_LIBRARY_PATH={folder}:{path}",
                           build_of_tests / "tests/pitot-patterns", "walks",
                           FRAMES, frame],
                          # Without u_threaded_context, one thread makes the
                          # whole call.
                          env={**os.environ, "GALLIUM_THREAD": "0"}))]
        functions = functions_at(library, [each for _, *each in events])
        for name in CALLS:
            frame = WAITS if name == "read" else POLLS
            found[driver, name] = usual(
                [walk_of(each, functions) for of, call, each in events
                 if (of, call) == (frame, name)])
    return found
