// SPDX-License-Identifier: Apache-2.0
#include "object_cache.hpp"

#include "software/jit/abi/abi.hpp"
#include "software/jit/host.hpp"
#include "software/jit/passes/pipeline.hpp"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/Support/BLAKE3.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <array>
#include <cstring>

namespace warplight::jit {

namespace {

constexpr std::array<char, 8> kMagic = {'W', 'L', 'O', 'B', 'J', '0', '0', '1'};
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
         {software::kAbiVersion, std::uint32_t{kPipelineVersion}, options.width, options.compute_capability,
          static_cast<std::uint32_t>(mode), std::uint32_t{reports_accesses}, static_cast<std::uint32_t>(options.walls)})
        versions.append(1, ' ').append(std::to_string(number));
    versions.append(1, ' ').append(kernel);
    return digest(options.source, versions);
}

} // namespace

CacheEntry::CacheEntry(const Options& options, Mode mode, std::string_view kernel) {
    if (options.cache_directory.empty() || options.source.empty()) return;
    folder_ = options.cache_directory;
    path_ = folder_ + "/" + key_of(options, mode, kernel) + ".wlobj";
}

std::optional<CachedObject> CacheEntry::find() const {
    if (folder_.empty()) return std::nullopt;
    auto file = llvm::MemoryBuffer::getFile(path_, false, false);
    if (!file) return std::nullopt;
    llvm::StringRef in = (*file)->getBuffer();
    if (!in.consume_front(llvm::StringRef(kMagic.data(), kMagic.size())) || in.size() < sizeof(Digest))
        return std::nullopt;
    Digest digest;
    std::memcpy(digest.data(), in.data(), digest.size());
    in = in.drop_front(digest.size());
    if (digest_of(in) != digest) return std::nullopt;
    CachedObject found;
    std::uint32_t count = 0;
    if (!take(in, found.map.entry) || !take(in, found.map.size) || !take(in, count) || in.size() / 8 < count)
        return std::nullopt;
    found.map.rows.resize(count);
    for (CodeMap::Row& row : found.map.rows)
        if (!take(in, row.offset) || !take(in, row.line)) return std::nullopt;
    found.object = llvm::MemoryBuffer::getMemBufferCopy(in, path_);
    return found;
}

void CacheEntry::keep(const CodeMap& map, llvm::StringRef object) const {
    if (folder_.empty()) return;
    std::string payload;
    put(payload, map.entry);
    put(payload, map.size);
    put(payload, static_cast<std::uint32_t>(map.rows.size()));
    for (const CodeMap::Row& row : map.rows) {
        put(payload, row.offset);
        put(payload, row.line);
    }
    payload.append(object.data(), object.size());
    if (llvm::sys::fs::create_directories(folder_)) return;
    // Written to another name and renamed, so that a reader sees the whole file or none. LLVM's TempFile would take
    // over the process's signals, those of faults too, to remove its files.
    llvm::SmallString<256> temporary;
    int file = -1;
    if (llvm::sys::fs::createUniqueFile(path_ + ".%%%%%%%%", file, temporary)) return;
    const Digest digest = digest_of(payload);
    llvm::raw_fd_ostream out(file, true);
    out.write(kMagic.data(), kMagic.size());
    out.write(reinterpret_cast<const char*>(digest.data()), digest.size());
    out << payload;
    out.close();
    const bool written = !out.has_error();
    out.clear_error();
    if (written && !llvm::sys::fs::rename(temporary, path_)) return;
    [[maybe_unused]] const std::error_code left_behind = llvm::sys::fs::remove(temporary);
}

} // namespace warplight::jit
