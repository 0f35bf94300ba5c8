// SPDX-License-Identifier: Apache-2.0
#include "launch_checks.hpp"

#include "address_origin.hpp"
#include "address_space.hpp"
#include "block_scheduler.hpp"
#include "context.hpp"
#include "local_variable.hpp"
#include "platform.hpp"
#include "report.hpp"
#include "service_call.hpp"
#include "software/ptx/effects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

namespace warplight::software {
namespace {

constexpr unsigned kReadOnly = 1, kNoAccess = 0; ///< CUmemAccess_flags

/// Of a block of the cluster, by its rank.
bool has_ended(const BlockContext& block, std::uint32_t rank) {
    const auto& members = static_cast<const BlockScheduler*>(block.scheduler)->blocks_together().members;
    return rank < members.size() && !members[rank];
}

bool holds(const CheckedRange& range, std::uint64_t at, std::uint64_t bytes) {
    const std::uint64_t offset = at - range.begin;
    return offset < range.size && bytes <= range.size - offset;
}

} // namespace

std::string LaunchChecks::outside_of(std::int64_t offset, std::uint64_t bytes, std::uint64_t size,
                                     const std::string& what) {
    const auto count = [](std::uint64_t n) { return fmt::format("{} byte{}", n, n == 1 ? "" : "s"); };
    if (offset < 0) return fmt::format("{} before {}", count(static_cast<std::uint64_t>(-offset)), what);
    const auto at = static_cast<std::uint64_t>(offset);
    if (at >= size)
        return at == size ? fmt::format("right behind {}", what)
                          : fmt::format("{} past the end of {}", count(at - size), what);
    return fmt::format("at byte {} of {}, {} too long", at, what, count(at + bytes - size));
}

LaunchChecks::LaunchChecks(Context& context, findings::Checks checks, const Function& function,
                           const jit::CompiledKernel& kernel, const LaunchContext& launch,
                           std::uint64_t parameter_bytes, std::uint64_t shared_bytes)
    : context_(context), checks_(checks), checked_(function, kernel, launch), function_(function), kernel_(kernel),
      launch_(launch), parameter_bytes_(parameter_bytes), shared_bytes_(shared_bytes), arithmetic_(checked_),
      sync_(checked_, shared_bytes), parameter_ranges_(parameter_bytes / 8 + 1) {
    if (checks.has(findings::Check::sync) && (kernel.width() == 1 || kernel.meets_whole())) meetings_.add(sync_);
    if (kernel.follows_values()) values_.emplace(checked_);
    if (checks.has(findings::Check::race) && kernel.traces_accesses())
        meetings_.add(races_.emplace(checked_, parameter_bytes, shared_bytes, !checks.has(findings::Check::memory)));
    for (std::uint64_t at = 0; at + sizeof(std::uint64_t) <= parameter_bytes; at += sizeof(std::uint64_t)) {
        std::uint64_t pointer = 0;
        std::memcpy(&pointer, launch.parameters + at, sizeof pointer);
        const auto memory = AddressSpace::instance().find(pointer);
        // Of memory with less than all rights each access is looked at, and of mappings each may go on into the next.
        // Of the heap it is a block that is meant.
        if (memory && memory->access == 3 && memory->kind != Allocation::Kind::mapped &&
            memory->kind != Allocation::Kind::internal)
            parameter_ranges_[at / 8] = {memory->base, memory->size};
    }
}

std::vector<CheckedRange> LaunchChecks::found_ranges() const {
    return std::vector<CheckedRange>(std::size_t{kernel_.sites()} * CheckedAccess::kMostOfInstruction);
}

// --- what is right

std::uint32_t LaunchChecks::allowed(BlockContext& block, const Accesses& accesses) {
    const CheckedAccess& what = accesses.what;
    CheckedRange found{};
    std::uint32_t allowed = 0;
    for (std::uint32_t left = accesses.active; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        const std::uint32_t place = what.uniform ? 0 : lane;
        One one{accesses.addresses[place],
                accesses.linear + lane,
                accesses.meant,
                accesses.site,
                what,
                accesses.counts ? accesses.counts[place] : what.bytes};
        if (what.shared && checked_.knows_clusters)
            find_in_cluster(block, one.address - reinterpret_cast<std::uint64_t>(block.cluster_shared), one);
        else if (what.shared)
            one.offset = static_cast<std::uint32_t>(one.address - reinterpret_cast<std::uint64_t>(block.shared));
        else
            one.meant.begin += accesses.step * lane;
        const auto problem = problem_of(block, one, found);
        if (what.shadow) {
            // Only memory of the device has one, as long as it is there.
            if (!problem && AddressSpace::instance().covers(one.address)) allowed |= 1U << lane;
        } else if (!problem || !checks_.has(findings::Check::memory)) {
            allowed |= 1U << lane;
        } else {
            keep(block, one, *problem);
            if (*problem == Problem::of_heap && reads_freed(one)) allowed |= 1U << lane;
        }
    }
    if (found.size && !what.known)
        block.found_ranges[std::size_t{accesses.site} * CheckedAccess::kMostOfInstruction + what.number] = found;
    return allowed;
}

/// Of a block of the heap that was freed the content is there still. A kernel that goes on in a list would find no end
/// of it if the next pointer were left out.
bool LaunchChecks::reads_freed(const One& access) {
    if (access.what.writes || access.address % access.what.alignment != 0) return false;
    const auto memory = AddressSpace::instance().find(access.address);
    const auto near = memory && memory->context ? memory->context->checked_heap().find(access.address) : std::nullopt;
    return near && near->freed && near->holds(access.address, access.bytes);
}

/// @param found the memory of the access, where the next one may be looked for at first
std::optional<LaunchChecks::Problem> LaunchChecks::problem_of(const BlockContext& block, One& access,
                                                              CheckedRange& found) const {
    const bool misaligned = access.address % access.what.alignment != 0 ||
                            (access.what.in_units && access.bytes % access.what.alignment != 0);
    if (access.bytes == 0) return misaligned ? std::optional(Problem::misaligned) : std::nullopt;
    if (access.what.shared) return problem_in_shared(block, access, found);
    if (access.what.known && access.meant.size != 0 && !holds(access.meant, access.address, access.bytes))
        return Problem::outside;
    if (!access.what.known || access.meant.size == 0)
        if (const auto problem = problem_anywhere(block, access, found)) return problem;
    return misaligned ? std::optional(Problem::misaligned) : std::nullopt;
}

std::optional<LaunchChecks::Problem> LaunchChecks::problem_in_shared(const BlockContext& block, const One& access,
                                                                     CheckedRange& found) const {
    if (access.rank >= launch_.cluster_blocks) return Problem::no_block;
    if (access.rank != block.cluster_rank && checked_.knows_clusters && has_ended(block, access.rank))
        return Problem::has_ended;
    const CheckedRange memory = access.what.known ? access.meant : shared_variable_at(access.offset);
    if (!holds(memory, access.offset, access.bytes)) return Problem::outside;
    const std::uint64_t units = access.offset | (access.what.in_units ? access.bytes : 0);
    if (units % access.what.alignment) return Problem::misaligned;
    // What is found is asked for no more, but blocks end, and those of other clusters are others.
    if (!checked_.knows_clusters) found = memory;
    return std::nullopt;
}

CheckedRange LaunchChecks::shared_variable_at(std::uint32_t offset) const {
    if (offset >= launch_.static_shared) return {launch_.static_shared, shared_bytes_ - launch_.static_shared};
    CheckedRange found{};
    for (const ptx::SharedLayout::Entry& entry : function_.shared.entries) {
        const ptx::Module& module = function_.module.ptx;
        const ptx::Variable& v = entry.module_scope ? module.variables[entry.variable]
                                                    : module.functions[entry.function].variables[entry.variable];
        const CheckedRange range{entry.offset, v.size};
        if (!v.unsized && holds(range, offset, 1)) found = range;
    }
    return found;
}

/// The launch's own memory, which is no allocation.
bool LaunchChecks::is_of_launch(const BlockContext& block, const One& access) const {
    const auto in = [&](std::uint64_t begin, std::uint64_t size) {
        return holds({begin, size}, access.address, access.bytes);
    };
    const auto shared = reinterpret_cast<std::uint64_t>(block.shared);
    if (in(shared, shared_bytes_)) {
        const auto offset = static_cast<std::uint32_t>(access.address - shared);
        return holds(shared_variable_at(offset), offset, access.bytes);
    }
    if (!access.what.writes && in(reinterpret_cast<std::uint64_t>(launch_.parameters), parameter_bytes_)) return true;
    const CheckedRange workspace = checked_.grid_workspace();
    return in(workspace.begin, workspace.size);
}

std::optional<LaunchChecks::Problem> LaunchChecks::problem_anywhere(const BlockContext& block, One& access,
                                                                    CheckedRange& found) const {
    const AddressSpace& space = AddressSpace::instance();
    const std::uint64_t bytes = access.bytes;
    if (const auto memory = space.find(access.address)) {
        if (memory->access == kNoAccess) return Problem::outside;
        if (access.what.writes && memory->access == kReadOnly) return Problem::read_only;
        const CheckedRange range{memory->base, memory->size};
        const bool mapped = memory->kind == Allocation::Kind::mapped;
        if (memory->kind == Allocation::Kind::internal && memory->context) {
            const CheckedHeap& heap = memory->context->checked_heap();
            if (heap.covers(access.address)) {
                const auto of = heap.find(access.address);
                return of && !of->freed && of->holds(access.address, bytes) ? std::nullopt
                                                                            : std::optional(Problem::of_heap);
            }
        }
        if (!holds(range, access.address, bytes) && !(mapped && space.room(access.address) >= bytes))
            return Problem::outside;
        if (memory->access == 3 && memory->kind != Allocation::Kind::internal) found = range;
        return std::nullopt;
    }
    if (checked_.knows_clusters) {
        const std::uint64_t word = access.address - reinterpret_cast<std::uint64_t>(block.cluster_shared);
        if (word < std::uint64_t{launch_.cluster_blocks} << kClusterStrideBits) {
            find_in_cluster(block, word, access);
            access.what.shared = true;
            access.what.known = false;
            return problem_in_shared(block, access, found);
        }
    }
    if (const CheckedRange local{launch_.local_begin, launch_.local_bytes}; holds(local, access.address, bytes)) {
        found = local;
        return std::nullopt;
    }
    if (is_of_launch(block, access)) return std::nullopt;
    // Without walls a kernel may use the program's own memory.
    std::byte probe{};
    const bool own = space.walls() == jit::Walls::none && !space.covers(access.address) && access.address >= 65536;
    if (own && platform::read_memory(reinterpret_cast<const void*>(access.address), &probe, 1) != 0)
        return std::nullopt;
    return Problem::outside;
}

// --- what is wrong

void LaunchChecks::keep(const BlockContext& block, const One& access, Problem problem) const {
    const char* const name = !access.what.writes ? "read" : access.what.reads ? "atomic" : "write";
    const std::string what = fmt::format("{} {} {}", name, access.bytes, static_cast<unsigned>(problem));
    checked_.keep(block, {access.thread, access.site}, name, what, [&](findings::Finding& f) {
        f.kind = findings::name_of(findings::Check::memory);
        f.size = access.bytes;
        f.address = access.what.shared ? access.offset : access.address;
        f.message = describe(block, access, problem, f);
    });
}

void LaunchChecks::describe_variable(const One& access, findings::Finding& finding) const {
    const ptx::Module& module = function_.module.ptx;
    if (access.what.shared) {
        const CheckedRange memory = access.what.known ? access.meant : CheckedRange{};
        for (const ptx::SharedLayout::Entry& entry : function_.shared.entries) {
            const ptx::Variable& v = entry.module_scope ? module.variables[entry.variable]
                                                        : module.functions[entry.function].variables[entry.variable];
            if (entry.offset == memory.begin && (v.unsized || v.size == memory.size)) finding.variable = v.name;
        }
        return;
    }
    if (!access.what.known) return;
    const jit::VariableAddresses& addresses = function_.module.addresses();
    for (std::size_t v = 0; v < addresses.size(); ++v)
        if (addresses[v] == access.meant.begin && module.variables[v].size == access.meant.size)
            finding.variable = module.variables[v].name;
}

const char* LaunchChecks::alignment_advice(const One& access) const {
    const jit::Site site = kernel_.site(access.site);
    const auto& functions = function_.module.ptx.functions;
    if (site.function < functions.size() && site.instruction < functions[site.function].instructions.size()) {
        const ptx::Instruction& i = functions[site.function].instructions[site.instruction];
        if (ptx::is_matrix(i.opcode))
            return "The beginning of a matrix, and the distance of its rows, must be such multiples: pad rows by "
                   "whole units.";
        if (i.opcode == ptx::Opcode::cp || i.opcode == ptx::Opcode::mbarrier)
            return "Give the variable that alignment (alignas), and count in units of it.";
    }
    return "A vector type such as float4 needs its own size as alignment: convert only pointers that have it.";
}

std::string LaunchChecks::describe(const BlockContext& block, const One& access, Problem problem,
                                   findings::Finding& finding) const {
    const std::string what =
        fmt::format("{} of {} byte{}", finding.access == "atomic" ? "an atomic operation" : "a " + finding.access,
                    access.bytes, access.bytes == 1 ? "" : "s");
    if (problem == Problem::misaligned) {
        if (access.address % access.what.alignment == 0)
            return fmt::format("{}, which is no multiple of {}. Bulk copies move units of {} bytes: copy the rest "
                               "by plain accesses.",
                               what, access.what.alignment, access.what.alignment);
        return fmt::format("{} at the address 0x{:x}, which is no multiple of {}. {}", what, finding.address,
                           access.what.alignment, alignment_advice(access));
    }
    if (problem == Problem::no_block || problem == Problem::has_ended)
        return describe_of_cluster(block, access, problem, what);
    if (problem == Problem::of_heap) return describe_heap(access, what, finding);
    describe_variable(access, finding);
    const auto variable = [&](const std::string& of, std::int64_t offset, const std::string& neighbour = "") {
        return fmt::format("{}, {}{}. Its index is too large or negative: compare it with the number of elements.",
                           what,
                           outside_of(offset, access.bytes, access.meant.size,
                                      fmt::format("the {} bytes of the {}", access.meant.size, of)),
                           neighbour.empty() ? "" : fmt::format(", where {} lies", neighbour));
    };
    const auto named = [&](const char* space) {
        const std::string name = finding.variable.empty() ? "" : fmt::format(" '{}'", variable_name(finding.variable));
        return fmt::format("{} variable{}", space, name);
    };
    const bool names_variable = access.what.known && access.meant.size != 0;
    if (access.what.shared) {
        // A small negative offset is a large number.
        const auto offset = std::int64_t{static_cast<std::int32_t>(access.offset)};
        if (names_variable) return variable(named("shared"), offset - static_cast<std::int64_t>(access.meant.begin));
        return fmt::format("{}, {}. Its index is too large or negative: compare it with the number of elements.", what,
                           shared_bytes_ == 0
                               ? std::string("in shared memory, of which the block has none")
                               : outside_of(offset, access.bytes, shared_bytes_,
                                            fmt::format("the {} bytes of shared memory of the block", shared_bytes_)));
    }
    const auto from_begin = static_cast<std::int64_t>(access.address - access.meant.begin);
    if (names_variable && access.meant.begin - launch_.local_begin < launch_.local_bytes) {
        const LocalVariable local = local_variable_of(function_, kernel_.site(access.site), access.meant.size);
        if (local.variable) finding.variable = variable_name(local.variable->name);
        const std::string text = local.variable ? local_array_text(*local.variable) : "";
        return variable(text.empty() ? named("local") : fmt::format("local variable {}", text), from_begin,
                        neighbour_text(local, from_begin, access.bytes));
    }
    if (names_variable && !finding.variable.empty()) return variable(named("device"), from_begin);
    AddressSpace::Naming naming;
    if (names_variable) naming.meant = access.meant.begin;
    if (!names_variable) naming.meant = address_origin(function_, kernel_.site(access.site), launch_.parameters);
    const AddressSpace& space = AddressSpace::instance();
    if (const auto memory = space.find_or_freed(naming.meant.value_or(access.address)))
        finding.allocation = space.name_of(*memory);
    std::string where = space.describe(access.address, naming);
    if (const auto memory = space.find(access.address);
        memory && access.address + access.bytes > memory->base + memory->size)
        where += fmt::format(", {} too long", access.address + access.bytes - memory->base - memory->size);
    const char* advice = "Threads beyond the end of an array must leave it alone: compare the index with the number of "
                         "elements (if (i < n)).";
    if (problem == Problem::read_only)
        advice = "The memory may only be read: the access was set so, or it was registered so.";
    else if (where.ends_with("freed"))
        advice = "Free memory after the last kernel that uses it.";
    else if (access.address < 65536)
        advice = "Was the memory allocated, and its address given to the kernel?";
    return fmt::format("{} at the address 0x{:x}: {}. {}", what, access.address, where, advice);
}

} // namespace warplight::software

namespace warplight::software {

namespace {

template <class Body>
void where_races_are_looked_for(const BlockContext* block, const KernelCaller& caller, Body body) {
    LaunchChecks* const checks = checks_of(*block);
    RaceChecks* const races = checks ? checks->races() : nullptr;
    if (!races) return;
    enter_service(caller);
    without_exceptions(caller, [&] { body(*races); });
}

} // namespace

extern "C" void wl_rt_trace_access(BlockContext* block, std::uint32_t linear, std::uint32_t active,
                                   const std::uint64_t* addresses, const std::byte* values, std::uint32_t site,
                                   std::uint32_t what, const std::uint32_t* counts) {
    where_races_are_looked_for(block, {WARPLIGHT_CALLER(), linear, site}, [&](RaceChecks& races) {
        races.access(*block, {linear, active, addresses, values, site, TracedAccess::unpacked(what), counts});
    });
}

extern "C" void wl_rt_trace_copies(BlockContext* block, std::uint32_t linear, std::uint32_t active, std::uint32_t site,
                                   std::uint32_t event, std::uint32_t pending) {
    where_races_are_looked_for(block, {WARPLIGHT_CALLER(), linear, site}, [&](RaceChecks& races) {
        races.copies(*block, linear, active, static_cast<CopyEvent>(event), pending);
    });
}

extern "C" void wl_rt_trace_fence(BlockContext* block, std::uint32_t linear, std::uint32_t active, std::uint32_t site,
                                  std::uint32_t scope) {
    where_races_are_looked_for(block, {WARPLIGHT_CALLER(), linear, site}, [&](RaceChecks& races) {
        races.fence(*block, linear, active, static_cast<FenceScope>(scope));
    });
}

extern "C" void wl_rt_trace_warp(BlockContext* block, std::uint32_t linear, std::uint32_t active,
                                 const std::uint32_t* masks, std::uint32_t site) {
    where_races_are_looked_for(block, {WARPLIGHT_CALLER(), linear, site},
                               [&](RaceChecks& races) { races.sync_warp(*block, linear, active, masks); });
}

extern "C" void wl_rt_wait(BlockContext* block, std::uint32_t linear, std::uint32_t site, std::uint64_t address,
                           std::uint32_t event, std::uint64_t value) {
    const KernelCaller caller{WARPLIGHT_CALLER(), linear, site};
    LaunchChecks* const checks = checks_of(*block);
    if (!checks) return;
    enter_service(caller);
    without_exceptions(caller, [&] {
        checks->sync().waits().tell(*block, {linear, site, address, static_cast<WaitEvent>(event), value});
    });
}

extern "C" void wl_rt_uninitialised(BlockContext* block, std::uint32_t linear, std::uint32_t active,
                                    const std::uint64_t* addresses, std::uint32_t site, std::uint32_t what) {
    const KernelCaller caller{WARPLIGHT_CALLER(), linear, site};
    LaunchChecks* const checks = checks_of(*block);
    if (!checks || !checks->values()) return;
    enter_service(caller);
    without_exceptions(caller, [&] {
        checks->values()->use(*block, {linear, active, addresses, site, UninitialisedUse::unpacked(what)});
    });
}

extern "C" void wl_rt_arithmetic(BlockContext* block, std::uint32_t linear, std::uint32_t active, std::uint32_t site,
                                 std::uint32_t problem) {
    const KernelCaller caller{WARPLIGHT_CALLER(), linear, site};
    const LaunchChecks* const checks = checks_of(*block);
    if (!checks) return;
    enter_service(caller);
    without_exceptions(caller, [&] {
        checks->arithmetic().tell(*block, linear, active, site, static_cast<ArithmeticProblem>(problem));
    });
}

extern "C" std::uint32_t wl_rt_check_access(BlockContext* block, std::uint32_t linear, std::uint32_t active,
                                            const std::uint64_t* addresses, std::uint64_t begin, std::uint64_t size,
                                            std::uint64_t step, std::uint32_t site, std::uint32_t what,
                                            const std::uint32_t* counts) {
    const KernelCaller caller{WARPLIGHT_CALLER(), linear, site};
    enter_service(caller);
    auto* checks = static_cast<LaunchChecks*>(block->launch->checks);
    return without_exceptions(caller, [&] {
        return checks->allowed(
            *block, {linear, active, addresses, {begin, size}, step, site, CheckedAccess::unpacked(what), counts});
    });
}

} // namespace warplight::software
