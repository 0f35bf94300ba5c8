// SPDX-License-Identifier: Apache-2.0
#include "code_generator.hpp"

#include "access_site_pass.hpp"
#include "software/jit/passes/pipeline.hpp"

#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

namespace warplight::jit {

namespace {

constexpr std::size_t kLongCode = 500; ///< instructions, optimised

/// What kernels never have: garbage collection, memory tags, probes, protection of returns, tiles of AMX, calls of
/// library functions, exceptions. Or what LLVM does not do for x86: lanes of registers, early if-conversion. Or what
/// changed nothing in 432 kernels: masks in general registers. Each pass looks at each function all the same, and asks
/// for analyses.
bool finds_nothing(llvm::StringRef pass) {
    static constexpr auto kNames = std::to_array<std::string_view>({
        "Add __emutls_[vt]. variables for emultated TLS model",
        "Analyze Machine Code For Garbage Collection",
        "Argument Stack Rebase",
        "Contiguously Lay Out Funclets",
        "Detect Dead Lanes",
        "Early If-Conversion",
        "Exception handling preparation",
        "Expand indirectbr instructions",
        "Expand large div/rem",
        "Expand large fp convert",
        "Expand memcmp() to load/stores",
        "Expand vector predication intrinsics",
        "Fixup Statepoint Caller Saved",
        "Implement the 'patchable-function' attribute",
        "Init Undef Pass",
        "Insert KCFI indirect call checks",
        "Insert XRay ops",
        "Insert fentry calls",
        "Insert stack protectors",
        "Instrument function entry/exit with calls to e.g. mcount() (post inlining)",
        "Local Dynamic TLS Access Clean-up",
        "Local Stack Slot Allocation",
        "Lower AMX intrinsics",
        "Lower AMX type for load/store",
        "Lower Garbage Collection Instructions",
        "Machine Sanitizer Binary Metadata",
        "Merge contiguous icmps into a memcmp",
        "Partially inline calls to library functions",
        "Prepare callbr",
        "Pseudo Probe Inserter",
        "Register Allocation Pass Scoring",
        "Remove Redundant DEBUG_VALUE analysis",
        "Rename Disconnected Subregister Components",
        "Replace intrinsics with calls to vector library",
        "Safe Stack instrumentation pass",
        "Shadow Stack GC Lowering",
        "Stack Frame Layout Analysis",
        "StackMap Liveness Analysis",
        "TLS Variable Hoist",
        "Tile Register Configure",
        "Tile Register Pre-configure",
        "Unpack machine instruction bundles",
        "X86 Atom pad short functions",
        "X86 Discriminate Memory Operands",
        "X86 Domain Reassignment Pass",
        "X86 Indirect Branch Tracking",
        "X86 Indirect Thunks",
        "X86 Insert Cache Prefetches",
        "X86 Load Value Injection (LVI) Load Hardening",
        "X86 Load Value Injection (LVI) Ret-Hardening",
        "X86 Lower Tile Copy",
        "X86 PIC Global Base Reg Initialization",
        "X86 Return Thunks",
        "X86 Speculative Execution Side Effect Suppression",
        "X86 Windows Fixup Buffer Security Check",
        "X86 insert wait instruction",
        "X86 speculative load hardening",
    });
    static_assert(std::is_sorted(kNames.begin(), kNames.end()));
    return std::binary_search(kNames.begin(), kNames.end(), std::string_view(pass));
}

/// LLVM's list of machine passes, without those that do not pay for their time in long code.
class ShorterList final : public llvm::legacy::PassManagerBase {
public:
    ShorterList(llvm::legacy::PassManagerBase& to, const llvm::Module& module, CodeTraits traits)
        : to_(to), instructions_(count_instructions(module)), traits_(traits),
          has_many_tests_(jit::has_many_tests(module)) {}
    void add(llvm::Pass* pass) override {
        if (pays(pass->getPassName()))
            to_.add(pass);
        else
            delete pass;
    }

private:
    [[nodiscard]] bool pays(llvm::StringRef pass) const {
        if (finds_nothing(pass)) return false;
        // The processors that LLVM orders code for once more, behind the allocation of registers, do so themselves. But
        // increments in memory wait for each other.
        if (pass == "Post RA top-down list latency scheduler") return traits_.increments;
        // Registers are saved once for a whole block or many rounds: where in the function makes no difference.
        if (pass == "Shrink Wrapping analysis") return false;
        // Loop strength reduction takes up to a quarter of the compile time. In long code neither of these two passes
        // makes loops faster.
        if (pass == "Loop Strength Reduction" || pass == "Canonicalize Freeze Instructions in Loops")
            return instructions_ <= kLongCode;
        if (has_many_tests_ && (pass.contains("Loop Invariant Code Motion") || pass == "Machine code sinking"))
            return false;
        if (traits_.vectors != Vectors::none) return true;
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
    CodeTraits traits_;
    bool has_many_tests_;
};

} // namespace

std::unique_ptr<llvm::MemoryBuffer> make_object(llvm::Module& module, llvm::TargetMachine& machine, CodeTraits traits) {
    auto& target = static_cast<llvm::LLVMTargetMachine&>(machine);
    llvm::legacy::PassManager all;
    ShorterList passes(all, module, traits);
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
