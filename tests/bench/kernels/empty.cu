// SPDX-License-Identifier: Apache-2.0
// For what a launch costs.
extern "C" __global__ void empty() {}
