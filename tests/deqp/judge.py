# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Judges a dEQP case by stock Mesa's status, and counts by group."""

from runners.verdict import Finding, Verdict

PASSES = ("Pass", "QualityWarning", "CompatibilityWarning")
NOT_RUN = "NotRun"
UNSUPPORTED = "NotSupported"


def judge(case, stock, pitot):
    """The finding on a case from both statuses, which may be None."""
    stock, pitot = stock or NOT_RUN, pitot or NOT_RUN
    if pitot in PASSES:
        verdict = Verdict.PASSED if stock in PASSES else Verdict.GAINED
    elif pitot != stock or pitot == NOT_RUN:
        # Includes failures that changed, and cases that did not run.
        verdict = Verdict.LOST
    elif pitot == UNSUPPORTED:
        return Finding(case, Verdict.SKIPPED, pitot, stock, "not supported")
    else:
        verdict = Verdict.SAME_FAILURE
    return Finding(case, verdict, pitot, stock)


def is_right(finding, status):
    """Whether a lost case passes when it runs again."""
    return not judge(finding.case, finding.stock, status).is_lost()


def table(packages, findings):
    """Yields a Markdown table with a row for each group."""
    by_case = {f.case: f for f in findings}
    groups = [group for package in packages for group in package.groups]
    width = max(len(group.pattern) for group in groups)
    header = ("cases", "stock", "Pitot", "gained", "lost")
    rows = [("group", header),
            *((group.pattern, counts(by_case[case] for case in group.cases))
              for group in groups),
            ("all", counts(findings))]
    for name, columns in rows:
        yield "  " + name.ljust(width) + "".join(f"{column:>8}"
                                                 for column in columns)


def counts(findings):
    """Counts: cases, passes on stock, passes with Pitot, gained, lost."""
    findings = list(findings)
    return (len(findings), sum(f.stock in PASSES for f in findings),
            sum(f.verdict.count == "passed" for f in findings),
            sum(f.verdict is Verdict.GAINED for f in findings),
            sum(f.verdict is Verdict.LOST for f in findings))
