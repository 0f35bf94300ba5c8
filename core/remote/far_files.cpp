// SPDX-License-Identifier: Apache-2.0
#include "remote/far_files.hpp"

#include "files/held_folder.hpp"
#include "files/paths.hpp"
#include "files/problem.hpp"
#include "remote/kept_folders.hpp"
#include "remote/part_file.hpp"
#include "session/data_file.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <system_error>
#include <utility>

namespace warplight::remote {
namespace fs = std::filesystem;
using worker::json;
using worker::RequestError;
namespace {

constexpr std::size_t kMostArrivals = 4 * kFilesOfMessage; ///< at once
constexpr const char* kRoot = "root";
constexpr std::size_t kMostDepartures = 1024;
constexpr std::size_t kMostEnded = 65536;
constexpr std::size_t kLongestFilePath = 4096; ///< PATH_MAX
constexpr std::size_t kLongestFileName = 255;

[[noreturn]] void wrong(const std::string& what) { throw RequestError(worker::invalid_parameters, what); }

/// `text` below `folder`: names between slashes, and nothing that leads elsewhere. Links on the way are refused.
fs::path placed_below(const fs::path& folder, const json& value, bool whole) {
    if (!value.is_string()) wrong("a path must be a text");
    const auto& text = value.get_ref<const std::string&>();
    if (text.empty() && whole) return folder;
    if (text.empty() || text.size() > kLongestFilePath || text.find('\0') != std::string::npos)
        wrong("a path is empty, too long or has a zero byte");
    fs::path path = folder;
    std::string_view rest = text;
    while (true) {
        const std::size_t end = std::min(rest.find('/'), rest.size());
        const std::string_view name = rest.substr(0, end);
        if (name.empty() || name == "." || name == ".." || name.size() > kLongestFileName)
            wrong(fmt::format("the path \"{}\" has a part that is no name", text));
        path /= fs::path(std::string(name));
        if (end == rest.size()) return path;
        rest.remove_prefix(end + 1);
    }
}

const json& list_in(const json& params, const char* name, std::size_t most) {
    static const json none = json::array();
    const auto found = params.find(name);
    if (found == params.end()) return none;
    if (!found->is_array() || found->size() > most)
        wrong(fmt::format("parameter {} must be a list of at most {}", name, most));
    return *found;
}

std::uint64_t whole_number(const json& object, const char* name) {
    const auto found = object.find(name);
    if (found == object.end() ||
        !(found->is_number_unsigned() || (found->is_number_integer() && found->get<std::int64_t>() >= 0)))
        wrong(fmt::format("{} must be a whole number from 0 on", name));
    return found->get<std::uint64_t>();
}

std::string digest_in(const json& object) {
    const auto found = object.find("digest");
    if (found == object.end() || !found->is_string() || !is_digest(found->get_ref<const std::string&>()))
        wrong("digest must be 64 hexadecimal digits");
    return found->get<std::string>();
}

json describe(const StoreFull& full) {
    return {{"why", full.of_limit ? "limit" : "disk"}, {"needed", full.needed}, {"free", full.free}};
}

json describe(const std::exception& error) { return {{"why", "error"}, {"text", error.what()}}; }

std::string text_of(const json& problem) { return problem.dump(-1, ' ', false, json::error_handler_t::replace); }

} // namespace

FarFiles::FarFiles(Settings settings, std::function<bool(std::span<const std::byte>)> send_bulk)
    : held_(std::move(settings.held)), root_folder_(settings.folder), root_(root_folder_.path()),
      send_bulk_(std::move(send_bulk)), store_(settings.folder / "data", settings.limit) {
    files::own_folder(held_);
    // Without links: paths of answers begin with it.
    std::error_code error;
    if (auto real = files::real_path(held_, error); !error) held_ = std::move(real);
    if (fs::is_symlink(held_ / kRoot, error)) fs::remove(held_ / kRoot, error);
    fs::create_directory_symlink(root_, held_ / kRoot, error);
    if (error) throw files::Problem(held_ / kRoot, "cannot be made", error);
    out_ = out_of(held_);
    files::own_folder(out_);
    remove_old_kept_folders(settings.folder);
    sender_ = std::thread([this] { send_results(); });
}

fs::path FarFiles::root_of(const fs::path& held) {
    std::error_code error;
    return fs::read_symlink(held / kRoot, error);
}

FarFiles::~FarFiles() {
    {
        const std::scoped_lock lock(mutex_);
        closing_ = true;
    }
    work_.notify_all();
    sender_.join();
}

bool FarFiles::knows(std::string_view method) const { return method == "files.offer" || method == "files.fetch"; }

json FarFiles::call(const std::string& method, const json& params) {
    if (!params.is_object()) wrong("parameters must be an object");
    try {
        if (method == "files.offer") return offer(params);
        if (method == "files.fetch") return fetch(params);
    } catch (const StoreFull& full) {
        throw RequestError(worker::file_error, full.what(), describe(full));
    } catch (const files::Problem& problem) {
        throw RequestError(worker::file_error, problem.what());
    } catch (const TransferError& error) {
        throw RequestError(worker::invalid_parameters, error.what());
    }
    throw RequestError(worker::unknown_method, "there is no method " + method);
}

fs::path FarFiles::in_root(const json& path) const { return placed_below(root_, path, true); }
fs::path FarFiles::in_out(const json& path) const { return placed_below(out_, path, false); }

/// Makes the folders on the way, none of which may be a link. A file in the way was one near, too, and is no more.
void FarFiles::make_folder(const fs::path& folder) const {
    fs::path each = root_;
    const fs::path below = folder.lexically_relative(root_);
    for (const fs::path& name : below) {
        if (name == ".") continue;
        each /= name;
        std::error_code error;
        const auto type = fs::symlink_status(each, error).type();
        if (type == fs::file_type::directory) continue;
        if (type != fs::file_type::not_found) fs::remove(each, error);
        error = files::platform::make_private_folder(each);
        if (error && error != std::errc::file_exists) throw files::Problem(each, "cannot be made", error);
    }
}

void FarFiles::make_link(const fs::path& link, const fs::path& target) const {
    make_folder(link.parent_path());
    std::error_code error;
    if (fs::is_symlink(link, error) && fs::read_symlink(link, error) == target) return;
    fs::remove_all(link, error);
    fs::create_symlink(target, link, error);
    if (error) throw files::Problem(link, "cannot be made", error);
}

void FarFiles::place(const std::string& digest, const std::vector<fs::path>& paths) {
    for (const fs::path& path : paths) {
        make_folder(path.parent_path());
        std::error_code error;
        if (fs::symlink_status(path, error).type() == fs::file_type::directory) fs::remove_all(path, error);
        if (!store_.place(digest, path)) throw files::Problem(path, "was removed from the store meanwhile");
    }
}

json FarFiles::offer(const json& params) {
    for (const json& path : list_in(params, "remove", kFilesOfMessage)) {
        const fs::path target = in_root(path);
        std::error_code error;
        if (target != root_) fs::remove_all(target, error);
    }
    for (const json& path : list_in(params, "folders", kFilesOfMessage))
        make_folder(in_root(path));
    for (const json& link : list_in(params, "links", kFilesOfMessage)) {
        if (!link.is_object() || !link.contains("path") || !link.contains("target"))
            wrong("a link has no path or target");
        if (const fs::path path = in_root(link["path"]); path != root_) make_link(path, in_root(link["target"]));
    }
    for (const json& path : list_in(params, "pipes", kFilesOfMessage)) {
        // Who reads it as a file is refused with the same words as near.
        if (const fs::path pipe = in_root(path); pipe != root_) {
            make_folder(pipe.parent_path());
            make_pipe(pipe);
        }
    }
    // Who gets an error does not know of those that were begun.
    struct Begun {
        FarFiles& files;
        std::vector<std::uint64_t> transfers = {};
        ~Begun() {
            const std::scoped_lock lock(files.mutex_);
            for (const std::uint64_t transfer : transfers)
                files.arrivals_.erase(transfer);
        }
    } begun{*this};
    json wanted = json::array();
    std::size_t index = 0;
    for (const json& file : list_in(params, "files", kFilesOfMessage)) {
        if (!file.is_object()) wrong("a file must be an object");
        Arrival arrival;
        arrival.digest = digest_in(file);
        const std::uint64_t size = whole_number(file, "size");
        for (const json& path : list_in(file, "paths", kFilesOfMessage)) {
            arrival.paths.push_back(in_root(path));
            if (arrival.paths.back() == root_) wrong("a file must have a name");
        }
        const std::size_t number = index++;
        if (const auto data = file.find("data"); data != file.end()) {
            if (!data->is_binary() || size > kSmallFile) wrong("data must be the bytes of a small file");
            const auto bytes = std::as_bytes(std::span(data->get_binary()));
            if (size == 0 && !bytes.empty()) wrong("data has another size than the file");
            const bool packed = file.value("packed", json(false)) == json(true);
            const auto raw = packed ? unpacker_.unpack(bytes, static_cast<std::size_t>(size)) : bytes;
            if (raw.size() != size) wrong("data has another size than the file");
            if (!store_.holds(arrival.digest, size)) store_.add(arrival.digest, raw);
            place(arrival.digest, arrival.paths);
            continue;
        }
        if (store_.holds(arrival.digest, size)) {
            place(arrival.digest, arrival.paths);
            continue;
        }
        arrival.incoming = store_.receive(arrival.digest, size);
        if (arrival.incoming->have() == size) { // all had come, and then the connection was cut
            try {
                arrival.incoming->finish();
                place(arrival.digest, arrival.paths);
                continue;
            } catch (const TransferError&) { // which removes it
                arrival.incoming.reset();
                arrival.incoming = store_.receive(arrival.digest, size);
            }
        }
        const std::scoped_lock lock(mutex_);
        if (arrivals_.size() >= kMostArrivals) wrong("too many files are under way");
        const std::uint64_t transfer = ++last_transfer_;
        wanted.push_back({{"file", number}, {"transfer", transfer}, {"have", arrival.incoming->have()}});
        arrivals_.emplace(transfer, std::move(arrival));
        begun.transfers.push_back(transfer);
    }
    begun.transfers.clear();
    return {{"wanted", std::move(wanted)}, {"root", session::utf8_of(root_)}, {"out", session::utf8_of(out_)}};
}

void FarFiles::fail(std::uint64_t transfer, const json& problem) {
    (void)send_bulk_(encode_note(Piece::Kind::failed, transfer, text_of(problem)));
}

void FarFiles::receive_bulk(std::span<const std::byte> bytes) {
    const Piece piece = decode_piece(bytes);
    Arrival* arrival = nullptr;
    {
        const std::scoped_lock lock(mutex_);
        if (const auto found = arrivals_.find(piece.transfer); found != arrivals_.end()) {
            arrival = &found->second; // stays where it is: this thread alone removes arrivals
        } else if (piece.kind == Piece::Kind::failed && piece.transfer >= kFirstFetch) {
            stopped_.insert(piece.transfer); // a result that nobody wants any more
            if (stopped_.size() > kMostEnded) stopped_.erase(stopped_.begin());
            return;
        } else if (ended_.contains(piece.transfer)) {
            return;
        }
    }
    if (!arrival) throw TransferError("a piece of a file comes that nobody has asked for");
    const auto end = [&] {
        const std::scoped_lock lock(mutex_);
        arrivals_.erase(piece.transfer);
        ended_.insert(piece.transfer);
        if (ended_.size() > kMostEnded) ended_.erase(ended_.begin());
    };
    try {
        switch (piece.kind) {
        case Piece::Kind::raw:
        case Piece::Kind::packed:
            if (piece.offset != arrival->incoming->have())
                throw TransferError("a piece of a file comes that does not follow the one before it");
            arrival->incoming->write(unpacker_.unpack(piece));
            if (arrival->incoming->have() < arrival->incoming->size()) return;
            break;
        case Piece::Kind::failed: // what has come stays for the next time
            end();
            return;
        case Piece::Kind::end:
        case Piece::Kind::stored: throw TransferError("a note about a file comes from the wrong side");
        }
        try {
            arrival->incoming->finish();
        } catch (const TransferError& error) {
            // The near file was changed while it was sent, most likely.
            fail(piece.transfer, {{"why", "digest"}, {"text", error.what()}});
            end();
            return;
        }
        place(arrival->digest, arrival->paths);
        end();
        (void)send_bulk_(encode_note(Piece::Kind::stored, piece.transfer, {}));
    } catch (const StoreFull& full) {
        fail(piece.transfer, describe(full));
        end();
    } catch (const files::Problem& problem) {
        fail(piece.transfer, describe(problem));
        end();
    } catch (const TransferError&) {
        end();
        throw;
    }
}

json FarFiles::fetch(const json& params) {
    json list = json::array();
    std::deque<Departure> departures;
    std::size_t inside = 0;
    for (const json& wanted : list_in(params, "files", kMostDepartures)) {
        if (!wanted.is_object() || !wanted.contains("path")) wrong("a file must be an object with its path");
        const fs::path file = in_out(wanted["path"]);
        const std::uint64_t transfer = whole_number(wanted, "transfer");
        if (transfer < kFirstFetch) wrong("transfer is a number of this side");
        try {
            // Reading never follows a link: the worker, which may be anything by now, writes here.
            for (fs::path each = file; each != out_; each = each.parent_path()) {
                std::error_code error;
                if (fs::is_symlink(each, error)) throw files::InputError(file, "is a link, or lies behind one");
            }
            auto input = std::make_shared<const files::InputFile>(file);
            json entry = {{"size", input->size()}};
            if (input->size() <= kSmallFile && inside + input->size() <= kBytesOfMessage) {
                std::vector<std::uint8_t> bytes(static_cast<std::size_t>(input->size()));
                input->read(0, std::as_writable_bytes(std::span(bytes)));
                inside += bytes.size();
                entry["data"] = json::binary(std::move(bytes));
            } else {
                departures.push_back({.transfer = transfer, .file = std::move(input)});
            }
            list.push_back(std::move(entry));
        } catch (const files::InputError& error) {
            list.push_back({{"problem", error.what()}});
        }
    }
    if (params.contains("remove")) { // files that are open stay until they were sent
        std::error_code error;
        fs::remove_all(in_out(params["remove"]), error);
    }
    const std::scoped_lock lock(mutex_);
    if (departures_.size() + departures.size() > kMostDepartures) wrong("too many results are fetched at once");
    for (Departure& each : departures)
        departures_.push_back(std::move(each));
    work_.notify_all();
    return {{"files", std::move(list)}};
}

void FarFiles::send_results() {
    std::unique_lock lock(mutex_);
    while (true) {
        work_.wait(lock, [this] { return closing_ || !departures_.empty(); });
        if (closing_) return;
        {
            const Departure departure = std::move(departures_.front());
            departures_.pop_front();
            lock.unlock();
            send_result(departure);
        }
        lock.lock();
    }
}

void FarFiles::send_result(const Departure& departure) {
    const auto stopped = [&] {
        const std::scoped_lock lock(mutex_);
        return closing_ || stopped_.contains(departure.transfer);
    };
    try {
        compiler::Sha256 digest;
        const Sending sending{.send = send_bulk_, .stopped = stopped};
        if (send_pieces(*departure.file, departure.transfer, 0, sending, &digest) != Sent::all) return;
        (void)send_bulk_(encode_note(Piece::Kind::end, departure.transfer, digest.hex(), departure.file->size()));
    } catch (const std::exception& error) {
        fail(departure.transfer, describe(error));
    }
}

} // namespace warplight::remote
