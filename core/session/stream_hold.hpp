// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "warplight/ndarray.hpp"
#include "warplight/stream.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

namespace warplight::session {

/// Holds a GPU's stream back by a word of the host's memory that the stream waits for. So a kernel and the events
/// around it are queued before the first of them is done, and the host's time between them is not measured.
///
/// A launch may wait for the device: the first one of a kernel, or any under a debugger. So a clock ends each hold
/// after a moment, and no launch can wait for ever. Then the stream is not held again.
class StreamHold {
public:
    /// Null where streams cannot wait for memory, and where launches are made to wait for the device.
    static std::unique_ptr<StreamHold> make(const driver::Stream& stream);
    ~StreamHold();
    StreamHold(const StreamHold&) = delete;
    StreamHold& operator=(const StreamHold&) = delete;

    /// The stream does nothing more until release(). No hold is open.
    void hold(const driver::Stream& stream);
    void release();
    /// No hold has ended by the clock.
    [[nodiscard]] bool works() const { return !late_; }

private:
    StreamHold();
    void watch();
    void open(std::uint32_t turn);

    NdArray word_; ///< page-locked; as large as the last hold that is over
    driver::DevicePointer address_;
    std::uint32_t turn_ = 0; ///< of the last hold
    std::mutex mutex_;
    std::condition_variable changed_;
    bool held_ = false, ends_ = false;
    std::atomic<bool> late_ = false;
    std::thread watch_;
};

} // namespace warplight::session
