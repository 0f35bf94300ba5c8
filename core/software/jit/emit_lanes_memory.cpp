// SPDX-License-Identifier: Apache-2.0
// Loads and stores of threads side by side: a vector at once where the lanes' elements are neighbours.
#include "emit.hpp"
#include "sites.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/MDBuilder.h>

#include <algorithm>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;

namespace {

/// Narrower vectors have no scattered accesses under a mask, nor any of small elements: LLVM would look at each lane's
/// bit and branch.
bool masks_anything() { return host_width() >= 16; }

/// Functions of the generated code that read or write an element at each of some addresses. Where the host has no
/// instruction for it that is a lot of code, mostly for accesses of which nearly all find neighbours: it is there once.
class Scattered {
public:
    explicit Scattered(Unit& unit) : unit_(unit), b_(*unit.context) {}

    /// {elements, bits} of (addresses, low): the bits of `low` that an address has.
    llvm::Function* load(Type* elements) {
        Type* result = llvm::StructType::get(elements, b_.getInt32Ty());
        return get("wl_gather_", elements, result, {}, [&](llvm::Function& f, Value* places) {
            Value* values = b_.CreateMaskedGather(elements, places, llvm::Align(1), all_lanes(elements),
                                                  llvm::Constant::getNullValue(elements));
            Value* both = b_.CreateInsertValue(llvm::PoisonValue::get(result), values, 0);
            b_.CreateRet(b_.CreateInsertValue(both, low_bits(f), 1));
            f.setOnlyReadsMemory();
        });
    }
    /// The same bits of (addresses, low, elements).
    llvm::Function* store(Type* elements) {
        return get("wl_scatter_", elements, b_.getInt32Ty(), elements, [&](llvm::Function& f, Value* places) {
            b_.CreateMaskedScatter(f.getArg(2), places, llvm::Align(1), all_lanes(elements));
            b_.CreateRet(low_bits(f));
        });
    }

private:
    static unsigned count_of(Type* elements) { return llvm::cast<llvm::FixedVectorType>(elements)->getNumElements(); }
    Value* all_lanes(Type* elements) {
        return llvm::Constant::getAllOnesValue(llvm::FixedVectorType::get(b_.getInt1Ty(), count_of(elements)));
    }

    Value* low_bits(llvm::Function& f) {
        Type* words = llvm::FixedVectorType::get(b_.getInt32Ty(), count_of(f.getArg(0)->getType()));
        return b_.CreateAnd(b_.CreateOrReduce(b_.CreateTrunc(f.getArg(0), words)), f.getArg(1));
    }

    template <class Body>
    llvm::Function* get(const char* kind, Type* elements, Type* result, Type* values, Body body) {
        const unsigned lanes = count_of(elements);
        const std::string name = kind + std::to_string(lanes) + "x" + std::to_string(elements->getScalarSizeInBits());
        if (llvm::Function* known = unit_.ir->getFunction(name)) return known;
        llvm::SmallVector<Type*> arguments = {llvm::FixedVectorType::get(b_.getInt64Ty(), lanes), b_.getInt32Ty()};
        if (values) arguments.push_back(values);
        auto* f = llvm::Function::Create(llvm::FunctionType::get(result, arguments, false),
                                         llvm::GlobalValue::InternalLinkage, name, *unit_.ir);
        f->setCallingConv(llvm::CallingConv::Fast);
        f->addFnAttr(llvm::Attribute::NoInline);
        f->addFnAttr(llvm::Attribute::NoUnwind);
        f->addFnAttr(llvm::Attribute::NullPointerIsValid);
        auto* type = unit_.debug->createSubroutineType(unit_.debug->getOrCreateTypeArray({}));
        f->setSubprogram(unit_.debug->createFunction(
            unit_.debug_file, name, name, unit_.debug_file, 0, type, 0, llvm::DINode::FlagZero,
            llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized));
        b_.SetInsertPoint(llvm::BasicBlock::Create(*unit_.context, "entry", f));
        b_.SetCurrentDebugLocation(llvm::DILocation::get(*unit_.context, kNoSiteLine, 0, f->getSubprogram()));
        body(*f, b_.CreateIntToPtr(f->getArg(0), llvm::FixedVectorType::get(b_.getPtrTy(), lanes)));
        return f;
    }

    Unit& unit_;
    llvm::IRBuilder<> b_;
};

} // namespace

class Emitter::Memory {
    static constexpr unsigned kMostBytes = 16; ///< of a lane

public:
    explicit Memory(Emitter& e) : e_(e), b_(e.b), plan_(*e.plan_) {}

    /// Plain accesses at addresses that differ.
    [[nodiscard]] bool moves_vectors(const Instruction& i, const Operand& address) const {
        if (address.base_kind != Operand::Kind::reg || !e_.varies(address.reg)) return false;
        if (i.space == Space::local || i.space == Space::param) return false;
        for (const Modifier m : {Modifier::volatile_, Modifier::relaxed, Modifier::acquire, Modifier::release,
                                 Modifier::mmio, Modifier::cv, Modifier::wt})
            if (i.has(m)) return false;
        return ptx::bits(i.types[i.type_count - 1u]) >= 8 && ptx::bits(i.types[i.type_count - 1u]) <= 64;
    }

    void emit_load(const Instruction& i) {
        const Access a = access(i, i.operands[1]);
        const llvm::Align unsure(1); // that they are aligned is looked at when the block is done
        std::vector<Value*> near(a.count), far(a.count);
        Value* zero = llvm::Constant::getNullValue(a.type);
        const bool invariant = i.space == Space::constant || i.has(Modifier::nc);
        choose(
            a,
            [&](Value* first) {
                if (e_.mask_) {
                    near[0] = b_.CreateMaskedLoad(a.type, first, unsure, e_.mask_, zero);
                    return;
                }
                Type* all = llvm::FixedVectorType::get(a.type->getScalarType(), e_.vector_ * a.count);
                llvm::LoadInst* load = b_.CreateAlignedLoad(all, first, unsure);
                if (invariant)
                    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(e_.context, {}));
                for (unsigned k = 0; k < a.count; ++k)
                    near[k] = a.count == 1 ? load : b_.CreateShuffleVector(load, every(a.count, k));
            },
            [&](Value* places, unsigned k) { far[k] = gather(a, places, k); });
        const ptx::Type type = i.types[i.type_count - 1u];
        std::vector<Value*> values = far;
        for (unsigned k = 0; a.neighbours && k < a.count; ++k) {
            llvm::PHINode* either = b_.CreatePHI(a.type, 2);
            either->addIncoming(near[k], near_end_);
            either->addIncoming(far[k], far_end_);
            values[k] = either;
        }
        e_.width = e_.vector_;
        for (unsigned k = 0; k < a.count; ++k)
            e_.write(element(i.operands[0], k), type, e_.bits_as(values[k], e_.type_of(type)));
        e_.width = 1;
    }

    void emit_store(const Instruction& i) {
        const Access a = access(i, i.operands[0]);
        std::vector<Value*> values(a.count);
        e_.width = e_.vector_;
        for (unsigned k = 0; k < a.count; ++k)
            values[k] = e_.bits_as(e_.read(element(i.operands.at(1), k), i.types[i.type_count - 1u]), a.type);
        e_.width = 1;
        choose(
            a,
            [&](Value* first) {
                if (e_.mask_)
                    b_.CreateMaskedStore(values[0], first, llvm::Align(1), e_.mask_);
                else
                    b_.CreateAlignedStore(side_by_side(values), first, llvm::Align(1));
            },
            [&](Value* places, unsigned k) { scatter(a, values[k], places, k); });
    }

private:
    struct Access {
        Type* type;       ///< of integers
        unsigned bytes;   ///< an element
        unsigned count;   ///< elements a lane
        Value* addresses; ///< i64 a lane
        bool neighbours;  ///< the lanes' elements may lie side by side
        [[nodiscard]] unsigned all_bytes() const { return bytes * count; }
    };

    Access access(const Instruction& i, const Operand& address) {
        e_.width = e_.vector_;
        const unsigned bits = ptx::bits(i.types[i.type_count - 1u]);
        Access a{e_.integer_type(bits), bits / 8, std::max(1U, unsigned{i.vector_width}), nullptr, false};
        Operand base;
        base.kind = Operand::Kind::reg;
        base.reg = address.reg;
        if (i.space == Space::shared || i.space == Space::shared_cluster) {
            Value* within = b_.CreateZExt(e_.read(base, ptx::Type::b32), e_.integer_type(64));
            a.addresses = b_.CreateAdd(within, e_.splat(b_.CreatePtrToInt(e_.shared_base(), b_.getInt64Ty())));
        } else {
            a.addresses = e_.read(base, ptx::Type::b64);
        }
        if (address.integer)
            a.addresses = b_.CreateAdd(a.addresses, e_.integer(64, static_cast<std::uint64_t>(address.integer)));
        a.neighbours = plan_.stride[address.reg] == static_cast<std::int64_t>(a.all_bytes()) &&
                       (!e_.mask_ || (a.count == 1 && (a.bytes >= 4 || masks_anything())));
        e_.width = 1;
        return a;
    }

    // --- where

    void note_misaligned(Value* low_bits) {
        b_.CreateStore(b_.CreateOr(b_.CreateLoad(b_.getInt32Ty(), e_.misaligned_), low_bits), e_.misaligned_);
    }

    /// `side_by_side(first address)` and `scattered(addresses, element)`, whichever holds when the code runs: what is
    /// known of a stride is known modulo the registers' size, and the first and the last lane tell whether that was
    /// passed.
    template <class SideBySide, class Scattered>
    void choose(const Access& a, SideBySide side_by_side, Scattered scattered) {
        const auto lane = [&](unsigned k) { return b_.CreateExtractElement(a.addresses, std::uint64_t{k}); };
        const auto scatter = [&] {
            if (a.all_bytes() > 1 && !seldom(a)) {
                Type* words = llvm::FixedVectorType::get(b_.getInt32Ty(), e_.vector_);
                Value* low =
                    b_.CreateAnd(b_.CreateTrunc(a.addresses, words), llvm::ConstantInt::get(words, a.all_bytes() - 1));
                if (e_.mask_) low = b_.CreateSelect(e_.mask_, low, llvm::Constant::getNullValue(words));
                note_misaligned(b_.CreateOrReduce(low));
            }
            for (unsigned k = 0; k < a.count; ++k) {
                Value* places = a.addresses;
                if (k) places = b_.CreateAdd(places, b_.CreateVectorSplat(e_.vector_, b_.getInt64(k * a.bytes)));
                // The lanes that take no part touch a place that is nobody's.
                if (e_.mask_ && !masks_anything())
                    places = b_.CreateSelect(e_.mask_, places, b_.CreateVectorSplat(e_.vector_, nobody()));
                scattered(places, k);
            }
        };
        if (!a.neighbours) return scatter();
        Value* first = lane(0);
        Value* reach = b_.CreateSub(lane(e_.vector_ - 1), first);
        llvm::BasicBlock* near = e_.new_block("near");
        llvm::BasicBlock* far = e_.new_block("far");
        llvm::BasicBlock* rest = e_.new_block("rest");
        b_.CreateCondBr(b_.CreateICmpEQ(reach, b_.getInt64(std::uint64_t{a.all_bytes()} * (e_.vector_ - 1))), near, far,
                        llvm::MDBuilder(e_.context).createLikelyBranchWeights());
        b_.SetInsertPoint(near);
        if (a.all_bytes() > 1) {
            Value* low = b_.CreateAnd(b_.CreateTrunc(first, b_.getInt32Ty()), b_.getInt32(a.all_bytes() - 1));
            if (e_.mask_) {
                Value* any = b_.CreateIsNotNull(b_.CreateBitCast(e_.mask_, b_.getIntNTy(e_.vector_)));
                low = b_.CreateSelect(any, low, b_.getInt32(0));
            }
            note_misaligned(low);
        }
        side_by_side(b_.CreateIntToPtr(first, b_.getPtrTy()));
        near_end_ = b_.GetInsertBlock();
        b_.CreateBr(rest);
        b_.SetInsertPoint(far);
        scatter();
        far_end_ = b_.GetInsertBlock();
        b_.CreateBr(rest);
        b_.SetInsertPoint(rest);
    }

    Value* nobody() {
        if (!e_.nobody_) e_.nobody_ = e_.stack_slot(b_.getInt128Ty(), "nobody", kMostBytes);
        return b_.CreatePtrToInt(e_.nobody_, b_.getInt64Ty());
    }

    // --- scattered

    /// Whether scattered lanes are seldom, and handled by functions. Where they are the rule a call would cost more
    /// than it saves.
    [[nodiscard]] static bool seldom(const Access& a) { return a.neighbours && !masks_anything(); }
    /// Bits that the addresses of element k should not have.
    [[nodiscard]] Value* low_bits(const Access& a, unsigned k) { return b_.getInt32(k ? 0 : a.all_bytes() - 1); }
    [[nodiscard]] Value* scattered_mask() const {
        return masks_anything() && e_.mask_
                   ? e_.mask_
                   : llvm::Constant::getAllOnesValue(llvm::FixedVectorType::get(b_.getInt1Ty(), e_.vector_));
    }

    Value* gather(const Access& a, Value* places, unsigned element) {
        if (!seldom(a))
            return b_.CreateMaskedGather(a.type, pointers(places), llvm::Align(1), scattered_mask(),
                                         llvm::Constant::getNullValue(a.type));
        std::vector<Value*> parts;
        Value* wrong = nullptr;
        for (unsigned from = 0; from < e_.vector_; from += part_lanes()) {
            Value* both = call(Scattered(e_.unit).load(part_type(a.type)), {part(places, from), low_bits(a, element)});
            parts.push_back(b_.CreateExtractValue(both, 0));
            wrong = either(wrong, b_.CreateExtractValue(both, 1));
        }
        note_misaligned(wrong);
        while (parts.size() > 1) { // powers of two
            for (std::size_t k = 0; k < parts.size() / 2; ++k)
                parts[k] = join(parts[2 * k], parts[2 * k + 1]);
            parts.resize(parts.size() / 2);
        }
        return parts[0];
    }
    void scatter(const Access& a, Value* values, Value* places, unsigned element) {
        if (!seldom(a)) {
            b_.CreateMaskedScatter(values, pointers(places), llvm::Align(1), scattered_mask());
            return;
        }
        // In the order of the lanes: of those at one address the last one is left.
        Value* wrong = nullptr;
        for (unsigned from = 0; from < e_.vector_; from += part_lanes())
            wrong = either(wrong, call(Scattered(e_.unit).store(part_type(values->getType())),
                                       {part(places, from), low_bits(a, element), part(values, from)}));
        note_misaligned(wrong);
    }
    Value* either(Value* before, Value* bits) { return before ? b_.CreateOr(before, bits) : bits; }

    Value* pointers(Value* places) {
        return b_.CreateIntToPtr(places, llvm::FixedVectorType::get(b_.getPtrTy(), e_.vector_));
    }
    /// As many lanes as go in registers.
    [[nodiscard]] unsigned part_lanes() const { return std::min(e_.vector_, host_width()); }
    [[nodiscard]] Type* part_type(Type* all) const {
        return llvm::FixedVectorType::get(all->getScalarType(), part_lanes());
    }
    Value* part(Value* all, unsigned from) {
        if (part_lanes() == e_.vector_) return all;
        std::vector<int> places(part_lanes());
        for (unsigned k = 0; k < part_lanes(); ++k)
            places[k] = static_cast<int>(from + k);
        return b_.CreateShuffleVector(all, places);
    }
    Value* call(llvm::Function* f, llvm::ArrayRef<Value*> arguments) {
        llvm::CallInst* made = b_.CreateCall(f, arguments);
        made->setCallingConv(llvm::CallingConv::Fast);
        return made;
    }

    // --- side by side

    /// Element k of each lane, of those that lie side by side.
    [[nodiscard]] std::vector<int> every(unsigned count, unsigned k) const {
        std::vector<int> places(e_.vector_);
        for (unsigned lane = 0; lane < e_.vector_; ++lane)
            places[lane] = static_cast<int>(lane * count + k);
        return places;
    }
    [[nodiscard]] static const Operand& element(const Operand& operand, unsigned k) {
        return operand.kind == Operand::Kind::vector ? operand.elements.at(k) : operand;
    }
    /// One vector with all of the first lane first.
    Value* side_by_side(const std::vector<Value*>& values) {
        if (values.size() == 1) return values[0];
        Value* all = values.size() == 2 ? join(values[0], values[1])
                                        : join(join(values[0], values[1]), join(values[2], values[3]));
        std::vector<int> places;
        for (unsigned lane = 0; lane < e_.vector_; ++lane)
            for (unsigned k = 0; k < values.size(); ++k)
                places.push_back(static_cast<int>(k * e_.vector_ + lane));
        return b_.CreateShuffleVector(all, places);
    }
    Value* join(Value* x, Value* y) {
        const unsigned count = llvm::cast<llvm::FixedVectorType>(x->getType())->getNumElements();
        std::vector<int> places(std::size_t{2} * count);
        for (unsigned k = 0; k < 2 * count; ++k)
            places[k] = static_cast<int>(k);
        return b_.CreateShuffleVector(x, y, places);
    }

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const LanePlan& plan_;
    llvm::BasicBlock* near_end_ = nullptr;
    llvm::BasicBlock* far_end_ = nullptr;
};

bool Emitter::emit_lane_access(const Instruction& i) {
    Memory memory(*this);
    if (i.opcode == Opcode::ld && memory.moves_vectors(i, i.operands.at(1)))
        memory.emit_load(i);
    else if (i.opcode == Opcode::st && memory.moves_vectors(i, i.operands.at(0)))
        memory.emit_store(i);
    else
        return false;
    return true;
}

} // namespace warplight::jit
