// SPDX-License-Identifier: Apache-2.0
#include "sum_copies.hpp"

#include "address_space.hpp"
#include "launch_memory.hpp"
#include "software/jit/jit.hpp"
#include "trap.hpp"
#include "workers.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <span>

namespace warplight::software {
namespace {

constexpr std::uint64_t kMostCopied = 256 << 10; ///< bytes: half of a usual cache of a processor
/// To begin and to add an integer takes about as long as a locked operation. So it has to be for several.
constexpr std::uint64_t kLeastSums = 4;
/// Several workers wait for each other's lines of the cache at each locked operation. To begin and to sum up their
/// copies takes less, even if each of them adds to few integers.
constexpr std::uint64_t kMostIntegers = 2; ///< for each sum of all workers
constexpr std::uint64_t kTurns = 8;        ///< how often a thread is taken to add in a loop

constexpr std::uint64_t kPiece = 4096;    ///< bytes that are summed up before they are added to the memory
constexpr std::uint64_t kPart = 16 << 10; ///< bytes for which another worker is woken

/// Sums of one array, of which `begin` is an address in the memory.
struct Sums {
    std::uint64_t begin, bytes;
    const std::byte* values;
};

template <class Integer>
void add(const Sums& sums, std::uint64_t from = 0) {
    auto* memory = reinterpret_cast<Integer*>(sums.begin);
    const auto* values = reinterpret_cast<const Integer*>(sums.values);
    for (std::uint64_t k = from / sizeof(Integer); k < sums.bytes / sizeof(Integer); ++k)
        if (values[k]) std::atomic_ref(memory[k]).fetch_add(values[k], std::memory_order_relaxed);
}

/// Two integers of 32 bits take one locked instruction.
void add_in_pairs(const Sums& sums) {
    constexpr std::uint64_t kLow = 0xffffffff, kPair = sizeof(std::uint64_t);
    if (sums.begin % kPair) return add<std::uint32_t>(sums);
    auto* memory = reinterpret_cast<std::uint64_t*>(sums.begin);
    const auto* values = reinterpret_cast<const std::uint64_t*>(sums.values);
    for (std::uint64_t k = 0; k < sums.bytes / kPair; ++k) {
        if (!values[k]) continue;
        const std::atomic_ref pair(memory[k]);
        const auto added = [&](std::uint64_t to) {
            return ((to & ~kLow) + (values[k] & ~kLow)) | ((to + values[k]) & kLow);
        };
        for (std::uint64_t before = pair.load(std::memory_order_relaxed);
             !pair.compare_exchange_weak(before, added(before), std::memory_order_relaxed);) {
        }
    }
    add<std::uint32_t>(sums, sums.bytes / kPair * kPair);
}

template <class Integer>
void sum_up(std::byte* values, const std::byte* more, std::uint64_t bytes) {
    auto* to = reinterpret_cast<Integer*>(values);
    const auto* from = reinterpret_cast<const Integer*>(more);
    for (std::uint64_t k = 0; k < bytes / sizeof(Integer); ++k)
        to[k] += from[k];
}

/// Bytes `begin` to `end` of array k.
void add_piece(std::span<const std::unique_ptr<SumCopies>> copies, std::size_t k, std::uint64_t begin,
               std::uint64_t end) {
    alignas(64) std::array<std::byte, kPiece> values{};
    const bool wide = copies.front()->plan().memory.at(k).element == sizeof(std::uint64_t);
    for (const auto& each : copies) {
        const std::byte* const copy = each->all().at(k).copy;
        if (!copy) continue;
        (wide ? sum_up<std::uint64_t> : sum_up<std::uint32_t>)(values.data(), copy + begin, end - begin);
    }
    const Sums sums{copies.front()->plan().memory.at(k).begin + begin, end - begin, values.data()};
    if (wide)
        add<std::uint64_t>(sums);
    else
        add_in_pairs(sums);
}

/// One of `count` parts of each array.
void add_part(std::span<const std::unique_ptr<SumCopies>> copies, std::uint64_t part, std::uint64_t count) {
    for (std::size_t k = 0; k < kMostSums; ++k) {
        const std::uint64_t bytes = copies.front()->plan().memory.at(k).bytes;
        const std::uint64_t pieces = (bytes + kPiece - 1) / kPiece;
        for (std::uint64_t piece = pieces * part / count; piece < pieces * (part + 1) / count; ++piece)
            add_piece(copies, k, piece * kPiece, std::min((piece + 1) * kPiece, bytes));
    }
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
        const std::uint64_t sums = threads * (in_loop ? kTurns : 1);
        const std::uint64_t often = (workers > 1 ? sums * kMostIntegers : sums / kLeastSums) * element;
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

bool add_to_memory(std::vector<std::unique_ptr<SumCopies>> copies) {
    std::erase(copies, nullptr);
    if (copies.empty()) return true;
    std::uint64_t bytes = 0;
    for (const SumPlan::Memory& m : copies.front()->plan().memory)
        bytes += m.bytes;
    const auto parts = static_cast<unsigned>(std::clamp<std::uint64_t>(bytes / kPart, 1, std::uint64_t{copies.size()}));
    std::atomic<bool> is_added = true;
    struct Part {
        std::span<const std::unique_ptr<SumCopies>> copies;
        unsigned number, count;
    };
    run_on_workers(parts, [&](unsigned number) {
        Part part{copies, number, parts};
        const auto work = [](void* p) {
            const auto& [all, k, count] = *static_cast<Part*>(p);
            add_part(all, k, count);
        };
        Trap trap;
        if (!run_guarded(work, &part, trap)) is_added = false;
    });
    return is_added;
}

} // namespace warplight::software
