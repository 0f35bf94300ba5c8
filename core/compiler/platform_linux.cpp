// SPDX-License-Identifier: Apache-2.0
#include "compiler/platform.hpp"

#include "files/held_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace warplight::compiler::platform {
namespace fs = std::filesystem;

void* open_library(const std::string& path, std::string& problem) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char* text = dlerror();
        problem = text ? text : "cannot be opened";
    }
    return library;
}

void* find_symbol(void* library, const char* name) { return dlsym(library, name); }

fs::path file_of_symbol(void* symbol) {
    Dl_info info{};
    if (!dladdr(symbol, &info) || !info.dli_fname) return {};
    std::error_code error;
    fs::path path = fs::canonical(info.dli_fname, error);
    return error ? fs::path(info.dli_fname) : path;
}

std::vector<std::string> nvrtc_loader_names() {
    return {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so.11.8", "libnvrtc.so"};
}

bool is_nvrtc_file(const std::string& name) { return name.starts_with("libnvrtc.so"); }

std::vector<fs::path> toolkit_folders() {
    std::vector<fs::path> result;
    for (const char* variable : {"CUDA_PATH", "CUDA_HOME", "CUDA_ROOT"})
        if (const char* value = std::getenv(variable); value && *value) result.emplace_back(value);
    result.emplace_back("/usr/local/cuda");
    std::vector<fs::path> versions;
    std::error_code error;
    for (fs::directory_iterator it("/usr/local", error), end; !error && it != end; it.increment(error))
        if (it->path().filename().string().starts_with("cuda-")) versions.push_back(it->path());
    // By version: by text, cuda-9.2 would come before cuda-13.0.
    std::sort(versions.begin(), versions.end(), [](const fs::path& a, const fs::path& b) {
        return std::atof(a.filename().c_str() + 5) > std::atof(b.filename().c_str() + 5);
    });
    result.insert(result.end(), versions.begin(), versions.end());
    result.emplace_back("/opt/cuda");
    result.emplace_back("/usr/lib/cuda");
    return result;
}

std::vector<fs::path> system_include_folders() { return {"/usr/include"}; }

fs::path ascii_path(const fs::path& path) { return path; }

std::string system_packages(bool nvcc) {
    return std::string("or on Debian the package") +
           (nvcc ? " nvidia-cuda-toolkit"
                 : "s nvidia-cuda-dev and libnvrtc11.2 (Debian 12) or libnvrtc12 (Debian 13)") +
           " of the non-free section";
}

std::vector<std::string> library_subfolders() {
    return {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib", "lib/x86_64-linux-gnu"};
}

std::string program_file(const std::string& name) { return name; }

fs::path find_on_path(const std::string& program) {
    const char* path = std::getenv("PATH");
    std::string text = path ? path : "/usr/local/bin:/usr/bin:/bin";
    for (std::size_t begin = 0; begin <= text.size();) {
        std::size_t end = std::min(text.find(':', begin), text.size());
        fs::path candidate = fs::path(text.substr(begin, end - begin)) / program;
        if (access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate)) return candidate;
        begin = end + 1;
    }
    return {};
}

namespace {

bool own_group_for_programs = true;

/// This process's environment, with another folder for temporary files.
class Environment {
public:
    explicit Environment(const fs::path& temporary) {
        for (char** each = environ; *each; ++each)
            if (temporary.empty() || std::strncmp(*each, "TMPDIR=", 7) != 0) pointers_.push_back(*each);
        if (!temporary.empty()) {
            temporary_ = "TMPDIR=" + temporary.string();
            pointers_.push_back(temporary_.data());
        }
        pointers_.push_back(nullptr);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    char** data() { return pointers_.data(); }

private:
    std::string temporary_;
    std::vector<char*> pointers_;
};

} // namespace

ProcessResult run_process(const std::vector<std::string>& command, const fs::path& folder,
                          const Callback<bool()>& cancelled, const fs::path& temporary) {
    ProcessResult result;
    Environment environment(temporary);
    int pipe_ends[2];
    if (pipe2(pipe_ends, O_CLOEXEC) != 0) {
        result.output = std::strerror(errno);
        return result;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 1);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 2);
    if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // A process group of its own, so that programs which nvcc starts end with it.
    posix_spawnattr_setflags(&attributes, own_group_for_programs ? POSIX_SPAWN_SETPGROUP : 0);
    posix_spawnattr_setpgroup(&attributes, 0);
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& word : command)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    pid_t child = 0;
    int status = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(pipe_ends[1]);
    if (status != 0) {
        close(pipe_ends[0]);
        result.output = std::strerror(status);
        return result;
    }
    result.started = true;
    char buffer[8192];
    for (;;) {
        pollfd waiting{pipe_ends[0], POLLIN, 0};
        int ready = poll(&waiting, 1, 100);
        if (ready < 0 && errno != EINTR) break;
        if (ready > 0) {
            ssize_t count = read(pipe_ends[0], buffer, sizeof buffer);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) break;
            result.output.append(buffer, static_cast<std::size_t>(count));
        }
        if (cancelled && !result.cancelled && cancelled()) {
            result.cancelled = true;
            kill(own_group_for_programs ? -child : child, SIGKILL);
        }
    }
    close(pipe_ends[0]);
    int code = 0;
    while (waitpid(child, &code, 0) < 0 && errno == EINTR) {
    }
    result.exit_code = WIFEXITED(code) ? WEXITSTATUS(code) : 128 + WTERMSIG(code);
    return result;
}

void keep_process_group() { own_group_for_programs = false; }

fs::path user_cache_folder() {
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/') return cache;
    if (const char* home = std::getenv("HOME"); home && *home) return fs::path(home) / ".cache";
    return files::own_temporary_folder("warplight-cache");
}

unsigned long process_id() { return static_cast<unsigned long>(getpid()); }

} // namespace warplight::compiler::platform
