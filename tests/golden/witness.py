# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Has Mesa's own decoders bear witness to what the simulator decoded.

    witness.py DIRECTORY GPU...

For each kind of packet, DIRECTORY/GPU.decoded must have as many of them as
DIRECTORY/GPU.log.  Prints TAP, without a plan: it goes on with another
program's.
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


def count(pattern, text):
    return sum(1 for line in text.splitlines() if re.search(pattern, line))


def main():
    directory = pathlib.Path(sys.argv[1])
    for gpu in sys.argv[2:]:
        log = (directory / f"{gpu}.log").read_text(errors="replace")
        decoded = (directory / f"{gpu}.decoded").read_text(errors="replace")
        for ours, theirs in INTEL if gpu in INTEL_GPUS else AMD:
            simulated, seen = count(ours, log), count(theirs, decoded)
            result = "ok" if simulated == seen else "not ok"
            print(f"{result} 1 - Mesa's decoder of '{ours}' on {gpu}")
            if simulated != seen:
                print(f"# the simulator had {simulated}, it had {seen}")


if __name__ == "__main__":
    main()
