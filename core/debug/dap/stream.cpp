// SPDX-License-Identifier: Apache-2.0
#include "stream.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace warplight::debug::dap {
namespace {

constexpr std::size_t kMostMessage = std::size_t{16} << 20; ///< bytes
constexpr std::size_t kMostLine = 1024;                     ///< of a head
constexpr std::size_t kMostLines = 64;
constexpr int kMostDepth = 64; ///< of JSON

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
        text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
        text.remove_suffix(1);
    return text;
}

bool is_length(std::string_view name) {
    constexpr std::string_view wanted = "content-length";
    return name.size() == wanted.size() && std::equal(name.begin(), name.end(), wanted.begin(), [](char a, char b) {
               return std::tolower(static_cast<unsigned char>(a)) == b;
           });
}

/// Nothing for text that is no JSON, or nested too deeply.
json parsed(const std::string& text) {
    return json::parse(
        text,
        [](int depth, json::parse_event_t, json&) {
            if (depth > kMostDepth) throw std::length_error("nested too deeply");
            return true;
        },
        true);
}

} // namespace

bool MessageReader::fill() {
    std::byte piece[16384];
    const std::size_t size = read_(piece, sizeof piece);
    buffer_.append(reinterpret_cast<const char*>(piece), size);
    return size != 0;
}

bool MessageReader::read_line(std::string& line) {
    std::size_t end;
    while ((end = buffer_.find('\n')) == std::string::npos) {
        if (buffer_.size() > kMostLine) {
            broken_ = "A line of a message's head is too long.";
            return false;
        }
        const bool had_some = !buffer_.empty();
        if (fill()) continue;
        if (had_some) broken_ = "The stream ends within a message's head.";
        return false;
    }
    line = trimmed(std::string_view(buffer_).substr(0, end));
    buffer_.erase(0, end + 1);
    return true;
}

/// The length of the message behind it.
std::optional<std::size_t> MessageReader::read_head() {
    std::optional<std::size_t> length;
    std::string line;
    for (std::size_t lines = 0;; ++lines) {
        if (!read_line(line)) return std::nullopt;
        if (line.empty() && length) return length;
        if (line.empty() && lines == 0) { // between messages
            --lines;
            continue;
        }
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos || lines > kMostLines) {
            broken_ = fmt::format("\"{}\" is no head of a message.", line.substr(0, 80));
            return std::nullopt;
        }
        if (!is_length(trimmed(std::string_view(line).substr(0, colon)))) continue;
        const std::string_view value = trimmed(std::string_view(line).substr(colon + 1));
        std::size_t number = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
        if (error != std::errc() || end != value.data() + value.size() || number > kMostMessage) {
            broken_ = fmt::format("\"{}\" is no length of a message. At most {} bytes can be sent.",
                                  std::string(value).substr(0, 80), kMostMessage);
            return std::nullopt;
        }
        length = number;
    }
}

std::optional<MessageReader::Message> MessageReader::next() {
    const auto length = read_head();
    if (!length) return std::nullopt;
    while (buffer_.size() < *length)
        if (!fill()) {
            broken_ = "The stream ends within a message.";
            return std::nullopt;
        }
    const std::string text = buffer_.substr(0, *length);
    buffer_.erase(0, *length);
    Message message;
    try {
        message.content = parsed(text);
        if (!message.content.is_object()) message.problem = "A message must be an object.";
    } catch (const std::exception& e) {
        message.problem = fmt::format("A message is no JSON: {}.", e.what());
    }
    if (!message.problem.empty()) message.content = nullptr;
    return message;
}

std::string framed(const json& message) {
    // Bytes of a program's output may be no UTF-8.
    const std::string text = message.dump(-1, ' ', false, json::error_handler_t::replace);
    return fmt::format("Content-Length: {}\r\n\r\n{}", text.size(), text);
}

} // namespace warplight::debug::dap
