// SPDX-License-Identifier: Apache-2.0
// Seven points in three dimensions: a thread goes along z, with the planes before and after in registers.
// The extents are multiples of the blocks of 32 x 8 threads; the rim stays as it is.
extern "C" __global__ void stencil(int nx, int ny, int nz, float centre, float side, const float* in, float* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || x == nx - 1 || y == 0 || y == ny - 1) return;
    const int plane = nx * ny;
    int i = y * nx + x;
    float before = in[i], here = in[i + plane];
    for (int z = 1; z < nz - 1; ++z) {
        i += plane;
        const float after = in[i + plane];
        out[i] = centre * here + side * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + before + after);
        before = here;
        here = after;
    }
}
