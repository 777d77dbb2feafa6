# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The cost of queries with Pitot in the driver, compared with the stock
driver: the dwords and waits that a step adds to the command stream, and the
ioctls, batches and waits of the CPU of all queries. Pitot may cost more only
as worse.py allows."""

import functools
import re
from typing import NamedTuple

from tests.golden.packets import NOTHING

FIRST_THEN = re.compile(r" (?:store|condition|known) .*")


class Cost(NamedTuple):
    dwords: int = 0
    waits: int = 0

    def plus(self, other, sign=1):
        return Cost(*(a + sign * b for a, b in zip(self, other)))

    def __str__(self):
        waits = f" / {self.waits}" if self.waits else ""
        return f"{self.dwords}{waits}"


class Row(NamedTuple):
    """A step's cost, with stock Mesa and with Pitot."""
    kind: str
    step: str
    stock: tuple
    pitot: tuple

    def name(self):
        return f"{self.step} of {self.kind}"


def cost_of(commands):
    """The cost of commands, except for the scene's work and no-ops."""
    counted = [command for command in commands
               if command.packet is not NOTHING and not command.size]
    return Cost(sum(len(command.dw) for command in counted),
                sum(bool(command.packet.is_wait(command.dw))
                    for command in counted))


def costs_of(scene):
    """The cost of each step, on all rings."""
    costs = {}
    for (_, step), commands in scene.segments.items():
        costs[step] = costs.get(step, Cost()).plus(cost_of(commands))
    return costs


def whole_cost(costs):
    return functools.reduce(Cost.plus, costs.values(), Cost())


def steps_of(name, costs_of_scenes):
    """The steps of a scene, as {step: cost}."""
    kind, _, then = name.partition(" ")
    base = FIRST_THEN.sub("", name)
    if base != name:
        return {then: whole_cost(costs_of_scenes[name]).plus(
            whole_cost(costs_of_scenes[base]), -1)}
    costs = costs_of_scenes[name]
    if then: # in two batches
        return {"from one batch to the next": costs.get("counted", Cost())}
    return {"begin": costs.get("begin", Cost()),
            "end": costs.get("end", Cost()).plus(costs.get("all", Cost())).plus(
                costs.get("batch end", Cost()))}


def rows_of(plan, stock, pitot):
    """The rows of all scenes that both sides have."""
    sides = [{name: costs_of(scene) for name, scene in scenes.items()}
             for scenes in (stock, pitot)]
    for name in plan:
        if not all(part in side for side in sides
                   for part in (name, FIRST_THEN.sub("", name))):
            continue
        theirs, ours = (steps_of(name, side) for side in sides)
        for step in theirs:
            yield Row(name.partition(" ")[0], step, theirs[step], ours[step])


KERNEL = ("ioctls", "batches", "waits of the CPU")


def kernel_rows_of(plan, stock, pitot):
    """Sums a step's scenes: one may make an ioctl that spares later ones."""
    sums = {}
    for name in plan:
        step = name.partition(" ")[2] or "begin and end"
        for side, scenes in enumerate((stock, pitot)):
            if name in scenes:
                both = sums.setdefault(step, ([0] * 3, [0] * 3))
                for i, count in enumerate(scenes[name].totals[:3]):
                    both[side][i] += count
    for step, (theirs, ours) in sums.items():
        yield Row("all", step, tuple(theirs), tuple(ours))


def memory_rows_of(plan, stock, pitot):
    theirs, ours = (sum(scenes[name].totals.memory_B for name in plan
                        if name in scenes) for scenes in (stock, pitot))
    yield Row("all", "memory", (theirs,), (ours,))


def all_rows_of(plan, stock, pitot):
    for rows_of_part in rows_of, kernel_rows_of, memory_rows_of:
        yield from rows_of_part(plan, stock, pitot)


def verdict_of(worse, row):
    """The verdict on a row, and the reason."""
    more = [b - a for a, b in zip(row.stock, row.pitot)]
    entries = worse.entries_of(row.name())
    if max(more) <= 0:
        return "passed", ""
    for entry in entries:
        if all(a <= b for a, b in zip(more, entry.most)):
            worse.used.add(entry)
            return "cost", entry.why
    return "failed", (f"{', '.join(map(str, row.pitot))} in place of "
                      f"{', '.join(map(str, row.stock))}")


def judge(worse, device, plan, stock, pitot):
    for row in all_rows_of(plan, stock.scenes, pitot.scenes):
        verdict, why = verdict_of(worse, row)
        if row.step == "memory" and device.driver != "iris":
            verdict, why = "skipped", ("memory is taken in large parts, by "
                                       "whoever needs the next one")
        yield verdict, f"cost of {row.name()}", why
