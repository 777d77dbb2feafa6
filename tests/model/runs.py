# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Starts of pitot-model on a device, and what they have to print.

DRIVER-differences.txt lists a driver's faults with reasons, as names of quirks
(quirks.h), each of which widens the model in one situation: "GPU: name" for
one GPU, "GPU+: name" for its generation and later ones, "stock: name" for
faults that Pitot or its patches fix.
"""

import os
import pathlib
import re
import subprocess
from typing import NamedTuple

from tests.runners import devices
from tests.runners.command import RunError
from tests.runners.lists import read_lines

HERE = pathlib.Path(__file__).parent
KEPT = sorted((HERE / "kept").glob("*.txt"))
KINDS = ("compat", "core", "es2", "es3")
NULL = devices.Device("null", "")

# Programs per kind of context; variants run one in VARIANT_SHARE of them.
PROGRAMS = {"null": 30000, "llvmpipe": 500, "softpipe": 60, "zink": 900,
            "iris": 150, "radeonsi": 150, "freedreno": 100}
VARIANT_SHARE = 5

# Programs in a cycle, and the least number of cycles. The first quarter fills
# pools: zink's last one grows after some 2,000 programs.
CYCLE_PROGRAMS = 96
CYCLES = {"zink": 96}
USUAL_CYCLES = 60

# malloc keeps no chunks aside, which would count as used, and maps large blocks
# separately: a small block in their place in the heap would look like a leak
# (a context's list of radeonsi's counters has megabytes). Mesa stores no shaders
# in a file.
CYCLE_SETTINGS = {"GLIBC_TUNABLES": "glibc.malloc.tcache_count=0:"
                                    "glibc.malloc.mmap_threshold=131072",
                  "MESA_SHADER_CACHE_DISABLE": "true"}

# Untracked, zink does not know what a render pass will contain; without a
# thread, polls follow calls at once.
SETTINGS = {"cycles": CYCLE_SETTINGS,
            "glthread": {"mesa_glthread": "true"},
            "untracked": {"ZINK_DEBUG": "norp", "GALLIUM_THREAD": "0"}}

# The faults that are planted to test the cycles, by driver.
FAULTS = {"null": ("heap", "mapped", "files", "names", "handles"),
          "llvmpipe": ("clock",)}

# Several, because threads race.
KEPT_RUNS = 20

TOTALS = re.compile(r"^(\d+) programs, \d+ calls, (\d+) differences$",
                    re.MULTILINE)

# A kept program was skipped: the call that its context lacks.
SKIPPED = re.compile(r"^skipped: call \d+ cannot be made here: \d (\S+).*$",
                     re.MULTILINE)

# The only call that the null driver lacks.
LACKED_BY_NULL = ("pixel",)


def quirks_of(device, stock=False):
    """The quirks in a driver's list for that GPU and Mesa."""
    path = HERE / f"{device.driver}-differences.txt"
    lines = [name.rpartition(": ") for _, name in read_lines(path)]
    gpus = {where.rstrip("+") for where, _, _ in lines} - {"", "stock"}
    if unknown := [gpu for gpu in gpus
                   if not devices.is_there(device.driver, gpu)]:
        raise RunError(f"{path}: {device.driver} has no GPU "
                       f"{' '.join(unknown)}")
    return [name for where, _, name in lines
            if (stock if where == "stock" else devices.means(where, device))]


class Run(NamedTuple):
    """One start: for random programs, or for a kept one."""
    device: devices.Device
    kind: str
    variant: str = ""
    fault: str = ""
    kept: str = ""

    def __str__(self):
        return ", ".join(filter(None, (str(self.device), *self[1:4],
                                       os.path.basename(self.kept))))

    def case(self):
        """The same on each device."""
        if self.fault:
            return f"model: cycles find a fault: {self.fault}"
        if self.variant == "cycles":
            return "model: cycles"
        if self.kept:
            return f"model: {os.path.basename(self.kept)}"
        return f"model: random programs, {self.kind}"

    def options(self, count, seed, seconds):
        """count: programs in place of the usual number. In cycles the programs
        are always the same: they fill pools in time."""
        if self.kept:
            return [f"--runs={KEPT_RUNS}", self.kept]
        if self.fault:
            return ["--cycles=12", f"--fault={self.fault}", "--no-shrink",
                    f"--programs={CYCLE_PROGRAMS}"]
        length = [f"--for={seconds}"] if seconds else []
        if self.variant == "cycles":
            cycles = CYCLES.get(self.device.driver, USUAL_CYCLES)
            return [f"--cycles={cycles}", *length,
                    f"--programs={count or CYCLE_PROGRAMS}"]
        count = count or PROGRAMS[self.device.driver]
        share = VARIANT_SHARE if self.variant else 1
        return [*(length or [f"--programs={count // share}"]),
                f"--seed={seed}"]

    def start(self, build, mesa, count=None, seed=0, seconds=0, env=None):
        env = dict(os.environ if env is None else env)
        if self.device != NULL:
            env = mesa.environment(env)
        quirks = quirks_of(self.device, mesa.stock)
        return subprocess.run(
            [build / "tests/model/pitot-model",
             "null" if self.device == NULL else "gl", self.kind,
             *([f"--quirks={','.join(quirks)}"] if quirks else []),
             *(["--no-error"] if self.variant == "no-error" else []),
             *self.options(count, seed, seconds)],
            env={**env, **SETTINGS.get(self.variant, {})},
            capture_output=True, text=True)

    def verdict(self, done):
        """The verdict on the completed process, and why."""
        if self.fault:
            found = f": {self.fault}: " in done.stdout
            return ("passed", "") if found else ("failed", "it is not found")
        totals = TOTALS.search(done.stdout)
        programs, differences = map(int, totals.groups() if totals else (0, 0))
        if done.returncode == 0 and programs and not differences:
            return "passed", ""
        skipped = SKIPPED.search(done.stdout)
        if self.kept and done.returncode == 77 and skipped and (
                self.device != NULL or skipped[1] in LACKED_BY_NULL):
            return "skipped", skipped[0]
        return "failed", (f"status {done.returncode}, {differences} "
                          f"differences in {programs} programs")


def kind_of(path):
    return re.search(r"^kind (\w+)$", path.read_text(), re.MULTILINE)[1]


def variants_of(device):
    if device == NULL or not device.is_default():
        return ("",)
    return ("", *(("glthread",) if device.supports_glthread() else ()),
            *(("untracked",) if device.driver == "zink" else ()), "no-error")


def runs_on(device, stock=False):
    """All starts on a device. Not all devices repeat programs in cycles, for
    which contexts live on."""
    variants = variants_of(device)
    yield from (Run(device, kind, variant)
                for kind in KINDS for variant in variants)
    if device.is_default() and (
            "occlusion-after-timestamp" not in quirks_of(device, stock)):
        yield from (Run(device, "core", "cycles", fault)
                    for fault in ("", *FAULTS.get(device.driver, ())))
    yield from (Run(device, kind_of(path), variant, kept=str(path))
                for path in KEPT for variant in variants
                if variant in ("", "untracked"))
