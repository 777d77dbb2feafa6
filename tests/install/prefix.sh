# shellcheck shell=bash
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT
#
# Tests of src/mesa/run --install and the installed pitot. Sourced by cases,
# after result().

# expect STATUS TEXT COMMAND...: it ends with this status, and prints this.
expect()
{
    local status=0 output
    output=$("${@:3}" 2>&1 </dev/null) || status=$?
    printf '%s\n' "$output"
    if [[ $status != "$1" || $output != *"$2"* ]]; then
        echo "status $status rather than $1, or the output lacks: $2"
        return 1
    fi
}

# alone COMMAND...: runs it where neither checkout nor cache exist.
alone()
{
    # shellcheck disable=SC2016 # for the inner shell
    unshare --user --map-root-user --mount sh -c '
        mount -t tmpfs none "$1" && mount -t tmpfs none "$2" && cd / &&
            shift 2 && exec "$@"' sh "$checkout" "$cache_dir" "$@"
}

install_into()
{
    "$checkout/src/mesa/run" --install "$1"
}

# --status names the installed library, and Pitot's counters in all APIs.
status_is_ours()
{
    local yes='yes     yes     yes'
    expect 0 "library   $home/lib/libgallium-" "$@" --status &&
        expect 0 "GL_INTEL_performance_query                     $yes" \
            "$@" --status
}

# window_is_drawn DRIVER PROGRAM: when a program (of low priority) reports its
# frames, Xvfb's screen must not be black.
window_is_drawn()
{
    local -i screen_B=640*480*4
    local screen
    screen=$(mktemp -d "$scratch/screen.XXXXXX")
    # shellcheck disable=SC2016 # for the inner shell
    xvfb-run -a -s "-screen 0 640x480x24 -fbdir $screen" sh -c '
        nice -n 19 "$1" --driver "$2" stdbuf -oL "$3" | {
            grep -m 1 "frames in"
            [ -n "$(tail -c "$5" "$4/Xvfb_screen0" | tr -d "\0" | head -c 1 |
                od -An -tx1)" ]
        }' sh "$pitot" "$1" "$2" "$screen" "$screen_B"
}

# Mesa reads the front buffer of a window that is not on the screen.
hidden_window_is_read()
{
    "${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -rdynamic \
        -o "$scratch/hidden" "$here/hidden.c" -lepoxy -lX11 &&
        MALLOC_PERTURB_=85 xvfb-run -a "$pitot" --driver softpipe \
            "$scratch/hidden"
}

# Only files that the first one wrote and the second does not are removed: none
# of the user, none behind a link. A directory may be gone.
install_again()
{
    mkdir "$home/lib/old" "$scratch/elsewhere"
    ln -s "$scratch/elsewhere" "$home/lib/link"
    touch "$home"/lib/{mine,old/lib,link/lib}
    printf '%s\n' lib/old/lib lib/gone/lib lib/link/lib ../file \
        >>"$home/share/pitot/installed.txt"
    touch "$home/../file"
    install_into "$home" && [[ -x $home/bin/pitot && ! -e $home/lib/old &&
        -e $home/lib/mine && -e $scratch/elsewhere/lib && -e $home/../file ]]
}

# fill PREFIX FILE...: installs these empty files instead of Mesa; no file may
# be larger than $limit KiB.
fill()
{
    local stage=$scratch/stage file
    rm -rf "$stage"
    for file in "${@:2}"; do
        install -D /dev/null "$stage/$file"
    done
    printf '%s\n' "${@:2}" | LC_ALL=C sort >"$stage.list"
    # shellcheck disable=SC2016 # for the inner shell
    PITOT_CACHE=$scratch/cache stage=$stage bash -euo pipefail -c '
        . "$1/build.sh"; . "$1/install.sh"
        ulimit -f "$3"; fill_prefix "$2"' bash \
        "$checkout/src/mesa/build" "$1" "${limit:-unlimited}"
}

# A file in no list, or a link in place of a directory: installs nothing.
refuse_unlisted()
{
    local prefix=$scratch/unlisted
    mkdir "$prefix" "$scratch/target"
    fill "$prefix" lib/ours && echo mine >"$prefix/lib/mine" &&
        expect 1 "$prefix/lib/mine is not of an installation" \
            fill "$prefix" lib/new lib/mine &&
        ln -s "$scratch/target" "$prefix/bin" &&
        expect 1 "$prefix/bin is not of an installation" \
            fill "$prefix" bin/new lib/new &&
        [[ $(cat "$prefix/lib/mine") == mine && -L $prefix/bin &&
            ! -e $prefix/lib/new && $(cat "$prefix/share/pitot/installed.txt") == lib/ours ]]
}

# The directory's mode stays: the directory is the user's.
keep_mode()
{
    local prefix=$scratch/private
    mkdir -m 700 "$prefix"
    fill "$prefix" lib/ours && [[ $(stat -c %a "$prefix") == 700 ]]
}

# After an interruption it can be repeated: the list is written atomically.
keep_list()
{
    local prefix=$scratch/listed limit=0
    mkdir "$prefix"
    limit='' fill "$prefix" lib/old && [[ -e $prefix/lib/old ]] &&
        ! fill "$prefix" lib/new && limit='' fill "$prefix" lib/new &&
        [[ ! -e $prefix/lib/old ]]
}

# Files of root's installation belong to root, whoever owns the cache.
install_as_root()
{
    local file
    # shellcheck disable=SC2154 # build.sh's
    file=$(ls "$cache_dir"/mesa-"$mesa_version"-pitot-*/install/share/drirc.d/*.conf |
        head -n 1)
    chown nobody "$file"
    install_into "$home" || true
    chown root "$file"
    [[ -z $(find "$home" ! -user root) ]]
}

# A directory with other contents stays unchanged.
refuse_foreign()
{
    mkdir "$scratch/foreign"
    touch "$scratch/foreign/file"
    expect 1 "$scratch/foreign is not empty" install_into "$scratch/foreign" &&
        [[ $(ls "$scratch/foreign") == file ]]
}

# A link to an installation elsewhere stays unchanged: ~/.local may be one.
refuse_links()
{
    local links=$scratch/links
    mkdir -p "$links"/{bin,share,lib}
    touch "$links/lib/file"
    ln -s "$home/bin/pitot" "$links/bin"
    ln -s "$home/share/pitot" "$links/share"
    expect 1 "$links is not empty" install_into "$links" &&
        [[ $(ls "$links/lib") == file ]]
}

# An installation consists of its directory: removing that is enough.
leave_nothing()
{
    mkdir "$scratch/person"
    PITOT_CACHE=$cache_dir HOME=$scratch/person XDG_CONFIG_HOME='' \
        XDG_DATA_HOME='' install_into "$scratch/person/pitot"
    rm -r "$scratch/person/pitot"
    [[ -z $(find "$scratch/person" -mindepth 1) ]]
}

# A path with "=" is not a variable.
profile_program()
{
    mkdir "$scratch/a=b"
    ln -s "$(type -P sh)" "$scratch/a=b/sh"
    (cd "$scratch" && expect 5 './a=b/sh: recorded nothing' \
        "$pitot" --profile a.svg ./a=b/sh -c 'exit 5')
}

refuse_32_bits()
{
    printf '\177ELF\001' >"$scratch/old-game"
    chmod +x "$scratch/old-game"
    expect 1 'is a 32-bit program' "$pitot" "$scratch/old-game"
}

refuse_moved()
{
    mv "$home" "$scratch/moved"
    expect 1 "was installed as $home" "$scratch/moved/bin/pitot" --status
    mv "$scratch/moved" "$home"
}

test_prefix()
{
    local driver
    local home="$scratch/home/a&b|pitot"
    local pitot=$home/bin/pitot

    mkdir "$scratch/cache"
    result "install: Mesa" install_into "$home"
    for driver in llvmpipe softpipe zink; do
        result "install: pitot on $driver, alone" \
            status_is_ours alone "$pitot" --driver "$driver"
    done
    for driver in llvmpipe zink; do
        result "install: windows of GLX on $driver" \
            window_is_drawn "$driver" glxgears
        result "install: windows of EGL on $driver" \
            window_is_drawn "$driver" es2gears_x11
    done
    result "install: hidden windows of GLX" hidden_window_is_read
    result "install: pitot on X11" expect 0 'GLX       X11, llvmpipe' \
        xvfb-run -a "$pitot" --driver llvmpipe --status
    result "install: pitot on the machine's GPU" \
        expect 0 'this GPU is simulated' env PITOT_SIM=skl \
        LD_PRELOAD="$home/lib/pitot/libpitot-sim.so" "$pitot" --status
    result "install: pitot on a simulated GPU" expect 0 'renderer  AMD' \
        "$pitot" --gpu navi21 --status
    result "install: pitot checks queries, alone" \
        expect 0 'All agree.' alone "$pitot" --gpu navi21 --check
    result "install: pitot on a simulated GPU, on X11" \
        expect 0 'GLX       X11, no context' \
        xvfb-run -a "$pitot" --gpu navi21 --status
    cp "$checkout/tests/profile/traces/draws.json" "$scratch"
    result "install: pitot-profile, alone" expect 0 '3 frames in 2.70 ms' \
        alone "$home/bin/pitot-profile" "$scratch/draws.json"
    result "install: pitot profiles a program" profile_program
    ln -s "$pitot" "$scratch/pitot"
    result "install: pitot by a link" status_is_ours "$scratch/pitot"
    # shellcheck disable=SC2016 # for the inner shell
    result "install: pitot passes arguments and statuses on" \
        expect 7 'a  b' "$pitot" sh -c 'echo "$1"; exit 7' sh 'a  b'
    result "install: pitot keeps the path of libraries" \
        expect 0 "$home/lib:/nowhere" env LD_LIBRARY_PATH=/nowhere \
        "$pitot" printenv LD_LIBRARY_PATH
    result "install: pitot without a program" expect 2 'name a program' "$pitot"
    result "install: pitot and no such program" expect 127 'no program nothing' \
        "$pitot" nothing
    result "install: pitot and no such driver" expect 2 "unknown driver 'i'" \
        "$pitot" --driver i true
    result "install: pitot and 32 bits" refuse_32_bits
    result "install: pitot after it was moved" refuse_moved
    result "install: Mesa again" install_again
    if [[ $(id -u) == 0 ]]; then
        result "install: Mesa by root" install_as_root
    fi
    result "install: nothing over other files" refuse_unlisted
    result "install: a private directory" keep_mode
    result "install: a list, without room" keep_list
    result "install: Mesa beside other files" refuse_foreign
    result "install: Mesa beside links to another one" refuse_links
    result "install: Mesa in no list" \
        expect 2 'may have a space' install_into "$scratch/a:b"
    result "install: Mesa in no two words" \
        expect 2 'may have a space' install_into "$scratch/a b"
    result "install: no Mesa without permission" \
        expect 1 'you may not write to /proc/pitot' install_into /proc/pitot
    result "install: Mesa, removed" leave_nothing
}
