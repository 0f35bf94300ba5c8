// SPDX-License-Identifier: Apache-2.0
// Copies in two and three dimensions, of arrays and pitched memory, and fills.
#include "program.hpp"

#include <cstring>

__global__ void add_one(cudaPitchedPtr box, cudaExtent extent) {
    char* const slices = static_cast<char*>(box.ptr);
    for (size_t z = 0; z < extent.depth; ++z)
        for (size_t y = threadIdx.y; y < extent.height; y += blockDim.y)
            for (size_t x = threadIdx.x; x < extent.width / sizeof(int); x += blockDim.x)
                reinterpret_cast<int*>(slices + (z * box.ysize + y) * box.pitch)[x] += 1;
}

int main() {
    const size_t width = 20, height = 7, depth = 5;
    const auto values = random_ints(width * height * depth, 0, 1000);
    const cudaExtent extent = make_cudaExtent(width * sizeof(int), height, depth);
    cudaPitchedPtr box;
    CHECK(cudaMalloc3D(&box, extent));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(const_cast<int*>(values.data()), width * sizeof(int), width, height);
    copy.dstPtr = box;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    add_one<<<1, dim3(8, 4)>>>(box, extent);
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth)));
    copy = {};
    copy.srcPtr = box;
    copy.dstArray = array;
    copy.extent = make_cudaExtent(width, height, depth); // elements, as an array takes part
    copy.kind = cudaMemcpyDeviceToDevice;
    CHECK(cudaMemcpy3D(&copy));
    // The inner part comes back.
    std::vector<int> part((width - 4) * (height - 2) * (depth - 2));
    copy = {};
    copy.srcArray = array;
    copy.srcPos = make_cudaPos(2, 1, 1);
    copy.dstPtr = make_cudaPitchedPtr(part.data(), (width - 4) * sizeof(int), width - 4, height - 2);
    copy.extent = make_cudaExtent(width - 4, height - 2, depth - 2);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    bool good = true;
    for (size_t z = 0, i = 0; z < depth - 2; ++z)
        for (size_t y = 0; y < height - 2; ++y)
            for (size_t x = 0; x < width - 4; ++x)
                good &= part[i++] == values[((z + 1) * height + y + 1) * width + x + 2] + 1;
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(box.ptr));

    char* rows = nullptr;
    size_t pitch = 0;
    CHECK(cudaMallocPitch(&rows, &pitch, 100, 30));
    CHECK(cudaMemset2D(rows, pitch, 'a', 100, 30));
    CHECK(cudaMemset2DAsync(rows + 10, pitch, 'b', 50, 20, 0));
    std::vector<char> text(100 * 30);
    CHECK(cudaMemcpy2DAsync(text.data(), 100, rows, pitch, 100, 30, cudaMemcpyDeviceToHost, 0));
    CHECK(cudaStreamSynchronize(0));
    for (int y = 0; y < 30; ++y)
        for (int x = 0; x < 100; ++x)
            good &= text[y * 100 + x] == (y < 20 && x >= 10 && x < 60 ? 'b' : 'a');
    CHECK(cudaFree(rows));
    return verdict(good && pitch >= 100);
}
