// SPDX-License-Identifier: Apache-2.0
// The way from a kernel to code: analyse, emit, look into the cache, optimise, link.
#include "inline_calls.hpp"
#include "software/jit/emit/emitter.hpp"
#include "software/jit/emit/shape.hpp"
#include "software/jit/jit.hpp"
#include "software/jit/object/object_cache.hpp"
#include "software/jit/object/orc.hpp"
#include "software/jit/passes/pipeline.hpp"

#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <stdexcept>

namespace warplight::jit {

namespace {

/// Of a kernel whose threads run side by side, what a launch of it has to know.
struct MemoryHabits {
    std::vector<std::uint64_t> streams;
    bool strides = false;
    bool moves_memory = false;
};

class Kernel final : public CompiledKernel {
public:
    Kernel(Mode mode, unsigned width, CodeMap map, std::unique_ptr<LoadedObject> object, const Analysis& analysis,
           std::vector<Site> origins, MemoryHabits habits, bool from_cache)
        : mode_(mode), width_(width), map_(std::move(map)), object_(std::move(object)), from_cache_(from_cache),
          origins_(std::move(origins)), habits_(std::move(habits)) {
        for (const ptx::FunctionId f : analysis.reachable.functions) {
            bases_.push_back({analysis.site_base[f], f});
            may_wait_for_blocks_ |= !analysis.functions[f].spinning_branches.empty();
        }
        std::sort(bases_.begin(), bases_.end());
    }

    [[nodiscard]] Mode mode() const override { return mode_; }
    [[nodiscard]] unsigned width() const override { return width_; }
    [[nodiscard]] RunBlock run_block() const override {
        return mode_ == Mode::loop ? reinterpret_cast<RunBlock>(object_->entry()) : nullptr;
    }
    [[nodiscard]] StartThread start_thread() const override {
        return mode_ == Mode::coroutine ? reinterpret_cast<StartThread>(object_->entry()) : nullptr;
    }
    [[nodiscard]] RunRound run_round() const override {
        return mode_ == Mode::coroutine ? reinterpret_cast<RunRound>(object_->entry(1)) : nullptr;
    }
    [[nodiscard]] std::optional<Site> site_at(const void* code_address) const override {
        const std::uint64_t text = object_->entry() - map_.entry;
        const std::uint64_t offset = reinterpret_cast<std::uint64_t>(code_address) - text;
        if (offset >= map_.size) return std::nullopt;
        if (const auto number = map_.site_at(static_cast<std::uint32_t>(offset))) return site(*number);
        return std::nullopt;
    }
    [[nodiscard]] std::pair<const std::byte*, const std::byte*> code() const override {
        const auto* text = reinterpret_cast<const std::byte*>(object_->entry() - map_.entry);
        return {text, text + map_.size};
    }
    [[nodiscard]] Site site(std::uint32_t number) const override {
        auto after = std::upper_bound(bases_.begin(), bases_.end(), std::pair{number, ~ptx::FunctionId{0}});
        if (after == bases_.begin()) return {};
        --after;
        const std::uint32_t instruction = number - after->first;
        return instruction < origins_.size() ? origins_[instruction] : Site{after->second, instruction};
    }
    [[nodiscard]] const std::vector<std::uint64_t>& streams() const override { return habits_.streams; }
    [[nodiscard]] bool strides() const override { return habits_.strides; }
    [[nodiscard]] bool takes_turns() const override { return habits_.strides && mode_ == Mode::coroutine; }
    [[nodiscard]] bool moves_memory() const override { return habits_.moves_memory; }
    [[nodiscard]] bool may_wait_for_blocks() const override { return may_wait_for_blocks_; }
    [[nodiscard]] bool from_cache() const override { return from_cache_; }
    [[nodiscard]] std::size_t code_size() const override { return map_.size; }

private:
    Mode mode_;
    unsigned width_;
    CodeMap map_;
    std::unique_ptr<LoadedObject> object_;
    bool from_cache_;
    bool may_wait_for_blocks_ = false;
    std::vector<Site> origins_; ///< by instruction, of a kernel that its calls were put into
    MemoryHabits habits_;
    std::vector<std::pair<std::uint32_t, ptx::FunctionId>> bases_;
};

void dump(const llvm::Module& module, const char* what) {
    if (!is_dumped()) return;
    std::string text;
    llvm::raw_string_ostream(text) << "; --- " << what << "\n" << module;
    llvm::errs() << text; // at once: kernels are compiled by several threads
}

} // namespace

namespace {

/// Whether the threads meet at a barrier every time they go round a loop.
bool meets_in_all_loops(const ptx::Function& kernel) {
    const auto& all = kernel.instructions;
    if (std::none_of(all.begin(), all.end(), is_block_barrier)) return false;
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (all[k].opcode != ptx::Opcode::bra) continue;
        const std::size_t start = kernel.labels.at(all[k].operands.at(0).index).instruction;
        if (start <= k && std::none_of(all.begin() + static_cast<std::ptrdiff_t>(start),
                                       all.begin() + static_cast<std::ptrdiff_t>(k), is_block_barrier))
            return false;
    }
    return true;
}

/// Packed halves are computed as floats, two vectors of them: that is enough to do at the same time, and more is much
/// to compile.
bool is_of_packed_halves(const ptx::Function& kernel) {
    constexpr std::ptrdiff_t kMany = 4;
    return std::count_if(kernel.instructions.begin(), kernel.instructions.end(), [](const ptx::Instruction& i) {
               return i.type() == ptx::Type::f16x2 || i.type() == ptx::Type::bf16x2;
           }) >= kMany;
}

bool goes_back(const ptx::Function& kernel, std::size_t instruction) {
    const ptx::Instruction& i = kernel.instructions[instruction];
    return i.opcode == ptx::Opcode::bra && kernel.labels.at(i.operands.at(0).index).instruction <= instruction;
}

/// What has enough to do with one vector at the same time, and with two is much to compile: long code, many loops, and
/// what each thread has in memory of its own, whose addresses are four vectors of 64 bits where others are none.
bool is_of_one_vector(const ptx::Function& kernel) {
    constexpr std::size_t kMany = 250, kManyLoops = 6;
    std::size_t loops = 0;
    for (std::size_t k = 0; k < kernel.instructions.size(); ++k)
        loops += goes_back(kernel, k) ? 1 : 0;
    return kernel.instructions.size() > kMany || loops >= kManyLoops ||
           std::any_of(kernel.variables.begin(), kernel.variables.end(),
                       [](const ptx::Variable& v) { return v.space == ptx::Space::local; });
}

/// A module in which a kernel is the only function with a body.
ptx::Module alone(const ptx::Module& module, ptx::FunctionId kernel, ptx::Function function) {
    ptx::Module copy;
    copy.version_major = module.version_major;
    copy.version_minor = module.version_minor;
    copy.target = module.target;
    copy.target_suffix = module.target_suffix;
    copy.address_size = module.address_size;
    copy.debug = module.debug;
    copy.files = module.files;
    copy.locations = module.locations;
    for (const ptx::Variable& v : module.variables) { // their initial values are the loader's
        ptx::Variable& known = copy.variables.emplace_back();
        known.name = v.name;
        known.space = v.space;
        known.type = v.type;
        known.vector_width = v.vector_width;
        known.linkage = v.linkage;
        known.unsized = v.unsized;
        known.size = v.size;
        known.alignment = v.alignment;
    }
    copy.functions.resize(module.functions.size());
    copy.functions[kernel] = std::move(function);
    return copy;
}

/// LLVM makes vectors of the innermost loop alone.
Threads threads_of(const Unit& unit) {
    if (unit.lanes) return Threads::side_by_side;
    const auto& functions = unit.analysis.reachable.functions;
    const bool inner = std::any_of(functions.begin(), functions.end(),
                                   [&](ptx::FunctionId f) { return unit.analysis.functions[f].has_loop; });
    return inner || unit.mode == Mode::coroutine ? Threads::one_by_one : Threads::in_a_loop;
}

} // namespace

LaneChoice lanes_for(const ptx::Function& kernel, unsigned given) {
    if (given == 1) return {};
    if (std::any_of(kernel.instructions.begin(), kernel.instructions.end(), is_warp_operation))
        return {kWarpLanes, kWarpLanes};
    if (given > 1) return {given, given};
    // Two vectors side by side keep the host busier than one; more only save changing from one to the other.
    const unsigned width = host_width();
    if (is_of_packed_halves(kernel)) return {width, width};
    constexpr unsigned kFloatsOfLine = 16; // of memory: two of them at once are slower than one
    if (width == kFloatsOfLine && moves_memory(kernel)) return {width, width};
    if (meets_in_all_loops(kernel)) return {kWarpLanes, width};
    return {is_of_one_vector(kernel) ? width : 2 * width, width};
}

std::unique_ptr<CompiledKernel> compile(const ptx::Module& given, ptx::FunctionId kernel,
                                        const VariableAddresses& addresses, const Options& options) {
    if (kernel >= given.functions.size() || !given.functions[kernel].kernel || !given.functions[kernel].defined)
        throw std::runtime_error("not a kernel");
    Analysis analysis = analyse(given, kernel);
    ptx::Module without_calls;
    std::vector<Site> origins;
    if (options.width > 1)
        if (auto inlined = inline_calls(given, kernel, analysis)) {
            without_calls = alone(given, kernel, std::move(inlined->function));
            origins = std::move(inlined->origins);
            analysis = analyse(without_calls, kernel);
        }
    const ptx::Module& module = origins.empty() ? given : without_calls;
    std::optional<LanePlan> lanes;
    if (options.width > 1) {
        auto plan = plan_lanes(module.functions[kernel], analysis.functions[kernel], options.width);
        const auto none = [&](const std::string& why) {
            if (options.why_not) *options.why_not = why;
            return nullptr;
        };
        if (const auto* why = std::get_if<std::string>(&plan)) return none(*why);
        lanes = std::get<LanePlan>(std::move(plan));
        if (const char* why = gains_nothing(module.functions[kernel], *lanes); why && !options.wherever)
            return none(why);
    }
    Mode mode = options.mode;
    const bool waits = lanes ? lanes->has_barriers || lanes->spins : analysis.kernel_waits;
    if (mode == Mode::automatic) mode = waits ? Mode::coroutine : Mode::loop;
    if (mode == Mode::loop && waits)
        throw std::runtime_error("kernel '" + module.functions[kernel].name + "' waits: it cannot run as a loop");

    MemoryHabits habits;
    if (lanes) {
        const ptx::ParameterLayout layout = ptx::layout_parameters(module.functions[kernel].parameters);
        for (const ParameterPlace& p : lanes->streams)
            habits.streams.push_back(layout.offsets.at(p.parameter) + static_cast<std::uint64_t>(p.offset));
        habits.strides = !lanes->takes_turns.empty();
        habits.moves_memory = jit::moves_memory(module.functions[kernel]);
    }

    const bool kept = !options.cache_directory.empty() && !options.source.empty();
    const ObjectCache cache(kept ? options.cache_directory : std::string());
    const std::string key = kept ? ObjectCache::key(options, mode, module.functions[kernel].name) : std::string();
    const std::vector<const char*> entries =
        mode == Mode::loop ? std::vector{kBlockSymbol} : std::vector{kThreadSymbol, kRoundSymbol};
    std::vector<Symbol> variables;
    for (const ptx::VariableId v : analysis.reachable.variables)
        if (v < addresses.size() && addresses[v] != 0) variables.push_back({Unit::symbol_of(v), addresses[v]});
    if (auto found = cache.find(key)) {
        try {
            auto object = load_object(std::move(found->object), entries, variables);
            return std::make_unique<Kernel>(mode, options.width, std::move(found->map), std::move(object), analysis,
                                            origins, habits, true);
        } catch (const std::runtime_error&) { // whole but does not link here: a miss as well
        }
    }

    Unit unit(module, kernel, mode, options, std::move(analysis));
    unit.lanes = std::move(lanes);
    std::unique_ptr<llvm::TargetMachine> machine = make_target_machine(0);
    prepare(*unit.ir, *machine); // the data layout, before types are laid out
    emit_kernel(unit);
    prepare(*unit.ir, *machine);
    dump(*unit.ir, "emitted");

    for (const ptx::VariableId v : unit.analysis.reachable.variables)
        if (unit.ir->getNamedGlobal(Unit::symbol_of(v)) && (v >= addresses.size() || addresses[v] == 0))
            throw std::runtime_error("variable '" + module.variables[v].name + "' has no address");

    const std::size_t instructions = count_instructions(*unit.ir);
    if (is_optimised_less(instructions)) machine = make_target_machine(instructions);
    optimise(*unit.ir, *machine, instructions, threads_of(unit));
    dump(*unit.ir, "optimised");
    std::unique_ptr<llvm::MemoryBuffer> object = make_object(*unit.ir, *machine, threads_of(unit));
    CodeMap map = read_code_map(object->getBuffer(), entries[0]);
    cache.keep(key, map, object->getBuffer());
    auto loaded = load_object(std::move(object), entries, variables);
    return std::make_unique<Kernel>(mode, options.width, std::move(map), std::move(loaded), unit.analysis, origins,
                                    habits, false);
}

} // namespace warplight::jit
