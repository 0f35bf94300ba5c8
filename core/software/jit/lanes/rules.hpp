// SPDX-License-Identifier: Apache-2.0
// What an instruction's result grows by from lane to lane, given what is known of its sources.
#pragma once

#include "lanes.hpp"

namespace warplight::jit {

class LaneRules {
public:
    using Stride = std::optional<std::int64_t>;

    /// Of a register not yet written anything may be hoped.
    struct Hope {
        bool known = false;
        Stride stride;
        bool multiple = false;
        std::optional<Widening> widening;
        unsigned zeros = 0;
    };
    [[nodiscard]] static Hope unknown() { return {true, std::nullopt, false, std::nullopt}; }

    /// Looks into the plan and the registers of which something is known, as they are when it is asked.
    LaneRules(const ptx::Function& kernel, const LanePlan& plan, const std::vector<bool>& seen, unsigned width)
        : f_(kernel), plan_(plan), seen_(seen), width_(width) {}

    [[nodiscard]] Hope evaluate(const ptx::Instruction& i) const;
    /// What one of the registers that an instruction writes has of its result.
    [[nodiscard]] Hope held(ptx::RegisterId r, const ptx::Instruction& i, const Hope& result) const;

private:
    [[nodiscard]] Hope of_register(ptx::RegisterId r) const;
    [[nodiscard]] Hope of(const ptx::Operand& x) const;
    [[nodiscard]] Hope of_warp_operation(const ptx::Instruction& i, const std::vector<Hope>& from) const;
    [[nodiscard]] Hope of_conversion(const ptx::Instruction& i, const Hope& from) const;
    [[nodiscard]] Hope sum(Hope x, const Hope& y, bool minus) const;
    [[nodiscard]] Hope product(const ptx::Instruction& i, const Hope& x, const Hope& y) const;
    [[nodiscard]] Hope scaled(const Hope& x, std::int64_t by) const;
    [[nodiscard]] Hope widened(const Hope& x, bool is_signed) const;
    [[nodiscard]] Hope masked(const Hope& x, const ptx::Operand& c) const;
    [[nodiscard]] Hope joined(const Hope& x, const ptx::Operand& c) const;
    [[nodiscard]] bool compares_alike(const ptx::Instruction& i, const ptx::Operand& operand, const Hope& y) const;
    [[nodiscard]] bool powers_of_two() const { return (width_ & (width_ - 1)) == 0; }
    [[nodiscard]] bool divides(std::int64_t value) const { return value % width_ == 0; }
    [[nodiscard]] bool is_whole(const ptx::Operand& x, unsigned bits) const;

    const ptx::Function& f_;
    const LanePlan& plan_;
    const std::vector<bool>& seen_;
    const std::int64_t width_;
};

} // namespace warplight::jit
