# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Compares the packets that the simulator saw with those that Mesa's own
decoders saw on Debian's Mesa: as many of each kind, and at least one unless
UNUSED names the kind. With Pitot in the driver, the simulator must have
reported no violation."""

import re

from tests.golden.packets import facts_of

# A kind of packet in the simulator's log, and in Mesa's decoder's.
INTEL = [
    (r"write timestamp", r"Post Sync Operation: 3 \("),
    (r"write depth count", r"Post Sync Operation: 2 \("),
    (r"store register", r"MI_STORE_REGISTER_MEM"),
]
AMD = [
    (r"zpass (done|dump|packet)",
     r"EVENT_TYPE (<-|=) (ZPASS_DONE|PIXEL_PIPE_STAT_DUMP)|EVENT_WRITE_ZPASS"),
    (r"^note: \w+ statistics$", r"EVENT_TYPE (<-|=) SAMPLE_PIPELINESTAT"),
    (r"streamout", r"EVENT_TYPE (<-|=) SAMPLE_STREAMOUTSTATS"),
]

# freedreno has no decoder.
PACKETS = {"iris": INTEL, "radeonsi": AMD}

# Packets that a driver stops to emit from a generation on, and why.
UNUSED = {
    "streamout": (110, "since GFX11, shaders write and count it"),
}


def count(pattern, text):
    """Counts the lines that the pattern matches up to their end."""
    return len(re.findall(f"(?:{pattern}).*", text, re.MULTILINE))


def fault_of_decoding(kind, simulated, seen, gpu):
    """What is wrong with the two counts of a kind of packet, or None."""
    if simulated != seen:
        return f"the simulator had {simulated}, the decoder had {seen}"
    is_unused = kind in UNUSED and facts_of(gpu).level >= UNUSED[kind][0]
    if simulated and is_unused:
        return "there are some, though UNUSED says that there is none"
    if not simulated and not is_unused:
        return "there was none, neither in the simulator nor in the decoder"
    return None


def fault_of_errata(log, stderr):
    """The violation reported with Pitot in the driver, or None."""
    if not log:
        return "the simulator saw nothing at all"
    return next((line for line in stderr.splitlines()
                 if "pitot-sim: violation" in line), None)


def cases_of(device, debian, pitot):
    """Yields (name, failure or None)."""
    for ours, theirs in PACKETS.get(device.driver, []):
        yield (f"Mesa's decoder of '{ours}'",
               fault_of_decoding(ours, count(ours, debian.log),
                                 count(theirs, debian.stderr), device.gpu))
    yield ("Pitot in the driver keeps errata",
           fault_of_errata(pitot.log, pitot.stderr))
