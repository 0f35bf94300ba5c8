// SPDX-License-Identifier: Apache-2.0
#include "compare_programs.hpp"

#include "mini_runtime.hpp"
#include "random_program.hpp"

#include <cstdio>

using mini::Launch;
using mini::Parameters;
using mini::Program;
using warplight::jit::Mode;

namespace {

constexpr unsigned kBlocks = 2;

std::vector<std::uint32_t> input() {
    std::vector<std::uint32_t> words(2048);
    std::uint32_t x = 1;
    for (std::uint32_t& w : words)
        w = x = x * 1664525 + 1013904223;
    return words;
}

/// What the threads write, then what the grid has in common.
std::vector<std::uint32_t> run(const warplight::jit::CompiledKernel& kernel, std::array<std::uint32_t, 3> block) {
    static const std::vector<std::uint32_t> in = input();
    const std::size_t own = std::size_t{kBlocks} * block[0] * block[1] * kRandomResults;
    std::vector<std::uint32_t> out(own + kRandomSums, 0xdeadbeef);
    Launch launch;
    launch.grid = {kBlocks, 1, 1};
    launch.block = block;
    launch.static_shared = kRandomShared;
    const auto outcome = mini::run(kernel, launch, Parameters().add(out.data()).add(in.data()).add(out.data() + own));
    if (outcome.fault) throw std::runtime_error("fault " + std::to_string(static_cast<int>(outcome.fault->reason)));
    if (outcome.deadlock) throw std::runtime_error("deadlock");
    return out;
}

} // namespace

unsigned width_of_program(std::uint64_t seed, bool warps) {
    if (warps) return 32;
    return seed % 3 == 0 ? 4U : seed % 3 == 1 ? 8U : 16U;
}

Comparison compare_program(const std::string& text, std::uint64_t seed, bool warps) {
    using Blocks = std::array<std::array<std::uint32_t, 3>, 3>;
    static constexpr Blocks kBlocksOfThreads{{{64, 1, 1}, {16, 8, 1}, {256, 1, 1}}};
    static constexpr Blocks kBlocksOfWarps{{{64, 1, 1}, {32, 4, 1}, {256, 1, 1}}};
    Comparison comparison;
    try {
        const Program program(text);
        const unsigned width = width_of_program(seed, warps);
        auto other = program.compile("k", Mode::automatic, {}, width);
        comparison.side_by_side = other != nullptr;
        if (!other) other = program.compile("k", Mode::automatic);
        if (comparison.side_by_side && other->width() != width) throw std::runtime_error("another width");
        const auto one = program.compile("k", Mode::coroutine);
        for (const auto& block : warps ? kBlocksOfWarps : kBlocksOfThreads) {
            const auto expected = run(*one, block);
            const auto found = run(*other, block);
            for (std::size_t k = 0; k < expected.size(); ++k) {
                if (found[k] == expected[k]) continue;
                char message[200];
                std::snprintf(message, sizeof message,
                              "seed %llu, width %u, block %u x %u: word %u of thread %zu is %x, not %x",
                              static_cast<unsigned long long>(seed), other->width(), block[0], block[1],
                              static_cast<unsigned>(k % kRandomResults), k / kRandomResults, found[k], expected[k]);
                comparison.differ = message;
                return comparison;
            }
        }
    } catch (const std::exception& e) {
        comparison.differ = "seed " + std::to_string(seed) + ": " + e.what();
    }
    return comparison;
}
