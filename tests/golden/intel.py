# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Intel's packets."""

from tests.golden.packets import (DWORD, NOTHING, QWORD, Field, Packet,
                                  always)

CS_REGISTERS = 0x2000 # from here on; from Gen11 on an offset
QWORD_OF_SDI = 1 << 21
BATCH_BUFFER_END = 0x0a
# The dword with the size of work, by the upper half of the header.
SIZES = {0x7b00: 2, 0x7105: 7, 0x7208: 7}


def post_sync(dw):
    return dw[1] >> 14 & 3


MI = {
    0x01: Packet("MI_SET_PREDICATE"),
    0x0c: Packet("MI_PREDICATE"),
    0x1a: Packet("MI_MATH"),
    0x1c: Packet("MI_SEMAPHORE_WAIT", (Field(2, is_read=True),),
                 is_wait=always),
    0x20: Packet("MI_STORE_DATA_IMM", (Field(1),), written=lambda dw, gpu: (
        QWORD if dw[0] & QWORD_OF_SDI else DWORD)),
    0x22: Packet("MI_LOAD_REGISTER_IMM"),
    0x24: Packet("MI_STORE_REGISTER_MEM", (Field(2),),
                 is_sample=lambda dw: (
                     not 0x600 <= dw[1] & ~CS_REGISTERS < 0x680),
                 written=lambda dw, gpu: DWORD),
    0x26: Packet("MI_FLUSH_DW", (Field(1),)),
    0x29: Packet("MI_LOAD_REGISTER_MEM", (Field(2, is_read=True),)),
    0x2a: Packet("MI_LOAD_REGISTER_REG"),
    0x2e: Packet("MI_COPY_MEM_MEM", (Field(1), Field(3))),
}
PIPE_CONTROL = Packet("PIPE_CONTROL", (Field(2),),
                      is_sample=lambda dw: post_sync(dw) >= 2,
                      is_wait=lambda dw: dw[1] & (1 << 20 | 1 << 7),
                      written=lambda dw, gpu: QWORD)


def packet_of(dw, *_):
    """A PIPE_CONTROL without flags is a workaround that counts draws."""
    if dw[0] >> 29 == 0:
        return MI.get(dw[0] >> 23)
    if dw[0] >> 16 == 0x7a00:
        return PIPE_CONTROL if any(dw[1:]) else NOTHING
    return None


def size_of(dw):
    return dw[SIZES.get(dw[0] >> 16, 0)]


def drop_end_of_batch(commands):
    """Drops the fence at the end of a batch, whose seqno always differs, and
    the stalls before it."""
    if not commands or commands[-1].name != "PIPE_CONTROL":
        return
    fence = commands[-1].dw
    if post_sync(fence) == 1 and fence[1] & 0x20:
        while (commands and commands[-1].name == "PIPE_CONTROL"
               and commands[-1].dw[2:4] in (fence[2:4], (0, 0))):
            commands.pop()
