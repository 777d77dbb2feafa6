# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Judges Pitot's results by those of stock Mesa, and tells what it found."""

import collections
import enum
from typing import NamedTuple

PASSES = ("Pass", "QualityWarning", "CompatibilityWarning")
NOT_RUN = "NotRun"
UNSUPPORTED = "NotSupported"


class Verdict(enum.Enum):
    """What is said of one case, and how it is counted."""

    PASSED = ("passed", "passed")
    GAINED = ("gained", "passed")
    FLAKED = ("flaked", "passed")
    UNSTEADY = ("unsteady", "failed")
    LOST = ("lost", "failed")
    STALE = ("listed, but there is no such case", "failed")
    FAILS = ("fails on stock too", "listed")
    UNSUPPORTED = ("not supported", "skipped")

    def __init__(self, label, count):
        self.label = label
        self.count = count


class Finding(NamedTuple):
    """The verdict on one case, and its statuses."""
    case: str
    verdict: Verdict
    stock: str
    pitot: str


def judge(case, stock, pitot):
    """The finding on a case, given both sides' {case: status}."""
    stock = stock.get(case, NOT_RUN)
    pitot = pitot.get(case, NOT_RUN)
    if pitot in PASSES:
        verdict = Verdict.PASSED if stock in PASSES else Verdict.GAINED
    elif pitot != stock or pitot == NOT_RUN:
        # A failure that turns into another one is lost, too; and that a case
        # did not run says nothing of what is supported.
        verdict = Verdict.LOST
    elif pitot == UNSUPPORTED:
        verdict = Verdict.UNSUPPORTED
    else:
        verdict = Verdict.FAILS
    return Finding(case, verdict, stock, pitot)


def rejudge(finding, stock, again, is_flake):
    """The finding after some cases that seemed lost were run again.

    A case that is right then is unsteady, and that is a failure too unless it
    is known to be.  A crash never is, nor a case that vanished.
    """
    if finding.verdict is not Verdict.LOST or finding.case not in again:
        return finding
    if judge(finding.case, stock, again).verdict is Verdict.LOST:
        return (finding._replace(pitot=again[finding.case])
                if finding.pitot == "Fail" else finding)
    flake = finding.pitot == "Fail" and is_flake(finding.case)
    return finding._replace(verdict=Verdict.FLAKED if flake
                            else Verdict.UNSTEADY)


def stale(places):
    """The findings on lines of a list that are about no case."""
    return [Finding(place, Verdict.STALE, NOT_RUN, NOT_RUN)
            for place in places]


def add_to(totals, findings):
    """Counts them."""
    for finding in findings:
        totals.add(finding.verdict.count, f"dEQP: {finding.case}")


def table(packages, findings):
    """Yields the lines of a table with a row for each group."""
    by_case = {f.case: f for f in findings}
    groups = [group for package in packages for group in package.groups]
    width = max(len(group.pattern) for group in groups)
    header = ("cases", "stock", "Pitot", "gained", "lost")
    yield "  " + "group".ljust(width) + "".join(f"{h:>8}" for h in header)
    for group in groups:
        numbers = row([by_case[case] for case in group.cases])
        yield "  " + group.pattern.ljust(width) + "".join(
            f"{number:>8}" for number in numbers)
    yield "  " + "all".ljust(width) + "".join(
        f"{number:>8}" for number in row(findings))


def row(findings):
    """How many cases, passes on stock, passes with Pitot, gained, lost."""
    verdicts = collections.Counter(f.verdict for f in findings)
    return (len(findings), sum(1 for f in findings if f.stock in PASSES),
            sum(1 for f in findings if f.verdict.count == "passed"),
            verdicts[Verdict.GAINED], verdicts[Verdict.LOST])


def told(findings):
    """Yields how many cases there are of each verdict; and by name those
    that Pitot has won or lost, or that are not always the same.
    """
    verdicts = collections.Counter(f.verdict for f in findings)
    for verdict in Verdict:
        if verdicts[verdict]:
            yield f"  {verdict.label}: {verdicts[verdict]}"
        if verdict.count == "failed" or verdict in (Verdict.GAINED,
                                                    Verdict.FLAKED):
            yield from (f"    {line(f)}" for f in findings
                        if f.verdict is verdict)


def line(finding):
    return f"{finding.case}: {finding.pitot} ({finding.stock} on stock Mesa)"


def write_results(path, findings):
    """Writes a line for each case that did not simply pass on both sides."""
    with open(path, "w", encoding="utf-8") as stream:
        for finding in findings:
            if finding.verdict is not Verdict.PASSED:
                stream.write(f"{finding.verdict.label}: {line(finding)}\n")
