// SPDX-License-Identifier: Apache-2.0
#include "row_stores.hpp"

#include "lane_access.hpp"
#include "software/jit/lanes/joint_access.hpp"

#include <algorithm>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Instruction;
using ptx::Opcode;
using ptx::Space;

namespace {

constexpr std::uint32_t kMostToLastStore = 64; ///< instructions to look through

/// Whether an instruction loads from memory that stores to a space do not change, in no order with them.
bool loads_elsewhere(const Instruction& i, Space stored) {
    if (i.opcode != Opcode::ld || i.guarded) return false;
    for (const ptx::Modifier m : {ptx::Modifier::volatile_, ptx::Modifier::relaxed, ptx::Modifier::acquire,
                                  ptx::Modifier::mmio, ptx::Modifier::cv})
        if (i.has(m)) return false;
    if (i.space == Space::param || i.space == Space::constant) return true;
    return (stored == Space::global && i.space == Space::shared) ||
           (stored == Space::shared && i.space == Space::global);
}

} // namespace

bool RowStores::emit(std::uint32_t at, std::uint32_t end) {
    const auto of_row = [&](const Element& one) { return one.at == at; };
    if (row_.empty()) {
        if (!may_store(at)) return false;
        row_ = row_of(at, end);
        if (row_.empty()) return false;
    }
    const auto one = std::ranges::find_if(row_, of_row);
    if (one == row_.end()) return false;
    const Instruction& i = e_.function.instructions[at];
    LaneAccess access(e_, i, i.operands[0], false);
    one->value = value_of(at, access.type);
    if (std::ranges::any_of(row_, [](const Element& other) { return !other.value; })) return true;
    store(access);
    row_.clear();
    return true;
}

/// A plain store of one element in code that is worth it, to memory in which lanes are a short row apart.
bool RowStores::may_store(std::uint32_t at) const {
    const Instruction& i = e_.function.instructions[at];
    if (i.opcode != Opcode::st || i.guarded || i.vector_width > 1 || !e_.hooks.empty() || e_.lanes.is_seldom())
        return false;
    if (e_.unit.options.access_reports != AccessReports::none || is_cold_for_accesses(*e_.plan, at)) return false;
    if ((i.space != Space::global && i.space != Space::generic && i.space != Space::shared) ||
        !moves_vectors(e_, i, i.operands.at(0)))
        return false;
    const std::int64_t bytes = ptx::bits(i.types[i.type_count - 1u]) / 8;
    const std::int64_t row = e_.plan->stride_of(i.operands[0]).value_or(0);
    return bytes <= 4 && (row == 2 * bytes || (i.space != Space::shared && is_short_row(row, bytes)));
}

/// Whether an instruction loads another element of the structures than those that are to be stored by then.
bool RowStores::loads_other(const Instruction& i, const Instruction& store, const std::vector<Element>& row) const {
    if (i.opcode != Opcode::ld || i.guarded || i.vector_width > 1 || i.space != store.space ||
        i.operands[1].base_kind != ptx::Operand::Kind::reg || i.operands[1].reg != store.operands[0].reg ||
        ptx::bits(i.types[i.type_count - 1u]) != ptx::bits(store.types[store.type_count - 1u]) ||
        !moves_vectors(e_, i, i.operands[1]))
        return false;
    const auto place = static_cast<std::int64_t>(static_cast<std::int32_t>(i.operands[1].integer));
    const std::int64_t bytes = ptx::bits(i.types[i.type_count - 1u]) / 8;
    return place >= 0 && place % bytes == 0 && place < e_.plan->stride_of(store.operands[0]).value_or(0) &&
           std::ranges::none_of(row, [&](const Element& one) { return one.place == place; });
}

/// The stores of this block that make up whole rows, with nothing between them that may access the same memory. Empty:
/// they do not.
std::vector<RowStores::Element> RowStores::row_of(std::uint32_t at, std::uint32_t end) const {
    const auto& all = e_.function.instructions;
    const ptx::Operand& address = all[at].operands[0];
    const std::uint32_t bits = ptx::bits(all[at].types[all[at].type_count - 1u]);
    const std::int64_t stride = *e_.plan->stride_of(address);
    const auto count = static_cast<std::size_t>(stride / (bits / 8));
    std::vector<Element> row;
    bool loads = false;
    for (std::uint32_t k = at; k < std::min(end, at + kMostToLastStore); ++k) {
        const Instruction& i = all[k];
        if (i.opcode == Opcode::st) {
            if (!may_store(k) || i.space != all[at].space || i.operands[0].reg != address.reg ||
                ptx::bits(i.types[i.type_count - 1u]) != bits)
                return {};
            const auto place = static_cast<std::int64_t>(static_cast<std::int32_t>(i.operands[0].integer));
            if (std::ranges::any_of(row, [&](const Element& one) { return one.place == place; })) return {};
            row.push_back({k, place, nullptr});
            if (row.size() == count) break;
        } else if (loads_other(i, all[at], row)) {
            loads = true;
        } else if (!ptx::is_computed_on_vectors(i) && !loads_elsewhere(i, all[at].space)) {
            return {};
        }
        bool changes = false;
        ptx::each_written(e_.function, i, [&](ptx::RegisterId r) { changes |= r == address.reg; });
        if (changes) return {};
    }
    std::ranges::sort(row, {}, &Element::place);
    for (std::size_t k = 1; k < row.size(); ++k)
        if (row[k].place != row[0].place + static_cast<std::int64_t>(k) * (bits / 8)) return {};
    if (row.size() != count || (loads && row[0].place != 0)) return {}; // another lane may store what is loaded
    return row;
}

Value* RowStores::value_of(std::uint32_t at, Type* type) {
    const Instruction& i = e_.function.instructions[at];
    const auto vectors = e_.lanes.with_full_width();
    return e_.bits_as(e_.read(i.operands.at(1), i.types[i.type_count - 1u]), type);
}

void RowStores::store(LaneAccess& access) {
    llvm::IRBuilder<>& b = e_.b;
    access.stop_if_misaligned(access.first_address());
    const auto dense = [&] { store_dense(b.CreateIntToPtr(access.first_address(), e_.device_pointer())); };
    Value* as_laid_out = access.is_as_laid_out();
    if (!as_laid_out) return dense();
    llvm::BasicBlock* here = e_.new_block("row");
    llvm::BasicBlock* elsewhere = e_.new_block("far");
    llvm::BasicBlock* rest = e_.new_block("rest");
    b.CreateCondBr(as_laid_out, here, elsewhere);
    b.SetInsertPoint(here);
    dense();
    b.CreateBr(rest);
    b.SetInsertPoint(elsewhere);
    scatter(access);
    b.CreateBr(rest);
    b.SetInsertPoint(rest);
}

/// @param first the first lane's address of the last store
void RowStores::store_dense(Value* first) {
    llvm::IRBuilder<>& b = e_.b;
    const unsigned width = e_.lanes.full_width();
    std::vector<int> places;
    Value* all = row_[0].value; // the elements behind one another, then in their order
    for (std::size_t k = 1; k < row_.size(); ++k) {
        const auto before = static_cast<unsigned>(k) * width;
        std::vector<int> widened(before), joined(before + width);
        for (unsigned lane = 0; lane < before; ++lane)
            widened[lane] = lane < width ? static_cast<int>(lane) : -1;
        for (unsigned lane = 0; lane < before + width; ++lane)
            joined[lane] = static_cast<int>(lane);
        all = b.CreateShuffleVector(all, b.CreateShuffleVector(row_[k].value, widened), joined);
    }
    for (unsigned lane = 0; lane < width; ++lane)
        for (std::size_t k = 0; k < row_.size(); ++k)
            places.push_back(static_cast<int>(k * width + lane));
    const std::int64_t from = row_[0].place - place_of_last();
    Value* at = b.CreateGEP(b.getInt8Ty(), first, b.getInt64(static_cast<std::uint64_t>(from)));
    b.CreateAlignedStore(b.CreateShuffleVector(all, places), at, llvm::Align(1));
}

/// Where an index wraps.
void RowStores::scatter(LaneAccess& access) {
    llvm::IRBuilder<>& b = e_.b;
    const unsigned width = e_.lanes.full_width();
    const auto vectors = e_.lanes.with_full_width();
    Value* addresses = access.addresses();
    for (const Element& one : row_) {
        Value* distance = b.getInt64(static_cast<std::uint64_t>(one.place - place_of_last()));
        Value* these = b.CreateAdd(addresses, b.CreateVectorSplat(width, distance));
        b.CreateMaskedScatter(
            one.value, b.CreateIntToPtr(these, llvm::FixedVectorType::get(e_.device_pointer(), width)), llvm::Align(1));
    }
}

std::int64_t RowStores::place_of_last() const { return std::ranges::max(row_, {}, &Element::at).place; }

} // namespace warplight::jit
