// SPDX-License-Identifier: Apache-2.0
#include "compiler/cache.hpp"

#include "compiler/platform.hpp"
#include "compiler/sha256.hpp"
#include "files/cache_folder.hpp"
#include "files/size.hpp"
#include "warplight/compiler.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace warplight::compiler {
namespace fs = std::filesystem;
namespace {

files::CacheFolder cache_in(const fs::path& folder) {
    return files::CacheFolder({.folder = folder.empty() ? fs::path(cache_folder()) : folder,
                               .chosen = !folder.empty(),
                               .magic = "warplight compile cache 2\n",
                               .suffix = ".wlc",
                               .limit = cache_limit(),
                               .digest = &sha256_hex});
}

void put_size(std::string& out, std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8)
        out += static_cast<char>(value >> shift);
}

bool take(std::string_view& in, std::string& out) {
    if (in.size() < 8) return false;
    std::uint64_t size = 0;
    for (int i = 0; i < 8; ++i)
        size |= std::uint64_t{static_cast<unsigned char>(in[i])} << (8 * i);
    in.remove_prefix(8);
    if (size > in.size()) return false;
    out.assign(in.substr(0, size));
    in.remove_prefix(size);
    return true;
}

} // namespace

FilePath cache_folder() {
    if (const char* chosen = std::getenv("WARPLIGHT_CACHE_DIR"); chosen && *chosen) return fs::path(chosen) / "compile";
    return platform::user_cache_folder() / "warplight" / "compile";
}

std::uintmax_t cache_limit() { return files::size_from_environment("WARPLIGHT_CACHE_LIMIT", std::uint64_t{512} << 20); }

void clear_cache() {
    std::error_code ignored;
    fs::remove_all(fs::path(cache_folder()), ignored);
}

bool cache_disabled() { return std::getenv("WARPLIGHT_DISABLE_CACHE") != nullptr; }

std::optional<CacheEntry> cache_load(const std::string& key, const fs::path& folder) {
    const auto found = cache_in(folder).find(key);
    if (!found) return {};
    std::string_view in = *found;
    CacheEntry entry;
    while (!in.empty()) {
        std::string name, value;
        if (!take(in, name) || !take(in, value)) return {};
        entry[name] = std::move(value);
    }
    return entry;
}

void cache_store(const std::string& key, const CacheEntry& entry, const fs::path& folder) {
    std::string value;
    for (const auto& [name, text] : entry) {
        put_size(value, name.size());
        value += name;
        put_size(value, text.size());
        value += text;
    }
    cache_in(folder).keep(key, value);
}

} // namespace warplight::compiler
