// SPDX-License-Identifier: Apache-2.0
// The kernels' code on the device: loaded, checked against the launches, and run with what watches it.
#include "session/run.hpp"

#include "driver/checks.hpp"
#include "session/device_problems.hpp"
#include "session/occupancy.hpp"

#include "warplight/context.hpp"
#include "warplight/error.hpp"
#include "warplight/memory.hpp"
#include "warplight/module.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace warplight::session {

void Run::read_function(const driver::Device& device, const driver::Function& function) {
    for (const auto& [attribute, value] : function.get_attributes()) {
        auto name = driver::to_string(attribute);
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        report_.function[name] = value;
    }
    try {
        std::uint64_t threads = 1;
        for (const auto extent : first_launch().block)
            threads *= extent;
        report_.occupancy = occupancy(device, function, static_cast<int>(threads), first_launch().shared);
        report_.occupancy->estimated = report_.registers_from == "estimate";
    } catch (const driver::Error&) { // NOLINT(bugprone-empty-catch): the values are optional
        // A driver without occupancy functions still runs kernels.
    }
}

std::vector<driver::Function> Run::load_functions(const driver::Module& module, const CompiledSource& compiled) {
    const auto names = kernels_of(session_);
    std::vector<driver::Function> functions;
    functions.reserve(compiled.kernels.size());
    for (std::size_t i = 0; i < compiled.kernels.size(); ++i) {
        try {
            functions.push_back(module.get_function(compiled.kernels[i].lowered));
        } catch (const driver::LogicError& error) {
            input_error(error.what(), names[i].pointer);
        }
        functions.back().load();
    }
    return functions;
}

/// Those with most shared memory last: a kernel's limit is that of its last check.
void Run::check_launches(const driver::Device& device, const std::vector<driver::Function>& functions) {
    auto launches = plan_.launches;
    const auto shared = [](const PlannedStep* step) { return std::get<PlannedLaunch>(step->what).launch.shared; };
    std::ranges::sort(launches, [&](const auto* a, const auto* b) {
        return std::pair(shared(a), a->number) < std::pair(shared(b), b->number);
    });
    for (const PlannedStep* step : launches)
        in_step(*step, [&] {
            const auto& planned = std::get<PlannedLaunch>(step->what);
            check_resources(planned.launch, device, functions[planned.code]);
            apply_launch_options(planned.launch, device, functions[planned.code]);
        });
}

void Run::execute(const driver::Device& device, const CompiledSource& compiled) {
    const auto context = device.retain_primary_context();
    const driver::ContextScope current(context);
    const KernelChecks checks(driver_, report_.checks);
    std::optional<KernelProfile> profile;
    if (kind_ == Kind::profiled) profile.emplace(driver_);
    if (kind_ == Kind::recorded && !session_.pipeline) recorded_.emplace(driver_, *warp_);
    stage("load");
    const auto load_start = std::chrono::steady_clock::now();
    const auto module = [&] {
        try {
            return driver::module_from_buffer(compiled.ptx);
        } catch (const driver::Error& error) {
            if (compiled.ptx_name.empty()) throw;
            throw StageError(Status::device_error, in_users_ptx(describe(error), compiled.ptx_name));
        }
    }();
    auto functions = load_functions(module, compiled);
    report_.compile.load_ms = ms_since(load_start);
    report_.registers_from = count_registers(driver_, functions.front(), compiled.kernels.front().registers);
    check_launches(device, functions);
    read_function(device, functions.front());
    const auto before = driver::mem_get_info();
    report_.memory.total = before.total;
    report_.memory.free_before = before.free;
    on_device_.place(module, report_.checks, session_.pipeline.has_value());
    report_.memory.allocated = on_device_.allocated_bytes();
    // An integrated device shares the host's memory, so staging buffers only cost time.
    if (!device.integrated()) on_device_.stage_large_copies();
    if (session_.pipeline && kind_ == Kind::profiled && !options_.step.empty()) {
        (void)driver::request_profile(driver_, false);
        watch_ = {chosen_step().path, [this] { (void)driver::request_profile(driver_, true); },
                  [this] { (void)driver::request_profile(driver_, false); }};
    }
    if (session_.pipeline && kind_ == Kind::recorded)
        watch_ = {chosen_step().path,
                  [this] {
                      if (!recorded_) recorded_.emplace(driver_, *warp_);
                  },
                  [] {}};
    ptx_ = compiled.ptx;
    run_all(context, std::move(functions));
    collect_findings();
    if (profile) {
        report_.profile = profile->take();
        own_paths().mend(*report_.profile);
    }
    if (recorded_) report_.warp = recorded_->take(on_device_.memory());
    recorded_.reset();
    if (report_.warp) own_paths().mend(*report_.warp);
    has_results_ = true;
    on_device_.clear(); // memory that stays in use belongs to the kernel or the driver
    report_.memory.free_after = driver::mem_get_info().free;
}

/// As long as the arguments have their memory, by which they are named.
void Run::collect_findings() {
    if (!report_.checks.any()) return;
    report_.findings = take_findings(driver_, on_device_.memory());
    own_paths().mend(report_.findings);
}

} // namespace warplight::session
