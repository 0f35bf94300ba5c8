// SPDX-License-Identifier: Apache-2.0
// The profile of a run: one more run, on the software device.
#include "driver/checks.hpp"
#include "profile/roofline.hpp"
#include "session/stages.hpp"

#include <fmt/format.h>
#include <string_view>
#include <vector>

namespace warplight::session {

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

} // namespace warplight::session
