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
        // Nobody to answer to: there is no reason to go on with anything.
        if (!pipes.write(bytes.data(), bytes.size())) platform::end_process(0);
    };
    // Never destroyed: its threads may be waiting for a kernel that does not end.
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
    std::lock_guard lock(writing); // a message on its way goes out whole
    platform::end_process(code);
}

} // namespace warplight::worker
