# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The calls that take more instructions with Pitot than without it, on a
driver that does nothing: (reason, regular expression for the case, how many
times as many at most). An entry that no case needs any more is a failure, so
that it is taken out."""

LAYERS = "five functions deep rather than two"

WORSE = [
    (f"a result in flight is put aside, not waited for; {LAYERS}",
     "begin and end (?:beside .*|in flight: (?!timestamp).*)", 1.45),
    (f"the same, and less of it is the driver's; {LAYERS}",
     "begin and end in flight: timestamp", 1.80),
    ("stock Mesa allocates the object when its name is generated",
     "begin and end of fresh ids: (?!timestamp).*", 1.35),
    ("the same, and less of it is the driver's",
     "begin and end of fresh ids: timestamp", 1.60),
    ("the sum of a begin, an end and a first result",
     "begin, end and read .*", 1.25),
    ("the results of all older queries become available first",
     "(?:read|poll) a first result.*", 1.45),
    (LAYERS, "ask for the current query", 1.20),
    ("a clock that never goes back", "read the clock", 1.40),
    ("the buffer is described to a layer that does not know Mesa's",
     "store a first result in a buffer", 1.60),
    ("the object is kept while rendering depends on it; " + LAYERS,
     "begin and end conditional rendering", 1.55),
]
