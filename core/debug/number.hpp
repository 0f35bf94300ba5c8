// SPDX-License-Identifier: Apache-2.0
// Values as numbers, and numbers as values.
#pragma once

#include "value.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace warplight::debug {

/// A number while it is computed with.
struct Number {
    enum class Of : std::uint8_t { integer, unsigned_integer, real } of = Of::integer;
    std::uint64_t bits = 0; ///< of an integer
    double real = 0;
    bool is_long = false; ///< has 64 bits
    [[nodiscard]] double as_real() const {
        if (of == Of::real) return real;
        return of == Of::integer ? static_cast<double>(static_cast<std::int64_t>(bits)) : static_cast<double>(bits);
    }
    [[nodiscard]] bool is_true() const { return of == Of::real ? real != 0 : bits != 0; }
};

/// Behind aliases.
[[nodiscard]] const Type& type_of(const Value& value, const Surroundings& where);
/// @throws ExpressionError where it is none
[[nodiscard]] Number number(const Value& value, const Surroundings& where);
[[nodiscard]] Value value_of(const Number& number, const Surroundings& where);
[[nodiscard]] Value truth(bool is_true, const Surroundings& where);

template <class T>
std::vector<std::byte> stored(T value) {
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

} // namespace warplight::debug
