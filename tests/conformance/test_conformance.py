# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The rules of tests/rules, and behaviors, on Mesa with Pitot, on each driver.

Expected results are in DRIVER-fails.txt and lacks.txt: see judge.py. Without
--all, llvmpipe runs them in all kinds of contexts, the other drivers in some,
and a GPU of each generation in core profile. On this computer's GPU, stock
Mesa runs the rules as well, and a failure names its result.
"""

import pytest
from tests.conformance import program
from tests.conformance.judge import judge
from tests.conftest import parametrize
from tests.runners import devices, watch

# Core profile and ES 3 have all targets.
CORE = ("core",)
QUICK_CONTEXTS = (CORE, ("es3",), ("core", "no-error"), ("es3", "glthread"),
                  *program.INTERRUPTED_CONTEXTS, *program.UNTRACKED_CONTEXTS)


def contexts_of(options, device):
    """Without --all, few: GPUs are alike above the driver."""
    known = program.contexts_of(device)
    if (options.all or options.gpu or options.machine or
            device.driver == "llvmpipe"):
        return known
    quick = QUICK_CONTEXTS if device.is_default() else (CORE,)
    return [context for context in known if context in quick]


def pytest_generate_tests(metafunc):
    options = metafunc.config.option
    parametrize(metafunc, ("device", "context"), [
        pytest.param(device, context,
                     id="-".join((device.file_name(), *context)))
        for device in devices.chosen(options, devices.first_of_generations)
        for context in contexts_of(options, device)])


def test_rules(device, context, build, on_mesa, results):
    rules = build / "tests/pitot-conformance"
    if device.is_machine():
        found = watch.apart(program.run_restarted, rules, on_mesa(device),
                            context)
        stock = (watch.apart(program.run_restarted, rules,
                             on_mesa(device, True), context)
                 if context in program.contexts_of(device, True) else {})
    else:
        found, stock = program.run(rules, on_mesa(device), context), {}
    name = " ".join(context)
    for verdict, rule, why in judge(device, name, found, stock):
        results.add(verdict, f"rule: {rule}", f"{name}: {rule}", why)
