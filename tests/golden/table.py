# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The cost of queries as Markdown tables, and as docs/reports/gpu-cost.md."""

import os

import costs
from check import Recording
from runners import origin
from runners.devices import ROOT

# The other steps cost the same.
PRINTED = ("begin", "end", "from one batch to the next", "store result 8 B",
           "store result without waiting 8 B", "store availability 4 B",
           "condition wait", "condition no wait",
           "in two batches condition wait")

COMMAND = "tests/golden/run --write BUILD"
REPORT = os.path.join(ROOT, "docs", "reports", "gpu-cost.md")

INTRODUCTION = """# What a query costs the GPU

{origin}

The dwords that each step of a query adds to the command stream on simulated GPUs, with the state that the step makes
the driver emit again, and how often the command streamer waits. A cell is "dwords" or "dwords / waits", of stock Mesa
and then of Mesa with Pitot where these differ. [Performance](../performance.md#gpu) has the reasons.

"""


def cell(row):
    """A row's costs, once if both are the same."""
    if row.stock == row.pitot:
        return str(row.stock)
    return f"{row.stock} → {row.pitot}"


def kernel_cell(row):
    return " ".join(str(a) if a == b else f"{a}→{b}"
                    for a, b in zip(row.stock, row.pitot))


def table_of(step, rows, gpus):
    """Kinds that cost the same on each GPU share a line, and GPUs on which all
    kinds cost the same share a column."""
    kinds = list(dict.fromkeys(kind for _, kind in rows))
    columns = {}
    for gpu in gpus:
        column = tuple(rows.get((gpu, kind), "") for kind in kinds)
        columns.setdefault(column, []).append(gpu)
    lines = {}
    for i, kind in enumerate(kinds):
        lines.setdefault(tuple(column[i] for column in columns),
                         []).append(kind)
    return (f"| {step} | {' | '.join(map(', '.join, columns.values()))} |\n"
            f"|{' --- |' * (1 + len(columns))}\n"
            + "".join(f"| {', '.join(names)} | {' | '.join(cells)} |\n"
                      for cells, names in lines.items()))


def tables(folder, gpus, plan):
    steps, kernel = {}, {}
    for device in gpus:
        stock, pitot = (Recording(folder, device, side).scenes
                        for side in ("stock", "pitot"))
        for row in costs.rows_of(plan, stock, pitot):
            steps.setdefault(row.step, {})[device.gpu, row.kind] = cell(row)
        for row in costs.kernel_rows_of(plan, stock, pitot):
            kernel[device.gpu, row.step] = kernel_cell(row)
    names = [device.gpu for device in gpus]
    return "\n".join(
        [*(table_of(step, steps[step], names) for step in PRINTED
           if step in steps),
         "The ioctls (except those that destroy syncobjs, and on Adreno those "
         "about memory), batches and waits of the CPU, of all kinds together, "
         "with the query itself:\n",
         table_of("ioctls, batches, waits", kernel, names)])


def write(text):
    with open(REPORT, "w", encoding="utf-8") as stream:
        stream.write(INTRODUCTION.format(origin=origin.line(COMMAND)) + text)
