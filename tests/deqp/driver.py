# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The comparison on one driver."""

import os

from compare import Verdict, judge, rejudge, stale
from devices import Device
from errors import RunError
from expectations import Expectations
from mesa import Mesa, RENDERERS
from suite import StockResults, find_packages

# More lost cases than this are not run alone: they are no accident.
ALONE_LIMIT = 20

HERE = os.path.dirname(os.path.realpath(__file__))


def say(text):
    print(text, flush=True)


class DriverRun:
    """Both Mesas with one driver."""

    def __init__(self, session, launcher, driver):
        self.session = session
        self.driver = driver
        self.pitot = Mesa(launcher, Device(driver, ""), stock=False)
        self.stock = Mesa(launcher, Device(driver, ""), stock=True)
        self.stock_results = None
        self.expectations = Expectations(HERE, Device(driver, ""))

    def check(self):
        """Refuses a comparison that would not be between the right two."""
        env = self.session.env
        for mesa in (self.stock, self.pitot):
            text = mesa.output_of(["wflinfo", "--platform", "surfaceless_egl",
                                   "--api", "gles2"], env)
            if f"renderer string: {RENDERERS[self.driver]}" not in text:
                raise RunError(f"wanted {self.driver} but {mesa.launcher} "
                               "gives another renderer")
        identity = self.stock.identity(env)
        if identity == self.pitot.identity(env):
            raise RunError("stock Mesa and Mesa with Pitot are the same build")
        self.stock_results = StockResults(self.driver, identity)

    def findings(self, programs, patterns):
        """The packages that there are, and the finding on each case."""
        packages = list(find_packages(self.session, self.stock, programs,
                                      patterns))
        findings = []
        for package in packages:
            if package.cases():
                findings += self.of_package(package)
            else:
                say(f"{self.driver}: {package.name}: no cases, "
                    f"{package.why}")
        return packages, findings

    def of_package(self, package):
        stock = self.on_stock(package)
        cases = package.cases()
        self.progress(package, cases, "with Pitot")
        pitot = self.run(self.pitot, package, cases, "pitot")
        findings = [judge(case, stock, pitot) for case in cases]
        return self.look_again(package, findings, stock)

    def on_stock(self, package):
        statuses = self.stock_results.kept(package)
        if statuses is None:
            cases = package.cases()
            self.progress(package, cases, "on stock Mesa")
            statuses = self.run(self.stock, package, cases, "stock")
            if len(statuses) < len(cases):
                raise RunError(f"{package.program.name} ran {len(statuses)} "
                               f"of {len(cases)} cases of {package.name} on "
                               f"{self.stock.name} with {self.driver}")
            self.stock_results.keep(package, statuses)
        return statuses

    def look_again(self, package, findings, stock):
        """Runs the cases that seem lost again: together, then each alone."""
        for label in ("again", "alone"):
            lost = [f.case for f in findings if f.verdict is Verdict.LOST]
            if not lost:
                break
            self.progress(package, lost, label)
            runs = ([[case] for case in lost[:ALONE_LIMIT]]
                    if label == "alone" else [lost])
            again = {}
            for number, cases in enumerate(runs, 1):
                again.update(self.run(self.pitot, package, cases,
                                      f"{label}-{number}"))
            findings = [rejudge(f, stock, again, self.expectations.is_flake)
                        for f in findings]
        return findings

    def stale(self, findings):
        """The findings on lines of the lists that are about no case."""
        return stale(self.expectations.unmatched(
            {finding.case for finding in findings}))

    def run(self, mesa, package, cases, label, session=None):
        return package.program.run_cases(
            session or self.session, mesa, cases,
            f"{self.driver}-{package.name}-{label}")

    def progress(self, package, cases, how):
        say(f"{self.driver}: running {package.name} {how} "
            f"(cases: {len(cases)})")
