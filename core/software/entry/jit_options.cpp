// SPDX-License-Identifier: Apache-2.0
#include "jit_options.hpp"

#include "../runtime/failure.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace warplight::software {
namespace {

unsigned as_size(const void* value) { return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(value)); }

void write_buffer(char* buffer, unsigned size, void** written, const std::string& text) {
    std::size_t length = 0;
    if (buffer && size > 0) {
        length = std::min<std::size_t>(text.size(), size - 1);
        std::memcpy(buffer, text.data(), length);
        buffer[length] = '\0';
    }
    if (written) *written = reinterpret_cast<void*>(length);
}

} // namespace

JitOptions JitOptions::read(unsigned count, const CUjit_option* options, void** values) {
    JitOptions o;
    if (count == 0) return o;
    if (!options || !values) fail(CUDA_ERROR_INVALID_VALUE);
    for (unsigned i = 0; i < count; ++i) {
        switch (static_cast<int>(options[i])) {
        case CU_JIT_ERROR_LOG_BUFFER: o.error_buffer = static_cast<char*>(values[i]); break;
        case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
            o.error_size = as_size(values[i]);
            o.error_size_value = &values[i];
            break;
        case CU_JIT_INFO_LOG_BUFFER: o.info_buffer = static_cast<char*>(values[i]); break;
        case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
            o.info_size = as_size(values[i]);
            o.info_size_value = &values[i];
            break;
        case CU_JIT_WALL_TIME: o.wall_time = &values[i]; break;
        default:
            // The others say how ptxas is to compile for a GPU.
            if (static_cast<int>(options[i]) < 0 || static_cast<int>(options[i]) > 64) fail(CUDA_ERROR_INVALID_VALUE);
            break;
        }
    }
    return o;
}

void JitOptions::write(const LoadLog& log) const {
    write_buffer(error_buffer, error_size, error_size_value, log.error);
    write_buffer(info_buffer, info_size, info_size_value, log.info);
    if (wall_time) {
        const auto milliseconds = static_cast<float>(log.milliseconds);
        std::memcpy(static_cast<void*>(wall_time), &milliseconds, sizeof milliseconds);
    }
}

} // namespace warplight::software
