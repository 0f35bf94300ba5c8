// SPDX-License-Identifier: Apache-2.0
// The part of a launch's checks that is about the heap of kernels.
#include "access_watch.hpp"
#include "address_space.hpp"
#include "block_scheduler.hpp"
#include "context.hpp"
#include "launch_checks.hpp"
#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplight::software {

LaunchChecks* checks_of(const BlockContext& block) {
    return AccessWatch::current() ? nullptr : static_cast<LaunchChecks*>(block.launch->checks);
}

HeapCall LaunchChecks::heap_call(const BlockContext& block, Caller caller, const char* access) {
    HeapCall call;
    {
        const std::scoped_lock lock(places_mutex_);
        auto& place = places_[caller.site];
        if (!place) place = std::make_shared<const findings::Event>(checked_.event_at(block, caller, access));
        call.place = place;
    }
    std::copy(block.ctaid, block.ctaid + 3, call.block.begin());
    call.thread = thread_index(launch_, caller.linear);
    call.moment = checked_.moment(block, caller.linear);
    return call;
}

std::uint64_t LaunchChecks::allocate(const BlockContext& block, Caller caller, std::uint64_t size) {
    const std::uint64_t address =
        context_.checked_heap().allocate(size, heap_call(block, caller, "malloc"), checks_.has(findings::Check::leak));
    if (races_ && address) races_->forget(address, size);
    if (address) ShadowMemory::instance().set_unwritten(address, size);
    return address;
}

bool LaunchChecks::release(const BlockContext& block, Caller caller, std::uint64_t address) {
    Context& context = context_;
    // Of a launch that was not checked the block lies in the other heap.
    if (context.checked_heap().release(address, heap_call(block, caller, "free")) || context.heap().release(address))
        return true;
    if (!checks_.has(findings::Check::memory)) return false;
    keep_wrong_free(block, caller, address);
    return true;
}

void LaunchChecks::keep_wrong_free(const BlockContext& block, Caller caller, std::uint64_t address) const {
    checked_.keep(block, caller, "free", "free", [&](findings::Finding& f) {
        f.kind = findings::name_of(findings::Check::memory);
        f.address = address;
        const auto near = context_.checked_heap().find(address);
        const bool inside = near && (near->begin == address || near->holds(address, 1));
        if (!inside) {
            f.message =
                fmt::format("free() of the address 0x{:x}, which malloc() did not give. Only blocks of malloc() "
                            "in kernels can be freed there; what the program allocated, it frees itself.",
                            address);
            return;
        }
        f.size = near->size;
        if (near->freed) {
            f.other = near->freed->event();
            f.message = fmt::format("free() of the {} bytes at 0x{:x} that malloc() gave {}: they were given back "
                                    "before, {}. One thread must free a block, once.",
                                    near->size, near->begin, near->allocated.text(), near->freed->text());
        } else {
            f.other = near->allocated.event();
            f.message = fmt::format("free() of an address {} bytes inside of the {} bytes that malloc() gave {}. Give "
                                    "free() the address that malloc() gave.",
                                    address - near->begin, near->size, near->allocated.text());
        }
    });
}

std::string LaunchChecks::describe_heap(const One& access, const std::string& what, findings::Finding& finding) const {
    const auto memory = AddressSpace::instance().find(access.address);
    const auto near = memory && memory->context ? memory->context->checked_heap().find(access.address) : std::nullopt;
    if (!near)
        return fmt::format(
            "{} at the address 0x{:x}: in the heap of kernels, of which malloc() gave no block there. Is "
            "the pointer one of malloc()?",
            what, access.address);
    const std::string block = fmt::format("the {} bytes that malloc() gave {}", near->size, near->allocated.text());
    finding.allocation = fmt::format("the {} bytes at 0x{:x} (heap of kernels)", near->size, near->begin);
    if (near->freed && (near->holds(access.address, 1) || near->size == 0)) {
        finding.other = near->freed->event();
        return fmt::format("{} in {}: they were given back {}. Free a block after its last use: threads that share it "
                           "need a barrier before.",
                           what, block, near->freed->text());
    }
    finding.other = near->allocated.event();
    return fmt::format(
        "{}, {}. Compare the index with the number of elements that were asked for: malloc() counts in "
        "bytes.",
        what,
        outside_of(static_cast<std::int64_t>(access.address - near->begin), access.what.bytes, near->size, block));
}

} // namespace warplight::software
