// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/stream_hold.hpp"

#include "warplight/stream.hpp"

#include <future>
#include <utility>

namespace warplight::session {

/// Holds a stream back until open(). The work that is queued meanwhile runs without the host in between. So events
/// around a kernel time only the kernel, without its compilation and without the host's launch.
class Gate {
public:
    explicit Gate(const driver::Stream& stream) {
        stream.launch_host_func([opened = opened_.get_future().share()] { opened.wait(); });
    }
    /// By what a GPU's stream can wait for.
    Gate(const driver::Stream& stream, StreamHold& hold) : hold_(&hold) { hold.hold(stream); }
    ~Gate() { open(); }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;
    void open() {
        if (std::exchange(open_, true)) return;
        if (hold_)
            hold_->release();
        else
            opened_.set_value();
    }

private:
    std::promise<void> opened_;
    StreamHold* hold_ = nullptr;
    bool open_ = false;
};

} // namespace warplight::session
