#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Formatting, licence lines, layering, and the files that other programs validate.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
status=0
complain() {
    printf '%s\n' "$*" >&2
    status=1
}

mapfile -t sources < <(git ls-files '*.cpp' '*.hpp' '*.c' '*.h')
[ ${#sources[@]} = 0 ] || clang-format-19 --dry-run --Werror "${sources[@]}" || complain "clang-format-19 -i would change files"

while read -r file; do
    head -n 4 "$file" | grep -q 'SPDX-License-Identifier:' || complain "$file: no SPDX line"
done < <(git ls-files '*.cpp' '*.hpp' '*.def' '*.cu' '*.py' '*.sh' '*.cmake' '*CMakeLists.txt' '*.svg' '*.ui')

# Dependencies point one way: core knows no Qt, ui calls no driver.
grep -rnE '#include <(Q[A-Z]|Qt|Qsci)' core && complain "core includes Qt"
grep -rnE '#include [<"](cuda\.h|driver/|software/)' ui app/warplight && complain "ui reaches past the worker"
grep -rnE '#include [<"](mainwindow|editor|buffers|launch)/' core && complain "core includes ui"

desktop-file-validate packaging/*.desktop || complain "the desktop file is not valid"
appstreamcli validate --no-net packaging/*.metainfo.xml || complain "the metainfo is not valid"
python3 -c 'import sys, xml.dom.minidom as x; [x.parse(f) for f in sys.argv[1:]]' packaging/*.xml $(git ls-files '*.svg') ||
    complain "an XML file is damaged"
python3 scripts/check-schema.py || complain "a session does not match docs/session.schema.json"
exit $status
