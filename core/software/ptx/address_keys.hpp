// SPDX-License-Identifier: Apache-2.0
// Which accesses of a function have the same address, as far as its text shows it.
#pragma once

#include "flow.hpp"
#include "module.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace warplight::ptx {

/// The register or variable that an address begins with, and the number that is added to it.
using AddressKey = std::pair<std::uint64_t, std::int64_t>;

class AddressKeys {
public:
    explicit AddressKeys(const Function& function) : function_(function), writers_(writers_of(function)) {}

    /// Whether an address begins with one of them.
    [[nodiscard]] static bool is_known(const Operand& address);
    /// Behind copies and additions of numbers.
    [[nodiscard]] AddressKey of(const Operand& address) const;

private:
    const Function& function_;
    const std::vector<std::vector<std::uint32_t>> writers_;
};

} // namespace warplight::ptx
