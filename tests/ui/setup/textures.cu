// SPDX-License-Identifier: Apache-2.0
// A volume with a border, a line of plain memory, and rows that are written as a surface.
extern "C" __global__ void textures(cudaTextureObject_t volume, cudaTextureObject_t line, cudaSurfaceObject_t out)
{
    int x = threadIdx.x;
    float inside = tex3D<float>(volume, x + 0.5f, 1.5f, 0.5f);
    float outside = tex3D<float>(volume, x + 0.5f, 1.5f, 2.5f);
    surf2Dwrite(inside + outside + tex1Dfetch<float>(line, x), out, x * 4, 0);
}
