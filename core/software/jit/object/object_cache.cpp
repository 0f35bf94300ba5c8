// SPDX-License-Identifier: Apache-2.0
#include "object_cache.hpp"

#include "software/jit/abi/abi.hpp"
#include "software/jit/host.hpp"
#include "software/jit/passes/pipeline.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/Support/BLAKE3.h>

#include <array>
#include <cstring>

namespace warplight::jit {

namespace {

using Digest = std::array<std::uint8_t, 32>;

Digest digest_of(llvm::StringRef bytes, llvm::StringRef before = {}) {
    llvm::BLAKE3 hash;
    hash.update(before);
    hash.update(bytes);
    Digest digest;
    const auto result = hash.final();
    std::copy(result.begin(), result.end(), digest.begin());
    return digest;
}

void put(std::string& out, std::uint32_t value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); }

bool take(llvm::StringRef& in, std::uint32_t& value) {
    if (in.size() < sizeof value) return false;
    std::memcpy(&value, in.data(), sizeof value);
    in = in.drop_front(sizeof value);
    return true;
}

} // namespace

std::string digest(std::string_view text, std::string_view build) {
    return llvm::toHex(digest_of(text, std::string(build) + '\0'), true);
}

namespace {

/// Differs wherever the code of a kernel may differ: by source, options, machine and our versions.
std::string key_of(const Options& options, Mode mode, std::string_view kernel) {
    std::string versions = "warplight " LLVM_VERSION_STRING " " + host_description();
    const bool reports_accesses = options.access_reports == AccessReports::before_each;
    for (const std::uint32_t number :
         {software::kAbiVersion, std::uint32_t{kPipelineVersion}, options.width, std::uint32_t{options.along_y},
          options.most_threads, options.compute_capability, static_cast<std::uint32_t>(mode),
          std::uint32_t{reports_accesses}, std::uint32_t{options.checks_accesses},
          std::uint32_t{options.traces_accesses}, std::uint32_t{options.follows_values}, std::uint32_t{options.steps},
          static_cast<std::uint32_t>(options.arithmetic), std::uint32_t{options.profiles},
          std::uint32_t{options.traces_reads}, std::uint32_t{options.follows_waits},
          static_cast<std::uint32_t>(options.walls)})
        versions.append(1, ' ').append(std::to_string(number));
    versions.append(1, ' ').append(kernel);
    return digest(options.source, versions);
}

std::string binary_digest(std::string_view bytes) {
    const Digest digest = digest_of(bytes);
    return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

files::CacheFolder cache_of(const Options& options) {
    return files::CacheFolder({.folder = options.source.empty() ? std::string() : options.cache_directory,
                               .magic = "WLOBJ002",
                               .suffix = ".wlobj",
                               .limit = options.cache_limit,
                               .digest = &binary_digest});
}

} // namespace

CacheEntry::CacheEntry(const Options& options, Mode mode, std::string_view kernel) : folder_(cache_of(options)) {
    if (!options.cache_directory.empty() && !options.source.empty()) key_ = key_of(options, mode, kernel);
}

std::optional<CachedObject> CacheEntry::find() const {
    if (key_.empty()) return std::nullopt;
    const auto bytes = folder_.find(key_);
    if (!bytes) return std::nullopt;
    llvm::StringRef in = *bytes;
    CachedObject found;
    std::uint32_t count = 0;
    if (!take(in, found.map.entry) || !take(in, found.map.size) || !take(in, count) || in.size() / 8 < count)
        return std::nullopt;
    found.map.rows.resize(count);
    for (CodeMap::Row& row : found.map.rows)
        if (!take(in, row.offset) || !take(in, row.line)) return std::nullopt;
    found.object = llvm::MemoryBuffer::getMemBufferCopy(in, key_);
    return found;
}

void CacheEntry::keep(const CodeMap& map, llvm::StringRef object) const {
    if (key_.empty()) return;
    std::string value;
    put(value, map.entry);
    put(value, map.size);
    put(value, static_cast<std::uint32_t>(map.rows.size()));
    for (const CodeMap::Row& row : map.rows) {
        put(value, row.offset);
        put(value, row.line);
    }
    value.append(object.data(), object.size());
    folder_.keep(key_, value);
}

} // namespace warplight::jit
