#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The nvcc that programs find below `warplight-cli exec`: the real one, which writes PTX where it is asked for CUBIN, as
# the software device runs PTX alone. All else is passed on.
found=
old_ifs=$IFS
IFS=:
for folder in $PATH; do
    [ -x "$folder/nvcc" ] && ! [ "$folder/nvcc" -ef "$0" ] && found=$folder/nvcc && break
done
IFS=$old_ifs
if [ -z "$found" ]; then
    echo "warplight: there is no nvcc in PATH" >&2
    exit 127
fi

cubin= output= source= next=
for argument in "$@"; do
    case $argument in
    -cubin | --cubin) cubin=yes ;;
    -o | -o=* | --output-file | --output-file=*) output=yes ;;
    *.cu) [ -n "$source" ] && output=yes || source=$argument ;;
    --version | -V)
        "$found" "$@" || exit
        # Programs that keep what nvcc made keep it by its version.
        echo "PTX in place of CUBIN, for Warplight's software device"
        exit 0
        ;;
    esac
done
[ -n "$cubin" ] || exec "$found" "$@"

# The arguments once more: PTX, for a virtual architecture, under the name that CUBIN would have.
for argument in "$@"; do
    shift
    if [ -n "$next" ]; then
        next=
        continue
    fi
    case $argument in
    -cubin | --cubin) set -- "$@" --ptx ;;
    -code | --gpu-code) next=skip ;;
    -code=* | --gpu-code=*) ;;
    *) set -- "$@" "$argument" ;;
    esac
done
if [ -z "$output" ] && [ -n "$source" ]; then
    name=${source##*/}
    set -- "$@" -o "${name%.cu}.cubin"
fi
exec "$found" "$@"
