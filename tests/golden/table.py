#!/usr/bin/python3 -B
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""tests/golden/table.py BUILD prints docs/reports/gpu-cost.md. BUILD has the
test programs."""

import pathlib
import sys
import tempfile

sys.path[0] = str(pathlib.Path(__file__).resolve().parents[2])

from tests.golden import costs, recordings
from tests.runners import devices, origin

# The other steps cost the same.
PRINTED = ("begin", "end", "from one batch to the next", "store result 8 B",
           "store result without waiting 8 B", "store availability 4 B",
           "condition wait", "condition no wait",
           "in two batches condition wait")

INTRODUCTION = """# What a query costs the GPU

{origin}

The dwords that each step of a query adds to the command stream on simulated GPUs, with the state that the step makes
the driver emit again, and how often the command streamer waits. A cell is "dwords" or "dwords / waits", of stock Mesa
and then of Mesa with Pitot where these differ. [Performance](../performance.md#gpu) has the reasons.
"""


def cell(row):
    """A row's costs, once if both are the same."""
    if len(row.stock) == 3:
        return " ".join(str(a) if a == b else f"{a}→{b}"
                        for a, b in zip(row.stock, row.pitot))
    texts = [f"{dwords} / {waits}" if waits else str(dwords)
             for dwords, waits in (row.stock, row.pitot)]
    return " → ".join(dict.fromkeys(texts))


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


def scenes_of(build, folder, device, side):
    fault = recordings.record(build, folder, device, side)
    if fault:
        sys.exit(f"{side} on {device}: {fault}")
    return recordings.Recording(folder, device, side).scenes


def tables(build, folder):
    cells = {}
    plan = recordings.scenes(build)
    for device in devices.simulated():
        for row in costs.rows_of(plan, *(
                scenes_of(build, folder, device, side)
                for side in ("stock", "pitot"))):
            # A table has the kinds of a step, or all steps of all kinds.
            step, line = ((None, row.step) if row.kind == "all" else
                          (row.step, row.kind))
            if row.step != "memory":
                cells.setdefault(step, {})[device.gpu, line] = cell(row)
    names = [device.gpu for device in devices.simulated()]
    return [*(table_of(step, cells[step], names) for step in PRINTED),
            "The ioctls (except those that destroy syncobjs, and on Adreno "
            "those about memory), batches and waits of the CPU, of all kinds "
            "together, with the query itself:\n",
            table_of("ioctls, batches, waits", cells[None], names)]


with tempfile.TemporaryDirectory() as temporary:
    found = tables(pathlib.Path(sys.argv[1]).resolve(),
                   pathlib.Path(temporary))
print(INTRODUCTION.format(origin=origin.line("tests/golden/table.py BUILD")),
      *found, sep="\n", end="")
