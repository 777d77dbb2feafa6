# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Reads a simulated GPU's log (tests/sim/log.h): each scene's commands.
texts.py makes texts of them."""

import functools
from typing import NamedTuple

from tests.golden import adreno, amd, intel
from tests.golden.packets import (ADDRESS_BITS, NOTHING, STATE, Command,
                                  facts_of)

FAMILIES = {"iris": intel, "radeonsi": amd, "freedreno": adreno}


@functools.cache
def command_of(line, family, level, last):
    """The command of a line; last is the name of the one before on Adreno.
    Most lines repeat, within a log and between logs."""
    dw = tuple(int(dw, 16) for dw in line[1:].split())
    packet = family.packet_of(dw, level, last) or (STATE if dw[0] else NOTHING)
    return Command(packet.name, dw, packet, tuple(
        field for field in packet.fields
        if field.index + 1 < len(dw) and field.is_there(dw)
        and any(dw[field.index:field.index + 2])))


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
BATCH = Command("new batch", (), NOTHING)


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
    if not any(command.size in (BEFORE, AFTER) for command in commands):
        return {"all": commands}
    segments = {step: [] for step in ("begin", "counted", "end", "then",
                                      "batch end")}
    segment, seen = None, 0
    for command in commands:
        if command.size == BEFORE:
            segment = segments["begin"]
        elif command.size == AFTER:
            segment = segments["then"]
        elif command.size == LAST:
            segment = segments["batch end"]
        elif command.size == COUNTED and segment is not segments["then"]:
            seen += 1
            segment = segments["counted" if seen < 5 else "end"]
        elif segment is segments["batch end"]:
            segment += [command] if adreno.is_at_end(command) else []
        elif segment is not None:
            segment.append(command)
    return segments


class Log:
    def __init__(self, text, device):
        self.family = FAMILIES[device.driver]
        self.level = facts_of(device.gpu).level
        self.scenes = {}
        self.scene = None
        self.ring = 0
        self.commands = [] # of the scene on the ring
        self.last = "" # name, on Adreno
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
        command = command_of(line, self.family, self.level, self.last)
        if self.family is adreno:
            self.last = command.name
        elif (self.family is intel
              and command.dw[0] >> 23 == intel.BATCH_BUFFER_END):
            intel.drop_end_of_batch(self.commands)
        self.commands.append(command)

    def note(self, text):
        """Adds effects that only the simulated GPU sees to the command
        before."""
        if text in ("work", "work skipped"):
            if self.family is adreno:
                adreno.put_last(self.commands)
            work = self.commands[-1]
            self.commands[-1] = work._replace(
                name="work" if text == "work" else "skipped work", fields=(),
                size=self.family.size_of(work.dw))
        elif text.startswith("count control"):
            self.commands.append(Command("DB_COUNT_CONTROL",
                                         (int(text.split()[-1], 16),),
                                         NOTHING))
