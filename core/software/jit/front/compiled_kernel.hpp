// SPDX-License-Identifier: Apache-2.0
// The answer of compile(): linked code, and what its launches have to know.
#pragma once

#include "kernel_source.hpp"
#include "software/jit/jit.hpp"
#include "software/jit/object/orc.hpp"
#include "software/jit/object/sites.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace warplight::jit {

/// All of a compiled kernel but its code.
struct KernelTraits {
    Mode mode = Mode::loop;
    unsigned width = 1;
    std::vector<std::pair<std::uint32_t, ptx::FunctionId>> site_bases; ///< first site of each function, in order
    std::uint32_t sites = 0;                                           ///< all of their numbers are below
    std::vector<Site> origins;                                         ///< of KernelSource
    std::vector<std::uint64_t> non_temporal_pointers;                  ///< offsets among the packed parameters
    std::optional<std::uint64_t> held_pointer;                         ///< likewise
    SumPointers sums;
    bool has_grid_stride_loops = false;
    bool only_copies = false;
    bool joins_blocks = false;
    bool has_turns = false;
    bool exchanges_axes = false;
    bool checks_accesses = false;
    bool traces_accesses = false;
    bool follows_values = false;
    bool follows_waits = false;
    std::vector<std::uint32_t> block_sites; ///< of CompiledKernel; empty: it is not profiled
    bool may_wait_for_blocks = false;
    bool meets_whole = false;
};

/// @param plan null for one lane
[[nodiscard]] KernelTraits traits_of(const KernelSource& source, const Strategy& strategy, const LanePlan* plan);

/// KernelTraits::block_sites.
[[nodiscard]] std::vector<std::uint32_t> block_sites_of(const KernelSource& source, std::uint32_t sites);

enum class CodeOrigin : std::uint8_t { compiled, compiled_quickly, object_cache };

[[nodiscard]] std::unique_ptr<CompiledKernel>
make_compiled_kernel(KernelTraits traits, CodeMap map, std::unique_ptr<LoadedObject> object, CodeOrigin origin);

} // namespace warplight::jit
