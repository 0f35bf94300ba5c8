#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds and runs every check. The steps can be chosen:
#   tests/run.sh [style] [release] [tidy] [sanitize] [thread] [fuzz] [package]
# Without a choice: all of them but thread.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/dependencies.sh
install_dependencies "${build_packages[@]}" "${test_packages[@]}"

export CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-4G}
export CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-2}
# Caches of the tests' own: nothing of an earlier run can make a check pass.
WARPLIGHT_CACHE_DIR=$(mktemp -d)
export WARPLIGHT_CACHE_DIR
trap 'rm -rf "$WARPLIGHT_CACHE_DIR"' EXIT

steps=("$@")
[ ${#steps[@]} != 0 ] || steps=(style release tidy sanitize fuzz package)
passed=0 failed=0 released=

step() {
    local name=$1 start=$SECONDS
    shift
    printf '\n== %s\n' "$name"
    if "$@"; then
        passed=$((passed + 1))
        printf -- '-- %s: passed in %d s\n' "$name" $((SECONDS - start))
    else
        failed=$((failed + 1))
        printf -- '-- %s: FAILED after %d s\n' "$name" $((SECONDS - start))
    fi
}

configure() { [ -f "build/$1/build.ninja" ] || cmake --preset "$1" >/dev/null; }
build() { configure "$1" && cmake --build --preset "$1" "${@:2}" -- --quiet; }
run_tests() { ctest --test-dir "build/$1" --output-on-failure --no-tests=error "${@:2}"; }

for each in "${steps[@]}"; do
    case $each in
    style) step "style: formatting, licences, desktop files" scripts/check-style.sh ;;
    release)
        step "release: build" build release
        released=1
        rm -rf build/release/tests/results/*.xml
        step "release: tests" run_tests release
        step "release: every entry of the device interface has its test" tests/device_interface/table.py --check
        ;;
    tidy) # the build writes headers that sources include
        install_dependencies "${tidy_packages[@]}"
        [ -n "$released" ] || step "release: build" build release
        released=1
        step "style: clang-tidy" scripts/check-tidy.py build/release
        ;;
    sanitize)
        step "address and undefined behaviour sanitizers: build" build sanitize
        step "address and undefined behaviour sanitizers: tests" run_tests sanitize
        ;;
    thread)
        step "thread sanitizer: build" build thread
        step "thread sanitizer: tests" run_tests thread -L '^threads$'
        ;;
    fuzz)
        step "fuzz: build" build sanitize --target fuzzers
        step "fuzz: short run" scripts/fuzz.sh build/sanitize 15
        ;;
    package) step "package: install into a bare root and run" scripts/check-package.sh build/release ;;
    *)
        echo "unknown step: $each (style, release, tidy, sanitize, thread, fuzz, package)" >&2
        exit 2
        ;;
    esac
done

printf '\n%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
