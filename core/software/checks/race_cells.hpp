// SPDX-License-Identifier: Apache-2.0
// The last accesses to each word of memory, and which of them race with a new one.
#pragma once

#include "block_order.hpp"
#include "epochs.hpp"
#include "software/jit/abi/abi.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>
#include <xmmintrin.h>

namespace warplight::software::checks {

enum class AccessKind : std::uint8_t {
    read,
    write,
    atomic,
    update, ///< a strong write of what a read of the same address was made into: another write in between gets lost
};

/// In findings.
[[nodiscard]] inline const char* name_of(AccessKind kind) {
    constexpr std::array names{"read", "write", "atomic", "write"};
    return names[static_cast<std::size_t>(kind)];
}

/// What a cell keeps of an access.
struct PastAccess {
    EpochId epoch = 0; ///< 0: none
    std::uint32_t lane : 5 = 0;
    std::uint32_t bytes : 4 = 0; ///< of the word, a bit each
    std::uint32_t kind : 2 = 0;  ///< AccessKind
    std::uint32_t strong : 1 = 0;
    std::uint32_t scope : 2 = 0; ///< of a strong one
    std::uint32_t site : 18 = 0; ///< the instruction; last_site stands for all behind it too

    static constexpr std::uint32_t last_site = (1U << 18) - 1;
    [[nodiscard]] bool writes() const { return kind != static_cast<std::uint32_t>(AccessKind::read); }
};
static_assert(sizeof(PastAccess) == 8);

struct NewAccess {
    std::uint64_t address = 0; ///< of the lane that makes it
    std::uint32_t bytes = 0;
    AccessKind kind = AccessKind::read;
    bool strong = false; ///< .relaxed, .acquire, .release, .volatile and atomics
    Scope scope = Scope::device;
    std::uint32_t site = 0;
};

[[nodiscard]] inline bool same_but_lane(PastAccess a, PastAccess b) {
    a.lane = b.lane = 0;
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Of a whole word, by lane 0.
[[nodiscard]] inline PastAccess past_of(EpochId epoch, const NewAccess& access) {
    PastAccess past;
    past.epoch = epoch;
    past.bytes = 15;
    past.kind = static_cast<std::uint32_t>(access.kind) & 3U;
    past.strong = access.strong;
    past.scope = static_cast<std::uint32_t>(access.scope) & 3U;
    past.site = (access.site < PastAccess::last_site ? access.site : PastAccess::last_site) & PastAccess::last_site;
    return past;
}

/// What was ordered for a thread when it made an access, if since all threads of its block met only whole warps have.
struct OrderThen {
    EpochId id;           ///< in which it made the access
    std::uint32_t number; ///< of that epoch
    std::uint32_t phase;

    [[nodiscard]] EpochId now(unsigned /*thread*/) const { return id; }
    [[nodiscard]] Scope distance(std::uint32_t /*other_block*/) const { return Scope::block; }
    [[nodiscard]] std::uint32_t lanes_before(const Epoch& epoch, std::uint32_t lanes, unsigned thread) const {
        if (epoch.phase < phase) return lanes;
        if (epoch.warp != thread / 32) return 0;
        return epoch.number < number ? lanes : lanes & 1U << thread % 32;
    }
};

/// Of memory that one worker accesses at a time: the shared memory of a block, or a part of global memory.
class RaceCells {
public:
    /// Of one word the accesses of at most so many warps are kept, of reads and of writes; then the older half goes.
    static constexpr std::size_t kMostKept = 64;

    /// Called for each earlier access that races with a new one, with the address of the word where they meet.
    using Report = std::function<void(const PastAccess& before, std::uint64_t word)>;

    /// @param epochs that hold those of all accesses
    explicit RaceCells(const Epochs& epochs) : epochs_(epochs) {}
    ~RaceCells();
    RaceCells(const RaceCells&) = delete;
    RaceCells& operator=(const RaceCells&) = delete;

    /// An access of a thread of the block that `order` is of.
    void add(BlockOrder& order, unsigned thread, const NewAccess& access, const Report& report);
    /// The same of one that a copy makes which goes on by itself (BlockOrder::begin_copy()).
    void add_of_copy(BlockOrder& order, EpochId copy, unsigned thread, const NewAccess& access, const Report& report);
    /// The same of an access that is told late, and races with none before it.
    void make_up(const OrderThen& order, unsigned thread, const NewAccess& access);
    /// Accesses of lanes of one warp by one instruction.
    class OfWarp;
    /// Plain accesses by the `lanes` of a warp to neighbouring words, of lane 0 at access.address. False: nothing is
    /// changed, because some of the words have been accessed by others, or do not lie in one page.
    /// @param access without its lane's address, of a multiple of four bytes
    [[nodiscard]] bool add_beside(EpochId epoch, std::uint32_t lanes, const NewAccess& access);
    /// Calls `visit(access, word)` for all that is kept and does not come before a moment, by lane.
    void each_not_before(const Clock& moment, const Report& visit);
    /// Calls `visit(access, lanes, word)` for all that is kept, in the order of the addresses.
    void
    each_access(const std::function<void(const PastAccess&, std::uint32_t lanes, std::uint64_t word)>& visit) const;
    /// The cells of an address will be needed soon: those of scattered addresses are in no cache.
    void prefetch(std::uint64_t address) const {
        const std::uint64_t number = address / kPageBytes;
        const TracedPage& recent = recent_[TracedPage::place_of(number)];
        if (recent.number != number) return;
        const std::size_t word = address % kPageBytes / TracedCell::kWordBytes;
        _mm_prefetch(reinterpret_cast<const char*>(static_cast<const Kept*>(recent.writes) + word), _MM_HINT_T0);
        _mm_prefetch(reinterpret_cast<const char*>(static_cast<const Kept*>(recent.reads) + word), _MM_HINT_T0);
    }
    /// Nothing that was done to the memory matters any more.
    void clear();
    /// Nothing that was done to these bytes matters any more.
    void forget(std::uint64_t address, std::uint64_t bytes);
    [[nodiscard]] std::uint64_t used_bytes() const;
    /// For the kernel's code: TracedPage::kCount of them.
    [[nodiscard]] const TracedPage* recent_pages() const { return recent_.data(); }

private:
    static constexpr std::uint64_t kPageBytes = TracedPage::kBytes;
    static constexpr EpochId kMany = ~EpochId{0};

    /// The accesses of one kind that may race with a later one: mostly one or none.
    struct Kept {
        EpochId epoch = 0;      ///< or kMany
        std::uint32_t rest = 0; ///< of the PastAccess; of many the index of their list
        [[nodiscard]] PastAccess one() const { return std::bit_cast<PastAccess>(*this); }
    };
    static_assert(sizeof(Kept) == TracedCell::kBytes);
    static constexpr std::size_t kCellsOfPage = kPageBytes / TracedCell::kWordBytes;
    /// Of a page of memory, a cell for each word. Most memory is only written, or only read: it has one of the two.
    struct Page {
        Kept* writes;
        Kept* reads; ///< no_reads_ until there are any
    };
    struct Cell {
        Kept& write;
        Kept& read; ///< not to be set, but to nothing, where the page has no cells of reads
    };
    struct Free {
        void operator()(Kept* cells) const { std::free(cells); }
    };
    /// One access by some lanes of a warp.
    struct OfLanes {
        PastAccess access; ///< of any of them
        std::uint32_t lanes;
    };
    using List = std::vector<OfLanes>;

    /// @param kind of the access: a page that is read has cells of reads
    [[nodiscard]] Cell cell_at(std::uint64_t address, AccessKind kind) {
        const std::uint64_t number = address / kPageBytes;
        TracedPage& recent = recent_[TracedPage::place_of(number)];
        if ((kind == AccessKind::read ? recent.read_number : recent.number) != number) find_page(recent, number, kind);
        const std::size_t word = address % kPageBytes / TracedCell::kWordBytes;
        return {static_cast<Kept*>(recent.writes)[word], static_cast<Kept*>(recent.reads)[word]};
    }
    void find_page(TracedPage& recent, std::uint64_t number, AccessKind kind);
    [[nodiscard]] Kept* new_cells();
    template <class Order, class Raced>
    void add_in(Order& order, unsigned thread, const NewAccess& access, Raced raced);
    /// Adds to the accesses that a cell keeps of one kind, without those that do not stay.
    /// @param staying gives of an access the lanes of which it does
    template <class Staying>
    void keep(Kept& kept, const PastAccess& access, Staying staying);
    template <class Visit>
    void each(const Kept& kept, Visit visit) const;
    template <class Staying>
    void leave_staying(Kept& kept, Staying staying);
    void make_short(Kept& kept);
    void add_to(Kept& kept, const PastAccess& access);
    void forget(Kept& kept);

    const Epochs& epochs_;
    std::unordered_map<std::uint64_t, Page> pages_; ///< by number
    std::array<Kept, kCellsOfPage> no_reads_{};
    /// Memory for cells of several pages, more each time: the system clears it when it is touched. Large ones are kept
    /// for the next launch, because that takes longer than all else.
    using Slab = std::unique_ptr<Kept, Free>;
    static constexpr std::size_t kMostPages = 256; ///< of a slab, 2 MiB
    struct KeptSlabs;
    void add_slab();

    std::vector<Slab> slabs_;
    std::size_t large_ = 0; ///< of them those with kMostPages, the last ones
    bool is_used_ = false;  ///< the last one has been used before
    Kept* free_cells_ = nullptr;
    std::size_t free_pages_ = 0, used_pages_ = 0;
    std::array<TracedPage, TracedPage::kCount> recent_{};
    std::vector<List> lists_;
    std::vector<std::uint32_t> free_lists_;
};

class RaceCells::OfWarp {
public:
    /// @param first the thread of the lane that `lane` counts from
    /// @param access without its address
    OfWarp(RaceCells& cells, BlockOrder& order, unsigned first, const NewAccess& access, const Report& report)
        : cells_(cells), order_(order), first_(first), bytes_(access.bytes), access_(access), report_(report),
          now_(past_of(order.now(first), access)) {}

    void add(unsigned lane, std::uint64_t address) {
        access_.address = address;
        if (bytes_ % 4 != 0 || address % 4 != 0 || access_.strong)
            return cells_.add(order_, first_ + lane, access_, report_);
        now_.lane = (first_ + lane) & 31U;
        access_.bytes = 4;
        for (const std::uint64_t end = address + bytes_; access_.address < end; access_.address += 4)
            if (!add_plainly(cells_.cell_at(access_.address, access_.kind)))
                cells_.add(order_, first_ + lane, access_, report_);
        access_.bytes = bytes_;
    }

private:
    /// A plain access of a whole word of which everything that was done before is plainly ordered. False: it may not
    /// be.
    bool add_plainly(Cell cell) {
        const Kept now = std::bit_cast<Kept>(now_);
        if (access_.kind == AccessKind::read) {
            if (!is_before(cell.write)) return false;
            if (cell.read.epoch == kMany) return joins(cells_.lists_[cell.read.rest]);
            if (!is_before(cell.read)) return false;
            cell.read = now;
            return true;
        }
        if (!is_before(cell.write) || !is_before(cell.read)) return false;
        cell.write = now;
        cell.read = {};
        return true;
    }
    /// Whether other lanes of the warp have made the access.
    bool joins(List& list) {
        if (!same_but_lane(list.back().access, now_)) return false;
        list.back().lanes |= 1U << now_.lane;
        return true;
    }
    /// Whether nothing is kept, or one access that happened before.
    bool is_before(const Kept& kept) {
        if (!kept.epoch) return true;
        if (kept.epoch == kMany) return false;
        if (kept.epoch == now_.epoch) return kept.one().lane == now_.lane;
        if (kept.epoch != asked_) {
            asked_ = kept.epoch;
            answer_ = order_.is_plainly_before(cells_.epochs_[asked_], first_);
        }
        return answer_;
    }

    RaceCells& cells_;
    BlockOrder& order_;
    const unsigned first_;
    const std::uint32_t bytes_;
    NewAccess access_;
    const Report& report_;
    PastAccess now_;
    EpochId asked_ = 0; ///< the last one, and what is so of it
    bool answer_ = false;
};

} // namespace warplight::software::checks
