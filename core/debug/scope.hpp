// SPDX-License-Identifier: Apache-2.0
// Threads of a block that stands still: their calls, and the names that code there knows.
#pragma once

#include "expression.hpp"
#include "program.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warplight::debug {

/// A call of a function by a thread.
struct Call {
    ptx::FunctionId function = 0;
    std::uint32_t site = 0; ///< where it is
    const std::byte* frame = nullptr;
};

enum class ThreadState : std::uint8_t {
    not_begun,
    at_line, ///< it goes on when its turn comes
    waiting, ///< at a barrier, for other lanes or other blocks
    ended,
};

/// The innermost one first. Empty for a thread that has not begun or has ended.
[[nodiscard]] std::vector<Call> calls_of(const software::SteppedBlock& block, std::uint32_t thread,
                                         const Program& program);
[[nodiscard]] std::uint32_t depth_of(const software::SteppedBlock& block, std::uint32_t thread);
[[nodiscard]] ThreadState state_of(const software::SteppedBlock& block, std::uint32_t thread);
/// x, y, z of threadIdx.
[[nodiscard]] std::array<std::uint32_t, 3> index_of(const software::SteppedBlock& block, std::uint32_t thread);

class Scope final : public Surroundings {
public:
    /// They must outlive it.
    Scope(Program& program, const software::SteppedLaunch& launch, const software::SteppedBlock& block,
          std::uint32_t thread, Call call);

    [[nodiscard]] DebugInfo& info() const override { return program_.info; }
    [[nodiscard]] std::optional<Value> find(std::string_view name) const override;
    [[nodiscard]] bool read(std::uint64_t address, void* to, std::size_t bytes) const override {
        return launch_.read(address, to, bytes);
    }

    struct Named {
        std::string name;
        std::optional<Value> value; ///< nothing: `problem` says why
        std::string problem;
    };
    /// Variables and parameters of the function, the innermost scope first.
    [[nodiscard]] std::vector<Named> locals() const;
    [[nodiscard]] std::vector<Named> registers() const;
    /// Variables in shared memory that the kernel uses.
    [[nodiscard]] std::vector<Named> shared() const;
    /// Variables of the module.
    [[nodiscard]] std::vector<Named> globals() const;
    /// threadIdx, blockIdx, blockDim, gridDim
    [[nodiscard]] std::vector<Named> indices() const;

    /// The register that a variable is in here; nothing where it is in memory or unknown.
    [[nodiscard]] std::optional<ptx::RegisterId> register_of(std::string_view name) const;

private:
    [[nodiscard]] const ptx::Function& function() const { return program_.function(call_.function); }
    [[nodiscard]] const DebugVariable* variable(std::string_view name) const;
    [[nodiscard]] std::optional<Value> value_at(const Location& location, TypeId type) const;
    [[nodiscard]] std::optional<Value> register_value(ptx::RegisterId r, std::optional<TypeId> type) const;
    [[nodiscard]] std::optional<std::uint64_t> address_of(std::string_view symbol) const;
    [[nodiscard]] std::optional<std::uint64_t> frame_address(std::optional<std::uint64_t> offset) const;
    [[nodiscard]] std::optional<Value> ptx_variable(std::string_view name) const;
    [[nodiscard]] Value typed_by_ptx(const ptx::Variable& v, std::uint64_t address, std::uint64_t bytes) const;
    [[nodiscard]] std::optional<Value> index(std::string_view name) const;
    [[nodiscard]] std::uint64_t dynamic_shared_bytes() const;

    Program& program_;
    const software::SteppedLaunch& launch_;
    const software::SteppedBlock& block_;
    const std::uint32_t thread_;
    const Call call_;
};

} // namespace warplight::debug
