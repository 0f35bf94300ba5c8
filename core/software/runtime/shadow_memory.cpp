// SPDX-License-Identifier: Apache-2.0
#include "shadow_memory.hpp"

#include "address_space.hpp"
#include "configuration.hpp"
#include "failure.hpp"
#include "platform.hpp"
#include "touch.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace warplight::software {
namespace {

std::byte* shadow_of(std::uint64_t address) {
    return reinterpret_cast<std::byte*>(address + AddressSpace::instance().shadow_distance());
}

/// Not the host's, which has no shadow: what is there counts as written.
bool is_device(std::uint64_t address) {
    const AddressSpace& space = AddressSpace::instance();
    if (!space.covers(address)) return false;
    const auto memory = space.find(address);
    return !memory || !host_reads(*memory);
}

bool is_zero(const std::byte* begin, std::size_t bytes) {
    return bytes == 0 || (begin[0] == std::byte{0} && std::memcmp(begin, begin + 1, bytes - 1) == 0);
}

/// What is written needs no shadow of its own. Pages that are zeros already stay: a kernel may be about to write there
/// again, and to touch them anew takes longer than to look at them.
void clear(std::uint64_t address, std::uint64_t bytes) {
    constexpr std::size_t kPiece = std::size_t{1} << 21;
    std::byte* const end = shadow_of(address) + bytes;
    const std::uint64_t page = platform::page_size();
    for (std::byte* begin = shadow_of(address); begin != end;) {
        std::byte* const piece = begin + std::min<std::size_t>(kPiece, static_cast<std::size_t>(end - begin));
        std::byte* const first = begin + (page - reinterpret_cast<std::uint64_t>(begin) % page) % page;
        std::byte* const last = piece - reinterpret_cast<std::uint64_t>(piece) % page;
        const auto size = static_cast<std::size_t>(piece - begin);
        if (first >= last) {
            std::memset(begin, 0, size);
        } else if (!is_zero(begin, size)) {
            std::fill(begin, first, std::byte{0});
            platform::clear_touched(first, static_cast<std::size_t>(last - first));
            std::fill(last, piece, std::byte{0});
        }
        begin = piece;
    }
}

bool has_unwritten(std::uint64_t address, std::uint64_t bytes) {
    const std::byte* shadow = shadow_of(address);
    return std::any_of(shadow, shadow + bytes, [](std::byte each) { return each != std::byte{0}; });
}

/// The first thread of those that stored it.
findings::Finding finding_of(const UnwrittenStore& store, const checks::Moment& moment, std::uint64_t address) {
    findings::Finding finding = store.finding;
    finding.address = address;
    const auto split = [](std::uint64_t number, const std::uint32_t(&extents)[3], std::array<std::uint32_t, 3>& to) {
        to = {static_cast<std::uint32_t>(number % extents[0]),
              static_cast<std::uint32_t>(number / extents[0] % extents[1]),
              static_cast<std::uint32_t>(number / extents[0] / extents[1])};
    };
    split(moment.block, store.grid, finding.block);
    split(moment.thread, store.block, finding.thread);
    return finding;
}

} // namespace

ShadowMemory& ShadowMemory::instance() {
    // Never destroyed: threads may run until the process ends.
    static auto* memory = new ShadowMemory;
    return *memory;
}

ShadowMemory::ShadowMemory() {
    // The launch says what is wrong where this fails.
    on_ = configuration().checks.has(findings::Check::init) && AddressSpace::instance().make_shadows();
}

void ShadowMemory::turn_on() {
    const std::scoped_lock lock(mutex_);
    if (on_) return;
    if (!AddressSpace::instance().make_shadows())
        fail(CUDA_ERROR_OUT_OF_MEMORY, "the check 'init' keeps a byte for each byte of memory, and there are no "
                                       "addresses for that: run without it, or raise the limit (ulimit -v)");
    kept_.clear();
    on_ = true;
}

void ShadowMemory::set(std::uint64_t address, std::uint64_t bytes, int value) {
    if (!is_on() || bytes == 0 || !is_device(address)) return;
    const auto change = [&] {
        if (value == 0)
            clear(address, bytes);
        else
            std::memset(shadow_of(address), value, bytes);
    };
    if (!touch(change))
        fail(CUDA_ERROR_OUT_OF_MEMORY, "no memory for the check 'init', which keeps a byte for each byte of memory");
    if (value == 0) return;
    const std::scoped_lock lock(mutex_);
    kept_.erase(kept_.lower_bound(address), kept_.lower_bound(address + bytes));
}

void ShadowMemory::copied(const void* to, const void* from, std::size_t bytes) {
    if (!is_on() || bytes == 0) return;
    const auto target = reinterpret_cast<std::uint64_t>(to), source = reinterpret_cast<std::uint64_t>(from);
    if (!is_device(target)) {
        if (is_device(source)) tell(source, bytes);
    } else if (!is_device(source)) {
        set_written(target, bytes);
    } else if (!touch([&] { std::memmove(shadow_of(target), shadow_of(source), bytes); })) {
        fail(CUDA_ERROR_OUT_OF_MEMORY, "no memory for the check 'init', which keeps a byte for each byte of memory");
    }
}

void ShadowMemory::keep(const std::shared_ptr<const UnwrittenStore>& store, std::uint64_t address, std::uint32_t bytes,
                        const checks::Moment& moment) {
    const std::scoped_lock lock(mutex_);
    if (kept_.size() >= kMostKept && !kept_.contains(address)) return;
    kept_[address] = {store, bytes, moment};
}

void ShadowMemory::tell(std::uint64_t address, std::uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    constexpr std::uint64_t kMostOfAccess = 32;
    auto at = kept_.lower_bound(address - std::min(address, kMostOfAccess));
    while (at != kept_.end() && at->first < address + bytes) {
        const auto& [begin, kept] = *at;
        if (begin + kept.bytes > address && has_unwritten(begin, kept.bytes))
            checks::Collector::instance().add(kept.store->spot, kept.moment, [&, begin = begin] {
                return finding_of(*kept.store, kept.moment, begin);
            });
        at = kept_.erase(at);
    }
}

} // namespace warplight::software
