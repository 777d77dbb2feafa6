# shellcheck shell=bash
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT
#
# Builds Mesa, with Pitot or without, in the cache directory, and this project
# itself in builds/ of the checkout.  To be sourced.
#
#   downloads/  files of Debian's mirror         meson/   a Meson, if need be
#   ccache/     the compiler cache               log/     of every step
#   libdrm/, wayland-protocols/   of a newer Debian, if need be
#   mesa-VERSION-VARIANT-KEY/
#      src/     Mesa's source, built in src/build
#      install/ the Mesa that programs run on
#      stamp    a checksum of the Pitot sources that are in install/

# shellcheck source=src/mesa/build/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Debian's Mesa, which is built unless PITOT_MESA_SRC names another.
mesa_version=25.0.7
# Pitot joins Mesa from the first of these on, and before the second.
readonly mesa_first=25.0 mesa_end=26.3
readonly mesa_join=("$checkout/src/mesa/join" "$checkout"/src/mesa/fixes/*.patch)
readonly meson_minimum=1.4

# The oldest libdrm that radeonsi accepts, and its packages.
readonly libdrm_minimum=2.4.121
readonly libdrm_packages=(libdrm-dev libdrm2 libdrm-amdgpu1 libdrm-radeon1)

# The oldest protocols of Wayland that Mesa accepts.
readonly wayland_protocols_minimum=1.41

# Three software drivers and three for GPUs, GLX, and EGL on X11 and Wayland.
# The rest of Mesa is disabled, to build it faster.
readonly mesa_options=(
    -Dbuildtype=release -Doptimization=2 -Dlibdir=lib
    '-Dplatforms=x11,wayland' -Dglx=dri -Dglvnd=enabled -Degl=enabled -Dgbm=disabled
    -Dopengl=true -Dgles1=enabled -Dgles2=enabled
    -Dllvm=enabled
    -Dvulkan-drivers= -Dvideo-codecs=
    -Dgallium-va=disabled
    -Dvalgrind=disabled -Dlibunwind=disabled -Dlmsensors=disabled
    -Dbuild-tests=false
)

# The program that calls the compilers.
compiler=ccache

# Mesa's build also runs compilers that generate code: they have to find the
# libdrm, too.
native_file()
{
    cat <<END
[binaries]
c = ['$compiler', 'cc']
cpp = ['$compiler', 'c++']
llvm-config = '/usr/lib/llvm-$(llvm_version)/bin/llvm-config'
END
    echo '[built-in options]'
    if ((${#pkgconfig[@]} > 0)); then
        printf 'pkg_config_path = [%s]\n' \
            "$(printf "'%s'," "${pkgconfig[@]}")"
    fi
    if [[ -n $libdrm ]]; then
        cat <<END
c_link_args = '-Wl,-rpath,$libdrm'
cpp_link_args = '-Wl,-rpath,$libdrm'
END
    fi
}

# is_installed PACKAGE MINIMUM: whether it is, in this version or a newer one.
is_installed()
{
    local version
    version=$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null) &&
        dpkg --compare-versions "$version" ge "$2"
}

# Sets $libdrm to the directory of a libdrm that is new enough, or to nothing if
# the system's is.
find_libdrm()
{
    local to=$cache_dir/libdrm
    local -a found
    libdrm=
    if is_installed libdrm-dev "$libdrm_minimum"; then
        return
    fi
    if [[ ! -d $to ]]; then
        step 2 "fetching libdrm $libdrm_minimum or newer"
        unpack_packages "$to" "${libdrm_packages[@]}"
    fi
    found=("$to"/usr/lib/*/pkgconfig)
    libdrm=${found[0]%/pkgconfig}
}

# Sets $protocols to the directory of Wayland's protocols if the system's are
# too old, or to nothing.  Only Mesa's build needs them.
find_wayland_protocols()
{
    protocols=
    if is_installed wayland-protocols "$wayland_protocols_minimum"; then
        return
    fi
    protocols=$cache_dir/wayland-protocols
    if [[ ! -d $protocols ]]; then
        step 2 "fetching Wayland's protocols $wayland_protocols_minimum or newer"
        lock_cache
        unpack_release "$mesa_release" "$protocols" wayland-protocols
        unlock_cache
    fi
}

# Sets $libdrm and $protocols if the system's are too old, and $pkgconfig to the
# directories where pkg-config finds them.
find_libraries()
{
    find_libdrm
    find_wayland_protocols
    pkgconfig=(${protocols:+"$protocols/usr/share/pkgconfig"}
        ${libdrm:+"$libdrm/pkgconfig"})
}

# use_prefix DIRECTORY FILE...: replaces /usr in pkg-config files by the
# directory where their package was unpacked.
use_prefix()
{
    sed -i "s|^prefix=/usr\$|prefix=$1/usr|" "${@:2}"
}

# build_mesa stock|pitot|thread: builds that Mesa unless it exists, and sets
# $tree to its directory.  "thread" is Mesa with Pitot for programs with
# ThreadSanitizer, by the $compiler of tests/thread.
build_mesa()
{
    local variant=$1 stamp=stock
    if [[ -n ${PITOT_MESA_SRC:-} ]]; then
        use_mesa "$PITOT_MESA_SRC"
    fi
    find_libraries
    tree=$cache_dir/mesa-$mesa_version-$variant-$(tree_key "$variant")
    if [[ $variant != stock ]]; then
        stamp=$(sources_checksum)
    fi
    use_tree
    if stamp_is "$tree" "$stamp"; then
        return
    fi
    lock_cache
    if ! stamp_is "$tree" "$stamp"; then
        use_tree # another process may have removed it
        rm -f "$tree/stamp"
        find_meson
        unpack_mesa "$variant"
        if [[ $variant != stock ]]; then
            copy_pitot
        fi
        configure_mesa "$variant"
        compile_mesa "$variant"
        printf '%s\n' "$stamp" >"$tree/stamp"
        remove_old_trees "$variant"
    fi
    unlock_cache
}

# options_of VARIANT: Meson's options, one a line.
options_of()
{
    printf '%s\n' "${mesa_options[@]}" "-Dgallium-drivers=$drivers"
    if [[ $1 != stock ]]; then
        printf '%s\n' -Dpitot-drivers=iris,radeonsi,freedreno
    fi
    if [[ $1 == thread ]]; then
        printf '%s\n' -Db_lundef=false
    fi
}

# tree_key VARIANT: a checksum of all that a source directory and its
# configuration depend on.
tree_key()
{
    {
        options_of "$1"
        describe_mesa_source
        native_file
        if [[ $1 != stock ]]; then
            cat "${mesa_join[@]}"
        fi
    } | checksum
}

stamp_is()
{
    [[ -f $1/stamp && $(<"$1/stamp") == "$2" ]]
}

# Sets $meson to the path of a Meson that is new enough.
find_meson()
{
    meson=/usr/bin/meson
    if [[ -x $meson ]] && dpkg --compare-versions \
        "$("$meson" --version)" ge "$meson_minimum"; then
        return
    fi
    # Meson searches for its modules next to its program.
    meson=$cache_dir/meson/usr/bin/meson
    if [[ ! -e ${meson}build ]]; then
        step 2 "fetching Meson $meson_minimum or newer"
        unpack_release "$mesa_release" "$cache_dir/meson" meson
        ln -s ../lib/python3/dist-packages/mesonbuild "${meson}build"
    fi
}

# What the source in PITOT_MESA_SRC is, with all edits.
describe_mesa_source()
{
    printf '%s\n' "${PITOT_MESA_SRC:-}"
    if [[ -n ${PITOT_MESA_SRC:-} ]]; then
        find "$PITOT_MESA_SRC" \( -path "$PITOT_MESA_SRC/.git" -o \
            -path "$PITOT_MESA_SRC/build" -o \
            -path "$PITOT_MESA_SRC/subprojects/pitot" \) -prune -o \
            -type f -printf '%p %s %T@\n' | sort
    fi
}

# use_mesa SOURCE: takes the Mesa whose source is in a directory or tarball.
use_mesa()
{
    local source
    source=$(realpath -e "$1" 2>/dev/null) || die "there is no Mesa in $1"
    export PITOT_MESA_SRC=$source
    if [[ -d $source ]]; then
        mesa_version=$(cat "$source/VERSION" 2>/dev/null)
    else
        mesa_version=$(tar -xOf "$source" --wildcards --occurrence=1 \
            --no-wildcards-match-slash '*/VERSION' 2>/dev/null)
    fi || die "$1 is not the source of a Mesa: it has no file VERSION"
    if [[ -z ${PITOT_ANY_MESA:-} ]] &&
        { dpkg --compare-versions "$mesa_version" lt "$mesa_first" ||
            dpkg --compare-versions "$mesa_version" ge "$mesa_end~"; }; then
        die "$1 is Mesa $mesa_version, and Pitot is known to join $mesa_first or" \
            "newer, and older than $mesa_end; PITOT_ANY_MESA=1 tries any other"
    fi
}

# Sets $mesa_source to Mesa's source as its developers released it, without
# Debian's patches, or to the caller's.
find_mesa_source()
{
    mesa_source=${PITOT_MESA_SRC:-$cache_dir/downloads/mesa_$mesa_version.orig.tar.xz}
    if [[ ! -e $mesa_source ]]; then
        step 2 "fetching the source of Mesa $mesa_version (about 47 MB)"
        fetch_from_debian "$mesa_release" source --download-only --tar-only \
            mesa
        [[ -f $mesa_source ]] || die "Debian $mesa_release has no Mesa" \
            "$mesa_version any more; name its source in PITOT_MESA_SRC"
    fi
}

# unpack_mesa VARIANT: leaves a complete $tree/src or none.
unpack_mesa()
{
    local new=$tree/src.new
    if [[ -d $tree/src ]]; then
        return
    fi
    find_mesa_source
    step 2 "unpacking Mesa $mesa_version"
    rm -rf "$new"
    mkdir -p "$new"
    if [[ -d $mesa_source ]]; then
        # The subproject may be a link, through which copy_pitot would write.
        run_logged unpack rsync -a --exclude=/.git --exclude=/build \
            --exclude=/subprojects/pitot "$mesa_source/" "$new"
    else
        run_logged unpack tar -xf "$mesa_source" -C "$new" --strip-components=1
    fi
    # The user's may be joined already, by another Pitot.
    if [[ -d $mesa_source ]] && grep -qs pitot-drivers "$new"/meson*options*; then
        run_logged join "${mesa_join[0]}" "$new" --remove
    fi
    if [[ $1 != stock ]]; then
        run_logged join "${mesa_join[0]}" "$new"
        cp "$cache_dir/log/join.log" "$new/fixes-left-out"
        if [[ -s $new/fixes-left-out ]]; then
            say "without these fixes, which do not fit Mesa $mesa_version:" \
                "$(paste -sd ' ' "$new/fixes-left-out")"
        fi
    fi
    mv "$new" "$tree/src"
}

# Pitot is a subproject of Mesa's build.  It is compared by content, so that
# only changed files get a new time and are compiled again.
copy_pitot()
{
    local to=$tree/src/subprojects/pitot
    mkdir -p "$to"
    (cd "$checkout" && run_logged copy rsync -rc --delete \
        --delete-excluded "${source_files[@]}" "$to/")
}

# --wrap-mode: an optional library that the machine lacks is not fetched.
configure_mesa()
{
    local -a options
    if [[ -f $tree/src/build/build.ninja ]]; then
        return
    fi
    step 3 "configuring Mesa $mesa_version"
    if [[ -n $libdrm ]]; then
        use_prefix "$cache_dir/libdrm" "$libdrm"/pkgconfig/*.pc
    fi
    if [[ -n $protocols ]]; then
        use_prefix "$protocols" "$protocols"/usr/share/pkgconfig/*.pc
    fi
    native_file >"$tree/native.ini"
    mapfile -t options < <(options_of "$1")
    # Pitot relies on fixes of these (src/pipe/info.c).
    if [[ $1 != stock ]] &&
        ! grep -qE '^(llvmpipe|zink|u_threaded_context)-' "$tree/src/fixes-left-out"; then
        options+=(-Dpitot:mesa-fixes=true)
    fi
    if grep -q gallium-vdpau "$tree"/src/meson*options*; then
        options+=(-Dgallium-vdpau=disabled)
    fi
    run_logged configure build_env "$meson" setup "$tree/src/build" \
        "$tree/src" --native-file "$tree/native.ini" \
        --prefix="$tree/install" --wrap-mode=nodownload "${options[@]}"
}

# For the estimate: a step takes half a second of one core, or less with the
# compiler cache.
compile_mesa()
{
    local build=$tree/src/build what="Mesa $mesa_version" steps minutes
    local -a own
    if [[ $1 != stock ]]; then
        what+=' with Pitot'
    fi
    steps=$(build_env ninja -C "$build" -n |
        sed -n 's|^\[[0-9]*/\([0-9]*\)\].*|\1|p' | tail -n 1)
    minutes=$((${steps:-0} / (2 * $(nproc) * 60) + 1))
    step 4 "building $what (steps: ${steps:-0}; time: about $minutes min on" \
        "$(nproc) idle cores)"
    # Pitot's own files first, all of them: what does not fit this Mesa is told
    # before the rest of it is built.
    mapfile -t own < <(build_env ninja -C "$build" -t targets all |
        sed -n 's|^\(.*pitot.*\.o\): .*|\1|p')
    if ((${#own[@]} > 0)); then
        run_ninja compile-pitot -C "$build" -k 0 "${own[@]}"
    fi
    run_ninja build -C "$build"
    step 5 "installing it into $tree/install"
    run_logged install build_env "$meson" install -C "$build" \
        --no-rebuild --quiet
}

# Locks the tree against remove_old_trees() until this process ends, or the
# program that it starts and that inherits the open file.
use_tree()
{
    local tree_fd
    mkdir -p "$tree"
    exec {tree_fd}<"$tree"
    flock --shared "$tree_fd"
}

# Removes trees with another key, which are out of date for this checkout and
# take about a gigabyte each.  A program of another checkout may run on one: it
# holds the lock.
remove_old_trees()
{
    local old
    for old in "$cache_dir"/mesa-*-"$1"-*; do
        if [[ $old != "$tree" ]]; then
            flock --nonblock "$old" rm -rf "$old" || true
        fi
    done
}

# project_directory NAME MESON-OPTION...: the directory of a build of this
# checkout with these options.  In the checkout: only there do compilers get the
# same paths for each checkout, so that these share the compiler cache.  In the
# cache if the checkout is not writable.
project_directory()
{
    local directory=$checkout/builds
    if [[ ! -w $checkout ]]; then
        directory=$cache_dir/build-$(checksum <<<"$checkout")
    fi
    printf '%s/%s-%s\n' "$directory" "$1" \
        "$(printf '%s\n' "$cache_dir" "${@:2}" | checksum)"
}

# build_project NAME TARGET MESON-OPTION...: builds a target of the project's
# own Meson build, and sets $project_build to that build's directory.
build_project()
{
    local name=$1 target=$2
    shift 2
    project_build=$(project_directory "$name" "$@")
    lock_cache
    find_meson
    if [[ ! -f $project_build/build.ninja ]]; then
        run_logged "$name" build_env "$meson" setup "$project_build" \
            "$checkout" "$@"
    fi
    run_ninja "$name" -C "$project_build" "$target"
    unlock_cache
}

# build_tool NAME TARGET SOURCES MESON-OPTION...: the same for a tool of the
# launcher, which also depends on SOURCES, unless it is up to date.
build_tool()
{
    local name=$1 target=$2 sources=$3 wanted stamp
    shift 3
    project_build=$(project_directory "$name" "$@")
    stamp=$project_build/stamp-$(basename "$target")
    wanted=$(sources_checksum "$sources")
    if [[ -f $stamp && $(<"$stamp") == "$wanted" ]]; then
        return
    fi
    say "building $target ..."
    build_project "$name" "$target" "$@"
    printf '%s\n' "$wanted" >"$stamp"
}

# Builds the demo, and sets $demo to its path.
build_demo()
{
    build_tool demo src/demo/pitot-demo src/demo \
        -Ddemo=enabled -Dtests=disabled
    # shellcheck disable=SC2034 # for the script that sources this file
    demo=$project_build/src/demo/pitot-demo
}

# The options of the tools that know GPUs.
readonly gpu_options=(-Ddrm=enabled -Ddemo=disabled -Dtests=disabled)

# Builds pitot-info, and sets $info to its path.
build_info()
{
    build_tool sim src/info/pitot-info src/info "${gpu_options[@]}"
    # shellcheck disable=SC2034 # for the script that sources this file
    info=$project_build/src/info/pitot-info
}

# Builds pitot-profile, and sets $profiler to its path.
build_profiler()
{
    build_tool sim src/profile/pitot-profile src/profile "${gpu_options[@]}"
    # shellcheck disable=SC2034 # for the script that sources this file
    profiler=$project_build/src/profile/pitot-profile
}

# Builds the simulator, with headers of the tree, and sets $simulator to its
# path.
build_simulator()
{
    build_tool simulator tests/sim/libpitot-sim.so tests/sim \
        "${gpu_options[@]}" -Dmesa-src="$tree/src"
    # shellcheck disable=SC2034 # for the script that sources this file
    simulator=$project_build/tests/sim/libpitot-sim.so
}
