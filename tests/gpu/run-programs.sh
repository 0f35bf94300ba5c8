#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the whole programs of tests/exec/programs on the machine's GPU, as exec_programs_test has built them:
#   run-programs.sh build/release/tests/exec/programs [build/release/lib/exec]
# With the second folder they use the runtime library there, over NVIDIA's driver; without it NVIDIA's.
set -uo pipefail
programs=$(realpath "$1")
gpus=$(nvidia-smi --list-gpus | wc -l)
passed=0 failed=0
libraries=
if [ $# -gt 1 ]; then
    # Only the runtime: the other names in that folder are the software device's.
    libraries=$(mktemp -d)
    ln -s "$(realpath "$2")"/libcudart.so.* "$libraries"
fi
for program in "$programs"/*; do
    name=$(basename "$program")
    [ -x "$program" ] && [ -f "$program" ] || continue
    case $name in
    *.so) continue ;;
    peer_copy) [ "$gpus" -gt 1 ] || { echo "left out: $name, for want of a second GPU"; continue; } ;;
    esac
    if output=$(LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" timeout 60 "$program" 2>&1) &&
        [ "$(tail -n 1 <<<"$output")" = PASS ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED: %s\n%s\n' "$name" "$output"
    fi
done
echo "whole programs: $passed passed, $failed failed"
[ "$failed" = 0 ]
