// SPDX-License-Identifier: Apache-2.0
// Tells accesses of two threads to the same memory that nothing orders, one of which writes.
#pragma once

#include "../checks/block_order.hpp"
#include "../checks/epochs.hpp"
#include "../checks/race_cells.hpp"
#include "../checks/recent_shared.hpp"
#include "block_scheduler.hpp"
#include "checked_launch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace warplight::software {

/// Of a launch whose blocks are run by one worker. A coroutine is one thread, or several of a warp.
class RaceChecks final : public MeetingObserver {
public:
    /// @param parameter_bytes of the packed parameters
    /// @param shared_bytes of a block
    RaceChecks(const CheckedLaunch& launch, std::uint64_t parameter_bytes, std::uint64_t shared_bytes)
        : launch_(launch), parameter_bytes_(parameter_bytes), shared_bytes_(shared_bytes) {}

    struct Accesses {
        std::uint32_t linear; ///< thread of the first lane
        std::uint32_t active;
        const std::uint64_t* addresses;
        const std::byte* values; ///< of a store: of each element those of all lanes
        std::uint32_t site;
        TracedAccess what;
        const std::uint32_t* counts; ///< of bytes; null: as `what` tells
    };
    /// Before a block runs.
    void begins(BlockContext& block) override;
    void access(const BlockContext& block, const Accesses& accesses);
    void fence(const BlockContext& block, std::uint32_t linear, std::uint32_t active, FenceScope scope);
    /// Of copies that go on while their threads do.
    void copies(const BlockContext& block, std::uint32_t linear, std::uint32_t active, CopyEvent event,
                std::uint32_t pending);
    /// An operation of a warp whose lanes run side by side.
    void sync_warp(const BlockContext& block, std::uint32_t linear, std::uint32_t active, const std::uint32_t* masks);
    /// Memory that malloc() has given: what was done to it before does not matter.
    void forget(std::uint64_t address, std::uint64_t bytes) { cells_.forget(address, bytes); }

    void comes_to_barrier(const BlockScheduler& block, const ThreadContext& thread,
                          std::uint32_t needed_by_others) override;
    void opens_barrier(const BlockScheduler& block, std::uint32_t number,
                       std::span<const std::uint32_t> waiting) override;
    void performs(const BlockScheduler& block, std::uint32_t warp, std::uint32_t members, std::uint32_t live) override;
    void is_stuck(const BlockScheduler&) override {}
    void ends(const BlockScheduler& block) override;

private:
    using Locations = std::unordered_map<std::uint64_t, checks::Released>; ///< by address
    struct Block {
        Block(checks::Epochs& epochs, std::uint32_t number, unsigned threads, std::uint64_t shared_bytes,
              unsigned width)
            : order(epochs, number, 1, threads), cells(epochs), recent(order, cells, shared_bytes, width) {}
        /// Makes it another block's.
        void begin(checks::Epochs& epochs, std::uint32_t number, unsigned threads);
        /// All its threads have met, or it begins.
        void begin_phase();
        void sync_warp(unsigned warp, std::uint32_t lanes);
        checks::BlockOrder order;
        checks::RaceCells cells;                            ///< of shared memory
        checks::RecentShared recent;                        ///< likewise
        Locations locations;                                ///< likewise
        std::array<std::vector<std::uint32_t>, 16> arrived; ///< at each barrier: lanes by warp
    };
    /// An access of one thread.
    struct One {
        const BlockContext& block;
        const Accesses& all;
        std::uint32_t lane;
        std::uint64_t address; ///< as the cells have it
        bool shared;
        std::uint32_t bytes;
    };
    struct Values; ///< what both accesses of a race write
    struct ElementType {
        ptx::Type type = ptx::Type::none;
        bool is_doubtful = false; ///< an integer that may be a float's bits
    };

    /// The place where a location is kept from now on. Then plain writes, which may end what was released, are told.
    [[nodiscard]] checks::Released& location_at(Locations& locations, std::uint64_t address);
    [[nodiscard]] Block& state_of(const BlockContext& block);
    [[nodiscard]] std::uint32_t lanes_of(const ThreadContext& thread) const;
    /// Lanes that access shared memory and need not be looked at again.
    [[nodiscard]] std::uint32_t note_shared(Block& state, const BlockContext& block, const Accesses& accesses) const;
    [[nodiscard]] bool is_of_launch(std::uint64_t address) const;
    /// Whether lanes access neighbouring words of global memory that nobody else has accessed. Then no more is to do.
    [[nodiscard]] bool adds_beside(Block& state, const BlockContext& block, const Accesses& accesses);
    void access_of_copies(Block& state, const BlockContext& block, const Accesses& accesses);
    void synchronise(Block& state, Locations& locations, const One& one);
    void report(const One& now, const checks::PastAccess& before, std::uint64_t word);
    [[nodiscard]] static bool is_split_update(const One& now, const checks::PastAccess& before);
    [[nodiscard]] Values values_of(const One& now, const checks::PastAccess& before, std::uint64_t word);
    [[nodiscard]] ElementType type_at(std::uint32_t site);
    [[nodiscard]] ElementType type_of_both(std::uint32_t here, std::uint32_t there);
    [[nodiscard]] findings::Mend mend_of(const One& now, const checks::PastAccess& before) const;
    /// Bytes that an instruction accesses.
    [[nodiscard]] std::uint32_t size_at(std::uint32_t site) const;
    /// "byte 12 of the shared variable 'tile'"
    [[nodiscard]] std::string place_of(bool shared, std::uint64_t address, findings::Finding& finding) const;

    const CheckedLaunch& launch_;
    const std::uint64_t parameter_bytes_, shared_bytes_;
    checks::Epochs epochs_;
    checks::RaceCells cells_{epochs_}; ///< of global memory
    Locations locations_;
    std::unordered_map<std::uint32_t, ElementType> types_; ///< of the values of sites, so far as it was asked for
    std::unordered_set<std::uint64_t> small_fences_;       ///< threads with a fence, but none of the device; for advice
    std::unordered_map<std::uint64_t, std::unique_ptr<Block>> blocks_; ///< that run, by number
    std::vector<std::unique_ptr<Block>> spare_;
    std::array<std::uint32_t, 3> last_at_{}; ///< ctaid
    Block* last_ = nullptr;
};

} // namespace warplight::software
