// SPDX-License-Identifier: Apache-2.0
// A program that knows the installed library only.
#include <warplight/compiler.hpp>
#include <warplight/context.hpp>
#include <warplight/function.hpp>
#include <warplight/memory.hpp>
#include <warplight/module.hpp>
#include <warplight/version.hpp>

#include <cstdio>
#include <string_view>
#include <vector>

constexpr std::string_view kKernel = R"(
.version 6.5
.target sm_75
.address_size 64
.visible .entry scale(.param .u64 data, .param .f32 factor)
{
    .reg .b32 %r<2>;
    .reg .f32 %f<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd0, [data];
    ld.param.f32 %f0, [factor];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %rd1, %r0, 4;
    add.s64 %rd2, %rd0, %rd1;
    ld.global.f32 %f1, [%rd2];
    mul.f32 %f2, %f1, %f0;
    st.global.f32 [%rd2], %f2;
    ret;
}
)";

int main() {
    using namespace warplight::driver;
    std::printf("warplight %s from %s\n", std::string(warplight::version()).c_str(),
                Driver::software().library().c_str());
    const Context context = Device(0, Driver::software()).make_context();
    std::vector<float> values = {1, 2, 3, 4};
    module_from_buffer(kKernel).get_function("scale")({.grid = {1}, .block = {4}}, InOut(values), 12.0f);
    for (const float value : values)
        std::printf("%g ", value);
    // The compiler's half of the library is linked, too, with NVRTC or without.
    std::printf("\nNVRTC %d\n", warplight::compiler::compiler_info(warplight::compiler::Backend::nvrtc).found ? 1 : 0);
    Context::pop();
    return 0;
}
