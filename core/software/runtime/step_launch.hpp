// SPDX-License-Identifier: Apache-2.0
// A launch that a debugger steps through. It keeps what the memory of kernels held at the start, so that the launch can
// run again from there.
#pragma once

#include "block_scheduler.hpp"
#include "context.hpp"
#include "grid.hpp"
#include "module.hpp"
#include "software/jit/jit.hpp"
#include "software/stepping/stepper.hpp"

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace warplight::software {

class StepLaunch final : public RoundObserver, public SteppedLaunch {
public:
    /// @param stop set to end the rounds
    StepLaunch(Stepper& stepper, Grid& grid, const Function& function, const jit::CompiledKernel& kernel,
               const LaunchContext& launch, std::uint64_t shared_bytes, std::atomic<bool>& stop);
    ~StepLaunch() override;

    void begin();
    /// After the blocks have run or stopped. True: memory is as at the start, and they are to run again.
    [[nodiscard]] bool again(bool has_failed);
    /// The launch has failed in a block that is still there.
    void fail(BlockScheduler& block, std::uint32_t thread, std::uint32_t site, const std::string& why);
    /// The debugger wants the launch to end.
    [[nodiscard]] bool is_cancelled() const { return cancelled_; }

    bool comes(BlockScheduler& block, std::uint32_t warp, std::uint32_t lanes, std::uint32_t site) override;
    void writes(const BlockScheduler& block, std::uint32_t thread, std::uint32_t site, std::uint64_t address,
                std::uint32_t bytes) override;
    [[nodiscard]] bool prints() const override { return stepper_.round > furthest_; }

    [[nodiscard]] const ptx::Module& module() const override { return function_.module.ptx; }
    [[nodiscard]] ptx::FunctionId kernel() const override { return function_.id; }
    [[nodiscard]] const LaunchContext& context() const override { return launch_; }
    [[nodiscard]] const ptx::SharedLayout& shared() const override { return function_.shared; }
    [[nodiscard]] std::span<const std::uint64_t> variables() const override { return function_.module.addresses(); }
    [[nodiscard]] std::uint32_t sites() const override { return kernel_.sites(); }
    [[nodiscard]] std::pair<ptx::FunctionId, std::uint32_t> site(std::uint32_t number) const override;
    [[nodiscard]] std::string why_not_again() const override;
    [[nodiscard]] bool read(std::uint64_t address, void* to, std::size_t bytes) const override;
    [[nodiscard]] bool write(std::uint64_t address, const void* from, std::size_t bytes) const override;

private:
    struct Kept {
        std::uint64_t base;
        std::vector<std::byte> bytes;
    };
    [[nodiscard]] SteppedBlock view(BlockScheduler& block) const;
    void keep_memory();
    void restore_memory();
    void obey(Stepper::Answer answer);

    Stepper& stepper_;
    Grid& grid_;
    const Function& function_;
    const jit::CompiledKernel& kernel_;
    const LaunchContext& launch_;
    const std::uint64_t shared_bytes_;
    std::atomic<bool>& stop_;
    std::vector<Kept> kept_;
    std::optional<DeviceHeap::State> heap_;
    bool is_kept_ = false;
    std::uint64_t begun_ = 0;    ///< of LaunchTree
    std::uint64_t furthest_ = 0; ///< the last round that was run
    bool wants_again_ = false, cancelled_ = false, told_failure_ = false;
};

/// Copies memory of kernels from or to an address; false where there is none.
[[nodiscard]] bool copy_if_there(void* to, const void* from, std::size_t bytes);

} // namespace warplight::software
