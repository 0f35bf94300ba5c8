// SPDX-License-Identifier: Apache-2.0
// The profile of one launch: what its warps executed and accessed (docs/profile.md).
#pragma once

#include "module.hpp"
#include "profile/profile.hpp"
#include "software/jit/abi/abi.hpp"
#include "software/profile/warp_trace.hpp"
#include "warp_recorder.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace warplight::software {

class LaunchProfile {
public:
    /// All of them outlive this. `launch` is complete.
    LaunchProfile(const Function& function, const jit::CompiledKernel& kernel, const LaunchContext& launch,
                  std::uint64_t shared_bytes);
    LaunchProfile(const LaunchProfile&) = delete;
    LaunchProfile& operator=(const LaunchProfile&) = delete;

    class Worker;
    /// Of a block that runs: BlockContext::profile.
    class Block final : profile::WarpTrace::Receiver {
    public:
        explicit Block(Worker& worker);
        /// The block begins.
        void begin(BlockContext& context);
        void comes_to(std::uint32_t linear, std::uint32_t active, std::uint32_t site);
        void calls(std::uint32_t linear, std::uint32_t active, bool returns);
        void accesses(std::uint32_t linear, std::uint32_t active, const std::uint64_t* addresses, std::uint32_t site,
                      std::uint32_t what);
        /// All of its threads have ended.
        void ends();

    private:
        void executes(std::uint32_t block_site, std::uint32_t lanes, bool parted) override;
        void accesses(std::uint32_t site, std::uint32_t what, const profile::WarpAccess& access) override;
        void accesses(std::uint32_t site, std::uint32_t what, const profile::WarpTrace::RegularAccess& access) override;
        void count(ProfileCounters& counters, ProfiledAccess::Space space, const profile::WarpAccess& access);
        /// One warp is recorded, and nothing counted.
        [[nodiscard]] bool records() const;
        [[nodiscard]] bool is_recorded(std::uint32_t linear) const { return recorder_ && recorder_->is_of(linear); }
        /// Of the traces of a block: 1 GiB.
        static constexpr std::size_t kMostWords = std::size_t{1} << 27;
        [[nodiscard]] bool has_room() {
            if (words_ >= kMostWords && !is_lost_) lose();
            return !is_lost_;
        }
        /// Of a block whose traces would take too much memory nothing is kept.
        void lose();

        Worker& worker_;
        const unsigned width_;
        WarpRecorder* recorder_ = nullptr; ///< null: the block is not that of the recorded warp
        std::uint64_t shared_ = 0;         ///< address of the block's shared memory
        std::vector<profile::WarpTrace> warps_;
        /// What regular accesses cost that came last, by site.
        struct Known {
            struct Entry {
                profile::WarpTrace::RegularAccess access; ///< its addresses less the first one, but for its last bits
                std::uint64_t lanes = 0;                  ///< 0: nothing is known
                profile::Cost cost{};
                [[nodiscard]] bool is(const profile::WarpTrace::RegularAccess& other, std::uint64_t base) const;
            };
            std::array<Entry, 4> entries;
            unsigned next = 0;
        };
        std::vector<Known> known_;
        std::size_t words_ = 0; ///< of the traces
        bool is_lost_ = false;
    };

    /// Of a worker: what it counts, and the blocks that it runs.
    class Worker {
    public:
        explicit Worker(LaunchProfile& launch);
        ~Worker(); ///< adds to the launch's counts
        Worker(const Worker&) = delete;
        Worker& operator=(const Worker&) = delete;
        /// `key` is any pointer that stands for a block's place.
        [[nodiscard]] Block& block(const void* key);
        [[nodiscard]] ProfileCounters* counters() { return counters_.data(); }
        LaunchProfile& launch;
        std::uint64_t lost_blocks = 0;

    private:
        std::vector<ProfileCounters> counters_; ///< by site
        std::unordered_map<const void*, std::unique_ptr<Block>> blocks_;
    };

    /// All blocks have run: gives the figures, or the record of a warp, to the process' collector.
    void finish();

private:
    [[nodiscard]] warplight::profile::Figures figures_of(std::uint32_t site) const;

    const Function& function_;
    const jit::CompiledKernel& kernel_;
    const LaunchContext& launch_;
    const std::uint64_t shared_bytes_;
    std::vector<std::uint32_t> last_sites_;  ///< by first site of a basic block: its last one
    std::unique_ptr<WarpRecorder> recorder_; ///< null: all warps are counted
    std::mutex mutex_;
    std::vector<ProfileCounters> counters_;
    std::uint64_t lost_blocks_ = 0;
};

} // namespace warplight::software
