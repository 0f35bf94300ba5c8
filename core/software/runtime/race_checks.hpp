// SPDX-License-Identifier: Apache-2.0
// Tells accesses of two threads to the same memory that nothing orders, one of which writes.
#pragma once

#include "../checks/block_order.hpp"
#include "../checks/collector.hpp"
#include "../checks/epochs.hpp"
#include "../checks/race_cells.hpp"
#include "../checks/recent_shared.hpp"
#include "block_scheduler.hpp"
#include "checked_launch.hpp"
#include "parent_launch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace warplight::software {

/// Of a launch whose blocks are run by one worker. A coroutine is one thread, or several of a warp.
class RaceChecks final : public MeetingObserver {
public:
    /// @param parameter_bytes of the packed parameters
    /// @param shared_bytes of a block
    /// @param tells_of_ended whether nobody else tells of accesses to blocks that have ended
    RaceChecks(const CheckedLaunch& launch, std::uint64_t parameter_bytes, std::uint64_t shared_bytes,
               bool tells_of_ended)
        : launch_(launch), parameter_bytes_(parameter_bytes), shared_bytes_(shared_bytes),
          tells_of_ended_(tells_of_ended) {}

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

    /// A kernel has launched it.
    void set_asked(std::shared_ptr<const AskedLaunch> asked) { asked_ = std::move(asked); }
    /// A thread launches a kernel into one of its streams.
    [[nodiscard]] std::shared_ptr<const AskedLaunch> ask(const BlockContext& block, std::uint32_t linear,
                                                         std::uint64_t stream);
    /// A thread orders its streams by an event.
    void has_event() { parent_launch().has_events = true; }
    /// The launch has ended: keeps what it has done to global memory, for races with other launches.
    void keep_accesses();

    void comes_to_barrier(const BlockScheduler& block, const ThreadContext& thread,
                          std::uint32_t needed_by_others) override;
    void opens_barrier(const BlockScheduler& block, std::uint32_t number,
                       std::span<const std::uint32_t> waiting) override;
    void performs(const BlockScheduler& block, std::uint32_t warp, std::uint32_t members, std::uint32_t live) override;
    void arrives_in_cluster(const BlockScheduler& block, const ThreadContext& thread) override;
    void waits_in_cluster(const BlockScheduler&, const ThreadContext&) override {}
    void opens_cluster(const ClusterOfBlocks& cluster) override;
    void leaves_cluster(const BlockScheduler& block, std::uint32_t warp, std::uint32_t lanes) override;
    void is_stuck(const BlockScheduler&) override {}
    void ends(const BlockScheduler& block) override;

private:
    using Locations = std::unordered_map<std::uint64_t, checks::Released>; ///< by address
    struct Block {
        Block(checks::Epochs& epochs, std::uint32_t block, std::uint32_t cluster_blocks, unsigned threads,
              std::uint64_t shared_bytes, unsigned width)
            : number(block), order(epochs, block, cluster_blocks, threads), cells(epochs),
              recent(order, cells, shared_bytes, width) {}
        /// Makes it another block's.
        void begin(checks::Epochs& epochs, std::uint32_t block, std::uint32_t cluster_blocks, unsigned threads);
        /// All its threads have met, or it begins.
        void begin_phase();
        void sync_warp(unsigned warp, std::uint32_t lanes);
        std::uint32_t number;
        bool has_ended = false;   ///< others of the cluster have not
        bool is_accessed = false; ///< by others of the cluster
        checks::BlockOrder order;
        checks::RaceCells cells;                            ///< of shared memory
        checks::RecentShared recent;                        ///< likewise
        Locations locations;                                ///< likewise
        std::array<std::vector<std::uint32_t>, 16> arrived; ///< at each barrier: lanes by warp
        /// Lanes by warp that have come to the cluster's barrier and done nothing since; empty: none have.
        std::vector<std::uint32_t> in_cluster;
    };
    /// Of the cluster's barrier: what those pass on that have come since it opened, and what they did before.
    struct ClusterBarrier {
        checks::BlockOrder::Passed coming, opened;
    };
    /// An access of one thread.
    struct One {
        const BlockContext& block;
        const Accesses& all;
        std::uint32_t lane;
        std::uint64_t address; ///< as the cells have it
        bool shared;
        std::uint32_t bytes;
        Block* owner = nullptr;   ///< of shared memory
        std::uint64_t window = 0; ///< where it lies
    };
    struct Values; ///< what both accesses of a race write
    struct ElementType {
        ptx::Type type = ptx::Type::none;
        bool is_doubtful = false; ///< an integer that may be a float's bits
    };

    /// Of a thread of the grid.
    [[nodiscard]] static std::uint64_t thread_key(std::uint64_t block, std::uint32_t thread) {
        return block << 10 | thread;
    }
    /// The place where a location is kept from now on. Then plain writes, which may end what was released, are told.
    [[nodiscard]] checks::Released& location_at(Locations& locations, std::uint64_t address);
    [[nodiscard]] Block& state_of(const BlockContext& block);
    [[nodiscard]] std::uint32_t lanes_of(const ThreadContext& thread) const;
    /// Lanes that access shared memory and need not be looked at again.
    [[nodiscard]] std::uint32_t note_shared(Block& state, const BlockContext& block, const Accesses& accesses) const;
    [[nodiscard]] bool is_of_launch(std::uint64_t address) const;
    enum class Where : std::uint8_t { shared, elsewhere, nowhere };
    /// Finds the block whose shared memory an access goes to.
    [[nodiscard]] Where find_shared(Block& own, One& one);
    /// Before a thread does more: what it does from now on comes behind its arrival at the cluster's barrier.
    void leave_behind(Block& state, std::uint32_t linear, std::uint32_t active);
    void pass_on(Block& state, unsigned warp, std::uint32_t lanes);
    [[nodiscard]] ClusterBarrier& barrier_of(const Block& state);
    void free_block(std::uint32_t number);
    /// What others do in the memory of a block that may have ended.
    void tell_accesses_behind(Block& state);
    void report_ended(const checks::PastAccess& access, const Block& owner, std::uint64_t word);
    /// Whether lanes access neighbouring words of global memory that nobody else has accessed. Then no more is to do.
    [[nodiscard]] bool adds_beside(Block& state, const BlockContext& block, const Accesses& accesses);
    void access_of_copies(Block& state, const BlockContext& block, const Accesses& accesses);
    void read_of_image(Block& state, const BlockContext& block, const Accesses& accesses);
    /// Whether one of them reads by a texture or surface.
    [[nodiscard]] bool is_read_of_image(const One& now, const checks::PastAccess& before) const;
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
    const bool tells_of_ended_;
    [[nodiscard]] ParentLaunch& parent_launch();
    [[nodiscard]] DoneAccesses done_accesses() const;
    /// Races of what this launch has done with what those before it in the tree of launches have.
    void compare_with_family(const DoneAccesses& own);
    void compare(const DoneAccesses& own, const DoneAccesses& other, const AskedLaunch* asked);

    const std::shared_ptr<checks::Epochs> shared_epochs_ = std::make_shared<checks::Epochs>();
    checks::Epochs& epochs_ = *shared_epochs_;
    std::shared_ptr<const AskedLaunch> asked_; ///< null: the host has launched it
    std::mutex parent_mutex_;
    std::shared_ptr<ParentLaunch> parent_; ///< null: it has launched nothing
    checks::RaceCells cells_{epochs_};     ///< of global memory
    Locations locations_;
    /// Of races that were told: the sites of both accesses, and whether they write the same value.
    std::map<std::array<std::uint32_t, 3>, checks::Collector::Place> told_;
    std::unordered_map<std::uint32_t, ElementType> types_; ///< of the values of sites, so far as it was asked for
    std::unordered_set<std::uint64_t> small_fences_;       ///< threads with a fence, but none of the device; for advice
    std::unordered_map<std::uint32_t, std::unique_ptr<Block>> blocks_; ///< that run, by CheckedLaunch::number_of()
    std::unordered_map<std::uint32_t, ClusterBarrier> barriers_;       ///< by number of the cluster
    std::vector<std::unique_ptr<Block>> spare_;
    std::array<std::uint32_t, 3> last_at_{}; ///< ctaid
    Block* last_ = nullptr;
};

} // namespace warplight::software
