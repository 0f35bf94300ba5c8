// SPDX-License-Identifier: Apache-2.0
// Turns and enlarges an image around its middle, one thread a pixel of the result. Most pixels lie between pixels of
// the image: there the texture unit takes a weighted mean of four. Outside of the image it reads mirrored pixels.
extern "C" __global__ void rotate(cudaTextureObject_t image, uchar4* out, int width, int height, float angle,
                                  float zoom) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;

    // From the middle, in heights of the image. Pixels have their centres at halves.
    float dx = (x + 0.5f - width * 0.5f) / height / zoom;
    float dy = (y + 0.5f - height * 0.5f) / height / zoom;
    float u = cosf(angle) * dx + sinf(angle) * dy;
    float v = cosf(angle) * dy - sinf(angle) * dx;

    // Coordinates from 0 to 1, and colours from 0 to 1.
    float4 colour = tex2D<float4>(image, 0.5f + u * height / width, 0.5f + v);
    out[y * width + x] = make_uchar4(colour.x * 255 + 0.5f, colour.y * 255 + 0.5f, colour.z * 255 + 0.5f, 255);
}
