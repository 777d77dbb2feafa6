# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The summary that a run prints."""

import collections

from session import NO_ERROR
from totals import VERDICTS
from verdict import Verdict

# Told by name, in this order; the rest is only counted.
TOLD = (Verdict.GAINED, Verdict.FLAKED, Verdict.LOST, Verdict.UNSTEADY,
        Verdict.UNLISTED, Verdict.UNEXPECTED_PASS, Verdict.STALE)



def add_to(totals, findings, left_out):
    """Counts findings, and the tests that were left out by name."""
    for finding in findings:
        totals.add(finding.verdict.count,
                   f"piglit: {finding.row.replace(NO_ERROR, '')}")
    for name in left_out:
        totals.add("skipped", f"piglit: {name.replace(NO_ERROR, '')}")


def counts_line(findings, left_out):
    counts = collections.Counter(f.verdict.count for f in findings)
    counts["skipped"] += len(left_out)
    return ", ".join(f"{counts[name]} {name}" for name in VERDICTS)


def driver_summary(driver, findings, left_out, expectations):
    """Yields the lines on one driver."""
    total = collections.Counter(f.verdict for f in findings)
    yield (f"{driver}: {counts_line(findings, left_out)}; "
           f"{total[Verdict.GAINED]} gained, {total[Verdict.LOST]} lost")
    yield from side_lines(findings)
    yield from skipped_lines(findings, left_out, expectations)
    for verdict in TOLD:
        for finding in findings:
            if finding.verdict is verdict:
                yield f"  {verdict.label}: {explain(finding, expectations)}"


def side_lines(findings):
    """Both sides' totals, as 'piglit summary' counts them."""
    sides = [("with Pitot", [f.pitot for f in findings])]
    if any(f.stock for f in findings):
        sides.append(("on stock Mesa", [f.stock for f in findings]))
    for name, statuses in sides:
        results = sum(1 for s in statuses if s not in (None, "Missing"))
        yield f"  {name}: {results} results, {statuses.count('Pass')} pass"


def skipped_lines(findings, left_out, expectations):
    """Why something was skipped, or failed and is listed."""
    reasons = collections.Counter(
        f.why for f in findings if f.verdict is Verdict.SKIPPED)
    reasons["not run, for the lists"] = len(left_out)
    total = collections.Counter(f.verdict for f in findings)
    reasons["not query tests, and fail on stock Mesa too"] = \
        total[Verdict.FAILS_ON_STOCK]
    for reason, number in reasons.items():
        if number:
            yield f"  skipped: {number} for '{reason}'"
    if total[Verdict.EXPECTED]:
        yield (f"  expected failures: {total[Verdict.EXPECTED]}, listed in "
               f"{expectations.name}-fails.txt")


def explain(finding, expectations):
    """What a finding means and what to do about it."""
    row = finding.row
    if finding.verdict is Verdict.STALE:
        return f"{row}: remove it from {expectations.name}'s lists"
    if finding.verdict is Verdict.UNEXPECTED_PASS:
        return f"{row}: remove {expectations.fails[row].place}"
    if finding.verdict is Verdict.UNSTEADY:
        return (f"{row}: {finding.pitot}, then Pass when run again; look at "
                f"it, and list it in {expectations.name}-flakes.txt only if "
                "the test is at fault")
    if finding.verdict is Verdict.UNLISTED:
        return (f"{row}: {finding.pitot} is not listed in "
                f"{expectations.name}-fails.txt")
    return f"{row}: {finding.pitot} ({finding.stock or 'None'} on stock Mesa)"
