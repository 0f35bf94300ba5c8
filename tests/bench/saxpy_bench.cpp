// SPDX-License-Identifier: Apache-2.0
// saxpy on the software device beside a plain OpenMP loop, and the whole of `warplight-cli run`.
//   saxpy_bench [log2 of the number of elements, 24]
#include "session/data_source.hpp"
#include "session/report.hpp"
#include "session/runner.hpp"
#include "session/session.hpp"
#include "warplight/driver.hpp"
#include "warplight/ndarray.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

void saxpy_loop(std::ptrdiff_t n, float a, const float* x, float* y);

namespace {

using namespace warplight;
using namespace warplight::session;
using clock_type = std::chrono::steady_clock;

constexpr int runs = 10;

double ms_since(clock_type::time_point start) {
    return std::chrono::duration<double, std::milli>(clock_type::now() - start).count();
}

Session make_session(std::size_t n) {
    const auto random = [&](std::uint64_t seed) {
        RandomSource source;
        source.shape = {n};
        source.seed = seed;
        return source;
    };
    Session session;
    session.title = "saxpy";
    session.source.text = "extern \"C\" __global__ void saxpy(int n, float a, const float* x, float* y) {\n"
                          "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                          "    if (i < n) y[i] = a * x[i] + y[i];\n"
                          "}\n";
    session.kernel = "saxpy";
    session.arguments.resize(4);
    session.arguments[0].name = "n";
    session.arguments[0].direction = Direction::scalar;
    session.arguments[0].value = SizeOf{"x", {}};
    session.arguments[1].name = "a";
    session.arguments[1].direction = Direction::scalar;
    session.arguments[1].type = "f32";
    session.arguments[1].value = Number(2.5);
    session.arguments[2].name = "x";
    session.arguments[2].source = random(1);
    session.arguments[3].name = "y";
    session.arguments[3].direction = Direction::inout;
    session.arguments[3].source = random(2);
    session.launch.grid = {static_cast<std::uint32_t>((n + 255) / 256), 1, 1};
    session.launch.block = {256, 1, 1};
    return session;
}

void print(const char* name, const std::vector<double>& times, std::size_t n, double beside) {
    const auto all = statistics(times);
    std::printf("%-28s %10.2f ms %10.2f ms", name, all.min, all.median);
    if (n) std::printf(" %8.1f GB/s", 12.0 * static_cast<double>(n) / all.min / 1e6);
    if (beside > 0) std::printf("   %.2f x", all.min / beside);
    std::printf("\n");
}

} // namespace

int main(int argc, char** argv) {
    const int exponent = argc > 1 ? std::atoi(argv[1]) : 24;
    if (exponent < 10 || exponent > 28) {
        std::fprintf(stderr, "saxpy_bench [10…28]: log2 of the number of elements\n");
        return 2;
    }
    if (!std::getenv("WARPLIGHT_SOFTWARE_LIBRARY"))
        setenv("WARPLIGHT_SOFTWARE_LIBRARY", WARPLIGHT_SOFTWARE_LIBRARY_FILE, 1);
    const auto n = std::size_t(1) << exponent;
    auto session = make_session(n);

    const auto x = materialise(session.arguments[2].source, {});
    const auto y = materialise(session.arguments[3].source, {});
    auto result = y.copy();
    std::vector<double> loop_times;
    for (int i = 0; i < runs + 1; ++i) {
        std::copy(y.as<float>().begin(), y.as<float>().end(), result.as_mutable<float>().begin());
        const auto start = clock_type::now();
        saxpy_loop(static_cast<std::ptrdiff_t>(n), 2.5f, x.as<float>().data(), result.as_mutable<float>().data());
        if (i) loop_times.push_back(ms_since(start)); // the first starts the threads
    }

    session.repeat = runs;
    session.warmup = 1;
    RunOptions options;
    options.device = 0;
    const auto outcome = run(session, driver::Driver::software(), options);
    if (outcome.report.error) {
        std::fprintf(stderr, "%s\n", outcome.report.error->message.c_str());
        return exit_code(outcome.report.status);
    }
    const auto comparison = compare(*outcome.buffers.back().output, result, {1e-6, 1e-6});
    std::printf("saxpy, 2^%d elements, %u processors\n\n", exponent, std::thread::hardware_concurrency());
    std::printf("%-28s %13s %13s %13s\n", "", "min", "median", "bandwidth");
    const double loop = statistics(loop_times).min;
    print("OpenMP loop, -march=native", loop_times, n, 0);
    print("software device, kernel", outcome.report.times.kernel_ms, n, loop);
    std::printf("results agree: %s (largest error %.3g)\n\n", comparison.passed ? "yes" : "NO",
                comparison.largest_absolute_error);

    session.repeat = 1;
    session.warmup = 0;
    const auto file = std::filesystem::temp_directory_path() / "warplight-saxpy-bench.warplight";
    save(session, file);
    const std::string command = "\"" WARPLIGHT_CLI "\" run \"" + file.string() + "\" --device software > /dev/null";
    std::vector<double> process_times;
    for (int i = 0; i < 4; ++i) {
        const auto start = clock_type::now();
        if (std::system(command.c_str()) != 0) return 4;
        if (i) process_times.push_back(ms_since(start)); // the first fills the caches
    }
    std::filesystem::remove(file);
    print("warplight-cli run, all of it", process_times, 0, 0);
    return comparison.passed ? 0 : 1;
}
