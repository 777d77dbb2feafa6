#!/usr/bin/python3 -B
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests of parsing and judging ThreadSanitizer reports; builds nothing."""

import os
import sys
import unittest
from types import SimpleNamespace

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import mesa
import races
from races import Frame
from runners.command import RunError

REPORT = """\
==================
WARNING: ThreadSanitizer: data race (pid=1)
  Read of size 4 at 0x7b80 by thread T15:
    #0 merge_single {ours}/src/hw/result.c:164:51 (test+0xd91f2)
    #1 read_results /t/tests/hw/test_sim_threads.c:84:24 (test+0xd5033)

  Previous atomic write of size 8 at 0x7b80 by thread T16 (mutexes: write M0):
    #0 memcpy <null> (test+0x1)
    #1 memmove (libc.so.6+0x1)
    #2 tc_flush /m/src/gallium/auxiliary/util/u_threaded_context.c:161:7 (t+2)

  Thread T15 (tid=1, running) created by main thread at:
    #0 pthread_create <null> (test+0x514dd)

SUMMARY: ThreadSanitizer: data race result.c:164:51 in merge_single
==================
"""


class RacesTest(unittest.TestCase):
    def read_one(self, ours):
        found = races.read("before\n" + REPORT.format(ours=ours) + "after\n")
        self.assertEqual(len(found), 1)
        return found[0]

    def test_frames_are_the_innermost_with_a_file(self):
        race = self.read_one("/home/pitot")
        self.assertEqual([frame.function for frame in race.frames],
                         ["merge_single", "tc_flush"])
        self.assertEqual(str(race), "data race: merge_single and tc_flush")

    def test_accesses_of_pitot_are_ours(self):
        self.assertTrue(self.read_one("/home/pitot").is_ours())
        self.assertTrue(
            self.read_one("/m/subprojects/pitot/src/mesa").is_ours())
        self.assertFalse(self.read_one("/m/src/gallium").frames[1:] and
                         races.OURS.search("/m/src/gallium/x.c"))

    def test_callers_are_no_accesses(self):
        text = REPORT.format(ours="/m/gallium").replace("/src/hw/", "/x/")
        text = text.replace("/t/tests/hw/", "/t/src/hw/")
        self.assertFalse(races.read(text)[0].is_ours())

    def test_a_report_that_breaks_off_counts(self):
        text = REPORT.format(ours="").split("SUMMARY")[0]
        self.assertEqual(len(races.read(text)), 1)

    def test_other_reports_count(self):
        text = REPORT.format(ours="").replace("data race (",
                                              "lock-order-inversion (")
        self.assertEqual(races.read(text)[0].kind, "lock-order-inversion")

    def test_a_stack_without_files_has_its_first_function(self):
        self.assertEqual(races.innermost([Frame("free", "<null>")]).function,
                         "free")

    def test_a_library_without_symbols_is_named(self):
        text = REPORT.format(ours="").replace(
            "#1 memmove (libc.so.6+0x1)", "#1 <null> <null> (libvulkan.so+1)")
        self.assertEqual(str(races.read(text)[0].frames[1]), "libvulkan.so")

    def test_simulated_GPUs_want_the_simulator(self):
        run = SimpleNamespace(mesa="/m", simulator=None)
        mesa.environment(run, "softpipe", False)
        with self.assertRaises(RunError):
            mesa.environment(run, "iris", False)

    def test_a_function_of_cxx_has_its_name_only(self):
        for function in ("flush(ctx*, unsigned int)",
                         "bool flush<(gfx)13, (has_tess)0>(ctx*)",
                         "flush<false, key>", "flush(ctx*) (.isra.0)"):
            text = REPORT.format(ours="").replace("tc_flush", function)
            self.assertEqual(str(races.read(text)[0].frames[1]), "flush")

    def test_the_list_is_of_data_races(self):
        text = REPORT.format(ours="").replace("tc_flush",
                                              next(iter(mesa.listed())))
        self.assertIsNotNone(mesa.listed_function(races.read(text)[0]))
        text = text.replace("data race (", "heap-use-after-free (")
        self.assertIsNone(mesa.listed_function(races.read(text)[0]))

    def test_a_listed_race_that_never_shows_is_unused(self):
        sure = {name for name, entry in mesa.listed().items()
                if entry.is_sure}
        self.assertEqual(set(mesa.unused({})), sure)
        self.assertEqual(mesa.unused(dict.fromkeys(sure, 1)), [])

    def test_no_report(self):
        self.assertEqual(races.read("1..1\nok 1 - x\n"), [])


if __name__ == "__main__":
    unittest.main()
