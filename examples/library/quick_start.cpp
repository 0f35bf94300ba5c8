// SPDX-License-Identifier: Apache-2.0
// y = a * x + y on the first device: a GPU where there is one, else the software device.
#include <warplight/context.hpp>
#include <warplight/function.hpp>
#include <warplight/source_module.hpp>

#include <cstdio>
#include <vector>

using namespace warplight::driver;
using warplight::compiler::SourceModule;

int main() {
    const Context context = Device(0).make_context();
    std::printf("%s\n", context.get_device().name().c_str());

    const SourceModule module(R"(
        __global__ void saxpy(int n, float a, const float* x, float* y) {
            const int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) y[i] = a * x[i] + y[i];
        })");
    const Function saxpy = module.get_function("saxpy");

    const std::vector<float> x(1000, 1.0f);
    std::vector<float> y(1000, 0.5f);
    saxpy(Grid{4}, Block{256}, x.size(), 2.0f, In(x), InOut(y)); // copies, runs, waits, copies back

    std::printf("y[999] is %g\n", y[999]);
    return y[999] == 2.5f ? 0 : 1;
}
