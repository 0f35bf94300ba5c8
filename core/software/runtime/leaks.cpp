// SPDX-License-Identifier: Apache-2.0
#include "leaks.hpp"

#include "../checks/collector.hpp"
#include "address_space.hpp"
#include "check_settings.hpp"
#include "context.hpp"
#include "handles.hpp"

#include <fmt/format.h>

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
}

} // namespace warplight::software
