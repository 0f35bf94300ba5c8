// SPDX-License-Identifier: Apache-2.0
#include "compiled_kernel.hpp"

#include "software/ptx/flow.hpp"

#include <algorithm>

namespace warplight::jit {

namespace {

constexpr std::uint32_t kJoinedThreads = 1024; ///< a few KiB of each row of a picture
constexpr std::uint32_t kThreadsOfTurn =
    1 << 20; ///< as many as one worker takes at once: so it goes through memory in one piece

class LinkedKernel final : public CompiledKernel {
public:
    LinkedKernel(KernelTraits traits, CodeMap map, std::unique_ptr<LoadedObject> object, CodeOrigin origin)
        : traits_(std::move(traits)), map_(std::move(map)), object_(std::move(object)), origin_(origin) {}

    [[nodiscard]] Mode mode() const override { return traits_.mode; }
    [[nodiscard]] unsigned width() const override { return traits_.width; }
    [[nodiscard]] RunBlock run_block() const override {
        return traits_.mode == Mode::loop ? reinterpret_cast<RunBlock>(object_->entry()) : nullptr;
    }
    [[nodiscard]] StartThread start_thread() const override {
        return traits_.mode == Mode::coroutine ? reinterpret_cast<StartThread>(object_->entry()) : nullptr;
    }
    [[nodiscard]] RunRound run_round() const override {
        return traits_.mode == Mode::coroutine ? reinterpret_cast<RunRound>(object_->entry(1)) : nullptr;
    }
    [[nodiscard]] std::optional<Site> site_at(const void* code_address) const override {
        const std::uint64_t offset = reinterpret_cast<std::uint64_t>(code_address) - text();
        if (offset >= map_.size) return std::nullopt;
        if (const auto number = map_.site_at(static_cast<std::uint32_t>(offset))) return site(*number);
        return std::nullopt;
    }
    [[nodiscard]] std::pair<const std::byte*, const std::byte*> code() const override {
        const auto* begin = reinterpret_cast<const std::byte*>(text());
        return {begin, begin + map_.size};
    }
    [[nodiscard]] Site site(std::uint32_t number) const override {
        if (number < traits_.origins.size()) return traits_.origins[number];
        const auto& bases = traits_.site_bases;
        auto base = std::upper_bound(bases.begin(), bases.end(), std::pair{number, ~ptx::FunctionId{0}});
        if (base == bases.begin()) return {};
        --base;
        return {base->second, number - base->first};
    }
    [[nodiscard]] std::uint32_t sites() const override { return traits_.sites; }
    [[nodiscard]] const SumPointers& sum_pointers() const override { return traits_.sums; }
    [[nodiscard]] const std::vector<std::uint64_t>& non_temporal_pointers() const override {
        return traits_.non_temporal_pointers;
    }
    [[nodiscard]] std::optional<std::uint64_t> held_pointer() const override { return traits_.held_pointer; }
    [[nodiscard]] bool has_grid_stride_loops() const override { return traits_.has_grid_stride_loops; }
    [[nodiscard]] GridStride grid_stride() const override {
        return traits_.has_grid_stride_loops && traits_.mode == Mode::coroutine ? GridStride::together
                                                                                : GridStride::alone;
    }
    [[nodiscard]] bool only_copies() const override { return traits_.only_copies; }
    [[nodiscard]] bool exchanges_axes() const override { return traits_.exchanges_axes; }
    [[nodiscard]] std::uint32_t joined_threads() const override {
        return traits_.has_turns ? kThreadsOfTurn : traits_.joins_blocks ? kJoinedThreads : 0;
    }
    [[nodiscard]] bool checks_accesses() const override { return traits_.checks_accesses; }
    [[nodiscard]] bool traces_accesses() const override { return traits_.traces_accesses; }
    [[nodiscard]] bool follows_values() const override { return traits_.follows_values; }
    [[nodiscard]] bool follows_waits() const override { return traits_.follows_waits; }
    [[nodiscard]] bool profiles() const override { return !traits_.block_sites.empty(); }
    [[nodiscard]] const std::vector<std::uint32_t>& block_sites() const override { return traits_.block_sites; }
    [[nodiscard]] bool meets_whole() const override { return traits_.meets_whole; }
    [[nodiscard]] bool may_wait_for_blocks() const override { return traits_.may_wait_for_blocks; }
    [[nodiscard]] bool from_cache() const override { return origin_ == CodeOrigin::object_cache; }
    [[nodiscard]] bool is_quick() const override { return origin_ == CodeOrigin::compiled_quickly; }
    [[nodiscard]] std::size_t code_size() const override { return map_.size; }

private:
    [[nodiscard]] std::uint64_t text() const { return object_->entry() - map_.entry; }

    KernelTraits traits_;
    CodeMap map_;
    std::unique_ptr<LoadedObject> object_;
    CodeOrigin origin_;
};

} // namespace

KernelTraits traits_of(const KernelSource& source, const Strategy& strategy, const LanePlan* plan) {
    KernelTraits traits;
    traits.mode = strategy.mode;
    traits.width = strategy.lanes.count;
    traits.exchanges_axes = strategy.lanes.along_y;
    traits.origins = source.origins;
    for (const ptx::FunctionId f : source.analysis.reachable.functions) {
        traits.site_bases.push_back({source.analysis.site_base[f], f});
        const std::size_t instructions = source.module->functions[f].instructions.size();
        traits.sites = std::max(traits.sites, source.analysis.site_base[f] + static_cast<std::uint32_t>(instructions));
        traits.may_wait_for_blocks |= !source.analysis.functions[f].spinning_branches.empty();
    }
    std::sort(traits.site_bases.begin(), traits.site_bases.end());
    if (!plan) return traits;
    const ptx::ParameterLayout layout = ptx::layout_parameters(source.function().parameters);
    const auto place = [&](const ParameterPlace& p) {
        return layout.offsets.at(p.parameter) + static_cast<std::uint64_t>(p.offset);
    };
    for (const ParameterPlace& p : plan->non_temporal_stores.pointers)
        traits.non_temporal_pointers.push_back(place(p));
    if (plan->held_store) traits.held_pointer = place(plan->held_store->pointer);
    traits.has_grid_stride_loops = !plan->grid_stride_loops.empty() && !source.has_turns;
    traits.only_copies = only_copies(source.function());
    traits.meets_whole = meets_whole(source.function(), *plan);
    return traits;
}

std::vector<std::uint32_t> block_sites_of(const KernelSource& source, std::uint32_t sites) {
    std::vector<std::uint32_t> all(sites);
    for (const ptx::FunctionId f : source.analysis.reachable.functions) {
        const std::uint32_t base = source.analysis.site_base[f];
        const ptx::FlowGraph graph(source.module->functions[f]);
        for (const ptx::BasicBlock& block : graph.blocks())
            std::fill(all.begin() + base + block.begin, all.begin() + base + block.end, base + block.begin);
    }
    return all;
}

std::unique_ptr<CompiledKernel> make_compiled_kernel(KernelTraits traits, CodeMap map,
                                                     std::unique_ptr<LoadedObject> object, CodeOrigin origin) {
    return std::make_unique<LinkedKernel>(std::move(traits), std::move(map), std::move(object), origin);
}

} // namespace warplight::jit
