// SPDX-License-Identifier: Apache-2.0
// NVRTC's options for an architecture.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace warplight::nvrtc {

struct Options {
    std::vector<std::string> texts;
    bool changed = false; ///< a GPU was asked for

    [[nodiscard]] std::vector<const char*> pointers() const;
};

/// "--gpu-architecture=sm_90a" is "--gpu-architecture=compute_90a", in each spelling that NVRTC takes. Null pointers
/// are empty texts.
[[nodiscard]] Options for_virtual_architecture(std::span<const char* const> options);

} // namespace warplight::nvrtc
