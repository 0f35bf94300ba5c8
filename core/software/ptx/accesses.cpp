// SPDX-License-Identifier: Apache-2.0
#include "accesses.hpp"

#include "effects.hpp"
#include "matrix.hpp"

#include <bit>

namespace warplight::ptx {
namespace {

/// All elements of a vector. 0 where they are no whole bytes.
unsigned bytes_of(const Instruction& i, Type type) {
    return bits(type) / 8 * (i.vector_width > 1 ? i.vector_width : 1U);
}

constexpr unsigned kObjectBytes = 8; ///< of a barrier object
constexpr unsigned kBulkUnit = 16;   ///< addresses and sizes of bulk copies are multiples of it

/// Null where a copy reads as much as it writes.
const Operand* size_of_source(const Instruction& i) {
    const std::size_t plain = i.has(Modifier::L2_cache_hint) ? 4 : 3;
    return i.operands.size() > plain ? &i.operands[3] : nullptr;
}

/// cp.async between shared and global memory; the bulk copies are others.
std::vector<MemoryAccess> accesses_of_copy(const Instruction& i) {
    const bool known = i.has(Modifier::async) && (i.has(Modifier::ca) || i.has(Modifier::cg)) && !i.has(Modifier::bulk);
    if (!known || i.operands.size() < 3 || i.operands[2].kind != Operand::Kind::integer) return {};
    const auto bytes = static_cast<unsigned>(i.operands[2].integer);
    std::vector<MemoryAccess> all{{i.operands.data(), i.space, bytes, false, true}};
    if (!size_of_source(i)) all.push_back({&i.operands[1], i.source_space, bytes, true, false});
    return all;
}

std::vector<MemoryAccess> accesses_of_bulk_copy(const Instruction& i) {
    std::vector<MemoryAccess> all;
    if (i.has(Modifier::commit_group) || i.has(Modifier::wait_group) || i.has(Modifier::prefetch) ||
        i.has(Modifier::tensor) || i.operands.size() < 3)
        return all;
    const auto add = [&](std::size_t operand, Space space, bool reads, bool writes) {
        MemoryAccess access{&i.operands[operand], space, 0, reads, writes, kBulkUnit};
        access.count = &i.operands[2];
        access.counts_units = true;
        all.push_back(access);
    };
    add(0, i.space, i.has(Modifier::reduce), true);
    add(1, i.source_space, true, false);
    if (i.has(Modifier::mbarrier_complete_tx_bytes) && i.operands.size() > 3)
        all.push_back({&i.operands[3], i.space, kObjectBytes, true, true});
    return all;
}

std::vector<MemoryAccess> access_of_object(const Instruction& i) {
    for (const Operand& x : i.operands)
        if (x.kind == Operand::Kind::address) return {{&x, i.space, kObjectBytes, true, true}};
    return {};
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

std::vector<MemoryAccess> all_accesses_of(const Instruction& i) {
    if (i.aid == Aid::lane_access) {
        const AddedAccess what = AddedAccess::unpacked(i.operands.at(2).integer);
        return {{&i.operands.at(1), i.space, what.bytes, !what.writes, what.writes, what.alignment}};
    }
    if (i.opcode == Opcode::mbarrier || (i.opcode == Opcode::cp && i.has(Modifier::mbarrier)))
        return access_of_object(i);
    if (i.opcode == Opcode::cp && i.has(Modifier::bulk)) return accesses_of_bulk_copy(i);
    std::vector<MemoryAccess> all = accesses_of(i);
    if (i.opcode == Opcode::cp && all.size() == 1) {
        MemoryAccess source{&i.operands[1], i.source_space, all[0].bytes, true, false};
        source.count = size_of_source(i);
        all.push_back(source);
    }
    return all;
}

namespace {

constexpr unsigned kAlignmentShift = 8;
constexpr std::int64_t kWrites = 1 << 16, kOfShadow = 1 << 17;

} // namespace

std::int64_t AddedAccess::packed() const {
    return bytes | std::int64_t{alignment} << kAlignmentShift | (writes ? kWrites : 0) | (of_shadow ? kOfShadow : 0);
}

AddedAccess AddedAccess::unpacked(std::int64_t number) {
    const auto byte = [&](unsigned shift) { return static_cast<unsigned>(number >> shift & 0xff); };
    return {byte(0), byte(kAlignmentShift), (number & kWrites) != 0, (number & kOfShadow) != 0};
}

unsigned access_size(const Instruction& i) {
    if (i.opcode == Opcode::ldmatrix || i.opcode == Opcode::stmatrix) return kMatrixRowBytes;
    if (i.opcode == Opcode::wmma && !i.has(Modifier::mma)) return MatrixTile(i).part_bytes();
    const std::vector<MemoryAccess> all = all_accesses_of(i);
    return all.empty() ? 0 : all.front().bytes;
}

} // namespace warplight::ptx
