// SPDX-License-Identifier: Apache-2.0
// Checks as many programs with a wrong access as one likes: fault_programs [FIRST SEED] [COUNT] [SECONDS] [FOLDER]
// What is told wrongly goes to FOLDER, as ptx; ends when the time is over.
#include "fault_program.hpp"

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
    std::uint64_t programs = 0, findings = 0;
    for (std::uint64_t seed = first; seed < first + count && std::chrono::steady_clock::now() < end; ++seed) {
        const FaultProgram program = fault_program(seed);
        // What kills the process has to be found as well.
        const std::string file = folder + "/fault-" + std::to_string(seed) + ".ptx";
        std::ofstream(file) << program.text;
        ++programs;
        const auto finding = check_fault_program(program);
        if (!finding) {
            std::remove(file.c_str());
            continue;
        }
        ++findings;
        std::printf("FINDING seed %llu (%s): %s\n", static_cast<unsigned long long>(seed), file.c_str(),
                    finding->c_str());
        std::fflush(stdout);
    }
    std::printf("programs %llu from seed %llu, findings %llu\n", static_cast<unsigned long long>(programs),
                static_cast<unsigned long long>(first), static_cast<unsigned long long>(findings));
    return findings != 0;
}
