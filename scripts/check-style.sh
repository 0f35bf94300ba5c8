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

# A check that cannot do its work has failed.
for tool in git clang-format-19 desktop-file-validate appstreamcli python3; do
    command -v $tool >/dev/null || complain "$tool is not installed: tests/run.sh style installs it"
done
[ $status = 0 ] || exit 1
# Git refuses a checkout that belongs to someone else, as root's does under sudo; nothing of it is run here.
files() { git -c safe.directory="$PWD" ls-files "$@"; }
all=$(files) && [ -n "$all" ] || { complain "this is no git checkout: there is no list of the files to check"; exit 1; }

mapfile -t sources < <(files '*.cpp' '*.hpp' '*.c' '*.h')
clang-format-19 --dry-run --Werror "${sources[@]}" || complain "clang-format-19 -i would change files"

while read -r file; do
    head -n 4 "$file" | grep -q 'SPDX-License-Identifier:' || complain "$file: no SPDX line"
done < <(files '*.cpp' '*.hpp' '*.def' '*.cu' '*.py' '*.sh' '*.cmake' '*CMakeLists.txt' '*.svg' '*.ui')

# Dependencies point one way: core knows no Qt, ui calls no driver.
grep -rnE '#include <(Q[A-Z]|Qt|Qsci)' core && complain "core includes Qt"
grep -rnE '#include [<"](cuda\.h|driver/|software/)' ui app/warplight && complain "ui reaches past the worker"
grep -rnE '#include [<"](ui|mainwindow|editor|buffers|launch)/' core && complain "core includes ui"
python3 scripts/check-layers.py || complain "includes go against the layers"

# std::filesystem made by GCC takes \\machine\share for a path of the current drive; files/paths.hpp does not.
mapfile -t portable < <(files 'core/*.cpp' 'core/*.hpp' 'app/*.cpp' 'ui/*.cpp' ':!*_linux.cpp' ':!core/files/paths_*' ':!app/nvcc')
grep -nE '(fs|filesystem)::(absolute|weakly_canonical|canonical)\(|\.(lexically_normal|is_absolute|root_name|root_path)\(' \
    "${portable[@]}" && complain "std::filesystem does not know \\\\machine\\share: use files/paths.hpp"

# moc reads the tests without their headers: it would not see such a test, and nothing would run it.
mapfile -t tests < <(files 'tests/*.cpp')
awk 'FNR == 1 { depth = unknown = 0 }
    /^#if/ { ++depth }
    /^#(if|elif)/ && !/WARPLIGHT_|_WIN32|__linux__|__x86_64__/ && !unknown { unknown = depth }
    /^#endif/ { if (unknown == depth) unknown = 0; --depth }
    unknown && /^    void [A-Za-z0-9_]+\(\)/ { print FILENAME ":" FNR ": " $0; found = 1 }
    END { exit !found }' "${tests[@]}" && complain "moc knows no macro of a header: put the condition inside the test"

desktop-file-validate packaging/*.desktop || complain "the desktop file is not valid"
# Later versions want a home page, which the project has none of; earlier ones do not know the word.
appstreamcli validate --no-net --override=url-homepage-missing=info packaging/*.metainfo.xml >/dev/null 2>&1 ||
    appstreamcli validate --no-net packaging/*.metainfo.xml || complain "the metainfo is not valid"
python3 -c 'import sys, xml.dom.minidom as x; [x.parse(f) for f in sys.argv[1:]]' packaging/*.xml $(files '*.svg') ||
    complain "an XML file is damaged"
python3 scripts/check-docs.py || complain "the docs and the files do not agree"
python3 scripts/check-translations.py || complain "the translations need work"
python3 scripts/check-schema.py || complain "a session does not match docs/session.schema.json"
exit $status
