# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The walks of calls: Pitot's functions that a call enters.

Mesa's driver library gets a call of the program at each entry and exit of
Pitot's functions. Objects with code of Pitot's are compiled again; the others
are Mesa's.

    python3 -m tests.bench.walks BUILD

writes the walks into docs/architecture.md.
"""

import collections
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from typing import NamedTuple

from tests.runners import devices
from tests.runners.devices import ROOT
from tests.runners.mesa import VERSION, Mesa

CALLS = ("begin", "end", "poll FALSE", "poll TRUE", "read")

DOCUMENT = os.path.join(ROOT, "docs", "architecture.md")
BEGIN = "<!-- Written by tests/bench/walks.py. -->\n"
END = "<!-- The end of what it writes. -->\n"
# The walks that the document shows in full.
SHOWN_DRIVER = "iris"
SHOWN_CALLS = ("begin", "poll TRUE")

SOURCES = "subprojects/pitot/"
LIBRARY = f"src/gallium/targets/dri/libgallium-{VERSION}.so"
# Without optimization, each function has its own address.
FLAGS = ("-O0", "-g1", "-finstrument-functions")
# A frame that polls until the result is ready, and one that waits for it.
POLLS = "occlusion,4,poll_until,1,same,one,draw"
WAITS = "occlusion,4,wait,1,same,one,draw"
FRAMES = "20"

COMPILATION = re.compile(r"(.*) -MD .* -o (\S+) (-c .*)")


class Function(NamedTuple):
    name: str
    path: str


class Walk(NamedTuple):
    """(depth, Function) of each function, where it is first entered."""
    steps: tuple

    def __str__(self):
        return "{} in {}".format(*self.size())

    def size(self):
        """The number of functions, and of their files."""
        return (len(self.steps),
                len({function.path for _, function in self.steps}))

    def verdict(self, most, is_unreached):
        """Whether it is short enough; a walk in UNREACHED must be too long,
        and is a listed failure."""
        is_short = all(map(int.__le__, self.size(), most))
        if is_unreached:
            return "failed" if is_short else "listed"
        return "passed" if is_short else "failed"

    def lines(self):
        return [f"{'  ' * depth + function.name:50} {function.path}"
                for depth, function in self.steps]


def calls_of(output):
    """Yields (call, events) of pitot-patterns's output. A poll before a read
    had a result; a poll after a poll is one of a loop."""
    lines = [line.split()[1:] for line in output.splitlines()
             if line.startswith("walk ")]
    entries = ["", *(line[-1] for line in lines), ""]
    for before, line, after in zip(entries, lines, entries[2:]):
        call = line.pop()
        if call == "poll" and after == "read":
            call = "poll TRUE"
        elif call == "poll" and before != "poll":
            call = "poll FALSE"
        yield call, line


def walk_of(events, functions):
    """functions: {address: Function, or None if it is not Pitot's}."""
    found, stack = {}, []
    for event in events:
        if event == "-":
            stack.pop()
            continue
        function = functions[event[1:]]
        if function:
            found.setdefault(function, sum(map(bool, stack)))
        stack.append(function)
    return Walk(tuple((depth, function) for function, depth in found.items()))


def usual(walks):
    """The walk that most of these calls take."""
    return collections.Counter(walks).most_common(1)[0][0]


def markdown(walks):
    """Shows {(driver, call): Walk} as in the document."""
    drivers = list(dict.fromkeys(driver for driver, _ in walks))
    rows = [["functions in files", *drivers], ["---"] * (1 + len(drivers)),
            *([call, *(str(walks[driver, call]) for driver in drivers)]
              for call in CALLS)]
    text = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    for call in SHOWN_CALLS:
        text += "\n".join([f"\n{call.capitalize()} on {SHOWN_DRIVER}:", "",
                           "```", *walks[SHOWN_DRIVER, call].lines(),
                           "```\n"])
    return text


def document(walks):
    """The document as it is, and as it is with these walks."""
    with open(DOCUMENT, encoding="utf-8") as stream:
        text = stream.read()
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    return text, before + begin + markdown(walks) + end + after


#
# The instrumented library
#

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


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        _, written = document(walks_of(pathlib.Path(sys.argv[1]).resolve(),
                                       directory))
    pathlib.Path(DOCUMENT).write_text(written)
