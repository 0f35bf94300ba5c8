// SPDX-License-Identifier: Apache-2.0
// Checks of the kernels of a run.
#include "driver/checks.hpp"
#include "session/stages.hpp"

#include "warplight/memory.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace warplight::session {

findings::Checks checks_of_run(const Session& session, const RunOptions& options) {
    if (options.check.empty()) return session.checks;
    const auto checks = findings::Checks::parse(options.check);
    if (!checks)
        input_error(fmt::format("There is no check \"{}\". There are {}; several stand with commas between them, and "
                                "all means each of them.",
                                options.check, findings::names_of_checks()),
                    "/checks");
    return *checks;
}

KernelChecks::KernelChecks(const driver::Driver& driver, const findings::Checks& checks) : driver_(driver) {
    if (!checks.any()) return;
    if (const auto problem = driver::request_checks(driver, checks.text())) {
        if (!problem->empty()) device_error(*problem, "/checks");
        device_error("Only the software device checks running kernels. Choose it, or run without checks.", "/device");
    }
    (void)driver::take_findings(driver); // of an earlier run, which its end left behind
}

KernelChecks::~KernelChecks() { (void)driver::request_checks(driver_, ""); }

findings::Findings take_findings(const driver::Driver& driver, const std::vector<ArgumentMemory>& arguments) {
    const auto line = driver::take_findings(driver);
    if (!line) return {};
    findings::Findings found = findings::findings_from_line(*line);
    for (findings::Finding& each : found.all) {
        for (const ArgumentMemory& argument : arguments)
            if (each.allocation.find(phrase_of(argument)) != std::string::npos) each.argument = argument.argument;
        each.message = name_arguments(std::move(each.message), arguments);
        each.allocation = name_arguments(std::move(each.allocation), arguments);
    }
    return found;
}

} // namespace warplight::session
