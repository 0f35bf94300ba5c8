// SPDX-License-Identifier: Apache-2.0
// Who owns what, and how long it lives.
#include <warplight/context.hpp>
#include <warplight/error.hpp>
#include <warplight/function.hpp>
#include <warplight/memory.hpp>
#include <warplight/source_module.hpp>

#include <utility>
#include <vector>

using namespace warplight::driver;
using warplight::NdArray;
using warplight::compiler::SourceModule;

namespace {

/// The function keeps its module loaded, and the module its context.
Function make_doubler() {
    const SourceModule module("__global__ void doubled(float* x) { x[threadIdx.x] *= 2; }");
    return module.get_function("doubled");
}

struct Solver {
    DeviceAllocation state = mem_alloc(4 * sizeof(float)); // freed with the solver
    Function step = make_doubler();
};

} // namespace

int main() {
    const Context context = Device(0).make_context();
    const ContextScope current(context);

    Solver first;
    memcpy_htod(first.state, std::vector<float>{1, 2, 3, 4});
    Solver second = std::move(first); // the memory has one owner: now it is `second`
    second.step(Grid{1}, Block{4}, second.state);
    bool refused = false;
    try {
        first.step(Grid{1}, Block{4}, first.state); // names the parameter
    } catch (const LogicError&) {
        refused = true;
    }

    // An NdArray is a view that shares its elements; copy() makes new ones.
    const NdArray all = from_device(second.state, {4}, warplight::DType::float32());
    const NdArray half = all.slice(0, 2, 2);
    half.set_item(0, 60);
    return refused && all.item(2) == 60.0 && all.item(3) == 8.0 ? 0 : 1;
}
