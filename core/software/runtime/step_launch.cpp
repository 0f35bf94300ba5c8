// SPDX-License-Identifier: Apache-2.0
#include "step_launch.hpp"

#include "address_space.hpp"
#include "kernel_pointer.hpp"
#include "trap.hpp"

#include <algorithm>
#include <cstring>

namespace warplight::software {
namespace {

constexpr std::uint64_t kMostKept = std::uint64_t{4} << 30; ///< bytes

bool uses_heap(const Function& function) {
    const ptx::Module& module = function.module.ptx;
    return std::any_of(function.reachable.functions.begin(), function.reachable.functions.end(),
                       [&](ptx::FunctionId f) { return module.functions[f].name == "malloc"; });
}

} // namespace

bool copy_if_there(void* to, const void* from, std::size_t bytes) {
    struct Copy {
        void* to;
        const void* from;
        std::size_t bytes;
    } copy{to, from, bytes};
    const auto run = [](void* argument) {
        const auto& c = *static_cast<Copy*>(argument);
        std::memcpy(c.to, c.from, c.bytes);
    };
    Trap trap;
    return run_guarded(run, &copy, trap);
}

StepLaunch::StepLaunch(Stepper& stepper, Grid& grid, const Function& function, const jit::CompiledKernel& kernel,
                       const LaunchContext& launch, std::uint64_t shared_bytes, std::atomic<bool>& stop)
    : stepper_(stepper), grid_(grid), function_(function), kernel_(kernel), launch_(launch),
      shared_bytes_(shared_bytes), stop_(stop), begun_(grid.tree.begun) {
    if (uses_heap(function)) (void)grid.context().heap();
    keep_memory();
    stepper_.at_sites.assign(kernel.sites(), 0);
}

StepLaunch::~StepLaunch() { stepper_.leaves(); }

void StepLaunch::begin() {
    stepper_.round = 0;
    wants_again_ = told_failure_ = false;
    stepper_.begins(*this);
}

void StepLaunch::keep_memory() {
    std::uint64_t total = 0;
    const std::vector<Allocation> all = AddressSpace::instance().all_of(&grid_.context());
    for (const Allocation& a : all)
        total += a.size;
    if (total > kMostKept) return;
    for (const Allocation& a : all) {
        if (a.access != 3) continue;
        Kept kept{a.base, std::vector<std::byte>(a.size)};
        if (copy_if_there(kept.bytes.data(), reinterpret_cast<const void*>(a.base), a.size))
            kept_.push_back(std::move(kept));
    }
    heap_ = grid_.context().heap_state();
    is_kept_ = true;
}

void StepLaunch::restore_memory() {
    for (const Kept& kept : kept_)
        (void)copy_if_there(reinterpret_cast<void*>(kept.base), kept.bytes.data(), kept.bytes.size());
    grid_.context().set_heap_state(*heap_);
}

std::string StepLaunch::why_not_again() const {
    if (!is_kept_) return "the program has more than 4 GiB of memory on the device, which is not kept twice";
    if (grid_.tree.begun != begun_ || grid_.tree.pending != 0) return "the kernel has launched kernels";
    return {};
}

SteppedBlock StepLaunch::view(BlockScheduler& block) const {
    return {&block.block(), block.number(), block.threads(), block.step_frames(), &block.watch, shared_bytes_};
}

void StepLaunch::obey(Stepper::Answer answer) {
    if (answer == Stepper::Answer::go) return;
    wants_again_ = answer == Stepper::Answer::again && why_not_again().empty();
    cancelled_ = !wants_again_;
    stop_ = true;
}

bool StepLaunch::comes(BlockScheduler& block, std::uint32_t warp, std::uint32_t lanes, std::uint32_t site) {
    if (stop_) return false;
    Stepper& s = stepper_;
    ++s.round;
    if (s.round < s.from_round && !s.each_round.load(std::memory_order_relaxed) && !s.at_sites[site]) return true;
    obey(s.comes(view(block), warp, lanes, site));
    return !stop_;
}

void StepLaunch::writes(const BlockScheduler& block, std::uint32_t thread, std::uint32_t site, std::uint64_t address,
                        std::uint32_t bytes) {
    stepper_.writes(view(const_cast<BlockScheduler&>(block)), thread, site, address, bytes);
}

void StepLaunch::fail(BlockScheduler& block, std::uint32_t thread, std::uint32_t site, const std::string& why) {
    if (wants_again_ || cancelled_) return;
    told_failure_ = true;
    obey(stepper_.fails(view(block), thread, site, why));
}

bool StepLaunch::again(bool has_failed) {
    if (!wants_again_ && !cancelled_ && !has_failed && !stop_) obey(stepper_.ends());
    if (!wants_again_) return false;
    // The round that the debugger stood before was not run; after the end all were.
    furthest_ = std::max(furthest_, stepper_.round - (stepper_.round > 0 ? 1 : 0));
    restore_memory();
    return true;
}

std::pair<ptx::FunctionId, std::uint32_t> StepLaunch::site(std::uint32_t number) const {
    const jit::Site s = kernel_.site(number);
    return {s.function, s.instruction};
}

bool StepLaunch::read(std::uint64_t address, void* to, std::size_t bytes) const {
    return in_reach_of_kernels(address, bytes) && copy_if_there(to, reinterpret_cast<const void*>(address), bytes);
}

bool StepLaunch::write(std::uint64_t address, const void* from, std::size_t bytes) const {
    return in_reach_of_kernels(address, bytes) && copy_if_there(reinterpret_cast<void*>(address), from, bytes);
}

} // namespace warplight::software
