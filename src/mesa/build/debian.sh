# shellcheck shell=bash
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT
#
# Fetches from Debian what the system itself has in another version, or not at
# all, without a change to the system.  To be sourced.

# shellcheck source=src/mesa/build/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# The release that has Mesa's source, and a Meson that can build it.
# shellcheck disable=SC2034 # for the script that sources this file
readonly mesa_release=trixie

# fetch_from_debian RELEASE ARGUMENTS...: an apt-get that downloads.  Its lists
# are its own: the system's configuration is neither asked for that release nor
# changed.  A download that was interrupted leaves nothing in downloads/.
fetch_from_debian()
{
    local release=$1
    local apt=$cache_dir/apt-$release new=$cache_dir/downloads.new
    shift
    local -a apt_get=(
        apt-get -o Dir::Etc::sourcelist=/dev/null
        -o Dir::Etc::sourceparts="$apt/parts" -o Dir::State::lists="$apt/lists"
        -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
        -o APT::Sandbox::User=root
    )
    rm -rf "$new"
    mkdir -p "$apt/parts" "$apt/lists/partial" "$new" "$cache_dir/downloads"
    debian_sources "$release" >"$apt/parts/$release.list"
    run_logged "apt-lists" "${apt_get[@]}" update
    run_logged "apt-fetch" env --chdir="$new" "${apt_get[@]}" "$@"
    mv "$new"/* "$cache_dir/downloads/"
    rmdir "$new"
}

codename()
{
    sed -n 's/^VERSION_CODENAME=//p' /etc/os-release
}

# The lists of the packages that Mesa is built with here.
mesa_packages=("$checkout"/src/mesa/build/packages{,-"$(codename)"}.txt)
readonly mesa_packages

# llvm_version: of the one LLVM here that has all that Mesa's drivers want.
llvm_version()
{
    sed -n 's/^llvm-\(.*\)-dev$/\1/p' "${mesa_packages[@]}"
}

# debian_sources RELEASE: the source list that names it on the system's own
# mirror.
debian_sources()
{
    local mirror
    local keys=/usr/share/keyrings/debian-archive-keyring.gpg
    # shellcheck disable=SC2016 # apt-get fills in $(REPO_URI)
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' \
        "Codename: $(codename)" | sort -u | sed -n 1p)
    [[ -n $mirror ]] ||
        die "apt knows no Debian mirror; run as root: apt-get update"
    printf "%s [signed-by=$keys] $mirror $1 main\n" deb deb-src
}

# The release, for this system, whose Mesa and libdrm are recent enough to
# drive GPUs as Mesa $mesa_version does.
recent_release()
{
    if [[ $(codename) == bookworm ]]; then
        echo bookworm-backports
    else
        codename
    fi
}

# unpack_packages DIRECTORY PACKAGE...: makes a directory with what is in these
# packages of $(recent_release), unless it is there.
unpack_packages()
{
    local to=$1 package
    shift
    if [[ -d $to ]]; then
        return
    fi
    lock_cache
    if [[ ! -d $to ]]; then
        rm -rf "$to.new"
        for package in "$@"; do
            rm -f "$cache_dir/downloads/${package}_"*.deb
        done
        fetch_from_debian "$(recent_release)" download "$@"
        for package in "$@"; do
            dpkg -x "$cache_dir/downloads/${package}_"*.deb "$to.new"
        done
        mv "$to.new" "$to"
    fi
    unlock_cache
}
