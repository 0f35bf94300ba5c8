// SPDX-License-Identifier: Apache-2.0
// Threads that fill a ring of buffers with parts of a source, ahead of one who takes them in order.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace warplight::driver::detail {

class FillPipeline {
public:
    /// Writes the source's bytes from `offset` on.
    using Read = std::function<void(std::uint64_t offset, std::span<std::byte> to)>;

    /// @param buffers all of one size, which outlive this
    /// @param threads that fill them, the one that takes included
    FillPipeline(std::vector<std::span<std::byte>> buffers, unsigned threads);
    FillPipeline(const FillPipeline&) = delete;
    FillPipeline& operator=(const FillPipeline&) = delete;
    ~FillPipeline();

    /// Begins with a source; the last one has ended. Buffer i % buffers gets part i of it.
    void begin(Read read, std::size_t bytes);
    /// Waits until part i is there, and helps. Parts are asked for in order. @throws what `read` threw
    std::span<const std::byte> wait(std::size_t part);
    /// The buffer of the oldest part that was not given back may be filled again.
    void give_back();
    /// Waits for those that still fill; always called after begin().
    void end() noexcept;

private:
    void run();
    bool fill_one();

    const std::vector<std::span<std::byte>> buffers_;
    const std::size_t chunk_, slices_of_chunk_;
    std::vector<std::atomic<std::size_t>> filled_; ///< slices of the part that a buffer gets
    std::atomic<std::size_t> next_ = 0;            ///< slice, counted over all parts
    std::atomic<std::size_t> given_back_ = 0;      ///< parts
    std::atomic<bool> failed_ = false;
    Read read_;
    std::size_t bytes_ = 0, slices_ = 0;

    std::mutex mutex_;
    // Nobody waits on the atomics themselves: std::atomic::wait of GCC 12 misses changes on Windows.
    std::condition_variable work_, filling_, giving_back_, done_;
    std::exception_ptr failure_;
    std::uint64_t round_ = 0;
    unsigned busy_ = 0; ///< threads that are in a round
    bool running_ = false, ending_ = false;
    std::vector<std::thread> threads_; ///< last: they use the rest
};

} // namespace warplight::driver::detail
