// SPDX-License-Identifier: Apache-2.0
// Floats that are an integer plus a constant, such as the x + 0.5f of a texture's element x. Where they lie in a
// texture they are exact, so that the integer tells the element.
#include "lanes.hpp"

#include "software/jit/analysis/analysis.hpp"

#include <bit>
#include <cmath>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;

namespace {

class Finder {
public:
    Finder(const ptx::Function& kernel, const LanePlan& plan)
        : kernel_(kernel), plan_(plan), writers_(writers_of(kernel)), repeated_(plan.blocks.size(), false) {
        for (std::uint32_t from = 0; from < plan.blocks.size(); ++from)
            for (const std::uint32_t to : plan.blocks[from].successors)
                for (std::uint32_t block = to; block <= from; ++block)
                    repeated_[block] = true; // may lie in a loop
    }

    std::map<RegisterId, CountedFloat> find() {
        std::map<RegisterId, CountedFloat> found;
        for (std::uint32_t at = 0; at < kernel_.instructions.size(); ++at) {
            const Instruction& i = kernel_.instructions[at];
            if (const RegisterId* to = ptx::destination_register(i); to && is_only_writer(at, *to))
                if (const auto counted = i.opcode == Opcode::cvt   ? converted(i, at)
                                         : i.opcode == Opcode::add ? moved(i, at, found)
                                                                   : std::nullopt)
                    found.emplace(*to, *counted);
        }
        return found;
    }

private:
    [[nodiscard]] bool is_only_writer(std::uint32_t at, RegisterId r) const {
        return writers_[r].size() == 1 && writers_[r].front() == at && !kernel_.instructions[at].guarded;
    }

    /// cvt.rn.f32.s32 of a register that does not change behind it, unless it is converted again.
    std::optional<CountedFloat> converted(const Instruction& i, std::uint32_t at) const {
        if (i.types.size() < 2 || i.types[0] != ptx::Type::f32 ||
            (i.types[1] != ptx::Type::s32 && i.types[1] != ptx::Type::u32) || i.has(Modifier::sat) ||
            i.operands.at(1).kind != Operand::Kind::reg || i.operands[1].negated)
            return std::nullopt;
        const RegisterId integer = i.operands[1].reg;
        const auto stride = plan_.stride(integer);
        if (ptx::bits(kernel_.registers[integer].type) != 32 || !stride || (*stride != 0 && *stride != 1) ||
            writers_[integer].size() != 1)
            return std::nullopt;
        const std::uint32_t writer = writers_[integer].front();
        if (kernel_.instructions[writer].guarded) return std::nullopt;
        const bool is_once = !repeated_[plan_.blocks.number_of(writer)];
        const bool is_with_it = plan_.blocks.number_of(writer) == plan_.blocks.number_of(at) && writer < at;
        if (!is_once && !is_with_it) return std::nullopt;
        return CountedFloat{integer, 0, i.types[1] == ptx::Type::u32, writer, at, false};
    }

    /// add.f32 of such a float and a constant with few bits, in the same block.
    std::optional<CountedFloat> moved(const Instruction& i, std::uint32_t at,
                                      const std::map<RegisterId, CountedFloat>& found) const {
        if (i.type() != ptx::Type::f32 || i.has(Modifier::sat) || i.operands.size() != 3) return std::nullopt;
        for (const std::size_t k : {1, 2}) {
            const Operand &x = i.operands[k], &constant = i.operands[3 - k];
            if (x.kind != Operand::Kind::reg || x.negated || constant.kind != Operand::Kind::floating ||
                constant.type != ptx::Type::f32)
                continue;
            const auto known = found.find(x.reg);
            if (known == found.end() || known->second.has_fraction) continue;
            if (plan_.blocks.number_of(known->second.last_writer) != plan_.blocks.number_of(at)) continue;
            const float value = std::bit_cast<float>(static_cast<std::uint32_t>(constant.integer));
            constexpr float kParts = 64, kMost = 1024;
            if (!(std::fabs(value) <= kMost) || std::floor(value * kParts) != value * kParts) continue;
            CountedFloat counted = known->second;
            counted.floor = static_cast<std::int32_t>(std::floor(value));
            counted.has_fraction = true;
            counted.last_writer = at;
            if (counted.is_unsigned && counted.floor > 0) continue; // near 2^32 the integer would wrap
            return counted;
        }
        return std::nullopt;
    }

    const ptx::Function& kernel_;
    const LanePlan& plan_;
    const std::vector<std::vector<std::uint32_t>> writers_;
    std::vector<bool> repeated_; ///< by block
};

} // namespace

std::map<RegisterId, CountedFloat> find_counted(const ptx::Function& kernel, const LanePlan& plan) {
    return Finder(kernel, plan).find();
}

} // namespace warplight::jit
