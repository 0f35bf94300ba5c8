// SPDX-License-Identifier: Apache-2.0
#include "graph_memory.hpp"

#include "address_space.hpp"
#include "failure.hpp"
#include "graph_guard.hpp"
#include "shadow_memory.hpp"
#include "work_races.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace warplight::software {
namespace {

struct Usage {
    std::uint64_t used = 0, used_high = 0, reserved = 0, reserved_high = 0; ///< bytes
};

struct Memories {
    std::map<CUdeviceptr, std::weak_ptr<GraphMemory>> known;
    std::map<CUdeviceptr, std::shared_ptr<GraphMemory>> live;
    std::map<int, Usage> usage; ///< by device
};
/// Guarded by graph_mutex().
Memories& memories() {
    static auto* instance = new Memories;
    return *instance;
}

// Numbers of CUgraphMem_attribute.
constexpr int kUsed = 0, kUsedHigh = 1, kReserved = 2, kReservedHigh = 3;

} // namespace

GraphMemory::~GraphMemory() {
    const GraphGuard guard;
    memories().known.erase(base);
    memories().usage[device].reserved -= size;
    (void)AddressSpace::instance().release(base, Allocation::Kind::device);
}

std::shared_ptr<GraphMemory> allocate_graph_memory(std::uint64_t size, int device) {
    const auto base = AddressSpace::instance().allocate(size, Allocation::Kind::device, device, nullptr);
    if (!base) fail(CUDA_ERROR_OUT_OF_MEMORY, std::to_string(size) + " bytes asked for by a graph");
    ShadowMemory::instance().set_unwritten(*base, size);
    if (WorkRaces::is_on()) WorkRaces::instance().forget(*base, size);
    const GraphGuard guard;
    auto memory = std::make_shared<GraphMemory>(*base, size, device);
    memories().known[*base] = memory;
    Usage& usage = memories().usage[device];
    usage.reserved += size;
    usage.reserved_high = std::max(usage.reserved_high, usage.reserved);
    return memory;
}

std::shared_ptr<GraphMemory> find_graph_memory(CUdeviceptr address) {
    const GraphGuard guard;
    const auto found = memories().known.find(address);
    return found == memories().known.end() ? nullptr : found->second.lock();
}

std::vector<std::shared_ptr<GraphMemory>> live_graph_memory() {
    const GraphGuard guard;
    std::vector<std::shared_ptr<GraphMemory>> all;
    for (const auto& [base, memory] : memories().live)
        all.push_back(memory);
    return all;
}

void set_live(const std::shared_ptr<GraphMemory>& memory, bool live) {
    if (memory->live == live) return;
    memory->live = live;
    Usage& usage = memories().usage[memory->device];
    if (live) {
        memories().live[memory->base] = memory;
        usage.used += memory->size;
        usage.used_high = std::max(usage.used_high, usage.used);
    } else {
        usage.used -= memory->size;
        memories().live.erase(memory->base);
    }
}

bool free_graph_memory(CUdeviceptr address, std::shared_ptr<GraphMemory>& keep) {
    const GraphGuard guard;
    keep = find_graph_memory(address);
    if (!keep) return false;
    if (!keep->live) fail(CUDA_ERROR_INVALID_VALUE, "no launch of its graph has allocated this memory");
    set_live(keep, false);
    return true;
}

std::uint64_t graph_memory_attribute(int device, int attribute) {
    const GraphGuard guard;
    const Usage& usage = memories().usage[device];
    switch (attribute) {
    case kUsed: return usage.used;
    case kUsedHigh: return usage.used_high;
    case kReserved: return usage.reserved;
    case kReservedHigh: return usage.reserved_high;
    default: fail(CUDA_ERROR_INVALID_VALUE);
    }
}

void reset_graph_memory_attribute(int device, int attribute) {
    const GraphGuard guard;
    Usage& usage = memories().usage[device];
    switch (attribute) {
    case kUsedHigh: usage.used_high = usage.used; break;
    case kReservedHigh: usage.reserved_high = usage.reserved; break;
    default: fail(CUDA_ERROR_INVALID_VALUE, "only the high-water marks can be reset");
    }
}

} // namespace warplight::software
