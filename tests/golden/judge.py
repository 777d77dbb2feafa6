# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Judges the recordings of a GPU: yields (verdict, name, reason), with a
failure for a scene that is missing.

Pitot's commands must be stock Mesa's, except for the differences in
differences.py. Values must be the simulation's. Mesa's own decoders must have
seen on Debian's Mesa as many packets of each kind as the simulator."""

import difflib
import re

from tests.golden import costs
from tests.golden.lists import gpus_of
from tests.golden.recordings import NAMES, Recording, sides_of
from tests.golden.scenes import fault_of_memory, texts_of

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

# By driver: a kind of packet in the simulator's log, and in Mesa's decoder's.
# freedreno has no decoder.
PACKETS = {
    "iris": [
        (r"write timestamp", r"Post Sync Operation: 3 \("),
        (r"write depth count", r"Post Sync Operation: 2 \("),
        (r"store register", r"MI_STORE_REGISTER_MEM"),
    ],
    "radeonsi": [
        (r"zpass (done|dump|packet)",
         r"EVENT_TYPE (<-|=) (ZPASS_DONE|PIXEL_PIPE_STAT_DUMP)"
         r"|EVENT_WRITE_ZPASS"),
        (r"^note: \w+ statistics$", r"EVENT_TYPE (<-|=) SAMPLE_PIPELINESTAT"),
        (r"streamout", r"EVENT_TYPE (<-|=) SAMPLE_STREAMOUTSTATS"),
    ],
}
# Shaders write and count it.
UNUSED = rf"{gpus_of('radeonsi', 110)}/streamout"


def judged(name, fault, why_skipped=""):
    verdict = "failed" if fault else "skipped" if why_skipped else "passed"
    return verdict, name, fault or why_skipped


#
# Commands
#

LOADS = re.compile(r"(?:loads .*\n)+")
NAME = re.compile(r"(?<!\w)([swx])\d\w*")
# A query's commands of Pitot alone, without stalls of stream-out.
OF_QUERY = re.compile(r"^(?:.* [sw]\d|PIPE_CONTROL \w+ (?!100000 0 0)).*\n",
                      re.MULTILINE)


def sort_lines(found):
    return "".join(sorted(found[0].splitlines(keepends=True)))


def renumbered(texts):
    """Numbers addresses again in the order of use; loads have no order."""
    numbers, counts = {}, {"s": 0, "w": 0, "x": 0}

    def number(found):
        if found[0] not in numbers:
            numbers[found[0]] = f"{found[1]}{counts[found[1]]}"
            counts[found[1]] += 1
        return numbers[found[0]]

    return {key: LOADS.sub(sort_lines, NAME.sub(number, texts[key]))
            for key in sorted(texts)}


def compare(differences, scene, theirs, ours):
    """Returns the lines that differ without a stated reason ("- " marks stock
    Mesa's), and why a part was not compared, or "". Texts are by (ring,
    step)."""
    why_skipped, lines = "", []
    keys = sorted(theirs.keys() | ours.keys())
    theirs, ours = ({key: texts.get(key, "") for key in keys}
                    for texts in (theirs, ours))
    for difference in differences.entries_of(scene):
        for key in keys:
            if difference.apply(theirs, ours, key):
                differences.used.add(difference)
                if difference.is_skipped:
                    why_skipped = difference.why
    theirs, ours = renumbered(theirs), renumbered(ours)
    for ring, step in keys:
        delta = [line for line in difflib.ndiff(
            theirs[ring, step].splitlines(), ours[ring, step].splitlines())
            if line[0] in "-+"]
        lines += [f"ring {ring}, {step}:", *delta] if delta else []
    return lines, why_skipped


def of_query(texts):
    """The texts of a query's commands, without the ring's name."""
    view = {}
    for (_, step), text in texts.items():
        if step in ("begin", "counted", "end"):
            view["any", step] = view.get(("any", step), "") + "".join(
                OF_QUERY.findall(text)).replace(" (0)", "")
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


#
# Values, memory and packets
#

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
                         fault_of_memory(side.scenes[scene], gpu))


def count(pattern, text):
    """Counts the lines that the pattern matches up to their end."""
    return len(re.findall(f"(?:{pattern}).*", text, re.MULTILINE))


def check_packets(device, debian):
    for ours, theirs in PACKETS[device.driver]:
        simulated, seen = count(ours, debian.log), count(theirs, debian.stderr)
        is_used = not re.fullmatch(UNUSED, f"{device.gpu}/{ours}")
        yield judged(
            f"Mesa's decoder of '{ours}'",
            f"the simulator had {simulated}, the decoder had {seen}"
            if simulated != seen or bool(seen) != is_used else "")


def check_errata(pitot):
    yield judged("Pitot in the driver keeps errata", next(
        (line for line in pitot.stderr.splitlines()
         if "pitot-sim: violation" in line),
        "" if pitot.log else "the simulator saw nothing at all"))


def results_of(folder, device, plan, lists):
    """lists: the differences, those of Pitot alone, and higher costs."""
    gpu = device.gpu
    in_driver, by_itself, worse = lists
    debian, stock, pitot, alone = (
        Recording(folder, device, side) for side in NAMES)
    yield from check_commands(in_driver, "", plan, stock, pitot)
    yield from check_commands(by_itself, ", by itself",
                              scenes_alone(plan, alone), stock, alone,
                              of_query)
    if "debian" in sides_of(device):
        yield from check_values(gpu, plan, alone, "Debian's driver", debian)
        yield from check_packets(device, debian)
    yield from check_values(gpu, plan, alone, "Pitot in it", pitot)
    yield from check_memory(gpu, plan, "", pitot)
    yield from check_memory(gpu, plan, ", by itself", alone)
    yield from costs.judge(worse, device, plan, stock, pitot)
    yield from check_errata(pitot)
    for entry in (entry for each in lists for entry in each.unused()):
        yield judged("lists", f"nothing is like this any more on {gpu}: "
                     f"{entry.where} ({entry.why})")
