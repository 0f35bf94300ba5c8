// SPDX-License-Identifier: Apache-2.0
// Which memory an address was meant for: of a[i] it is a's, however large i is.
#pragma once

#include "module.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace warplight::software {

/// The pointer that the address of a kernel's instruction was made of, as the PTX has it: one of the kernel's
/// parameters or a variable of its module. Nothing where there is none, or several into different allocations.
/// @param parameters of the launch, packed
[[nodiscard]] std::optional<std::uint64_t> address_origin(const Function& function, const jit::Site& site,
                                                          const std::byte* parameters);

} // namespace warplight::software
