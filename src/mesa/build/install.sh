# shellcheck shell=bash
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT
#
# Installs Mesa with Pitot into a directory of its own, which needs neither the
# checkout nor the cache.  To be sourced, after build.sh.
#
#   bin/     pitot, which runs programs on this Mesa, pitot-info, and
#            pitot-profile
#   lib/     Mesa's libraries, and a libdrm if the system's is too old
#   lib/pitot/    pitot-status, pitot-demo for --check, and the simulator
#   share/   Mesa's files
#   share/pitot/  the parts of pitot, and the list of all that is installed

# The prefix is in lists of paths, which programs split, and in JSON.
check_prefix_name()
{
    if [[ $1 == *[[:cntrl:][:space:]:\;\"\\\$]* ]]; then
        usage_error "no directory for --install may have a space, or one of" \
            ": ; \" \\ \$, in its name: $1"
    fi
}

# The files that an installation wrote, one path a line, relative to the prefix.
readonly list=share/pitot/installed.txt

# Whether this script installed the directory: the list must not be a link into
# another installation.
is_installation()
{
    [[ -f $1/$list && $(realpath "$1/$list") == "$1/$list" ]]
}

# check_prefix DIRECTORY: it must be new, empty, or an older installation.
check_prefix()
{
    if [[ -e $1 && ! -d $1 ]]; then
        die "$1 is no directory"
    fi
    if [[ -d $1 && -n $(ls -A "$1") ]] && ! is_installation "$1"; then
        die "$1 is not empty, and is no installation of Pitot ($list is" \
            "missing): name a new directory, such as $1/pitot"
    fi
    # Other users may run it, whatever the installer's umask.
    if [[ ! -e $1 ]]; then
        (umask 022 && mkdir -p "$1" 2>/dev/null) || true
    fi
    if [[ ! -d $1 || ! -w $1 ]]; then
        die "you may not write to $1; choose a directory of your own, or as" \
            "root: install -d -o $(id -un) $(printf %q "$1")"
    fi
}

# Builds pitot-status, which `pitot --status` runs, and sets $status to its
# path.
build_status()
{
    build_tool demo src/mesa/install/pitot-status src/mesa/install \
        -Ddemo=enabled -Dtests=disabled
    status=$project_build/src/mesa/install/pitot-status
}

# fill_stage DIRECTORY PREFIX: copies all that belongs into the prefix.
fill_stage()
{
    local source=$checkout/src/mesa json vendor
    mkdir -p "$1"/{bin,lib/pitot,share/pitot/build}
    cp -a "$tree/install/lib"/lib*.so* "$1/lib"
    cp -a "$tree/install/share"/* "$1/share"
    if [[ -n $libdrm ]]; then
        cp -a "$libdrm"/libdrm{,_amdgpu}.so.* "$1/lib"
    fi
    # Programs may change LD_LIBRARY_PATH, but not this path.
    json=$1/share/glvnd/egl_vendor.d/50_mesa.json
    vendor=$(<"$json")
    printf '%s\n' "${vendor/'"libEGL_mesa'/"\"$2/lib/libEGL_mesa"}" >"$json"
    cp "$status" "$demo" "$simulator" "$1/lib/pitot"
    cp "$info" "$profiler" "$source/install/pitot" "$1/bin"
    cp "$source"/build/{base,gpu,launch}.sh "$1/share/pitot/build"
    cp "$source/gpus.txt" "$checkout/LICENSE" "$1/share/pitot"
    (cd "$1" && find . ! -type d -printf '%P\n') | LC_ALL=C sort >"$stage.list"
}

# remove_old PREFIX: removes what an older installation wrote and this one did
# not.  Anything else is the user's, and so is what a link leads to.
remove_old()
{
    local path directory
    LC_ALL=C comm -23 "$1/$list" "$stage.list" | while IFS= read -r path; do
        directory=$1/$(dirname "$path")
        if [[ ! -d $1/$path && $(realpath -m "$directory") == "$directory" ]]; then
            rm -f "$1/$path"
            rmdir --ignore-fail-on-non-empty "$directory" 2>/dev/null || true
        fi
    done
}

# check_unlisted PREFIX: exits if a file, or a link where the stage has a
# directory, is in no list: it is the user's, and stays.
check_unlisted()
{
    local path
    (cd "$stage" && find . -mindepth 1 -printf '%P\n') |
        { grep -vxF -f "$1/$list" || true; } | while IFS= read -r path; do
        if [[ -L $1/$path || -f $1/$path ]]; then
            die "$1/$path is not of an installation of Pitot: move it away, or" \
                "name a new directory"
        fi
    done
}

# fill_prefix PREFIX: copies the stage.  Until that is done, the list also has
# the older files, so that an interrupted installation can be repeated; mv
# replaces the list as a whole.
fill_prefix()
{
    local new=$1/$list.new
    mkdir -p "$1/$(dirname "$list")"
    touch "$1/$list"
    check_unlisted "$1"
    LC_ALL=C sort -u -o "$new" "$1/$list" "$stage.list"
    mv "$new" "$1/$list"
    # A file is replaced as a whole, so that running programs keep theirs.  The
    # owners of the cache, the prefix and the installation may differ, and the
    # prefix keeps its mode.
    run_logged install rsync -rlpt --chmod=ugo=rX,u+w "$stage"/* "$1"
    remove_old "$1"
    cp "$stage.list" "$new"
    mv "$new" "$1/$list"
}

# install_mesa PREFIX
install_mesa()
{
    local prefix stage=$cache_dir/stage
    prefix=$(realpath -m "$1")
    check_prefix_name "$prefix"
    check_prefix "$prefix"
    build_mesa pitot
    build_info
    build_profiler
    build_simulator
    build_status
    build_demo
    lock_cache
    rm -rf "$stage"
    fill_stage "$stage" "$prefix"
    fill_prefix "$prefix"
    rm -rf "$stage" "$stage.list"
    unlock_cache
    say "installed into $prefix ($(du -sh "$prefix" | cut -f 1)); try:" \
        "$(printf %q "$prefix/bin/pitot") --status"
}
