// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.hpp"
#include "json_text.hpp"
#include "platform.hpp"

#include "compiler/platform.hpp"
#include "compiler/toolkit.hpp"
#include "warplight/compiler.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace warplight::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Options {
    bool as_json = false;
    bool with_nvcc = false, yes = false, dry_run = false, progress = false;
};

std::string release_of(const compiler::CompilerInfo& info) { return fmt::format("{}.{}", info.major, info.minor); }

json describe(const compiler::CompilerInfo& info) {
    json result = {{"found", info.found}};
    if (!info.found) return result;
    result["version"] = release_of(info);
    result["path"] = info.path.string();
    for (const auto& folder : info.include_dirs)
        result["headers"].push_back(folder.string());
    return result;
}

void print_line(const char* label, const std::string& version, const std::string& place) {
    fmt::print("{:<10} {:<8} {}\n", label, version, place);
}

int show(const Options& options) {
    const auto nvrtc = compiler::compiler_info(compiler::Backend::nvrtc);
    const auto nvcc = compiler::compiler_info(compiler::Backend::nvcc);
    const std::array<std::pair<const char*, fs::path>, 3> tools = {{{"ptxas", compiler::find_tool("ptxas")},
                                                                    {"nvdisasm", compiler::find_tool("nvdisasm")},
                                                                    {"cuobjdump", compiler::find_tool("cuobjdump")}}};
    const auto installed = compiler::installed_toolkit_release();
    if (options.as_json) {
        json result = {
            {"nvrtc", describe(nvrtc)}, {"nvcc", describe(nvcc)}, {"installed", {{"found", !installed.empty()}}}};
        for (const auto& [name, path] : tools) {
            result[name]["found"] = !path.empty();
            if (!path.empty()) result[name]["path"] = path.string();
        }
        result["installed"]["folder"] = compiler::installed_toolkit_folder().string();
        if (!installed.empty()) result["installed"]["version"] = installed;
        print_json(result);
        return nvrtc.found ? success : compile_failed;
    }
    const auto print_compiler = [](const char* label, const compiler::CompilerInfo& info) {
        if (info.found)
            print_line(label, release_of(info), info.path.string());
        else
            print_line(label, "-", "not found");
    };
    print_compiler("NVRTC", nvrtc);
    if (nvrtc.found)
        print_line("headers", "",
                   nvrtc.include_dirs.empty() ? std::string("not found") : nvrtc.include_dirs.front().string());
    print_compiler("nvcc", nvcc);
    for (const auto& [name, path] : tools)
        print_line(name, "", path.empty() ? "not found" : path.string());
    if (installed.empty())
        print_line("installed", "-", "nothing by `warplight-cli toolkit install`");
    else
        print_line("installed", installed, compiler::installed_toolkit_folder().string());
    if (!nvrtc.found) fmt::print("\n{}\n", nvrtc.problem);
    return nvrtc.found ? success : compile_failed;
}

int install(const Options& options) {
    const auto script = compiler::toolkit_installer();
    if (script.empty()) {
        fmt::print(stderr,
                   "error: install_toolkit.py is missing from this installation of Warplight. Install Warplight "
                   "again, or install a CUDA toolkit (https://developer.nvidia.com/cuda-downloads).\n");
        return bad_input;
    }
    std::vector<std::string> command = platform::python();
    if (command.empty()) {
        fmt::print(stderr, "error: Python 3 is missing, which does the download. Install it and try again: {}\n",
                   platform::python_advice());
        return bad_input;
    }
    for (const auto& word : {script.string(), std::string("--folder"), compiler::installed_toolkit_folder().string()})
        command.push_back(word);
    if (options.with_nvcc) command.emplace_back("--with-nvcc");
    if (options.yes) command.emplace_back("--yes");
    if (options.dry_run) command.emplace_back("--dry-run");
    if (options.progress) command.emplace_back("--progress");
    return platform::replace_by(command);
}

int remove() {
    const auto folder = compiler::installed_toolkit_folder();
    if (!compiler::remove_installed_toolkit()) {
        fmt::print(stderr, "error: nothing is installed in {}.\n", folder.string());
        return bad_input;
    }
    fmt::print("Removed {}\n", folder.string());
    return success;
}

} // namespace

void add_toolkit(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("toolkit", "Show, install or remove the CUDA compiler that Warplight uses");
    auto options = std::make_shared<Options>();
    command->require_subcommand(0, 1);
    command->add_flag("--json", options->as_json, "Print what was found as JSON");
    command->callback([command, options, &exit_code] {
        if (command->get_subcommands().empty()) exit_code = show(*options);
    });
    auto* shown = command->add_subcommand("show", "Show what was found; the same as `toolkit` alone");
    shown->add_flag("--json", options->as_json, "Print JSON");
    shown->callback([options, &exit_code] { exit_code = show(*options); });
    auto* installed =
        command->add_subcommand("install", "Download NVRTC and CUDA's headers, NVIDIA's own packages, with pip");
    installed->add_flag("--with-nvcc", options->with_nvcc, "nvcc, ptxas and nvdisasm too");
    installed->add_flag("--yes", options->yes, "Accept NVIDIA's licence, and do not ask");
    installed->add_flag("--dry-run", options->dry_run, "Say what would be downloaded, how much and where to, and stop");
    installed->add_flag("--progress", options->progress, "For programs: a line `progress FRACTION TEXT` for each step");
    installed->footer(
        "Size and licence are shown first, and you are asked. No root is needed, and nothing outside the\n"
        "folder changes: the folder `toolkit` of Warplight's cache, where programs look after CUDA_PATH\n"
        "and the usual folders.");
    installed->callback([options, &exit_code] { exit_code = install(*options); });
    command->add_subcommand("remove", "Remove what `toolkit install` installed")->callback([&exit_code] {
        exit_code = remove();
    });
}

} // namespace warplight::cli
