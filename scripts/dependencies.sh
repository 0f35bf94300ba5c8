# SPDX-License-Identifier: Apache-2.0
# Sourced by app/run.sh and tests/run.sh: installs what the build needs and the machine lacks.
# Does nothing, quickly, when everything is there.

build_packages=(g++ cmake ninja-build ccache pkg-config llvm-19-dev libtbb-dev nlohmann-json3-dev libcli11-dev
    libfmt-dev zlib1g-dev libstb-dev qt6-base-dev libqt6opengl6-dev qt6-svg-dev libqscintilla2-qt6-dev
    libqcustomplot-dev)
test_packages=(clang-19 libclang-rt-19-dev clang-format-19 clang-tidy-19 xvfb xauth
    desktop-file-utils appstream shared-mime-info python3 python3-jsonschema dpkg-dev file)
# For what keeps clang-tidy out of the system's headers; large, and of use to that step alone.
tidy_packages=(libclang-19-dev)

say() { printf '%s\n' "warplight: $*" >&2; }

missing_packages() {
    local wanted=("$@") package
    # One query for all: a start with nothing to do must not be slow.
    local installed
    # It fails when one of them is unknown, which is no reason to stop.
    installed=" $(dpkg-query -W -f '${db:Status-Abbrev}${Package} ' "${wanted[@]}" 2>/dev/null || true) "
    for package in "${wanted[@]}"; do
        case $installed in *" ii $package "* | *"ii $package "*) ;; *) printf '%s\n' "$package" ;; esac
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

apt_updated=
apt_install() {
    command -v apt-get >/dev/null || {
        say "this script installs with apt, which this system lacks. Please install the equivalents of: $*"
        return 1
    }
    say "installing: $*"
    if [ -z "$apt_updated" ]; then
        as_root apt-get update -qq || return 1
        apt_updated=1
    fi
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# The folder with cuda.h: CUDA_PATH, CUDA_HOME, the usual install folders, the system's own.
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
    for found in "${CUDA_PATH:-/nonexistent}"/lib64/libnvrtc.so* /usr/local/cuda/lib64/libnvrtc.so* \
        /usr/local/cuda-*/lib64/libnvrtc.so* /opt/cuda/lib64/libnvrtc.so* /usr/lib/x86_64-linux-gnu/libnvrtc.so*; do
        [ -e "$found" ] && { printf '%s\n' "$found"; return; }
    done
    found=$(/sbin/ldconfig -p 2>/dev/null | grep -om1 '/[^ ]*libnvrtc\.so[^ ]*')
    [ -n "$found" ] && printf '%s\n' "$found"
}

add_non_free() {
    local file
    if grep -rqsE '^(deb .*|Components:.*) non-free( |$)' /etc/apt/sources.list /etc/apt/sources.list.d; then
        return
    fi
    say "adding Debian's contrib and non-free components to this machine's apt sources"
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -f "$file" ] && as_root sed -i -E '/^deb /{/ non-free( |$)/! s/ main( |$)/ main contrib non-free\1/}' "$file"
    done
    for file in /etc/apt/sources.list.d/*.sources; do
        [ -f "$file" ] && as_root sed -i -E '/^Components:/{/ non-free( |$)/! s/ main( |$)/ main contrib non-free\1/}' "$file"
    done
    apt_updated=
}

install_cuda() {
    local wanted=()
    cuda_headers >/dev/null || wanted+=(nvidia-cuda-dev)
    nvrtc_library >/dev/null || wanted+=(libnvrtc11.2)
    [ ${#wanted[@]} = 0 ] && return
    say "no CUDA toolkit found (looked at CUDA_PATH, /usr/local/cuda*, /opt/cuda and the loader)."
    say "Debian's own packages of NVIDIA's toolkit 11.8 will be used; they are not free software (component non-free)."
    add_non_free
    apt_install "${wanted[@]}"
}

install_dependencies() {
    local missing
    mapfile -t missing < <(missing_packages "$@")
    if [ ${#missing[@]} != 0 ]; then
        apt_install "${missing[@]}" || return 1
    fi
    install_cuda
}
