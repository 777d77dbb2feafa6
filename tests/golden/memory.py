# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""What a query writes: each packet must stay in one buffer, and no two packets
may write to the same dword."""

from tests.golden import adreno
from tests.golden.packets import EVENT_MASK, facts_of

ZPASS_EVENTS = (0x15, 0x39)
STATISTICS_EVENT = 0x1e
QWORD_OF_SDI = 1 << 21
GFX11 = 110


def qwords(begin, count, stride_B=8):
    return [begin + i * stride_B + half for i in range(count)
            for half in (0, 4)]


def of_event(command, address, gpu):
    """The dwords that an EVENT_WRITE writes."""
    event = command.dw[1] & EVENT_MASK
    if event in ZPASS_EVENTS:
        return qwords(address, facts_of(gpu).backends, 16)
    if event == STATISTICS_EVENT:
        return qwords(address, 14 if facts_of(gpu).level >= GFX11 else 11)
    return qwords(address, 2)


def dwords_of(command, address, gpu):
    """The addresses of the dwords that a command writes."""
    if command.name == "EVENT_WRITE":
        return of_event(command, address, gpu)
    if command.name == "EVENT_WRITE_ZPASS":
        return qwords(address, facts_of(gpu).backends, 16)
    if command.name in ("EVENT_WRITE_EOP", "RELEASE_MEM"):
        select = command.dw[3 if command.name == "EVENT_WRITE_EOP" else 2]
        return qwords(address, 1)[:1 if select >> 29 == 1 else 2]
    if command.name == "PIPE_CONTROL":
        return qwords(address, 1)
    if command.name == "MI_STORE_DATA_IMM":
        return qwords(address, 1)[:2 if command.dw[0] & QWORD_OF_SDI else 1]
    if command.name == "MI_STORE_REGISTER_MEM":
        return [address]
    return adreno.dwords_of(command.name, command.dw, address)


def fault_of(scene, gpu):
    """What is wrong with a query's writes, or None."""
    writers = {} # by address of a dword
    for (_, step), commands in scene.segments.items():
        for command in commands if step != "then" else []:
            for field in command.fields:
                address = scene.canonical(command.address(field))
                dwords = dwords_of(command, address, gpu)
                if dwords and not any(
                        begin <= dwords[0] and dwords[-1] < begin + size_B
                        for begin, size_B in scene.memory):
                    return f"{command.name} in {step} writes beyond a buffer"
                for dword in dwords:
                    other = writers.setdefault(dword, (address, step))
                    if other[0] & ~7 != address & ~7:
                        return (f"{command.name} in {step} overwrites what "
                                f"{other[1]} wrote")
    return None
