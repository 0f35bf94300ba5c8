// SPDX-License-Identifier: Apache-2.0
#include "files/cache_folder.hpp"

#include "files/held_folder.hpp"
#include "files/new_file.hpp"
#include "files/platform.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace warplight::files {
namespace fs = std::filesystem;
namespace {

using platform::Entry;
using platform::Folder;
using platform::Owner;

Folder open_folder(const CacheFolder::Settings& settings) {
    std::string reason;
    return Folder::open(settings.folder, settings.chosen ? Owner::user : Owner::private_, reason);
}

Folder make_folder(const CacheFolder::Settings& settings) {
    std::error_code error;
    if (!settings.folder.parent_path().empty()) fs::create_directories(settings.folder.parent_path(), error);
    (void)platform::make_private_folder(settings.folder); // mostly it is there
    return open_folder(settings);
}

/// What the digest is of: the key and the value. Keys of other sizes give other texts.
std::string content_of(const std::string& key, std::string_view value) {
    return std::to_string(key.size()) + ' ' + key + std::string(value);
}

/// The bytes of each cache's folder as this process knows them. It looks at the folder before its first entry, and when
/// the limit seems to be reached; a look after each entry would take longer than many an entry saves.
class Sizes {
public:
    static Sizes& instance() {
        static Sizes* const sizes = new Sizes; // never destroyed: threads may outlive static objects
        return *sizes;
    }
    /// True when the folder must be looked at.
    bool add(const fs::path& folder, std::uint64_t bytes, std::uint64_t limit) {
        const std::scoped_lock lock(mutex_);
        const auto [found, is_new] = bytes_.try_emplace(folder, 0);
        found->second += bytes;
        return is_new || found->second > limit;
    }
    void set(const fs::path& folder, std::uint64_t bytes) {
        const std::scoped_lock lock(mutex_);
        bytes_[folder] = bytes;
    }

private:
    std::mutex mutex_;
    std::map<fs::path, std::uint64_t> bytes_;
};

std::vector<Entry> entries_of(const Folder& folder, const std::string& suffix) {
    std::vector<fs::path> names;
    folder.each_name([&](const fs::path& name) {
        if (name.extension() == suffix) names.push_back(name);
    });
    std::vector<Entry> entries;
    Entry entry;
    for (const fs::path& name : names)
        if (folder.status(name, entry)) entries.push_back(entry);
    return entries;
}

/// Removes what was not used for longest. Returns the bytes that stay.
std::uint64_t keep_limit(const Folder& folder, const CacheFolder::Settings& settings) {
    std::vector<Entry> entries = entries_of(folder, settings.suffix);
    std::uint64_t total = 0;
    for (const Entry& entry : entries)
        total += entry.size;
    if (total <= settings.limit) return total;
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.changed < b.changed; });
    // Frees more than needed, so that not every new entry has to remove one.
    const std::uint64_t target = settings.limit - settings.limit / 10;
    for (const Entry& entry : entries) {
        if (total <= target) break;
        folder.remove(entry.name);
        total -= entry.size;
    }
    return total;
}

} // namespace

CacheFolder::CacheFolder(Settings settings) : settings_(std::move(settings)) {}

std::optional<std::string> CacheFolder::find(const std::string& key) const {
    if (settings_.folder.empty()) return std::nullopt;
    const Folder folder = open_folder(settings_);
    if (!folder.is_open()) return std::nullopt;
    const fs::path name = key + settings_.suffix;
    platform::File file = folder.open_file(name);
    std::string bytes;
    if (!file.is_open() || !file.read(bytes)) return std::nullopt;
    const std::string start = content_of(key, {});
    std::string_view rest = bytes;
    const auto take = [&rest](std::size_t size) {
        const std::string_view taken = rest.substr(0, size);
        rest.remove_prefix(taken.size());
        return taken;
    };
    const std::size_t digest_size = settings_.digest({}).size();
    const bool known = take(settings_.magic.size()) == settings_.magic;
    const std::string_view digest = take(digest_size);
    if (!known || !rest.starts_with(start) || settings_.digest(rest) != digest) {
        folder.remove(name);
        return std::nullopt;
    }
    file.touch();
    bytes.erase(0, bytes.size() - rest.size() + start.size());
    return bytes;
}

void CacheFolder::keep(const std::string& key, std::string_view value) const {
    if (settings_.folder.empty()) return;
    const Folder folder = make_folder(settings_);
    if (!folder.is_open()) return;
    const std::string content = content_of(key, value), digest = settings_.digest(content);
    const std::uint64_t size = settings_.magic.size() + digest.size() + content.size();
    if (size > settings_.limit) return;
    try {
        const auto write = [&](NewFile& file) {
            file.write(settings_.magic);
            file.write(digest);
            file.write(content);
        };
        write_new_file(folder, settings_.folder / (key + settings_.suffix), write, Lasting::process);
    } catch (const Problem&) {
        return; // on a full disk, or in a folder that cannot be written, only the entry is lost
    }
    if (!Sizes::instance().add(settings_.folder, size, settings_.limit)) return;
    // While another process does the same, this one does not wait.
    if (folder.hold() == platform::Hold::taken) return;
    remove_temporary_files(folder);
    Sizes::instance().set(settings_.folder, keep_limit(folder, settings_));
}

} // namespace warplight::files
