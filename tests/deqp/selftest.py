#!/usr/bin/python3 -B
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests of parsing and judgement in tests/deqp/run, without dEQP or Mesa."""

import os
import subprocess
import sys
import unittest
from unittest import mock

sys.path.append(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

import program
import qpa
import search
from groups import Use, query_groups
from judge import is_right, judge, table
from program import Program, Session
from runners.command import RunError, UsageError
from runners.devices import Device
from runners.fixture import FilesTest
from runners.mesa import Mesa
from runners.verdict import Verdict, rejudge
from suite import Group, Package, find_packages, group_cases, unmatched

LOG = """\
#sessionInfo targetName "hand-written"
#beginSession

#beginTestCaseResult a.good
<TestCaseResult CasePath="a.good">
 <Text>The text &lt;Result StatusCode=&quot;Fail&quot;&gt;</Text>
 <Result StatusCode="Pass">Yes</Result>
</TestCaseResult>

#endTestCaseResult

#beginTestCaseResult a.bad
 <Result StatusCode="Fail">No</Result>
#endTestCaseResult

#beginTestCaseResult a.dead
<TestCaseResult CasePath="a.dead">
#terminateTestCaseResult Crash

#beginTestCaseResult a.torn
 <Result StatusCode="Pass">Almo"""

# A fake dEQP that some cases kill. Packages of GL above 4.5 have no context,
# and report that when listed; ES31 reports it when run.
FAKE = """#!/bin/sh
hang() { echo $$ >hangs; exec sleep 6000; }
for option; do
    case $option in
    --deqp-caselist-file=*) list=${option#*=} ;;
    --deqp-log-filename=*) exec >>"${option#*=}" ;;
    --deqp-case=ES31.info.vendor)
        echo "FATAL ERROR: EGL_BAD_MATCH: eglCreateContext()"; exit 1 ;;
    --deqp-case=ES31*) known='ES31.x' ;;
    --deqp-case=KHR-GL45*) known='KHR-GL45.x KHR-GL45.y' ;;
    --deqp-case=KHR-*) status=1 ;;
    --deqp-runmode=*) list=; echo dEQP Core ;;
    esac
done
for case in $known; do echo "TEST: $case"; done
[ -n "$list" ] || exit "${status:-0}"
while read -r case; do
    case $case in *.unknown) continue ;; esac
    echo "#beginTestCaseResult $case"
    case $case in
    *.crash) kill -ABRT $$ ;;
    *.hang) hang ;;
    esac
    echo '<Result StatusCode="Pass">'
    echo '#endTestCaseResult'
    case $case in
    *.stop) exit 1 ;;
    *.segv) kill -SEGV $$ ;;
    *.last) at_end=kill ;;
    *.stay) at_end=stay ;;
    esac
done <"$list"
case $at_end in kill) kill -SEGV $$ ;; stay) hang ;; esac
"""

# Interval of checks whether the fake hangs, which have no limit.
POLL_S = 0.01

# A launcher that does not use Mesa.
LAUNCHER = """#!/bin/sh
shift 2
exec "$@"
"""


class LogTest(unittest.TestCase):
    def test_every_end_of_a_case(self):
        log = qpa.parse(LOG.splitlines(keepends=True))
        self.assertEqual(log.statuses, {"a.good": "Pass", "a.bad": "Fail",
                                        "a.dead": "Crash"})
        self.assertEqual(log.unfinished, "a.torn")

    def test_an_empty_log(self):
        self.assertEqual(qpa.parse([]), ({}, None))


class ProgramTest(FilesTest):
    def setUp(self):
        super().setUp()
        self.session = Session(dict(os.environ), self.directory)
        self.program = Program(self.write("glcts", FAKE))
        self.mesa = Mesa(Device("none", ""), False,
                         self.write("launcher", LAUNCHER))

    def check(self, **expected):
        cases = [f"a.{name}" for name in expected]
        found = self.program.run_cases(self.session, self.mesa, cases, "log")
        self.assertEqual(found, {f"a.{name}": status for name, status
                                 in expected.items() if status})

    def test_a_crash_takes_no_other_case_along(self):
        self.check(one="Pass", crash="Crash", stop="Pass", two="Pass")
        self.check(crash="Crash")

    def test_a_death_between_cases_is_that_of_the_last(self):
        self.check(one="Pass", last="Crash")
        self.check(segv="Crash", one="Pass")
        self.check(one="Pass", segv="Crash")

    def test_a_hang_is_ended(self):
        with mock.patch.object(program, "ends_in_time", self.ends_or_hangs):
            self.check(one="Pass", hang="Timeout", two="Pass")
            self.check(one="Pass", stay="Timeout")

    def ends_or_hangs(self, process):
        """Waits without a time limit; returns whether it has ended."""
        while not os.path.exists(self.session.path("hangs")) or \
                self.read("hangs") != f"{process.pid}\n":
            try:
                process.wait(POLL_S)
                return True
            except subprocess.TimeoutExpired:
                pass
        return False

    def read(self, name):
        with open(self.session.path(name), encoding="utf-8") as stream:
            return stream.read()

    def test_a_case_that_does_not_run_has_no_status(self):
        self.check(one="Pass", unknown=None, two="Pass")
        self.check(unknown=None)

    def test_the_newest_gl_is_taken(self):
        found = list(find_packages(self.session, self.mesa,
                                   {"KHR-GL*": self.program},
                                   ["KHR-GL*.x", "KHR-GL*.*"]))
        self.assertEqual([(p.name, p.groups) for p in found],
                         [("KHR-GL45", [Group("KHR-GL45.x", ["KHR-GL45.x"]),
                                        Group("KHR-GL45.*",
                                              ["KHR-GL45.y"])])])

    def test_a_package_without_a_context_has_no_cases(self):
        package, = find_packages(self.session, self.mesa,
                                 {"ES31": self.program}, ["ES31.*"])
        self.assertEqual(package.cases(), [])
        self.assertIn("eglCreateContext", package.why)

    def test_what_is_no_dEQP_is_refused(self):
        broken = Program(self.write("deqp-egl", "#!/bin/sh\necho no\n"))
        with self.assertRaisesRegex(RunError, "no dEQP that runs here: no"):
            broken.list_cases(self.session, self.mesa, ["a*"])
        for path in (self.session.directory, self.mesa.launcher, "/nowhere"):
            with self.assertRaises(UsageError):
                program.find_programs([path])


class SearchTest(FilesTest):
    def setUp(self):
        super().setUp()
        self.source = self.directory
        self.write("framework/reset.cpp", "gl.endQuery(target);")
        self.write("modules/gles3/none.cpp", "bool isQueryPath();")

    def check(self, *known):
        return search.check(self.source,
                            [Use(name, (), ()) for name in known])

    def test_every_way_to_call_is_found(self):
        for text in ("glBeginQueryIndexed(a, b, c);", "gl->genQueries(1, &q);",
                     "callQueryCounter(q, target);", "glu::Query query(gl);",
                     '"glGetPerfQueryInfoINTEL",', "m_gl.isQuery(q)",
                     "gl.getQueryBufferObjectiv(q, b, p, 0);"):
            path = self.write("modules/gles3/one.cpp", text)
            self.assertTrue(search.calls(path), text)

    def test_a_source_and_a_use_need_each_other(self):
        self.write("modules/egl/one.inl", '"glBeginQuery"')
        self.write("external/openglcts/modules/gl/two.hpp", "glu::Query q;")
        self.assertEqual(self.check("one", "two"), 2)
        with self.assertRaisesRegex(RunError, "does not know .* in two"):
            self.check("one")
        with self.assertRaisesRegex(RunError, "wrong about none"):
            self.check("one", "two", "none")

    def test_what_is_no_source_is_refused(self):
        with self.assertRaisesRegex(RunError, "no source of VK-GL-CTS"):
            self.check()

    def test_a_build_tells_its_source(self):
        path = self.write("build/modules/gles3/deqp-gles3", "")
        self.assertIsNone(search.source_of(Program(path)))
        for line, expected in (
                (f"CMAKE_HOME_DIRECTORY:INTERNAL={self.source}", self.source),
                ("CMAKE_HOME_DIRECTORY:INTERNAL=/no", None),
                ("CMAKE_INSTALL_PREFIX:PATH=/usr", None)):
            self.write("build/CMakeCache.txt", f"A:B=C\n{line}\n")
            self.assertEqual(search.source_of(Program(path)), expected)

    def test_a_group_without_a_case_is_reported(self):
        cases = ["KHR-GL46.a.x", "KHR-GLESEXT.b.x", "dEQP-GLES3.c.query"]
        self.assertEqual(unmatched(
            ["KHR-GL*.a.*", "KHR-GL*.b.*", "dEQP-GLES3.c.*quer*",
             "dEQP-GLES3.c.qeury"], cases),
            ["KHR-GL*.b.*", "dEQP-GLES3.c.qeury"])

    def test_a_group_is_listed_once(self):
        groups = query_groups()
        self.assertEqual(len(groups), len(set(groups)))
        self.assertIn("dEQP-GLES3.stress.occlusion_query.*", groups)


class JudgeTest(unittest.TestCase):
    def check(self, verdict, stock, pitot):
        self.assertIs(judge("a", stock, pitot).verdict, verdict)

    def test_what_passes_on_stock_must_pass(self):
        self.check(Verdict.PASSED, "Pass", "QualityWarning")
        self.check(Verdict.LOST, "Pass", "Fail")
        self.check(Verdict.LOST, "CompatibilityWarning", "NotSupported")
        self.check(Verdict.LOST, "Pass", None)

    def test_what_stock_has_not_must_not_fail(self):
        self.check(Verdict.SKIPPED, "NotSupported", "NotSupported")
        self.check(Verdict.LOST, "NotSupported", None)
        self.check(Verdict.LOST, "NotSupported", "Crash")
        self.check(Verdict.GAINED, "NotSupported", "Pass")

    def test_what_fails_on_stock_may_fail(self):
        self.check(Verdict.SAME_FAILURE, "Fail", "Fail")
        self.check(Verdict.LOST, "Fail", "Crash")
        self.check(Verdict.GAINED, "Timeout", "Pass")
        self.check(Verdict.LOST, "Fail", None)

    def run_again(self, finding, case, status, is_flake=True):
        found, = rejudge([finding], {case: status}, is_right,
                         lambda case: is_flake)
        return found

    def test_only_what_seems_lost_is_judged_again(self):
        for status, is_flake, verdict in (
                ("Pass", True, Verdict.FLAKED),
                ("Pass", False, Verdict.UNSTEADY),
                ("Fail", True, Verdict.LOST)):
            lost = judge("a", "Pass", "Fail")
            self.assertEqual(self.run_again(lost, "a", status, is_flake),
                             lost._replace(verdict=verdict))
            self.assertEqual(self.run_again(lost, "b", "Pass", is_flake),
                             lost)

    def test_a_crash_is_no_flake(self):
        for first, *others in (("Crash", "Pass"), ("NotSupported", "Pass"),
                               ("Fail", "Crash", "Pass")):
            found = judge("a", "Pass", first)
            for status in others:
                found = self.run_again(found, "a", status)
            self.assertIs(found.verdict, Verdict.UNSTEADY)


class TableTest(unittest.TestCase):
    def test_each_case_is_in_one_group(self):
        groups = group_cases(["a.*.q*", "a.*", "b.*"],
                             ["a.x.query", "a.y", "c"])
        self.assertEqual([g.cases for g in groups],
                         [["a.x.query"], ["a.y"], []])
        lines = list(table([Package("a", None, groups, "")],
                           [judge("a.x.query", "Pass", "Fail"),
                            judge("a.y", "Fail", "Pass")]))
        self.assertEqual([line.split()[1:] for line in lines[1:]],
                         [["1", "1", "0", "0", "1"],
                          ["1", "0", "1", "1", "0"],
                          ["0", "0", "0", "0", "0"],
                          ["2", "1", "1", "1", "1"]])


if __name__ == "__main__":
    unittest.main()
