// SPDX-License-Identifier: Apache-2.0
#include "code_generator.hpp"

#include "access_site_pass.hpp"
#include "software/jit/passes/pipeline.hpp"

#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>

#include <stdexcept>

namespace warplight::jit {

namespace {

constexpr std::size_t kLongCode = 500; ///< instructions, optimised

/// LLVM's list of machine passes, without those that do not pay for their time in long code.
class ShorterList final : public llvm::legacy::PassManagerBase {
public:
    ShorterList(llvm::legacy::PassManagerBase& to, const llvm::Module& module, Vectors vectors)
        : to_(to), instructions_(count_instructions(module)), vectors_(vectors),
          has_many_tests_(jit::has_many_tests(module)) {}
    void add(llvm::Pass* pass) override {
        if (pays(pass->getPassName()))
            to_.add(pass);
        else
            delete pass;
    }

private:
    [[nodiscard]] bool pays(llvm::StringRef pass) const {
        // Loop strength reduction takes up to a quarter of the compile time. In long code none of these three passes
        // makes loops faster.
        if (pass == "Loop Strength Reduction" || pass == "Canonicalize Freeze Instructions in Loops" ||
            pass == "X86 Domain Reassignment Pass")
            return instructions_ <= kLongCode;
        if (has_many_tests_ && (pass.contains("Loop Invariant Code Motion") || pass == "Machine code sinking"))
            return false;
        if (vectors_ != Vectors::none) return true;
        // Scalar code has more constants than registers to keep them in.
        if (pass == "Early Machine Loop Invariant Code Motion" || pass == "Machine Common Subexpression Elimination" ||
            pass == "Live Range Shrink" || pass == "Machine Copy Propagation Pass" ||
            pass == "Machine Late Instructions Cleanup Pass")
            return instructions_ <= 2 * kLongCode;
        // The order of instructions makes very long scalar code less than a tenth slower.
        if (pass == "Machine Instruction Scheduler" || pass == "Machine code sinking" || pass == "Machine InstCombiner")
            return instructions_ <= 3 * kLongCode;
        return true;
    }

    llvm::legacy::PassManagerBase& to_;
    std::size_t instructions_;
    Vectors vectors_;
    bool has_many_tests_;
};

} // namespace

std::unique_ptr<llvm::MemoryBuffer> make_object(llvm::Module& module, llvm::TargetMachine& machine, Vectors vectors) {
    auto& target = static_cast<llvm::LLVMTargetMachine&>(machine);
    llvm::legacy::PassManager all;
    ShorterList passes(all, module, vectors);
    auto* info = new llvm::MachineModuleInfoWrapperPass(&target);
    llvm::TargetPassConfig* config = target.createPassConfig(passes);
    config->setDisableVerify(true);
    config->disablePass(&llvm::LiveDebugValuesID); // the code has lines and no variables
    passes.add(config);
    passes.add(info);
    if (config->addISelPasses()) throw std::runtime_error("no code generator for this machine");
    config->addMachinePasses();
    passes.add(make_access_site_pass()); // last: it reads the final instructions
    config->setInitialized();
    llvm::SmallVector<char, 0> object;
    llvm::raw_svector_ostream out(object);
    if (target.addAsmPrinter(passes, out, nullptr, llvm::CodeGenFileType::ObjectFile, info->getMMI().getContext()))
        throw std::runtime_error("no code generator for this machine");
    passes.add(llvm::createFreeMachineFunctionPass());
    all.run(module);
    return std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(object), false);
}

} // namespace warplight::jit
