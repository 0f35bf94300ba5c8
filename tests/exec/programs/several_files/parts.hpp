// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __CUDACC__
extern __device__ int table[3];
__device__ int shifted(int value);
#endif
void set_table(int a, int b, int c);
void add_in_place(int* device, int n, int what);
int host_shifted(int value);
