// SPDX-License-Identifier: Apache-2.0
// Converts reports to JSON and back.
#include "session/report.hpp"

#include "profile/hints.hpp"

#include "session/json_reader.hpp"
#include "session/launch_document.hpp"
#include "session/timing_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace warplight::session {
namespace {

/// The profile, with what the measured time and a GPU's peak figures make of it.
nlohmann::json profile_to_json(const Report& report) {
    nlohmann::json object = profile::to_json(*report.profile);
    const profile::Figures total = report.profile->total();
    nlohmann::json& kernel = object["kernel"];
    if (const double ms = statistics(report.times.kernel_ms).median; ms > 0) {
        const profile::Speed speed = profile::speed_of(total, ms);
        kernel["achieved"] = {
            {"ms", speed.ms}, {"gigabytes_a_second", speed.gigabytes_a_second}, {"gigaflops", speed.gigaflops}};
    }
    const profile::Gpu* gpu = profile::find_gpu(report.roofline_gpu);
    if (gpu)
        if (const auto roofline = profile::roofline_of(total, *gpu))
            kernel["roofline"] = profile::to_json(*roofline, *gpu);
    nlohmann::json& hints = object["hints"] = nlohmann::json::array();
    for (const profile::Hint& each : profile::hints_of(*report.profile, gpu))
        hints.push_back(profile::to_json(each));
    return object;
}

void read_profile(const nlohmann::json& object, Report& report) {
    report.profile = profile::profile_from_json(object);
    const nlohmann::json kernel = object.value("kernel", nlohmann::json::object());
    if (kernel.contains("roofline")) report.roofline_gpu = kernel.at("roofline").value("gpu", "");
}

using nlohmann::json;

constexpr std::string_view status_names[] = {"ok",           "expectation_failed", "input_error",   "compile_error",
                                             "device_error", "cancelled",          "limit_reached", "findings"};

// JSON has no infinities and no NaN.
json number(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
}

double number(const json& value) {
    if (value.is_string()) {
        const auto text = value.get<std::string>();
        if (text == "inf") return std::numeric_limits<double>::infinity();
        if (text == "-inf") return -std::numeric_limits<double>::infinity();
        return std::numeric_limits<double>::quiet_NaN();
    }
    return value.get<double>();
}

json write(const Statistics& statistics) {
    return {{"min", statistics.min}, {"median", statistics.median}, {"p95", statistics.p95}};
}

/// Of the kernel's times. Two say nothing of what other runs would take.
json write_kernel_statistics(const std::vector<double>& times) {
    json object = write(statistics(times));
    if (times.size() < least_for_interval) return object;
    const auto interval = interval_of_median({&times, 1});
    object["median_interval"] = {interval.low, interval.high};
    object["outliers"] = count_outliers(times);
    return object;
}

json write(const Comparison& comparison) {
    json object = {{"index", comparison.index},
                   {"argument", comparison.argument},
                   {"expected", comparison.expected},
                   {"passed", comparison.passed},
                   {"elements", comparison.elements},
                   {"mismatches", comparison.mismatches},
                   {"largest_absolute_error", number(comparison.largest_absolute_error)},
                   {"largest_absolute_at", comparison.largest_absolute_at},
                   {"largest_relative_error", number(comparison.largest_relative_error)},
                   {"largest_relative_at", comparison.largest_relative_at},
                   {"rtol", number(comparison.tolerance.rtol)},
                   {"atol", number(comparison.tolerance.atol)}};
    if (!comparison.formula.empty()) object["formula"] = comparison.formula;
    if (!comparison.digest.empty()) object["digest"] = comparison.digest;
    if (comparison.buffer) object["buffer"] = *comparison.buffer;
    if (!comparison.problem.empty()) object["problem"] = comparison.problem;
    if (comparison.mismatches) {
        object["first"] = comparison.first;
        if (!comparison.first_field.empty()) object["first_field"] = comparison.first_field;
        object["first_actual"] = number(comparison.first_actual);
        object["first_expected"] = number(comparison.first_expected);
    }
    return object;
}

Comparison read_comparison(const json& object) {
    Comparison comparison;
    comparison.index = object.value("index", -1);
    comparison.argument = object.at("argument");
    comparison.expected = object.at("expected");
    comparison.formula = object.value("formula", "");
    comparison.digest = object.value("digest", "");
    if (object.contains("buffer")) comparison.buffer = object.at("buffer").get<std::int64_t>();
    comparison.passed = object.at("passed");
    comparison.problem = object.value("problem", "");
    comparison.elements = object.at("elements");
    comparison.mismatches = object.at("mismatches");
    comparison.largest_absolute_error = number(object.at("largest_absolute_error"));
    comparison.largest_absolute_at = object.at("largest_absolute_at");
    comparison.largest_relative_error = number(object.at("largest_relative_error"));
    comparison.largest_relative_at = object.at("largest_relative_at");
    comparison.tolerance = {number(object.at("rtol")), number(object.at("atol"))};
    if (comparison.mismatches) {
        comparison.first = object.at("first");
        comparison.first_field = object.value("first_field", std::string());
        comparison.first_actual = number(object.at("first_actual"));
        comparison.first_expected = number(object.at("first_expected"));
    }
    return comparison;
}

/// Reports of older versions have the name alone, which arguments need not have.
void find_argument_of(Comparison& comparison, const std::vector<ReportOutput>& outputs) {
    if (comparison.index >= 0) return;
    const auto is_it = [&](const ReportOutput& each) { return each.name == comparison.argument; };
    if (std::ranges::count_if(outputs, is_it) == 1) comparison.index = std::ranges::find_if(outputs, is_it)->index;
}

json write(const ReportOutput& output) {
    json object = {{"index", output.index}, {"name", output.name},   {"direction", output.direction},
                   {"dtype", output.dtype}, {"shape", output.shape}, {"bytes", output.bytes}};
    if (output.rate) object["rate"] = output.rate;
    if (!output.texture.empty()) object["texture"] = output.texture;
    if (!output.saved.empty()) object["saved"] = output.saved;
    if (!output.digest.empty()) object["digest"] = output.digest;
    if (output.buffer) object["buffer"] = *output.buffer;
    return object;
}

ReportOutput read_output(const json& object) {
    ReportOutput output;
    output.index = object.at("index");
    output.name = object.at("name");
    output.direction = object.at("direction");
    output.dtype = object.at("dtype");
    output.shape = object.at("shape").get<std::vector<std::size_t>>();
    output.bytes = object.at("bytes");
    output.rate = object.value("rate", 0);
    output.texture = object.value("texture", "");
    output.saved = object.value("saved", "");
    output.digest = object.value("digest", "");
    if (object.contains("buffer")) output.buffer = object.at("buffer").get<std::int64_t>();
    return output;
}

json write(const ReportDiagnostic& diagnostic) {
    return {{"file", diagnostic.file},         {"line", diagnostic.line},       {"column", diagnostic.column},
            {"severity", diagnostic.severity}, {"message", diagnostic.message}, {"notes", diagnostic.notes}};
}

ReportDiagnostic read_diagnostic(const json& object) {
    return {object.at("file"),     object.at("line"),    object.at("column"),
            object.at("severity"), object.at("message"), object.at("notes").get<std::vector<std::string>>()};
}

/// Calls `visit` with the key and the value of each member.
template <class Occupancy, class Visit>
void visit_members(Occupancy& occupancy, const Visit& visit) {
    // The binding names all members: a new member does not compile until it has a key.
    auto& [blocks, warps, max_warps, ratio, limiter, suggested_block, suggested_grid, estimated] = occupancy;
    visit("blocks_per_sm", blocks);
    visit("warps_per_sm", warps);
    visit("max_warps_per_sm", max_warps);
    visit("occupancy", ratio);
    visit("limiter", limiter);
    visit("suggested_block", suggested_block);
    visit("suggested_grid", suggested_grid);
    visit("estimated", estimated);
}

template <class T>
json write_all(const std::vector<T>& list) {
    json array = json::array();
    for (const auto& each : list)
        array.push_back(write(each));
    return array;
}

Report read(const json& object) {
    Report report;
    const std::string status = object.at("status");
    const auto found = std::find(std::begin(status_names), std::end(status_names), status);
    if (found == std::end(status_names)) throw SessionError("The report has an unknown status: " + status);
    report.status = static_cast<Status>(found - std::begin(status_names));
    report.end = object.value("end", "finished");
    report.title = object.value("title", "");
    report.session = object.value("session", "");
    report.kernel = object.at("kernel");
    report.lowered = object.value("lowered", "");
    report.machine = object.value("machine", "");
    const auto& device = object.at("device");
    report.device = {device.at("driver"),       device.at("ordinal"),
                     device.at("name"),         device.at("compute_capability"),
                     device.at("total_memory"), device.value("multiprocessors", 0)};
    const auto& compile = object.at("compile");
    report.compile = {compile.at("ms"),   compile.at("cached"), compile.at("compiler"),
                      compile.at("arch"), compile.at("log"),    compile.at("load_ms")};
    for (const auto& each : object.at("diagnostics"))
        report.diagnostics.push_back(read_diagnostic(each));
    const auto& launch = object.at("launch");
    report.grid = launch.at("grid").get<std::vector<std::uint32_t>>();
    report.block = launch.at("block").get<std::vector<std::uint32_t>>();
    report.shared = launch.at("shared");
    report.cooperative = launch.at("cooperative");
    const ordered_json options = launch;
    report.launch_options = read_launch_options(JsonReader(options, "/launch"));
    report.launched = object.value("launched", false);
    report.repeat = object.at("repeat");
    report.warmup = object.at("warmup");
    const auto& times = object.at("times");
    report.times.kernel_ms = times.at("kernel_ms").get<std::vector<double>>();
    report.times.htod_ms = times.at("htod_ms").get<std::vector<double>>();
    report.times.dtoh_ms = times.at("dtoh_ms").get<std::vector<double>>();
    report.cold_l2 = object.value("l2", "warm") == "cold";
    if (object.contains("clocks")) report.clocks = clocks_from_json(object.at("clocks"));
    if (object.contains("empty_launch")) report.empty_launch = empty_launch_from_json(object.at("empty_launch"));
    if (object.contains("pipeline")) report.pipeline = pipeline_from_json(object.at("pipeline"));
    report.wall_ms = object.at("wall_ms");
    report.function = object.at("function").get<std::map<std::string, int>>();
    report.registers_from = object.value("registers_from", "");
    const auto& memory = object.at("memory");
    report.memory = {memory.at("total"), memory.at("free_before"), memory.at("free_after"), memory.at("allocated")};
    if (object.contains("occupancy")) report.occupancy = occupancy_from_json(object.at("occupancy"));
    for (const auto& each : object.at("inputs"))
        report.inputs.push_back(read_output(each));
    for (const auto& each : object.at("outputs"))
        report.outputs.push_back(read_output(each));
    for (const auto& each : object.at("comparison"))
        find_argument_of(report.comparisons.emplace_back(read_comparison(each)), report.outputs);
    for (const auto& name : object.value("checks", std::vector<std::string>()))
        report.checks.add(findings::Checks::parse(name).value_or(findings::Checks()));
    report.checked_beside = object.value("checked_beside", false);
    report.checks_problem = object.value("checks_problem", "");
    if (object.contains("findings")) report.findings = findings::findings_from_json(object);
    if (object.contains("profile")) read_profile(object.at("profile"), report);
    report.profile_problem = object.value("profile_problem", "");
    if (object.contains("warp")) report.warp = profile::warp_record_from_json(object.at("warp"));
    report.warp_problem = object.value("warp_problem", "");
    report.output = object.value("output", "");
    report.output_truncated = object.value("output_truncated", false);
    if (object.contains("error")) report.error = error_from_json(object.at("error"));
    return report;
}

} // namespace

nlohmann::json to_json(const ReportError& error) {
    json object = {{"kind", error.kind}, {"message", error.message}};
    if (!error.pointer.empty()) object["pointer"] = error.pointer;
    if (!error.entry_point.empty()) object["entry_point"] = error.entry_point;
    if (error.code) {
        object["code"] = error.code;
        object["code_name"] = error.code_name;
    }
    if (!error.details.empty()) object["details"] = error.details;
    if (!error.outside.empty()) object["outside"] = error.outside;
    if (!error.replaces.empty()) object["replaces"] = error.replaces;
    return object;
}

ReportError error_from_json(const nlohmann::json& object) {
    return {object.at("kind"),
            object.at("message"),
            object.value("pointer", ""),
            object.value("entry_point", ""),
            object.value("code", 0),
            object.value("code_name", ""),
            object.value("details", ""),
            object.value("outside", std::vector<std::string>{}),
            object.value("replaces", std::vector<std::string>{})};
}

std::string_view status_name(Status status) { return status_names[static_cast<int>(status)]; }

int exit_code(Status status) {
    switch (status) {
    case Status::ok: return 0;
    case Status::expectation_failed: return 1;
    case Status::input_error: return 2;
    case Status::compile_error: return 3;
    case Status::findings: return 5;
    case Status::limit_reached: return 6;
    default: return 4;
    }
}

findings::Doubt doubt_of(const Report& report) {
    // Another run was checked, or there is nothing to doubt.
    if (report.checked_beside || report.outputs.empty()) return findings::Doubt::none;
    return findings::doubt_of(report.findings.all);
}

bool failed_to_save(const Report& report) {
    return report.status == Status::input_error && report.launched && report.error &&
           report.error->pointer.ends_with("/save");
}

bool is_mostly_launch(const Report& report) {
    const double median = median_of(report.times.kernel_ms);
    return report.empty_launch && !report.pipeline && median > 0 && median < mostly_launch * report.empty_launch->ms;
}

Statistics statistics(std::vector<double> values) {
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    const auto count = values.size();
    const double median = count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
    const auto rank = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(count)));
    return {values.front(), median, values[std::max<std::size_t>(rank, 1) - 1]};
}

nlohmann::json to_json(const ReportOccupancy& occupancy) {
    json object;
    visit_members(occupancy, [&](const char* key, const auto& value) { object[key] = value; });
    return object;
}

ReportOccupancy occupancy_from_json(const nlohmann::json& object) {
    ReportOccupancy occupancy;
    visit_members(occupancy, [&](const char* key, auto& value) {
        if (const auto found = object.find(key); found != object.end()) found->get_to(value);
    });
    return occupancy;
}

std::string device_text(const Report& report) {
    if (report.device.name.empty() || report.machine.empty()) return report.device.name;
    return report.device.name + " on " + report.machine;
}

nlohmann::json to_json(const Report& report) {
    json object;
    object["status"] = status_name(report.status);
    object["exit_code"] = exit_code(report.status);
    object["end"] = report.end;
    if (!report.title.empty()) object["title"] = report.title;
    if (!report.session.empty()) object["session"] = report.session;
    object["kernel"] = report.kernel;
    object["lowered"] = report.lowered;
    object["machine"] = report.machine;
    object["device"] = {{"driver", report.device.driver},
                        {"ordinal", report.device.ordinal},
                        {"name", report.device.name},
                        {"compute_capability", report.device.compute_capability},
                        {"total_memory", report.device.total_memory},
                        {"multiprocessors", report.device.multiprocessors}};
    object["compile"] = {
        {"ms", report.compile.ms},     {"cached", report.compile.cached}, {"compiler", report.compile.compiler},
        {"arch", report.compile.arch}, {"log", report.compile.log},       {"load_ms", report.compile.load_ms}};
    object["diagnostics"] = write_all(report.diagnostics);
    ordered_json launch = {
        {"grid", report.grid}, {"block", report.block}, {"shared", report.shared}, {"cooperative", report.cooperative}};
    write_launch_options(report.launch_options, launch);
    object["launch"] = launch;
    object["launched"] = report.launched;
    object["repeat"] = report.repeat;
    object["warmup"] = report.warmup;
    object["times"] = {
        {"kernel_ms", report.times.kernel_ms}, {"htod_ms", report.times.htod_ms}, {"dtoh_ms", report.times.dtoh_ms}};
    object["statistics"] = {{"kernel_ms", write_kernel_statistics(report.times.kernel_ms)},
                            {"htod_ms", write(statistics(report.times.htod_ms))},
                            {"dtoh_ms", write(statistics(report.times.dtoh_ms))}};
    object["l2"] = report.cold_l2 ? "cold" : "warm";
    if (report.clocks) object["clocks"] = to_json(*report.clocks);
    if (report.empty_launch) {
        object["empty_launch"] = to_json(*report.empty_launch);
        object["mostly_launch"] = is_mostly_launch(report);
    }
    if (report.pipeline) object["pipeline"] = to_json(*report.pipeline);
    object["wall_ms"] = report.wall_ms;
    object["function"] = report.function;
    if (!report.registers_from.empty()) object["registers_from"] = report.registers_from;
    object["memory"] = {{"total", report.memory.total},
                        {"free_before", report.memory.free_before},
                        {"free_after", report.memory.free_after},
                        {"allocated", report.memory.allocated}};
    if (report.occupancy) object["occupancy"] = to_json(*report.occupancy);
    object["inputs"] = write_all(report.inputs);
    object["outputs"] = write_all(report.outputs);
    object["comparison"] = write_all(report.comparisons);
    if (report.checks.any()) {
        object["checks"] = report.checks.names();
        object["checked_beside"] = report.checked_beside;
        if (!report.checks_problem.empty()) object["checks_problem"] = report.checks_problem;
        object.update(findings::to_json(report.findings));
    }
    if (report.profile) object["profile"] = profile_to_json(report);
    if (!report.profile_problem.empty()) object["profile_problem"] = report.profile_problem;
    if (report.warp) object["warp"] = profile::to_json(*report.warp);
    if (!report.warp_problem.empty()) object["warp_problem"] = report.warp_problem;
    object["output"] = report.output;
    object["output_truncated"] = report.output_truncated;
    if (report.error) object["error"] = to_json(*report.error);
    return object;
}

Report report_from_json(const nlohmann::json& object) {
    try {
        return read(object);
    } catch (const json::exception& error) {
        throw SessionError(std::string("This is not a report of Warplight: ") + error.what());
    }
}

} // namespace warplight::session
