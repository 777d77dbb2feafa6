# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Costs that are higher with Pitot: see lists.py."""

import itertools

from tests.golden.lists import Worse, gpus_of

IRIS, RADEONSI = gpus_of("iris"), gpus_of("radeonsi")
FREEDRENO, A6XX = gpus_of("freedreno"), gpus_of("freedreno", 0, 6)
GEN20 = gpus_of("iris", 200)
BEFORE_GEN20 = gpus_of("iris", 0, 199)
BEFORE_GFX9 = gpus_of("radeonsi", 0, 89)
GFX10, FROM_GFX10 = gpus_of("radeonsi", 100, 109), gpus_of("radeonsi", 100)
BEFORE_GFX11 = gpus_of("radeonsi", 0, 109)
TIMES = "time.*"
RESULT = "(?:in two batches )?store result [48] B"
NO_WAIT = "store result without waiting 8 B"
CONDITION = r"(?:in two batches )?condition .*"

WORSE = list(itertools.starmap(Worse, [
    # iris
    ("a time covers both rings: stock Mesa counts no dispatches",
     f"{IRIS}/(?:begin|end) of time-elapsed-of-dispatches", (42, 6)),
    ("a number is clamped: stock Mesa stores its low 32 bits",
     f"{IRIS}/store result 4 B of (?!time).*", (14, 0)),
    ("there, fragments have to be divided by 4: stock Mesa keeps 32 bits of "
     "the quotient",
     f"bdw/(?:{RESULT}|{NO_WAIT}) of fs-invocations", (157, 0)),
    ("ticks become nanoseconds exactly, and of both rings if need be: stock "
     "Mesa multiplies by whole nanoseconds",
     f"{IRIS}/(?:{RESULT}|{NO_WAIT}) of {TIMES}", (571, 0)),
    ("the compute ring's share of a time is a batch of its own, and stock Mesa "
     "measures none; syncobjs of earlier steps are destroyed in later ones",
     f"{IRIS}/(?!memory).* of all", (21, 1, 0)),
    ("the queues of xe are in no order: batches of the compute ring stay in "
     "flight when the render ring's are done",
     r"\w+-xe/memory of all", (266240,)),
    ("each ring has memory of its own, and with the compute ring's a batch more "
     "is in flight",
     f"(?!.*-xe/){BEFORE_GEN20}/memory of all", (131072,)),
    ("there, the command streamer reads memory ahead of its own writes: stock "
     "Mesa copies an availability that it wrote without a fence, and has none "
     "behind a result",
     f"{GEN20}/(?:store availability 4 B|(?:in two batches )?store result 8 B|"
     f"{NO_WAIT}) of .*", (2, 0)),
    ("the same, and a number is clamped",
     f"{GEN20}/store result 4 B of .*", (15, 0)),
    # radeonsi
    ("before GFX9, shaders see no late samples: the command streamer waits for "
     "each",
     rf"{BEFORE_GFX9}/{RESULT} of (?:.*samples.*|primitives.*|.*overflow)",
     (215, 30)),
    ("the kernel is asked whether it gave up a batch that is waited for",
     f"{RADEONSI}/in two batches (?:store result 8 B|condition .*) of all",
     (7, 0, 0)),
    ("memory is taken 2 MiB at a time, of which the next are due there",
     f"{FROM_GFX10}/store result 4 B of all", (3, 0, 0)),
    ("nothing else tells that samples of stream-out are there",
     f"{BEFORE_GFX11}/{CONDITION} of .*stream-overflow", (7, 1)),
    ("counts of geometry shaders are copied, and each batch has a buffer for "
     "its result: stock Mesa leaves the buffer",
     f"{FROM_GFX10}/(?:begin|end|from one batch to the next|in two batches "
     "store result 8 B) of gs-.*", (27, 2)),
    ("the second of these queries waits for what the first has counted",
     f"{GFX10}/begin of all-statistics", (0, 1)),
    # freedreno
    ("a count may come late at the begin, too; state of the depth test is "
     "emitted again",
     f"{A6XX}/(?:begin|end) of .*samples.*", (28, 2)),
    ("the same, and a cache is cleaned behind each count",
     "a730/(?:begin|end) of .*samples.*", (30, 2)),
    ("a cache is cleaned behind each count",
     "a730/from one batch to the next of .*samples.*", (39, 4)),
    ("state of the depth test is emitted again; a number comes after all "
     "writes of the batch: that of stock Mesa waits for none",
     "a750/(?:begin|end) of .*samples.*", (21, 1)),
    ("the times of events have 32 bits: the command processor reads the counter "
     "when the pipe is idle",
     f"{A6XX}/begin of time-elapsed.*", (7, 1)),
    ("all statistics are counted together, and what is counted before the "
     "rasterizer is sampled in one pass",
     f"{FREEDRENO}/begin of (?!all).*", (7, 0)),
    ("the same, for each of them",
     f"{FREEDRENO}/begin of all-statistics", (20, 0)),
    ("a number comes after all writes of the batch, a sample is written before "
     "it is added, and counters stop",
     f"{FREEDRENO}/end of .*", (8, 2)),
    ("each batch has a record and a number of its own; the number is in the "
     "epilogue, which the driver calls",
     f"{FREEDRENO}/from one batch to the next of .*", (35, 4)),
    ("a result comes after all samples of its batch, and is clamped: stock Mesa "
     "waits for no sample, and stores the low 32 bits",
     f"{FREEDRENO}/{RESULT} of (?!all).*", (201, 7)),
    ("and the batch ends then, so that all that follows sees the result",
     f"{FREEDRENO}/(?:{NO_WAIT}|store availability 4 B) of .*", (1021, 10)),
    ("the CPU stores times in nanoseconds: stock Mesa stores ticks",
     f"{FREEDRENO}/{RESULT} of all", (8, 4, 4)),
    ("a sum begins at 0 by the GPU, which may execute a batch again; and the "
     "epilogue is called",
     f"{A6XX}/{CONDITION} of .*samples.*", (6, 0)),
    ("the same, and a cache is cleaned behind each count",
     f"a730/{CONDITION} of .*samples.*", (8, 0)),
    ("the epilogue, with the number of the batch, is called",
     f"{FREEDRENO}/{CONDITION} of (?!all).*", (4, 0)),
    ("the CPU looks at conditions, and waits for the batch",
     f"{FREEDRENO}/{CONDITION} of all", (10, 5, 5)),
]))
