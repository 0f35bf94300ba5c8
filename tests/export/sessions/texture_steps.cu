// SPDX-License-Identifier: Apache-2.0
// Steps of which one draws what the next one samples.
__global__ void blend(cudaTextureObject_t from, cudaSurfaceObject_t to, int width, int height, float part) {
    const int x = threadIdx.x, y = blockIdx.x;
    if (x >= width || y >= height) return;
    const float mean = tex2D<float>(from, (x + 1.25f) / width, (y + 0.75f) / height);
    surf2Dwrite(mean * part, to, x * 4, y);
}

__global__ void count(int* line, cudaTextureObject_t volume, float* sums) {
    const int i = threadIdx.x;
    line[i] = line[i] * 2 + 1;
    sums[i] += tex3D<float>(volume, i % 4 + 0.5f, i / 4 % 2, 1);
}

__global__ void look_up(cudaTextureObject_t line, cudaSurfaceObject_t ticks, float* sums) {
    const int i = threadIdx.x;
    sums[i] += tex1Dfetch<int>(line, 15 - i);
    surf1Dwrite((unsigned char)(surf1Dread<unsigned char>(ticks, i) + 3), ticks, i);
}
