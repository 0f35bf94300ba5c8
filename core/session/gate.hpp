// SPDX-License-Identifier: Apache-2.0
#pragma once

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
    ~Gate() { open(); }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;
    void open() {
        if (!std::exchange(open_, true)) opened_.set_value();
    }

private:
    std::promise<void> opened_;
    bool open_ = false;
};

} // namespace warplight::session
