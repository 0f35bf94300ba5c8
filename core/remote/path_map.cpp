// SPDX-License-Identifier: Apache-2.0
#include "remote/path_map.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace warplight::remote {
namespace {

constexpr std::string_view kUnc = "UNC"; ///< as Windows itself writes it in \\?\UNC\server\share

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

bool is_separator(char c, PathStyle style) { return c == '/' || (c == '\\' && style == PathStyle::windows_style); }

/// Inside of a name the same characters are another path.
bool goes_on(std::string_view text, std::size_t at) {
    if (at >= text.size()) return false;
    const char c = text[at];
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' ||
           (static_cast<unsigned char>(c) & 0x80);
}

std::string joined(const std::vector<std::string>& parts, char separator) {
    std::string text;
    for (const std::string& part : parts) {
        if (!text.empty()) text += separator;
        text += part;
    }
    return text;
}

void strip_separators(std::string& path) {
    while (path.size() > 1 && path.back() == '/')
        path.pop_back();
}

} // namespace

void PathMap::set_root(std::string far_root) {
    prefixes_.clear();
    folders_.clear();
    known_.clear();
    strip_separators(far_root);
    root_ = far_root;
    add_root(std::move(far_root));
}

void PathMap::add_root(std::string far_root) {
    strip_separators(far_root);
    if (far_root.empty()) return;
    const auto same = [&](const Prefix& each) { return each.far == far_root; };
    if (std::ranges::none_of(prefixes_, same))
        prefixes_.push_back({.far = std::move(far_root), .near = {}, .root = true});
}

void PathMap::add_folder(std::string_view near, std::string far) {
    strip_separators(far);
    const auto below = below_root(near);
    if (!below || far.empty()) return;
    folders_[*below] = far;
    prefixes_.push_back({.far = std::move(far), .near = std::string(near)});
}

void PathMap::add_answer(std::string far, std::string near) {
    prefixes_.push_back({.far = std::move(far), .near = std::move(near), .root = false, .file = true});
}

void PathMap::remove_answer(const std::string& far) {
    std::erase_if(prefixes_, [&](const Prefix& each) { return each.file && each.far == far; });
}

void PathMap::add_known(std::string_view near) {
    if (near_ == PathStyle::linux_style) return;
    if (const auto below = below_root(near); below && !below->empty()) known_.emplace(*below, near);
}

bool PathMap::is_absolute(std::string_view near) const {
    if (near_ == PathStyle::linux_style) return near.starts_with('/');
    if (near.size() >= 3 && is_letter(near[0]) && near[1] == ':' && is_separator(near[2], near_)) return true;
    return near.size() >= 2 && is_separator(near[0], near_) && is_separator(near[1], near_);
}

std::optional<std::vector<std::string>> PathMap::components(std::string_view near) const {
    if (!is_absolute(near)) return std::nullopt;
    std::vector<std::string> parts;
    std::size_t fixed = 0; // that `..` does not leave
    if (near_ == PathStyle::windows_style) {
        if (near.size() >= 4 && is_separator(near[0], near_) && is_separator(near[1], near_) &&
            (near[2] == '?' || near[2] == '.') && is_separator(near[3], near_)) {
            near.remove_prefix(4);
            if (near.size() < 3) return std::nullopt;
            if (near.starts_with(kUnc) && is_separator(near[3 < near.size() ? 3 : 0], near_)) near.remove_prefix(2);
        }
        if (near.size() >= 2 && is_letter(near[0]) && near[1] == ':') {
            parts.emplace_back(1, static_cast<char>(std::toupper(static_cast<unsigned char>(near[0]))));
            near.remove_prefix(2);
            fixed = 1;
        } else {
            parts.emplace_back(kUnc);
            if (near.starts_with('C')) near.remove_prefix(1); // the end of UNC
            fixed = 3;
        }
    }
    while (!near.empty()) {
        const auto end = std::ranges::find_if(near, [&](char c) { return is_separator(c, near_); });
        const std::string_view part(near.begin(), end);
        near.remove_prefix(std::min(near.size(), part.size() + 1));
        if (part.empty() || part == ".") continue;
        if (part != "..") {
            parts.emplace_back(part);
        } else if (parts.size() > fixed) {
            parts.pop_back();
        } else if (near_ == PathStyle::windows_style && fixed == 3 && parts.size() < 3) {
            return std::nullopt;
        } // else the root is its own parent
    }
    return parts;
}

std::string PathMap::near_of(const std::vector<std::string>& parts) const {
    if (near_ == PathStyle::linux_style) return "/" + joined(parts, '/');
    if (parts.empty()) return {};
    if (parts.front() == kUnc) return "\\\\" + joined({parts.begin() + 1, parts.end()}, '\\');
    return parts.front() + ":\\" + joined({parts.begin() + 1, parts.end()}, '\\');
}

std::optional<std::string> PathMap::below_root(std::string_view near) const {
    const auto parts = components(near);
    if (!parts) return std::nullopt;
    return joined(*parts, '/');
}

std::optional<std::string> PathMap::to_far(std::string_view near) const {
    const auto below = below_root(near);
    if (!below) return std::nullopt;
    for (const auto& [folder, far] : folders_) {
        if (*below == folder) return far;
        if (below->starts_with(folder + '/')) return far + below->substr(folder.size());
    }
    return below->empty() ? root_ : root_ + '/' + *below;
}

std::string PathMap::to_far_text(std::string_view path, std::string_view folder) const {
    if (is_absolute(path)) return to_far(path).value_or(std::string(path));
    std::string text(path);
    if (near_ == PathStyle::windows_style) std::ranges::replace(text, '\\', '/');
    const auto start = components(folder);
    if (!start) return text;
    auto depth = static_cast<std::ptrdiff_t>(start->size());
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('/'), rest.size());
        const std::string_view part = rest.substr(0, end);
        rest.remove_prefix(std::min(rest.size(), end + 1));
        if (part == "..")
            --depth;
        else if (!part.empty() && part != ".")
            ++depth;
        if (depth < (near_ == PathStyle::windows_style ? 1 : 0))
            return to_far(near_of(*start) + '/' + std::string(path)).value_or(text);
    }
    return text;
}

/// The end of a path that nobody has told: names with blanks are cut there.
std::string PathMap::near_tail(std::string_view rest, std::size_t& used) const {
    std::string text;
    constexpr std::string_view ends = " \t\r\n\"'<>|?*,;:()[]";
    while (used < rest.size() && ends.find(rest[used]) == std::string_view::npos) {
        text += rest[used] == '/' ? '\\' : rest[used];
        ++used;
    }
    return text;
}

std::string PathMap::near_below_root(std::string_view rest, std::size_t& used) const {
    used = 0;
    if (near_ == PathStyle::linux_style) return rest.starts_with('/') ? std::string() : std::string("/");
    if (!rest.starts_with('/')) return {};
    const std::string_view below = rest.substr(1);
    // The longest known path that the text begins with.
    std::string_view longest = below;
    for (auto at = known_.upper_bound(longest); at != known_.begin();) {
        const auto& [known, near] = *--at;
        if (longest.starts_with(known) && !goes_on(below, known.size())) {
            used = 1 + known.size();
            std::string text = near;
            return text + near_tail(rest, used);
        }
        const auto [mine, other] = std::ranges::mismatch(longest, known);
        longest = std::string_view(longest.begin(), mine);
        if (longest == known) longest.remove_suffix(1); // it goes on as another name
        if (longest.empty()) break;
        at = known_.upper_bound(longest);
    }
    const bool drive = !below.empty() && is_letter(below[0]) && (below.size() == 1 || below[1] == '/');
    const bool share = below.starts_with("UNC/");
    if (!drive && !share) return {};
    used = drive ? 2 : 4;
    std::string text = drive ? std::string(1, below[0]) + ":" : std::string("\\");
    if (drive && (used >= rest.size() || rest[used] != '/')) return text + "\\";
    return text + near_tail(rest, used);
}

bool PathMap::names_far_files(std::string_view text) const {
    return std::ranges::any_of(prefixes_,
                               [&](const Prefix& each) { return text.find(each.far) != std::string_view::npos; });
}

std::string PathMap::to_near_text(std::string_view text) const {
    std::string result;
    std::size_t at = 0;
    while (true) {
        const Prefix* found = nullptr;
        std::size_t place = std::string_view::npos;
        for (const Prefix& each : prefixes_) {
            std::size_t start = text.find(each.far, at);
            while (start != std::string_view::npos && goes_on(text, start + each.far.size()))
                start = text.find(each.far, start + 1);
            if (start == std::string_view::npos) continue;
            const bool longer = start == place && found && each.far.size() > found->far.size();
            if (!found || start < place || longer) {
                found = &each;
                place = start;
            }
        }
        if (!found) break;
        result += text.substr(at, place - at);
        at = place + found->far.size();
        std::size_t used = 0;
        if (found->root) {
            result += near_below_root(text.substr(at), used);
        } else {
            result += found->near;
            if (near_ == PathStyle::windows_style && !found->file) result += near_tail(text.substr(at), used);
        }
        at += used;
    }
    if (at == 0) return std::string(text);
    result += text.substr(at);
    return result;
}

} // namespace warplight::remote
