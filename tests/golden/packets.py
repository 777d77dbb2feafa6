# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Packets, with all that is known about their kinds; intel.py, amd.py and
adreno.py have the tables. Packets that are in none are state, which only draws
depend on."""

import functools
from typing import Callable, NamedTuple

from tests.runners.devices import GPUS

HIGH = 0xffffffff
ADDRESS_BITS = 48

DWORD, QWORD = (0,), (0, 4)


class Field(NamedTuple):
    """An address: the dword of its low half, the bits of its high half in the
    next dword, whether the packet only reads there, and whether it is
    present."""
    index: int
    high: int = HIGH
    is_read: bool = False
    is_there: Callable = lambda dw: True


def always(_):
    return True


def never(_):
    return False


class Packet(NamedTuple):
    """Whether it writes a counter or the clock (a sample), and whether the
    command streamer stalls, by its dwords; the size of a sample's record if
    packets compare its two ends; and by its dwords and the GPU the offsets of
    the dwords that are written at its address."""
    name: str
    fields: tuple = ()
    is_sample: Callable = never
    is_wait: Callable = never
    record_B: Callable = lambda dw: 0
    written: Callable = lambda dw, gpu: ()


STATE = Packet("")
# Of no-ops and workarounds, which cost nothing.
NOTHING = Packet("")


class Command(NamedTuple):
    """A packet in a log. Its name is the packet's, or what it does; fields are
    those present, and size is that of work, or 0."""
    name: str
    dw: tuple
    packet: Packet
    fields: tuple = ()
    size: int = 0

    def address(self, field):
        return (self.dw[field.index]
                | (self.dw[field.index + 1] & field.high) << 32)


def dwords(count, first=0):
    return range(first, first + 4 * count, 4)


class Facts(NamedTuple):
    """A GPU's generation or graphics level, and its render backends."""
    level: int
    backends: int


@functools.cache
def facts_of(gpu):
    with open(GPUS, encoding="utf-8") as lines:
        fields = next(line.split() for line in lines
                      if line.split()[1:2] == [gpu])
    return Facts(int(fields[3]),
                 int(fields[8]) if fields[0] == "radeonsi" else 0)
