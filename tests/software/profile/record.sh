#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Records with Nsight Compute what kernels.cu does, on a machine with a GPU, CUDA's toolkit and ncu:
#     record.sh ARCHITECTURE >ncu.csv        for example record.sh sm_90
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
nvcc -O1 -o "$folder/record" record.cpp -lcuda
ptxas -arch="$1" -lineinfo -o "$folder/kernels.cubin" kernels.ptx
ncu --clock-control none --set full --import-source yes -o "$folder/record" \
    "$folder/record" kernels.cu "$folder/kernels.cubin" >&2
python3 record.py "$folder/record.ncu-rep"
