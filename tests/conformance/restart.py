# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Runs the rules on a Mesa or a GPU where a rule may hang or crash."""

import contextlib
import glob
import os
import re
import threading

from tests.conformance import deadlock
from tests.runners import tap

# A rule hangs if it is in a deadlock, uses CPU time forever, or uses none
# while all threads sleep (longer in the kernel, which may wait for a disk): a
# busy machine looks like none of these.
RULE_CPU_S = 300
# A simulated GPU has done its work when the call returns.
SIMULATED_RULE_CPU_S = 2
LOOKS = {frozenset("S"): 60, frozenset("D"): 180, frozenset("SD"): 180}

# cmocka's line for a test that crashed; cmocka then continues.
CRASH = re.compile(r"^# Test failed with exception:.*", re.MULTILINE)


def threads_of(pid):
    states, ticks = set(), 0
    for path in glob.glob(f"/proc/{pid}/task/*/stat"):
        with contextlib.suppress(OSError), open(path) as stat:
            fields = stat.read().rpartition(")")[2].split()
            states.add(fields[0])
            ticks += int(fields[11]) + int(fields[12])
    return states, ticks


def kill_if_it_hangs(process, line_is_there, rule_cpu_s):
    """Watches a process until it prints the line of its rule."""
    first = last = threads_of(process.pid)[1]
    watch = deadlock.Watch(process.pid)
    looks = 0
    while not line_is_there.wait(1):
        states, ticks = threads_of(process.pid)
        limit = LOOKS.get(frozenset(states))
        looks = looks + 1 if limit and ticks == last else 0
        last = ticks
        if ((limit and looks >= limit) or watch.is_deadlocked() or
                ticks - first > rule_cpu_s * os.sysconf("SC_CLK_TCK")):
            process.kill()
            return


def output_of(process, rule_cpu_s):
    """The output of a process, up to a rule that hangs."""
    threading.Thread(target=process.stderr.read, daemon=True).start()
    output = ""
    while True:
        line_is_there = threading.Event()
        threading.Thread(target=kill_if_it_hangs, daemon=True,
                         args=(process, line_is_there, rule_cpu_s)).start()
        line = process.stdout.readline()
        line_is_there.set()
        if not line:
            process.wait()
            return output
        output += line


def run(start, names, max_deaths=None, rule_cpu_s=RULE_CPU_S):
    """{rule: Result} in order. start(number) starts a process at a rule, again
    after each hang or crash. After max_deaths the rest fails, since all would
    hang on a GPU that hangs forever.
    """
    found, deaths = {}, 0
    while len(found) < len(names):
        if deaths == max_deaths:
            return {**{name: tap.Result(name, "failed", "it did not run: "
                                        f"{deaths} before it hang or crash")
                       for name in names}, **found}
        output = output_of(start(len(found)), rule_cpu_s)
        crash = CRASH.search(output)
        read = tap.read(output[:crash.start()] if crash else output)
        found.update((result.name, result) for result in read.results)
        if not crash and read.planned != len(read.results):
            name = names[len(found)]
            found[name] = tap.Result(name, "failed", "it hangs or crashes")
            deaths += 1
    return found
