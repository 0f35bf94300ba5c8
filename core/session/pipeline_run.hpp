// SPDX-License-Identifier: Apache-2.0
// Queues the steps of a plan in a stream: as launches, as graphs, or as launches that are watched one by one.
#pragma once

#include "session/device_arguments.hpp"
#include "session/gate.hpp"
#include "session/pipeline_plan.hpp"
#include "session/pipeline_report.hpp"

#include "warplight/event.hpp"
#include "warplight/function.hpp"
#include "warplight/graph.hpp"
#include "warplight/ndarray.hpp"
#include "warplight/stream.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace warplight::session {

/// Before and after a step that is looked at alone; nothing else is on the device then.
struct StepWatch {
    std::string path;
    std::function<void()> before, after;
};

class PipelineRun {
public:
    struct Context {
        const Plan& plan;
        DeviceArguments& memory;
        const std::vector<ArgumentData>& arguments;
        std::vector<driver::Function> functions; ///< of the plan's kernels
        bool gated = false;                      ///< the device's queue needs a gate
        std::function<bool()> cancelled;
        bool& launched; ///< set when the device has taken a kernel
    };
    explicit PipelineRun(Context context) : context_(std::move(context)) {}
    ~PipelineRun();
    PipelineRun(const PipelineRun&) = delete;
    PipelineRun& operator=(const PipelineRun&) = delete;

    /// Queues all steps. A loop with a condition waits for the device now and then, with the gate open.
    void launch(const driver::Stream& stream, std::optional<Gate>& gate);
    /// The same by graphs, which prepare() has captured.
    void launch_graphs(const driver::Stream& stream, std::optional<Gate>& gate);
    void prepare_graphs(const driver::Stream& stream);
    /// Launches them, with a time for each step and frames as the pipeline wants them. Returns when all is done.
    /// @throws driver::Error; place() tells where
    void observe(const driver::Stream& stream, const std::optional<PipelineFrames>& frames, const StepWatch& watch);

    /// The step that failed: "Step 2.1 (heat) failed in round 17"; empty where it is not known.
    [[nodiscard]] const std::string& place() const { return place_; }
    /// Milliseconds of the observed steps, without what was between them.
    [[nodiscard]] double observed_ms() const { return observed_ms_; }
    /// Of one of them, in all its rounds; of a loop, of all its steps.
    [[nodiscard]] double observed_ms(const PlannedStep& step) const;
    /// Milliseconds that the host took for first launches, which make code ready.
    [[nodiscard]] double first_launches_ms() const { return first_launches_ms_; }
    /// Of the observed steps, and of graphs.
    void report(ReportPipeline& report) const;
    /// Null where none were kept.
    [[nodiscard]] std::shared_ptr<const NdArray> take_frames();

private:
    struct Times {
        std::uint64_t rounds = 0;
        double sum_ms = 0;
        std::vector<double> kept; ///< the first ones
        std::optional<bool> held; ///< of a loop
    };
    struct Observed {
        const PlannedStep* step = nullptr;
        std::vector<std::uint64_t> rounds;
        driver::Event begin, end;
    };
    struct Captured {
        std::optional<driver::GraphExec> exec; ///< none: nothing but swaps
        std::vector<std::size_t> order;        ///< of the buffers, afterwards
        std::uint64_t nodes = 0;
    };
    /// What a graph is of: steps of one list, or so many rounds of a loop; and the order of the buffers before it.
    struct Piece {
        const PlannedStep* first = nullptr;
        std::size_t steps = 0;
        std::uint64_t rounds = 0; ///< of the loop `first`; 0: the steps themselves
        bool operator<(const Piece& other) const {
            return std::tie(first, steps, rounds) < std::tie(other.first, other.steps, other.rounds);
        }
    };
    /// How the walk does what differs between the ways to run.
    struct Way {
        std::function<void(const PlannedStep&)> step;
        std::function<void()> wait;      ///< until the device is done
        std::function<void()> round_end; ///< of a loop at the top
    };

    void walk(const std::vector<PlannedStep>& steps, const Way& way);
    void walk_loop(const PlannedStep& step, const PlannedLoop& loop, const Way& way,
                   const std::function<void()>& round);
    [[nodiscard]] bool holds(const PlannedLoop& loop);
    void queue(const PlannedStep& step, const driver::Stream& stream);
    void queue_launch(const PlannedLaunch& launch, const driver::Stream& stream);
    void begin_pass();
    void keep_pace(const driver::Stream& stream, std::optional<Gate>& gate);
    void stop_if_cancelled() const;
    /// Asks now and then whether to stop. Steps cannot be counted for that: those of swaps alone queue nothing.
    void count_round();

    void walk_graphs(const std::vector<PlannedStep>& steps, const driver::Stream& stream, const Way& way);
    void walk_graph_loop(const PlannedStep& step, const driver::Stream& stream, const Way& way);
    void run_piece(const Piece& piece, const driver::Stream& stream);
    const Captured& captured(const Piece& piece, const driver::Stream& stream);
    [[nodiscard]] bool fits_graph(const PlannedStep& step, bool in_its_loop) const;
    [[nodiscard]] static std::uint64_t nodes_of(std::span<const PlannedStep> steps);

    void observe_step(const PlannedStep& step, const driver::Stream& stream, const StepWatch& watch);
    void harvest(const driver::Stream& stream);
    void keep_frame(const driver::Stream& stream, const PipelineFrames& frames);
    void note_place();

    Context context_;
    std::vector<std::uint64_t> rounds_; ///< of the loops around the present step, outermost first, from 0
    std::uint64_t queued_ = 0;
    std::uint64_t walked_rounds_ = 0; ///< of all loops and passes
    std::optional<driver::Event> pace_[2];
    bool capturing_only_ = false; ///< prepare_graphs(): nothing runs

    std::map<std::pair<Piece, std::vector<std::size_t>>, Captured> graphs_;
    std::set<std::string> not_captured_;
    bool split_ = false; ///< a loop was too long for one graph

    std::vector<Observed> batch_;
    std::size_t batched_ = 0;
    std::uint64_t harvested_ = 0;
    std::optional<Gate> batch_gate_;
    NdArray done_; ///< page-locked: how many observed steps are done
    std::vector<Times> times_;
    double observed_ms_ = 0, first_launches_ms_ = 0;
    std::string place_;

    std::optional<NdArray> frames_;
    std::vector<std::uint64_t> frame_rounds_;
    std::uint64_t outer_rounds_ = 0;
};

} // namespace warplight::session
