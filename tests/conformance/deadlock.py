# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Finds deadlocks: processes in which every thread waits for another one.

Every thread is in a system call that nothing but a thread of the same process
ends: a wait without a time limit for a futex of the process, or for no file at
all. Two looks at all threads show the same calls, and no thread has run in
between. So between the looks all of them waited at once, for ever. However
busy a machine is, a process that makes progress never looks like that.
"""

import glob
import os
import re
import struct

# Numbers of system calls, by the machine.
CALLS = {"x86_64": {202: "futex", 7: "poll"}, "aarch64": {98: "futex"}}

FUTEX_WAIT, FUTEX_WAIT_BITSET, FUTEX_PRIVATE = 0, 9, 128
FUTEX_COMMAND = 127
NO_LIMIT = 0xffffffff # of poll(): -1
POLLFD = struct.Struct("=ihh")


def is_visible():
    """Whether the kernel tells the system call that a thread waits in."""
    return (os.uname().machine in CALLS
            and os.path.exists("/proc/self/syscall"))


def polls_nothing(task, address, count):
    """Whether a list for poll() has no file that is open."""
    with open(f"{task}/mem", "rb") as memory:
        memory.seek(address)
        return all(fd < 0 for fd, _, _ in
                   POLLFD.iter_unpack(memory.read(count * POLLFD.size)))


def waits_for_ever(task, call):
    """Whether only a thread of the same process can end a system call."""
    number, *arguments = (int(field, 0) for field in call.split())
    name = CALLS[os.uname().machine].get(number)
    if name == "futex":
        operation, limit = arguments[1], arguments[3]
        return (limit == 0 and operation & FUTEX_PRIVATE != 0
                and operation & FUTEX_COMMAND in (FUTEX_WAIT,
                                                  FUTEX_WAIT_BITSET))
    return (name == "poll" and arguments[2] & NO_LIMIT == NO_LIMIT
            and polls_nothing(task, arguments[0], arguments[1]))


def wait_of(task):
    """The wait of a thread: its system call, and how often it was switched to
    another thread; None if something else may end it."""
    with open(f"{task}/syscall", encoding="ascii") as file:
        call = file.read().strip()
    if call == "running" or not waits_for_ever(task, call):
        return None
    with open(f"{task}/status", encoding="utf-8", errors="replace") as file:
        return call, *re.findall(r"_switches:\s*(\d+)", file.read())


class Watch:
    """A record of the threads of a process at the last look."""

    def __init__(self, pid):
        self.pid = pid
        self.last = None

    def is_deadlocked(self):
        """Looks again; returns whether the process is in a deadlock."""
        try:
            waits = {task: wait_of(task)
                     for task in glob.glob(f"/proc/{self.pid}/task/*")}
        except (OSError, ValueError): # a thread has ended, or is hidden
            waits = {}
        if not waits or None in waits.values():
            waits = None
        is_same = waits is not None and waits == self.last
        self.last = waits
        return is_same
