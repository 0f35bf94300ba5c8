// SPDX-License-Identifier: Apache-2.0
// What a worker on another machine costs beside one here: remote_bench [ssh://HOST/DRIVER] [PAIRS]
// Without a place it starts an SSH server on the loopback. Both workers are connected before anything is measured.
#include "../remote/ssh_server.hpp"

#include "remote/place.hpp"
#include "session/data_file.hpp"
#include "worker/client.hpp"
#include "worker/message.hpp"

#include <QTemporaryDir>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

using namespace warplight;
using worker::json;

namespace {

using std::chrono::steady_clock;

QByteArray cli() {
    const QByteArray other = qgetenv("WARPLIGHT_TEST_CLI");
    return other.isEmpty() ? QByteArray(WARPLIGHT_CLI) : other;
}

double milliseconds_since(steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

/// Both arrays of a session of so many bytes come from files, and the result is compared with a file.
json session_of(std::size_t bytes) {
    const std::size_t count = bytes / 8;
    const json source = {{"kind", "file"}, {"path", "x.bin"}, {"dtype", "float32"}, {"shape", json::array({count})}};
    json other = source;
    other["path"] = "y.bin";
    return {{"warplight", 4},
            {"source",
             {{"text", "extern \"C\" __global__ void add(const float* x, float* y, int n) {\n"
                       "  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += x[i]; }"},
              {"name", "add.cu"}}},
            {"kernel", "add"},
            {"arguments", json::array({{{"name", "x"}, {"direction", "in"}, {"source", source}},
                                       {{"name", "y"}, {"direction", "inout"}, {"source", other}},
                                       {{"name", "n"}, {"direction", "scalar"}, {"type", "i32"}, {"value", count}}})},
            {"launch", {{"grid", json::array({(count + 255) / 256, 1, 1})}, {"block", json::array({256, 1, 1})}}},
            {"repeat", 1},
            {"warmup", 0}};
}

class Worker {
public:
    Worker(const std::string& driver, const std::filesystem::path& folder) : client_(options(driver, folder)) {
        client_.start();
        ask("devices", json::object());
    }
    void ask(const std::string& method, const json& params) {
        const auto reply = client_.call_wait(method, params);
        if (!reply.ok) throw std::runtime_error(method + ": " + reply.error);
        if (method == "run" && reply.result->value("status", "") != "ok")
            throw std::runtime_error("run: " + reply.result->dump());
    }
    double timed(const std::string& method, const json& params) {
        const auto start = steady_clock::now();
        ask(method, params);
        return milliseconds_since(start);
    }

private:
    static worker::ClientOptions options(const std::string& driver, const std::filesystem::path& folder) {
        worker::ClientOptions options;
        options.driver = driver;
        options.program = cli().toStdString();
        options.access.read = {folder};
        return options;
    }
    worker::Client client_;
};

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 1024);
    try {
        std::string place;
        int pairs = 200;
        for (int i = 1; i < argc; ++i)
            if (remote::is_place(argv[i]))
                place = argv[i];
            else
                pairs = std::max(std::atoi(argv[i]), 1);
        std::unique_ptr<SshServer> server;
        if (place.empty()) {
            SshServerSettings settings;
            if (const QByteArray libraries = qgetenv("LD_LIBRARY_PATH"); !libraries.isEmpty())
                settings.environment["LD_LIBRARY_PATH"] = QString::fromLocal8Bit(libraries);
            server = std::make_unique<SshServer>(settings);
            const QString problem = server->start();
            if (!problem.isEmpty()) throw std::runtime_error(problem.toStdString());
            server->use();
            qputenv("WARPLIGHT_REMOTE_PROGRAM", cli());
            const QByteArray driver = qgetenv("WARPLIGHT_TEST_DRIVER");
            place = server->place(driver.isEmpty() ? "software" : QString::fromLocal8Bit(driver)).toStdString();
        }
        std::string problem;
        const auto parsed = remote::parse_place(place, &problem);
        if (!parsed) throw std::runtime_error(problem);
        const QTemporaryDir folder;
        const std::filesystem::path files = folder.path().toStdString();
        Worker here(parsed->driver == "auto" ? "software" : parsed->driver, files);
        const auto start = steady_clock::now();
        Worker there(place, files);
        std::printf("connected in %.0f ms\n", milliseconds_since(start));

        std::vector<double> trips;
        trips.reserve(static_cast<std::size_t>(pairs));
        for (int i = 0; i < pairs; ++i)
            trips.push_back(there.timed("memory", {{"device", 0}}));
        std::printf("a question (free memory)      %8.2f ms there\n", median(trips));

        for (const std::size_t bytes : {std::size_t{8} << 10, std::size_t{1} << 20, std::size_t{16} << 20}) {
            for (const char* name : {"x.bin", "y.bin"}) {
                std::ofstream file(files / name, std::ios::binary);
                for (std::size_t i = 0; i < bytes / 8; ++i) {
                    const auto value = static_cast<float>(i % 977);
                    file.write(reinterpret_cast<const char*>(&value), sizeof value);
                }
            }
            const json request = {{"session", session_of(bytes)}, {"folder", session::utf8_of(files)}};
            const double first = there.timed("run", request);
            here.ask("run", request);
            std::vector<double> here_ms, there_ms;
            for (int i = 0; i < pairs; ++i) {
                here_ms.push_back(here.timed("run", request));
                there_ms.push_back(there.timed("run", request));
            }
            std::printf("a run of a session of %5zu KiB  %8.2f ms here %8.2f ms there %+8.2f ms; the first one, whose "
                        "files were sent, %.0f ms; %.0f runs a second there\n",
                        bytes >> 10, median(here_ms), median(there_ms), median(there_ms) - median(here_ms), first,
                        1000 / median(there_ms));
        }
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
