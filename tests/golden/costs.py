# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The cost of queries with Pitot in the driver, compared with the stock
driver: the dwords and waits that a step adds to the command stream, and the
ioctls, batches and waits of the CPU of all queries. Pitot may cost more only
as worse.py allows."""

import collections
import re
from typing import NamedTuple

from tests.golden.packets import NOTHING

FIRST_THEN = re.compile(r" (?:store|condition|known) .*")


class Row(NamedTuple):
    """A step's cost, with stock Mesa and with Pitot."""
    kind: str
    step: str
    stock: tuple
    pitot: tuple

    def name(self):
        return f"{self.step} of {self.kind}"


def plus(cost, other, sign=1):
    return tuple(a + sign * b for a, b in zip(cost, other))


def cost_of(scene, *steps):
    """The dwords and waits of these steps, or of all, on all rings, except for
    the scene's work and no-ops."""
    counted = [command for (_, step), commands in scene.steps.items()
               if step in (steps or (step,)) for command in commands
               if command.packet is not NOTHING and not command.size]
    return (sum(len(command.dw) for command in counted),
            sum(bool(command.packet.is_wait(command.dw))
                for command in counted))


def steps_of(name, scenes):
    """The steps of a scene, as {step: cost}; none if a scene is missing."""
    then, base = name.partition(" ")[2], FIRST_THEN.sub("", name)
    if not {name, base} <= scenes.keys():
        return {}
    scene = scenes[name]
    if base != name:
        return {then: plus(cost_of(scene), cost_of(scenes[base]), -1)}
    if then: # in two batches
        return {"from one batch to the next": cost_of(scene, "counted")}
    return {"begin": cost_of(scene, "begin"),
            "end": cost_of(scene, "end", "all", "batch end")}


def totals_of(plan, scenes):
    """The calls of the kernel, by a step of all scenes: one may make an ioctl
    that spares later ones."""
    sums = collections.defaultdict(lambda: (0, 0, 0))
    for name in plan:
        if name in scenes:
            step = name.partition(" ")[2] or "begin and end"
            sums[step] = plus(sums[step], scenes[name].totals[:3])
    sums["memory"] = (sum(scenes[name].totals.memory_B for name in plan
                          if name in scenes),)
    return sums


def rows_of(plan, stock, pitot):
    """The rows of all scenes that both sides have, and of "all" together."""
    for name in plan:
        theirs, ours = steps_of(name, stock), steps_of(name, pitot)
        for step in theirs if ours else ():
            yield Row(name.partition(" ")[0], step, theirs[step], ours[step])
    theirs, ours = totals_of(plan, stock), totals_of(plan, pitot)
    for step in dict.fromkeys([*theirs, *ours]):
        yield Row("all", step, theirs[step], ours[step])


def verdict_of(worse, row):
    """The verdict on a row, and the reason."""
    more = plus(row.pitot, row.stock, -1)
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
    for row in rows_of(plan, stock.scenes, pitot.scenes):
        verdict, why = verdict_of(worse, row)
        if row.step == "memory" and device.driver != "iris":
            verdict, why = "skipped", ("memory is taken in large parts, by "
                                       "whoever needs the next one")
        yield verdict, f"cost of {row.name()}", why
