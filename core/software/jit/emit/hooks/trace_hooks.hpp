// SPDX-License-Identifier: Apache-2.0
// Code that tells the runtime what threads do to memory, and of their fences, in the order in which they do it.
#pragma once

#include "own_cells.hpp"
#include "shared_notes.hpp"
#include "software/jit/emit/emitter.hpp"
#include "software/ptx/accesses.hpp"
#include "software/ptx/origins.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace warplight::jit {

class TraceHooks final : public Hooks {
public:
    explicit TraceHooks(Emitter& e);

    void around(const ptx::Instruction& i, llvm::function_ref<void()> emit) override;

private:
    struct Written {
        std::set<std::uint64_t> parameters; ///< by word
        std::set<std::uint32_t> variables;  ///< of the module
    };
    /// What the kernel writes to in global memory. Nothing: it writes elsewhere too, or that is not known.
    [[nodiscard]] std::optional<Written> find_written();
    /// i1: whether a read has to be traced. Null: it has. Nobody writes to memory that the kernel only reads.
    [[nodiscard]] llvm::Value* is_written(const ptx::MemoryAccess& access);
    [[nodiscard]] bool is_of_threads(const ptx::Root& root) const;
    [[nodiscard]] llvm::Value* is_in(std::uint32_t variable, std::uint64_t parameter);
    [[nodiscard]] llvm::Value* range_of(std::uint64_t word, std::size_t field);
    void trace(const ptx::Instruction& i, const ptx::MemoryAccess& access);
    /// i1: whether an access by a texture or surface has to be traced. Null: it has not.
    [[nodiscard]] llvm::Value* is_image_written(const ptx::Instruction& i);
    /// A barrier object: arriving releases, waiting acquires.
    void trace_object(const ptx::Instruction& i, llvm::function_ref<void()> emit);
    void trace_fence(const ptx::Instruction& i);
    void trace_warp(const ptx::Instruction& i);
    void tell(const ptx::Operand& address, ptx::Space space, software::TracedAccess what, llvm::Value* values,
              llvm::Value* counts = nullptr);
    /// Copies that go on while their thread does.
    void trace_copy(const ptx::Instruction& i);
    /// A barrier object is told when all of them have ended.
    void trace_arrival_of_copies(const ptx::Instruction& i);
    void tell_of_copies(software::CopyEvent event, std::uint32_t pending);
    /// Whether it is looked at.
    void store_values(const ptx::Instruction& i, llvm::Value* to);

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    SharedNotes notes_;
    OwnCells cells_;
    std::optional<ptx::Origins> origins_; ///< of a kernel
    std::optional<Written> written_;
    const bool writes_surfaces_; ///< the kernel does, somewhere
    const std::vector<bool> first_looks_;
    const std::vector<bool> split_updates_;
    /// By whether it is a parameter, and its word or the variable's number.
    std::map<std::pair<bool, std::uint64_t>, llvm::Value*> are_written_;
    llvm::Value* parameter_ranges_ = nullptr;
};

} // namespace warplight::jit
