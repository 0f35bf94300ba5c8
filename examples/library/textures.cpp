// SPDX-License-Identifier: Apache-2.0
// An image as a texture: interpolated between its texels.
#include <warplight/array.hpp>
#include <warplight/context.hpp>
#include <warplight/function.hpp>
#include <warplight/source_module.hpp>
#include <warplight/structured_copy.hpp>
#include <warplight/texture.hpp>

#include <cstdio>
#include <vector>

using namespace warplight::driver;
using warplight::compiler::SourceModule;

int main() {
    const Context context = Device(0).make_context();
    const SourceModule module(R"(
        __global__ void sample(cudaTextureObject_t image, float x, float y, float* out) {
            *out = tex2D<float>(image, x, y);
        })",
                              {.no_extern_c = true});
    const std::vector<float> pixels = {0, 1, 2, 3, 10, 11, 12, 13}; // 4 x 2

    const Array array(ArrayDescriptor{.width = 4, .height = 2, .format = array_format::FLOAT, .num_channels = 1});
    Memcpy2D copy;
    copy.set_src_host(pixels);
    copy.set_dst_array(array);
    copy.src_pitch = copy.width_in_bytes = 4 * sizeof(float);
    copy.height = 2;
    copy();

    const TextureObject image(ResourceDescriptor::array(array), {.filter_mode = filter_mode::LINEAR});
    std::vector<float> value(1);
    module.get_function("sample")(Grid{1}, Block{1}, image, 2.0f, 1.0f, Out(value)); // texel centres lie at .5
    std::printf("%g\n", value[0]);
    return value[0] == 6.5f ? 0 : 1;
}
