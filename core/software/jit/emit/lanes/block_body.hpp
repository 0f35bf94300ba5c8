// SPDX-License-Identifier: Apache-2.0
// The instructions of a block for lanes, without its way on. Some are emitted together: as one access to whole vectors,
// or lane by lane.
#pragma once

#include "group_run.hpp"
#include "lane_groups.hpp"
#include "row_loads.hpp"
#include "row_run.hpp"
#include "row_stores.hpp"
#include "serial_run.hpp"
#include "software/jit/emit/matrix/fragments.hpp"

#include <cstdint>
#include <optional>

namespace warplight::jit {

class BlockBody {
public:
    explicit BlockBody(Emitter& e) : e_(e), b_(e.b), fragments_(e), rows_(e), row_stores_(e) {}

    /// @param mask the lanes that execute it; null: all
    void enter(const LaneBlock& block, llvm::Value* mask);
    /// Emits an instruction, and with it those behind it that belong to it. Answers which was the last one.
    [[nodiscard]] std::uint32_t emit(std::uint32_t at, std::uint32_t end, llvm::Value* mask);
    void emit_one(std::uint32_t at, llvm::Value* mask);
    void emit_guarded(const ptx::Instruction& i, llvm::Value* mask);
    /// Code may come here from elsewhere: what rows of vectors have read is not known any more.
    void leave_rows() { rows_.leave(); }
    void leave();
    /// At the end of the kernel.
    void close() { fragments_.close(); }

    [[nodiscard]] llvm::Value* uniform_guard(const ptx::Instruction& i);
    [[nodiscard]] llvm::Value* guard_of_lanes(const ptx::Instruction& i);

private:
    void emit_serial(const SerialRun& run, std::uint32_t begin, llvm::Value* mask);
    std::optional<GroupRun> group_run(std::uint32_t at, std::uint32_t end, llvm::Value* mask);
    void emit_group_run(const GroupRun& run, std::uint32_t begin);
    std::optional<RowRun> row_run(std::uint32_t at, std::uint32_t end, llvm::Value* mask);
    void emit_row_run(const RowRun& run);
    bool emit_rows(std::uint32_t at, std::uint32_t end);
    std::optional<SerialRun> serial_run(std::uint32_t at, std::uint32_t end, llvm::Value* mask);
    void begin_hooked_block(std::uint32_t first, llvm::Value* mask);

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    Fragments fragments_;
    RowLoads rows_;
    RowStores row_stores_;
};

} // namespace warplight::jit
