// SPDX-License-Identifier: Apache-2.0
#include "launch_memory.hpp"

#include "launch_length.hpp"
#include "module.hpp"
#include "platform.hpp"
#include "software/jit/jit.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

namespace warplight::software {
namespace {

/// Smaller allocations are written through the caches.
constexpr std::uint64_t kNonTemporalBytes = 16 << 20;

/// Whether the next launch finds much of an allocation in the last cache, if this one writes it there.
bool stays_cached(std::uint64_t bytes, std::uint64_t bytes_of_launch) {
    static const std::uint64_t cache = platform::last_cache_bytes();
    return bytes <= std::min(cache / 2, kNonTemporalBytes) && bytes_of_launch <= 2 * cache;
}

using Parameters = ParameterBytes;

template <class Visit>
void each_pointer(const Parameters& parameters, Visit visit) {
    for (std::uint64_t at = 0; at + sizeof(std::uint64_t) <= parameters.size(); at += sizeof(std::uint64_t))
        visit(word_at(parameters, at));
}

/// Bytes of the allocations that a launch's parameters point into.
std::uint64_t known_memory(const Parameters& parameters) {
    std::map<std::uint64_t, std::uint64_t> sizes;
    each_pointer(parameters, [&](std::uint64_t pointer) {
        if (const auto memory = AddressSpace::instance().find(pointer)) sizes[memory->base] = memory->size;
    });
    std::uint64_t sum = 0;
    for (const auto& [base, size] : sizes)
        sum += size;
    return sum;
}

} // namespace

std::uint64_t word_at(const ParameterBytes& parameters, std::uint64_t offset) {
    std::uint64_t word = 0;
    if (offset + sizeof word <= parameters.size()) std::memcpy(&word, parameters.data() + offset, sizeof word);
    return word;
}

bool is_only_pointer(const ParameterBytes& parameters, std::uint64_t offset, const Allocation& memory) {
    for (std::uint64_t at = 0; at + sizeof(std::uint64_t) <= parameters.size(); at += sizeof(std::uint64_t))
        if (at != offset && word_at(parameters, at) - memory.base < memory.size) return false;
    return true;
}

std::shared_ptr<const jit::CompiledKernel> kernel_for(const LaunchRequest& request) {
    Function& function = *request.function.function;
    const auto code = [&](jit::GridStride order) {
        const BlockRows rows{request.block[0], request.block[1]};
        auto settled = function.settled_for(rows, order);
        return settled ? settled : function.compiled_for(rows, order, code_wanted(request));
    };
    auto kernel = code(jit::GridStride::alone);
    const jit::GridStride order =
        jit::grid_stride_order({kernel->has_grid_stride_loops(), kernel->grid_stride(), request.grid, request.block,
                                [&] { return known_memory(request.parameters); }});
    return order == kernel->grid_stride() ? kernel : code(order);
}

/// Memory larger than the caches, which no other parameter points into: the kernel does not read it.
std::uint32_t non_temporal_memory(const jit::CompiledKernel& kernel, const LaunchRequest& request) {
    const Parameters& parameters = request.parameters;
    const auto& offsets = kernel.non_temporal_pointers();
    std::uint32_t bits = 0;
    std::optional<std::uint64_t> all;
    for (std::size_t k = 0; k < offsets.size(); ++k) {
        const auto memory = AddressSpace::instance().find(word_at(parameters, offsets[k]));
        if (!memory || memory->size < kNonTemporalBytes) continue;
        if (!all) all = known_memory(parameters);
        if (stays_cached(memory->size, *all)) continue;
        if (is_only_pointer(parameters, offsets[k], *memory)) bits |= 1U << k;
    }
    if (bits && kernel.only_copies() && *all < jit::kCachedBytes) return 0;
    return bits;
}

} // namespace warplight::software
