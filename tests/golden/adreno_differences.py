# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Differences of freedreno's commands: see differences.py."""

import re

from tests.golden.lists import Difference, gpus_of

FREEDRENO = gpus_of("freedreno")
A6XX, A7XX = gpus_of("freedreno", 0, 6), gpus_of("freedreno", 7)
# From A740 on, events add up sample counts.
BEFORE_A740 = f"(?:{A6XX}|a730)"

SAMPLES = "(?:any-)?samples-.*"
GEOMETRY = (r"(?:primitives-generated|vertices-.*|primitives-submitted|vs-.*"
            r"|tcs-.*|tes-.*|gs-.*|clipping-.*)")
STREAMS = r"(?:primitives-written|(?:any-)?stream-overflow).*"
STATISTICS = (r"(?!primitives-generated)(?:vertices-.*|primitives-submitted.*"
              r"|\w+-invocations.*|tcs-.*|gs-.*|clipping-.*)")
DISPATCHES = "(?:cs-invocations|time-elapsed-of-dispatches)"

IDLE = "CP_WAIT_FOR_IDLE 70268000\n"
NOT_WRITTEN = (r"CP_MEM_WRITE 703d0004 {} ffffffff ffffffff\n"
               r"CP_WAIT_MEM_WRITES 70928000\n")
STARTS, STOPS = ("".join(f"CP_EVENT_WRITE 70460001 {event}\n"
                         for event in events)
                 for events in (("b", "d", "f"), ("c", "e", "10")))
SUM = r"CP_MEM_TO_MEM 70738009 \w+ .*\n"
ONCE = "CP_COND_REG_EXEC 70c70002 3e000000 4\n"
FRAGMENTS = "CP_REG_TO_MEM 703e8003 40080552 "
ALL = r"(?:.*\n)+"
# Commands of queries and of the driver's own samples, in any order.
ANY = r"(?:(?:CP|RB|VPC)_.*\n|new batch\n)*"


# The last sample of each batch.
DRIVERS_SAMPLE = (r"(?:RB_SAMPLE_COUNT_CONTROL .*\n"
                  r"(?:RB_SAMPLE_COUNT_ADDR .*\nCP_EVENT_WRITE 70460001 15\n"
                  r"|CP_EVENT_WRITE 70468003 7015 .*\n))?")


def begin_together(found):
    """Counting, one wait, and all samples, per-tile ones last."""
    samples = re.findall(r"CP_REG_TO_MEM .*\n", found[0])
    samples.sort(key=lambda line: line.startswith(FRAGMENTS))
    return STARTS + IDLE + "".join(
        line if line.startswith(FRAGMENTS) else ONCE + line
        for line in samples)


def end_together(found):
    """One wait, and all samples; per-tile ones come last and are added up."""
    text = re.sub(rf"{IDLE}|CP_EVENT_WRITE .*\n", "", found[0])
    fragments, total = re.search(rf"({FRAGMENTS}.*\n)({SUM})", text).groups()
    others = re.findall(rf"(?!{FRAGMENTS})CP_REG_TO_MEM .*\n", text)
    return (IDLE + "".join(ONCE + line for line in others) + fragments + IDLE
            + total + STOPS)


def fence(event, name):
    return (f"CP_WAIT_MEM_WRITES 70928000\nCP_EVENT_WRITE 70460004 {event} "
            f"{name} 1\n")


def of_fences():
    """A seqno marks all writes before it as done."""
    for gpus, event in (A6XX, "4"), (A7XX, "8000031"):
        yield Difference(
            "the number comes after all writes of the batch; that of stock "
            "Mesa waits for none",
            f"{gpus}/(?!.* in two batches).*",
            rf"CP_MEM_WRITE 703d0004 (w\d+) 1 0\n({DRIVERS_SAMPLE})",
            r"\2" + fence(event, r"\1"), "end|batch end")
        yield Difference(
            "the number is in the same batch; stock Mesa has one of draws "
            "write it",
            f"{gpus}/{DISPATCHES}", r"\A\Z", fence(event, "w99"), "batch end")


IN_DRIVER = [
    Difference(
        "each batch has a record of its own; stock Mesa adds up in one",
        f"{FREEDRENO}/.* in two batches.*", "", ANY,
        "counted|end|batch end", is_skipped=True),
    Difference(
        "a result is stored after all samples of its batch, which ends then; "
        "the CPU looks at conditions, and stores times",
        f"{FREEDRENO}/.* (?:store|condition) .*", "",
        rf"{ANY}(?:(?:skipped )?work\n)?{ANY}", "then|batch end",
        is_skipped=True),
    Difference(
        "a result of dispatches is stored after their batch, too",
        f"{FREEDRENO}/{DISPATCHES} (?:store|known) .*", "", ANY, "end",
        is_skipped=True),
    Difference(
        "the number is in the same batch; stock Mesa has one of draws write it",
        f"{FREEDRENO}/{DISPATCHES}",
        rf"(?:CP_EVENT_WRITE 70460001 20\n)?(?:{IDLE})+RB_SAMPLE(?:.*\n)*", "",
        "end"),
    *of_fences(),
    Difference(
        "a begin may come late as an end may: nothing is added before it is "
        "there",
        f"{BEFORE_A740}/{SAMPLES}",
        r"(RB_SAMPLE_COUNT_CONTROL .*\nRB_SAMPLE_COUNT_ADDR \w+ (s\d+)\n)",
        NOT_WRITTEN.format(r"\2") + r"\1", "begin"),
    Difference(
        "the same, and the command processor adds after its own writes",
        f"{BEFORE_A740}/{SAMPLES}",
        r"(CP_WAIT_REG_MEM 70bc8006 14 )(s\d+)( .*\n)"
        r"(CP_MEM_TO_MEM 70738009 )2(0000004 .* )(s\d+)\n",
        r"\1\6\3\1\2\3\g<4>6\5\6\n", "end|batch end"),
    Difference(
        "the cache is cleaned behind an end, too",
        f"a730/{SAMPLES}",
        rf"({NOT_WRITTEN.format('.*')}RB_SAMPLE_COUNT_CONTROL .*\n"
        r"RB_SAMPLE_COUNT_ADDR .*\nCP_EVENT_WRITE .*\n)",
        r"\1CP_EVENT_WRITE 70460001 20\n", "end"),
    Difference(
        "the times of events have 32 bits",
        f"{A6XX}/time.*", r"CP_EVENT_WRITE 70460004 40000016 (s\d+) 0\n",
        rf"{IDLE}CP_REG_TO_MEM 703e8003 40080980 \1\n", "begin|end"),
    Difference(
        "the command processor adds after its own writes",
        f"{FREEDRENO}/time-elapsed.*",
        r"(CP_MEM_TO_MEM 70738009 )2", r"\g<1>6", "end"),
    Difference(
        "primitives are counted before the first sample of them",
        f"{FREEDRENO}/primitives-generated.*",
        rf"({IDLE}CP_REG_TO_MEM .*\n)(CP_EVENT_WRITE 70460001 b\n)", r"\2\1",
        "begin"),
    Difference(
        "and not after the last one",
        f"{FREEDRENO}/primitives-generated.*",
        rf"({SUM})", r"\1CP_EVENT_WRITE 70460001 c\n", "end"),
    Difference(
        "all statistics are counted before the first sample of one",
        f"{FREEDRENO}/{STATISTICS}",
        rf"({IDLE}CP_REG_TO_MEM .*\n)CP_EVENT_WRITE 70460001 [bdf]\n",
        STARTS + r"\1", "begin"),
    Difference(
        "and not after the last one",
        f"{FREEDRENO}/{STATISTICS}",
        rf"({SUM})", rf"\1{STOPS}", "end"),
    Difference(
        "stages before the rasterizer are sampled in one pass, rather than in "
        "each tile",
        f"{FREEDRENO}/{GEOMETRY}.*",
        r"(CP_REG_TO_MEM .*\n)", rf"{ONCE}\1",
        "begin|end"),
    Difference(
        "the same",
        f"{FREEDRENO}/{STREAMS}",
        r"(VPC_SO_STREAM_COUNTS .*\n)",
        r"CP_COND_REG_EXEC 70c70002 3e000000 5\n\1", "begin|end"),
    Difference(
        "one pass has no sum: the CPU takes the difference",
        f"{FREEDRENO}/(?:{GEOMETRY}.*|cs-.*|{STREAMS})", SUM, "", "end"),
    Difference(
        "the sample is written before it is added",
        f"{FREEDRENO}/fs-.*", rf"({SUM})", rf"{IDLE}\1", "end"),
    Difference(
        "statistics that begin together wait once",
        f"{FREEDRENO}/all-statistics", ALL, begin_together, "begin"),
    Difference(
        "and so do those that end together",
        f"{FREEDRENO}/all-statistics", ALL, end_together, "end"),
    Difference(
        "they are one query, and there together",
        f"{FREEDRENO}/all-statistics",
        r"(CP_WAIT_MEM_WRITES 70928000\nCP_EVENT_WRITE 70460004 .*\n)"
        r"(?:CP_WAIT_MEM_WRITES 70928000\nCP_EVENT_WRITE 70460004 .*\n)+",
        r"\1", "batch end"),
]
