// SPDX-License-Identifier: Apache-2.0
// The files of a connection on the far machine: those of the near machine, which are stored and stand in `held/root`
// under their near paths, and results in `held/out`, which are fetched.
//
// | method | parameters | result |
// |---|---|---|
// | `files.offer` | in this order: `remove`: [path], `folders`: [path], `links`: [{`path`, `target`}], `pipes`: [path],
//   `files`: [{`digest`, `size`, `paths`: [path], `data`? (bytes of a small file), `packed`? (by Zstandard)}]. Paths
//   start at `root` | `wanted`: [{`file` (its number), `transfer`, `have` (bytes that are there)}], `root`, `out` |
// | `files.fetch` | `files`: [{`path`, `transfer` (a number from 2^63 on)}], `remove`? (afterwards). Paths start at
//   `out` | `files`: [{`size`, `data`? (of a small file)} or {`problem`}] |
//
// Pieces of what is wanted, and of what is fetched, go over the channel `bulk` (transfer.hpp). For each file that is
// wanted the answer is `stored` or `failed`. An error has as its data `why`: disk, limit (with `needed` and `free`),
// digest, error (with `text`).
#pragma once

#include "remote/root_folder.hpp"
#include "remote/store.hpp"
#include "remote/transfer.hpp"
#include "worker/message.hpp"
#include "worker/request.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace warplight::remote {

class FarFiles {
public:
    struct Settings {
        std::filesystem::path folder; ///< the far folder
        std::filesystem::path held;   ///< held/ID
        std::uint64_t limit = 0;      ///< of the store, in bytes; 0: Store::usual_limit()
    };

    /// Makes `root`, a link to a folder of its own, and `out` in `held`. @param send_bulk waits while too much is under
    /// way; false: the end
    /// @throws files::Problem
    FarFiles(Settings settings, std::function<bool(std::span<const std::byte>)> send_bulk);
    /// Waits for a piece that is being sent: end what `send_bulk` waits for first.
    ~FarFiles();
    FarFiles(const FarFiles&) = delete;
    FarFiles& operator=(const FarFiles&) = delete;

    /// Where the near machine's files stand, without links. Such an object must have been made for `held`.
    [[nodiscard]] static std::filesystem::path root_of(const std::filesystem::path& held);
    [[nodiscard]] static std::filesystem::path out_of(const std::filesystem::path& held) { return held / "out"; }

    /// Whether call() has the method.
    [[nodiscard]] bool knows(std::string_view method) const;
    /// Never waits for the other side. @throws worker::RequestError
    worker::json call(const std::string& method, const worker::json& params);
    /// @throws TransferError for what nobody may send: the connection is to be ended
    void receive_bulk(std::span<const std::byte> bytes);

private:
    /// A file that comes.
    struct Arrival {
        std::unique_ptr<Store::Incoming> incoming;
        std::string digest;
        std::vector<std::filesystem::path> paths;
    };
    /// A result that goes.
    struct Departure {
        std::uint64_t transfer = 0;
        std::shared_ptr<const files::InputFile> file;
    };

    worker::json offer(const worker::json& params);
    worker::json fetch(const worker::json& params);
    [[nodiscard]] std::filesystem::path in_root(const worker::json& path) const;
    [[nodiscard]] std::filesystem::path in_out(const worker::json& path) const;
    void make_folder(const std::filesystem::path& folder) const;
    void make_link(const std::filesystem::path& link, const std::filesystem::path& target) const;
    void place(const std::string& digest, const std::vector<std::filesystem::path>& paths);
    void fail(std::uint64_t transfer, const worker::json& problem);
    void send_results();
    void send_result(const Departure& departure);

    std::filesystem::path held_;
    RootFolder root_folder_;
    std::filesystem::path root_, out_;
    std::function<bool(std::span<const std::byte>)> send_bulk_;
    Store store_;
    Unpacker unpacker_;

    std::mutex mutex_;
    std::condition_variable work_;
    std::map<std::uint64_t, Arrival> arrivals_;
    std::set<std::uint64_t> ended_; ///< pieces may still be under way for these
    std::deque<Departure> departures_;
    std::set<std::uint64_t> stopped_; ///< departures that nobody wants any more
    std::uint64_t last_transfer_ = 0;
    bool closing_ = false;
    std::thread sender_; // the last member, for it uses the others
};

} // namespace warplight::remote
