// SPDX-License-Identifier: Apache-2.0
#include "warp_recorder.hpp"

#include "generic_access.hpp"
#include "launch_log/launch_log.hpp"
#include "report.hpp"
#include "software/ptx/accesses.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace warplight::software {

using warplight::profile::RecordedAccess;
using warplight::profile::RecordedBranch;
using warplight::profile::RecordedInstruction;
using warplight::profile::RecordedMemory;
using warplight::profile::RecordedSpace;
using warplight::profile::WarpRecord;

namespace {

/// Of the trace of a warp: 256 MiB.
constexpr std::size_t kMostTraceWords = std::size_t{1} << 25;
/// Of branches the number among accesses, so that they lie beside them.
constexpr std::uint32_t kBranch = ~0U;

RecordedSpace recorded_space(ProfiledAccess::Space space) {
    switch (space) {
    case ProfiledAccess::Space::shared: return RecordedSpace::shared;
    case ProfiledAccess::Space::local: return RecordedSpace::local;
    default: return RecordedSpace::global;
    }
}

/// Its lanes may part.
bool is_branch(const ptx::Instruction& i) {
    const bool jumps = i.opcode == ptx::Opcode::bra || i.opcode == ptx::Opcode::ret || i.opcode == ptx::Opcode::exit;
    return i.opcode == ptx::Opcode::brx || (jumps && i.guarded);
}

} // namespace

WarpRecorder::WarpRecorder(const Function& function, const jit::CompiledKernel& kernel, const LaunchContext& launch,
                           std::uint64_t shared_bytes, const std::vector<std::uint32_t>& last_sites,
                           warplight::profile::WarpChoice choice)
    : function_(function), kernel_(kernel), launch_(launch), shared_bytes_(shared_bytes), last_sites_(last_sites),
      trace_(kernel.width()) {
    record_.choice = choice;
    std::copy(launch.ntid, launch.ntid + 3, record_.block_size.begin());
    const std::uint64_t first = std::uint64_t{choice.warp} * kWarpSize;
    if (first < launch.block_threads) {
        const std::uint64_t left = launch.block_threads - first;
        record_.lanes = left >= kWarpSize ? ~0U : (1U << left) - 1;
    }
}

bool WarpRecorder::is_of(const BlockContext& block) const {
    return std::equal(block.ctaid, block.ctaid + 3, record_.choice.block.begin());
}

// --- one vector after the other

void WarpRecorder::begin(std::uint64_t shared) {
    shared_ = shared;
    trace_.forget();
    words_.fill(0);
    cut_ = 0;
}

/// A trace that is too long has no end, so that the beginning is whole.
bool WarpRecorder::has_room(std::uint32_t linear, std::size_t words) {
    const std::uint32_t width = kernel_.width(), first = linear % kWarpSize;
    std::size_t& used = words_[first / width];
    const std::uint32_t lanes = ((std::uint64_t{1} << width) - 1) << first;
    if ((cut_ & lanes) != 0) return false;
    if (used + words > kMostTraceWords / (kWarpSize / width)) {
        cut_ |= lanes;
        return false;
    }
    used += words;
    return true;
}

void WarpRecorder::comes_to(std::uint32_t linear, std::uint32_t active, std::uint32_t site) {
    if (has_room(linear, 1)) trace_.comes_to(linear % kWarpSize, active, site);
}

void WarpRecorder::calls(std::uint32_t linear, std::uint32_t active, bool returns) {
    if (!has_room(linear, 1)) return;
    if (returns)
        trace_.returns(linear % kWarpSize, active);
    else
        trace_.calls(linear % kWarpSize, active);
}

void WarpRecorder::accesses(std::uint32_t linear, std::uint32_t active, const std::uint64_t* addresses,
                            std::uint32_t site, std::uint32_t what) {
    if (has_room(linear, 2 + kernel_.width())) trace_.accesses(linear % kWarpSize, active, site, what, addresses);
}

void WarpRecorder::ends() {
    trace_.join(*this, cut_);
    record_.cut = cut_ != 0;
    if (!record_.cut) leave(~0U);
}

// --- the warp

RecordedInstruction& WarpRecorder::instruction_at(Key key) {
    const auto [known, is_new] = instructions_.try_emplace(key);
    RecordedInstruction& to = known->second;
    if (!is_new) return to;
    const jit::Site place = kernel_.site(key.first);
    const ptx::Module& module = function_.module.ptx;
    const ptx::Function& function = module.functions[place.function];
    const ptx::Instruction& i = function.instructions[place.instruction];
    findings::Event event;
    place_event(module, place, event);
    to.kernel = launch_log::source_name(function.name);
    to.place = event.place;
    to.ptx_line = event.ptx_line;
    to.opcode = spelled(i);
    if (key.second == kBranch) {
        to.access = "branch";
        return to;
    }
    const std::vector<ptx::MemoryAccess> all = ptx::accesses_of(i);
    if (key.second >= all.size()) return to;
    const ptx::MemoryAccess& access = all[key.second];
    to.access = access.reads && access.writes ? "atomic" : access.writes ? "write" : "read";
    to.bytes = access.bytes;
    return to;
}

bool WarpRecorder::counts(RecordedInstruction& instruction) {
    ++instruction.executions;
    ++record_.executions;
    if (kept_ >= WarpRecord::kMost || instruction.kept() >= WarpRecord::kMostOfInstruction) return false;
    ++kept_;
    return true;
}

void WarpRecorder::executes(std::uint32_t block_site, std::uint32_t lanes, bool) {
    resolve(lanes, block_site);
    const std::uint32_t site = last_sites_[block_site];
    const jit::Site place = kernel_.site(site);
    if (!is_branch(function_.module.ptx.functions[place.function].instructions[place.instruction])) return;
    RecordedInstruction& instruction = instruction_at({site, kBranch});
    if (!counts(instruction)) return;
    instruction.branches.push_back({record_.executions - 1, lanes, {}});
    for (std::uint32_t left = lanes; left != 0; left &= left - 1)
        pending_[static_cast<unsigned>(std::countr_zero(left))] = {&instruction, instruction.branches.size() - 1,
                                                                   place};
}

void WarpRecorder::add_way(const Pending& pending, std::uint32_t lane, const RecordedBranch::Way& way) {
    std::vector<RecordedBranch::Way>& ways = pending.instruction->branches[pending.branch].ways;
    const auto known =
        std::find_if(ways.begin(), ways.end(), [&](const auto& each) { return each.ptx_line == way.ptx_line; });
    RecordedBranch::Way& to = known == ways.end() ? ways.emplace_back(way) : *known;
    to.lanes |= 1U << lane;
}

void WarpRecorder::resolve(std::uint32_t lanes, std::uint32_t block_site) {
    const jit::Site place = kernel_.site(block_site);
    const ptx::Module& module = function_.module.ptx;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const Pending pending = std::exchange(pending_[lane], {});
        if (!pending.instruction) continue;
        const ptx::Opcode opcode =
            module.functions[pending.site.function].instructions[pending.site.instruction].opcode;
        const bool jumps = opcode == ptx::Opcode::bra || opcode == ptx::Opcode::brx;
        const bool falls_through =
            place.function == pending.site.function && place.instruction == pending.site.instruction + 1;
        RecordedBranch::Way way;
        if (jumps || falls_through) {
            findings::Event event;
            place_event(module, place, event);
            way.place = event.place;
            way.ptx_line = event.ptx_line;
        }
        add_way(pending, lane, way);
    }
}

/// Lanes that come to nothing any more.
void WarpRecorder::leave(std::uint32_t lanes) {
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        if (const Pending pending = std::exchange(pending_[lane], {}); pending.instruction) add_way(pending, lane, {});
    }
}

void WarpRecorder::accesses(std::uint32_t site, std::uint32_t what, const profile::WarpAccess& access) {
    if (access.active == 0) return;
    const ProfiledAccess unpacked = ProfiledAccess::unpacked(what);
    RecordedInstruction& instruction = instruction_at({site, unpacked.number});
    each_space(unpacked, access, launch_, shared_, shared_bytes_,
               [&](ProfiledAccess::Space space, const profile::WarpAccess& part) {
                   if (!counts(instruction)) return;
                   RecordedAccess& to = instruction.accesses.emplace_back(
                       RecordedAccess{record_.executions - 1, recorded_space(space), part});
                   for (unsigned lane = 0; lane < kWarpSize; ++lane)
                       if ((part.active >> lane & 1) == 0) to.access.addresses[lane] = 0;
               });
}

void WarpRecorder::accesses(std::uint32_t site, std::uint32_t what, const profile::WarpTrace::RegularAccess& access) {
    accesses(site, what, access.all(ProfiledAccess::unpacked(what).bytes));
}

// --- names

/// Keeps what was accessed, with its smallest access.
void WarpRecorder::add_memory(RecordedMemory memory) {
    std::uint32_t smallest = 0;
    for (const RecordedInstruction& each : record_.instructions)
        for (const RecordedAccess& access : each.accesses) {
            if (access.space != memory.space) continue;
            const std::uint64_t first =
                access.access.addresses[static_cast<unsigned>(std::countr_zero(access.access.active))];
            if (first - memory.address < memory.bytes && (smallest == 0 || each.bytes < smallest))
                smallest = each.bytes;
        }
    if (smallest == 0) return;
    memory.element = smallest;
    record_.memory.push_back(std::move(memory));
}

void WarpRecorder::name_memory() {
    const ptx::Module& module = function_.module.ptx;
    const jit::VariableAddresses& addresses = function_.module.addresses();
    for (std::size_t v = 0; v < module.variables.size() && v < addresses.size(); ++v)
        if (addresses[v] != 0 && module.variables[v].space == ptx::Space::global)
            add_memory({RecordedSpace::global, variable_name(module.variables[v].name), addresses[v],
                        module.variables[v].size});
    for (const ptx::SharedLayout::Entry& entry : function_.shared.entries) {
        const ptx::Variable& v = entry.module_scope ? module.variables[entry.variable]
                                                    : module.functions[entry.function].variables[entry.variable];
        const std::uint64_t begin = v.unsized ? launch_.static_shared : entry.offset;
        add_memory({RecordedSpace::shared, variable_name(v.name), begin,
                    v.unsized ? shared_bytes_ - std::min(shared_bytes_, begin) : v.size});
    }
    std::sort(record_.memory.begin(), record_.memory.end(), [](const RecordedMemory& a, const RecordedMemory& b) {
        return std::pair(a.space, a.address) < std::pair(b.space, b.address);
    });
}

WarpRecord WarpRecorder::take() {
    std::multimap<int, RecordedInstruction*> by_line; // of one line in the order of the keys
    for (auto& [key, instruction] : instructions_)
        by_line.emplace(instruction.ptx_line, &instruction);
    for (const auto& [line, instruction] : by_line)
        record_.instructions.push_back(std::move(*instruction));
    instructions_.clear();
    pending_ = {};
    name_memory();
    return std::move(record_);
}

} // namespace warplight::software
