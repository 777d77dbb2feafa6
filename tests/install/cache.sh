# shellcheck shell=bash
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT
#
# Tests of src/mesa/build's cache. Sourced by cases, after result().

# in_cache SCRIPT: runs it after build.sh, with a cache of libraries only.
in_cache()
{
    local cache=$scratch/cache
    mkdir -p "$cache"
    ln -sfn "$cache_dir/libdrm" "$cache/libdrm"
    ln -sfn "$cache_dir/wayland-protocols" "$cache/wayland-protocols"
    PITOT_CACHE=$cache bash -euc ". '$checkout/src/mesa/build/build.sh'; $1"
}

# The first tree is used by a program of a checkout's launcher, the last one
# belongs to another checkout.
keep_used_trees()
{
    # shellcheck disable=SC2016 # for the inner shell
    in_cache '
        find_libraries
        used=$cache_dir/mesa-$mesa_version-stock-$(tree_key stock)
        unused=$cache_dir/mesa-$mesa_version-stock-unused
        mkdir "$used" "$unused"
        echo stock >"$used/stamp"
        remove_as_other()
        {
            tree=$cache_dir/mesa-$mesa_version-stock-other
            remove_old_trees stock
        }
        (
            build_mesa stock
            remove_as_other
            [[ -d $used && ! -e $unused ]]
        )
        remove_as_other
        [[ ! -e $used ]]'
}

# Nothing is written through a link to a checkout as subproject.
leave_checkout()
{
    local mesa=$scratch/mesa foreign=$scratch/checkout
    mkdir -p "$mesa/subprojects" "$foreign"
    touch "$foreign/file"
    ln -s "$foreign" "$mesa/subprojects/pitot"
    # shellcheck disable=SC2016 # for the inner shell
    PITOT_MESA_SRC=$mesa in_cache '
        echo "$mesa_version" >"$PITOT_MESA_SRC/VERSION"
        tree=$cache_dir/mesa
        unpack_mesa stock
        copy_pitot' &&
        [[ $(ls "$foreign") == file && -f $scratch/cache/mesa/src/subprojects/pitot/LICENSE ]]
}

# The mirror's URL comes from the system, and is not a printf format.
take_any_mirror()
{
    mkdir "$scratch/bin"
    printf '%s\n' '#!/bin/sh' 'echo http://a%20b%s/debian' >"$scratch/bin/apt-get"
    chmod +x "$scratch/bin/apt-get"
    # shellcheck disable=SC2016 # for the inner shell
    in_cache 'PATH='"$scratch/bin"':$PATH
        [[ $(debian_sources trixie) == *" http://a%20b%s/debian trixie main"* ]]'
}

test_cache()
{
    result "install: a tree that a program runs on stays" keep_used_trees
    result "install: a link to a checkout in Mesa's source" leave_checkout
    result "install: a mirror with an escape in its name" take_any_mirror
}
