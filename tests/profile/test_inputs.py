# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Invalid settings, unwritable files, crashes, locks and labels, on
llvmpipe."""

import functools
import os
import signal
import subprocess
import xml.etree.ElementTree

import pytest
from tests.profile import known
from tests.runners import devices
from tests.runners.mesa import HANG_GUARD_S

FRAMES = 4

# Variable, value, and words of the error line. {} is an empty directory.
WRONG = (
    ("PITOT_PROFILE", "{}/a", "a"),
    ("PITOT_PROFILE", "{}/a.gif", "a.gif"),
    ("PITOT_PROFILE", "", "PITOT_PROFILE"),
    ("PITOT_PROFILE", "{}/none/a.json", "none/a.json"),
    ("PITOT_PROFILE", "{}/none/a.txt", "none/a.txt"),
    ("PITOT_PROFILE", "/proc/a.json", "/proc/a.json"),
    ("PITOT_PROFILE", "/dev/null/a.json", "/dev/null/a.json"),
    ("PITOT_PROFILE_LIMIT", "0", "PITOT_PROFILE_LIMIT=0"),
    ("PITOT_PROFILE_LEVEL", "triangle", "triangle"),
    ("PITOT_PROFILE_LEVEL", "", "PITOT_PROFILE_LEVEL"),
    ("PITOT_PROFILE_FRAMES", "3-1", "3-1"),
    ("PITOT_PROFILE_FRAMES", "-1", "-1"),
    ("PITOT_PROFILE_FRAMES", "some", "some"),
    ("PITOT_PROFILE_FRAMES", "99999999999999999999", "9999999"),
    ("PITOT_PROFILE_COUNTERS", "Speed of Light", "Speed of Light"),
    ("PITOT_PROFILE_COUNTERS", "samples passed,Nothing", "Nothing"),
)


class Program:
    """The program of frames.c, its environment, and a directory for files."""

    def __init__(self, path, env, folder):
        self.path, self.env, self.folder = path, env, folder
        self.launcher = []

    def start(self, frames, variables):
        env = {**self.env, "PITOT_PROFILE": f"{self.folder}/a.json",
               **variables}
        return subprocess.Popen([*self.launcher, self.path, str(frames),
                                 "--window"], env=env,
                                text=True, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def run(self, variables):
        """Yields the program's own faults, and returns its stderr."""
        process = self.start(FRAMES, variables)
        frames, said = process.communicate(timeout=HANG_GUARD_S)
        if process.returncode != 0 or len(frames.splitlines()) != FRAMES:
            yield f"the program ended with status {process.returncode}: {said}"
        return said.splitlines()

    def files(self):
        return sorted(os.listdir(self.folder))


def wrong_setting(program, name, value, words):
    """One error line, and no profile."""
    lines = yield from program.run({name: value.format(program.folder)})
    if len(lines) != 1 or words not in lines[0]:
        yield f"{name}={value}: it says {lines}"
    if program.files():
        yield f"{name}={value}: it leaves {program.files()}"


def limited(program):
    """ulimit -f: one line, and the program runs as without a profile."""
    program.launcher = ["prlimit", "--fsize=4096"]
    lines = yield from program.run({"MESA_SHADER_CACHE_DISABLE": "true"})
    if len(lines) != 1 or "as large as it may be" not in lines[0]:
        yield f"it says {lines}"


def killed(program):
    """The trace of a killed program is readable up to there."""
    process = program.start(100000, {})
    for _ in range(20):
        process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    roots = known.roots_of(known.read(f"{program.folder}/a.json"))
    if not any(root.total("draws") for root in roots):
        yield f"{len(roots)} slices, without a draw"


def other_outputs(program):
    """pitot-profile writes the output after the program has ended."""
    def lines_of(path):
        with open(path, encoding="utf-8") as file:
            return file.read().splitlines()

    profiler = os.path.join(os.path.dirname(os.path.dirname(program.path)),
                            "src/profile/pitot-profile")
    for ending in ("txt", "svg", "csv"):
        path = f"{program.folder}/b.{ending}"
        program.launcher = [profiler, "--run", path]
        said = yield from program.run({})
        if said or program.files() != [f"b.{ending}"]:
            yield f".{ending}: it says {said} and leaves {program.files()}"
            return
        if ending == "svg":
            xml.etree.ElementTree.parse(path)
        elif len(lines_of(path)) < 5:
            yield f".{ending}: {lines_of(path)}"
        os.remove(path)


def no_output_by_itself(program):
    """The program writes a trace, and prints the command for the output."""
    path = f"{program.folder}/b.svg"
    lines = yield from program.run({"PITOT_PROFILE": path})
    if lines != [f"pitot: for the output: pitot-profile '{path}.json' --svg "
                 f"'{path}'"]:
        yield f"it says {lines}"
    if program.files() != ["b.svg.json"]:
        yield f"it leaves {program.files()}"


def two_at_once(program):
    """The second process adds its id to the file's name."""
    first = program.start(100000, {})
    first.stdout.readline()
    second = program.start(FRAMES, {})
    second.communicate(timeout=HANG_GUARD_S)
    first.kill()
    first.communicate()
    wanted = ["a.json", f"a-{second.pid}.json"]
    if program.files() != sorted(wanted):
        yield f"it leaves {program.files()}, not {wanted}"


def bound_while_pending(program):
    """A draw in glBindTextures, which holds a Mesa lock, copies."""
    path = os.path.join(os.path.dirname(program.path), "pitot-pending")
    done = subprocess.run(
        [path], stdin=subprocess.DEVNULL, timeout=HANG_GUARD_S,
        env={**program.env, "PITOT_PROFILE": f"{program.folder}/a.json",
             "PITOT_PROFILE_LEVEL": "draw"})
    if done.returncode != 0:
        yield f"the program ended with status {done.returncode}"
    roots = known.roots_of(known.read(f"{program.folder}/a.json"))
    if not any(root.total("copies") for root in roots):
        yield "nothing was copied"


def labels_of_another_context(program):
    """A draw has the old label, the new one or none, and no context waits for
    another one's application. Freed memory is overwritten."""
    path = os.path.join(os.path.dirname(program.path), "pitot-labels")
    done = subprocess.run(
        [path], stdin=subprocess.DEVNULL, timeout=HANG_GUARD_S,
        env={**program.env, "PITOT_PROFILE": f"{program.folder}/a.json",
             "PITOT_PROFILE_LEVEL": "draw", "MALLOC_PERTURB_": "85",
             "PITOT_PROFILE_COUNTERS": "none"})
    if done.returncode != 0:
        yield f"the program ended with status {done.returncode}"
    names = {event["name"]
             for event in known.read(f"{program.folder}/a.json")
             if event.get("cat") == "draw"}
    if not names:
        yield "nothing was drawn"
    for name in names:
        if not name.endswith(" characters") and name != "program 1":
            yield f"a draw is named {name!r}"


CASES = {
    **{f"{name}={value}": functools.partial(
        wrong_setting, name=name, value=value, words=words)
       for name, value, words in WRONG},
    "a limit for files": limited,
    "a killed program": killed,
    "other outputs": other_outputs,
    "no output by itself": no_output_by_itself,
    "two processes": two_at_once,
    "textures bound in a draw": bound_while_pending,
    "labels of another context": labels_of_another_context,
}


@pytest.mark.parametrize("case", CASES)
def test_input(case, build, windows, results, tmp_path):
    program = Program(str(build / "tests/pitot-frames"),
                      windows(devices.default("llvmpipe")), tmp_path)
    results.check(f"profile: {case}", list(CASES[case](program)))
