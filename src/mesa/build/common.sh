# shellcheck shell=bash
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT
#
# The part that the scripts share which build and test Pitot: messages, Debian packages,
# the cache directory, and steps whose output goes to a log.  To be sourced.

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
cache_dir=${PITOT_CACHE:-${XDG_CACHE_HOME:-${HOME:?set HOME or PITOT_CACHE}/.cache}/pitot}
cache_dir=$(realpath -m "$cache_dir")
readonly checkout cache_dir

# gpus_of REGEX [MARK]: the GPUs that are simulated for these drivers, in one
# line; with a MARK, those that have it.
gpus_of()
{
    awk -v driver="^$1\$" -v mark="${2:-}" \
        '!/^#/ && $1 ~ driver && (mark == "" || $3 == mark) { print $2 }' \
        "$checkout/src/mesa/gpus.txt" | paste -sd ' '
}

# driver_of GPU
driver_of()
{
    awk -v gpu="$1" '$2 == gpu { print $1 }' "$checkout/src/mesa/gpus.txt"
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

# step NUMBER TEXT...: announces one of the five phases of a build.
step()
{
    say "[$1/5] ${*:2} ..."
}

# The packages of the given lists which are not installed, one a line.
missing_packages()
{
    local -a wanted
    mapfile -t wanted < <(sed 's/#.*//' "$@" | tr -s '[:space:]' '\n' |
        sed '/^$/d' | sort -u)
    # dpkg-query also fails, harmlessly, when it does not know a package.
    { dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" \
        2>/dev/null || true; } |
        sed -n 's/^installed //p' | sort -u |
        comm -13 - <(printf '%s\n' "${wanted[@]}")
}

# require_packages LIST...: installs what is missing of these lists of Debian
# packages; whoever may not do that is told the line to run.
require_packages()
{
    local -a missing command
    { type -P dpkg-query apt-get && ls -- "$@"; } >/dev/null 2>&1 ||
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

log_file()
{
    mkdir -p "$cache_dir/log"
    printf '%s/log/%s.log\n' "$cache_dir" "$1"
}

fail_with_log()
{
    say "the end of the log:"
    tail -n 20 "$1" >&2
    die "$2 failed; its whole log is in $1"
}

# run_logged NAME COMMAND...: what the command prints is shown only when it
# fails.
run_logged()
{
    local name=$1 log
    shift
    log=$(log_file "$name")
    "$@" >"$log" 2>&1 </dev/null || fail_with_log "$log" "$name"
}

# run_ninja NAME ARGUMENTS...: the same for ninja, with its progress shown.
run_ninja()
{
    local name=$1 log
    shift
    log=$(log_file "$name")
    build_env NINJA_STATUS='[%f/%t] ' ninja "$@" 2>&1 </dev/null |
        tee "$log" | show_progress || fail_with_log "$log" "$name"
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
# because Mesa's generators need its modules; a tree's compilations are found
# in the cache by a tree elsewhere.
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

# sources_checksum [FILE]...: of these sources as well, so that any checkout's
# change is noticed.
sources_checksum()
{
    (cd "$checkout" && find "${source_files[@]}" "$@" -type f -print0 |
        sort -zu | xargs -0 sha256sum | checksum)
}
