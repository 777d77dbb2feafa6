# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Messages and the end of a script."""

import signal
import subprocess
import sys


class RunError(Exception):
    """Something that the run needs is missing or wrong. The user gets the
    message in one line."""


def say(*lines):
    print(*lines, sep="\n", flush=True)


def last_line(text):
    return (text.strip() or "it says nothing").splitlines()[-1]


def main(parser, run):
    """Runs a function of the arguments, and exits with its status."""
    # Unwinds the context managers, which kill all children.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(143))
    arguments = parser.parse_args()
    try:
        sys.exit(run(arguments))
    except (RunError, OSError, subprocess.SubprocessError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
