// SPDX-License-Identifier: Apache-2.0
#include "failure.hpp"

#include <new>
#include <string_view>
#include <system_error>

namespace warplight::software {

const char* error_name(CUresult code) {
    switch (static_cast<int>(code)) {
#define WARPLIGHT_ERROR(name, number, sentence)                                                                        \
    case number: return #name;
#include "errors.def"
#undef WARPLIGHT_ERROR
    default: return nullptr;
    }
}

const char* error_description(CUresult code) {
    switch (static_cast<int>(code)) {
#define WARPLIGHT_ERROR(name, number, sentence)                                                                        \
    case number: return sentence;
#include "errors.def"
#undef WARPLIGHT_ERROR
    default: return nullptr;
    }
}

CUresult code_of(const std::exception& error, CUresult otherwise) {
    if (dynamic_cast<const std::bad_alloc*>(&error)) return CUDA_ERROR_OUT_OF_MEMORY;
    // LLVM has errors of its own for memory that the system refuses.
    if (std::string_view(error.what()).find("Cannot allocate memory") != std::string_view::npos)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (std::string_view(error.what()).find("Resource temporarily unavailable") != std::string_view::npos)
        return CUDA_ERROR_OPERATING_SYSTEM; // no more threads
    const auto* const system = dynamic_cast<const std::system_error*>(&error);
    if (system && system->code() == std::errc::not_enough_memory) return CUDA_ERROR_OUT_OF_MEMORY;
    return system ? CUDA_ERROR_OPERATING_SYSTEM : otherwise;
}

} // namespace warplight::software
