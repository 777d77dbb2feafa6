#!/usr/bin/python3 -B
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests how tests/golden judges recordings; needs no Mesa."""

import os
import pathlib
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import check
import costs
import memory
import packets
from compare import Comparison, Difference
from costs import Cost, Judge, Row
from runners.devices import Device
from runners.fixture import FilesTest
from texts import texts_of

SKL, NAVI21 = Device("iris", "skl"), Device("radeonsi", "navi21")
A630 = Device("freedreno", "a630")
PLAN = ["vs-invocations"]
# The sizes of work, for a query of a kind.
BEFORE, COUNTED, AFTER, LAST = (
    f"> 7b000005 0 {size:x} 0 1 0 0\nnote: 0 work\n" for size in (
        packets.BEFORE, packets.COUNTED, packets.AFTER, packets.LAST))

STALL = "> 7a000004 100002 0 0 0 0\n"
BEGIN = "> 12000002 2320 1008 0\n> 12000002 2324 100c 0\n"
END = "> 12000002 2320 2008 0\n> 12000002 2324 200c 0\n"
AVAILABLE = "> 10200003 2000 0 1 0\n"


def log_of(begin=STALL + BEGIN, end=STALL + END + AVAILABLE, then="",
           name=PLAN[0], ioctls=2):
    return ("kernel: 1 1 1 0\n"
            f"mark: begin {name}\n"
            "batch: 0\nmemory: 1000 8192\n> 61010011 0 0\n"
            f"{BEFORE}{begin}{COUNTED * 5}{end}{AFTER}{then}{LAST}"
            "> 5000000\n"
            f"kernel: {1 + ioctls} 2 2 0\n"
            f"mark: end {name}\n")


AMD_BEFORE, AMD_COUNTED, AMD_AFTER, AMD_LAST = (
    f"> c0012d00 {size:x} 2\nnote: 0 work\n" for size in (
        packets.BEFORE, packets.COUNTED, packets.AFTER, packets.LAST))


def amd_log(begin="> c0024600 115 1000 0\n",
            end="> c0024600 115 1008 0\n"
                "> c0064900 528 20000000 1100 0 80000000 0 0\n",
            then=""):
    return ("mark: begin samples-passed\nbatch: 0\n"
            f"{AMD_BEFORE}{begin}{AMD_COUNTED * 5}{end}{AMD_AFTER}{then}"
            f"{AMD_LAST}mark: end samples-passed\n")


# State that a draw applies is seen after its packet.
ADRENO_BEFORE, ADRENO_COUNTED, ADRENO_AFTER, ADRENO_LAST = (
    f"> 70388003 184 1 {size:x}\n> 40886401 0\nnote: 0 work\n" for size in (
        packets.BEFORE, packets.COUNTED, packets.AFTER, packets.LAST))

ADRENO_SAMPLE = "> 703e8003 40080552 {} 1\n"
ADRENO_SUM = "> 70738009 60000004 1108 1 1108 1 1110 1 1100 1\n"
ADRENO_FENCE = "> 70928000\n> 70460004 4 1000 1 1\n"
# The driver's fence, whose seqno differs in each batch.
DRIVERS_FENCE = "> 70460004 4 2000 1 {:x}\n"


def adreno_log(begin=ADRENO_SAMPLE.format("1100"),
               end=ADRENO_SAMPLE.format("1110") + ADRENO_SUM,
               fence=ADRENO_FENCE, number=7):
    return ("mark: begin fs-invocations\nbatch: 0\nmemory: 100001000 4096\n"
            f"{ADRENO_BEFORE}{begin}{ADRENO_COUNTED * 5}{end}{ADRENO_AFTER}"
            f"{ADRENO_LAST}{fence}{DRIVERS_FENCE.format(number)}"
            "mark: end fs-invocations\n")


class GoldenTest(FilesTest):
    def texts(self, log, device=SKL, name=PLAN[0]):
        path = self.write("log", log)
        return texts_of(packets.Log(path, device).scenes[name])

    def faults(self, stock, pitot, device=SKL, differences=(),
               name=PLAN[0]):
        comparison = Comparison(list(differences))
        return comparison.faults_of(
            device.gpu, name, self.texts(stock, device, name),
            self.texts(pitot, device, name)), comparison

    def check_different(self, stock, pitot, *arguments, **options):
        faults, _ = self.faults(stock, pitot, *arguments, **options)
        self.assertNotEqual(faults, [])


class CompareTest(GoldenTest):
    def check_amd(self, **changed):
        self.check_different(amd_log(), amd_log(**changed), NAVI21,
                             name="samples-passed")

    def test_memory_may_be_elsewhere(self):
        elsewhere = log_of(begin=STALL + BEGIN.replace("100", "150"))
        self.assertEqual(self.faults(log_of(), elsewhere)[0], [])

    def test_state_and_the_end_of_the_batch_do_not_count(self):
        other = log_of(begin=STALL + BEGIN + "> 781e0003 0 0 0 0\n")
        self.assertEqual(self.faults(log_of(), other)[0], [])

    def test_the_order_counts(self):
        self.check_different(log_of(), log_of(begin=BEGIN + STALL))
        self.check_different(log_of(), log_of(end=STALL + AVAILABLE + END))

    def test_each_packet_counts(self):
        self.check_different(log_of(), log_of(begin=STALL * 2 + BEGIN))
        self.check_different(log_of(), log_of(begin=BEGIN))
        self.check_different(log_of(), log_of(end=STALL + END))

    def test_addresses_count(self):
        for end in (END.replace("200", "100"),  # where the begin is
                    END.replace("200c", "2010"),  # another qword
                    END.replace("2320 2008", "2320 200c").replace(
                        "2324 200c", "2324 2008")):  # the halves
            self.check_different(log_of(), log_of(end=STALL + end + AVAILABLE))
        self.check_different(
            log_of(), log_of(end=STALL + END
                             + AVAILABLE.replace(" 2000 ", " 2008 ")))

    def test_upper_bits_count(self):
        self.check_different(log_of(), log_of(
            begin=STALL + BEGIN.replace("1008 0", "1008 10000")))

    def test_registers_flags_and_values_count(self):
        self.check_different(log_of(), log_of(
            begin=STALL + BEGIN.replace("2320", "2318")))
        self.check_different(log_of(), log_of(
            begin=STALL.replace("100002", "100000") + BEGIN))
        self.check_different(log_of(), log_of(
            end=STALL + END + AVAILABLE.replace("1 0\n", "2 0\n")))

    def test_events_indices_and_selects_count(self):
        end = ("> c0024600 115 1008 0\n"
               "> c0064900 {} {} 1100 0 80000000 0 0\n")
        self.check_amd(begin="> c0024600 116 1000 0\n")  # event
        self.check_amd(begin="> c0024600 215 1000 0\n")         # index
        self.check_amd(end=end.format("528", "23000000"))       # interrupt
        self.check_amd(end=end.format("528", "20010000"))       # destination
        self.check_amd(end=end.format("52f", "20000000"))       # event
        self.check_amd(end=end.format("528", "40000000"))       # data

    def test_the_workaround_after_draws_does_not_count(self):
        nothing = "> c0064900 528 0 0 0 0 0 0\n"
        self.assertEqual(self.faults(amd_log(), amd_log(then=nothing), NAVI21,
                                     name="samples-passed")[0], [])
        self.check_amd(then=nothing.replace("528", "c528"))     # caches

    def test_begin_and_end_side_by_side_count(self):
        self.check_amd(end="> c0024600 115 1010 0\n"
                           "> c0064900 528 20000000 1100 0 80000000 0 0\n")

    def test_predicates_count(self):
        predicate = "> c0022000 {} {} 0\n"
        stock = amd_log(then=predicate.format("10100", "1000"))
        for operation, address in (("11100", "1000"), ("10000", "1000"),
                                   ("20100", "1000"), ("10100", "1100")):
            self.check_different(
                stock, amd_log(then=predicate.format(operation, address)),
                NAVI21, name="samples-passed")

    def test_rings_count(self):
        other = log_of().replace("batch: 0", "batch: 1")
        self.check_different(log_of(), other)

    def test_a_stated_difference_is_none(self):
        stated = Difference("why", "skl/vs-.*", "100002", "100000")
        pitot = log_of(begin=STALL.replace("100002", "100000") + BEGIN)
        faults, comparison = self.faults(log_of(), pitot, SKL, [stated])
        self.assertNotEqual(faults, []) # the end differs
        pitot = pitot.replace("100002", "100000")
        faults, comparison = self.faults(log_of(), pitot, SKL, [stated])
        self.assertEqual((faults, comparison.unused()), ([], []))

    def test_a_step_with_any_commands_skips_its_scene(self):
        stated = [Difference("why", "skl/vs-.*", "", r"(?:.*\n)*", "begin",
                             is_skipped=True)]
        pitot = log_of(begin=BEGIN.replace("2320", "2318"))
        faults, comparison = self.faults(log_of(), pitot, SKL, stated)
        self.assertEqual((faults, comparison.why_skipped), ([], "why"))
        faults, comparison = self.faults(log_of(), log_of(), SKL, stated)
        self.assertEqual((faults, comparison.why_skipped), ([], ""))
        self.assertEqual([check.judged("case", fault, "why").verdict
                          for fault in (None, "x")], ["skipped", "failed"])

    def test_a_difference_that_is_not_there_is_a_failure(self):
        stated = Difference("why", "skl/vs-.*", "100003", "100000")
        _, comparison = self.faults(log_of(), log_of(), SKL, [stated])
        results = list(check.check_lists([comparison]))
        self.assertEqual([result.verdict for result in results], ["failed"])

    def test_effects_in_place_of_arithmetic(self):
        load = "> 14800002 2608 1008 0\n"
        store = "> 12000002 2600 3000 0\n"
        math = "> d000000 8008001\n"
        one = log_of(then=load + math + store)
        self.assertEqual(self.faults(one, log_of(then=load + store))[0], [])
        self.check_different(one, log_of(then=store + load))
        self.check_different(one, log_of(then=load + store * 2))
        self.check_different(one, log_of(then=load.replace("1008", "2008")
                                         + store))
        self.check_different(one, log_of(then=load + store.replace(
            "12000002", "12200002")))


class AdrenoTest(GoldenTest):
    def check(self, is_same, **changed):
        faults, _ = self.faults(adreno_log(), adreno_log(**changed), A630,
                                name="fs-invocations")
        self.assertEqual(faults == [], is_same, changed)

    def test_memory_may_be_elsewhere(self):
        self.check(True, fence=ADRENO_FENCE.replace("1000", "1800"))

    def test_the_drivers_own_number_does_not_count(self):
        self.check(True, number=8)

    def test_state_and_the_drivers_own_events_do_not_count(self):
        self.check(True, begin=ADRENO_SAMPLE.format("1100")
                   + "> 40886401 1\n> 70460001 26\n")

    def test_each_packet_counts(self):
        self.check(False, fence="")
        self.check(False, begin="")
        self.check(False, end=ADRENO_SAMPLE.format("1110"))
        self.check(False, begin=ADRENO_SAMPLE.format("1100") * 2)
        self.check(False, end=ADRENO_SUM + ADRENO_SAMPLE.format("1110"))

    def test_registers_flags_addresses_and_values_count(self):
        self.check(False, begin=ADRENO_SAMPLE.format("1100").replace("552",
                                                                     "550"))
        self.check(False, begin=ADRENO_SAMPLE.format("1118"))
        self.check(False, end=ADRENO_SAMPLE.format("1110")
                   + ADRENO_SUM.replace("60000004", "20000004"))
        self.check(False, end=ADRENO_SAMPLE.format("1110")
                   + ADRENO_SUM.replace("1110 1 1100", "1100 1 1110"))
        self.check(False, fence=ADRENO_FENCE.replace("1 1\n", "1 2\n"))

    def test_the_end_of_a_batch_costs(self):
        def end_of(log):
            name = "fs-invocations"
            scene = packets.Log(self.write("log", log), A630).scenes[name]
            return costs.steps_of(name, {name: costs.costs_of(scene)})["end"]
        self.assertEqual(end_of(adreno_log()).plus(
            end_of(adreno_log(fence="")), -1), Cost(6, 1))


class MemoryTest(GoldenTest):
    def check(self, fault, log, device=SKL, name=PLAN[0]):
        scene = packets.Log(self.write("log", log), device).scenes[name]
        self.assertEqual(memory.fault_of(scene, device.gpu), fault)

    def check_amd(self, fault, **changed):
        log = amd_log(**changed).replace("batch: 0", "batch: 0\n"
                                         "memory: 1000 4096")
        self.check(fault, log, NAVI21, "samples-passed")

    def test_all_is_well(self):
        self.check(None, log_of())
        self.check_amd(None)

    def test_what_overlaps_is_a_failure(self):
        self.check("MI_STORE_DATA_IMM in end overwrites what begin wrote",
                   log_of(end=STALL + END
                          + AVAILABLE.replace(" 2000 ", " 1004 ")))
        self.check_amd("RELEASE_MEM in end overwrites what begin wrote",
                       end="> c0024600 115 1008 0\n"
                           "> c0064900 528 20000000 10f0 0 80000000 0 0\n")
        self.check_amd("EVENT_WRITE in end overwrites what begin wrote",
                       end="> c0024600 115 1010 0\n")

    def test_what_adreno_writes_is_known(self):
        name = "fs-invocations"
        self.check(None, adreno_log(), A630, name)
        self.check("CP_REG_TO_MEM in end overwrites what begin wrote",
                   adreno_log(end=ADRENO_SAMPLE.format("10fc")), A630, name)
        self.check("VPC_SO_STREAM_COUNTS in end writes beyond a buffer",
                   adreno_log(end="> 40921802 1fe0 1\n"), A630, name)
        self.check("CP_EVENT_WRITE in end overwrites what begin wrote",
                   adreno_log(end="> 70468003 7015 10f8 1\n"), A630, name)

    def test_what_is_beyond_its_buffer_is_a_failure(self):
        self.check("MI_STORE_REGISTER_MEM in begin writes beyond a buffer",
                   log_of(begin=STALL + BEGIN.replace("1008", "3000")))
        self.check_amd("EVENT_WRITE in begin writes beyond a buffer",
                       begin="> c0024600 115 1f80 0\n")


class CheckTest(GoldenTest):
    def results(self, plan=None, judge=None, **logs):
        """The results that did not pass, of recordings with these logs."""
        for side in ("debian", "stock", "pitot", "alone"):
            log = logs.get(side, log_of())
            if log is not None:
                self.write(f"skl.{side}.log", log)
                self.write(f"skl.{side}.values", "vs-invocations\t15\t15\n")
        judges = Comparison([]), Comparison([]), judge or Judge([])
        return [result for result in check.check_gpu(
            pathlib.Path(self.directory), SKL, plan or PLAN, judges)
                if result.verdict != "passed"]

    def test_all_is_well(self):
        self.assertEqual(self.results(), [])

    def test_a_recording_that_is_missing_has_failed(self):
        for side in ("debian", "stock", "pitot", "alone"):
            self.setUp()
            self.assertNotEqual(self.results(**{side: None}), [], side)

    def test_a_recording_that_breaks_off_has_failed(self):
        for side in "stock", "pitot", "alone":
            self.assertNotEqual(self.results(**{side: ""}), [], side)
            cut = log_of()[:log_of().index(AVAILABLE)]
            self.assertNotEqual(self.results(**{side: cut}), [], side)

    def test_a_scene_that_was_not_played_has_failed(self):
        cases = [result.case for result in self.results(
            ["vs-invocations", "gs-invocations"])]
        self.assertIn("commands of gs-invocations", cases)
        self.assertIn("value of gs-invocations, Pitot in it", cases)

    def test_a_wrong_value_has_failed(self):
        self.results()
        self.write("skl.pitot.values", "vs-invocations\t14\n")
        judges = Comparison([]), Comparison([]), Judge([])
        self.assertIn("value of vs-invocations, Pitot in it", [
            result.case for result in check.check_gpu(
                pathlib.Path(self.directory), SKL, PLAN, judges)
            if result.verdict == "failed"])

    def test_a_higher_cost_has_failed(self):
        more = log_of(begin=STALL + BEGIN + "> 781e0003 0 0 0 0\n")
        self.assertEqual([(result.verdict, result.case)
                          for result in self.results(pitot=more)],
                         [("failed", "cost of begin of vs-invocations")])
        self.assertIn("cost of begin and end of all", [
            result.case for result in self.results(pitot=log_of(ioctls=3))])

    def test_a_higher_cost_may_be_listed(self):
        judge = Judge([("why", "skl/begin of .*", (5, 0)),
                       ("why", "skl/end of .*", (5, 0))])
        more = log_of(begin=STALL + BEGIN + "> 781e0003 0 0 0 0\n")
        self.assertEqual([result.verdict for result in self.results(
            judge=judge, pitot=more)], ["cost"])
        self.assertEqual([entry.where for entry in judge.unused()],
                         ["skl/end of .*"])

    def test_a_listed_cost_has_a_limit(self):
        row = Row("kind", "begin", Cost(10, 1), Cost(16, 1))
        for most, verdict in ((6, 0), "cost"), ((5, 9), "failed"):
            judge = Judge([("why", ".*", most)])
            self.assertEqual(judge.verdict("skl", row)[0], verdict)


class RunTest(FilesTest):
    """The runner itself, with programs that fail."""

    def check(self, hw, says):
        program = self.write("tests/golden-hw", f"#!/bin/sh\n{hw}\n")
        os.chmod(program, 0o755)
        done = subprocess.run([os.path.join(HERE, "run"), self.directory,
                               "skl"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(says, done.stderr)

    def test_no_plan_is_a_failure(self):
        self.check("exit 0", "0 scenes")
        self.check("echo a; kill -SEGV $$", "status -11")

    def test_mistakes_are_refused(self):
        for words in (["--cots", "/", "skl"], [], ["/", "sklx"]):
            done = subprocess.run([os.path.join(HERE, "run"), *words],
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 2 if words else 0, words)


if __name__ == "__main__":
    unittest.main()
