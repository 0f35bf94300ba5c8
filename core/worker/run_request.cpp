// SPDX-License-Identifier: Apache-2.0
#include "worker/run_request.hpp"

#include "session/data_file.hpp"
#include "worker/request.hpp"

namespace warplight::worker {
namespace {

// A type of option that has no `write` and no `read` here does not compile.

json write(bool value) { return value; }
json write(std::uint64_t value) { return value; }
json write(const std::optional<int>& value) { return value ? json(*value) : json(); }
json write(const std::string& value) { return value; }
json write(const std::optional<std::string>& value) { return value ? json(*value) : json(); }
json write(const std::filesystem::path& value) { return session::utf8_of(value); }
json write(const std::vector<std::filesystem::path>& value) {
    json list = json::array();
    for (const auto& each : value)
        list.push_back(write(each));
    return list;
}

void read(const Params& params, const session::RunOption& option, bool& value) {
    value = params.boolean(option.name, value);
}
void read(const Params& params, const session::RunOption& option, std::uint64_t& value) {
    value = params.size(option.name);
}
void read(const Params& params, const session::RunOption& option, std::optional<int>& value) {
    value = static_cast<int>(params.integer(option.name, option.values.least, option.values.most));
}
void read(const Params& params, const session::RunOption& option, std::string& value) {
    value = params.text(option.name);
}
void read(const Params& params, const session::RunOption& option, std::optional<std::string>& value) {
    value = params.text(option.name);
}
void read(const Params& params, const session::RunOption& option, std::filesystem::path& value) {
    value = session::path_from_utf8(params.text(option.name));
}
void read(const Params& params, const session::RunOption& option, std::vector<std::filesystem::path>& value) {
    for (const std::string& each : params.texts(option.name))
        value.push_back(session::path_from_utf8(each));
}

session::Session read_session(const json& document) {
    try {
        return document.is_string() ? session::parse(document.get<std::string>())
                                    : session::session_from_json(document);
    } catch (const session::SessionError& error) {
        throw RequestError(invalid_parameters, error.what(),
                           {{"pointer", error.pointer}, {"line", error.line}, {"column", error.column}});
    }
}

} // namespace

json to_json(const RunRequest& request) {
    json params = {{"session", session::to_json(request.session)}};
    const session::RunOptions defaults;
    session::visit_run_options([&](const session::RunOption& option, auto member) {
        if (request.options.*member != defaults.*member) params[option.name] = write(request.options.*member);
    });
    return params;
}

RunRequest run_request_from_json(const json& parameters) {
    const Params params(parameters);
    RunRequest request;
    request.session = read_session(params.at("session"));
    session::visit_run_options([&](const session::RunOption& option, auto member) {
        if (params.has(option.name)) read(params, option, request.options.*member);
    });
    return request;
}

} // namespace warplight::worker
