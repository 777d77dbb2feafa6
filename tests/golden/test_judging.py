# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""How recordings are judged; needs no Mesa."""

import re

import pytest
from tests.golden import costs, scenes
from tests.golden.costs import Row
from tests.golden.judge import compare, judged, results_of
from tests.golden.lists import Difference, List, Worse
from tests.golden.packets import facts_of
from tests.golden.recordings import NAMES
from tests.runners.devices import Device

SKL, NAVI21 = Device("iris", "skl"), Device("radeonsi", "navi21")
A630 = Device("freedreno", "a630")
NAME = "vs-invocations"

STALL = "> 7a000004 100002 0 0 0 0\n"
BEGIN = "> 12000002 2320 1008 0\n> 12000002 2324 100c 0\n"
END = "> 12000002 2320 2008 0\n> 12000002 2324 200c 0\n"
AVAILABLE = "> 10200003 2000 0 1 0\n"
EVENT = "> c0024600 115 {} 0\n"
EOP = "> c0064900 528 20000000 {} 0 80000000 0 0\n"
PREDICATION = "> c0022000 10100 1000 0\n"
SAMPLE = "> 703e8003 40080552 {} 1\n"
SUM = "> 70738009 60000004 1108 1 1108 1 1110 1 1100 1\n"

# By device: work of a size, and the parts of a log. On Adreno, state that a
# draw applies is seen after its packet, and the driver's own fence comes last.
WORK = {SKL: "> 7b000005 0 {:x} 0 1 0 0\n", NAVI21: "> c0012d00 {:x} 2\n",
        A630: "> 70388003 184 1 {:x}\n> 40886401 0\n"}
LOGS = {
    SKL: {"memory": "1000 8192", "begin": STALL + BEGIN,
          "end": STALL + END + AVAILABLE, "last": "> 5000000\n"},
    NAVI21: {"memory": "1000 4096", "begin": EVENT.format("1000"),
             "end": EVENT.format("1008") + EOP.format("1100"),
             "then": PREDICATION},
    A630: {"memory": "100001000 4096", "begin": SAMPLE.format("1100"),
           "end": SAMPLE.format("1110") + SUM,
           "fence": "> 70928000\n> 70460004 4 1000 1 1\n",
           "last": "> 70460004 4 2000 1 7\n"},
}


def log_of(device=SKL, ioctls=2, **changed):
    parts = {"then": "", "fence": "", "last": "", **LOGS[device], **changed}
    before, counted, after, last = (
        WORK[device].format(size) + "note: 0 work\n" for size in (
            scenes.BEFORE, scenes.COUNTED, scenes.AFTER, scenes.LAST))
    return ("kernel: 1 1 1 0\n"
            f"mark: begin {NAME}\nbatch: 0\nmemory: {parts['memory']}\n"
            f"> 61010011 0 0\n{before}{parts['begin']}{counted * 5}"
            f"{parts['end']}{after}{parts['then']}{last}{parts['fence']}"
            f"{parts['last']}kernel: {1 + ioctls} 2 2 0\nmark: end {NAME}\n")


def scene_of(log, device):
    return scenes.scenes_of(log, device)[NAME]


def compared(device, stock, pitot, differences=()):
    """The faults and why a part was not compared, of two logs with these
    changes; and the differences that are unused."""
    listed = List(differences, device.gpu)
    return *compare(listed, NAME, *(
        scenes.texts_of(scene_of(log_of(device, **changed), device))
        for changed in (stock, pitot))), listed.unused()


def is_same(device, **changed):
    return not compared(device, {}, changed)[0]


def edits_of(device):
    """Yields (step, text): a command missing, double, or after the next one;
    each bit that is no address's changed, and each address in place of another
    one."""
    family, level = scenes.FAMILIES[device.driver], facts_of(device.gpu).level
    steps = {step: LOGS[device].get(step, "")
             for step in ("begin", "end", "then", "fence")}
    addresses = set(re.findall(r"\b[12][01][01][08c]\b", str(steps)))
    for step, text in steps.items():
        lines = text.splitlines(keepends=True)
        for i, line in enumerate(lines):
            yield step, [*lines[:i], *lines[i + 1:]]
            yield step, [*lines[:i + 1], *lines]
            if i:
                yield step, [*lines[:i - 1], line, lines[i - 1],
                             *lines[i + 1:]]
            words = line.split()
            fields = scenes.command_of(line[2:], family, level, True).fields
            low = [field.index + 1 for field in fields]
            for k, word in enumerate(words[1:], 1):
                first = 32 if k in low else 16 if k - 1 in low else 0
                for changed in [*(f"{int(word, 16) ^ 1 << bit:x}"
                                  for bit in range(first, 32)),
                                *(addresses - {word} if k in low else ())]:
                    yield step, [*lines[:i], " ".join(
                        [*words[:k], changed, *words[k + 1:]]) + "\n",
                                 *lines[i + 1:]]


@pytest.mark.parametrize("device", LOGS, ids=str)
def test_each_edit_is_a_difference(device):
    for step, lines in edits_of(device):
        assert not is_same(device, **{step: "".join(lines)}), (step, lines)


@pytest.mark.parametrize("expected, device, step, text", [
    # memory
    (True, SKL, "begin", STALL + BEGIN.replace("100", "150")),
    (True, A630, "fence", LOGS[A630]["fence"].replace("1000", "1800")),
    # state, the workaround after draws, and the driver's own events
    (True, SKL, "begin", STALL + BEGIN + "> 781e0003 0 0 0 0\n"),
    (True, NAVI21, "then", PREDICATION + "> c0064900 528 0 0 0 0 0 0\n"),
    (False, NAVI21, "then", PREDICATION + "> c0064900 c528 0 0 0 0 0 0\n"),
    (True, A630, "last", LOGS[A630]["last"].replace("7\n", "8\n")),
    (True, A630, "begin", SAMPLE.format("1100") + "> 40886401 1\n"
     "> 70460001 26\n"),
    # the end in another record than the begin, or in the same place
    (False, NAVI21, "end", EVENT.format("1010") + EOP.format("1100")),
    (False, SKL, "end", STALL + END.replace("200", "100") + AVAILABLE)])
def test_what_is_the_same(expected, device, step, text):
    assert is_same(device, **{step: text}) == expected


def test_rings_count():
    ours, theirs = (scenes.texts_of(scene_of(log, SKL)) for log in (
        log_of(), log_of().replace("batch: 0", "batch: 1")))
    assert compare(List([], "skl"), NAME, ours, theirs)[0]


def test_a_stated_difference_is_none():
    stated = [Difference("why", "skl/vs-.*", "100002", "100000")]
    begin, end = (LOGS[SKL][step].replace("100002", "100000")
                  for step in ("begin", "end"))
    assert compared(SKL, {}, {"begin": begin}, stated)[0]
    assert compared(SKL, {}, {"begin": begin, "end": end},
                    stated) == ([], "", [])


def test_a_step_with_any_commands_skips_its_scene():
    stated = [Difference("why", "skl/vs-.*", "", r"(?:.*\n)*", "begin",
                         is_skipped=True)]
    assert compared(SKL, {}, {"begin": BEGIN}, stated) == ([], "why", [])
    assert compared(SKL, {}, {}, stated) == ([], "", stated)
    assert [judged("case", fault, "why")[0] for fault in ("", "x")] == [
        "skipped", "failed"]


LOAD, STORE, MATH = ("> 14800002 2608 1008 0\n", "> 12000002 2600 3000 0\n",
                     "> d000000 8008001\n")


@pytest.mark.parametrize("then, expected", [
    (LOAD + STORE, True), (STORE + LOAD, False), (LOAD + STORE * 2, False),
    (LOAD.replace("1008", "2008") + STORE, False),
    (LOAD + STORE.replace("12000002", "12200002"), False)])
def test_effects_in_place_of_arithmetic(then, expected):
    faults, *_ = compared(SKL, {"then": LOAD + MATH + STORE}, {"then": then})
    assert (not faults) == expected


def test_the_end_of_a_batch_costs():
    with_fence, without = (
        costs.steps_of(NAME, {NAME: scene_of(log, A630)})["end"]
        for log in (log_of(A630), log_of(A630, fence="")))
    assert costs.plus(with_fence, without, -1) == (6, 1)


OVERWRITES = "in end overwrites what begin wrote"


@pytest.mark.parametrize("device, step, commands, fault", [
    *((device, "then", "", "") for device in LOGS),
    (SKL, "end", AVAILABLE.replace(" 2000 ", " 1004 "),
     f"MI_STORE_DATA_IMM {OVERWRITES}"),
    (NAVI21, "end", EOP.format("10f0"), f"RELEASE_MEM {OVERWRITES}"),
    (NAVI21, "end", EVENT.format("1010"), f"EVENT_WRITE {OVERWRITES}"),
    (A630, "end", SAMPLE.format("10fc"), f"CP_REG_TO_MEM {OVERWRITES}"),
    (A630, "end", "> 70468003 7015 10f8 1\n",
     f"CP_EVENT_WRITE {OVERWRITES}"),
    (A630, "end", "> 40921802 1fe0 1\n",
     "VPC_SO_STREAM_COUNTS in end writes beyond a buffer"),
    (SKL, "begin", BEGIN.replace("1008", "3000"),
     "MI_STORE_REGISTER_MEM in begin writes beyond a buffer"),
    (NAVI21, "begin", EVENT.format("1f80"),
     "EVENT_WRITE in begin writes beyond a buffer")])
def test_memory(device, step, commands, fault):
    scene = scene_of(log_of(device, **{step: commands}), device)
    assert scenes.fault_of_memory(scene, device.gpu) == fault


#
# Recordings
#

@pytest.fixture
def bad_results(tmp_path):
    """A function that returns the results that did not pass, of recordings
    with these logs."""
    def judge(plan=(NAME,), worse=(), value="15", **logs):
        for side in NAMES:
            log = logs.get(side, log_of())
            if log is not None:
                (tmp_path / f"skl.{side}.log").write_text(log)
                (tmp_path / f"skl.{side}.values").write_text(
                    f"{NAME}\t{value if side == 'pitot' else 15}\t15\n")
        lists = [List(entries, "skl") for entries in ([], [], worse)]
        return [(verdict, name) for verdict, name, _ in results_of(
            tmp_path, SKL, plan, lists)
            if verdict != "passed" and "decoder" not in name]
    return judge


def test_all_is_well(bad_results):
    assert bad_results() == []


@pytest.mark.parametrize("side, log", [
    *((side, None) for side in NAMES),
    *((side, log) for side in ("stock", "pitot", "alone")
      for log in ("", log_of()[:log_of().index(AVAILABLE)]))])
def test_a_recording_that_is_missing_or_breaks_off_has_failed(
        side, log, bad_results):
    assert "failed" in dict(bad_results(**{side: log}))


def test_a_scene_that_was_not_played_has_failed(bad_results):
    found = bad_results([NAME, "gs-invocations"])
    assert ("failed", "commands of gs-invocations") in found
    assert ("failed", "value of gs-invocations, Pitot in it") in found


MORE = log_of(begin=STALL + BEGIN + "> 781e0003 0 0 0 0\n")
LISTED = [Worse("why", f"skl/{step} of .*", (5, 0)) for step in ("begin",
                                                                 "end")]


@pytest.mark.parametrize("changed, expected", [
    ({"value": "14"}, [("failed", f"value of {NAME}, Pitot in it")]),
    ({"pitot": MORE}, [("failed", f"cost of begin of {NAME}")]),
    ({"pitot": log_of(ioctls=3)},
     [("failed", "cost of begin and end of all")]),
    ({"pitot": MORE, "worse": LISTED[:1]},
     [("cost", f"cost of begin of {NAME}")]),
    ({"pitot": MORE, "worse": LISTED},
     [("cost", f"cost of begin of {NAME}"), ("failed", "lists")])])
def test_a_value_or_a_cost_that_is_not_listed_has_failed(changed, expected,
                                                         bad_results):
    assert bad_results(**changed) == expected


@pytest.mark.parametrize("most, verdict", [
    ((6, 0), "cost"), ((5, 9), "failed")])
def test_a_listed_cost_has_a_limit(most, verdict):
    row = Row("kind", "begin", (10, 1), (16, 1))
    assert costs.verdict_of(List([Worse("why", ".*", most)], "skl"),
                            row)[0] == verdict
