// SPDX-License-Identifier: Apache-2.0
#include "placeholders.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace warplight::software {

std::uint64_t Placeholders::reserve(std::uint64_t address, std::uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    const std::uint64_t base = system_.reserve(address, bytes);
    if (base == 0) return 0;
    regions_[base] = {bytes, base, Content::none};
    reserved_[base] = bytes;
    return base;
}

bool Placeholders::unreserve(std::uint64_t base) {
    const std::scoped_lock lock(mutex_);
    const auto found = reserved_.find(base);
    if (found == reserved_.end() || !is_free(base, found->second)) return false;
    const std::uint64_t end = base + found->second;
    reserved_.erase(found);
    // Where neighbours cannot be joined, each goes on its own. What the system keeps stays unused.
    join(regions_.find(base), regions_.lower_bound(end));
    bool all = true;
    for (auto at = regions_.find(base); at != regions_.end() && at->first < end; at = regions_.erase(at))
        all = system_.release(at->first, at->second.bytes) && all;
    return all;
}

bool Placeholders::holds(std::uint64_t address) const {
    const std::scoped_lock lock(mutex_);
    const auto after = reserved_.upper_bound(address);
    return after != reserved_.begin() && address - std::prev(after)->first < std::prev(after)->second;
}

Placeholders::Regions::iterator Placeholders::region_at(std::uint64_t address) {
    const auto after = regions_.upper_bound(address);
    if (after == regions_.begin()) return regions_.end();
    const auto at = std::prev(after);
    return address - at->first < at->second.bytes ? at : regions_.end();
}

/// Whether the range lies in one reservation, and nothing in the range.
bool Placeholders::is_free(std::uint64_t address, std::uint64_t bytes) {
    const auto first = region_at(address);
    if (bytes == 0 || first == regions_.end() || bytes > UINT64_MAX - address) return false;
    std::uint64_t reached = address;
    for (auto at = first; reached < address + bytes; ++at) {
        const bool next = at != regions_.end() && (at == first || at->first == reached);
        if (!next || at->second.base != first->second.base || at->second.content != Content::none) return false;
        reached = at->first + at->second.bytes;
    }
    return true;
}

bool Placeholders::split(std::uint64_t address, std::uint64_t bytes) {
    const auto at = regions_.find(address);
    if (at->second.bytes == bytes) return true;
    if (!system_.split(address, bytes)) return false;
    Region rest = at->second;
    rest.bytes -= bytes;
    at->second.bytes = bytes;
    regions_[address + bytes] = rest;
    return true;
}

/// Joins placeholders that are neighbours in one reservation.
bool Placeholders::join(Regions::iterator first, Regions::iterator end) {
    if (first == end || std::next(first) == end) return true;
    std::uint64_t bytes = 0;
    for (auto at = first; at != end; ++at)
        bytes += at->second.bytes;
    if (!system_.join(first->first, bytes)) return false;
    first->second.bytes = bytes;
    regions_.erase(std::next(first), end);
    return true;
}

/// Joins the free addresses of a range with those on both sides. Later calls try again where the system refuses.
void Placeholders::join_around(std::uint64_t address, std::uint64_t bytes) {
    auto at = region_at(address);
    if (at == regions_.end()) at = regions_.lower_bound(address);
    const auto free_in = [](const Region& region, std::uint64_t base) {
        return region.content == Content::none && region.base == base;
    };
    while (at != regions_.end() && at != regions_.begin() && free_in(std::prev(at)->second, at->second.base))
        --at;
    while (at != regions_.end() && at->first <= address + bytes) {
        auto end = at;
        while (end != regions_.end() && free_in(end->second, at->second.base))
            ++end;
        if (end == at) {
            ++at;
        } else {
            join(at, end);
            at = end;
        }
    }
}

/// Makes a free range exactly one placeholder.
bool Placeholders::isolate(std::uint64_t address, std::uint64_t bytes) {
    auto first = region_at(address);
    if (!join(first, regions_.lower_bound(address + bytes))) return false;
    // The system cuts a placeholder in two, from its begin.
    if (first->first != address && !split(first->first, address - first->first)) return false;
    return split(address, bytes);
}

template <class Fill>
bool Placeholders::fill(std::uint64_t address, std::uint64_t bytes, Content content, const Fill& call) {
    if (!is_free(address, bytes)) return false;
    if (isolate(address, bytes) && call()) {
        regions_.find(address)->second.content = content;
        return true;
    }
    join_around(address, bytes);
    return false;
}

bool Placeholders::commit(std::uint64_t address, std::uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    return fill(address, bytes, Content::memory, [&] { return system_.commit(address, bytes); });
}

bool Placeholders::map(std::intptr_t memory, std::uint64_t offset, std::uint64_t address, std::uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    return fill(address, bytes, Content::view, [&] { return system_.map(memory, offset, address, bytes); });
}

bool Placeholders::clear(std::uint64_t address, std::uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    if (bytes == 0 || bytes > UINT64_MAX - address) return false;
    const std::uint64_t end = address + bytes;
    std::vector<Regions::iterator> inside;
    auto at = region_at(address);
    for (at = at == regions_.end() ? regions_.lower_bound(address) : at; at != regions_.end() && at->first < end;
         ++at) {
        if (at->second.content == Content::none) continue;
        if (at->first < address || at->second.bytes > end - at->first) return false;
        inside.push_back(at);
    }
    bool all = true;
    for (const auto region : inside) {
        const bool given = region->second.content == Content::memory
                               ? system_.decommit(region->first, region->second.bytes)
                               : system_.unmap(region->first);
        if (given) region->second.content = Content::none;
        all = all && given;
    }
    if (!inside.empty()) join_around(address, bytes);
    return all;
}

Placeholders::Replaced Placeholders::replace(std::intptr_t memory, std::uint64_t address, std::uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    const auto found = regions_.find(address);
    if (found == regions_.end() || found->second.bytes != bytes || found->second.content != Content::memory)
        return Replaced::refused;
    if (!system_.decommit(address, bytes)) return Replaced::refused;
    // From here on the range is a placeholder, which nobody else can take.
    const auto map = [&] { return system_.map(memory, 0, address, bytes); };
    if (map()) {
        found->second.content = Content::view;
        return Replaced::done;
    }
    if (system_.commit(address, bytes)) return Replaced::zeroed;
    if (map()) {
        found->second.content = Content::view;
        return Replaced::done;
    }
    found->second.content = Content::none;
    join_around(address, bytes);
    return Replaced::lost;
}

} // namespace warplight::software
