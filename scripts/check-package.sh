#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the packages, installs the .deb into a bare root of this Debian release and unpacks the .tar.gz there;
# starts the programs and runs an example from each. check-package.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/dependencies.sh
source scripts/bare-root.sh
build=$(realpath "$1")
if [ -n "${2:-}" ]; then # started again as root, with the packages made
    deb=$2 archive=$3
else
    (cd "$build" && cpack -G "DEB;TGZ" >cpack.log 2>&1) || { cat "$build/cpack.log"; exit 1; }
    deb=$(ls -t "$build"/warplight_*.deb | head -n 1)
    archive=$(ls -t "$build"/warplight-*.tar.gz | head -n 1)
    dpkg-deb --info "$deb" | sed -n 's/^ \(Package\|Version\|Depends\|Installed-Size\)/\1/p'
    contents=$(dpkg-deb --contents "$deb")
    for file in bin/warplight bin/warplight-cli lib/warplight/libwarplight-cuda.so \
        lib/warplight/exec/libcuda.so.1 lib/warplight/exec/bin/nvcc \
        share/applications/org.warplight.Warplight.desktop share/metainfo/org.warplight.Warplight.metainfo.xml \
        share/mime/packages/org.warplight.Warplight.mime.xml \
        share/icons/hicolor/scalable/apps/org.warplight.Warplight.svg share/man/man1/warplight-cli.1 \
        share/warplight/examples/saxpy/saxpy.warplight share/warplight/install_toolkit.py; do
        grep -q "\./usr/$file" <<<"$contents" || { echo "the .deb lacks /usr/$file" >&2; exit 1; }
    done
    # Making a root folder needs root; the packages do not.
    as_root env CUDA_PATH="${CUDA_PATH:-}" CUDA_HOME="${CUDA_HOME:-}" "$0" "$build" "$deb" "$archive"
    exit
fi

in_own_namespace "$0" "$@"
root=$(mktemp -d /var/tmp/warplight-root.XXXXXX)
trap 'remove_root "$root"' EXIT
suite=$(host_suite)
make_bare_root "$suite" "$root" "$build/debootstrap.log"
mkdir -p "$root/opt/packages"
cp "$deb" "$archive" "$root/opt/packages/"
mount_in_root "$root"
root_environment=(QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR=/tmp)
here() { in_root "$root" "$@"; }
here apt-get update -qq
here apt-get install -y -qq --no-install-recommends "/opt/packages/$(basename "$deb")" >"$build/install.log" 2>&1 ||
    { tail -n 20 "$build/install.log"; exit 1; }

echo "-- the .deb in a bare root"
here warplight-cli --version
here warplight --version
# Without NVRTC: a clear word, no crash, and what was compiled elsewhere runs.
set +e
without=$(here warplight-cli run /usr/share/warplight/examples/saxpy/saxpy.warplight 2>&1)
code=$?
set -e
if [ $code = 0 ] || ! grep -qi nvrtc <<<"$without"; then
    echo "without NVRTC, the error ($code) does not say so: $without" >&2
    exit 1
fi
# The way to get it works as installed: it tells the sizes, or that the root lacks Python.
offer=$(here warplight-cli toolkit install --dry-run 2>&1) || true
grep -qE "^Download: about [0-9]+ MB|^error: Python 3 is missing" <<<"$offer" ||
    { echo "toolkit install --dry-run says: $offer" >&2; exit 1; }
# With NVRTC, copied from this machine to where the loader of the root looks.
library=$(nvrtc_library)
folder=$(dirname "$(realpath "$library")")
mkdir -p "$root/usr/local/cuda/lib64" "$root/usr/local/cuda/include"
cp -L "$folder"/libnvrtc.so* "$folder"/libnvrtc-builtins.so* "$root/usr/local/cuda/lib64/"
cp -rL "$(cuda_headers)/." "$root/usr/local/cuda/include/"
here warplight-cli devices
here warplight-cli run /usr/share/warplight/examples/saxpy/saxpy.warplight
names='test -e "${LD_LIBRARY_PATH%%:*}/libcuda.so.1" && test -x "${PATH%%:*}/nvcc"'
here warplight-cli exec -- sh -c "$names"
here warplight --screenshot /tmp/window.png --run /usr/share/warplight/examples/saxpy/saxpy.warplight
here test -s /tmp/window.png

echo "-- the archive, unpacked where it likes"
here tar -C /opt -xzf "/opt/packages/$(basename "$archive")"
unpacked=/opt/$(basename "$archive" .tar.gz)
here mv "$unpacked" "/opt/warp light"
# Its libraries come from the .deb's dependencies; its own parts must come from its own folder.
here apt-get purge -y -qq warplight >/dev/null
here "/opt/warp light/bin/warplight-cli" run "/opt/warp light/share/warplight/examples/saxpy/saxpy.warplight"
here "/opt/warp light/bin/warplight-cli" exec -- sh -c "$names"
here "/opt/warp light/bin/warplight" --screenshot /tmp/window2.png --run "/opt/warp light/share/warplight/examples/saxpy/saxpy.warplight"
here test -s /tmp/window2.png
