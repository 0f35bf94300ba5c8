// SPDX-License-Identifier: Apache-2.0
#include "worker/keeper.hpp"

#include "files/new_file.hpp"
#include "session/file_elements.hpp"
#include "warplight/error.hpp"
#include "warplight/npy.hpp"
#include "worker/platform.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

namespace warplight::worker {
namespace {

namespace fs = std::filesystem;

constexpr const char* results_prefix = "results-";
constexpr const char* failed_prefix = "failed-";

void write_npy(const fs::path& path, const NdArray& array) {
    const NdArray packed = array.is_contiguous() ? array : array.copy();
    const std::string header = make_npy_header(packed);
    const auto bytes = packed.bytes();
    const auto write = [&](files::NewFile& file) {
        file.write(header);
        file.write(bytes);
    };
    // Must outlive this process only, and not the machine.
    files::write_new_file(path, write, files::Lasting::process);
}

/// Removes files of earlier runs. Windows keeps a mapped file; the folder's owner removes it in the end.
void remove_replaced(const fs::path& folder, bool failed, const std::set<fs::path>& current) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        const bool ours = name.starts_with(failed_prefix) || (!failed && name.starts_with(results_prefix));
        if (ours && !current.contains(entry.path())) fs::remove(entry.path(), ignored);
    }
}

} // namespace

Keeper::Keeper(BufferStore& store, std::function<void(const std::string&)> warn)
    : store_(store), warn_(std::move(warn)) {}

std::map<std::int64_t, fs::path> Keeper::keep(const Kept& what) {
    std::map<std::int64_t, fs::path> paths;
    std::error_code code;
    fs::create_directories(what.folder, code);
    const fs::space_info space = fs::space(what.folder, code);
    std::uint64_t room = code ? 0 : std::min<std::uint64_t>(what.limit, space.available / 2);
    const std::string prefix = std::string(what.failed ? failed_prefix : results_prefix) +
                               std::to_string(platform::process_id()) + "-" + std::to_string(++runs_) + "-";
    std::set<fs::path> current;
    for (const std::int64_t id : what.buffers) {
        const auto buffer = store_.find(id);
        if (!buffer || buffer->array->nbytes() > room) continue;
        room -= buffer->array->nbytes();
        fs::path path = what.folder / (prefix + std::to_string(paths.size()) + ".npy");
        current.insert(path);
        paths.emplace(id, std::move(path));
    }
    {
        std::lock_guard lock(mutex_);
        ++open_;
    }
    // In the order of `what`, which has the most wanted buffers first.
    queue_.post([this, order = what.buffers, paths, current, folder = what.folder, failed = what.failed] {
        for (const std::int64_t id : order)
            if (const auto found = paths.find(id); found != paths.end()) write(id, found->second);
        remove_replaced(folder, failed, current);
        std::lock_guard lock(mutex_);
        --open_;
        done_.notify_all();
    });
    return paths;
}

void Keeper::write(std::int64_t id, const fs::path& path) {
    const auto buffer = store_.find(id);
    if (!buffer) return; // closed meanwhile
    try {
        write_npy(path, *buffer->array);
        // The file has the elements in this order only where it is the rows'.
        if (buffer->array->nbytes() >= large_buffer && buffer->array->order() == Order::C)
            store_.replace(id, std::make_shared<NdArray>(session::npy_in_file(path)));
    } catch (const std::exception& error) {
        if (warn_) warn_(buffer->name + " is not kept if the worker ends: " + error.what());
    }
}

void Keeper::wait() {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return open_ == 0; });
}

} // namespace warplight::worker
