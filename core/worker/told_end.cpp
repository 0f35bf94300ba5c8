// SPDX-License-Identifier: Apache-2.0
#include "worker/told_end.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace warplight::worker {

using nlohmann::json;
using platform::EndOfProcess;

namespace {

struct CauseName {
    EndOfProcess::Cause cause;
    std::string_view name;
};
constexpr std::array cause_names = {
    CauseName{EndOfProcess::Cause::exit, "exit"},
    CauseName{EndOfProcess::Cause::fault, "fault"},
    CauseName{EndOfProcess::Cause::abort, "abort"},
    CauseName{EndOfProcess::Cause::killed, "killed"},
    CauseName{EndOfProcess::Cause::processor_time, "processor_time"},
    CauseName{EndOfProcess::Cause::file_size, "file_size"},
    CauseName{EndOfProcess::Cause::forbidden_call, "forbidden_call"},
    CauseName{EndOfProcess::Cause::other, "other"},
};

std::string told_text(const json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace

std::string told_end_line(const EndReason& reason) {
    const json line = {{"kind", end_name(reason.kind)}, {"text", reason.text}, {"advice", reason.advice}};
    return std::string(told_end_mark) + line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::optional<EndReason> told_end(std::string_view errors) {
    const auto at = errors.rfind(told_end_mark);
    if (at == std::string_view::npos || (at > 0 && errors[at - 1] != '\n')) return std::nullopt;
    const auto begin = at + told_end_mark.size();
    const auto line = errors.substr(begin, errors.find('\n', at) - begin);
    const json told = json::parse(line, nullptr, false);
    if (!told.is_object()) return std::nullopt;
    const auto kind = end_kind(told_text(told, "kind"));
    if (!kind) return std::nullopt;
    return EndReason{*kind, told_text(told, "text"), told_text(told, "advice")};
}

json to_json(const EndOfProcess& end) {
    const auto* found = std::ranges::find(cause_names, end.cause, &CauseName::cause);
    return {{"cause", found != cause_names.end() ? found->name : "other"},
            {"by_signal", end.by_signal},
            {"code", end.code},
            {"text", end.text}};
}

EndOfProcess end_of_process_from_json(const json& told) {
    EndOfProcess end;
    if (!told.is_object()) return end;
    const auto cause = told_text(told, "cause");
    const auto* found = std::ranges::find(cause_names, cause, &CauseName::name);
    if (found != cause_names.end()) end.cause = found->cause;
    if (const auto signal = told.find("by_signal"); signal != told.end() && signal->is_boolean())
        end.by_signal = signal->get<bool>();
    if (const auto code = told.find("code"); code != told.end() && code->is_number_integer())
        end.code = static_cast<int>(code->get<std::int64_t>());
    end.text = told_text(told, "text");
    return end;
}

} // namespace warplight::worker
