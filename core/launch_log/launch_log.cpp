// SPDX-License-Identifier: Apache-2.0
#include "launch_log/launch_log.hpp"

#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>

#if __has_include(<cxxabi.h>)
#include <cxxabi.h>
#endif
#ifdef _WIN32
#include <process.h>
#else
#include <unistd.h>
#endif

namespace warplight::launch_log {
namespace {

using nlohmann::json;

struct ToJson {
    json operator()(const Start& start) const {
        return {{"event", "start"}, {"process", start.process}, {"program", start.program}, {"driver", start.driver}};
    }
    json operator()(const Launch& launch) const {
        json object = {{"event", "launch"},       {"process", launch.process}, {"device", launch.device},
                       {"kernel", launch.kernel}, {"grid", launch.grid},       {"block", launch.block}};
        if (launch.ms) object["ms"] = *launch.ms;
        return object;
    }
    json operator()(const Fault& fault) const {
        return {{"event", "fault"}, {"process", fault.process}, {"message", fault.message}};
    }
    json operator()(const End& end) const {
        json object = {{"event", "end"}, {"process", end.process}, {"launches", end.launches}};
        if (end.unfinished > 0) object["unfinished"] = end.unfinished;
        object["copies"] = json::array();
        for (const Copies& each : end.copies)
            object["copies"].push_back({{"direction", each.direction}, {"count", each.count}, {"bytes", each.bytes}});
        object["memory"] = json::array();
        for (const Memory& each : end.memory)
            object["memory"].push_back({{"device", each.device}, {"bytes", each.bytes}});
        return object;
    }
};

Event event_of(const json& object) {
    const auto event = object.at("event").get<std::string>();
    const auto process = object.at("process").get<std::uint64_t>();
    if (event == "start") return Start{process, object.at("program"), object.at("driver")};
    if (event == "fault") return Fault{process, object.at("message")};
    if (event == "launch") {
        Launch launch{process, object.at("device"), object.at("kernel"), object.at("grid"), object.at("block"), {}};
        if (object.contains("ms")) launch.ms = object.at("ms").get<double>();
        return launch;
    }
    if (event != "end") throw std::invalid_argument(event);
    End end{process, object.at("launches"), object.value("unfinished", std::uint64_t{0}), {}, {}};
    for (const json& each : object.at("copies"))
        end.copies.push_back({each.at("direction"), each.at("count"), each.at("bytes")});
    for (const json& each : object.at("memory"))
        end.memory.push_back({each.at("device"), each.at("bytes")});
    return end;
}

} // namespace

std::string source_name(const std::string& kernel) {
#if __has_include(<cxxabi.h>)
    if (!kernel.starts_with("_Z")) return kernel; // "d" alone would be the type double
    int status = 0;
    char* const text = abi::__cxa_demangle(kernel.c_str(), nullptr, nullptr, &status);
    std::string name = status == 0 && text ? text : kernel;
    std::free(text); // NOLINT(cppcoreguidelines-no-malloc): it is the library's
    return name;
#else
    return kernel;
#endif
}

std::uint64_t process_id() {
#ifdef _WIN32
    return static_cast<std::uint64_t>(_getpid());
#else
    return static_cast<std::uint64_t>(getpid());
#endif
}

std::string to_line(const Event& event) {
    return std::visit(ToJson{}, event).dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
}

std::optional<Event> from_line(std::string_view line) {
    try {
        return event_of(json::parse(line));
    } catch (const std::exception&) { // half a line of a process that was killed, or another program's
        return std::nullopt;
    }
}

Writer::Writer(const std::filesystem::path& file) {
    // Without a buffer each line is one call of the system, which appends it whole.
    file_.rdbuf()->pubsetbuf(nullptr, 0);
    file_.open(file, std::ios::app | std::ios::binary);
}

void Writer::write(const Event& event) {
    const std::string line = to_line(event);
    const std::scoped_lock lock(mutex_);
    file_.write(line.data(), static_cast<std::streamsize>(line.size()));
    file_.flush();
}

} // namespace warplight::launch_log
