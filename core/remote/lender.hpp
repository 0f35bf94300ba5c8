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

/// What a path is called on the other machine, and here. Text without such a path stays as it is.
struct PathWords {
    std::function<std::string(std::string)> here;  ///< paths of the other machine → of this one
    std::function<std::string(std::string)> there; ///< and back, of text that has many
};

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

    void begin(PathWords words, Send send);
    /// Takes `compiler` and `compiler.cancel`. False: the message is another one.
    bool receive(const worker::json& message);

private:
    struct State;
    std::shared_ptr<State> state_; ///< threads of compilations have it, too
};

} // namespace warplight::remote
