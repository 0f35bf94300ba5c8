// SPDX-License-Identifier: Apache-2.0
// Files between two machines: pieces of them, packed by Zstandard where that makes them smaller. Nothing that the other
// side says is trusted: sizes are checked before memory is taken.
#pragma once

#include "compiler/sha256.hpp"
#include "files/input_file.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::remote {

inline constexpr std::size_t kPieceSize = std::size_t{512} << 10;    ///< bytes of a file in one piece
inline constexpr std::size_t kLargestPiece = std::size_t{1} << 20;   ///< that is taken from others
inline constexpr std::size_t kLargestNote = std::size_t{4} << 10;    ///< bytes of a text between the two
inline constexpr std::size_t kSmallFile = std::size_t{32} << 10;     ///< goes in the message about it
inline constexpr std::size_t kFilesOfMessage = 4096;                 ///< in one message
inline constexpr std::size_t kBytesOfMessage = std::size_t{8} << 20; ///< of small files in one message
/// Transfers from this number on are results, which the near side numbers. The far side numbers the others.
inline constexpr std::uint64_t kFirstFetch = std::uint64_t{1} << 63;

/// The other side has sent what it must not.
struct TransferError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What goes over the channel `bulk`: 1 byte kind, 8 bytes transfer, 8 bytes offset, 4 bytes size, then the body.
struct Piece {
    enum class Kind : std::uint8_t {
        raw = 1, ///< the body is the bytes of the file from `offset` on
        packed,  ///< it is one frame of Zstandard with them
        end,     ///< from the one who sends: the body is the file's SHA-256 as text, the offset its size
        stored,  ///< from the one who receives: all has come and is right
        failed   ///< from either: nothing more comes or is taken. The body says why
    };
    Kind kind = Kind::raw;
    std::uint64_t transfer = 0;
    std::uint64_t offset = 0;
    std::uint32_t size = 0; ///< bytes of the file
    std::span<const std::byte> body = {};

    [[nodiscard]] std::string_view text() const { return {reinterpret_cast<const char*>(body.data()), body.size()}; }
};

std::vector<std::byte> encode(const Piece& piece);
/// The body lies in `bytes`. @throws TransferError
Piece decode_piece(std::span<const std::byte> bytes);
std::vector<std::byte> encode_note(Piece::Kind kind, std::uint64_t transfer, std::string_view text,
                                   std::uint64_t offset = 0);

/// Packs pieces. Where several in a row do not shrink, it tries only now and then.
class Packer {
public:
    Packer();
    ~Packer();
    Packer(Packer&&) noexcept;
    Packer& operator=(Packer&&) noexcept;
    Packer(const Packer&) = delete;
    Packer& operator=(const Packer&) = delete;

    /// The encoded piece. @param raw at most kLargestPiece
    std::vector<std::byte> piece(std::uint64_t transfer, std::uint64_t offset, std::span<const std::byte> raw);
    /// The packed bytes; empty where they are no smaller.
    std::span<const std::byte> pack(std::span<const std::byte> raw);

private:
    struct State;
    std::unique_ptr<State> state_;
};

class Unpacker {
public:
    Unpacker();
    ~Unpacker();
    Unpacker(Unpacker&&) noexcept;
    Unpacker& operator=(Unpacker&&) noexcept;
    Unpacker(const Unpacker&) = delete;
    Unpacker& operator=(const Unpacker&) = delete;

    /// The bytes of the file, valid until the next call. @throws TransferError unless they are exactly `size` bytes
    std::span<const std::byte> unpack(const Piece& piece);
    std::span<const std::byte> unpack(std::span<const std::byte> packed, std::size_t size);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// How to send a file, and whom to tell.
struct Sending {
    std::function<bool(std::span<const std::byte>)> send; ///< waits while too much is under way; false: the end
    std::function<bool()> stopped = {};                   ///< asked before each piece
    std::function<void(std::uint64_t done)> progress = {};
};

enum class Sent { all, stopped, gone };

/// Sends the pieces of an open file from `offset` on, and no end. With `digest` all its bytes are added to that.
/// @throws files::InputError
Sent send_pieces(const files::InputFile& file, std::uint64_t transfer, std::uint64_t offset, const Sending& how,
                 compiler::Sha256* digest = nullptr);

/// SHA-256 of an open file. Empty where it was stopped. @throws files::InputError
std::string digest_of(const files::InputFile& file, const std::function<bool()>& stopped = {});

/// 64 hexadecimal digits in lower case.
bool is_digest(std::string_view text);

/// "12 MB of 40 MB, 8.0 MB/s"
class Rate {
public:
    explicit Rate(std::uint64_t total) : total_(total), start_(std::chrono::steady_clock::now()), told_(start_) {}
    /// Empty where the last text is younger than a tenth of a second.
    std::string text(std::uint64_t done);

private:
    std::uint64_t total_;
    std::chrono::steady_clock::time_point start_, told_;
};

/// "40 MB", "512 bytes": decimal, as rates of networks are.
std::string decimal_size(std::uint64_t bytes);

} // namespace warplight::remote
