#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the installer and the ZIP of a build with the preset `windows`, and tries them under Wine, in folders of Wine
# that it makes and removes: check-windows-package.sh BUILD_FOLDER [--packed] [--pictures FOLDER]
#   --packed            with the packages that are there
#   --pictures FOLDER   keep a picture of the installed window there
# It ends with 1 where anything is not as it must be. About four minutes on two cores, one of them for packing.
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
[ $# -ge 1 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0"; exit 2; }
build=$(realpath "$1")
shift
packed='' pictures=''
while [ $# != 0 ]; do
    case $1 in
    --packed) packed=1 ;;
    --pictures) pictures=$(realpath -m "$2") && shift ;;
    *) sed -n '3,7s/^# \{0,1\}//p' "$0"; exit 2 ;;
    esac
    shift
done
for each in cpack makensis python3 xvfb-run x86_64-w64-mingw32-gcc-posix x86_64-w64-mingw32-objdump; do
    command -v "$each" >/dev/null || { echo "$each is missing: scripts/dependencies.sh names its package" >&2; exit 1; }
done
prefix=${WARPLIGHT_WINDOWS_PREFIX:-${XDG_CACHE_HOME:-$HOME/.cache}/warplight/windows/prefix}
compgen -G "$prefix/nvrtc/*/nvidia/*/bin" >/dev/null || { echo "$prefix has no NVRTC: run scripts/windows-dependencies.sh" >&2; exit 1; }
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
name=warplight-$version-windows-x86_64
if [ -z "$packed" ]; then
    rm -f "$build/$name".{exe,zip}
    (cd "$build" && cpack -G "ZIP;NSIS" >cpack.log 2>&1) || { cat "$build/cpack.log"; exit 1; }
fi
installer=$build/$name.exe archive=$build/$name.zip
if [ -z "${WARPLIGHT_CHECK_DISPLAY:-}" ]; then # Wine's first program must have the display already
    exec env WARPLIGHT_CHECK_DISPLAY=1 xvfb-run -a -s "-screen 0 1400x1000x24" "$here/$(basename "$0")" "$build" --packed \
        ${pictures:+--pictures "$pictures"}
fi

export LC_ALL=C.UTF-8 WARPLIGHT_WINE_BARE=1
unset CUDA_PATH CUDA_HOME CUDA_ROOT WARPLIGHT_NVRTC WARPLIGHT_CACHE_DIR WARPLIGHT_SOFTWARE_LIBRARY QT_QPA_PLATFORM
work=$(mktemp -d /tmp/warplight-windows.XXXXXX)
export WINEPREFIX=$work/wine
server=$(command -v wineserver || true)
for each in /usr/lib/wine/wineserver /usr/lib/wine/wineserver64; do
    [ -n "$server" ] || [ ! -x "$each" ] || server=$each
done
[ -n "$server" ] || { echo "Wine's server is missing: install the package wine64" >&2; exit 1; }
stop_wine() { "$server" -k >/dev/null 2>&1 && "$server" -w || true; }
# Wine's registry is in its files then. Its own processes keep the output of the program that starts them: not a pipe
# that somebody reads to the end.
restart_wine() {
    stop_wine
    wine cmd /c exit >/dev/null 2>&1 </dev/null
}
end() {
    local each
    for each in "$work"/wine*; do
        [ ! -d "$each" ] || WINEPREFIX=$each stop_wine
    done
    rm -rf "$work"
}
trap end EXIT

passed=0 failed=0 said='' code=0
ok() { passed=$((passed + 1)) && printf 'ok  %4d s  %s\n' $SECONDS "$1"; }
bad() {
    failed=$((failed + 1))
    printf 'FAILED %2d s %s\n' $SECONDS "$1"
    [ -z "${2:-}" ] || sed 's/^/        /' <<<"$2"
}
# check WORDS COMMAND…: what is said must hold.
check() {
    local words=$1
    shift
    if "$@" >"$work/check" 2>&1; then ok "$words"; else bad "$words" "$(tail -n 5 "$work/check")"; fi
}
wine() { timeout -s KILL 120 "$here/wine.sh" "$@"; }
# try PROGRAM…: its output in $said, its exit code in $code.
try() { code=0 && said=$(wine "$@" 2>&1 | tr -d '\r') || code=$?; }
# told WORDS CODE TEXT…: the exit code of what was tried, and what it must have said.
told() {
    local words=$1 expected=$2 each
    shift 2
    if [ "$code" != "$expected" ]; then
        bad "$words: the exit code is $code, not $expected" "$said"
        return
    fi
    for each in "$@"; do
        grep -qF -- "$each" <<<"$said" || { bad "$words: \"$each\" is not said" "$said"; return; }
    done
    ok "$words"
}
registry() { wine "$work/helper.exe" value "$1" "$2" 2>/dev/null | tr -d '\r' || true; } # KEY VALUE
same() { [ "$1" = "$2" ] || { printf '%s\n' "is:        $1" "should be: $2" && return 1; }; }
absent() { [ ! -e "$1" ]; }
wait_until_gone() {
    local i
    for ((i = 0; i < 100; ++i)); do
        [ -e "$1" ] || return 0
        sleep 0.2
    done
    find "$1" | head
    return 1
}
in_drive() { printf '%s/drive_c%s' "$WINEPREFIX" "$(sed 's/^C://; s#\\#/#g' <<<"$1")"; } # C:\… → this machine's path
unix_path() { printf 'Z:%s' "$(realpath "$1" | tr / '\\')"; }
new_prefix() { # Wine calls itself Windows 7 there
    export WINEPREFIX=$work/$1
    wine reg add 'HKCU\Software\Wine' /v Version /d win10 /f >/dev/null 2>&1
}
# A program in the background that this script ends: background NAME COMMAND…; it is ready when it says so.
background() {
    local id=$1 i
    shift
    mkfifo "$work/$id.in"
    wine "$@" <"$work/$id.in" >"$work/$id.out" 2>&1 &
    eval "job_$id=$!"
    exec {hold}>"$work/$id.in"
    eval "hold_$id=$hold"
    for ((i = 0; i < 300; ++i)); do
        ! grep -q ready "$work/$id.out" || return 0
        sleep 0.1
    done
    cat "$work/$id.out"
    return 1
}
finish() {
    local id=$1 hold job
    hold=hold_$id job=job_$id
    exec {hold}>&- 2>/dev/null || true
    eval "exec ${!hold}>&-"
    wait "${!job}" || true
    rm -f "$work/$id.in"
}
nvrtc_of() { local found=("$prefix/nvrtc/$1"/nvidia/*/bin) && printf '%s' "${found[0]%/bin}"; }

echo "-- the packages"
size=$(stat -c %s "$installer")
echo "        installer $((size / 1000000)) MB, ZIP $(($(stat -c %s "$archive") / 1000000)) MB"
check "the installer is smaller than 60 MB" test "$size" -lt 60000000
x86_64-w64-mingw32-gcc-posix -municode -O1 -Wall -static -o "$work/helper.exe" "$here/../tests/windows/package_helper.c"
python3 -m zipfile -e "$archive" "$work/zip"
mv "$work/zip/$name" "$work/Распакован 🙂"
unpacked="$work/Распакован 🙂"
check "the bill of materials is valid and names each file" "$here/check-sbom.py" "$unpacked"
(cd "$unpacked" && find . -type f | sort) >"$work/files"
for each in warplight.exe warplight-cli.exe warplight-cuda.dll; do
    check "$each tells its version" python3 -c '
import sys
text = open(sys.argv[1], "rb").read()
assert ("ProductVersion\0" + sys.argv[2]).encode("utf-16-le") in text.replace(b"\0\0\0\0", b"\0\0"), "no version"
' "$unpacked/bin/$each" "$version"
done
for each in warplight warplight-cli; do
    check "$each.exe asks for UTF-8, long paths and the monitor's own resolution" \
        bash -c 'for word in ">UTF-8<" "longPathAware" "PerMonitorV2" "asInvoker"; do grep -qaF "$word" "$1" || { echo "$word"; exit 1; }; done' \
        - "$unpacked/bin/$each.exe"
done
check "the window's program has no console" \
    bash -c 'x86_64-w64-mingw32-objdump -p "$1" | grep -q "^Subsystem.*Windows GUI"' - "$unpacked/bin/warplight.exe"

echo "-- for one user, whose folder has letters of everywhere"
new_prefix wine
user='C:\users\Пользователь 🙂'
wine reg add 'HKCU\Software\Microsoft\Windows\CurrentVersion\Explorer\User Shell Folders' \
    /v 'Local AppData' /d "$user\\AppData\\Local" /f >/dev/null 2>&1
restart_wine
folder="$user\\AppData\\Local\\Programs\\Warplight"
place=$(in_drive "$folder")
uninstall_key='HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Warplight'
# Longer than NSIS's own texts may be, and with an end as some programs leave it.
path='%TEMP%'
for ((i = 0; i < 60; ++i)); do path+=";C:\\a folder that does not exist\\number $i"; done
path+=';'
wine reg add 'HKCU\Environment' /v Path /t REG_EXPAND_SZ /d "$path" /f >/dev/null 2>&1
start=$(date +%s%N)
try "$work/helper.exe" raw "$(unix_path "$installer")" /S /PATH
told "it installs silently" 0
echo "        in $((($(date +%s%N) - start) / 1000000)) ms"
check "all files are there" diff "$work/files" <(cd "$place" && find . -type f ! -name Uninstall.exe | sort)
check "the installation is known to Windows" same "$(registry "$uninstall_key" DisplayVersion)|$(registry "$uninstall_key" Publisher)|$(registry "$uninstall_key" InstallLocation)|$(registry "$uninstall_key" QuietUninstallString)" \
    "$version|The Warplight authors|$folder|\"$folder\\Uninstall.exe\" /CurrentUser /S"
kilobytes=$(($(registry "$uninstall_key" EstimatedSize)))
check "its size is told: $((kilobytes / 1024)) MiB" test "$kilobytes" -gt 50000 -a "$kilobytes" -lt 250000
check "nothing is written for other users" bash -c '! grep -qai warplight "$1/system.reg"' - "$WINEPREFIX"
check "the folder of the programs is in PATH, behind all that was there" \
    same "$(registry 'HKCU\Environment' Path)" "$path;$folder\\bin"
check "sessions open with it" same "$(registry 'HKCU\Software\Classes\.warplight' '')|$(registry 'HKCU\Software\Classes\Warplight.Session\shell\open\command' '')" \
    "Warplight.Session|\"$folder\\bin\\warplight.exe\" \"%1\""
check "the start menu has it" test -n "$(find "$WINEPREFIX/drive_c/users" -path '*Start Menu/Programs/Warplight.lnk')"

cli=$folder\\bin\\warplight-cli.exe
example=$folder\\share\\warplight\\examples\\saxpy\\saxpy.warplight
for release in 12.9 13.0; do
    CUDA_PATH=$(unix_path "$(nvrtc_of $release)") try "$cli" run "$example"
    told "an example gives the right results, compiled by NVRTC $release in CUDA_PATH" 0 "as expected" "NVRTC $release"
done
CUDA_PATH=$(unix_path "$(nvrtc_of 12.9)")
export CUDA_PATH
try "$cli" exec --devices 3 -- "$(unix_path "$work")\\helper.exe" driver
told "exec runs a program on the software device under the driver's name" 0 "3 devices"
try "$work/helper.exe" window 60 "$folder\\bin\\warplight.exe"
told "the window opens, and closes" 0 warplight.exe
times=()
for i in 1 2 3 4 5; do
    try "$work/helper.exe" window 60 "$folder\\bin\\warplight.exe"
    times+=("${said%% *}")
done
median=$(printf '%s\n' "${times[@]}" | sort -n | sed -n 3p)
echo "        start to window: ${times[*]} ms"
check "from the start to the window is less than 2 s: $median ms" test "$median" -lt 2000
picture=$WINEPREFIX/drive_c/window.png
try "$folder\\bin\\warplight.exe" --run "$example" --screenshot 'C:\window.png'
told "the installed window runs an example" 0
check "and a picture of it is made" test -s "$picture"
[ -z "$pictures" ] || { mkdir -p "$pictures" && cp "$picture" "$pictures/installed-window.png"; }

echo "-- while it is in use"
check "the window is open" background window "$work/helper.exe" keep 60 "$folder\\bin\\warplight.exe"
try "$work/helper.exe" raw "$(unix_path "$installer")" /S
told "an upgrade says that it is running" 5 "Close it, then try again. Nothing was changed."
try "$work/helper.exe" raw "$folder\\Uninstall.exe" /S "_?=$folder"
told "uninstalling says that it is running" 5 "Close it, then try again. Nothing was changed."
check "all files are still there" diff "$work/files" <(cd "$place" && find . -type f ! -name Uninstall.exe | sort)
finish window
check "another program has a file of it open" background file "$work/helper.exe" hold "$folder\\share\\doc\\warplight\\README.md"
try "$work/helper.exe" raw "$(unix_path "$installer")" /S
told "an upgrade names the file" 5 'share\doc\warplight\README.md'
finish file

echo "-- an upgrade, and the end"
printf 'mine\n' >"$place/notes.txt"
printf 'mine\n' >"$place/share/warplight/examples/mine.txt"
# Another version, made by the same rules: its only file is one that the new version does not have.
mkdir -p "$work/old/share/old"
printf 'old\n' >"$work/old/share/old/of the version before.txt"
script=$(ls -t "$build"/_CPack_Packages/*/NSIS/project.nsi | head -n 1)
sed -E -e "s|^(!define FILES ).*|\\1\"$work/old\"|; s|^(!define VERSION ).*|\\1\"0.0.9\"|; s|^OutFile .*|OutFile \"$work/old.exe\"|" \
    -e 's|^SetCompressor .*|SetCompressor zlib|; /^SetCompressorDictSize/d; /^ *Delete "\$INSTDIR\\(bin|plugins|share)/d' \
    -e 's|^( *)RMDir "\$INSTDIR\\bin\\exec"|\1Delete "$INSTDIR\\share\\old\\of the version before.txt"\n\1RMDir "$INSTDIR\\share\\old"|' \
    "$script" >"$work/old.nsi"
makensis -V1 "$work/old.nsi"
try "$work/helper.exe" raw "$(unix_path "$work/old.exe")" /S
told "the version before is installed over it" 0
check "and has put its own file in place of the others" test -e "$place/share/old/of the version before.txt" -a ! -e "$place/bin/warplight.exe"
try "$work/helper.exe" raw "$(unix_path "$installer")" /S
told "the new version is installed over that one" 0
check "its files are gone" absent "$place/share/old"
check "all files of the new one are there, and the user's" diff \
    <({ cat "$work/files" && printf './notes.txt\n./share/warplight/examples/mine.txt\n'; } | sort) \
    <(cd "$place" && find . -type f ! -name Uninstall.exe | sort)
check "its version is told" same "$(registry "$uninstall_key" DisplayVersion)" "$version"
check "PATH has the folder once, as chosen before" same "$(registry 'HKCU\Environment' Path)" "$path;$folder\\bin"
try "$work/helper.exe" raw "$folder\\Uninstall.exe" /CurrentUser /S
told "it uninstalls silently" 0
check "the uninstaller removes itself" wait_until_gone "$place/Uninstall.exe"
check "only the user's files are left" same "$(cd "$place" && find . -type f | sort | paste -sd ' ')" \
    "./notes.txt ./share/warplight/examples/mine.txt"
rm -r "$place"
check "PATH is what it was" same "$(registry 'HKCU\Environment' Path)" "$path"
restart_wine
check "nothing of it is left in the registry" bash -c '! grep -ai warplight "$1"/*.reg' - "$WINEPREFIX"
check "nor in the start menu" bash -c '! find "$1" -name "*arplight*.lnk" | grep .' - "$WINEPREFIX/drive_c"
check "nor in the caches" absent "$(in_drive "$user\\AppData\\Local\\warplight\\compile")"

echo "-- where one likes"
folder='C:\Мои программы 🙂\Warp light'
place=$(in_drive "$folder")
try "$work/helper.exe" raw "$(unix_path "$installer")" /S /CurrentUser "/D=$folder"
told "it installs into a folder of one's choice" 0
try "$folder\\bin\\warplight-cli.exe" run "$folder\\share\\warplight\\examples\\saxpy\\saxpy.warplight"
told "an example runs there" 0 "as expected"
try "$work/helper.exe" raw "$folder\\Uninstall.exe" /S
check "and uninstalls" wait_until_gone "$place"
try "$work/helper.exe" raw "$(unix_path "$installer")" /S /CurrentUser '/D=Z:\proc\Warplight'
told "a folder that cannot be written is refused" 3 'The folder Z:\proc\Warplight cannot be written'
try "$work/helper.exe" raw "$(unix_path "$installer")" /S /CurrentUser /AllUsers
told "both kinds of users at once are refused" 6 "exclude each other"
check "and nothing was installed" bash -c '! find "$1" -name "warplight*.exe" | grep .' - "$WINEPREFIX/drive_c"

echo "-- for all users"
folder='C:\Program Files\Warplight'
place=$(in_drive "$folder")
try "$work/helper.exe" raw "$(unix_path "$installer")" /S /AllUsers
told "it installs for all users" 0
check "it is known to Windows for all" same "$(registry "${uninstall_key/HKCU/HKLM}" QuietUninstallString)" \
    "\"$folder\\Uninstall.exe\" /AllUsers /S"
check "and not for this user alone" test -z "$(registry "$uninstall_key" DisplayName)"
try "$folder\\bin\\warplight-cli.exe" run "$folder\\share\\warplight\\examples\\saxpy\\saxpy.warplight"
told "an example runs" 0 "as expected"
# Wine looks for associations among those of all users only.
try "$work/helper.exe" window 60 "$folder\\share\\warplight\\examples\\saxpy\\saxpy.warplight"
told "a session opens with the program" 0 warplight.exe
try "$work/helper.exe" raw "$folder\\Uninstall.exe" /AllUsers /S
check "it uninstalls" wait_until_gone "$place"
restart_wine
check "nothing of it is left in the registry" bash -c '! grep -ai warplight "$1"/*.reg' - "$WINEPREFIX"

echo "-- the ZIP, unpacked where it cannot be written, for two users at once"
find "$unpacked" -type f -printf '%P %s %T@\n' | sort >"$work/before"
chmod -R a-w "$unpacked"
folder=$(unix_path "$unpacked")
new_prefix wine-second
first=$work/wine
WINEPREFIX=$first wine "$folder\\bin\\warplight-cli.exe" run "$folder\\share\\warplight\\examples\\matmul\\matmul.warplight" >"$work/first" 2>&1 &
job=$!
try "$folder\\bin\\warplight-cli.exe" run "$folder\\share\\warplight\\examples\\matmul\\matmul.warplight"
told "an example runs for one user" 0 "as expected"
code=0
wait $job || code=$?
said=$(cat "$work/first")
told "and for the other" 0 "as expected"
try "$work/helper.exe" window 60 "$folder\\bin\\warplight.exe"
told "the window opens" 0 warplight.exe
chmod -R u+w "$unpacked"
check "nothing was written there" diff "$work/before" <(find "$unpacked" -type f -printf '%P %s %T@\n' | sort)

echo "-- what may be wrong on a user's machine"
export WINEPREFIX=$first
cli=$folder\\bin\\warplight-cli.exe
example=$folder\\share\\warplight\\examples\\saxpy\\saxpy.warplight
unset CUDA_PATH
try "$cli" run "$example"
told "without NVRTC" 3 "NVRTC, the CUDA run-time compiler, was not found" "warplight-cli toolkit install" "cuda-downloads"
check "Debian's packages are not advised" bash -c '! grep -i debian' - <<<"$said"
try "$cli" toolkit install --yes
told "without Python" 2 "Python 3 is missing" "winget install" "https://www.python.org/downloads/"
mkdir -p "$work/toolkits/"{bits,damaged,alone,lacking}/bin
cat >"$work/lacking.c" <<'END'
__declspec(dllexport) int cuInit(unsigned flags) { return flags ? 1 : 0; }
__declspec(dllexport) int cuDriverGetVersion(int* version) { return *version = 13000, 0; }
__declspec(dllexport) int nvrtcVersion(int* major, int* minor) { return *major = 13, *minor = 0, 0; }
END
x86_64-w64-mingw32-gcc-posix -shared -o "$work/lacking.dll" "$work/lacking.c"
cp "$work/lacking.dll" "$work/toolkits/lacking/bin/nvrtc64_130_0.dll"
# A DLL for 32-bit programs, as far as its header goes.
python3 - "$work/lacking.dll" "$work/toolkits/bits/bin/nvrtc64_130_0.dll" <<'END'
import struct, sys
content = bytearray(open(sys.argv[1], "rb").read())
at = struct.unpack_from("<I", content, 0x3C)[0]
struct.pack_into("<H", content, at + 4, 0x14C)
open(sys.argv[2], "wb").write(content)
END
printf 'not found' >"$work/toolkits/damaged/bin/nvrtc64_130_0.dll"
cp "$(nvrtc_of 12.9)/bin/nvrtc64_120_0.dll" "$work/toolkits/alone/bin/"
toolkit() { CUDA_PATH=$(unix_path "$work/toolkits/$1") try "$cli" run "$example"; }
toolkit bits
told "with an NVRTC of 32 bits" 3 "nvrtc64_130_0.dll is a 32-bit DLL, and the 64-bit one is needed" "toolkit install"
toolkit damaged
told "with a damaged NVRTC" 3 "nvrtc64_130_0.dll is no DLL, or a damaged one"
toolkit lacking
told "with an NVRTC that lacks functions" 3 "nvrtc64_130_0.dll is not a complete NVRTC"
toolkit alone
told "with an NVRTC without its builtins" 3 "nvrtc-builtins" "toolkit install"
CUDA_PATH=$(unix_path "$(nvrtc_of 12.9)")
export CUDA_PATH
system=$WINEPREFIX/drive_c/windows/system32
cp "$work/toolkits/bits/bin/nvrtc64_130_0.dll" "$system/nvcuda.dll"
try "$cli" devices
told "with an nvcuda.dll of 32 bits" 0 "software:0" "cuda: none: nvcuda.dll: "
cp "$work/lacking.dll" "$system/nvcuda.dll"
try "$cli" devices
told "with an nvcuda.dll that lacks functions" 0 "software:0" "cuda: none: " "nvcuda.dll"
try "$cli" run "$example" # NVRTC 12.9 calls what nvcuda.dll lacks, and its process ends
told "a compiler that this ends is told as such" 3 "the compiler ended unexpectedly" "0xC0000005"
rm "$system/nvcuda.dll"
printf 'another program has this\n' >"$work/locked.npy"
check "another program has an output file open" background output "$work/helper.exe" hold "$(unix_path "$work")\\locked.npy"
try "$cli" run "${example%.warplight}.cu" --grid 4 --block 256 --arg i32=1000 --arg f32=2 \
    --arg "in=random:float32[1000]" --arg "inout=random:float32[1000]" --save 3=locked.npy --out "$(unix_path "$work")"
told "a locked output file is named" 2 "locked.npy"
finish output
check "and is as it was" grep -q 'another program has this' "$work/locked.npy"

printf '\n%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
