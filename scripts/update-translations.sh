#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Takes new texts of the window into resources/translations/*.ts, and what is no more out of them. New ones are marked
# as unfinished: translate them there (or in Qt Linguist), then run scripts/check-translations.py.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
lupdate=/usr/lib/qt6/bin/lupdate # that on the path may be of Qt 5
[ -x "$lupdate" ] || lupdate=$(command -v lupdate-qt6 lupdate6 lupdate | head -n 1)
[ -n "$lupdate" ] || { echo "lupdate is missing. Debian has it in qt6-l10n-tools." >&2; exit 1; }
for file in resources/translations/warplight_*.ts; do
    language=${file##*_}
    language=${language%.ts}
    only=()
    [ "$language" != en ] || only=(-pluralonly) # the texts are English
    "$lupdate" -silent -I . -locations none -no-obsolete -no-ui-lines -source-language en -target-language "$language" \
        "${only[@]}" ui app -ts "$file" 2>&1 | grep -v 'lacks Q_OBJECT\|Qualifying with unknown' || true
done
