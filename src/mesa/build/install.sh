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
#   lib/pitot/    pitot-status, and the simulator
#   share/   Mesa's files
#   share/pitot/  the parts of pitot, and the list of all that is installed

# A prefix is in lists of paths, which its programs split, and in JSON.
check_prefix_name()
{
    if [[ $1 == *[[:cntrl:][:space:]:\;\"\\\$]* ]]; then
        usage_error "no directory for --install may have a space, or one of" \
            ": ; \" \\ \$, in its name: $1"
    fi
}

# The files that an installation wrote, a path a line, from the prefix on.
readonly list=share/pitot/installed.txt

# Whether the directory was installed by this script: the list is no link into
# another one's.
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
    # Others may use it, whatever they may see of the installer's other files.
    if [[ ! -e $1 ]]; then
        (umask 022 && mkdir -p "$1" 2>/dev/null) || true
    fi
    if [[ ! -d $1 || ! -w $1 ]]; then
        die "you may not write to $1; choose a directory of your own, or as" \
            "root: install -d -o $(id -un) $(printf %q "$1")"
    fi
}

# Builds the program behind pitot --status, and leaves its path in $status.
build_status()
{
    build_tool demo src/mesa/install/pitot-status src/mesa/install \
        -Ddemo=enabled -Dtests=disabled
    status=$project_build/src/mesa/install/pitot-status
}

# fill_stage DIRECTORY PREFIX: with all that belongs into the prefix.
fill_stage()
{
    local source=$checkout/src/mesa json vendor
    mkdir -p "$1"/{bin,lib/pitot,share/pitot/build}
    cp -a "$tree/install/lib"/lib*.so* "$1/lib"
    cp -a "$tree/install/share"/* "$1/share"
    if [[ -n $libdrm ]]; then
        cp -a "$libdrm"/libdrm{,_amdgpu}.so.* "$1/lib"
    fi
    # Programs may change the path of libraries, but not this one.
    json=$1/share/glvnd/egl_vendor.d/50_mesa.json
    vendor=$(<"$json")
    printf '%s\n' "${vendor/'"libEGL_mesa'/"\"$2/lib/libEGL_mesa"}" >"$json"
    cp "$status" "$simulator" "$1/lib/pitot"
    cp "$info" "$profiler" "$source/install/pitot" "$1/bin"
    cp "$source"/build/{base,gpu,launch}.sh "$1/share/pitot/build"
    cp "$source/gpus.txt" "$checkout/LICENSE" "$1/share/pitot"
    (cd "$1" && find . ! -type d -printf '%P\n') | LC_ALL=C sort >"$stage.list"
}

# remove_old PREFIX: what an older installation wrote and this one did not.
# Anything else is the user's, and so is what a link to elsewhere leads to.
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

# check_unlisted PREFIX: what is in no list is the user's, and stays: a file, or a
# link where the stage has a directory.
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

# fill_prefix PREFIX: from the stage.  Until that is done, the list has what is
# older, too: an installation that was interrupted is repeated.  So it is replaced
# as a whole.
fill_prefix()
{
    local new=$1/$list.new
    mkdir -p "$1/$(dirname "$list")"
    touch "$1/$list"
    check_unlisted "$1"
    LC_ALL=C sort -u -o "$new" "$1/$list" "$stage.list"
    mv "$new" "$1/$list"
    # A file is replaced as a whole: programs that run keep theirs.  The cache
    # may belong to another user than the installation; so may the prefix, which
    # keeps its mode.
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
    lock_cache
    rm -rf "$stage"
    fill_stage "$stage" "$prefix"
    fill_prefix "$prefix"
    rm -rf "$stage" "$stage.list"
    unlock_cache
    say "installed into $prefix ($(du -sh "$prefix" | cut -f 1)); try:" \
        "$(printf %q "$prefix/bin/pitot") --status"
}
