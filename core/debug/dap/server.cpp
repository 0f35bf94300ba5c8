// SPDX-License-Identifier: Apache-2.0
#include "server.hpp"

#include "adapter.hpp"
#include "stream.hpp"
#include "worker/platform.hpp"
#include "worker/run_access.hpp"
#include "worker/server.hpp"

#include <atomic>
#include <memory>

namespace warplight::debug::dap {

int server_main(const ServerOptions& options) {
    worker::begin_worker();
    worker::platform::ServerPipes pipes;
    std::atomic<bool> is_gone = false;
    const auto send = [&](const json& message) {
        const std::string text = framed(message);
        if (!pipes.write(reinterpret_cast<const std::byte*>(text.data()), text.size())) is_gone = true;
    };
    const auto prepare = [&](const KernelRun& run) {
        worker::WorkerOptions worker{"software", worker::access_of({run.session, run.options}), 0, options.confined};
        (void)worker::confine_worker(worker);
    };
    // Not destroyed where its kernel goes on.
    auto adapter = std::make_unique<Adapter>(send, prepare);
    MessageReader reader([&](std::byte* to, std::size_t size) { return pipes.read(to, size); });
    bool goes_on = true;
    while (goes_on && !is_gone) {
        const auto message = reader.next();
        if (!message) break;
        if (message->problem.empty())
            goes_on = adapter->receive(message->content);
        else
            adapter->tell("important", message->problem + "\n");
    }
    if (!reader.broken().empty()) adapter->tell("important", reader.broken() + "\n");
    const int code = reader.broken().empty() ? 0 : 2;
    if (!adapter->end()) (void)adapter.release();
    worker::end_worker(code);
}

} // namespace warplight::debug::dap
