// SPDX-License-Identifier: Apache-2.0
// Compares as many random programs as one likes: random_programs [FIRST SEED] [COUNT] [SECONDS] [FOLDER]
// Programs of threads and of warps take turns. What differs goes to FOLDER, as ptx; ends when the time is over.
#include "compare_programs.hpp"
#include "random_program.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>

int main(int argc, char** argv) {
    const auto number = [&](int k, std::uint64_t otherwise) {
        return argc > k ? std::strtoull(argv[k], nullptr, 10) : otherwise;
    };
    const std::uint64_t first = number(1, 1), count = number(2, 100), seconds = number(3, 3600);
    const std::string folder = argc > 4 ? argv[4] : ".";
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    std::uint64_t programs = 0, side_by_side = 0, findings = 0;
    for (std::uint64_t seed = first; seed < first + count && std::chrono::steady_clock::now() < end; ++seed) {
        const bool warps = seed % 2 == 0;
        const std::string text = random_program(seed, warps);
        // What kills the process has to be found as well.
        const std::string file = folder + "/program-" + std::to_string(seed) + ".ptx";
        std::ofstream(file) << text;
        const Comparison comparison = compare_program(text, seed, warps);
        ++programs;
        side_by_side += comparison.side_by_side;
        if (!comparison.differ) {
            std::remove(file.c_str());
            continue;
        }
        ++findings;
        std::printf("FINDING %s (%s)\n", comparison.differ->c_str(), file.c_str());
        std::fflush(stdout);
    }
    std::printf("programs %llu from seed %llu, side by side %llu, findings %llu\n",
                static_cast<unsigned long long>(programs), static_cast<unsigned long long>(first),
                static_cast<unsigned long long>(side_by_side), static_cast<unsigned long long>(findings));
    return findings != 0;
}
