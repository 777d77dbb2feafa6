# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Differences between stock Mesa's commands and Pitot's, each with its reason:
see lists.py. freedreno's differences are in adreno_differences.py."""

import re

from tests.golden import adreno_differences
from tests.golden.lists import Difference, gpus_of

IRIS, RADEONSI = gpus_of("iris"), gpus_of("radeonsi")
# With Pitot, radeonsi's shaders count these, too.
DRIVERS_OWN = (rf"(?!{gpus_of('radeonsi', 100, 109)}/gs-"
               rf"|{gpus_of('radeonsi', 110)}/(?:gs-prim|stream-|any-stream-"
               r"|primitives-[gw]))")
SOME_BY_SHADERS = f"{gpus_of('radeonsi', 100)}/all-statistics"
BOTH_BY_SHADERS = gpus_of("radeonsi", 100, 109)
BY_SHADERS = (rf"(?:{BOTH_BY_SHADERS}/gs-invocations"
              rf"|{gpus_of('radeonsi', 100)}/gs-primitives)")

# A time on the compute ring, after the stall that some GPUs need.
COMPUTE_TIME = (r"(?:PIPE_CONTROL \w+ 100000 .*\n)?"
                r"PIPE_CONTROL \w+ 10c000 s\w+ \(0\) 0 0\n")
# The end of a batch and the beginning of the next one.
BETWEEN = (r"(?:(?:EVENT_WRITE|DB_COUNT_CONTROL|ACQUIRE_MEM|SURFACE_SYNC|"
           r"WAIT_REG_MEM|RELEASE_MEM|PFP_SYNC_ME|new batch).*\n)*?")
FLUSH = "PIPE_CONTROL 7a000004 80 0 0 0 0\n"
LOADS = r"(?:loads .*\n)+"
SAMPLE = r"EVENT_WRITE \w+ 21e s\w+\n"
# A value or the clock at the end of the pipe, on GFX9 after a sample.
AT_END = (r"(?:EVENT_WRITE \w+ 115 s\w+\n)?"
          r"(?:EVENT_WRITE_EOP|RELEASE_MEM) \w+ 528 .*\n")


def by_register(found):
    """Sorts register stores by register."""
    return "".join(sorted(found[0].splitlines(keepends=True),
                          key=lambda line: int(line.split()[2], 16)))


def in_order(found):
    """Orders the packets by the query's samples."""
    names = iter(sorted(re.findall(r"s\d+", found[0]),
                        key=lambda name: int(name[1:])))
    return re.sub(r"s\d+", lambda _: next(names), found[0])


# The driver's own samples, which ALONE lacks, come in between.
ENDS_ONCE = Difference(
    "statistics that end together end once",
    SOME_BY_SHADERS,
    rf"((?:EVENT_WRITE \w+ 40f\nRELEASE_MEM .*\n)+){SAMPLE}{AT_END}",
    r"\1", "end")

# Stock Mesa has shaders count the work of geometry shaders in the place of the
# result, which all queries share, and which a second batch leaves.
OWN_COUNTS = ("a result of geometry shaders is a copy of counters "
              "(src/mesa/fixes/radeonsi-geometry-counters.patch)")
CLEARED = r"WRITE_DATA c0033700 40100500 w\d+ 0\n"
COUNTERS_CLEARED = "WRITE_DATA c0063700 100500 w90 0 0 0 0\n"
COUNTED = r"(EVENT_WRITE c0004600 40f\n)(RELEASE_MEM \w+ 528 20000000 )w(\d+)"
GEOMETRY_COUNTS = [
    Difference(OWN_COUNTS, f"{BY_SHADERS}.*", CLEARED, COUNTERS_CLEARED),
    Difference(OWN_COUNTS, f"{BOTH_BY_SHADERS}/gs-invocations.*", COUNTED,
               r"\1COPY_DATA c0044000 100501 w90 w8\3\n\2w\3"),
    Difference(OWN_COUNTS, f"{gpus_of('radeonsi', 100)}/gs-primitives.*",
               COUNTED,
               r"\1COPY_DATA c0044000 100501 x90 w8\3\n\2w\3"),
    Difference(OWN_COUNTS, f"{BOTH_BY_SHADERS}/all-statistics", CLEARED * 2,
               f"{COUNTERS_CLEARED}EVENT_WRITE c0004600 40f\n"
               "COPY_DATA c0044000 100501 x90 w91\n", "begin"),
    Difference(OWN_COUNTS, f"{BOTH_BY_SHADERS}/all-statistics",
               rf"{COUNTED}(.*\n){COUNTED}",
               r"\1COPY_DATA c0044000 100501 w90 w92\n\2w93\4"
               r"\5COPY_DATA c0044000 100501 x90 w94\n\6w95", "end"),
    Difference(OWN_COUNTS, f"{gpus_of('radeonsi', 110)}/all-statistics",
               CLEARED, COUNTERS_CLEARED, "begin"),
    Difference(OWN_COUNTS, f"{gpus_of('radeonsi', 110)}/all-statistics",
               COUNTED, r"\1COPY_DATA c0044000 100501 x90 w92\n\2w\3", "end"),
    Difference("the results of two batches are in two buffers",
               f"{BY_SHADERS} in two batches store .*", r"\Z",
               "work\nEVENT_WRITE c0004600 407\n"
               "ACQUIRE_MEM c0065800 0 ffffffff 1ffffff 0 0 a 380\n", "then"),
]

IN_DRIVER = [
    # radeonsi
    Difference(
        "stock Mesa waits for a render backend that the kernel reports, and "
        "that does not exist",
        r"navi31/(?:any-)?samples-.* condition .*inverted",
        r"(?<!skipped )work\n", "skipped work\n", "then"),
    # iris
    Difference(
        "a stall on the compute ring writes to memory for nothing; stock Mesa "
        "lets it write to the sample",
        f"{IRIS}/cs-invocations.*",
        r"(PIPE_CONTROL \w+ (?:100000|104000|4000)) s\d+ ", r"\1 w99 "),
    Difference(
        "one stall is enough for all that a query samples",
        f"{IRIS}/all-statistics",
        r"(MI_STORE_.*\n)PIPE_CONTROL 7a000004 100002 0 0 0 0\n", r"\1"),
    Difference(
        "statistics that begin together are one query, and there together",
        f"{IRIS}/all-statistics",
        r"MI_STORE_DATA_IMM .*\n(?=MI_STORE_REGISTER)", "", "end"),
    Difference(
        "invocations of fragment shaders are sampled after the clipper",
        f"{IRIS}/all-statistics",
        r"((?:MI_STORE_REGISTER_MEM \w+ 2?34[8c] .*\n)+)"
        r"((?:MI_STORE_REGISTER_MEM .*\n)+)", r"\2\1", "begin|end"),
    Difference(
        "registers are sampled in the order of the statistics",
        f"{IRIS}/any-stream-overflow.*",
        r"(?:MI_STORE_REGISTER_MEM .*\n)+", by_register, "begin|counted|end"),
    Difference(
        "the fence at the end waits for the samples: they are there",
        f"{IRIS}/(?:.*samples|time|.*overflow).* store result without waiting "
        "8 B",
        "", rf"{LOADS}stores w\w+\nstores w\w+\+4\n", "then"),
    Difference(
        "this query's availability; stock Mesa copies that of the first query "
        "in the same buffer",
        f"{IRIS}/.* store availability 4 B",
        r"(MI_COPY_MEM_MEM \w+ w\d+) w\d+", r"\1 w0", "then"),
    Difference(
        "a known result is the CPU's to write",
        f"(?:{IRIS}|{RADEONSI})/.*known store result 8 B", "", "", "then"),
    Difference(
        "a time covers both rings",
        f"{IRIS}/time-elapsed-of-dispatches.*",
        "", rf"(?:new batch\n)?{COMPUTE_TIME}", "begin"),
    Difference(
        "a time covers both rings",
        f"{IRIS}/time-elapsed-of-dispatches.*",
        "", rf"(?:new batch\n)?{COMPUTE_TIME}"
        r"(?:PIPE_CONTROL \w+ 100000 .*\n)?"
        r"PIPE_CONTROL \w+ 104080 w\w+ \(0\) 1 0\n(?:new batch\n)?", "end"),
    Difference(
        "a time of both rings is the CPU's to store",
        f"{IRIS}/time-elapsed-of-dispatches.* store .*",
        "", "(?:.*\n)*", "all|then", is_skipped=True),
    # radeonsi
    Difference(
        "the write at the end of the pipe is confirmed before the event is",
        f"{DRIVERS_OWN}{RADEONSI}/.*",
        r"(?<!40f\n)((?:EVENT_WRITE_EOP|RELEASE_MEM) \w+ 528(?: [sw]\w+)? "
        r"[26])0000000"
        r"( (?:[sw]\w+ )?(?:80000000|0) 0)",
        r"\g<1>3000000\2"),
    Difference(
        "one sample is enough for all that begins or ends at a position",
        f"{RADEONSI}/all-statistics",
        rf"({SAMPLE}(?:{AT_END})*)(?:{SAMPLE}(?:{AT_END})*)+", r"\1"),
    Difference(
        "statistics that begin together are one query, which begins after "
        "those that the driver's shaders count",
        SOME_BY_SHADERS,
        rf"({SAMPLE})((?:WRITE_DATA .*\n)+){SAMPLE}", r"\2\1", "begin"),
    ENDS_ONCE,
    Difference(
        "time is never suspended: what the GPU does for others counts, too",
        f"{RADEONSI}/time-elapsed.* in two batches.*",
        rf"(?:{AT_END})+", "", "counted"),
    Difference(
        "counting goes on to the end of a batch: the next one begins anew",
        "pitcairn/(?!.*samples-|time-).* in two batches.*",
        r"EVENT_WRITE c0004600 1a\n", "", "counted"),
    Difference(
        "the segments of a query are in order",
        f"(?!bonaire){RADEONSI}/.*samples.* in two batches condition .*",
        r"(?:SET_PREDICATION .*\n)+", in_order, "then"),
    Difference(
        "nothing else tells that samples of stream-out are there: "
        "SET_PREDICATION waits for ever where they never come",
        f"{DRIVERS_OWN}{RADEONSI}/(?!.*known).*stream-overflow.* condition .*",
        r"\ASET_", "WAIT_REG_MEM c0053c00 113 x99+4 80000000 80000000 4\n"
        "SET_", "then"),
    Difference(
        "the hint not to wait is for samples of the depth test only",
        f"{DRIVERS_OWN}{RADEONSI}/.*stream-overflow.* condition no wait.*",
        r"\b((?:800)?2)1([01]00)\b", r"\g<1>0\2", "then"),
    Difference(
        "a known condition is decided by the CPU",
        f"{DRIVERS_OWN}{RADEONSI}/.*known condition wait",
        "", r"(?:SET_PREDICATION .* 30100.*\n)?(?:skipped )?work\n", "then"),
    Difference(
        "all samples of all backends have to be there, which the availability "
        "word does not say",
        f"{DRIVERS_OWN}{RADEONSI}/(?!.*known).* store result.*",
        "", r"(?:WAIT_REG_MEM c0053c00 14 \S+ 0 (?:ffffffff|80000000) 4\n)*"
        rf"{BETWEEN}(?:work\n{BETWEEN})+", "then"),
    Difference(
        "shaders write no samples: none has to be waited for",
        f"{gpus_of('radeonsi', 0, 89)}/.* store .*",
        r"EVENT_WRITE c0004600 40f\n", "", "then"),
]

DIFFERENCES = IN_DRIVER + GEOMETRY_COUNTS + adreno_differences.IN_DRIVER

# The same for Pitot alone, in a context of its own.
ALONE = [difference for difference in IN_DRIVER
         if "two batches" not in difference.where
         and "time-elapsed-of" not in difference.where
         and "then" not in difference.steps
         and difference is not ENDS_ONCE] + [
    Difference(
        "counts of the driver's own are not among them",
        SOME_BY_SHADERS,
        "", rf"{SAMPLE}(?:{AT_END})?"),
    Difference(
        "this ring is the one that draws",
        "skl/cs-invocations",
        r"PIPE_CONTROL \w+ 100000 w\w+ 0 0\n", ""),
    Difference(
        "a write and a flush on a ring that draws have a stall of their own",
        f"(?!bdw){IRIS}/cs-invocations",
        r"(PIPE_CONTROL \w+ )4000( w\w+ 0 0\nPIPE_CONTROL \w+ )80 ",
        r"\g<1>104000\g<2>100080 "),
    Difference(
        "a stall there has a companion",
        "bdw/cs-invocations",
        r"(PIPE_CONTROL \w+ )80 ", r"\g<1>100082 "),
]
