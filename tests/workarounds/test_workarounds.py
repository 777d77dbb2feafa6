# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Pitot's commands use drivers' own functions, on simulated GPUs.

iris and radeonsi with Pitot in them make a query of each kind (golden-gl), and
all that the drivers' own functions add must be there.
"""

import re
import subprocess

import pytest
from tests.conftest import parametrize
from tests.runners import devices
from tests.runners.command import last_line

OCCLUSION = ("samples-passed", "any-samples-passed",
             "any-samples-passed-conservative")

# PIPE_CONTROL writes, as named in the simulator's log and iris's dump.
WRITES = {"immediate": "WriteImm", "depth count": "WriteZCount",
          "timestamp": "WriteTimestamp"}


def writes_fault(record):
    """The dump has all writes that stock iris dumps: not one with each draw,
    from Gen12.5 on."""
    def undumped(stock):
        log, dump = record(stock, INTEL_DEBUG="pc")
        seen = {name: len(re.findall(rf" write {name}\b", log))
                for name in WRITES}
        assert all(seen.values()), f"the simulator has seen only {seen}"
        return {name: seen[name] -
                      len(re.findall(rf"^ *PC \[.*\b{word}\b", dump, re.M))
                for name, word in WRITES.items()}

    ours, stock = undumped(False), undumped(True)
    return "" if ours == stock else f"{ours} are missing, on stock {stock}"


def xe_fault(record):
    """The reasons of all PIPE_CONTROLs are the same as on i915."""
    ours, xes = (set(re.findall(
        r"^ *PC \[.*\]: (.*)$",
        record(False, settings, INTEL_DEBUG="pc")[1], re.M))
        for settings in ("", ",is_xe=1"))
    assert "pitot: fence" in ours, "Pitot has made no query"
    return "" if ours == xes else f"only on one side: {ours ^ xes}"


def gt4_fault(record):
    """The simulator reports what must not be sent to a GT4."""
    messages = record(False, " gt4")[1]
    assert "GT4)" in messages, "this is no GT4"
    found = re.search("violation: .*", messages)
    return found.group() if found else ""


def counting_fault(record):
    """The settings for counting samples, for each kind of occlusion query."""
    def controls(stock):
        found, kind = {}, None
        for line in record(stock)[0].splitlines():
            if line.startswith("mark: "):
                kind = line.removeprefix("mark: begin ")
            elif kind in OCCLUSION and "count control" in line:
                found.setdefault(kind, []).append(line)
        return found

    stock, pitot = controls(True), controls(False)
    assert len(stock) == 3, f"the stock driver counts only {sorted(stock)}"
    return "" if pitot == stock else f"{pitot} rather than {stock}"


def encryption_fault(record):
    """Occlusion queries' own samples are not better on stock."""
    stock, pitot = (record(is_stock, ",has_tmz=1", AMD_DEBUG="tmz")[1].count(
        "not encrypted") for is_stock in (True, False))
    assert stock, "nothing secure was sampled"
    return "" if pitot <= stock else f"{pitot} writes rather than {stock}"


# The GPUs of a check: of a driver, and by name or all.  xe drives tgl as well
# (some others have an entry of their own for xe), the simulator has the largest
# Gen9, and only GFX9 has a dummy write.
CHECKS = (
    ("writes of the pipe are in the debug dump", "iris", "", writes_fault),
    ("queries on xe are those on i915", "iris", "tgl", xe_fault),
    ("samples of a GT4 stall", "iris", "skl", gt4_fault),
    ("samples are counted as on stock", "radeonsi", "", counting_fault),
    ("secure writes for nothing are encrypted", "radeonsi", "vega10",
     encryption_fault),
)


def pytest_generate_tests(metafunc):
    parametrize(metafunc, ("device", "name", "check"), [
        pytest.param(device, name, check, id=f"{device.file_name()}-{name}")
        for device in devices.chosen(metafunc.config.option,
                                     lambda known: known, lambda known: known)
        for name, driver, gpu, check in CHECKS
        if device.driver == driver and gpu in ("", device.gpu)])


def test_workaround(device, name, check, build, on_mesa, results, tmp_path):
    def record(stock, settings="", **debug):
        """The simulator's log of all queries, and the messages."""
        # By env, so that the launcher runs once for all.
        variables = {"PITOT_SIM": f"{device.gpu}{settings}",
                     "PITOT_SIM_LOG": tmp_path / "log", **debug}
        done = on_mesa(device, stock).run(
            ["env", *(f"{name}={value}" for name, value in variables.items()),
             build / "tests/golden-gl"], stderr=subprocess.PIPE)
        assert done.returncode == 0, last_line(done.stderr)
        return (tmp_path / "log").read_text(), done.stderr

    fault = check(record)
    results.add("failed" if fault else "passed", f"workarounds: {name}", name,
                fault)
