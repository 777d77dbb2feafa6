# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The fuzzers' corpora: an input in hexadecimal digits on each line. Inputs
before the last empty line have comments, and stay.

    python3 -m tests.fuzz.corpus BUILD SECONDS [NAME]...

searches with each fuzzer of a build with libFuzzer, and replaces the corpus by
the smallest set of old and new inputs that reaches the same edges.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).parent / "corpus"

# Longer inputs show nothing else.
MAX_INPUT_B = 300

# Seconds for an input: far more than a busy machine needs.
HANG_GUARD_S = 1800

UNDEFINED = "halt_on_error=1:abort_on_error=1:print_stacktrace=1"


def path_of(name):
    return FOLDER / f"{name}.txt"


def names():
    """The fuzzers that have a corpus."""
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def inputs_in(text):
    return [bytes.fromhex(line) for line in text.splitlines()
            if line.strip() and not line.startswith("#")]


def replace(path, inputs):
    """Replaces the inputs that a search found; commented inputs stay."""
    named = path.read_text()
    named = named[:named.rindex("\n\n") + 2]
    kept = inputs_in(named)
    path.write_text(named + "".join(f"{data.hex()}\n" for data in inputs
                                    if data not in kept))


def write_inputs(folder, inputs):
    """Writes inputs as files, for libFuzzer."""
    folder.mkdir()
    for number, data in enumerate(inputs):
        (folder / f"{number:04}").write_bytes(data)


def read_inputs(folder):
    """The inputs that libFuzzer wrote, the shortest first."""
    found = filter(None, (path.read_bytes() for path in folder.iterdir()))
    return sorted(found, key=lambda data: (len(data), data))


def fuzz(program, *arguments):
    """Runs a fuzzer with libFuzzer's arguments."""
    return subprocess.run([program, *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True,
                          errors="replace",
                          env=dict(os.environ, UBSAN_OPTIONS=UNDEFINED))


def search(program, name, seconds, seed, folder):
    """Searches from the corpus; an input with a finding stays in the folder.
    The inputs that it ends with are in the folder "inputs"."""
    inputs = folder / "inputs"
    write_inputs(inputs, inputs_in(path_of(name).read_text()))
    return fuzz(program, f"-max_total_time={seconds}",
                f"-max_len={MAX_INPUT_B}", f"-seed={seed}",
                f"-timeout={HANG_GUARD_S}", "-len_control=0", "-entropic=0",
                "-print_final_stats=1", f"-artifact_prefix={folder}/", inputs)


def main(build, seconds, *chosen):
    for name in chosen or names():
        program = f"{build}/tests/fuzz/fuzz-{name}"
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            done = search(program, name, seconds, 0, folder)
            print(done.stdout)
            done.check_returncode()
            (folder / "least").mkdir()
            fuzz(program, "-set_cover_merge=1", "-use_counters=0", folder / "least",
                 folder / "inputs").check_returncode()
            replace(path_of(name), read_inputs(folder / "least"))


if __name__ == "__main__":
    main(*sys.argv[1:])
