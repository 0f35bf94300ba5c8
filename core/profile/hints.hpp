// SPDX-License-Identifier: Apache-2.0
/// What could make a kernel faster, read from its profile, in plain words. docs/profile.md has the thresholds.
#pragma once

#include "profile/roofline.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::profile {

enum class HintKind : std::uint8_t {
#define WARPLIGHT_HINT(kind, anchor) kind,
#include "hints.def"
#undef WARPLIGHT_HINT
};
[[nodiscard]] std::string_view name_of(HintKind kind);
/// The heading of docs/user-guide.md that tells how to mend it.
[[nodiscard]] std::string_view anchor_of(HintKind kind);

struct Hint {
    HintKind kind = HintKind::uncoalesced;
    std::string file; ///< empty: of the whole kernel, or of an instruction without line information
    int line = 0;
    int ptx_line = 0; ///< of the first instruction that it is about; 0: of the whole kernel
    std::string text; ///< sentences
    double share = 0; ///< of the kernel's cost (cost_of()) that mending it could save at most; 0: not known
};

/// From here on a figure is worth a hint.
struct HintThresholds {
    double share = 0.05;                 ///< of the kernel's cost
    double sectors_over_ideal = 2;       ///< and more than one sector over it for each request
    double passes_over_fewest = 1.5;     ///< of shared memory
    double lanes_of_full = 0.9;          ///< instructions with fewer threads depend on a divergent branch
    double full_warp = 28;               ///< threads of a warp on average
    double threads_per_address = 2;      ///< of atomic operations
    std::uint64_t roofline_warps = 1024; ///< fewer do not fill a GPU, so that neither roof holds
};

/// Those that save most come first, and what a GPU's roofline tells comes last.
/// @param gpu that the kernel is compared with; null: none
[[nodiscard]] std::vector<Hint> hints_of(const Profile& profile, const Gpu* gpu = nullptr,
                                         const HintThresholds& thresholds = {});
/// A table of the lines, the most costly first, and the hints that save most. Ends with a newline.
[[nodiscard]] std::string to_text(const Profile& profile, const Gpu* gpu = nullptr);
/// {"kind", "file", "line", "ptx_line", "text", "anchor", "share"}; a place that is not known is missing
[[nodiscard]] nlohmann::json to_json(const Hint& hint);

} // namespace warplight::profile
