# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Programs that hang are ended, and no others.

Each watch is in a process of its own, whose descendants it ends.
"""

import os
import subprocess
from unittest import mock

import pytest
from tests.runners import watch

# Short: the programs below only sleep or spin.
IDLE = watch.Limits(look_s=0.02, idle_looks=40, idle_cpu_s=0.05)
SPIN = watch.Limits(look_s=0.02, idle_looks=10000, spin_cpu_s=0.2)

# As much CPU time as one that spins.
WRITING = ("i=0; while [ $i -lt 400000 ]; do i=$((i + 1)); "
           "[ $((i % 100)) = 0 ] && echo $i; done >/dev/null")
NO_CPU = "it takes no CPU time and writes nothing"
ENDLESS = "it takes CPU time without an end and writes nothing"
SLEEP = [("sleep 1000000", NO_CPU)]


def run_shell(limits, text):
    status, hangs = watch.run(["sh", "-c", text], limits,
                              stderr=subprocess.DEVNULL)
    return status, hangs, watch.descendants(os.getpid())


@pytest.mark.parametrize("limits, text, status, hangs", [
    (IDLE, "exit 3", 3, []),
    (IDLE, "exec sleep 1000000", -9, SLEEP),
    (SPIN, "while :; do :; done", -9,
     [("sh -c while :; do :; done", ENDLESS)]),
    # Only the one that hangs is ended.
    (IDLE, "sleep 1000000; exit $?", 137, SLEEP),
    # One that left its parent is seen.
    (IDLE, "setsid sleep 1000000 & wait; exit 4", 4, SLEEP),
    (SPIN, WRITING, 0, []),
    # A GPU that hangs forever.
    (IDLE._replace(max_hangs=2), "while :; do sleep 1000000; done", -9,
     SLEEP * 2),
    (IDLE, "setsid sleep 1000000 & exit 0", 0, [])])
def test_what_hangs_is_ended_and_nothing_is_left(limits, text, status, hangs):
    assert watch.apart(run_shell, limits, text) == (status, hangs, {})


def test_a_process_that_no_signal_ends_is_reported():
    seen = watch.Watch(IDLE)
    seen.killed = {os.getpid()}
    with pytest.raises(watch.Stuck, match="waits in the kernel"):
        seen.end({os.getpid()}, "it sleeps")


@pytest.mark.parametrize("state, hangs", [("R", 0), ("S", 1)])
def test_a_process_that_waits_for_the_CPU_is_not_idle(state, hangs):
    seen = watch.Watch(IDLE._replace(idle_looks=2))
    process = watch.Process(1 << 30, 1, state, 0, 0)
    for _ in range(4):
        assert not seen.look({process.pid: process})
    assert len(seen.killed) == hangs


def test_an_orphan_that_ended_is_forgotten():
    pid = os.posix_spawn("/bin/true", ["true"], os.environ)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    watch.bury_orphans(mock.Mock(pid=0))
    assert watch.read_process(pid) is None
