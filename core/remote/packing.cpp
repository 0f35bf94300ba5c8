// SPDX-License-Identifier: Apache-2.0
#include "remote/packing.hpp"

#include "files/thread_object.hpp"

#include <algorithm>
#include <cstdint>
#include <zstd.h>

namespace warplight::remote {
namespace {

/// Of arrays that were computed the fastest level gains nearly as much as any other.
constexpr int kPackingLevel = 1;
/// Below that, packets go as they are.
constexpr std::size_t kLeastPacked = std::size_t{4} << 10;
/// Random numbers are noticed by a sample: to compress all of them would take longer than to send them.
constexpr std::size_t kSample = std::size_t{32} << 10;

std::size_t worth_it(std::size_t size) { return size - size / 10; }

/// Memory of Zstandard's, which each thread keeps for itself.
class ThreadPacker {
public:
    ThreadPacker() : context(ZSTD_createCCtx()) {}
    ~ThreadPacker() { ZSTD_freeCCtx(context); }
    ThreadPacker(const ThreadPacker&) = delete;
    ThreadPacker& operator=(const ThreadPacker&) = delete;
    ZSTD_CCtx* const context; ///< null where there is no memory
};

/// Into `to`, where it fits.
std::optional<std::size_t> pack_into(std::span<std::byte> to, std::span<const std::byte> bytes) {
    const auto& packer = files::thread_object<ThreadPacker>();
    if (!packer.context) return std::nullopt;
    const std::size_t size =
        ZSTD_compressCCtx(packer.context, to.data(), to.size(), bytes.data(), bytes.size(), kPackingLevel);
    return ZSTD_isError(size) ? std::nullopt : std::optional(size);
}

} // namespace

std::optional<std::vector<std::byte>> pack(std::span<const std::byte> bytes) {
    if (bytes.size() < kLeastPacked) return std::nullopt;
    if (bytes.size() > 4 * kSample) {
        std::vector<std::byte> trial(worth_it(kSample));
        // Its middle: arrays begin with a head.
        if (!pack_into(trial, bytes.subspan(bytes.size() / 2, kSample))) return std::nullopt;
    }
    std::vector<std::byte> packed(worth_it(bytes.size()));
    const auto size = pack_into(packed, bytes);
    if (!size) return std::nullopt;
    packed.resize(*size);
    return packed;
}

std::optional<std::size_t> unpacked_size(std::span<const std::byte> packed) {
    const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > SIZE_MAX) return std::nullopt;
    return static_cast<std::size_t>(size);
}

std::optional<std::vector<std::byte>> unpack(std::span<const std::byte> packed, std::size_t most) {
    const auto size = unpacked_size(packed);
    if (!size || *size > most) return std::nullopt;
    std::vector<std::byte> bytes(*size);
    const std::size_t got = ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size());
    if (ZSTD_isError(got) || got != *size) return std::nullopt;
    return bytes;
}

} // namespace warplight::remote
