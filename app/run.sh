#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and starts the workbench.
# Without a display: runs the first example on the best device and prints the report.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/dependencies.sh

install_dependencies "${build_packages[@]}"
[ -f build/release/build.ninja ] || cmake --preset release >/dev/null
cmake --build --preset release --target warplight warplight-cli warplight-cuda -- --quiet

bin=build/release/bin
if [ $# != 0 ]; then
    exec "$bin/warplight" "$@"
elif [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec "$bin/warplight"
else
    echo "No display: running the first example on the best device." >&2
    exec "$bin/warplight-cli" run resources/examples/saxpy/saxpy.warplight --device auto
fi
