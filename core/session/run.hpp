// SPDX-License-Identifier: Apache-2.0
// One run of a session: its stages (run.cpp), the kernel's code on the device (run_kernel.cpp), and the passes that
// are measured or observed (run_passes.cpp).
#pragma once

#include "session/argument_data.hpp"
#include "session/device_arguments.hpp"
#include "session/own_paths.hpp"
#include "session/pipeline_plan.hpp"
#include "session/pipeline_run.hpp"
#include "session/runner.hpp"
#include "session/stages.hpp"
#include "session/stream_hold.hpp"
#include "session/timing_kernels.hpp"

#include "warplight/device.hpp"
#include "warplight/driver.hpp"
#include "warplight/function.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace warplight::driver {
class ContextRef;
class Error;
class Event;
class Module;
class Stream;
} // namespace warplight::driver

namespace warplight::session {

inline double ms_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

class Run {
public:
    enum class Kind { usual, profiled, recorded };
    Run(const Session& session, const driver::Driver& driver, const RunOptions& options, const RunHooks& hooks,
        Kind kind = Kind::usual, std::optional<profile::WarpChoice> warp = {})
        : session_(session), driver_(driver), options_(options), hooks_(hooks), kind_(kind), warp_(warp) {}

    RunResult go();

private:
    void run_stages();
    void show_launch(const LaunchConfiguration& launch);
    void stage(std::string_view name, double fraction = -1, std::string_view text = {});
    driver::Device open_device();
    void plan(const driver::Device& device);
    void execute(const driver::Device& device, const CompiledSource& compiled);
    std::vector<driver::Function> load_functions(const driver::Module& module, const CompiledSource& compiled);
    void check_launches(const driver::Device& device, const std::vector<driver::Function>& functions);
    void wait_for_kernel(const driver::Stream& stream);
    [[noreturn]] void kernel_failed(const driver::Error& error, const std::string& what) const;
    /// How one pass through the steps is made.
    enum class Pass { launches, graphs, observed };
    void run_once(PipelineRun& work, const driver::Stream& stream, Pass pass, bool measured);
    void queue_steps(PipelineRun& work, const driver::Stream& stream, Pass pass, driver::Event& begin,
                     driver::Event& done);
    void observe(PipelineRun& work, const driver::Stream& stream);
    void observe_apart(PipelineRun& work, const driver::ContextRef& context, const driver::Stream& stream);
    [[nodiscard]] Pass usual_pass() const {
        if (timed_step_) return Pass::observed;
        return session_.pipeline && session_.pipeline->graph ? Pass::graphs : Pass::launches;
    }
    /// Checks and profiles are of one pass, which is watched then.
    [[nodiscard]] bool is_watched_only() const {
        return session_.pipeline && (report_.checks.any() || kind_ != Kind::usual);
    }
    /// Times are those of the kernels as they are: nothing watches them.
    [[nodiscard]] bool is_measured() const { return kind_ == Kind::usual && !report_.checks.any(); }
    void time_empty_launch(const driver::Stream& stream);
    void prepare_timing(const driver::ContextRef& context, const driver::Stream& stream);
    void warm_up(PipelineRun& work, const driver::ContextRef& context, const driver::Stream& stream);
    void run_all(const driver::ContextRef& context, std::vector<driver::Function> functions);
    [[nodiscard]] const PlannedStep& chosen_step() const;
    void read_function(const driver::Device& device, const driver::Function& function);
    [[nodiscard]] const LaunchConfiguration& first_launch() const {
        return std::get<PlannedLaunch>(plan_.launches.front()->what).launch;
    }
    void collect_findings();
    [[nodiscard]] OwnPaths own_paths() const { return {options_.folder, session_.source.path}; }
    [[nodiscard]] Measured measured() const { return {session_, driver_, options_, hooks_}; }
    void list_arrays();
    std::vector<RunBuffer> take_buffers();
    void receive(std::string_view text, bool kept);

    const Session& session_;
    const driver::Driver& driver_;
    const RunOptions& options_;
    const RunHooks& hooks_;
    const Kind kind_;
    std::optional<profile::WarpChoice> warp_; ///< that is recorded
    Report report_;
    std::vector<ArgumentData> arguments_;
    DeviceArguments on_device_{arguments_};
    Plan plan_;
    const PlannedStep* timed_step_ = nullptr; ///< whose time is measured, instead of all
    StepWatch watch_;                         ///< of a profile, or of a warp
    std::optional<KernelWarp> recorded_;
    findings::Checks beside_;  ///< that the software device makes, for this one cannot
    bool has_results_ = false; ///< all repeats are done
    std::shared_ptr<const NdArray> frames_;
    std::string ptx_; ///< that is loaded
    std::optional<TimingKernels> timing_;
    std::optional<L2Displacer> displacer_;
    std::unique_ptr<StreamHold> hold_;
};

} // namespace warplight::session
