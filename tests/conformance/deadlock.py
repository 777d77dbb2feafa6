# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Finds deadlocks: processes in which every thread waits for another one.

Every thread must be in a system call that only a thread of the same process
can end: a wait without time limit for a private futex, or a poll of no files.
Two checks must find the same calls, and no context switch in between, so that
all threads were waiting at the same time. A process that makes progress never
looks like that, however busy the machine is.
"""

import glob
import os
import re
import struct

# System call numbers of each architecture.
CALLS = {"x86_64": {202: "futex", 7: "poll"}, "aarch64": {98: "futex"}}

FUTEX_WAIT, FUTEX_WAIT_BITSET, FUTEX_PRIVATE = 0, 9, 128
FUTEX_COMMAND = 127
NO_LIMIT = 0xffffffff # -1, for poll()
POLLFD = struct.Struct("=ihh")


def is_visible():
    """Whether the kernel reports the system call that a thread is in."""
    return (os.uname().machine in CALLS
            and os.path.exists("/proc/self/syscall"))


def polls_nothing(task, address, count):
    """Whether the list of a poll() has no open file."""
    with open(f"{task}/mem", "rb") as memory:
        memory.seek(address)
        return all(fd < 0 for fd, _, _ in
                   POLLFD.iter_unpack(memory.read(count * POLLFD.size)))


def waits_for_ever(task, call):
    """Whether only a thread of the same process can end the call."""
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
    """A thread's call and context switches; None if others may end it."""
    with open(f"{task}/syscall", encoding="ascii") as file:
        call = file.read().strip()
    if call == "running" or not waits_for_ever(task, call):
        return None
    with open(f"{task}/status", encoding="utf-8", errors="replace") as file:
        return call, *re.findall(r"_switches:\s*(\d+)", file.read())


class Watch:
    def __init__(self, pid):
        self.pid = pid
        self.last = None

    def is_deadlocked(self):
        """Compares with the last check."""
        try:
            waits = {task: wait_of(task)
                     for task in glob.glob(f"/proc/{self.pid}/task/*")}
        except (OSError, ValueError): # a thread has ended, or cannot be read
            waits = {}
        if not waits or None in waits.values():
            waits = None
        is_same = waits is not None and waits == self.last
        self.last = waits
        return is_same
