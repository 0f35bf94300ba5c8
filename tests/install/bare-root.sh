#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a newcomer does, on a machine with nothing: makes a bare Debian or Ubuntu root, copies the working tree into it
# and runs there ./app/run.sh and ./tests/run.sh (or the commands given), with the time and disk space each took.
#
#   tests/install/bare-root.sh [OPTION…] SUITE [COMMAND…]      SUITE: bookworm (Debian 12),
#                                                              trixie (Debian 13), noble (Ubuntu 24.04)
#     --user           as a user with sudo, instead of as root
#     --ccache FOLDER  with this compiler cache: for repeated trials, not for times; for --user one that all may write
#     --keep FOLDER    makes the root here and leaves it, or uses the one that an earlier trial left
#     --no-git         without the package git
#     --result FOLDER  the folder /result of the root is this one
#
# Needs root, the distribution's mirror and about 8 GB in /var/tmp. The log is build/bare-root-SUITE.log.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source scripts/dependencies.sh
source scripts/bare-root.sh
usage() { sed -n 's/^# \{0,1\}//; 3,16p' "$0" >&2; exit 2; }

user=root ccache='' keep='' result='' git=1 arguments=("$@")
while [ $# != 0 ]; do
    case $1 in
    --user) user=newcomer ;;
    --ccache) ccache=$(realpath "$2") && shift ;;
    --keep) keep=$2 && shift ;;
    --no-git) git='' ;;
    --result) result=$(realpath "$2") && shift ;;
    -*) usage ;;
    *) break ;;
    esac
    shift
done
[ $# != 0 ] || usage
suite=$1
shift
[ $# != 0 ] || set -- ./app/run.sh ./tests/run.sh
[ "$(id -u)" = 0 ] || { say "making a root folder needs root: start this with sudo."; exit 1; }
install_packages debootstrap git
in_own_namespace "$0" "${arguments[@]}"

mkdir -p build
log=$PWD/build/bare-root-$suite.log
root=${keep:-$(mktemp -d /var/tmp/warplight-root.XXXXXX)}
[ -n "$keep" ] || trap 'remove_root "$root"' EXIT
need_space "$(dirname "$root")" 8000 "the trial"
if [ ! -f "$root/etc/os-release" ]; then
    say "making a bare root of $suite in $root"
    make_bare_root "$suite" "$root" "$log.debootstrap"
fi
mount_in_root "$root"

# The prerequisites that README.md names, and no more.
home=/root
in_root "$root" apt-get update -qq
in_root "$root" apt-get install -y -qq --no-install-recommends ${git:+git} >"$log.prerequisites" 2>&1
if [ "$user" != root ]; then
    home=/home/$user
    in_root "$root" apt-get install -y -qq --no-install-recommends sudo >>"$log.prerequisites" 2>&1
    in_root "$root" id "$user" >/dev/null 2>&1 || in_root "$root" useradd --create-home --shell /bin/bash "$user"
    echo "$user ALL=(ALL) NOPASSWD: ALL" >"$root/etc/sudoers.d/$user"
fi
checkout=$home/warplight
rm -rf "${root:?}$checkout"
# A clone, and in it what is changed and not yet committed here.
git clone -q --no-local . "$root$checkout"
git ls-files -coz --exclude-standard | while IFS= read -r -d '' file; do
    if [ -e "$file" ]; then printf '%s\0' "$file"; fi
done | tar -c --null -T - | tar -xC "$root$checkout"
git ls-files -dz | (cd "$root$checkout" && xargs -0r rm -f)
in_root "$root" chown -R "$user:" "$home"

# What pip was told about this machine's network.
while IFS= read -r each; do root_environment+=("$each"); done < <(env | grep -E '^(PIP_(CERT|INDEX_URL|DEFAULT_TIMEOUT)|https?_proxy|no_proxy)=' || true)
if [ -n "$ccache" ]; then
    mkdir -p "$root/ccache"
    mount --bind "$ccache" "$root/ccache"
    root_environment+=(CCACHE_DIR=/ccache CCACHE_UMASK=000)
fi
if [ -n "$result" ]; then
    mkdir -p "$root/result"
    mount --bind "$result" "$root/result"
fi
as_user() { # a login's environment, and not a terminal
    if [ "$user" = root ]; then
        in_root "$root" bash -c 'cd "$1" && shift && exec "$@"' - "$checkout" "$@"
    else
        in_root "$root" setpriv --reuid="$user" --regid="$user" --init-groups \
            env HOME="$home" USER="$user" bash -c 'cd "$1" && shift && exec "$@"' - "$checkout" "$@"
    fi
}

. "$root/etc/os-release"
: >"$log"
{
    echo "$PRETTY_NAME, as $user, $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg), $(git describe --always --dirty)"
    [ -z "$ccache" ] || echo "with a compiler cache: the times are not those of a fresh machine"
} | tee -a "$log"
status=0 summary=()
for command in "$@"; do
    printf '\n$ %s\n' "$command" | tee -a "$log"
    before=$(df -Pm "$root" | awk 'NR == 2 { print $3 }')
    TIMEFORMAT='%R %U %S'
    exec 3>&1
    times=$({ time as_user bash -c "$command" </dev/null 2>&1 | tee -a "$log" >&3; exit "${PIPESTATUS[0]}"; } 2>&1) && result=passed || result=FAILED
    [ "$result" = passed ] || status=1
    after=$(df -Pm "$root" | awk 'NR == 2 { print $3 }')
    read -r real in_user in_system <<<"$(tail -n 1 <<<"$times")"
    summary+=("$(printf '%-24s %s: %.0f s (%.0f s of processor time), %d MB of disk' "$command" "$result" "$real" \
        "$(awk "BEGIN { print $in_user + $in_system }")" $((after - before)))")
done
# A compiler's warning is nothing that a newcomer should meet.
warnings=$(grep -cE '(^|[^-])warning: ' "$log" || true)
[ "$warnings" = 0 ] || status=1
{
    printf '\n'
    printf '%s\n' "${summary[@]}"
    echo "$warnings lines with a warning"
} | tee -a "$log"
exit $status
