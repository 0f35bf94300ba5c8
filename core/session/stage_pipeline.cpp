// SPDX-License-Identifier: Apache-2.0
#include "session/pipeline_run.hpp"

#include "session/formula.hpp"
#include "session/stages.hpp"

#include "warplight/error.hpp"
#include "warplight/host_memory.hpp"
#include "warplight/memory.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace warplight::session {
namespace {

using clock = std::chrono::steady_clock;

/// Steps that are queued ahead of the device, twice; and until the gate opens. So Stop is noticed, and memory bounded.
constexpr std::uint64_t steps_ahead = 256;
constexpr std::uint64_t most_graph_nodes = 4096;
constexpr std::uint64_t rounds_between_questions = 4096; ///< whether the user has stopped the run
constexpr std::size_t observed_at_once = 256;
constexpr std::size_t most_times_kept = 100'000; ///< of a step, for its median

[[noreturn]] void stopped() {
    throw StageError(Status::cancelled, {.kind = "cancelled", .message = "The run was stopped."});
}

Number whole_if_it_is(double value) {
    if (value == std::floor(value) && std::abs(value) <= 0x1p53) return static_cast<std::int64_t>(value);
    return value;
}

/// "in round 17 of round 3", counted from 1
std::string rounds_text(const std::vector<std::uint64_t>& rounds) {
    std::string text;
    for (std::size_t i = rounds.size(); i-- > 0;)
        text += fmt::format("{}{}", text.empty() ? " in round " : " of round ", rounds[i] + 1);
    return text;
}

} // namespace

PipelineRun::~PipelineRun() = default;

void PipelineRun::stop_if_cancelled() const {
    if (context_.cancelled && context_.cancelled()) stopped();
}

void PipelineRun::count_round() {
    if (++walked_rounds_ % rounds_between_questions == 0) stop_if_cancelled();
}

void PipelineRun::begin_pass() {
    rounds_.clear();
    queued_ = 0;
    context_.memory.start_over();
}

// --- the steps themselves

void PipelineRun::walk(const std::vector<PlannedStep>& steps, const Way& way) {
    for (const PlannedStep& step : steps) {
        if (const auto* loop = std::get_if<PlannedLoop>(&step.what))
            walk_loop(step, *loop, way, [&] { walk(loop->steps, way); });
        else
            way.step(step);
    }
}

void PipelineRun::walk_loop(const PlannedStep& step, const PlannedLoop& loop, const Way& way,
                            const std::function<void()>& round) {
    const bool at_top = rounds_.empty();
    std::optional<bool> held;
    if (!loop.until.empty()) held = false;
    std::uint64_t done = 0;
    rounds_.push_back(0);
    while (done < loop.rounds && !held.value_or(false)) {
        rounds_.back() = done;
        round();
        ++done;
        count_round();
        if (at_top && way.round_end) way.round_end();
        if (!held || (done % loop.every != 0 && done != loop.rounds)) continue;
        way.wait();
        rounds_.back() = done;
        held = holds(loop);
    }
    rounds_.pop_back();
    if (!way.round_end || times_.empty()) return; // only observed loops are counted
    times_[step.number].rounds += done;
    times_[step.number].held = held;
}

bool PipelineRun::holds(const PlannedLoop& loop) {
    stop_if_cancelled();
    FormulaNames names = names_of_arguments(context_.arguments);
    const auto named = names_in_formula(loop.until, names);
    FormulaInputs inputs;
    for (std::size_t i = 0; i < context_.arguments.size(); ++i) {
        const ArgumentData& data = context_.arguments[i];
        const std::string& name = data.argument->name;
        if (is_number(data)) inputs.scalars.emplace_back(name, value_of_scalar(data));
        if (is_compound(data) && named.contains(name)) inputs.compounds.emplace_back(name, compound_of(data));
        if (!data.is_array() || !named.contains(name)) continue;
        NdArray now = NdArray::empty(data.input.shape(), data.input.dtype());
        context_.memory.read(i, now);
        inputs.arrays.emplace_back(name, std::move(now));
    }
    const auto is_round = [](const auto& each) { return each.first == "round"; };
    if (std::ranges::none_of(inputs.scalars, is_round) && std::ranges::none_of(inputs.arrays, is_round))
        inputs.scalars.emplace_back("round", static_cast<double>(rounds_.back()));
    NdArray answer = NdArray::zeros({1}, DType::from_name("float64"));
    fill_by_formula(answer, loop.until, inputs);
    return answer.item(0) != 0;
}

void PipelineRun::queue(const PlannedStep& step, const driver::Stream& stream) {
    if (const auto* launch = std::get_if<PlannedLaunch>(&step.what)) return queue_launch(*launch, stream);
    if (const auto* fill = std::get_if<PlannedFill>(&step.what))
        return context_.memory.fill({fill->buffer, fill->offset}, fill->count, fill->element, stream);
    if (const auto* swap = std::get_if<PlannedSwap>(&step.what)) return context_.memory.swap(swap->first, swap->second);
    const auto& copy = std::get<PlannedCopy>(step.what);
    context_.memory.copy({copy.to, copy.to_offset}, {copy.from, copy.from_offset}, copy.bytes, stream);
}

void PipelineRun::queue_launch(const PlannedLaunch& launch, const driver::Stream& stream) {
    std::vector<driver::Argument> values;
    values.reserve(launch.arguments.size());
    for (const PlannedArgument& each : launch.arguments) {
        if (!each.own) {
            values.push_back(context_.memory.value(each.argument, each.as));
            continue;
        }
        OwnValue& own = *each.own;
        if (own.formula) {
            auto scalars = context_.plan.scalars;
            scalars.push_back(rounds_.empty() ? 0 : static_cast<double>(rounds_.back()));
            own.data.scalar = pack_scalar(own.argument.type, whole_if_it_is(own.formula->value(scalars)));
        }
        values.push_back(scalar_value(own.data));
    }
    auto config = configuration_of(launch.launch);
    config.stream = &stream;
    context_.functions[launch.code].call(config, values);
    context_.launched = true;
}

// --- as launches

void PipelineRun::keep_pace(const driver::Stream& stream, std::optional<Gate>& gate) {
    if (++queued_ % steps_ahead != 0) return;
    stop_if_cancelled();
    const std::uint64_t turn = queued_ / steps_ahead;
    auto& mark = pace_[turn % 2];
    if (turn > 2) {
        gate.reset();
        mark->synchronize();
    }
    if (!mark) mark.emplace();
    mark->record(stream);
}

void PipelineRun::launch(const driver::Stream& stream, std::optional<Gate>& gate) {
    begin_pass();
    Way way;
    way.step = [&](const PlannedStep& step) {
        queue(step, stream);
        keep_pace(stream, gate);
    };
    way.wait = [&] {
        gate.reset();
        stream.synchronize();
    };
    walk(context_.plan.steps, way);
}

// --- as graphs

std::uint64_t PipelineRun::nodes_of(std::span<const PlannedStep> steps) {
    std::uint64_t nodes = 0;
    for (const PlannedStep& step : steps) {
        std::uint64_t more = std::holds_alternative<PlannedSwap>(step.what) ? 0 : 1;
        if (const auto* loop = std::get_if<PlannedLoop>(&step.what)) {
            const std::uint64_t each = nodes_of(loop->steps);
            more = each && loop->rounds > std::numeric_limits<std::uint32_t>::max() / each
                       ? std::numeric_limits<std::uint32_t>::max()
                       : each * loop->rounds;
            // Rounds without nodes are walked too.
            if (!each && loop->rounds > most_graph_nodes) more = most_graph_nodes + 1;
        }
        nodes = std::min<std::uint64_t>(nodes + more, std::numeric_limits<std::uint32_t>::max());
    }
    return nodes;
}

bool PipelineRun::fits_graph(const PlannedStep& step, bool in_its_loop) const {
    if (const auto* launch = std::get_if<PlannedLaunch>(&step.what))
        return in_its_loop || rounds_.empty() || !launch->depends_on_round();
    const auto* loop = std::get_if<PlannedLoop>(&step.what);
    return !loop || (loop->until.empty() &&
                     std::ranges::all_of(loop->steps, [&](const PlannedStep& each) { return fits_graph(each, true); }));
}

const PipelineRun::Captured& PipelineRun::captured(const Piece& piece, const driver::Stream& stream) {
    const auto [place, added] = graphs_.try_emplace({piece, context_.memory.order()});
    Captured& made = place->second;
    if (!added) return made;
    stop_if_cancelled();
    Way way;
    way.step = [&](const PlannedStep& step) { queue(step, stream); };
    try {
        const driver::Graph graph = driver::capture(stream, [&] {
            if (!piece.rounds) {
                for (std::size_t i = 0; i < piece.steps; ++i) {
                    const PlannedStep& step = piece.first[i];
                    if (const auto* loop = std::get_if<PlannedLoop>(&step.what))
                        walk_loop(step, *loop, way, [&] { walk(loop->steps, way); });
                    else
                        way.step(step);
                }
                return;
            }
            rounds_.push_back(0);
            for (std::uint64_t round = 0; round < piece.rounds; ++round)
                walk(std::get<PlannedLoop>(piece.first->what).steps, way);
            rounds_.pop_back();
        });
        made.nodes = graph.get_nodes().size();
        if (made.nodes) made.exec = graph.instantiate();
    } catch (const driver::Error& error) {
        device_error(fmt::format("{}{} cannot be captured as a graph: {} Run the pipeline as launches.",
                                 phrase_of(*piece.first), piece.steps > 1 ? " and the steps behind it" : "",
                                 error.what()),
                     "/pipeline/run_as");
    }
    made.order = context_.memory.order();
    return made;
}

void PipelineRun::run_piece(const Piece& piece, const driver::Stream& stream) {
    const Captured& graph = captured(piece, stream);
    if (!capturing_only_ && graph.exec) graph.exec->launch(stream);
    context_.memory.set_order(graph.order);
}

void PipelineRun::walk_graphs(const std::vector<PlannedStep>& steps, const driver::Stream& stream, const Way& way) {
    for (std::size_t first = 0; first < steps.size();) {
        std::size_t end = first;
        std::uint64_t nodes = 0;
        for (; end < steps.size() && fits_graph(steps[end], false); ++end) {
            nodes += nodes_of({&steps[end], 1});
            if (nodes > most_graph_nodes) break;
        }
        if (end > first) {
            run_piece({&steps[first], end - first, 0}, stream);
            way.step(steps[first]);
            first = end;
            continue;
        }
        const PlannedStep& step = steps[first++];
        if (std::holds_alternative<PlannedLoop>(step.what)) {
            walk_graph_loop(step, stream, way);
        } else { // a launch whose values change with the round
            not_captured_.insert(step.path);
            if (!capturing_only_) queue(step, stream);
            way.step(step);
        }
    }
}

void PipelineRun::walk_graph_loop(const PlannedStep& step, const driver::Stream& stream, const Way& way) {
    const auto& loop = std::get<PlannedLoop>(step.what);
    const std::uint64_t nodes = std::max<std::uint64_t>(nodes_of(loop.steps), 1);
    rounds_.push_back(0); // for the question whether a step depends on it
    const bool fits = std::ranges::all_of(loop.steps, [&](const PlannedStep& each) { return fits_graph(each, false); });
    rounds_.pop_back();
    if (loop.until.empty() && fits && nodes <= most_graph_nodes) {
        split_ = true;
        std::uint64_t at_once = most_graph_nodes / nodes;
        if (at_once > 1) at_once -= at_once % 2; // behind two swaps buffers mostly are where they were
        for (std::uint64_t done = 0; done < loop.rounds; done += at_once) {
            run_piece({&step, 1, std::min(at_once, loop.rounds - done)}, stream);
            way.step(step);
        }
        return;
    }
    if (!capturing_only_) {
        walk_loop(step, loop, way, [&] { walk_graphs(loop.steps, stream, way); });
        return;
    }
    // Each order of the buffers once: rounds exchange them in a circle.
    std::vector<std::vector<std::size_t>> orders{context_.memory.order()};
    rounds_.push_back(0);
    for (std::uint64_t round = 0; round < loop.rounds; ++round) {
        walk_graphs(loop.steps, stream, way);
        if (context_.memory.order() == orders.front()) break;
        orders.push_back(context_.memory.order());
    }
    rounds_.pop_back();
    context_.memory.set_order(orders[loop.rounds % orders.size()]);
}

void PipelineRun::prepare_graphs(const driver::Stream& stream) {
    begin_pass();
    capturing_only_ = true;
    Way way;
    way.step = [this](const PlannedStep&) { stop_if_cancelled(); };
    walk_graphs(context_.plan.steps, stream, way);
    capturing_only_ = false;
    rounds_.clear();
}

void PipelineRun::launch_graphs(const driver::Stream& stream, std::optional<Gate>& gate) {
    begin_pass();
    Way way;
    way.step = [&](const PlannedStep&) { keep_pace(stream, gate); };
    way.wait = [&] {
        gate.reset();
        stream.synchronize();
    };
    walk_graphs(context_.plan.steps, stream, way);
}

// --- watched

void PipelineRun::observe(const driver::Stream& stream, const std::optional<PipelineFrames>& frames,
                          const StepWatch& watch) {
    begin_pass();
    times_.assign(context_.plan.step_count, {});
    observed_ms_ = 0;
    outer_rounds_ = 0;
    harvested_ = batched_ = 0;
    frame_rounds_.clear();
    batch_.resize(observed_at_once);
    done_ = driver::pagelocked_zeros({1}, DType::from_name("uint32"));
    if (frames) {
        const NdArray& kept = context_.arguments[*context_.plan.framed].input;
        auto shape = kept.shape();
        shape.insert(shape.begin(), frames->at_most);
        frames_ = NdArray::empty(std::move(shape), kept.dtype());
    }
    Way way;
    way.step = [&](const PlannedStep& step) { observe_step(step, stream, watch); };
    way.wait = [&] { harvest(stream); };
    way.round_end = [&] {
        ++outer_rounds_;
        if (frames && outer_rounds_ % frames->every == 0) keep_frame(stream, *frames);
    };
    try {
        if (frames) keep_frame(stream, *frames);
        walk(context_.plan.steps, way);
        harvest(stream);
    } catch (const driver::Error&) {
        note_place();
        throw;
    }
}

void PipelineRun::observe_step(const PlannedStep& step, const driver::Stream& stream, const StepWatch& watch) {
    if (std::holds_alternative<PlannedSwap>(step.what)) {
        queue(step, stream);
        ++times_[step.number].rounds;
        return;
    }
    const bool watched = watch.before && step.path == watch.path;
    if (watched) {
        harvest(stream);
        watch.before();
    }
    if (context_.gated && !batch_gate_) batch_gate_.emplace(stream);
    Observed& now = batch_[batched_];
    now.step = &step;
    now.rounds = rounds_;
    now.begin.record(stream);
    const auto start = clock::now();
    queue(step, stream);
    if (!times_[step.number].rounds)
        first_launches_ms_ += std::chrono::duration<double, std::milli>(clock::now() - start).count();
    ++times_[step.number].rounds;
    now.end.record(stream);
    ++batched_;
    // What the host reads after a fault, when the device answers nothing.
    driver::memset_d32_async(driver::host_pointer(done_).get_device_pointer(),
                             static_cast<std::uint32_t>(harvested_ + batched_), 1, &stream);
    if (batched_ == batch_.size() || watched) harvest(stream);
    if (watched) watch.after();
}

void PipelineRun::harvest(const driver::Stream& stream) {
    batch_gate_.reset();
    stream.synchronize();
    for (std::size_t i = 0; i < batched_; ++i) {
        const double ms = batch_[i].end.time_since(batch_[i].begin);
        Times& times = times_[batch_[i].step->number];
        times.sum_ms += ms;
        observed_ms_ += ms;
        if (times.kept.size() < most_times_kept) times.kept.push_back(ms);
    }
    harvested_ += batched_;
    batched_ = 0;
    stop_if_cancelled();
}

void PipelineRun::keep_frame(const driver::Stream& stream, const PipelineFrames& frames) {
    if (frame_rounds_.size() >= frames.at_most) return;
    harvest(stream);
    const std::size_t framed = *context_.plan.framed;
    const std::size_t bytes = context_.arguments[framed].input.nbytes();
    context_.memory.read(framed, MutableBuffer(frames_->mutable_data() + frame_rounds_.size() * bytes, bytes));
    frame_rounds_.push_back(outer_rounds_);
}

void PipelineRun::note_place() {
    batch_gate_.reset();
    std::uint32_t done = 0;
    std::memcpy(&done, done_.data(), sizeof done);
    const std::uint64_t failed = done - std::min<std::uint64_t>(done, harvested_);
    if (failed > batched_ || failed >= batch_.size() || !batch_[failed].step) return;
    place_ = fmt::format("{} failed{}", phrase_of(*batch_[failed].step), rounds_text(batch_[failed].rounds));
}

double PipelineRun::observed_ms(const PlannedStep& step) const {
    double sum = times_.empty() ? 0 : times_[step.number].sum_ms;
    if (const auto* loop = std::get_if<PlannedLoop>(&step.what))
        for (const PlannedStep& each : loop->steps)
            sum += observed_ms(each);
    return sum;
}

// --- the report

void PipelineRun::report(ReportPipeline& report) const {
    const auto add = [&](const auto& self, const std::vector<PlannedStep>& steps) -> double {
        double sum = 0;
        for (const PlannedStep& step : steps) {
            constexpr const char* kinds[] = {"launch", "copy", "fill", "swap", "loop"};
            const Times& times = times_.empty() ? Times{} : times_[step.number];
            ReportStep entry;
            entry.path = step.path;
            entry.kind = kinds[step.what.index()];
            entry.label = step.label;
            entry.rounds = times.rounds;
            entry.sum_ms = times.sum_ms;
            entry.held = times.held;
            const auto figures = statistics(times.kept);
            entry.min_ms = figures.min;
            entry.median_ms = figures.median;
            entry.p95_ms = figures.p95;
            if (const auto* launch = std::get_if<PlannedLaunch>(&step.what)) {
                entry.grid = launch->launch.grid;
                entry.block = launch->launch.block;
            }
            const std::size_t place = report.steps.size();
            report.steps.push_back(std::move(entry));
            if (const auto* loop = std::get_if<PlannedLoop>(&step.what))
                report.steps[place].sum_ms = self(self, loop->steps);
            sum += report.steps[place].sum_ms;
        }
        return sum;
    };
    report.steps.clear();
    add(add, context_.plan.steps);
    report.graphs = report.graph_nodes = 0;
    for (const auto& [piece, graph] : graphs_) {
        if (graph.exec) ++report.graphs;
        report.graph_nodes += graph.nodes;
    }
    std::vector<std::string> notes;
    if (split_)
        notes.push_back(
            fmt::format("A loop has more than {} nodes, so it is several launches of a graph.", most_graph_nodes));
    if (!not_captured_.empty())
        notes.push_back(fmt::format("Launched without a graph, for its values change with the round: step {}.",
                                    fmt::join(not_captured_, ", ")));
    report.note = fmt::format("{}", fmt::join(notes, " "));
    if (!frames_) return;
    const ArgumentData& data = context_.arguments[*context_.plan.framed];
    ReportFrames frames{data.argument->name, data.input.dtype().name(), data.input.shape(), frame_rounds_, {}};
    frames.shape.insert(frames.shape.begin(), frame_rounds_.size());
    report.frames = std::move(frames);
}

std::shared_ptr<const NdArray> PipelineRun::take_frames() {
    if (!frames_ || frame_rounds_.empty()) return nullptr;
    return std::make_shared<NdArray>(frames_->slice(0, 0, frame_rounds_.size()));
}

} // namespace warplight::session
