// SPDX-License-Identifier: Apache-2.0
// Messages of the Debug Adapter Protocol on a stream of bytes: `Content-Length: 17`, an empty line, JSON.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace warplight::debug::dap {

using json = nlohmann::json;

class MessageReader {
public:
    /// Gives up to so many bytes; 0 at the end.
    using Read = std::function<std::size_t(std::byte* to, std::size_t size)>;
    explicit MessageReader(Read read) : read_(std::move(read)) {}

    struct Message {
        json content;        ///< an object; null: `problem` says what is wrong
        std::string problem; ///< the message was skipped
    };
    /// The next message. Nothing at the end of the stream, or where it cannot be told any more where messages begin:
    /// then broken() says why.
    [[nodiscard]] std::optional<Message> next();
    [[nodiscard]] const std::string& broken() const { return broken_; }

private:
    [[nodiscard]] bool fill();
    [[nodiscard]] std::optional<std::size_t> read_head();
    [[nodiscard]] bool read_line(std::string& line);

    Read read_;
    std::string buffer_;
    std::string broken_;
};

/// With its head.
[[nodiscard]] std::string framed(const json& message);

} // namespace warplight::debug::dap
