# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Lists of what Pitot does in another way than stock Mesa, with the reasons.

`where` is a regular expression for the whole of "GPU/NAME". An entry must be
needed on each GPU that it is about, or its reason does not hold there."""

import re
from typing import Callable, NamedTuple, Union

from tests.golden.packets import facts_of
from tests.runners import devices


def gpus_of(driver, first=0, last=999):
    """A regular expression for a driver's GPUs of these generations."""
    names = [device.gpu for device in devices.simulated()
             if device.driver == driver
             and first <= facts_of(device.gpu).level <= last]
    return f"(?:{'|'.join(names)})"


class Difference(NamedTuple):
    """A difference of the commands of scenes.

    The regular expression `steps` matches the whole of a step's name. re.sub()
    replaces `stock` by `pitot` in stock Mesa's text of the step; an address
    that is new there may have any number, as w99. Without `stock`, `pitot` is a
    regular expression for Pitot's whole text; if that matches nearly any text,
    the scene `is_skipped`."""
    why: str
    where: str
    stock: str
    pitot: Union[str, Callable]
    steps: str = ".*"
    is_skipped: bool = False

    def apply(self, theirs, ours, key):
        """Applies the difference. Returns whether the texts had it."""
        if not re.fullmatch(self.steps, key[1]):
            return False
        before = theirs[key]
        if self.stock:
            theirs[key] = re.sub(self.stock, self.pitot, before)
            return theirs[key] != before
        if before == ours[key] or not re.fullmatch(self.pitot, ours[key]):
            return False
        theirs[key] = ours[key] = ""
        return True


class Worse(NamedTuple):
    """The name is "STEP of KIND", and `most` the most by which dwords and
    waits are more; or for "all" kinds ioctls, batches and waits of the CPU, or
    bytes of memory."""
    why: str
    where: str
    most: tuple


class List:
    """A list on a GPU, and the entries that were needed there."""

    def __init__(self, entries, gpu):
        self.entries = entries
        self.gpu = gpu
        self.about, self.used = set(), set()

    def entries_of(self, name):
        found = [entry for entry in self.entries
                 if re.fullmatch(entry.where, f"{self.gpu}/{name}")]
        self.about.update(found)
        return found

    def unused(self):
        return [entry for entry in self.entries
                if entry in self.about - self.used]
