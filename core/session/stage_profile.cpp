// SPDX-License-Identifier: Apache-2.0
// The profile of a run: one more run, on the software device.
#include "driver/checks.hpp"
#include "profile/roofline.hpp"
#include "session/stages.hpp"

#include "warplight/driver.hpp"

#include <fmt/format.h>
#include <string_view>
#include <utility>
#include <vector>

namespace warplight::session {
namespace {

Session session_to_profile(const Session& session, const driver::Driver& driver) {
    Session profiled = session;
    profiled.repeat = 1;
    profiled.warmup = 0;
    profiled.checks = {};
    profiled.profile = false;
    for (Argument& argument : profiled.arguments) {
        argument.save.clear();
        argument.expect.reset();
    }
    if (driver.name() != "software") profiled.compile.arch = "auto"; // the GPU's own may be later than the device's
    return profiled;
}

RunOptions options_to_profile(const RunOptions& options, const driver::Driver& driver) {
    RunOptions profiled = options;
    profiled.repeat.reset();
    profiled.warmup.reset();
    profiled.check.clear();
    profiled.profile = false;
    profiled.roofline.clear();
    profiled.keep.clear();
    if (driver.name() != "software") profiled.device = 0;
    return profiled;
}

} // namespace

KernelProfile::KernelProfile(const driver::Driver& driver) : driver_(driver) {
    if (!driver::request_profile(driver, true)) device_error("Only the software device profiles kernels.", "/device");
    (void)driver::take_profile(driver); // of an earlier run, which its end left behind
}

KernelProfile::~KernelProfile() { driver::request_profile(driver_, false); }

profile::Profile KernelProfile::take() const {
    const auto line = driver::take_profile(driver_);
    return line ? profile::profile_from_line(*line) : profile::Profile();
}

void check_roofline(const Session& session, const RunOptions& options) {
    if (options.roofline.empty()) return;
    if (!options.profile && !session.profile)
        input_error("--roofline compares a profile with a GPU. Give --profile as well.", {});
    if (profile::find_gpu(options.roofline)) return;
    std::vector<std::string_view> known;
    for (const profile::Gpu& each : profile::gpus())
        known.push_back(each.name);
    input_error(fmt::format("No peak figures are known of the GPU \"{}\", only of {}.", options.roofline,
                            fmt::join(known, ", ")),
                {});
}

void profile_kernel(const Session& session, const driver::Driver& driver, const RunOptions& options,
                    const RunHooks& hooks, Report& report, const ProfiledRun& run) {
    const Session once = session_to_profile(session, driver);
    const RunOptions plain = options_to_profile(options, driver);
    const RunHooks quiet{.progress = {}, .output = {}, .echo = false, .cancelled = hooks.cancelled};
    const driver::Driver software = driver::Driver::from_name("software");
    Report profiled = run(once, driver.name() == "software" ? driver : software, plain, quiet);
    if (profiled.status == Status::cancelled) throw StageError(Status::cancelled, *profiled.error);
    report.profile = std::move(profiled.profile);
    if (!report.profile)
        report.profile_problem = fmt::format("There is no profile: the run on the software device failed. {}",
                                             profiled.error ? profiled.error->message : "");
}

} // namespace warplight::session
