// SPDX-License-Identifier: Apache-2.0
#include "worker/message.hpp"

#include "worker/utf8.hpp"

#include <algorithm>
#include <stdexcept>

namespace warplight::worker {
namespace {

/// Walks CBOR without recursion, and allocates nothing from a length in it. The library that decodes the message
/// afterwards does both.
class CborCheck {
public:
    explicit CborCheck(std::span<const std::byte> bytes) : bytes_(bytes) {}

    std::string run() {
        item();
        while (problem_.empty() && !open_.empty()) {
            Container& top = open_.back();
            if (top.indefinite) {
                if (at_ >= bytes_.size()) return "ends inside a container";
                if (peek() == 0xff) {
                    if (top.map && top.left % 2 != 0) return "a map with a key and no value";
                    ++at_;
                    open_.pop_back();
                    continue;
                }
                ++top.left;
            } else {
                if (top.left == 0) {
                    open_.pop_back();
                    continue;
                }
                --top.left;
            }
            bool key = top.map && (top.indefinite ? top.left % 2 == 1 : top.left % 2 == 1);
            if (key && at_ < bytes_.size() && peek() >> 5 != 3) return "a key that is no text";
            item();
        }
        if (problem_.empty() && at_ != bytes_.size()) return "has bytes after its end";
        return problem_;
    }

private:
    struct Container {
        bool map;
        bool indefinite;
        std::uint64_t left; ///< items to come; of an indefinite one the items so far
    };

    unsigned peek() const { return static_cast<unsigned>(bytes_[at_]); }

    /// Reads the argument of a head. False when the stream ends in it or the head is not allowed.
    bool argument(unsigned low, std::uint64_t& value) {
        if (low < 24) {
            value = low;
            return true;
        }
        if (low > 27) {
            problem_ = "has an undefined head";
            return false;
        }
        std::size_t size = std::size_t{1} << (low - 24);
        if (bytes_.size() - at_ < size) {
            problem_ = "ends inside a number";
            return false;
        }
        value = 0;
        for (std::size_t i = 0; i < size; ++i)
            value = value << 8 | static_cast<std::uint64_t>(bytes_[at_++]);
        return true;
    }

    void text(unsigned major, unsigned low) {
        if (low == 31) { // chunks of the same kind
            for (;;) {
                if (at_ >= bytes_.size()) {
                    problem_ = "ends inside a text";
                    return;
                }
                unsigned head = peek();
                ++at_;
                if (head == 0xff) return;
                if (head >> 5 != major || (head & 31) == 31) {
                    problem_ = "has a wrong chunk in a text";
                    return;
                }
                text(major, head & 31);
                if (!problem_.empty()) return;
            }
        }
        std::uint64_t size = 0;
        if (!argument(low, size)) return;
        if (size > bytes_.size() - at_)
            problem_ = "has a size that reaches past its end";
        else
            at_ += static_cast<std::size_t>(size);
    }

    void item() {
        if (at_ >= bytes_.size()) {
            problem_ = "ends too early";
            return;
        }
        unsigned head = peek();
        ++at_;
        unsigned major = head >> 5, low = head & 31;
        std::uint64_t value = 0;
        switch (major) {
        case 0:
        case 1: argument(low, value); return;
        case 2:
        case 3: text(major, low); return;
        case 4:
        case 5: {
            bool map = major == 5, indefinite = low == 31;
            if (!indefinite && !argument(low, value)) return;
            // Each item takes a byte at least.
            if (value > (bytes_.size() - at_) / (map ? 2 : 1))
                problem_ = "has a size that reaches past its end";
            else if (open_.size() >= static_cast<std::size_t>(kDeepestNesting))
                problem_ = "is nested too deep";
            else
                open_.push_back({map, indefinite, indefinite ? 0 : value * (map ? 2 : 1)});
            return;
        }
        case 6: problem_ = "has a tag"; return;
        default:
            if (low >= 20 && low <= 22) return; // false, true, null
            if (low >= 25 && low <= 27) {
                argument(low, value); // a number of 2, 4 or 8 bytes
                return;
            }
            problem_ = "has a value of an unknown kind";
        }
    }

    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
    std::vector<Container> open_;
    std::string problem_;
};

} // namespace

std::string check_cbor(std::span<const std::byte> bytes) {
    if (bytes.size() > kLargestMessage) return "is larger than a message may be";
    return CborCheck(bytes).run();
}

bool decode_message(std::span<const std::byte> bytes, json& message, std::string& problem) {
    problem = check_cbor(bytes);
    if (!problem.empty()) return false;
    try {
        const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
        message = json::from_cbor(data, data + bytes.size(), true, false);
    } catch (const std::exception& error) {
        problem = error.what();
        return false;
    }
    if (!message.is_object()) {
        problem = message.is_discarded() ? "cannot be decoded" : "is no object";
        return false;
    }
    return true;
}

std::vector<std::byte> encode_message(const json& message) {
    const std::vector<std::uint8_t> body = json::to_cbor(message);
    return in_frame(std::as_bytes(std::span(body)));
}

std::vector<std::byte> in_frame(std::span<const std::byte> body) {
    if (body.size() > kLargestMessage) throw std::length_error("the answer is larger than a message may be");
    std::vector<std::byte> result(body.size() + 4);
    for (std::size_t i = 0; i < 4; ++i)
        result[i] = static_cast<std::byte>(body.size() >> (8 * i));
    std::ranges::copy(body, result.begin() + 4);
    return result;
}

std::vector<std::byte> encode_answer(const json& message) {
    // Without a copy where none is needed: answers are large, and a run may have left little memory.
    return has_utf8_only(message) ? encode_message(message) : encode_message(as_utf8(message));
}

FrameReader::Result FrameReader::next(std::vector<std::byte>& message) {
    auto fill = [&](std::byte* to, std::size_t size) {
        std::size_t done = 0;
        while (done < size) {
            std::size_t count = read_(stream_, to + done, size - done);
            if (count == 0) break;
            done += count;
        }
        return done;
    };
    std::byte head[4];
    std::size_t got = fill(head, 4);
    if (got == 0) return Result::end;
    if (got < 4) return Result::broken;
    std::size_t size = 0;
    for (std::size_t i = 0; i < 4; ++i)
        size |= static_cast<std::size_t>(head[i]) << (8 * i);
    if (size > kLargestMessage) return Result::broken;
    message.clear();
    while (message.size() < size) {
        std::size_t piece = std::min(size - message.size(), std::size_t{1} << 20), before = message.size();
        message.resize(before + piece);
        if (fill(message.data() + before, piece) < piece) return Result::broken;
    }
    return Result::message;
}

} // namespace warplight::worker
