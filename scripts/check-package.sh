#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the packages and tries each in a bare root of its own: installs it, starts the programs, runs an example.
#   check-package.sh BUILD_FOLDER          all packages, in roots of this Debian release (Debian 12 on other systems)
#   check-package.sh BUILD_FOLDER SUITE…   the packages that carry their libraries, in roots of other systems:
#                                          trixie (Debian 13), noble (Ubuntu 24.04)
#   check-package.sh --deb FILE SUITE      a .deb that scripts/package-in-root.sh made for that release
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/dependencies.sh
source scripts/bare-root.sh
deb=''
if [ "$1" = --deb ]; then
    deb=$(realpath "$2")
    build=$(dirname "$deb")
    arguments=("$@")
    WARPLIGHT_PACKAGES_MADE=1
    shift 2
else
    build=$(realpath "$1")
    shift
    arguments=("$build" "$@")
fi
host=$(host_suite)
# The archive is for systems with this glibc or a later one. Released ones are made on Debian 12.
glibc=$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)
[ "$host" != bookworm ] || glibc=2.36

size() { printf '%s: %s bytes\n' "$(basename "$1")" "$(stat -c %s "$1")"; }
newest() { ls -t "$build"/$1 | head -n 1; }
require_files() { # WHAT CONTENTS PREFIX
    local file
    for file in bin/warplight bin/warplight-cli lib/warplight/libwarplight-cuda.so \
        lib/warplight/exec/libcuda.so.1 lib/warplight/exec/bin/nvcc lib/warplight/exec/libcudart.so.11.0 \
        lib/warplight/exec/libcudart.so.12 lib/warplight/exec/libcudart.so.13 lib/warplight/exec/libnvrtc.so.12 \
        lib/warplight/exec/libnvrtc.so.13 \
        share/applications/org.warplight.Warplight.desktop share/metainfo/org.warplight.Warplight.metainfo.xml \
        share/mime/packages/org.warplight.Warplight.mime.xml \
        share/icons/hicolor/scalable/apps/org.warplight.Warplight.svg share/man/man1/warplight-cli.1 \
        share/bash-completion/completions/warplight-cli share/zsh/site-functions/_warplight-cli share/man/man1/warplight.1 \
        share/doc/warplight/LICENSE share/doc/warplight/licenses/nlohmann-json3.txt \
        share/warplight/examples/saxpy/saxpy.warplight share/warplight/install_toolkit.py; do
        grep -q "$3/$file" <<<"$2" || { echo "$1 lacks $3/$file" >&2; exit 1; }
    done
}

if [ -z "${WARPLIGHT_PACKAGES_MADE:-}" ]; then
    (cd "$build" && cpack -G "DEB;TGZ;RPM" >cpack.log 2>&1) || { cat "$build/cpack.log"; exit 1; }
    dpkg-deb --info "$(newest 'warplight_*.deb')" | sed -n 's/^ \(Package\|Version\|Depends\|Installed-Size\)/\1/p'
    require_files "the .deb" "$(dpkg-deb --contents "$(newest 'warplight_*.deb')")" ./usr
    require_files "the archive" "$(tar -tf "$(newest 'warplight-*.tar.gz')")" ""
    require_files "the .rpm" "$(rpm -qlp "$(newest 'warplight-*.rpm')")" /opt/warplight
    for each in 'warplight_*.deb' 'warplight-*.tar.gz' 'warplight-*.rpm'; do
        size "$(newest "$each")"
    done
    unpacked=$(mktemp -d)
    trap 'rm -rf "$unpacked"' EXIT
    dpkg-deb -x "$(newest 'warplight_*.deb')" "$unpacked"
    scripts/check-sbom.py "$unpacked/usr"
    rm -rf "$unpacked"/*
    tar -C "$unpacked" -xzf "$(newest 'warplight-*.tar.gz')"
    scripts/check-sbom.py "$unpacked"/*
    rm -rf "$unpacked"
    # Making a root folder needs root; the packages do not.
    as_root env CUDA_PATH="${CUDA_PATH:-}" CUDA_HOME="${CUDA_HOME:-}" WARPLIGHT_PACKAGES_MADE=1 "$0" "${arguments[@]}"
    exit
fi

in_own_namespace "$0" "${arguments[@]}"
work=$(mktemp -d /var/tmp/warplight-roots.XXXXXX)
trap 'for each in "$work"/*/; do remove_root "${each%/}"; done; rm -rf "$work"' EXIT
here() { in_root "$root" "$@"; }
saxpy=share/warplight/examples/saxpy/saxpy.warplight

# make_root NAME: sets root. The second root of a suite is a copy of the first.
make_root() {
    root=$work/$1-$suite
    if [ ! -d "$work/$suite" ]; then
        make_bare_root "$suite" "$work/$suite" "$build/debootstrap.log"
        in_root "$work/$suite" apt-get update -qq
    fi
    cp -a "$work/$suite" "$root"
    mount_in_root "$root"
    mkdir -p "$root/opt/packages"
    install -d -m 700 "$root/run/user/0"
}

install_in_root() {
    here apt-get install -y -qq --no-install-recommends "$@" >"$build/install.log" 2>&1 ||
        { tail -n 20 "$build/install.log"; exit 1; }
}

# NVRTC, copied from this machine to where the loader of the root looks.
give_nvrtc() {
    local library folder
    library=$(nvrtc_library)
    folder=$(dirname "$(realpath "$library")")
    mkdir -p "$root/usr/local/cuda/lib64" "$root/usr/local/cuda/include"
    cp -L "$folder"/libnvrtc.so* "$folder"/libnvrtc-builtins.so* "$root/usr/local/cuda/lib64/"
    cp -rL "$(cuda_headers)/." "$root/usr/local/cuda/include/"
}

# try_commands PREFIX: as installed there, with NVRTC. The example compares its results with expected ones.
try_commands() {
    here "$1/bin/warplight-cli" --version
    here "$1/bin/warplight-cli" devices
    here "$1/bin/warplight-cli" run "$1/$saxpy"
    here "$1/bin/warplight-cli" exec -- sh -c 'test -e "${LD_LIBRARY_PATH%%:*}/libcuda.so.1" && test -x "${PATH%%:*}/nvcc"'
}

# try_window PREFIX VARIABLE=VALUE…
try_window() {
    local prefix=$1
    shift
    rm -f "$root/tmp/window.png"
    # Without it the window opens, but has no arrows and check marks.
    [ -n "$(find "$root/usr/lib" "$root/opt" -path '*/plugins/imageformats/libqsvg.so' -print -quit)" ] ||
        { echo "Qt's plugin for SVG is missing" >&2; exit 1; }
    here env XDG_RUNTIME_DIR=/run/user/0 "$@" "$prefix/bin/warplight" --screenshot /tmp/window.png --run "$prefix/$saxpy"
    here test -s /tmp/window.png
}

try_deb() {
    local code without offer
    printf '\n-- the .deb in a bare root of %s\n' "$suite"
    make_root deb
    cp "$deb" "$root/opt/packages/"
    install_in_root "/opt/packages/$(basename "$deb")"
    here warplight-cli --version
    here warplight --version
    # Without NVRTC: a clear word, no crash, and what was compiled elsewhere runs.
    set +e
    without=$(here warplight-cli run /usr/$saxpy 2>&1)
    code=$?
    set -e
    if [ $code = 0 ] || ! grep -qi nvrtc <<<"$without"; then
        echo "without NVRTC, the error ($code) does not say so: $without" >&2
        exit 1
    fi
    # The way to get it works as installed: it tells the sizes, or that the root lacks Python.
    offer=$(here warplight-cli toolkit install --dry-run 2>&1) || true
    grep -qE "^Download: about [0-9]+ MB|^error: Python 3 is missing" <<<"$offer" ||
        { echo "toolkit install --dry-run says: $offer" >&2; exit 1; }
    give_nvrtc
    try_commands /usr
    try_window /usr QT_QPA_PLATFORM=offscreen
}

# What the window of a package with its own libraries takes from the system (packaging/linux/system-libraries.tsv), by
# the names of Debian 12. Later releases provide them by other packages.
window_packages=(libegl1 libopengl0 libglx0 libx11-xcb1 libfontconfig1 libharfbuzz0b libglib2.0-0 libdbus-1-3)

start_x_server() {
    [ -z "${display:-}" ] || return 0
    local number=$work/display
    mkfifo "$number"
    Xvfb -displayfd 3 -ac -nolisten tcp -screen 0 1400x1000x24 3<>"$number" >"$build/xvfb.log" 2>&1 &
    read -r -t 30 display <"$number" || { cat "$build/xvfb.log"; exit 1; }
    rm "$number"
}

# try_carried PREFIX: a package with its own libraries, unpacked there.
try_carried() {
    local prefix=$1 name
    give_nvrtc
    for name in 'libQt*' 'libLLVM*' 'libfmt*'; do
        [ -z "$(find "$root/usr/lib" "$root/lib" -name "$name" -print -quit)" ] || { echo "the root has $name" >&2; exit 1; }
    done
    try_commands "$prefix"
    install_in_root "${window_packages[@]}"
    try_window "$prefix" QT_QPA_PLATFORM=offscreen
    start_x_server
    mkdir -p "$root/tmp/.X11-unix"
    mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"
    try_window "$prefix" "DISPLAY=:$display"
    # All functions that any library refers to are there, and libraries of the system keep to those of the system.
    local loader=(LD_BIND_NOW=1 LD_DEBUG=files)
    here env XDG_RUNTIME_DIR=/run/user/0 "DISPLAY=:$display" "${loader[@]}" LD_DEBUG_OUTPUT=/tmp/loaded.window \
        "$prefix/bin/warplight" --screenshot /tmp/window.png
    here env "${loader[@]}" LD_DEBUG_OUTPUT=/tmp/loaded.cli \
        "$prefix/bin/warplight-cli" run --in-process "$prefix/$saxpy" >/dev/null
    grep -q 'calling init: .*libqxcb' "$root"/tmp/loaded.window.*
    grep -q 'calling init: .*libLLVM' "$root"/tmp/loaded.cli.*
    scripts/check-carried.py "$root$prefix" "$glibc" "$root" "$root"/tmp/loaded.*
}

try_archive() {
    local archive
    archive=$(newest 'warplight-*.tar.gz')
    printf '\n-- the archive in a bare root of %s without Qt and LLVM, unpacked where it likes\n' "$suite"
    make_root archive
    tar -C "$root/opt" --no-same-owner -xzf "$archive"
    mv "$root/opt/$(basename "$archive" .tar.gz)" "$root/opt/warp light"
    try_carried "/opt/warp light"
}

# On Debian it warns that other ways to install are meant for it.
rpm_in_root() { rpm --root "$root" --dbpath /var/lib/rpm "$@" 2>"$build/rpm.log" || { cat "$build/rpm.log" >&2; exit 1; }; }

# Debian has rpm, but no packages that it could ask for: the names of what the .rpm needs are checked here.
try_rpm() {
    local package name
    package=$(newest 'warplight-*.rpm')
    printf '\n-- the .rpm in a bare root of %s without Qt and LLVM (not tried on Fedora)\n' "$suite"
    local allowed
    allowed=$(grep -v '^#' packaging/linux/system-libraries.tsv | cut -f 1 | tr ' ' '\n')
    while read -r name; do
        grep -qxF "$name" <<<"$allowed" ||
            { echo "the .rpm needs $name, which is not in packaging/linux/system-libraries.tsv" >&2; exit 1; }
    done < <(rpm -qp --requires "$package" | sed -n 's/^\([^ (]*[.]so[^ (]*\)(.*/\1/p' | sort -u)
    [ "$(rpm -qp --provides "$package" | grep -c '[.]so')" = 0 ] || { echo "the .rpm offers its libraries to others" >&2; exit 1; }
    make_root rpm
    rpm_in_root --nodeps --install "$package"
    scripts/check-sbom.py "$root/opt/warplight"
    try_carried /opt/warplight
    here warplight --version
    here warplight-cli run /opt/warplight/$saxpy >/dev/null
    rpm_in_root --erase warplight
    [ ! -e "$root/opt/warplight" ] && [ ! -L "$root/usr/bin/warplight" ] || { echo "the .rpm leaves files" >&2; exit 1; }
}

if [ -n "$deb" ]; then
    suite=$1
    try_deb
elif [ $# = 0 ]; then
    suite=$host
    deb=$(newest 'warplight_*.deb')
    try_deb
    try_archive
    try_rpm
else
    for suite in "$@"; do
        try_archive
    done
fi
