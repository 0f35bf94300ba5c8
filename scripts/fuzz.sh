#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every fuzz target for some seconds: fuzz.sh BUILD_FOLDER SECONDS [SEED]
# Without SEED each run goes another way. What is found is told as text (Base64), so that it outlives the folder.
set -euo pipefail
build=$(realpath "$1")
seconds=$2
seed=${3:-0}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
found=0
for target in "$build"/fuzz/fuzz_*; do
    [ -x "$target" ] && [ -f "$target" ] || continue
    found=$((found + 1))
    name=$(basename "$target")
    work=$(mktemp -d)
    seeds=tests/fuzz/seeds/${name#fuzz_}
    dictionary=tests/fuzz/${name#fuzz_}.dict
    echo "-- $name for $seconds s"
    (cd "$work" && "$target" -max_total_time="$seconds" -seed="$seed" -timeout=60 -rss_limit_mb=2048 \
        -print_final_stats=1 $([ -f "$OLDPWD/$dictionary" ] && echo "-dict=$OLDPWD/$dictionary") \
        "$work" $([ -d "$OLDPWD/$seeds" ] && echo "$OLDPWD/$seeds") 2>log) || {
        tail -n 60 "$work/log"
        echo "$name found something, which is kept in $work:"
        grep -E '^(INFO: Seed|SUMMARY|Base64)' "$work/log" || true
        exit 1
    }
    grep -E 'number_of_executed_units|peak_rss' "$work/log"
    rm -rf "$work"
done
[ "$found" -gt 0 ] || { echo "no fuzz targets in $build/fuzz" >&2; exit 1; }
