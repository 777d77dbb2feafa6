# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Judges the recordings of a GPU. Results are (verdict, name, reason); a
missing scene is a failure."""

import re

from tests.golden import costs, memory, witness
from tests.golden.compare import compare
from tests.golden.lists import gpus_of
from tests.golden.recordings import Recording
from tests.golden.texts import texts_of

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

# A query's commands of Pitot alone, without stalls of stream-out.
OF_QUERY = re.compile(r"(?:.* [sw]\d|PIPE_CONTROL \w+ (?!100000 0 0))")


def judged(name, fault, why_skipped=""):
    verdict = "failed" if fault else "skipped" if why_skipped else "passed"
    return verdict, name, fault or why_skipped


def of_query(texts):
    """The texts of a query's commands, without the ring's name."""
    view = {}
    for (_, step), text in texts.items():
        if step in ("begin", "counted", "end"):
            view["any", step] = view.get(("any", step), "") + "".join(
                line for line in text.splitlines(keepends=True)
                if OF_QUERY.match(line)).replace(" (0)", "")
    return view


def check_commands(differences, name, plan, stock, ours, view=dict):
    for scene in plan:
        case = f"commands of {scene}{name}"
        lacking = [side for side, there in (("stock Mesa", stock),
                                            ("Pitot", ours))
                   if scene not in there.scenes]
        if lacking:
            yield judged(case, f"no recording of {' and '.join(lacking)}")
            continue
        faults, why = compare(differences, scene, *(
            view(texts_of(side.scenes[scene])) for side in (stock, ours)))
        yield judged(case, faults and "\n  ".join(["different:", *faults]), why)


def scenes_alone(plan, alone):
    """The scenes that Pitot must play alone: those that it counts, if it has a
    context. In scenes of dispatches, golden-hw has no draws around them."""
    counted = [scene for scene in plan
               if " " not in scene and "-of-" not in scene
               and alone.values.get(scene, [""])[0] != "-"]
    return counted if counted != ["all-statistics"] else []


def is_right(scene, value, expected):
    """Whether a scene may have this value. expected: the query's result, or
    "-" for a time."""
    if "availability" in scene:
        return value in ("0", "1")
    if expected == "-":
        return value not in ("-", "0")
    return (value == expected
            or "without waiting" in scene and value == str(UNTOUCHED))


def check_values(gpu, plan, alone, name, side):
    """Compares a recording's values with the simulation."""
    for scene in plan:
        case = f"value of {scene}, {name}"
        kind = scene.partition(" ")[0]
        why = next((why for why, where in UNCOUNTED
                    if re.fullmatch(where, f"{gpu}/{scene}, {name}")), "")
        if why:
            yield judged(case, "", why)
        elif scene not in side.values or kind not in alone.values:
            yield judged(case, "no recording of it")
        else:
            value, expected = side.values[scene][0], alone.values[kind][1]
            yield judged(case, "" if is_right(scene, value, expected)
                         else f"{value} in place of {expected}")


def check_memory(gpu, plan, name, side):
    for scene in plan:
        if scene in side.scenes: # a missing scene fails as commands
            yield judged(f"memory of {scene}{name}",
                         memory.fault_of(side.scenes[scene], gpu))


def results_of(folder, device, plan, lists):
    """lists: the differences, those of Pitot alone, and higher costs."""
    gpu = device.gpu
    in_driver, by_itself, worse = lists
    debian, stock, pitot, alone = (
        Recording(folder, device, side)
        for side in ("debian", "stock", "pitot", "alone"))
    yield from check_commands(in_driver, "", plan, stock, pitot)
    yield from check_commands(by_itself, ", by itself",
                              scenes_alone(plan, alone), stock, alone,
                              of_query)
    if device.driver != "freedreno":
        yield from check_values(gpu, plan, alone, "Debian's driver", debian)
    yield from check_values(gpu, plan, alone, "Pitot in it", pitot)
    yield from check_memory(gpu, plan, "", pitot)
    yield from check_memory(gpu, plan, ", by itself", alone)
    yield from costs.judge(worse, device, plan, stock, pitot)
    for name, fault in witness.cases_of(device, debian, pitot):
        yield judged(name, fault)
    for entry in (entry for each in lists for entry in each.unused()):
        yield judged("lists", f"nothing is like this any more on {gpu}: "
                     f"{entry.where} ({entry.why})")
