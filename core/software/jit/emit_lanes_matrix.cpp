// SPDX-License-Identifier: Apache-2.0
// Matrix instructions where the warp is a vector: a register of a fragment is one of 32 words. Memory is read and
// written by rows of eight lanes' groups; where the lanes' order is the other one, the vector is turned.
#include "../ptx/matrix.hpp"
#include "emit.hpp"
#include "matrix_kernel.hpp"
#include "matrix_move.hpp"

#include <array>
#include <map>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

class Emitter::Matrix {
public:
    explicit Matrix(Emitter& e) : e_(e), b_(e.b) {}

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
    static constexpr unsigned kLanes = kWarpLanes;
    static constexpr unsigned kGroups = 8; ///< of four lanes
    static constexpr unsigned kWithin = 4;

    // --- registers

    Value* read(const Operand& operand, ptx::Type type) {
        e_.width = kLanes;
        Value* value = e_.read(operand, type);
        e_.width = 1;
        // Lanes that have ended have zeros.
        if (e_.mask_) value = b_.CreateSelect(e_.mask_, value, llvm::Constant::getNullValue(value->getType()));
        return value;
    }
    void write(const Operand& operand, ptx::Type type, Value* value) {
        e_.width = kLanes;
        e_.write(operand, type, e_.bits_as(value, e_.integer_type(ptx::bits(type))));
        e_.width = 1;
    }

    // --- vectors

    static unsigned size(Value* vector) {
        return llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
    }
    Type* words(unsigned bits, unsigned count) { return llvm::FixedVectorType::get(b_.getIntNTy(bits), count); }
    /// One after the other; their number is a power of two.
    Value* concatenate(std::vector<Value*> parts) {
        for (; parts.size() > 1; parts.resize(parts.size() / 2)) {
            std::vector<int> places(std::size_t{2} * size(parts[0]));
            for (std::size_t p = 0; p < places.size(); ++p)
                places[p] = static_cast<int>(p);
            for (std::size_t k = 0; k < parts.size() / 2; ++k)
                parts[k] = b_.CreateShuffleVector(parts[2 * k], parts[2 * k + 1], places);
        }
        return parts[0];
    }
    /// count elements from `first` on, a step apart.
    Value* pick(Value* vector, unsigned first, unsigned count, unsigned step = 1) {
        std::vector<int> places(count);
        for (unsigned k = 0; k < count; ++k)
            places[k] = static_cast<int>(first + k * step);
        return b_.CreateShuffleVector(vector, places);
    }
    /// An element of each in turn.
    Value* interleave(const std::vector<Value*>& parts) {
        if (parts.size() == 1) return parts[0];
        const unsigned count = size(parts[0]), ways = static_cast<unsigned>(parts.size());
        std::vector<int> places(std::size_t{count} * ways);
        for (unsigned k = 0; k < count; ++k)
            for (unsigned way = 0; way < ways; ++way)
                places[std::size_t{k} * ways + way] = static_cast<int>(way * count + k);
        return b_.CreateShuffleVector(concatenate(parts), places);
    }
    /// From lanes in the order of groups to that of their lanes within, or back.
    Value* turn(Value* vector, bool to_groups) {
        std::array<int, kLanes> places{};
        for (unsigned group = 0; group < kGroups; ++group)
            for (unsigned within = 0; within < kWithin; ++within) {
                const unsigned by_group = group * kWithin + within, by_lane = within * kGroups + group;
                places[to_groups ? by_group : by_lane] = static_cast<int>(to_groups ? by_lane : by_group);
            }
        return b_.CreateShuffleVector(vector, places);
    }

    // --- memory

    Value* load(Value* at, unsigned bits, unsigned count) {
        return b_.CreateAlignedLoad(words(bits, count), at, llvm::Align(1));
    }
    void store(Value* vector, Value* at) { b_.CreateAlignedStore(vector, at, llvm::Align(1)); }

    /// A register whose group g has four words in a row at line(g).
    template <class Line>
    Value* load_groups(unsigned bits, Line line) {
        std::vector<Value*> parts(kGroups);
        for (unsigned group = 0; group < kGroups; ++group)
            parts[group] = load(line(group), bits, kWithin);
        return concatenate(parts);
    }
    template <class Line>
    void store_groups(Value* reg, Line line) {
        for (unsigned group = 0; group < kGroups; ++group)
            store(pick(reg, group * kWithin, kWithin), line(group));
    }
    /// A register whose element e of the lanes w of all groups are in a row at line(w, e).
    template <class Line>
    Value* load_turned(unsigned bits, unsigned elements, Line line) {
        std::vector<Value*> parts;
        for (unsigned within = 0; within < kWithin; ++within) {
            std::vector<Value*> each(elements);
            for (unsigned e = 0; e < elements; ++e)
                each[e] = load(line(within, e), bits, kGroups);
            parts.push_back(b_.CreateBitCast(interleave(each), words(bits * elements, kGroups)));
        }
        return turn(concatenate(parts), true);
    }
    template <class Line>
    void store_turned(Value* reg, unsigned bits, unsigned elements, Line line) {
        Value* turned = turn(reg, false);
        for (unsigned within = 0; within < kWithin; ++within) {
            Value* part = b_.CreateBitCast(pick(turned, within * kGroups, kGroups), words(bits, kGroups * elements));
            for (unsigned e = 0; e < elements; ++e)
                store(elements == 1 ? part : pick(part, e, kGroups, elements), line(within, e));
        }
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
        std::map<unsigned, Value*> lines;
        const auto at = [&](const MatrixMove::Place& p) {
            Value*& line = lines[p.line];
            if (!line) line = b_.CreateGEP(b_.getInt8Ty(), base, b_.CreateMul(bytes, b_.getInt64(p.line)));
            return b_.CreateConstGEP1_64(b_.getInt8Ty(), line, std::uint64_t{p.within} * move.bits / 8);
        };
        const unsigned register_bits = move.elements * move.bits;
        const ptx::Type type = register_bits == 64 ? ptx::Type::b64 : ptx::Type::b32;
        std::vector<Value*> registers(move.registers);
        if (!load)
            for (unsigned reg = 0; reg < move.registers; ++reg)
                registers[reg] = read(fragment[reg], type);
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
        if (load)
            for (unsigned reg = 0; reg < move.registers; ++reg)
                write(fragment[reg], type, registers[reg]);
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
    };
    Addresses addresses(const Operand& address, ptx::Space space) {
        if (address.base_kind != Operand::Kind::reg || !e_.varies(address.reg))
            return {e_.pointer(address, space), llvm::Constant::getNullValue(words(32, kLanes))};
        Operand base;
        base.kind = Operand::Kind::reg;
        base.reg = address.reg;
        const bool shared = space == ptx::Space::shared || space == ptx::Space::shared_cluster;
        Value* window = shared ? e_.shared_base() : llvm::ConstantPointerNull::get(b_.getPtrTy());
        return {b_.CreateGEP(b_.getInt8Ty(), window, b_.getInt64(static_cast<std::uint64_t>(address.integer))),
                read(base, shared ? ptx::Type::b32 : ptx::Type::b64)};
    }
    Value* place(const Addresses& all, Value* lane) {
        return b_.CreateGEP(b_.getInt8Ty(), all.base,
                            b_.CreateZExt(b_.CreateExtractElement(all.offsets, lane), b_.getInt64Ty()));
    }

    void rows(const Instruction& i, bool load) {
        constexpr unsigned bytes = 16;
        const auto& fragment = i.operands.at(load ? 0 : 1).elements;
        const Addresses all = addresses(i.operands.at(load ? 1 : 0), i.space);
        const auto matrices = static_cast<unsigned>(fragment.size());
        Value* common = b_.CreateTrunc(b_.CreatePtrToInt(all.base, b_.getInt64Ty()), b_.getInt32Ty());
        Value* low = b_.CreateAdd(b_.CreateTrunc(all.offsets, words(32, kLanes)), b_.CreateVectorSplat(kLanes, common));
        low = b_.CreateAnd(low, b_.CreateVectorSplat(kLanes, b_.getInt32(bytes - 1)));
        Value* wrong = b_.CreateBitCast(b_.CreateIsNotNull(low), b_.getInt32Ty());
        if (matrices < 4) wrong = b_.CreateAnd(wrong, b_.getInt32((1U << 8 * matrices) - 1));
        e_.emit_if(b_.CreateIsNotNull(wrong), [&] {
            Value* lane = e_.intrinsic(llvm::Intrinsic::cttz, {wrong->getType()}, {wrong, b_.getFalse()});
            lane = b_.CreateAnd(lane, kLanes - 1);
            e_.runtime_call("wl_rt_misaligned", b_.getVoidTy(),
                            {e_.block(), b_.CreateAdd(e_.linear_thread(), lane), e_.site_value(),
                             b_.CreatePtrToInt(place(all, lane), b_.getInt64Ty()), b_.getInt32(bytes)})
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

    void transpose(const Instruction& i) {
        Value* rows = b_.CreateBitCast(read(i.operands.at(1), ptx::Type::b32), words(16, 2 * kLanes));
        std::array<int, std::size_t{2} * kLanes> places{};
        for (std::size_t row = 0; row < 8; ++row)
            for (std::size_t column = 0; column < 8; ++column)
                places[row * 8 + column] = static_cast<int>(column * 8 + row);
        write(i.operands.at(0), ptx::Type::b32, b_.CreateShuffleVector(rows, places));
    }

    // --- products

    void product(const Instruction& i) {
        const ptx::MatrixForm form = ptx::matrix_form(i).value();
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
        if (llvm::Function* kernel = matrix_kernel(e_.unit, form))
            b_.CreateCall(kernel, {a, f, c, d});
        else
            e_.runtime_call("wl_matrix_multiply", b_.getVoidTy(), {b_.getInt64(form.pack()), a, f, c, d});
        for (std::size_t reg = 0; reg < to.size(); ++reg)
            write(to[reg], type, b_.CreateLoad(word, b_.CreateConstInBoundsGEP1_64(word, d, reg)));
    }

    Emitter& e_;
    llvm::IRBuilder<>& b_;
};

void Emitter::emit_matrix_operation(const Instruction& i) { Matrix(*this).emit(i); }

} // namespace warplight::jit
