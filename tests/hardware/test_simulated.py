# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""tests/run --hardware, in short, on machines whose only GPU is simulated:
good ones, one that hangs, and ones with a fault.

Without --all, only the first good machine runs all suites.
"""

import os
import pathlib
import re
import subprocess
from typing import NamedTuple

import pytest
from tests.runners import devices

RUN = pathlib.Path(devices.ROOT, "tests/run")
# These would select another GPU.
VARIABLES = ("DRI_PRIME", "GALLIUM_DRIVER", "LIBGL_ALWAYS_SOFTWARE",
             "MESA_LOADER_DRIVER_OVERRIDE")
# What tests/run has no suites for.
FEW_SUITES = ("check", "contract", "drivers")
SUITES = (*FEW_SUITES, "conformance", "piglit")


class Machine(NamedTuple):
    """A GPU, settings, the suites to run, and what must fail."""
    name: str
    gpu: str
    suites: tuple
    failing: str = ""


MACHINES = (
    Machine("Intel", "skl", SUITES),
    Machine("AMD", "navi21", SUITES),
    Machine("Intel, its fourth batch hangs", "skl,hang_on_submit=4",
            ("check", "contract"), "batches"),
    Machine("Intel, sums lose their carries", "skl,fault.loses_carry=1",
            ("drivers",), "times_in_buffers_are_exact"),
    Machine("Intel, conditions are ignored", "mtl,fault.ignores_predicate=1",
            ("drivers",), "conditions_of_late_backends"),
    Machine("AMD, conditions are ignored", "navi21,fault.ignores_predicate=1",
            ("drivers",), "conditions_of_late_backends"),
)


def faults_of(machine, suites, status, text):
    """Yields what is wrong with a finished run and its report."""
    before, _, after = text.partition("## Failures\n")
    failed = re.findall(r"^- ([^:]*)", after.partition("\n## ")[0], re.M)
    passed = re.findall(r"^\| (\w+) \| [^|]* \| [1-9]", before, re.M)
    if status != bool(machine.failing):
        yield f"status {status}"
    if "SIMULATED" not in text.splitlines()[0]:
        yield "the report does not say that the GPU is simulated"
    if machine.failing:
        if machine.failing not in failed:
            yield f"it does not find {machine.failing}"
    elif after:
        yield f"these failed: {', '.join(failed)}"
    elif empty := set(suites) - set(passed):
        yield f"nothing passed in {', '.join(empty)}"


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
def test_hardware(machine, build, pytestconfig, tmp_path, results):
    is_whole = pytestconfig.option.all or machine is MACHINES[0]
    suites = (FEW_SUITES if machine.suites == SUITES and not is_whole
              else machine.suites)
    words = [word for suite in suites for word in ("--suite", suite)]
    env = {name: value for name, value in os.environ.items()
           if name not in VARIABLES}
    done = subprocess.run(
        [RUN, "--hardware", "--short", "--report", tmp_path / "report.md",
         *words],
        env={**env, "PITOT_SIM": machine.gpu,
             "LD_PRELOAD": str(build / "tests/sim/libpitot-sim.so")},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout)
    results.check(f"hardware: {machine.name}", list(faults_of(
        machine, suites, done.returncode,
        (tmp_path / "report.md").read_text())))
