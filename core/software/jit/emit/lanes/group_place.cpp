// SPDX-License-Identifier: Apache-2.0
#include "group_place.hpp"

#include "software/jit/lanes/linear_form.hpp"

#include <map>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;

namespace {

constexpr RegisterId kUnknown = ~RegisterId{0}; ///< stands for numbers that no register holds

/// A number and multiples of registers that are the same in all lanes, modulo 2^64.
struct UniformSum {
    std::uint64_t number = 0;
    std::map<RegisterId, std::uint64_t> factors;

    void add(const UniformSum& other, std::uint64_t times) {
        number += other.number * times;
        for (const auto& [r, factor] : other.factors)
            factors[r] += factor * times;
    }
};

/// The lanes of a register: the first one's, and the difference from lane to lane.
struct LaneSums {
    UniformSum first, step;

    [[nodiscard]] bool is_numbers() const { return first.factors.empty() && step.factors.empty(); }
    [[nodiscard]] bool varies() const { return step.number != 0 || !step.factors.empty(); }
    void add(const LaneSums& other, std::uint64_t times) {
        first.add(other.first, times);
        step.add(other.step, times);
    }
};

class SumsOfLanes {
public:
    explicit SumsOfLanes(Emitter& e) : e_(e), writers_(writers_of(e.function)) {}

    std::optional<LaneSums> of(const Operand& x, unsigned depth = 0) {
        LaneSums sums;
        switch (x.kind) {
        case Operand::Kind::integer: sums.first.number = static_cast<std::uint64_t>(x.integer); return sums;
        case Operand::Kind::special:
            if (x.special == ptx::SpecialRegister::tid_x || x.special == ptx::SpecialRegister::laneid)
                sums.step.number = 1;
            else
                sums.first.factors[kUnknown] = 1;
            return sums;
        case Operand::Kind::variable: {
            const auto* at = llvm::dyn_cast<llvm::ConstantInt>(e_.variables.address_of(x));
            if (!at) return {};
            sums.first.number = at->getZExtValue();
            return sums;
        }
        case Operand::Kind::reg: return of(x.reg, depth);
        default: return {};
        }
    }

    std::optional<LaneSums> of(RegisterId r, unsigned depth) {
        constexpr unsigned kDeepest = 12;
        if (depth < kDeepest && writers_[r].size() == 1)
            if (auto made = of_writer(e_.function.instructions[writers_[r][0]], depth + 1)) return made;
        if (!e_.plan->uniform(r)) return {};
        LaneSums sums;
        sums.first.factors[r] = 1;
        return sums;
    }

private:
    std::optional<LaneSums> of_writer(const Instruction& i, unsigned depth) {
        if (i.guarded || i.operands.at(0).kind != Operand::Kind::reg) return {};
        if (i.opcode == Opcode::or_) return sum(of(i.operands.at(1), depth), of(i.operands.at(2), depth), 1);
        const auto form = linear_form_of(i);
        if (!form || (form->shifts && !constant_factor(i, *form))) return {};
        auto sums = of(i.operands.at(1), depth);
        if (form->factor) sums = product(sums, factor(i, *form, depth));
        if (!form->addend) return sums;
        return sum(sums, of(i.operands.at(form->addend), depth), form->subtracts ? ~std::uint64_t{0} : 1);
    }

    std::optional<LaneSums> factor(const Instruction& i, const LinearForm& form, unsigned depth) {
        const auto number = constant_factor(i, form);
        if (!number) return of(i.operands.at(form.factor), depth);
        LaneSums sums;
        sums.first.number = static_cast<std::uint64_t>(*number);
        return sums;
    }

    static std::optional<LaneSums> sum(std::optional<LaneSums> x, const std::optional<LaneSums>& y,
                                       std::uint64_t times) {
        if (!x || !y) return {};
        x->add(*y, times);
        return x;
    }

    /// One of them is made of numbers alone, and one is the same in all lanes; or both are the same in all lanes.
    static std::optional<LaneSums> product(const std::optional<LaneSums>& x, const std::optional<LaneSums>& y) {
        if (!x || !y) return {};
        LaneSums sums;
        if (!x->is_numbers()) {
            if (y->is_numbers()) return product(y, x);
            if (x->varies() || y->varies()) return {};
            sums.first.factors[kUnknown] = 1;
            return sums;
        }
        if (y->varies() && x->varies()) return {};
        sums.first.add(y->first, x->first.number);
        sums.step.add(y->step, x->first.number);
        sums.step.add(y->first, x->step.number);
        return sums;
    }

    Emitter& e_;
    std::vector<std::vector<std::uint32_t>> writers_;
};

} // namespace

std::optional<std::uint32_t> place_in_group(Emitter& e, const Operand& address, std::int64_t size) {
    const auto sums = SumsOfLanes(e).of(address.reg, 0);
    if (!sums) return {};
    // What a register has to be for lanes to be so far from each other.
    std::map<RegisterId, std::uint64_t> values;
    const std::uint64_t wanted = static_cast<std::uint64_t>(size) - sums->step.number;
    for (const auto& [r, factor] : sums->step.factors) {
        if (factor == 0) continue;
        if (!values.empty() || wanted % factor != 0) return {};
        values[r] = wanted / factor;
    }
    if (values.empty() && static_cast<std::uint32_t>(wanted) != 0) return {};
    std::uint64_t place = sums->first.number;
    if (address.kind == Operand::Kind::address) place += static_cast<std::uint64_t>(address.integer);
    for (const auto& [r, factor] : sums->first.factors) {
        const auto value = values.find(r);
        if (value != values.end()) {
            place += factor * value->second;
            continue;
        }
        const unsigned zeros = r == kUnknown ? 0 : e.plan->registers.values[r].zeros;
        if ((factor << zeros) % static_cast<std::uint64_t>(size) != 0) return {};
    }
    return static_cast<std::uint32_t>(place & (static_cast<std::uint64_t>(size) - 1));
}

} // namespace warplight::jit
