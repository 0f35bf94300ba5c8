// SPDX-License-Identifier: Apache-2.0
#include "launch_memory.hpp"

#include "../jit/jit.hpp"
#include "address_space.hpp"
#include "module.hpp"

#include <cstring>
#include <map>

namespace warplight::software {
namespace {

constexpr std::uint64_t kStreamedBytes = 16 << 20; ///< of an allocation that is written past the caches
/// Of all that a kernel knows of: less stays in the caches until the next launch.
constexpr std::uint64_t kMuchBytes = 64 << 20;
/// Of that, for each thread: in fewer turns a vector of threads leaves so few pages open that the next one finds the
/// processor's prefetchers at work there.
constexpr std::uint64_t kBytesAThread = 384;

using Parameters = std::vector<std::byte>;

std::uint64_t pointer_at(const Parameters& parameters, std::uint64_t offset) {
    std::uint64_t address = 0;
    std::memcpy(&address, parameters.data() + offset, sizeof address);
    return address;
}

template <class Visit>
void each_pointer(const Parameters& parameters, Visit visit) {
    for (std::uint64_t at = 0; at + sizeof(std::uint64_t) <= parameters.size(); at += sizeof(std::uint64_t))
        visit(pointer_at(parameters, at));
}

/// Bytes of the allocations that parameters point into.
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

std::uint64_t product(const std::array<unsigned, 3>& extent) {
    return std::uint64_t{extent[0]} * extent[1] * extent[2];
}

} // namespace

std::shared_ptr<const jit::CompiledKernel> kernel_for(const LaunchRequest& request) {
    Function& function = *request.function.function;
    auto kernel = function.compiled_for(request.block[0]);
    if (!kernel->strides() || kernel->takes_turns()) return kernel;
    // In planes neighbours read each other's lines, and had better go through the planes one by one.
    const std::uint64_t threads = std::uint64_t{request.grid[0]} * request.block[0];
    if (product(request.grid) * product(request.block) != threads) return kernel;
    const std::uint64_t memory = known_memory(request.parameters);
    if (memory < kMuchBytes || memory / kBytesAThread < threads) return kernel;
    return function.compiled_for(request.block[0], true);
}

/// Memory larger than the caches, which no other parameter points into: the kernel does not read it.
std::uint32_t streamed_memory(const jit::CompiledKernel& kernel, const LaunchRequest& request) {
    const Parameters& parameters = request.parameters;
    const auto& streams = kernel.streams();
    std::uint32_t streamed = 0;
    for (std::size_t k = 0; k < streams.size(); ++k) {
        if (streams[k] + sizeof(std::uint64_t) > parameters.size()) continue;
        const auto memory = AddressSpace::instance().find(pointer_at(parameters, streams[k]));
        if (!memory || memory->size < kStreamedBytes) continue;
        unsigned pointers = 0;
        each_pointer(parameters, [&](std::uint64_t pointer) { pointers += pointer - memory->base < memory->size; });
        if (pointers == 1) streamed |= 1U << k;
    }
    if (streamed && kernel.moves_memory() && known_memory(parameters) < kMuchBytes) return 0;
    return streamed;
}

} // namespace warplight::software
