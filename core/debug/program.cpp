// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include "element_types.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace warplight::debug {
namespace {

/// With slashes, and without parts that lead nowhere.
std::string normal(std::string path) {
    std::replace(path.begin(), path.end(), '\\', '/');
    for (std::size_t at; (at = path.find("/./")) != std::string::npos;)
        path.erase(at, 2);
    return path.starts_with("./") ? path.substr(2) : path;
}

bool is_absolute(const std::string& path) { return path.starts_with('/') || (path.size() > 1 && path[1] == ':'); }

/// One is the end of the other, from a slash on.
bool ends_alike(const std::string& a, const std::string& b) {
    const std::string& longer = a.size() > b.size() ? a : b;
    const std::string& shorter = a.size() > b.size() ? b : a;
    if (shorter.empty() || !longer.ends_with(shorter)) return false;
    return longer.size() == shorter.size() || longer[longer.size() - shorter.size() - 1] == '/';
}

} // namespace

std::string file_name(const std::string& path) {
    const std::size_t slash = path.find_last_of("/\\");
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

Program::Program(const software::SteppedLaunch& launch)
    : info(read_debug_info(launch.module())), module_(launch.module()) {
    std::vector<std::vector<bool>> points(module_.functions.size());
    std::vector<bool> has_places(module_.functions.size());
    for (const ptx::Function& f : module_.functions)
        layouts_.push_back(ptx::step_frame_layout(f));
    for (std::uint32_t number = 0; number < launch.sites(); ++number) {
        const auto [f, instruction] = launch.site(number);
        const ptx::Function& function = module_.functions.at(f);
        if (points[f].empty() && !function.instructions.empty()) {
            points[f] = ptx::stepping_points(function, module_);
            has_places[f] = ptx::has_places(function, module_);
        }
        Site site;
        site.function = f;
        site.instruction = instruction;
        if (instruction >= function.instructions.size()) { // the end of the function
            sites_.push_back(site);
            continue;
        }
        site.stops = points[f].at(instruction);
        const ptx::Instruction& i = function.instructions.at(instruction);
        if (!has_places[f]) {
            site.line = {0, i.line};
        } else if (i.location >= 0) {
            const ptx::SourceLocation& l = module_.locations[static_cast<std::size_t>(i.location)];
            site.line = {l.file, l.line};
            site.column = l.column;
            site.inlined_at = l.inlined_at;
        }
        sites_.push_back(site);
    }
}

std::string Program::name_of(ptx::FunctionId f) const {
    const DebugFunction* known = info.of(f);
    return known && !known->name.empty() ? known->name : function(f).name;
}

std::string Program::file_of(const Line& line) const {
    return line.file < module_.files.size() ? module_.files[line.file] : std::string();
}

std::vector<std::uint32_t> Program::files_named(const std::string& path) const {
    std::vector<std::uint32_t> found;
    const std::string wanted = normal(path);
    for (std::uint32_t k = 1; k < module_.files.size(); ++k) {
        const std::string file = normal(module_.files[k]);
        const bool both = is_absolute(wanted) && is_absolute(file);
        if (both ? wanted == file : ends_alike(wanted, file)) found.push_back(k);
    }
    // A kernel without lines is stepped through in its PTX.
    if (wanted.ends_with(".ptx")) found.push_back(0);
    return found;
}

std::optional<Program::Stop> Program::stop_at(const std::string& path, std::uint32_t line) const {
    const std::vector<std::uint32_t> files = files_named(path);
    const auto is_there = [&](const Site& s) {
        return s.stops && s.line.line >= line && std::find(files.begin(), files.end(), s.line.file) != files.end();
    };
    std::uint32_t least = UINT32_MAX;
    for (const Site& s : sites_)
        if (is_there(s)) least = std::min(least, s.line.line);
    if (least == UINT32_MAX) return std::nullopt;
    std::map<std::pair<ptx::FunctionId, std::int32_t>, std::uint32_t> first; // by function and inlined copy
    for (std::uint32_t k = 0; k < sites_.size(); ++k)
        if (is_there(sites_[k]) && sites_[k].line.line == least)
            first.emplace(std::pair{sites_[k].function, sites_[k].inlined_at}, k);
    Stop stop{least, {}};
    for (const auto& [copy, site] : first)
        stop.sites.push_back(site);
    return stop;
}

ptx::Type Program::type_of(const ptx::Variable& variable) {
    if (variable.space != ptx::Space::shared) return variable.type;
    if (!element_types_) element_types_ = element_types(module_);
    const auto found = element_types_->find(&variable);
    return found == element_types_->end() ? variable.type : found->second;
}

} // namespace warplight::debug
