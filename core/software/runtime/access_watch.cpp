// SPDX-License-Identifier: Apache-2.0
#include "access_watch.hpp"

#include "address_space.hpp"
#include "block_scheduler.hpp"
#include "kernel_pointer.hpp"
#include "platform.hpp"
#include "trap.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warplight::software {
namespace {

thread_local AccessWatch* watch = nullptr;

constexpr std::uint64_t kMostInstead = std::uint64_t{1} << 20; ///< bytes: more than any access but a wild size has
constexpr unsigned kReadOnly = 1;                              ///< CUmemAccess_flags

} // namespace

AccessWatch::AccessWatch(const BlockScheduler& block, std::function<bool(const Access&)> is_it)
    : block_(block), is_it_(std::move(is_it)) {
    watch = this;
}

AccessWatch::~AccessWatch() { watch = nullptr; }

AccessWatch* AccessWatch::current() { return watch; }

void* AccessWatch::ask(void* address, std::uint64_t bytes, std::uint32_t site, bool writes) {
    const Access access{reinterpret_cast<std::uint64_t>(address), bytes, site, block_.current(), writes};
    if (can_be_done(access)) return address;
    if (!first_) first_ = access;
    if (is_it_(access) || bytes > kMostInstead) {
        Trap trap;
        trap.hardware = true;
        trap.fault = Fault::illegal_address;
        trap.has_address = true;
        trap.address = access.address;
        trap.bytes = access.bytes;
        trap.linear = access.thread;
        trap.site = access.site;
        raise_trap(trap);
    }
    instead_.reset();
    std::byte* memory = instead_.allocate(std::max<std::uint64_t>(bytes, 64));
    if (memory) std::memset(memory, 0, bytes);
    return memory;
}

bool AccessWatch::can_be_done(const Access& access) {
    if (access.bytes == 0) return true;
    const std::uint64_t last = access.address + access.bytes - 1;
    if (last < access.address || !in_reach_of_kernels(access.address, access.bytes)) return false;
    const std::uint64_t page = platform::page_size();
    for (std::uint64_t at = access.address / page; at <= last / page; ++at)
        if (!is_usable(at * page, access.writes)) return false;
    return true;
}

bool AccessWatch::is_usable(std::uint64_t page, bool writes) {
    if (page == 0) return false;
    const std::uint64_t size = platform::page_size();
    std::uint64_t& known = known_[page / size % known_.size()];
    if (known != page && known != (page | 1)) {
        std::byte one{};
        if (platform::read_memory(reinterpret_cast<const void*>(page), &one, 1) == 0) return false;
        const auto allocation = AddressSpace::instance().find(page);
        known = allocation && allocation->access == kReadOnly ? page : page | 1;
    }
    return !writes || known == (page | 1);
}

} // namespace warplight::software
