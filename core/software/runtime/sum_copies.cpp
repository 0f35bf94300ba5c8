// SPDX-License-Identifier: Apache-2.0
#include "sum_copies.hpp"

#include "address_space.hpp"
#include "software/jit/jit.hpp"
#include "trap.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace warplight::software {
namespace {

constexpr std::uint64_t kMostCopied = 256 << 10; ///< bytes: half of a usual cache of a processor
/// To begin and to add an integer takes about as long as a locked operation. So it has to be for several.
constexpr std::uint64_t kLeastSums = 4;
constexpr std::uint64_t kTurns = 8; ///< how often a thread is taken to add in a loop

std::uint64_t word_at(const ParameterBytes& parameters, std::uint64_t offset) {
    std::uint64_t word = 0;
    if (offset + sizeof word <= parameters.size()) std::memcpy(&word, parameters.data() + offset, sizeof word);
    return word;
}

/// Whether the word at `offset` is the only one that points there.
bool is_only_pointer(const ParameterBytes& parameters, std::uint64_t offset, const Allocation& memory) {
    for (std::uint64_t at = 0; at + sizeof(std::uint64_t) <= parameters.size(); at += sizeof(std::uint64_t))
        if (at != offset && word_at(parameters, at) - memory.base < memory.size) return false;
    return true;
}

template <class Integer>
void add(const SumCopy& sum, std::uint64_t begin = 0) {
    auto* memory = reinterpret_cast<Integer*>(sum.begin);
    const auto* copy = reinterpret_cast<const Integer*>(sum.copy);
    for (std::uint64_t k = begin / sizeof(Integer); k < sum.bytes / sizeof(Integer); ++k)
        if (copy[k]) std::atomic_ref(memory[k]).fetch_add(copy[k], std::memory_order_relaxed);
}

/// Two integers of 32 bits take one locked instruction.
void add_in_pairs(const SumCopy& sum) {
    constexpr std::uint64_t kLow = 0xffffffff, kPair = sizeof(std::uint64_t);
    if (sum.begin % kPair) return add<std::uint32_t>(sum);
    auto* memory = reinterpret_cast<std::uint64_t*>(sum.begin);
    const auto* copy = reinterpret_cast<const std::uint64_t*>(sum.copy);
    for (std::uint64_t k = 0; k < sum.bytes / kPair; ++k) {
        if (!copy[k]) continue;
        const std::atomic_ref pair(memory[k]);
        const auto added = [&](std::uint64_t to) {
            return ((to & ~kLow) + (copy[k] & ~kLow)) | ((to + copy[k]) & kLow);
        };
        for (std::uint64_t before = pair.load(std::memory_order_relaxed);
             !pair.compare_exchange_weak(before, added(before), std::memory_order_relaxed);) {
        }
    }
    add<std::uint32_t>(sum, sum.bytes / kPair * kPair);
}

} // namespace

SumPlan plan_sums(const jit::CompiledKernel& kernel, const LaunchRequest& request, std::uint64_t threads,
                  std::uint64_t workers) {
    const jit::SumPointers& pointers = kernel.sum_pointers();
    const AddressSpace& space = AddressSpace::instance();
    SumPlan plan;
    // An address that no parameter points to may be anything's.
    for (const std::uint64_t other : pointers.others)
        if (!space.find(word_at(request.parameters, other))) return plan;
    for (std::size_t k = 0; k < pointers.sums.size(); ++k) {
        const auto [offset, element, in_loop] = pointers.sums[k];
        const std::uint64_t begin = word_at(request.parameters, offset);
        const auto memory = space.find(begin);
        if (!memory || memory->kind != Allocation::Kind::device || memory->flags & Allocation::imported) continue;
        if (begin % element || !is_only_pointer(request.parameters, offset, *memory)) continue;
        const std::uint64_t often = threads * (in_loop ? kTurns : 1) / (kLeastSums * workers) * element;
        const std::uint64_t bytes = std::min({memory->base + memory->size - begin, kMostCopied, often});
        plan.memory[k] = {begin, bytes / element * element, element};
    }
    return plan;
}

SumCopies::SumCopies(const SumPlan& plan) : plan_(plan) {
    constexpr std::uint64_t kLine = 64;
    const auto room = [](const SumPlan::Memory& m) { return (m.bytes + kLine - 1) / kLine * kLine; };
    std::uint64_t bytes = 0;
    for (const SumPlan::Memory& m : plan_.memory)
        bytes += room(m);
    if (!bytes) return;
    window_ = WindowPool::take();
    std::byte* at = window_->fit(bytes, kLine);
    if (!at) return;
    std::memset(at, 0, bytes);
    for (std::size_t k = 0; k < plan_.memory.size(); ++k) {
        copies_[k] = {plan_.memory[k].begin, plan_.memory[k].bytes, at};
        at += room(plan_.memory[k]);
    }
}

SumCopies::~SumCopies() {
    if (window_) WindowPool::put(std::move(window_));
}

bool SumCopies::add_to_memory() const {
    if (!window_) return true;
    Trap trap;
    return run_guarded([](void* self) { static_cast<const SumCopies*>(self)->add_all(); }, const_cast<SumCopies*>(this),
                       trap);
}

void SumCopies::add_all() const {
    for (std::size_t k = 0; k < copies_.size(); ++k)
        if (plan_.memory[k].element == sizeof(std::uint64_t))
            add<std::uint64_t>(copies_[k]);
        else
            add_in_pairs(copies_[k]);
}

} // namespace warplight::software
