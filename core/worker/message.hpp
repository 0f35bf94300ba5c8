// SPDX-License-Identifier: Apache-2.0
// Messages are CBOR behind their length, and are read with hard limits. docs/architecture.md has the protocol.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace warplight::worker {

using json = nlohmann::json;

inline constexpr int kProtocolVersion = 1;
inline constexpr std::size_t kLargestMessage = std::size_t{256} << 20;
inline constexpr int kDeepestNesting = 64;
/// Bytes of one buffer.read, buffer.window or buffer.bytes.
inline constexpr std::size_t kLargestRead = std::size_t{16} << 20;

enum ErrorCode : int {
    malformed_message = -32700,
    invalid_request = -32600,
    unknown_method = -32601,
    invalid_parameters = -32602,
    internal_error = -32603,
    wrong_protocol = -32001,
    hello_first = -32002,
    driver_error = -32003,
    file_error = -32004,
    cancelled_request = -32800,
};

/// Why a message is malformed; empty when it is well-formed CBOR within the limits.
std::string check_cbor(std::span<const std::byte> bytes);
/// False with `problem` set for anything but one object within the limits. Never throws.
bool decode_message(std::span<const std::byte> bytes, json& message, std::string& problem);
/// With its length in front. @throws std::length_error when it would be larger than kLargestMessage.
std::vector<std::byte> encode_message(const json& message);
/// The same of what a worker sends: bytes in it that are no UTF-8, which CBOR texts must be, become U+FFFD. Requests
/// keep theirs, for names of files are bytes.
std::vector<std::byte> encode_answer(const json& message);

/// Bytes with their length in front. @throws std::length_error
std::vector<std::byte> in_frame(std::span<const std::byte> body);

/// Cuts a stream into messages.
class FrameReader {
public:
    /// Reads at most `size` bytes into `to`; 0 at the end of the stream.
    using Read = std::size_t (*)(void* stream, std::byte* to, std::size_t size);
    FrameReader(Read read, void* stream) : read_(read), stream_(stream) {}
    enum class Result { message, end, broken };
    /// `broken`: the length is over the limit, or the stream ended inside a message.
    /// Memory grows with the data that comes, so a length alone costs nothing.
    Result next(std::vector<std::byte>& message);

private:
    Read read_;
    void* stream_;
};

} // namespace warplight::worker
