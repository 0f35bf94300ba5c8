// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warplight::debug::dap {

inline std::string base64(const std::vector<std::byte>& bytes) {
    constexpr const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t k = 0; k < bytes.size(); k += 3) {
        std::uint32_t bits = 0;
        for (std::size_t j = 0; j < 3; ++j)
            bits = bits << 8 | (k + j < bytes.size() ? static_cast<std::uint32_t>(bytes[k + j]) : 0U);
        for (std::size_t j = 0; j < 4; ++j)
            text += k + j > bytes.size() ? '=' : letters[bits >> (18 - 6 * j) & 63];
    }
    return text;
}

} // namespace warplight::debug::dap
