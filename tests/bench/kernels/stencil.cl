// SPDX-License-Identifier: Apache-2.0
kernel void stencil(int nx, int ny, int nz, float centre, float side, global const float* in, global float* out) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
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
