// SPDX-License-Identifier: Apache-2.0
#include "launch_snapshot.hpp"

#include "address_space.hpp"
#include "configuration.hpp"
#include "failure.hpp"
#include "launch.hpp"
#include "launch_log/snapshot.hpp"
#include "launch_request.hpp"
#include "process_end.hpp"

#include <atomic>
#include <cstring>
#include <fstream>

namespace warplight::software {
namespace {

using launch_log::Snapshot;
using launch_log::SnapshotMemory;

/// Memory of the snapshot that is to be copied once more after the launch.
struct Copied {
    std::uint64_t address = 0;
    SnapshotMemory memory;
};

class Copier {
public:
    explicit Copier(std::filesystem::path folder) : folder_(std::move(folder)) {}

    SnapshotMemory before(std::uint64_t address, std::uint64_t size) {
        total_ += size;
        if (total_ > launch_log::kMostSnapshotBytes)
            throw launch_log::SnapshotError("the launch can reach more memory than a snapshot has");
        const auto number = std::to_string(copied_.size());
        SnapshotMemory memory{size, "before-" + number, "after-" + number};
        write(address, size, memory.before);
        copied_.push_back({address, memory});
        return memory;
    }
    void after() const {
        for (const auto& each : copied_)
            write(each.address, each.memory.size, each.memory.after);
    }

private:
    void write(std::uint64_t address, std::uint64_t size, const std::string& name) const {
        std::ofstream file(folder_ / name, std::ios::binary);
        file.write(reinterpret_cast<const char*>(address), static_cast<std::streamsize>(size));
        file.flush();
        if (!file) throw launch_log::SnapshotError("the snapshot cannot be written: is the disk full?");
    }

    std::filesystem::path folder_;
    std::vector<Copied> copied_;
    std::uint64_t total_ = 0;
};

Snapshot described(const LaunchRequest& request, Copier& copier) {
    const auto& function = *request.function.function;
    const auto& module = *request.function.module;
    const ptx::Function& kernel = function.ptx();
    Snapshot snapshot;
    snapshot.kernel = kernel.name;
    snapshot.grid = request.grid;
    snapshot.block = request.block;
    snapshot.shared = request.dynamic_shared;
    snapshot.cooperative = request.cooperative;
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        const auto* bytes =
            reinterpret_cast<const std::uint8_t*>(request.parameters.data()) + function.parameters.offsets[i];
        const std::uint64_t size = kernel.parameters[i].size;
        launch_log::SnapshotParameter parameter;
        parameter.bytes.assign(bytes, bytes + size);
        std::uint64_t address = 0;
        if (size == sizeof address) {
            std::memcpy(&address, bytes, sizeof address);
            if (const auto room = AddressSpace::instance().room(address); room > 0)
                parameter.memory = copier.before(address, room);
        }
        snapshot.parameters.push_back(std::move(parameter));
    }
    for (const auto id : ptx::reachable_from(module.ptx, function.id).variables) {
        const ptx::Variable& variable = module.ptx.variables[id];
        if (variable.space != ptx::Space::global && variable.space != ptx::Space::constant) continue;
        const auto global = module.global(variable.name);
        if (!global || global->size == 0) continue;
        snapshot.variables.push_back(
            {variable.name, variable.space == ptx::Space::constant, copier.before(global->address, global->size)});
    }
    return snapshot;
}

/// Of the kernel that is asked for, which of its launches this is; from 1.
bool is_asked_for(const LaunchRequest& request) {
    static std::atomic<std::uint64_t> launches = 0;
    const auto& asked = configuration();
    return launch_log::is_kernel(request.function.function->ptx().name, asked.snapshot_kernel) &&
           ++launches == asked.snapshot_launch;
}

void write_description(const std::filesystem::path& folder, const Snapshot& snapshot) {
    try {
        launch_log::write_snapshot(folder, snapshot);
    } catch (const launch_log::SnapshotError& error) {
        platform::write_error(std::string("[warplight] ") + error.what() + "\n");
    }
}

void write_failed(const std::filesystem::path& folder, Snapshot& snapshot, const std::string& why) {
    snapshot.problem = "the kernel failed: " + why.substr(0, why.find('\n'));
    if (snapshot.problem.ends_with('.')) snapshot.problem.pop_back();
    write_description(folder, snapshot);
}

} // namespace

void run_launch_with_snapshot(Context& context, const LaunchRequest& request) {
    if (configuration().snapshot.empty() || !is_asked_for(request)) return run_launch(context, request);
    const std::filesystem::path folder = configuration().snapshot;
    Copier copier(folder);
    Snapshot snapshot;
    // The program matters more: it runs on, and the snapshot tells what is missing.
    try {
        snapshot = described(request, copier);
    } catch (const launch_log::SnapshotError& error) {
        snapshot.problem = error.what();
    }
    try {
        run_launch(context, request);
    } catch (const Failure& failure) {
        // Who asked for the launch is told why there is none.
        write_failed(folder, snapshot, failure.message.empty() ? error_description(failure.code) : failure.message);
        throw;
    } catch (const std::exception& error) {
        write_failed(folder, snapshot, error.what());
        throw;
    }
    try {
        if (snapshot.problem.empty()) copier.after();
    } catch (const launch_log::SnapshotError& error) {
        snapshot.problem = error.what();
    }
    write_description(folder, snapshot);
}

} // namespace warplight::software
