#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and starts the workbench.
# Without a display: runs the first example on the best device and prints the report.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/dependencies.sh

if [ ! -f build/release/build.ninja ]; then
    say "the first start installs what is missing and builds the program: about 10 minutes on two cores."
    say "Disk space: up to 2000 MB for packages, 140 MB for NVRTC and its headers, 800 MB for what is built."
    need_space . 800 "the build"
fi
install_packages "${build_packages[@]}"
install_cuda
started=$SECONDS
say "building"
build release --target warplight warplight-cli warplight-cuda >&2
[ $((SECONDS - started)) -lt 5 ] || say "built in $(duration $((SECONDS - started)))"

bin=build/release/bin
if [ $# != 0 ]; then
    exec "$bin/warplight" "$@"
elif [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec "$bin/warplight"
else
    say "no display: running the first example on the best device."
    exec "$bin/warplight-cli" run resources/examples/saxpy/saxpy.warplight --device auto
fi
