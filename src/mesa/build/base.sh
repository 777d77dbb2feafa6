# shellcheck shell=bash
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT
#
# Messages, the drivers, and the simulated GPUs: what every script needs.  To be
# sourced.

# Fewer where a machine has too old a library for one.
# shellcheck disable=SC2034 # for the scripts that source this file
readonly drivers=${PITOT_MESA_DRIVERS:-llvmpipe,softpipe,zink,iris,radeonsi,freedreno}

gpus_file=$(dirname "${BASH_SOURCE[0]}")/../gpus.txt
readonly gpus_file

# gpus_of DRIVER [MARK]: the values of --gpu for this driver, in one line; with
# a MARK, those simulated GPUs that have it.
gpus_of()
{
    if [[ $1 == zink ]]; then
        echo lavapipe
        return
    fi
    awk -v driver="$1" -v mark="${2:-}" \
        '$1 == driver && (mark == "" || $3 == mark) { print $2 }' \
        "$gpus_file" | paste -sd ' '
}

# driver_of GPU: the driver that --gpu GPU is for, or nothing.
driver_of()
{
    if [[ $1 == lavapipe ]]; then
        echo zink
        return
    fi
    awk -v gpu="$1" '!/^#/ && $2 == gpu { print $1 }' \
        "$gpus_file"
}

# Messages go to stderr: stdout belongs to the program that is run.
say()
{
    printf 'pitot: %s\n' "$*" >&2
}

die()
{
    say "$@"
    exit 1
}

usage_error()
{
    say "$@"
    exit 2
}
