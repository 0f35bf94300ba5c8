#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Exports all examples and the sessions of tests/export in every format, for a machine that has a GPU:
#   gpu-exports.sh BUILD_FOLDER TARGET_FOLDER
# tests/gpu/run-exports.sh runs them there. Each compares its results with the session's expectations.
set -euo pipefail
build=$(realpath "$1")
target=$(realpath -m "$2")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
rm -rf "$target"
mkdir -p "$target"
for format in pycuda cuda-core cupy numba cpp-driver cpp-warplight; do
    for session in resources/examples/*/*.warplight tests/export/sessions/*.warplight; do
        name=$(basename "$session" .warplight)
        # A format that cannot express a session refuses it (2), and writes nothing.
        status=0
        said=$("$build/bin/warplight-cli" export "$session" --as "$format" -o "$target/$format/$name" 2>&1) || status=$?
        case $status in
        0) ;;
        2) printf '%s as %s: %s\n' "$name" "$format" "$(tail -n 1 <<<"$said")" >>"$target/refused.txt" ;;
        *)
            printf '%s\n' "$said" >&2
            exit 1
            ;;
        esac
    done
done
cmake --install "$build" --component Development --prefix "$target/prefix" >/dev/null
du -sh "$target"
