# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Writes docs/reports/conformance.md, the results of each rule on each driver,
and the totals in docs/conformance.md.

    python3 -m tests.conformance.document PROGRAM

runs PROGRAM, pitot-conformance, in all kinds of contexts on all devices; on
stock Mesa on a GPU of each driver.  Results of a device are {(context, rule):
tap.Result}.
"""

import collections
import itertools
import pathlib
import re
import sys
from concurrent.futures import ProcessPoolExecutor

from tests.conformance import program
from tests.runners import devices, origin
from tests.runners.mesa import Mesa

COMMAND = "python3 -m tests.conformance.document PROGRAM"
DOCS = pathlib.Path(devices.ROOT, "docs")
REPORT = DOCS / "reports" / "conformance.md"
DOCUMENT = DOCS / "conformance.md"
BEGIN = "<!-- Written by tests/conformance/document.py. -->\n"
END = "<!-- The end of what it writes. -->\n"

INTRODUCTION = """# Conformance, rule by rule

{origin}

Each rule is tried in every kind of context that it applies to. *yes*: it passes in all of them; *no*: it fails in all;
*in part*: it fails in some; –: the driver lacks what the rule is about, or only pixels could show it and the GPU is
simulated. Pitot runs on the simulated GPUs of the last table, stock Mesa on one of each driver: see [how it is
tested](../conformance.md#how-it-is-tested).

"""


def measure(rules):
    """{device: results} of stock Mesa and of Pitot."""
    planned = [(Mesa(device, stock), context)
               for device in devices.untwinned(devices.known())
               for stock in (True, False) if device.is_default() or not stock
               for context in program.contexts_of(device, stock)]
    stock, pitot = {}, {}
    with ProcessPoolExecutor() as pool:
        runs = [pool.submit(
            program.run_restarted if mesa.stock else program.run,
            rules, mesa, context) for mesa, context in planned]
        for (mesa, context), run in zip(planned, runs):
            (stock if mesa.stock else pitot).setdefault(
                mesa.device, {}).update({
                    (" ".join(context), rule): result
                    for rule, result in run.result().items()})
    return stock, pitot


def write(stock, pitot):
    """Writes the report from {device: results} of stock Mesa and of Pitot."""
    columns = list(columns_of(stock, pitot))
    totals = table(total_lines(columns))
    REPORT.write_text(
        INTRODUCTION.format(origin=origin.line(COMMAND)) + "\n".join(
            (table(rule_lines(columns)), totals, table(gpu_lines(pitot)))))
    before, begin, rest = DOCUMENT.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"{DOCUMENT} lacks {BEGIN}or {END}")
    DOCUMENT.write_text(before + begin + totals + end + after)


def table(lines):
    """A table in Markdown; the first line is the header."""
    header, *rest = ["".join(f"| {cell} " if cell else "| "
                             for cell in line) + "|\n" for line in lines]
    return header + "| --- " * (header.count("|") - 1) + "|\n" + "".join(rest)


def columns_of(stock, pitot):
    """Yields (title, [((context, rule), Result)]) for all GPUs of a driver."""
    for driver, group in itertools.groupby(pitot,
                                           lambda device: device.driver):
        group = list(group)
        for name, results in (("stock", stock), ("Pitot", pitot)):
            yield (f"{driver}, {name}",
                   [row for device in group
                    for row in results.get(device, {}).items()])


def rule_lines(columns):
    yield ["rule", "source", *(title for title, _ in columns)]
    verdicts = [verdicts_by_rule(rows) for _, rows in columns]
    for rule in dict.fromkeys(rule for _, rows in columns
                              for (_, rule), _ in rows):
        name, source = re.match(r"(.*) \(([^()]*)\)$", rule).groups()
        yield [name, source, *(summary(column[rule]) for column in verdicts)]


def verdicts_by_rule(rows):
    found = collections.defaultdict(set)
    for (context, rule), result in rows:
        if is_reported(context):
            found[rule].add(result.verdict)
    return found


def summary(verdicts):
    """One word for a rule in all contexts."""
    kept = {verdict == "passed" for verdict in verdicts - {"skipped"}}
    if not kept:
        return "–"
    return "in part" if len(kept) > 1 else "yes" if kept == {True} else "no"


def is_reported(context):
    """Whether GL reports errors in this context."""
    return not context.endswith("no-error")


def counts(rows, told):
    """Passed and failed rules, with errors or not; "–" if there are none."""
    verdicts = [result.verdict for (context, _), result in rows
                if is_reported(context) == told]
    kept = verdicts.count("passed")
    others = len(verdicts) - kept - verdicts.count("skipped")
    return [str(kept), str(others)] if verdicts else ["–", "–"]


def total_lines(columns):
    yield ["", "passed", "failed", "no-error contexts: passed", "failed"]
    for title, rows in columns:
        yield [title, *counts(rows, True), *counts(rows, False)]


def gpu_lines(pitot):
    yield ["simulated GPU", "Pitot: passed", "failed"]
    for device, results in pitot.items():
        if device.gpu:
            yield [str(device), *counts(results.items(), True)]


if __name__ == "__main__":
    write(*measure(sys.argv[1]))
