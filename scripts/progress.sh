# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts that people start: what they do, how far they are, how long it took, what disk space they need.

say() { printf '%s\n' "warplight: $*" >&2; }

duration() { # 75 → 1 min 15 s
    if [ "$1" -lt 60 ]; then printf '%d s' "$1"; else printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); fi
}

# need_space FOLDER MEGABYTES WHAT — fails, with a word about it, where the file system has less.
need_space() {
    local free
    free=$(df -Pm "$1" | awk 'NR == 2 { print $4 }')
    if [ "${free:-0}" -lt "$2" ]; then
        say "$3 needs about $2 MB of disk space in $(realpath "$1"), where $free MB are free."
        return 1
    fi
}

# Of a build's output that is no terminal: a line now and then about how far it is, and whatever is no such line.
sparse_progress() {
    local line rest='' done=0 all=0 code start=$SECONDS shown=$SECONDS
    while :; do
        code=0
        IFS= read -r -t 15 line || code=$?
        line=$rest$line rest=''
        if [ $code -gt 128 ]; then # nothing for 15 s
            rest=$line line=''
        elif [ $code != 0 ] && [ -z "$line" ]; then
            return
        elif [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
            done=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
        elif [ "$line" != "ninja: no work to do." ]; then
            printf '%s\n' "$line"
        fi
        if [ $((SECONDS - shown)) -ge 15 ] && [ "$all" != 0 ]; then
            shown=$SECONDS
            printf '   %d of %d steps after %s\n' "$done" "$all" "$(duration $((SECONDS - start)))"
        fi
    done
}

configure_options=() # of cmake, besides the preset
configure() {
    local log="build/$1/configure.log"
    if [ -f "build/$1/build.ninja" ]; then
        # What was installed since is looked for again.
        [ -n "${packages_changed:-}" ] || return 0
    else
        mkdir -p "build/$1"
        rm -f "build/$1/CMakeCache.txt" # a failed attempt may have left it
    fi
    cmake --preset "$1" "${configure_options[@]}" >"$log" 2>&1 || { cat "$log"; return 1; }
}

# build PRESET [--target NAME…] — ninja's own line on a terminal, one a few times a minute elsewhere.
build() {
    configure "$1" || return
    if [ -t 1 ]; then
        NINJA_STATUS='[%f/%t, %e s] ' cmake --build --preset "$@"
    else
        NINJA_STATUS='[%f/%t] ' cmake --build --preset "$@" 2>&1 | sparse_progress
    fi
}
