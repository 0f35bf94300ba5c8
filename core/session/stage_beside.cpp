// SPDX-License-Identifier: Apache-2.0
// Runs beside the measured one, on the software device, whichever device that was.
#include "session/stages.hpp"
#include "warplight/driver.hpp"

#include <fmt/format.h>
#include <optional>
#include <utility>

namespace warplight::session {
namespace {

/// One launch, of which nothing is kept.
Session session_beside(const Measured& run) {
    Session session = run.session;
    session.repeat = 1;
    session.warmup = 0;
    session.checks = {};
    session.profile = false;
    for (Argument& argument : session.arguments) {
        argument.save.clear();
        argument.expect.reset();
    }
    if (run.driver.name() != "software") session.compile.arch = "auto"; // the GPU's may be later than the device's
    return session;
}

RunOptions options_beside(const Measured& run) {
    RunOptions options = run.options;
    options.repeat.reset();
    options.warmup.reset();
    options.check.clear();
    options.profile = false;
    options.roofline.clear();
    options.warp.clear();
    options.keep.clear();
    if (run.driver.name() != "software") options.device = 0;
    return options;
}

/// Nothing of it is shown while it runs.
RunHooks hooks_beside(const Measured& run) {
    return {.progress = {}, .output = {}, .echo = false, .cancelled = run.hooks.cancelled};
}

Report throw_if_stopped(Report report) {
    if (report.status == Status::cancelled) throw StageError(Status::cancelled, *report.error);
    return report;
}

std::string reason_of(const Report& report) { return report.error ? report.error->message : ""; }

/// That of the measured run, if it is one.
driver::Driver software_device(const Measured& run) {
    return run.driver.name() == "software" ? run.driver : driver::Driver::from_name("software");
}

} // namespace

void profile_beside(const Measured& run, Report& report) {
    Report profiled = throw_if_stopped(
        run_profiled(session_beside(run), software_device(run), options_beside(run), hooks_beside(run)));
    if (!profiled.profile) {
        report.profile_problem =
            fmt::format("There is no profile: the run on the software device failed. {}", reason_of(profiled));
        return;
    }
    report.profile = std::move(profiled.profile);
}

void record_beside(const Measured& run, const profile::WarpChoice& warp, Report& report) {
    Report recorded = throw_if_stopped(
        run_recorded(session_beside(run), software_device(run), options_beside(run), hooks_beside(run), warp));
    report.warp = std::move(recorded.warp);
    if (!report.warp)
        report.warp_problem = fmt::format("There is no record of the warp: the run on the software device failed. {}",
                                          reason_of(recorded));
}

void check_beside(const Measured& run, const findings::Checks& checks, Report& report) {
    RunOptions options = options_beside(run);
    options.check = checks.text();
    Report checked =
        throw_if_stopped(session::run(session_beside(run), software_device(run), options, hooks_beside(run)).report);
    report.checks = checks;
    report.checked_beside = true;
    report.findings = std::move(checked.findings);
    if (checked.status != Status::ok && checked.status != Status::findings)
        report.checks_problem =
            fmt::format("The run with checks, on the software device, did not come to its end. {}", reason_of(checked));
}

} // namespace warplight::session
