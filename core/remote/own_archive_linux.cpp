// SPDX-License-Identifier: Apache-2.0
#include "remote/archive.hpp"

#include "compiler/platform.hpp"
#include "compiler/toolkit.hpp"
#include "driver/library.hpp"
#include "worker/platform.hpp"

#include <fmt/format.h>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

namespace warplight::remote {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTop = "warplight/"; // its one folder
constexpr std::string_view kLibraries = "lib/warplight";

/// Where the program's own libraries are not found by the program itself.
constexpr std::string_view kStarter = "#!/bin/sh\n"
                                      "# Starts warplight-cli with the libraries that lie beside it.\n"
                                      "here=$(dirname \"$(readlink -f \"$0\")\")/..\n"
                                      "LD_LIBRARY_PATH=$here/lib/warplight${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\n"
                                      "export LD_LIBRARY_PATH\n"
                                      "exec \"$here/libexec/warplight-cli\" \"$@\"\n";

/// Libraries that every system has, as packaging/linux/system-libraries.tsv lists them.
bool is_of_the_system(std::string_view name) {
    std::istringstream names(WARPLIGHT_SYSTEM_LIBRARIES);
    for (std::string each; names >> each;)
        if (each == name) return true;
    return name.starts_with("linux-vdso") || name.starts_with("ld-linux");
}

/// Adds the libraries that a file needs, as the loader finds them: their names and files.
void add_libraries(const fs::path& file, std::map<std::string, fs::path>& libraries) {
    const auto listed = compiler::platform::run_process({"ldd", file.string()}, {}, {});
    if (!listed.started || listed.exit_code != 0)
        throw ArchiveError(fmt::format("The libraries that {} needs cannot be listed: ldd fails. Name an archive with "
                                       "--archive instead.",
                                       file.string()));
    std::istringstream lines(listed.output);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name, arrow, path;
        words >> name >> arrow >> path;
        if (arrow != "=>" || is_of_the_system(name)) continue;
        if (!path.starts_with('/'))
            throw ArchiveError(fmt::format("{} needs {}, which is not installed.", file.string(), name));
        libraries.emplace(name, path);
    }
}

fs::path software_library() {
    std::error_code error;
    for (const auto& each : driver::detail::software_library_places())
        if (each.is_absolute() && fs::is_regular_file(each, error)) return each;
    return {};
}

} // namespace

void write_own_archive(const fs::path& file) {
    std::error_code error;
    const auto program = worker::platform::own_program();
    const auto software = software_library();
    std::map<std::string, fs::path> libraries;
    add_libraries(program, libraries);
    if (!software.empty()) add_libraries(software, libraries);
    // A self-contained installation finds its libraries itself, in the folder that they get in the archive.
    const auto own = fs::weakly_canonical(program.parent_path().parent_path() / kLibraries, error);
    bool by_itself = true;
    for (const auto& [name, path] : libraries)
        by_itself = by_itself && fs::weakly_canonical(path, error).parent_path() == own;

    const auto name = [](std::string_view path) { return std::string(kTop) + std::string(path); };
    ArchiveWriter archive(file);
    if (by_itself) {
        archive.add_file(name("bin/warplight-cli"), program, true);
    } else {
        archive.add_text(name("bin/warplight-cli"), kStarter, true);
        archive.add_file(name("libexec/warplight-cli"), program, true);
    }
    const auto library = [&](const std::string& of) { return name(kLibraries) + "/" + of; };
    if (!software.empty()) archive.add_file(library(software.filename().string()), software, true);
    for (const auto& [of, path] : libraries)
        archive.add_file(library(of), path, true);
    if (const auto script = compiler::toolkit_installer(); !script.empty())
        archive.add_file(name("share/warplight/install_toolkit.py"), script, true);
    archive.finish();
}

} // namespace warplight::remote
