#!/usr/bin/python3 -B
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests of the checks in tests/profile/run, without Mesa."""

import copy
import json
import os
import sys
import unittest

sys.path.append(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

import commands
import known
from format_test import Format  # noqa: F401: its cases run here, too
from runners.fixture import FilesTest

FRAME_US = 1000
MEASURED = dict.fromkeys(known.COUNTERS, known.DRAWS)


def event(category, name, begin_us, length_us, **values):
    return {"ph": "X", "pid": 0, "tid": 1, "ts": begin_us, "dur": length_us,
            "cat": category, "name": name, "args": values}


def calls(begin_us, draws, level):
    """The slices of a clear and of successive draws."""
    counters = dict.fromkeys(known.COUNTERS.values(), 1)
    return [event("clear", "a pass", begin_us, 0, clears=1)] + [
        event("draw", "strips", begin_us + i, 1, draws=1, **counters)
        for i in range(draws)] if level == "draw" else []


def frame(number, begin_us, level):
    """A pass takes 20 us per draw; 30 us of the frame are in no pass."""
    slices = [event("frame", "frame", begin_us, 830, frame=number),
              event("group", "world", begin_us, 820)]
    if level == "frame":
        return [event("frame", "frame", begin_us, 830, frame=number,
                      draws=known.DRAWS, clears=len(known.PASSES),
                      **dict.fromkeys(known.COUNTERS.values(), known.DRAWS))]
    at_us = begin_us
    for (name, draws), group in zip(known.PASSES.items(), known.GROUPS):
        values = {} if level == "draw" else {
            "draws": draws, "clears": 1,
            **dict.fromkeys(known.COUNTERS.values(), draws)}
        slices += [event("group", group, at_us, 20 * draws),
                   event("pass", name, at_us, 20 * draws, **values),
                   *calls(at_us, draws, level)]
        at_us += 20 * draws
    return slices


def trace(level="pass"):
    """A correct trace of two frames, and its program's measurements."""
    begins_us = (10 * FRAME_US, 20 * FRAME_US)
    events = [{"ph": "i", "name": "clock", "pid": 0, "tid": 0, "ts": 0,
               "args": {"error_ns": 500}}]
    for number, begin_us in enumerate(begins_us, 1):
        events += frame(number, begin_us, level)
    return events, [{"begin_ns": begin_us * 1000,
                     "end_ns": (begin_us + FRAME_US) * 1000, **MEASURED}
                    for begin_us in begins_us]


def first(events, category):
    return next(event for event in events if event.get("cat") == category)


class KnownTest(unittest.TestCase):
    def faults(self, change=lambda events: None, level="pass"):
        """The faults of a correct trace after a change."""
        events, measured = copy.deepcopy(trace(level))
        change(events)
        return list(known.faults(events, measured, level, True))

    def check_fault(self, words, change, level="pass"):
        found = self.faults(change, level)
        self.assertTrue(any(words in fault for fault in found), found)

    def test_a_right_trace_has_no_fault(self):
        self.assertEqual(self.faults(), [])

    def test_a_right_trace_of_draws_has_no_fault(self):
        self.assertEqual(self.faults(level="draw"), [])

    def test_a_right_trace_of_frames_has_no_fault(self):
        self.assertEqual(self.faults(level="frame"), [])

    def test_a_lost_clear(self):
        self.check_fault("5 clears in 2 frames", lambda events:
                         first(events, "pass")["args"].pop("clears"))

    def test_a_lost_frame(self):
        self.check_fault("has 10 draws, not 20", lambda events: events.__delitem__(
            slice(len(events) // 2 + 1, None)))

    def test_a_lost_pass(self):
        self.check_fault("pass 'shadow map' has 10 draws", lambda events:
                         events.remove(first(events, "pass")))

    def test_a_pass_of_another_name(self):
        self.check_fault("pass 'shadow map' has 10 draws", lambda events:
                         first(events, "pass").update(name="framebuffer 1"))

    def test_a_group_that_ends_early(self):
        self.check_fault("group 'world' has", lambda events:
                         first(events, "group").update(dur=100))

    def test_a_lost_draw(self):
        self.check_fault("79 slices of draws", lambda events:
                         events.remove(first(events, "draw")), "draw")

    def test_draws_at_another_level(self):
        self.check_fault("slices of draws in 2 frames", lambda events:
                         events.append(event("draw", "a", 20100, 1)))

    def test_a_wrong_counter(self):
        self.check_fault("'samples passed' is 81", lambda events:
                         first(events, "pass")["args"].update({"samples passed": 11}))

    def test_a_time_of_another_clock(self):
        self.check_fault("is not in that of the CPU", lambda events: [
            event.update(ts=event["ts"] - 2) for event in events
            if event["ph"] == "X"])

    def test_an_error_of_the_clocks(self):
        def change(events):
            events[0]["args"].update(error_ns=3000)
            for event_ in events[1:]:
                event_["ts"] -= 2

        self.assertEqual(self.faults(change), [])

    def test_the_share_of_passes_is_that_of_the_best_frame(self):
        events, _ = trace()
        frames = [event for event in events if event.get("cat") == "frame"]
        self.assertAlmostEqual(known.best_share(events), 800 / 830)
        frames[0]["dur"] = 1000
        self.assertAlmostEqual(known.best_share(events), 800 / 830)
        frames[1]["dur"] = 1000
        self.assertAlmostEqual(known.best_share(events), 0.8)

    def test_a_frame_in_parts(self):
        def change(events):
            frame = first(events, "frame")
            frame["args"].update(part=1)
            events.append(event("frame", "frame 1, part 2", 10000, 1, frame=1,
                                part=2))

        self.assertEqual(self.faults(change), [])

    def test_work_in_no_frame(self):
        self.check_fault("the frames are [", lambda events: events.append(
            event("pass", "a", 30000, 1)))

    def test_an_empty_trace(self):
        self.check_fault("the frames are [", lambda events: events.__delitem__(
            slice(1, None)))


class ReadTest(FilesTest):
    def read(self, text):
        return known.read(self.write("trace.json", text))

    def test_a_trace_that_was_cut_off(self):
        events = trace()[0]
        lines = ",\n".join(map(json.dumps, events))
        self.assertEqual(self.read(f"[\n{lines}\n]\n"), events)
        self.assertEqual(self.read(f"[\n{lines}"), events)


class Commands(unittest.TestCase):
    """Commands that zink sends with and without a profile."""

    BARE = commands.read("vkCmdBeginRendering 3\nvkQueueSubmit 2\n"
                         "vkCmdBeginQuery 6\nvkCmdResetQueryPool 9\n"
                         "vkCmdWriteTimestamp 1\n")
    PROFILED = {**BARE, "vkCmdResetQueryPool": 0, "vkCmdWriteTimestamp": 2}

    def found(self, **more):
        return list(commands.differences(self.BARE,
                                         {**self.PROFILED, **more}))

    def test_a_profile_may_add_timestamps(self):
        self.assertEqual(self.found(), [])

    def test_a_profile_that_measures_nothing_is_a_fault(self):
        self.assertEqual(self.found(vkCmdWriteTimestamp=1),
                         ["nothing was measured"])

    def test_each_thing_that_is_added_is_a_fault(self):
        for name in (*commands.SAME, commands.RESET):
            self.assertEqual(len(self.found(**{name: 10})), 1, name)

    def test_a_query_for_each_statistic_is_a_fault(self):
        bare = {**self.BARE, commands.QUERY: 7}
        self.assertEqual(list(commands.differences(bare, self.PROFILED)),
                         ["7 of vkCmdBeginQuery in 3 render passes"])

    def test_fewer_are_none(self):
        for name in commands.SAME:
            self.assertEqual(self.found(**{name: 0}), [], name)


unittest.main()
