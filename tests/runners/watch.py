# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Watches a program and all its descendants, and kills processes that hang.

Progress is CPU time and written bytes, never elapsed time: a machine may be
busy or suspended. There are two kinds of hangs:

- idle: the leaves of the process tree, which do the work, use no CPU time, do
  not wait for a CPU, and write nothing, over many checks. All leaves are
  killed.
- spinning: a process uses very much CPU time and writes nothing. It is killed.

The program then continues with the rest of its work, or ends.
"""

import ctypes
import multiprocessing
import os
import select
import signal
import subprocess
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

PR_SET_CHILD_SUBREAPER = 36

TICKS_PER_S = os.sysconf("SC_CLK_TCK")


class Limits(NamedTuple):
    """idle_looks: checks without progress until leaves are idle. idle_cpu_s:
    no progress, since sleeping in a loop takes some. spin_cpu_s: without a
    write. max_hangs: then everything is killed."""
    look_s: float = 1
    idle_looks: int = 180
    idle_cpu_s: float = 1
    spin_cpu_s: float = 600
    max_hangs: int = 20


class Process(NamedTuple):
    """A snapshot of a process."""
    pid: int
    parent: int
    state: str
    cpu_s: float
    written_B: int


class Hang(NamedTuple):
    """A process that was killed, and why."""
    name: str
    why: str

    def __str__(self):
        return f"{self.name} was ended: {self.why}"


def read_process(pid):
    """None if the process does not exist."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8",
                  errors="replace") as stat:
            fields = stat.read().rpartition(")")[2].split()
        with open(f"/proc/{pid}/io", encoding="utf-8") as io:
            written = next(line.split()[1] for line in io
                           if line.startswith("wchar:"))
    except (OSError, StopIteration):
        return None
    return Process(pid, int(fields[1]), fields[0],
                   (int(fields[11]) + int(fields[12])) / TICKS_PER_S,
                   int(written))


def name_of(pid):
    """The program of a process and its arguments, without directories."""
    try:
        with open(f"/proc/{pid}/cmdline", encoding="utf-8",
                  errors="replace") as line:
            words = line.read().rstrip("\0").split("\0")
    except OSError:
        return "a process"
    return " ".join(os.path.basename(word.rstrip("/")) for word in words)[:200]


def read_processes():
    found = [read_process(int(name)) for name in os.listdir("/proc")
             if name.isdecimal()]
    return {process.pid: process for process in found if process}


def descendants(root):
    """{pid: Process} of all descendants, without zombies."""
    processes = {pid: process for pid, process in read_processes().items()
                 if process.state != "Z"}
    below = {}
    for process in processes.values():
        parent = process.parent
        while parent in processes and parent not in (root, process.pid):
            parent = processes[parent].parent
        if parent == root:
            below[process.pid] = process
    return below


def ends_of(processes):
    """The leaves: processes without children, which do the work."""
    parents = {process.parent for process in processes.values()}
    return {pid: process for pid, process in processes.items()
            if pid not in parents}


def kill(processes, why):
    """Kills processes, and returns their hangs."""
    hangs = []
    for pid in processes:
        hangs.append(Hang(name_of(pid), why))
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            hangs.pop()
    return hangs


class Watch:
    """A record of the processes below this one."""

    def __init__(self, limits):
        self.limits = limits
        self.last_write = {} # {pid: Process at its last write}
        self.last_ends = {} # the leaves at the last progress
        self.looks = 0 # checks since then
        self.killed = set()

    def look(self, processes):
        """Kills processes that hang, and returns the hangs."""
        ends = ends_of(processes)
        self.looks = 0 if self.is_progress(ends) else self.looks + 1
        if not self.looks:
            self.last_ends = ends
        spinning = self.spinning(processes)
        if spinning:
            return self.end(spinning, "it takes CPU time without an end and "
                                      "writes nothing")
        if self.looks >= self.limits.idle_looks:
            self.looks = 0
            return self.end(ends, "it takes no CPU time and writes nothing")
        return []

    def is_progress(self, ends):
        last = self.last_ends
        cpu_s = sum(process.cpu_s - last[pid].cpu_s
                    for pid, process in ends.items() if pid in last)
        return (ends.keys() != last.keys() or cpu_s > self.limits.idle_cpu_s
                or any(process.state == "R" or
                       process.written_B != last[pid].written_B
                       for pid, process in ends.items()))

    def spinning(self, processes):
        self.last_write = {
            pid: seen if (seen := self.last_write.get(pid)) and
            seen.written_B == process.written_B else process
            for pid, process in processes.items()}
        return [pid for pid, process in processes.items()
                if process.cpu_s - self.last_write[pid].cpu_s >
                self.limits.spin_cpu_s]

    def end(self, pids, why):
        """One that was killed before and still exists is stuck."""
        stuck = self.killed & set(pids)
        self.killed |= set(pids)
        if stuck:
            raise Stuck([Hang(name_of(pid), "it cannot be ended: it waits in "
                              "the kernel") for pid in stuck])
        return kill(pids, why)


class Stuck(Exception):
    """Processes that cannot be killed."""

    def __init__(self, hangs):
        super().__init__("; ".join(map(str, hangs)))
        self.hangs = hangs


def adopt_orphans():
    """Makes this process the parent of its descendants' orphans."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def bury_orphans(process):
    """Reaps orphans, but not the program."""
    for pid, other in read_processes().items():
        if (other.parent == os.getpid() and other.state == "Z"
                and pid != process.pid):
            os.waitpid(pid, 0)


def run(command, limits=Limits(), **options):
    """Returns the status (None if it cannot be killed) and hangs. One at a
    time."""
    adopt_orphans()
    process = subprocess.Popen(command, **options)
    watch, hangs = Watch(limits), []
    try:
        while (len(hangs) < limits.max_hangs
               and not ends_within(process, limits.look_s)):
            hangs += watch.look(descendants(os.getpid()))
            bury_orphans(process)
    except Stuck as stuck:
        hangs += stuck.hangs
    finally:
        end_all(limits)
    return (process.returncode if ends_within(process, limits.look_s)
            else None), hangs


def apart(function, *arguments, **options):
    """Calls a function in a process of its own, as run() where this one has
    other children, which are not to be ended."""
    with ProcessPoolExecutor(
            1, multiprocessing.get_context("fork")) as processes:
        return processes.submit(function, *arguments, **options).result()


def end_all(limits):
    """Waits for them, not forever: one may be stuck in the kernel."""
    while processes := descendants(os.getpid()):
        kill(processes, "")
        if not all([ends_in(pid, limits.idle_looks * limits.look_s)
                    for pid in processes]):
            break


def ends_in(pid, time_s):
    """Whether a process ends within a time."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([process], [], [], time_s)[0])
    finally:
        os.close(process)


def ends_within(process, time_s):
    try:
        process.wait(time_s)
    except subprocess.TimeoutExpired:
        return False
    return True
