# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Writes docs/conformance.md: rule by rule, the results on each driver.

The results of a device are {(context, rule): tap.Result}.
"""

import collections
import itertools
import os
import re

from runners import devices

DOCUMENT = os.path.join(devices.ROOT, "docs", "conformance.md")

INTRODUCTION = """# Conformance

Written by `tests/conformance/run --write`: the rules of `tests/rules/rules.c` and
the behaviours of `tests/conformance/behaviour*.c` that a real GL can be put to,
and what Mesa 25.0.7 does, stock and with Pitot. Each is tried in every kind of
context in which it holds: compatibility and core profile, ES 2.0 and ES 3, and
on ES also by the entry points of ANGLE_timer_query. "in part" is in some of
these; "–" is that the driver does not have what the rule is about, as none of
them has INTEL_performance_query with stock Mesa. The totals below count each
context.

Pitot is tried a second time in contexts that report no errors (KHR_no_error),
on one GPU of each driver but softpipe, where mistakes must not crash, nor hang;
stock Mesa is not, since it does both. On zink, and on one GPU of iris and of
radeonsi, core profile and ES 3 are tried again with glthread, on stock Mesa as
well.
Rules about failing drivers, lost devices, clocks and results in flight need a
driver under control and are put to the null driver only. Some drivers have
faults of their own, with and without Pitot: `DRIVER-fails.txt` in
`tests/conformance` has them, with their reasons.

iris, radeonsi and freedreno run on GPUs that are simulated, Pitot on all of
them (below the table, each), stock Mesa on one of each driver: draws are
counted, and nothing is rendered. A rule that only pixels can show is "–" there;
whether something is drawn under a condition, a query beside it tells. The
shaders of draws do not run: where radeonsi counts in them (transform feedback
and primitives generated from GFX11 on) it is the simulation that fails, not
radeonsi. A rule that takes stock Mesa two seconds of CPU time there, where a
GPU is done at once, is not kept: most of these poll for what never comes.

"""


def write(stock, pitot):
    """Writes the document, given {device: results} of both Mesas."""
    columns = list(columns_of(stock, pitot))
    text = "\n".join((table(rule_lines(columns)), table(total_lines(columns)),
                      table(gpu_lines(pitot))))
    with open(DOCUMENT, "w", encoding="utf-8") as out:
        out.write(INTRODUCTION + text)


def table(lines):
    """A table in Markdown; its first line is the header."""
    header, *rest = ["".join(f"| {cell} " if cell else "| "
                             for cell in line) + "|\n" for line in lines]
    return header + "| --- " * (header.count("|") - 1) + "|\n" + "".join(rest)


def columns_of(stock, pitot):
    """Yields (title, results) of a driver's GPUs together: [((context, rule),
    Result)]."""
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
        if is_told(context):
            found[rule].add(result.verdict)
    return found


def summary(verdicts):
    """One word for a rule in all kinds of contexts."""
    kept = {verdict == "passed" for verdict in verdicts - {"skipped"}}
    if not kept:
        return "–"
    return "in part" if len(kept) > 1 else "yes" if kept == {True} else "no"


def is_told(context):
    """Whether GL reports errors there."""
    return not context.endswith("no-error")


def counts(rows, told):
    """How often rules are kept, and not, where GL reports errors or not; "–"
    where there is no such context."""
    verdicts = [result.verdict for (context, _), result in rows
                if is_told(context) == told]
    kept = verdicts.count("passed")
    others = len(verdicts) - kept - verdicts.count("skipped")
    return [str(kept), str(others)] if verdicts else ["–", "–"]


def total_lines(columns):
    yield ["", "kept", "not kept", "without errors: kept", "not kept"]
    for title, rows in columns:
        yield [title, *counts(rows, True), *counts(rows, False)]


def gpu_lines(pitot):
    yield ["simulated GPU", "Pitot: kept", "not kept"]
    for device, results in pitot.items():
        if device.gpu:
            yield [str(device), *counts(results.items(), True)]
