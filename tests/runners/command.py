# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Options, messages and the end of a runner."""

import argparse
import os
import signal
import subprocess
import sys


class RunError(Exception):
    """Something that the run needs is missing or wrong. The user gets the
    message in one line."""


class ArgumentParser(argparse.ArgumentParser):
    """Reports an invalid argument in one line, without the usage."""

    def __init__(self, directory, description, epilog=None):
        super().__init__(
            prog=f"tests/{os.path.basename(directory)}/run",
            description=description, epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter)

    def error(self, message):
        self.exit(2, f"{self.prog}: {message} (see --help)\n")


def say(*lines):
    print(*lines, sep="\n", flush=True)


def last_line(text):
    return (text.strip() or "it says nothing").splitlines()[-1]


def main(parser, run, parse=argparse.ArgumentParser.parse_args):
    """Runs a function of the arguments, and exits with its status."""
    # Unwinds the context managers, which kill all children.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(143))
    arguments = parse(parser)
    try:
        sys.exit(run(arguments))
    except (RunError, OSError, subprocess.SubprocessError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
