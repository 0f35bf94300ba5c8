#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the packages, installs the .deb into a bare Debian 12 root and unpacks the .tar.gz there;
# starts the programs and runs an example from each. check-package.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/dependencies.sh
build=$(realpath "$1")

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
    share/warplight/examples/saxpy/saxpy.warplight; do
    grep -q "\./usr/$file" <<<"$contents" || { echo "the .deb lacks /usr/$file" >&2; exit 1; }
done

if [ "$(id -u)" != 0 ]; then
    echo "making a bare root needs root: only the contents of the packages were checked" >&2
    exit 1
fi
missing=$(missing_packages debootstrap)
[ -z "$missing" ] || apt_install debootstrap
# Either of the two places may be absent.
mirror=$({ grep -rhE '^(URIs:|deb )' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null || true; } |
    { grep -oEm1 '(https?|file)://[^ ]+/debian/?( |$)' || true; } | tr -d ' ')
root=$(mktemp -d /var/tmp/warplight-root.XXXXXX)
trap 'rm -rf --one-file-system "$root"' EXIT
debootstrap --variant=minbase bookworm "$root" ${mirror:+"$mirror"} >"$build/debootstrap.log" 2>&1 ||
    { tail -n 20 "$build/debootstrap.log"; exit 1; }
# The root talks to the same mirror in the same way as this machine.
rm -f "$root/etc/apt/sources.list"
cp /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
chmod 755 "$root"
[ -f /etc/resolv.conf ] && cp -L /etc/resolv.conf "$root/etc/resolv.conf"
[ -f /etc/hosts ] && cp /etc/hosts "$root/etc/hosts"
for list in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
    [ -s "$list" ] && cp "$list" "$root/etc/apt/${list#/etc/apt/}"
done
mkdir -p "$root/opt/packages"
cp "$deb" "$archive" "$root/opt/packages/"
in_root() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR=/tmp "$@"; }
mount -t proc proc "$root/proc" 2>/dev/null && trap 'umount "$root/proc"; rm -rf --one-file-system "$root"' EXIT
in_root apt-get update -qq
in_root apt-get install -y -qq --no-install-recommends "/opt/packages/$(basename "$deb")" >"$build/install.log" 2>&1 ||
    { tail -n 20 "$build/install.log"; exit 1; }

echo "-- the .deb in a bare root"
in_root warplight-cli --version
in_root warplight --version
# Without NVRTC: a clear word, no crash, and what was compiled elsewhere runs.
set +e
without=$(in_root warplight-cli run /usr/share/warplight/examples/saxpy/saxpy.warplight 2>&1)
code=$?
set -e
if [ $code = 0 ] || ! grep -qi nvrtc <<<"$without"; then
    echo "without NVRTC, the error ($code) does not say so: $without" >&2
    exit 1
fi
# With NVRTC, copied from this machine to where the loader of the root looks.
library=$(nvrtc_library)
folder=$(dirname "$(realpath "$library")")
mkdir -p "$root/usr/local/cuda/lib64" "$root/usr/local/cuda/include"
cp -L "$folder"/libnvrtc.so* "$folder"/libnvrtc-builtins.so* "$root/usr/local/cuda/lib64/"
cp -rL "$(cuda_headers)/." "$root/usr/local/cuda/include/"
in_root warplight-cli devices
in_root warplight-cli run /usr/share/warplight/examples/saxpy/saxpy.warplight
names='test -e "${LD_LIBRARY_PATH%%:*}/libcuda.so.1" && test -x "${PATH%%:*}/nvcc"'
in_root warplight-cli exec -- sh -c "$names"
in_root warplight --screenshot /tmp/window.png --run /usr/share/warplight/examples/saxpy/saxpy.warplight
in_root test -s /tmp/window.png

echo "-- the archive, unpacked where it likes"
in_root tar -C /opt -xzf "/opt/packages/$(basename "$archive")"
unpacked=/opt/$(basename "$archive" .tar.gz)
in_root mv "$unpacked" "/opt/warp light"
# Its libraries come from the .deb's dependencies; its own parts must come from its own folder.
in_root apt-get purge -y -qq warplight >/dev/null
in_root "/opt/warp light/bin/warplight-cli" run "/opt/warp light/share/warplight/examples/saxpy/saxpy.warplight"
in_root "/opt/warp light/bin/warplight-cli" exec -- sh -c "$names"
in_root "/opt/warp light/bin/warplight" --screenshot /tmp/window2.png --run "/opt/warp light/share/warplight/examples/saxpy/saxpy.warplight"
in_root test -s /tmp/window2.png
