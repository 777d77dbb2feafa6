# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests of format.py, and of the stored traces and their outputs."""

import csv
import json
import pathlib
import xml.etree.ElementTree

import pytest
from tests.profile import format as trace_format

TRACES = pathlib.Path(__file__).parent / "traces"


def event(**members):
    return members


def slice_(cat, ts, dur, pid=0, tid=1, **members):
    return event(ph="X", pid=pid, tid=tid, ts=ts, dur=dur, cat=cat,
                 name="a slice", **members)


def arrow(phase, ts, pid, tid=1, id_=7):
    return event(ph=phase, pid=pid, tid=tid, ts=ts, id=id_, bp="e",
                 cat="flow", name="execution")


def named(pid, tid=1):
    return [event(ph="M", pid=pid, tid=tid, name=name, args={"name": "x"})
            for name in ("process_name", "thread_name")]


# A trace with every kind of event.
GOOD = [
    *named(0), *named(5),
    event(ph="i", pid=5, tid=0, ts=0, s="p", name="profile",
          args={"program": "x", "none": None}),
    event(ph="C", pid=0, tid=0, ts=1.5, name="samples", args={"value": 3}),
    slice_("call", 2, 4, pid=5), arrow("s", 2, 5),
    slice_("wait", 3, 3, pid=5, args={"size_B": 4}),
    slice_("frame", 10, 10, args={"frame": 1}),
    slice_("group", 10, 10), slice_("group", 10, 5),
    slice_("pass", 10, 5), slice_("draw", 10, 2), arrow("f", 10, 0),
    slice_("draw", 12, 0), slice_("draw", 12, 3),
    slice_("pass", 15, 5, args={"samples": 0.5}),
]


def faults(*added, without=None):
    """The faults of a good trace with events added, or with one removed."""
    events = [e for i, e in enumerate(GOOD) if i != without]
    text = json.dumps([*events, *added])
    return trace_format.faults_of(trace_format.load(text))


def changed(index, **members):
    """A member of an event is changed, or with None removed."""
    new = {**GOOD[index], **members}
    return faults({name: value for name, value in new.items()
                   if value is not None}, without=index)


def index(phase):
    return next(i for i, e in enumerate(GOOD) if e["ph"] == phase)


def test_good_trace():
    assert faults() == []


@pytest.mark.parametrize("phase", "XsfiCM")
def test_each_member_is_needed(phase):
    i = index(phase)
    optional = {"X": {"args"}, "i": {"args"}, "s": {"bp"}}.get(phase, set())
    for name in set(GOOD[i]) - optional:
        assert changed(i, **{name: None}), name


@pytest.mark.parametrize("phase", "XsfiCM")
def test_each_member_has_a_type(phase):
    i = index(phase)
    for name in GOOD[i]:
        for bad in ([1], -1, True, {"name": []}):
            assert changed(i, **{name: bad}), (name, bad)


@pytest.mark.parametrize("phase, member", [
    ("X", {"tts": 1}), ("X", {"ph": "B"}), ("X", {"cat": "pass"}),
    ("M", {"name": "labels"})])
def test_unknown_member(phase, member):
    assert changed(index(phase), **member)


@pytest.mark.parametrize("end, count", [(3, 0), (4, 1)])
def test_times_are_exact(end, count):
    late = '{"ph":"X","pid":0,"tid":1,"ts":%s,"dur":%s,"cat":"%s","name":"x"}'
    text = ",".join((
        json.dumps(GOOD)[:-1],
        late % ("9007199254740993.000", "0.003", "frame"),
        late % ("9007199254740993.001", f"0.00{end - 1}", "pass")))
    assert len(trace_format.faults_of(trace_format.load(text))) == count


@pytest.mark.parametrize("added", [
    [3],
    # A call on the GPU, and slices that overlap.
    [slice_("call", 30, 1)], [slice_("draw", 19, 2)],
    [slice_("call", 1, 2, pid=5)],
    # The inner slice comes first.
    [slice_("draw", 30, 1), slice_("pass", 30, 2)],
    # Arrows without an end or a begin, with two ends, at no slice, and from
    # the GPU.
    [arrow("s", 2, 5, id_=8)], [arrow("f", 10, 0, id_=8)],
    [arrow("f", 15, 0)],
    [arrow("s", 2, 5, id_=8), arrow("f", 11, 0, id_=8)],
    [arrow("s", 4, 5, id_=8), arrow("f", 10, 0, id_=8)],
    [arrow("s", 10, 0, id_=8), arrow("f", 2, 5, id_=8)],
    # A track without a name.
    [slice_("draw", 1, 1, tid=2)]])
def test_bad_event(added):
    assert faults(*added)


@pytest.mark.parametrize("number", range(4))
def test_each_name_is_needed(number):
    assert faults(without=number)


@pytest.mark.parametrize("path", sorted(TRACES.glob("*.json")),
                         ids=lambda path: path.stem)
def test_stored_trace(path):
    assert trace_format.faults_of(trace_format.load(path.read_text())) == []


@pytest.mark.parametrize("path", sorted(TRACES.glob("*.svg")),
                         ids=lambda path: path.stem)
def test_stored_picture(path):
    xml.etree.ElementTree.parse(path)


@pytest.mark.parametrize("path", sorted(TRACES.glob("*.csv")),
                         ids=lambda path: path.stem)
def test_stored_table(path):
    with open(path, newline="") as file:
        head, *lines = csv.reader(file)
    assert {len(line) for line in lines} <= {len(head)}
