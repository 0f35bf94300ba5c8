// SPDX-License-Identifier: Apache-2.0
#include "pipeline.hpp"

#include "access_site_pass.hpp"
#include "address_pass.hpp"
#include "low_bits_pass.hpp"
#include "mask_pass.hpp"
#include "masked_merge_pass.hpp"
#include "row_ahead_pass.hpp"
#include "short_loop_pass.hpp"
#include "software/jit/emit/thread_loop.hpp"
#include "software/jit/front/unit.hpp"
#include "software/jit/jit.hpp"
#include "turn_pass.hpp"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/Coroutines/CoroCleanup.h>
#include <llvm/Transforms/Coroutines/CoroEarly.h>
#include <llvm/Transforms/Coroutines/CoroSplit.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Inliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <stdexcept>

namespace warplight::jit {

namespace {

/// Instructions; beyond, what LLVM finds in its own pipeline and not in ours is not worth the time.
constexpr std::size_t kManyInstructions = 1'000;
constexpr std::size_t kVeryManyInstructions = 2'000;
/// Beyond, loops over threads are left as they are: each access is compared with each other one.
constexpr std::size_t kMuchToVectorize = 4'000;
constexpr std::size_t kLongCode = 500;       ///< instructions, optimised; beyond, loops are left as they are
constexpr std::size_t kLargeModule = 20'000; ///< instructions; beyond, code is generated with less effort
constexpr std::size_t kHugeModule = 80'000;  ///< beyond, quickly

/// Sets an option that LLVM offers on its command line alone.
template <class T>
void set_option(const char* name, T value) {
    auto& options = llvm::cl::getRegisteredOptions();
    if (const auto found = options.find(name); found != options.end())
        static_cast<llvm::cl::opt<T>*>(found->second)->setValue(value);
}

void choose_settings() {
    // InstCombine moves a computation to the only block that uses its result, across a suspension too: then all of its
    // operands are kept in the coroutine's frame instead of the one result.
    set_option("instcombine-code-sinking", false);
    // On Zen 4 some kernels' speed depends on where their blocks of code begin (docs/measurements.md). These begin
    // at a multiple of 2^5 bytes. The padding before them never runs.
    set_option("align-all-nofallthru-blocks", 5U);
}

/// WARPLIGHT_JIT_CPU in the environment names a processor to generate code for, as `clang -march` does: one that can do
/// less than this one, so that code for it is tested here as well.
llvm::Expected<llvm::orc::JITTargetMachineBuilder> find_host() {
    const char* wanted = std::getenv("WARPLIGHT_JIT_CPU");
    if (!wanted || !*wanted) return llvm::orc::JITTargetMachineBuilder::detectHost();
    llvm::orc::JITTargetMachineBuilder builder{llvm::Triple{llvm::sys::getProcessTriple()}};
    builder.setCPU(wanted);
    return builder;
}

const llvm::orc::JITTargetMachineBuilder& host_builder() {
    static const llvm::orc::JITTargetMachineBuilder builder = [] {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
        choose_settings();
        auto host = find_host();
        if (!host) throw std::runtime_error("no code generator for this machine: " + llvm::toString(host.takeError()));
        host->setRelocationModel(llvm::Reloc::PIC_);
        host->setCodeModel(llvm::CodeModel::Small);
        llvm::TargetOptions& options = host->getOptions();
        options.AllowFPOpFusion = llvm::FPOpFusion::Strict; // PTX is contracted already
        options.TrapUnreachable = true;
        return *host;
    }();
    return builder;
}

} // namespace

const std::string& host_description() {
    static const std::string text = [] {
        const llvm::orc::JITTargetMachineBuilder& builder = host_builder();
        return builder.getTargetTriple().str() + " " + builder.getCPU() + " " + builder.getFeatures().getString();
    }();
    return text;
}

unsigned host_width() {
    static const bool wide = host_description().find("+avx512f") != std::string::npos;
    return wide ? 16 : 8;
}

bool host_masks_anything() { return host_width() >= 16; }

bool host_has_halves() {
    static const bool has = host_description().find("+avx512fp16") != std::string::npos;
    return has;
}

std::unique_ptr<llvm::TargetMachine> make_target_machine(std::size_t instructions) {
    llvm::orc::JITTargetMachineBuilder builder = host_builder();
    builder.setCodeGenOptLevel(instructions > kHugeModule    ? llvm::CodeGenOptLevel::None
                               : instructions > kLargeModule ? llvm::CodeGenOptLevel::Less
                                                             : llvm::CodeGenOptLevel::Default);
    auto machine = builder.createTargetMachine();
    if (!machine) throw std::runtime_error("no code generator: " + llvm::toString(machine.takeError()));
    return std::move(*machine);
}

bool is_optimised_less(std::size_t instructions) { return instructions > kLargeModule; }

std::size_t count_instructions(const llvm::Module& module) {
    std::size_t count = 0;
    for (const llvm::Function& f : module)
        count += f.getInstructionCount();
    return count;
}

void prepare(llvm::Module& module, llvm::TargetMachine& machine) {
    module.setTargetTriple(machine.getTargetTriple().str());
    module.setDataLayout(machine.createDataLayout());
    for (llvm::Function& f : module) {
        if (f.isDeclaration()) continue;
        f.addFnAttr("target-cpu", machine.getTargetCPU());
        f.addFnAttr("target-features", machine.getTargetFeatureString());
        // LLVM spills vectors to a stack that it has not aligned for them. A kernel that waits at barriers is called
        // for each part of a thread: there the aligning costs more than it gains.
        if (f.getName() == kBlockSymbol) f.addFnAttr("stackrealign");
    }
}

namespace {

/// What is computed again behind a suspension instead of being kept in the coroutine's frame: addresses, what LLVM
/// takes for cheap of vectors, and a number in every lane, which is as wide as the vectors and kept as one. A number
/// that was calculated is a load from the frame, and to make it of others is as many loads as it has others.
bool is_remade(llvm::Instruction& i) {
    if (llvm::isa<llvm::CastInst, llvm::GetElementPtrInst>(i)) return true;
    if (llvm::isa<llvm::BinaryOperator, llvm::CmpInst, llvm::SelectInst>(i)) return i.getType()->isVectorTy();
    if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&i))
        return llvm::isa<llvm::UndefValue>(insert->getOperand(0));
    const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&i);
    return shuffle && shuffle->isZeroEltSplat();
}

/// What pays for code that LLVM is not to make vectors of: a third to a half of the time of LLVM's own pipeline, for
/// the same code but for a few instructions in a hundred. Code that is of vectors already has nothing to inline but
/// what it should keep apart.
llvm::ModulePassManager short_pipeline(bool coroutine, bool inlines, std::size_t instructions,
                                       std::ptrdiff_t functions) {
    llvm::ModulePassManager all;
    if (coroutine) all.addPass(llvm::CoroEarlyPass());
    if (inlines && functions > 1) all.addPass(llvm::ModuleInlinerWrapperPass(llvm::getInlineParams(2, 0)));
    llvm::FunctionPassManager first;
    first.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    first.addPass(llvm::EarlyCSEPass(true));
    first.addPass(AddressPass());
    first.addPass(llvm::SimplifyCFGPass());
    first.addPass(llvm::InstCombinePass());
    first.addPass(LowBitsPass());
    first.addPass(llvm::SimplifyCFGPass());
    llvm::LoopPassManager loops;
    loops.addPass(llvm::LoopRotatePass());
    loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
    first.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), true));
    const bool many = instructions > kManyInstructions, very_many = instructions > kVeryManyInstructions;
    // Much code of one thread is as its compiler left it: what else is looked for is not there.
    if (!very_many || coroutine || !inlines) {
        // What each load may find again takes longer to ask than all else where there are very many, as in fragments of
        // matrices; what can be found EarlyCSE has found.
        first.addPass(llvm::GVNPass(llvm::GVNOptions().setMemDep(!very_many)));
        first.addPass(llvm::SCCPPass());
        if (!coroutine) first.addPass(llvm::JumpThreadingPass());
        if (inlines || !many) first.addPass(llvm::InstCombinePass());
        first.addPass(llvm::DSEPass());
    }
    first.addPass(llvm::ADCEPass());
    first.addPass(llvm::SimplifyCFGPass());
    all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(first)));
    if (!coroutine) {
        all.addPass(llvm::GlobalDCEPass());
        return all;
    }
    all.addPass(llvm::createModuleToFunctionPassAdaptor(TurnPass()));
    // Coroutines come apart: what starts them, goes on, and ends them.
    llvm::CGSCCPassManager split;
    split.addPass(llvm::CoroSplitPass(is_remade, true));
    all.addPass(llvm::createModuleToPostOrderCGSCCPassAdaptor(std::move(split)));
    all.addPass(llvm::GlobalDCEPass());
    llvm::FunctionPassManager last;
    last.addPass(llvm::EarlyCSEPass(true));
    last.addPass(llvm::JumpThreadingPass());
    last.addPass(llvm::InstCombinePass());
    last.addPass(llvm::SimplifyCFGPass());
    all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(last)));
    all.addPass(llvm::CoroCleanupPass());
    all.addPass(llvm::GlobalDCEPass());
    return all;
}

} // namespace

void optimise(llvm::Module& module, llvm::TargetMachine& machine, std::size_t instructions, Threads threads) {
    llvm::PipelineTuningOptions tuning;
    tuning.LoopVectorization = true;
    tuning.LoopInterleaving = true;
    tuning.SLPVectorization = true;
    llvm::PassBuilder builder(&machine, tuning);
    builder.registerPipelineEarlySimplificationEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
        llvm::FunctionPassManager early;
        early.addPass(AddressPass());
        early.addPass(LowBitsPass());
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(early)));
    });
    builder.registerLateLoopOptimizationsEPCallback(
        [](llvm::LoopPassManager& passes, llvm::OptimizationLevel) { passes.addPass(KeepShortLoopsPass()); });
    builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
        llvm::FunctionPassManager last;
        last.addPass(ShortLoopPass());
        last.addPass(RowAheadPass());
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(last)));
    });
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    if (threads == Threads::side_by_side || instructions > kMuchToVectorize ||
        (threads == Threads::one_by_one && instructions > kManyInstructions))
        short_pipeline(
            module.getFunction(kThreadSymbol) != nullptr, threads != Threads::side_by_side, instructions,
            std::count_if(module.begin(), module.end(), [](const llvm::Function& f) { return !f.isDeclaration(); }))
            .run(module, modules);
    else
        builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, modules);
    loop_over_threads(module);
    for (llvm::Function& f : module) {
        if (f.isDeclaration()) continue;
        if (threads == Threads::side_by_side) (void)MaskPass::run(f, functions);
        (void)MaskedMergePass::run(f, functions);
    }
}

namespace {

/// Takes the passes that are not to run out of LLVM's list.
class ChosenPasses final : public llvm::legacy::PassManagerBase {
public:
    ChosenPasses(llvm::legacy::PassManagerBase& to, std::size_t instructions, Threads threads)
        : to_(to), instructions_(instructions), threads_(threads) {}
    void add(llvm::Pass* pass) override {
        if (gains_nothing(pass->getPassName()))
            delete pass;
        else
            to_.add(pass);
    }

private:
    [[nodiscard]] bool gains_nothing(llvm::StringRef pass) const {
        // Better ways to write a loop's addresses, which take up to a quarter of all the time to find, and bits in
        // other registers: nothing that a long loop would feel.
        if (pass == "Loop Strength Reduction" || pass == "Canonicalize Freeze Instructions in Loops" ||
            pass == "X86 Domain Reassignment Pass")
            return instructions_ > kLongCode;
        // A thread's own code has more constants than registers to keep them in. Very long code of one thread is less
        // than a tenth slower in whatever order it is.
        if (threads_ != Threads::one_by_one) return false;
        if (pass == "Early Machine Loop Invariant Code Motion" || pass == "Machine Common Subexpression Elimination" ||
            pass == "Live Range Shrink" || pass == "Machine Copy Propagation Pass" ||
            pass == "Machine Late Instructions Cleanup Pass")
            return instructions_ > 2 * kLongCode;
        if (pass == "Machine Instruction Scheduler" || pass == "Machine code sinking" || pass == "Machine InstCombiner")
            return instructions_ > 3 * kLongCode;
        return false;
    }

    llvm::legacy::PassManagerBase& to_;
    std::size_t instructions_;
    Threads threads_;
};

} // namespace

std::unique_ptr<llvm::MemoryBuffer> make_object(llvm::Module& module, llvm::TargetMachine& machine, Threads threads) {
    auto& target = static_cast<llvm::LLVMTargetMachine&>(machine);
    llvm::legacy::PassManager all;
    ChosenPasses passes(all, count_instructions(module), threads);
    auto* info = new llvm::MachineModuleInfoWrapperPass(&target);
    llvm::TargetPassConfig* config = target.createPassConfig(passes);
    config->setDisableVerify(true);
    config->disablePass(&llvm::LiveDebugValuesID); // there are lines, and no variables
    passes.add(config);
    passes.add(info);
    if (config->addISelPasses()) throw std::runtime_error("no code generator for this machine");
    config->addMachinePasses();
    passes.add(make_access_site_pass());
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
