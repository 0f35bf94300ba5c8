// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <variant>

namespace warplight::session {

/// A number of the document. Integers stay exact.
using Number = std::variant<std::int64_t, std::uint64_t, double>;
double as_double(const Number& number);

} // namespace warplight::session
