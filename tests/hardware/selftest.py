#!/usr/bin/python3 -B
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests how the machine's GPU is tested; needs neither a GPU nor Mesa."""

import os
import subprocess
import sys
import unittest
from unittest import mock

sys.path.append(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from runners import watch
from runners.fixture import FilesTest

# Short enough for a test: the programs below do nothing at all, or nothing
# but spin.
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
        """A program that takes as much CPU time as one that spins."""
        status, hangs = self.run_shell(
            SPIN, "i=0; while [ $i -lt 400000 ]; do i=$((i + 1)); "
                  "[ $((i % 100)) = 0 ] && echo $i; done >/dev/null")
        self.assertEqual((status, hangs), (0, []))

    def test_an_orphan_that_ended_is_forgotten(self):
        pid = os.posix_spawn("/bin/true", ["true"], os.environ)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        watch.bury_orphans(mock.Mock(pid=0))
        self.assertIsNone(watch.read_process(pid))

    def test_nothing_is_left_behind(self):
        self.run_shell(IDLE, "setsid sleep 1000000 & exit 0")
        self.assertEqual(watch.descendants(os.getpid()), {})


if __name__ == "__main__":
    unittest.main()
