// SPDX-License-Identifier: Apache-2.0
#include "worker/confinement.hpp"

#include "files/paths.hpp"
#include "worker/walls.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <system_error>

namespace warplight::worker {

using nlohmann::json;

bool is_passed_on(std::string_view variable) {
    using namespace std::string_view_literals;
    constexpr std::array whole = {"PATH"sv,
                                  "HOME"sv,
                                  "USER"sv,
                                  "LOGNAME"sv,
                                  "LANG"sv,
                                  "LANGUAGE"sv,
                                  "TZ"sv,
                                  "TERM"sv,
                                  "TMPDIR"sv,
                                  "TMP"sv,
                                  "TEMP"sv,
                                  "CC"sv,
                                  "CXX"sv,
                                  "CPATH"sv,
                                  "C_INCLUDE_PATH"sv,
                                  "CPLUS_INCLUDE_PATH"sv,
                                  "LIBRARY_PATH"sv,
                                  "COMPILER_PATH"sv,
                                  "SOURCE_DATE_EPOCH"sv,
                                  "PWD"sv,
                                  "XDG_CACHE_HOME"sv,
                                  "XDG_STATE_HOME"sv,
                                  "NVIDIA_VISIBLE_DEVICES"sv,
                                  "NVIDIA_DRIVER_CAPABILITIES"sv,
                                  "LLVM_PROFILE_FILE"sv,
                                  "ASAN_OPTIONS"sv,
                                  "LSAN_OPTIONS"sv,
                                  "UBSAN_OPTIONS"sv,
                                  "TSAN_OPTIONS"sv,
                                  "GLIBC_TUNABLES"sv};
    constexpr std::array beginnings = {"WARPLIGHT_"sv, "CUDA"sv, "NVCC_"sv, "NVRTC_"sv, "__NV"sv,
                                       "LD_"sv,        "LC_"sv,  "GCC_"sv,  "OMP_"sv,   "MALLOC_"sv};
    return std::ranges::find(whole, variable) != whole.end() ||
           std::ranges::any_of(beginnings, [&](std::string_view each) { return variable.starts_with(each); });
}

bool holds_home(const std::filesystem::path& folder) {
    const char* home = std::getenv("HOME");
    if (!home || !*home) home = std::getenv("USERPROFILE");
    std::error_code code;
    const auto given = files::real_path(folder, code);
    auto at = files::real_path(home && *home ? home : "/", code);
    for (; at.has_relative_path(); at = at.parent_path())
        if (at == given) return true;
    return at == given;
}

std::vector<Wall> no_walls(const std::string& why) {
    std::vector<Wall> walls;
    walls.reserve(kWallTexts.size());
    for (const WallText& text : kWallTexts)
        walls.push_back({text.name, text.keeps, "", why});
    return walls;
}

json to_json(const std::vector<Wall>& walls) {
    json list = json::array();
    for (const Wall& wall : walls)
        list.push_back({{"name", wall.name},
                        {"keeps", wall.keeps},
                        {"stands", wall.stands()},
                        {"by", wall.by},
                        {"missing", wall.missing}});
    return list;
}

std::vector<Wall> walls_from_json(const json& list) {
    std::vector<Wall> walls;
    if (!list.is_array()) return walls;
    const auto text = [](const json& object, const char* key) {
        const auto found = object.find(key);
        return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    for (const json& each : list)
        if (each.is_object())
            walls.push_back({text(each, "name"), text(each, "keeps"), text(each, "by"), text(each, "missing")});
    return walls;
}

} // namespace warplight::worker
