# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The query defects and promises of defects.inc, on simulated GPUs.

With Pitot in the driver each must be right, except for those that a driver
lacks, which must be wrong. A defect must be wrong with one of the stock
drivers, or it would test nothing; a promise must be right with all. On this
computer's own GPU those that need no simulator run, and must be right with
Pitot.
"""

import pathlib

import pytest
from tests.conftest import parametrize
from tests.runners.builds import built
from tests.drivers.defects import (entries, outcome, stock_is_expected,
                                   verdict)
from tests.runners import devices


def chosen(options):
    return [device for device in
            devices.chosen(options, devices.first_of_generations)
            if device.has_gpu() and device.driver != "zink"]


def pytest_generate_tests(metafunc):
    options = metafunc.config.option
    program = pathlib.Path(options.build or built("tests"), "tests/defects")
    found, exceptions = entries(program, *["--machine"] * bool(options.machine))
    parametrize(metafunc, ("entry", "exceptions"), [
        pytest.param(entry, exceptions, id=entry.name) for entry in found
        if chosen(options)])


def test_defect(entry, exceptions, build, on_mesa, pytestconfig, results):
    program = build / "tests/defects"
    case = f"{entry.kind}: {entry.name}"
    wanted = [device for device in chosen(pytestconfig.option)
              if entry.driver in ("", device.driver)]
    # One GPU of each driver is enough: all run the same code.
    on_stock = {device: outcome(on_mesa(device, True), program, entry.name)
                for device in (wanted if pytestconfig.option.machine else
                               devices.defaults(devices.simulated()))
                if entry.driver in ("", device.driver)}
    if not pytestconfig.option.machine:
        results.add("passed" if stock_is_expected(entry, exceptions, on_stock)
                    else "failed", f"{case}, on stock Mesa",
                    f"{entry.name}, on stock Mesa",
                    ", ".join(f"on {device.gpu}: {seen}"
                              for device, seen in on_stock.items()))
    for device in wanted:
        seen = outcome(on_mesa(device), program, entry.name)
        results.add(verdict(entry, exceptions, device, seen), case,
                    entry.name,
                    f"{on_stock[device]} on stock Mesa, {seen} with Pitot"
                    if device.is_machine() else f"on {device.gpu}: {seen}")
