// SPDX-License-Identifier: Apache-2.0
#include "launch.hpp"

#include "address_space.hpp"
#include "block_scheduler.hpp"
#include "check_settings.hpp"
#include "configuration.hpp"
#include "coroutine_worker.hpp"
#include "device.hpp"
#include "kernel_launch.hpp"
#include "local_memory.hpp"
#include "occupancy.hpp"
#include "platform.hpp"
#include "services.hpp"
#include "step_settings.hpp"
#include "sum_copies.hpp"
#include "summary.hpp"
#include "texture.hpp"
#include "workers.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <tuple>

namespace warplight::software {
namespace {

constexpr std::uint64_t kSmallLaunch = 4096; ///< threads: not worth waking workers for, as long as nobody knows more
constexpr float kWorthAWorker = 4000;        ///< nanoseconds of work: waking one takes about as long
constexpr std::uint64_t kChunksAWorker = 16;
constexpr std::uint64_t kLeastPart = 16; ///< of a chunk, towards the end
/// Sixteen blocks of 256 threads with four bytes each are four pages of memory: few prefetches go beyond them.
constexpr std::uint64_t kBlocksTogether = 16;

void exchange_axes(LaunchContext& launch) {
    for (auto* extents : {launch.ntid, launch.nctaid, launch.cluster, launch.nclusters})
        std::swap(extents[0], extents[1]);
}

/// The number of a block of the grid, or of a thread of its block, once x and y are exchanged.
std::uint64_t exchanged_number(const std::uint32_t (&extents)[3], std::uint64_t number) {
    const std::uint64_t x = number % extents[0], rest = number / extents[0];
    const std::uint64_t y = rest % extents[1], z = rest / extents[1];
    return y + extents[1] * (x + extents[0] * z);
}

} // namespace

class Launch::Interruptible {
public:
    Interruptible(Launch& launch, unsigned index) : place_(launch.places_[index]) {
        const std::scoped_lock lock(place_.mutex);
        place_.thread = &thread_;
    }
    ~Interruptible() {
        const std::scoped_lock lock(place_.mutex);
        place_.thread = nullptr;
    }
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;

private:
    WorkerPlace& place_;
    InterruptibleThread thread_;
};

struct Launch::GridWorkspace {
    std::uint32_t size = sizeof(GridWorkspace);
    std::uint32_t barrier = 0;
};

struct Launch::Chunk {
    jit::CompiledKernel::RunBlock run;
    const std::atomic<bool>* stop;
    BlockContext block;
    std::uint64_t next, end;
    std::uint32_t most_joined; ///< blocks that the code does at once
    RaceChecks* races;         ///< null: none are looked for
    const InitChecks* values;  ///< null: they are not followed
};

Launch::Launch(Grid& owner)
    : running_{owner.context(), owner}, function_(*owner.request.function.function),
      stepper_(owner.depth == 0 ? requested_stepper() : nullptr),
      kernel_(stepper_ ? function_.compiled_to_step() : kernel_for(owner.request)),
      parameters_(owner.request.parameters.data(), owner.request.parameters.size()) {
    Context& context = owner.context();
    const LaunchRequest& request = owner.request;
    const auto& grid = request.grid;
    const auto& block = request.block;
    launch_.parameters = parameters_.data();
    std::tie(launch_.local_begin, launch_.local_bytes) = local_range();
    std::copy(block.begin(), block.end(), launch_.ntid);
    std::copy(grid.begin(), grid.end(), launch_.nctaid);
    launch_.grid_id = context.next_grid_id();
    launch_.block_threads = block[0] * block[1] * block[2];
    launch_.static_shared = static_cast<std::uint32_t>(function_.shared.static_size);
    launch_.dynamic_shared = static_cast<std::uint32_t>(request.dynamic_shared);
    launch_.nsmid = static_cast<std::uint32_t>(context.device.multiprocessors);
    launch_.cooperative = request.cooperative;
    const std::array<unsigned, 3> cluster = request.cluster.value_or(std::array{1U, 1U, 1U});
    launch_.cluster_blocks = cluster[0] * cluster[1] * cluster[2];
    launch_.explicit_cluster = request.cluster.has_value();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        launch_.cluster[axis] = cluster[axis];
        launch_.nclusters[axis] = grid[axis] / cluster[axis];
    }
    if (kernel_->exchanges_axes()) exchange_axes(launch_);
    if (function_.reachable.uses_reserved_shared) {
        launch_.reserved_shared = (launch_.static_shared + launch_.dynamic_shared + 127) / 128 * 128;
        shared_bytes_ = std::uint64_t{launch_.reserved_shared} + kReservedShared;
    } else {
        shared_bytes_ = std::uint64_t{launch_.static_shared} + launch_.dynamic_shared;
    }
    launch_.spare_shared = static_cast<std::uint32_t>((shared_bytes_ + 127) / 128 * 128);
    launch_.launch = &running_;
    if (request.cooperative) {
        const GridWorkspace workspace;
        workspace_.emplace(reinterpret_cast<const std::byte*>(&workspace), sizeof workspace);
        const auto address = reinterpret_cast<std::uint64_t>(workspace_->data());
        launch_.envreg[1] = static_cast<std::uint32_t>(address >> 32);
        launch_.envreg[2] = static_cast<std::uint32_t>(address);
    }
    launch_.non_temporal = non_temporal_memory(*kernel_, request);
    if (kernel_->follows_values()) {
        ShadowMemory::instance().turn_on();
        launch_.shadow_distance = AddressSpace::instance().shadow_distance();
    }
    if (stepper_) {
        steps_.emplace(*stepper_, owner, function_, *kernel_, launch_, shared_bytes_, stop_);
    } else if (const findings::Checks checks = requested_checks(); kernel_->checks_accesses() || checks.any()) {
        checks_.emplace(context, checks, function_, *kernel_, launch_, request.parameters.size(), shared_bytes_);
        launch_.parameter_ranges = checks_->parameter_ranges();
        launch_.checks = &*checks_;
        if (RaceChecks* races = checks_->races()) races->set_asked(request.asked);
    }
    if (kernel_->profiles()) profile_.emplace(function_, *kernel_, launch_, shared_bytes_);
    blocks_ = std::uint64_t{grid[0]} * grid[1] * grid[2];
    resident_ = blocks_;
    if (!request.cooperative && kernel_->mode() == jit::Mode::coroutine) {
        const int each = resident_blocks(function_, static_cast<int>(launch_.block_threads), request.dynamic_shared);
        resident_ =
            static_cast<std::uint64_t>(std::max(each, 1)) * static_cast<std::uint64_t>(context.device.multiprocessors);
    }
    context.add_running(*this);
}

void Launch::cancel() {
    cancelled_ = true;
    stop_ = true;
    interrupt();
}

void Launch::interrupt() {
    const std::scoped_lock again(interrupts_mutex_);
    std::vector<std::unique_lock<std::mutex>> locks; // the threads stay while they are interrupted
    std::vector<const InterruptibleThread*> threads;
    locks.reserve(place_count_);
    threads.reserve(place_count_);
    for (unsigned k = 0; k < place_count_; ++k) {
        locks.emplace_back(places_[k].mutex);
        if (places_[k].thread) threads.push_back(places_[k].thread);
    }
    InterruptibleThread::interrupt(threads);
}

void Launch::run() {
    const bool counted = summary::is_on();
    const auto begun = counted ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point();
    if (steps_)
        run_in_steps();
    else
        run_blocks();
    if (counted) {
        const LaunchRequest& request = running_.grid.request;
        summary::add_launch(running_.context.device.ordinal, function_.ptx().name, request.grid, request.block,
                            std::chrono::steady_clock::now() - begun);
    }
    if (failed_) throw failure_;
    if (profile_) profile_->finish();
    if (checks_ && checks_->races()) checks_->races()->keep_accesses();
}

void Launch::run_in_steps() {
    do {
        stop_ = failed_ = false;
        if (workspace_) {
            const GridWorkspace workspace;
            std::memcpy(workspace_->data(), &workspace, sizeof workspace);
        }
        steps_->begin();
        run_blocks();
    } while (!cancelled_ && steps_->again(failed_));
    if (steps_->is_cancelled() && !failed_) fail_as_cancelled();
}

void Launch::fail_as_cancelled() {
    fail_with({CUDA_ERROR_LAUNCH_TIMEOUT, "the launch of kernel '" + function_.ptx().name + "' was cancelled"});
}

void Launch::run_blocks() {
    const bool loop = kernel_->mode() == jit::Mode::loop;
    const bool in_order = kernel_->may_wait_for_blocks() || running_.grid.request.cooperative;
    std::uint64_t workers = std::min<std::uint64_t>(configuration().workers, blocks_ / launch_.cluster_blocks);
    if (loop || !in_order) workers = useful_workers(workers);
    // Where blocks wait for each other, one worker sees that none goes on.
    const bool sees_all = follows_waits() && running_.grid.request.cooperative;
    if ((checks_ && checks_->races()) || steps_ || sees_all) workers = 1;
    most_resident_ = running_.grid.request.cooperative ? blocks_ : std::max<std::uint64_t>(resident_ / workers, 2);
    const std::uint64_t chunks = workers == 1 ? 1 : workers * kChunksAWorker;
    // Taking a block waits for the stores of the one before. Blocks with barriers are long enough to take few at once.
    const std::uint64_t most = loop ? 4096 : in_order || launch_.cluster_blocks > 1 || steps_ ? 1 : 16;
    const std::uint64_t chunk = std::clamp<std::uint64_t>(blocks_ / chunks, 1, most);
    const std::uint64_t least = workers == 1 ? chunk : std::max<std::uint64_t>(chunk / kLeastPart, 1);
    ranges_.emplace(loop ? blocks_ : blocks_ / launch_.cluster_blocks, in_order ? 1 : workers, chunk, least);
    if (kernel_->grid_stride() == jit::GridStride::together)
        together_ = std::clamp<std::uint64_t>(blocks_ / workers, 1, std::min(kBlocksTogether, most_resident_));
    if (running_.context.cancelling()) cancelled_ = stop_ = true;
    const SumPlan plan = plan_sums(*kernel_, running_.grid.request, blocks_ * launch_.block_threads, workers);
    std::vector<std::unique_ptr<SumCopies>> copies(plan.is_empty() ? 0 : workers);
    const std::optional<HeldRange> held_range = held_memory(*kernel_, running_.grid.request);
    const auto body = [&](unsigned index) {
        if (ranges_->is_empty()) return;
        const Interruptible here(*this, index);
        const LocalStack::Scope locals;
        if (workers > 1) ranges_->set_group(index, platform::cache_group());
        if (!copies.empty()) copies[index] = std::make_unique<SumCopies>(plan);
        const SumCopies none{SumPlan{}};
        const SumCopies& sums = copies.empty() ? none : *copies[index];
        std::optional<HeldStores> held;
        if (held_range) held.emplace(*held_range);
        if (loop)
            loop_worker(index, sums, held ? &*held : nullptr);
        else
            CoroutineWorker(*this, index, sums, held ? &*held : nullptr).run();
        if (held) held->make_all();
        // Non-temporal stores are complete before the launch is known to have ended.
        if (launch_.non_temporal) std::atomic_thread_fence(std::memory_order_seq_cst);
    };
    make_places(static_cast<unsigned>(workers));
    if (workers == 1)
        body(0);
    else
        run_on_workers(static_cast<unsigned>(workers), body);
    if (!copies.empty() && !add_to_memory(std::move(copies)))
        fail_with({CUDA_ERROR_ILLEGAL_ADDRESS,
                   "an illegal memory access was encountered in sums of kernel '" + function_.ptx().name + "'"});
    if (cancelled_ && !failed_) fail_as_cancelled();
}

std::uint64_t Launch::useful_workers(std::uint64_t most) const {
    if (most <= 1) return most;
    const std::uint64_t threads = blocks_ * launch_.block_threads;
    const float each = function_.nanoseconds_a_thread.load(std::memory_order_relaxed);
    if (each > 0) {
        const float parts = static_cast<float>(threads) * each / kWorthAWorker;
        return parts < static_cast<float>(most) ? std::max<std::uint64_t>(static_cast<std::uint64_t>(parts), 1) : most;
    }
    return kernel_->mode() == jit::Mode::loop && threads <= kSmallLaunch ? 1 : most;
}

void Launch::make_places(unsigned count) {
    if (count <= place_count_) return;
    const std::scoped_lock lock(interrupts_mutex_);
    more_places_ = std::make_unique<WorkerPlace[]>(count); // NOLINT(modernize-avoid-c-arrays)
    places_ = more_places_.get();
    place_count_ = count;
}

void Launch::note_time(unsigned index, std::uint64_t blocks, std::chrono::steady_clock::time_point since) {
    if (index != 0 || blocks == 0 || blocks_ == 1 || kernel_->is_quick()) return;
    const std::chrono::duration<float, std::nano> took = std::chrono::steady_clock::now() - since;
    const auto threads = static_cast<float>(blocks * launch_.block_threads);
    function_.nanoseconds_a_thread.store(took.count() / threads, std::memory_order_relaxed);
}

std::byte* Launch::fit(SharedWindow& window, unsigned rank) {
    const bool has_spare = kernel_->checks_accesses();
    std::byte* shared = window.fit(has_spare ? launch_.spare_shared + std::uint64_t{kSpareShared} : shared_bytes_,
                                   std::max<std::uint64_t>(function_.shared_alignment, 16), rank);
    if (!shared) fail_with({CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "no memory for a block's shared memory"});
    if (has_spare) std::memset(shared + launch_.spare_shared, 0, kSpareRowBytes);
    if (has_spare && launch_.shadow_distance)
        std::memset(shared + launch_.spare_shared + launch_.shadow_distance, 0, kSpareRowBytes);
    return shared;
}

void Launch::run_chunk(void* argument) {
    auto& chunk = *static_cast<Chunk*>(argument);
    BlockContext& block = chunk.block;
    const LaunchContext& launch = *block.launch;
    while (chunk.next < chunk.end && !chunk.stop->load(std::memory_order_relaxed)) {
        if (chunk.values) chunk.values->begin(block);
        if (chunk.races) chunk.races->begins(block);
        const std::uint32_t x = block.ctaid[0];
        const std::uint32_t of_row = std::min(chunk.most_joined, launch.nctaid[0] - x);
        block.joined = static_cast<std::uint32_t>(std::min<std::uint64_t>(of_row, chunk.end - chunk.next));
        chunk.run(&block);
        chunk.next += block.joined;
        block.ctaid[0] = x + block.joined;
        if (block.ctaid[0] < launch.nctaid[0]) continue;
        block.ctaid[0] = 0;
        if (++block.ctaid[1] < launch.nctaid[1]) continue;
        block.ctaid[1] = 0;
        ++block.ctaid[2];
    }
}

void Launch::run_profiled_chunk(void* argument) {
    auto& chunk = *static_cast<Chunk*>(argument);
    auto& profile = *static_cast<LaunchProfile::Block*>(chunk.block.profile);
    const std::uint64_t end = chunk.end;
    for (; chunk.next < end && !chunk.stop->load(std::memory_order_relaxed);) {
        profile.begin(chunk.block);
        chunk.end = chunk.next + 1;
        run_chunk(argument);
        if (chunk.next == chunk.end) profile.ends();
    }
    chunk.end = end;
}

void Launch::loop_worker(unsigned index, const SumCopies& sums, HeldStores* held) {
    auto window = WindowPool::take();
    if (std::byte* shared = fit(*window)) {
        Chunk chunk{kernel_->run_block(), &stop_, {}, 0, 0, 1, checks_ ? checks_->races() : nullptr, values()};
        if (const std::uint32_t threads = kernel_->joined_threads())
            chunk.most_joined = std::max(threads / launch_.ntid[0], 1U);
        chunk.block.traced = &kNothingTraced;
        std::copy(sums.all().begin(), sums.all().end(), chunk.block.sums);
        chunk.block.shared = chunk.block.cluster_shared = shared;
        chunk.block.smid = index % launch_.nsmid;
        std::vector<CheckedRange> found = found_ranges();
        chunk.block.found_ranges = found.data();
        std::optional<LaunchProfile::Worker> profile;
        if (profile_) chunk.block.profile = &profile.emplace(*profile_).block(&chunk);
        const auto start = time_to_note();
        std::uint64_t done = 0;
        while (!stop_) {
            const auto range = ranges_->take(index);
            if (!range) break;
            chunk.next = range->begin;
            chunk.end = range->end;
            done += chunk.end - chunk.next;
            chunk.block.held_stores = HeldStores::for_code(held);
            place_block(chunk.block, launch_, chunk.next);
            Trap trap;
            if (run_guarded(profile_ ? run_profiled_chunk : run_chunk, &chunk, trap, code_of_kernel(*kernel_)))
                continue;
            const std::uint32_t* at = chunk.block.ctaid;
            const std::uint64_t number = at[0] + launch_.nctaid[0] * (at[1] + std::uint64_t{launch_.nctaid[1]} * at[2]);
            report(trap, number, shared, std::nullopt, false, {chunk.next, chunk.next + chunk.block.joined});
            break;
        }
        note_time(index, done, start);
    }
    WindowPool::put(std::move(window));
}

void Launch::fail_with(Failure failure) {
    const std::scoped_lock lock(failure_mutex_);
    if (!failed_) failure_ = std::move(failure);
    failed_ = true;
    stop_ = true;
}

bool Launch::is_of_no_block(const Trap& trap, const BlockContext& block) const {
    if (launch_.cluster_blocks == 1 || trap.fault != Fault::illegal_address || !trap.has_address) return false;
    const std::uint64_t at = trap.address - reinterpret_cast<std::uint64_t>(block.cluster_shared);
    constexpr std::uint64_t reach = std::uint64_t{1} << 32; // of an address with its sign or without
    if (at + reach >= 2 * reach) return false;
    return static_cast<std::uint32_t>(at) >> kClusterStrideBits >= launch_.cluster_blocks;
}

void Launch::report(Trap trap, std::uint64_t number, std::byte* shared, std::optional<std::uint32_t> thread,
                    bool of_no_block, BlockNumbers joined) {
    stop_ = true;
    {
        const std::scoped_lock lock(failure_mutex_);
        if (failed_) return;
    }
    LaunchContext launch = launch_; // as it was asked for
    const auto as_asked = [this](std::uint64_t n) {
        return kernel_->exchanges_axes() ? exchanged_number(launch_.nctaid, n) : n;
    };
    number = as_asked(number);
    if (kernel_->exchanges_axes()) {
        exchange_axes(launch);
        const auto exchanged = [&](std::uint32_t t) { return exchanged_number(launch_.ntid, t); };
        if (thread) thread = static_cast<std::uint32_t>(exchanged(*thread));
        if (trap.linear != UINT32_MAX) trap.linear = static_cast<std::uint32_t>(exchanged(trap.linear));
    }
    FaultPlace place;
    place.shared = reinterpret_cast<std::uint64_t>(shared);
    place.shared_bytes = shared_bytes_;
    place.parameters = launch_.parameters;
    place.site = site_of(*kernel_, trap);
    if (!thread && trap.linear != UINT32_MAX) thread = trap.linear;
    const bool is_told = trap.linear != UINT32_MAX && trap.site != UINT32_MAX;
    // Of a cluster one block alone would wait for the others.
    const bool is_alone = launch_.cluster_blocks == 1 || !thread;
    place.is_near = trap.hardware && trap.fault == Fault::illegal_address;
    if (!is_told && is_alone && !steps_ && trap.fault != Fault::cancelled) {
        bool found = search(trap, {launch, number, shared}, place, thread);
        // A loop of one thread at a time looks behind all joined blocks whether an address was misaligned.
        for (; !found && trap.fault == Fault::misaligned && joined.begin < joined.end; ++joined.begin) {
            const std::uint64_t other = as_asked(joined.begin);
            found = search(trap, {launch, other, shared}, place, thread);
            if (found) number = other;
        }
    }
    BlockContext block{};
    place_block(block, launch, number);
    std::copy(block.ctaid, block.ctaid + 3, place.block.begin());
    if (thread) place.thread = thread_index(launch, *thread);
    const CUresult code = of_no_block ? CUDA_ERROR_LAUNCH_FAILED : code_of(trap);
    fail_with({code, describe_fault(function_, trap, place)});
}

void Launch::report_cancelled(const BlockScheduler& block) {
    Trap trap;
    trap.fault = Fault::cancelled;
    std::optional<std::uint32_t> thread;
    for (const ThreadContext& t : block.threads()) {
        if (t.wait == Wait::done || t.wait == Wait::running) continue;
        trap.site = t.site;
        thread = t.linear;
        if (t.linear == block.current()) break;
    }
    report(trap, block.number(), block.block().shared, thread);
}

bool Launch::search(Trap& trap, const FaultyBlock& block, FaultPlace& place, std::optional<std::uint32_t>& thread) {
    running_.grid.tree.failed = true; // launches of the search do not count either
    const FaultSearch search(function_, block.launch, block.number, block.shared, [this] { interrupt(); });
    const auto found = search.find(trap);
    if (!found) return false;
    trap = found->trap;
    thread = found->thread;
    if (!found->site) return true;
    place.site = found->site;
    place.is_near = false;
    return true;
}

void run_launch(Context& context, const LaunchRequest& request) {
    link_services();
    install_trap_handler();
    const TextureReaders reading; // textures that go while the kernel runs stay until it has ended
    LaunchTree tree(context, [](Grid& grid) { Launch(grid).run(); });
    run_to_completion(std::make_unique<Grid>(tree, request));
}

} // namespace warplight::software
