// SPDX-License-Identifier: Apache-2.0
#include "session/own_paths.hpp"

#include "files/paths.hpp"
#include "session/data_file.hpp"

#include <cctype>

namespace warplight::session {

std::string OwnPaths::mended(std::string_view text) const {
    if (!files::is_absolute(folder_) || !folder_.has_relative_path()) return std::string(text);
    const auto prefix = (files::normal(folder_) / "").string();
    const auto file = files::normal(files::join(folder_, path_from_utf8(source_))).string();
    const auto replace_start = [&](std::string_view path, std::string_view own, std::string& result) {
        if (!text.starts_with(path)) return false;
        result += own;
        text.remove_prefix(path.size());
        return true;
    };
    std::string result;
    while (!text.empty()) {
        // Inside a longer path the same characters name another file.
        const char before = result.empty() ? ' ' : result.back();
        const bool inside = std::isalnum(static_cast<unsigned char>(before)) ||
                            std::string_view("/\\._-").find(before) != std::string::npos;
        if (!inside &&
            ((!source_.empty() && replace_start(file, source_, result)) || replace_start(prefix, "", result)))
            continue;
        result += text.front();
        text.remove_prefix(1);
    }
    return result;
}

void OwnPaths::mend(findings::Event& event) const {
    event.place.file = mended(event.place.file);
    for (findings::Place& call : event.inlined_at)
        call.file = mended(call.file);
}

void OwnPaths::mend(findings::Findings& findings) const {
    for (findings::Finding& each : findings.all) {
        each.message = mended(each.message);
        mend(static_cast<findings::Event&>(each));
        if (each.other) mend(*each.other);
    }
}

void OwnPaths::mend(profile::Profile& profile) const {
    for (profile::Instruction& each : profile.instructions)
        each.place.file = mended(each.place.file);
}

void OwnPaths::mend(profile::WarpRecord& record) const {
    for (profile::RecordedInstruction& each : record.instructions) {
        each.place.file = mended(each.place.file);
        for (profile::RecordedBranch& branch : each.branches)
            for (profile::RecordedBranch::Way& way : branch.ways)
                way.place.file = mended(way.place.file);
    }
}

} // namespace warplight::session
