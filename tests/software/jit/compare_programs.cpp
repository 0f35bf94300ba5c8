// SPDX-License-Identifier: Apache-2.0
#include "compare_programs.hpp"

#include "mini_runtime.hpp"
#include "random_program.hpp"
#include "software/jit/strategy.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

using mini::Launch;
using mini::Parameters;
using mini::Program;
using warplight::jit::Mode;

namespace {

constexpr unsigned kBlocks = 2;

constexpr std::size_t kAligned = 16; ///< words
template <class Word>
Word* aligned(Word* words) {
    constexpr std::uintptr_t bytes = 4 * kAligned;
    return reinterpret_cast<Word*>((reinterpret_cast<std::uintptr_t>(words) + bytes - 1) / bytes * bytes);
}

std::vector<std::uint32_t> input() {
    std::vector<std::uint32_t> words(2048 + kAligned);
    std::uint32_t x = 1;
    for (std::uint32_t& w : words)
        w = x = x * 1664525 + 1013904223;
    return words;
}

/// What the threads write, then what the grid has in common.
std::vector<std::uint32_t> run(const warplight::jit::CompiledKernel& kernel, std::array<std::uint32_t, 3> block) {
    static const std::vector<std::uint32_t> in = input();
    const std::size_t threads = std::size_t{kBlocks} * block[0] * block[1];
    const std::size_t own = threads * (kRandomResults + kRandomArea);
    std::vector<std::uint32_t> out(own + kRandomSums + kAligned, 0xdeadbeef);
    std::uint32_t* const begin = aligned(out.data());
    Launch launch;
    launch.grid = {kBlocks, 1, 1};
    launch.block = block;
    launch.static_shared = kRandomShared;
    std::array<std::uint32_t, 16> numbers{};
    for (std::uint32_t k = 0; k < numbers.size(); ++k)
        numbers[k] = k * 0x9E3779B9u;
    Parameters parameters;
    parameters.add(begin).add(aligned(in.data())).add(begin + own).add(std::uint64_t{0}).add(numbers);
    const auto outcome = mini::run(kernel, launch, parameters);
    if (outcome.fault) throw std::runtime_error("fault " + std::to_string(static_cast<int>(outcome.fault->reason)));
    if (outcome.deadlock) throw std::runtime_error("deadlock");
    return {begin, begin + own + kRandomSums};
}

unsigned most_threads_of(const Program& program, unsigned extent) {
    const warplight::ptx::Module& module = program.module();
    return warplight::jit::block_candidates(module.functions[module.find_function("k").value()], 0, extent)
        .most_threads;
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
        std::vector<std::unique_ptr<warplight::jit::CompiledKernel>> others;
        others.push_back(program.compile("k", Mode::automatic, {}, width));
        comparison.side_by_side = others.back() != nullptr;
        if (comparison.side_by_side && others.back()->width() != width) throw std::runtime_error("another width");
        if (!comparison.side_by_side) others.clear();
        // A thread at a time there is a loop as well, where nothing waits; now and then side by side is not all.
        if (others.empty() || seed % 4 == 1) others.push_back(program.compile("k", Mode::automatic));
        const auto one = program.compile("k", Mode::coroutine);
        for (const auto& block : warps ? kBlocksOfWarps : kBlocksOfThreads) {
            const auto expected = run(*one, block);
            std::vector<const warplight::jit::CompiledKernel*> these;
            for (const auto& other : others)
                these.push_back(other.get());
            // Code for blocks of this extent alone.
            std::unique_ptr<warplight::jit::CompiledKernel> bounded;
            const unsigned most = most_threads_of(program, block[0]);
            if (most != 0 && comparison.side_by_side) {
                bounded = program.compile("k", Mode::automatic, {}, width, nullptr, most);
                if (bounded) these.push_back(bounded.get());
                ++comparison.bounded;
            }
            for (const auto* other : these) {
                const auto found = run(*other, block);
                const auto [here, there] = std::mismatch(found.begin(), found.end(), expected.begin());
                if (here == found.end()) continue;
                const auto k = static_cast<std::size_t>(here - found.begin());
                const std::size_t results = std::size_t{kBlocks} * block[0] * block[1] * kRandomResults;
                const std::size_t each = k < results ? kRandomResults : kRandomArea;
                const std::size_t word = k < results ? k : k - results;
                char message[200];
                std::snprintf(message, sizeof message,
                              "seed %llu, width %u, block %u x %u: word %zu of thread %zu%s is %x, not %x",
                              static_cast<unsigned long long>(seed), other->width(), block[0], block[1], word % each,
                              word / each, k < results ? "" : " in the area", *here, *there);
                comparison.differ = message;
                return comparison;
            }
        }
    } catch (const std::exception& e) {
        comparison.differ = "seed " + std::to_string(seed) + ": " + e.what();
    }
    return comparison;
}
