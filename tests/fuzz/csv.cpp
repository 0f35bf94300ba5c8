// SPDX-License-Identifier: Apache-2.0
// Any bytes as a table of numbers: an array, or a SessionError that has a message. The first byte chooses the type.
#include "session/data_file.hpp"
#include "session/session.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::array<warplight::DType, 4> kTypes = {warplight::DType::float64(), warplight::DType::int32(),
                                                           warplight::DType::uint8(), warplight::DType::float16()};
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    try {
        const warplight::NdArray array = warplight::session::parse_csv(text, "input", kTypes[data[0] % kTypes.size()]);
        if (array.size() == 0 || array.size() > size) std::abort();
    } catch (const warplight::session::SessionError& error) {
        if (error.what()[0] == '\0') std::abort();
    }
    return 0;
}
