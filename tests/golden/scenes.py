# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Reads a simulated GPU's log (tests/sim/log.h): the commands of each scene,
and texts of them for comparison.

A command becomes a line: its name, and its dwords in hexadecimal digits, with
names in place of addresses, so that two drivers that emit the same have the
same lines, wherever their memory is. Names number a scene's addresses in the
order of use: s0, s1... are samples, w0, w1... are written by other commands,
x0, x1... are only read. If an AMD packet compares a pair of samples, the
second one is s0+8 or s0+16.
"""

import collections
import functools
import itertools
import re
from typing import NamedTuple

from tests.golden import adreno, amd, intel
from tests.golden.packets import (ADDRESS_BITS, HIGH, NOTHING, STATE, Command,
                                  facts_of)

FAMILIES = {"iris": intel, "radeonsi": amd, "freedreno": adreno}

# The sizes of work in a scene: enum golden_size of scenes.h.
COUNTED, BEFORE, AFTER, LAST = 33, 39, 51, 57
STARTS = {BEFORE: "begin", AFTER: "then", LAST: "batch end"}
DRAWS_WITHIN = 4 # between the first counted work and the last
BATCH = Command("new batch", (), NOTHING)

SCENE = re.compile(r"(?:^kernel: (.*)\n)?^mark: begin (.*)\n"
                   r"((?:(?!mark: ).*\n)*?)"
                   r"(?:^kernel: (.*)\n)?^mark: end ", re.MULTILINE)


class Totals(NamedTuple):
    """Calls of the kernel."""
    ioctls: int = 0
    submissions: int = 0
    waits: int = 0
    memory_B: int = 0


class Scene(NamedTuple):
    """steps has the commands by (ring, step); memory is [(address, bytes)] of
    the buffers of its batches."""
    steps: dict
    memory: list = []
    totals: Totals = Totals()


@functools.cache
def command_of(line, family, level, follows_wait):
    """The command of a line. Most lines repeat, within a log and between
    logs."""
    dw = tuple(int(dw, 16) for dw in line.split())
    packet = (family.packet_of(dw, level, follows_wait)
              or (STATE if dw[0] else NOTHING))
    return Command(packet.name, dw, packet, tuple(
        field for field in packet.fields
        if field.index + 1 < len(dw) and field.is_there(dw)
        and any(dw[field.index:field.index + 2])))


def add_command(commands, line, family, level):
    follows_wait = bool(commands and commands[-1].name == adreno.WAIT)
    command = command_of(line, family, level, follows_wait)
    if family is intel and command.dw[0] >> 23 == intel.BATCH_BUFFER_END:
        intel.drop_end_of_batch(commands)
    commands.append(command)


def add_note(commands, text, family):
    """Adds effects that only the simulated GPU sees to the command before."""
    if text in ("work", "work skipped"):
        if family is adreno:
            adreno.put_last(commands)
        work = commands[-1]
        commands[-1] = work._replace(
            name="work" if text == "work" else "skipped work", fields=(),
            size=family.size_of(work.dw))
    elif text.startswith("count control"):
        commands.append(Command("DB_COUNT_CONTROL",
                                (int(text.split()[-1], 16),), NOTHING))


def canonical(address):
    """Clears an address's upper bits, which only sign-extend it."""
    return address & (1 << ADDRESS_BITS) - 1


def read_scene(text, device):
    family, level = FAMILIES[device.driver], facts_of(device.gpu).level
    rings, memory, commands = collections.defaultdict(list), [], []
    for line in text.splitlines():
        kind, _, rest = line.partition(" ")
        if kind == ">":
            add_command(commands, rest, family, level)
        elif kind == "note:":
            add_note(commands, rest.partition(" ")[2], family)
        elif kind == "memory:":
            address, size_B = rest.split()
            memory.append((canonical(int(address, 16)), int(size_B)))
        elif kind == "batch:":
            commands = rings[int(rest)]
            if commands:
                commands.append(BATCH)
    return Scene({(ring, step): found for ring in sorted(rings)
                  for step, found in steps_of(rings[ring]).items()},
                 list(dict.fromkeys(memory)))


def scenes_of(log, device):
    """Returns {name: Scene} of the scenes that were played to their end."""
    found = {}
    for before, name, text, after in SCENE.findall(log):
        totals = itertools.starmap(lambda a, b: int(a) - int(b),
                                   zip(after.split(), before.split()))
        found[name] = read_scene(text, device)._replace(
            totals=Totals(*totals))
    return found


def steps_of(commands):
    """Splits a ring's commands: "begin", "counted" between counted work,
    "end", "then"; or "all" if the ring has no work of the scene. The state at
    the start of the first batch and the end of the last one are dropped,
    except on Adreno what may be of queries: "batch end"."""
    if not any(command.size in (BEFORE, AFTER) for command in commands):
        return {"all": commands}
    steps = {step: [] for step in ("begin", "counted", "end", "then",
                                   "batch end")}
    now, counted = None, 0
    for command in commands:
        if command.size == COUNTED and now != "then":
            counted += 1
            now = "counted" if counted <= DRAWS_WITHIN else "end"
        elif command.size in STARTS:
            now = STARTS[command.size]
        elif now and (now != "batch end" or adreno.is_at_end(command)):
            steps[now].append(command)
    return steps


#
# Texts
#

QWORD_MASK = (1 << ADDRESS_BITS) - 8


def names_of(commands):
    """Returns {address of a qword: name}."""
    names, records = {}, []
    numbers = {kind: itertools.count() for kind in "swx"}
    uses = [("s" if command.packet.is_sample(command.dw) else
             "x" if field.is_read else "w", command, command.address(field))
            for command in commands for field in command.fields]
    for kind, command, address in sorted(uses, key=lambda use: use[0]):
        if address & QWORD_MASK in names:
            continue
        event = (command.dw[:2] if command.name == "EVENT_WRITE"
                 else command.name)
        name = next((f"{first}+{address - begin}"
                     for other, first, begin, end in records if kind == "s"
                     and event == other and begin < address < end), None)
        if not name:
            name = f"{kind}{next(numbers[kind])}"
            if kind == "s":
                records.append((event, name, address, address
                                + command.packet.record_B(command.dw)))
        names[address & QWORD_MASK] = name
    return names


def line_of(command, names):
    """A command's line. It shows an address's upper bits if they do not
    sign-extend the lower ones."""
    if "work" in command.name:
        return f"{command.name}\n"
    texts = [command.name, *(f"{dw:x}" for dw in command.dw)]
    for field in command.fields:
        address = command.address(field)
        rest = command.dw[field.index + 1] & ~field.high
        upper = address >> ADDRESS_BITS - 1
        texts[field.index + 1] = names[address & QWORD_MASK] + (
            f"+{address & 7}" if address & 7 else "")
        texts[field.index + 2] = (
            f"({upper >> 1:x})" if field.high == HIGH
            and upper not in (0, (1 << 17) - 1) else f"{rest:x}" if rest
            else "")
    return " ".join(filter(None, texts)) + "\n"


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
    """Each step's text, by (ring, step): a line per command, or after a query
    on Intel a line per effect."""
    names = names_of(itertools.chain(*scene.steps.values()))
    texts = {}
    for (ring, step), commands in scene.steps.items():
        text = FLUSH_NUMBER.sub(r"\1n\2n", "".join(
            line_of(command, names) for command in commands if command.name))
        texts[ring, step] = effects(text) if step == "then" else text
    return texts


def fault_of_memory(scene, gpu):
    """What is wrong with a query's writes: each packet must stay in one
    buffer, and no two packets may write to the same dword."""
    writers = {} # by address of a dword
    writes = [(step, command, canonical(command.address(field)))
              for (_, step), commands in scene.steps.items() if step != "then"
              for command in commands for field in command.fields]
    for step, command, address in writes:
        dwords = [address + offset
                  for offset in command.packet.written(command.dw, gpu)]
        if dwords and not any(begin <= dwords[0] and dwords[-1] < begin + size_B
                              for begin, size_B in scene.memory):
            return f"{command.name} in {step} writes beyond a buffer"
        for dword in dwords:
            other, other_step = writers.setdefault(dword, (address, step))
            if other & ~7 != address & ~7:
                return (f"{command.name} in {step} overwrites what "
                        f"{other_step} wrote")
    return ""
