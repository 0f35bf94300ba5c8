// SPDX-License-Identifier: Apache-2.0
#include "sum_copies.hpp"

#include "address_space.hpp"
#include "launch_memory.hpp"
#include "software/jit/jit.hpp"
#include "trap.hpp"
#include "workers.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

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

/// What a kernel does with numbers of one type: the one that changes no other, and the result for two.
template <class T, SumOperation O>
struct Operation {
    using Number = T;
    static constexpr SumOperation kind = O;
    static constexpr T neutral() {
        using Limits = std::numeric_limits<T>;
        switch (O) {
        case SumOperation::add_floats: return static_cast<T>(-0.0); // 0 would make 0 of a sum of -0
        case SumOperation::min:
        case SumOperation::min_unsigned: return Limits::max();
        case SumOperation::max: return Limits::lowest();
        case SumOperation::and_: return static_cast<T>(~std::uint64_t{0});
        default: return T{};
        }
    }
    static T of(T x, T y) {
        if constexpr (O == SumOperation::add || O == SumOperation::add_floats)
            return x + y;
        else if constexpr (O == SumOperation::min || O == SumOperation::min_unsigned)
            return std::min(x, y);
        else if constexpr (O == SumOperation::max || O == SumOperation::max_unsigned)
            return std::max(x, y);
        else if constexpr (O == SumOperation::and_)
            return x & y;
        else if constexpr (O == SumOperation::or_)
            return x | y;
        else
            return x ^ y;
    }
};

/// Calls the body with the Operation of some memory.
template <class Body>
void with_operation(const SumPlan::Memory& m, const Body& body) {
    using S = SumOperation;
    const auto call = [&]<class Narrow, class Wide>() {
        if (m.element == sizeof(std::uint64_t))
            body(Wide{});
        else
            body(Narrow{});
    };
    const auto integers = [&]<SumOperation O>() {
        call.template operator()<Operation<std::uint32_t, O>, Operation<std::uint64_t, O>>();
    };
    const auto signed_integers = [&]<SumOperation O>() {
        call.template operator()<Operation<std::int32_t, O>, Operation<std::int64_t, O>>();
    };
    switch (m.operation) {
    case S::add: return integers.template operator()<S::add>();
    case S::add_floats:
        return call.template operator()<Operation<float, S::add_floats>, Operation<double, S::add_floats>>();
    case S::min: return signed_integers.template operator()<S::min>();
    case S::max: return signed_integers.template operator()<S::max>();
    case S::min_unsigned: return integers.template operator()<S::min_unsigned>();
    case S::max_unsigned: return integers.template operator()<S::max_unsigned>();
    case S::and_: return integers.template operator()<S::and_>();
    case S::or_: return integers.template operator()<S::or_>();
    case S::xor_: return integers.template operator()<S::xor_>();
    }
}

/// Whether two numbers have the same bits: a NaN is the same as itself, and 0 not as -0.
template <class T>
bool same_bits(T x, T y) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return std::bit_cast<Bits>(x) == std::bit_cast<Bits>(y);
}

template <class Op>
void add_number(typename Op::Number& memory, typename Op::Number value) {
    if (same_bits(value, Op::neutral())) return;
    const std::atomic_ref number(memory);
    if constexpr (Op::kind == SumOperation::add) {
        number.fetch_add(value, std::memory_order_relaxed);
    } else {
        auto before = number.load(std::memory_order_relaxed);
        while (!number.compare_exchange_weak(before, Op::of(before, value), std::memory_order_relaxed)) {
        }
    }
}

/// Two integers of 32 bits take one locked instruction. Returns how many numbers that did.
std::uint64_t add_in_pairs(std::byte* to, const std::byte* from, std::uint64_t bytes) {
    constexpr std::uint64_t kLow = 0xffffffff, kPair = sizeof(std::uint64_t);
    if (reinterpret_cast<std::uintptr_t>(to) % kPair) return 0;
    auto* memory = reinterpret_cast<std::uint64_t*>(to);
    const auto* values = reinterpret_cast<const std::uint64_t*>(from);
    for (std::uint64_t k = 0; k < bytes / kPair; ++k) {
        if (!values[k]) continue;
        const std::atomic_ref pair(memory[k]);
        const auto added = [&](std::uint64_t before) {
            return ((before & ~kLow) + (values[k] & ~kLow)) | ((before + values[k]) & kLow);
        };
        for (std::uint64_t before = pair.load(std::memory_order_relaxed);
             !pair.compare_exchange_weak(before, added(before), std::memory_order_relaxed);) {
        }
    }
    return bytes / kPair * 2;
}

template <class Op>
void add(std::byte* to, const std::byte* from, std::uint64_t bytes) {
    using Number = typename Op::Number;
    std::uint64_t first = 0;
    if constexpr (Op::kind == SumOperation::add && sizeof(Number) == 4) first = add_in_pairs(to, from, bytes);
    auto* memory = reinterpret_cast<Number*>(to);
    const auto* values = reinterpret_cast<const Number*>(from);
    for (std::uint64_t k = first; k < bytes / sizeof(Number); ++k)
        add_number<Op>(memory[k], values[k]);
}

/// Sums that began with what the memory held. They take its place where it still holds that. Where others have added to
/// it meanwhile, it gets the difference.
template <class Op>
void replace(std::byte* to, const std::byte* sums, const std::byte* began_with, std::uint64_t bytes) {
    using Number = typename Op::Number;
    auto* memory = reinterpret_cast<Number*>(to);
    const auto* values = reinterpret_cast<const Number*>(sums);
    const auto* first = reinterpret_cast<const Number*>(began_with);
    for (std::uint64_t k = 0; k < bytes / sizeof(Number); ++k) {
        if (same_bits(values[k], first[k])) continue;
        Number before = first[k];
        if (!std::atomic_ref(memory[k]).compare_exchange_strong(before, values[k], std::memory_order_relaxed))
            add_number<Op>(memory[k], values[k] - first[k]);
    }
}

template <class Op>
void fill(std::byte* numbers, std::uint64_t bytes) {
    std::fill_n(reinterpret_cast<typename Op::Number*>(numbers), bytes / sizeof(typename Op::Number), Op::neutral());
}

template <class Op>
void sum_up(std::byte* values, const std::byte* more, std::uint64_t bytes) {
    auto* to = reinterpret_cast<typename Op::Number*>(values);
    const auto* from = reinterpret_cast<const typename Op::Number*>(more);
    for (std::uint64_t k = 0; k < bytes / sizeof(typename Op::Number); ++k)
        to[k] = Op::of(to[k], from[k]);
}

/// Bytes `begin` to `end` of array k.
void add_piece(std::span<const std::unique_ptr<SumCopies>> copies, std::size_t k, std::uint64_t begin,
               std::uint64_t end) {
    alignas(64) std::array<std::byte, kPiece> values{};
    const SumPlan::Memory& m = copies.front()->plan().memory.at(k);
    auto* const memory = reinterpret_cast<std::byte*>(m.begin + begin);
    with_operation(m, [&]<class Op>(Op) {
        if constexpr (Op::kind == SumOperation::add_floats)
            if (m.goes_on) {
                const SumCopies& one = *copies.front();
                if (const std::byte* const copy = one.all().at(k).copy)
                    replace<Op>(memory, copy + begin, one.began_with(k) + begin, end - begin);
                return;
            }
        fill<Op>(values.data(), end - begin);
        for (const auto& each : copies)
            if (const std::byte* const copy = each->all().at(k).copy)
                sum_up<Op>(values.data(), copy + begin, end - begin);
        add<Op>(memory, values.data(), end - begin);
    });
}

/// False where the memory faults.
bool read(const SumPlan::Memory& m, std::byte* to) {
    std::pair job(&m, to);
    const auto work = [](void* p) {
        const auto& [from, copy] = *static_cast<std::pair<const SumPlan::Memory*, std::byte*>*>(p);
        std::memcpy(copy, reinterpret_cast<const std::byte*>(from->begin), from->bytes);
    };
    Trap trap;
    return run_guarded(work, &job, trap);
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
        const auto [offset, element, in_loop, operation] = pointers.sums[k];
        const std::uint64_t begin = word_at(request.parameters, offset);
        const auto memory = space.find(begin);
        if (!memory || memory->kind != Allocation::Kind::device || memory->flags & Allocation::imported) continue;
        if (begin % element || !is_only_pointer(request.parameters, offset, *memory)) continue;
        const std::uint64_t sums = threads * (in_loop ? kTurns : 1);
        const std::uint64_t often = (workers > 1 ? sums * kMostIntegers : sums / kLeastSums) * element;
        const std::uint64_t bytes = std::min({memory->base + memory->size - begin, kMostCopied, often});
        const bool goes_on = operation == SumOperation::add_floats && workers == 1;
        plan.memory[k] = {begin, bytes / element * element, element, operation, goes_on};
    }
    return plan;
}

SumCopies::SumCopies(const SumPlan& plan) : plan_(plan) {
    constexpr std::uint64_t kLine = 64;
    const auto room = [](const SumPlan::Memory& m) { return (m.bytes + kLine - 1) / kLine * kLine; };
    std::uint64_t bytes = 0;
    for (const SumPlan::Memory& m : plan_.memory)
        bytes += room(m) * (m.goes_on ? 2 : 1);
    if (!bytes) return;
    window_ = WindowPool::take();
    std::byte* at = window_->fit(bytes, kLine);
    if (!at) return;
    std::memset(at, 0, bytes);
    for (std::size_t k = 0; k < plan_.memory.size(); ++k) {
        const SumPlan::Memory& m = plan_.memory[k];
        if (m.bytes == 0) continue;
        std::byte* const copy = at;
        at += room(m);
        if (m.goes_on) {
            began_with_[k] = at;
            at += room(m);
            if (!read(m, began_with_[k])) continue;
            std::memcpy(copy, began_with_[k], m.bytes);
        } else if (m.operation != SumOperation::add) {
            with_operation(m, [&]<class Op>(Op) { fill<Op>(copy, m.bytes); });
        }
        copies_[k] = {m.begin, m.bytes, copy};
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
