# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The unit tests of a build, and their verdicts on a mutant.

Neither the build directory nor a source changes: a mutant is compiled in a copy
of the sources, and its objects are linked before the archives, so that the
linker does not take the originals."""

import collections
import contextlib
import functools
import json
import math
import os
import re
import resource
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Callable, NamedTuple

from tests.power import mutants
from tests.power.mutants import LAYERS, ROOT
from tests.runners import tap, watch

# Verdicts that count, and others.
KILLED, SURVIVED = "killed", "survived"
FAILED_TO_BUILD, SAME = "failed to build", "same object file"

SUITES = {*LAYERS, "contract"}


def count_survivors(verdicts, required_percent, is_sample, totals):
    """Adds a result for each layer, given [(layer, verdict)]. In a sample, two
    standard deviations more may survive."""
    for layer, required in required_percent.items():
        counts = collections.Counter(
            verdict for other, verdict in verdicts if other == layer)
        number = counts[KILLED] + counts[SURVIVED]
        if not number:
            continue
        allowed = number * (100 - required) / 100
        if is_sample:
            allowed += 2 * math.sqrt(allowed)
        print(f"{layer}:", *(f"{count} {verdict}," for verdict, count in
                             counts.items()), f"required: {required} %")
        totals.explain(
            "failed" if counts[SURVIVED] > allowed else "passed",
            f"power: {layer}", "power", layer, f"{counts[SURVIVED]} of "
            f"{number} survived, of which {allowed:.1f} may")


class Kind(NamedTuple):
    """The lists of mutants of a source, and the percentage that must be
    killed. How they are built, and which tests run: a ninja target's, or the
    layers'. Warnings are no errors: a test must catch a mutant that only draws
    a warning. Without debug information, sources that mean the same give the
    same object."""
    mutants_of: Callable
    required_percent: dict
    compile: tuple
    link: tuple
    env: dict
    target: str = ""


KINDS = {
    # A double free or a leak is a failure, even if only the mutant's objects
    # are compiled with AddressSanitizer.
    "mutants": Kind(mutants.mutants_of, mutants.REQUIRED_PERCENT,
                    ("-O2", "-g0", "-w", "-fsanitize=address"),
                    ("-fsanitize=address", "-Wl,--strip-debug"),
                    {"ASAN_OPTIONS": "hard_rss_limit_mb=4096"}),
    # Needs a build with ThreadSanitizer. Not every linker traces archive
    # members.
    "locks": Kind(mutants.locks_of, mutants.REQUIRED_PERCENT_OF_LOCKS,
                  ("-g0", "-w", "-include", f"{ROOT}/tests/power/plain.h"),
                  ("-fuse-ld=bfd", "-Wl,--strip-debug"),
                  {"TSAN_OPTIONS": "halt_on_error=1:exitcode=66:"
                                   "report_thread_leaks=0"},
                  "thread-tests"),
}

# A mutant that loops uses CPU time, one that hangs uses none. A slow machine
# does neither.
CPU_FACTOR = 10
LINK_CPU_S = 0.03
LEAST_CPU_LIMIT_S = 5
HANGS = watch.Limits(idle_looks=30, max_hangs=1)
OUTPUT_LIMIT_B = 1 << 30


class Test(NamedTuple):
    name: str
    suites: set
    command: list
    env: dict
    link: list # the command

    def key(self):
        """The command, because a test's name is only its suite's."""
        return tuple(self.command)


class Measured(NamedTuple):
    """A test's program without a mutant: its object files, the cases that
    pass, and its CPU time."""
    objects: set
    passed: set
    cpu_s: float

    def cpu_limit_s(self):
        return max(LEAST_CPU_LIMIT_S, int(CPU_FACTOR * self.cpu_s))


def run(test, program, cpu_limit_s, env):
    """Returns the names of the passed cases, or none if one failed, and the
    CPU time in seconds. A mutant may leave files in the working directory."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile() as output, \
            tempfile.TemporaryDirectory() as directory:
        status, _ = watch.run(
            ["prlimit", f"--cpu={cpu_limit_s}", f"--fsize={OUTPUT_LIMIT_B}",
             "--core=0", program, *test.command[1:]], HANGS,
            stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.DEVNULL, cwd=directory,
            env={**os.environ, **env, **test.env})
        output.seek(0)
        text = output.read().decode(errors="replace")
    results = tap.results_of(text, status)
    is_right = not any(result.is_bad() for result in results)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ({result.name for result in results
             if is_right and result.verdict == "passed"},
            sum(after[:2]) - sum(before[:2]))


@contextlib.contextmanager
def sources(path, text):
    """Yields a directory with the sources, and this text at a path."""
    # mkdtemp()'s names all have the same length.
    with tempfile.TemporaryDirectory(prefix="pitot-power-") as directory:
        for part in ("include", *(f"src/{layer}" for layer in LAYERS)):
            shutil.copytree(ROOT / part, Path(directory, part))
        Path(directory, path).write_text(text)
        yield directory


def contents_of(output, directory):
    """Removes the names of sources that AddressSanitizer writes into an
    object."""
    return Path(output).read_bytes().replace(directory.encode(),
                                             b"/" * len(directory))


class Build:
    """A Meson build of the project, up to date."""

    def __init__(self, directory, kind):
        self.directory = Path(directory).resolve()
        self.kind = kind
        self.commands = self.find_commands()
        self.users = self.find_users()
        self.originals = {}
        self.tests = list(self.find_tests())
        self.measured = {}
        self.kills = collections.Counter()

    def read_json(self, name):
        return json.loads((self.directory / name).read_text())

    def output_of(self, *command):
        done = subprocess.run(command, cwd=self.directory,
                              stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{command[0]} failed in {self.directory}")
        return done.stdout

    def find_commands(self):
        """Returns {source: (object file, command)} of the layers, from a
        library, or from a test if no library has the source. Tests do not
        contain a program's own source."""
        in_library, in_test = {}, {}
        for entry in self.read_json("compile_commands.json"):
            path = self.path_of(entry["file"])
            is_library = ".a.p/" in entry["output"]
            found = in_library if is_library else in_test
            if path and is_library == entry["output"].startswith("src/"):
                found[path] = (entry["output"], shlex.split(entry["command"]))
        return {**in_test, **in_library}

    def find_users(self):
        """Returns {header: sources of the layers that include it}; a source
        has itself."""
        found = {path: {path} for path in self.commands}
        of_object = {made: path for path, (made, _) in self.commands.items()}
        user = None
        for line in self.output_of("ninja", "-t", "deps").splitlines():
            if not line.startswith(" "):
                user = of_object.get(line.partition(":")[0])
            elif user and line.endswith(".h"):
                path = self.path_of(line.strip())
                if path:
                    found.setdefault(path, set()).add(user)
        return found

    def path_of(self, name):
        """A layer's file in the checkout, or None."""
        path = os.path.relpath(self.directory / name, ROOT)
        parts = path.split("/")
        is_ours = (parts[:2] == ["include", "pitot"] or
                   parts[0] == "src" and parts[1] in LAYERS)
        return path if is_ours else None

    def find_tests(self):
        """Yields the tests, without schedules."""
        links, wanted = {}, self.find_wanted()
        for line in self.output_of("ninja", "-t", "commands").splitlines():
            words = shlex.split(line)
            if "-o" in words:
                links[words[words.index("-o") + 1]] = words
        for test in self.read_json("meson-info/intro-tests.json"):
            suites = {suite.split(":")[-1] for suite in test["suite"]}
            program = os.path.relpath(test["cmd"][0], self.directory)
            if (suites & SUITES and "schedules" not in suites and
                    (wanted is None or program in wanted)):
                yield Test(test["name"], suites, test["cmd"], test["env"],
                           links[program])

    def find_wanted(self):
        """The programs of the kind's target, or None for all."""
        return self.kind.target and set(self.output_of(
            "ninja", "-t", "query", self.kind.target).split()) or None

    def tested(self):
        """The sources and headers that the tests are compiled from; all, if
        all tests run."""
        if not self.kind.target:
            return sorted(self.users)
        objects = set().union(*(self.measure(test).objects
                                for test in self.tests))
        return [path for path in sorted(self.users)
                if any(self.commands[user][0] in objects
                       for user in self.users[path])]

    def measure(self, test):
        """Measures a test on first use."""
        if test.key() in self.measured:
            return self.measured[test.key()]
        with tempfile.TemporaryDirectory() as directory:
            program = f"{directory}/program"
            objects = self.output_of(*self.link(test, program),
                                     "-Wl,--trace").split()
            passed, cpu_s = run(test, program, "unlimited", self.kind.env)
        if not passed:
            raise SystemExit(f"{test.name} fails without a mutant")
        self.measured[test.key()] = Measured(set(objects), passed, cpu_s)
        return self.measured[test.key()]

    def link(self, test, program, replaced=()):
        """replaced: {object file: its replacement}."""
        at = test.link.index("-o")
        rest = [word for word in test.link[at + 2:] if word not in replaced]
        return [*test.link[:at], "-o", program,
                *(replaced[name] for name in replaced), *rest,
                *self.kind.link]

    def compile(self, path, directory):
        """Compiles a source in the directory, where headers are taken from,
        too. Returns the object file, or None. Assertions show the paths in the
        checkout, as the compiler has them."""
        _, words = self.commands[path]
        # -MD -MQ FILE -MF FILE would write dependencies into the build.
        words = words[:words.index("-MD")]
        compiler = words.index("ccache") + 1 if "ccache" in words else 0
        output = f"{directory}/{path.replace('/', '-')}.o"
        checkout = os.path.relpath(ROOT, self.directory)
        done = subprocess.run(
            [words[compiler], *self.folders(words, directory),
             *words[compiler + 1:], *self.kind.compile,
             f"-fmacro-prefix-map={directory}={checkout}",
             "-o", output, "-c", f"{directory}/{path}"],
            cwd=self.directory, stderr=subprocess.DEVNULL)
        return output if done.returncode == 0 else None

    def folders(self, words, directory):
        """Yields the options for the checkout's include folders, in the
        directory."""
        for word in words:
            name = re.sub("^-(I|isystem)", "", word)
            if name != word:
                path = os.path.relpath(self.directory / name, ROOT)
                if not path.startswith(".."):
                    yield f"-I{directory}/{path}"

    def original(self, path):
        if path not in self.originals:
            with sources(path, (ROOT / path).read_text()) as directory:
                output = self.compile(path, directory)
                if not output:
                    raise SystemExit(f"{path} cannot be compiled")
                self.originals[path] = contents_of(output, directory)
        return self.originals[path]

    def compile_users(self, path, directory):
        """Returns {object file: its mutant} where they differ, for a source or
        the users of a header; None if one does not compile."""
        found = {}
        for user in sorted(self.users[path]):
            output = self.compile(user, directory)
            if not output:
                return None
            if contents_of(output, directory) != self.original(user):
                found[self.commands[user][0]] = output
        return found

    def judge(self, mutant):
        """Returns the verdict on a mutant, and the test that killed it."""
        text = mutant.apply((ROOT / mutant.path).read_text())
        with sources(mutant.path, text) as directory:
            objects = self.compile_users(mutant.path, directory)
            if objects is None:
                return FAILED_TO_BUILD, ""
            if not objects:
                return SAME, ""
            return self.run_tests(mutant, objects, directory)

    def in_order(self, path, layer):
        """The layer's tests first, the contract last. Among them, tests that
        killed mutants of the same file come first, then quick ones."""
        def key(test):
            measured = self.measured.get(test.key())
            cpu_s = LINK_CPU_S + (measured.cpu_s if measured else 0)
            return (layer not in test.suites, "contract" in test.suites,
                    cpu_s / (1 + self.kills[path, test.key()]))
        return sorted(self.tests, key=key)

    def run_tests(self, mutant, objects, directory):
        programs = collections.defaultdict(
            lambda: f"{directory}/{len(programs)}")
        for test in self.in_order(mutant.path, mutant.layer()):
            measured = self.measure(test)
            changed = {name: made for name, made in objects.items()
                       if name in measured.objects}
            if not changed:
                continue
            is_new = test.command[0] not in programs
            program = programs[test.command[0]]
            if is_new and subprocess.run(
                    self.link(test, program, changed),
                    cwd=self.directory,
                    stderr=subprocess.DEVNULL).returncode != 0:
                return FAILED_TO_BUILD, ""
            passed, _ = run(test, program, measured.cpu_limit_s(),
                            self.kind.env)
            if measured.passed - passed:
                self.kills[mutant.path, test.key()] += 1
                return KILLED, test.name
        if not programs:
            raise SystemExit(f"no test contains {' or '.join(objects)}")
        return SURVIVED, ""


@functools.cache
def build_of(directory, kind):
    """The build of this process, or of the one that it was forked from."""
    return Build(directory, KINDS[kind])


def judge(directory, kind, mutant):
    """Judges a mutant in a process that judges one at a time."""
    return build_of(directory, kind).judge(mutant)
