// SPDX-License-Identifier: Apache-2.0
// What one warp of a launch does, execution by execution (docs/profile.md).
#pragma once

#include "module.hpp"
#include "profile/warp_record.hpp"
#include "software/jit/abi/abi.hpp"
#include "software/profile/warp_trace.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace warplight::software {

/// Of a launch whose code tells of each block and access, because fewer than 32 threads run side by side.
class WarpRecorder final : profile::WarpTrace::Receiver {
public:
    /// @param last_sites by first site of a basic block: its last one
    WarpRecorder(const Function& function, const jit::CompiledKernel& kernel, const LaunchContext& launch,
                 std::uint64_t shared_bytes, const std::vector<std::uint32_t>& last_sites,
                 warplight::profile::WarpChoice choice);

    [[nodiscard]] bool is_of(const BlockContext& block) const;
    /// Whether a thread of that block is one of the warp's.
    [[nodiscard]] bool is_of(std::uint32_t linear) const { return linear / kWarpSize == record_.choice.warp; }
    /// The block begins. @param shared address of its shared memory
    void begin(std::uint64_t shared);
    void comes_to(std::uint32_t linear, std::uint32_t active, std::uint32_t site);
    void calls(std::uint32_t linear, std::uint32_t active, bool returns);
    void accesses(std::uint32_t linear, std::uint32_t active, const std::uint64_t* addresses, std::uint32_t site,
                  std::uint32_t what);
    /// All threads of the block have ended.
    void ends();
    /// The launch has ended.
    [[nodiscard]] warplight::profile::WarpRecord take();

private:
    using Key = std::pair<std::uint32_t, std::uint32_t>; ///< site, and number among its accesses
    /// Where the way of a lane is not known yet: the branch that it took last.
    struct Pending {
        warplight::profile::RecordedInstruction* instruction = nullptr; ///< null: none
        std::size_t branch = 0;
        jit::Site site;
    };

    void executes(std::uint32_t block_site, std::uint32_t lanes, bool parted) override;
    void accesses(std::uint32_t site, std::uint32_t what, const profile::WarpAccess& access) override;
    void accesses(std::uint32_t site, std::uint32_t what, const profile::WarpTrace::RegularAccess& access) override;
    /// Of the lanes that come to a block the branches that brought them there.
    void resolve(std::uint32_t lanes, std::uint32_t block_site);
    void leave(std::uint32_t lanes);
    void add_way(const Pending& pending, std::uint32_t lane, const warplight::profile::RecordedBranch::Way& way);
    /// False: there is no room for one more execution. It is counted either way.
    [[nodiscard]] bool counts(warplight::profile::RecordedInstruction& instruction);
    [[nodiscard]] warplight::profile::RecordedInstruction& instruction_at(Key key);
    [[nodiscard]] bool has_room(std::uint32_t linear, std::size_t words);
    void name_memory();
    void add_memory(warplight::profile::RecordedMemory memory);

    const Function& function_;
    const jit::CompiledKernel& kernel_;
    const LaunchContext& launch_;
    const std::uint64_t shared_bytes_;
    const std::vector<std::uint32_t>& last_sites_;
    std::uint64_t shared_ = 0;
    profile::WarpTrace trace_;
    std::array<std::size_t, kWarpSize> words_{}; ///< of the trace, by vector
    std::uint32_t cut_ = 0;                      ///< lanes whose trace has no end
    std::map<Key, warplight::profile::RecordedInstruction> instructions_;
    std::array<Pending, kWarpSize> pending_{};
    std::size_t kept_ = 0;
    warplight::profile::WarpRecord record_;
};

} // namespace warplight::software
