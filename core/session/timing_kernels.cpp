// SPDX-License-Identifier: Apache-2.0
#include "session/timing_kernels.hpp"

#include "session/device_problems.hpp"
#include "session/gate.hpp"
#include "session/report.hpp"
#include "session/stages.hpp"
#include "session/timing_statistics.hpp"

#include "warplight/device.hpp"
#include "warplight/error.hpp"
#include "warplight/event.hpp"
#include "warplight/graph.hpp"
#include "warplight/module.hpp"
#include "warplight/stream.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <vector>

namespace warplight::session {
namespace {

constexpr int empty_warm_ups = 3;
constexpr int empty_runs = 15;
constexpr std::uint32_t displacing_block = 256;
constexpr std::uint32_t displacing_blocks_a_multiprocessor = 32;

// Reading the words, too, keeps the software device from writing past the caches.
constexpr std::string_view timing_kernels_text = R"(.address_size 64
.visible .entry warplight_nothing()
{
    ret;
}
.visible .entry warplight_displace(.param .u64 words, .param .u32 count)
{
    .reg .pred %p<2>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [words];
    ld.param.u32 %r1, [count];
    cvta.to.global.u64 %rd1, %rd1;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    mov.u32 %r6, %nctaid.x;
    mul.lo.s32 %r7, %r6, %r3;
NEXT:
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra DONE;
    mul.wide.u32 %rd2, %r5, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.u32 %r8, [%rd3];
    add.s32 %r8, %r8, 1;
    st.global.u32 [%rd3], %r8;
    add.s32 %r5, %r5, %r7;
    bra NEXT;
DONE:
    ret;
}
)";

/// What follows the directive, up to a blank, a comma or the line's end. Empty where the text lacks it.
std::string_view word_behind(std::string_view ptx, std::string_view directive) {
    const auto found = ptx.find(directive);
    if (found == std::string_view::npos) return {};
    ptx.remove_prefix(found + directive.size());
    const auto begin = ptx.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    ptx.remove_prefix(begin);
    return ptx.substr(0, ptx.find_first_of(" \t,\r\n"));
}

/// For the version and the target of the measured kernel: whatever driver takes that one takes these.
std::string text_for(std::string_view ptx) {
    const auto version = word_behind(ptx, "\n.version"), target = word_behind(ptx, "\n.target");
    return fmt::format(".version {}\n.target {}\n{}", version.empty() ? "6.0" : version,
                       target.empty() ? "sm_50" : target, timing_kernels_text);
}

std::string with_line_in_front(std::string_view ptx) { return '\n' + std::string(ptx.substr(0, 16384)); }

} // namespace

std::string_view kind_of_launch(const LaunchConfiguration& launch) {
    if (!launch.options.cluster.empty()) return "cluster";
    return launch.cooperative ? "cooperative" : "launch";
}

TimingKernels::TimingKernels(std::string_view ptx)
    : TimingKernels(driver::module_from_buffer(text_for(with_line_in_front(ptx)))) {}

TimingKernels::TimingKernels(const driver::Module& module)
    : empty_(module.get_function("warplight_nothing")), displace_(module.get_function("warplight_displace")) {
    empty_.load();
}

ReportEmptyLaunch TimingKernels::time_empty_launch(const LaunchConfiguration& launch, bool graph,
                                                   const driver::Stream& stream, bool gated, StreamHold* hold) const {
    driver::LaunchConfig config{.grid = {1}, .block = {1}, .stream = &stream, .cooperative = launch.cooperative};
    if (const auto& cluster = launch.options.cluster; !cluster.empty()) {
        config.cluster = configuration_of(launch).cluster;
        config.grid = {config.cluster.x, config.cluster.y, config.cluster.z};
    }
    std::optional<driver::GraphExec> captured;
    if (graph) captured = driver::capture(stream, [&] { empty_(config); }).instantiate();
    std::vector<double> times;
    times.reserve(empty_runs);
    for (int i = 0; i < empty_warm_ups + empty_runs; ++i) {
        driver::Event begin, done;
        {
            std::optional<Gate> gate;
            if (gated)
                gate.emplace(stream);
            else if (hold && i > 0)
                gate.emplace(stream, *hold);
            begin.record(stream);
            if (captured)
                captured->launch(stream);
            else
                empty_(config);
            done.record(stream);
        }
        stream.synchronize();
        if (i >= empty_warm_ups) times.push_back(done.time_since(begin));
    }
    return {std::string(graph ? "graph" : kind_of_launch(launch)), median_of(std::move(times)), empty_runs};
}

L2Displacer::L2Displacer(const TimingKernels& kernels, const driver::Device& device) : kernel_(kernels.displace()) {
    const int cache = device.find_attribute(driver::device_attribute::L2_CACHE_SIZE).value_or(0);
    if (cache <= 0)
        device_error(fmt::format("{} does not tell how large its L2 cache is, so it cannot be made cold. Leave \"l2\" "
                                 "out to measure with a warm cache.",
                                 device.name()),
                     "/l2");
    const auto bytes = std::size_t{2} * static_cast<std::size_t>(cache);
    try {
        memory_ = driver::mem_alloc(bytes);
    } catch (const driver::MemoryError& error) {
        ReportError described = describe(error);
        described.kind = "memory";
        described.message =
            fmt::format("To make the L2 cache cold takes {} more of the device's memory, twice the size of the cache, "
                        "and there is not that much. Choose smaller shapes, or leave \"l2\" out to measure with a "
                        "warm cache.",
                        format_bytes(bytes));
        described.pointer = "/l2";
        throw StageError(Status::device_error, std::move(described));
    }
    driver::memset_d8(memory_, 0, bytes);
    kernel_.load();
    const auto words = bytes / sizeof(std::uint32_t);
    blocks_ = static_cast<std::uint32_t>(
        std::min<std::size_t>((words + displacing_block - 1) / displacing_block,
                              std::size_t{displacing_blocks_a_multiprocessor} *
                                  static_cast<std::size_t>(std::max(device.multiprocessor_count(), 1))));
}

void L2Displacer::displace(const driver::Stream& stream) const {
    kernel_({.grid = {blocks_}, .block = {displacing_block}, .stream = &stream}, memory_,
            static_cast<std::uint32_t>(memory_.size() / sizeof(std::uint32_t)));
}

} // namespace warplight::session
