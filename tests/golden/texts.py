# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Texts of the commands of scenes, for comparison.

A command becomes a line: its name, and its dwords in hexadecimal digits, with
names in place of addresses, so that two drivers that emit the same have the
same lines, wherever their memory is. Names number a scene's addresses in the
order of use: s0, s1... are samples, w0, w1... are written by other commands,
x0, x1... are only read. If an AMD packet compares a pair of samples, the
second one is s0+8 or s0+16.
"""

import re

from tests.golden.packets import ADDRESS_BITS, HIGH

QWORD_MASK = (1 << ADDRESS_BITS) - 8


class Names:
    """A scene's names for addresses."""

    def __init__(self, segments):
        self.names = {}
        self.records = [] # (event, begin, end)
        self.counts = {"s": 0, "w": 0, "x": 0}
        uses = [(command, field) for segment in segments
                for command in segment for field in command.fields]
        for command, field in uses:
            if command.packet.is_sample(command.dw):
                self.add_sample(command, command.address(field))
        for prefix, is_write in ("w", True), ("x", False):
            for command, field in uses:
                if field.is_read != is_write:
                    self.add(prefix, command.address(field))

    def add(self, prefix, address):
        address &= QWORD_MASK
        if address not in self.names:
            self.names[address] = f"{prefix}{self.counts[prefix]}"
            self.counts[prefix] += 1

    def add_sample(self, command, address):
        event = (command.dw[:2] if command.name == "EVENT_WRITE"
                 else command.name)
        for other, begin, end in self.records:
            if event == other and begin < address < end:
                self.names[address & QWORD_MASK] = (
                    f"{self.names[begin & QWORD_MASK]}+{address - begin}")
                return
        self.add("s", address)
        size_B = command.packet.record_B(command.dw)
        if size_B:
            self.records.append((event, address, address + size_B))

    def name(self, address):
        name = self.names[address & QWORD_MASK]
        return f"{name}+{address & 7}" if address & 7 else name


def is_sign_extended(address):
    return address >> (ADDRESS_BITS - 1) in (0, (1 << 17) - 1)


def line_of(command, names):
    """A command's line. It shows an address's upper bits if they do not
    sign-extend the lower ones."""
    if "work" in command.name:
        return command.name
    texts = [f"{dw:x}" for dw in command.dw]
    for field in command.fields:
        address = command.address(field)
        low, high = field.index, field.index + 1
        texts[low] = names.name(address)
        rest = command.dw[high] & ~field.high
        texts[high] = f"{rest:x}" if rest else ""
        if field.high == HIGH and not is_sign_extended(address):
            texts[high] = f"({address >> ADDRESS_BITS:x})"
    return " ".join([command.name, *(text for text in texts if text)])


ACCESS = re.compile(r"MI_(LOAD|STORE)_REGISTER_MEM (\w+) (\w+) (.*)\n")
# Registers by which an Intel GPU decides about draws.
PREDICATES = ("2400", "2404", "2408", "240c", "2418", "418")
IS_PREDICATED = 1 << 21


def effects(text):
    """An Intel program's effects in place of its arithmetic: sets of loads
    between the other effects."""
    lines, loads = [], set()
    for line in [*text.splitlines(keepends=True), ""]:
        found = ACCESS.fullmatch(line)
        if found and found[1] == "LOAD":
            loads.add(f"loads {found[4]}\n")
            if found[3] not in PREDICATES:
                continue
        elif re.match("MI_(MATH|LOAD_REGISTER)", line):
            if line.split()[-1] not in PREDICATES:
                continue
        lines += sorted(loads)
        loads = set()
        if found and found[1] == "STORE":
            line = f"stores {found[4]}\n"
            if int(found[2], 16) & IS_PREDICATED:
                line = f"stores {found[4]} if predicated\n"
        elif line.startswith("MI_LOAD"):
            line = "sets the predicate\n"
        lines.append(line)
    return "".join(lines)


# The number of radeonsi's own flush, which always differs.
FLUSH_NUMBER = re.compile(r"(RELEASE_MEM \w+ \w+2d \w+ w\w+ )\w+( 0 0\n"
                          r"WAIT_REG_MEM \w+ 13 w\w+ )\w+")


def texts_of(scene):
    """Each segment's text, by (ring, step): a line per command, or after a
    query on Intel a line per effect."""
    segments = {key: [command for command in scene.segments[key]
                      if command.name]
                for key in sorted(scene.segments, key=lambda key: key[0])}
    names = Names(segments.values())
    texts = {key: FLUSH_NUMBER.sub(r"\1n\2n", "".join(
        line_of(command, names) + "\n" for command in segment))
             for key, segment in segments.items()}
    return {(ring, step): effects(text) if step == "then" else text
            for (ring, step), text in texts.items()}
