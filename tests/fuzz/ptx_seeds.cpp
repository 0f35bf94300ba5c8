// SPDX-License-Identifier: Apache-2.0
// Writes PTX to begin fuzzing with: ptx_seeds FOLDER [STEP]. Every instruction form of the instruction tests, or every
// STEPth, and programs made at random.
#include "../software/instructions/cases.hpp"
#include "../software/jit/random_program.hpp"

#include <cstdlib>
#include <fstream>

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const std::string folder = argv[1];
    const std::size_t step = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    const auto cases = instructions::all_cases();
    for (std::size_t k = 0; k < cases.size(); k += step)
        std::ofstream(folder + "/form-" + std::to_string(k) + ".ptx") << instructions::ptx_of(cases[k]);
    for (std::uint64_t seed = 1; seed <= 40; ++seed)
        std::ofstream(folder + "/random-" + std::to_string(seed) + ".ptx") << random_program(seed, seed % 2 == 0).text;
}
