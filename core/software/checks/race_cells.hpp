// SPDX-License-Identifier: Apache-2.0
// The last accesses to each word of memory, and which of them race with a new one.
#pragma once

#include "block_order.hpp"
#include "epochs.hpp"

#include <bit>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace warplight::software::checks {

enum class AccessKind : std::uint8_t { read, write, atomic };

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
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
    AccessKind kind = AccessKind::read;
    bool strong = false; ///< .relaxed, .acquire, .release, .volatile and atomics
    Scope scope = Scope::device;
    std::uint32_t site = 0;
};

/// Of memory that one worker accesses at a time: the shared memory of a block, or a part of global memory.
class RaceCells {
public:
    /// Called for each earlier access that races with a new one, with the address of the word where they meet.
    using Report = std::function<void(const PastAccess& before, std::uint64_t word)>;

    /// @param epochs that hold those of all accesses
    explicit RaceCells(const Epochs& epochs) : epochs_(epochs) {}

    /// An access of a thread of the block that `order` is of.
    void add(BlockOrder& order, unsigned thread, const NewAccess& access, const Report& report);
    /// Nothing that was done to these bytes matters any more.
    void forget(std::uint64_t address, std::uint64_t bytes);
    [[nodiscard]] std::uint64_t used_bytes() const;

private:
    static constexpr std::uint64_t kPageBytes = 4096;
    static constexpr EpochId kMany = ~EpochId{0};

    /// The accesses of one kind that may race with a later one: mostly one or none.
    struct Kept {
        EpochId epoch = 0;      ///< or kMany
        std::uint32_t rest = 0; ///< of the PastAccess; of many the index of their list
        [[nodiscard]] PastAccess one() const { return std::bit_cast<PastAccess>(*this); }
    };
    struct Cell {
        Kept write, read;
    };
    using Page = std::vector<Cell>;

    [[nodiscard]] Page& page_at(std::uint64_t address);
    /// Adds to the accesses that a cell keeps of one kind, without those that the new one replaces.
    template <class Replaces>
    void keep(Kept& kept, const PastAccess& access, Replaces replaces);
    template <class Visit>
    void each(const Kept& kept, Visit visit) const;
    template <class Goes>
    void drop(Kept& kept, Goes goes);
    void set(Kept& kept, std::vector<PastAccess> accesses);

    const Epochs& epochs_;
    std::unordered_map<std::uint64_t, Page> pages_;
    std::vector<std::vector<PastAccess>> lists_;
    std::vector<std::uint32_t> free_lists_;
};

} // namespace warplight::software::checks
