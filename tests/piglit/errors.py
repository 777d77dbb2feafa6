# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""What stops a run. The message is shown to the user as one line."""


class RunError(Exception):
    """Something that the run needs is missing or not as it must be."""

    exit_status = 1


class UsageError(RunError):
    """An argument that makes no sense."""

    exit_status = 2
