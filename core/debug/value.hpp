// SPDX-License-Identifier: Apache-2.0
// Values of the source's types, where they are, and how they are shown.
#pragma once

#include "dwarf.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::debug {

/// Its text is for the user.
class ExpressionError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A value and where it is.
struct Value {
    TypeId type = kVoid;
    std::uint64_t address = 0;    ///< of kernels' memory; 0: it has none there
    std::vector<std::byte> bytes; ///< of one that has no address: a register's or a result's
};

/// Names and memory that expressions are about.
class Surroundings {
public:
    Surroundings() = default;
    virtual ~Surroundings() = default;
    Surroundings(const Surroundings&) = delete;
    Surroundings& operator=(const Surroundings&) = delete;

    [[nodiscard]] virtual DebugInfo& info() const = 0;
    /// @throws ExpressionError for a variable that has no place here
    [[nodiscard]] virtual std::optional<Value> find(std::string_view name) const = 0;
    [[nodiscard]] virtual bool read(std::uint64_t address, void* to, std::size_t bytes) const = 0;
};

/// The bytes of a value that fits into `most`. @throws ExpressionError where there is no memory
[[nodiscard]] std::vector<std::byte> bytes_of(const Value& value, const Surroundings& where,
                                              std::size_t most = std::size_t{1} << 20);
/// Member or element of a value. @throws ExpressionError
[[nodiscard]] Value part_of(const Value& value, std::uint64_t offset, TypeId type, const Surroundings& where);
/// "42", "1.5", "{a = 1, b = {…}}", "0x7f… (float *)"
[[nodiscard]] std::string text_of(const Value& value, const Surroundings& where);
/// Numbers: what arrays of lanes are drawn from. Nothing for structures and arrays.
[[nodiscard]] std::optional<double> number_of(const Value& value, const Surroundings& where);

} // namespace warplight::debug
