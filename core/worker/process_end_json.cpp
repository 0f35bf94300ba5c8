// SPDX-License-Identifier: Apache-2.0
#include "worker/process_end_json.hpp"

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
