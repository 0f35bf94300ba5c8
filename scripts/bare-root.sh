# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts/check-package.sh and tests/install/bare-root.sh: makes a bare Debian or Ubuntu root and runs
# commands in it.
# The root uses the package mirror, the name service and the certificates of this machine. Needs root.

host_suite() { # bookworm, trixie; bookworm where this machine is no Debian
    local codename
    codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release 2>/dev/null)
    grep -qs '^ID=debian' /etc/os-release && [ -n "$codename" ] || codename=bookworm
    printf '%s\n' "$codename"
}

# make_bare_root SUITE FOLDER LOG
make_bare_root() {
    local suite=$1 root=$2 log=$3 mirror='' script='' unchecked='' here list
    case $suite in
    # The script "gutsy" of debootstrap makes every release of Ubuntu and knows the mirror. Debian 12 has no link "noble"
    # to it, and no package of Ubuntu's keys.
    noble)
        script=gutsy
        if [ ! -f /usr/share/keyrings/ubuntu-archive-keyring.gpg ]; then
            say "without Ubuntu's keys here the root's first packages are not checked: for trials alone"
            unchecked=--no-check-gpg
        fi
        ;;
    *)
        # Either of the two places may be absent.
        mirror=$({ grep -rhE '^(URIs:|deb )' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null || true; } |
            { grep -oEm1 '(https?|file)://[^ ]+/debian/?( |$)' || true; } | tr -d ' ')
        ;;
    esac
    mkdir -p "$root"
    debootstrap $unchecked --variant=minbase "$suite" "$root" "$mirror" ${script:+"$script"} >"$log" 2>&1 || { tail -n 20 "$log" >&2; return 1; }
    chmod 755 "$root"
    # Ubuntu's images have the updates and the component universe.
    [ -z "$script" ] || sed -i -n "s/^\(deb .*\) $suite main.*/\1 $suite main universe\n\1 $suite-updates main universe/p" "$root/etc/apt/sources.list"
    here=$(host_suite)
    for list in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
        # debootstrap's own list lacks the updates; it stays where this machine has none either.
        if [ -z "$script" ] && [ -s "$list" ] && grep -qE "^(Suites:|deb ).*\b$here\b" "$list"; then
            rm -f "$root/etc/apt/sources.list"
            sed "s/\b$here\b/$suite/g" "$list" >"$root/etc/apt/${list#/etc/apt/}"
        fi
    done
    # How this machine reaches its mirror, but not what packages have put there: theirs come with the packages.
    for list in /etc/apt/apt.conf.d/*; do
        dpkg -S "$list" >/dev/null 2>&1 || cp "$list" "$root/etc/apt/apt.conf.d/"
    done
    [ -f /etc/resolv.conf ] && cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    [ -f /etc/hosts ] && cp /etc/hosts "$root/etc/hosts"
    [ -f /etc/pip.conf ] && cp -L /etc/pip.conf "$root/etc/pip.conf"
    # Certificates that this machine was given beside its distribution's: update-ca-certificates finds them.
    if compgen -G '/usr/local/share/ca-certificates/*.crt' >/dev/null; then
        mkdir -p "$root/usr/local/share/ca-certificates"
        cp -L /usr/local/share/ca-certificates/*.crt "$root/usr/local/share/ca-certificates/"
    fi
}

# The mounts are undone when the namespace of the calling script ends: see in_own_namespace.
mount_in_root() {
    local root=$1
    # A mount point of its own, so that the root can make namespaces itself.
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sysfs "$root/sys"
    mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm" 2>/dev/null || { mkdir -p "$root/dev/shm" && mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"; }
    mkdir -p "$root/dev/pts" && mount -t devpts devpts "$root/dev/pts"
}

remove_root() {
    umount --recursive --lazy "$1" 2>/dev/null || true
    rm -rf --one-file-system "$1"
}

# in_own_namespace "$0" "$@" — starts the script again where its mounts and processes end with it.
in_own_namespace() {
    [ -n "${WARPLIGHT_OWN_NAMESPACE:-}" ] || WARPLIGHT_OWN_NAMESPACE=1 exec unshare --mount --pid --fork --kill-child "$@"
}

# in_root ROOT COMMAND… — with a clean environment; what is in the array root_environment is added.
root_environment=()
in_root() {
    local root=$1
    shift
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "${root_environment[@]}" "$@"
}
