# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The builds that tests/builds makes."""

import functools
import pathlib
import subprocess

from .devices import ROOT


@functools.cache
def built(name):
    """The directory of a build, by its name."""
    done = subprocess.run([pathlib.Path(ROOT, "tests", "builds"), name],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          text=True, check=True)
    return pathlib.Path(done.stdout.splitlines()[-1])
