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
from concurrent.futures import ThreadPoolExecutor
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

# Memory that is not freed is a failure, and needs no other objects.
LINK_ARGUMENTS = ("-fsanitize=leak", "-Wl,--strip-debug")

# A mutant that loops uses up CPU time; one that waits for good uses none. A
# busy machine that slows down a test does neither.
CPU_FACTOR = 10
LEAST_CPU_LIMIT_S = 5
ASLEEP_LIMIT_S = 30
HANG_GUARD_S = 1800
MEMORY_LIMIT_B = 8 << 30
OUTPUT_LIMIT_B = 1 << 30


class Test(NamedTuple):
    """objects are the object files that the program has in it. passed and
    cpu_s are those of the program without a mutant."""
    name: str
    suites: set
    command: list
    env: dict
    link: list # the command
    objects: set = frozenset()
    passed: set = frozenset()
    cpu_s: float = 0

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
    limits = ("prlimit", f"--cpu={cpu_limit_s}", f"--data={MEMORY_LIMIT_B}",
              f"--fsize={OUTPUT_LIMIT_B}", "--core=0")
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [*limits, program, *test.command[1:]], stdin=subprocess.DEVNULL,
            stdout=output, stderr=subprocess.DEVNULL,
            env={**os.environ, **test.env}, start_new_session=True)
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

    def __init__(self, directory, jobs):
        self.directory = Path(directory).resolve()
        self.commands = self.find_commands()
        self.originals = {}
        with ThreadPoolExecutor(jobs) as pool:
            self.tests = list(pool.map(self.measure, self.find_tests()))

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
        with tempfile.TemporaryDirectory() as directory:
            program = f"{directory}/program"
            objects = self.output_of(*self.link(test, program),
                                     "-Wl,--trace").split()
            passed, cpu_s = run(test, program, "unlimited")
        if not passed:
            raise RunError(f"{test.name} fails without a mutant")
        return test._replace(objects=set(objects), passed=passed, cpu_s=cpu_s)

    def link(self, test, program, *objects):
        at = test.link.index("-o")
        return [*test.link[:at], "-o", program, *objects, *test.link[at + 2:],
                *LINK_ARGUMENTS]

    def compile(self, path, text, output):
        """Returns whether a text can be compiled in place of a source."""
        _, source, words = self.commands[path]
        at = words.index("-o")
        words = [word for word in words[:at] if word != "ccache"]
        command = [*words, *COMPILE_ARGUMENTS, "-iquote",
                   os.path.dirname(source), "-o", output, "-x", "c", "-c", "-"]
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

    def run_tests(self, path, mutated, directory):
        """Runs those of the layer first, then the quick ones."""
        original, layer = self.commands[path][0], path.split("/")[1]
        programs = collections.defaultdict(
            lambda: f"{directory}/{len(programs)}")
        for test in sorted(self.tests, key=lambda test: (
                layer not in test.suites, test.cpu_s)):
            if original not in test.objects:
                continue
            is_new = test.command[0] not in programs
            program = programs[test.command[0]]
            if is_new and subprocess.run(
                    self.link(test, program, mutated), cwd=self.directory,
                    stderr=subprocess.DEVNULL).returncode != 0:
                return FAILED_TO_BUILD, ""
            passed, _ = run(test, program, test.cpu_limit_s())
            if test.passed - passed:
                return KILLED, test.name
        return SURVIVED, ""
