#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the folder of Python libraries that run exported programs in tests, on Debian 12, and prints its name:
#   WARPLIGHT_EXPORT_LIBRARIES=$(scripts/export-libraries.sh) ctest --test-dir build/release -R export_programs
# PyCUDA is Debian's, from contrib. Its package is unpacked, not installed: it asks for a CUDA toolkit and a driver of
# gigabytes. cuda.core comes as NVIDIA's wheels, whose digests are in tests/export/libraries.txt.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/dependencies.sh
python=/usr/bin/python3 # Debian's: PyCUDA is built for it
wheels=$PWD/tests/export/libraries.txt
needed=(python3 python3-pip python3-numpy python3-pytools python3-mako python3-appdirs python3-decorator
    python3-platformdirs libboost-python1.74.0 libboost-thread1.74.0)
digest=$(cat "$wheels" scripts/export-libraries.sh | sha256sum | cut -c 1-16) # what is there is made by this text
folder=${XDG_CACHE_HOME:-$HOME/.cache}/warplight/export-libraries/$digest

make_folder() { # FOLDER
    local made=$1 apt=$1.apt from
    mkdir -p "$made" "$apt"/{sources,lists/partial,archives/partial}
    # The machine's own sources of Debian, but their contrib.
    for from in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -e "$from" ] || continue
        sed -nE 's/^([[:space:]]*deb[[:space:]].*debian.*[[:space:]])main([[:space:]].*)?$/\1contrib/p' "$from" >"$apt/sources/$(basename "$from" .list).list"
    done
    for from in /etc/apt/sources.list.d/*.sources; do
        [ -e "$from" ] || continue
        grep -q '^Components:.*\bmain\b' "$from" && grep -q '^URIs:.*debian' "$from" || continue
        sed -E 's/^Components:.*/Components: contrib/; s/^Types:.*/Types: deb/' "$from" >"$apt/sources/$(basename "$from")"
    done
    local options=(-o "Dir::Etc::SourceList=/dev/null" -o "Dir::Etc::SourceParts=$apt/sources" -o "Dir::State::Lists=$apt/lists"
        -o "Dir::Cache=$apt" -o "APT::Sandbox::User=$(id -un)")
    apt-get "${options[@]}" -qq update
    (cd "$apt" && apt-get "${options[@]}" -qq download python3-pycuda && dpkg -x python3-pycuda_*.deb unpacked)
    cp -r "$apt"/unpacked/usr/lib/python3/dist-packages/. "$made"
    "$python" -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps --only-binary :all: \
        --require-hashes --target "$made" -r "$wheels"
    rm -rf "$apt"
}

[ "$(. /etc/os-release && printf '%s' "${ID:-}${VERSION_ID:-}")" = debian12 ] || {
    say "PyCUDA of contrib and the wheels of tests/export/libraries.txt are for Debian 12."
    say "Elsewhere let WARPLIGHT_EXPORT_PYTHON name a Python that has the libraries (docs/export.md)."
    exit 1
}
if [ ! -d "$folder" ]; then
    install_packages "${needed[@]}"
    say "unpacking PyCUDA and cuda.core into $folder"
    mkdir -p "$(dirname "$folder")"
    made=$(mktemp -d "$folder.XXXXXX")
    trap 'rm -rf "$made" "$made.apt"' EXIT
    make_folder "$made" >&2
    chmod a+rx "$made"
    mv -T "$made" "$folder"
fi
printf '%s\n' "$folder"
