#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the bundled tests and examples on the machine's GPU: run.sh BUNDLE_FOLDER [OUTPUT_FOLDER]
# What the table of the device interface shows for CUDA is kept with
#   tests/device_interface/table.py --record OUTPUT_FOLDER/results --device "H100, driver 580"
set -uo pipefail
bundle=$(realpath "$1")
out=${2:-$(mktemp -d)}
export LD_LIBRARY_PATH="$bundle/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export WARPLIGHT_TEST_DRIVER=cuda QT_QPA_PLATFORM=offscreen QTEST_DISABLE_STACK_DUMP=1
export WARPLIGHT_TEST_CLI="$bundle/bin/warplight-cli"
WARPLIGHT_CACHE_DIR=$(mktemp -d)
export WARPLIGHT_CACHE_DIR
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
passed=0 failed=0
mkdir -p "$out/results"
for program in "$bundle"/tests/*; do
    case $(basename "$program") in
    *_test | test_*) ;;
    *) continue ;; # what a test starts, and what is run by hand
    esac
    if timeout 60 "$program" -o "$out/results/$(basename "$program").xml,junitxml" -o -,txt >"$out/$(basename "$program").txt" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $(basename "$program")"
        grep -A4 -E '^FAIL!|QFATAL|Segmentation' "$out/$(basename "$program").txt" | head -n 60
    fi
    echo "$(basename "$program"): $(grep -E '^Totals:' "$out/$(basename "$program").txt" | tail -n 1)"
done
echo "test programs: $passed passed, $failed failed"
examples=0 wrong=0
for session in "$bundle"/examples/*/*.warplight; do
    ! grep -q "\"program\"" "$session" || continue # built by nvcc; exec_programs_test has such
    name=$(basename "$session" .warplight)
    "$bundle/bin/warplight-cli" run "$session" --device cuda:0 --out "$out/$name" >"$out/example-$name.txt" 2>&1
    code=$?
    # The deliberately faulty one shows how an error looks: it must fail on the device.
    want=0
    grep -q '"expect_failure"' "$session" && want=4
    case $name in *fault*) want=4 ;; esac
    if [ $code = $want ]; then examples=$((examples + 1)); else
        wrong=$((wrong + 1))
        echo "FAILED: example $name: exit code $code, not $want"
        tail -n 15 "$out/example-$name.txt"
    fi
done
echo "examples: $examples as expected, $wrong not"
[ "$failed" = 0 ] && [ "$wrong" = 0 ]
