// SPDX-License-Identifier: Apache-2.0
// The transfer rules: the lattice value of an instruction's result, given those of its sources.
#pragma once

#include "linear_form.hpp"

namespace warplight::jit {

class LaneRules {
public:
    [[nodiscard]] static LaneValue unknown() { return {true, std::nullopt, false, std::nullopt}; }

    /// Looks up the values of registers in the plan when it is asked.
    LaneRules(const ptx::Function& kernel, const LanePlan& plan, unsigned width)
        : f_(kernel), plan_(plan), width_(width) {}

    [[nodiscard]] LaneValue evaluate(const ptx::Instruction& i) const;
    /// The value of a register that an instruction writes its result to.
    [[nodiscard]] LaneValue held(ptx::RegisterId r, const ptx::Instruction& i, const LaneValue& result) const;

private:
    [[nodiscard]] const LaneValue& of_register(ptx::RegisterId r) const { return plan_.registers.values[r]; }
    [[nodiscard]] LaneValue of(const ptx::Operand& x) const;
    using Values = std::vector<LaneValue>; ///< of an instruction's sources
    [[nodiscard]] LaneValue of_warp_operation(const ptx::Instruction& i, const Values& from) const;
    [[nodiscard]] std::optional<LaneValue> of_linear(const ptx::Instruction& i, const LinearForm& form,
                                                     const Values& from) const;
    [[nodiscard]] std::optional<LaneValue> of_bits(const ptx::Instruction& i, const Values& from) const;
    [[nodiscard]] std::optional<LaneValue> of_comparison(const ptx::Instruction& i, const Values& from) const;
    /// lanes/one_row.cpp
    [[nodiscard]] std::optional<LaneValue> of_row_division(const ptx::Instruction& i) const;
    [[nodiscard]] LaneValue of_conversion(const ptx::Instruction& i, const LaneValue& from) const;
    [[nodiscard]] LaneValue sum(LaneValue x, const LaneValue& y, bool minus) const;
    [[nodiscard]] LaneValue product(const ptx::Instruction& i, const LaneValue& x, const LaneValue& y) const;
    [[nodiscard]] LaneValue scaled(const LaneValue& x, std::int64_t by) const;
    [[nodiscard]] LaneValue widened(const LaneValue& x, bool is_signed) const;
    [[nodiscard]] LaneValue and_with(const LaneValue& x, const ptx::Operand& c) const;
    [[nodiscard]] LaneValue or_with(const LaneValue& x, const LaneValue& y, const ptx::Operand& c) const;
    [[nodiscard]] LaneValue shifted_right(const LaneValue& x, std::int64_t by) const;
    /// Low bits of the first lane's value that are 0.
    [[nodiscard]] unsigned first_zeros(const LaneValue& x) const;
    /// The low bits in which alone the lanes differ, as the first lane's are 0; none: they may differ in any.
    [[nodiscard]] std::optional<unsigned> lane_bits(const LaneValue& x) const;
    /// Of a value that keeps the lanes' bits.
    [[nodiscard]] LaneValue with_first_zeros(LaneValue x, unsigned zeros) const;
    [[nodiscard]] bool compares_uniformly(const ptx::Instruction& i, const ptx::Operand& operand,
                                          const LaneValue& y) const;
    [[nodiscard]] bool powers_of_two() const { return (width_ & (width_ - 1)) == 0; }
    [[nodiscard]] bool divides(std::int64_t value) const { return value % width_ == 0; }
    [[nodiscard]] bool is_whole(const ptx::Operand& x, unsigned bits) const;

    const ptx::Function& f_;
    const LanePlan& plan_;
    const std::int64_t width_;
};

} // namespace warplight::jit
