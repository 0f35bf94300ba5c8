// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace warplight::remote {

/// Bytes both ways: the standard streams of ssh, or a socket.
class Stream {
public:
    Stream() = default;
    virtual ~Stream() = default;
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    /// At most `size` bytes. Waits for the first; 0 at the end.
    virtual std::size_t read(std::byte* to, std::size_t size) = 0;
    /// All of it; false when the other side is gone.
    virtual bool write(const std::byte* from, std::size_t size) = 0;
    /// From any thread, and more than once: reads and writes that wait return.
    virtual void close() = 0;
};

} // namespace warplight::remote
