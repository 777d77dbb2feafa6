# shellcheck shell=bash
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT
#
# Chooses the device that Mesa runs on.  To be sourced, after common.sh.
#
# A machine's GPUs are the lines of list_gpus(): see info_list() in
# src/info/info.h.

# The caller sets $driver and $gpu, and reads the results of choose_device().
# shellcheck disable=SC2034,SC2154

# Vulkan's drivers by the kernel's, as the names of their files begin.
readonly -A vulkan_drivers=(
    [i915]='intel_icd intel_hasvk_icd' [xe]='intel_icd' [amdgpu]='radeon_icd amd_icd'
    [nouveau]='nouveau_icd' [nvidia-drm]='nvidia_icd' [nvidia]='nvidia_icd'
    [virtio_gpu]='virtio_icd' [virtio-pci]='virtio_icd' [msm]='freedreno_icd'
    [panfrost]='panfrost_icd' [panthor]='panfrost_icd' [v3d]='broadcom_icd'
)
vulkan_directories=(/usr/share/vulkan/icd.d /usr/local/share/vulkan/icd.d
    /etc/vulkan/icd.d)
egl_directories=(/etc/glvnd/egl_vendor.d /usr/share/glvnd/egl_vendor.d)

# read_gpu LINE: splits it into $node, $kernel, $gallium, $state, $kind,
# $pci_id, $pci_tag and $text.
read_gpu()
{
    IFS=$'\t' read -r node kernel gallium state kind pci_id pci_tag text \
        <<<"$1"
}

# Whether DRI_PRIME may mean the GPU of read_gpu().  A number may mean any GPU,
# because Mesa counts from the display's.
is_preferred()
{
    case ${DRI_PRIME:-} in
    '' | "$pci_id" | "$pci_tag") ;;
    *[!0-9]*) return 1 ;;
    esac
}

# find_gpu CHECK: sets $found to the first line that DRI_PRIME may mean and that
# the function CHECK accepts after read_gpu(); fails if no line does.
find_gpu()
{
    for found in "${gpus[@]}"; do
        read_gpu "$found"
        if is_preferred && "$1"; then
            return
        fi
    done
    return 1
}

# Whether $driver, or iris or radeonsi if it is empty, drives the GPU.
is_driven()
{
    [[ $state != unusable && ${driver:-$gallium} == "$gallium" &&
        $gallium =~ ^(iris|radeonsi)$ ]]
}

# Whether zink can run on the GPU; sets $icd to its Vulkan drivers.  A simulated
# GPU has none.
has_vulkan()
{
    local name directory
    icd=
    [[ $state != unusable && $kind == real ]] || return
    for name in ${vulkan_drivers[$kernel]:-}; do
        for directory in "${vulkan_directories[@]}"; do
            icd+=$(printf ':%s' "$directory/$name"*.json | sed '/\*/d')
        done
    done
    icd=${icd#:}
    [[ -n $icd ]]
}

# The way to get access to $node.  In a container its group may be root, or have
# no name.
permission_remedy()
{
    local group
    group=$(stat -c %G "$node" 2>/dev/null) || group=render
    case $group in
    root | UNKNOWN)
        printf " (its group is %s here: %s)" "$group" "give the file to a \
group of users, or pass the host's group into the container"
        ;;
    *)
        printf ' (as root: usermod -aG %s %s; then log in again)' \
            "$group" "$(id -un)"
        ;;
    esac
}

# Why the GPU of read_gpu() is not used, and a remedy.
refusal()
{
    case $state:$gallium in
    unusable:* | *:-)
        printf '%s: %s' "$node" "$text"
        if [[ $text == 'Permission denied'* ]]; then
            permission_remedy
        fi
        ;;
    *:iris | *:radeonsi)
        printf '%s is a GPU of --driver %s (%s)' "$node" "$gallium" "$text"
        ;;
    *) printf "%s: %s; Mesa's driver for it, %s, is not in this build" \
        "$node" "$text" "$gallium" ;;
    esac
}

# Why no GPU is used, as one line.
refusals()
{
    local line reasons=
    if ((${#gpus[@]} == 0)); then
        echo "this machine has no GPU: there is no /dev/dri/renderD* (is its" \
            "driver loaded in the kernel?)"
        return
    fi
    for line in "${gpus[@]}"; do
        read_gpu "$line"
        if is_preferred; then
            reasons+="; $(refusal)"
        fi
    done
    reasons=${reasons#; }
    printf '%s\n' "${reasons:-DRI_PRIME=$DRI_PRIME is none of its GPUs (see --gpu list)}"
}

# describe_gpu DRIVER: the line about the GPU of read_gpu().
describe_gpu()
{
    local name="$text, " own=
    if [[ $state != sampled ]]; then
        name=
        own=", with $1's own queries below Pitot's entry points: $text"
    fi
    if [[ $1 == zink ]]; then
        own=
    fi
    if [[ $kind == simulated ]]; then
        own+="; this GPU is simulated: it counts draws and renders nothing"
    fi
    if [[ ${DRI_PRIME:-} =~ ^[0-9]+$ ]] && ((${#gpus[@]} > 1)) &&
        ! is_headless; then
        name="the GPU that DRI_PRIME=$DRI_PRIME means"
        if [[ $1 == zink ]]; then
            echo "zink on $name"
        else
            echo "$name, with its own driver"
        fi
        return
    fi
    echo "$1 on $node ($name$pci_id)$own"
    if ((${#gpus[@]} > 1)) && [[ -z ${DRI_PRIME:-} ]]; then
        echo "; DRI_PRIME chooses another GPU (see --gpu list)"
    fi
}

# Whether programs have no window system.
is_headless()
{
    [[ ${EGL_PLATFORM:-} == surfaceless ||
        -z ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]
}

# Uses the GPU of $found.  Of several GPUs, Mesa would use the display's, or
# without a window system the first that its driver accepts, whatever DRI_PRIME
# says.
take_gpu()
{
    read_gpu "$found"
    where=machine
    using=$(describe_gpu "$driver" | paste -sd '')
    if ((${#gpus[@]} > 1)); then
        if [[ $pci_tag != - ]]; then
            prime=${DRI_PRIME:-$pci_tag}
        fi
        if is_headless; then
            override=$driver
        fi
        if is_headless && [[ -n ${DRI_PRIME:-} ]]; then
            using+="; without windows, the first GPU that $driver accepts"
        fi
    fi
    if [[ $driver == zink ]]; then
        override=zink
    fi
}

# Chooses a GPU of the machine, or the CPU if no driver is named.
choose_machine()
{
    if find_gpu is_driven; then
        driver=${driver:-$gallium}
        take_gpu
    elif [[ -n $driver ]]; then
        die "$driver: $(refusals); --gpu $(gpus_of "$driver" default)" \
            "simulates one"
    else
        driver=llvmpipe
        using="llvmpipe on the CPU: $(refusals)"
    fi
}

# Sets $vendors to the EGLs that the Vulkan drivers in $icd need next to Mesa's:
# without a window system, NVIDIA's creates no instance unless it finds its own
# EGL.
find_egl()
{
    local directory
    [[ $icd == *nvidia* ]] || return 0
    for directory in "${egl_directories[@]}"; do
        vendors+=$(printf ':%s' "$directory"/*_nvidia.json | sed '/\*/d')
    done
}

# Whether the user names Vulkan drivers, of a GPU that may have no render node.
names_vulkan()
{
    [[ -n ${VK_DRIVER_FILES:-} && $VK_DRIVER_FILES != *lvp_icd* ]]
}

choose_vulkan()
{
    if find_gpu has_vulkan; then
        take_gpu
        find_egl
    elif names_vulkan; then
        where=machine override=zink icd=$VK_DRIVER_FILES
        using='zink on the Vulkan driver that VK_DRIVER_FILES names'
        find_egl
    else
        where=lavapipe
        using="zink on lavapipe, on the CPU: no GPU here has a Vulkan driver"
    fi
}

# choose_device: chooses by $driver and $gpu, which may be empty.  Sets $driver;
# $where to "machine", "simulator", "lavapipe" or "cpu"; $using to the line that
# reports it; $prime and $override to values for DRI_PRIME and
# MESA_LOADER_DRIVER_OVERRIDE, or to nothing; and for zink on a GPU $icd to the
# files of its drivers, and $vendors to the files of other EGLs, each after a
# colon.
choose_device()
{
    local -a gpus=()
    local found node kernel gallium state kind pci_id pci_tag text
    where=cpu prime='' override='' icd='' vendors=''
    if [[ -z $driver && -n ${LIBGL_ALWAYS_SOFTWARE:-} ]]; then
        driver=llvmpipe
    fi
    using="$driver on the CPU"
    case $driver:$gpu in
    :* | iris: | radeonsi: | zink:) mapfile -t gpus < <(list_gpus) ;;
    esac
    case $driver:$gpu in
    llvmpipe:* | softpipe:*) ;;
    zink:) choose_vulkan ;;
    zink:*)
        where=lavapipe
        using='zink on lavapipe, on the CPU'
        ;;
    *:) choose_machine ;;
    *)
        where=simulator
        using="$driver on a simulated $gpu: it counts draws and renders nothing"
        ;;
    esac
}

# Prints a line for each GPU of the machine, or the reason if there is none.
list_machine()
{
    local -a gpus=()
    local line kind_text
    mapfile -t gpus < <(list_gpus)
    if ((${#gpus[@]} == 0)); then
        echo "  none: there is no /dev/dri/renderD*"
    fi
    for line in "${gpus[@]}"; do
        read_gpu "$line"
        kind_text=
        if [[ $kind == simulated ]]; then
            kind_text=', simulated'
        fi
        printf '  %s  %s  %s  %s (%s)%s\n' "$node" "$pci_id" "$pci_tag" \
            "${gallium/#-/no driver of this Mesa}" "$text" "$kind_text"
    done
}
