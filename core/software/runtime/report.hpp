// SPDX-License-Identifier: Apache-2.0
// Messages about faults of kernels: place in the source, block and thread, address.
#pragma once

#include "block_scheduler.hpp"
#include "findings/finding.hpp"
#include "module.hpp"
#include "trap.hpp"

#include <cuda.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace warplight::software {

/// The driver's code for a fault.
[[nodiscard]] CUresult code_of(const Trap& trap);

/// The instruction that faulted, as far as the trap tells.
[[nodiscard]] std::optional<jit::Site> site_of(const jit::CompiledKernel& kernel, const Trap& trap);

/// "saxpy.cu:7:3, in function f, inlined at saxpy.cu:12 (PTX line 40: st.global)"
[[nodiscard]] std::string describe_site(const ptx::Module& module, const jit::Site& site);

/// "ld.global.f32"
[[nodiscard]] std::string spelled(const ptx::Instruction& instruction);
/// A variable's name in the source, without the function that it is in: "tile" of "_ZZ6kernelE4tile".
[[nodiscard]] std::string variable_name(const std::string& name);
/// Gives a finding the places of a site: file, line, and the calls that it was inlined at.
void place_event(const ptx::Module& module, const jit::Site& site, findings::Event& event);

struct FaultPlace {
    std::array<std::uint32_t, 3> block{};
    std::optional<std::array<std::uint32_t, 3>> thread;
    std::optional<jit::Site> site;
    bool is_near = false;           ///< the site is where optimised code was, which may be another one close to it
    std::uint64_t shared = 0;       ///< host address of the block's shared memory; 0: not known
    std::uint64_t shared_bytes = 0; ///< of the block
    const std::byte* parameters = nullptr; ///< of the launch, packed
};
[[nodiscard]] std::string describe_fault(const Function& function, const Trap& trap, const FaultPlace& place);

/// Where the threads of a block wait that nobody will wake.
[[nodiscard]] std::string describe_deadlock(const Function& function, const jit::CompiledKernel& kernel,
                                            const BlockScheduler& block);

/// tid of a thread's number in its block.
[[nodiscard]] std::array<std::uint32_t, 3> thread_index(const LaunchContext& launch, std::uint32_t linear);

} // namespace warplight::software
