// SPDX-License-Identifier: Apache-2.0
// The last accesses to each word of memory, and which of them race with a new one.
#pragma once

#include "access_records.hpp"
#include "block_order.hpp"
#include "epochs.hpp"
#include "software/jit/abi/traced_records.hpp"

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

/// How lanes share a word that is kept as one access: in parts, each by the next lane or all by the same one.
enum class Parts : std::uint8_t {
    none, ///< they do not
    halves_of_lanes,
    bytes_of_lanes,
    halves,
    bytes,
};

/// What is kept of an access.
struct PastAccess {
    EpochId epoch = 0;           ///< 0: none
    std::uint32_t lane : 5 = 0;  ///< of a record its Parts
    std::uint32_t bytes : 4 = 0; ///< of the word, a bit each
    std::uint32_t kind : 2 = 0;  ///< AccessKind
    std::uint32_t strong : 1 = 0;
    std::uint32_t scope : 2 = 0; ///< of a strong one
    std::uint32_t site : 18 = 0; ///< the instruction; last_site stands for all behind it too

    static constexpr std::uint32_t last_site = (1U << 18) - 1;
    [[nodiscard]] bool writes() const { return kind != static_cast<std::uint32_t>(AccessKind::read); }
};
static_assert(sizeof(PastAccess) == sizeof(std::uint64_t));

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
    /// The same of a read that need not see what was written before, whoever wrote it: it races with all writes.
    void add_of_image(BlockOrder& order, unsigned thread, const NewAccess& access, const Report& report);
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
        const TracedPage& recent = memory_.pages[TracedPage::place_of(number)];
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
    /// For the kernel's code: the first of TracedMemory.
    [[nodiscard]] const TracedPage* recent_pages() const { return memory_.pages; }

private:
    static constexpr std::uint64_t kPageBytes = TracedPage::kBytes;

    /// The accesses of one kind that may race with a later one: mostly one or none.
    struct Kept {
        std::uint32_t bits = 0; ///< TracedNumber; of many the index of their list
        [[nodiscard]] static Kept one(AccessRecords::Number number, std::uint32_t lane) {
            return {number ? number << TracedNumber::kShift | lane : 0};
        }
        [[nodiscard]] static Kept many(std::uint32_t list) { return {TracedNumber::kMany | list}; }
        [[nodiscard]] bool empty() const { return bits == 0; }
        [[nodiscard]] bool is_many() const { return (bits & TracedNumber::kMany) != 0; }
        [[nodiscard]] std::uint32_t list() const { return bits & ~TracedNumber::kMany; }
        [[nodiscard]] AccessRecords::Number number() const { return bits >> TracedNumber::kShift; }
        [[nodiscard]] std::uint32_t lane() const { return bits & TracedNumber::kLane; }
    };
    static_assert(sizeof(Kept) == TracedNumber::kBytes);
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
        TracedPage& recent = memory_.pages[TracedPage::place_of(number)];
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
    void each(Kept kept, Visit visit) const;
    /// Of a cell that has no list.
    template <class Visit>
    void each_part(Kept kept, Visit visit) const;
    [[nodiscard]] bool has_part(Kept kept, const PastAccess& access) const;
    template <class Staying>
    void leave_staying(Kept& kept, Staying staying);
    [[nodiscard]] AccessRecords::Number number_of(PastAccess access, Parts parts = Parts::none) {
        access.lane = static_cast<std::uint32_t>(parts) & TracedNumber::kLane;
        return records_.number_of(std::bit_cast<std::uint64_t>(access));
    }
    [[nodiscard]] Kept kept_of(const PastAccess& access) { return Kept::one(number_of(access), access.lane); }
    /// Before numbers are asked for: those that were got before mean nothing any more.
    void make_room_for_records() {
        if (!records_.is_full()) return;
        if (records_.is_at_limit() && !records_.raise_limit(most_bytes_of_records())) leave_kept_records();
        records_.make_room();
    }
    void leave_kept_records();
    /// A quarter of the cells': looking for those that nobody keeps takes long.
    [[nodiscard]] std::uint64_t most_bytes_of_records() const { return used_pages_ * kCellsOfPage * sizeof(Kept) / 4; }
    void make_list(Kept& kept);
    void make_short(Kept& kept);
    void add_to(Kept& kept, const PastAccess& access);
    void forget(Kept& kept);

    const Epochs& epochs_;
    TracedMemory memory_{};
    AccessRecords records_{memory_.records};
    std::unordered_map<std::uint64_t, Page> pages_; ///< by number
    std::array<Kept, kCellsOfPage> no_reads_{};
    /// Memory for cells of several pages, more each time: the system clears it when it is touched. Large ones are kept
    /// for the next launch, because that takes longer than all else.
    using Slab = std::unique_ptr<Kept, Free>;
    static constexpr std::size_t kMostPages = 512; ///< of a slab, 2 MiB
    struct KeptSlabs;
    void add_slab();

    std::vector<Slab> slabs_;
    std::size_t large_ = 0; ///< of them those with kMostPages, the last ones
    bool is_used_ = false;  ///< the last one has been used before
    Kept* free_cells_ = nullptr;
    std::size_t free_pages_ = 0, used_pages_ = 0;
    std::vector<List> lists_;
    std::vector<std::uint32_t> free_lists_;
};

class RaceCells::OfWarp {
public:
    /// @param first the thread of the lane that `lane` counts from
    /// @param access without its address
    OfWarp(RaceCells& cells, BlockOrder& order, unsigned first, const NewAccess& access, const Report& report)
        : cells_(cells), order_(order), first_(first), bytes_(access.bytes), access_(access), report_(report),
          now_(past_of(order.now(first), access)) {
        begin();
    }

    void add(unsigned lane, std::uint64_t address) {
        access_.address = address;
        if (bytes_ % 4 != 0 || address % 4 != 0 || access_.strong) return add_fully(lane);
        now_.lane = (first_ + lane) & 31U;
        access_.bytes = 4;
        for (const std::uint64_t end = address + bytes_; access_.address < end; access_.address += 4)
            if (!add_plainly(cells_.cell_at(access_.address, access_.kind))) add_fully(lane);
        access_.bytes = bytes_;
    }

private:
    void begin() {
        cells_.make_room_for_records();
        number_ = asked_ = 0;
    }
    void add_fully(unsigned lane) {
        cells_.add(order_, first_ + lane, access_, report_);
        begin();
    }
    /// A plain access of a whole word of which everything that was done before is plainly ordered. False: it may not
    /// be.
    bool add_plainly(Cell cell) {
        if (!number_) number_ = cells_.number_of(now_);
        if (access_.kind == AccessKind::read) {
            if (!is_before(cell.write)) return false;
            if (cell.read.is_many()) return joins(cells_.lists_[cell.read.list()]);
            if (!is_before(cell.read)) return false;
            cell.read = Kept::one(number_, now_.lane);
            return true;
        }
        if (!is_before(cell.write) || !is_before(cell.read)) return false;
        cell.write = Kept::one(number_, now_.lane);
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
    bool is_before(Kept kept) {
        if (kept.empty()) return true;
        if (kept.is_many()) return false;
        if (kept.number() != asked_) {
            asked_ = kept.number();
            const auto past = std::bit_cast<PastAccess>(cells_.records_[asked_]);
            is_now_ = past.epoch == now_.epoch;
            answer_ = !is_now_ && order_.is_plainly_before(cells_.epochs_[past.epoch], first_);
            has_parts_ = past.lane != static_cast<std::uint32_t>(Parts::none);
        }
        return is_now_ ? !has_parts_ && kept.lane() == now_.lane : answer_;
    }

    RaceCells& cells_;
    BlockOrder& order_;
    const unsigned first_;
    const std::uint32_t bytes_;
    NewAccess access_;
    const Report& report_;
    PastAccess now_;
    AccessRecords::Number number_ = 0; ///< of its record; 0: not asked for
    AccessRecords::Number asked_ = 0;  ///< the last one, and what is so of it
    bool answer_ = false, is_now_ = false, has_parts_ = false;
};

} // namespace warplight::software::checks
