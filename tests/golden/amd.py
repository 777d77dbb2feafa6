# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""AMD's packets."""

from tests.golden.packets import (NOTHING, QWORD, Field, Packet, always,
                                  dwords, facts_of)

GFX9, GFX11 = 90, 110
NOP = 0x10
EVENT_MASK = 0x3f
PIXEL_PIPE_STAT_CONTROL = 0x38 # has data in place of an address
ZPASS_EVENTS, STATISTICS_EVENT = (0x15, 0x39), 0x1e
# These events write pairs of samples, in records of this size.
RECORD_B = {0x15: 16, 0x39: 16, 0x20: 32, 0x01: 32, 0x02: 32, 0x03: 32}
# On GFX12 it follows each draw.
END_OF_PIPE_WITHOUT_DATA = (0xc0064900, 0x528, 0, 0, 0, 0, 0, 0)
# The dword with the size of work, by its opcode.
SIZES = {0x2d: 1, 0x15: 1}


def event_of(dw):
    return dw[1] & EVENT_MASK


def targets_memory(dw):
    return (dw[1] >> 8 & 0xf) in (1, 2, 5)


def of_backends(gpu):
    return [16 * i + half for i in range(facts_of(gpu).backends)
            for half in QWORD]


def of_event(dw, gpu):
    if event_of(dw) in ZPASS_EVENTS:
        return of_backends(gpu)
    if event_of(dw) == STATISTICS_EVENT:
        return dwords(28 if facts_of(gpu).level >= GFX11 else 22)
    return dwords(4)


def end_of_pipe(name, field, index):
    """A packet whose dword at an index selects what is written: the clock, 64
    or 32 bits."""
    return Packet(name, (field,), is_sample=lambda dw: dw[index] >> 29 == 3,
                  written=lambda dw, gpu: dwords(
                      1 if dw[index] >> 29 == 1 else 2))


PACKETS = {
    0x20: Packet("SET_PREDICATION", (Field(2, is_read=True),)),
    0x37: Packet("WRITE_DATA", (Field(2, is_there=targets_memory),)),
    0x3c: Packet("WAIT_REG_MEM", (
        Field(2, is_read=True, is_there=lambda dw: dw[1] & 0x10),),
        is_wait=always),
    0x40: Packet("COPY_DATA", (
        Field(2, is_read=True, is_there=lambda dw: dw[1] & 0xf in (1, 2)),
        Field(4, is_there=targets_memory))),
    0x41: Packet("CP_DMA"),
    0x42: Packet("PFP_SYNC_ME", is_wait=always),
    0x43: Packet("SURFACE_SYNC", is_wait=always),
    0x46: Packet("EVENT_WRITE", (Field(2, is_there=lambda dw: (
        event_of(dw) != PIXEL_PIPE_STAT_CONTROL)),), is_sample=always,
        is_wait=lambda dw: event_of(dw) in (0x07, 0x0f, 0x10),
        record_B=lambda dw: RECORD_B.get(event_of(dw), 0), written=of_event),
    0x47: end_of_pipe("EVENT_WRITE_EOP", Field(2, 0xffff), 3),
    0x49: end_of_pipe("RELEASE_MEM", Field(3), 2),
    0x50: Packet("DMA_DATA", (Field(2), Field(4))),
    0x58: Packet("ACQUIRE_MEM", is_wait=always),
    0xb1: Packet("EVENT_WRITE_ZPASS", (Field(1),), is_sample=always,
                 record_B=lambda dw: 16,
                 written=lambda dw, gpu: of_backends(gpu)),
}
BEFORE_GFX9 = {**PACKETS, 0x20: Packet("SET_PREDICATION", (
    Field(1, 0xff, is_read=True),))}


def opcode_of(dw):
    return dw[0] >> 8 & 0xff


def packet_of(dw, level, _):
    if dw[0] >> 30 != 3:
        return None
    if opcode_of(dw) == NOP or dw == END_OF_PIPE_WITHOUT_DATA:
        return NOTHING
    found = (PACKETS if level >= GFX9 else BEFORE_GFX9).get(opcode_of(dw))
    only_fills_a_cache = dw[2:4] == dw[4:6]
    return (None if found and found.name == "DMA_DATA" and only_fills_a_cache
            else found)


def size_of(dw):
    return dw[SIZES.get(opcode_of(dw), 0)]
