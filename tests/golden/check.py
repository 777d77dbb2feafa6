# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Judges the recordings of a GPU. Their files are

    GPU.SIDE.log        the simulator's log (tests/sim/log.h)
    GPU.SIDE.values     "SCENE<tab>VALUE" for each scene that was played
    GPU.SIDE.stderr     the messages of the driver and of the simulator

SIDE is "debian" for Debian's Mesa, which lacks freedreno, "stock" for stock
Mesa, "pitot" for the same Mesa with Pitot in the driver, and "alone" for a drm
context. A missing scene is a failure.
"""

import re
from typing import NamedTuple

import costs
import memory
import packets
from compare import gpus_of
from texts import texts_of

# The buffer's content if nothing was stored.
UNTOUCHED = 0xa5a5a5a5a5a5a5a5

# Values that are not compared with the simulation: (reason, regular expression
# for "GPU/SCENE, DRIVER").
UNCOUNTED = [
    ("its results are not read", r".*/all-statistics, .*"),
    ("the driver counts in its shaders, which do not run",
     rf"{gpus_of('radeonsi', 110)}/(?:primitives-(?:generated|written).*"
     r"|gs-primitives in two batches.*, Debian's driver)"),
]


class Result(NamedTuple):
    verdict: str
    case: str
    why: str = ""



class Recording:
    """A GPU's scenes on one side; empty without a recording."""

    def __init__(self, directory, device, side):
        path = directory / f"{device.gpu}.{side}"
        self.scenes, self.values = {}, {}
        if path.with_name(f"{path.name}.log").exists():
            self.scenes = packets.Log(f"{path}.log", device).scenes
        if path.with_name(f"{path.name}.values").exists():
            with open(f"{path}.values", encoding="utf-8") as lines:
                for line in lines:
                    name, *fields = line.rstrip("\n").split("\t")
                    self.values[name] = fields


def kind_of(scene):
    return scene.partition(" ")[0]


def judged(case, fault, why_skipped=""):
    if fault or not why_skipped:
        return Result("failed" if fault else "passed", case, fault or "")
    return Result("skipped", case, why_skipped)


#
# Commands
#

# A query's commands of Pitot alone, without stalls of stream-out.
OF_QUERY = re.compile(r"(?:.* [sw]\d|PIPE_CONTROL \w+ (?!100000 0 0))")


def of_query(texts):
    """The texts of a query's commands, without the ring's name."""
    view = {}
    for (_, step), text in texts.items():
        if step in ("begin", "counted", "end"):
            view["any", step] = view.get(("any", step), "") + "".join(
                line for line in text.splitlines(keepends=True)
                if OF_QUERY.match(line)).replace(" (0)", "")
    return view


def compare_commands(comparison, gpu, name, scenes, stock, ours, view=dict):
    for scene in scenes:
        case = f"commands of {scene}{name}"
        lacking = [side for side, there in (("stock Mesa", stock),
                                            ("Pitot", ours))
                   if scene not in there.scenes]
        if lacking:
            yield judged(case, f"no recording of {' and '.join(lacking)}")
            continue
        faults = comparison.faults_of(
            gpu, scene, *(view(texts_of(side.scenes[scene]))
                          for side in (stock, ours)))
        yield judged(case, "\n  ".join(["different:", *faults]) if faults
                     else None, comparison.why_skipped)


def scenes_alone(plan, alone):
    """The scenes that Pitot must play alone: those that it counts, if it has a
    context. In scenes of dispatches, golden-hw has no draws around them."""
    counted = [scene for scene in plan
               if " " not in scene and "-of-" not in scene
               and alone.values.get(scene, [""])[0] != "-"]
    return counted if counted != ["all-statistics"] else []


#
# Values
#

def expected_of(scene, alone):
    """The values that a scene may have, or None for a time."""
    expected = alone.values[kind_of(scene)][1]
    if "availability" in scene:
        return ["0", "1"]
    if expected == "-":
        return None
    if "without waiting" in scene:
        return [expected, str(UNTOUCHED)]
    return [expected]


def check_values(gpu, plan, alone, name, side):
    """Compares a recording's values with the simulation."""
    for scene in plan:
        kind = kind_of(scene)
        case = f"value of {scene}, {name}"
        why = next((why for why, where in UNCOUNTED
                    if re.fullmatch(where, f"{gpu}/{scene}, {name}")), "")
        if why:
            yield judged(case, None, why)
            continue
        if scene not in side.values or kind not in alone.values:
            yield judged(case, "no recording of it")
            continue
        expected, value = expected_of(scene, alone), side.values[scene][0]
        yield judged(case, None if expected is None and value not in ("-", "0")
                     or expected is not None and value in expected
                     else f"{value} in place of {expected}")


#
# Costs
#

def check_costs(judge, device, plan, stock, pitot):
    for rows in costs.rows_of, costs.kernel_rows_of, costs.memory_rows_of:
        for row in rows(plan, stock.scenes, pitot.scenes):
            case = f"cost of {row.step} of {row.kind}"
            if row.step == "memory" and device.driver != "iris":
                yield judged(case, None, "memory is taken in large parts, by "
                             "whoever needs the next one")
            else:
                verdict, why = judge.verdict(device.gpu, row)
                yield Result(verdict, case, why)


def check_memory(gpu, plan, name, side):
    for scene in plan:
        if scene in side.scenes: # a missing scene fails as commands
            yield judged(f"memory of {scene}{name}",
                         memory.fault_of(side.scenes[scene], gpu))


def check_gpu(directory, device, plan, judges):
    """Yields a GPU's results. judges: comparisons with Pitot in the driver and
    alone, and the judge of costs."""
    in_driver, by_itself, judge = judges
    gpu = device.gpu
    debian, stock, pitot, alone = (
        Recording(directory, device, side)
        for side in ("debian", "stock", "pitot", "alone"))
    yield from compare_commands(in_driver, gpu, "", plan, stock, pitot)
    yield from compare_commands(by_itself, gpu, ", by itself",
                                scenes_alone(plan, alone), stock, alone,
                                of_query)
    sides = [("Debian's driver", debian), ("Pitot in it", pitot)]
    for name, side in sides if device.driver != "freedreno" else sides[1:]:
        yield from check_values(gpu, plan, alone, name, side)
    yield from check_memory(gpu, plan, "", pitot)
    yield from check_memory(gpu, plan, ", by itself", alone)
    yield from check_costs(judge, device, plan, stock, pitot)


def check_lists(judges):
    """Yields a failure for each entry that nothing needs."""
    for judge in judges:
        for entry in judge.unused():
            yield Result("failed", "lists", "nothing is like this any more: "
                         f"{entry.where} ({entry.why})")
