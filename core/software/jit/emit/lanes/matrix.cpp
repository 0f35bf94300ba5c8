// SPDX-License-Identifier: Apache-2.0
// Matrix instructions where the warp is a vector: a register of a fragment is one of 32 words. Memory is read and
// written by rows of eight lanes' groups; where the lanes' order is the other one, the vector is turned.
#include "software/ptx/matrix.hpp"
#include "lane_vectors.hpp"
#include "software/jit/emit/groups.hpp"
#include "software/jit/emit/matrix/matrix_kernel.hpp"
#include "software/jit/emit/matrix/matrix_move.hpp"
#include "software/jit/object/sites.hpp"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

class Emitter::Matrix : LaneVectors {
public:
    explicit Matrix(Emitter& e) : LaneVectors(e.b), e_(e) {}

    void emit(const Instruction& i) {
        switch (i.opcode) {
        case Opcode::ldmatrix: rows(i, true); break;
        case Opcode::stmatrix: rows(i, false); break;
        case Opcode::movmatrix: transpose(i); break;
        default:
            if (i.opcode == Opcode::wmma && !i.has(Modifier::mma))
                transfer(i, i.has(Modifier::load));
            else
                product(i);
            break;
        }
    }

private:
    static constexpr unsigned kRowBytes = 16; ///< of an 8 x 8 matrix of halves

    // --- registers

    Value* read(const Operand& operand, ptx::Type type) {
        e_.width = kLanes;
        Value* value = e_.read(operand, type);
        e_.width = 1;
        return of_lanes_there(value);
    }
    /// Lanes that have ended have zeros.
    Value* of_lanes_there(Value* value) {
        return e_.mask_ ? b_.CreateSelect(e_.mask_, value, llvm::Constant::getNullValue(value->getType())) : value;
    }
    void write(const Operand& operand, ptx::Type type, Value* value) {
        e_.width = kLanes;
        e_.write(operand, type, e_.bits_as(value, e_.integer_type(ptx::bits(type))));
        e_.width = 1;
    }

    // --- registers in memory

    /// Registers of 32 bits that an operand is a vector of, each another one.
    [[nodiscard]] std::optional<Fragments::Registers> registers_of(const Operand& operand) const {
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
    [[nodiscard]] bool goes_by_memory(const Instruction& i) const {
        return e_.fragments_.holds_any() && !e_.mask_ && !i.guarded;
    }

    /// What an instruction reads.
    struct Source {
        unsigned place, count;
        std::optional<Fragments::Registers> registers;
        bool is_held = false;      ///< before the instruction
        bool is_whole = false;     ///< and nothing else beside it
        bool is_temporary = false; ///< for this instruction alone
    };
    Source temporary(Value* value) {
        const unsigned place = e_.fragments_.take(1);
        b_.CreateAlignedStore(value, e_.fragments_.address(place), llvm::Align(64));
        return {place, 1, std::nullopt, false, false, true};
    }
    /// @param value of a register, where it has been read already
    Source source(const Operand& operand, Value* value = nullptr) {
        Fragments& held = e_.fragments_;
        const auto registers = registers_of(operand);
        const auto count = static_cast<unsigned>(operand.elements.empty() ? 1 : operand.elements.size());
        if (registers)
            if (const auto found = held.find(*registers))
                return {*found, count, registers, true, held.is_whole(*registers)};
        const unsigned place = held.take(count);
        for (unsigned k = 0; k < count; ++k) {
            Value* one = value ? value : read(operand.elements.empty() ? operand : operand.elements[k], ptx::Type::b32);
            b_.CreateAlignedStore(one, held.address(place + k), llvm::Align(64));
        }
        return {place, count, registers, false, false, !registers || held.die_at(*registers, e_.current_)};
    }
    /// An instruction's result is in memory: it becomes the registers' value, and is known to be there.
    void give(const Instruction& i, const Fragments::Registers& registers, unsigned place) {
        Type* word = words(32, kLanes);
        const Operand& to = i.operands[0];
        for (unsigned k = 0; k < registers.size(); ++k)
            write(to.elements.empty() ? to : to.elements[k], ptx::Type::b32,
                  b_.CreateAlignedLoad(word, e_.fragments_.address(place + k), llvm::Align(64)));
        e_.fragments_.hold_result(i, registers, place);
    }
    /// Behind the instruction: what it has brought to memory stays there, but for what it writes.
    void settle(const std::vector<Source>& sources, const Fragments::Registers& written) {
        for (const Source& s : sources) {
            if (s.is_held) continue;
            const bool changed = s.registers && std::any_of(written.begin(), written.end(), [&](ptx::RegisterId r) {
                                     return std::count(s.registers->begin(), s.registers->end(), r) > 0;
                                 });
            if (s.is_temporary || changed)
                e_.fragments_.give_back(s.place, s.count);
            else
                e_.fragments_.hold(*s.registers, s.place);
        }
    }

    /// A function of the generated code, made when it is first asked for.
    template <class Make>
    llvm::Function* function(const std::string& name, Type* result, llvm::ArrayRef<Type*> parameters, Make make) {
        if (llvm::Function* known = e_.unit.ir->getFunction(name)) return known;
        auto* f = llvm::Function::Create(llvm::FunctionType::get(result, parameters, false),
                                         llvm::GlobalValue::InternalLinkage, name, *e_.unit.ir);
        for (const auto attribute :
             {llvm::Attribute::NoInline, llvm::Attribute::NoUnwind, llvm::Attribute::NullPointerIsValid})
            f->addFnAttr(attribute);
        for (unsigned k = 0; k < parameters.size(); ++k)
            if (parameters[k]->isPointerTy()) f->addParamAttr(k, llvm::Attribute::NoCapture);
        auto* type = e_.unit.debug->createSubroutineType(e_.unit.debug->getOrCreateTypeArray({}));
        f->setSubprogram(e_.unit.debug->createFunction(
            e_.unit.debug_file, name, name, e_.unit.debug_file, 0, type, 0, llvm::DINode::FlagZero,
            llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized));
        const llvm::IRBuilderBase::InsertPointGuard guard(b_);
        b_.SetInsertPoint(llvm::BasicBlock::Create(e_.context, "entry", f));
        b_.SetCurrentDebugLocation(llvm::DILocation::get(e_.context, kNoSiteLine, 0, f->getSubprogram()));
        make(*f);
        return f;
    }

    // --- wmma.load, wmma.store

    void transfer(const Instruction& i, bool load) {
        const MatrixMove move(i);
        const Operand& address = i.operands.at(load ? 1 : 0);
        const auto& fragment = i.operands.at(load ? 0 : 1).elements;
        // The address and the stride are those of all lanes.
        e_.lane_ = 0;
        Value* base = e_.pointer(address, i.space);
        Value* stride = i.operands.size() > 2 ? e_.read(i.operands[2], ptx::Type::b32) : b_.getInt32(move.stride);
        Value* bits = b_.CreateMul(b_.CreateZExt(stride, b_.getInt64Ty()), b_.getInt64(move.bits));
        Value* bytes = b_.CreateLShr(bits, 3);
        check_matrix_alignment(e_, i, address, move, bytes);
        e_.lane_ = -1;
        const unsigned register_bits = move.elements * move.bits;
        const ptx::Type type = register_bits == 64 ? ptx::Type::b64 : ptx::Type::b32;
        if (transfer_in_memory(i, move, base, bytes, load)) return;
        std::vector<Value*> registers(move.registers);
        if (!load)
            for (unsigned reg = 0; reg < move.registers; ++reg)
                registers[reg] = read(fragment[reg], type);
        move_registers(move, base, bytes, registers, load);
        if (load)
            for (unsigned reg = 0; reg < move.registers; ++reg)
                write(fragment[reg], type, registers[reg]);
    }

    /// By a function that is there once for all such instructions.
    bool transfer_in_memory(const Instruction& i, const MatrixMove& move, Value* base, Value* bytes, bool load) {
        const Operand& fragment = i.operands.at(load ? 0 : 1);
        const auto registers = registers_of(fragment);
        if (!goes_by_memory(i) || !registers || move.elements * move.bits != 32) return false;
        auto* ptr = b_.getPtrTy();
        const std::string name = std::string(load ? "matrix.load." : "matrix.store.") +
                                 std::to_string(move.form.pack()) + "." +
                                 std::to_string(static_cast<unsigned>(move.part)) + "." +
                                 std::string(ptx::spelling(move.type)) + (move.by_columns ? ".col" : ".row");
        llvm::Function* f = function(name, b_.getVoidTy(), {ptr, b_.getInt64Ty(), ptr}, [&](llvm::Function& made) {
            Type* word = words(32, kLanes);
            std::vector<Value*> values(move.registers);
            const auto place = [&](unsigned reg) { return b_.CreateConstGEP1_64(word, made.getArg(2), reg); };
            if (!load)
                for (unsigned reg = 0; reg < move.registers; ++reg)
                    values[reg] = b_.CreateAlignedLoad(word, place(reg), llvm::Align(64));
            move_registers(move, made.getArg(0), made.getArg(1), values, load);
            if (load)
                for (unsigned reg = 0; reg < move.registers; ++reg)
                    b_.CreateAlignedStore(b_.CreateBitCast(values[reg], word), place(reg), llvm::Align(64));
            b_.CreateRetVoid();
        });
        if (load) {
            const unsigned place = e_.fragments_.take(registers->size());
            b_.CreateCall(f, {base, bytes, e_.fragments_.address(place)});
            give(i, *registers, place);
        } else {
            const Source from = source(fragment);
            b_.CreateCall(f, {base, bytes, e_.fragments_.address(from.place)});
            settle({from}, {});
        }
        return true;
    }

    /// Between memory and the registers of a fragment.
    void move_registers(const MatrixMove& move, Value* base, Value* bytes, std::vector<Value*>& registers, bool load) {
        std::map<unsigned, Value*> lines;
        const auto at = [&](const MatrixMove::Place& p) {
            Value*& line = lines[p.line];
            if (!line) line = b_.CreateGEP(b_.getInt8Ty(), base, b_.CreateMul(bytes, b_.getInt64(p.line)));
            return b_.CreateConstGEP1_64(b_.getInt8Ty(), line, std::uint64_t{p.within} * move.bits / 8);
        };
        const unsigned register_bits = move.elements * move.bits;
        for (unsigned reg = 0; reg < move.registers;) {
            const auto line_of_group = [&](unsigned group) { return at(move.place(group * kWithin, reg, 0)); };
            const auto line_within = [&](unsigned within, unsigned e) { return at(move.place(within, reg, e)); };
            if (const unsigned same = first_like(move, reg); load && same < reg) {
                registers[reg] = registers[same];
                reg += 1;
                continue;
            }
            switch (order_of(move, reg)) {
            case Order::groups:
                if (load)
                    registers[reg] = load_groups(register_bits, line_of_group);
                else
                    store_groups(registers[reg], line_of_group);
                reg += 1;
                break;
            case Order::pairs:
                pair(registers, reg, register_bits, load, line_of_group);
                reg += 2;
                break;
            case Order::turned:
                if (load)
                    registers[reg] = load_turned(move.bits, move.elements, line_within);
                else
                    store_turned(registers[reg], move.bits, move.elements, line_within);
                reg += 1;
                break;
            }
        }
    }

    /// Two registers of which the elements of a group's lanes alternate in memory.
    template <class Line>
    void pair(std::vector<Value*>& registers, unsigned reg, unsigned bits, bool load, Line line) {
        if (load) {
            std::vector<Value*> parts(kGroups);
            for (unsigned group = 0; group < kGroups; ++group)
                parts[group] = this->load(line(group), bits, 2 * kWithin);
            Value* all = concatenate(parts);
            registers[reg] = pick(all, 0, kLanes, 2);
            registers[reg + 1] = pick(all, 1, kLanes, 2);
            return;
        }
        Value* all = interleave({registers[reg], registers[reg + 1]});
        for (unsigned group = 0; group < kGroups; ++group)
            store(pick(all, group * 2 * kWithin, 2 * kWithin), line(group));
    }

    enum class Order : std::uint8_t { groups, pairs, turned };

    /// The first register that holds what this one does: some fragments have each element twice.
    static unsigned first_like(const MatrixMove& move, unsigned reg) {
        for (unsigned other = 0; other < reg; ++other) {
            bool same = true;
            for (unsigned lane = 0; lane < kLanes && same; ++lane)
                for (unsigned e = 0; e < move.elements && same; ++e)
                    same = move.place(lane, reg, e) == move.place(lane, other, e);
            if (same) return other;
        }
        return reg;
    }

    /// How the lanes' elements of a register (and the next) are in memory.
    static Order order_of(const MatrixMove& move, unsigned reg) {
        const auto each_lane = [&](auto fits) {
            for (unsigned lane = 0; lane < kLanes; ++lane)
                if (!fits(lane / kWithin, lane % kWithin, lane)) return false;
            return true;
        };
        const auto follows = [](const MatrixMove::Place& p, const MatrixMove::Place& first, unsigned by) {
            return p.line == first.line && p.within == first.within + by;
        };
        if (move.whole && each_lane([&](unsigned group, unsigned within, unsigned lane) {
                return follows(move.place(lane, reg, 0), move.place(group * kWithin, reg, 0), within * move.elements);
            }))
            return Order::groups;
        if (move.elements == 1 && reg + 1 < move.registers &&
            each_lane([&](unsigned group, unsigned within, unsigned lane) {
                const MatrixMove::Place first = move.place(group * kWithin, reg, 0);
                return follows(move.place(lane, reg, 0), first, 2 * within) &&
                       follows(move.place(lane, reg + 1, 0), first, 2 * within + 1);
            }))
            return Order::pairs;
        const bool turned = each_lane([&](unsigned group, unsigned within, unsigned lane) {
            for (unsigned e = 0; e < move.elements; ++e)
                if (!follows(move.place(lane, reg, e), move.place(within, reg, e), group)) return false;
            return true;
        });
        if (!turned) throw EmitError("internal: a fragment that is in no order");
        return Order::turned;
    }

    // --- ldmatrix, stmatrix, movmatrix

    /// Of each lane: what they have in common, and <32 x i32> or <32 x i64> to be added to it.
    struct Addresses {
        Value *base, *offsets;
        bool is_signed = false;
    };
    Addresses addresses(const Operand& address, ptx::Space space) {
        if (address.base_kind != Operand::Kind::reg || !e_.varies(address.reg))
            return {e_.pointer(address, space), llvm::Constant::getNullValue(words(32, kLanes))};
        Operand base;
        base.kind = Operand::Kind::reg;
        base.reg = address.reg;
        const auto advance = [&](Value* pointer, std::int64_t offset) {
            return b_.CreateGEP(b_.getInt8Ty(), pointer, b_.getInt64(static_cast<std::uint64_t>(offset)));
        };
        if (space != ptx::Space::shared && space != ptx::Space::shared_cluster)
            return {advance(llvm::ConstantPointerNull::get(b_.getPtrTy()), address.integer),
                    read(base, ptx::Type::b64)};
        e_.width = kLanes;
        const SharedAddress in_shared = e_.shared_address(address);
        e_.width = 1;
        return {advance(e_.shared_base(), in_shared.offset), of_lanes_there(in_shared.word), in_shared.is_signed};
    }
    Value* place(const Addresses& all, Value* lane) {
        Value* offset = b_.CreateExtractElement(all.offsets, lane);
        if (offset->getType()->isIntegerTy(32)) offset = e_.extend(offset, all.is_signed);
        return b_.CreateGEP(b_.getInt8Ty(), all.base, offset);
    }

    void rows(const Instruction& i, bool load) {
        if (rows_in_memory(i, load)) return;
        const auto& fragment = i.operands.at(load ? 0 : 1).elements;
        const Addresses all = addresses(i.operands.at(load ? 1 : 0), i.space);
        const auto matrices = static_cast<unsigned>(fragment.size());
        Value* wrong = rows_misaligned(all.base, all.offsets, matrices);
        e_.emit_if(b_.CreateIsNotNull(wrong), [&] {
            Value* lane = e_.intrinsic(llvm::Intrinsic::cttz, {wrong->getType()}, {wrong, b_.getFalse()});
            lane = b_.CreateAnd(lane, kLanes - 1);
            e_.runtime_call("wl_rt_misaligned", b_.getVoidTy(),
                            {e_.block(), b_.CreateAdd(e_.linear_thread(), lane), e_.site_value(),
                             b_.CreatePtrToInt(place(all, lane), b_.getInt64Ty()), b_.getInt32(kRowBytes)})
                ->setDoesNotReturn();
            b_.CreateUnreachable();
        });
        const bool transposed = i.has(Modifier::trans);
        for (unsigned k = 0; k < matrices; ++k) {
            const auto row = [&](unsigned number) { return place(all, b_.getInt64(std::uint64_t{8 * k + number})); };
            const auto row_within = [&](unsigned within, unsigned e) { return row(2 * within + e); };
            if (load) {
                write(fragment[k], ptx::Type::b32, transposed ? load_turned(16, 2, row_within) : load_groups(32, row));
                continue;
            }
            Value* reg = read(fragment[k], ptx::Type::b32);
            if (transposed)
                store_turned(reg, 16, 2, row_within);
            else
                store_groups(reg, row);
        }
    }

    /// By a function that is there once for all such instructions, of shared memory.
    bool rows_in_memory(const Instruction& i, bool load) {
        const Operand &address = i.operands.at(load ? 1 : 0), &fragment = i.operands.at(load ? 0 : 1);
        const auto registers = registers_of(fragment);
        if (!goes_by_memory(i) || !registers || i.space != ptx::Space::shared) return false;
        if (address.base_kind != Operand::Kind::reg || !e_.varies(address.reg)) return false;
        if (ptx::bits(e_.function.registers[address.reg].type) != 32) return false;
        const auto matrices = static_cast<unsigned>(registers->size());
        const bool transposed = i.has(Modifier::trans);
        e_.width = kLanes;
        const SharedAddress at = e_.shared_address(address);
        e_.width = 1;
        auto* ptr = b_.getPtrTy();
        auto* i32 = b_.getInt32Ty();
        const std::string name = std::string(load ? "matrix.rows." : "matrix.keep.") + std::to_string(matrices) +
                                 (transposed ? ".trans" : "") + (at.is_signed ? ".signed" : "");
        llvm::Function* f = function(name, b_.getVoidTy(), {ptr, ptr, ptr, ptr, i32, i32}, [&](llvm::Function& made) {
            Value *base = made.getArg(0), *offsets = made.getArg(1), *to = made.getArg(2);
            Value* all = b_.CreateAlignedLoad(words(32, kLanes), offsets, llvm::Align(64));
            Value* wrong = rows_misaligned(base, all, matrices);
            const auto place = [&](Value* lane) {
                Value* offset = b_.CreateLoad(i32, b_.CreateGEP(i32, offsets, lane));
                return b_.CreateGEP(b_.getInt8Ty(), base, e_.extend(offset, at.is_signed));
            };
            auto* odd = llvm::BasicBlock::Create(e_.context, "odd", &made);
            auto* rest = llvm::BasicBlock::Create(e_.context, "rest", &made);
            b_.CreateCondBr(b_.CreateIsNotNull(wrong), odd, rest);
            b_.SetInsertPoint(odd);
            Value* lane = e_.intrinsic(llvm::Intrinsic::cttz, {i32}, {wrong, b_.getFalse()});
            e_.runtime_call("wl_rt_misaligned", b_.getVoidTy(),
                            {made.getArg(3), b_.CreateAdd(made.getArg(4), lane), made.getArg(5),
                             b_.CreatePtrToInt(place(lane), b_.getInt64Ty()), b_.getInt32(kRowBytes)})
                ->setDoesNotReturn();
            b_.CreateUnreachable();
            b_.SetInsertPoint(rest);
            for (unsigned k = 0; k < matrices; ++k) {
                const auto row = [&](unsigned number) { return place(b_.getInt64(std::uint64_t{8 * k + number})); };
                const auto both = [&](unsigned within, unsigned e) { return row(2 * within + e); };
                Value* here = b_.CreateConstGEP1_64(words(32, kLanes), to, k);
                if (load) {
                    Value* reg = transposed ? load_turned(16, 2, both) : load_groups(32, row);
                    b_.CreateAlignedStore(b_.CreateBitCast(reg, words(32, kLanes)), here, llvm::Align(64));
                    continue;
                }
                Value* reg = b_.CreateAlignedLoad(words(32, kLanes), here, llvm::Align(64));
                if (transposed)
                    store_turned(reg, 16, 2, both);
                else
                    store_groups(reg, row);
            }
            b_.CreateRetVoid();
        });
        Value* base =
            b_.CreateGEP(b_.getInt8Ty(), e_.shared_base(), b_.getInt64(static_cast<std::uint64_t>(at.offset)));
        Operand reg;
        reg.kind = Operand::Kind::reg;
        reg.reg = address.reg;
        const Source offsets = is_far(address) ? temporary(at.word) : source(reg, at.word);
        const auto call = [&](unsigned place) {
            b_.CreateCall(f, {base, e_.fragments_.address(offsets.place), e_.fragments_.address(place), e_.block(),
                              e_.linear_thread(), e_.site_value()});
        };
        if (load) {
            const unsigned place = e_.fragments_.take(registers->size());
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
    /// A bit of each lane whose row is at an address that it should not have, i32.
    Value* rows_misaligned(Value* base, Value* offsets, unsigned matrices) {
        Value* common = b_.CreateTrunc(b_.CreatePtrToInt(base, b_.getInt64Ty()), b_.getInt32Ty());
        Value* low = b_.CreateAdd(b_.CreateTrunc(offsets, words(32, kLanes)), b_.CreateVectorSplat(kLanes, common));
        low = b_.CreateAnd(low, b_.CreateVectorSplat(kLanes, b_.getInt32(kRowBytes - 1)));
        Value* wrong = b_.CreateBitCast(b_.CreateIsNotNull(low), b_.getInt32Ty());
        return matrices < 4 ? b_.CreateAnd(wrong, b_.getInt32((1U << 8 * matrices) - 1)) : wrong;
    }

    void transpose(const Instruction& i) {
        Value* rows = b_.CreateBitCast(read(i.operands.at(1), ptx::Type::b32), words(16, 2 * kLanes));
        std::array<int, std::size_t{2} * kLanes> places{};
        for (std::size_t row = 0; row < 8; ++row)
            for (std::size_t column = 0; column < 8; ++column)
                places[row * 8 + column] = static_cast<int>(column * 8 + row);
        write(i.operands.at(0), ptx::Type::b32, b_.CreateShuffleVector(rows, places));
    }

    // --- products

    void multiply(const ptx::MatrixForm& form, Value* a, Value* b, Value* c, Value* d) {
        if (llvm::Function* kernel = matrix_kernel(e_.unit, form))
            b_.CreateCall(kernel, {a, b, c, d});
        else
            e_.runtime_call("wl_matrix_multiply", b_.getVoidTy(), {b_.getInt64(form.pack()), a, b, c, d});
    }

    /// Of fragments that mostly are where they are to be. The sums become what they were the start of, where nobody
    /// looks at that again.
    bool product_in_memory(const Instruction& i, const ptx::MatrixForm& form) {
        const auto to = registers_of(i.operands.at(0)), start = registers_of(i.operands.at(3));
        if (!goes_by_memory(i) || !to || form.sparse || form.a == ptx::Type::f64) return false;
        Fragments& held = e_.fragments_;
        const Source a = source(i.operands.at(1)), b = source(i.operands.at(2));
        Source c = source(i.operands.at(3));
        const bool own = c.is_temporary || (c.is_whole && held.die_at(*start, e_.current_));
        const auto apart = [&](const Source& x) {
            return x.place + x.count <= c.place || c.place + c.count <= x.place;
        };
        const bool in_place = own && form.c == form.d && c.count == to->size() && apart(a) && apart(b) &&
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

    void product(const Instruction& i) {
        const ptx::MatrixForm form = ptx::matrix_form(i).value();
        if (product_in_memory(i, form)) return;
        const ptx::Type type = form.a == ptx::Type::f64 ? ptx::Type::b64 : ptx::Type::b32;
        Type* word = words(ptx::bits(type), kLanes);
        const auto memory = [&](const char* name, std::size_t registers) {
            return e_.stack_slot(llvm::ArrayType::get(word, registers), name, 64);
        };
        const auto fragment = [&](std::size_t k, const char* name, std::size_t room = 0) {
            const auto& elements = i.operands.at(k).elements;
            Value* to = memory(name, std::max(elements.size(), room));
            for (std::size_t reg = 0; reg < elements.size(); ++reg)
                b_.CreateStore(read(elements[reg], type), b_.CreateConstInBoundsGEP1_64(word, to, reg));
            return to;
        };
        Value* a = fragment(1, "a");
        Value* f = fragment(2, "b");
        Value* c = fragment(3, "c", form.sparse ? ptx::kSparsityRegister + 1 : 0);
        if (form.sparse)
            b_.CreateStore(read(i.operands.at(4), type),
                           b_.CreateConstInBoundsGEP1_64(word, c, ptx::kSparsityRegister));
        const auto& to = i.operands[0].elements;
        Value* d = memory("d", to.size());
        multiply(form, a, f, c, d);
        for (std::size_t reg = 0; reg < to.size(); ++reg)
            write(to[reg], type, b_.CreateLoad(word, b_.CreateConstInBoundsGEP1_64(word, d, reg)));
    }

    Emitter& e_;
};

void Emitter::emit_matrix_operation(const Instruction& i) { Matrix(*this).emit(i); }

} // namespace warplight::jit
