# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Mesa without one patch of src/mesa/fixes, which the tests must notice.

After "Seen by", the patch's head names suites and cases: in quotation marks,
as files of tests/model/kept, or as C names."""

import json
import os
import re
import subprocess
import sys
import tempfile

from tests.power.mutants import ROOT
from tests.runners.devices import drivers

FIXES = ROOT / "src" / "mesa" / "fixes"

SUITE = re.compile(r"\btests/(\w+)|\b(piglit|model|demo)\b")
NAME = re.compile(r'"([^"]+)"|kept/([\w-]+\.txt)|\b(\w+(?:[_-]\w+){2,})\b')


class Patch:
    """A patch, and what its head says."""

    def __init__(self, path):
        self.name = path.stem
        self.path = path
        head = " ".join(path.read_text().partition("\n--- a/")[0].split())
        seen = head[head.rfind("Seen "):]
        self.suites = list(dict.fromkeys(
            "".join(found) for found in SUITE.findall(seen)))
        self.names = ["".join(found) for found in NAME.findall(seen)]
        places = {driver: f"{self.name} {seen} {head}".find(driver)
                  for driver in drivers()}
        found = [driver for driver in places if places[driver] >= 0]
        self.driver = min(found, key=places.get, default="llvmpipe")

    def tests(self):
        """The directories of the tests that the head names."""
        return [directory for suite in self.suites
                if (directory := ROOT / "tests" / suite).is_dir()]

    def is_named(self, case):
        """Whether the head names this case, or no case at all."""
        return not self.names or any(
            name in text for name in self.names
            for text in (case, case.replace("_", " ")))


def build_mesa(*name):
    """Whether Mesa builds without a patch: a later patch may change the same
    lines."""
    return subprocess.run([ROOT / "tests/power/mesa", *name]).returncode == 0


def noticed_by(patch, build):
    """The suite and the case that fail without a patch, or None."""
    names = "|".join(map(re.escape, patch.names))
    for directory in patch.tests():
        with tempfile.NamedTemporaryFile() as details:
            done = subprocess.run(
                [sys.executable, "-B", "-m", "pytest", "-q", "--all",
                 "-n", str(os.cpu_count()), "--driver", patch.driver,
                 *(["--regex", names] if names else []), "--build", build,
                 "--details", details.name, directory],
                cwd=ROOT, stdin=subprocess.DEVNULL)
            if done.returncode not in (0, 1):
                sys.exit(f"{directory.name}: status {done.returncode}")
            for row in map(json.loads, details):
                if row["verdict"] == "failed" and patch.is_named(row["case"]):
                    return f"{directory.name}: {row['case']}"
    return None


def try_patches(build, only, totals):
    """Removes one patch after another."""
    if "PITOT_CACHE" not in os.environ:
        sys.exit("PITOT_CACHE must name a cache in which Mesa may lack a patch")
    try:
        for path in sorted(FIXES.glob("*.patch")):
            patch = Patch(path)
            if only not in patch.name:
                continue
            if not build_mesa(patch.name):
                totals.explain("skipped", f"patch: {patch.name}", "patches",
                               patch.name, "a later patch needs it")
                continue
            found = noticed_by(patch, build)
            print(f"{patch.name}: noticed by {found}", flush=True)
            totals.explain("passed" if found else "failed",
                           f"patch: {patch.name}", "patches", patch.name,
                           f"not noticed by {', '.join(patch.suites)}")
    finally:
        build_mesa()
