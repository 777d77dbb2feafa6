# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Where the numbers of a generated report come from."""

import datetime
import subprocess

from .devices import ROOT


def line(command):
    """The first line of a report that this command writes."""
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short=8",
                             "HEAD"], stdout=subprocess.PIPE, text=True,
                            check=True).stdout.strip()
    today = datetime.date.today()
    return (f"Measured on {today.day} {today:%B %Y} at {commit} by "
            f"`{command}`.")
