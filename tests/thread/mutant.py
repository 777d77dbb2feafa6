# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Programs of a build with a file of the layers in another version.

Neither the build nor the checkout changes: the compiler sees the other version
in the place of the file, and the linker the new object files.
"""

import json
import os
import shlex
import subprocess

from runners.command import RunError
from sites import ROOT

# A thread that loops uses up CPU time.  ThreadSanitizer reports a race, and the
# program ends.
CPU_LIMIT_S = 60
# A guard against a mutant that sleeps for ever.
HANG_GUARD_S = 1800
OPTIONS = "halt_on_error=1:exitcode=66:report_thread_leaks=0"


class Build:
    """A build of the tests with ThreadSanitizer, by clang, up to date."""

    def __init__(self, directory):
        self.directory = os.path.abspath(directory)
        self.links = {}
        self.commands = {}
        with open(os.path.join(directory, "compile_commands.json"),
                  encoding="utf-8") as file:
            for entry in json.load(file):
                self.commands[entry["output"]] = (
                    self.path_of(entry["file"]),
                    shlex.split(entry["command"]))
        self.used = self.find_used()

    def path_of(self, name):
        return os.path.relpath(os.path.join(self.directory, name), ROOT)

    def ninja(self, *arguments):
        done = subprocess.run(["ninja", *arguments], cwd=self.directory,
                              stdout=subprocess.PIPE, text=True)
        if done.returncode:
            raise RunError(f"ninja failed in {self.directory}")
        return done.stdout

    def find_used(self):
        """{object file: the files that it was compiled from}"""
        found, made = {}, None
        for line in self.ninja("-t", "deps").splitlines():
            if not line.startswith(" "):
                made = line.partition(":")[0]
            elif made:
                found.setdefault(made, set()).add(self.path_of(line.strip()))
        return found

    def link_of(self, program):
        """The command that links a program."""
        if program not in self.links:
            lines = self.ninja("-t", "commands", f"tests/{program}")
            self.links[program] = shlex.split(lines.splitlines()[-1])
        return self.links[program]

    def compile(self, made, overlay, output):
        path, words = self.commands[made]
        # Without the compiler's cache, and without a list of dependencies.
        words = words[words.index("ccache") + 1 if "ccache" in words else 0:
                      words.index("-MD")]
        done = subprocess.run(
            [*words, "-w", "-ivfsoverlay", overlay, "-o", output, "-c",
             os.path.join(ROOT, path)], cwd=self.directory,
            stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise RunError(f"a mutant does not compile:\n{done.stderr}")

    def make(self, program, path, text, folder):
        """Links a program in which a file has another text."""
        overlay = os.path.join(folder, "overlay.yaml")
        other = os.path.join(folder, os.path.basename(path))
        with open(other, "w", encoding="utf-8") as file:
            file.write(text)
        with open(overlay, "w", encoding="utf-8") as file:
            json.dump({"version": 0, "roots": [{
                "name": os.path.join(ROOT, path), "type": "file",
                "external-contents": other}]}, file)
        words, objects = list(self.link_of(program)), []
        for made, used in self.used.items():
            if path not in used or not (made in words or
                                        made.startswith("src/")):
                continue
            output = os.path.join(folder, made.replace("/", "-"))
            self.compile(made, overlay, output)
            if made in words:
                words[words.index(made)] = output
            else: # before the archive that has the original
                objects.append(output)
        if not objects and words == self.link_of(program):
            raise RunError(f"nothing is compiled from {path}")
        at = words.index("-o")
        made = os.path.join(folder, program)
        done = subprocess.run([*words[:at], *objects, "-o", made,
                               *words[at + 2:]], cwd=self.directory)
        if done.returncode:
            raise RunError("a mutant cannot be linked")
        return made

    def passes(self, program):
        """Whether a program passes without a race."""
        try:
            return subprocess.run(
                ["prlimit", f"--cpu={CPU_LIMIT_S}", program],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                timeout=HANG_GUARD_S,
                env=dict(os.environ, TSAN_OPTIONS=OPTIONS)).returncode == 0
        except subprocess.TimeoutExpired:
            return False
