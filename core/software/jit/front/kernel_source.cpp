// SPDX-License-Identifier: Apache-2.0
#include "kernel_source.hpp"

#include "arithmetic_tests.hpp"
#include "inline_calls.hpp"
#include "inner_code.hpp"
#include "known_numbers.hpp"
#include "loop_cells.hpp"
#include "shadows.hpp"
#include "software/jit/analysis/decided_branches.hpp"
#include "software/jit/host.hpp"
#include "split_values.hpp"
#include "stride_turns.hpp"
#include "warp_accesses.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace warplight::jit {

namespace {

/// A variable without its initial value, which only the loader needs.
ptx::Variable declaration_of(const ptx::Variable& v) {
    ptx::Variable declared;
    declared.name = v.name;
    declared.space = v.space;
    declared.type = v.type;
    declared.vector_width = v.vector_width;
    declared.linkage = v.linkage;
    declared.unsized = v.unsized;
    declared.size = v.size;
    declared.alignment = v.alignment;
    return declared;
}

/// A module in which a kernel is the only function with a body.
ptx::Module module_of(const ptx::Module& module, ptx::FunctionId kernel, ptx::Function function) {
    ptx::Module alone;
    alone.version_major = module.version_major;
    alone.version_minor = module.version_minor;
    alone.target = module.target;
    alone.target_suffix = module.target_suffix;
    alone.address_size = module.address_size;
    alone.debug = module.debug;
    alone.files = module.files;
    alone.locations = module.locations;
    for (const ptx::Variable& v : module.variables)
        alone.variables.push_back(declaration_of(v));
    alone.functions.resize(module.functions.size());
    alone.functions[kernel] = std::move(function);
    return alone;
}

void take_changed(KernelSource& source) {
    source.module = source.changed.get();
    source.analysis = analyse(*source.module, source.kernel);
}

/// Changes each reached function by change(function).
template <class Change>
void change_functions(KernelSource& source, const ptx::Module& given, Change change) {
    if (!source.changed) {
        const bool alone = source.analysis.reachable.functions.size() == 1;
        source.changed = std::make_unique<ptx::Module>(
            alone ? module_of(given, source.kernel, given.functions[source.kernel]) : given);
    }
    std::vector<std::pair<ptx::FunctionId, std::vector<Site>>> all;
    for (const ptx::FunctionId f : source.analysis.reachable.functions) {
        if (!source.changed->functions[f].defined) continue;
        ChangedFunction changed = change(source.changed->functions[f]);
        std::vector<Site> origins;
        for (const std::uint32_t instruction : changed.origins) {
            const std::uint32_t site = source.analysis.site_base[f] + instruction;
            origins.push_back(site < source.origins.size() ? source.origins[site] : Site{f, instruction});
        }
        source.changed->functions[f] = std::move(changed.function);
        all.emplace_back(f, std::move(origins));
    }
    take_changed(source);
    source.origins.assign(source.analysis.site_count, Site());
    for (const auto& [f, origins] : all)
        std::copy(origins.begin(), origins.end(), source.origins.begin() + source.analysis.site_base[f]);
}

bool names_rows(const ptx::Module& module) {
    const auto is_row = [](const ptx::Operand& x) {
        return x.kind == ptx::Operand::Kind::special && x.special == ptx::SpecialRegister::tid_y;
    };
    return std::ranges::any_of(module.functions, [&](const ptx::Function& f) {
        return std::ranges::any_of(f.instructions,
                                   [&](const ptx::Instruction& i) { return std::ranges::any_of(i.operands, is_row); });
    });
}

/// In code of which nobody wants to know more than its results.
bool may_have_turns(const KernelSource& source, const Options& options) {
    return options.width > 1 && options.tells_nothing() && options.arithmetic == ArithmeticTests::none &&
           options.mode == Mode::automatic && options.grid_stride == GridStride::alone &&
           !source.analysis.knows_clusters && source.analysis.reachable.functions.size() == 1 &&
           source.analysis.functions[source.kernel].spinning_branches.empty();
}

} // namespace

KernelSource prepare_source(const ptx::Module& module, ptx::FunctionId kernel, const Options& options) {
    if (kernel >= module.functions.size() || !module.functions[kernel].kernel || !module.functions[kernel].defined)
        throw std::runtime_error("not a kernel");
    KernelSource source;
    source.kernel = kernel;
    source.module = &module;
    source.analysis = analyse(module, kernel);
    const bool tests = options.arithmetic != ArithmeticTests::none;
    if (options.width > 1 || options.follows_values)
        if (auto inlined = inline_calls(module, kernel, source.analysis)) {
            source.changed = std::make_unique<ptx::Module>(module_of(module, kernel, std::move(inlined->function)));
            source.origins = std::move(inlined->origins);
            take_changed(source);
        }
    if (options.along_y)
        change_functions(source, module, [&](const ptx::Function& f) {
            std::vector<std::uint32_t> origins(f.instructions.size());
            std::iota(origins.begin(), origins.end(), 0);
            return ChangedFunction{with_exchanged_axes(f), std::move(origins)};
        });
    if (options.most_threads != 0)
        change_functions(source, module, [&](const ptx::Function& f) {
            BoundedFunction bounded = without_decided_branches(f, options.most_threads);
            return ChangedFunction{std::move(bounded.function), std::move(bounded.origins)};
        });
    if (options.width > 1 && source.analysis.reachable.functions.size() == 1)
        if (auto known = with_known_numbers(source.function()))
            change_functions(source, module, [&](const ptx::Function&) { return std::move(*known); });
    if (options.width > 1 && !tests && options.tells_nothing() && source.analysis.reachable.functions.size() == 1)
        if (auto kept = with_loop_cells(source.function()))
            change_functions(source, module, [&](const ptx::Function&) { return std::move(*kept); });
    if (options.width > 1 && !tests && options.tells_nothing() && source.analysis.reachable.functions.size() == 1)
        if (auto split = split_values(source.function()))
            change_functions(source, module, [&](const ptx::Function&) { return std::move(*split); });
    if (may_have_turns(source, options))
        if (auto turns = with_stride_turns(source.function())) {
            change_functions(source, module, [&](const ptx::Function&) { return std::move(*turns); });
            source.has_turns = true;
        }
    if (options.width > 1 && !tests && options.tells_nothing() && source.analysis.reachable.functions.size() == 1 &&
        may_have_inner_code(source.function()))
        if (const LanesOrObstacle lanes = plan_source(source, options.width); lanes.plan)
            if (auto inner = inner_code(source.function(), *lanes.plan))
                change_functions(source, module, [&](const ptx::Function&) { return std::move(*inner); });
    if (tests)
        change_functions(source, module,
                         [&](const ptx::Function& f) { return add_arithmetic_tests(f, options.arithmetic); });
    if (options.follows_values)
        change_functions(source, module, [&](const ptx::Function& f) { return add_shadows(*source.changed, f); });
    const auto& reached = source.analysis.reachable.functions;
    const bool any = std::any_of(reached.begin(), reached.end(),
                                 [&](ptx::FunctionId f) { return has_warp_accesses(source.module->functions[f]); });
    if (any && (options.checks_accesses || options.traces_accesses))
        change_functions(source, module,
                         [&](const ptx::Function& f) { return add_warp_accesses(f, options.checks_accesses); });
    return source;
}

LanesOrObstacle plan_source(const KernelSource& source, unsigned width) {
    if (width <= 1) return {};
    auto planned = plan_lanes(source.function(), source.analysis.functions[source.kernel], width);
    if (auto* obstacle = std::get_if<std::string>(&planned)) return {std::nullopt, std::move(*obstacle)};
    return {std::get<LanePlan>(std::move(planned)), {}};
}

std::optional<LaneCandidates> candidates_along_y(const ptx::Module& module, ptx::FunctionId kernel,
                                                 unsigned requested) {
    if (requested == 1 || !names_rows(module)) return std::nullopt;
    Options options;
    options.width = requested ? requested : host_width();
    const KernelSource source = prepare_source(module, kernel, options);
    const ptx::Function& f = source.function();
    const FunctionFacts& facts = source.analysis.functions[kernel];
    if (source.analysis.reachable.functions.size() > 1 || !facts.spinning_branches.empty() || !may_exchange_axes(f))
        return std::nullopt;
    const ptx::Function exchanged = with_exchanged_axes(f);
    const auto in_x = plan_lanes(f, facts, options.width), in_y = plan_lanes(exchanged, facts, options.width);
    const auto *x = std::get_if<LanePlan>(&in_x), *y = std::get_if<LanePlan>(&in_y);
    if (!x || !y || !exchange_pays(f, *x, *y)) return std::nullopt;
    return lane_candidates(exchanged, requested);
}

} // namespace warplight::jit
