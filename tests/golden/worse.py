# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The costs that are higher with Pitot than without it, each with its reason:
(reason, regular expression for "GPU/STEP of KIND", by how much at most), where
the numbers are dwords and waits, or for all kinds ioctls, batches and waits of
the CPU. An entry that no cost needs any more is a failure, so that it is taken
out."""

from compare import gpus_of

IRIS, RADEONSI = gpus_of("iris"), gpus_of("radeonsi")
GEN20 = gpus_of("iris", 200)
BEFORE_GFX9 = gpus_of("radeonsi", 0, 89)
BEFORE_GFX12, GFX12 = gpus_of("radeonsi", 0, 119), gpus_of("radeonsi", 120)
TIMES = "time.*"
RESULT = "(?:in two batches )?store result [48] B"
NO_WAIT = "store result without waiting 8 B"
CONDITION = r"(?:in two batches )?condition .*"

WORSE = [
    # iris
    ("a time covers both rings: stock Mesa counts no dispatches",
     f"{IRIS}/(?:begin|end) of time-elapsed-of-dispatches", (42, 6)),
    ("a number is clamped: stock Mesa stores its low 32 bits",
     f"{IRIS}/store result 4 B of (?!time).*", (14, 0)),
    ("there, fragments have to be divided by 4: stock Mesa keeps 32 bits of "
     "the quotient",
     f"bdw/(?:{RESULT}|{NO_WAIT}) of fs-invocations", (162, 0)),
    ("ticks become nanoseconds exactly, and of both rings if need be: stock "
     "Mesa multiplies by whole nanoseconds",
     f"{IRIS}/(?:{RESULT}|{NO_WAIT}) of {TIMES}", (909, 0)),
    ("the compute ring's share of a time is a batch of its own, and stock Mesa "
     "measures none; syncobjs of earlier steps are destroyed in later ones",
     f"{IRIS}/(?!memory).* of all", (21, 1, 0)),
    ("each ring has memory of its own, and so have routines for exact times; "
     "with the compute ring's, a batch more is in flight",
     f"{IRIS}/memory of all", (151552,)),
    ("there, the command streamer reads memory ahead of its own writes: stock "
     "Mesa copies an availability that it wrote without a fence, and has none "
     "behind a result",
     f"{GEN20}/(?:store availability 4 B|(?:in two batches )?store result 8 B|"
     f"{NO_WAIT}) of .*", (2, 0)),
    ("the same, and a number is clamped",
     f"{GEN20}/store result 4 B of .*", (15, 0)),
    ("the queues of xe are in no order: batches of the compute ring stay in "
     "flight when the render ring's are done",
     f"{GEN20}/memory of all", (266240,)),
    # radeonsi
    ("before GFX9, shaders see no late samples: the command streamer waits for "
     "each",
     rf"{BEFORE_GFX9}/{RESULT} of (?:.*samples.*|primitives.*|.*overflow)",
     (215, 30)),
    ("the kernel is asked whether it gave up a batch that is waited for",
     f"{RADEONSI}/in two batches (?:store result 8 B|condition .*) of all",
     (7, 0, 0)),
    ("memory is taken 2 MiB at a time, of which the next are due there",
     f"{RADEONSI}/store result 4 B of all", (3, 0, 0)),
    ("samples in two slabs take a dispatch more than those in two buffers",
     f"{BEFORE_GFX12}/in two batches store result 8 B of (?!all).*", (26, 2)),
    ("the same, where each register has its number beside it",
     f"{GFX12}/in two batches store result 8 B of (?!all).*", (27, 2)),
    ("nothing else tells that samples of stream-out are there",
     f"{RADEONSI}/{CONDITION} of .*stream-overflow", (7, 1)),
]
