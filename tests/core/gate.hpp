// SPDX-License-Identifier: Apache-2.0
// Holds a stream up for as long as a test needs, however busy the machine is.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

class Gate {
public:
    Gate() = default;
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;
    ~Gate() { open(); }

    void open() const {
        {
            const std::scoped_lock lock(state_->mutex);
            state_->opened = true;
        }
        state_->changed.notify_all();
    }
    /// For the stream: waits until the gate is open. Half a minute at most, so that a test that waits for the stream
    /// itself fails and does not hang.
    [[nodiscard]] std::function<void()> wait() const {
        return [state = state_] {
            std::unique_lock lock(state->mutex);
            state->changed.wait_for(lock, std::chrono::seconds(30), [&] { return state->opened; });
        };
    }

private:
    struct State {
        std::mutex mutex;
        std::condition_variable changed;
        bool opened = false;
    };
    std::shared_ptr<State> state_ = std::make_shared<State>();
};
