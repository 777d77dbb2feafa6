# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Reads a simulated GPU's log (tests/sim/log.h): each scene's commands.
texts.py makes texts of them."""

import functools
from typing import NamedTuple

from tests.golden import adreno
from tests.runners.devices import GPUS

HIGH = 0xffffffff
ADDRESS_BITS = 48


class Field(NamedTuple):
    """An address: the dword of its low half, the bits of its high half in the
    next dword, and whether it is present."""
    index: int
    high: int = HIGH
    is_there: object = lambda dw: True


def targets_memory(dw):
    return (dw[1] >> 8 & 0xf) in (1, 2, 5)


EVENT_MASK = 0x3f
CS_REGISTERS = 0x2000 # from here on; from Gen11 on an offset
PIXEL_PIPE_STAT_CONTROL = 0x38 # has data in place of an address

# Names and addresses, by opcode. Other commands are state, which only draws
# depend on.
INTEL_MI = {
    0x01: ("MI_SET_PREDICATE",),
    0x0c: ("MI_PREDICATE",),
    0x1a: ("MI_MATH",),
    0x1c: ("MI_SEMAPHORE_WAIT", Field(2)),
    0x20: ("MI_STORE_DATA_IMM", Field(1)),
    0x22: ("MI_LOAD_REGISTER_IMM",),
    0x24: ("MI_STORE_REGISTER_MEM", Field(2)),
    0x26: ("MI_FLUSH_DW", Field(1)),
    0x29: ("MI_LOAD_REGISTER_MEM", Field(2)),
    0x2a: ("MI_LOAD_REGISTER_REG",),
    0x2e: ("MI_COPY_MEM_MEM", Field(1), Field(3)),
}
INTEL_3D = {0x7a00: ("PIPE_CONTROL", Field(2))}
MI_BATCH_BUFFER_END = 0x0a

AMD = {
    0x20: ("SET_PREDICATION", Field(2)),
    0x37: ("WRITE_DATA", Field(2, is_there=targets_memory)),
    0x3c: ("WAIT_REG_MEM", Field(2, is_there=lambda dw: dw[1] & 0x10)),
    0x40: ("COPY_DATA", Field(2, is_there=lambda dw: dw[1] & 0xf in (1, 2)),
           Field(4, is_there=targets_memory)),
    0x41: ("CP_DMA",),
    0x42: ("PFP_SYNC_ME",),
    0x43: ("SURFACE_SYNC",),
    0x46: ("EVENT_WRITE", Field(2, is_there=lambda dw: (
        dw[1] & EVENT_MASK != PIXEL_PIPE_STAT_CONTROL))),
    0x47: ("EVENT_WRITE_EOP", Field(2, 0xffff)),
    0x49: ("RELEASE_MEM", Field(3)),
    0x50: ("DMA_DATA", Field(2), Field(4)),
    0x58: ("ACQUIRE_MEM",),
    0xb1: ("EVENT_WRITE_ZPASS", Field(1)),
}
AMD_BEFORE_GFX9 = {**AMD, 0x20: ("SET_PREDICATION", Field(1, 0xff))}
GFX9 = 90

# These events write pairs of samples, in records of this size.
RECORD_B = {0x15: 16, 0x39: 16, 0x20: 32, 0x01: 32, 0x02: 32, 0x03: 32}


class Command(NamedTuple):
    """name is "" for state; fields are those present."""
    name: str
    dw: tuple
    fields: tuple = ()

    def address(self, field):
        return (self.dw[field.index]
                | (self.dw[field.index + 1] & field.high) << 32)

    def is_sample(self):
        """Whether it writes a counter or the clock."""
        if self.name == "MI_STORE_REGISTER_MEM":
            return not 0x600 <= self.dw[1] & ~CS_REGISTERS < 0x680
        if self.name == "PIPE_CONTROL":
            return self.dw[1] >> 14 & 3 >= 2
        if self.name in ("EVENT_WRITE", "EVENT_WRITE_ZPASS"):
            return bool(self.fields)
        if self.name == "EVENT_WRITE_EOP":
            return self.dw[3] >> 29 == 3
        if self.name == "RELEASE_MEM":
            return self.dw[2] >> 29 == 3
        return adreno.is_sample(self.name, self.dw)

    def is_write(self, field):
        if self.name in ("WAIT_REG_MEM", "SET_PREDICATION",
                         "MI_LOAD_REGISTER_MEM", "MI_SEMAPHORE_WAIT",
                         *adreno.READS):
            return False
        if self.name in adreno.WRITES_FIRST:
            return field == self.fields[0]
        return self.name != "COPY_DATA" or field.index == 4

    def record_B(self):
        """The size of a sample's record, or 0 if no packet compares its two
        ends."""
        if self.name == "EVENT_WRITE_ZPASS":
            return 16
        return (RECORD_B.get(self.dw[1] & EVENT_MASK, 0)
                if self.name == "EVENT_WRITE" else 0)

    def size(self):
        """The size of work, or 0."""
        if self.name not in ("work", "skipped work"):
            return 0
        header = self.dw[0]
        return self.dw[SIZES.get(header >> 8 & 0xff if header >> 30 == 3
                                 else header >> 16, 0)]

    def is_at_end(self):
        """Whether it may be of queries at the end of an Adreno batch."""
        return (self.name in adreno.AT_END
                or adreno.is_fence(self.name, self.dw))

    def is_nothing(self):
        """Whether it is a no-op or only a workaround: a PIPE_CONTROL without
        flags counts draws; on GFX12 each draw is followed by an end of the
        pipe without data."""
        header, *rest = self.dw or (0,)
        return (header == 0 or self.name == "DB_COUNT_CONTROL"
                or header >> 16 == 0x7a00 and not any(rest)
                or self.dw == END_OF_PIPE_WITHOUT_DATA
                or header >> 30 == 3 and header >> 8 & 0xff == 0x10)

    def is_wait(self):
        """Whether the command streamer stalls."""
        if self.name == "PIPE_CONTROL":
            return bool(self.dw[1] & (1 << 20 | 1 << 7))
        if self.name == "EVENT_WRITE":
            return self.dw[1] & EVENT_MASK in (0x07, 0x0f, 0x10)
        return self.name in ("WAIT_REG_MEM", "MI_SEMAPHORE_WAIT",
                             "PFP_SYNC_ME", "ACQUIRE_MEM", "SURFACE_SYNC",
                             *adreno.WAITS)


END_OF_PIPE_WITHOUT_DATA = (0xc0064900, 0x528, 0, 0, 0, 0, 0, 0)


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


# Most lines repeat, within a log and between logs: each is decoded once.


def dwords_of(line):
    return tuple(int(dw, 16) for dw in line[1:].split())


@functools.cache
def adreno_command(line, last):
    """The command of a line; last is the name of the one before."""
    dw = dwords_of(line)
    name, *indices = adreno.layout(dw, last) or ("",)
    return Command(name, dw, tuple(
        Field(index) for index in indices if index + 1 < len(dw)))


class AdrenoDecoder:
    """Decodes names and addresses of Adreno commands."""

    def __init__(self):
        self.last = ""  # name

    def decode(self, line):
        command = adreno_command(line, self.last)
        self.last = command.name
        return command

    @staticmethod
    def ends_batch(_):
        return False


class Decoder(NamedTuple):
    """Decodes names and addresses of a GPU's commands."""
    is_intel: bool
    is_gfx9: bool # or later

    def layout(self, header):
        if not self.is_intel:
            commands = AMD if self.is_gfx9 else AMD_BEFORE_GFX9
            return (commands.get(header >> 8 & 0xff) if header >> 30 == 3
                    else None)
        if header >> 29 == 0:
            return INTEL_MI.get(header >> 23)
        return INTEL_3D.get(header >> 16)

    @functools.cache
    def decode(self, line):
        dw = dwords_of(line)
        name, *fields = self.layout(dw[0]) or ("",)
        if name == "DMA_DATA" and dw[2:4] == dw[4:6]:
            name = ""  # only fills a cache
        if name == "PIPE_CONTROL" and not any(dw[1:]):
            name = ""  # workaround that counts draws
        if dw == END_OF_PIPE_WITHOUT_DATA:
            name = ""  # workaround after each draw of GFX12
        return Command(name, dw, tuple(
            field for field in fields
            if field.index + 1 < len(dw) and field.is_there(dw)
            and any(dw[field.index:field.index + 2])))

    def ends_batch(self, command):
        return (self.is_intel
                and command.dw[0] >> 23 == MI_BATCH_BUFFER_END)


class Totals(NamedTuple):
    """Calls of the kernel."""
    ioctls: int = 0
    submissions: int = 0
    waits: int = 0
    memory_B: int = 0

    def minus(self, other):
        return Totals(*(a - b for a, b in zip(self, other)))


# The sizes of work in a scene: enum golden_size of scenes.h.
COUNTED, BEFORE, AFTER, LAST = 33, 39, 51, 57
# The dword with the size, by the work's command.
SIZES = {0x2d: 1, 0x15: 1, 0x7b00: 2, 0x7105: 7, 0x7208: 7, **adreno.SIZES}
BATCH = Command("new batch", ())


class Scene:
    """A scene's commands, by ring."""

    def __init__(self, before):
        self.rings = {}
        self.memory = set() # (address, bytes) of its batches' buffers
        self.totals = before

    @staticmethod
    def canonical(address):
        """Clears an address's upper bits, which only sign-extend it."""
        return address & (1 << ADDRESS_BITS) - 1

    def commands(self, ring):
        return self.rings.setdefault(ring, [])

    @functools.cached_property
    def segments(self):
        """Each step's commands, by (ring, step)."""
        return {(ring, step): segment
                for ring, commands in self.rings.items()
                for step, segment in segments_of(commands).items()}


def segments_of(commands):
    """Splits a ring's commands: "begin", "counted" between counted work,
    "end", "then"; or "all" if the ring has no work of the scene. The state at
    the start of the first batch and the end of the last one are dropped,
    except on Adreno what may be of queries: "batch end"."""
    if not any(command.size() in (BEFORE, AFTER) for command in commands):
        return {"all": commands}
    segments = {step: [] for step in ("begin", "counted", "end", "then",
                                      "batch end")}
    segment, seen = None, 0
    for command in commands:
        size = command.size()
        if size == BEFORE:
            segment = segments["begin"]
        elif size == AFTER:
            segment = segments["then"]
        elif size == LAST:
            segment = segments["batch end"]
        elif size == COUNTED and segment is not segments["then"]:
            seen += 1
            segment = segments["counted" if seen < 5 else "end"]
        elif segment is segments["batch end"]:
            segment += [command] if command.is_at_end() else []
        elif segment is not None:
            segment.append(command)
    return segments


def drop_end_of_batch(commands):
    """Drops Intel's fence at the end of a batch, whose seqno always differs,
    and the stalls before it."""
    if not commands or commands[-1].name != "PIPE_CONTROL":
        return
    fence = commands[-1].dw
    if fence[1] >> 14 & 3 == 1 and fence[1] & 0x20:
        while (commands and commands[-1].name == "PIPE_CONTROL"
               and commands[-1].dw[2:4] in (fence[2:4], (0, 0))):
            commands.pop()


class Log:
    def __init__(self, text, device):
        self.decoder = (AdrenoDecoder() if device.driver == "freedreno"
                        else Decoder(device.driver == "iris",
                                     facts_of(device.gpu).level >= GFX9))
        self.scenes = {}
        self.scene = None
        self.ring = 0
        self.commands = [] # of the scene on the ring
        self.kernel = Totals()
        for line in text.splitlines():
            if line[0] != ">":
                kind, _, rest = line.partition(": ")
                self.read(kind, rest)
            elif self.scene:
                self.command(line)

    def read(self, kind, rest):
        if kind == "kernel":
            self.kernel = Totals(*map(int, rest.split()))
        elif kind == "mark":
            self.mark(*rest.split(" ", 1))
        elif kind == "batch":
            self.ring = int(rest)
        if self.scene is None:
            return
        if kind in ("mark", "batch"):
            self.commands = self.scene.commands(self.ring)
            if kind == "batch" and self.commands:
                self.commands.append(BATCH)
        elif kind == "memory":
            address, size_B = rest.split()
            self.scene.memory.add((self.scene.canonical(int(address, 16)),
                                   int(size_B)))
        elif kind == "note":
            self.note(rest.split(" ", 1)[1])

    def mark(self, what, name):
        if what == "begin":
            self.scene = self.scenes[name] = Scene(self.kernel)
        else:
            self.scene.totals = self.kernel.minus(self.scene.totals)
            self.scene = None

    def command(self, line):
        command = self.decoder.decode(line)
        if self.decoder.ends_batch(command):
            drop_end_of_batch(self.commands)
        self.commands.append(command)

    def note(self, text):
        """Adds effects that only the simulated GPU sees to the command
        before."""
        if text in ("work", "work skipped"):
            name = "work" if text == "work" else "skipped work"
            if isinstance(self.decoder, AdrenoDecoder):
                adreno.put_last(self.commands)
            self.commands[-1] = self.commands[-1]._replace(name=name,
                                                           fields=())
        elif text.startswith("count control"):
            self.commands.append(Command("DB_COUNT_CONTROL",
                                         (int(text.split()[-1], 16),)))
