#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs exported programs on the machine's GPU: run-exports.sh FOLDER [FORMAT...]
# FOLDER is what scripts/gpu-exports.sh made. PYTHON names a Python that has the formats' libraries. A program ends with
# 0 if its results are as expected; `faulty` faults, and ends with 2.
set -uo pipefail
folder=$(realpath "$1")
shift
formats=("$@")
[ $# -gt 0 ] || formats=(pycuda cuda-core cupy numba cpp-driver cpp-warplight)
python=${PYTHON:-python3}
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

build_program() { # FOLDER
    local options=()
    [ ! -d "$folder/prefix" ] || options+=(-DCMAKE_PREFIX_PATH="$folder/prefix")
    cmake -S "$1" -B "$1/build" -G Ninja -DCMAKE_BUILD_TYPE=Release "${options[@]}" && cmake --build "$1/build"
}

run_one() { # FORMAT NAME
    local program=$folder/$1/$2 wanted=0 status=0 binary
    [ "$2" != faulty ] || wanted=2
    case $1 in
    cpp-*)
        if build_program "$program" >"$results/$1-$2.log" 2>&1; then
            binary=$(find "$program/build" -maxdepth 1 -type f -executable | head -n 1)
            timeout 60 "$binary" "$program" >"$results/$1-$2.log" 2>&1 || status=$?
        else
            status=99
        fi
        ;;
    *) timeout 100 "$python" "$program/run.py" >"$results/$1-$2.log" 2>&1 || status=$? ;;
    esac
    if [ "$status" = "$wanted" ]; then
        : >"$results/$1-$2.passed"
    else
        printf 'FAILED: %s as %s ended with %s\n%s\n' "$2" "$1" "$status" "$(tail -n 12 "$results/$1-$2.log")"
    fi
}
export -f run_one build_program
export folder results python

failed=0
for format in "${formats[@]}"; do
    mapfile -t names < <(cd "$folder/$format" && ls)
    [ ${#names[@]} -gt 0 ] || { echo "$format: no program in $folder/$format" >&2; exit 1; }
    printf '%s\n' "${names[@]}" | xargs -P 8 -I NAME bash -c 'run_one "$@"' run_one "$format" NAME
    passed=$(find "$results" -name "$format-*.passed" | wc -l)
    echo "$format: $passed of ${#names[@]} programs as expected"
    [ "$passed" = ${#names[@]} ] || failed=1
done
exit "$failed"
