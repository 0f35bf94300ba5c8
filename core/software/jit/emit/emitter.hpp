// SPDX-License-Identifier: Apache-2.0
// Emits one PTX function as LLVM IR. The emit_*.cpp files hold the instructions, a group each; they see the function
// through this class: operands are read as values of a PTX type and written back, wherever they live.
//
// Values. type_of() gives the LLVM type of a PTX type, for `width` lanes a register:
//   pred → i1, bN/uN/sN → iN, f32/tf32 → float, f64 → double, f16 → half, f16x2 → <2 x half>,
//   bf16 → i16 and bf16x2 → i32 (bits: the host's bfloat conversions flush denormals), u16x2/s16x2 → <2 x i16>,
//   8-bit floats → i8, their pairs → i16, opaque references → i64.
// A register lives in a stack slot of its declared width (float and double for f32 and f64, else an integer)
// until the function is complete; then the slots become values. As PTX lets a register be used as any type of its size,
// read() and write() reinterpret the bits, cut a wider register, and extend into one as the written type's sign says.
#pragma once

#include "software/jit/emit/matrix/fragments.hpp"
#include "software/jit/front/unit.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace warplight::jit {

/// An instruction, or a form of one, that cannot be compiled. The message says which.
class EmitError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class Emitter {
public:
    Emitter(Unit& unit, ptx::FunctionId function, llvm::Function* target, bool coroutine);

    Unit& unit;
    const ptx::Module& module;
    const ptx::Function& function;
    const ptx::FunctionId function_id;
    llvm::LLVMContext& context;
    llvm::IRBuilder<> b;
    /// Lanes of the values that are read and written now. Where threads run side by side it changes from instruction
    /// to instruction: 1 for what is the same in all lanes, and for what is done a lane at a time.
    unsigned width = 1;
    const bool coroutine; ///< in coroutine mode: `thread` is there, and suspend() may be called

    /// Emits the whole function. The target's entry block is made here.
    void emit();

    // --- types and constants
    [[nodiscard]] llvm::Type* type_of(ptx::Type type) const;
    /// An integer type of that many bits, `width` lanes.
    [[nodiscard]] llvm::Type* integer_type(unsigned bits) const;
    /// `type` for each lane.
    [[nodiscard]] llvm::Type* lanes(llvm::Type* type) const;
    [[nodiscard]] llvm::Constant* integer(unsigned bits, std::uint64_t value) const; ///< splat
    [[nodiscard]] llvm::Constant* real(ptx::Type type, double value) const;          ///< f16, f32 or f64 splat

    /// A scalar in every lane of a value.
    [[nodiscard]] llvm::Value* splat(llvm::Value* value);

    // --- operands
    /// The operand's value as type_of(type). `!p` and `-r` are applied.
    [[nodiscard]] llvm::Value* read(const ptx::Operand& operand, ptx::Type type);
    /// The same, or a constant for an absent operand (index past the end).
    [[nodiscard]] llvm::Value* read(const ptx::Instruction& i, std::size_t operand, ptx::Type type);
    /// `value` is of type_of(type). The sink `_` takes anything.
    void write(const ptx::Operand& operand, ptx::Type type, llvm::Value* value);
    /// Reinterprets: same number of bits, another type.
    [[nodiscard]] llvm::Value* bits_as(llvm::Value* value, llvm::Type* type);
    [[nodiscard]] llvm::Type* register_type(ptx::Type type) const;

    // --- the carry flag, i1
    [[nodiscard]] llvm::Value* carry();
    void set_carry(llvm::Value* value);

    // --- calls
    /// An LLVM intrinsic overloaded on `types`.
    llvm::Value* intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Type*> types,
                           llvm::ArrayRef<llvm::Value*> arguments);
    /// The common case: overloaded on the type of the first argument.
    llvm::Value* intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value*> arguments);
    /// A C function of scalar arguments without side effects (library/math_library.cpp), a call a lane.
    llvm::Value* pure_call(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments);
    /// A service of the runtime.
    llvm::CallInst* runtime_call(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments);

    // --- control
    llvm::BasicBlock* new_block(const char* name);
    /// Runs `body` where `condition` holds; emission goes on behind it.
    template <class Body>
    void emit_if(llvm::Value* condition, Body body) {
        llvm::BasicBlock* then = new_block("then");
        llvm::BasicBlock* rest = new_block("rest");
        b.CreateCondBr(condition, then, rest);
        b.SetInsertPoint(then);
        body();
        if (!b.GetInsertBlock()->getTerminator()) b.CreateBr(rest);
        b.SetInsertPoint(rest);
    }
    /// Raises a fault of this thread; nothing follows.
    void fault(software::Fault fault);
    /// The instruction being emitted, as a site number, and as an i32.
    [[nodiscard]] std::uint32_t site() const;
    [[nodiscard]] llvm::Value* site_value() const;
    /// What the code emitted so far does to a register's slot, beside its zero at the start. Of one thread.
    [[nodiscard]] bool has_read(ptx::RegisterId r) const;
    [[nodiscard]] bool has_written(ptx::RegisterId r) const;
    [[noreturn]] void unsupported_form(const ptx::Instruction& i, const std::string& why = {}) const;

    // --- where the thread is. Values are made in the entry block.
    [[nodiscard]] llvm::Value* block() const { return block_; }   ///< BlockContext*
    [[nodiscard]] llvm::Value* thread() const { return thread_; } ///< ThreadContext*, coroutine mode only
    [[nodiscard]] llvm::Value* launch();                          ///< LaunchContext*
    [[nodiscard]] llvm::Value* shared_base();                     ///< ptr, the block's window
    /// ptr: what shared addresses in registers count from; the window of the cluster's first block where it matters.
    [[nodiscard]] llvm::Value* shared_origin();
    [[nodiscard]] llvm::Value* cluster_rank();                  ///< i32
    [[nodiscard]] llvm::Value* parameters_base();               ///< ptr, the kernel's parameters
    [[nodiscard]] llvm::Value* thread_index(unsigned axis);     ///< i32
    [[nodiscard]] llvm::Value* linear_thread();                 ///< i32
    [[nodiscard]] llvm::Value* first_linear();                  ///< of the first lane
    [[nodiscard]] llvm::Value* special(ptx::SpecialRegister r); ///< scalar i32 or i64
    /// A field that does not change during the launch; `below` bounds it (0: unbounded).
    llvm::Value* load_field(llvm::Value* base, std::uint64_t offset, llvm::Type* type, std::uint64_t below,
                            const char* name);
    void store_field(llvm::Value* base, std::uint64_t offset, llvm::Value* value);
    /// Runs `make` with the builder at the end of the entry block's prologue.
    template <class Make>
    llvm::Value* in_entry(llvm::Value*& cache, Make make) {
        if (!cache) {
            llvm::IRBuilderBase::InsertPointGuard guard(b);
            b.SetInsertPoint(entry_end_);
            cache = make();
        }
        return cache;
    }

    // --- memory (emit/memory/memory.cpp)
    /// The host address that an address operand means in a state space.
    [[nodiscard]] llvm::Value* pointer(const ptx::Operand& address, ptx::Space space);
    /// Where an access of `bytes` (i64) is done: at `pointer`, or where the runtime says in code that asks it first.
    [[nodiscard]] llvm::Value* asked(llvm::Value* pointer, llvm::Value* bytes, bool writes);
    [[nodiscard]] llvm::Value* asked(llvm::Value* pointer, std::uint64_t bytes, bool writes);
    /// A register and an offset that together are an address in shared memory. It has 32 bits, and wraps there.
    struct SharedAddress {
        llvm::Value* word;   ///< the register's 32 bits, for the lanes that are wanted now
        std::int64_t offset; ///< to be added to them as 64 bits
        bool is_signed;      ///< they become 64 by their sign: then the sum is right whatever wraps, in each lane
    };
    [[nodiscard]] SharedAddress shared_address(const ptx::Operand& address);
    [[nodiscard]] static bool is_far(const ptx::Operand& address); ///< the word is more than the register
    /// The word as 64 bits, one or a vector of them.
    [[nodiscard]] llvm::Value* extend(llvm::Value* word, bool is_signed);
    /// What an address is made of that a register of 32 bits holds the low half of.
    [[nodiscard]] llvm::Value* pointer_of_half(const ptx::Operand& address, ptx::Space space);
    /// Faults where the address is no multiple of `bytes`. In a loop over threads, where the access allows, the loop
    /// goes on and the block faults at its end: then the answer is true, and the access must do without alignment.
    bool check_alignment(const ptx::Operand& address, ptx::Space space, unsigned bytes, bool may_be_late);
    /// Where who it was is found out by running the block again: the kernel ends here if bits are set that an address
    /// should not have. What is the same for several accesses LLVM looks at once.
    void stop_if_misaligned(llvm::Value* low_bits);
    /// The address of a variable or function in its own space, as an i64.
    [[nodiscard]] llvm::Value* address_of(const ptx::Operand& operand);
    /// The stack slot (or parameter memory) of a function-local or parameter variable.
    [[nodiscard]] llvm::Value* local_variable(ptx::Operand::Scope scope, std::uint32_t index);
    /// Of memory that each lane has its own of: where the one that is emitted now has it, given where the first one
    /// has.
    llvm::Value* of_this_lane(const ptx::Operand& operand, llvm::Value* of_first);
    llvm::Value* address_of_lanes(const ptx::Operand& variable);
    [[nodiscard]] ptx::Space space_of(const ptx::Operand& variable) const;
    [[nodiscard]] llvm::AllocaInst* stack_slot(llvm::Type* type, const char* name, unsigned alignment = 0);

    // --- waiting (emit/control/warp.cpp)
    /// Sets the reason and gives the thread up until the runtime resumes it.
    llvm::CallInst* suspend(software::Wait wait);
    void request_field(std::size_t offset, llvm::Value* value);
    llvm::Value* answer_field(std::size_t offset, llvm::Type* type);

    /// What a request of matrices is written to: one for all of the function.
    [[nodiscard]] llvm::Value* matrix_request();

    // --- control flow (emit/control/control.cpp, emit/control/call.cpp)
    [[nodiscard]] llvm::BasicBlock* label_block(ptx::LabelId label);
    void branch_to(ptx::LabelId label);
    /// At a branch that closes a loop which may spin: lets others run when its budget is spent.
    void give_way_now_and_then();
    /// Where a loop goes round that is to keep its turns with the other threads of the block.
    void take_turns();
    void return_from_function(bool exited);

private:
    /// Suspends every `count`th time that the code comes here; `budget` is made on first use.
    void suspend_every(llvm::Value*& budget, std::uint32_t count, software::Wait wait);
    void emit_prologue();
    void emit_body();
    void emit_side_by_side();
    void make_values_of_slots();
    void emit_instruction(std::uint32_t index);
    llvm::Value* read_register(ptx::RegisterId r, ptx::Type type);
    llvm::Value* immediate(const ptx::Operand& operand, ptx::Type type);
    llvm::Value* slot_of(ptx::RegisterId r);

    // --- threads side by side (emit/lanes/lanes.cpp)
    class Lanes;
    class Warp;           ///< emit/lanes/warp.cpp
    class Matrix;         ///< emit/lanes/matrix.cpp
    class Memory;         ///< emit/lanes/memory.cpp
    class CombinedAtomic; ///< emit/lanes/atomic.cpp
    Fragments fragments_{*this};
    void emit_warp_operation(const ptx::Instruction& i);
    void emit_matrix_operation(const ptx::Instruction& i);
    /// False: no access of several addresses, or one that has to go a lane at a time.
    bool emit_lane_access(const ptx::Instruction& i);
    /// Of one element of memory, whose address is the same in all lanes (emit/lanes/atomic.cpp). False: it is not.
    bool emit_combined_atomic(const ptx::Instruction& i);
    [[nodiscard]] bool varies(ptx::RegisterId r) const { return plan_ && !plan_->uniform(r); }
    /// Has a value a lane, and not just the first one's.
    [[nodiscard]] bool is_vector(ptx::RegisterId r) const { return varies(r) && !plan_->grows(r); }
    // --- registers that grow from lane to lane (emit/lanes/growing.cpp)
    /// Of one that has an index: lane k holds `rest`, `factor` times the 64-bit value of index + k step, and k `left`.
    struct Growth {
        llvm::Value *rest, *index, *factor; ///< i64, i32, i64
        std::int64_t step, left;
        bool is_signed;
    };
    Growth growth_of(ptx::RegisterId r);
    llvm::Value* index_of(ptx::RegisterId r); ///< the first lane's, i32, of a register that has one
    /// As an integer, for the lanes that are wanted now.
    llvm::Value* read_growing(ptx::RegisterId r);
    void emit_growing(const ptx::Instruction& i);
    /// Whether a register that grows does so evenly: null where it always does.
    llvm::Value* grows_evenly(ptx::RegisterId r);
    /// Of LaneBlock::comparison: whether it holds for all lanes, and for none. May both be false.
    struct Told {
        llvm::Value *all, *none; ///< i1
    };
    Told told_by_first(const ptx::Instruction& comparison); ///< emit/lanes/branch.cpp
    llvm::Value* index_slot(ptx::RegisterId r);
    llvm::Value* index_of_result(const ptx::Instruction& i);
    [[nodiscard]] llvm::Value* copy_of_turn(ptx::RegisterId r);
    /// The lane whose registers are read.
    [[nodiscard]] int reading_lane() const { return reads_last_ ? static_cast<int>(vector_) - 1 : lane_; }
    [[nodiscard]] llvm::Value* plus_turn(llvm::Value* of_first);
    [[nodiscard]] llvm::Value* lanes_taking_part(); ///< a bit each, i32
    /// Who it is told to be that does what is emitted now: of those that do it together the first one.
    [[nodiscard]] llvm::Value* one_of_active(llvm::Value* of_first);
    [[nodiscard]] llvm::Value* special_of_lanes(ptx::SpecialRegister r);
    void store_register(ptx::RegisterId r, llvm::Value* value);

    const LanePlan* plan_ = nullptr;
    unsigned vector_ = 1;     ///< threads side by side
    int lane_ = -1;           ///< the one that is emitted now, of those done one after the other
    bool reads_last_ = false; ///< registers are read as the last lane has them, whosever turn it is
    /// In a loop over lanes: the one whose turn it is (i32), and their registers in memory.
    llvm::Value* turn_ = nullptr;
    std::map<ptx::RegisterId, llvm::Value*> copies_;
    llvm::Value* mask_ = nullptr; ///< <vector_ x i1>: the lanes that take part; null: all
    bool apart_ = false;          ///< the other lanes are elsewhere: what they have in registers is not lost
    bool keep_others_ = false;    ///< even registers local to their block keep what the other lanes had

    llvm::Function* target_;
    llvm::DISubprogram* subprogram_ = nullptr;
    llvm::Instruction* entry_end_ = nullptr; ///< the entry block's branch to the body
    llvm::Value* block_ = nullptr;
    llvm::Value* thread_ = nullptr;
    llvm::Value* launch_ = nullptr;
    llvm::Value* shared_base_ = nullptr;
    llvm::Value* cluster_base_ = nullptr;
    llvm::Value* cluster_rank_ = nullptr;
    llvm::Value* parameters_base_ = nullptr;
    std::array<llvm::Value*, 3> tid_{};
    llvm::Value* linear_ = nullptr;
    llvm::Value* budget_ = nullptr;
    llvm::Value* turns_ = nullptr;
    llvm::Value* carry_ = nullptr;
    llvm::Value* matrix_request_ = nullptr;
    llvm::AllocaInst* misaligned_ = nullptr; ///< of a kernel in loop mode: bits that addresses should not have had
    llvm::BasicBlock* stop_misaligned_ = nullptr;
    /// Whether a register and an offset may be an address in shared memory by wrapping; empty: not looked at yet.
    std::vector<bool> wraps_in_shared_;
    std::vector<llvm::AllocaInst*> registers_;
    std::map<ptx::RegisterId, llvm::AllocaInst*> indices_; ///< of registers with a Widening: the first lane's index
    std::vector<llvm::Value*> parameters_;                 ///< memory of each formal parameter
    std::vector<llvm::Value*> results_;                    ///< memory of each formal result
    std::vector<std::pair<std::size_t, ptx::RegisterId>> result_registers_; ///< results declared as `.reg`
    std::vector<llvm::Value*> variables_;                                   ///< memory of each variable of the body
    std::vector<llvm::BasicBlock*> label_blocks_;                           ///< by LabelId
    std::vector<llvm::BasicBlock*> block_at_;                               ///< by instruction, where a block starts
    std::uint32_t current_ = 0;                                             ///< instruction being emitted
};

} // namespace warplight::jit
