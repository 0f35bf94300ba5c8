// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform.hpp"

#include "compiler/platform.hpp"
#include "compiler/toolkit.hpp"
#include "warplight/compiler.hpp"
#include "warplight/error.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace warplight::cli::platform {
namespace {

namespace fs = std::filesystem;

constexpr const char* driver_names[] = {"libcuda.so.1", "libcuda.so", "libnvJitLink.so.12", "libnvJitLink.so.13"};

bool leads_to(const fs::path& link, const fs::path& library) {
    std::error_code code;
    return fs::equivalent(link, library, code) && !code;
}

bool is_driver_folder(const fs::path& folder, const fs::path& library) {
    for (const char* name : driver_names)
        if (!leads_to(folder / name, library)) return false;
    return true;
}

/// A folder of the user for links to what belongs to a library. Each library has its own.
fs::path folder_of_links(const fs::path& library, const char* purpose) {
    const auto cache = fs::absolute(fs::path(compiler::cache_folder())).parent_path();
    auto folder = cache / "exec" / fmt::format("{:016x}{}", std::hash<std::string>{}(library.string()), purpose);
    fs::create_directories(folder);
    return folder;
}

void put_link(const fs::path& folder, const fs::path& name, const fs::path& target) {
    if (leads_to(folder / name, target)) return;
    // Makes the link under another name first, because another process may look for it at the same time.
    const auto fresh = folder / fmt::format("{}.{}", name.string(), getpid());
    fs::create_symlink(target, fresh);
    fs::rename(fresh, folder / name);
}

/// For a library that has no folder with its names beside it.
fs::path make_driver_folder(const fs::path& library) {
    const auto folder = folder_of_links(library, "");
    for (const char* name : driver_names)
        put_link(folder, name, library);
    return folder;
}

/// The runtime library's names without those of the driver.
fs::path runtime_folder(const fs::path& library) {
    const auto beside = fs::canonical(library).parent_path() / "exec";
    const auto folder = folder_of_links(fs::canonical(library), "-runtime");
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(beside, code))
        if (entry.path().filename().string().starts_with("libcudart.so."))
            put_link(folder, entry.path().filename(), entry.path());
    return folder;
}

void put_first(const char* variable, const fs::path& folder) {
    // The loader splits LD_LIBRARY_PATH at both characters. It reads an empty part as the working folder.
    if (folder.string().find_first_of(":;") != std::string::npos)
        throw FileError(folder.string(),
                        fmt::format("cannot stand in {}: it contains a colon or a semicolon", variable));
    const char* before = std::getenv(variable);
    const auto value = before && *before ? folder.string() + ":" + before : folder.string();
    setenv(variable, value.c_str(), 1);
}

/// A toolkit that is not in the PATH has its nvcc found behind all that is there.
void add_nvcc_to_path() {
    if (!compiler::platform::find_on_path("nvcc").empty()) return;
    const auto nvcc = compiler::find_nvcc_program("nvcc");
    if (nvcc.empty()) return;
    const char* before = std::getenv("PATH");
    const auto folder = nvcc.parent_path().string();
    setenv("PATH", before && *before ? (std::string(before) + ':' + folder).c_str() : folder.c_str(), 1);
}

} // namespace

void write_utf8_to_console() {}

bool error_is_terminal() { return isatty(STDERR_FILENO) == 1; }

fs::path driver_folder(const fs::path& library) {
    const auto found = fs::canonical(library);
    const auto beside = found.parent_path() / "exec";
    return is_driver_folder(beside, found) ? beside : make_driver_folder(found);
}

int replace_by(const std::vector<std::string>& command) {
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const auto& each : command)
        arguments.push_back(const_cast<char*>(each.c_str()));
    arguments.push_back(nullptr);
    std::fflush(nullptr);
    execvp(arguments[0], arguments.data());
    const int problem = errno;
    const auto& program = command[0];
    std::error_code code;
    // A missing interpreter gives the same error as a missing program.
    if (problem == ENOENT && program.find('/') != std::string::npos && fs::exists(program, code))
        fmt::print(stderr, "error: {}: its interpreter or loader does not exist.\n", program);
    else
        fmt::print(stderr, "error: {} cannot be run: {}.\n", program,
                   problem == ENOENT ? "there is no such program" : std::strerror(problem));
    return problem == ENOENT ? 127 : 126;
}

int replace_by(const Start& start) {
    add_nvcc_to_path();
    const auto folder = start.gpu ? runtime_folder(start.library) : driver_folder(start.library);
    put_first("LD_LIBRARY_PATH", folder);
    if (std::error_code code; fs::exists(folder / "bin", code)) put_first("PATH", folder / "bin");
    for (const auto& [name, value] : start.environment)
        setenv(name.c_str(), value.c_str(), 1);
    return replace_by(start.command);
}

namespace {

volatile std::sig_atomic_t running = 0; ///< process

void pass_on(int signal) { kill(static_cast<pid_t>(running), signal); }

} // namespace

int run(const Start& start) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) {
        fmt::print(stderr, "error: {} cannot be run: {}.\n", start.command[0], std::strerror(errno));
        return 126;
    }
    if (child == 0) {
        const int code = replace_by(start);
        std::fflush(nullptr);
        _exit(code);
    }
    running = child;
    // A terminal sends these to the program as well, which decides.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGQUIT, SIG_IGN);
    std::signal(SIGTERM, pass_on);
    std::signal(SIGHUP, pass_on);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
    std::signal(WTERMSIG(status), SIG_DFL);
    std::raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

std::vector<std::string> python() {
    for (const char* name : {"python3", "python"})
        if (const auto found = compiler::platform::find_on_path(name); !found.empty()) return {found.string()};
    return {};
}

std::string python_advice() {
    return "on Debian and Ubuntu\n  sudo apt-get install python3 python3-pip\nelsewhere from "
           "https://www.python.org/downloads/";
}

} // namespace warplight::cli::platform
