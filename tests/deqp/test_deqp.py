# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The query cases of dEQP and Khronos' CTS on Mesa with Pitot, compared with
stock Mesa, case by case.

--deqp names programs of VK-GL-CTS, built for its target surfaceless (deqp-egl:
for x11_egl), or the folder of the build, which stands for all of them that are
in it. Without --cases the cases about queries are run, which groups.py lists.
If the source of the programs is still there, it is searched for calls about
queries that groups.py does not know.

A case that passes on stock Mesa must pass with Pitot. Lost cases are run again,
all together and then alone: a case that passes then has failed all the same,
unless DRIVER-flakes.txt in this directory lists it, with the reason. The
results of stock Mesa are kept in the cache ($PITOT_CACHE, by default
~/.cache/pitot) and used again until the program, the cases or that Mesa change.
A case that fails on stock Mesa in the same way counts as a listed failure.
"""

import functools
import json
import pathlib

import pytest
from tests.deqp.groups import ANY_GL, package_of, program_of, query_groups
from tests.deqp.program import OPTIONS, Session, find_programs
from tests.deqp.search import check, source_of
from tests.deqp.suite import (find_packages, is_right, judge,
                              unmatched)
from tests.runners import devices
from tests.runners.command import RunError
from tests.runners.comparison import (ALONE_LIMIT, Comparison,
                                      display_environment, reason_of)
from tests.runners.lists import Expectations
from tests.runners.verdict import stale

HERE = pathlib.Path(__file__).parent


def as_pattern(text):
    """The pattern of --cases: without '*' a prefix."""
    if "*" in text.replace(ANY_GL, ""):
        return text
    return text + ("*" if "." in text else ".*")


def by_package(programs, patterns):
    """{package: Program} for the patterns that the programs have."""
    found = {}
    for package in map(package_of, patterns):
        if program_of(package) in programs:
            found[package] = programs[program_of(package)]
    if not found:
        raise RunError(f"{', '.join(programs)} has none of these cases")
    return found


class DeqpComparison(Comparison):
    def __init__(self, launcher, session, device):
        super().__init__(launcher, device, "surfaceless_egl", session.env,
                         Expectations(HERE, device))
        self.session = session

    def findings(self, packages, is_whole):
        findings = [finding for package in packages if package.cases
                    for finding in self.of_package(package)]
        if is_whole:
            findings += stale(self.expectations.unmatched(
                {finding.case for finding in findings}))
        return findings

    def of_package(self, package):
        stock = self.on_stock(package)
        pitot = self.run(self.pitot, package, package.cases, "pitot")
        findings = [judge(case, stock.get(case), pitot.get(case))
                    for case in package.cases]
        return self.look_again(
            findings, is_right, functools.partial(self.run_again, package))

    def on_stock(self, package):
        cases = package.cases

        def run_stock():
            statuses = self.run(self.stock, package, cases, "stock")
            if len(statuses) < len(cases):
                raise RunError(f"{package.program.name} ran {len(statuses)} "
                               f"of {len(cases)} cases of {package.name} on "
                               f"{self.stock}")
            return json.dumps(statuses).encode()

        dependencies = [f"{text}\n" for text in (
            *self.below_gl(), package.program.checksum(), *OPTIONS, *cases)]
        return json.loads(self.kept("deqp", ".json", dependencies, run_stock))

    def run_again(self, package, lost, attempt):
        """Runs lost cases again: together, then one by one."""
        cases = [finding.case for finding in lost]
        if attempt == 1:
            return self.run(self.pitot, package, cases, "again")
        again = {}
        for number, case in enumerate(cases[:ALONE_LIMIT], 1):
            again.update(self.run(self.pitot, package, [case],
                                  f"alone-{number}"))
        return again

    def run(self, side, package, cases, label):
        return package.program.run_cases(self.session, side, cases,
                                         f"{package.name}-{label}")


@pytest.fixture
def binaries(pytestconfig):
    options = pytestconfig.option
    if not options.deqp:
        pytest.skip("no build of VK-GL-CTS was given (--deqp BUILD)")
    found = find_programs(options.deqp)
    if options.machine:
        # It needs windows, and the virtual display has none of that GPU.
        found.pop("deqp-egl", None)
    return found


@pytest.fixture
def patterns(pytestconfig):
    return ([as_pattern(text) for text in pytestconfig.option.cases] or
            query_groups())


@pytest.fixture
def session(pytestconfig, tmp_path):
    with display_environment(pytestconfig.option.machine) as env:
        # A dEQP for X11 uses the display, others do not.
        yield Session(dict(env, EGL_PLATFORM="surfaceless"), tmp_path)


def test_groups_name_each_source(binaries):
    sources = {source_of(program) for program in binaries.values()} - {None}
    if not sources:
        pytest.skip("the programs' source is not there")
    for source in sources:
        check(source)


def test_each_group_has_a_case(binaries, patterns, session, on_mesa,
                               pytestconfig):
    if pytestconfig.option.driver or pytestconfig.option.machine:
        pytest.skip("one driver has no case of some groups")
    programs = by_package(binaries, patterns)
    cases = [case for device in devices.software()
             for package in find_packages(session, on_mesa(device, True),
                                          programs, patterns)
             for case in package.cases]
    assert not unmatched([pattern for pattern in patterns
                          if package_of(pattern) in programs], cases)


@pytest.mark.devices(lambda known: devices.software(),
                     lambda known: devices.software())
def test_cases(device, binaries, patterns, session, pytestconfig, results):
    options = pytestconfig.option
    comparison = DeqpComparison(options.launcher, session, device)
    comparison.check()
    packages = list(find_packages(session, comparison.stock,
                                  by_package(binaries, patterns), patterns))
    for package in packages:
        if not package.cases:
            print(f"{package.name}: no cases, {package.why}")
    for finding in comparison.findings(packages, not options.cases):
        results.add(finding.verdict.count, f"dEQP: {finding.case}",
                    finding.case, reason_of(finding))
