// SPDX-License-Identifier: Apache-2.0
#include "matrix_in_memory.hpp"

#include "software/jit/emit/matrix/matrix_kernel.hpp"
#include "software/jit/ir_conventions.hpp"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include <algorithm>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Operand;

namespace {

constexpr llvm::Align kVectorAlign = llvm::Align::Constant<64>();

} // namespace

// --- fragments

bool MatrixInMemory::is_possible(const Instruction& i) const {
    return fragments_.holds_any() && !e_.lanes.active_mask() && !i.guarded;
}

std::optional<Fragments::Registers> MatrixInMemory::registers_of(const Operand& operand) const {
    Fragments::Registers registers;
    if (operand.kind == Operand::Kind::reg) registers.push_back(operand.reg);
    for (const Operand& x : operand.elements) {
        if (x.kind != Operand::Kind::reg || x.negated) return std::nullopt;
        registers.push_back(x.reg);
    }
    for (std::size_t k = 0; k < registers.size(); ++k)
        if (ptx::bits(e_.function.registers[registers[k]].type) != 32 ||
            std::count(registers.begin(), registers.end(), registers[k]) > 1)
            return std::nullopt;
    return registers.empty() ? std::nullopt : std::optional(registers);
}

MatrixInMemory::Source MatrixInMemory::temporary(Value* value) {
    const unsigned place = fragments_.take(1);
    b_.CreateAlignedStore(value, fragments_.address(place), kVectorAlign);
    return {place, 1, std::nullopt, false, false, true};
}

MatrixInMemory::Source MatrixInMemory::source(const Operand& operand, Value* value) {
    Fragments& held = fragments_;
    const auto registers = registers_of(operand);
    const auto count = static_cast<unsigned>(operand.elements.empty() ? 1 : operand.elements.size());
    if (registers)
        if (const auto found = held.find(*registers))
            return {*found, count, registers, true, held.is_whole(*registers)};
    const unsigned place = held.take(count);
    for (unsigned k = 0; k < count; ++k) {
        Value* one = value ? value : read(operand.elements.empty() ? operand : operand.elements[k], ptx::Type::b32);
        b_.CreateAlignedStore(one, held.address(place + k), kVectorAlign);
    }
    return {place, count, registers, false, false, !registers || held.die_at(*registers, e_.instruction())};
}

void MatrixInMemory::give(const Instruction& i, const Fragments::Registers& registers, unsigned place) {
    Type* word = words(32, kLanes);
    const Operand& to = i.operands[0];
    for (unsigned k = 0; k < registers.size(); ++k)
        write(to.elements.empty() ? to : to.elements[k], ptx::Type::b32,
              b_.CreateAlignedLoad(word, fragments_.address(place + k), kVectorAlign));
    fragments_.hold_result(i, registers, place);
}

void MatrixInMemory::settle(const std::vector<Source>& sources, const Fragments::Registers& written) {
    for (const Source& s : sources) {
        if (s.is_held) continue;
        const bool changed = s.registers && std::any_of(written.begin(), written.end(), [&](ptx::RegisterId r) {
                                 return std::count(s.registers->begin(), s.registers->end(), r) > 0;
                             });
        if (s.is_temporary || changed)
            fragments_.give_back(s.place, s.count);
        else
            fragments_.hold(*s.registers, s.place);
    }
}

// --- functions that instructions share

llvm::Function* MatrixInMemory::function(const std::string& name, llvm::ArrayRef<Type*> parameters, Make make) {
    if (llvm::Function* known = e_.unit.ir->getFunction(name)) return known;
    auto* f = llvm::Function::Create(llvm::FunctionType::get(b_.getVoidTy(), parameters, false),
                                     llvm::GlobalValue::InternalLinkage, name, *e_.unit.ir);
    for (const auto attribute :
         {llvm::Attribute::NoInline, llvm::Attribute::NoUnwind, llvm::Attribute::NullPointerIsValid})
        f->addFnAttr(attribute);
    for (unsigned k = 0; k < parameters.size(); ++k)
        if (parameters[k]->isPointerTy()) f->addParamAttr(k, llvm::Attribute::NoCapture);
    e_.unit.describe(*f);
    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    b_.SetInsertPoint(llvm::BasicBlock::Create(e_.context, "entry", f));
    b_.SetCurrentDebugLocation(llvm::DILocation::get(e_.context, kNoSiteLine, 0, f->getSubprogram()));
    make(*f);
    return f;
}

// --- wmma.load, wmma.store

bool MatrixInMemory::transfer(const Instruction& i, const MatrixMove& move, Value* base, Value* bytes, bool load) {
    const Operand& fragment = i.operands.at(load ? 0 : 1);
    const auto registers = registers_of(fragment);
    if (!is_possible(i) || !registers || move.elements * move.bits != 32) return false;
    llvm::Function* f = transfer_function(move, load);
    if (load) {
        const unsigned place = fragments_.take(registers->size());
        b_.CreateCall(f, {base, bytes, fragments_.address(place)});
        give(i, *registers, place);
    } else {
        const Source from = source(fragment);
        b_.CreateCall(f, {base, bytes, fragments_.address(from.place)});
        settle({from}, {});
    }
    return true;
}

/// void(address, bytes from line to line, registers)
llvm::Function* MatrixInMemory::transfer_function(const MatrixMove& move, bool load) {
    const std::string name = std::string(load ? "matrix.load." : "matrix.store.") + std::to_string(move.form.pack()) +
                             "." + std::to_string(static_cast<unsigned>(move.part)) + "." +
                             std::string(ptx::spelling(move.type)) + (move.by_columns ? ".col" : ".row");
    auto* ptr = b_.getPtrTy();
    return function(name, {e_.device_pointer(), b_.getInt64Ty(), ptr}, [&](llvm::Function& made) {
        Type* word = words(32, kLanes);
        std::vector<Value*> values(move.registers);
        const auto place = [&](unsigned reg) { return b_.CreateConstGEP1_64(word, made.getArg(2), reg); };
        if (!load)
            for (unsigned reg = 0; reg < move.registers; ++reg)
                values[reg] = b_.CreateAlignedLoad(word, place(reg), kVectorAlign);
        move_registers(move, made.getArg(0), made.getArg(1), values, load);
        if (load)
            for (unsigned reg = 0; reg < move.registers; ++reg) {
                Value* to = place(reg);
                b_.CreateAlignedStore(b_.CreateBitCast(values[reg], word), to, kVectorAlign);
            }
        b_.CreateRetVoid();
    });
}

// --- ldmatrix, stmatrix: of shared memory only

bool MatrixInMemory::rows(const Instruction& i, bool load) {
    const Operand &address = i.operands.at(load ? 1 : 0), &fragment = i.operands.at(load ? 0 : 1);
    const auto registers = registers_of(fragment);
    if (!is_possible(i) || !registers || i.space != ptx::Space::shared) return false;
    if (address.base_kind != Operand::Kind::reg || !e_.registers.varies(address.reg)) return false;
    if (ptx::bits(e_.function.registers[address.reg].type) != 32) return false;
    const auto matrices = static_cast<unsigned>(registers->size());
    const Addresses::Shared at = shared_addresses(address);
    llvm::Function* f = rows_function(matrices, i.has(Modifier::trans), at.is_signed, load);
    Value* base =
        b_.CreateGEP(b_.getInt8Ty(), e_.place.shared_base(), b_.getInt64(static_cast<std::uint64_t>(at.offset)));
    if (Value* distance = e_.addresses.to_shadow()) base = b_.CreateGEP(b_.getInt8Ty(), base, distance);
    Operand reg;
    reg.kind = Operand::Kind::reg;
    reg.reg = address.reg;
    const Source offsets = Addresses::is_far(address) ? temporary(at.word) : source(reg, at.word);
    const auto call = [&](unsigned place) {
        b_.CreateCall(f, {base, fragments_.address(offsets.place), fragments_.address(place), e_.place.block(),
                          e_.place.linear_thread(), e_.site_value()});
    };
    if (load) {
        const unsigned place = fragments_.take(registers->size());
        call(place);
        give(i, *registers, place);
        settle({offsets}, *registers);
    } else {
        const Source from = source(fragment);
        call(from.place);
        settle({offsets, from}, {});
    }
    return true;
}

/// void(base, a register with the rows' offsets, registers, block, linear number of the first lane's thread, site)
llvm::Function* MatrixInMemory::rows_function(unsigned matrices, bool transposed, bool is_signed, bool load) {
    const std::string name = std::string(load ? "matrix.rows." : "matrix.keep.") + std::to_string(matrices) +
                             (transposed ? ".trans" : "") + (is_signed ? ".signed" : "");
    auto* ptr = b_.getPtrTy();
    auto* i32 = b_.getInt32Ty();
    return function(name, {e_.device_pointer(), ptr, ptr, ptr, i32, i32}, [&](llvm::Function& made) {
        Value *base = made.getArg(0), *offsets = made.getArg(1), *to = made.getArg(2);
        Value* all = b_.CreateAlignedLoad(words(32, kLanes), offsets, kVectorAlign);
        Value* wrong = misaligned_rows(base, all, matrices);
        const auto row_of = [&](Value* lane) {
            Value* offset = b_.CreateLoad(i32, b_.CreateGEP(i32, offsets, lane));
            return b_.CreateGEP(b_.getInt8Ty(), base, e_.addresses.extend(offset, is_signed));
        };
        auto* odd = llvm::BasicBlock::Create(e_.context, "odd", &made);
        auto* rest = llvm::BasicBlock::Create(e_.context, "rest", &made);
        b_.CreateCondBr(b_.CreateIsNotNull(wrong), odd, rest);
        b_.SetInsertPoint(odd);
        Value* lane = e_.intrinsic(llvm::Intrinsic::cttz, {i32}, {wrong, b_.getFalse()});
        fault_misaligned(made.getArg(3), made.getArg(4), lane, made.getArg(5), row_of);
        b_.SetInsertPoint(rest);
        for (unsigned k = 0; k < matrices; ++k) {
            const auto row = [&](unsigned number) { return row_of(b_.getInt64(std::uint64_t{8 * k + number})); };
            Value* here = b_.CreateConstGEP1_64(words(32, kLanes), to, k);
            if (load)
                b_.CreateAlignedStore(b_.CreateBitCast(load_matrix(transposed, row), words(32, kLanes)), here,
                                      kVectorAlign);
            else
                store_matrix(b_.CreateAlignedLoad(words(32, kLanes), here, kVectorAlign), transposed, row);
        }
        b_.CreateRetVoid();
    });
}

// --- products

bool MatrixInMemory::product(const Instruction& i, const ptx::MatrixForm& form) {
    const auto to = registers_of(i.operands.at(0)), start = registers_of(i.operands.at(3));
    if (!is_possible(i) || !to || form.sparse || form.a == ptx::Type::f64) return false;
    Fragments& held = fragments_;
    const Source a = source(i.operands.at(1)), b = source(i.operands.at(2));
    Source c = source(i.operands.at(3));
    const bool own = c.is_temporary || (c.is_whole && held.die_at(*start, e_.instruction()));
    const auto is_disjoint = [&](const Source& x) {
        return x.place + x.count <= c.place || c.place + c.count <= x.place;
    };
    const bool in_place = own && form.c == form.d && c.count == to->size() && is_disjoint(a) && is_disjoint(b) &&
                          matrix_kernel(e_.unit, form) != nullptr;
    if (in_place && !c.is_temporary) held.hand_over(*start);
    const unsigned place = in_place ? c.place : held.take(to->size());
    multiply(form, held.address(a.place), held.address(b.place), held.address(c.place), held.address(place));
    give(i, *to, place);
    std::vector<Source> sources{a, b};
    if (!in_place) sources.push_back(c);
    settle(sources, *to);
    return true;
}

} // namespace warplight::jit
