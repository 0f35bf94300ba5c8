// SPDX-License-Identifier: Apache-2.0
#include "remote/transfer.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <utility>
#include <zstd.h>

namespace warplight::remote {
namespace {

constexpr std::size_t kPieceHead = 1 + 8 + 8 + 4;
constexpr int kPackLevel = 1;           ///< faster than most lines
constexpr unsigned kPlainInARow = 4;    ///< pieces after which packing is tried now and then only
constexpr unsigned kTryAgainAfter = 16; ///< pieces

template <class Number>
void put_number(std::vector<std::byte>& to, Number value) {
    for (std::size_t i = 0; i < sizeof value; ++i)
        to.push_back(static_cast<std::byte>(value >> (8 * i)));
}

template <class Number>
Number take_number(std::span<const std::byte>& from) {
    Number value = 0;
    for (std::size_t i = 0; i < sizeof value; ++i)
        value |= static_cast<Number>(std::to_integer<Number>(from[i]) << (8 * i));
    from = from.subspan(sizeof value);
    return value;
}

} // namespace

std::vector<std::byte> encode(const Piece& piece) {
    std::vector<std::byte> bytes;
    bytes.reserve(kPieceHead + piece.body.size());
    bytes.push_back(static_cast<std::byte>(piece.kind));
    put_number(bytes, piece.transfer);
    put_number(bytes, piece.offset);
    put_number(bytes, piece.size);
    bytes.insert(bytes.end(), piece.body.begin(), piece.body.end());
    return bytes;
}

std::vector<std::byte> encode_note(Piece::Kind kind, std::uint64_t transfer, std::string_view text,
                                   std::uint64_t offset) {
    text = text.substr(0, kLargestNote);
    return encode({.kind = kind, .transfer = transfer, .offset = offset, .body = std::as_bytes(std::span(text))});
}

Piece decode_piece(std::span<const std::byte> bytes) {
    if (bytes.size() < kPieceHead) throw TransferError("a piece of a file is shorter than its head");
    Piece piece;
    const auto kind = std::to_integer<std::uint8_t>(bytes[0]);
    if (kind < static_cast<std::uint8_t>(Piece::Kind::raw) || kind > static_cast<std::uint8_t>(Piece::Kind::failed))
        throw TransferError("a piece of a file is of no known kind");
    piece.kind = static_cast<Piece::Kind>(kind);
    bytes = bytes.subspan(1);
    piece.transfer = take_number<std::uint64_t>(bytes);
    piece.offset = take_number<std::uint64_t>(bytes);
    piece.size = take_number<std::uint32_t>(bytes);
    piece.body = bytes;
    switch (piece.kind) {
    case Piece::Kind::raw:
        if (piece.size != bytes.size()) throw TransferError("a piece of a file has another size than it says");
        [[fallthrough]];
    case Piece::Kind::packed:
        if (piece.size == 0 || piece.size > kLargestPiece)
            throw TransferError("a piece of a file is empty or too large");
        if (bytes.size() > ZSTD_COMPRESSBOUND(kLargestPiece)) throw TransferError("a piece of a file is too large");
        break;
    case Piece::Kind::end:
    case Piece::Kind::stored:
    case Piece::Kind::failed:
        if (piece.size != 0 || bytes.size() > kLargestNote) throw TransferError("a note about a file is too large");
        break;
    }
    return piece;
}

struct Packer::State {
    std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context{ZSTD_createCCtx(), &ZSTD_freeCCtx};
    std::vector<std::byte> packed;
    unsigned plain = 0; ///< pieces in a row that did not shrink
};

Packer::Packer() : state_(std::make_unique<State>()) {}
Packer::~Packer() = default;
Packer::Packer(Packer&&) noexcept = default;
Packer& Packer::operator=(Packer&&) noexcept = default;

std::span<const std::byte> Packer::pack(std::span<const std::byte> raw) {
    State& state = *state_;
    if (!state.context || raw.empty()) return {};
    state.packed.resize(ZSTD_compressBound(raw.size()));
    const std::size_t size = ZSTD_compressCCtx(state.context.get(), state.packed.data(), state.packed.size(),
                                               raw.data(), raw.size(), kPackLevel);
    // Unpacking costs time as well, so a few bytes less are no gain.
    if (ZSTD_isError(size) || size > raw.size() - raw.size() / 16) return {};
    return std::span<const std::byte>(state.packed).first(size);
}

std::vector<std::byte> Packer::piece(std::uint64_t transfer, std::uint64_t offset, std::span<const std::byte> raw) {
    Piece piece{.kind = Piece::Kind::raw,
                .transfer = transfer,
                .offset = offset,
                .size = static_cast<std::uint32_t>(raw.size()),
                .body = raw};
    unsigned& plain = state_->plain;
    if (plain < kPlainInARow || plain % kTryAgainAfter == 0) {
        if (const auto packed = pack(raw); !packed.empty()) {
            piece.kind = Piece::Kind::packed;
            piece.body = packed;
            plain = 0;
            return encode(piece);
        }
    }
    ++plain;
    return encode(piece);
}

struct Unpacker::State {
    std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context{ZSTD_createDCtx(), &ZSTD_freeDCtx};
    std::vector<std::byte> raw;
};

Unpacker::Unpacker() : state_(std::make_unique<State>()) {}
Unpacker::~Unpacker() = default;
Unpacker::Unpacker(Unpacker&&) noexcept = default;
Unpacker& Unpacker::operator=(Unpacker&&) noexcept = default;

std::span<const std::byte> Unpacker::unpack(std::span<const std::byte> packed, std::size_t size) {
    State& state = *state_;
    if (!state.context) throw std::bad_alloc();
    if (size == 0 || size > kLargestPiece) throw TransferError("a piece of a file is empty or too large");
    // Never more than it says: a small frame can stand for any number of zeros.
    state.raw.resize(size);
    const std::size_t got =
        ZSTD_decompressDCtx(state.context.get(), state.raw.data(), size, packed.data(), packed.size());
    if (ZSTD_isError(got) || got != size) throw TransferError("a piece of a file cannot be unpacked");
    return state.raw;
}

std::span<const std::byte> Unpacker::unpack(const Piece& piece) {
    return piece.kind == Piece::Kind::packed ? unpack(piece.body, piece.size) : piece.body;
}

Sent send_pieces(const files::InputFile& file, std::uint64_t transfer, std::uint64_t offset, const Sending& how,
                 compiler::Sha256* digest) {
    file.will_read_in_order();
    Packer packer;
    std::vector<std::byte> raw(kPieceSize);
    while (offset < file.size()) {
        if (how.stopped && how.stopped()) return Sent::stopped;
        const auto part =
            std::span(raw).first(static_cast<std::size_t>(std::min<std::uint64_t>(kPieceSize, file.size() - offset)));
        file.read(offset, part);
        if (digest) digest->update({reinterpret_cast<const char*>(part.data()), part.size()});
        if (!how.send(packer.piece(transfer, offset, part))) return Sent::gone;
        offset += part.size();
        if (how.progress) how.progress(offset);
    }
    return Sent::all;
}

std::string digest_of(const files::InputFile& file, const std::function<bool()>& stopped) {
    file.will_read_in_order();
    compiler::Sha256 digest;
    std::vector<std::byte> raw(static_cast<std::size_t>(std::min<std::uint64_t>(kPieceSize, file.size())));
    for (std::uint64_t offset = 0; offset < file.size(); offset += raw.size()) {
        if (stopped && stopped()) return {};
        const auto part =
            std::span(raw).first(static_cast<std::size_t>(std::min<std::uint64_t>(raw.size(), file.size() - offset)));
        file.read(offset, part);
        digest.update({reinterpret_cast<const char*>(part.data()), part.size()});
    }
    return digest.hex();
}

bool is_digest(std::string_view text) {
    return text.size() == 64 &&
           std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::string decimal_size(std::uint64_t bytes) {
    constexpr const char* units[] = {"kB", "MB", "GB", "TB"};
    if (bytes < 1000) return fmt::format("{} bytes", bytes);
    auto value = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    for (; value >= 999.5 && unit + 1 < std::size(units); ++unit)
        value /= 1000;
    return value < 9.95 ? fmt::format("{:.1f} {}", value, units[unit]) : fmt::format("{:.0f} {}", value, units[unit]);
}

std::string Rate::text(std::uint64_t done) {
    const auto now = std::chrono::steady_clock::now();
    if (now - told_ < std::chrono::milliseconds(100) && done < total_) return {};
    told_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    std::string text = fmt::format("{} of {}", decimal_size(done), decimal_size(total_));
    if (seconds > 0.05)
        text += fmt::format(", {}/s", decimal_size(static_cast<std::uint64_t>(static_cast<double>(done) / seconds)));
    return text;
}

} // namespace warplight::remote
