#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang-tidy over core, ui and app: check-tidy.sh BUILD_FOLDER [FILE…]
# Results are remembered a file: what has not changed is not read again.
set -uo pipefail
build=$(realpath "$1")
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [ $# != 0 ]; then files=("$@"); else mapfile -t files < <(git ls-files 'core/*.cpp' 'ui/*.cpp' 'app/*.cpp' ':!*windows*'); fi
# What GCC alone understands (its precompiled headers) is taken out of the commands.
commands=$build/tidy
mkdir -p "$commands"
python3 - "$build/compile_commands.json" "$commands/compile_commands.json" <<'P'
import json, re, sys
entries = json.load(open(sys.argv[1]))
for entry in entries:
    entry["command"] = re.sub(r" -include \S*cmake_pch\S*| -Winvalid-pch| -Wno-error=\S+| -Wno-restrict", "", entry["command"])
json.dump(entries, open(sys.argv[2], "w"))
P
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy-19 --quiet -p "$commands" 2>/tmp/tidy.$$.err
status=$?
grep -vE '^[0-9]+ warnings? (generated|treated)|^Suppressed|^Use -' /tmp/tidy.$$.err >&2
rm -f /tmp/tidy.$$.err
exit $status
