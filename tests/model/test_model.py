# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Random programs of GL calls, compared with a model of query objects.

They run on Pitot's GL layer with the null driver, and on Mesa with Pitot on
each driver: in each kind of context, with glthread if Mesa supports it there,
and with KHR_no_error; on zink also untracked: with render passes as on most
Vulkan drivers but lavapipe. The programs in tests/model/kept run as well; a
program with a call that the context lacks is skipped.

Some programs are repeated in cycles, which must take no more memory, names and
open files than the ones before, while the GPU's clock does not drift from the
CPU's (cycles.c); that this is seen is tested by faults on purpose.

A difference is printed as the shortest program that shows it: a file for
pitot-model.
"""

from tests.model import runs
from tests.runners import devices


def pytest_generate_tests(metafunc):
    options = metafunc.config.option
    chosen = devices.chosen(options, every=devices.defaults)
    if not (options.driver or options.gpu or options.machine or options.stock):
        chosen = [runs.NULL, *chosen]
    found = [run for device in chosen
             for run in runs.runs_on(device, options.stock)]
    metafunc.config.fits |= bool(found)
    # Kept programs and faults take almost no time, and no share of --for.
    random = metafunc.function is test_random
    metafunc.parametrize("run", [
        run for run in found if random != bool(run.kept or run.fault)],
        ids=str)


def judge(run, done, results):
    print(done.stdout, done.stderr)
    verdict, why = run.verdict(done)
    results.add(verdict, run.case(), why=why, where=str(run))


def test_random(run, build, on_mesa, seconds, seed, results):
    judge(run, run.start(build, on_mesa(run.device), seconds=seconds,
                         seed=seed), results)


def test_fixed(run, build, on_mesa, results):
    judge(run, run.start(build, on_mesa(run.device)), results)
