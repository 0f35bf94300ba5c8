// SPDX-License-Identifier: Apache-2.0
// Plain reads of what an atomic operation looks at again: if (a[k] < v) atomicMax(&a[k], v).
#pragma once

#include "module.hpp"

#include <vector>

namespace warplight::ptx {

/// By instruction: whether it is a plain load whose address an atomic operation further down has too, and whose value
/// only decides whether it comes to that, or is an operand of it. The atomic operation must tell what was there: by its
/// result, or because it is a minimum, a maximum, an and, or an or. That is told of addresses that are made of one
/// register and a number.
[[nodiscard]] std::vector<bool> first_looks(const Function& function);

} // namespace warplight::ptx
