# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The summary that a run prints."""

import collections

from verdict import Verdict

# Told by name, in this order; the rest is only counted.
TOLD = (Verdict.GAINED, Verdict.FLAKED, Verdict.LOST, Verdict.UNSTEADY,
        Verdict.UNLISTED, Verdict.UNEXPECTED_PASS)


def counts(findings, left_out):
    """How many passed, failed and were skipped."""
    total = collections.Counter(f.verdict.count for f in findings)
    total["skipped"] += left_out
    return total


def counts_line(total):
    return ", ".join(f"{total[name]} {name}"
                     for name in ("passed", "failed", "skipped"))


def driver_summary(driver, findings, left_out, expectations):
    """Yields the lines on one driver."""
    total = collections.Counter(f.verdict for f in findings)
    yield (f"{driver}: {counts_line(counts(findings, left_out))}; "
           f"{total[Verdict.GAINED]} gained, {total[Verdict.LOST]} lost")
    yield from side_lines(findings)
    yield from skipped_lines(total, left_out, expectations)
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


def skipped_lines(total, left_out, expectations):
    """What 'skipped' is made of."""
    reasons = (
        (total[Verdict.SKIPPED], "not supported by the driver"),
        (total[Verdict.EXPECTED],
         f"expected failures, listed in {expectations.name}-fails.txt"),
        (total[Verdict.FAILS_ON_STOCK],
         "not query tests and fail on stock Mesa too"),
        (left_out, f"not run, for {expectations.name}-skips.txt"))
    for number, reason in reasons:
        if number:
            yield f"  skipped: {number} {reason}"


def explain(finding, expectations):
    """What a finding means and what to do about it."""
    row = finding.row
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
