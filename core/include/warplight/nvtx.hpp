// SPDX-License-Identifier: Apache-2.0
// Ranges and marks on the time line of a profiler (NVTX).
//
// A profiler that starts the program names its listening library in NVTX_INJECTION64_PATH; that is how the NVTX headers
// of a CUDA toolkit find it, if there were any when this library was built. Built without, libnvToolsExt.so.1
// (nvToolsExt64_1.dll) of a CUDA toolkit before 13 is asked for. Where neither is there all of this does nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace warplight::nvtx {

/// Whether somebody listens.
bool active() noexcept;

/// How something is shown.
struct Look {
    std::optional<std::uint32_t> color = {}; ///< 0xAARRGGBB
    std::optional<std::int64_t> payload = {};
    std::uint32_t category = 0;
};

/// One moment.
void mark(const std::string& message, const Look& look = {});

/// From its making to its end, on one thread; ranges of a thread lie within one another.
class Range {
public:
    explicit Range(const std::string& message, const Look& look = {});
    ~Range();
    Range(const Range&) = delete;
    Range& operator=(const Range&) = delete;
};

/// The same for what overlaps, or ends on another thread. Move-only.
class SpanningRange {
public:
    SpanningRange() = default; ///< no range
    explicit SpanningRange(const std::string& message, const Look& look = {});
    SpanningRange(SpanningRange&& other) noexcept;
    SpanningRange& operator=(SpanningRange&& other) noexcept;
    SpanningRange(const SpanningRange&) = delete;
    SpanningRange& operator=(const SpanningRange&) = delete;
    ~SpanningRange() { end(); }
    /// Ends it now; nothing the second time.
    void end() noexcept;

private:
    std::optional<std::uint64_t> id_;
};

} // namespace warplight::nvtx
