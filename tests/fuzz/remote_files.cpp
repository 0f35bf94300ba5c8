// SPDX-License-Identifier: Apache-2.0
// Files from another machine: messages about them and pieces of them, of a far side and of a near side that may send
// anything. The first byte of the input tells to whom it goes.
#include "files/held_folder.hpp"
#include "remote/far_files.hpp"
#include "remote/near_files.hpp"
#include "remote/path_map.hpp"
#include "worker/message.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

using namespace warplight;
using namespace warplight::remote;
namespace fs = std::filesystem;

namespace {

/// A far side with a file on its way: the first transfer, of which nothing has come.
struct Far {
    files::HeldFolder folder{"fuzz"};
    FarFiles files{{.folder = folder.path(), .held = folder.path() / "held" / "1", .limit = 1 << 20},
                   [](std::span<const std::byte>) { return true; }};

    Far() {
        (void)files.call(
            "files.offer",
            {{"files",
              {{{"digest", compiler::sha256_hex(std::string(100'000, 'x'))}, {"size", 100'000}, {"paths", {"x"}}}}}});
    }
};

/// Nothing but the folder of the store and that of the connection may be made.
void check_folder(const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder)) {
        const auto name = entry.path().filename();
        if (name != "data" && name != "held" && name != "roots" && name != ".warplight-held") std::abort();
    }
    for (const auto& entry : fs::directory_iterator(folder / "held" / "1"))
        if (entry.path().filename() != "root" && entry.path().filename() != "out") std::abort();
}

void to_far(std::span<const std::byte> bytes) {
    static int uses = 0;
    static std::unique_ptr<Far> far;
    if (!far || ++uses % 1000 == 0) far = std::make_unique<Far>();
    worker::json message;
    std::string problem;
    try {
        if (worker::decode_message(bytes, message, problem))
            (void)far->files.call(message.value("method", "files.offer"), message.value("params", message));
        else
            far->files.receive_bulk(bytes);
    } catch (const worker::RequestError&) {
    } catch (const TransferError&) {
    } catch (const worker::json::exception&) {
    }
    check_folder(far->folder.path());
}

void to_near(std::span<const std::byte> bytes) {
    worker::json message;
    std::string problem;
    const bool decoded = worker::decode_message(bytes, message, problem);
    NearFiles* receiver = nullptr;
    NearFiles near({}, true,
                   {.ask =
                        [&](const std::string&, worker::json, const NearFiles::Cancelled&) {
                            return decoded ? message.value("answer", message) : worker::json::object();
                        },
                    .send_bulk =
                        [&](std::span<const std::byte>) {
                            if (decoded) return false;
                            receiver->receive_bulk(bytes);
                            return false;
                        }});
    receiver = &near;
    try {
        near.set_far({{"held", "/far/held/1"}});
        if (decoded) {
            near.set_far(message);
            const auto stop = [] { return true; };
            const worker::json prepared =
                near.prepare(message.value("method", "buffer.open"), message.value("params", message), 1, stop);
            (void)near.finish("run", prepared, message, 1, stop);
            (void)near.near_strings(message);
        } else {
            near.receive_bulk(bytes);
        }
    } catch (const worker::RequestError&) {
    } catch (const TransferError&) {
    } catch (const worker::json::exception&) {
    }
}

void to_paths(std::string_view text) {
    for (const PathStyle style : {PathStyle::linux_style, PathStyle::windows_style}) {
        PathMap map(style);
        map.set_root("/f/root");
        const std::size_t half = text.size() / 2;
        map.add_known(text.substr(0, half));
        map.add_folder(text.substr(half), "/f/kept");
        (void)map.to_near_text(text);
        (void)map.to_near_text("/f/root" + std::string(text));
        const auto far = map.to_far(text);
        if (far && !far->starts_with("/f/")) std::abort();
        const auto below = map.below_root(text);
        // What comes back means the same file.
        if (below && (*below + '/').find("/../") != std::string::npos) std::abort();
        (void)map.to_far_text(text, style == PathStyle::linux_style ? "/home/me" : "C:\\me");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto bytes = std::as_bytes(std::span(data + 1, size - 1));
    switch (data[0] % 3) {
    case 0: to_far(bytes); break;
    case 1: to_near(bytes); break;
    default: to_paths({reinterpret_cast<const char*>(data + 1), size - 1});
    }
    return 0;
}
