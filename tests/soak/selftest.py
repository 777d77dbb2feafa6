#!/usr/bin/python3 -B
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests what tests/soak/run calls flat; needs no Mesa."""

import os
import sys
import unittest

sys.path.append(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

import flat

# A cycle of a run in which nothing grows.
USUAL = {"heap_B": 40_000_000, "peak_B": 41_000_000,
         "mapped_B": 600_000_000, "files": 9, "highest_name": 608,
         "highest_monitor": 2, "contexts": 2}
MiB = 1024 * flat.KiB


def cycles_with(name, value_of, count=24):
    """Cycles in which one number is a function of the cycle's number."""
    return [{**USUAL, name: value_of(i)} for i in range(count)]


def faults(cycles):
    """The numbers that are not flat."""
    return [name for name, why in flat.judge(cycles) if why]


class FlatTest(unittest.TestCase):
    def test_equal_cycles_are_flat(self):
        self.assertEqual(faults([USUAL] * 24), [])

    def test_leak_of_each_kind(self):
        for name in flat.LIMITS_B:
            with self.subTest(name):
                leak = cycles_with(name, lambda i: USUAL[name] + i * MiB)
                self.assertEqual(len(faults(leak)), 1)

    def test_leak_of_16_bytes_a_query(self):
        leak = cycles_with("heap_B", lambda i: USUAL["heap_B"] +
                           i * 2409 * 16)
        self.assertEqual(faults(leak), ["heap memory is flat"])

    def test_context_may_lose_what_stock_loses(self):
        for lost_B, found in ((64, 0), (128, 1)):
            cycles = [{**USUAL, "contexts": 2 * i,
                       "heap_B": USUAL["heap_B"] + 2 * i * lost_B}
                      for i in range(10000)]
            self.assertEqual(len(faults(cycles)), found)

    def test_warm_up_does_not_count(self):
        warm = cycles_with("heap_B", lambda i: USUAL["heap_B"] +
                           min(i, 5) * MiB)
        self.assertEqual(faults(warm), [])

    def test_sawtooth_is_flat(self):
        sawtooth = cycles_with("heap_B", lambda i: USUAL["heap_B"] +
                               i % 8 * MiB, 40)
        self.assertEqual(faults(sawtooth), [])

    def test_sawtooth_that_rises_is_a_leak(self):
        rising = cycles_with("heap_B", lambda i: USUAL["heap_B"] +
                             (i % 8 + i // 8) * MiB, 40)
        self.assertEqual(faults(rising), ["heap memory is flat"])

    def test_exact_numbers(self):
        for name in flat.EXACT:
            with self.subTest(name):
                leak = cycles_with(name, lambda i: USUAL[name] + (i == 20))
                self.assertEqual(len(faults(leak)), 1)

    def test_few_cycles_are_a_failure(self):
        self.assertEqual(len(faults([USUAL] * 4)),
                         len(flat.LIMITS_B) + len(flat.EXACT))
        self.assertEqual(len(faults([])),
                         len(flat.LIMITS_B) + len(flat.EXACT))


class ReadTest(unittest.TestCase):
    def test_output(self):
        output = ("cycle heap_B 1 files 2\ncycle heap_B 3 files 4\n"
                  "queries 5 contexts 6\n")
        self.assertEqual(flat.read(output),
                         ([{"heap_B": 1, "files": 2},
                           {"heap_B": 3, "files": 4}],
                          {"queries": 5, "contexts": 6}))

    def test_output_that_breaks_off(self):
        self.assertEqual(flat.read("cycle heap_B 1\nfailed: so\n"),
                         ([{"heap_B": 1}], {}))

    def test_reports_of_the_parts_of_a_run(self):
        cycles = [{"passed_s": s, "resident_B": s * 10**6,
                   "heap_B": s * 10**6} for s in range(61)]
        lines = list(flat.reports("zink", cycles, 6))
        self.assertEqual(len(lines), 7)
        self.assertEqual(lines[1], "zink: after 10 s and 11 cycles: resident "
                                   "10.0 MB, heap 10.00 MB")
        self.assertEqual(list(flat.reports("zink", [], 6)), [])


if __name__ == "__main__":
    unittest.main()
