# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""What Pitot samples itself on this computer's GPU, through the kernel: its
assumptions (pitot-info --check), and the contract of a driver."""

import json
import os
import subprocess

import pytest
from tests.hardware import machine
from tests.runners import devices
from tests.runners.command import last_line

# The verdicts of results, by pitot-info's.
VERDICTS = {"right": "passed", "wrong": "failed", "absent": "skipped",
            "not tried": "skipped"}


@pytest.fixture
def info(build):
    return build / "src/info/pitot-info"


@pytest.fixture
def node(pytestconfig, info):
    """The GPU, if Pitot samples it."""
    if not pytestconfig.option.machine:
        pytest.skip("it is about the GPU that --machine means")
    driver = devices.machine(pytestconfig.option.machine).driver
    if driver == "zink":
        pytest.skip("it samples the GPU itself, without zink")
    found = machine.find_node(info, driver)
    if found.state != "sampled":
        pytest.skip(f"Pitot does not sample this GPU: {found.text}")
    return found


def add_checks(results, output, status, complaint=""):
    """Adds the results of `pitot-info --check --json`."""
    try:
        checks = json.loads(output)["devices"][0]["checks"]
    except (ValueError, KeyError, IndexError):
        checks = []
    for check in checks:
        verdict = VERDICTS[check["verdict"]]
        whys = [check["text"] or check["verdict"]]
        if verdict == "failed":
            whys.append(f"assumed: {check['assumes']}")
        if verdict != "skipped":
            whys += [f"{name} {value:.12g}"
                     for name, value in check["numbers"].items()]
        results.add(verdict, f"check: {check['name']}", check["name"],
                    "; ".join(whys))
    if not checks or status != bool(results.failures()):
        results.add("failed", "check", "pitot-info --check",
                    f"status {status} contradicts its {len(checks)} answers: "
                    f"{last_line(complaint or output)}")


def test_check(node, info, results):
    done = subprocess.run([info, "--check", "--json", "--device", node.path],
                          capture_output=True, text=True)
    add_checks(results, done.stdout, done.returncode, done.stderr)


def test_contract(node, build, results):
    if node.kernel_driver not in ("i915", "amdgpu"):
        pytest.skip("Pitot has contexts of its own on i915 and amdgpu only")
    done = subprocess.run(
        [build / "tests/test_contract", "node"], stdout=subprocess.PIPE,
        text=True, errors="replace",
        env={**os.environ, "CMOCKA_MESSAGE_OUTPUT": "TAP",
             "PITOT_NODE": node.path})
    print(done.stdout)
    results.add_tap(done.stdout, done.returncode,
                    lambda name: f"contract: {name.partition(': ')[2] or name}")
