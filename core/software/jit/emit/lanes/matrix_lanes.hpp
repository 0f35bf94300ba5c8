// SPDX-License-Identifier: Apache-2.0
// What matrix instructions of a whole warp share, whether their fragments are in registers or in memory.
#pragma once

#include "lane_vectors.hpp"
#include "software/jit/emit/emitter.hpp"
#include "software/jit/emit/matrix/matrix_move.hpp"
#include "software/ptx/matrix.hpp"

#include <cstdint>
#include <vector>

namespace warplight::jit {

class MatrixLanes : protected LaneVectors {
protected:
    explicit MatrixLanes(Emitter& e) : LaneVectors(e.b), e_(e) {}

    // --- registers: vectors of all lanes. Inactive lanes have ended, and are read as zeros.
    Value* read(const ptx::Operand& operand, ptx::Type type);
    void write(const ptx::Operand& operand, ptx::Type type, Value* value);
    Value* active_or_zero(Value* value);

    // --- wmma.load, wmma.store
    /// Moves a matrix between memory and the registers of a fragment.
    /// @param bytes from line to line
    void move_registers(const MatrixMove& move, Value* base, Value* bytes, std::vector<Value*>& registers, bool load);

    // --- ldmatrix, stmatrix: up to four 8 x 8 matrices of halves
    static constexpr unsigned kRowBytes = 16;
    Addresses::Shared shared_addresses(const ptx::Operand& address);
    /// A bit for each lane whose row is misaligned, i32.
    Value* misaligned_rows(Value* base, Value* offsets, unsigned matrices);
    /// Tells the runtime of a lane whose row is misaligned; nothing follows.
    /// @param first linear number of the first lane's thread
    /// @param row makes a lane's address
    template <class Row>
    void fault_misaligned(Value* block, Value* first, Value* lane, Value* site, Row row) {
        Value* thread = b_.CreateAdd(first, lane);
        Value* address = b_.CreatePtrToInt(row(lane), b_.getInt64Ty());
        e_.runtime_call("wl_rt_misaligned", b_.getVoidTy(), {block, thread, site, address, b_.getInt32(kRowBytes)})
            ->setDoesNotReturn();
        b_.CreateUnreachable();
    }
    /// A matrix whose rows are at row(0) … row(7).
    template <class Row>
    Value* load_matrix(bool transposed, Row row) {
        const auto row_within = [&](unsigned within, unsigned e) { return row(2 * within + e); };
        return transposed ? load_turned(16, 2, row_within) : load_groups(32, row);
    }
    template <class Row>
    void store_matrix(Value* reg, bool transposed, Row row) {
        const auto row_within = [&](unsigned within, unsigned e) { return row(2 * within + e); };
        if (transposed)
            store_turned(reg, 16, 2, row_within);
        else
            store_groups(reg, row);
    }

    // --- products
    /// D = A B + C, all in memory.
    void multiply(const ptx::MatrixForm& form, Value* a, Value* b, Value* c, Value* d);

    Emitter& e_;

private:
    enum class Order : std::uint8_t { groups, pairs, turned };
    /// The order in memory of a register's elements, and for Order::pairs of the next register's too.
    static Order order_of(const MatrixMove& move, unsigned reg);
    /// The first register with the same elements: some fragments have each element twice.
    static unsigned first_like(const MatrixMove& move, unsigned reg);
    /// Two registers: in memory the elements of a group's lanes alternate between them.
    using Line = llvm::function_ref<Value*(unsigned)>;
    void move_pair(std::vector<Value*>& registers, unsigned reg, unsigned bits, bool load, Line line);
};

} // namespace warplight::jit
