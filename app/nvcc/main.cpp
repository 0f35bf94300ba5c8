// SPDX-License-Identifier: GPL-3.0-or-later
// The nvcc that programs find below `warplight-cli exec`. It calls the next nvcc in the PATH, for code that the
// software device can run.
#include "arguments.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::vector<fs::path> candidates() {
    std::vector<fs::path> found;
    std::string_view rest = std::getenv("PATH") ? std::getenv("PATH") : "";
    while (!rest.empty()) {
        const auto colon = std::min(rest.find(':'), rest.size());
        const fs::path folder = colon == 0 ? fs::path(".") : fs::path(rest.substr(0, colon));
        found.push_back(folder / "nvcc");
        rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
    return found;
}

fs::path self() {
    std::error_code code;
    return fs::read_symlink("/proc/self/exe", code);
}

/// The version in "libcudart.so.13" of a toolkit that has no "libcudart.so" to link with, as NVIDIA's pip packages do;
/// empty for others.
std::string lone_runtime_version(const fs::path& nvcc) {
    std::error_code code;
    const fs::path toolkit = fs::canonical(nvcc, code).parent_path().parent_path();
    constexpr std::string_view name = "libcudart.so";
    std::string version;
    for (const char* folder : {"lib64", "lib", "targets/x86_64-linux/lib"})
        for (const auto& entry : fs::directory_iterator(toolkit / folder, code)) {
            const std::string file = entry.path().filename().string();
            if (file == name) return {};
            if (file.starts_with(name)) version = file.substr(name.size() + 1);
        }
    return version;
}

/// Folders to link with, beside the folder of this program.
std::vector<std::string> link_folders(const fs::path& nvcc) {
    const fs::path exec = self().parent_path().parent_path();
    std::vector<std::string> names = {"link"};
    if (const auto version = lone_runtime_version(nvcc); !version.empty()) names.push_back("link-" + version);
    std::vector<std::string> folders;
    std::error_code code;
    for (const std::string& name : names)
        if (fs::is_directory(exec / name, code)) folders.push_back((exec / name).string());
    return folders;
}

/// The nvcc behind this one in the PATH, so that two of them do not call each other for ever; empty: there is none.
fs::path real_nvcc() {
    std::error_code code;
    const fs::path own = self();
    fs::path found;
    for (const auto& candidate : candidates()) {
        if (fs::equivalent(candidate, own, code))
            found.clear();
        else if (found.empty() && access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate, code))
            found = candidate;
    }
    if (!found.empty()) return found;
    // Where this one is the last in the PATH, or not in it.
    for (const auto& candidate : candidates())
        if (access(candidate.c_str(), X_OK) == 0 && !fs::equivalent(candidate, own, code)) return candidate;
    return {};
}

/// `exec` asks each nvcc for the shared runtime, for those that are called by their path. This one does so itself.
void remove_own_flags() {
    const std::string own = environment("WARPLIGHT_NVCC_FLAGS");
    std::string flags = environment("NVCC_APPEND_FLAGS");
    if (own.empty() || !flags.ends_with(own)) return;
    flags.resize(flags.size() - own.size());
    while (!flags.empty() && flags.back() == ' ')
        flags.pop_back();
    if (flags.empty())
        unsetenv("NVCC_APPEND_FLAGS");
    else
        setenv("NVCC_APPEND_FLAGS", flags.c_str(), 1);
}

[[noreturn]] void start(const fs::path& nvcc, const std::vector<std::string>& arguments) {
    std::vector<char*> pointers{const_cast<char*>(nvcc.c_str())};
    for (const auto& each : arguments)
        pointers.push_back(const_cast<char*>(each.c_str()));
    pointers.push_back(nullptr);
    execv(nvcc.c_str(), pointers.data());
    std::fprintf(stderr, "warplight: %s cannot be run: %s\n", nvcc.c_str(), std::strerror(errno));
    std::_Exit(126);
}

/// Its exit code.
int run(const fs::path& program, const std::vector<std::string>& arguments) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) return 126;
    if (child == 0) start(program, arguments);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Compiles, and runs what came of it: without a name of its own it is a temporary file.
int run_result(const fs::path& nvcc, warplight::nvcc::Translation translation) {
    std::string folder;
    if (translation.output.empty()) {
        folder = (fs::temp_directory_path() / "warplight-nvcc-XXXXXX").string();
        if (!mkdtemp(folder.data())) {
            std::fprintf(stderr, "warplight: %s cannot be made: %s\n", folder.c_str(), std::strerror(errno));
            return 1;
        }
        translation.output = folder + "/a.out";
        translation.arguments.insert(translation.arguments.end(), {"-o", translation.output});
    }
    int code = run(nvcc, translation.arguments);
    if (code == 0) code = run(fs::absolute(translation.output), translation.run_arguments);
    std::error_code ignored;
    if (!folder.empty()) fs::remove_all(folder, ignored);
    return code;
}

} // namespace

int main(int argc, char** argv) {
    using namespace warplight::nvcc;
    const fs::path nvcc = real_nvcc();
    if (nvcc.empty()) {
        std::fputs("warplight: there is no nvcc in PATH; `warplight-cli toolkit install --with-nvcc` installs one\n",
                   stderr);
        return 127;
    }
    remove_own_flags();
    const std::vector<std::string> given(argv + 1, argv + argc);
    const Translation translation =
        translate(given, capability_of(environment("WARPLIGHT_SOFTWARE_ARCH")), link_folders(nvcc));
    if (translation.asks_version) {
        const int code = run(nvcc, given);
        // Programs that keep what nvcc made keep it by its version.
        if (code == 0) std::puts("PTX in place of CUBIN, for Warplight's software device");
        return code;
    }
    std::fputs(translation.note.c_str(), stderr);
    if (translation.run) return run_result(nvcc, translation);
    start(nvcc, translation.arguments);
}
