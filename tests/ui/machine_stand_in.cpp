// SPDX-License-Identifier: GPL-3.0-or-later
// In place of warplight-cli, for tests of other machines without any: `worker --driver ssh://HOST/KIND` becomes a
// worker of this machine, whose conversation is passed on, and which tells of its connection what a file says.
// Everything else is left to the real program. In the folder stand-in of the home, `starts` gets a line for each worker
// of another machine, and the lines of `say` are told as states of the connection ("lost", "reconnecting 2", "gone
// REASON"), or as files on their way ("files 0.4 sending x.npy: 16 MB of 40 MB").
//
// HOST with "gpu" in it has its software device for a GPU; with "closed" it refuses; with "far" it answers late.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using nlohmann::json;

std::mutex output;

bool read_all(int from, void* to, std::size_t size) {
    for (auto* at = static_cast<char*>(to); size > 0;) {
        const auto got = ::read(from, at, size);
        if (got <= 0) return false;
        at += got;
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

bool write_all(int to, const void* from, std::size_t size) {
    for (const auto* at = static_cast<const char*>(from); size > 0;) {
        const auto put = ::write(to, at, size);
        if (put <= 0) return false;
        at += put;
        size -= static_cast<std::size_t>(put);
    }
    return true;
}

bool send_message(const std::vector<std::uint8_t>& body) {
    const auto size = static_cast<std::uint32_t>(body.size());
    const std::lock_guard lock(output);
    return write_all(1, &size, sizeof size) && write_all(1, body.data(), body.size());
}

void tell(const std::string& level, const std::string& text) {
    send_message(
        json::to_cbor(json{{"jsonrpc", "2.0"}, {"method", "log"}, {"params", {{"level", level}, {"text", text}}}}));
}

/// Messages of the worker, whole ones: others may be told between them.
void pass_on(int from) {
    std::uint32_t size = 0;
    while (read_all(from, &size, sizeof size)) {
        std::vector<std::uint8_t> body(size);
        if (!read_all(from, body.data(), size) || !send_message(body)) return;
    }
}

/// "files FRACTION TEXT"
void tell_files(const std::string& line) {
    std::size_t end = 0;
    const double fraction = std::stod(line.substr(6), &end);
    const json params = {{"id", 0}, {"stage", "send"}, {"fraction", fraction}, {"text", line.substr(6 + end + 1)}};
    send_message(json::to_cbor(json{{"jsonrpc", "2.0"}, {"method", "progress"}, {"params", params}}));
}

void say(const std::string& folder, pid_t worker) {
    for (std::size_t said = 0;; std::this_thread::sleep_for(std::chrono::milliseconds(20))) {
        std::ifstream file(folder + "/say");
        std::string line;
        for (std::size_t i = 0; std::getline(file, line); ++i) {
            if (i < said) continue;
            said = i + 1;
            if (line.starts_with("files ")) {
                tell_files(line);
                continue;
            }
            tell("connection", line);
            if (line.starts_with("gone")) {
                ::kill(worker, SIGKILL);
                std::_Exit(255);
            }
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    const std::string real = WARPLIGHT_TEST_WORKER, folder = std::string(std::getenv("HOME")) + "/stand-in";
    std::vector<char*> arguments(argv, argv + argc);
    arguments.push_back(nullptr);
    arguments[0] = const_cast<char*>(real.c_str());
    std::string place, driver;
    for (int i = 1; i + 1 < argc; ++i)
        if (std::string(argv[i]) == "--driver" && std::string(argv[i + 1]).starts_with("ssh://")) {
            place = argv[i + 1];
            driver = place.substr(place.rfind('/') + 1);
            if (place.find("gpu") != std::string::npos) driver = "software";
            arguments[static_cast<std::size_t>(i) + 1] = driver.data();
        }
    if (argc > 3 && std::string(argv[1]) == "remote" && std::string(argv[2]) == "install") {
        std::puts("progress 0.500 copying");
        std::puts((std::string("installed on ") + argv[3]).c_str());
        return std::string(argv[3]).find("closed") != std::string::npos ? 1 : 0;
    }
    if (place.empty()) return ::execv(real.c_str(), arguments.data());

    std::ofstream(folder + "/starts", std::ios::app) << place << '\n';
    tell("connection", "connecting");
    if (place.find("closed") != std::string::npos) {
        tell("connection", "gone me@closed refused the key. Try “ssh me@closed”, or warplight-cli remote install.");
        return 255;
    }
    if (place.find("far") != std::string::npos) std::this_thread::sleep_for(std::chrono::seconds(60));
    std::array<int, 2> to{}, from{};
    if (::pipe2(to.data(), O_CLOEXEC) != 0 || ::pipe2(from.data(), O_CLOEXEC) != 0) return 2;
    const pid_t worker = ::fork();
    if (worker == 0) {
        ::dup2(to[0], 0);
        ::dup2(from[1], 1);
        ::execv(real.c_str(), arguments.data());
        std::_Exit(2);
    }
    ::close(to[0]);
    ::close(from[1]);
    tell("remote", "Welcome to the stand-in");
    tell("connection", "connected");
    std::thread([&] {
        std::array<char, 65536> bytes{};
        for (;;) {
            const auto got = ::read(0, bytes.data(), bytes.size());
            if (got <= 0 || !write_all(to[1], bytes.data(), static_cast<std::size_t>(got))) break;
        }
        ::close(to[1]);
    }).detach();
    std::thread([&] { say(folder, worker); }).detach();
    pass_on(from[0]);
    int status = 0;
    ::waitpid(worker, &status, 0);
    std::_Exit(WIFEXITED(status) ? WEXITSTATUS(status) : 255);
}
