// SPDX-License-Identifier: Apache-2.0
// The files of a connection on the near machine. A request is prepared: the files that it reads go to the far machine,
// and its paths become far ones. Its answer is finished: results are fetched, and far paths become near ones.
#pragma once

#include "files/new_file.hpp"
#include "remote/file_stamp.hpp"
#include "remote/known_digests.hpp"
#include "remote/path_map.hpp"
#include "remote/session_files.hpp"
#include "remote/transfer.hpp"
#include "session/result_paths.hpp"
#include "worker/confinement.hpp"
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
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::remote {

class NearFiles {
public:
    using Cancelled = std::function<bool()>;

    /// What the connection does for the files.
    struct Channelling {
        /// A request to the far side's FarFiles. @throws worker::RequestError
        std::function<worker::json(const std::string& method, worker::json params, const Cancelled& cancelled)> ask;
        std::function<bool(std::span<const std::byte>)> send_bulk; ///< waits; false: the connection is over
        /// "sending x.npy: 12 MB of 40 MB, 8.0 MB/s". A fraction below 0: not known
        std::function<void(int id, double fraction, const std::string& text)> progress = {};
        std::string machine = {}; ///< for messages, as the user named it: user@host
        /// Where digests of large files are kept for the next process. Empty: nowhere
        std::filesystem::path digests = {};
    };

    /// @param access what a local worker could read and write @param confined false: everything
    NearFiles(const worker::Access& access, bool confined, Channelling channelling);
    ~NearFiles();
    NearFiles(const NearFiles&) = delete;
    NearFiles& operator=(const NearFiles&) = delete;

    /// Takes the holder's answer to `open`, which has the folders `held` and `root`. Nothing is known to be there.
    /// @throws worker::RequestError for an answer that names no absolute folder
    void set_far(const worker::json& opened);
    /// A near folder for kept buffers is this one there. Before the first request, after set_far().
    void set_kept(const std::filesystem::path& near, const std::string& far);

    /// Brings the files of a request there. Returns its parameters for the far worker. Waits, and may be called by
    /// several threads. @throws worker::RequestError, also when it was cancelled
    worker::json prepare(const std::string& method, worker::json params, int id, const Cancelled& cancelled);
    /// Fetches what the far worker has saved. Returns the answer for the client.
    /// @throws worker::RequestError where a buffer cannot be saved. A run's report has such an error itself.
    worker::json finish(const std::string& method, const worker::json& params_sent, worker::json result, int id,
                        const Cancelled& cancelled);
    /// The request has failed, so there is nothing to finish.
    void forget(int id);
    /// Far paths in all texts of an error or a notification become near ones.
    [[nodiscard]] worker::json near_strings(worker::json message) const;
    /// Whether near_strings() would change a message with these bytes. Asking costs less than reading the message.
    [[nodiscard]] bool names_far_files(std::string_view bytes) const;

    /// @throws TransferError for what the far side must not send: the connection is to be ended
    void receive_bulk(std::span<const std::byte> bytes);
    /// The connection is over: whoever waits gets an error.
    void close();

private:
    /// A file that is wanted there.
    struct Upload {
        std::uint64_t transfer = 0;
        std::uint64_t have = 0; ///< bytes that are there already
    };
    /// A result that comes.
    struct Fetch {
        static constexpr std::size_t most_queued = std::size_t{16} << 20;
        std::deque<std::vector<std::byte>> pieces;
        std::size_t queued = 0;   ///< bytes of them
        std::uint64_t offset = 0; ///< of the next piece that comes
        bool ended = false;
        bool dropped = false; ///< nobody takes it any more
        std::string digest, problem;
    };
    /// What the answer to a request is finished by.
    struct Plan {
        struct File {
            std::string far; ///< below `out`
            std::filesystem::path near;
            std::vector<std::size_t> saves; ///< of a run: the results that go into it
        };
        std::string folder; ///< below `out`
        std::vector<File> files;
        std::vector<session::PlannedSave> saves;
        session::RunOptions options;
    };
    struct Known {
        FileStamp stamp;
        std::string digest;
    };
    struct Placed {
        std::filesystem::path path;
        std::string digest;
    };
    struct Wanted {
        std::filesystem::path path; ///< that is read
        std::string below;          ///< of the far root
        std::string digest;
        FileStamp stamp;
        std::vector<std::byte> bytes; ///< of a small file
        bool inside = false;          ///< it goes in the message
    };

    worker::json prepare_run(const worker::json& params, int id, const Cancelled& cancelled);
    worker::json prepare_source(const std::string& method, worker::json params, int id, const Cancelled& cancelled);
    worker::json prepare_file(worker::json params, int id, const Cancelled& cancelled);
    worker::json prepare_save(worker::json params, int id);
    void finish_run(const Plan& plan, worker::json& report, int id, const Cancelled& cancelled);
    void finish_save(const Plan& plan, worker::json& result, int id, const Cancelled& cancelled);
    std::optional<Plan> take_plan(int id);
    std::string next_out(int id, Plan plan);
    [[nodiscard]] std::filesystem::path next_out_path(const std::string& folder) const;
    void drop_answers(const Plan& plan);
    /// The name of a result there: that of the near file, as far as the far machine has such names.
    static std::string name_in_out(const std::filesystem::path& near);

    /// Sends what the far side does not have. @throws worker::RequestError
    void bring(const SessionFiles& files, int id, const Cancelled& cancelled);
    void forget_digest(const Wanted& wanted);
    std::optional<Wanted> wanted_of(const std::filesystem::path& path, int id, const Cancelled& cancelled);
    void offer(worker::json params, std::vector<Wanted>& files, int id, const Cancelled& cancelled);
    void upload(const std::vector<std::pair<const Wanted*, Upload>>& uploads, int id, const Cancelled& cancelled);
    void note_gone();
    void forget_below(const std::string& place);
    worker::json ask(const std::string& method, worker::json params, const Cancelled& cancelled);
    [[noreturn]] void refused(const worker::json& problem, const std::string& name) const;
    [[nodiscard]] std::string machine() const;

    struct Result {
        std::string far; ///< below `out`
        std::filesystem::path near;
    };
    /// Fetches the results, each into what `write` makes of it. `failed` gets the number of one that does not come.
    void fetch(const std::vector<Result>& results, const std::string& folder, int id, const Cancelled& cancelled,
               const std::function<void(std::size_t, const files::Writer&)>& write,
               const std::function<void(std::size_t, const std::string&)>& failed);
    void write_fetched(Fetch& fetch, files::NewFile& file, std::uint64_t size, const Cancelled& cancelled,
                       const std::function<void(std::uint64_t)>& progress);

    [[nodiscard]] std::optional<std::string> far_path(const std::filesystem::path& near) const;
    [[nodiscard]] worker::json far_list(const worker::json& paths) const;
    void map_strings(worker::json& value) const;

    ReadAccess access_;
    ReadAccess write_access_;
    Channelling channelling_;

    mutable std::mutex mutex_; ///< of all below, but for what bring() alone uses
    std::condition_variable changed_;
    PathMap map_;
    std::map<std::filesystem::path, std::string> kept_; ///< near folders, and what they are there
    std::string out_, real_out_;
    bool closed_ = false;
    std::map<std::uint64_t, std::optional<worker::json>> uploads_; ///< with the answer, once there is one
    std::map<std::uint64_t, std::shared_ptr<Fetch>> fetches_;
    std::uint64_t last_fetch_ = kFirstFetch;
    std::map<int, Plan> plans_;
    unsigned outs_ = 0;
    /// PTX whose paths were changed, and as the far side knows it: it remembers what it has of it.
    std::deque<std::pair<std::string, std::string>> changed_ptx_;
    Unpacker unpacker_; ///< of receive_bulk() alone

    std::timed_mutex bringing_; ///< of what follows
    std::map<std::filesystem::path, Known> digests_;
    KnownDigests known_digests_;
    std::map<std::string, Placed> placed_; ///< by the path below the far root
    std::map<std::string, std::pair<std::filesystem::path, std::string>> links_;
    std::set<std::string> folders_, pipes_, removed_;
};

} // namespace warplight::remote
