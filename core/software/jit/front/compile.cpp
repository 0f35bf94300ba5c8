// SPDX-License-Identifier: Apache-2.0
// The way from a kernel to code.
#include "compiled_kernel.hpp"
#include "kernel_source.hpp"
#include "software/jit/dump.hpp"
#include "software/jit/emit/shape.hpp"
#include "software/jit/jit.hpp"
#include "software/jit/object/code_generator.hpp"
#include "software/jit/object/object_cache.hpp"
#include "software/jit/object/orc.hpp"
#include "software/jit/passes/pipeline.hpp"
#include "software/jit/passes/target.hpp"
#include "software/jit/tier.hpp"

#include <stdexcept>

namespace warplight::jit {

namespace {

std::vector<const char*> entries_of(Mode mode) {
    return mode == Mode::loop ? std::vector{kBlockSymbol} : std::vector{kThreadSymbol, kRoundSymbol};
}

/// The module's variables that the kernel reaches, with their addresses.
std::vector<Symbol> symbols_of(const Analysis& analysis, const VariableAddresses& addresses) {
    std::vector<Symbol> symbols;
    for (const ptx::VariableId v : analysis.reachable.variables)
        if (v < addresses.size() && addresses[v] != 0) symbols.push_back({Unit::symbol_of(v), addresses[v]});
    return symbols;
}

void check_addresses(const Unit& unit, const VariableAddresses& addresses) {
    for (const ptx::VariableId v : unit.analysis.reachable.variables)
        if (unit.ir->getNamedGlobal(Unit::symbol_of(v)) && (v >= addresses.size() || addresses[v] == 0))
            throw std::runtime_error("variable '" + unit.module.variables[v].name + "' has no address");
}

/// Null where a whole object does not link here: a miss as well.
std::unique_ptr<LoadedObject> load_cached(std::unique_ptr<llvm::MemoryBuffer> object,
                                          const std::vector<const char*>& entries,
                                          const std::vector<Symbol>& variables) {
    try {
        return load_object(std::move(object), entries, variables);
    } catch (const std::runtime_error&) { // of another build
        return nullptr;
    }
}

/// Fast code of fewer instructions, as emitted, is there in some 7 ms.
constexpr std::size_t kLongEnough = 150;

bool is_always_quick(const Options& options) {
    return tier_setting() == TierSetting::quick && options.tells_nothing() &&
           options.arithmetic == ArithmeticTests::none;
}

Tier tier_for(const Options& options, std::size_t instructions) {
    if (is_always_quick(options)) return Tier::quick;
    const bool may_be_quick = options.begin_fast && instructions >= kLongEnough;
    return may_be_quick && options.begin_fast() ? Tier::quick : Tier::fast;
}

SumPointers placed(const KernelSums& sums, const ptx::Function& kernel) {
    const ptx::ParameterLayout layout = ptx::layout_parameters(kernel.parameters);
    const auto offset = [&](const ptx::Root& root) { return layout.offsets.at(root.index) + root.offset; };
    SumPointers pointers;
    if (sums.memory.empty()) return pointers;
    for (const SumMemory& m : sums.memory)
        pointers.sums.push_back({offset(m.pointer), m.bytes, m.in_loop, m.operation});
    for (const ptx::Root& other : sums.others)
        pointers.others.push_back(offset(other));
    return pointers;
}

} // namespace

Compilation compile(const ptx::Module& module, ptx::FunctionId kernel, const VariableAddresses& addresses,
                    const Options& options) {
    // Inline calls, add shadows, analyse, plan lanes.
    KernelSource source = prepare_source(module, kernel, options);
    if (options.steps) make_steppable(source.analysis);
    LanesOrObstacle lanes = plan_source(source, options.width);
    const LanePlan* const plan = lanes.plan ? &*lanes.plan : nullptr;

    // Choose the strategy.
    Strategy strategy = choose_strategy({source.function(), source.analysis, plan, lanes.obstacle}, options);
    dump(strategy, source.function().name);
    if (strategy.lanes.count < options.width) return {std::move(strategy), nullptr};
    KernelTraits traits = traits_of(source, strategy, plan);
    traits.checks_accesses = options.checks_accesses;
    traits.traces_accesses = options.traces_accesses;
    traits.follows_values = options.follows_values;
    traits.follows_waits = options.follows_waits;
    KernelSums sums;
    if (options.tells_nothing() && source.analysis.reachable.functions.size() == 1) sums = find_sums(source.function());
    traits.has_turns = source.has_turns;
    traits.joins_blocks =
        source.has_turns || (strategy.mode == Mode::loop && options.tells_nothing() &&
                             options.arithmetic == ArithmeticTests::none && !source.analysis.knows_clusters &&
                             source.analysis.reachable.functions.size() == 1 && joins_blocks(source.function(), plan));
    traits.sums = placed(sums, source.function());
    if (options.profiles) traits.block_sites = block_sites_of(source, traits.sites);
    const bool joins_blocks = traits.joins_blocks, has_turns = traits.has_turns;

    // Look into the cache.
    const CacheEntry cache(options, strategy.mode, source.function().name);
    const std::vector<const char*> entries = entries_of(strategy.mode);
    const std::vector<Symbol> variables = symbols_of(source.analysis, addresses);
    if (auto found = is_always_quick(options) ? std::nullopt : cache.find())
        if (auto object = load_cached(std::move(found->object), entries, variables))
            return {std::move(strategy), make_compiled_kernel(std::move(traits), std::move(found->map),
                                                              std::move(object), CodeOrigin::object_cache)};

    // Emit.
    Unit unit(*source.module, kernel, strategy.mode, options, std::move(source.analysis));
    unit.lanes = std::move(lanes.plan);
    unit.sums = std::move(sums);
    unit.joins_blocks = joins_blocks;
    unit.has_turns = has_turns;
    unit.leaves_idle_rows = unit.lanes && strategy.mode == Mode::loop && options.tells_nothing() && !has_turns &&
                            options.arithmetic == ArithmeticTests::none &&
                            !find_idle_exits(source.function(), *unit.lanes).empty();
    TargetMachine machine = take_target_machine(0);
    set_layout(*unit.ir, *machine);
    emit_kernel(unit);
    set_target_attributes(*unit.ir, *machine);
    dump(*unit.ir, "emitted");
    check_addresses(unit, addresses);

    // Optimise: large modules with less effort, and quick code with little.
    const std::size_t instructions = count_instructions(*unit.ir);
    const Tier tier = tier_for(options, instructions);
    if (tier == Tier::quick || is_optimised_less(instructions)) machine = take_target_machine(instructions, tier);
    optimise(*unit.ir, *machine, {instructions, strategy.vectors, options.walls, tier, unit.lanes ? options.width : 1});
    dump(*unit.ir, "optimised");

    // Make the object, keep it, link it.
    std::unique_ptr<llvm::MemoryBuffer> object =
        make_object(*unit.ir, *machine, {strategy.vectors, !unit.sums.memory.empty()});
    CodeMap map = read_code_map(object->getBuffer(), entries[0]);
    if (tier == Tier::fast) cache.keep(map, object->getBuffer());
    auto loaded = load_object(std::move(object), entries, variables);
    const CodeOrigin origin = tier == Tier::quick ? CodeOrigin::compiled_quickly : CodeOrigin::compiled;
    return {std::move(strategy), make_compiled_kernel(std::move(traits), std::move(map), std::move(loaded), origin)};
}

} // namespace warplight::jit
