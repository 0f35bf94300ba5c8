// SPDX-License-Identifier: Apache-2.0
// Texts of messages are UTF-8, whatever bytes a source, a kernel or a request has.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace warplight::worker {

[[nodiscard]] bool is_utf8(std::string_view text);
/// The text with U+FFFD for each byte that belongs to no character.
[[nodiscard]] std::string as_utf8(std::string_view text);
/// Every text and key in a value that is not nested deeper than a message may be.
[[nodiscard]] bool has_utf8_only(const nlohmann::json& value);
[[nodiscard]] nlohmann::json as_utf8(const nlohmann::json& value);

/// Passes text on that comes in pieces of any size, so that no character is cut into two.
class Utf8Pieces {
public:
    using Receive = std::function<void(std::string_view)>;
    explicit Utf8Pieces(Receive receive) : receive_(std::move(receive)) {}
    void add(std::string_view piece);
    /// Passes on what is left of a character that never came whole.
    void end();

private:
    Receive receive_;
    std::string begun_; ///< the first bytes of a character
};

} // namespace warplight::worker
