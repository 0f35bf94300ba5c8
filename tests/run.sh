#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds, and runs checks: tests/run.sh [all | STEP…] [--without STEP]… [--joined]
#   release   build and tests (what runs without an argument)
#   style     formatting, licences, files that other programs validate
#   bench     build of the benchmark programs
#   tidy      clang-tidy over core, ui and app
#   sanitize  the tests of the core with address and undefined behaviour sanitizers
#   fuzz      a short run of each fuzz target
#   package   the packages, installed into a bare Debian root
#   windows   build for Windows with mingw-w64, the tests and the packages under Wine; it fails without the libraries
#             that scripts/windows-dependencies.sh makes
#   thread    the tests that have threads with the thread sanitizer
# all: each of them but thread.
# --joined compiles the files of a library eight at once, as most presets do, for the preset release as well: less time
# where nothing is cached. It has no effect on a build that is there already.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/dependencies.sh

# In the order that uses what was built before.
everything=(style release bench tidy sanitize fuzz package windows)
asked=() without=() joined=''
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        sed -n 's/^# \{0,1\}//; 3,16p' "$0"
        exit 0
        ;;
    --joined) joined=1 ;;
    --without)
        without+=("${2:?--without needs a step}")
        shift
        ;;
    all) asked+=("${everything[@]}") ;;
    *) asked+=("$1") ;;
    esac
    shift
done
[ ${#asked[@]} -gt 0 ] || asked=(release)
for each in "${asked[@]}" "${without[@]}"; do
    case " ${everything[*]} thread " in
    *" $each "*) ;;
    *)
        echo "unknown step: $each (all, ${everything[*]}, thread)" >&2
        exit 2
        ;;
    esac
done
steps=()
for each in "${asked[@]}"; do
    case " ${without[*]} " in
    *" $each "*) say "left out as told: $each" ;;
    *) steps+=("$each") ;;
    esac
done

# With nothing cached on two cores; docs/contributing.md tells where the time goes.
minutes() {
    case $1 in
    style) echo 1 ;; release) echo 28 ;; bench) echo 1 ;; tidy) echo 7 ;; sanitize) echo 16 ;; fuzz) echo 2 ;;
    package) echo 3 ;; thread) echo 15 ;; windows) echo 26 ;;
    esac
}
megabytes() { # in build/ and the cache of the compiler
    case $1 in release | windows) echo 1500 ;; sanitize | thread) echo 3000 ;; tidy | fuzz) echo 500 ;; *) echo 100 ;; esac
}
time_needed=0 space_needed=0
for each in "${steps[@]}"; do
    time_needed=$((time_needed + $(minutes "$each")))
    space_needed=$((space_needed + $(megabytes "$each")))
done
say "steps: ${steps[*]}. With nothing cached about $time_needed minutes on two cores,"
say "$space_needed MB for what is built and, where no package is installed yet, up to 2500 MB for packages."
[ -d build ] || need_space . "$space_needed" "the build"

export CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-4G}
# One more than there are processors: programs that are tested wait for others, for the disk and for time to pass.
export CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$(($(nproc) + 1))}
passed=0 failed=0 released='' timings=() failures=()

# What a step that failed said last is told again at the end, where it is looked for; on a terminal one scrolls.
step() {
    local name=$1 start=$SECONDS result=passed said=''
    shift
    printf '\n== %s\n' "$name"
    if [ -t 1 ]; then
        "$@" || result=FAILED
    else # not a pipe: the step's variables must stay
        said=$(mktemp)
        "$@" > >(tee "$said") 2>&1 || result=FAILED
        wait "$!" || true
    fi
    if [ $result = passed ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        [ -z "$said" ] || failures+=("-- $name said last:"$'\n'"$(tail -n 15 "$said" | cut -c 1-300)")
    fi
    rm -f "$said"
    timings+=("$(printf '%-8s %12s  %s' "$result" "$(duration $((SECONDS - start)))" "$name")")
    printf -- '-- %s: %s after %s\n' "$name" "$result" "$(duration $((SECONDS - start)))"
}

install_everything() {
    local packages=("${build_packages[@]}") each
    for each in "${steps[@]}"; do
        case $each in
        style) packages+=("${style_packages[@]}") ;;
        release) packages+=("${test_packages[@]}") ;;
        tidy) packages+=("${tidy_packages[@]}") ;;
        sanitize | fuzz | thread) packages+=("${test_packages[@]}" "${sanitizer_packages[@]}") ;;
        package) packages+=("${package_packages[@]}") ;;
        windows) packages+=("${windows_packages[@]}") ;;
        esac
    done
    install_packages "${packages[@]}" && install_cuda || return
    case " ${steps[*]} " in *" release "*) WARPLIGHT_EXPORT_LIBRARIES=$(scripts/export-libraries.sh) || return ;; esac
    export WARPLIGHT_EXPORT_LIBRARIES
}

build_once() { # what several steps need
    [ -z "$released" ] || return 0
    [ -z "$joined" ] || configure_options=(-DWARPLIGHT_JOIN_SOURCES=ON)
    step "release: build" build release
    configure_options=() released=1
}

run_tests() { ctest --test-dir "build/$1" --output-on-failure --no-tests=error "${@:2}"; }

step "what is needed is installed" install_everything
# Caches of the tests' own: nothing of an earlier run can make a check pass.
WARPLIGHT_CACHE_DIR=$(mktemp -d)
export WARPLIGHT_CACHE_DIR
trap 'rm -rf "$WARPLIGHT_CACHE_DIR"' EXIT

# Without its packages no other step could do its work.
[ "$failed" = 0 ] || steps=()
for each in "${steps[@]}"; do
    case $each in
    style) step "style: formatting, licences, desktop files" scripts/check-style.sh ;;
    release)
        build_once
        rm -rf build/release/tests/results/*.xml
        step "release: tests" run_tests release
        step "release: every entry of the device interface has its test" tests/device_interface/table.py --check
        ;;
    bench) step "benchmarks: build" build release --target benchmarks ;;
    tidy)
        step "clang-tidy: what moc writes" build tidy
        step "clang-tidy" scripts/check-tidy.py build/tidy
        ;;
    sanitize)
        step "address and undefined behaviour sanitizers: build" build sanitize
        step "address and undefined behaviour sanitizers: tests" run_tests sanitize
        ;;
    thread)
        step "thread sanitizer: build" build thread
        step "thread sanitizer: tests" run_tests thread -L '^threads$'
        ;;
    windows)
        before=$failed
        step "windows: the libraries are there (--without windows leaves the step out)" \
            scripts/windows-dependencies.sh --check
        [ "$failed" = "$before" ] || continue
        step "windows: build" build windows
        step "windows: tests under Wine" tests/windows/run.sh build/windows
        step "windows: the installer and the ZIP under Wine" scripts/check-windows-package.sh build/windows
        ;;
    fuzz)
        step "fuzz: build" build sanitize --target fuzzers
        step "fuzz: short run" scripts/fuzz.sh build/sanitize 15 1 # the same way each time
        ;;
    package)
        [ -n "$released" ] || step "packages: build" build release --target packaged
        step "packages: install into a bare root and run" scripts/check-package.sh build/release
        ;;
    esac
done

printf '\n'
printf '%s\n' "${timings[@]}"
[ ${#failures[@]} = 0 ] || printf '\n%s\n' "${failures[@]}"
printf '\n%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
