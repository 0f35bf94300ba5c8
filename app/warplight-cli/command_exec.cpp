// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.hpp"
#include "files/held_folder.hpp"
#include "files/paths.hpp"
#include "findings/finding.hpp"
#include "launch_log/launch_log.hpp"
#include "launch_log/snapshot.hpp"
#include "platform.hpp"

#include "remote/place.hpp"
#include "warplight/driver.hpp"
#include "warplight/error.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <regex>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace warplight::cli {
namespace {

struct Options {
    int devices = 0, workers = 0;
    std::uint64_t snapshot_launch = 1;
    std::string arch, memory, round_allocations, log_launches, snapshot, snapshot_kernel, check, findings,
        lost_findings;
    std::string device = "software";
    bool log = false, summary = false;
};

/// For an nvcc that is called by its path. The one of `exec` asks for the shared runtime itself, and takes this away.
constexpr const char* kNvccFlags = "-cudart=shared";

/// Makes an empty file, or empties it: lines are appended by every process of the program.
std::string empty_file(const std::string& path, const char* option) {
    const auto file = files::absolute(path);
    const std::ofstream made(file, std::ios::trunc);
    if (!made) throw FileError(path, fmt::format("cannot be written; choose another file for {}", option));
    return file.string();
}

/// The environment variables of the software device.
std::vector<std::pair<std::string, std::string>> settings_of(const Options& options) {
    std::vector<std::pair<std::string, std::string>> settings;
    if (options.devices > 0) settings.emplace_back("WARPLIGHT_SOFTWARE_DEVICES", std::to_string(options.devices));
    if (options.workers > 0) settings.emplace_back("WARPLIGHT_SOFTWARE_WORKERS", std::to_string(options.workers));
    if (!options.arch.empty()) settings.emplace_back("WARPLIGHT_SOFTWARE_ARCH", options.arch);
    if (!options.memory.empty()) settings.emplace_back("WARPLIGHT_SOFTWARE_MEMORY", options.memory);
    if (options.log) settings.emplace_back("WARPLIGHT_SOFTWARE_LOG", "1");
    if (options.summary) settings.emplace_back("WARPLIGHT_SOFTWARE_SUMMARY", "1");
    if (!options.log_launches.empty())
        settings.emplace_back(options.device == "cuda" ? launch_log::kRuntimeVariable : launch_log::kVariable,
                              empty_file(options.log_launches, "--log-launches"));
    if (!options.snapshot.empty()) {
        settings.emplace_back(launch_log::kSnapshotVariable, files::absolute(options.snapshot).string());
        settings.emplace_back(launch_log::kSnapshotKernelVariable, options.snapshot_kernel);
        settings.emplace_back(launch_log::kSnapshotLaunchVariable, std::to_string(options.snapshot_launch));
    }
    if (!options.round_allocations.empty())
        settings.emplace_back("WARPLIGHT_SOFTWARE_ROUND_ALLOCATIONS", options.round_allocations);
    if (!options.check.empty()) {
        settings.emplace_back("WARPLIGHT_SOFTWARE_CHECKS", options.check);
        settings.emplace_back("WARPLIGHT_SOFTWARE_FINDINGS", options.findings);
        settings.emplace_back("WARPLIGHT_SOFTWARE_LOST_FINDINGS", options.lost_findings);
    }
    const char* const flags = std::getenv("NVCC_APPEND_FLAGS");
    if (!flags || !std::string_view(flags).ends_with(kNvccFlags)) {
        settings.emplace_back("NVCC_APPEND_FLAGS",
                              flags && *flags ? std::string(flags) + ' ' + kNvccFlags : kNvccFlags);
        settings.emplace_back("WARPLIGHT_NVCC_FLAGS", kNvccFlags);
    }
    settings.emplace_back("WARPLIGHT_SOFTWARE_WALLS", "0"); // its kernels may use addresses of its own memory
    return settings;
}

/// Waits for the program: where its kernels' checks found something, its success is none.
int run_checked(Options options, const std::vector<std::string>& command, const std::filesystem::path& library) {
    const files::HeldFolder folder("exec");
    const auto kept = [&](const char* name) { return (folder.path() / name).string(); };
    if (options.findings.empty()) options.findings = kept("findings.jsonl"); // of a file that nobody asked for
    options.findings = empty_file(options.findings, "--findings");
    options.lost_findings = kept("lost.jsonl"); // where that file's disk is full
    const int code = platform::run({command, settings_of(options), library, false});
    const auto has_some = [](const std::string& file) {
        std::error_code unknown;
        return std::filesystem::file_size(file, unknown) > 0 && !unknown;
    };
    return code == success && (has_some(options.findings) || has_some(options.lost_findings)) ? checks_found : code;
}

int run_exec(const Options& options, const std::vector<std::string>& before, const std::vector<std::string>& command) {
    if (!before.empty() || command.empty()) {
        fmt::print(stderr, "error: {}: warplight-cli exec -- PROGRAM ARGUMENTS\n",
                   before.empty() ? "exec needs a program behind `--`"
                                  : before[0] + " is no option; a program stands behind `--`");
        return bad_input;
    }
    const bool gpu = options.device == "cuda";
    const auto driver = gpu ? driver::Driver::cuda() : driver::Driver::software();
    if (!driver.available()) {
        fmt::print(stderr, "error: {} {} cannot be opened: {}{}\n", gpu ? "NVIDIA's driver" : "the software device",
                   driver.library(), driver.unavailable_because(),
                   gpu ? ". Without --device the program runs on the software device." : "");
        return device_failed;
    }
    // Beside it lie the libraries that the program is given on either device.
    const std::filesystem::path library = driver::Driver::software().library();
    if (!library.has_parent_path()) {
        fmt::print(stderr,
                   "error: where {} lies is not known: the loader found it. WARPLIGHT_SOFTWARE_LIBRARY can name it.\n",
                   library.string());
        return device_failed;
    }
    if (gpu && !options.snapshot.empty()) {
        fmt::print(stderr, "error: --snapshot needs the software device: run the program without --device cuda\n");
        return bad_input;
    }
    if (options.check.empty()) return platform::replace_by({command, settings_of(options), library, gpu});
    if (gpu) {
        fmt::print(stderr, "error: --check needs the software device: run the program without --device cuda\n");
        return bad_input;
    }
    return run_checked(options, command, library);
}

/// A validator for CLI11. It returns the problem with a value, or nothing.
std::string check_arch(const std::string& text) {
    static const std::regex form(R"((sm_|compute_)?(\d\.\d|\d\d\.\d|\d\d|1[0-2]\d))");
    return std::regex_match(text, form) ? "" : text + " is no architecture such as sm_90 or 9.0";
}
std::string check_memory(const std::string& text) {
    static const std::regex form(R"([1-9]\d*[kKmMgGtT]?)");
    return std::regex_match(text, form) ? "" : text + " is no size such as 4G or 512M";
}

std::string check_checks(const std::string& text) {
    if (findings::Checks::parse(text)) return "";
    return text + " is no check; there are " + findings::names_of_checks() + ", and all";
}

} // namespace

std::vector<std::string> take_program(int& argc, char** argv) {
    if (argc < 2 || std::string_view(argv[1]) != "exec") return {};
    for (int i = 2; i < argc; ++i) {
        if (std::string_view(argv[i]) != "--") continue;
        std::vector<std::string> program(argv + i + 1, argv + argc);
        argc = i;
        return program;
    }
    return {};
}

void add_exec(CLI::App& app, int& exit_code, std::vector<std::string> program) {
    auto* command = app.add_subcommand(
        "exec",
        "Run a CUDA program on the software device, or nvcc to build one: exec [OPTIONS] -- PROGRAM [ARGUMENTS]");
    auto options = std::make_shared<Options>();
    command
        ->add_option("--device", options->device,
                     "software, or cuda: NVIDIA's driver with the runtime library of Warplight; default software")
        ->type_name("TEXT:{software,cuda}")
        ->check([](const std::string& device) {
            if (remote::is_place(device))
                return device + " names another machine, and `exec` runs programs on this one. Log in there and call "
                                "warplight-cli exec.";
            return device == "software" || device == "cuda" ? std::string() : device + " is neither software nor cuda";
        });
    command->add_option("--devices", options->devices, "Number of software devices; default 1")
        ->check(CLI::Range(1, 64));
    command->add_option("--arch", options->arch, "Their compute capability: sm_90, 9.0; default sm_80")
        ->check(check_arch);
    command
        ->add_option("--memory", options->memory,
                     "Memory of a device: 4G, 512M; default three quarters of the machine's")
        ->check(check_memory);
    command->add_option("--workers", options->workers, "Threads that run blocks; default one a core")
        ->check(CLI::Range(1, 1024));
    command
        ->add_option("--round-allocations", options->round_allocations,
                     "Kernels may use memory up to the next multiple of this behind an array: 256, 4K")
        ->check(check_memory);
    command->add_flag("--summary", options->summary,
                      "Tell kernels, copies, memory and faults on standard error when the program ends");
    command
        ->add_option(
            "--log-launches", options->log_launches,
            "Note each kernel with its grid and time in this file while the program runs: a JSON object a line")
        ->type_name("FILE");
    auto* snapshot = command->add_option("--snapshot", options->snapshot,
                                         "Copy what one launch reads and leaves into this folder, for `import`");
    snapshot->type_name("FOLDER")->check(CLI::ExistingDirectory);
    auto* kernel =
        command->add_option("--snapshot-kernel", options->snapshot_kernel, "The kernel of --snapshot, by its name");
    snapshot->needs(kernel);
    kernel->needs(snapshot);
    command->add_option("--snapshot-launch", options->snapshot_launch, "Which of its launches; default 1, the first")
        ->needs(snapshot)
        ->check(CLI::PositiveNumber);
    command
        ->add_option("--check", options->check,
                     "Check the program's kernels while they run: all, or names with commas between them. What is "
                     "found is told on standard error")
        ->check(check_checks);
    command
        ->add_option("--findings", options->findings,
                     "With --check: also write it to this file, an object of JSON a process")
        ->type_name("FILE");
    command->add_flag("--log", options->log, "Write faults, and how each kernel runs, to standard error");
    command->footer("The program is your own: it is not confined, and its kernels may use the memory of its process.\n"
                    "What the program opens or links as libcuda.so.1 is the software device, in its children too.\n"
                    "`exec -- nvcc program.cu -o program` builds programs for it.\n"
                    "The exit code is the program's; 5: it succeeded, but --check found something; 126: it cannot be\n"
                    "run, 127: there is no such program.");
    command->allow_extras(); // a program without `--` gets a better message than "unknown argument"
    command->callback([command, options, program = std::move(program), &exit_code] {
        exit_code = run_exec(*options, command->remaining(), program);
    });
}

} // namespace warplight::cli
