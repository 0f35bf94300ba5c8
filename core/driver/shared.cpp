// SPDX-License-Identifier: Apache-2.0
#include "warplight/shared.hpp"

#include <atomic>

namespace warplight::detail {

Kept::~Kept() = default;

// The counting is here so that the public headers need no <atomic>, which is as large as <vector>.
void Kept::retain() noexcept { std::atomic_ref(uses_).fetch_add(1, std::memory_order_relaxed); }

void Kept::release() noexcept {
    if (std::atomic_ref(uses_).fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

} // namespace warplight::detail
