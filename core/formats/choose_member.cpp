// SPDX-License-Identifier: Apache-2.0
#include "formats/choose_member.hpp"

#include "warplight/error.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace warplight::formats {
namespace {

/// Names that a message lists.
constexpr std::size_t kListedNames = 12;

std::string list_of(const std::vector<std::string>& names) {
    std::string list;
    for (std::size_t i = 0; i < std::min(names.size(), kListedNames); ++i)
        list += (i ? ", " : "") + names[i].substr(0, 80);
    if (names.size() > kListedNames) list += fmt::format(", … ({} in all)", names.size());
    return list;
}

} // namespace

std::size_t choose_member(const std::filesystem::path& file, const std::vector<std::string>& names,
                          const std::string& member, std::string_view what) {
    if (names.empty()) throw driver::FileError(file.string(), fmt::format("holds no {}", what));
    if (member.empty()) {
        if (names.size() == 1) return 0;
        throw driver::FileError(file.string(), fmt::format("holds {} {}s: {}", names.size(), what, list_of(names)),
                                "Name one of them as \"member\"");
    }
    const auto found = std::ranges::find(names, member);
    if (found == names.end())
        throw driver::FileError(file.string(), fmt::format("holds no {} \"{}\"", what, member.substr(0, 80)),
                                fmt::format("It has: {}", list_of(names)));
    return static_cast<std::size_t>(found - names.begin());
}

} // namespace warplight::formats
