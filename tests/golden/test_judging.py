# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""How recordings are judged; needs no Mesa."""

import pytest
from tests.golden import costs, log as logs, memory
from tests.golden.check import judged, results_of
from tests.golden.compare import compare
from tests.golden.costs import Cost, Row
from tests.golden.lists import Difference, List, Worse
from tests.golden.texts import texts_of
from tests.runners.devices import Device

SKL, NAVI21 = Device("iris", "skl"), Device("radeonsi", "navi21")
A630 = Device("freedreno", "a630")


def work(line):
    """The work before the query, of it, after it, and the last, which have
    sizes of their own."""
    return [line.format(size) + "note: 0 work\n" for size in (
        logs.BEFORE, logs.COUNTED, logs.AFTER, logs.LAST)]


BEFORE, COUNTED, AFTER, LAST = work("> 7b000005 0 {:x} 0 1 0 0\n")
STALL = "> 7a000004 100002 0 0 0 0\n"
BEGIN = "> 12000002 2320 1008 0\n> 12000002 2324 100c 0\n"
END = "> 12000002 2320 2008 0\n> 12000002 2324 200c 0\n"
AVAILABLE = "> 10200003 2000 0 1 0\n"
NAME = "vs-invocations"


def log_of(begin=STALL + BEGIN, end=STALL + END + AVAILABLE, then="",
           ioctls=2):
    return ("kernel: 1 1 1 0\n"
            f"mark: begin {NAME}\n"
            "batch: 0\nmemory: 1000 8192\n> 61010011 0 0\n"
            f"{BEFORE}{begin}{COUNTED * 5}{end}{AFTER}{then}{LAST}"
            "> 5000000\n"
            f"kernel: {1 + ioctls} 2 2 0\n"
            f"mark: end {NAME}\n")


AMD_BEFORE, AMD_COUNTED, AMD_AFTER, AMD_LAST = work("> c0012d00 {:x} 2\n")


def amd_log(begin="> c0024600 115 1000 0\n",
            end="> c0024600 115 1008 0\n"
                "> c0064900 528 20000000 1100 0 80000000 0 0\n",
            then=""):
    return ("mark: begin samples-passed\nbatch: 0\nmemory: 1000 4096\n"
            f"{AMD_BEFORE}{begin}{AMD_COUNTED * 5}{end}{AMD_AFTER}{then}"
            f"{AMD_LAST}mark: end samples-passed\n")


# State that a draw applies is seen after its packet.
ADRENO_BEFORE, ADRENO_COUNTED, ADRENO_AFTER, ADRENO_LAST = work(
    "> 70388003 184 1 {:x}\n> 40886401 0\n")
SAMPLE = "> 703e8003 40080552 {} 1\n"
FIRST, SECOND = SAMPLE.format("1100"), SAMPLE.format("1110")
SUM = "> 70738009 60000004 1108 1 1108 1 1110 1 1100 1\n"
FENCE = "> 70928000\n> 70460004 4 1000 1 1\n"
# The driver's fence, whose seqno differs in each batch.
DRIVERS_FENCE = "> 70460004 4 2000 1 {:x}\n"


def adreno_log(begin=FIRST, end=SECOND + SUM, fence=FENCE, number=7):
    return ("mark: begin fs-invocations\nbatch: 0\nmemory: 100001000 4096\n"
            f"{ADRENO_BEFORE}{begin}{ADRENO_COUNTED * 5}{end}{ADRENO_AFTER}"
            f"{ADRENO_LAST}{fence}{DRIVERS_FENCE.format(number)}"
            "mark: end fs-invocations\n")


LOGS = {log_of: SKL, amd_log: NAVI21, adreno_log: A630}


def scene_of(log, device):
    """The name and the scene of a log."""
    (found,) = logs.Log(log, device).scenes.items()
    return found


def compared(log, stock, pitot, differences=()):
    """The faults and why a part was not compared, of two logs that differ from
    the usual one; and the differences that are unused."""
    device = LOGS[log]
    name, theirs = scene_of(log(**stock), device)
    ours = logs.Log(log(**pitot), device).scenes[name]
    listed = List(differences, device.gpu)
    return *compare(listed, name, texts_of(theirs),
                    texts_of(ours)), listed.unused()


@pytest.mark.parametrize("log, changed", [
    (log_of, {"begin": STALL + BEGIN.replace("100", "150")}), # memory
    (log_of, {"begin": STALL + BEGIN + "> 781e0003 0 0 0 0\n"}), # state
    # the workaround after draws
    (amd_log, {"then": "> c0064900 528 0 0 0 0 0 0\n"}),
    (adreno_log, {"fence": FENCE.replace("1000", "1800")}), # memory
    (adreno_log, {"number": 8}), # the driver's own
    # state and the driver's own events
    (adreno_log, {"begin": FIRST + "> 40886401 1\n> 70460001 26\n"}),
])
def test_what_is_the_same(log, changed):
    assert compared(log, {}, changed)[0] == []


EOP = "> c0024600 115 1008 0\n> c0064900 {} {} 1100 0 80000000 0 0\n"


@pytest.mark.parametrize("log, changed", [
    # order
    (log_of, {"begin": BEGIN + STALL}),
    (log_of, {"end": STALL + AVAILABLE + END}),
    (adreno_log, {"end": SUM + SECOND}),
    # each packet
    (log_of, {"begin": STALL * 2 + BEGIN}),
    (log_of, {"begin": BEGIN}),
    (log_of, {"end": STALL + END}),
    (adreno_log, {"fence": ""}),
    (adreno_log, {"begin": ""}),
    (adreno_log, {"end": SECOND}),
    (adreno_log, {"begin": FIRST * 2}),
    # addresses: that of the begin, another qword, the halves
    (log_of, {"end": STALL + END.replace("200", "100") + AVAILABLE}),
    (log_of, {"end": STALL + END.replace("200c", "2010") + AVAILABLE}),
    (log_of, {"end": STALL + END.replace("2008", "x").replace(
        "200c", "2008").replace("x", "200c") + AVAILABLE}),
    (log_of, {"end": STALL + END + AVAILABLE.replace(" 2000 ", " 2008 ")}),
    (log_of, {"begin": STALL + BEGIN.replace("1008 0", "1008 10000")}),
    (adreno_log, {"begin": SAMPLE.format("1118")}),
    (adreno_log, {"end": SECOND + SUM.replace("1110 1 1100", "1100 1 1110")}),
    # registers, flags, values
    (log_of, {"begin": STALL + BEGIN.replace("2320", "2318")}),
    (log_of, {"begin": STALL.replace("100002", "100000") + BEGIN}),
    (log_of, {"end": STALL + END + AVAILABLE.replace("1 0\n", "2 0\n")}),
    (adreno_log, {"begin": FIRST.replace("552", "550")}),
    (adreno_log, {"end": SECOND + SUM.replace("60000004", "20000004")}),
    (adreno_log, {"fence": FENCE.replace("1 1\n", "1 2\n")}),
    # event, index; interrupt, destination, event, data; caches
    (amd_log, {"begin": "> c0024600 116 1000 0\n"}),
    (amd_log, {"begin": "> c0024600 215 1000 0\n"}),
    (amd_log, {"end": EOP.format("528", "23000000")}),
    (amd_log, {"end": EOP.format("528", "20010000")}),
    (amd_log, {"end": EOP.format("52f", "20000000")}),
    (amd_log, {"end": EOP.format("528", "40000000")}),
    (amd_log, {"then": "> c0064900 c528 0 0 0 0 0 0\n"}),
    # begin and end side by side
    (amd_log, {"end": EOP.replace("1008", "1010").format("528", "20000000")}),
])
def test_what_is_different(log, changed):
    assert compared(log, {}, changed)[0]


@pytest.mark.parametrize("operation, address", [
    ("11100", "1000"), ("10000", "1000"), ("20100", "1000"),
    ("10100", "1100")])
def test_predicates_count(operation, address):
    stock, pitot = ({"then": f"> c0022000 {words} 0\n"} for words in (
        "10100 1000", f"{operation} {address}"))
    assert compared(amd_log, stock, pitot)[0]


def test_rings_count():
    _, theirs = scene_of(log_of(), SKL)
    _, ours = scene_of(log_of().replace("batch: 0", "batch: 1"), SKL)
    assert compare(List([], "skl"), NAME, texts_of(theirs), texts_of(ours))[0]


def test_a_stated_difference_is_none():
    stated = [Difference("why", "skl/vs-.*", "100002", "100000")]
    other = STALL.replace("100002", "100000")
    assert compared(log_of, {}, {"begin": other + BEGIN}, stated)[0]
    assert compared(log_of, {}, {
        "begin": other + BEGIN, "end": other + END + AVAILABLE},
        stated) == ([], "", [])


def test_a_step_with_any_commands_skips_its_scene():
    stated = [Difference("why", "skl/vs-.*", "", r"(?:.*\n)*", "begin",
                         is_skipped=True)]
    assert compared(log_of, {}, {"begin": BEGIN.replace("2320", "2318")},
                    stated) == ([], "why", [])
    assert compared(log_of, {}, {}, stated) == ([], "", stated)
    assert [judged("case", fault, "why")[0] for fault in ("", "x")] == [
        "skipped", "failed"]


LOAD, STORE, MATH = ("> 14800002 2608 1008 0\n", "> 12000002 2600 3000 0\n",
                     "> d000000 8008001\n")


@pytest.mark.parametrize("then, is_same", [
    (LOAD + STORE, True), (STORE + LOAD, False), (LOAD + STORE * 2, False),
    (LOAD.replace("1008", "2008") + STORE, False),
    (LOAD + STORE.replace("12000002", "12200002"), False)])
def test_effects_in_place_of_arithmetic(then, is_same):
    faults, *_ = compared(log_of, {"then": LOAD + MATH + STORE},
                          {"then": then})
    assert (not faults) == is_same


def test_the_end_of_a_batch_costs():
    def end_of(log):
        name, scene = scene_of(log, A630)
        return costs.steps_of(name, {name: costs.costs_of(scene)})["end"]
    assert end_of(adreno_log()).plus(end_of(adreno_log(fence="")),
                                     -1) == Cost(6, 1)


@pytest.mark.parametrize("log, changed, fault", [
    (log_of, {}, None),
    (amd_log, {}, None),
    (adreno_log, {}, None),
    (log_of, {"end": STALL + END + AVAILABLE.replace(" 2000 ", " 1004 ")},
     "MI_STORE_DATA_IMM in end overwrites what begin wrote"),
    (amd_log, {"end": EOP.replace("1100", "10f0").format("528", "20000000")},
     "RELEASE_MEM in end overwrites what begin wrote"),
    (amd_log, {"end": "> c0024600 115 1010 0\n"},
     "EVENT_WRITE in end overwrites what begin wrote"),
    (adreno_log, {"end": SAMPLE.format("10fc")},
     "CP_REG_TO_MEM in end overwrites what begin wrote"),
    (adreno_log, {"end": "> 40921802 1fe0 1\n"},
     "VPC_SO_STREAM_COUNTS in end writes beyond a buffer"),
    (adreno_log, {"end": "> 70468003 7015 10f8 1\n"},
     "CP_EVENT_WRITE in end overwrites what begin wrote"),
    (log_of, {"begin": STALL + BEGIN.replace("1008", "3000")},
     "MI_STORE_REGISTER_MEM in begin writes beyond a buffer"),
    (amd_log, {"begin": "> c0024600 115 1f80 0\n"},
     "EVENT_WRITE in begin writes beyond a buffer")])
def test_memory(log, changed, fault):
    device = LOGS[log]
    _, scene = scene_of(log(**changed), device)
    assert memory.fault_of(scene, device.gpu) == fault


#
# Recordings
#

@pytest.fixture
def bad_results(tmp_path):
    """A function that returns the results that did not pass, of recordings
    with these logs."""
    def judge(plan=(NAME,), worse=(), values=None, **logs):
        for side in ("debian", "stock", "pitot", "alone"):
            log, path = logs.get(side, log_of()), tmp_path / f"skl.{side}"
            if log is not None:
                path.with_suffix(f".{side}.log").write_text(log)
                path.with_suffix(f".{side}.values").write_text(
                    (values or {}).get(side, f"{NAME}\t15\t15\n"))
        lists = [List(entries, "skl") for entries in ([], [], worse)]
        return [(verdict, name) for verdict, name, _ in results_of(
            tmp_path, SKL, plan, lists)
            if verdict != "passed" and "decoder" not in name]
    return judge


def test_all_is_well(bad_results):
    assert bad_results() == []


@pytest.mark.parametrize("side, log", [
    *((side, None) for side in ("debian", "stock", "pitot", "alone")),
    *((side, log) for side in ("stock", "pitot", "alone")
      for log in ("", log_of()[:log_of().index(AVAILABLE)]))])
def test_a_recording_that_is_missing_or_breaks_off_has_failed(
        side, log, bad_results):
    assert "failed" in dict(bad_results(**{side: log}))


def test_a_scene_that_was_not_played_has_failed(bad_results):
    found = bad_results([NAME, "gs-invocations"])
    assert ("failed", "commands of gs-invocations") in found
    assert ("failed", "value of gs-invocations, Pitot in it") in found


def test_a_wrong_value_has_failed(bad_results):
    assert bad_results(values={"pitot": f"{NAME}\t14\n"}) == [
        ("failed", f"value of {NAME}, Pitot in it")]


MORE = log_of(begin=STALL + BEGIN + "> 781e0003 0 0 0 0\n")


def test_a_higher_cost_has_failed(bad_results):
    assert bad_results(pitot=MORE) == [("failed", f"cost of begin of {NAME}")]
    assert bad_results(pitot=log_of(ioctls=3)) == [
        ("failed", "cost of begin and end of all")]


def test_a_higher_cost_may_be_listed(bad_results):
    listed = [Worse("why", f"skl/{step} of .*", (5, 0))
              for step in ("begin", "end")]
    assert bad_results(worse=listed[:1], pitot=MORE) == [
        ("cost", f"cost of begin of {NAME}")]
    assert bad_results(worse=listed, pitot=MORE) == [
        ("cost", f"cost of begin of {NAME}"), ("failed", "lists")]


@pytest.mark.parametrize("most, verdict", [
    ((6, 0), "cost"), ((5, 9), "failed")])
def test_a_listed_cost_has_a_limit(most, verdict):
    row = Row("kind", "begin", Cost(10, 1), Cost(16, 1))
    assert costs.verdict_of(List([Worse("why", ".*", most)], "skl"),
                            row)[0] == verdict
