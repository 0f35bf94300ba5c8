// SPDX-License-Identifier: Apache-2.0
#include "address_space.hpp"
#include "background_compilation.hpp"
#include "check_settings.hpp"
#include "configuration.hpp"
#include "context.hpp"
#include "device.hpp"
#include "failure.hpp"
#include "launch_length.hpp"
#include "module.hpp"
#include "platform.hpp"
#include "software/jit/abi/device_runtime.hpp"
#include "software/jit/tier.hpp"
#include "software/ptx/waiting_loops.hpp"
#include "work_races.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace warplight::software {

namespace {
void log_strategy(const std::string& kernel, const jit::Strategy& strategy) {
    if (configuration().log)
        std::fprintf(stderr, "[warplight] kernel '%s' runs %s\n", kernel.c_str(), strategy.sentence().c_str());
}
/// What checks do to a kernel would be counted as well.
bool is_to_be_profiled() { return (requested_profile() || requests_warp()) && !requested_checks().any(); }

} // namespace

Function::Function(Module& owner, ptx::FunctionId number)
    : module(owner), id(number), reachable(ptx::reachable_from(owner.ptx, number)),
      shared(ptx::layout_shared(owner.ptx, reachable)), parameters(ptx::layout_parameters(ptx().parameters)) {
    const DeviceLimits& limits = owner.context.device.limits;
    for (const ptx::FunctionId f : reachable.functions) {
        const ptx::Function& function = owner.ptx.functions[f];
        for (const ptx::Variable& v : function.variables) {
            if (v.space == ptx::Space::local) local_bytes += v.size;
        }
        if (function.defined) registers = std::max(registers, ptx::estimate_registers(function));
    }
    for (const ptx::VariableId v : reachable.variables) {
        if (owner.ptx.variables[v].space == ptx::Space::constant) constant_bytes += owner.ptx.variables[v].size;
    }
    for (const auto& entry : shared.entries) {
        const ptx::Variable& v = entry.module_scope ? owner.ptx.variables[entry.variable]
                                                    : owner.ptx.functions[entry.function].variables[entry.variable];
        shared_alignment = std::max<std::uint64_t>(shared_alignment, v.alignment);
    }
    registers = std::clamp(registers, 8U, ptx().max_registers ? std::min(ptx().max_registers, 255U) : 255U);
    max_threads = static_cast<unsigned>(limits.threads_per_block);
    for (const auto& bound : {ptx().max_threads, ptx().required_threads}) {
        if (bound[0] == 0) continue;
        const std::uint64_t threads = std::uint64_t{bound[0]} * std::max(bound[1], 1U) * std::max(bound[2], 1U);
        max_threads = static_cast<unsigned>(std::min<std::uint64_t>(max_threads, threads));
    }
    candidates_ = jit::lane_candidates(ptx(), configuration().lanes);
    const auto statically = static_cast<int>(shared.static_size);
    max_dynamic_shared_ = std::max(limits.shared_per_block - statically, 0);
}

const ptx::Function& Function::ptx() const { return module.ptx.functions[id]; }

std::array<unsigned, 3> Function::cluster() const {
    const auto& required = ptx().required_cluster;
    if (required[0] != 0) return required;
    std::array<unsigned, 3> set{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        set[axis] = static_cast<unsigned>(cluster_[axis].load());
    return set;
}

std::optional<int> Function::attribute(int attribute) const {
    const ptx::Function& f = ptx();
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: return static_cast<int>(max_threads);
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: return static_cast<int>(shared.static_size);
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: return static_cast<int>(constant_bytes);
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: return static_cast<int>(local_bytes);
    case CU_FUNC_ATTRIBUTE_NUM_REGS: return static_cast<int>(registers);
    // The virtual architecture that the PTX was made for, and the one it was compiled to.
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: return static_cast<int>(module.ptx.target);
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: return static_cast<int>(module.context.device.capability);
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: return 0;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: return max_dynamic_shared_;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: return carveout_;
    case 10: return f.explicit_cluster ? 1 : 0; // CLUSTER_SIZE_MUST_BE_SET
    case 11:                                    // REQUIRED_CLUSTER_WIDTH, HEIGHT, DEPTH
    case 12:
    case 13: {
        const auto axis = static_cast<std::size_t>(attribute - 11);
        return f.required_cluster[0] != 0 ? static_cast<int>(f.required_cluster[axis]) : cluster_[axis].load();
    }
    case 14: return large_clusters_ ? 1 : 0; // NON_PORTABLE_CLUSTER_SIZE_ALLOWED
    case 15: return cluster_policy_;         // CLUSTER_SCHEDULING_POLICY_PREFERENCE
    default: return std::nullopt;
    }
}

void Function::set_attribute(int attribute, int value) {
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: {
        const int most = module.context.device.limits.shared_per_block_opt_in - static_cast<int>(shared.static_size);
        if (value < 0 || value > most) {
            fail(CUDA_ERROR_INVALID_VALUE, "more shared memory than a block can have: " + std::to_string(value) +
                                               " of " + std::to_string(std::max(most, 0)) + " bytes");
        }
        max_dynamic_shared_ = value;
        return;
    }
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        if (value < -1 || value > 100) fail(CUDA_ERROR_INVALID_VALUE);
        carveout_ = value;
        return;
    case 11: // REQUIRED_CLUSTER_WIDTH, HEIGHT, DEPTH
    case 12:
    case 13: {
        const auto axis = static_cast<std::size_t>(attribute - 11);
        const auto& required = ptx().required_cluster;
        if (value < 0 || (required[0] != 0 && static_cast<unsigned>(value) != required[axis]))
            fail(CUDA_ERROR_INVALID_VALUE, "the kernel's clusters have another size");
        cluster_[axis] = value;
        return;
    }
    case 14: large_clusters_ = value != 0; return; // NON_PORTABLE_CLUSTER_SIZE_ALLOWED
    case 15:                                       // CLUSTER_SCHEDULING_POLICY_PREFERENCE
        if (value < 0 || value > 2) fail(CUDA_ERROR_INVALID_VALUE);
        cluster_policy_ = value;
        return;
    default: fail(CUDA_ERROR_INVALID_VALUE, "this attribute of a function cannot be set");
    }
}

Function::Legacy Function::legacy() {
    const std::scoped_lock lock(legacy_mutex_);
    return legacy_;
}

jit::Options Function::options(findings::Checks checks, bool profiled) const {
    jit::Options options;
    options.arithmetic = checks.has_doubtful_arithmetic()          ? jit::ArithmeticTests::all
                         : checks.has(findings::Check::arithmetic) ? jit::ArithmeticTests::certain
                                                                   : jit::ArithmeticTests::none;
    options.follows_values = checks.has(findings::Check::init);
    options.checks_accesses = checks.has(findings::Check::memory) || options.follows_values;
    options.traces_accesses = checks.has(findings::Check::race);
    // What the kernel only reads, another launch may write beside it.
    options.traces_reads =
        options.traces_accesses && (WorkRaces::instance().has_several_streams() || module_launches_kernels());
    options.follows_waits = checks.has(findings::Check::sync) && waits_in_loops();
    options.profiles = profiled;
    options.cache_directory = configuration().cache_directory;
    options.cache_limit = configuration().cache_limit;
    options.source = module.source;
    options.compute_capability = module.context.device.capability;
    options.walls = AddressSpace::instance().walls();
    return options;
}

namespace {

bool has_grid_barrier(const ptx::Instruction& i) {
    return std::any_of(i.operands.begin(), i.operands.end(), [](const ptx::Operand& x) {
        return x.kind == ptx::Operand::Kind::special &&
               (x.special == ptx::SpecialRegister::envreg1 || x.special == ptx::SpecialRegister::envreg2);
    });
}

/// Has barrier objects, the grid's barrier, or loops that wait for shared memory.
bool waits_for_memory(const ptx::Function& function) {
    const auto& all = function.instructions;
    bool reads_shared = false;
    for (const ptx::Instruction& i : all) {
        if (i.opcode == ptx::Opcode::mbarrier || has_grid_barrier(i)) return true;
        reads_shared |= i.opcode == ptx::Opcode::ld && i.space == ptx::Space::shared;
    }
    if (!reads_shared) return false;
    const std::vector<std::uint32_t> loops = ptx::waiting_loops(function);
    for (std::size_t k = 0; k < all.size(); ++k)
        if (loops[k] != 0 && all[k].opcode == ptx::Opcode::ld && all[k].space == ptx::Space::shared) return true;
    return false;
}

} // namespace

bool Function::module_launches_kernels() const {
    std::call_once(launches_once_, [this] {
        const auto& functions = module.ptx.functions;
        module_launches_kernels_ = std::any_of(functions.begin(), functions.end(), [](const ptx::Function& f) {
            const auto known = f.defined ? std::nullopt : jit::device_function(f.name);
            return known &&
                   (known->call == jit::DeviceCall::launch_device || known->call == jit::DeviceCall::launch_device_v2);
        });
    });
    return module_launches_kernels_;
}

float Function::turns() const {
    std::call_once(turns_once_, [this] { turns_ = turns_of(module.ptx, reachable); });
    return turns_;
}

bool Function::waits_in_loops() const {
    std::call_once(waits_once_, [this] {
        const auto& functions = reachable.functions;
        waits_in_loops_ = std::any_of(functions.begin(), functions.end(),
                                      [this](ptx::FunctionId f) { return waits_for_memory(module.ptx.functions[f]); });
    });
    return waits_in_loops_;
}

Function::Instruments Function::instruments_of(const jit::Options& options) {
    return {options.checks_accesses, options.traces_accesses, options.follows_values, options.arithmetic,
            options.profiles,        options.traces_reads,    options.follows_waits};
}

std::shared_ptr<const jit::CompiledKernel> Function::compiled(jit::AccessReports reports) {
    return compiled_alone(reports,
                          reports == jit::AccessReports::none ? Wish{requested_checks(), is_to_be_profiled()} : Wish{});
}

jit::Strategy Function::make(Code& code, jit::Options options, CodeWanted wanted) const {
    // A single processor would have to do both, one after the other.
    static const bool can_do_both = jit::tier_setting() == jit::TierSetting::automatic && platform::processors() > 1;
    if (can_do_both && wanted == CodeWanted::any)
        options.begin_fast = [&, fast = options] {
            code.fast = BackgroundCompilation::begin([kept = module.kept_ptx, id = id, addresses = module.addresses(),
                                                      fast] { return jit::compile(*kept, id, addresses, fast); });
            return code.fast != nullptr;
        };
    try {
        jit::Compilation made = jit::compile(module.ptx, id, module.addresses(), options);
        if (code.fast) BackgroundCompilation::guard_exit();
        (code.fast ? code.quick : code.kernel) = std::move(made.kernel);
        return std::move(made.strategy);
    } catch (const std::runtime_error&) {
        const auto fast = std::exchange(code.fast, nullptr);
        if (!fast) throw;
        fast->wait();
        jit::Compilation made = fast->take();
        code.kernel = std::move(made.kernel);
        return std::move(made.strategy);
    }
}

std::shared_ptr<const jit::CompiledKernel> Function::choose(Code& code, CodeWanted wanted,
                                                            std::unique_lock<std::mutex>& lock) {
    while (const auto fast = code.fast) {
        if (wanted == CodeWanted::any && !fast->is_done()) return code.quick;
        lock.unlock();
        fast->wait();
        lock.lock();
        if (code.fast != fast) continue; // another thread was here
        code.fast = nullptr;
        try {
            code.kernel = fast->take().kernel;
        } catch (const std::exception&) { // the quick code is as good, but for its speed
            code.kernel = code.quick;
        }
        code.quick = nullptr;
    }
    return code.kernel;
}

void Function::stop_compiling() {
    const std::scoped_lock lock(mutex_);
    const auto stop = [](Code& code) {
        if (!code.fast) return;
        code.fast->cancel();
        code.fast = nullptr;
        code.kernel = std::move(code.quick);
    };
    for (auto& entry : compiled_)
        stop(entry.second);
    for (auto& entry : side_by_side_)
        stop(entry.second);
}

std::shared_ptr<const jit::CompiledKernel> Function::compiled_alone(jit::AccessReports reports, const Wish& wish) {
    jit::Options options = this->options(wish.checks, wish.profiled);
    std::unique_lock lock(mutex_);
    Code& code = compiled_[{reports, instruments_of(options)}];
    if (!code.kernel && !code.fast) {
        options.access_reports = reports;
        if (reports != jit::AccessReports::none) options.mode = jit::Mode::coroutine;
        try {
            (void)make(code, std::move(options), wish.wanted);
        } catch (const std::runtime_error& e) {
            fail(code_of(e, CUDA_ERROR_INVALID_PTX), std::string("kernel '") + ptx().name + "': " + e.what());
        }
    }
    return choose(code, wish.wanted, lock);
}

std::shared_ptr<const jit::CompiledKernel> Function::compiled_to_step() {
    jit::Options options = this->options(findings::Checks(), false);
    options.mode = jit::Mode::coroutine;
    options.steps = true;
    const std::scoped_lock lock(mutex_);
    try {
        if (!to_step_) to_step_ = jit::compile(module.ptx, id, module.addresses(), options).kernel;
    } catch (const std::runtime_error& e) {
        fail(code_of(e, CUDA_ERROR_INVALID_PTX), std::string("kernel '") + ptx().name + "': " + e.what());
    }
    return to_step_;
}

jit::Strategy Function::make_side_by_side(Code& code, jit::Lanes lanes, unsigned most_threads,
                                          jit::GridStride grid_stride, const Wish& wish) const {
    jit::Options options = this->options(wish.checks, wish.profiled);
    options.width = lanes.count;
    options.along_y = lanes.along_y;
    options.most_threads = most_threads;
    options.width_reason = lanes.reason;
    options.grid_stride = grid_stride;
    options.gain = configuration().lanes == 0 && !wish.profiled ? jit::Gain::required : jit::Gain::ignored;
    try {
        return make(code, std::move(options), wish.wanted);
    } catch (const std::runtime_error& e) { // with one lane it may work
        return {{1, jit::LanesReason::obstacle}, e.what()};
    }
}

/// Whole warps where that is possible: their executions need not be put together.
jit::LaneCandidates Function::profiled_candidates() const {
    jit::LaneCandidates candidates = candidates_;
    if (requests_warp()) { // code that runs fewer than 32 side by side tells of each block and access
        if (candidates.reason == jit::LanesReason::warp_operations) return {1, 1, candidates.reason};
        const unsigned lanes = configuration().lanes;
        return {lanes == 0 ? 16 : std::min(lanes, 16U), 1, jit::LanesReason::requested};
    }
    if (configuration().lanes == 0 && candidates.reason != jit::LanesReason::warp_operations)
        candidates = {software::kWarpSize, 8, jit::LanesReason::requested};
    return candidates;
}

void Function::keep_answer(BlockRows block, jit::GridStride grid_stride,
                           const std::shared_ptr<const jit::CompiledKernel>& kernel) {
    const auto order = static_cast<std::size_t>(grid_stride);
    const std::scoped_lock lock(mutex_);
    std::deque<Answer>& answers = answers_.at(order);
    auto found = std::ranges::find(answers, block, &Answer::block);
    if (found == answers.end()) found = answers.insert(answers.end(), {block, kernel});
    last_answer_.at(order).store(&*found, std::memory_order_release);
}

std::shared_ptr<const jit::CompiledKernel> Function::settled_for(BlockRows block, jit::GridStride grid_stride) const {
    if (requested_checks().any() || is_to_be_profiled()) return nullptr;
    const Answer* last = last_answer_.at(static_cast<std::size_t>(grid_stride)).load(std::memory_order_acquire);
    return last && last->block == block ? last->kernel : nullptr;
}

std::shared_ptr<const jit::CompiledKernel> Function::compiled_for(BlockRows block, jit::GridStride grid_stride,
                                                                  CodeWanted wanted) {
    const Wish instrumented{requested_checks(), is_to_be_profiled()};
    if (instrumented.checks.any() || instrumented.profiled) return find_compiled(block, grid_stride, instrumented);
    if (auto kernel = settled_for(block, grid_stride)) return kernel;
    auto kernel = find_compiled(block, grid_stride, {{}, false, wanted});
    if (!kernel->is_quick()) keep_answer(block, grid_stride, kernel);
    return kernel;
}

std::shared_ptr<const jit::CompiledKernel> Function::find_compiled(BlockRows block, jit::GridStride grid_stride,
                                                                   const Wish& wish) {
    if (grid_stride == jit::GridStride::alone)
        if (const jit::Lanes lanes = lanes_along_y(block, wish); lanes.along_y)
            if (auto kernel = compiled_side_by_side(lanes, 0, grid_stride, wish)) return kernel;
    const jit::BlockCandidates candidates = wish.profiled       ? jit::BlockCandidates{profiled_candidates()}
                                            : wish.checks.any() ? jit::BlockCandidates{candidates_}
                                                                : block_candidates(block.x);
    jit::Lanes lanes = candidates.lanes.for_extent(block.x);
    if (options(wish.checks, wish.profiled).follows_waits) lanes = {1, jit::LanesReason::requested};
    if (lanes.reason == jit::LanesReason::extent && lanes.count == 1 && configuration().log &&
        !logged_extent_.exchange(true))
        log_strategy(ptx().name, {lanes});
    if (lanes.count > 1) {
        const unsigned most_threads = candidates.most_threads;
        if (auto kernel = compiled_side_by_side(lanes, most_threads, grid_stride, wish)) return kernel;
    }
    if (grid_stride != jit::GridStride::alone) return find_compiled(block, jit::GridStride::alone, wish);
    return compiled_alone(jit::AccessReports::none, wish);
}

jit::BlockCandidates Function::block_candidates(unsigned extent) {
    const std::scoped_lock lock(mutex_);
    const auto [place, is_new] = block_candidates_.try_emplace(std::bit_ceil(extent));
    if (is_new) place->second = jit::block_candidates(ptx(), configuration().lanes, extent);
    return place->second;
}

jit::Lanes Function::lanes_along_y(BlockRows block, const Wish& wish) {
    if (wish.checks.any() || wish.profiled || block.y == 1) return {};
    const std::scoped_lock lock(mutex_);
    if (!candidates_along_y_) candidates_along_y_ = jit::candidates_along_y(module.ptx, id, configuration().lanes);
    if (!*candidates_along_y_) return {};
    jit::Lanes lanes = (*candidates_along_y_)->for_extent(block.y);
    lanes.along_y = lanes.count > 1;
    return lanes;
}

/// Null: threads have to run one by one.
std::shared_ptr<const jit::CompiledKernel> Function::compiled_side_by_side(jit::Lanes lanes, unsigned most_threads,
                                                                           jit::GridStride grid_stride,
                                                                           const Wish& wish) {
    std::shared_ptr<const jit::CompiledKernel> kernel;
    jit::Lanes fewer;
    {
        std::unique_lock lock(mutex_);
        const auto [place, is_new] = side_by_side_.try_emplace({lanes.count, lanes.along_y, most_threads, grid_stride,
                                                                instruments_of(options(wish.checks, wish.profiled))});
        if (is_new) {
            const jit::Strategy strategy = make_side_by_side(place->second, lanes, most_threads, grid_stride, wish);
            const bool is_fewer = strategy.lanes.count > 1 && strategy.lanes.count < lanes.count;
            if (is_fewer) place->second.fewer = strategy.lanes;
            if (!is_fewer) log_strategy(ptx().name, strategy);
        }
        fewer = place->second.fewer;
        kernel = choose(place->second, wish.wanted, lock);
    }
    if (fewer.count > 1) return compiled_side_by_side(fewer, most_threads, grid_stride, wish);
    // Where some of the lanes meet, they are looked at one by one.
    const bool is_alone = kernel && wish.checks.has(findings::Check::sync) && !kernel->meets_whole();
    return is_alone && compiled()->start_thread() ? nullptr : kernel;
}

} // namespace warplight::software
