// SPDX-License-Identifier: Apache-2.0
#include "checked_launch.hpp"

#include "findings/toolkit_headers.hpp"
#include "launch_log/launch_log.hpp"
#include "report.hpp"

#include <algorithm>
#include <atomic>
#include <string>

namespace warplight::software {
namespace {

std::atomic<std::uint64_t> launches = 0;

} // namespace

CheckedLaunch::CheckedLaunch(const Function& of, const jit::CompiledKernel& compiled, const LaunchContext& context)
    : function(of), kernel(compiled), launch(context), number_(++launches) {}

checks::Moment CheckedLaunch::moment(const BlockContext& block, std::uint32_t thread) const {
    const auto* n = launch.nctaid;
    return {number_, block.ctaid[0] + n[0] * (block.ctaid[1] + std::uint64_t{n[1]} * block.ctaid[2]), thread};
}

findings::Event CheckedLaunch::event_at(const BlockContext& block, Caller caller, const char* access) const {
    findings::Event event;
    event.kernel = launch_log::source_name(function.ptx().name);
    event.access = access;
    place_event(function.module.ptx, kernel.site(caller.site), event);
    findings::leave_toolkit(event);
    std::copy(block.ctaid, block.ctaid + 3, event.block.begin());
    event.thread = thread_index(launch, caller.linear);
    return event;
}

CheckedRange CheckedLaunch::grid_workspace() const {
    constexpr std::uint64_t kBytes = 8;
    if (!launch.cooperative) return {};
    return {std::uint64_t{launch.envreg[1]} << 32 | launch.envreg[2], kBytes};
}

std::string CheckedLaunch::text_of(const findings::Event& event) {
    return findings::to_text(event.place, event.inlined_at, event.ptx_line);
}

void CheckedLaunch::keep(const BlockContext& block, Caller caller, const char* access, std::string_view what,
                         const std::function<void(findings::Finding&)>& tell) const {
    findings::Finding f;
    static_cast<findings::Event&>(f) = event_at(block, caller, access);
    // Of one place in the source there may be several instructions, in loops that were unrolled.
    const checks::Spot spot{function.ptx().name, text_of(f), std::string(what)};
    checks::Collector::instance().add(spot, moment(block, caller.linear), [&] {
        tell(f);
        return f;
    });
}

} // namespace warplight::software
