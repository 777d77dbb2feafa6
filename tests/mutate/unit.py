# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The unit tests of a build, and what they say of a mutant.

No build directory and no source changes: a mutant is compiled from standard
input, and its object file is linked before the archives, so that the linker
does not take the original's out of them.
"""

import collections
import contextlib
import glob
import json
import os
import select
import shlex
import signal
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import NamedTuple

from rates import (FAILED_TO_BUILD, KILLED, REQUIRED_PERCENT, SAME, SURVIVED)
from runners import tap
from runners.command import RunError

LAYERS = tuple(REQUIRED_PERCENT)
SUITES = {*LAYERS, "contract"}

# Optimized and without debug information, so that two sources that mean the
# same give the same object file. Warnings are no errors, because tests are to
# find a mutant that only draws a warning.
COMPILE_ARGUMENTS = ("-O2", "-g0", "-w")

# Memory that is freed twice, or not at all, is a failure, which the objects as
# they are suffice to find.
LINK_ARGUMENTS = ("-fsanitize=address", "-Wl,--strip-debug")
SANITIZER_OPTIONS = {"ASAN_OPTIONS": "hard_rss_limit_mb=4096"}

# A mutant that loops uses up CPU time; one that waits for good uses none. A
# busy machine that slows down a test does neither.
CPU_FACTOR = 10
LEAST_CPU_LIMIT_S = 5
ASLEEP_LIMIT_S = 30
HANG_GUARD_S = 1800
OUTPUT_LIMIT_B = 1 << 30


class Test(NamedTuple):
    name: str
    suites: set
    command: list
    env: dict
    link: list # the command

    def key(self):
        """Names are those of their suites."""
        return tuple(self.command)


class Measured(NamedTuple):
    """A test's program without a mutant: the object files in it, the cases
    that pass, and its CPU time."""
    objects: set
    passed: set
    cpu_s: float

    def cpu_limit_s(self):
        return max(LEAST_CPU_LIMIT_S, int(CPU_FACTOR * self.cpu_s))


def threads_of(pid):
    """Returns [(state, CPU time in ticks)]."""
    found = []
    for stat in glob.glob(f"/proc/{pid}/task/*/stat"):
        with contextlib.suppress(OSError):
            fields = Path(stat).read_bytes().rpartition(b")")[2].split()
            found.append((fields[0], fields[11:13]))
    return found


def wait_for(process):
    """Waits until the process ends, or has only threads that sleep for good.
    (No test forks.)"""
    asleep_s, last = 0, None
    handle = os.pidfd_open(process.pid)
    with contextlib.closing(os.fdopen(handle)):
        for _ in range(HANG_GUARD_S):
            if select.select([handle], [], [], 1)[0]:
                return
            threads = threads_of(process.pid)
            are_asleep = all(state == b"S" for state, _ in threads)
            asleep_s = asleep_s + 1 if are_asleep and threads == last else 0
            if asleep_s == ASLEEP_LIMIT_S:
                return
            last = threads


def run(test, program, cpu_limit_s):
    """Runs the program of a test. Returns the names of the cases that passed,
    or none of them if one failed; and the CPU time in seconds."""
    limits = ("prlimit", f"--cpu={cpu_limit_s}", f"--fsize={OUTPUT_LIMIT_B}",
              "--core=0")
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [*limits, program, *test.command[1:]], stdin=subprocess.DEVNULL,
            stdout=output, stderr=subprocess.DEVNULL,
            env={**os.environ, **SANITIZER_OPTIONS, **test.env},
            start_new_session=True)
        try:
            wait_for(process)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode(errors="replace")
    results = tap.results_of(text, process.returncode)
    is_right = not any(result.is_bad() for result in results)
    return ({result.name for result in results
             if is_right and result.verdict == "passed"},
            usage.ru_utime + usage.ru_stime)


class Build:
    """A build of the project by Meson, up to date."""

    def __init__(self, directory):
        self.directory = Path(directory).resolve()
        self.commands = self.find_commands()
        self.originals = {}
        self.tests = list(self.find_tests())
        self.measured = {}
        self.locks = collections.defaultdict(threading.Lock)

    def read_json(self, name):
        return json.loads((self.directory / name).read_text())

    def output_of(self, *command):
        done = subprocess.run(command, cwd=self.directory,
                              stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise RunError(f"{command[0]} failed in {self.directory}")
        return done.stdout

    def find_commands(self):
        """Returns {source: (object file, command)} of the layers."""
        found = {}
        for entry in self.read_json("compile_commands.json"):
            words = shlex.split(entry["command"])
            source = entry["file"]
            for layer in LAYERS:
                _, slash, name = source.partition(f"/src/{layer}/")
                if slash:
                    found[f"src/{layer}/{name}"] = (entry["output"], source,
                                                    words)
        return found

    def find_tests(self):
        """Yields the tests of the layers, each without schedules."""
        links = {}
        for line in self.output_of("ninja", "-t", "commands").splitlines():
            words = shlex.split(line)
            if "-o" in words:
                links[words[words.index("-o") + 1]] = words
        for test in self.read_json("meson-info/intro-tests.json"):
            suites = {suite.split(":")[-1] for suite in test["suite"]}
            if suites & SUITES and "schedules" not in suites:
                program = os.path.relpath(test["cmd"][0], self.directory)
                yield Test(test["name"], suites, test["cmd"], test["env"],
                           links[program])

    def measure(self, test):
        """Measures a test when it is needed for the first time."""
        with self.locks[test.key()]:
            if test.key() not in self.measured:
                self.measured[test.key()] = self.measure_now(test)
            return self.measured[test.key()]

    def measure_now(self, test):
        with tempfile.TemporaryDirectory() as directory:
            program = f"{directory}/program"
            objects = self.output_of(*self.link(test, program),
                                     "-Wl,--trace").split()
            passed, cpu_s = run(test, program, "unlimited")
        if not passed:
            raise RunError(f"{test.name} fails without a mutant")
        return Measured(set(objects), passed, cpu_s)

    def link(self, test, program, *objects):
        at = test.link.index("-o")
        return [*test.link[:at], "-o", program, *objects, *test.link[at + 2:],
                *LINK_ARGUMENTS]

    def compile(self, path, text, output):
        """Returns whether a text can be compiled in place of a source."""
        _, source, words = self.commands[path]
        # Dependencies (-MD -MQ FILE -MF FILE) would be written to the build.
        words = words[:words.index("-MD")]
        command = [*(word for word in words if word != "ccache"),
                   *COMPILE_ARGUMENTS, "-iquote", os.path.dirname(source),
                   "-o", output, "-x", "c", "-c", "-"]
        return subprocess.run(
            command, cwd=self.directory, input=f'#line 1 "{source}"\n{text}',
            text=True, stderr=subprocess.DEVNULL).returncode == 0

    def judge(self, path, text, mutated):
        """Returns the verdict on a mutated text of a source, and the name of
        the test that killed it."""
        with tempfile.TemporaryDirectory(prefix="pitot-mutate-") as directory:
            new = Path(directory, "new.o")
            if path not in self.originals:
                if not self.compile(path, text, new):
                    raise RunError(f"{path} cannot be compiled")
                self.originals[path] = new.read_bytes()
            if not self.compile(path, mutated, new):
                return FAILED_TO_BUILD, ""
            if new.read_bytes() == self.originals[path]:
                return SAME, ""
            return self.run_tests(path, new, directory)

    def in_order(self, layer):
        """The tests of the layer first, the contract last, and the quick ones
        before others, as far as is known."""
        def key(test):
            measured = self.measured.get(test.key())
            return (layer not in test.suites, "contract" in test.suites,
                    measured.cpu_s if measured else 0)
        return sorted(self.tests, key=key)

    def run_tests(self, path, mutated, directory):
        original = self.commands[path][0]
        programs = collections.defaultdict(
            lambda: f"{directory}/{len(programs)}")
        for test in self.in_order(path.split("/")[1]):
            measured = self.measure(test)
            if original not in measured.objects:
                continue
            is_new = test.command[0] not in programs
            program = programs[test.command[0]]
            if is_new and subprocess.run(
                    self.link(test, program, mutated), cwd=self.directory,
                    stderr=subprocess.DEVNULL).returncode != 0:
                return FAILED_TO_BUILD, ""
            passed, _ = run(test, program, measured.cpu_limit_s())
            if measured.passed - passed:
                return KILLED, test.name
        return SURVIVED, ""
