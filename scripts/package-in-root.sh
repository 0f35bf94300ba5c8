#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the .deb for another release of Debian or Ubuntu in a bare root of it, with what scripts/dependencies.sh installs
# there, and tries it in a second bare root:
#   package-in-root.sh SUITE [OPTION…]      SUITE: trixie (Debian 13), bookworm, noble; the options --keep and --ccache are
#                                           those of tests/install/bare-root.sh
# The package lies in build/packages/SUITE. Needs root. It builds everything, as a first build does.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/dependencies.sh
[ $# != 0 ] || { sed -n 's/^# \{0,1\}//; 3,7p' "$0" >&2; exit 2; }
suite=$1
shift
made=build/packages/$suite
mkdir -p "$made"
rm -f "$made"/*.deb
# The root shares nothing with this machine but the folder for the result.
tests/install/bare-root.sh --result "$made" "$@" "$suite" '
    set -e
    source scripts/dependencies.sh
    install_packages "${build_packages[@]}" "${package_packages[@]}"
    install_cuda
    cmake --preset release -DBUILD_TESTING=OFF -DWARPLIGHT_BENCHMARKS=OFF
    build release --target packaged
    cd build/release
    cpack -G DEB
    mv warplight_*.deb /result/'
deb=$(ls "$made"/warplight_*.deb)
dpkg-deb --info "$deb" | sed -n 's/^ \(Package\|Version\|Depends\|Installed-Size\)/\1/p'
stat -c '%n: %s bytes' "$deb"
scripts/check-package.sh --deb "$deb" "$suite"
