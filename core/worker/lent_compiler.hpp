// SPDX-License-Identifier: Apache-2.0
// NVRTC of the client's machine, for a worker on a machine that has none. The worker asks by the request `compiler`
// {task, request: binary}; the answer is {bytes: binary} or {cancelled: true}. `compiler.cancel {id}` takes it back.
#pragma once

#include "compiler/toolchain.hpp"
#include "worker/compiler_processes.hpp"
#include "worker/message.hpp"

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

namespace warplight::worker {

/// The requests of a worker to its client.
class LentCompiler {
public:
    /// Requests wait until there is a way to send them.
    void set_send(std::function<void(const json& message)> send);
    /// Takes an answer of the client. Others are ignored.
    void receive(const json& message);
    /// Waits. @throws std::runtime_error: the client's reason, or what it sent is no answer
    CompilerProcesses::Answer ask(CompilerTask task, std::span<const std::byte> request,
                                  const compiler::CancelQuery& cancelled);

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::function<void(const json&)> send_;
    int next_ = 1;
    std::map<int, std::optional<json>> open_;
};

/// `own`, and where that has no NVRTC, the client's.
std::unique_ptr<compiler::Toolchain> with_lent_nvrtc(std::unique_ptr<compiler::Toolchain> own,
                                                     std::shared_ptr<LentCompiler> lent);

/// Tasks that are lent: NVRTC's. It starts no program, so a source that is compiled for somebody else can do nothing
/// but be compiled.
bool is_lent(CompilerTask task);

} // namespace warplight::worker
