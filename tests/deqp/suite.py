# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The cases on a driver: packages, and their groups."""

import fnmatch
from typing import NamedTuple

from tests.deqp.groups import ANY_GL, GL_PACKAGES, package_of


class Group(NamedTuple):
    """A pattern, and the cases that match no pattern before it."""
    pattern: str
    cases: list


class Package(NamedTuple):
    """The groups of a package, which run in one process; why there are no
    cases."""
    name: str
    program: object
    groups: list
    why: str

    def cases(self):
        return [case for group in self.groups for case in group.cases]


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
        groups = group_cases([p.replace(package, name) for p in mine],
                             cases)
        yield Package(name, program, groups, why)


def prefix_of(pattern):
    """The pattern for dEQP, where '*' inside of a part matches less."""
    before, star, _ = pattern.partition("*")
    return before + star


def group_cases(patterns, cases):
    groups = []
    for pattern in patterns:
        groups.append(Group(pattern, fnmatch.filter(cases, pattern)))
        cases = [case for case in cases
                 if not fnmatch.fnmatchcase(case, pattern)]
    return groups


def unmatched(patterns, cases):
    return [pattern for pattern in patterns if not fnmatch.filter(
        cases, pattern.replace(ANY_GL, "KHR-GL[0-9]*"))]
