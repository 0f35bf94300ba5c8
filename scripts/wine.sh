#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a Windows program under Wine, as the tests of the preset `windows` do: wine.sh [--test] PROGRAM.exe [ARGUMENT…]
#   --test                     standard error is told when the program has ended: Wine's desktop, which the program may
#                              start, and processes that Wine failed to end keep it open, and CTest would wait for them
#   WARPLIGHT_WINDOWS_PREFIX   the Windows libraries (scripts/windows-dependencies.sh)
#   WINEPREFIX                 Wine's own folder; without it one in the user's cache
#   WARPLIGHT_WINE_BARE        1: the program finds the libraries that it brings with it, and no others
#   WARPLIGHT_TEST_PATH        a folder whose libraries are found first
#   CUDA_PATH                  of Windows' NVRTC, as Windows names it (Z:\… is the root folder); without it the prefix's,
#                              12.9 or what WARPLIGHT_WINDOWS_NVRTC names (13.0)
set -euo pipefail
as_test=
if [ "${1:-}" = --test ]; then
    as_test=1
    shift
fi
wine=$(command -v wine64 || true)
for each in /usr/lib/wine/wine64 /usr/bin/wine; do # Debian's is not in PATH
    [ -n "$wine" ] || [ ! -x "$each" ] || wine=$each
done
[ -n "$wine" ] || { echo "Wine is missing: install the package wine64." >&2; exit 127; }
cache=${XDG_CACHE_HOME:-$HOME/.cache}/warplight/windows
prefix=${WARPLIGHT_WINDOWS_PREFIX:-$cache/prefix}
compiler=$(dirname "$(x86_64-w64-mingw32-g++-posix -print-file-name=libstdc++-6.dll)")
threads=$(dirname "$(x86_64-w64-mingw32-g++-posix -print-file-name=libwinpthread-1.dll)")
windows_path() { printf 'Z:%s' "$(realpath "$1" | tr / '\\')"; }
export WINEPREFIX=${WINEPREFIX:-$cache/wine}
export WINEDEBUG=${WINEDEBUG:--all}
export QT_ASSUME_STDERR_HAS_CONSOLE=1 # messages of Qt are told there, not to a debugger
# No offers to install what is not needed, no entries in this machine's own menus, no window that tells of a crash.
export WINEDLLOVERRIDES=${WINEDLLOVERRIDES:-mscoree,mshtml,winemenubuilder.exe,winedbg.exe=}
built=$(dirname "${1:-.}")/../bin # of a test: the programs and the software device
[ -d "$built" ] || built=.
if [ -z "${WARPLIGHT_WINE_BARE:-}" ]; then
    WINEPATH="${WARPLIGHT_TEST_PATH:+$(windows_path "$WARPLIGHT_TEST_PATH");}$(windows_path "$built");$(windows_path "$prefix/bin");$(windows_path "$compiler");$(windows_path "$threads")"
    export WINEPATH
    QT_PLUGIN_PATH=$(windows_path "$prefix/plugins")
    export QT_PLUGIN_PATH
    # Qt's platform without a display draws with the fonts of one folder: those that the tests have on Linux.
    fonts=/usr/share/fonts/truetype/dejavu
    [ ! -d "$fonts" ] || export QT_QPA_FONTDIR="${QT_QPA_FONTDIR:-$(windows_path "$fonts")}"
fi
for each in "${!QT_@}"; do # Wine keeps those of this machine's own programs from Windows', but for these
    export "WINE$each=${!each}"
done
if [ -n "${WARPLIGHT_WINE_BARE:-}" ]; then
    [ ! -d "${CUDA_PATH:-}" ] || unset CUDA_PATH
elif [ -z "${CUDA_PATH:-}" ] || [ -d "$CUDA_PATH" ]; then # not one of this machine's own toolkits
    nvrtc=$(find "$prefix/nvrtc/${WARPLIGHT_WINDOWS_NVRTC:-12.9}" -name 'nvrtc64_*_0.dll' -print -quit 2>/dev/null || true)
    [ -z "$nvrtc" ] || CUDA_PATH=$(windows_path "${nvrtc%%/bin/*}")
    export CUDA_PATH
fi
mkdir -p "$(dirname "$WINEPREFIX")"
# Started beforehand, Wine's server and its services do not inherit this program's output: who waits for its end would
# wait for theirs. One of several programs starts them, and the others wait for it.
server=$(dirname "$wine")/wineserver
[ -x "$server" ] || server=$(command -v wineserver)
(
    flock 9
    if "$server" -p60 9>&-; then "$wine" cmd /c exit 9>&- || true; fi # fails where a server runs
) 9>"$WINEPREFIX.lock" </dev/null >/dev/null 2>&1
if [ ! -e "$WINEPREFIX/system.reg" ]; then
    # In place of the fonts of Windows' windows, which are not free.
    for each in Tahoma "Segoe UI" "MS Shell Dlg" "MS Shell Dlg 2"; do
        "$wine" reg add 'HKCU\Software\Wine\Fonts\Replacements' /v "$each" /d 'Liberation Sans' /f
    done </dev/null >/dev/null 2>&1
fi
[ -n "$as_test" ] || exec "$wine" "$@"
# What Wine takes for a folder of another machine.
mkdir -p "$WINEPREFIX/dosdevices/unc/warplight-test/share"
export WARPLIGHT_TEST_SHARE='\\warplight-test\share'
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
code=0
"$wine" "$@" 2>"$errors" || code=$?
cat "$errors" >&2
exit "$code"
