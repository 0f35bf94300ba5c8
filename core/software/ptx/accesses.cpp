// SPDX-License-Identifier: Apache-2.0
#include "accesses.hpp"

#include <bit>

namespace warplight::ptx {
namespace {

/// All elements of a vector. 0 where they are no whole bytes.
unsigned bytes_of(const Instruction& i, Type type) {
    return bits(type) / 8 * (i.vector_width > 1 ? i.vector_width : 1U);
}

/// cp.async between shared and global memory; the bulk copies are others.
std::vector<MemoryAccess> accesses_of_copy(const Instruction& i) {
    const bool known = i.has(Modifier::async) && (i.has(Modifier::ca) || i.has(Modifier::cg)) && !i.has(Modifier::bulk);
    if (!known || i.operands.size() < 3 || i.operands[2].kind != Operand::Kind::integer) return {};
    const auto bytes = static_cast<unsigned>(i.operands[2].integer);
    std::vector<MemoryAccess> all{{i.operands.data(), i.space, bytes, false, true}};
    const std::size_t plain = i.has(Modifier::L2_cache_hint) ? 4 : 3; // with one more it may read less
    if (i.operands.size() <= plain) all.push_back({&i.operands[1], i.source_space, bytes, true, false});
    return all;
}

} // namespace

std::vector<MemoryAccess> accesses_of(const Instruction& i) {
    std::vector<MemoryAccess> all;
    const auto add = [&](std::size_t operand, Type type, bool reads, bool writes) {
        if (operand < i.operands.size())
            all.push_back({&i.operands[operand], i.space, bytes_of(i, type), reads, writes});
    };
    const Type last = i.type_count > 0 ? i.types[i.type_count - 1U] : Type::none;
    switch (i.opcode) {
    case Opcode::ld:
    case Opcode::ldu: add(1, last, true, false); break;
    case Opcode::st: add(0, last, false, true); break;
    case Opcode::atom: add(1, i.type(), true, true); break;
    case Opcode::red: add(0, i.type(), true, true); break;
    case Opcode::cp: all = accesses_of_copy(i); break;
    default: break;
    }
    std::erase_if(all, [](const MemoryAccess& a) { return a.space == Space::param || !std::has_single_bit(a.bytes); });
    return all;
}

} // namespace warplight::ptx
