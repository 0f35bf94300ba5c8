// SPDX-License-Identifier: Apache-2.0
#include "init_checks.hpp"

#include "address_origin.hpp"
#include "address_space.hpp"
#include "findings/toolkit_headers.hpp"
#include "report.hpp"
#include "software/ptx/value_origins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

namespace warplight::software {
namespace {

using Of = UninitialisedUse::Of;

const char* access_of(Of of) { return of == Of::store ? "write" : of == Of::atomic ? "atomic" : "read"; }

const char* use_of(Of of) {
    switch (of) {
    case Of::decision: return "decides where the thread goes, or what other threads get";
    case Of::address: return "is part of an address";
    case Of::store: return "is stored in memory that the host reads";
    case Of::atomic: return "is changed by an atomic operation, in memory that the host reads";
    }
    return "";
}

/// What memory a load reads, as far as its text tells.
std::string memory_of(const CheckedLaunch& launch, const ptx::Function& function, const ptx::Instruction& load) {
    if (load.opcode == ptx::Opcode::tex || load.opcode == ptx::Opcode::tld4) return " of a texture";
    if (load.opcode == ptx::Opcode::suld) return " of a surface";
    const ptx::Operand& address = load.operands.at(load.opcode == ptx::Opcode::red ? 0 : 1);
    const ptx::Module& module = launch.function.module.ptx;
    if (address.base_kind == ptx::Operand::Kind::variable && address.scope == ptx::Operand::Scope::module)
        return fmt::format(" of '{}'", variable_name(module.variables[address.index].name));
    if (address.base_kind == ptx::Operand::Kind::variable && address.scope == ptx::Operand::Scope::function)
        return fmt::format(" of '{}'", variable_name(function.variables[address.index].name));
    switch (load.space) {
    case ptx::Space::shared: return " of shared memory";
    case ptx::Space::local: return " of a local array";
    default: return "";
    }
}

} // namespace

void InitChecks::begin(const BlockContext& block) const {
    const LaunchContext& launch = *block.launch;
    const std::size_t bytes = std::size_t{launch.static_shared} + launch.dynamic_shared;
    std::memset(block.shared + launch.shadow_distance, 0xff, bytes);
}

void InitChecks::use(const BlockContext& block, const Use& use) {
    for (std::uint32_t left = use.active; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        if (use.addresses) {
            write(block, use, lane);
            continue;
        }
        launch_.keep(block, {use.linear + lane, use.site}, access_of(use.what.of), "init",
                     [&](findings::Finding& f) { describe(use, f); });
    }
}

void InitChecks::write(const BlockContext& block, const Use& use, std::uint32_t lane) {
    const std::uint64_t address = use.addresses[lane];
    const AddressSpace& space = AddressSpace::instance();
    if (!space.covers(address)) return;
    if (use.what.of == Of::atomic)
        std::memset(reinterpret_cast<std::byte*>(address + block.launch->shadow_distance), 0xff, use.what.bytes);
    const auto memory = space.find(address);
    if (!memory) return; // shared or local: whoever reads it uses it, or not
    const auto store = store_at(block, use, lane);
    const checks::Moment moment = launch_.moment(block, use.linear + lane);
    if (host_reads(*memory))
        checks::Collector::instance().add(store->spot, moment, [&] {
            findings::Finding f = store->finding;
            f.address = address;
            std::copy(block.ctaid, block.ctaid + 3, f.block.begin());
            f.thread = thread_index(launch_.launch, use.linear + lane);
            return f;
        });
    else
        ShadowMemory::instance().keep(store, address, use.what.bytes, moment);
}

std::shared_ptr<const UnwrittenStore> InitChecks::store_at(const BlockContext& block, const Use& use,
                                                           std::uint32_t lane) {
    const std::scoped_lock lock(mutex_);
    auto& store = stores_[use.site];
    if (store) return store;
    UnwrittenStore made;
    static_cast<findings::Event&>(made.finding) =
        launch_.event_at(block, {use.linear + lane, use.site}, access_of(use.what.of));
    made.finding.size = use.what.bytes;
    describe(use, made.finding);
    made.spot = {launch_.function.ptx().name, CheckedLaunch::text_of(made.finding), "init"};
    std::copy(launch_.launch.nctaid, launch_.launch.nctaid + 3, made.grid);
    std::copy(launch_.launch.ntid, launch_.launch.ntid + 3, made.block);
    return store = std::make_shared<const UnwrittenStore>(std::move(made));
}

void InitChecks::describe(const Use& use, findings::Finding& f) const {
    f.kind = findings::name_of(findings::Check::init);
    const jit::Site site = launch_.kernel.site(use.site);
    const ptx::Module& module = launch_.function.module.ptx;
    std::string from;
    if (site.function < module.functions.size()) {
        const ptx::Function& function = module.functions[site.function];
        const std::vector<std::uint32_t> loads = ptx::loads_behind(
            function, site.instruction, use.what.of == Of::address ? ptx::Used::addresses : ptx::Used::values);
        std::vector<findings::Place> places;
        for (const std::uint32_t load : loads) {
            findings::Event event;
            event.kernel = f.kernel;
            event.block = f.block;
            event.thread = f.thread;
            place_event(module, {site.function, load}, event);
            findings::leave_toolkit(event);
            if (std::find(places.begin(), places.end(), event.place) != places.end()) continue;
            places.push_back(event.place);
            if (places.size() > 1) {
                f.other.reset();
                from.clear();
                f.allocation.clear();
                break;
            }
            event.access = "read";
            from = memory_of(launch_, function, function.instructions[load]);
            const auto meant = address_origin(launch_.function, {site.function, load}, launch_.launch.parameters);
            if (const auto memory = meant ? AddressSpace::instance().find(*meant) : std::nullopt) {
                f.allocation = AddressSpace::name_of(*memory);
                from = " from " + f.allocation;
            }
            if (event.place != f.place) f.other = event;
        }
    }
    f.message = fmt::format("a value{}, which nothing wrote, {}. Write the memory first: by this kernel or one before, "
                            "with cudaMemset(), or by a copy. With more threads than values, do threads leave theirs "
                            "alone?",
                            from, use_of(use.what.of));
}

} // namespace warplight::software
