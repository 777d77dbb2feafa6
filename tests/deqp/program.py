# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Runs a dEQP program on a Mesa: lists its cases, or runs some, and reads
their statuses in its log."""

import hashlib
import os
import re
import subprocess
from typing import NamedTuple

from tests.deqp.groups import PROGRAMS
from tests.runners import watch
from tests.runners.command import RunError, last_line

# The surface that Mesa's CI uses.
OPTIONS = (
    "--deqp-surface-type=pbuffer",
    "--deqp-gl-config-name=rgba8888d24s8ms0",
    "--deqp-surface-width=256",
    "--deqp-surface-height=256",
    "--deqp-visibility=hidden",
    "--deqp-log-images=disable",
    "--deqp-log-shader-sources=disable",
    # The check calls a function that GL 3.3 need not have, and crashes.
    "--deqp-terminate-on-device-lost=disable",
)

HANGS = watch.Limits(max_hangs=1)

# Lines with '#' divide a log. A case ends with #endTestCaseResult, or with
# #terminateTestCaseResult if dEQP noticed a crash or hang.
LINE = re.compile(r"#(begin|end|terminate)TestCaseResult ?(.*)"
                  r'|.*<Result StatusCode="(\w+)"')


class Session(NamedTuple):
    """The environment of all runs, and the directory of their logs."""
    env: dict
    directory: str

    def path(self, name):
        return os.path.join(self.directory, name)


class Program:
    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.name = os.path.basename(path)

    def checksum(self):
        with open(self.path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()

    def arguments(self, *options):
        """Its data are next to it; its output goes elsewhere."""
        return [self.path, f"--deqp-archive-dir={os.path.dirname(self.path)}",
                *OPTIONS, *options]

    def list_cases(self, session, mesa, patterns):
        """Matching cases in the order of the run; and why there are none, as
        without the package's context.
        """
        done = self.answer(session, mesa, "--deqp-runmode=stdout-caselist",
                           f"--deqp-case={','.join(patterns)}")
        if "dEQP Core" not in done.stdout:
            raise RunError(f"{self.path} is no dEQP that runs here: "
                           f"{last_line(done.stdout)}")
        cases = [line.partition(" ")[2] for line in done.stdout.splitlines()
                 if line.startswith("TEST: ")]
        return cases, (last_line(done.stdout) if done.returncode != 0
                       else f"{self.name} has none")

    def refusal(self, session, mesa, package):
        """Why the driver lacks a package's context, or "". Some packages list
        their cases without a context.
        """
        done = self.answer(session, mesa, f"--deqp-case={package}.info.vendor",
                           f"--deqp-log-filename={os.devnull}")
        line = last_line(done.stdout)
        return line if "eglCreateContext" in line else ""

    def answer(self, session, mesa, *options):
        return mesa.run(self.arguments(*options), env=session.env,
                        cwd=session.directory, stderr=subprocess.STDOUT)

    def run_cases(self, session, mesa, cases, label):
        """Returns {case: status}. label: names the logs. If a case kills the
        program, it is restarted with the rest. A case that never runs has no
        status.
        """
        statuses = {}
        start = 0
        while len(statuses) < len(cases):
            rest = [case for case in cases if case not in statuses]
            start += 1
            found = self.run_once(session, mesa, rest, f"{label}-{start}")
            if not found.keys() & set(rest):
                break
            statuses.update(found)
        return statuses

    def run_once(self, session, mesa, cases, label):
        """Runs cases until one crashes or hangs; a crash in between counts
        for the last one."""
        path = session.path(label)
        with open(path + ".txt", "w", encoding="utf-8") as stream:
            stream.writelines(case + "\n" for case in cases)
        # Removes the log of an earlier run.
        with open(path + ".qpa", "w", encoding="utf-8"):
            pass
        command = mesa.command(self.arguments(
            f"--deqp-caselist-file={path}.txt",
            f"--deqp-log-filename={path}.qpa"))
        with open(path + ".log", "wb") as output:
            status, hangs = watch.apart(
                watch.run, command, HANGS, env=session.env,
                cwd=session.directory, stdout=output.fileno(),
                stderr=subprocess.STDOUT)
        with open(path + ".qpa", encoding="utf-8", errors="replace") as lines:
            statuses, unfinished = statuses_of(lines)
        end = "Timeout" if hangs else "Crash" if status < 0 else None
        if unfinished:
            statuses[unfinished] = end or "Crash"
        elif end and statuses:
            statuses[list(statuses)[-1]] = end
        return statuses


def statuses_of(lines):
    """Returns {case: status}, and the case that was started last and has none:
    the program died in it."""
    statuses, case, status = {}, None, ""
    for what, text, found in (match.groups() for match in
                              map(LINE.match, lines) if match):
        if what == "begin":
            case, status = text, ""
        elif case and what:
            # A status is only missing if the log is corrupt.
            statuses[case] = (text if what == "terminate" else
                              status or "InternalError")
            case = None
        else:
            status = found
    return statuses, case


def find_programs(paths):
    """{name: Program} for the named programs and folders of builds."""
    found = {}
    for path in paths:
        files = [path]
        if os.path.isdir(path):
            files = [file for name in PROGRAMS.values() if
                     os.path.exists(file := os.path.join(path, name))]
        programs = [Program(file) for file in files]
        if not programs or not all(
                program.name in PROGRAMS and os.access(program.path, os.X_OK)
                for program in programs):
            raise RunError(f"{path} is neither a build of VK-GL-CTS nor one "
                           f"of its programs {', '.join(PROGRAMS)}")
        found.update({program.name: program for program in programs})
    return found
