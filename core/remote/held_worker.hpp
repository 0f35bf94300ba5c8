// SPDX-License-Identifier: Apache-2.0
// The worker of a holder: its messages as they come, and how it ended.
#pragma once

#include "worker/confinement.hpp"
#include "worker/message.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace warplight::remote {

class HeldWorker {
public:
    struct Settings {
        std::filesystem::path program; ///< warplight-cli
        std::string driver;            ///< "cuda" or "software"
        worker::Access access;
        std::uint64_t memory = 0; ///< bytes; 0: no limit
        bool confined = true;
        bool lent_compiler = false; ///< the near side compiles where there is no NVRTC here
    };
    /// From threads of this class. They may wait, and then the worker waits as well.
    struct Listeners {
        std::function<void(std::span<const std::byte> message)> on_message; ///< without its length in front
        std::function<void(std::string_view text)> on_errors;               ///< UTF-8, at most 4 KiB at once
        /// After everything else: {by_signal, code, cause, text, over_memory, system_killed}.
        std::function<void(worker::json how)> on_end;
    };

    /// @throws std::runtime_error
    HeldWorker(const Settings& settings, Listeners listeners);
    /// Kills it. What its listeners wait for must have ended.
    ~HeldWorker();
    HeldWorker(const HeldWorker&) = delete;
    HeldWorker& operator=(const HeldWorker&) = delete;

    /// Messages for the worker, in their order, without a length in front. Waits while too many are in front of it.
    void write(std::span<const std::byte> message);
    /// From any thread.
    void kill();
    [[nodiscard]] std::int64_t process_id() const; ///< 0 when it has ended
    /// False where it has not ended within `patience`.
    bool wait_for_end(std::chrono::milliseconds patience) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace warplight::remote
