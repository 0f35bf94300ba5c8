#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every fuzz target for some seconds: fuzz.sh BUILD_FOLDER SECONDS [SEED]
# Without SEED each run goes another way. What is found is told as text (Base64), so that it outlives the folder.
set -euo pipefail
build=$(realpath "$1")
seconds=$2
seed=${3:-0}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
targets=()
for target in "$build"/fuzz/fuzz_*; do
    if [ -x "$target" ] && [ -f "$target" ]; then targets+=("$target"); fi
done
[ ${#targets[@]} -gt 0 ] || { echo "no fuzz targets in $build/fuzz" >&2; exit 1; }

run_target() { # TARGET SECONDS SEED
    local target=$1 name work seeds dictionary options=()
    name=$(basename "$target")
    work=$(mktemp -d)
    seeds=$PWD/tests/fuzz/seeds/${name#fuzz_}
    dictionary=$PWD/tests/fuzz/${name#fuzz_}.dict
    [ ! -f "$dictionary" ] || options+=("-dict=$dictionary")
    options+=("$work")
    [ ! -d "$seeds" ] || options+=("$seeds")
    local status=0
    (cd "$work" && "$target" -max_total_time="$2" -seed="$3" -timeout=60 -rss_limit_mb=2048 -print_final_stats=1 \
        "${options[@]}" 2>log) || status=$?
    # 70: an input took a minute. On a machine that stood still for a while that is no fault of the input.
    if [ "$status" = 70 ] && (cd "$work" && "$target" -timeout=20 timeout-* 2>again); then
        echo "-- $name: an input took a minute once, and no time when it was tried again"
        status=0
    fi
    [ "$status" = 0 ] || {
        tail -n 60 "$work/log"
        {
            echo "$name found something, which is kept in $work:"
            grep -E '^(INFO: Seed|==[0-9]+==|SUMMARY|Base64|#[0-9]+ .*DONE)' "$work/log" || tail -n 3 "$work/log"
        } >"$found/$name"
        return 1
    }
    echo "-- $name for $2 s"$'\n'"$(grep -E 'number_of_executed_units|peak_rss' "$work/log")"
    rm -rf "$work"
}
export -f run_target
found=$(mktemp -d) # what each target found, told last: the targets that end later would hide it
export found
trap 'rm -rf "$found"' EXIT
# As many at a time as there are processors, but each with the seconds that it would have alone.
printf '%s\0' "${targets[@]}" |
    xargs -0 -P "$(nproc)" -I TARGET bash -c 'run_target "$@"' run_target TARGET "$seconds" "$seed" || {
    cat "$found"/* || true
    exit 1
}
