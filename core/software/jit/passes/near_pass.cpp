// SPDX-License-Identifier: Apache-2.0
#include "near_pass.hpp"

#include "software/jit/emit/memory/prefetch.hpp"
#include "software/jit/ir_conventions.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Scalar/LoopSink.h>
#include <llvm/Transforms/Scalar/Sink.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <algorithm>
#include <vector>

namespace warplight::jit {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::dyn_cast;
using llvm::Instruction;
using llvm::isa;
using llvm::PHINode;
using llvm::Value;

constexpr std::uint64_t kPrefetchDistance = 256; ///< bytes: what the blocks to come of a picture read
constexpr std::size_t kMostInstructions = 2'000; ///< of a row; they are written twice

bool is_marked(const Instruction& i, const char* metadata = kAllNearMetadata) {
    const auto* branch = dyn_cast<BranchInst>(&i);
    return branch && branch->isConditional() && branch->getMetadata(metadata);
}

/// Which of their ways the branches of a row go.
enum class Way : std::uint8_t {
    near,   ///< the first
    picked, ///< the second, and there the first of a branch with kAllPickedMetadata
};

/// Where nothing goes on.
bool is_end(const BasicBlock& block) { return isa<llvm::UnreachableInst>(block.getTerminator()); }

/// Branches that follow one another, and the blocks in which all go the first way.
class Row {
public:
    Row(BranchInst& first, Way way, const llvm::DominatorTree& tree)
        : way_(way), tree_(tree), head_(*first.getParent()), first_(first) {}

    /// Whether there is more than one branch.
    [[nodiscard]] bool find() {
        if (!add(first_)) return false;
        while (follow()) {
        }
        return branches_.size() > 1;
    }

    void write() {
        hoist();
        copy();
        mend_uses();
    }

    [[nodiscard]] const std::vector<BranchInst*>& branches() const { return branches_; }

    /// Where not all go that way, none does: so the code stays short.
    void drop_tests() {
        for (BranchInst* test : tests_)
            test->setCondition(llvm::ConstantInt::getFalse(head_.getContext()));
    }

private:
    /// Adds a branch, and its block to the path. False: its condition is not known early enough.
    bool add(BranchInst& branch) {
        BasicBlock* block = branch.getParent();
        BranchInst* test = &branch;
        const std::size_t length = path_.size();
        if (way_ == Way::picked) {
            BasicBlock* other = branch.getSuccessor(1);
            test = dyn_cast<BranchInst>(other->getTerminator());
            if (!test || !is_marked(*test, kAllPickedMetadata) || !may_copy(*other)) return false;
            if (block != &head_) path_.push_back(block);
            path_.push_back(other);
        } else if (block != &head_) {
            path_.push_back(block);
        }
        const BasicBlock* on = test->getSuccessor(0)->getSingleSuccessor();
        if (!on || on == &head_ || is_in_path(*on) || !may_copy(*test->getSuccessor(0)) || !collect(*test)) {
            path_.resize(length);
            return false;
        }
        branches_.push_back(&branch);
        tests_.push_back(test);
        path_.push_back(test->getSuccessor(0));
        return true;
    }

    /// Goes on to the next branch and adds it.
    bool follow() {
        const std::size_t length = path_.size();
        BasicBlock* block = path_.back()->getSingleSuccessor();
        while (block && may_copy(*block)) {
            auto* end = dyn_cast<BranchInst>(block->getTerminator());
            if (!end) break;
            if (is_marked(*end)) {
                if (add(*end)) return true;
                break;
            }
            path_.push_back(block);
            block = next(*end);
        }
        path_.resize(length);
        return false;
    }

    [[nodiscard]] bool is_in_path(const BasicBlock& block) const {
        return std::find(path_.begin(), path_.end(), &block) != path_.end();
    }

    /// The only way on.
    static BasicBlock* next(const BranchInst& end) {
        if (end.isUnconditional()) return end.getSuccessor(0);
        if (is_end(*end.getSuccessor(0))) return end.getSuccessor(1);
        return is_end(*end.getSuccessor(1)) ? end.getSuccessor(0) : nullptr;
    }

    bool may_copy(const BasicBlock& block) {
        if (&block == &head_ || !tree_.dominates(&head_, &block)) return false;
        if (is_in_path(block)) return false; // a loop
        instructions_ += block.size();
        if (instructions_ > kMostInstructions) return false;
        return std::none_of(block.begin(), block.end(), [](const Instruction& i) {
            const auto* call = dyn_cast<llvm::CallBase>(&i);
            return i.getType()->isTokenTy() || (call && (call->cannotDuplicate() || call->isConvergent()));
        });
    }

    /// Adds what the condition needs to what is hoisted, operands first. False: it cannot be.
    bool collect(BranchInst& branch) {
        llvm::SmallSetVector<Instruction*, 32> more;
        if (!collect(branch.getCondition(), more)) return false;
        hoisted_.insert(more.begin(), more.end());
        return true;
    }
    bool collect(Value* value, llvm::SmallSetVector<Instruction*, 32>& more) {
        auto* i = dyn_cast<Instruction>(value);
        if (!i || more.contains(i) || hoisted_.contains(i) || tree_.dominates(i, head_.getTerminator())) return true;
        const bool reads = i->mayReadFromMemory() && !i->hasMetadata(llvm::LLVMContext::MD_invariant_load);
        if (isa<PHINode>(i) || reads || !llvm::isSafeToSpeculativelyExecute(i, head_.getTerminator())) return false;
        if (!std::all_of(i->op_begin(), i->op_end(), [&](Value* operand) { return collect(operand, more); }))
            return false;
        more.insert(i);
        return true;
    }

    void hoist() {
        for (Instruction* i : hoisted_)
            i->moveBefore(head_.getTerminator());
    }

    // --- the condition of all

    /// The terms of a conjunction. Those of all lanes are one test, of the vectors in `lanes`.
    static void split(Value* condition, llvm::SetVector<Value*>& single, llvm::SetVector<Value*>& lanes) {
        using namespace llvm::PatternMatch;
        Value *left = nullptr, *right = nullptr;
        if (match(condition, m_And(m_Value(left), m_Value(right)))) {
            split(left, single, lanes);
            split(right, single, lanes);
        } else if (llvm::CmpInst::Predicate predicate{};
                   match(condition, m_ICmp(predicate, m_BitCast(m_Value(left)), m_AllOnes())) &&
                   predicate == llvm::CmpInst::ICMP_EQ && left->getType()->isIntOrIntVectorTy(1)) {
            lanes.insert(left);
        } else {
            single.insert(condition);
        }
    }

    Value* condition_of_all(llvm::IRBuilder<>& b) const {
        llvm::SetVector<Value*> single, lanes;
        for (const BranchInst* test : tests_)
            split(test->getCondition(), single, lanes);
        Value* all = nullptr;
        for (Value* term : single)
            all = all ? b.CreateAnd(all, term) : term;
        llvm::MapVector<llvm::Type*, Value*> vectors; // LLVM may have halved one
        for (Value* term : lanes) {
            Value*& vector = vectors[term->getType()];
            vector = vector ? b.CreateAnd(vector, term) : term;
        }
        for (const auto& [type, vector] : vectors) {
            llvm::Type* bits = b.getIntNTy(llvm::cast<llvm::FixedVectorType>(type)->getNumElements());
            Value* each = b.CreateICmpEQ(b.CreateBitCast(vector, bits), llvm::ConstantInt::getAllOnesValue(bits));
            all = all ? b.CreateAnd(all, each) : each;
        }
        return all;
    }

    // --- the copy

    void copy() {
        // The path ends where the ways of the last branch meet.
        BasicBlock* end = path_.back()->getSingleSuccessor();
        std::vector<BasicBlock*> copies;
        copies.reserve(path_.size());
        for (BasicBlock* block : path_) {
            BasicBlock* copied =
                llvm::CloneBasicBlock(block, map_, way_ == Way::near ? ".near" : ".picked", head_.getParent());
            map_[block] = copied;
            copies.push_back(copied);
        }
        for (std::size_t k = 0; k < path_.size(); ++k)
            connect(*path_[k], *copies[k], k + 1 < path_.size() ? path_[k + 1] : end);
        for (BasicBlock* copied : copies)
            for (Instruction& i : *copied)
                llvm::RemapInstruction(&i, map_, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);

        if (way_ == Way::near) prefetch(*copies.back());
        BasicBlock* apart = head_.splitBasicBlock(first_.getIterator(), "apart");
        head_.getTerminator()->eraseFromParent();
        llvm::IRBuilder<> b(&head_);
        b.SetCurrentDebugLocation(first_.getDebugLoc());
        b.CreateCondBr(condition_of_all(b), copies.front(), apart,
                       llvm::MDBuilder(head_.getContext()).createLikelyBranchWeights());
    }

    /// Fetches what the last load's next neighbours will read: of a row of samples around each place it mostly is the
    /// first that comes to new memory. The next blocks are of the same lines of a picture, so that the processor's
    /// prefetchers find no pattern.
    static void prefetch(BasicBlock& last) {
        for (Instruction& i : last) {
            auto* load = dyn_cast<llvm::LoadInst>(&i);
            if (!load || load->getPointerAddressSpace() != kDeviceSpace) continue;
            llvm::IRBuilder<> b(load);
            fetch_line(b, load->getPointerOperand(), kPrefetchDistance);
            return;
        }
    }

    /// Ends the copy of a block by a branch to the copy of the next one; ways that end are left as they are.
    void connect(BasicBlock& block, BasicBlock& copied, BasicBlock* next) {
        auto* end = llvm::cast<BranchInst>(copied.getTerminator());
        const bool is_last = !map_.count(next);
        const auto add_to = [&](BasicBlock& target) {
            for (PHINode& phi : target.phis()) {
                Value* value = phi.getIncomingValueForBlock(&block);
                const auto known = map_.find(value);
                phi.addIncoming(known == map_.end() ? value : static_cast<Value*>(known->second), &copied);
            }
        };
        const Instruction* original = block.getTerminator();
        if (is_marked(*original) || is_marked(*original, kAllPickedMetadata)) {
            llvm::ReplaceInstWithInst(end, BranchInst::Create(next));
        } else {
            for (BasicBlock* target : llvm::successors(&block))
                if (target != next) add_to(*target);
        }
        if (is_last) return add_to(*next);
        // A copy has one predecessor: the copy of the block before.
        auto* copied_next = llvm::cast<BasicBlock>(map_[next]);
        while (auto* phi = dyn_cast<PHINode>(&copied_next->front())) {
            Value* value = phi->getIncomingValueForBlock(&block);
            const auto known = map_.find(value);
            Value* here = known == map_.end() ? value : static_cast<Value*>(known->second);
            map_[phi_of(*next, *phi)] = here;
            phi->replaceAllUsesWith(here);
            phi->eraseFromParent();
        }
    }
    /// The phi of the original block that a copy was made of.
    PHINode* phi_of(BasicBlock& block, const PHINode& copy) {
        for (PHINode& phi : block.phis())
            if (map_[&phi] == &copy) return &phi;
        llvm_unreachable("a copy of no phi");
    }

    /// Values of the path that are used behind it come from it or from its copy.
    void mend_uses() {
        llvm::SmallPtrSet<const BasicBlock*, 32> inside(path_.begin(), path_.end());
        for (BasicBlock* block : path_)
            inside.insert(llvm::cast<BasicBlock>(map_[block]));
        llvm::SSAUpdater updater;
        for (BasicBlock* block : path_)
            for (Instruction& i : *block) {
                llvm::SmallVector<llvm::Use*> outside;
                for (llvm::Use& use : i.uses()) {
                    auto* user = llvm::cast<Instruction>(use.getUser());
                    const auto* phi = dyn_cast<PHINode>(user);
                    const BasicBlock* where = phi ? phi->getIncomingBlock(use) : user->getParent();
                    if (!inside.contains(where)) outside.push_back(&use);
                }
                if (outside.empty()) continue;
                updater.Initialize(i.getType(), i.getName());
                updater.AddAvailableValue(block, &i);
                updater.AddAvailableValue(llvm::cast<BasicBlock>(map_[block]), map_[&i]);
                for (llvm::Use* use : outside)
                    updater.RewriteUse(*use);
            }
    }

    const Way way_;
    const llvm::DominatorTree& tree_;
    BasicBlock& head_;
    BranchInst& first_;
    std::vector<BranchInst*> branches_, tests_; ///< the tests tell whether the branches go that way
    std::vector<BasicBlock*> path_;             ///< behind the head
    std::size_t instructions_ = 0;
    llvm::SetVector<Instruction*> hoisted_; ///< what the conditions are made of, operands first
    llvm::ValueToValueMapTy map_;
};

} // namespace

llvm::PreservedAnalyses NearPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    std::vector<BranchInst*> marked;
    for (BasicBlock& block : function)
        if (is_marked(*block.getTerminator())) marked.push_back(llvm::cast<BranchInst>(block.getTerminator()));
    if (marked.size() < 2) return llvm::PreservedAnalyses::all();
    bool changed = false;
    for (BranchInst* branch : marked) {
        if (!is_marked(*branch)) continue; // in a row already
        std::vector<BranchInst*> done;
        for (const Way way : {Way::near, Way::picked}) {
            Row row(*branch, way, analyses.getResult<llvm::DominatorTreeAnalysis>(function));
            if (!row.find()) break;
            row.write();
            if (done.empty()) done = row.branches();
            if (way == Way::picked) row.drop_tests();
            analyses.invalidate(function, llvm::PreservedAnalyses::none());
            changed = true;
        }
        for (BranchInst* in_row : done)
            in_row->setMetadata(kAllNearMetadata, nullptr);
    }
    // LLVM then goes by the frequencies of blocks when it moves code (see SinkPass), in its code generator too.
    if (changed) function.setEntryCount(1);
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses SinkPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    if (!function.hasProfileData()) return llvm::PreservedAnalyses::all();
    llvm::PreservedAnalyses preserved = llvm::SinkingPass().run(function, analyses);
    analyses.invalidate(function, preserved);
    preserved.intersect(llvm::LoopSinkPass().run(function, analyses));
    return preserved;
}

} // namespace warplight::jit
