// SPDX-License-Identifier: Apache-2.0
// Exercise: SAXPY for any number of elements. The notes tell the task.

extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
    // Write the kernel here: y[i] = a * x[i] + y[i] for each i below n.
}
