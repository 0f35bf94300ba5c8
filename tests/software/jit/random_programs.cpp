// SPDX-License-Identifier: Apache-2.0
// Compares as many random programs as one likes, a thread at a time against side by side:
//   random_programs [--first SEED] [--count N] [--seconds N] [--jobs N] [--folder FOLDER] [--file PTX]
//   --first    seed of the first program (1); programs of threads (odd) and of warps (even) take turns
//   --count    so many programs (100)
//   --seconds  no more begin after that time (3600)
//   --jobs     so many at the same time (the processors)
//   --folder   for programs that leave different memory, or end the process, as program-SEED.ptx (.)
//   --file     this program instead, with the widths and blocks of --first
// WARPLIGHT_JIT_CPU=x86-64-v3 in the environment compiles for a host without AVX-512. The last line has the totals.
#include "compare_programs.hpp"
#include "random_program.hpp"

#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Options {
    std::uint64_t first = 1, count = 100, seconds = 3600, jobs = std::max(1U, std::thread::hardware_concurrency());
    std::string folder = ".", file;
};

std::optional<Options> read_options(int argc, char** argv) {
    Options options;
    for (int k = 1; k < argc; k += 2) {
        const std::string name = argv[k];
        if (k + 1 == argc) return std::nullopt;
        const char* const value = argv[k + 1];
        const auto number = [&](std::uint64_t& to) {
            const char* const end = value + std::strlen(value);
            const auto [rest, error] = std::from_chars(value, end, to);
            return error == std::errc() && rest == end;
        };
        if (name == "--folder")
            options.folder = value;
        else if (name == "--file")
            options.file = value;
        else if (!(name == "--first"     ? number(options.first)
                   : name == "--count"   ? number(options.count)
                   : name == "--seconds" ? number(options.seconds)
                   : name == "--jobs"    ? number(options.jobs)
                                         : false))
            return std::nullopt;
    }
    return options;
}

int compare_file(const Options& options) {
    std::ifstream file(options.file, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    const Comparison comparison = compare_program(text, options.first, options.first % 2 == 0);
    std::printf("%s%s\n", comparison.differ ? comparison.differ->c_str() : "the same",
                comparison.side_by_side ? ", side by side" : ", a thread at a time");
    return comparison.differ.has_value();
}

} // namespace

int main(int argc, char** argv) {
    const std::optional<Options> options = read_options(argc, argv);
    if (!options) {
        std::fprintf(stderr, "random_programs [--first SEED] [--count N] [--seconds N] [--jobs N] [--folder FOLDER] "
                             "[--file PTX]\n");
        return 2;
    }
    if (!options->file.empty()) return compare_file(*options);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(options->seconds);
    std::atomic<std::uint64_t> next = options->first, programs = 0, side_by_side = 0, findings = 0;
    std::mutex printing;
    const auto work = [&] {
        while (std::chrono::steady_clock::now() < end) {
            const std::uint64_t seed = next++;
            if (seed >= options->first + options->count) return;
            const bool warps = seed % 2 == 0;
            const std::string text = random_program(seed, warps).text;
            // What kills the process has to be found as well.
            const std::string file = options->folder + "/program-" + std::to_string(seed) + ".ptx";
            std::ofstream(file) << text;
            const Comparison comparison = compare_program(text, seed, warps);
            ++programs;
            side_by_side += comparison.side_by_side;
            if (!comparison.differ) {
                std::remove(file.c_str());
                continue;
            }
            ++findings;
            const std::lock_guard lock(printing);
            std::printf("FINDING %s (%s)\n", comparison.differ->c_str(), file.c_str());
            std::fflush(stdout);
        }
    };
    std::vector<std::thread> workers;
    for (std::uint64_t k = 1; k < options->jobs; ++k)
        workers.emplace_back(work);
    work();
    for (std::thread& worker : workers)
        worker.join();
    std::printf("programs %llu from seed %llu, side by side %llu, findings %llu\n",
                static_cast<unsigned long long>(programs.load()), static_cast<unsigned long long>(options->first),
                static_cast<unsigned long long>(side_by_side.load()), static_cast<unsigned long long>(findings.load()));
    return findings != 0;
}
