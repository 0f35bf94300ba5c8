// SPDX-License-Identifier: Apache-2.0
#include "tier.hpp"

#include <cstdlib>
#include <string_view>

namespace warplight::jit {

TierSetting tier_setting() {
    static const TierSetting setting = [] {
        const char* value = std::getenv("WARPLIGHT_JIT_TIER");
        const std::string_view text = value ? value : "";
        return text == "quick" ? TierSetting::quick : text == "fast" ? TierSetting::fast : TierSetting::automatic;
    }();
    return setting;
}

} // namespace warplight::jit
