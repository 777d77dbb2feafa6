# shellcheck shell=bash
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT
#
# Starts a program on a Mesa: the options about its driver, checks of the
# program, and the environment.  To be sourced, after base.sh and gpu.sh.
#
# The caller sets $info, the path of pitot-info; $mesa, the directory in which
# Mesa is installed; $libraries, the directories of its libraries, separated by
# colons; $simulator, the path of libpitot-sim.so if a GPU is simulated; and
# $profiler, the path of pitot-profile if has_output_of_profile.

# The caller sets some of these variables, and reads the results in others.
# shellcheck disable=SC2034,SC2154

# LD_PRELOAD is for the program and for the search for its GPU, not for the
# tools here.
readonly preload=${LD_PRELOAD:-}
unset LD_PRELOAD

profile=

# The part of --help about the options of driver_option().
describe_driver_options()
{
    cat <<END
  --driver DRIVER  llvmpipe, softpipe or zink, or iris (Intel), radeonsi (AMD)
                   or freedreno (Adreno; simulated only);
                   if this is missing, what GALLIUM_DRIVER names, or else that
                   of the machine's GPU, or llvmpipe if it has none
  --gpu GPU        a simulated GPU in place of the machine's, by a name of those
                   below: draws are counted, nothing is rendered, and there are
                   no windows (EGL's surfaceless platform only); or lavapipe,
                   for zink on the CPU
  --gpu list       list the GPUs of the machine, and those that are simulated
  --profile FILE   profile the program (docs/profiling.md): FILE ends with .json,
                   .txt, .svg or .csv
END
}

# The part of --help about the choice of a GPU.
describe_gpus()
{
    cat <<END
Without --gpu, iris and radeonsi run on the first GPU of the machine that is
theirs, and zink on the first one that has a Vulkan driver, or else on that which
VK_DRIVER_FILES names, or on lavapipe.
DRI_PRIME chooses another GPU, as in Mesa.  A line says what is used.

Simulated GPUs of iris:      $(gpus_of iris)
Simulated GPUs of radeonsi:  $(gpus_of radeonsi)
Simulated GPUs of freedreno: $(gpus_of freedreno)
END
}

# driver_option ARGUMENT...: parses --driver, --gpu or --profile into $driver,
# $gpu or $profile, and sets $taken to the number of arguments used; fails if
# the first is any other.
driver_option()
{
    local value=${1#*=}
    taken=1
    case $1 in
    --driver | --gpu | --profile)
        (($# > 1)) || usage_error "$1 needs a value (see --help)"
        value=$2 taken=2
        ;;
    esac
    case $1 in
    --driver | --driver=*) driver=$value ;;
    --gpu | --gpu=*) gpu=$value ;;
    --profile | --profile=*)
        profile=$value
        [[ $profile =~ \.(json|txt|svg|csv)$ ]] ||
            usage_error "'$profile' is no name for a profile: it does not end" \
                "with .json, .txt, .svg or .csv"
        ;;
    *) return 1 ;;
    esac
}

# Checks $driver and $gpu.  If only a simulated GPU is named, sets $driver.
check_driver()
{
    driver=${driver:-$(driver_of "$gpu")}
    if [[ -z $driver ]]; then
        [[ -z $gpu ]] || refuse_gpu "there is"
    elif [[ ! $driver =~ ^(${drivers//,/|})$ ]]; then
        usage_error "unknown driver '$driver' (${drivers//,/, })"
    elif [[ -n $gpu && " $(gpus_of "$driver") " != *" $gpu "* ]]; then
        refuse_gpu "$driver has"
    fi
}

# refuse_gpu BEGINNING: exits with a message that begins with this.
refuse_gpu()
{
    usage_error "$1 no GPU '$gpu': --gpu is for zink ($(gpus_of zink))," \
        "iris ($(gpus_of iris)), radeonsi ($(gpus_of radeonsi)) and" \
        "freedreno ($(gpus_of freedreno))"
}

# check_program PROGRAM: exits unless the program exists and can load this Mesa.
check_program()
{
    local path magic
    if ! path=$(type -P -- "$1"); then
        say "there is no program $1"
        exit 127
    fi
    # ELF's magic number, and the class of 32 bits.
    magic=$(od -An -tx1 -N5 "$path" 2>/dev/null | tr -d ' ') || magic=
    if [[ $magic == 7f454c4601 ]]; then
        die "$1 is a 32-bit program, and this Mesa has 64 bits only; start it" \
            "without pitot, on the system's Mesa"
    fi
    case $(basename -- "$1"):$(realpath "$path") in
    flatpak:* | snap:* | *:*/snap)
        die "$1 starts programs with a Mesa of their own, which pitot does not" \
            "replace; take the program's package from Debian"
        ;;
    esac
}

# Lists the GPUs of the machine, and those that can be simulated.
list_all()
{
    echo "The machine's GPUs (a choice for DRI_PRIME is in the second or third" \
        "column):"
    list_machine
    printf '\nSimulated, by --gpu:\n'
    printf '  %-9s  %s\n' iris "$(gpus_of iris)" radeonsi \
        "$(gpus_of radeonsi)" freedreno "$(gpus_of freedreno)"
}

# The GPUs of the machine: src/info/info.h describes the lines.
list_gpus()
{
    (with_preload "$preload" "$info" --list) || true
}

# Makes libglvnd, which every GL program is linked with, load this Mesa.
export_environment()
{
    local -a lavapipe=(/usr/share/vulkan/icd.d/lvp_icd*.json)
    export LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export __EGL_VENDOR_LIBRARY_FILENAMES=$mesa/share/glvnd/egl_vendor.d/50_mesa.json$vendors
    export __GLX_VENDOR_LIBRARY_NAME=mesa
    # Mesa's workarounds for programs.
    export DRIRC_CONFIGDIR=${DRIRC_CONFIGDIR:-$mesa/share/drirc.d}
    # With this, a driver that fails to load is an error, not replaced by
    # another one.
    export GALLIUM_DRIVER=$driver
    case $where in
    machine)
        # Mesa chooses the driver by what the kernel reports.
        unset LIBGL_ALWAYS_SOFTWARE MESA_LOADER_DRIVER_OVERRIDE
        if [[ -n $prime ]]; then
            export DRI_PRIME=$prime
        fi
        if [[ -n $override ]]; then
            export MESA_LOADER_DRIVER_OVERRIDE=$override
        fi
        if [[ -n $icd ]]; then
            export VK_DRIVER_FILES=$icd
        fi
        ;;
    simulator)
        # The simulator replies in place of the kernel.  No window system shows
        # what such a GPU draws.
        unset LIBGL_ALWAYS_SOFTWARE MESA_LOADER_DRIVER_OVERRIDE DRI_PRIME
        export EGL_PLATFORM=surfaceless
        export PITOT_SIM=$gpu
        ;;
    lavapipe)
        # The layer that chooses a Vulkan driver connects to Wayland, and
        # complains if there is no Wayland.
        export VK_DRIVER_FILES=${lavapipe[0]}
        export LIBGL_ALWAYS_SOFTWARE=1 NODEVICE_SELECT=1
        # Without this, X11's windows stay black.
        export MESA_LOADER_DRIVER_OVERRIDE=zink
        ;;
    cpu) export LIBGL_ALWAYS_SOFTWARE=1 ;;
    esac
}

# with_preload LIBRARIES COMMAND...: starts a program in place of this one.
with_preload()
{
    if [[ -n $1 ]]; then
        export LD_PRELOAD=$1
    fi
    exec -- "${@:2}"
}

# Whether pitot-profile makes the output from traces of the program.  Only a
# .json is written by the program itself.
has_output_of_profile()
{
    [[ -n $profile && $profile != *.json ]]
}

# start COMMAND...: starts a program on the device of choose_device().
start()
{
    local preloaded=$preload file=${profile:-${PITOT_PROFILE:-}}
    if [[ $where == simulator ]]; then
        preloaded=$simulator${preload:+:$preload}
    fi
    export_environment
    if has_output_of_profile; then
        export PITOT_PRELOAD=$preloaded
        exec "$profiler" --run "$profile" "$@"
    fi
    if [[ -n $file ]]; then
        # The program may change its directory before it loads Mesa.
        [[ $file == /* ]] || file=$PWD/$file
        export PITOT_PROFILE=$file
    fi
    with_preload "$preloaded" "$@"
}
