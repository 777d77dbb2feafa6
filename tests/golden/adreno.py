# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Adreno's packets.

A batch has the draws, with samples between them; an epilogue for each tile,
which adds the samples up; and an end, which writes the seqno."""

from tests.golden.packets import Field, Packet, always, dwords

TYPE_7 = 7
WAIT = "CP_WAIT_MEM_WRITES"
EVENT_MASK = 0xff
WRITE_PRIMITIVE_COUNTS, ZPASS_DONE, RB_DONE_TS, CCU_CLEAN_DEPTH = 9, 21, 22, 32
START_AND_STOP = range(11, 17) # of counters
CACHE_FLUSH_TS, CACHE_CLEAN = 4, 49
WITH_TIME = 1 << 30 # before A7xx
SAMPLE_COUNT_END = 1 << 13
# The dword with the size of the work, by the upper half of the header.
SIZES = {0x7038: 3, 0x7033: 2, 0x70b3: 2}


def event_of(dw):
    return dw[1] & EVENT_MASK


def is_fence(dw):
    return (len(dw) == 5 and event_of(dw) in (CACHE_FLUSH_TS, CACHE_CLEAN)
            and not dw[1] & WITH_TIME)


def of_event(dw, _):
    if event_of(dw) == ZPASS_DONE and dw[1] & SAMPLE_COUNT_END:
        return dwords(2, 8) # the sum; the end was written before
    return dwords(1 if is_fence(dw) else 2)


def sample(name, index, count=2):
    return Packet(name, (Field(index),), is_sample=always,
                  written=lambda dw, gpu: dwords(count))


EVENT_WRITE = Packet(
    "CP_EVENT_WRITE", (Field(2),),
    is_sample=lambda dw: event_of(dw) in (ZPASS_DONE, RB_DONE_TS),
    written=of_event)

# By type-7 opcode.
COMMANDS = {
    0x12: Packet(WAIT, is_wait=always),
    0x26: Packet("CP_WAIT_FOR_IDLE", is_wait=always),
    0x3c: Packet("CP_WAIT_REG_MEM", (Field(2, is_read=True),),
                 is_wait=always),
    0x3d: Packet("CP_MEM_WRITE", (Field(1),), written=lambda dw, gpu: (
        dwords(len(dw) - 3 if any(dw[3:]) else 0))), # of the addend
    0x3e: sample("CP_REG_TO_MEM", 2),
    0x45: Packet("CP_COND_WRITE", (Field(2), Field(6))),
    0x46: EVENT_WRITE,
    0x47: Packet("CP_COND_REG_EXEC"),
    0x73: Packet("CP_MEM_TO_MEM", (Field(2), *(
        Field(index, is_read=True) for index in (4, 6, 8)))),
}
# By the first register of a type-4 packet.
REGISTERS = {
    0x8891: Packet("RB_SAMPLE_COUNT_CONTROL"),
    0x8927: sample("RB_SAMPLE_COUNT_ADDR", 1),
    0x9218: sample("VPC_SO_STREAM_COUNTS", 1, 16),
}
# Query packets after the draws; the driver samples in each batch.
AT_END = (WAIT, "CP_WAIT_REG_MEM", "CP_MEM_TO_MEM", "CP_MEM_WRITE")


def is_at_end(command):
    """Whether it may be of queries at the end of a batch."""
    return (command.name in AT_END
            or command.packet is EVENT_WRITE and is_fence(command.dw))


def packet_of(dw, _, follows_wait):
    """The driver's own fence never follows a wait for Pitot's writes."""
    header = dw[0]
    found = (COMMANDS.get(header >> 16 & 0x7f) if header >> 28 == TYPE_7
             else REGISTERS.get(header >> 8 & 0x3ffff))
    if found is not EVENT_WRITE:
        return found
    is_of_queries = (
        follows_wait if is_fence(dw) else
        event_of(dw) in (*START_AND_STOP, WRITE_PRIMITIVE_COUNTS, ZPASS_DONE,
                         RB_DONE_TS, CCU_CLEAN_DEPTH))
    return found if is_of_queries else None


def size_of(dw):
    return dw[SIZES.get(dw[0] >> 16, 0)]


def put_last(commands):
    """Moves the last work after the state that it applies."""
    i = next(i for i in reversed(range(len(commands)))
             if commands[i].dw and commands[i].dw[0] >> 16 in SIZES)
    commands.append(commands.pop(i))
