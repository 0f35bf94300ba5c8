// SPDX-License-Identifier: Apache-2.0
// Progress and cancellation of work on a whole buffer.
#pragma once

#include "worker/request.hpp"

#include <algorithm>
#include <cstddef>

namespace warplight::worker {

/// Reports the progress of a walk over `total` elements, and checks for cancellation.
class Walk {
public:
    Walk(const RequestContext& context, const char* stage, std::size_t total)
        : context_(context), stage_(stage), total_(std::max<std::size_t>(total, 1)) {}
    /// @throws RequestError when the request was cancelled.
    void step(std::size_t done) {
        context_.check();
        if (!context_.progress || done < next_) return;
        context_.progress(stage_, static_cast<double>(done) / static_cast<double>(total_), "");
        next_ = done + total_ / 50 + between;
    }

private:
    static constexpr std::size_t between = std::size_t(1) << 20; // elements
    const RequestContext& context_;
    const char* stage_;
    std::size_t total_;
    std::size_t next_ = between;
};

} // namespace warplight::worker
