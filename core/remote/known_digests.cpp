// SPDX-License-Identifier: Apache-2.0
#include "remote/known_digests.hpp"

#include "compiler/sha256.hpp"
#include "remote/transfer.hpp"
#include "session/data_file.hpp"

#include <fmt/format.h>
#include <string_view>

namespace warplight::remote {
namespace {

/// Smaller files are read as soon as their entry is found.
constexpr std::uint64_t least_known = std::uint64_t{4} << 20;
constexpr std::uint64_t most_known = std::uint64_t{256} << 10; ///< bytes of all entries, of about 200 each

std::string key_of(const std::filesystem::path& file, const FileStamp& stamp) {
    return compiler::sha256_hex(fmt::format("{} {} {} {} {} {}", stamp.size, stamp.written, stamp.changed, stamp.number,
                                            stamp.disk, session::utf8_of(file)));
}

bool is_worth_it(const FileStamp& stamp) { return stamp.size >= least_known && tells_every_change(stamp); }

} // namespace

KnownDigests::KnownDigests(const std::filesystem::path& folder)
    : cache_({.folder = folder,
              .magic = "warplight digests 1\n",
              .suffix = ".wld",
              .limit = most_known,
              .digest = [](std::string_view bytes) { return compiler::sha256_hex(bytes); }}) {}

std::optional<std::string> KnownDigests::find(const std::filesystem::path& file, const FileStamp& stamp) const {
    if (!is_worth_it(stamp)) return std::nullopt;
    auto found = cache_.find(key_of(file, stamp));
    if (found && !is_digest(*found)) found.reset();
    return found;
}

void KnownDigests::keep(const std::filesystem::path& file, const FileStamp& stamp, const std::string& digest) const {
    if (is_worth_it(stamp) && !is_young(stamp)) cache_.keep(key_of(file, stamp), digest);
}

void KnownDigests::forget(const std::filesystem::path& file, const FileStamp& stamp) const {
    if (is_worth_it(stamp)) cache_.keep(key_of(file, stamp), "none");
}

} // namespace warplight::remote
