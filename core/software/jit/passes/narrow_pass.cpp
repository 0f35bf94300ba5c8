// SPDX-License-Identifier: Apache-2.0
#include "narrow_pass.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

namespace warplight::jit {

namespace {

using llvm::Value;

constexpr unsigned kWide = 32, kNarrow = 16;

/// All lanes' numbers, in 32 bits, signed.
struct Bounds {
    std::int64_t least = 0, most = 0;

    [[nodiscard]] bool is_narrow() const { return least >= INT16_MIN && most <= INT16_MAX; }
    [[nodiscard]] bool is_natural() const { return least >= 0; }
};

Bounds hull(std::initializer_list<std::int64_t> numbers) { return {std::min(numbers), std::max(numbers)}; }

/// Vectors of 32-bit integers that two vectors of the processor's usual length hold.
bool is_wide_vector(const llvm::Type* type) {
    constexpr unsigned kFewestBits = 512;
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return vector && vector->getElementType()->isIntegerTy(kWide) && vector->getNumElements() * kWide >= kFewestBits;
}

class Narrowing {
public:
    explicit Narrowing(llvm::Function& function) : function_(function) {}

    bool run() {
        find();
        if (bounds_.empty()) return false;
        join();
        weigh();
        bool changed = false;
        for (auto& [i, bounds] : bounds_)
            if (pays(i) && is_operation(i)) changed |= replace_uses(i);
        if (!changed) return false;
        llvm::SmallVector<llvm::WeakTrackingVH, 32> dead;
        for (auto& [i, bounds] : bounds_)
            dead.emplace_back(i);
        llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
        return true;
    }

private:
    struct Weight {
        int operations = 0; ///< that become narrow
        int bytes = 0;      ///< vectors of them that are read
        int extended = 0;   ///< narrow results that are wanted in 32 bits
    };

    /// In one pass over blocks in the order of the text: an operand that comes later, in a loop, is not known.
    void find() {
        for (llvm::Instruction& i : llvm::instructions(function_)) {
            if (!is_wide_vector(i.getType())) continue;
            const auto bounds = of_instruction(i);
            if (bounds && bounds->is_narrow()) bounds_.insert({&i, *bounds});
        }
    }

    std::optional<Bounds> of(Value* value) const {
        if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) return of_constant(*constant);
        auto* i = llvm::dyn_cast<llvm::Instruction>(value);
        const auto* found = i ? bounds_.find(i) : bounds_.end();
        return found == bounds_.end() ? std::nullopt : std::optional(found->second);
    }

    static std::optional<Bounds> of_constant(const llvm::Constant& constant) {
        const auto* type = llvm::cast<llvm::FixedVectorType>(constant.getType());
        std::optional<Bounds> all;
        for (unsigned k = 0; k < type->getNumElements(); ++k) {
            const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant.getAggregateElement(k));
            if (!number) return std::nullopt;
            const std::int64_t x = number->getSExtValue();
            all = all ? hull({all->least, all->most, x}) : Bounds{x, x};
        }
        return all;
    }

    static std::optional<Bounds> of_cast(const llvm::CastInst& cast) {
        const unsigned bits = cast.getSrcTy()->getScalarSizeInBits();
        if (!cast.getSrcTy()->isIntOrIntVectorTy() || bits > 8) return std::nullopt;
        const std::int64_t half = std::int64_t{1} << (bits - 1);
        if (cast.getOpcode() == llvm::Instruction::ZExt) return Bounds{0, 2 * half - 1};
        if (cast.getOpcode() == llvm::Instruction::SExt) return Bounds{-half, half - 1};
        return std::nullopt;
    }

    std::optional<Bounds> of_instruction(llvm::Instruction& i) const {
        if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&i)) return of_cast(*cast);
        if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&i)) {
            const auto x = of(select->getTrueValue()), y = of(select->getFalseValue());
            if (!x || !y) return std::nullopt;
            return hull({x->least, x->most, y->least, y->most});
        }
        if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) return of_call(*call);
        if (!llvm::isa<llvm::BinaryOperator>(i)) return std::nullopt;
        const auto x = of(i.getOperand(0)), y = of(i.getOperand(1));
        if (i.getOpcode() == llvm::Instruction::And) return of_and(x, y);
        return x && y ? of_operation(i.getOpcode(), *x, *y) : std::nullopt;
    }

    static std::optional<Bounds> of_and(const std::optional<Bounds>& x, const std::optional<Bounds>& y) {
        if (!x || !y) return std::nullopt; // what it is masked from would have to be narrow
        if (x->is_natural() && y->is_natural()) return Bounds{0, std::min(x->most, y->most)};
        if (x->is_natural() || y->is_natural()) return Bounds{0, x->is_natural() ? x->most : y->most};
        return Bounds{INT16_MIN, INT16_MAX};
    }

    static std::optional<Bounds> of_operation(unsigned opcode, const Bounds& x, const Bounds& y) {
        const bool shifts = y.least >= 0 && y.most < kNarrow;
        switch (opcode) {
        case llvm::Instruction::Add: return Bounds{x.least + y.least, x.most + y.most};
        case llvm::Instruction::Sub: return Bounds{x.least - y.most, x.most - y.least};
        case llvm::Instruction::Mul:
            return hull({x.least * y.least, x.least * y.most, x.most * y.least, x.most * y.most});
        case llvm::Instruction::Shl: {
            if (!shifts) return std::nullopt;
            const std::int64_t low = std::int64_t{1} << y.least, high = std::int64_t{1} << y.most;
            return hull({x.least * low, x.least * high, x.most * low, x.most * high});
        }
        case llvm::Instruction::LShr:
            if (!x.is_natural()) return std::nullopt;
            [[fallthrough]];
        case llvm::Instruction::AShr:
            if (!shifts) return std::nullopt;
            return hull({x.least >> y.least, x.least >> y.most, x.most >> y.least, x.most >> y.most});
        case llvm::Instruction::Or:
        case llvm::Instruction::Xor: {
            if (!x.is_natural() || !y.is_natural()) return Bounds{INT16_MIN, INT16_MAX};
            const auto most = static_cast<std::uint64_t>(std::max(x.most, y.most));
            return Bounds{0, static_cast<std::int64_t>((std::uint64_t{1} << std::bit_width(most)) - 1)};
        }
        default: return std::nullopt;
        }
    }

    std::optional<Bounds> of_call(llvm::IntrinsicInst& call) const {
        const llvm::Intrinsic::ID id = call.getIntrinsicID();
        if (!has_narrow_form(id)) return std::nullopt;
        const auto x = of(call.getArgOperand(0));
        if (!x) return std::nullopt;
        if (id == llvm::Intrinsic::abs) {
            const std::int64_t most = std::max(std::abs(x->least), std::abs(x->most));
            return Bounds{0, most};
        }
        const auto y = of(call.getArgOperand(1));
        if (!y) return std::nullopt;
        if (id == llvm::Intrinsic::smin) return Bounds{std::min(x->least, y->least), std::min(x->most, y->most)};
        if (id == llvm::Intrinsic::smax) return Bounds{std::max(x->least, y->least), std::max(x->most, y->most)};
        return hull({x->least, x->most, y->least, y->most}); // one of both
    }

    static bool has_narrow_form(llvm::Intrinsic::ID id) {
        return id == llvm::Intrinsic::abs || id == llvm::Intrinsic::smin || id == llvm::Intrinsic::smax ||
               id == llvm::Intrinsic::umin || id == llvm::Intrinsic::umax;
    }

    static bool is_operation(const Value* value) { return !llvm::isa<llvm::CastInst>(value); }

    // --- what is computed together

    [[nodiscard]] bool is_known(Value* value) const {
        auto* i = llvm::dyn_cast<llvm::Instruction>(value);
        return i && bounds_.contains(i);
    }

    void join() {
        for (auto& [i, bounds] : bounds_) {
            groups_.insert(i);
            if (!is_operation(i)) continue;
            for (Value* operand : i->operands())
                if (is_known(operand)) groups_.unionSets(i, llvm::cast<llvm::Instruction>(operand));
        }
    }

    void weigh() {
        for (auto& [i, bounds] : bounds_) {
            Weight& weight = weights_[groups_.getLeaderValue(i)];
            if (is_operation(i))
                ++weight.operations;
            else
                weight.bytes += i->getOperand(0)->getType()->getScalarSizeInBits() == 8;
            weight.extended += std::any_of(i->user_begin(), i->user_end(), [&](llvm::User* user) {
                return !is_known(user) && !takes_narrow(*llvm::cast<llvm::Instruction>(user));
            });
        }
    }

    [[nodiscard]] bool pays(llvm::Instruction* i) {
        constexpr int kFewestOperations = 3;
        const Weight& weight = weights_[groups_.getLeaderValue(i)];
        return weight.bytes && weight.operations >= kFewestOperations && weight.operations > 2 * weight.extended;
    }

    /// A user whose own result does not become narrow, and that needs no more than 16 bits.
    [[nodiscard]] bool takes_narrow(const llvm::Instruction& user) const {
        if (llvm::isa<llvm::TruncInst>(user)) return user.getType()->getScalarSizeInBits() <= kNarrow;
        const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&user);
        if (!compare) return false;
        return std::all_of(compare->op_begin(), compare->op_end(), [&](const llvm::Use& operand) {
            const auto bounds = of(operand.get());
            return bounds && bounds->is_narrow();
        });
    }

    // --- the narrow form

    static llvm::Type* narrow_type(const Value* value) { return value->getType()->getWithNewBitWidth(kNarrow); }

    Value* narrow(Value* value) {
        if (auto* constant = llvm::dyn_cast<llvm::Constant>(value))
            return llvm::ConstantExpr::getTrunc(constant, narrow_type(constant));
        auto* i = llvm::cast<llvm::Instruction>(value);
        if (const auto found = made_.find(i); found != made_.end()) return found->second;
        llvm::IRBuilder<> b(i->getNextNode());
        b.SetCurrentDebugLocation(i->getDebugLoc());
        Value* result = make(b, *i);
        made_[i] = result;
        return result;
    }

    Value* make(llvm::IRBuilder<>& b, llvm::Instruction& i) {
        llvm::Type* type = narrow_type(&i);
        if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&i))
            return b.CreateCast(cast->getOpcode(), cast->getOperand(0), type);
        if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&i))
            return b.CreateSelect(select->getCondition(), narrow(select->getTrueValue()),
                                  narrow(select->getFalseValue()));
        if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) {
            const bool has_flag = call->getIntrinsicID() == llvm::Intrinsic::abs; // of the least number, which differs
            Value* second = has_flag ? b.getFalse() : narrow(call->getArgOperand(1));
            return b.CreateBinaryIntrinsic(call->getIntrinsicID(), narrow(call->getArgOperand(0)), second);
        }
        const auto& operation = llvm::cast<llvm::BinaryOperator>(i);
        return b.CreateBinOp(operation.getOpcode(), narrow(i.getOperand(0)), narrow(i.getOperand(1)));
    }

    /// Of a result that becomes narrow: users that do not take it extended.
    bool replace_uses(llvm::Instruction* i) {
        llvm::SmallVector<llvm::Instruction*, 8> users;
        for (llvm::User* user : i->users())
            if (auto* one = llvm::cast<llvm::Instruction>(user);
                !is_known(one) && std::find(users.begin(), users.end(), one) == users.end())
                users.push_back(one);
        Value* extended = nullptr;
        for (llvm::Instruction* user : users) {
            llvm::IRBuilder<> b(user);
            if (takes_narrow(*user)) {
                Value* instead = nullptr;
                if (auto* compare = llvm::dyn_cast<llvm::ICmpInst>(user))
                    instead = b.CreateICmp(compare->getPredicate(), narrow(compare->getOperand(0)),
                                           narrow(compare->getOperand(1)));
                else
                    instead = b.CreateTrunc(narrow(i), user->getType());
                user->replaceAllUsesWith(instead);
                user->eraseFromParent();
                continue;
            }
            if (!extended) {
                Value* result = narrow(i);
                auto* made = llvm::dyn_cast<llvm::Instruction>(result);
                b.SetInsertPoint((made ? made : i)->getNextNode());
                b.SetCurrentDebugLocation(i->getDebugLoc());
                extended = b.CreateSExt(result, i->getType());
            }
            user->replaceUsesOfWith(i, extended);
        }
        return !users.empty();
    }

    llvm::Function& function_;
    llvm::MapVector<llvm::Instruction*, Bounds> bounds_;
    llvm::EquivalenceClasses<llvm::Instruction*> groups_;
    llvm::DenseMap<llvm::Instruction*, Weight> weights_;
    llvm::DenseMap<llvm::Instruction*, Value*> made_;
};

} // namespace

llvm::PreservedAnalyses NarrowPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return Narrowing(function).run() ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace warplight::jit
