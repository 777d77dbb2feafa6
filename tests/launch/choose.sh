#!/usr/bin/env bash
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT
#
# choose.sh DIRECTORY DRIVER GPU: chooses a device as src/mesa/run does, on a
# machine whose GPUs are the lines of DIRECTORY/list and whose Vulkan drivers
# and EGLs are files in DIRECTORY. Prints a line for each variable.

set -euo pipefail

here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
readonly here
# shellcheck source=src/mesa/build/common.sh
. "$here/../../src/mesa/build/common.sh"
# shellcheck source=src/mesa/build/gpu.sh
. "$here/../../src/mesa/build/gpu.sh"

machine=$1 driver=$2 gpu=$3
vulkan_directories=("$machine")
egl_directories=("$machine")

list_gpus()
{
    cat "$machine/list"
}

choose_device
printf '%s\n' "$driver" "$where" "$prime" "$override" "$icd" \
    "$vendors" "$using"
