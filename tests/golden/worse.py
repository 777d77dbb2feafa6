# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The costs that are higher with Pitot than without it, each with its reason:
(reason, regular expression for "GPU/STEP of KIND", by how much at most), where
the numbers are dwords and waits, or for all kinds ioctls, batches and waits of
the CPU. An entry that no cost needs any more is a failure, so that it is taken
out."""

from compare import gpus_of

IRIS, RADEONSI = gpus_of("iris"), gpus_of("radeonsi")
TIMES = "time.*"
RESULT = "(?:in two batches )?store result [48] B"
NO_WAIT = "store result without waiting 8 B"
CONDITION = r"(?:in two batches )?condition .*"

WORSE = [
    # iris
    ("a time covers both rings",
     f"{IRIS}/(?:begin|end) of time-elapsed-of-dispatches", (42, 6)),
    ("samples are loaded once they are written; a number is clamped",
     f"{IRIS}/{RESULT} of (?!time).*", (59, 1)),
    ("there, fragments have to be divided by 4",
     f"bdw/{RESULT} of fs-invocations", (188, 1)),
    ("the availability word is looked at in all cases; a number is clamped",
     f"{IRIS}/{NO_WAIT} of (?!time).*", (39, 0)),
    ("there, fragments have to be divided by 4",
     f"bdw/{NO_WAIT} of fs-invocations", (183, 0)),
    ("ticks become nanoseconds exactly, and of both rings if need be",
     f"{IRIS}/(?:{RESULT}|{NO_WAIT}) of {TIMES}", (909, 1)),
    ("a batch asks whether the one 64 before is done",
     f"{IRIS}/(?!memory|.*store).* of all", (28, 0, 30)),
    ("the same, and a time of both rings is the CPU's to store",
     f"{IRIS}/.*store .* of all", (63, 2, 34)),
    ("each ring has memory of its own, and the GPU is behind",
     f"{IRIS}/memory of all", (32768,)),
    # radeonsi
    ("each sample of each backend is waited for",
     f"{RADEONSI}/{RESULT} of (?!all).*", (344, 49)),
    ("the CPU takes part in two of them",
     f"{RADEONSI}/.*store .* of all", (118, 21, 36)),
    ("nothing else tells that samples of stream-out are there",
     f"{RADEONSI}/{CONDITION} of .*stream-overflow", (7, 1)),
    ("memory that is used again is asked for, while the GPU is behind",
     f"{RADEONSI}/(?:begin and end|in two batches|{CONDITION}) of all",
     (19, 0, 0)),
]
