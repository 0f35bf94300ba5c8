// SPDX-License-Identifier: Apache-2.0
#include "remote/store.hpp"

#include "files/held_folder.hpp"
#include "files/input_file.hpp"
#include "files/platform.hpp"
#include "files/problem.hpp"
#include "files/random_name.hpp"
#include "files/size.hpp"
#include "remote/transfer.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

namespace warplight::remote {
namespace fs = std::filesystem;
namespace {

constexpr const char* kPartEnding = ".part";
constexpr std::uint64_t kLargestStore = std::uint64_t{20} << 30;
/// A crash of the machine may leave a file of the right size without its bytes. Small ones are read again before they
/// are used, and for larger ones the disk is waited for.
constexpr std::uint64_t kReadAgain = std::uint64_t{1} << 20;
/// Other processes fill the store as well.
constexpr std::uint64_t kLookAfter = std::uint64_t{256} << 20;

bool is_full(const std::error_code& code) {
#ifdef EDQUOT
    if (code.value() == EDQUOT) return true;
#endif
    return code == std::errc::no_space_on_device || code == std::errc::file_too_large;
}

std::uint64_t free_bytes(const fs::path& folder) {
    std::error_code error;
    for (fs::path each = folder; !each.empty(); each = each.parent_path()) {
        const auto space = fs::space(each, error);
        if (!error) return space.available;
        if (each == each.parent_path()) break;
    }
    return 0;
}

fs::path beside(const fs::path& target) {
    fs::path name = target;
    name += ".warplight-" + files::random_name();
    return name;
}

} // namespace

struct Store::Found {
    fs::path path;
    std::uint64_t size = 0;
    fs::file_time_type used;
    bool part = false;
    bool linked = false; ///< a live connection has it too, so removing it frees nothing
};

std::uint64_t Store::usual_limit(const fs::path& folder) {
    Store store(folder, 1); // the limit plays no part in what it holds
    const std::uint64_t room = free_bytes(folder) + store.used();
    return files::size_from_environment("WARPLIGHT_REMOTE_LIMIT", std::min(kLargestStore, room / 4));
}

Store::Store(fs::path folder, std::uint64_t limit) : folder_(std::move(folder)), limit_(limit) {}

std::uint64_t Store::limit() {
    const std::scoped_lock lock(mutex_);
    if (!limit_) limit_ = usual_limit(folder_); // looks at all files, so not before one comes
    return limit_;
}

fs::path Store::path_of(const std::string& digest) const {
    if (!is_digest(digest)) throw TransferError("the digest of a file is none");
    return folder_ / digest.substr(0, 2) / digest;
}

std::vector<Store::Found> Store::look() const {
    std::vector<Found> all;
    std::error_code error;
    for (fs::directory_iterator folders(folder_, error), end; !error && folders != end; folders.increment(error)) {
        std::error_code inner;
        for (fs::directory_iterator files(folders->path(), inner); !inner && files != end; files.increment(inner)) {
            std::error_code gone; // another process may remove it
            Found found{.path = files->path(), .size = files->file_size(gone), .used = files->last_write_time(gone)};
            if (gone || !files->is_regular_file(gone)) continue;
            found.linked = files->hard_link_count(gone) > 1;
            found.part = !is_digest(found.path.filename().string());
            all.push_back(std::move(found));
        }
    }
    return all;
}

std::uint64_t Store::used() {
    const std::scoped_lock lock(mutex_);
    std::uint64_t bytes = 0;
    for (const Found& each : look())
        bytes += each.size;
    used_ = bytes;
    since_ = 0;
    return bytes;
}

void Store::note(std::uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    if (used_) *used_ += bytes;
    since_ += bytes;
    if (since_ > kLookAfter) used_.reset();
}

/// False where another process fills it.
bool Store::remove(const Found& found) {
    std::string ignored;
    const auto folder = files::platform::Folder::open(found.path.parent_path(), files::platform::Owner::user, ignored);
    if (!folder.is_open()) return false;
    const fs::path name = found.path.filename();
    if (found.part)
        folder.remove_unheld(name);
    else
        folder.remove(name);
    return !folder.contains(name);
}

void Store::make_room(std::uint64_t size) {
    if (size > limit()) throw StoreFull(size, limit(), true);
    const std::scoped_lock lock(mutex_);
    const bool fits = used_ && *used_ + size <= limit_ && free_bytes(folder_) >= size;
    if (fits) return;
    auto all = look();
    std::uint64_t used = 0;
    for (const Found& each : all)
        used += each.size;
    since_ = 0;
    std::ranges::sort(all, {}, &Found::used);
    // Frees more than needed, so that not every new file has to remove one.
    const std::uint64_t wanted = used + size > limit_ ? limit_ - std::min(limit_ - size, limit_ / 10) : limit_;
    for (const Found& each : all) {
        if (used + size <= wanted && free_bytes(folder_) >= size) break;
        if (each.linked || !remove(each)) continue;
        used -= std::min(used, each.size);
    }
    used_ = used;
    if (const std::uint64_t free = free_bytes(folder_); free < size) throw StoreFull(size, free, false);
    // What is in use may be more than the limit. Then the file comes on top of it: nobody can do without either.
}

bool Store::holds(const std::string& digest, std::uint64_t size) {
    const fs::path path = path_of(digest);
    std::error_code error;
    if (fs::symlink_status(path, error).type() != fs::file_type::regular) return false;
    bool right = fs::file_size(path, error) == size && !error;
    if (right && size <= kReadAgain) {
        try {
            right = digest_of(files::InputFile(path)) == digest;
        } catch (const files::InputError&) {
            right = false;
        }
    }
    if (!right) return false; // what comes takes its place
    fs::last_write_time(path, fs::file_time_type::clock::now(), error);
    return true;
}

std::unique_ptr<Store::Incoming> Store::receive(const std::string& digest, std::uint64_t size) {
    const fs::path path = path_of(digest);
    files::own_folder(folder_);
    files::own_folder(path.parent_path());
    fs::path name = path;
    name += kPartEnding;
    auto part = std::make_unique<PartFile>(name);
    const bool own = !part->is_open();
    if (own) {
        name = path;
        name += '.' + files::random_name() + kPartEnding;
        part = std::make_unique<PartFile>(name);
        if (!part->is_open()) throw files::Problem(name, "cannot be held: this file system has no locks");
    }
    if (part->size() > size) part->truncate();
    try {
        make_room(size - part->size());
    } catch (const StoreFull&) {
        if (own || part->size() == 0) part->remove();
        throw;
    }
    return std::unique_ptr<Incoming>(new Incoming(*this, digest, size, std::move(part), own));
}

void Store::add(const std::string& digest, std::span<const std::byte> bytes) {
    if (compiler::sha256_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()}) != digest)
        throw TransferError("a file has another digest than was announced");
    const auto incoming = receive(digest, bytes.size());
    if (incoming->have() < bytes.size()) incoming->write(bytes.subspan(static_cast<std::size_t>(incoming->have())));
    incoming->finish();
}

bool Store::place(const std::string& digest, const fs::path& target) {
    const fs::path path = path_of(digest);
    std::error_code error;
    const fs::path temporary = beside(target);
    fs::create_hard_link(path, temporary, error);
    if (error == std::errc::no_such_file_or_directory && !fs::exists(path, error)) return false;
    if (error) {
        error.clear();
        fs::copy_file(path, temporary, error);
        if (is_full(error)) {
            std::error_code ignored;
            fs::remove(temporary, ignored);
            throw StoreFull(fs::file_size(path, ignored), free_bytes(target.parent_path()), false);
        }
        if (error) throw files::Problem(target, "cannot be made", error);
    }
    fs::rename(temporary, target, error);
    // A rename between two names of one file does nothing, and leaves both.
    std::error_code ignored;
    fs::remove(temporary, ignored);
    if (error) throw files::Problem(target, "cannot be made", error);
    return true;
}

std::uint64_t Store::clear() {
    const std::scoped_lock lock(mutex_);
    std::uint64_t freed = 0;
    for (const Found& each : look())
        if (!each.linked && remove(each)) freed += each.size;
    used_.reset();
    return freed;
}

Store::Incoming::Incoming(Store& store, std::string digest, std::uint64_t size, std::unique_ptr<PartFile> part,
                          bool own)
    : store_(store), digest_(std::move(digest)), size_(size), part_(std::move(part)), own_(own) {}

Store::Incoming::~Incoming() {
    if (own_ && !done_) part_->remove();
}

void Store::Incoming::read_what_is_there() {
    std::vector<std::byte> bytes(kPieceSize);
    while (summed_ < part_->size()) {
        const std::size_t count = part_->read(summed_, bytes);
        if (count == 0) throw files::Problem(store_.path_of(digest_), "cannot be read again");
        sum_.update({reinterpret_cast<const char*>(bytes.data()), count});
        summed_ += count;
    }
}

void Store::Incoming::write(std::span<const std::byte> bytes) {
    if (bytes.size() > size_ - part_->size()) throw TransferError("more of a file comes than was announced");
    read_what_is_there();
    try {
        part_->write(bytes);
    } catch (const files::Problem& problem) {
        if (!is_full(problem.code())) throw;
        // Kept, it would leave the user no room.
        const StoreFull full(size_ - part_->size(), free_bytes(store_.folder_), false);
        part_->remove();
        done_ = true;
        throw full;
    }
    sum_.update({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    summed_ += bytes.size();
    store_.note(bytes.size());
}

void Store::Incoming::finish() {
    if (part_->size() != size_) throw TransferError("less of a file has come than was announced");
    read_what_is_there();
    done_ = true;
    if (sum_.hex() != digest_) {
        part_->remove();
        throw TransferError("a file has another digest than was announced");
    }
    part_->finish(store_.path_of(digest_), size_ > kReadAgain);
}

} // namespace warplight::remote
