// SPDX-License-Identifier: Apache-2.0
// Files of other machines by their SHA-256, on the far one: `data/ab/DIGEST`. An entry is there whole or not at all,
// and `DIGEST.part` keeps what has come of one. Any number of processes use it at once.
#pragma once

#include "compiler/sha256.hpp"
#include "remote/part_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace warplight::remote {

/// A file has no room: on the disk, or in the store.
struct StoreFull : std::runtime_error {
    StoreFull(std::uint64_t needed, std::uint64_t free, bool of_limit)
        : std::runtime_error(of_limit ? "the file is larger than the store may be" : "the disk is full"),
          needed(needed), free(free), of_limit(of_limit) {}
    std::uint64_t needed; ///< bytes
    std::uint64_t free;   ///< bytes on the disk, or what the store may have
    bool of_limit;        ///< the limit is too small, and not the disk
};

class Store {
public:
    /// Bytes that a store in this folder may have: WARPLIGHT_REMOTE_LIMIT, else 20 GiB or a quarter of what is free
    /// and the store's, whichever is less.
    static std::uint64_t usual_limit(const std::filesystem::path& folder);

    /// @param folder is made when it is needed; only this user may look into it
    /// @param limit bytes; 0: usual_limit()
    explicit Store(std::filesystem::path folder, std::uint64_t limit = 0);

    /// A file on its way into the store. Its pieces come in order.
    class Incoming {
    public:
        ~Incoming();
        Incoming(const Incoming&) = delete;
        Incoming& operator=(const Incoming&) = delete;

        /// Bytes that are there from an earlier try.
        [[nodiscard]] std::uint64_t have() const noexcept { return part_->size(); }
        [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
        /// @throws StoreFull; std::runtime_error for more than was announced; files::Problem
        void write(std::span<const std::byte> bytes);
        /// The file gets its name if it is what was announced. @throws std::runtime_error where it is not: then it is
        /// removed
        void finish();

    private:
        friend class Store;
        Incoming(Store& store, std::string digest, std::uint64_t size, std::unique_ptr<PartFile> part, bool own);
        void read_what_is_there();

        Store& store_;
        std::string digest_;
        std::uint64_t size_;
        std::unique_ptr<PartFile> part_;
        bool own_; ///< another process fills the usual part: this one goes with the object
        bool done_ = false;
        compiler::Sha256 sum_;
        std::uint64_t summed_ = 0;
    };

    /// Whether the file is there. It counts as used now.
    bool holds(const std::string& digest, std::uint64_t size);
    /// Begins a file, or goes on with one. @throws StoreFull, files::Problem
    std::unique_ptr<Incoming> receive(const std::string& digest, std::uint64_t size);
    /// A small file at once. @throws as receive(), and std::runtime_error for another digest
    void add(const std::string& digest, std::span<const std::byte> bytes);
    /// Makes `target` the same file, in place of one that is there: a hard link, or a copy where there are none. False
    /// where the store does not have it any more. @throws files::Problem, StoreFull
    bool place(const std::string& digest, const std::filesystem::path& target);

    std::uint64_t limit();
    /// Bytes of all files, those on their way included.
    std::uint64_t used();
    /// Removes all that no connection uses. Returns the bytes that are free then.
    std::uint64_t clear();

private:
    struct Found;
    [[nodiscard]] std::filesystem::path path_of(const std::string& digest) const;
    std::vector<Found> look() const;
    static bool remove(const Found& found);
    /// Removes what was not used for longest until `size` more bytes fit. @throws StoreFull
    void make_room(std::uint64_t size);
    void note(std::uint64_t bytes);

    std::filesystem::path folder_;
    std::uint64_t limit_; ///< 0: not asked for yet
    std::mutex mutex_;
    std::optional<std::uint64_t> used_; ///< as this process knows it; nothing: it must look
    std::uint64_t since_ = 0;           ///< bytes that came since it looked
};

} // namespace warplight::remote
