// SPDX-License-Identifier: Apache-2.0
// One of each that a program makes: a texture of an array with layers, one of linear memory, and a surface.
__global__ void textures(cudaTextureObject_t layers, cudaTextureObject_t line, cudaSurfaceObject_t volume,
                         float2* out, int width, int height) {
    const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    const int i = (z * height + y) * width + x;
    const float4 sampled = tex2DLayered<float4>(layers, (x - 0.75f) / width, (y + 0.25f) / height, z);
    out[i] = make_float2(sampled.x + sampled.w, tex1Dfetch<int>(line, i));
    short2 drawn = surf3Dread<short2>(volume, x * 4, y, z);
    drawn.x += 1;
    drawn.y = -drawn.x;
    surf3Dwrite(drawn, volume, x * 4, y, z);
}
