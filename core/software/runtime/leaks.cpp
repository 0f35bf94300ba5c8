// SPDX-License-Identifier: Apache-2.0
#include "leaks.hpp"

#include "../checks/collector.hpp"
#include "address_space.hpp"
#include "check_settings.hpp"
#include "context.hpp"
#include "graph_memory.hpp"
#include "handles.hpp"
#include "memory_pool.hpp"
#include "virtual_memory.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace warplight::software {
namespace {

std::string_view freeing(Allocation::Kind kind) {
    using Kind = Allocation::Kind;
    switch (kind) {
    case Kind::device:
    case Kind::managed: return "cudaFree() or cuMemFree()";
    case Kind::host: return "cudaFreeHost() or cuMemFreeHost()";
    case Kind::registered: return "cudaHostUnregister() or cuMemHostUnregister()";
    case Kind::array: return "cudaFreeArray() or cuArrayDestroy()";
    default: return {}; // not the program's, or given back with something else
    }
}

/// One finding for each size and kind: which call made an allocation is not known.
void tell_allocations(const Context& context) {
    if (!requested_checks().has(findings::Check::leak)) return;
    for (const Allocation& each : AddressSpace::instance().all_of(&context)) {
        const std::string_view call = freeing(each.kind);
        if (call.empty()) continue;
        const checks::Spot spot{"", fmt::format("{} {}", static_cast<int>(each.kind), each.size), "leak"};
        checks::Collector::instance().add(spot, {~std::uint64_t{0}, each.id, 0}, [&] {
            findings::Finding f;
            f.kind = findings::name_of(findings::Check::leak);
            f.severity = "warning"; // the system takes them back when the process ends
            f.size = each.size;
            f.address = each.base;
            f.allocation = AddressSpace::name_of(each);
            f.message =
                fmt::format("{} were never given back. Call {} for what is not used any more.", f.allocation, call);
            return f;
        });
    }
}

/// Of no context: allocations of pools and graphs, and physical memory. One finding for each size and kind.
void tell_left(const char* kind, std::uint64_t number, std::uint64_t address, std::uint64_t size,
               const std::string& what, const char* advice) {
    const checks::Spot spot{"", fmt::format("{} {}", kind, size), "leak"};
    checks::Collector::instance().add(spot, {~std::uint64_t{0}, number, 0}, [&] {
        findings::Finding f;
        f.kind = findings::name_of(findings::Check::leak);
        f.severity = "warning";
        f.size = size;
        f.address = address;
        f.allocation = what;
        f.message = fmt::format("{} were never given back. Call {} for what is not used any more.", what, advice);
        return f;
    });
}

void tell_memory_of_no_context() {
    if (!requested_checks().has(findings::Check::leak)) return;
    for (const auto& [base, size] : memory_of_pools())
        tell_left("pool", base, base, size, fmt::format("the {} bytes at 0x{:x} (memory of a pool)", size, base),
                  "cudaFreeAsync() or cuMemFreeAsync()");
    for (const auto& memory : live_graph_memory())
        tell_left("graph", memory->base, memory->base, memory->size,
                  fmt::format("the {} bytes at 0x{:x} (memory of a graph)", memory->size, memory->base),
                  "cudaFree(), cudaFreeAsync() or a node that frees them");
    for (const LeftPhysical& each : left_physical())
        tell_left(each.has_handle ? "physical" : "mapped", each.handle, 0, each.size,
                  fmt::format("{} bytes of physical memory (cuMemCreate())", each.size),
                  each.has_handle ? "cuMemUnmap() and cuMemRelease()" : "cuMemUnmap()");
}

} // namespace

void tell_heap_leaks() {
    for (const auto& context : handles<Context>().all())
        context->checked_heap().tell_leaks();
}

void tell_leaks(Context& context) {
    context.checked_heap().tell_leaks();
    tell_allocations(context);
}

void tell_all_leaks() {
    for (const auto& context : handles<Context>().all())
        tell_leaks(*context);
    tell_memory_of_no_context();
}

} // namespace warplight::software
