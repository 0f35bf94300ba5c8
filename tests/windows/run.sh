#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tests of a build with the preset `windows` under Wine, but for those that left-out.txt names, and those of the
# console: run.sh BUILD_FOLDER
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"
all=$(ctest --test-dir "$build" --show-only=json-v1 | python3 -c 'import json, sys
for test in json.load(sys.stdin)["tests"]: print(test["name"])')
left_out=()
while read -r name reason; do
    [ -n "$name" ] && [ "${name:0:1}" != '#' ] || continue
    grep -qx -- "$name" <<<"$all" || { echo "left-out.txt names $name, which is no test" >&2; exit 1; }
    [ -n "$reason" ] || { echo "left-out.txt has no reason for $name" >&2; exit 1; }
    left_out+=("$name")
done <left-out.txt
echo "$(wc -l <<<"$all") tests, ${#left_out[@]} of them left out"
# Wine's services end with the last program. Those that a test started would hold its output, and ctest would wait for
# them: one program stays.
sleep infinity > >(exec ../../scripts/wine.sh cmd >/dev/null 2>&1) 2>/dev/null &
stays=$!
trap 'kill $stays' EXIT
# Wine 8 now and then fails to start a process, or to stop a thread. One program in about a hundred crashes at its end:
# the first thread is in NtTerminateProcess(), and another one, which is ending, gets a signal in Wine's ntdll.so. What is
# wrong with Warplight fails again: a test may have a second attempt, which the output tells.
ctest --test-dir "$build" --output-on-failure --no-tests=error --timeout 300 -j "${CTEST_PARALLEL_LEVEL:-2}" \
    --repeat until-pass:2 \
    -E "^($(IFS='|' && echo "${left_out[*]}"))\$"
./console.py "$build"
