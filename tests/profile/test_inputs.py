# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Invalid settings, unwritable files, crashes, locks and labels, on
llvmpipe."""

import functools
import os
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

    def __init__(self, build, env, folder):
        self.build, self.env, self.folder = build, env, folder
        self.launcher = []

    def environment(self, **variables):
        return {**self.env, "PITOT_PROFILE": f"{self.folder}/a.json",
                **variables}

    def start(self, frames, **variables):
        return subprocess.Popen(
            [*self.launcher, self.build / "tests/pitot-frames", str(frames),
             "--window"], env=self.environment(**variables), text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)

    def run(self, **variables):
        """Its stderr, in lines."""
        process = self.start(FRAMES, **variables)
        frames, said = process.communicate(timeout=HANG_GUARD_S)
        assert process.returncode == 0, said
        assert len(frames.splitlines()) == FRAMES
        return said.splitlines()

    def run_other(self, name, **variables):
        """Profiles the draws of another program."""
        subprocess.run([self.build / "tests" / name], check=True,
                       stdin=subprocess.DEVNULL, timeout=HANG_GUARD_S,
                       env=self.environment(PITOT_PROFILE_LEVEL="draw",
                                            **variables))

    def events(self):
        return known.read(self.folder / "a.json")

    def total(self, counter):
        return sum(root.total(counter)
                   for root in known.roots_of(self.events()))

    def files(self):
        return sorted(os.listdir(self.folder))


def wrong_setting(program, name, value, words):
    """One error line, and no profile."""
    (line,) = program.run(**{name: value.format(program.folder)})
    assert words in line
    assert not program.files()


def limited(program):
    """ulimit -f: one line, and the program runs as without a profile."""
    program.launcher = ["prlimit", "--fsize=4096"]
    (line,) = program.run(MESA_SHADER_CACHE_DISABLE="true")
    assert "as large as it may be" in line


def killed(program):
    """The trace of a killed program is readable up to there."""
    process = program.start(100000)
    for _ in range(20):
        process.stdout.readline()
    process.kill()
    process.communicate()
    assert program.total("draws")


def other_outputs(program):
    """pitot-profile writes the output after the program has ended."""
    profiler = program.build / "src/profile/pitot-profile"
    for ending in ("txt", "svg", "csv"):
        path = program.folder / f"b.{ending}"
        program.launcher = [profiler, "--run", path]
        assert not program.run()
        assert program.files() == [path.name]
        if ending == "svg":
            xml.etree.ElementTree.parse(path)
        else:
            assert len(path.read_text().splitlines()) >= 5
        path.unlink()


def no_output_by_itself(program):
    """The program writes a trace, and prints the command for the output."""
    path = program.folder / "b.svg"
    assert program.run(PITOT_PROFILE=str(path)) == [
        f"pitot: for the output: pitot-profile '{path}.json' --svg '{path}'"]
    assert program.files() == ["b.svg.json"]


def two_at_once(program):
    """The second process adds its id to the file's name."""
    first = program.start(100000)
    first.stdout.readline()
    second = program.start(FRAMES)
    second.communicate(timeout=HANG_GUARD_S)
    first.kill()
    first.communicate()
    assert program.files() == sorted(["a.json", f"a-{second.pid}.json"])


def bound_while_pending(program):
    """A draw in glBindTextures, which holds a Mesa lock, copies."""
    program.run_other("pitot-pending")
    assert program.total("copies")


def labels_of_another_context(program):
    """A draw has the old label, the new one or none, and no context waits for
    another one's application. Freed memory is overwritten."""
    program.run_other("pitot-labels", MALLOC_PERTURB_="85",
                      PITOT_PROFILE_COUNTERS="none")
    names = {event["name"] for event in program.events()
             if event.get("cat") == "draw"}
    assert names
    assert not {name for name in names
                if not name.endswith(" characters") and name != "program 1"}


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
    CASES[case](Program(build, windows(devices.default("llvmpipe")), tmp_path))
    results.add("passed", f"profile: {case}")
