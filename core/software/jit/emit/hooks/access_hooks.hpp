// SPDX-License-Identifier: Apache-2.0
// Code that tests each access to memory before it is made. An access beyond the memory that it is meant for is told to
// the runtime and left out.
//
// Which memory that is, the compiler knows of most addresses by what they are made of (ptx::Origins): a variable, or a
// parameter that points to an allocation. Of others the runtime finds the memory by the address, and keeps its bounds
// for the next execution. So the common way is two comparisons, and the runtime is called for the rest.
#pragma once

#include "software/jit/emit/emitter.hpp"
#include "software/ptx/accesses.hpp"
#include "software/ptx/origins.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace warplight::jit {

class AccessHooks final : public Hooks {
public:
    explicit AccessHooks(Emitter& e);

    /// Behind tests of its accesses. Where some lanes fail, it is emitted a second time for the others.
    void around(const ptx::Instruction& i, llvm::function_ref<void()> emit) override;

private:
    /// Memory that an address is meant for. Of shared memory begin and size are offsets of 32 bits, else 64.
    struct Object {
        llvm::Value* begin = nullptr;
        llvm::Value* size = nullptr;
        std::int64_t step = 0; ///< bytes from one lane's own copy to the next one's
        bool is_known = false; ///< by its name; else what the runtime has found last
    };
    struct Test {
        ptx::MemoryAccess access;
        unsigned number = 0; ///< of the instruction's accesses
        Object object;
        bool uniform = false;           ///< one address for all lanes
        llvm::Value* passed = nullptr;  ///< i1; null: it always does
        llvm::Value* address = nullptr; ///< of a uniform one
        llvm::Value* allowed = nullptr; ///< i32, lanes: where it was asked
    };

    [[nodiscard]] Test test_of(const ptx::MemoryAccess& access, unsigned number);
    void test_static(Test& test);
    void test_uniform(Test& test);
    void test_ends(Test& test);
    void test_lanes(Test& test);

    [[nodiscard]] Object object_of(const ptx::MemoryAccess& access, unsigned number);
    [[nodiscard]] Object variable(ptx::Operand::Scope scope, std::uint32_t index);
    [[nodiscard]] Object parameter(std::uint64_t word);
    [[nodiscard]] Object found_last(bool shared, unsigned number);

    [[nodiscard]] llvm::Value* is_outside(const Object& object, llvm::Value* address, const ptx::MemoryAccess& access);
    [[nodiscard]] llvm::Value* is_misaligned(llvm::Value* address, const ptx::MemoryAccess& access);
    /// i32, a bit for each lane that may go on.
    [[nodiscard]] llvm::Value* ask(const Test& test);
    /// What others wait for comes all the same.
    void leave_out(const ptx::Instruction& i, const std::vector<Test>& tests);

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    std::optional<ptx::Origins> origins_;
    std::map<std::uint64_t, std::pair<llvm::Value*, llvm::Value*>> parameters_; ///< by word: begin and size
    llvm::Value* parameter_ranges_ = nullptr;
    llvm::Value* found_ranges_ = nullptr;
};

} // namespace warplight::jit
