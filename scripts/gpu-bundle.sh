#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Collects the test programs, warplight-cli, the examples and every shared library they need, for a machine that
# has a GPU but no Qt: gpu-bundle.sh BUILD_FOLDER TARGET_FOLDER
set -euo pipefail
build=$(realpath "$1")
target=$2
cd "$(dirname "${BASH_SOURCE[0]}")/.."
rm -rf "$target"
mkdir -p "$target"/{bin,tests,lib,remote}
programs=("$build/bin/warplight-cli")
while read -r program; do programs+=("$build/tests/$program"); done <tests/gpu/programs.txt
remote=("$build/tests/remote_bridge_test" "$build/bin/remote_bench")
programs+=("${remote[@]}")
for program in "${programs[@]}"; do
    case $program in */remote_*) to=$target/remote ;; */bin/*) to=$target/bin ;; *) to=$target/tests ;; esac
    strip -o "$to/$(basename "$program")" "$program"
done
cp -r resources/examples "$target/examples"
# Everything but the C library and what links to it closely, which every system has.
# The runtime library is this project's: NVIDIA's may lie in the loader's folders too.
LD_LIBRARY_PATH=$build/lib/exec ldd "${programs[@]}" | awk '/=> \//{print $3}' | sort -u |
    grep -vE '/(libc|libm|libdl|librt|libpthread|ld-linux.*|libstdc\+\+|libgcc_s)\.so' |
    while read -r library; do cp -L "$library" "$target/lib/"; done
cp "$build"/lib/exec/libcudart.so.* "$target/lib/" # tests open each version by its name
strip --strip-unneeded "$target"/lib/*.so* 2>/dev/null || true
# The other machine is the same one, behind an SSH server of the bundle.
mkdir -p "$target/ssh/lib"
ssh=(/usr/sbin/sshd /usr/bin/ssh /usr/bin/ssh-keygen)
cp "${ssh[@]}" "$target/ssh/"
ldd "${ssh[@]}" | awk '/=> \//{print $3}' | sort -u |
    grep -vE '/(libc|libm|libdl|librt|libpthread|ld-linux.*)\.so' |
    while read -r library; do cp -L "$library" "$target/ssh/lib/"; done
du -sh "$target"
