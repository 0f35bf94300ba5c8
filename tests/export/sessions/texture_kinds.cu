// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces of every kind, read at places inside and outside of them.
#define COLUMNS 13

__global__ void texture_kinds(cudaTextureObject_t line, cudaTextureObject_t layers, cudaTextureObject_t cube,
                              cudaTextureObject_t cubes, cudaTextureObject_t volume, cudaTextureObject_t rows,
                              cudaTextureObject_t signs, cudaTextureObject_t bytes, cudaTextureObject_t colours,
                              cudaTextureObject_t corners, cudaTextureObject_t sheets, cudaTextureObject_t table,
                              cudaSurfaceObject_t drawn_line, cudaSurfaceObject_t drawn_layers,
                              cudaSurfaceObject_t drawn_cube, cudaSurfaceObject_t drawn_volume, float* out) {
    const int i = threadIdx.x;
    const float u = i * 0.0725f - 0.45f, v = 0.9f - i * 0.05f, w = i * 0.03f;
    float* at = out + i * COLUMNS;
    at[0] = tex1D<float>(line, u * 7);
    at[1] = tex1DLayered<float>(layers, u, i % 3);
    const float4 face = texCubemap<float4>(cube, u - 0.2f, v, w - 0.3f);
    at[2] = face.x + face.y * 3 - face.w;
    at[3] = texCubemapLayered<float2>(cubes, v - 0.4f, u, 0.4f - w, i & 1).y;
    at[4] = tex3D<float>(volume, u, v, w);
    at[5] = tex2D<float2>(rows, u * 5, v * 6).x;
    at[6] = __int_as_float(tex2D<int>(signs, u * 6, v * 4));
    const uchar4 four = tex2D<uchar4>(bytes, u * 6, v * 4);
    at[7] = four.x + 256 * four.y + 65536 * four.w;
    at[8] = tex2D<float4>(colours, u, v).y;
    const float4 gathered = tex2Dgather<float4>(corners, u * 5 + 1, v * 4, 0);
    at[9] = gathered.x + 2 * gathered.y + 4 * gathered.z + 8 * gathered.w;
    const float4 sampled = tex2DLayered<float4>(sheets, u, v, i % 2);
    at[10] = sampled.x + sampled.w;
    at[11] = tex1Dfetch<int>(table, i);
    at[12] = u;
    if (i < 16) surf1Dwrite((short)(surf1Dread<short>(drawn_line, i * 2) * 3 - i), drawn_line, i * 2);
    if (i < 18) {
        const int layer = i / 6, y = i / 3 % 2, x = i % 3;
        surf2DLayeredwrite(make_float2(i * 0.5f, surf2DLayeredread<float2>(drawn_layers, x * 8, y, layer).x),
                           drawn_layers, x * 8, y, layer);
    }
    if (i < 24) {
        const int layer = i / 4, y = i / 2 % 2, x = i % 2;
        const int before = surfCubemapread<int>(drawn_cube, x * 4, y, layer);
        surfCubemapwrite(before * before - i, drawn_cube, x * 4, y, layer);
    }
    if (i < 24) {
        const int z = i / 12, y = i / 4 % 3, x = i % 4 * 4;
        short2 drawn = surf3Dread<short2>(drawn_volume, x, y, z);
        drawn.x += 1;
        drawn.y = -drawn.x;
        surf3Dwrite(drawn, drawn_volume, x, y, z);
    }
}
