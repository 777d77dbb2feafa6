# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Rules that hang or crash, and deadlocks, without Mesa."""

import subprocess
import sys

import pytest
from tests.conformance import deadlock, restart


@pytest.fixture
def run_rules(tmp_path):
    def run(script, **options):
        """The verdicts on three rules. script is given the first one."""
        def start(first):
            return subprocess.Popen(
                ["sh", "-c", script, "sh", str(first)], cwd=tmp_path,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

        return [result.verdict for result in
                restart.run(start, ["a", "b", "c"], **options).values()]
    return run


@pytest.mark.parametrize("end, deadlocked", [
    ("kill -KILL $$", False), ("exec sleep 10000", True)])
def test_after_a_death_or_a_deadlock_the_next_rule_begins(
        end, deadlocked, run_rules, monkeypatch):
    looks = []
    monkeypatch.setattr(deadlock.Watch, "is_deadlocked",
                        lambda watch: looks.append(watch) or deadlocked)
    assert run_rules(f"""case $1 in
        0) echo 1..3; echo ok 1 - a; {end} ;;
        2) echo 1..1; echo ok 1 - c ;; esac""") == ["passed", "failed",
                                                    "passed"]
    assert looks or not deadlocked


def test_after_many_deaths_the_rest_does_not_run(run_rules, tmp_path):
    assert run_rules("echo $1 >>starts; echo 1..3; kill -KILL $$",
                     max_deaths=2) == ["failed"] * 3
    assert (tmp_path / "starts").read_text() == "0\n1\n"


# What a thread of a program waits for: another thread, time, or input.
WAITS = {"lock": "held.acquire()", "time": "time.sleep(10000)",
         "poll nothing": "poll.poll(None)", "input": "sys.stdin.read()",
         "poll input": "poll.register(0); poll.poll(None)",
         "lock for a time": "held.acquire(timeout=10000)"}
PROGRAM = """
import select, sys, threading, time
held, poll = threading.Lock(), select.poll()
held.acquire()
def other():
    %s
threading.Thread(target=other, daemon=True).start()
print("waits", flush=True)
%s
"""

# Many checks take enough time for the program's threads to run.
DEADLOCKS = [("lock", "lock", 100000, True),
             ("lock", "poll nothing", 100000, True)]
OTHERS = [(*waits, 200, False)
          for wait in ("time", "input", "poll input", "lock for a time")
          for waits in (("lock", wait), (wait, "lock"))]


@pytest.mark.skipif(not deadlock.is_visible(),
                    reason="the kernel tells no system calls")
@pytest.mark.parametrize("one, other, looks, is_deadlock", DEADLOCKS + OTHERS)
def test_only_threads_that_wait_for_each_other_are_in_a_deadlock(
        one, other, looks, is_deadlock):
    with subprocess.Popen(
            [sys.executable, "-c", PROGRAM % (WAITS[one], WAITS[other])],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            process.stdout.readline()
            while (states := restart.threads_of(process.pid)[0]) != {"S"}:
                assert states <= set("RSD")
            watch = deadlock.Watch(process.pid)
            assert any(watch.is_deadlocked()
                       for _ in range(looks)) == is_deadlock
        finally:
            process.kill()
