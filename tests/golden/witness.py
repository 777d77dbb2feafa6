# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Has Mesa's own decoders bear witness to what the simulator decoded.

    witness.py DIRECTORY GPU...

For each kind of packet, DIRECTORY/GPU.decoded must have as many of them as
DIRECTORY/GPU.log, and some, unless UNUSED says that there is none; and in
DIRECTORY/GPU.pitot.stderr, from Mesa with Pitot in the driver, the simulator
must not have found fault.  Prints TAP.
"""

import pathlib
import re
import sys

# What the simulator calls it, and what Mesa's decoder prints for it.
INTEL = [
    (r"write timestamp", r"Post Sync Operation: 3 \("),
    (r"write depth count", r"Post Sync Operation: 2 \("),
    (r"store register", r"MI_STORE_REGISTER_MEM"),
]
AMD = [
    (r"zpass (done|dump|packet)",
     r"EVENT_TYPE (<-|=) (ZPASS_DONE|PIXEL_PIPE_STAT_DUMP)|EVENT_WRITE_ZPASS"),
    (r"\d statistics$", r"EVENT_TYPE (<-|=) SAMPLE_PIPELINESTAT"),
    (r"streamout", r"EVENT_TYPE (<-|=) SAMPLE_STREAMOUTSTATS"),
]
INTEL_GPUS = {"bdw", "skl", "icl", "tgl", "dg2"}

# Packets that a GPU's driver does not emit, and why.
UNUSED = {
    ("navi31", "streamout"): "since GFX11, shaders write and count it",
}


def read(directory, name):
    return (directory / name).read_text(errors="replace")


def count(pattern, text):
    return sum(1 for line in text.splitlines() if re.search(pattern, line))


def fault_of_decoding(ours, simulated, seen, gpu):
    """Says what is wrong with these numbers of one packet, or None."""
    if simulated != seen:
        return f"the simulator had {simulated}, the decoder had {seen}"
    if simulated and (gpu, ours) in UNUSED:
        return "there are some, though UNUSED says that there is none"
    if not simulated and (gpu, ours) not in UNUSED:
        return "there was none, neither in the simulator nor in the decoder"
    return None


def fault_of_errata(directory, gpu):
    """Returns what the simulator said against Pitot in the driver, or None."""
    if not read(directory, f"{gpu}.pitot.log"):
        return "the simulator saw nothing at all"
    return next((line for line in read(directory, f"{gpu}.pitot.stderr")
                 .splitlines() if "pitot-sim: violation" in line), None)


def cases_of(directory, gpu):
    """Yields (name, fault or None)."""
    log, decoded = (read(directory, f"{gpu}.{end}")
                    for end in ("log", "decoded"))
    for ours, theirs in INTEL if gpu in INTEL_GPUS else AMD:
        yield (f"Mesa's decoder of '{ours}' on {gpu}",
               fault_of_decoding(ours, count(ours, log),
                                 count(theirs, decoded), gpu))
    yield (f"Pitot in the driver keeps errata on {gpu}",
           fault_of_errata(directory, gpu))


def main():
    directory = pathlib.Path(sys.argv[1])
    cases = [case for gpu in sys.argv[2:] for case in cases_of(directory, gpu)]
    print(f"1..{len(cases)}")
    for number, (name, fault) in enumerate(cases, 1):
        print(f"{'not ok' if fault else 'ok'} {number} - {name}")
        if fault:
            print(f"# {fault}")
    return 1 if any(fault for _, fault in cases) else 0


if __name__ == "__main__":
    sys.exit(main())
