// SPDX-License-Identifier: Apache-2.0
#include "short_loop_pass.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <array>
#include <utility>
#include <vector>

namespace warplight::jit {
namespace {

using llvm::dyn_cast;
using llvm::Instruction;
using llvm::isa;
using llvm::PHINode;
using llvm::Value;

constexpr unsigned kMostRounds = 3;
constexpr unsigned kMostInstructions = 24; // of a round: an unneeded round costs less than a mispredicted branch

class Straightening {
public:
    Straightening(llvm::Loop& loop, llvm::ScalarEvolution& evolution)
        : loop_(loop), evolution_(evolution), block_(*loop.getHeader()) {}

    [[nodiscard]] bool possible() {
        if (loop_.getNumBlocks() != 1 || !loop_.getLoopPreheader() || !loop_.getExitBlock()) return false;
        rounds_ = evolution_.getSmallConstantMaxTripCount(&loop_);
        if (rounds_ < 2 || rounds_ > kMostRounds) return false;
        again_ = evolution_.getBackedgeTakenCount(&loop_);
        const llvm::SCEVExpander expander(evolution_, block_.getDataLayout(), "turns");
        if (isa<llvm::SCEVCouldNotCompute>(again_) || !again_->getType()->isIntegerTy() ||
            !expander.isSafeToExpandAt(again_, loop_.getLoopPreheader()->getTerminator()))
            return false;
        unsigned count = 0;
        bool loads = false;
        for (const Instruction& i : block_.instructionsWithoutDebug()) {
            if (isa<PHINode>(i) || i.isTerminator()) continue;
            if (++count > kMostInstructions) return false;
            const auto* load = dyn_cast<llvm::LoadInst>(&i);
            if (load ? !load->isSimple() : i.mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(&i))
                return false;
            loads |= load != nullptr;
        }
        return loads;
    }

    /// Leaves the loop itself, without users, for deleteDeadLoop().
    void write() {
        Instruction* end = loop_.getLoopPreheader()->getTerminator();
        llvm::SCEVExpander expander(evolution_, block_.getDataLayout(), "turns");
        Value* again = expander.expandCodeFor(again_, again_->getType(), end);
        builder_.SetInsertPoint(end);
        std::vector<std::pair<PHINode*, Value*>> ends; // values used behind the loop, and their results
        for (PHINode& phi : loop_.getExitBlock()->phis())
            ends.emplace_back(&phi, nullptr);
        std::array<llvm::ValueToValueMapTy, kMostRounds> copies; // of each round
        for (unsigned round = 0; round < rounds_; ++round) {
            llvm::ValueToValueMapTy& now = copies[round];
            for (PHINode& phi : block_.phis())
                now[&phi] = round == 0 ? phi.getIncomingValueForBlock(loop_.getLoopPreheader())
                                       : value_in(copies[round - 1], phi.getIncomingValueForBlock(&block_));
            Value* taken =
                round == 0 ? nullptr : builder_.CreateICmpUGE(again, llvm::ConstantInt::get(again->getType(), round));
            for (Instruction& i : block_.instructionsWithoutDebug()) {
                if (isa<PHINode>(i) || i.isTerminator()) continue;
                Instruction* copy = i.clone();
                builder_.Insert(copy, i.getName());
                llvm::RemapInstruction(copy, now, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
                if (auto* load = dyn_cast<llvm::LoadInst>(copy); load && taken) {
                    load->dropUBImplyingAttrsAndMetadata();
                    builder_.SetInsertPoint(load);
                    auto* before = llvm::cast<llvm::LoadInst>(value_in(copies[0], &i));
                    load->setOperand(0, either(taken, load->getPointerOperand(), before->getPointerOperand()));
                    builder_.SetInsertPoint(end);
                }
                now[&i] = copy;
            }
            for (auto& [phi, value] : ends) {
                Value* here = value_in(now, phi->getIncomingValueForBlock(&block_));
                value = taken ? either(taken, here, value) : here;
            }
        }
        for (auto& [phi, value] : ends)
            phi->setIncomingValueForBlock(&block_, value);
    }

private:
    static Value* value_in(const llvm::ValueToValueMapTy& map, Value* value) {
        Value* found = map.lookup(value);
        return found ? found : value;
    }

    /// A select without a branch: x86 has no conditional move for floating-point numbers.
    Value* either(Value* condition, Value* yes, Value* no) {
        llvm::Type* type = yes->getType();
        if (type->isFloatingPointTy()) {
            llvm::Type* bits = builder_.getIntNTy(type->getPrimitiveSizeInBits());
            Value* chosen = either(condition, builder_.CreateBitCast(yes, bits), builder_.CreateBitCast(no, bits));
            return builder_.CreateBitCast(chosen, type);
        }
        Value* chosen = builder_.CreateSelect(condition, yes, no);
        if (auto* select = dyn_cast<llvm::SelectInst>(chosen))
            select->setMetadata(llvm::LLVMContext::MD_unpredictable,
                                llvm::MDBuilder(select->getContext()).createUnpredictable());
        return chosen;
    }

    llvm::Loop& loop_;
    llvm::ScalarEvolution& evolution_;
    llvm::BasicBlock& block_;
    llvm::IRBuilder<> builder_{block_.getContext()};
    unsigned rounds_ = 0;
    const llvm::SCEV* again_ = nullptr; ///< backedges taken
};

} // namespace

llvm::PreservedAnalyses KeepShortLoopsPass::run(llvm::Loop& loop, llvm::LoopAnalysisManager& /*analyses*/,
                                                llvm::LoopStandardAnalysisResults& results,
                                                llvm::LPMUpdater& /*updater*/) {
    if (loop.isInnermost() && Straightening(loop, results.SE).possible()) loop.setLoopAlreadyUnrolled();
    return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses ShortLoopPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
    if (loops.empty()) return llvm::PreservedAnalyses::all();
    auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
    auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    bool changed = false;
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
        if (!loop->isInnermost() || loop->getNumBlocks() != 1) continue;
        changed |= llvm::simplifyLoop(loop, &dominators, &loops, &evolution, nullptr, nullptr, false);
        changed |= llvm::formLCSSA(*loop, dominators, &loops, &evolution);
        Straightening straightening(*loop, evolution);
        if (!straightening.possible()) continue;
        straightening.write();
        llvm::deleteDeadLoop(loop, &dominators, &evolution, &loops);
        changed = true;
    }
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace warplight::jit
