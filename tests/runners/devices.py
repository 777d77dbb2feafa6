# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The devices that programs run on: drivers, and their GPUs.

A GPU is simulated, or it is this computer's own.
"""

import argparse
import functools
import os
import subprocess
from typing import NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.realpath(__file__))))
GPUS = os.path.join(ROOT, "src", "mesa", "gpus.txt")
# The version of Mesa, and the drivers that are built.
VERSION, BUILT = subprocess.run(
    ["bash", "-c", '. "$0"; [[ -z ${PITOT_MESA_SRC:-} ]] ||'
     ' use_mesa "$PITOT_MESA_SRC"; echo "$mesa_version" "$drivers"',
     os.path.join(ROOT, "src", "mesa", "build", "build.sh")],
    check=True, text=True, stdout=subprocess.PIPE).stdout.split()

# The beginning of GL_RENDERER, by driver: software first.
SOFTWARE = {"llvmpipe": "llvmpipe", "softpipe": "softpipe",
            "zink": "zink Vulkan"}
RENDERERS = {**SOFTWARE, "iris": "Mesa Intel", "radeonsi": "AMD",
             "freedreno": "FD"}

# Drivers where any thread can map buffers without synchronization
# (map_unsynchronized_thread_safe). Mesa ignores mesa_glthread on others.
GLTHREAD_DRIVERS = ("zink", "iris", "radeonsi")


class Device(NamedTuple):
    """gpu is the name of a simulated GPU, or "". mark is "default" on the GPU
    that stands for all GPUs of its driver, "twin" on one that differs from
    another GPU only by workarounds, the first version of Mesa that takes it,
    and "machine" on this computer's GPU, which is simulated if it has a
    name."""
    driver: str
    gpu: str
    mark: str = ""

    def __str__(self):
        return f"{self.driver} {self.gpu}".strip()

    def is_machine(self):
        return self.mark == "machine"

    def is_simulated(self):
        return bool(self.gpu)

    def has_gpu(self):
        return self.is_simulated() or self.is_machine()

    def supports_glthread(self):
        return self.driver in GLTHREAD_DRIVERS

    def is_listed(self):
        """Whether lists may be about it: not about a real GPU."""
        return self.is_simulated() or not self.is_machine()

    def is_default(self):
        return not self.gpu or self.mark in ("default", "machine")

    def file_name(self):
        return str(self).replace(" ", "-")


def simulated():
    with open(GPUS, encoding="utf-8") as lines:
        return [Device(*line.split()[:3]) for line in lines
                if not line.startswith("#")]


@functools.cache
def generations():
    """{GPU: generation} for simulated GPUs."""
    with open(GPUS, encoding="utf-8") as lines:
        return {line.split()[1]: int(line.split()[3]) for line in lines
                if not line.startswith("#")}


def means(name, device):
    """Whether a list's name covers a device: a GPU, with "+" also later
    generations, or "" for all."""
    if not name or device.gpu == name:
        return True
    gpu = name.rstrip("+")
    return (gpu != name and device.gpu in generations()
            and is_there(device.driver, gpu)
            and generations()[device.gpu] >= generations()[gpu])


def first_of_generations(devices):
    """One GPU per generation (no twin), and the drivers without GPUs."""
    generation = generations()
    first = {}
    for device in devices:
        if device.mark != "twin":
            first.setdefault((device.driver, generation.get(device.gpu)),
                             device)
    return list(first.values())


def defaults(devices):
    return [device for device in devices if device.is_default()]


def software():
    return [Device(driver, "") for driver in SOFTWARE]


def release(version):
    return tuple(int(number) for number in version.split(".")[:2])


def known():
    """The devices of the Mesa that is built."""
    return [device for device in software() + simulated()
            if device.driver in BUILT.split(",")
            and (not device.mark[:1].isdigit()
                 or release(device.mark) <= release(VERSION))]


def drivers():
    return list(dict.fromkeys(device.driver for device in known()))


def default(driver):
    """The device that stands for all of a driver."""
    return next(device for device in known()
                if device.driver == driver and device.is_default())


def is_there(driver, gpu=""):
    """Whether the driver, and the GPU if named, exist."""
    return any(device.driver == driver and gpu in ("", device.gpu)
               for device in known())


def named_gpu(name):
    """The type of an argument that names a GPU."""
    for device in simulated():
        if device.gpu == name:
            return device
    raise argparse.ArgumentTypeError(f"unknown GPU '{name}' (known: "
                                     f"{gpu_names()})")


def gpu_names():
    return " ".join(device.gpu for device in simulated())


def machine(text):
    """The type of an argument that describes this computer's GPU."""
    driver, _, gpu = text.partition(":")
    if not is_there(driver, gpu):
        raise argparse.ArgumentTypeError(f"there is no '{text}'")
    return Device(driver, gpu, "machine")


def untwinned(devices):
    """A twin runs only if it is named."""
    return [device for device in devices if device.mark != "twin"]


def chosen(options, quick=defaults, every=untwinned):
    """The devices of a test, as pytest's options say: quick() or, with --all,
    every() of those that are known, or the named ones."""
    if options.machine:
        return [machine(options.machine)]
    narrowed = {device.driver for device in simulated()
                if device.gpu in options.gpu}
    wanted = every(known()) if options.all else quick(known())
    if not narrowed and not options.driver:
        return wanted
    return [device for device in known()
            if (device.gpu in options.gpu if device.driver in narrowed else
                device.driver in options.driver and device in wanted)]
