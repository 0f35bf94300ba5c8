// SPDX-License-Identifier: Apache-2.0
#include "access_site_pass.hpp"

#include "software/jit/ir_conventions.hpp"

#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineInstr.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IntrinsicInst.h>

namespace warplight::jit {

namespace {

class AccessSitePass final : public llvm::MachineFunctionPass {
public:
    static char id;
    AccessSitePass() : MachineFunctionPass(id) {}

    bool runOnMachineFunction(llvm::MachineFunction& function) override {
        bool changed = false;
        for (llvm::MachineBasicBlock& block : function)
            for (llvm::MachineInstr& i : block) {
                if (!i.mayLoadOrStore() || i.isCall()) continue;
                if (const llvm::DILocation* place = place_of(i); place && place != i.getDebugLoc().get()) {
                    i.setDebugLoc(llvm::DebugLoc(place));
                    changed = true;
                }
            }
        return changed;
    }
    [[nodiscard]] llvm::StringRef getPassName() const override { return "places of accesses"; }
    void getAnalysisUsage(llvm::AnalysisUsage& usage) const override {
        usage.setPreservesAll();
        MachineFunctionPass::getAnalysisUsage(usage);
    }

private:
    [[nodiscard]] static bool is_of_an_instruction(const llvm::DILocation* place) {
        return place && place->getLine() != 0 && place->getLine() != kNoSiteLine;
    }

    /// The first access of the program that became part of this instruction. Null: the instruction's place is right.
    [[nodiscard]] static const llvm::DILocation* place_of(const llvm::MachineInstr& i) {
        const llvm::DILocation* own = i.getDebugLoc().get();
        const llvm::DILocation* first = nullptr;
        for (const llvm::MachineMemOperand* memory : i.memoperands()) {
            const llvm::Value* pointer = memory->getValue();
            if (!pointer || llvm::isa<llvm::Constant>(pointer)) continue;
            for (const llvm::User* user : pointer->users()) {
                const auto* access = llvm::dyn_cast<llvm::Instruction>(user);
                if (!access || !is_access(*access, *pointer, memory->isLoad(), memory->isStore())) continue;
                const llvm::DILocation* place = access->getDebugLoc().get();
                if (!is_of_an_instruction(place) || place->getScope() != access->getFunction()->getSubprogram())
                    continue;
                if (place == own) return nullptr;
                if (!first || place->getLine() < first->getLine()) first = place;
            }
        }
        return first;
    }

    [[nodiscard]] static bool is_access(const llvm::Instruction& i, const llvm::Value& pointer, bool loads,
                                        bool stores) {
        if (llvm::getLoadStorePointerOperand(&i) == &pointer) return llvm::isa<llvm::LoadInst>(i) ? loads : stores;
        if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::MemIntrinsic>(i)) return true;
        const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
        if (!call) return false;
        if (call->getIntrinsicID() == llvm::Intrinsic::masked_load) return loads;
        return call->getIntrinsicID() == llvm::Intrinsic::masked_store && stores && call->getArgOperand(1) == &pointer;
    }
};

char AccessSitePass::id = 0;

} // namespace

llvm::FunctionPass* make_access_site_pass() { return new AccessSitePass; }

} // namespace warplight::jit
