#!/usr/bin/python3 -B
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests the test of the machine's GPU; needs neither a GPU nor Mesa."""

import contextlib
import json
import os
import subprocess
import sys
import unittest
from unittest import mock

sys.path.append(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

import machine
import report
import suites
from runners import watch
from runners.command import RunError
from runners.fixture import FilesTest

# Short: the programs below only sleep or spin.
IDLE = watch.Limits(look_s=0.02, idle_looks=40, idle_cpu_s=0.05)
SPIN = watch.Limits(look_s=0.02, idle_looks=10000, spin_cpu_s=0.2)


class WatchTest(FilesTest):
    def run_shell(self, limits, text):
        return watch.run(["sh", "-c", text], limits,
                         stderr=subprocess.DEVNULL)

    def test_a_program_that_ends_is_left_alone(self):
        self.assertEqual(self.run_shell(IDLE, "exit 3"), (3, []))

    def test_a_program_that_does_nothing_is_ended(self):
        status, hangs = self.run_shell(IDLE, "exec sleep 1000000")
        self.assertEqual((status, [hang.name for hang in hangs]),
                         (-9, ["sleep 1000000"]))
        self.assertIn("no CPU time", hangs[0].why)

    def test_a_program_that_spins_is_ended(self):
        status, hangs = self.run_shell(SPIN, "while :; do :; done")
        self.assertEqual((status, len(hangs)), (-9, 1))
        self.assertIn("CPU time without an end", hangs[0].why)

    def test_only_the_one_that_hangs_is_ended(self):
        path = os.path.join(self.directory, "rest")
        status, hangs = self.run_shell(
            IDLE, f"sleep 1000000; echo $? >{path}; exit 5")
        self.assertEqual((status, len(hangs)), (5, 1))
        with open(path, encoding="utf-8") as rest:
            self.assertEqual(rest.read(), "137\n")

    def test_one_that_left_its_parent_is_seen(self):
        status, hangs = self.run_shell(
            IDLE, "setsid sleep 1000000 & wait; exit 4")
        self.assertEqual((status, [hang.name for hang in hangs]),
                         (4, ["sleep 1000000"]))

    def test_writing_is_progress(self):
        """The program uses as much CPU time as one that spins."""
        status, hangs = self.run_shell(
            SPIN, "i=0; while [ $i -lt 400000 ]; do i=$((i + 1)); "
                  "[ $((i % 100)) = 0 ] && echo $i; done >/dev/null")
        self.assertEqual((status, hangs), (0, []))

    def test_a_program_whose_every_step_hangs_is_given_up(self):
        """On a GPU that hangs forever."""
        status, hangs = self.run_shell(
            IDLE._replace(max_hangs=2),
            "while :; do sleep 1000000; done")
        self.assertEqual((status, len(hangs)), (-9, 2))

    def test_a_process_that_no_signal_ends_is_reported(self):
        seen = watch.Watch(IDLE)
        seen.killed = {os.getpid()}
        with self.assertRaisesRegex(watch.Stuck, "waits in the kernel"):
            seen.end({os.getpid()}, "it sleeps")

    def test_a_process_that_waits_for_the_CPU_is_not_idle(self):
        for state, hangs in (("R", 0), ("S", 1)):
            seen = watch.Watch(IDLE._replace(idle_looks=2))
            process = watch.Process(1 << 30, 1, state, 0, 0)
            found = [hang for _ in range(4)
                     for hang in seen.look({process.pid: process})]
            self.assertEqual(len(found), 0)
            self.assertEqual(len(seen.killed), hangs)

    def test_an_orphan_that_ended_is_forgotten(self):
        pid = os.posix_spawn("/bin/true", ["true"], os.environ)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        watch.bury_orphans(mock.Mock(pid=0))
        self.assertIsNone(watch.read_process(pid))

    def test_nothing_is_left_behind(self):
        self.run_shell(IDLE, "setsid sleep 1000000 & exit 0")
        self.assertEqual(watch.descendants(os.getpid()), {})


# A runner that prints output and leaves results.
RUNNER = """
echo '{"verdict": "passed", "case": "a", "name": "a", "why": ""}' \
    >>$PITOT_DETAILS
echo '{"summary": ["seen"]}' >>$PITOT_DETAILS
"""


class SuiteTest(FilesTest):
    def run_suite(self, script):
        """Returns the outcome; script is the suite's runner."""
        runner = self.write("runner", "#!/bin/sh\n" + script)
        suite = suites.Suite("name", "contents", lambda job: [runner])
        options = mock.Mock(limits=IDLE, verbose=False)
        return suites.run(suite, mock.Mock(options=options))

    def failures(self, script):
        return [f"{result['name']}: {result['why']}"
                for result in self.run_suite(script).of("failed")]

    def test_results_are_those_of_the_runner(self):
        outcome = self.run_suite(RUNNER)
        self.assertEqual((outcome.count("passed"), outcome.count("failed"),
                          outcome.summary, outcome.left_out),
                         (1, 0, ["seen"], ""))

    def test_a_runner_that_breaks_off_has_failed(self):
        for script, why in (
                ("exit 0", "broke off with status 0 and has no result"),
                ("echo x; kill -SEGV $$", "status -11 and has no result: x"),
                (RUNNER + "exit 1", "broke off with status 1"),
                (RUNNER + "exit 2", "broke off with status 2")):
            found = self.failures(script)
            self.assertEqual(len(found), 1, script)
            self.assertIn(why, found[0])

    def test_a_hang_is_a_failure_and_the_rest_goes_on(self):
        outcome = self.run_suite("sleep 1000000" + RUNNER)
        self.assertEqual((outcome.count("passed"), outcome.count("failed")),
                         (1, 1))
        self.assertEqual(outcome.of("failed")[0]["name"],
                         "hang: sleep 1000000")
        self.assertEqual(len(outcome.hangs), 1)

    def test_a_runner_that_is_not_there_has_failed(self):
        suite = suites.Suite("name", "contents", lambda job: ["/no/runner"])
        options = mock.Mock(limits=IDLE, verbose=False)
        outcome = suites.run(suite, mock.Mock(options=options))
        self.assertEqual(outcome.count("failed"), 1)

    def test_a_suite_may_be_left_out(self):
        def leave_out(job):
            raise suites.LeftOut("no build")

        outcome = suites.run(suites.Suite("a", "b", leave_out), None)
        self.assertEqual((outcome.left_out, outcome.results),
                         ("left out: no build", []))

    def test_nothing_runs_on_a_GPU_that_may_hang_for_ever(self):
        suite = suites.Suite("name", "contents", lambda job: ["/no/runner"])
        before = report.Outcome("check", "", [
            suites.failure(suites.SUITES[0], "hang limit", "gpu_recovery")],
            [], [], 0)
        outcome = suites.run(suite, None, [before])
        self.assertIn("the kernel does not reset this GPU", outcome.left_out)
        self.assertEqual(outcome.results, [])
        with open(os.path.join(report.ROOT, "src/info/check.c"),
                  encoding="utf-8") as checks:
            self.assertIn('{ "hang limit",', checks.read())


class PrivateTest(unittest.TestCase):
    private = report.Private("box.example.org", "ann", "/home/ann")

    def check(self, expected, text):
        self.assertEqual(self.private.clean(text), expected)

    def test_names_and_paths_are_taken_out(self):
        self.check("6.1.0-HOST", "6.1.0-box.example.org")
        self.check("6.1.0-HOST", "6.1.0-box")
        self.check("cannot open x.c of USER",
                   "cannot open /home/ann/games/x.c of ann")
        self.check("renderD128: no", "/dev/dri/renderD128: no")
        self.check("test_a: b", os.path.join(report.ROOT, "test_a: b"))

    def test_other_words_stay(self):
        for text in ("annotated 1/2 boxes", "a/b", "banned", "and/or",
                     "4.6 (Core Profile) Mesa 25.0.7"):
            self.check(text, text)

    def test_a_short_name_is_no_part_of_words(self):
        text = "of pc and me"
        self.assertEqual(report.Private("pc", "me", "/").clean(text), text)


class ReportTest(FilesTest):
    def write_report(self, outcomes):
        path = os.path.join(self.directory, "report.md")
        json_path = report.write(
            path, report.Private("myhost", "ann", "/home/ann"),
            "Pitot on a GPU", {"kernel": "6.1-myhost"}, outcomes)
        with open(path, encoding="utf-8") as text, \
                open(json_path, encoding="utf-8") as stream:
            return text.read(), json.load(stream)

    def outcome(self, *results, **more):
        values = {"summary": [], "hangs": [], "duration_s": 61.25}
        return report.Outcome("suite", "contents", [
            {"verdict": verdict, "case": name, "name": name, "why": why}
            for verdict, name, why in results], **{**values, **more})

    def test_all_but_what_passed_is_reported_by_name(self):
        text, values = self.write_report([self.outcome(
            ("passed", "a", ""), ("failed", "b|c", "not <1> on myhost"),
            ("skipped", "d", "no pixels"), ("listed", "e", ""))])
        self.assertIn("| suite | contents | 1 | 1 | 1 | 1 | 61 s |", text)
        self.assertIn("- b\\|c: not &lt;1> on HOST\n", text)
        self.assertIn("- 1: no pixels\n", text)
        self.assertIn("| kernel | 6.1-HOST |", text)
        self.assertNotIn("Nothing failed", text)
        suite = values["suites"][0]
        self.assertEqual((suite["passed"], suite["failed"],
                          suite["duration_s"]), (1, 1, 61.2))
        self.assertEqual([result["name"] for result in suite["results"]],
                         ["b|c", "e"])
        self.assertEqual(suite["skips"], {"no pixels": 1})
        self.assertNotIn("myhost", json.dumps(values))

    def test_it_says_that_nothing_failed(self):
        text, _ = self.write_report([self.outcome(("passed", "a", ""))])
        self.assertIn("\nNothing failed.\n", text)

    def test_a_suite_that_did_not_run_is_reported(self):
        text, values = self.write_report([self.outcome(
            left_out="left out: no build")])
        self.assertIn("|  |  |  |  | left out: no build |", text)
        self.assertEqual(values["suites"][0]["left_out"],
                         "left out: no build")

    def test_a_summary_is_folded(self):
        text, _ = self.write_report([self.outcome(summary=["seen: /x/y"])])
        self.assertIn("<details><summary>suite</summary>\n\n```\nseen: y\n"
                      "```\n\n</details>\n", text)

    def test_hangs_are_reported(self):
        hang = str(watch.Hang("/home/ann/a b", "it sleeps"))
        text, values = self.write_report([self.outcome(hangs=[hang])])
        self.assertIn("- a b was ended: it sleeps\n", text)
        self.assertEqual(values["suites"][0]["hangs"],
                         ["a b was ended: it sleeps"])


class MachineTest(FilesTest):
    LIST = ("/dev/dri/renderD128\tnouveau\t-\tunusable\treal\t10de:1\t"
            "pci-0\tno\n"
            "/dev/dri/renderD129\ti915\tiris\tsampled\treal\t8086:1912\t"
            "pci-1\tGen9, skl\n"
            "/dev/dri/renderD130\tamdgpu\tradeonsi\tsampled\tsimulated\t"
            "1002:73bf\tpci-2\tGFX10.3, navi21\n")

    def find(self, driver, lines=LIST, **env):
        info = self.write("info", "#!/bin/sh\ncat <<'END'\n" + lines + "END\n")
        with mock.patch.dict(os.environ, {"DRI_PRIME": "", **env}):
            return machine.find_node(info, driver)

    def test_the_first_that_fits_is_taken(self):
        for driver, path in ((None, "129"), ("iris", "129"),
                             ("radeonsi", "130"), ("zink", "129")):
            self.assertTrue(self.find(driver).path.endswith(path))
        self.assertTrue(self.find(None, DRI_PRIME="pci-2").path
                        .endswith("130"))

    def test_one_that_Mesa_would_not_take_is_refused(self):
        second = self.LIST.splitlines(True)[2].replace("130", "131").replace(
            "pci-2", "pci-3")
        with self.assertRaisesRegex(RunError, "Mesa takes .*renderD130"):
            self.find("radeonsi", self.LIST + second, DRI_PRIME="pci-3")
        with self.assertRaisesRegex(RunError, "DRI_PRIME=1"):
            self.find("radeonsi", self.LIST + second, DRI_PRIME="1")
        self.find("radeonsi", DRI_PRIME="1")

    def test_without_any_the_reasons_are_reported(self):
        with self.assertRaisesRegex(RunError, "no GPU for radeonsi: /dev/dri/"
                                              "renderD128: no$"):
            self.find("radeonsi", self.LIST.splitlines(True)[0])

    def test_zink_takes_any_vendors_GPU(self):
        line = self.LIST.splitlines(True)[0].replace("unusable", "unsampled")
        self.assertEqual(self.find("zink", line).kernel_driver, "nouveau")
        with self.assertRaises(RunError):
            self.find(None, line)

    def test_zink_takes_the_Vulkan_driver_that_the_user_names(self):
        """Only without a render node."""
        names = {"VK_DRIVER_FILES": "/nowhere/nvidia_icd.json"}
        node = self.find("zink", "", **names)
        self.assertEqual((node.path, node.state), ("", "unsampled"))
        self.assertTrue(self.find("zink", **names).path.endswith("129"))
        for driver, env in (("iris", names), (None, names),
                            ("zink", {"VK_DRIVER_FILES": ""})):
            with self.assertRaises(RunError):
                self.find(driver, "", **env)

    def test_Vulkan_names_a_GPU_without_a_render_node(self):
        node = self.find("zink", "", VK_DRIVER_FILES="/nowhere/icd.json")
        for renderer, text in (
                ("zink Vulkan 1.4(GPU 80GB (VENDOR))", "GPU 80GB (VENDOR)"),
                ("no GL: it hangs", node.text)):
            self.assertEqual(machine.named(node, renderer).text, text)

    def test_zink_on_the_CPU_is_refused(self):
        for renderer, is_refused in (
                ("zink Vulkan 1.3(llvmpipe (LLVM 15))", True),
                ("zink Vulkan 1.3(Intel(R) HD Graphics 530)", False)):
            found = {"GL with Pitot": renderer, "GL on stock Mesa": renderer}
            with (self.assertRaisesRegex(RunError, "no Vulkan driver")
                  if is_refused else contextlib.nullcontext()):
                machine.refuse_the_cpu(found)

    def test_only_a_simulated_one_has_lists(self):
        real = machine.device_of(self.find("iris"), "iris")
        simulated = machine.device_of(self.find("radeonsi"), None)
        self.assertEqual((real.gpu, real.is_simulated()), ("", False))
        self.assertEqual((simulated.driver, simulated.gpu),
                         ("radeonsi", "navi21"))

    def test_a_simulated_one_has_the_name_of_its_kernels_driver(self):
        """i915 and xe both know some GPUs."""
        for kernel, pci_id, gpu in (("i915", "8086:56a0", "dg2"),
                                    ("xe", "8086:56a0", "dg2-xe"),
                                    ("xe", "8086:64a0", "lnl"),
                                    ("i915", "8086:1912", "skl")):
            node = self.find("radeonsi")._replace(kernel_driver=kernel,
                                                  pci_id=pci_id)
            self.assertEqual(machine.simulated_gpu(node), gpu)


if __name__ == "__main__":
    unittest.main()
