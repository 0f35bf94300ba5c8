// SPDX-License-Identifier: Apache-2.0
// This machine's NVRTC, for a worker on another machine that has none.
#pragma once

#include "worker/compiler_processes.hpp"
#include "worker/confinement.hpp"
#include "worker/message.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace warplight::remote {

/// The other machine chooses source and options, so the compiler has walls: it reads what the session may reach, and
/// starts no program. Where the walls for files are missing, nothing is lent.
class Lender {
public:
    using Send = std::function<void(const worker::json&)>;
    /// Before the process has threads.
    explicit Lender(const worker::Access& access);
    ~Lender();
    Lender(const Lender&) = delete;
    Lender& operator=(const Lender&) = delete;

    /// @param here turns paths of the other machine in a text into those of this one
    void begin(std::function<std::string(std::string)> here, Send send);
    /// Takes `compiler` and `compiler.cancel`. False: the message is another one.
    bool receive(const worker::json& message);

private:
    struct State;
    std::shared_ptr<State> state_; ///< threads of compilations have it, too
};

} // namespace warplight::remote
