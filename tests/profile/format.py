# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Checks traces against Chrome's Trace Event Format, and against Pitot's
promises: nested slices, flow events with two ends, and named tracks."""

import json
from collections import defaultdict
from decimal import Decimal


def string(value):
    return isinstance(value, str)


def count(value):
    return type(value) is int and value >= 0


def time_us(value):
    return type(value) in (int, Decimal) and value >= 0


def arguments(value):
    return isinstance(value, dict) and all(
        entry is None or isinstance(entry, (str, int, Decimal))
        for entry in value.values())


def series(value):
    return value != {} and arguments(value) and not any(
        map(string, value.values()))


def named(value):
    return arguments(value) and list(value) == ["name"] and string(
        value["name"])


def one_of(*words):
    return lambda value: string(value) and value in words


# From the public "Trace Event Format" (JSON array format): an event's required
# members with their types, and optional ones.
COMMON = {"pid": count, "tid": count}
SLICE = {**COMMON, "ts": time_us, "cat": string, "name": string}
FORMAT = {
    "X": ({**SLICE, "dur": time_us}, {"args": arguments}),
    "s": ({**SLICE, "id": count}, {"bp": one_of("e")}),
    "f": ({**SLICE, "id": count, "bp": one_of("e")}, {}),
    "i": ({**COMMON, "ts": time_us, "name": string,
           "s": one_of("g", "p", "t")}, {"args": arguments}),
    "C": ({**COMMON, "ts": time_us, "name": string, "args": series}, {}),
    "M": ({**COMMON, "name": one_of("process_name", "thread_name"),
           "args": named}, {}),
}

CATEGORIES = {
    True: {"frame", "group", "pass", "draw", "dispatch", "clear", "blit",
           "copy"},  # on the GPU
    False: {"call", "wait", "upload", "readback"},
}


def event_faults(event):
    """The faults of a single event."""
    if not isinstance(event, dict) or not one_of(*FORMAT)(event.get("ph")):
        return [f"no event of a known phase: {event}"]
    needed, allowed = FORMAT[event["ph"]]
    types = {"ph": string, **needed, **allowed}
    return [f"no {name}: {event}" for name in needed if name not in event] + [
        f"a wrong {name}: {event}" for name, value in event.items()
        if name not in types or not types[name](value)]


def track_of(event):
    return event["pid"], event["tid"]


def end_of(slice_):
    return slice_["ts"] + slice_["dur"]


def nesting_faults(slices):
    """Slices of one track that overlap without nesting."""
    around = []
    for slice_ in sorted(slices, key=lambda s: (s["ts"], -s["dur"])):
        while around and end_of(around[-1]) <= slice_["ts"]:
            around.pop()
        if around and end_of(slice_) > end_of(around[-1]):
            yield f"ends after the slice around it: {slice_}, {around[-1]}"
        around.append(slice_)


def category_faults(slices):
    """Slices whose category does not fit their track."""
    for slice_ in slices:
        if slice_["cat"] not in CATEGORIES[slice_["pid"] == 0]:
            yield f"not a category of its track: {slice_}"


def flow_faults(events, slices):
    """Flow events that do not go from a call to a slice on the GPU."""
    begins = {(track_of(slice_), slice_["ts"]) for slice_ in slices}
    arrows = defaultdict(dict)
    for event in events:
        if event["ph"] not in "sf":
            continue
        arrow = arrows[event["id"]]
        if event["ph"] in arrow:
            yield f"two of phase {event['ph']}: {event}"
        arrow[event["ph"]] = event
        if (track_of(event), event["ts"]) not in begins:
            yield f"at no slice's begin: {event}"
    for id_, arrow in arrows.items():
        if set(arrow) != {"s", "f"}:
            yield f"arrow {id_} has one end"
        elif arrow["s"]["pid"] == 0 or arrow["f"]["pid"] != 0:
            yield f"arrow {id_} does not go from the CPU to the GPU"


def name_faults(events):
    """Tracks of slices without a name."""
    names = defaultdict(set)
    for event in events:
        if event["ph"] == "M":
            names[track_of(event)].add(event["name"])
    for track in sorted({track_of(e) for e in events if e["ph"] == "X"}):
        for name in sorted({"process_name", "thread_name"} - names[track]):
            yield f"track {track} has no {name}"


def order_faults(slices):
    """GPU slices that come before an enclosing slice in the file."""
    seen = defaultdict(list)
    ranks = {"frame": 0, "group": 1, "pass": 2}
    for slice_ in slices:
        if slice_["pid"] != 0:
            continue
        earlier = seen[track_of(slice_)]
        if earlier and slice_["dur"] > 0 and slice_["ts"] <= earlier[-1]["ts"] \
                and end_of(slice_) >= end_of(earlier[-1]) and \
                ranks.get(slice_["cat"], 3) < ranks.get(earlier[-1]["cat"], 3):
            yield f"comes after a slice in it: {slice_}, {earlier[-1]}"
        earlier.append(slice_)


def faults_of(events):
    """All faults of a trace's events."""
    faults = [fault for event in events for fault in event_faults(event)]
    if faults:
        return faults
    slices = [event for event in events if event["ph"] == "X"]
    tracks = defaultdict(list)
    for slice_ in slices:
        tracks[track_of(slice_)].append(slice_)
    return [*(fault for track in tracks.values()
              for fault in nesting_faults(track)),
            *category_faults(slices), *order_faults(slices),
            *flow_faults(events, slices), *name_faults(events)]


def load(text, parse_float=Decimal):
    """With exact numbers. The end may be missing, as after a crash."""
    text = text.rstrip()
    if not text.endswith("]"):
        text = text.rstrip(",") + "]"
    return json.loads(text, parse_float=parse_float)
