// SPDX-License-Identifier: Apache-2.0
// Happens-before of one block's threads: what is ordered before what they do now, by barriers, operations of warps,
// fences and atomics. It depends on what the kernel asked for, never on who happened to run first.
//
// A barrier passes fences on: what one thread has fenced, all behind the barrier have. By the letter of PTX only a
// thread's own fence counts for its writes, but kernels rely on it, and GPUs keep to it.
#pragma once

#include "clock.hpp"
#include "epochs.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace warplight::software::checks {

/// Of a fence or a strong access: which threads it counts for.
enum class Scope : std::uint8_t { block, cluster, device };

/// What acquiring a location gives: the clocks that were released there, by scope and by the block or cluster that the
/// scope means.
struct Released {
    std::array<std::unordered_map<std::uint32_t, Clock>, 3> scopes;
};

class BlockOrder {
public:
    /// @param block number in the grid
    /// @param cluster_blocks of a cluster; 1: no clusters
    BlockOrder(Epochs& epochs, std::uint32_t block, std::uint32_t cluster_blocks, unsigned threads);

    /// The scope that an access must have at least to count for a thread of another block.
    [[nodiscard]] Scope distance(std::uint32_t other_block) const;

    [[nodiscard]] std::uint32_t phase() const { return phase_; }                            ///< barriers of all
    [[nodiscard]] std::uint32_t number(unsigned warp) const { return warps_[warp].number; } ///< of its epoch
    /// An earlier one of a warp since the last barrier of all.
    [[nodiscard]] EpochId epoch_before(unsigned warp, std::uint32_t number) {
        return epochs_->add({block_, warp, number, phase_});
    }
    [[nodiscard]] bool is_whole(unsigned warp, std::uint32_t lanes) const { return (~lanes & lanes_of(warp)) == 0; }
    /// By warp; 0: nothing was accessed in its epoch.
    [[nodiscard]] const EpochId* ids() const { return ids_.data(); }
    /// No thread has fenced, or has read what others have released.
    [[nodiscard]] bool is_quiet() const { return lanes_.empty(); }

    // --- what is ordered. `thread` is a number in the block.
    /// The epoch in which a thread accesses memory now; 0 where there are no numbers left.
    [[nodiscard]] EpochId now(unsigned thread) {
        const EpochId id = ids_[thread / 32];
        return id ? id : begin_epoch(thread / 32);
    }
    /// Whether what a lane did in an epoch happens before what a thread does now.
    [[nodiscard]] bool is_before(const Epoch& epoch, unsigned lane, unsigned thread) const;
    /// True only if that is so for all lanes; false may be wrong.
    [[nodiscard]] bool is_plainly_before(const Epoch& epoch, unsigned thread) const {
        return epoch.block == block_ &&
               (epoch.phase < phase_ || (epoch.warp == thread / 32 && epoch.number <= warps_[thread / 32].together));
    }
    /// Of several lanes those for which it is.
    [[nodiscard]] std::uint32_t lanes_before(const Epoch& epoch, std::uint32_t lanes, unsigned thread) const;

    // --- synchronisation
    void sync_warp(unsigned warp, std::uint32_t lanes);
    /// All threads of the block that have not ended.
    void sync_block();
    /// A barrier of some of them. Those in `waiting` go on behind it; the others of `arrived` have not waited.
    /// Both hold the lanes of each warp.
    void sync_some(std::span<const std::uint32_t> arrived, std::span<const std::uint32_t> waiting);

    // --- with other blocks
    /// What threads pass on at a barrier of several blocks.
    struct Passed {
        Clock known;
        std::array<Clock, 3> fenced, observed;
    };
    /// Adds what some threads of a warp did and know. Begins an epoch of the warp.
    void pass_on(unsigned warp, std::uint32_t lanes, Passed& passed);
    void take(unsigned warp, std::uint32_t lanes, const Passed& passed);
    /// All that happens before the last of its threads ends.
    [[nodiscard]] Clock known_at_end() const;

    // --- fences and strong accesses
    void fence(unsigned thread, Scope scope);
    /// A strong read of a location, or the read of an atomic. With `acquire` it is one, else a later fence makes it
    /// one.
    void read(unsigned thread, const Released& location, Scope scope, bool acquire);
    /// A strong write to a location, or the write of an atomic, which continues what was released there. With `release`
    /// it is one; else it is one by a fence that came before.
    void write(unsigned thread, Released& location, Scope scope, bool release, bool atomic);

    /// Whether a thread has a fence, of a scope at least, before what it does now.
    [[nodiscard]] bool has_fenced(unsigned thread, Scope scope) const;

    /// All that happens before what a thread does next, by itself too. Begins an epoch of its warp.
    [[nodiscard]] Clock release(unsigned thread);

    // --- copies that go on while their thread does: nobody knows that they have ended, their thread neither, before it
    // --- has waited for them. So their accesses are those of a warp that meets no other.
    /// Number of the warp for copies of a warp's threads, minus the warp's.
    static constexpr std::uint32_t kCopies = 32, kToldCopies = 64;
    /// The epoch of a copy that is of the thread's open group.
    [[nodiscard]] EpochId begin_copy(unsigned thread);
    void commit_copies(unsigned thread);
    /// The thread knows that all groups have ended, but for the last few.
    void wait_for_copies(unsigned thread, std::uint32_t pending);
    /// Those too that are of no group yet.
    void wait_for_all_copies(unsigned thread);
    /// The epoch of a copy whose end a barrier object tells, and what whoever waits for that then knows.
    [[nodiscard]] EpochId begin_told_copy(unsigned thread);
    void tell_copy(unsigned thread, Released& location);
    /// The same of all that the thread began by begin_copy().
    void tell_copies(unsigned thread, Released& location);
    /// There are copies of which some threads do not know that they have ended, though all have met.
    [[nodiscard]] bool has_copies() const { return unknown_copies_ > 0 || has_told_copies_; }

private:
    using Pairs = std::array<std::array<std::uint32_t, 32>, 32>; ///< [lane][of another]: an epoch that it knows ended
    struct Warp {
        std::uint32_t number = 1;   ///< of the epoch
        std::uint32_t together = 0; ///< all lanes know that this epoch has ended for all
        std::unique_ptr<Pairs> pairs;
        Clock known; ///< what its lanes know of others besides
    };
    struct Lane {
        Clock known;
        std::array<Clock, 3> fenced;   ///< known at the last fence of each scope
        std::array<Clock, 3> observed; ///< by strong reads of each scope: a fence acquires them
    };

    struct Copies {
        std::uint32_t number = 1;             ///< of what is begun now
        std::vector<std::uint32_t> committed; ///< by group that was not waited for: the last number in it
        std::uint32_t begun = 0;              ///< the last number that has a copy
        std::uint32_t waited = 0;             ///< the last one that was waited for
        std::uint32_t told = 0;               ///< copies whose end a barrier object tells
    };
    [[nodiscard]] Copies& copies_of(unsigned thread);
    [[nodiscard]] EpochId copy_epoch(std::uint32_t warp, std::uint32_t number);
    void learn_of_copies(unsigned thread, std::uint32_t number);
    void tell(Released& location, std::uint32_t warp, unsigned lane, std::uint32_t number);

    [[nodiscard]] Lane& lane(unsigned thread);
    [[nodiscard]] std::uint32_t lanes_of(unsigned warp) const;
    EpochId begin_epoch(unsigned warp);
    void next_epoch(unsigned warp);
    /// What some lanes of a warp, one at least, did and know of others.
    [[nodiscard]] Clock known_to(unsigned warp, std::uint32_t lanes) const;
    void add_known(unsigned warp, std::uint32_t lanes, const Clock& clock);
    [[nodiscard]] std::uint32_t group(Scope scope) const;
    /// What some threads have fenced and observed, others have from now on too.
    void share(std::span<Lane* const> from, std::span<Lane* const> to);

    Epochs* epochs_;
    std::uint32_t block_;
    std::uint32_t cluster_blocks_;
    unsigned threads_;
    std::uint32_t phase_ = 0;
    Clock known_; ///< to all threads
    std::vector<Warp> warps_;
    std::vector<EpochId> ids_;                               ///< of their epochs, as ids()
    std::vector<Lane> lanes_;                                ///< empty as long as no thread knows more than its warp
    std::vector<Copies> copies_;                             ///< by thread; empty as long as there are none
    std::unordered_map<std::uint64_t, EpochId> copy_epochs_; ///< by warp and number
    std::uint32_t unknown_copies_ = 0;                       ///< threads with copies that they have not waited for
    bool has_told_copies_ = false;
};

} // namespace warplight::software::checks
