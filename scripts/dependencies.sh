# SPDX-License-Identifier: Apache-2.0
# Sourced by app/run.sh and tests/run.sh: installs what the build needs and the machine lacks.
# Does nothing, quickly, when everything is there.
source "$(dirname "${BASH_SOURCE[0]}")/progress.sh"

# A|B: A, or B where the distribution has no A.
build_packages=(g++ cmake ninja-build ccache pkg-config llvm-19-dev nlohmann-json3-dev libcli11-dev
    libfmt-dev libmuparser-dev zlib1g-dev libzstd-dev libsqlite3-dev libxxhash-dev libminizip-dev libstb-dev qt6-base-dev libqt6opengl6-dev "qt6-svg-dev|libqt6svg6-dev"
    libqscintilla2-qt6-dev libqcustomplot-dev qt6-l10n-tools qt6-translations-l10n)
# Later releases have the plugins that draw icons apart from the library.
case $(. /etc/os-release 2>/dev/null && printf '%s' "${ID:-}${VERSION_ID:-}") in
debian12 | ubuntu24.04) ;;
*) build_packages+=(qt6-svg-plugins) ;;
esac
# python3-debugpy is a client of debug adapters, for tests/debug; python3-numba runs exported programs, for tests/export.
# python3-h5py brings libhdf5 along, which the programs open for HDF5 files; tests/formats holds them against each other.
# openssh-server and faketime are the other machine of tests/remote. slurm-wlm and munge are the cluster of tests/cluster,
# slurmdbd and a database are its accounting.
test_packages=(openssh-server faketime slurm-wlm munge slurmdbd mariadb-server-core python3 python3-jsonschema python3-debugpy python3-numba python3-h5py libsndfile1 zsh lld-19)
style_packages=(git qt6-l10n-tools clang-format-19 desktop-file-utils appstream python3 python3-jsonschema)
# libclang-19-dev is for scripts/tidy_scope.cpp.
tidy_packages=(git clang-19 clang-tidy-19 libclang-19-dev python3)
sanitizer_packages=(clang-19 libclang-rt-19-dev lld-19)
# librsvg2-bin draws the icons where Qt Svg is missing, and with python3-pil those of the programs' files. openssh-server
# is the other machine of tests/remote here, too.
windows_packages=(g++-mingw-w64-x86-64-posix lld-19 qt6-base-dev-tools qt6-l10n-tools qt6-translations-l10n librsvg2-bin python3-pil nsis wine64 xvfb xauth
    openssh-server procps fonts-liberation fonts-dejavu-core python3 node-spdx-license-ids node-spdx-exceptions)
# For scripts/windows-dependencies.sh.
windows_prefix_packages=(libz-mingw-w64-dev cmake ninja-build perl dpkg-dev patch xz-utils zstd file qt6-base-dev llvm-19
    nlohmann-json3-dev libcli11-dev libfmt-dev libmuparser-dev libsqlite3-dev libxxhash-dev libminizip-dev libstb-dev python3-pip tcl)
# node-spdx-… have the list of licences for scripts/check-sbom.py.
package_packages=(dpkg-dev file debootstrap python3 patchelf rpm xvfb node-spdx-license-ids node-spdx-exceptions)

missing_packages() {
    local names installed package name found missing=() provided
    mapfile -t names < <(printf '%s\n' "$@" | tr '|' '\n')
    # One query for all: a start with nothing to do must not be slow. It fails when one is unknown, which is no matter.
    installed=" $(dpkg-query -W -f '${db:Status-Abbrev}${Package} ' "${names[@]}" 2>/dev/null || true) "
    for package in "$@"; do
        found=
        for name in ${package//|/ }; do
            case $installed in *"ii $name "*) found=1 ;; esac
        done
        [ -n "$found" ] || missing+=("$package")
    done
    [ ${#missing[@]} != 0 ] || return 0
    # Later releases have some of them in another package, which says that it provides them.
    provided=" $(dpkg-query -W -f '${db:Status-Abbrev} ${Provides}\n' 2>/dev/null | sed -n 's/^ii //p' | tr ',\n' '  ') "
    for package in "${missing[@]}"; do
        found=
        for name in ${package//|/ }; do
            case $provided in *" $name "*) found=1 ;; esac
        done
        [ -n "$found" ] || printf '%s\n' "$package"
    done
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        say "this needs root: $*"
        say "run it as root (or install sudo), then start again."
        return 1
    fi
}

# What apt says goes to a file, which is shown when it fails; here a line now and then tells how far it is.
run_apt() {
    local log line shown=$SECONDS status
    log=$(mktemp)
    as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 apt-get \
        -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@" 2>&1 </dev/null | while IFS= read -r line; do
        printf '%s\n' "$line" >>"$log"
        if [ $((SECONDS - shown)) -ge 15 ]; then
            case $line in
            Get:* | Unpacking* | "Setting up"*)
                shown=$SECONDS
                printf '   %s\n' "${line:0:100}" >&2
                ;;
            esac
        fi
    done
    status=${PIPESTATUS[0]}
    [ "$status" = 0 ] || tail -n 30 "$log" >&2
    rm -f "$log"
    return "$status"
}

apt_updated=
packages_changed= # then the build has to be configured again
apt_install() {
    local names=() package name
    command -v apt-get >/dev/null || {
        say "this script installs with apt, which this system lacks. Please install the equivalents of: $*"
        return 1
    }
    if [ -z "$apt_updated" ]; then
        say "reading the lists of packages"
        run_apt update || return
        apt_updated=1
    fi
    for package in "$@"; do
        for name in ${package//|/ }; do
            apt-cache show "$name" >/dev/null 2>&1 && break
        done
        names+=("$name")
    done
    say "installing ${names[*]}"
    # apt's own figures: "Need to get 20.7 MB of archives", "109 MB of additional disk space will be used".
    { as_root env LC_ALL=C apt-get install --no-install-recommends --assume-no "${names[@]}" 2>/dev/null || true; } |
        sed -n 's/^Need to get \(.*\) of archives.*/   to download: \1/p; s/^After this operation, \(.*\) of additional.*/   disk space: \1/p' >&2
    run_apt install -y --no-install-recommends "${names[@]}" || return
    packages_changed=1
}

# The folder with the driver's header: CUDA_PATH, CUDA_HOME, the usual install folders, the system's own.
cuda_headers() {
    local folder
    for folder in "${CUDA_PATH:-}/include" "${CUDA_HOME:-}/include" /usr/local/cuda/include \
        /usr/local/cuda-*/include /opt/cuda/include /usr/include; do
        if [ -f "$folder/cudaTypedefs.h" ]; then
            printf '%s\n' "$folder"
            return
        fi
    done
    return 1
}

nvrtc_library() {
    local found
    for found in "${CUDA_PATH:-/nonexistent}"/lib{64,}/libnvrtc.so* /usr/local/cuda/lib64/libnvrtc.so* \
        /usr/local/cuda-*/lib64/libnvrtc.so* /opt/cuda/lib64/libnvrtc.so* /usr/lib/x86_64-linux-gnu/libnvrtc.so*; do
        [ -e "$found" ] && { printf '%s\n' "$found"; return; }
    done
    found=$(/sbin/ldconfig -p 2>/dev/null | grep -om1 '/[^ ]*libnvrtc\.so[^ ]*')
    [ -n "$found" ] && printf '%s\n' "$found"
}

# Where the machine has no toolkit: NVIDIA's headers and NVRTC in a folder of this project's cache. No root, no driver.
install_cuda() {
    local installer=core/compiler/install_toolkit.py folder
    cuda_headers >/dev/null && nvrtc_library >/dev/null && return
    if ! folder=$(python3 "$installer" --print 2>/dev/null); then
        say "no CUDA toolkit found (looked at CUDA_PATH, /usr/local/cuda*, /opt/cuda and the loader)."
        if ! python3 -m pip --version >/dev/null 2>&1; then
            apt_install python3-pip || return
        fi
        # It says what it downloads, how much, and under which licence.
        python3 "$installer" --yes >&2 || return
        folder=$(python3 "$installer" --print) || return
    fi
    export CUDA_PATH=$folder
}

install_packages() {
    local missing
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} = 0 ] || apt_install "${missing[@]}"
}
