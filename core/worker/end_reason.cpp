// SPDX-License-Identifier: Apache-2.0
#include "worker/end_reason.hpp"

#include "session/report.hpp"
#include "worker/crash_report.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace warplight::worker {
namespace {

/// What libraries print when an allocation fails that they cannot do without.
bool tells_of_no_memory(std::string_view errors) {
    for (const std::string_view words : {"bad_alloc", "out of memory", "Out of memory", "Cannot allocate memory"})
        if (errors.find(words) != std::string_view::npos) return true;
    return false;
}

/// "signal 11 (Segmentation fault)"
std::string cause_text(const EndEvidence& evidence) {
    constexpr std::string_view before = "was ended by ";
    const std::string& text = evidence.end.text;
    return text.starts_with(before) ? text.substr(before.size()) : text;
}

EndReason memory_reason(const EndEvidence& evidence) {
    return {EndKind::memory,
            fmt::format("used more than the {} that it may use", session::format_bytes(evidence.memory_limit)),
            "Arrays count twice, once for the host and once for the device."};
}

EndReason input_reason(EndKind kind, const char* how, const std::string& input, const EndEvidence& evidence) {
    return {kind, fmt::format("{} when it read {}: {}", how, input, cause_text(evidence)),
            "The file is damaged in a way that the library for such files does not notice. Make it anew, or save its "
            "data as .npy."};
}

EndReason crash_reason(const EndEvidence& evidence) {
    const auto place = crash_place(evidence.errors);
    if (place == kernel_place)
        return {EndKind::kernel_crash, fmt::format("crashed in {}: {}", kernel_place, cause_text(evidence)),
                "The device could not catch the fault. --in-process runs without a worker, to debug it."};
    if (const auto input = crash_input(evidence.errors))
        return input_reason(EndKind::crash, "crashed", *input, evidence);
    return {EndKind::crash,
            place ? fmt::format("crashed in {}: {}", *place, cause_text(evidence))
                  : fmt::format("crashed: {}", cause_text(evidence)),
            "That is not the kernel's code: it is an error in Warplight, or in a library that it uses."};
}

EndReason no_memory_reason(const EndEvidence& evidence) {
    if (evidence.memory_limit) return memory_reason(evidence);
    return {EndKind::system_memory, "found no memory that it cannot do without",
            "A limit of the process (ulimit -v), or the machine's memory, is too small for it."};
}

EndReason abort_reason(const EndEvidence& evidence) {
    if (tells_of_no_memory(evidence.errors)) return no_memory_reason(evidence);
    if (const auto input = crash_input(evidence.errors))
        return input_reason(EndKind::abort, "gave up", *input, evidence);
    return {EndKind::abort, fmt::format("gave up: {}", cause_text(evidence)),
            "That is an error in Warplight, or in a library that it uses. Its last lines may tell more."};
}

} // namespace

namespace {
struct EndName {
    EndKind kind;
    std::string_view name;
};
constexpr std::array end_names = {
    EndName{EndKind::exit, "exit"},
    EndName{EndKind::asked, "stopped"},
    EndName{EndKind::kernel_crash, "kernel_crash"},
    EndName{EndKind::crash, "crash"},
    EndName{EndKind::abort, "abort"},
    EndName{EndKind::killed, "killed"},
    EndName{EndKind::system_memory, "system_memory"},
    EndName{EndKind::memory, "memory"},
    EndName{EndKind::processor_time, "processor_time"},
    EndName{EndKind::file_size, "file_size"},
    EndName{EndKind::confinement, "confinement"},
    EndName{EndKind::connection, "connection"},
};
/// Begins the line of told_end_line().
constexpr std::string_view told_end_mark = "warplight end: ";
} // namespace

std::string_view end_name(EndKind kind) {
    const auto* found = std::ranges::find(end_names, kind, &EndName::kind);
    return found != end_names.end() ? found->name : "exit";
}

std::optional<EndKind> end_kind(std::string_view name) {
    const auto* found = std::ranges::find(end_names, name, &EndName::name);
    if (found == end_names.end()) return std::nullopt;
    return found->kind;
}

namespace {
/// The last such line of the text. A line that is malformed is none.
std::optional<EndReason> told_end(std::string_view errors) {
    const auto at = errors.rfind(told_end_mark);
    if (at == std::string_view::npos || (at > 0 && errors[at - 1] != '\n')) return std::nullopt;
    const auto begin = at + told_end_mark.size();
    const auto line = errors.substr(begin, errors.find('\n', at) - begin);
    const nlohmann::json told = nlohmann::json::parse(line, nullptr, false);
    if (!told.is_object()) return std::nullopt;
    const auto text = [&](const char* name) {
        const auto found = told.find(name);
        return found != told.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    const auto kind = end_kind(text("kind"));
    if (!kind) return std::nullopt;
    return EndReason{*kind, text("text"), text("advice")};
}
} // namespace

std::string told_end_line(const EndReason& reason) {
    const nlohmann::json line = {{"kind", end_name(reason.kind)}, {"text", reason.text}, {"advice", reason.advice}};
    return std::string(told_end_mark) + line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

EndReason end_reason(const EndEvidence& evidence) {
    using Cause = platform::EndOfProcess::Cause;
    if (evidence.over_memory) return memory_reason(evidence);
    if (evidence.asked) return {EndKind::asked, "was stopped", ""};
    if (evidence.tells_of_another)
        if (auto told = told_end(evidence.errors)) return std::move(*told);
    switch (evidence.end.cause) {
    case Cause::exit: break;
    case Cause::fault: return crash_reason(evidence);
    case Cause::abort: return abort_reason(evidence);
    case Cause::killed:
        if (evidence.system_killed)
            return {EndKind::system_memory, "was killed by the system, which had no memory left",
                    "Smaller arrays need less. --memory sets a limit that is told in time."};
        return {EndKind::killed, fmt::format("was killed by another program: {}", cause_text(evidence)), ""};
    case Cause::processor_time:
        return {EndKind::processor_time, "used more processor time than it may use (ulimit -t)", ""};
    case Cause::file_size: return {EndKind::file_size, "wrote a larger file than it may write (ulimit -f)", ""};
    case Cause::forbidden_call: return {EndKind::confinement, "made a system call that its confinement forbids", ""};
    case Cause::other: return {EndKind::killed, fmt::format("was ended from outside: {}", cause_text(evidence)), ""};
    }
    if (evidence.end.code != 0 && tells_of_no_memory(evidence.errors)) return no_memory_reason(evidence);
    return {EndKind::exit, evidence.end.text, ""};
}

std::string end_sentences(const EndReason& reason) {
    const char* worker = reason.kind == EndKind::connection ? "worker" : "worker process, which owns the device,";
    return fmt::format("The {} {}.{}{}", worker, reason.text, reason.advice.empty() ? "" : " ", reason.advice);
}

std::optional<std::string> crash_place(std::string_view errors) {
    const auto at = errors.rfind(crash_mark);
    if (at == std::string_view::npos) return std::nullopt;
    const auto line = errors.substr(at, errors.find('\n', at) - at);
    constexpr std::string_view in = " in ";
    const auto place = line.find(in);
    if (place == std::string_view::npos) return std::nullopt;
    return std::string(line.substr(place + in.size()));
}

std::optional<std::string> crash_input(std::string_view errors) {
    const auto at = errors.rfind(crash_reading_mark);
    if (at == std::string_view::npos) return std::nullopt;
    const auto line = errors.substr(at, errors.find('\n', at) - at);
    return std::string(line.substr(crash_reading_mark.size()));
}

std::string without_crash_report(const std::string& errors) {
    std::string rest;
    std::string_view left = errors;
    while (!left.empty()) {
        const auto end = left.find('\n');
        const auto line = left.substr(0, end == std::string_view::npos ? end : end + 1);
        if (!line.starts_with(crash_mark) && !line.starts_with(told_end_mark)) rest += line;
        left.remove_prefix(line.size());
    }
    return rest;
}

} // namespace warplight::worker
