# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Runs the program of defects, and judges what it saw.

    python3 -m tests.drivers.defects BUILD

prints the table of docs/reports/stock-defects.md.
"""

import pathlib
import subprocess
import sys
from typing import NamedTuple

from tests.runners import devices
from tests.runners.command import last_line
from tests.runners.mesa import Mesa


class Entry(NamedTuple):
    """A line of defects.inc; driver is the only one concerned, or ""."""
    kind: str
    name: str
    driver: str = ""


def entries(program, *options):
    """The defects and promises, and what drivers lack or do worse."""
    done = subprocess.run([program, *options, "--list"], check=True,
                          stdout=subprocess.PIPE, text=True)
    found = [Entry(*line.split()) for line in done.stdout.splitlines()]
    excepted = ("lack", "worse")
    return ([entry for entry in found if entry.kind not in excepted],
            [entry for entry in found if entry.kind in excepted])


def outcome(side, program, name):
    """"right", or "wrong" with the values seen, or a failure."""
    options = ["--machine"] if side.device.is_machine() else []
    done = side.run([program, *options, name], stderr=subprocess.PIPE)
    *seen, last = done.stdout.splitlines() or [""]
    # The simulator may report a violation for a stock driver's defect.
    if "pitot-sim: violation" in done.stderr and last != "wrong":
        return f"violated: {last_line(done.stderr)}"
    if done.returncode == 0 and last == "right":
        return "right"
    if done.returncode == 0 and last == "wrong":
        return "wrong" + " ".join(line.replace("# ", ": ", 1)
                                  for line in seen)
    return (f"failed with status {done.returncode}: "
            f"{last_line(done.stderr)}")


def stock_is_expected(entry, exceptions, seen):
    """Whether {device: outcome} of stock Mesa are as expected: wrong where
    Pitot lacks it, right where Pitot is worse, and right about all other
    promises; some driver has each defect."""
    kinds = {device: {other.kind for other in exceptions
                      if (other.driver, other.name) ==
                      (device.driver, entry.name)} for device in seen}
    if entry.kind == "defect" and not any(
            text.startswith("wrong") for text in seen.values()):
        return False
    return all(text.startswith("wrong") if "lack" in kinds[device]
               else text == "right" for device, text in seen.items()
               if entry.kind == "promise" or kinds[device])


def verdict(entry, exceptions, device, seen):
    """The verdict on Pitot's outcome on a device."""
    if (device.driver, entry.name) in {(other.driver, other.name)
                                       for other in exceptions}:
        return "listed" if seen.startswith("wrong") else "failed"
    return "passed" if seen == "right" else "failed"


def main(build):
    program = pathlib.Path(build, "tests/defects").resolve()
    print("| what | GPU | stock | Pitot |", "| --- | --- | --- | --- |",
          sep="\n")
    for kind, name, driver in entries(program)[0]:
        for device in devices.defaults(devices.simulated()):
            if kind == "defect" and driver in ("", device.driver):
                print(f"| {name.replace('_', ' ')} | {device.gpu}",
                      *(outcome(Mesa(device, stock), program, name)
                        for stock in (True, False)), sep=" | ", end=" |\n")


if __name__ == "__main__":
    main(sys.argv[1])
