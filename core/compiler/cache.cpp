// SPDX-License-Identifier: Apache-2.0
#include "compiler/cache.hpp"

#include "compiler/platform.hpp"
#include "compiler/sha256.hpp"
#include "warplight/compiler.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace warplight::compiler {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kMagic = "warplight compile cache 1\n";
constexpr std::string_view kSuffix = ".wlc";

fs::path path_of(const std::string& key, const fs::path& folder) {
    return (folder.empty() ? fs::path(cache_folder()) : folder) / key.substr(0, 2) / (key + std::string(kSuffix));
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

std::string read_file(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return in ? std::move(text).str() : std::string();
}

void evict(const fs::path& folder) {
    struct File {
        fs::path path;
        fs::file_time_type used;
        std::uintmax_t size;
    };
    std::vector<File> files;
    std::uintmax_t total = 0;
    std::error_code error;
    for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        std::error_code ignored;
        if (!it->is_regular_file(ignored)) continue;
        File file{it->path(), it->last_write_time(ignored), it->file_size(ignored)};
        if (ignored) continue; // another process removed it
        bool stale_temporary = file.path.extension() != kSuffix;
        // A folder that the user chose may hold other files.
        if (stale_temporary && file.path.filename().string().find(kSuffix) == std::string::npos) continue;
        if (stale_temporary && fs::file_time_type::clock::now() - file.used < std::chrono::hours(1)) continue;
        total += file.size;
        if (stale_temporary) file.used = fs::file_time_type::min();
        files.push_back(std::move(file));
    }
    std::uintmax_t limit = cache_limit();
    if (total <= limit) return;
    std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.used < b.used; });
    // Frees more than needed. Else every store would walk the folder to remove one file.
    std::uintmax_t target = limit - limit / 10;
    for (const File& file : files) {
        if (total <= target) break;
        if (fs::remove(file.path, error)) total -= file.size;
    }
}

} // namespace

FilePath cache_folder() {
    if (const char* chosen = std::getenv("WARPLIGHT_CACHE_DIR"); chosen && *chosen) return fs::path(chosen) / "compile";
    return platform::user_cache_folder() / "warplight" / "compile";
}

std::uintmax_t cache_limit() {
    if (const char* chosen = std::getenv("WARPLIGHT_CACHE_LIMIT"); chosen && *chosen) {
        char* end = nullptr;
        unsigned long long value = std::strtoull(chosen, &end, 10);
        if (end && *end == '\0') return value;
    }
    return std::uintmax_t{512} << 20;
}

void clear_cache() {
    std::error_code ignored;
    fs::remove_all(fs::path(cache_folder()), ignored);
}

bool cache_disabled() { return std::getenv("WARPLIGHT_DISABLE_CACHE") != nullptr; }

std::optional<CacheEntry> cache_load(const std::string& key, const fs::path& folder) {
    fs::path path = path_of(key, folder);
    std::string bytes = read_file(path);
    std::string_view in = bytes;
    if (!in.starts_with(kMagic)) return {};
    in.remove_prefix(kMagic.size());
    constexpr std::size_t digest_size = 64;
    if (in.size() < digest_size) return {};
    std::string_view digest = in.substr(0, digest_size);
    in.remove_prefix(digest_size);
    if (sha256_hex(in) != digest) return {};
    CacheEntry entry;
    while (!in.empty()) {
        std::string name, value;
        if (!take(in, name) || !take(in, value)) return {};
        entry[name] = std::move(value);
    }
    std::error_code ignored;
    fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
    return entry;
}

void cache_store(const std::string& key, const CacheEntry& entry, const fs::path& folder) {
    std::string payload;
    for (const auto& [name, value] : entry) {
        put_size(payload, name.size());
        payload += name;
        put_size(payload, value.size());
        payload += value;
    }
    fs::path path = path_of(key, folder);
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) return;
    static std::atomic<unsigned> counter{0};
    fs::path temporary = path;
    temporary += "." + std::to_string(platform::process_id()) + "." + std::to_string(counter++);
    {
        std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
        out << kMagic << sha256_hex(payload) << payload;
        out.close();
        if (!out) {
            fs::remove(temporary, error);
            return;
        }
    }
    fs::rename(temporary, path, error);
    if (error) {
        std::error_code ignored;
        fs::remove(temporary, ignored);
        return;
    }
    evict(path.parent_path().parent_path());
}

} // namespace warplight::compiler
