// SPDX-License-Identifier: Apache-2.0
#include "remote/far_state.hpp"
#include "remote/root_folder.hpp"
#include "remote/store.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/stat.h>
#include <sys/types.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

namespace warplight::remote {
namespace {

namespace fs = std::filesystem;

/// The words of a process's command line; none for one that is gone or another user's.
std::vector<std::string> words_of_process(const fs::path& process) {
    struct stat status{};
    if (stat(process.c_str(), &status) != 0 || status.st_uid != geteuid()) return {};
    std::ifstream file(process / "cmdline", std::ios::binary);
    std::vector<std::string> words;
    for (std::string word; std::getline(file, word, '\0');)
        words.push_back(word);
    return words;
}

/// Processes of this user that hold workers in the folder.
std::vector<pid_t> holders_in(const fs::path& folder) {
    std::vector<pid_t> found;
    std::error_code error;
    for (fs::directory_iterator each("/proc", error), end; !error && each != end; each.increment(error)) {
        const auto name = each->path().filename().string();
        if (!std::ranges::all_of(name, [](unsigned char c) { return std::isdigit(c) != 0; })) continue;
        const auto words = words_of_process(each->path());
        if (words.size() < 2 || words[1] != "remote-hold") continue;
        const auto option = std::ranges::find(words, "--folder");
        if (option == words.end() || std::next(option) == words.end() || fs::path(*std::next(option)) != folder)
            continue;
        found.push_back(static_cast<pid_t>(std::stol(name)));
    }
    return found;
}

/// Asks them to end, and waits; those that do not are killed. Their workers end with them.
int end_holders(const fs::path& folder) {
    const auto holders = holders_in(folder);
    for (const pid_t each : holders)
        kill(each, SIGTERM);
    constexpr int tries = 100;
    constexpr auto pause = std::chrono::milliseconds(50);
    for (int i = 0; i < tries && !holders_in(folder).empty(); ++i)
        std::this_thread::sleep_for(pause);
    for (const pid_t each : holders_in(folder))
        kill(each, SIGKILL);
    return static_cast<int>(holders.size());
}

/// Its limit plays no part in what it holds.
Store store_in(const fs::path& folder) { return Store(folder / "data", 1); }

} // namespace

FarState far_state(const fs::path& folder) {
    return {store_in(folder).used(), static_cast<int>(holders_in(folder).size())};
}

Cleaned clean_far_folder(const fs::path& folder, bool all) {
    Cleaned cleaned;
    if (all) cleaned.holders = end_holders(folder);
    if (all) // before the store, whose files have second names there
        for (const char* each : {"held", "kept"}) {
            std::error_code ignored;
            fs::remove_all(folder / each, ignored);
        }
    empty_dead_roots(folder); // of holders that were killed: there, too, are second names
    cleaned.bytes = store_in(folder).clear();
    return cleaned;
}

} // namespace warplight::remote
