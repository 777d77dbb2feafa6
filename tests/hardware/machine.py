# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The machine's GPU, and the facts about it for a report."""

import glob
import os
import re
import subprocess
import tempfile
from typing import NamedTuple

from tests.runners import devices, watch
from tests.runners.command import RunError, last_line
from tests.runners.devices import Device
from tests.runners.mesa import VERSION, Mesa

# Kernel drivers that work without a render node.
MODULES_WITHOUT_NODE = ("nvidia",)

# The column of a GPU's PCI id in gpus.txt.
PCI_ID_COLUMN = 4


class Node(NamedTuple):
    path: str
    kernel_driver: str
    driver: str # Mesa's
    state: str # "sampled", "unsampled" or "unusable"
    kind: str # "real" or "simulated"
    pci_id: str
    pci_tag: str
    text: str

    def is_simulated(self):
        return self.kind == "simulated"


# Without a render node, zink runs on the Vulkan driver that the user names.
WITHOUT_NODE = Node("", "", "-", "unsampled", "real", "-", "-",
                    "a GPU without a render node")


def named(node, renderer):
    """The node with Vulkan's name of its GPU, from zink's."""
    match = re.match(r"zink Vulkan [\d.]+\((.*)\)$", renderer)
    return node._replace(text=match[1]) if match else node


def list_nodes(pitot_info):
    done = subprocess.run([pitot_info, "--list"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    return [Node(*line.split("\t", len(Node._fields) - 1))
            for line in done.stdout.splitlines()]


def is_for(node, driver):
    """Whether src/mesa/run uses a node for a driver: zink takes any."""
    drivers = {None: ["iris", "radeonsi"], "zink": [node.driver]}
    return (node.state != "unusable"
            and node.driver in drivers.get(driver, [driver]))


def find_node(pitot_info, driver):
    """The node that src/mesa/run uses; driver None: iris or radeonsi."""
    nodes = list_nodes(pitot_info)
    wanted = os.environ.get("DRI_PRIME", "")
    if driver == "zink" and not nodes and os.environ.get("VK_DRIVER_FILES"):
        return WITHOUT_NODE
    for node in nodes:
        if is_for(node, driver) and (wanted in ("", node.pci_id, node.pci_tag)
                                     or wanted.isdecimal()):
            refuse_another(nodes, node, driver, wanted)
            return node
    reasons = "; ".join(f"{node.path}: {node.text}" for node in nodes)
    raise RunError(f"no GPU for {driver or 'iris or radeonsi'}: "
                   f"{reasons or 'there is no /dev/dri/renderD*'}")


def refuse_another(nodes, node, driver, wanted):
    """Rejects a GPU that is not the first of its driver: without windows Mesa
    uses the first. Only Mesa knows which GPU a number means."""
    same = driver if driver == "zink" else node.driver
    first, *others = [other for other in nodes if is_for(other, same)]
    if first != node or (others and wanted.isdecimal()):
        raise RunError(f"without a window Mesa takes the first GPU of {same}, "
                       f"{first.path}: DRI_PRIME={wanted} cannot choose "
                       "another one here")


def simulated_gpu(node):
    """A simulated GPU's name, by its PCI id: xe's line is the last."""
    with open(devices.GPUS, encoding="utf-8") as lines:
        rows = [line.split() for line in lines if not line.startswith("#")]
    names = [row[1] for row in rows if int(row[PCI_ID_COLUMN], 16) ==
             int(node.pci_id.partition(":")[2], 16)]
    if not names:
        raise RunError(f"there is no simulated GPU {node.pci_id}")
    return names[-1 if node.kernel_driver == "xe" else 0]


def device_of(node, driver):
    return Device(driver or node.driver,
                  simulated_gpu(node) if node.is_simulated() else "",
                  "machine")


def first_line(*command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return ""
    return done.stdout.partition("\n")[0].strip()


def version_of_pitot():
    commit = first_line("git", "-C", devices.ROOT, "rev-parse",
                        "--short=12", "HEAD")
    is_changed = first_line("git", "-C", devices.ROOT, "status",
                            "--porcelain", "--untracked-files=no")
    return (commit or "unknown") + (", with changes" if is_changed else "")


def kernel_of(pitot_info, node):
    if node.path:
        version = first_line("sh", "-c", '"$0" --device "$1" | '
                             "sed -n 's/^ *driver *//p'", pitot_info,
                             node.path)
    else:
        version = "; ".join(f"{name} {version}"
                            for name in MODULES_WITHOUT_NODE
                            if (version := first_line(
                                "cat", f"/sys/module/{name}/version")))
    name = os.uname()
    return (f"{name.sysname} {name.release} {name.machine}, "
            f"{version or node.kernel_driver or 'no driver that is known'}")


def firmware_of(node):
    """Versions that any user may read, or nothing."""
    directory = os.path.join("/sys/class/drm", os.path.basename(node.path),
                             "device", "fw_version")
    found = []
    for path in sorted(glob.glob(f"{directory}/*_version")):
        with open(path, encoding="ascii", errors="replace") as file:
            name = os.path.basename(path).removesuffix("_fw_version")
            version = int(file.read(), 0)
        if version:
            found.append(f"{name} {version:#x}")
    return ", ".join(found)


def renderer_of(device, stock, options):
    """GL's name of the device, or why there is none."""
    command = Mesa(device, stock, options.launcher).command(
        ["wflinfo", "--platform", "surfaceless_egl", "--api", "gl"])
    with tempfile.TemporaryFile() as output:
        _, hangs = watch.run(command, stdout=output,
                             stderr=output)
        output.seek(0)
        text = output.read().decode(errors="replace")
    for line in text.splitlines():
        if line.startswith("OpenGL renderer string: "):
            return line.partition(": ")[2]
    return f"no GL: {'; '.join(map(str, hangs)) or last_line(text)}"


def refuse_the_cpu(found):
    """Rejects facts that are not about a GPU: without its Vulkan driver, zink
    runs on lavapipe."""
    for name in ("GL with Pitot", "GL on stock Mesa"):
        if "llvmpipe" in found[name]:
            raise RunError(f"{name} is '{found[name]}': this GPU has no Vulkan "
                           "driver here")


def facts(pitot_info, node, device, options):
    """The table at the head of a report."""
    return {
        "GPU": node.text + f", {node.pci_id}".removesuffix(", -")
               + (", SIMULATED: no silicon" if node.is_simulated() else ""),
        "driver": device.driver + (
            ", whose own queries are below Pitot's entry points"
            if node.state != "sampled" else ""),
        "kernel": kernel_of(pitot_info, node),
        "firmware": firmware_of(node) or "the kernel does not tell",
        "Pitot": version_of_pitot(),
        "Mesa": VERSION,
        "GL with Pitot": renderer_of(device, False, options),
        "GL on stock Mesa": renderer_of(device, True, options),
    }
