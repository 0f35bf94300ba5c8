// SPDX-License-Identifier: Apache-2.0
// The profile of a run, and the record of a warp: one more run each, on the software device.
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

KernelWarp::KernelWarp(const driver::Driver& driver, const profile::WarpChoice& choice) : driver_(driver) {
    (void)driver::take_warp(driver); // of an earlier run, which its end left behind
    if (!driver::request_warp(driver, choice.block.data(), choice.warp))
        device_error("Only the software device records warps.", "/device");
}

KernelWarp::~KernelWarp() { driver::request_warp(driver_, nullptr, 0); }

std::optional<profile::WarpRecord> KernelWarp::take(const std::vector<ArgumentMemory>& arguments) const {
    const auto line = driver::take_warp(driver_);
    if (!line || line->empty()) return std::nullopt;
    profile::WarpRecord record = profile::warp_record_from_line(*line);
    for (const ArgumentMemory& argument : arguments)
        record.memory.push_back(
            {profile::RecordedSpace::global, argument.argument, argument.address, argument.bytes, argument.element});
    return record;
}

std::optional<profile::WarpChoice> warp_of_run(const LaunchConfiguration& launch, const RunOptions& options) {
    if (options.warp.empty()) return std::nullopt;
    const auto choice = profile::WarpChoice::parse(options.warp);
    if (!choice)
        input_error(fmt::format("\"{}\" names no warp. Give a block and the warp's number in it, such as 5,0,0:2.",
                                options.warp),
                    {});
    const auto extent = [](const std::vector<std::uint32_t>& list, std::size_t axis) {
        return axis < list.size() ? list[axis] : 1U;
    };
    std::uint64_t threads = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        threads *= extent(launch.block, axis);
        if (const std::uint32_t blocks = extent(launch.grid, axis); choice->block[axis] >= blocks)
            input_error(fmt::format("The launch has no block ({}): in {} the last one is {}.",
                                    fmt::join(choice->block, ","), "xyz"[axis], blocks - 1),
                        "/launch/grid");
    }
    constexpr std::uint64_t kWarp = 32;
    if (const std::uint64_t warps = (threads + kWarp - 1) / kWarp; choice->warp >= warps)
        input_error(fmt::format("A block of this launch has no warp {}: its {} threads are {} warp{}, and the last one "
                                "is {}.",
                                choice->warp, threads, warps, warps == 1 ? "" : "s", warps - 1),
                    "/launch/block");
    return choice;
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
