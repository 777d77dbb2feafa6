# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The cases on a driver, by package, and the verdict on a case by stock Mesa's
status."""

import fnmatch
from typing import NamedTuple

from tests.deqp.groups import ANY_GL, GL_PACKAGES, package_of
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


class Package(NamedTuple):
    """The cases of a package, which run in one process, in the order of the
    patterns; why there are none."""
    name: str
    program: object
    cases: list
    why: str


def find_packages(session, mesa, programs, patterns):
    """Yields the packages on a Mesa. programs: {package of a pattern:
    Program}.
    """
    for package, program in programs.items():
        mine = [p for p in patterns if package_of(p) == package]
        for name in (GL_PACKAGES if package == ANY_GL else [package]):
            cases, why = program.list_cases(session, mesa, [
                prefix_of(p.replace(package, name)) for p in mine])
            if cases:
                break
        refusal = program.refusal(session, mesa, name) if cases else ""
        if refusal:
            cases, why = [], refusal
        yield Package(name, program, list(dict.fromkeys(
            case for p in mine
            for case in fnmatch.filter(cases, p.replace(package, name)))), why)


def prefix_of(pattern):
    """The pattern for dEQP, where '*' inside of a part matches less."""
    before, star, _ = pattern.partition("*")
    return before + star


def unmatched(patterns, cases):
    return [pattern for pattern in patterns if not fnmatch.filter(
        cases, pattern.replace(ANY_GL, "KHR-GL[0-9]*"))]
