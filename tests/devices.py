# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""What programs can be run on by src/mesa/run: a driver, and on which GPU."""

import os
import re
from typing import NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
RUN = os.path.join(ROOT, "src", "mesa", "run")
GPUS = os.path.join(ROOT, "src", "mesa", "gpus.txt")


class Device(NamedTuple):
    """gpu is "" on a driver that renders with the CPU; mark is "default" on
    one that stands for all GPUs of its driver, or "-"."""
    driver: str
    gpu: str
    mark: str = "-"

    def __str__(self):
        return f"{self.driver} {self.gpu}".strip()

    def is_default(self):
        return not self.gpu or self.mark == "default"

    def file_name(self):
        return str(self).replace(" ", "-")

    def options(self, stock):
        """Those of src/mesa/run."""
        return ["--driver", self.driver,
                *(["--gpu", self.gpu] if self.gpu else []),
                *(["--stock"] if stock else [])]


def simulated():
    with open(GPUS, encoding="utf-8") as lines:
        return [Device(*line.split()[:3]) for line in lines
                if not line.startswith("#")]


def known():
    """All that there are."""
    return [Device(driver, "") for driver in ("llvmpipe", "softpipe",
                                              "zink")] + simulated()


def is_there(driver, gpu=""):
    """Whether there is such a driver, and such a GPU of it if one is named."""
    return any(device.driver == driver and gpu in ("", device.gpu)
               for device in known())


# The lists beside tests, each of a driver; piglit and dEQP have some of one
# GPU, and of all that are simulated.
LIST_NAME = re.compile(r"(.*)-(?:fails|flakes|skips|tests|differences)\.txt$")


def unknown_lists(directory, with_gpus):
    """The names of lists that are about no device, so that none reads them."""
    names = {device.driver for device in known()}
    if with_gpus:
        names |= {device.file_name() for device in known()} | {"simulated"}
    found = {name: LIST_NAME.match(name) for name in os.listdir(directory)}
    return sorted(name for name, match in found.items()
                  if match and match[1] not in names)


def add_arguments(parser):
    drivers = list(dict.fromkeys(device.driver for device in known()))
    parser.add_argument(
        "--driver", action="append", choices=drivers, dest="drivers",
        help="a driver; may be repeated (default: all of them)")
    parser.add_argument(
        "--gpu", action="append", dest="gpus",
        choices=[device.gpu for device in simulated()],
        help="a simulated GPU, in place of all of its driver's; may be "
             "repeated")


def parse_arguments(parser):
    """As the parser does, with the devices that the arguments mean."""
    arguments = parser.parse_args()
    named = [device for device in simulated()
             if device.gpu in (arguments.gpus or ())]
    narrowed = {device.driver for device in named}
    drivers = arguments.drivers or narrowed or {device.driver
                                                for device in known()}
    if narrowed - set(drivers):
        parser.error(f"--gpu {' '.join(arguments.gpus)}: not of "
                     f"{' or '.join(drivers)}")
    arguments.devices = [
        device for device in known() if device.driver in drivers
        and (device in named or device.driver not in narrowed)]
    return arguments
