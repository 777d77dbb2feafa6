# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Judges a dEQP case by stock Mesa's status."""

from tests.runners.verdict import Finding, Verdict

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
