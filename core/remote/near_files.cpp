// SPDX-License-Identifier: Apache-2.0
#include "remote/near_files.hpp"

#include "files/input_file.hpp"
#include "files/paths.hpp"
#include "session/data_file.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <system_error>
#include <utility>

namespace warplight::remote {
namespace fs = std::filesystem;
using session::utf8_of;
using worker::json;
using worker::RequestError;
using namespace std::chrono_literals;
namespace {

constexpr std::size_t kMostPlans = 256;
constexpr std::size_t kLongestResultName = 200; ///< bytes, for a temporary name there is longer
constexpr std::size_t kMostPtx = 8;             ///< as many as a worker remembers
constexpr auto kLookInterval = 20ms;            ///< after which a waiting request asks whether it was cancelled

std::string name_of(const fs::path& path) { return utf8_of(path.filename()); }

[[noreturn]] void cancelled_error() { throw RequestError(worker::cancelled_request, "cancelled"); }

std::string folder_in(const json& opened, const char* name) {
    const auto found = opened.find(name);
    if (found == opened.end() || !found->is_string()) return {};
    const auto& text = found->get_ref<const std::string&>();
    if (!text.starts_with('/') || text.size() < 2 || text.size() > 4096 || text.find('\0') != std::string::npos ||
        text.find("/../") != std::string::npos)
        return {};
    return text;
}

} // namespace

NearFiles::NearFiles(const worker::Access& access, bool confined, Channelling channelling)
    : access_(access, confined), write_access_({.read = {}, .write = access.write}, confined),
      channelling_(std::move(channelling)), known_digests_(channelling_.digests) {}

NearFiles::~NearFiles() = default;

std::string NearFiles::machine() const {
    return channelling_.machine.empty() ? "the other machine" : channelling_.machine;
}

void NearFiles::set_far(const json& opened) {
    const std::string held = folder_in(opened, "held");
    if (held.empty())
        throw RequestError(worker::internal_error, machine() + " names no folder for the files of a run.");
    const std::scoped_lock order(bringing_);
    placed_.clear();
    links_.clear();
    folders_.clear();
    pipes_.clear();
    const std::scoped_lock lock(mutex_);
    const std::string root = folder_in(opened, "root");
    map_.set_root(root.empty() ? held + "/root" : root);
    map_.add_root(held + "/root");
    real_out_ = out_ = held + "/out";
    kept_.clear();
    changed_ptx_.clear();
}

void NearFiles::set_kept(const fs::path& near, const std::string& far) {
    const std::scoped_lock lock(mutex_);
    const fs::path folder = files::absolute(near);
    kept_.insert_or_assign(folder, far);
    map_.add_folder(utf8_of(folder), far);
}

void NearFiles::close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
}

std::optional<std::string> NearFiles::far_path(const fs::path& near) const {
    const std::scoped_lock lock(mutex_);
    return map_.to_far(utf8_of(near));
}

void NearFiles::map_strings(json& value) const {
    if (value.is_string()) {
        auto& text = value.get_ref<std::string&>();
        std::string near = map_.to_near_text(text);
        if (near != text) text = std::move(near);
    } else if (value.is_array()) {
        for (json& each : value)
            map_strings(each);
    } else if (value.is_object()) {
        for (auto& [key, each] : value.items())
            map_strings(each);
    }
}

json NearFiles::near_strings(json message) const {
    const std::scoped_lock lock(mutex_);
    map_strings(message);
    return message;
}

bool NearFiles::names_far_files(std::string_view bytes) const {
    const std::scoped_lock lock(mutex_);
    return map_.names_far_files(bytes);
}

json NearFiles::ask(const std::string& method, json params, const Cancelled& cancelled) {
    return channelling_.ask(method, std::move(params), cancelled);
}

void NearFiles::refused(const json& problem, const std::string& name) const {
    const auto number = [&](const char* key) {
        const auto found = problem.find(key);
        return found != problem.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
    };
    const auto text = [&](const char* key) {
        const auto found = problem.find(key);
        return found != problem.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    const std::string why = problem.is_object() ? text("why") : std::string();
    if (why == "disk")
        throw RequestError(worker::file_error,
                           fmt::format("The disk is full on {}: {} needed, {} free. `warplight-cli remote clean {}` "
                                       "removes stored data.",
                                       machine(), decimal_size(number("needed")), decimal_size(number("free")),
                                       channelling_.machine.empty() ? "HOST" : channelling_.machine));
    if (why == "limit")
        throw RequestError(worker::file_error,
                           fmt::format("{} is larger than the data that may be stored on {}: {}, and {} may be. Set "
                                       "WARPLIGHT_REMOTE_LIMIT there to a larger size.",
                                       name, machine(), decimal_size(number("needed")), decimal_size(number("free"))));
    if (why == "digest")
        throw RequestError(worker::file_error,
                           fmt::format("{} was changed while it was sent to {}. Try again.", name, machine()));
    throw RequestError(worker::file_error, fmt::format("{} cannot be stored on {}: {}", name, machine(), text("text")));
}

json NearFiles::prepare(const std::string& method, json params, int id, const Cancelled& cancelled) {
    if (!params.is_object()) return params; // the worker refuses it
    try {
        if (method == "run") return prepare_run(params, id, cancelled);
        if (method == "compile" || method == "layouts" || method == "sass" || method == "registers" ||
            method == "occupancy")
            return prepare_source(method, std::move(params), id, cancelled);
        if (method == "buffer.open" || method == "buffer.members")
            return prepare_file(std::move(params), id, cancelled);
        if (method == "buffer.save") return prepare_save(std::move(params), id);
    } catch (const session::SessionError& error) {
        throw RequestError(worker::file_error, error.what());
    } catch (const files::InputError& error) {
        throw RequestError(worker::file_error, error.what());
    }
    return params;
}

json NearFiles::finish(const std::string& method, const json&, json result, int id, const Cancelled& cancelled) {
    const auto plan = take_plan(id);
    if (plan && result.is_object()) {
        try {
            if (method == "run") finish_run(*plan, result, id, cancelled);
            if (method == "buffer.save") finish_save(*plan, result, id, cancelled);
        } catch (...) {
            drop_answers(*plan);
            throw;
        }
    }
    {
        const std::scoped_lock lock(mutex_);
        std::optional<std::string> ptx;
        if (method == "compile" && result.is_object() && result.contains("ptx") && result["ptx"].is_string())
            ptx = result["ptx"].get<std::string>();
        map_strings(result);
        if (ptx && result["ptx"] != *ptx) {
            changed_ptx_.emplace_front(result["ptx"].get<std::string>(), std::move(*ptx));
            if (changed_ptx_.size() > kMostPtx) changed_ptx_.pop_back();
        }
    }
    if (plan) drop_answers(*plan);
    return result;
}

std::string NearFiles::next_out(int id, Plan plan) {
    const std::scoped_lock lock(mutex_);
    std::string folder = std::to_string(++outs_);
    if (plan.files.size() == 1 && plan.files.front().saves.empty()) { // one file, without a folder
        folder += '-' + plan.files.front().far;
        plan.files.front().far.clear();
    }
    plan.folder = folder;
    for (Plan::File& each : plan.files) {
        each.far = each.far.empty() ? folder : folder + '/' + each.far;
        map_.add_answer(out_ + '/' + each.far, utf8_of(each.near));
        if (real_out_ != out_) map_.add_answer(real_out_ + '/' + each.far, utf8_of(each.near));
    }
    plans_.insert_or_assign(id, std::move(plan));
    if (plans_.size() > kMostPlans) plans_.erase(plans_.begin());
    return folder;
}

std::optional<NearFiles::Plan> NearFiles::take_plan(int id) {
    const std::scoped_lock lock(mutex_);
    const auto found = plans_.find(id);
    if (found == plans_.end()) return std::nullopt;
    auto plan = std::move(found->second);
    plans_.erase(found);
    return plan;
}

fs::path NearFiles::next_out_path(const std::string& folder) const {
    const std::scoped_lock lock(mutex_);
    return session::path_from_utf8(out_ + '/' + folder);
}

std::string NearFiles::name_in_out(const fs::path& near) {
    std::string name = name_of(near);
    if (name.size() > kLongestResultName) name = "result" + utf8_of(near.extension());
    return name;
}

void NearFiles::drop_answers(const Plan& plan) {
    const std::scoped_lock lock(mutex_);
    for (const Plan::File& each : plan.files)
        for (const std::string& out : {out_, real_out_})
            map_.remove_answer(out + '/' + each.far);
}

void NearFiles::forget(int id) {
    if (const auto plan = take_plan(id)) drop_answers(*plan);
}

// What goes there

/// What was there and is no more here is to be removed there.
void NearFiles::note_gone() {
    std::error_code error;
    std::erase_if(placed_, [&](const auto& each) {
        if (fs::exists(each.second.path, error) || error) return false;
        removed_.insert(each.first);
        return true;
    });
    std::erase_if(links_, [&](const auto& each) {
        if (fs::is_symlink(each.second.first, error)) return false;
        removed_.insert(each.first);
        return true;
    });
}

/// Another kind of thing comes to this place, so what is known below it counts no more.
void NearFiles::forget_below(const std::string& place) {
    const auto is_below = [&](const std::string& path) {
        return path.starts_with(place) && (path.size() == place.size() || path[place.size()] == '/');
    };
    std::erase_if(placed_, [&](const auto& each) { return is_below(each.first); });
    std::erase_if(links_, [&](const auto& each) { return is_below(each.first); });
    std::erase_if(folders_, is_below);
    std::erase_if(pipes_, is_below);
}

std::optional<NearFiles::Wanted> NearFiles::wanted_of(const fs::path& path, int id, const Cancelled& cancelled) {
    const auto stamp = stamp_of(path);
    if (!stamp) return std::nullopt; // gone meanwhile
    Wanted wanted;
    wanted.path = path;
    wanted.stamp = *stamp;
    {
        const std::scoped_lock lock(mutex_);
        const auto below = map_.below_root(utf8_of(path));
        if (!below || below->empty()) return std::nullopt;
        wanted.below = *below;
        map_.add_known(utf8_of(path));
    }
    const auto placed = placed_.find(wanted.below);
    const auto is_there = [&] { return placed != placed_.end() && placed->second.digest == wanted.digest; };
    if (const auto known = digests_.find(path); known != digests_.end() && known->second.stamp == *stamp) {
        wanted.digest = known->second.digest;
        if (is_there()) return std::nullopt;
        if (stamp->size > kSmallFile) return wanted;
    }
    const files::InputFile file(path);
    if (stamp->size <= kSmallFile && file.size() <= kSmallFile) {
        wanted.bytes.resize(static_cast<std::size_t>(file.size()));
        file.read(0, wanted.bytes);
        wanted.inside = true;
        wanted.stamp.size = file.size();
        wanted.digest = compiler::sha256_hex({reinterpret_cast<const char*>(wanted.bytes.data()), wanted.bytes.size()});
    } else if (auto digest = known_digests_.find(path, *stamp)) {
        wanted.digest = std::move(*digest);
        wanted.stamp.size = file.size();
    } else {
        if (channelling_.progress && stamp->size > (std::uint64_t{64} << 20))
            channelling_.progress(id, -1, "reading " + name_of(path));
        wanted.digest = digest_of(file, cancelled);
        if (wanted.digest.empty()) cancelled_error();
        wanted.stamp.size = file.size();
        if (stamp_of(path) == *stamp) known_digests_.keep(path, *stamp, wanted.digest);
    }
    if (stamp_of(path) == *stamp && !is_young(*stamp)) digests_[path] = {.stamp = *stamp, .digest = wanted.digest};
    if (is_there()) return std::nullopt;
    return wanted;
}

/// The far side has got other bytes.
void NearFiles::forget_digest(const Wanted& wanted) {
    digests_.erase(wanted.path);
    if (const auto stamp = stamp_of(wanted.path)) known_digests_.forget(wanted.path, *stamp);
}

void NearFiles::bring(const SessionFiles& files, int id, const Cancelled& cancelled) {
    std::unique_lock order(bringing_, std::defer_lock);
    while (!order.try_lock_for(kLookInterval))
        if (cancelled && cancelled()) cancelled_error();
    json params = json::object();
    const auto below_root = [&](const fs::path& path) {
        const std::scoped_lock lock(mutex_);
        map_.add_known(utf8_of(path));
        return map_.below_root(utf8_of(path)).value_or("");
    };
    note_gone();
    json links = json::array(), folders = json::array(), pipes = json::array();
    for (const auto& link : files.links) {
        const std::string below = below_root(link.path), target = below_root(link.target);
        if (below.empty()) continue;
        if (const auto known = links_.find(below); known != links_.end() && known->second.second == target) continue;
        links.push_back({{"path", below}, {"target", target}});
        forget_below(below);
        links_.insert_or_assign(below, std::pair(link.path, target));
    }
    for (const fs::path& path : files.folders) {
        const std::string below = below_root(path);
        if (below.empty() || folders_.contains(below)) continue;
        folders.push_back(below);
        placed_.erase(below);
        folders_.insert(below);
    }
    for (const fs::path& path : files.pipes) {
        const std::string below = below_root(path);
        if (below.empty() || pipes_.contains(below)) continue;
        pipes.push_back(below);
        forget_below(below);
        removed_.insert(below);
        pipes_.insert(below);
    }
    if (!removed_.empty()) params["remove"] = removed_;
    if (!folders.empty()) params["folders"] = std::move(folders);
    if (!links.empty()) params["links"] = std::move(links);
    if (!pipes.empty()) params["pipes"] = std::move(pipes);
    std::vector<Wanted> batch;
    std::size_t bytes = 0;
    try {
        for (const fs::path& path : files.files) {
            auto wanted = wanted_of(path, id, cancelled);
            if (!wanted) continue;
            bytes += wanted->bytes.size();
            batch.push_back(std::move(*wanted));
            if (batch.size() < kFilesOfMessage / 2 && bytes < kBytesOfMessage / 2) continue;
            offer(std::exchange(params, json::object()), batch, id, cancelled);
            batch.clear();
            bytes = 0;
        }
        if (!batch.empty() || !params.empty()) offer(std::move(params), batch, id, cancelled);
    } catch (...) {
        // What of it has come there is not known. What was removed here stays in the list.
        links_.clear();
        folders_.clear();
        pipes_.clear();
        throw;
    }
}

void NearFiles::offer(json params, std::vector<Wanted>& files, int id, const Cancelled& cancelled) {
    json list = json::array();
    Packer packer;
    for (const Wanted& each : files) {
        json file = {{"digest", each.digest}, {"size", each.stamp.size}, {"paths", json::array({each.below})}};
        if (each.inside) {
            const auto packed = packer.pack(each.bytes);
            const auto data = packed.empty() ? std::span<const std::byte>(each.bytes) : packed;
            const auto* first = reinterpret_cast<const std::uint8_t*>(data.data());
            file["data"] = json::binary(std::vector<std::uint8_t>(first, first + data.size()));
            if (!packed.empty()) file["packed"] = true;
        }
        list.push_back(std::move(file));
    }
    if (!list.empty()) params["files"] = std::move(list);
    // What stands there is not known until the answer.
    for (const Wanted& each : files)
        placed_.erase(each.below);
    json answer;
    try {
        answer = ask("files.offer", std::move(params), cancelled);
    } catch (const RequestError& error) {
        if (error.data.is_object() && error.data.contains("why"))
            refused(error.data, files.size() == 1 ? utf8_of(files.front().path) : "A file of the session");
        throw;
    }
    removed_.clear();
    {
        // The same folders without links, as the far worker tells of them.
        const std::scoped_lock lock(mutex_);
        if (const std::string root = folder_in(answer, "root"); !root.empty()) map_.add_root(root);
        if (const std::string out = folder_in(answer, "out"); !out.empty()) real_out_ = out;
    }
    std::vector<std::pair<const Wanted*, Upload>> uploads;
    for (const json& each : answer.value("wanted", json::array())) {
        const auto number = [&](const char* name) {
            if (!each.is_object() || !each.contains(name) || !each[name].is_number_unsigned())
                throw RequestError(worker::internal_error, machine() + " answers an offer of files wrongly.");
            return each[name].get<std::uint64_t>();
        };
        const std::uint64_t index = number("file");
        const Upload upload{.transfer = number("transfer"), .have = number("have")};
        if (index >= files.size() || upload.transfer == 0 || upload.transfer >= kFirstFetch ||
            upload.have > files[index].stamp.size)
            throw RequestError(worker::internal_error, machine() + " answers an offer of files wrongly.");
        uploads.emplace_back(&files[index], upload);
    }
    upload(uploads, id, cancelled);
    for (const Wanted& each : files) {
        folders_.erase(each.below);
        pipes_.erase(each.below);
        placed_.insert_or_assign(each.below, Placed{.path = each.path, .digest = each.digest});
    }
}

void NearFiles::upload(const std::vector<std::pair<const Wanted*, Upload>>& uploads, int id,
                       const Cancelled& cancelled) {
    if (uploads.empty()) return;
    std::uint64_t total = 0, before = 0;
    {
        const std::scoped_lock lock(mutex_);
        for (const auto& [wanted, upload] : uploads) {
            uploads_.insert_or_assign(upload.transfer, std::nullopt);
            total += wanted->stamp.size - upload.have;
        }
    }
    // Whatever happens, nobody waits for them afterwards.
    struct Forget {
        NearFiles& files;
        const std::vector<std::pair<const Wanted*, Upload>>& uploads;
        ~Forget() {
            const std::scoped_lock lock(files.mutex_);
            for (const auto& [wanted, upload] : uploads)
                files.uploads_.erase(upload.transfer);
        }
    } forget{*this, uploads};
    const auto stop = [&](std::size_t from) {
        for (std::size_t i = from; i < uploads.size(); ++i)
            (void)channelling_.send_bulk(encode_note(Piece::Kind::failed, uploads[i].second.transfer, {}));
    };
    const auto failed = [&](std::uint64_t transfer) {
        const std::scoped_lock lock(mutex_);
        const auto& answer = uploads_[transfer];
        return closed_ || (answer && answer->is_object());
    };
    Rate rate(total);
    for (std::size_t i = 0; i < uploads.size(); ++i) {
        const auto& [wanted, upload] = uploads[i];
        const std::uint64_t transfer = upload.transfer, have = upload.have;
        const std::string name = name_of(wanted->path);
        const auto tell = [&](std::uint64_t done) {
            const std::uint64_t all = before + done - have;
            if (const std::string text = rate.text(all); !text.empty() && channelling_.progress)
                channelling_.progress(id, static_cast<double>(all) / static_cast<double>(total),
                                      fmt::format("sending {}: {}", name, text));
        };
        const Sending sending{.send = channelling_.send_bulk,
                              .stopped = [&] { return (cancelled && cancelled()) || failed(transfer); },
                              .progress = tell};
        try {
            const files::InputFile file(wanted->path);
            if (file.size() != wanted->stamp.size) refused({{"why", "digest"}}, utf8_of(wanted->path));
            const Sent sent = send_pieces(file, transfer, have, sending);
            if (sent == Sent::gone)
                throw RequestError(worker::internal_error,
                                   fmt::format("The connection to {} was lost while {} was sent.", machine(), name));
            if (sent == Sent::stopped && !failed(transfer)) cancelled_error();
            if (sent == Sent::stopped) break; // the answer says why
        } catch (...) {
            stop(i);
            throw;
        }
        before += wanted->stamp.size - have;
    }
    std::unique_lock lock(mutex_);
    for (const auto& [wanted, upload] : uploads) {
        auto& answer = uploads_[upload.transfer];
        while (!answer && !closed_) {
            changed_.wait_for(lock, kLookInterval);
            if (!answer && cancelled && cancelled()) {
                lock.unlock();
                stop(0);
                cancelled_error();
            }
        }
        if (!answer)
            throw RequestError(worker::internal_error, fmt::format("The connection to {} was lost while {} was sent.",
                                                                   machine(), name_of(wanted->path)));
        if (answer->is_object()) {
            const json problem = *answer;
            lock.unlock();
            if (problem.value("why", json()) == json("digest")) forget_digest(*wanted);
            stop(0);
            refused(problem, utf8_of(wanted->path));
        }
    }
}

void NearFiles::receive_bulk(std::span<const std::byte> bytes) {
    const Piece piece = decode_piece(bytes);
    std::unique_lock lock(mutex_);
    if (piece.transfer < kFirstFetch) {
        if (piece.kind != Piece::Kind::stored && piece.kind != Piece::Kind::failed)
            throw TransferError("a piece of a file comes that nobody has asked for");
        const auto found = uploads_.find(piece.transfer);
        if (found == uploads_.end() || found->second) return; // nobody waits for it any more
        json answer = true;
        if (piece.kind == Piece::Kind::failed) {
            answer = json::parse(piece.text(), nullptr, false);
            if (!answer.is_object()) answer = json::object();
        }
        found->second = std::move(answer);
        changed_.notify_all();
        return;
    }
    if (piece.transfer > last_fetch_) throw TransferError("a result comes that nobody has asked for");
    const auto found = fetches_.find(piece.transfer);
    if (found == fetches_.end()) return; // nobody waits for it any more
    const std::shared_ptr<Fetch> fetch = found->second;
    if (fetch->ended) throw TransferError("a result goes on after its end");
    switch (piece.kind) {
    case Piece::Kind::raw:
    case Piece::Kind::packed: {
        if (piece.offset != fetch->offset) throw TransferError("a piece of a result does not follow the one before it");
        lock.unlock();
        const auto raw = unpacker_.unpack(piece);
        std::vector<std::byte> copy(raw.begin(), raw.end());
        lock.lock();
        // Memory is bounded: nothing is taken from the connection while the disk is slower.
        changed_.wait(lock, [&] { return closed_ || fetch->dropped || fetch->queued < Fetch::most_queued; });
        if (fetch->dropped) return;
        fetch->offset += copy.size();
        fetch->queued += copy.size();
        fetch->pieces.push_back(std::move(copy));
        break;
    }
    case Piece::Kind::end:
        fetch->ended = true;
        fetch->digest = piece.text();
        break;
    case Piece::Kind::failed: {
        fetch->ended = true;
        const json problem = json::parse(piece.text(), nullptr, false);
        fetch->problem = problem.is_object() && problem.contains("text") && problem["text"].is_string()
                             ? problem["text"].get<std::string>()
                             : "it cannot be read there";
        break;
    }
    case Piece::Kind::stored: throw TransferError("a result cannot be stored already");
    }
    changed_.notify_all();
}

} // namespace warplight::remote
