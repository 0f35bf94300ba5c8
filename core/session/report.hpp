// SPDX-License-Identifier: Apache-2.0
/// The report of a run, which `warplight-cli run --json` prints. docs/report.md has every key.
#pragma once

#include "findings/finding.hpp"
#include "profile/profile.hpp"
#include "profile/warp_record.hpp"
#include "session/compare.hpp"
#include "session/launch_options.hpp"
#include "session/pipeline_report.hpp"
#include "session/report_timing.hpp"

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::session {

enum class Status {
    ok,
    expectation_failed, ///< it ran; a result is not what was expected
    input_error,        ///< the session, a file or a path cannot be used
    compile_error,
    device_error, ///< no device, a launch that is refused, a fault
    cancelled,
    limit_reached, ///< of time or memory, which who started the run has set
    findings,      ///< it ran to its end; checks of the kernel have found something
};
/// The kernel ran to its end, and there are results.
constexpr bool has_run(Status status) {
    return status == Status::ok || status == Status::expectation_failed || status == Status::findings;
}
std::string_view status_name(Status status);
/// The exit code of warplight-cli: 0 to 6 as in its manual. A cancelled run has 4.
int exit_code(Status status);

struct ReportError {
    std::string kind = {}; ///< input, compile, device, memory, cancelled, limit
    std::string message = {};
    std::string pointer = {};     ///< into the session, when it is about a place there
    std::string entry_point = {}; ///< of the driver, cuLaunchKernel
    int code = 0;                 ///< the driver's; 0 when it is not the driver's error
    std::string code_name = {};   ///< CUDA_ERROR_ILLEGAL_ADDRESS
    std::string details = {};     ///< more lines: the driver's log, the kernels that do exist
    /// Files outside of the session's folder that the run needs and that the user has not agreed to; absolute paths
    std::vector<std::string> outside = {};
    /// Files that results would replace, and that the session has not written; absolute paths
    std::vector<std::string> replaces = {};
};

struct ReportDevice {
    std::string driver; ///< cuda, software
    int ordinal = 0;
    std::string name;
    std::string compute_capability; ///< "8.0"
    std::uint64_t total_memory = 0;
    int multiprocessors = 0;
};

struct ReportDiagnostic {
    std::string file;
    int line = 0, column = 0;
    std::string severity, message;
    std::vector<std::string> notes;
};

struct ReportCompile {
    double ms = 0;
    bool cached = false;
    std::string compiler; ///< "NVRTC 13.0"; empty for a session of PTX
    std::string arch;
    std::string log;
    double load_ms = 0; ///< time in the driver: it loads the module
};

struct Statistics {
    double min = 0, median = 0, p95 = 0;
};
/// Takes an unsorted list. An empty one has zeros. p95 is the smallest value that 95 % do not exceed.
Statistics statistics(std::vector<double> values);

struct ReportTimes { ///< milliseconds, one entry a repeat, measured by events; warm-up excluded
    std::vector<double> kernel_ms, htod_ms, dtoh_ms;
};

struct ReportMemory { ///< bytes of the device
    std::uint64_t total = 0, free_before = 0, free_after = 0;
    std::uint64_t allocated = 0; ///< by the arguments of this run
};

struct ReportOccupancy {
    int blocks_per_sm = 0;
    int warps_per_sm = 0;
    int max_warps_per_sm = 0;
    double occupancy = 0;    ///< warps / most warps, 0…1
    std::string limiter;     ///< block size, registers, shared memory, blocks per multiprocessor, grid
    int suggested_block = 0; ///< threads; 0 when unknown
    int suggested_grid = 0;
    bool estimated = false; ///< from an estimate of the registers
};

struct ReportOutput {
    int index = 0; ///< of the argument, from 0
    std::string name, direction, dtype;
    std::vector<std::size_t> shape;
    std::uint64_t bytes = 0;
    int rate = 0;                       ///< Hz of a sound that is made of it; 0: nothing tells it
    std::string texture;                ///< "2d texture, linear filter" of one that kernels get as such, else empty
    std::string saved;                  ///< absolute path, empty when not saved
    std::string digest;                 ///< of an output: XXH3, 128 bits in hexadecimal digits, of its bytes
    std::optional<std::int64_t> buffer; ///< id in the worker, where there is one
};

struct Report {
    Status status = Status::ok;
    std::string end = "finished"; ///< how the run ended; docs/report.md has the words
    std::string title;
    std::string session; ///< the document, when it came from a file
    std::string kernel;  ///< the session's name of it
    std::string lowered; ///< its name in the module
    std::string machine; ///< "user@host:port" of a run on another machine, as the user wrote it; empty for one here
    ReportDevice device;
    ReportCompile compile;
    std::vector<ReportDiagnostic> diagnostics;
    std::vector<std::uint32_t> grid, block;
    std::uint64_t shared = 0;
    bool cooperative = false;
    LaunchOptions launch_options;
    bool launched = false; ///< the device has taken the kernel at least once
    int repeat = 0, warmup = 0;
    ReportTimes times;
    bool cold_l2 = false;                          ///< before each measured run the L2 cache was made cold
    std::optional<ReportClocks> clocks;            ///< missing where nobody tells
    std::optional<ReportEmptyLaunch> empty_launch; ///< missing where times are not of launches alone
    std::optional<ReportPipeline> pipeline;        ///< then kernel, launch and function are those of its first launch
    double wall_ms = 0;                            ///< the whole run, from reading data to the last file written
    std::map<std::string, int> function;           ///< attributes by name: num_regs, shared_size_bytes, …
    std::string registers_from;                    ///< who counted num_regs: driver, ptxas, estimate; empty: nobody
    ReportMemory memory;
    std::optional<ReportOccupancy> occupancy;
    std::vector<ReportOutput> inputs, outputs;
    std::vector<Comparison> comparisons;
    findings::Checks checks;                 ///< that were made
    bool checked_beside = false;             ///< in one more run, on the software device; else times are with checks
    std::string checks_problem;              ///< of that run, if it did not come to its end
    findings::Findings findings;             ///< of all runs
    std::optional<profile::Profile> profile; ///< of one more run, on the software device
    std::string profile_problem;             ///< why there is none, though it was asked for
    std::optional<profile::WarpRecord> warp; ///< what a warp did in one more run, likewise
    std::string warp_problem;                ///< why there is no record, though it was asked for
    std::string roofline_gpu;                ///< the profile's (profile::find_gpu()); empty: of none
    std::string output;                      ///< what the kernel printed, at most 1 MiB
    bool output_truncated = false;
    std::optional<ReportError> error;
};

/// The kernel ran, but a result could not be saved.
bool failed_to_save(const Report& report);
/// Why its outputs are doubtful.
findings::Doubt doubt_of(const Report& report);

/// A kernel whose median is less than `mostly_launch` empty launches. Of a pipeline nothing is said.
bool is_mostly_launch(const Report& report);

nlohmann::json to_json(const ReportOccupancy& occupancy);
/// A missing key leaves the default. @throws nlohmann::json::exception for a value of another type.
ReportOccupancy occupancy_from_json(const nlohmann::json& json);

/// "NVIDIA H100", "NVIDIA H100 on user@host"; empty where the run has not come to a device.
[[nodiscard]] std::string device_text(const Report& report);

nlohmann::json to_json(const ReportError& error);
/// @throws nlohmann::json::exception where the JSON is no such error
ReportError error_from_json(const nlohmann::json& object);

nlohmann::json to_json(const Report& report);
/// Throws SessionError where the JSON is not a report.
Report report_from_json(const nlohmann::json& json);

/// For people: aligned columns, units that scale. Ends with a newline.
std::string to_text(const Report& report);

/// "3.21 ms", "12.0 µs"; "4.00 MiB", "512 B"
std::string format_ms(double milliseconds);
std::string format_bytes(std::uint64_t bytes);

} // namespace warplight::session
