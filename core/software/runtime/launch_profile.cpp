// SPDX-License-Identifier: Apache-2.0
#include "launch_profile.hpp"

#include "check_settings.hpp"
#include "generic_access.hpp"
#include "launch_log/launch_log.hpp"
#include "operation_counts.hpp"
#include "report.hpp"
#include "service_call.hpp"
#include "software/profile/collector.hpp"
#include "software/ptx/accesses.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace warplight::software {

using profile::WarpAccess;
using profile::WarpTrace;
using Space = ProfiledAccess::Space;
using warplight::profile::addresses_of;
using warplight::profile::Figures;
using warplight::profile::local_sectors_of;
using warplight::profile::sectors_of;
using warplight::profile::wavefronts_of;

namespace {

std::uint64_t number_of(std::uint32_t lanes) { return static_cast<std::uint64_t>(std::popcount(lanes)); }

template <class Visit>
void each_lane(std::uint32_t lanes, Visit visit) {
    for (; lanes != 0; lanes &= lanes - 1)
        visit(static_cast<unsigned>(std::countr_zero(lanes)));
}

void add_cost(ProfileCounters& counters, bool is_shared_space, profile::Cost cost, std::uint64_t lanes) {
    if (is_shared_space) {
        ++counters.shared_requests;
        counters.wavefronts += cost.is;
        counters.wavefronts_ideal += cost.ideal;
        counters.shared_lanes += lanes;
    } else {
        ++counters.requests;
        counters.sectors += cost.is;
        counters.sectors_ideal += cost.ideal;
    }
}

/// All members are counts.
void add_counters(ProfileCounters& to, const ProfileCounters& from) {
    constexpr std::size_t kCounts = sizeof(ProfileCounters) / sizeof(std::uint64_t);
    const auto words = std::bit_cast<std::array<std::uint64_t, kCounts>>(from);
    auto sums = std::bit_cast<std::array<std::uint64_t, kCounts>>(to);
    for (std::size_t k = 0; k < kCounts; ++k)
        sums[k] += words[k];
    to = std::bit_cast<ProfileCounters>(sums);
}

/// Where the address is a variable's, that one's.
ptx::Space space_of(const ptx::Module& module, const ptx::Function& function, const ptx::MemoryAccess& access) {
    const ptx::Operand& address = *access.address;
    const bool by_variable =
        address.kind == ptx::Operand::Kind::variable ||
        (address.kind == ptx::Operand::Kind::address && address.base_kind == ptx::Operand::Kind::variable);
    if (!by_variable) return access.space;
    if (address.scope == ptx::Operand::Scope::module) return module.variables[address.index].space;
    return address.scope == ptx::Operand::Scope::function ? function.variables[address.index].space : access.space;
}

void add_bytes(const ptx::MemoryAccess& access, ptx::Space space, std::uint64_t threads, const ProfileCounters& own,
               Figures& figures) {
    switch (space) {
    case ptx::Space::shared:
    case ptx::Space::shared_cluster: figures.shared_bytes += threads * access.bytes; break;
    case ptx::Space::local: figures.local_bytes += threads * access.bytes; break;
    case ptx::Space::global:
    case ptx::Space::generic:
        figures.shared_bytes += own.shared_lanes * access.bytes;
        figures.local_bytes += own.local_lanes * access.bytes;
        figures.bytes += (threads - own.shared_lanes - own.local_lanes) * access.bytes;
        break;
    default: break;
    }
}

} // namespace

// --- what a block does

LaunchProfile::Block::Block(Worker& worker) : worker_(worker), width_(worker.launch.kernel_.width()) {
    const LaunchProfile& launch = worker.launch;
    if (width_ < kWarpSize && !launch.recorder_)
        for (std::uint32_t first = 0; first < launch.launch_.block_threads; first += kWarpSize)
            warps_.emplace_back(width_);
}

void LaunchProfile::Block::begin(BlockContext& context) {
    context.profile_counters = worker_.counters();
    context.profile = this;
    shared_ = reinterpret_cast<std::uint64_t>(context.shared);
    words_ = 0;
    is_lost_ = false;
    recorder_ = nullptr;
    WarpRecorder* const recorder = worker_.launch.recorder_.get();
    if (!recorder || !recorder->is_of(context)) return;
    recorder_ = recorder;
    recorder_->begin(shared_);
}

bool LaunchProfile::Block::records() const { return worker_.launch.recorder_ != nullptr; }

void LaunchProfile::Block::lose() {
    is_lost_ = true;
    for (WarpTrace& warp : warps_)
        warp = WarpTrace(width_);
}

void LaunchProfile::Block::comes_to(std::uint32_t linear, std::uint32_t active, std::uint32_t site) {
    if (records()) {
        if (is_recorded(linear)) recorder_->comes_to(linear, active, site);
        return;
    }
    if (!has_room()) return;
    warps_[linear / kWarpSize].comes_to(linear % kWarpSize, active, site);
    ++words_;
}

void LaunchProfile::Block::calls(std::uint32_t linear, std::uint32_t active, bool returns) {
    if (records()) {
        if (is_recorded(linear)) recorder_->calls(linear, active, returns);
        return;
    }
    if (!has_room()) return;
    WarpTrace& warp = warps_[linear / kWarpSize];
    if (returns)
        warp.returns(linear % kWarpSize, active);
    else
        warp.calls(linear % kWarpSize, active);
    ++words_;
}

void LaunchProfile::Block::accesses(std::uint32_t linear, std::uint32_t active, const std::uint64_t* addresses,
                                    std::uint32_t site, std::uint32_t what) {
    if (records()) {
        if (is_recorded(linear)) recorder_->accesses(linear, active, addresses, site, what);
        return;
    }
    const std::size_t width = width_;
    if (width == kWarpSize) {
        WarpAccess access{{}, active, ProfiledAccess::unpacked(what).bytes};
        std::copy(addresses, addresses + kWarpSize, access.addresses.begin());
        return accesses(site, what, access);
    }
    if (!has_room()) return;
    warps_[linear / kWarpSize].accesses(linear % kWarpSize, active, site, what, addresses);
    words_ += 2 + width;
}

void LaunchProfile::Block::ends() {
    if (recorder_)
        recorder_->ends();
    else if (is_lost_)
        ++worker_.lost_blocks;
    else
        for (WarpTrace& warp : warps_)
            warp.join(*this);
}

void LaunchProfile::Block::executes(std::uint32_t block_site, std::uint32_t lanes, bool parted) {
    ProfileCounters& counters = worker_.counters()[block_site];
    ++counters.executions;
    counters.lanes += number_of(lanes);
    if (parted) ++worker_.counters()[worker_.launch.last_sites_[block_site]].divergent;
}

void LaunchProfile::Block::accesses(std::uint32_t site, std::uint32_t what, const WarpAccess& access) {
    if (access.active == 0) return;
    ProfileCounters& counters = worker_.counters()[site];
    const ProfiledAccess unpacked = ProfiledAccess::unpacked(what);
    if (unpacked.atomic) {
        counters.atomic_lanes += number_of(access.active);
        counters.atomic_addresses += addresses_of(access);
    }
    const LaunchProfile& launch = worker_.launch;
    each_space(unpacked, access, launch.launch_, shared_, launch.shared_bytes_,
               [&](Space space, const WarpAccess& part) { count(counters, space, part); });
}

/// Where the first address lies in a line of memory, and how far the others are from it, tells the cost.
void LaunchProfile::Block::accesses(std::uint32_t site, std::uint32_t what, const WarpTrace::RegularAccess& access) {
    const ProfiledAccess unpacked = ProfiledAccess::unpacked(what);
    const bool is_shared_space = unpacked.space == Space::shared;
    if (unpacked.atomic || !(is_shared_space || unpacked.space == Space::global))
        return accesses(site, what, access.all(unpacked.bytes));
    constexpr std::uint64_t kLine = 128;
    const std::uint64_t base = access.first[0] / kLine * kLine;
    if (site >= known_.size()) known_.resize(worker_.launch.kernel_.sites());
    Known& known = known_[site];
    for (const Known::Entry& entry : known.entries)
        if (entry.is(access, base)) return add_cost(worker_.counters()[site], is_shared_space, entry.cost, entry.lanes);
    const WarpAccess all = access.all(unpacked.bytes);
    if (all.active == 0) return;
    const warplight::profile::Cost cost = is_shared_space ? wavefronts_of(all) : sectors_of(all);
    Known::Entry& entry = known.entries[known.next++ % known.entries.size()];
    entry = {access, number_of(all.active), cost};
    for (std::uint64_t& first : entry.access.first)
        first -= base;
    add_cost(worker_.counters()[site], is_shared_space, cost, entry.lanes);
}

bool LaunchProfile::Block::Known::Entry::is(const WarpTrace::RegularAccess& other, std::uint64_t base) const {
    if (lanes == 0) return false;
    for (unsigned v = 0; v * access.width < kWarpSize; ++v) {
        if (access.active[v] != other.active[v]) return false;
        if (access.active[v] == 0) continue;
        if (access.first[v] != other.first[v] - base || access.distance[v] != other.distance[v]) return false;
    }
    return true;
}

void LaunchProfile::Block::count(ProfileCounters& counters, Space space, const WarpAccess& access) {
    if (space == Space::shared) {
        add_cost(counters, true, wavefronts_of(access), number_of(access.active));
    } else if (space == Space::local) {
        ++counters.local_requests;
        counters.local_sectors += local_sectors_of(access);
        counters.local_lanes += number_of(access.active);
    } else {
        add_cost(counters, false, sectors_of(access), number_of(access.active));
    }
}

// --- workers

LaunchProfile::Worker::Worker(LaunchProfile& of) : launch(of), counters_(of.counters_.size()) {}

LaunchProfile::Worker::~Worker() {
    const std::scoped_lock lock(launch.mutex_);
    for (std::size_t k = 0; k < counters_.size(); ++k)
        add_counters(launch.counters_[k], counters_[k]);
    launch.lost_blocks_ += lost_blocks;
}

LaunchProfile::Block& LaunchProfile::Worker::block(const void* key) {
    std::unique_ptr<Block>& block = blocks_[key];
    if (!block) block = std::make_unique<Block>(*this);
    return *block;
}

// --- the launch

LaunchProfile::LaunchProfile(const Function& function, const jit::CompiledKernel& kernel, const LaunchContext& launch,
                             std::uint64_t shared_bytes)
    : function_(function), kernel_(kernel), launch_(launch), shared_bytes_(shared_bytes), last_sites_(kernel.sites()),
      counters_(kernel.sites()) {
    const std::vector<std::uint32_t>& blocks = kernel.block_sites();
    for (std::uint32_t site = 0; site < blocks.size(); ++site)
        last_sites_[blocks[site]] = site;
    if (kernel.width() == kWarpSize) return; // its code tells too little
    if (const auto choice = take_requested_warp())
        recorder_ = std::make_unique<WarpRecorder>(function, kernel, launch, shared_bytes, last_sites_, *choice);
}

Figures LaunchProfile::figures_of(std::uint32_t site) const {
    const jit::Site place = kernel_.site(site);
    const ptx::Module& module = function_.module.ptx;
    const ptx::Instruction& i = module.functions[place.function].instructions[place.instruction];
    const ProfileCounters& block = counters_[kernel_.block_sites()[site]];
    const ProfileCounters& own = counters_[site];
    Figures figures;
    figures.executions = block.whole + block.executions;
    figures.active_lanes = block.whole * kWarpSize + block.lanes;
    const bool has_own_guard = i.guarded && i.opcode != ptx::Opcode::bra;
    const std::uint64_t threads = has_own_guard ? own.on : figures.active_lanes;
    if (i.opcode == ptx::Opcode::bra || i.opcode == ptx::Opcode::brx) figures.divergent_branches = own.divergent;
    add_operations(i, threads, figures.executions, figures);

    figures.requests = own.requests + own.uniform;
    figures.sectors = own.sectors + own.uniform;
    figures.sectors_ideal = own.sectors_ideal + own.uniform;
    figures.shared_requests = own.shared_requests + own.shared_uniform;
    figures.wavefronts = own.wavefronts + own.shared_uniform;
    figures.wavefronts_ideal = own.wavefronts_ideal + own.shared_uniform;
    figures.local_requests = own.local_requests;
    figures.local_sectors = own.local_sectors;
    figures.atomic_lanes = own.atomic_lanes;
    figures.atomic_addresses = own.atomic_addresses;
    for (const ptx::MemoryAccess& access : ptx::accesses_of(i))
        add_bytes(access, space_of(module, module.functions[place.function], access), threads, own, figures);
    return figures;
}

void LaunchProfile::finish() {
    if (recorder_) return profile::Collector::instance().put(recorder_->take());
    warplight::profile::Profile all;
    const ptx::Module& module = function_.module.ptx;
    for (std::uint32_t site = 0; site < kernel_.block_sites().size(); ++site) {
        const jit::Site place = kernel_.site(site);
        if (place.function >= module.functions.size() ||
            place.instruction >= module.functions[place.function].instructions.size())
            continue;
        warplight::profile::Instruction& instruction = all.instructions.emplace_back();
        findings::Event event;
        place_event(module, place, event);
        instruction.kernel = launch_log::source_name(module.functions[place.function].name);
        instruction.place = event.place;
        instruction.ptx_line = event.ptx_line;
        instruction.opcode = spelled(module.functions[place.function].instructions[place.instruction]);
        instruction.figures = figures_of(site);
    }
    all.launches = 1;
    const std::uint64_t blocks = std::uint64_t{launch_.nctaid[0]} * launch_.nctaid[1] * launch_.nctaid[2];
    all.warps = blocks * ((launch_.block_threads + kWarpSize - 1) / kWarpSize);
    all.lost_blocks = lost_blocks_;
    profile::Collector::instance().add(all);
}

namespace {

template <class Body>
void of_profiled_block(const BlockContext* block, const KernelCaller& caller, Body body) {
    auto* const profiled = static_cast<LaunchProfile::Block*>(block->profile);
    if (profiled) without_exceptions(caller, [&] { body(*profiled); });
}

} // namespace

extern "C" void wl_rt_profile_access(BlockContext* block, std::uint32_t linear, std::uint32_t active,
                                     const std::uint64_t* addresses, std::uint32_t site, std::uint32_t what) {
    of_profiled_block(block, {WARPLIGHT_CALLER(), linear, site},
                      [&](LaunchProfile::Block& b) { b.accesses(linear, active, addresses, site, what); });
}

extern "C" void wl_rt_profile_block(BlockContext* block, std::uint32_t linear, std::uint32_t active,
                                    std::uint32_t site) {
    of_profiled_block(block, {WARPLIGHT_CALLER(), linear, site},
                      [&](LaunchProfile::Block& b) { b.comes_to(linear, active, site); });
}

extern "C" void wl_rt_profile_call(BlockContext* block, std::uint32_t linear, std::uint32_t active,
                                   std::uint32_t returns) {
    of_profiled_block(block, {WARPLIGHT_CALLER(), linear},
                      [&](LaunchProfile::Block& b) { b.calls(linear, active, returns != 0); });
}

} // namespace warplight::software
