// SPDX-License-Identifier: Apache-2.0
#include "value_text.hpp"

#include <fmt/format.h>

#include <bit>

namespace warplight::software {

std::string number_text(ptx::Type type, std::uint64_t value) {
    switch (type) {
    case ptx::Type::f32: return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(value)));
    case ptx::Type::f64: return fmt::format("{}", std::bit_cast<double>(value));
    case ptx::Type::u8:
    case ptx::Type::u16:
    case ptx::Type::u32:
    case ptx::Type::u64:
    case ptx::Type::s8:
    case ptx::Type::s16:
    case ptx::Type::s32:
    case ptx::Type::s64: break;
    default: return {};
    }
    const unsigned above = 64 - ptx::bits(type);
    const auto with_sign = static_cast<std::int64_t>(value << above) >> above;
    if (with_sign >= 0) return fmt::format("{}", with_sign);
    return fmt::format("{} (unsigned {})", with_sign, value << above >> above);
}

} // namespace warplight::software
