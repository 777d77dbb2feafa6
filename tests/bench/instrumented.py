# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Builds Mesa's driver library with a call of the program at each entry and
exit of Pitot's functions. Objects with code of Pitot's are compiled again; the
others are Mesa's."""

import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess

from runners.command import RunError, last_line
from runners.mesa import VERSION
from walk import Function

SOURCES = "subprojects/pitot/"
LIBRARY = f"src/gallium/targets/dri/libgallium-{VERSION}.so"
# Without optimization, each function has its own address.
FLAGS = ("-O0", "-g1", "-finstrument-functions")
COMPILATION = re.compile(r"(.*) -MD .* -o (\S+) (-c .*)")


def output_of(arguments, directory=None):
    done = subprocess.run(arguments, cwd=directory, text=True,
                          capture_output=True, check=False,
                          env={**os.environ, "CCACHE_DISABLE": "1"})
    if done.returncode != 0:
        raise RunError(f"{os.path.basename(arguments[0])}: "
                       f"{last_line(done.stderr)}")
    return done.stdout


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
    commands = []
    for match in filter(None, map(COMPILATION.fullmatch, steps)):
        if match[2] in wanted:
            path = os.path.join(folder, match[2].replace("/", "_"))
            commands.append([*shlex.split(match[1]), *FLAGS, "-o", path,
                             *shlex.split(match[3])])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda command: output_of(command, directory),
                      commands))

    library = os.path.join(folder, os.path.basename(LIBRARY))
    linker, _, rest = link.partition(f" -o {LIBRARY} ")
    # The objects come first, to replace those in archives. All drivers compile
    # a shared source in the same way.
    output_of([*shlex.split(linker), "-o", library,
               "-Wl,--allow-multiple-definition",
               *(command[command.index("-o") + 1] for command in commands),
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
