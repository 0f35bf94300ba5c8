// SPDX-License-Identifier: Apache-2.0
#include "launch_log/snapshot.hpp"

#include "launch_log/launch_log.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

namespace warplight::launch_log {
namespace {

using nlohmann::json;

constexpr const char* description = "launch.json";
constexpr std::size_t most_parameter_bytes = 32764; ///< of all of a kernel

json to_json(const SnapshotMemory& memory) {
    return {{"size", memory.size}, {"before", memory.before}, {"after", memory.after}};
}

/// A name of this folder, and no path.
std::string name_of(const json& value) {
    auto name = value.get<std::string>();
    if (name.empty() || name.find_first_of("/\\:") != std::string::npos || name[0] == '.')
        throw SnapshotError("\"" + name + "\" is no file of the snapshot");
    return name;
}

SnapshotMemory memory_of(const json& object) {
    SnapshotMemory memory{object.at("size").get<std::uint64_t>(), name_of(object.at("before")),
                          name_of(object.at("after"))};
    if (memory.size > kMostSnapshotBytes) throw SnapshotError("the snapshot has a size that is too large");
    return memory;
}

template <std::size_t n>
std::array<unsigned, n> extents_of(const json& list) {
    if (!list.is_array() || list.size() != n) throw SnapshotError("the snapshot has no three extents");
    std::array<unsigned, n> extents{};
    for (std::size_t i = 0; i < n; ++i)
        extents[i] = list[i].get<unsigned>();
    return extents;
}

/// "wave::step<float>" of "void wave::step<float>(float const*, int)".
std::string name_in(const std::string& declaration) {
    std::size_t begin = 0, end = 0;
    for (int depth = 0; end < declaration.size(); ++end) {
        const char letter = declaration[end];
        if (letter == '<') ++depth;
        if (letter == '>') --depth;
        if (depth != 0) continue;
        if (letter == '(') break;
        if (letter == ' ') begin = end + 1;
    }
    return declaration.substr(begin, end - begin);
}

std::string without_spaces(std::string text) {
    std::erase(text, ' ');
    return text;
}

/// The compiler's names of kernels leave such namespaces out, too.
std::string without_anonymous(std::string text) {
    constexpr std::string_view scope = "(anonymous namespace)::";
    for (std::size_t at = text.find(scope); at != std::string::npos; at = text.find(scope, at))
        text.erase(at, scope.size());
    return text;
}

} // namespace

bool is_kernel(const std::string& lowered, const std::string& named) {
    if (lowered == named) return true;
    const std::string wanted = without_anonymous(named), name = name_in(without_anonymous(source_name(lowered)));
    const auto arguments = name.find('<');
    if (wanted.find('<') == std::string::npos) return name.substr(0, arguments) == wanted;
    return without_spaces(name) == without_spaces(wanted);
}

void write_snapshot(const std::filesystem::path& folder, const Snapshot& snapshot) {
    json parameters = json::array(), variables = json::array();
    for (const auto& each : snapshot.parameters) {
        json parameter = {{"bytes", each.bytes}};
        if (each.memory) parameter["memory"] = to_json(*each.memory);
        parameters.push_back(std::move(parameter));
    }
    for (const auto& each : snapshot.variables)
        variables.push_back({{"name", each.name}, {"constant", each.constant}, {"memory", to_json(each.memory)}});
    const json object = {{"kernel", snapshot.kernel},
                         {"grid", snapshot.grid},
                         {"block", snapshot.block},
                         {"shared", snapshot.shared},
                         {"cooperative", snapshot.cooperative},
                         {"parameters", std::move(parameters)},
                         {"variables", std::move(variables)},
                         {"problem", snapshot.problem}};
    std::ofstream file(folder / description, std::ios::binary);
    file << object.dump(1, ' ', false, json::error_handler_t::replace) << '\n';
    file.flush();
    if (!file) throw SnapshotError("the snapshot cannot be written");
}

std::optional<Snapshot> read_snapshot(const std::filesystem::path& folder) {
    std::error_code unknown;
    if (!std::filesystem::exists(folder / description, unknown)) return std::nullopt;
    std::ifstream file(folder / description, std::ios::binary);
    try {
        const auto object = json::parse(file);
        Snapshot snapshot;
        snapshot.kernel = object.at("kernel").get<std::string>();
        snapshot.grid = extents_of<3>(object.at("grid"));
        snapshot.block = extents_of<3>(object.at("block"));
        snapshot.shared = object.at("shared").get<std::uint64_t>();
        snapshot.cooperative = object.at("cooperative").get<bool>();
        snapshot.problem = object.at("problem").get<std::string>();
        for (const auto& each : object.at("parameters")) {
            SnapshotParameter parameter;
            parameter.bytes = each.at("bytes").get<std::vector<std::uint8_t>>();
            if (parameter.bytes.size() > most_parameter_bytes) throw SnapshotError("a parameter is too large");
            if (const auto memory = each.find("memory"); memory != each.end()) {
                parameter.memory = memory_of(*memory);
                if (parameter.bytes.size() != sizeof(std::uint64_t))
                    throw SnapshotError("a parameter with memory is no address");
            }
            snapshot.parameters.push_back(std::move(parameter));
        }
        for (const auto& each : object.at("variables"))
            snapshot.variables.push_back(
                {each.at("name").get<std::string>(), each.at("constant").get<bool>(), memory_of(each.at("memory"))});
        return snapshot;
    } catch (const json::exception& error) {
        throw SnapshotError(std::string("the snapshot is damaged: ") + error.what());
    }
}

std::vector<std::byte> read_memory(const std::filesystem::path& folder, const std::string& file, std::uint64_t size) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    std::ifstream content(folder / file, std::ios::binary);
    content.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    if (content.gcount() != static_cast<std::streamsize>(size) || content.peek() != std::ifstream::traits_type::eof())
        throw SnapshotError(file + " of the snapshot has another size than it says");
    return bytes;
}

} // namespace warplight::launch_log
