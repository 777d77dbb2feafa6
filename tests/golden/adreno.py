# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Adreno's packets, for packets.py: names, and the dwords that hold addresses.

A batch has the draws, with samples between them; an epilogue for each tile,
which adds the samples up; and an end, which writes the seqno."""

TYPE_7 = 7

# Names, and the dwords of low halves of addresses, by type-7 opcode. Other
# packets are state, which only draws depend on.
COMMANDS = {
    0x12: ("CP_WAIT_MEM_WRITES",),
    0x26: ("CP_WAIT_FOR_IDLE",),
    0x3c: ("CP_WAIT_REG_MEM", 2),
    0x3d: ("CP_MEM_WRITE", 1),
    0x3e: ("CP_REG_TO_MEM", 2),
    0x45: ("CP_COND_WRITE", 2, 6),
    0x46: ("CP_EVENT_WRITE", 2),
    0x47: ("CP_COND_REG_EXEC",),
    0x73: ("CP_MEM_TO_MEM", 2, 4, 6, 8),
}
# The same, by the first register of a type-4 packet.
REGISTERS = {
    0x8891: ("RB_SAMPLE_COUNT_CONTROL",),
    0x8927: ("RB_SAMPLE_COUNT_ADDR", 1),
    0x9218: ("VPC_SO_STREAM_COUNTS", 1),
}

EVENT_MASK = 0xff
WRITE_PRIMITIVE_COUNTS, ZPASS_DONE, RB_DONE_TS, CCU_CLEAN_DEPTH = 9, 21, 22, 32
START_AND_STOP = range(11, 17) # of counters
CACHE_FLUSH_TS, CACHE_CLEAN = 4, 49
WITH_TIME = 1 << 30 # before A7xx
SAMPLE_COUNT_END = 1 << 13

# Packets that write a sample, and packets that only read at their address.
SAMPLES = ("CP_REG_TO_MEM", "RB_SAMPLE_COUNT_ADDR", "VPC_SO_STREAM_COUNTS")
READS = ("CP_WAIT_REG_MEM",)
# Packets that write to their first address and read at the others.
WRITES_FIRST = ("CP_MEM_TO_MEM",)
# Packets that stall the command streamer.
WAITS = ("CP_WAIT_MEM_WRITES", "CP_WAIT_FOR_IDLE", "CP_WAIT_REG_MEM")
# Query packets after the draws; the driver samples in each batch.
AT_END = ("CP_WAIT_MEM_WRITES", "CP_WAIT_REG_MEM", "CP_MEM_TO_MEM",
          "CP_MEM_WRITE")

# The dword with the size of the work, by the upper half of the header.
SIZES = {0x7038: 3, 0x7033: 2, 0x70b3: 2}


def event_of(dw):
    return dw[1] & EVENT_MASK


def is_fence(name, dw):
    return (name == "CP_EVENT_WRITE" and len(dw) == 5
            and event_of(dw) in (CACHE_FLUSH_TS, CACHE_CLEAN)
            and not dw[1] & WITH_TIME)


def is_sample(name, dw):
    return name in SAMPLES or (name == "CP_EVENT_WRITE"
                               and event_of(dw) in (ZPASS_DONE, RB_DONE_TS))


def is_of_queries(name, dw, last):
    """The driver's own fence never follows a wait for Pitot's writes."""
    if is_fence(name, dw):
        return last == "CP_WAIT_MEM_WRITES"
    return (name != "CP_EVENT_WRITE" or event_of(dw) in START_AND_STOP
            or event_of(dw) in (WRITE_PRIMITIVE_COUNTS, ZPASS_DONE, RB_DONE_TS,
                                CCU_CLEAN_DEPTH))


def layout(dw, last):
    """Name and address dwords, None for state; last: the name before."""
    header = dw[0]
    found = (COMMANDS.get(header >> 16 & 0x7f) if header >> 28 == TYPE_7
             else REGISTERS.get(header >> 8 & 0x3ffff))
    return found if found and is_of_queries(found[0], dw, last) else None


def dwords_of(name, dw, address):
    """The addresses of the dwords that a packet writes."""
    if name == "VPC_SO_STREAM_COUNTS":
        count = 16
    elif name == "CP_MEM_WRITE":
        count = len(dw) - 3 if any(dw[3:]) else 0 # of the addend
    elif name == "CP_EVENT_WRITE":
        count = 1 if is_fence(name, dw) else 2
        if event_of(dw) == ZPASS_DONE and dw[1] & SAMPLE_COUNT_END:
            address += 8 # the sum; the end was written before
    else:
        count = 2 if name in SAMPLES else 0
    return [address + 4 * i for i in range(count)]


def put_last(commands):
    """Moves the last work after the state that it applies."""
    i = next(i for i in reversed(range(len(commands)))
             if commands[i].dw and commands[i].dw[0] >> 16 in SIZES)
    commands.append(commands.pop(i))
