// SPDX-License-Identifier: Apache-2.0
#include "coroutine_worker.hpp"

#include "files/thread_object.hpp"
#include "shared_window.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

namespace warplight::software {

CoroutineWorker::CoroutineWorker(Launch& launch, unsigned index, const SumCopies& sums, HeldStores* held)
    : l_(launch), index_(index), sums_(sums), held_(held), code_(Launch::code_of_kernel(*launch.kernel_)),
      found_(launch.found_ranges()) {
    if (launch.profile_) profile_.emplace(*launch.profile_);
}

void CoroutineWorker::run() {
    const auto start = l_.time_to_note();
    while (!l_.stop_) {
        if (residents_.empty() && !admit_first()) break;
        if (at_ >= residents_.size()) at_ = 0;
        Trap trap;
        if (!run_guarded(take_turns, this, trap, code_)) {
            report_trap(trap, *residents_[at_]);
            break;
        }
        if (!note(*residents_[at_], result_)) continue;
        ++at_;
        if (idle_ < residents_.size()) continue;
        // No block here makes progress. They may wait for a block that has not begun, or for one of another
        // worker.
        idle_ = 0;
        if (residents_.size() < l_.most_resident_ && admit())
            at_ = residents_.size() - 1;
        else if (is_grid_stuck())
            break;
        else
            std::this_thread::yield();
    }
    if (l_.cancelled_ && !residents_.empty()) l_.report_cancelled(*residents_[std::min(at_, residents_.size() - 1)]);
    l_.note_time(index_, ended_, start);
    give_windows_back();
}

void CoroutineWorker::take_turns(void* argument) {
    auto& self = *static_cast<CoroutineWorker*>(argument);
    // Blocks in a grid-stride loop take thousands of short turns. Others are done after one.
    for (;;) {
        BlockScheduler& block = *self.residents_[self.at_];
        self.result_ = self.take_turn(block);
        if (self.l_.stop_) return;
        if (self.result_ == BlockScheduler::Turn::finished && self.begin_another(block)) continue;
        if (self.result_ != BlockScheduler::Turn::working) return;
        (void)self.note(block, self.result_);
        if (++self.at_ == self.residents_.size()) self.at_ = 0;
    }
}

BlockScheduler::Turn CoroutineWorker::take_turn(BlockScheduler& block) {
    // The next block may have begun in another place.
    const bool is_next = block.number() + 1 == next_.begin && !profile_ && !l_.values();
    const std::uint64_t following = is_next ? next_.end - next_.begin : 0;
    block.following = following;
    const BlockScheduler::Turn result = block.turn();
    const std::uint64_t gone = following - block.following;
    next_.begin += gone;
    ended_ += gone;
    return result;
}

bool CoroutineWorker::begin_another(BlockScheduler& block) {
    if (!block.is_as_new() || block.cluster() || profile_ || l_.values()) return false;
    const auto number = take_next();
    if (!number) return false;
    ++ended_;
    idle_ = 0;
    block.begin_another(*number);
    return true;
}

namespace {

using KeptSchedulers = std::vector<std::unique_ptr<BlockScheduler>>;

/// The schedulers that the thread's last launches have left for the next one: most of what a small launch would ask
/// memory for. Where blocks take turns there are several: workers who asked the system for the memory of all anew
/// would wait for each other there.
KeptSchedulers& kept_schedulers() { return files::thread_object<KeptSchedulers>(); }

constexpr std::uint64_t kMostKept = std::uint64_t{8} << 20; ///< bytes that they may keep together

std::uint64_t bytes_of(const BlockScheduler& block) { return block.arena.bytes() + block.locals.bytes(); }

} // namespace

std::unique_ptr<BlockScheduler> CoroutineWorker::take_spare() {
    if (spare_.empty()) {
        KeptSchedulers& kept = kept_schedulers();
        std::unique_ptr<BlockScheduler> made;
        if (kept.empty()) {
            made = std::make_unique<BlockScheduler>();
        } else {
            made = std::move(kept.back());
            kept.pop_back();
        }
        made->stop = &l_.stop_;
        return made;
    }
    std::unique_ptr<BlockScheduler> block = std::move(spare_.back());
    spare_.pop_back();
    return block;
}

void CoroutineWorker::begin(BlockScheduler& block, std::byte* shared, std::uint64_t number) {
    block.found_ranges = found_.data();
    block.sums = &sums_.all();
    block.held_stores = HeldStores::for_code(held_);
    block.meetings = l_.meetings();
    // A block that runs ahead hides races: those that wait for it would see all that it has done since.
    if (l_.checks_ && l_.checks_->races()) block.takes_short_turns = true;
    if (profile_) block.prepare = [this, &block](BlockContext& context) { profile_->block(&block).begin(context); };
    if (l_.steps_) {
        block.rounds = &*l_.steps_;
        std::memset(shared, 0, l_.shared_bytes_); // so that each time is the same
    }
    block.begin(l_.launch_, l_.kernel_->start_thread(), l_.kernel_->run_round(), shared, number,
                index_ % l_.launch_.nsmid, l_.kernel_->width());
    if (const InitChecks* values = l_.values()) values->begin(block.block());
}

std::optional<std::uint64_t> CoroutineWorker::take_next() {
    if (next_.begin == next_.end) {
        const auto range = l_.ranges_->take(index_);
        if (!range) return std::nullopt;
        next_ = *range;
    }
    return next_.begin++;
}

bool CoroutineWorker::admit_first() {
    if (!admit()) return false;
    while (residents_.size() < l_.together_ && admit()) {
    }
    return true;
}

bool CoroutineWorker::admit() {
    const auto number = take_next();
    if (!number) return false;
    if (l_.launch_.cluster_blocks > 1) return admit_cluster(*number);
    std::unique_ptr<BlockScheduler> block = take_spare();
    if (!block->window) block->window = WindowPool::take();
    std::byte* shared = l_.fit(*block->window);
    if (!shared) return false;
    begin(*block, shared, *number);
    residents_.push_back(std::move(block));
    return true;
}

bool CoroutineWorker::admit_cluster(std::uint64_t number) {
    auto cluster = std::make_shared<ClusterOfBlocks>();
    cluster->window = WindowPool::take(l_.launch_.cluster_blocks);
    std::byte* first = l_.fit(*cluster->window);
    for (std::uint32_t rank = 0; rank < l_.launch_.cluster_blocks; ++rank) {
        std::byte* shared = l_.fit(*cluster->window, rank);
        if (!shared) return false;
        std::unique_ptr<BlockScheduler> block = take_spare();
        begin(*block, shared, block_of_cluster(l_.launch_, number, rank));
        block->join(cluster, first);
        residents_.push_back(std::move(block));
    }
    return true;
}

bool CoroutineWorker::note(BlockScheduler& block, BlockScheduler::Turn result) {
    ClusterOfBlocks* cluster = block.cluster();
    if (cluster && result != BlockScheduler::Turn::waiting) cluster->quiet = 0;
    switch (result) {
    case BlockScheduler::Turn::finished:
        if (MeetingObserver* meetings = l_.meetings()) meetings->ends(block);
        if (profile_) profile_->block(&block).ends();
        if (cluster) {
            cluster->leave(block);
            if (cluster->blocks == 0) WindowPool::put(std::move(cluster->window));
        }
        spare_.push_back(std::move(residents_[at_]));
        residents_.erase(residents_.begin() + static_cast<std::ptrdiff_t>(at_));
        idle_ = 0;
        ++ended_;
        return false;
    case BlockScheduler::Turn::waiting:
        // Where all blocks of a cluster wait for each other nobody ever goes on.
        if (cluster && ++cluster->quiet <= cluster->blocks) {
            ++idle_;
            if (l_.follows_waits() && l_.checks_->sync().waits().waits_for_ever(block)) return fail_stuck(block);
            return true;
        }
        [[fallthrough]];
    case BlockScheduler::Turn::stuck: return fail_stuck(block);
    case BlockScheduler::Turn::working: idle_ = 0; break;
    case BlockScheduler::Turn::idle:
        ++idle_;
        if (l_.follows_waits() && l_.checks_->sync().waits().waits_for_ever(block)) return fail_stuck(block);
        break;
    }
    return true;
}

bool CoroutineWorker::fail_stuck(BlockScheduler& block) {
    if (MeetingObserver* meetings = l_.meetings())
        for (const BlockScheduler* each : block.blocks_together().members)
            if (each) meetings->is_stuck(*each);
    l_.fail_with({CUDA_ERROR_LAUNCH_FAILED, describe_deadlock(l_.function_, *l_.kernel_, block)});
    tell_stepper(block, block.current());
    return false;
}

bool CoroutineWorker::is_grid_stuck() {
    if (!l_.follows_waits() || !l_.running_.grid.request.cooperative) return false;
    std::vector<const BlockScheduler*> all;
    for (const auto& block : residents_)
        all.push_back(block.get());
    if (!l_.checks_->sync().waits().wait_for_ever(all)) return false;
    for (const BlockScheduler* each : all)
        l_.meetings()->is_stuck(*each);
    l_.fail_with({CUDA_ERROR_LAUNCH_FAILED, describe_deadlock(l_.function_, *l_.kernel_, *residents_.front())});
    return true;
}

void CoroutineWorker::report_trap(const Trap& trap, BlockScheduler& scheduler) {
    std::optional<std::uint32_t> thread;
    if (trap.linear != UINT32_MAX)
        thread = trap.linear;
    else if (l_.kernel_->width() == 1)
        thread = scheduler.current();
    const BlockContext& block = scheduler.block();
    l_.report(trap, scheduler.number(), block.shared, thread, l_.is_of_no_block(trap, block));
    if (trap.fault != Fault::cancelled) tell_stepper(scheduler, scheduler.current());
}

void CoroutineWorker::tell_stepper(BlockScheduler& block, std::uint32_t thread) {
    if (!l_.steps_) return;
    l_.steps_->fail(block, thread, block.threads()[thread].site, l_.failure_.message);
}

void CoroutineWorker::give_windows_back() {
    for (Blocks* list : {&residents_, &spare_})
        for (auto& block : *list) {
            if (block->window) WindowPool::put(std::move(block->window));
            if (ClusterOfBlocks* cluster = block->cluster(); cluster && cluster->window)
                WindowPool::put(std::move(cluster->window));
        }
    KeptSchedulers& kept = kept_schedulers();
    std::uint64_t bytes = 0;
    for (const auto& block : kept)
        bytes += bytes_of(*block);
    for (auto& block : spare_) {
        if (bytes + bytes_of(*block) > kMostKept) continue;
        bytes += bytes_of(*block);
        block->forget_launch();
        kept.push_back(std::move(block));
    }
    spare_.clear();
}

} // namespace warplight::software
