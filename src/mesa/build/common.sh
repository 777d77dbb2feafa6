# shellcheck shell=bash
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT
#
# Shared by the scripts that build and test Pitot: messages, Debian packages,
# the cache directory, and steps whose output goes to a log.  To be sourced.

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
cache_dir=${PITOT_CACHE:-${XDG_CACHE_HOME:-${HOME:?set HOME or PITOT_CACHE}/.cache}/pitot}
cache_dir=$(realpath -m "$cache_dir")
readonly checkout cache_dir

# shellcheck source=src/mesa/build/base.sh
. "$checkout/src/mesa/build/base.sh"

# step NUMBER TEXT...: announces one of the five phases of a build.
step()
{
    say "[$1/5] ${*:2} ..."
}

# fail_with_log LOG: the step that wrote the log has failed.
fail_with_log()
{
    say "the end of the log:"
    tail -n 20 "$1" >&2
    die "$(basename "$1" .log) failed; its whole log is in $1"
}

# run_logged NAME COMMAND...: shows the command's output only if it fails.
run_logged()
{
    local log=$cache_dir/log/$1.log
    mkdir -p "$cache_dir/log"
    "${@:2}" >"$log" 2>&1 </dev/null || fail_with_log "$log"
}

# run_ninja NAME ARGUMENTS...: the same for ninja, with its progress shown.
run_ninja()
{
    local log=$cache_dir/log/$1.log
    mkdir -p "$cache_dir/log"
    build_env NINJA_STATUS='[%f/%t] ' ninja "${@:2}" 2>&1 </dev/null |
        tee "$log" | show_progress || fail_with_log "$log"
}

# Turns ninja's lines into one line that is updated on a terminal, and into a
# line every 30 s elsewhere.
show_progress()
{
    local line said_s=$SECONDS
    while IFS= read -r line; do
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
        if [[ -t 2 ]]; then
            printf '\rpitot:       %d of %d steps' "${BASH_REMATCH[@]:1}" >&2
        elif ((SECONDS - said_s >= 30)); then
            said_s=$SECONDS
            say "      ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} steps"
        fi
    done
    if [[ -t 2 ]]; then
        printf '\r\e[K' >&2
    fi
}

# build_env [NAME=VALUE]... COMMAND...: Debian's own Python comes first,
# because Mesa's generators need its modules; trees in different directories
# share the compiler cache.
build_env()
{
    env PATH="/usr/bin:$PATH" CCACHE_DIR="$cache_dir/ccache" \
        CCACHE_BASEDIR="$cache_dir" CCACHE_NOHASHDIR=1 "$@"
}

# Only one script at a time changes the cache.
lock_cache()
{
    mkdir -p "$cache_dir"
    exec {lock_fd}>"$cache_dir/lock"
    if ! flock --nonblock "$lock_fd"; then
        say "another build is using $cache_dir; waiting for it"
        flock "$lock_fd"
    fi
}

# The program that is run must not inherit the lock.
unlock_cache()
{
    exec {lock_fd}>&-
}

# checksum: of stdin, short enough for a directory's name.
checksum()
{
    sha256sum | cut -c 1-12
}

# The files of the checkout that Pitot's build reads.
readonly source_files=(meson.build meson.options src include LICENSE)

# sources_checksum [FILE]...: a checksum of Pitot's sources and these files.  It
# changes with any of them, in any checkout.
sources_checksum()
{
    (cd "$checkout" && find "${source_files[@]}" "$@" -type f -print0 |
        sort -zu | xargs -0 sha256sum | checksum)
}

#
# Debian
#

# The Debian packages to build the tools, and to build Mesa.
readonly tool_packages=("$checkout/src/mesa/build/tools.txt")
# shellcheck disable=SC2034 # for the scripts that source this file
readonly mesa_packages=("${tool_packages[@]}"
    "$checkout/src/mesa/build/packages.txt")

# The release that has Mesa's source, and a Meson that can build it.
# shellcheck disable=SC2034 # for the scripts that source this file
readonly mesa_release=trixie

codename()
{
    sed -n 's/^VERSION_CODENAME=//p' /etc/os-release
}

# The LLVM version of this release that has all that Mesa's drivers need.
llvm_version()
{
    case $(codename) in
    bookworm) echo 15 ;;
    trixie) echo 19 ;;
    esac
}

# The packages of the given lists which are not installed, one a line.
missing_packages()
{
    local -a wanted
    mapfile -t wanted < <(sed "s/#.*//; s/LLVM/$(llvm_version)/" "$@" |
        tr -s '[:space:]' '\n' | sed '/^$/d' | sort -u)
    # dpkg-query also fails, harmlessly, when it does not know a package.
    { dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" \
        2>/dev/null || true; } |
        sed -n 's/^installed //p' | sort -u |
        comm -13 - <(printf '%s\n' "${wanted[@]}")
}

# require_packages LIST...: installs the missing ones of these lists of Debian
# packages, or prints the line to run if the user is not root.
require_packages()
{
    local -a missing command
    { [[ -n $(llvm_version) ]] && type -P dpkg-query apt-get >/dev/null; } ||
        die "this needs Debian 12 or 13, with dpkg-query and apt-get"
    mapfile -t missing < <(missing_packages "$@")
    if ((${#missing[@]} == 0)); then
        return
    fi
    command=(apt-get install -y --no-install-recommends "${missing[@]}")
    if [[ $(id -u) != 0 ]]; then
        die "Debian packages are missing; run as root:" \
            "apt-get update && ${command[*]}"
    fi
    step 1 "installing Debian packages (${#missing[@]} are missing)"
    run_logged apt-update apt-get update
    run_logged apt-install env DEBIAN_FRONTEND=noninteractive \
        "${command[@]}" -o DPkg::Lock::Timeout=300
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
    printf "%s [signed-by=$keys] %s $1 main\n" deb "$mirror" deb-src "$mirror"
}

# fetch_from_debian RELEASE ARGUMENTS...: downloads by apt-get, with lists of
# its own: the system's configuration need not have that release, and is not
# changed.  An interrupted download leaves nothing in downloads/.
fetch_from_debian()
{
    local apt=$cache_dir/apt-$1 new=$cache_dir/downloads.new
    local -a apt_get=(
        apt-get -o Dir::Etc::sourcelist=/dev/null
        -o Dir::Etc::sourceparts="$apt/parts" -o Dir::State::lists="$apt/lists"
        -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
        -o APT::Sandbox::User=root
    )
    rm -rf "$new"
    mkdir -p "$apt/parts" "$apt/lists/partial" "$new" "$cache_dir/downloads"
    debian_sources "$1" >"$apt/parts/$1.list"
    run_logged "apt-lists" "${apt_get[@]}" update
    run_logged "apt-fetch" env --chdir="$new" "${apt_get[@]}" "${@:2}"
    mv "$new"/* "$cache_dir/downloads/"
    rmdir "$new"
}

# unpack_release RELEASE DIRECTORY PACKAGE...: unpacks these packages of a
# release into a directory.
unpack_release()
{
    local to=$2 package
    rm -rf "$to" "$to.new"
    for package in "${@:3}"; do
        rm -f "$cache_dir/downloads/${package}_"*.deb
    done
    fetch_from_debian "$1" download "${@:3}"
    for package in "${@:3}"; do
        dpkg -x "$cache_dir/downloads/${package}_"*.deb "$to.new"
    done
    mv "$to.new" "$to"
}

# unpack_packages DIRECTORY PACKAGE...: the same unless the directory exists,
# from the release for this system whose Mesa and libdrm are recent enough to
# drive GPUs as Mesa $mesa_version does.
unpack_packages()
{
    local release
    release=$(codename)
    if [[ -d $1 ]]; then
        return
    fi
    lock_cache
    if [[ ! -d $1 ]]; then
        unpack_release "${release/#bookworm/bookworm-backports}" "$@"
    fi
    unlock_cache
}
