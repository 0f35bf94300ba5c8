// SPDX-License-Identifier: Apache-2.0
#include "debugger.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <utility>

namespace warplight::debug {
namespace {

constexpr const char* kNothingStands = "Nothing stands still: pause the kernel first.";
constexpr const char* kHasFailed = "The kernel has failed and cannot go on. It can go back.";

std::uint32_t lowest(std::uint32_t lanes) { return static_cast<std::uint32_t>(std::countr_zero(lanes)); }

std::string thread_text(const software::SteppedBlock& block, std::uint32_t thread) {
    const auto index = index_of(block, thread);
    const auto* b = block.context->ctaid;
    return fmt::format("thread ({}, {}, {}) of block ({}, {}, {})", index[0], index[1], index[2], b[0], b[1], b[2]);
}

} // namespace

std::uint32_t Debugger::Round::first_thread() const { return warp * software::kWarpSize + lowest(lanes); }

bool Debugger::Round::has(std::uint32_t thread) const {
    return thread / software::kWarpSize == warp && (lanes >> thread % software::kWarpSize & 1) != 0;
}

// --- breakpoints

std::vector<Breakpoint> Debugger::set_breakpoints(const std::string& path, const std::vector<Wanted>& wanted) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(breakpoints_, [&](const Known& b) { return b.path == path; });
    std::vector<Breakpoint> answer;
    for (const Wanted& each : wanted) {
        Known known;
        known.id = ++last_id_;
        known.path = path;
        known.wanted = known.line = each.line;
        known.condition = each.condition;
        try {
            if (!each.condition.empty()) known.expression.emplace(each.condition);
        } catch (const ExpressionError& e) {
            known.problem = fmt::format("The condition is wrong: {}", e.what());
        }
        if (program_)
            resolve(known);
        else if (known.problem.empty())
            known.problem = "It is set when the kernel begins.";
        answer.push_back(known);
        breakpoints_.push_back(std::move(known));
    }
    is_changed_ = true; // the launch's thread notices
    if (!is_stopped_) each_round = true;
    return answer;
}

void Debugger::resolve(Known& b) {
    b.is_set = false;
    b.sites.clear();
    if (!b.condition.empty() && !b.expression) return;
    b.problem.clear();
    const auto stop = program_->stop_at(b.path, b.wanted);
    if (stop) {
        b.line = stop->line;
        b.sites = stop->sites;
        b.is_set = true;
    } else if (program_->files_named(b.path).empty()) {
        b.problem = "The kernel has no code of this file.";
    } else {
        b.problem = "The kernel has no code at this line or behind it.";
    }
}

void Debugger::mark_sites() {
    std::fill(at_sites.begin(), at_sites.end(), std::uint8_t{0});
    for (const Known& b : breakpoints_)
        for (const std::uint32_t site : b.sites)
            at_sites.at(site) = 1;
    is_changed_ = false;
}

void Debugger::stop_at_entry(bool stop) {
    const std::scoped_lock lock(mutex_);
    stops_at_entry_ = stop;
}

void Debugger::set_watches(std::vector<Watch> watches) {
    const std::scoped_lock lock(mutex_);
    watches_ = std::move(watches);
    if (!is_stopped_) each_round = true;
}

void Debugger::pause() {
    const std::scoped_lock lock(mutex_);
    is_pausing_ = true;
    each_round = true;
}

void Debugger::cancel() {
    const std::scoped_lock lock(mutex_);
    is_cancelled_ = true;
    each_round = true;
    commanded_.notify_all();
}

// --- commands

std::string Debugger::command(Answer answer, Goal goal) {
    goal_ = std::move(goal);
    command_ = answer;
    is_stopped_ = false; // a second command finds nothing that stands
    commanded_.notify_all();
    return {};
}

std::string Debugger::command_search(Search search) {
    search.limit = stop_.round;
    search_ = std::move(search);
    return command(Answer::again, {});
}

std::string Debugger::why_not_back() const {
    if (!is_stopped_) return kNothingStands;
    const std::string why = launch_->why_not_again();
    return why.empty() ? why : fmt::format("It cannot go back: {}.", why);
}

std::string Debugger::go() {
    const std::scoped_lock lock(mutex_);
    if (!is_stopped_) return kNothingStands;
    return command(Answer::go, {});
}

std::string Debugger::step(Step step, Unit unit, std::uint32_t thread) {
    const std::scoped_lock lock(mutex_);
    if (!is_stopped_) return kNothingStands;
    if (has_failed_) return kHasFailed;
    if (thread >= block_->threads.size()) return "There is no such thread.";
    Goal goal;
    goal.kind = Goal::Kind::step;
    goal.step = step;
    goal.unit = unit;
    goal.block = block_->number;
    goal.thread = thread;
    goal.from = position(*block_, thread);
    if (unit == Unit::block)
        for (std::uint32_t w = 0; w * software::kWarpSize < block_->threads.size(); ++w) {
            goal.warps.push_back(position(*block_, w * software::kWarpSize));
            const auto begin = w * software::kWarpSize;
            const auto end = std::min<std::size_t>(begin + software::kWarpSize, block_->threads.size());
            for (auto t = begin; t < end; ++t) {
                if (state_of(*block_, t) != ThreadState::at_line) continue;
                goal.warps.back() = position(*block_, t);
                goal.pending.insert(w);
                break;
            }
        }
    return command(Answer::go, std::move(goal));
}

std::string Debugger::step_back(std::uint32_t thread) {
    const std::scoped_lock lock(mutex_);
    if (std::string why = why_not_back(); !why.empty()) return why;
    if (thread >= block_->threads.size()) return "There is no such thread.";
    Search search;
    search.for_line = true;
    search.block = block_->number;
    search.thread = thread;
    search.depth = std::max(depth_of(*block_, thread), 1U);
    return command_search(std::move(search));
}

std::string Debugger::go_back() {
    const std::scoped_lock lock(mutex_);
    if (std::string why = why_not_back(); !why.empty()) return why;
    Search search;
    search.watches = watches_;
    return command_search(std::move(search));
}

std::string Debugger::back_to_write(const Watch& watch) {
    const std::scoped_lock lock(mutex_);
    if (std::string why = why_not_back(); !why.empty()) return why;
    Search search;
    search.watches = {watch};
    search.breakpoints = false;
    return command_search(std::move(search));
}

std::string Debugger::go_to_block(std::uint64_t number) {
    const std::scoped_lock lock(mutex_);
    if (!is_stopped_) return kNothingStands;
    const auto& extent = launch_->context().nctaid;
    if (number >= std::uint64_t{extent[0]} * extent[1] * extent[2]) return "The grid has no such block.";
    Goal goal;
    goal.kind = Goal::Kind::block;
    goal.block = number;
    if (number > block_->number && !has_failed_) return command(Answer::go, std::move(goal));
    if (std::string why = why_not_back(); !why.empty()) return why;
    return command(Answer::again, std::move(goal));
}

// --- the launch's thread

void Debugger::begins(const software::SteppedLaunch& launch) {
    std::unique_lock lock(mutex_);
    const bool is_first = launch_ == nullptr;
    launch_ = &launch;
    has_failed_ = false;
    write_.reset();
    for (Watch& w : watches())
        w.forget();
    if (!is_first) return ask_as_needed();
    program_ = std::make_unique<Program>(launch);
    for (Known& b : breakpoints_)
        resolve(b);
    mark_sites();
    goal_ = {};
    if (stops_at_entry_) {
        goal_.kind = Goal::Kind::round;
        goal_.block = 1;
        goal_.stop.reason = Stop::Reason::entry;
    }
    ask_as_needed();
    const std::vector<Breakpoint> known(breakpoints_.begin(), breakpoints_.end());
    lock.unlock();
    client_.begins(known);
}

/// Rounds that are of no interest pass without a call.
void Debugger::ask_as_needed() {
    from_round = search_ ? search_->limit : goal_.kind == Goal::Kind::round ? goal_.block : UINT64_MAX;
    const bool steps = goal_.kind == Goal::Kind::step || goal_.kind == Goal::Kind::block;
    each_round = is_cancelled_ || is_changed_ || is_pausing_ || write_ || !watches().empty() ||
                 (search_ ? search_->for_line : steps);
}

Debugger::Position Debugger::position(const software::SteppedBlock& block, std::uint32_t thread) const {
    const std::uint32_t site = block.threads[thread].site;
    const std::uint32_t depth = depth_of(block, thread);
    return {site < program_->sites() ? program_->site(site).line : Line{}, depth};
}

software::Stepper::Answer Debugger::comes(const software::SteppedBlock& block, std::uint32_t warp, std::uint32_t lanes,
                                          std::uint32_t site) {
    std::unique_lock lock(mutex_);
    if (is_cancelled_) return Answer::end;
    const Round next{block, warp, lanes, site};
    if (is_changed_) mark_sites();
    if (search_) return search_round(next);
    // On the way to a place that is known nothing else stops it.
    const bool is_on_way = (goal_.kind == Goal::Kind::round && round < goal_.block) ||
                           (goal_.kind == Goal::Kind::block && block.number != goal_.block);
    if (is_on_way && !is_pausing_) {
        watch_round(next);
        ask_as_needed();
        return Answer::go;
    }
    for (Watch& w : watches_)
        if (w.is_in_register() && block.number == w.block() && next.has(w.thread())) look_at_register(w, block);
    std::optional<Stop> stop;
    if (write_) {
        stop = std::exchange(write_, std::nullopt);
    } else if (is_pausing_) {
        stop = Stop{Stop::Reason::pause, {}, next.first_thread(), 0, {}};
    } else if (auto at_goal = reached(next)) {
        stop = std::move(at_goal);
    }
    if (auto at_breakpoint = hit(next)) {
        // A step that ends at a breakpoint is both.
        if (!stop || stop->reason == Stop::Reason::step) stop = std::move(at_breakpoint);
    }
    if (stop) {
        const Answer answer = stand(lock, block, std::move(*stop));
        if (answer != Answer::go) return answer;
    }
    watch_round(next);
    ask_as_needed();
    return Answer::go;
}

software::Stepper::Answer Debugger::stand(std::unique_lock<std::mutex>& lock, const software::SteppedBlock& block,
                                          Stop stop) {
    stop.round = round;
    is_pausing_ = false;
    block_ = &block;
    stop_ = std::move(stop);
    is_stopped_ = true;
    command_.reset();
    const Stop told = stop_;
    lock.unlock();
    client_.stops(told);
    lock.lock();
    commanded_.wait(lock, [&] { return command_ || is_cancelled_; });
    is_stopped_ = false;
    block_ = nullptr;
    return is_cancelled_ ? Answer::end : *command_;
}

// --- where it stops

std::optional<Stop> Debugger::hit(const Round& next) {
    if (!at_sites[next.site]) return std::nullopt;
    std::optional<Stop> stop;
    const auto note = [&](const Known& b, std::uint32_t thread, std::string text) {
        if (!stop) stop = Stop{Stop::Reason::breakpoint, std::move(text), thread, 0, {}};
        // The thread that is stepped or looked at stays the one.
        if (next.has(goal_.thread) && thread == goal_.thread) stop->thread = thread;
        if (stop->hits.empty() || stop->hits.back() != b.id) stop->hits.push_back(b.id);
    };
    for (const Known& b : breakpoints_) {
        if (std::find(b.sites.begin(), b.sites.end(), next.site) == b.sites.end()) continue;
        for (std::uint32_t rest = next.lanes; rest; rest &= rest - 1) {
            const std::uint32_t thread = next.warp * software::kWarpSize + lowest(rest);
            if (!b.expression) {
                note(b, thread, {});
                continue;
            }
            try {
                const std::vector<Call> calls = calls_of(next.block, thread, *program_);
                if (!calls.empty() &&
                    b.expression->holds(Scope(*program_, *launch_, next.block, thread, calls.front())))
                    note(b, thread, {});
            } catch (const ExpressionError& e) {
                note(b, thread, fmt::format("The condition '{}' has no value: {}", b.condition, e.what()));
                break;
            }
        }
    }
    return stop;
}

std::optional<Stop> Debugger::reached(const Round& next) {
    switch (goal_.kind) {
    case Goal::Kind::run: return std::nullopt;
    case Goal::Kind::round: {
        if (round < goal_.block) return std::nullopt;
        Stop stop = goal_.stop;
        if (!next.has(stop.thread)) stop.thread = next.first_thread();
        return stop;
    }
    case Goal::Kind::block:
        if (next.block.number != goal_.block) return std::nullopt;
        return Stop{Stop::Reason::block, {}, next.first_thread(), 0, {}};
    case Goal::Kind::step: return stepped(next);
    }
    return std::nullopt;
}

bool Debugger::is_step(Step step, const Position& from, const Position& now) {
    switch (step) {
    case Step::in: return !(now == from);
    case Step::over: return now.depth < from.depth || (now.depth == from.depth && now.line != from.line);
    case Step::out: return now.depth < from.depth;
    }
    return true;
}

std::optional<Stop> Debugger::stepped(const Round& next) {
    Stop here{Stop::Reason::step, {}, next.has(goal_.thread) ? goal_.thread : next.first_thread(), 0, {}};
    const software::LaunchContext& context = launch_->context();
    const bool is_alone = !context.cooperative && context.cluster_blocks <= 1;
    if (next.block.number != goal_.block) {
        // The block has ended, as others run one after the other. A step out of the kernel goes on.
        if (!is_alone) return std::nullopt;
        if (goal_.step != Step::out) return here;
        goal_ = {};
        return std::nullopt;
    }
    const std::uint32_t warp = goal_.thread / software::kWarpSize;
    const std::uint32_t begin = warp * software::kWarpSize;
    const auto has_ended = [&] {
        if (goal_.unit == Unit::thread) return state_of(next.block, goal_.thread) == ThreadState::ended;
        for (std::uint32_t t = begin; t < begin + software::kWarpSize && t < next.block.threads.size(); ++t)
            if (state_of(next.block, t) != ThreadState::ended) return false;
        return true;
    };
    if (goal_.unit == Unit::block) return block_stepped(next) ? std::optional(here) : std::nullopt;
    if (has_ended()) {
        if (goal_.step != Step::out) return here;
        goal_ = {};
        return std::nullopt;
    }
    const bool is_own = goal_.unit == Unit::thread ? next.has(goal_.thread) : next.warp == warp;
    if (!is_own || !is_step(goal_.step, goal_.from, position(next.block, here.thread))) return std::nullopt;
    return here;
}

/// All warps that could go on have come to another line. A warp that waits for others is not waited for.
bool Debugger::block_stepped(const Round& next) {
    const Position now = position(next.block, next.first_thread());
    const bool was_pending = goal_.pending.contains(next.warp);
    if (!is_step(goal_.step, goal_.warps[next.warp], now)) return false;
    goal_.pending.erase(next.warp);
    std::erase_if(goal_.pending, [&](std::uint32_t w) {
        const std::uint32_t begin = w * software::kWarpSize;
        for (std::uint32_t t = begin; t < begin + software::kWarpSize && t < next.block.threads.size(); ++t)
            if (state_of(next.block, t) == ThreadState::at_line) return false;
        return true;
    });
    // A warp that is there already goes on for as long as others are behind, a line each time.
    if (!was_pending) goal_.warps[next.warp] = now;
    return goal_.pending.empty();
}

// --- writes

void Debugger::watch_round(const Round& next) {
    *next.block.watch = {};
    std::uint64_t begin = UINT64_MAX, end = 0;
    for (Watch& w : watches()) {
        if (w.is_in_register()) {
            if (next.block.number == w.block() && next.has(w.thread())) look_at_register(w, next.block);
        } else if (const auto range = w.range(next.block, *program_)) {
            begin = std::min(begin, range->first);
            end = std::max(end, range->first + range->second);
        }
    }
    if (end > begin) *next.block.watch = {begin, end - begin};
}

/// Before a thread's round: its round before may have changed the variable.
void Debugger::look_at_register(Watch& w, const software::SteppedBlock& block) {
    const auto change = w.change(block, *launch_, *program_, round);
    if (change) note_write(w, block, w.thread(), change->site, change->round);
}

void Debugger::writes(const software::SteppedBlock& block, std::uint32_t thread, std::uint32_t site,
                      std::uint64_t address, std::uint32_t bytes) {
    const std::scoped_lock lock(mutex_);
    for (const Watch& w : watches())
        if (const auto range = w.range(block, *program_))
            if (address < range->first + range->second && range->first < address + bytes)
                note_write(w, block, thread, site, round);
}

void Debugger::note_write(const Watch& watch, const software::SteppedBlock& block, std::uint32_t thread,
                          std::uint32_t site, std::uint64_t at) {
    std::optional<Stop>& note = search_ ? search_->found : write_;
    const Line line = program_->site(site).line;
    if (note && note->round > at) return; // of a register it is known late
    if (!note || note->round != at) note = Stop{Stop::Reason::write, {}, thread, at, {}};
    note->thread = thread; // the last one
    note->text = fmt::format("{} {} {} at line {}", thread_text(block, thread), search_ ? "writes" : "has written",
                             watch.name, line.line);
    if (std::find(note->hits.begin(), note->hits.end(), watch.id) == note->hits.end()) note->hits.push_back(watch.id);
    if (!search_) each_round = true;
}

// --- going back

software::Stepper::Answer Debugger::search_round(const Round& next) {
    Search& s = *search_;
    if (round >= s.limit) {
        for (Watch& w : s.watches)
            if (w.is_in_register() && next.block.number == w.block()) look_at_register(w, next.block);
        return end_search();
    }
    if (s.for_line) {
        if (next.block.number != s.block || !next.has(s.thread)) return Answer::go;
        const Position now = position(next.block, s.thread);
        if (now.depth > s.depth) return Answer::go;
        if (!s.last || !(*s.last == now)) s.found = Stop{Stop::Reason::step, {}, s.thread, round, {}};
        s.last = now;
        return Answer::go;
    }
    if (s.breakpoints)
        if (auto stop = hit(next)) {
            stop->round = round;
            s.found = std::move(stop);
        }
    watch_round(next);
    return Answer::go;
}

software::Stepper::Answer Debugger::end_search() {
    goal_ = {};
    goal_.kind = Goal::Kind::round;
    goal_.stop =
        search_->found.value_or(Stop{Stop::Reason::begin, "Nothing was found before: this is the start.", 0, 1, {}});
    goal_.block = goal_.stop.round;
    search_.reset();
    return Answer::again;
}

// --- ends

software::Stepper::Answer Debugger::fails(const software::SteppedBlock& block, std::uint32_t thread, std::uint32_t site,
                                          const std::string& why) {
    std::unique_lock lock(mutex_);
    (void)site;
    if (is_cancelled_) return Answer::end;
    if (search_) return end_search();
    has_failed_ = true;
    ++round; // what comes next, as at other stops
    return stand(lock, block, {Stop::Reason::failure, why, thread, 0, {}});
}

software::Stepper::Answer Debugger::ends() {
    const std::scoped_lock lock(mutex_);
    // A kernel that runs differently each time may end early.
    return search_ && !is_cancelled_ ? end_search() : Answer::go;
}

void Debugger::leaves() {
    const std::scoped_lock lock(mutex_);
    launch_ = nullptr;
    block_ = nullptr;
    program_.reset();
    watches_.clear();
    search_.reset();
    is_stopped_ = false;
}

} // namespace warplight::debug
