// SPDX-License-Identifier: Apache-2.0
// The shadows of registers, and what instructions make of them. Moves, shifts and logic are followed by the bit. What
// else computes with a value that nothing wrote makes one.
#pragma once

#include "added_code.hpp"
#include "software/ptx/effects.hpp"
#include "software/ptx/matrix.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace warplight::jit {

class ShadowRules {
public:
    /// @param followed by register: whether it may hold what nothing wrote
    ShadowRules(AddedCode& code, std::vector<bool> followed) : code_(code), followed_(std::move(followed)) {}

    /// Its result depends on its sources. Not that of memory, and not where the use of a source is told.
    [[nodiscard]] static bool passes_on(const ptx::Instruction& i);
    [[nodiscard]] static bool can_follow(ptx::Type type);

    [[nodiscard]] bool follows(ptx::RegisterId r) const { return r < followed_.size() && followed_[r]; }
    [[nodiscard]] ptx::RegisterId shadow_of(ptx::RegisterId r);
    /// Of the elements of a vector too. 0 for all that is not followed.
    [[nodiscard]] ptx::Operand shadow_of_value(const ptx::Operand& value);
    /// Of a destination. None where nothing of it is followed.
    [[nodiscard]] ptx::Operand shadows_to_write(const ptx::Operand& to);

    /// Adds what computes the shadows of an instruction's results.
    void compute(const ptx::Instruction& i);

    /// Adds code: whether any bit of registers is 1, as a predicate.
    [[nodiscard]] ptx::Operand is_any(const ptx::Operand& values);
    /// Adds code: all bits of a destination's shadows become a predicate, or 0.
    void write(const ptx::Operand& to, const ptx::Operand& predicate);
    /// Adds code: the bits that either has, of values or vectors of them.
    [[nodiscard]] ptx::Operand merged(const ptx::Operand& a, const ptx::Operand& b, unsigned bits);

private:
    using Operands = std::vector<ptx::Operand>;

    void clear(const ptx::Operand& to);
    [[nodiscard]] bool is_followed(const ptx::Operand& x) const;
    [[nodiscard]] Operands followed_sources(const ptx::Instruction& i);
    [[nodiscard]] ptx::Operand any_of(const Operands& shadows);
    /// The instruction itself, on shadows: of the first `count` sources.
    void mirror(const ptx::Instruction& i, std::size_t count);
    [[nodiscard]] bool mirrors(const ptx::Instruction& i, std::size_t& count) const;
    void logic(const ptx::Instruction& i, bool is_and);
    void select(const ptx::Instruction& i);
    // shadow_products.cpp
    void product(const ptx::Instruction& i);
    [[nodiscard]] ptx::Operand with_unknown_places(const ptx::Instruction& i, const ptx::MatrixForm& form);
    [[nodiscard]] ptx::Operand marks(const ptx::Operand& values, unsigned width, std::uint64_t mark);
    [[nodiscard]] ptx::Operand filled(const ptx::Operand& like, ptx::Type type, std::uint64_t number);
    [[nodiscard]] ptx::Operand temporary(ptx::Type type);

    AddedCode& code_;
    const std::vector<bool> followed_;
    std::map<ptx::RegisterId, ptx::RegisterId> shadows_;
};

} // namespace warplight::jit
