# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests of format.py; run by selftest.py."""

import csv
import json
import pathlib
import unittest
import xml.etree.ElementTree

import format as trace_format

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


class Format(unittest.TestCase):
    def index(self, phase, nth=0):
        return [i for i, e in enumerate(GOOD) if e["ph"] == phase][nth]

    def test_good_trace(self):
        self.assertEqual(faults(), [])

    def test_each_member_is_needed(self):
        for phase in "XsfiCM":
            i = self.index(phase)
            optional = {"args"} if phase in "Xi" else {"bp"} \
                if phase == "s" else set()
            for name in set(GOOD[i]) - optional:
                with self.subTest(phase=phase, name=name):
                    self.assertTrue(changed(i, **{name: None}))

    def test_each_member_has_a_type(self):
        for phase in "XsfiCM":
            i = self.index(phase)
            for name in GOOD[i]:
                for bad in ([1], -1, True, {"name": []}):
                    with self.subTest(phase=phase, name=name, bad=bad):
                        self.assertTrue(changed(i, **{name: bad}))

    def test_unknown(self):
        self.assertTrue(changed(self.index("X"), tts=1))
        self.assertTrue(changed(self.index("X"), ph="B"))
        self.assertTrue(changed(self.index("X"), cat="pass"))  # of a thread
        self.assertTrue(faults(slice_("call", 30, 1)))         # of the GPU
        self.assertTrue(changed(self.index("M"), name="labels"))
        self.assertTrue(faults(3))

    def test_times_are_exact(self):
        late = '{"ph":"X","pid":0,"tid":1,"ts":%s,"dur":%s,"cat":"%s",' \
            '"name":"x"}'
        for end, count in ((3, 0), (4, 1)):
            text = ",".join((
                json.dumps(GOOD)[:-1],
                late % ("9007199254740993.000", "0.003", "frame"),
                late % ("9007199254740993.001", f"0.00{end - 1}", "pass")))
            self.assertEqual(
                len(trace_format.faults_of(trace_format.load(text))), count)

    def test_slices_overlap(self):
        self.assertTrue(faults(slice_("draw", 19, 2)))
        self.assertTrue(faults(slice_("call", 1, 2, pid=5)))
        self.assertEqual(faults(slice_("frame", 20, 2)), [])

    def test_inner_slice_comes_first(self):
        self.assertTrue(faults(slice_("draw", 30, 1), slice_("pass", 30, 2)))
        self.assertEqual(
            faults(slice_("pass", 30, 2), slice_("draw", 30, 1)), [])

    def test_arrows(self):
        for bad in ([arrow("s", 2, 5, id_=8)],               # no end
                    [arrow("f", 10, 0, id_=8)],              # no begin
                    [arrow("f", 15, 0)],                     # two ends
                    [arrow("s", 2, 5, id_=8), arrow("f", 11, 0, id_=8)],
                    [arrow("s", 4, 5, id_=8), arrow("f", 10, 0, id_=8)],
                    [arrow("s", 10, 0, id_=8), arrow("f", 2, 5, id_=8)]):
            with self.subTest(bad):
                self.assertTrue(faults(*bad))
        self.assertEqual(
            faults(arrow("s", 3, 5, id_=8), arrow("f", 15, 0, id_=8)), [])

    def test_track_without_name(self):
        self.assertTrue(faults(slice_("draw", 1, 1, tid=2)))
        for i in range(4):
            self.assertTrue(faults(without=i))

    def test_end_may_be_missing(self):
        text = json.dumps(GOOD)
        for cut in (text[:-1], text[:-1] + ",", text[:-1] + ",\n"):
            self.assertEqual(
                trace_format.faults_of(trace_format.load(cut)), [])

    def test_stored_traces(self):
        for path in TRACES.glob("*.json"):
            with self.subTest(path.name):
                events = trace_format.load(path.read_text())
                self.assertEqual(trace_format.faults_of(events), [])

    def test_stored_outputs(self):
        for path in TRACES.glob("*.svg"):
            with self.subTest(path.name):
                xml.etree.ElementTree.parse(path)
        for path in TRACES.glob("*.csv"):
            with self.subTest(path.name), open(path, newline="") as file:
                head, *lines = csv.reader(file)
                self.assertEqual({len(line) for line in lines} - {len(head)},
                                 set())


if __name__ == "__main__":
    unittest.main()
