// SPDX-License-Identifier: Apache-2.0
#include "worker/server.hpp"

#include "worker/dispatcher.hpp"
#include "worker/platform.hpp"

#include <mutex>

namespace warplight::worker {

int worker_main(const std::string& driver) {
    platform::ServerPipes pipes;
    std::mutex writing;
    auto send = [&](const json& message) {
        std::vector<std::byte> bytes = encode_message(message);
        std::lock_guard lock(writing);
        // The client has ended, so the worker ends, too.
        if (!pipes.write(bytes.data(), bytes.size())) platform::end_process(0);
    };
    // Never destroyed, because its threads may wait for a kernel that does not end.
    auto* dispatcher = new Dispatcher(driver, send);
    FrameReader reader([](void* stream, std::byte* to,
                          std::size_t size) { return static_cast<platform::ServerPipes*>(stream)->read(to, size); },
                       &pipes);
    std::vector<std::byte> message;
    int code = 0;
    for (;;) {
        FrameReader::Result result = reader.next(message);
        if (result == FrameReader::Result::broken) code = 2;
        if (result != FrameReader::Result::message) break;
        Dispatcher::Next next = dispatcher->receive(message);
        if (next == Dispatcher::Next::malformed) code = 2;
        if (next != Dispatcher::Next::go_on) break;
    }
    std::lock_guard lock(writing); // waits until a message is written completely
    platform::end_process(code);
}

} // namespace warplight::worker
