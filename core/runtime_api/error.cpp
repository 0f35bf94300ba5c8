// SPDX-License-Identifier: Apache-2.0
// The errors of a thread, and what they are called.
#include "runtime_api/state.hpp"

#include <utility>

namespace warplight::runtime_api {

namespace {

struct Known {
    int number;
    int first; ///< major version that has it
    const char* name;
    const char* text;
};
constexpr Known kErrors[] = {
#define WARPLIGHT_RUNTIME_ERROR(name, number, first, text) {number, first, #name, text},
#include "runtime_api/errors.def"
#undef WARPLIGHT_RUNTIME_ERROR
};
constexpr const char* kUnknown = "unrecognized error code";

const Known* find(int number) {
    for (const Known& known : kErrors)
        if (known.number == number && known.first <= kRuntimeVersion / 1000) return &known;
    return nullptr;
}

} // namespace

WL_RUNTIME(cudaGetLastError, ()) { return std::exchange(thread_state.last_error, cudaSuccess); }
WL_RUNTIME(cudaPeekAtLastError, ()) { return thread_state.last_error; }

extern "C" WL_RUNTIME_API const char* WL_RUNTIME_CALL cudaGetErrorName(int error) {
    const Known* known = find(error);
    return known ? known->name : kUnknown;
}

extern "C" WL_RUNTIME_API const char* WL_RUNTIME_CALL cudaGetErrorString(int error) {
    const Known* known = find(error);
    if (!known) return kUnknown;
    // The driver that runs the program has its own words for the numbers that both have.
    const char* text = nullptr;
    if (const Functions* f = ready_functions.load(std::memory_order_acquire);
        f && f->fn_cuGetErrorString(static_cast<CUresult>(error), &text) == CUDA_SUCCESS && text)
        return text;
    return known->text;
}

} // namespace warplight::runtime_api
