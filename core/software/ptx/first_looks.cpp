// SPDX-License-Identifier: Apache-2.0
#include "first_looks.hpp"

#include "accesses.hpp"
#include "flow.hpp"

#include <cstdint>
#include <set>
#include <utility>

namespace warplight::ptx {
namespace {

using Key = std::pair<RegisterId, std::int64_t>;

bool has_base(const Operand& address) {
    return address.kind == Operand::Kind::reg || address.base_kind == Operand::Kind::reg;
}

class Addresses {
public:
    explicit Addresses(const Function& function) : function_(function), writers_(writers_of(function)) {}

    /// The register that an address begins with, behind additions of numbers.
    [[nodiscard]] Key key_of(const Operand& address) const {
        Key key{address.reg, address.kind == Operand::Kind::reg ? 0 : address.integer};
        constexpr int kMostSteps = 16;
        for (int step = 0; step < kMostSteps && writers_[key.first].size() == 1; ++step) {
            const Instruction& i = function_.instructions[writers_[key.first].front()];
            const bool copies = i.opcode == Opcode::mov || i.opcode == Opcode::cvta;
            const bool adds =
                i.opcode == Opcode::add && i.operands.size() == 3 && i.operands[2].kind == Operand::Kind::integer;
            if (i.guarded || (!copies && !adds) || i.operands.at(1).kind != Operand::Kind::reg) break;
            key.first = i.operands[1].reg;
            if (adds) key.second += i.operands[2].integer;
        }
        return key;
    }

private:
    const Function& function_;
    const std::vector<std::vector<std::uint32_t>> writers_;
};

} // namespace

std::vector<bool> first_looks(const Function& function) {
    std::vector<bool> found(function.instructions.size());
    const Addresses addresses(function);
    std::set<Key> atomics; // further down
    for (std::size_t k = function.instructions.size(); k-- > 0;)
        for (const MemoryAccess& access : accesses_of(function.instructions[k])) {
            if (!has_base(*access.address)) continue;
            const Key key = addresses.key_of(*access.address);
            if (access.reads && access.writes) atomics.insert(key);
            if (function.instructions[k].opcode == Opcode::ld) found[k] = atomics.contains(key);
        }
    return found;
}

} // namespace warplight::ptx
