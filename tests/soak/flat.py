# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Judges whether the memory, names and files of a long run are flat.

The first cycles fill caches, and pools: these grow until most queries are in
flight at once, which a driver's threads decide.  The others are halved, and the second half must
not use more than the first.  The lowest values of the halves are compared:
memory that leaks stays, while memory that a driver keeps for a while is free
in some cycle.  Cycles are counted, not seconds, so that a busy machine changes
nothing.
"""

# The share of the cycles that fill caches and pools.
WARM_UP = 1 / 4

# The bytes that the second half may use more.  Heap: llvmpipe keeps a block of
# 64 KiB in some cycles, and the age of zink's batches differs from cycle to
# cycle.  An object of 16 bytes for each query would be a multiple.  Mapped:
# malloc's heaps grow by 132 KiB.
KiB = 1024
LIMITS_B = {"heap_B": 256 * KiB, "peak_B": 256 * KiB, "mapped_B": 1024 * KiB}

# Stock llvmpipe loses as much with each context.
CONTEXT_B = 64

# Numbers that are the same in each cycle.
EXACT = ("files", "highest_name", "highest_monitor")


def pairs(words):
    return {name: int(number) for name, number in zip(words[::2],
                                                      words[1::2])}


def read(output):
    """The cycles of an output, each as {name: number}, and the work that was
    done in all of them, or {} if the program has not told."""
    cycles, work = [], {}
    for line in output.splitlines():
        first, *words = line.split()
        if first == "cycle":
            cycles.append(pairs(words))
        elif first == "queries":
            work = pairs([first, *words])
    return cycles, work


def judge(cycles):
    """Yields the name of each number, and why it is not flat, or ""."""
    later = cycles[int(WARM_UP * len(cycles)):]
    middle = len(later) // 2
    halves = later[:middle], later[middle:]
    lost_B = CONTEXT_B * (later[-1]["contexts"] - later[middle]["contexts"]
                          if middle else 0)
    for name, limit_B in LIMITS_B.items():
        yield (f"{name[:-2]} memory is flat",
               growth(name, limit_B + lost_B, min, halves))
    for name in EXACT:
        yield f"{name.replace('_', ' ')}: no more", growth(name, 0, max,
                                                           halves)


def growth(name, limit, extreme, halves):
    """Why a number grows from one half to the other, or ""."""
    if len(halves[0]) < 2:
        return "too few cycles"
    before, after = (extreme(cycle[name] for cycle in half)
                     for half in halves)
    if after - before <= limit:
        return ""
    return (f"{name}: {before} in the first half of {sum(map(len, halves))} "
            f"cycles, {after} in the second, {after - before - limit} above "
            f"the limit")


def reports(driver, cycles, count):
    """Yields a line on the memory in use at the beginning and at the end of
    each of so many parts of a run."""
    if not cycles:
        return
    last_s = cycles[-1]["passed_s"]
    for part in range(count + 1):
        number = next(i for i, cycle in enumerate(cycles)
                      if cycle["passed_s"] * count >= last_s * part)
        if part == count:
            number = len(cycles) - 1
        cycle = cycles[number]
        yield (f"{driver}: after {cycle['passed_s']} s and {number + 1} "
               f"cycles: resident {cycle['resident_B'] / 1e6:.1f} MB, heap "
               f"{cycle['heap_B'] / 1e6:.2f} MB")
