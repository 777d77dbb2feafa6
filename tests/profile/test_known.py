# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests of the checks of traces, without Mesa."""

import pytest
from tests.profile import known

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


def faults(change=lambda events: None, level="pass"):
    """The faults of a correct trace after a change."""
    events, measured = trace(level)
    change(events)
    return list(known.faults(events, measured, level, True))


@pytest.mark.parametrize("level", ["frame", "pass", "draw"])
def test_a_right_trace_has_no_fault(level):
    assert faults(level=level) == []


def first_pass(events):
    return first(events, "pass")


@pytest.mark.parametrize("words, level, change", [
    ("5 clears in 2 frames", "pass",
     lambda events: first_pass(events)["args"].pop("clears")),
    # A lost frame.
    ("has 10 draws, not 20", "pass",
     lambda events: events.__delitem__(slice(len(events) // 2 + 1, None))),
    # A lost pass, and one of another name.
    ("pass 'shadow map' has 10 draws", "pass",
     lambda events: events.remove(first_pass(events))),
    ("pass 'shadow map' has 10 draws", "pass",
     lambda events: first_pass(events).update(name="framebuffer 1")),
    # A group that ends early.
    ("group 'world' has", "pass",
     lambda events: first(events, "group").update(dur=100)),
    # A lost draw.
    ("79 slices of draws", "draw",
     lambda events: events.remove(first(events, "draw"))),
    # Draws at another level.
    ("slices of draws in 2 frames", "pass",
     lambda events: events.append(event("draw", "a", 20100, 1))),
    ("'samples passed' is 81", "pass",
     lambda events: first_pass(events)["args"].update(
         {"samples passed": 11})),
    # A time of another clock.
    ("is not in that of the CPU", "pass",
     lambda events: [event.update(ts=event["ts"] - 2) for event in events
                     if event["ph"] == "X"]),
    # Work in no frame.
    ("the frames are [", "pass",
     lambda events: events.append(event("pass", "a", 30000, 1))),
    # An empty trace.
    ("the frames are [", "pass",
     lambda events: events.__delitem__(slice(1, None)))])
def test_fault(words, level, change):
    assert any(words in fault for fault in faults(change, level))


def test_the_share_of_passes_is_that_of_the_best_frame():
    events, _ = trace()
    frames = [event for event in events if event.get("cat") == "frame"]
    assert known.best_share(events) == pytest.approx(800 / 830)
    frames[0]["dur"] = 1000
    assert known.best_share(events) == pytest.approx(800 / 830)
    frames[1]["dur"] = 1000
    assert known.best_share(events) == pytest.approx(0.8)
