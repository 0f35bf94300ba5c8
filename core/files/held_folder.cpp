// SPDX-License-Identifier: Apache-2.0
#include "files/held_folder.hpp"

#include "files/platform.hpp"
#include "files/random_name.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace warplight::files {
namespace fs = std::filesystem;
namespace {

using platform::Folder;
using platform::Hold;
using platform::Owner;

constexpr std::string_view kPrefix = "warplight-";
/// Tells a folder of this kind from one that only has such a name.
constexpr const char* kMark = ".warplight-held";

/// The folders that this process holds.
struct Held {
    std::mutex mutex;
    std::set<fs::path> paths;
    std::set<fs::path> cleaned; ///< parents in which dead processes' folders were looked for
    static Held& instance() {
        static Held* const held = new Held; // never destroyed: threads may outlive static objects
        return *held;
    }
};

bool is_held_name(const fs::path& path) {
    const std::string name = path.string();
    const std::size_t dash = name.rfind('-');
    if (!name.starts_with(kPrefix) || dash == std::string::npos || dash <= kPrefix.size()) return false;
    const std::string_view purpose = std::string_view(name).substr(kPrefix.size(), dash - kPrefix.size());
    return std::all_of(purpose.begin(), purpose.end(), [](char c) { return c >= 'a' && c <= 'z'; }) &&
           is_random_name(std::string_view(name).substr(dash + 1));
}

/// The mark goes last: a process that is killed meanwhile leaves a folder that the next one still knows.
void remove_marked(const fs::path& path) {
    std::error_code error, ignored;
    for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error))
        if (it->path().filename() != kMark) fs::remove_all(it->path(), ignored);
    fs::remove_all(path, ignored);
}

void remove_if_dead(const fs::path& path) {
    std::string reason;
    Folder folder = Folder::open(path, Owner::user, reason);
    if (!folder.is_open() || folder.hold() != Hold::held || !folder.is_at(path)) return;
    // A process that was ended just after it had made the folder leaves an empty one.
    std::error_code ignored;
    if (folder.contains(kMark))
        remove_marked(path);
    else
        fs::remove(path, ignored);
    folder = Folder();
    fs::remove(path, ignored); // empty by now: Windows removes no folder that is held
}

/// Makes a folder with a name of its own. @throws Problem
fs::path make_folder(const fs::path& parent, const std::string& start) {
    std::error_code error;
    for (int i = 0; i < kNameTries; ++i) {
        fs::path path = parent / (start + random_name());
        error = platform::make_private_folder(path);
        if (!error) return path;
        if (error != std::errc::file_exists) break;
    }
    throw Problem(parent, "no folder can be made in it", error);
}

} // namespace

struct HeldFolder::State {
    fs::path path;
    Folder folder;
};

HeldFolder::HeldFolder(const std::string& purpose, const fs::path& parent) : state_(std::make_unique<State>()) {
    const fs::path in = parent.empty() ? temporary_folder() : parent;
    auto& held = Held::instance();
    {
        const std::scoped_lock lock(held.mutex);
        if (held.cleaned.insert(in).second) remove_dead_folders(in);
    }
    std::string reason = "no folder can be held in it";
    for (int i = 0; i < kNameTries; ++i) {
        std::error_code ignored;
        state_->path = make_folder(in, std::string(kPrefix) + purpose + '-');
        state_->folder = Folder::open(state_->path, Owner::user, reason);
        // A process that removes dead folders may have been faster. Where folders cannot be locked, nobody removes
        // them.
        if (!state_->folder.is_open() || state_->folder.hold() == Hold::taken || !state_->folder.is_at(state_->path)) {
            fs::remove(state_->path, ignored);
            continue;
        }
        std::error_code error;
        (void)state_->folder.create(kMark, false, error);
        if (error) {
            state_->folder = Folder();
            fs::remove(state_->path, ignored);
            throw Problem(in, "no file can be made in a new folder there", error);
        }
        const std::scoped_lock lock(held.mutex);
        held.paths.insert(state_->path);
        return;
    }
    throw Problem(in, reason);
}

HeldFolder::~HeldFolder() {
    if (!state_) return;
    state_->folder = Folder(); // some systems remove no open folder
    remove_marked(state_->path);
    auto& held = Held::instance();
    const std::scoped_lock lock(held.mutex);
    held.paths.erase(state_->path);
}

HeldFolder::HeldFolder(HeldFolder&& other) noexcept = default;

HeldFolder& HeldFolder::operator=(HeldFolder&& other) noexcept {
    std::swap(state_, other.state_);
    return *this;
}

const fs::path& HeldFolder::path() const noexcept { return state_->path; }

void remove_dead_folders(const fs::path& parent) {
    std::error_code error;
    const fs::path in = parent.empty() ? fs::temp_directory_path(error) : parent;
    std::vector<fs::path> found;
    for (fs::directory_iterator it(in, error), end; !error && it != end; it.increment(error))
        if (is_held_name(it->path().filename())) found.push_back(it->path());
    for (const fs::path& path : found)
        remove_if_dead(path);
}

void remove_held_folders() noexcept {
    auto& held = Held::instance();
    const std::scoped_lock lock(held.mutex);
    for (const fs::path& path : held.paths)
        remove_marked(path);
    held.paths.clear();
}

fs::path make_kept_folder(const std::string& purpose) {
    return make_folder(temporary_folder(), std::string(kPrefix) + purpose + '.');
}

fs::path temporary_folder() {
    std::error_code error;
    fs::path path = fs::temp_directory_path(error);
    if (error) throw Problem(path, "the folder for temporary files cannot be used", error);
    return path;
}

void own_folder(const fs::path& path) {
    std::error_code error;
    if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
    if (!error) error = platform::make_private_folder(path);
    if (error && error != std::errc::file_exists) throw Problem(path, "cannot be made", error);
    std::string reason;
    if (!Folder::open(path, Owner::private_, reason).is_open()) throw Problem(path, reason);
}

fs::path own_temporary_folder(const std::string& name) {
    fs::path path = temporary_folder() / (name + '-' + platform::user_name_part());
    try {
        own_folder(path);
        return path;
    } catch (const Problem&) {
        // Another user may have put something there on purpose.
        static HeldFolder* const instead = new HeldFolder("instead");
        return instead->path();
    }
}

} // namespace warplight::files
