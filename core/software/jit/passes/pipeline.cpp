// SPDX-License-Identifier: Apache-2.0
#include "pipeline.hpp"

#include "address_pass.hpp"
#include "block_rows.hpp"
#include "block_values.hpp"
#include "confine_pass.hpp"
#include "device_alias.hpp"
#include "grid_stride_pass.hpp"
#include "half_compare_pass.hpp"
#include "insertion_pass.hpp"
#include "lane_index_pass.hpp"
#include "launch_facts_pass.hpp"
#include "local_memory_pass.hpp"
#include "low_bits_pass.hpp"
#include "mask_pass.hpp"
#include "masked_merge_pass.hpp"
#include "narrow_pass.hpp"
#include "near_pass.hpp"
#include "overlap_pass.hpp"
#include "pointer_test_pass.hpp"
#include "row_prefetch_pass.hpp"
#include "same_gather_pass.hpp"
#include "short_loop_pass.hpp"
#include "software/jit/ir_conventions.hpp"
#include "thread_loop.hpp"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>
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
#include <optional>

namespace warplight::jit {

namespace {

// Instructions of the module as emitted.
constexpr std::size_t kManyInstructions = 1'000; ///< LLVM's own pipeline finds little more than ours beyond
constexpr std::size_t kVeryManyInstructions = 2'000;
/// LLVM compares each access of a loop over threads with each other one. Beyond, such loops are left as they are.
constexpr std::size_t kMuchToVectorize = 4'000;

/// What the passes have to know of a module.
struct Code {
    bool coroutine;
    Vectors vectors;
    std::size_t instructions;
    std::ptrdiff_t functions;
    bool has_many_tests;

    [[nodiscard]] bool is_scalar() const { return vectors != Vectors::emitted; }
    [[nodiscard]] bool is_long() const { return instructions > kManyInstructions; }
    [[nodiscard]] bool is_very_long() const { return instructions > kVeryManyInstructions; }
    /// LLVM's own pipeline is for code that LLVM may make vectors of. Ours takes a third to a half of the time for
    /// nearly the same code.
    [[nodiscard]] bool has_short_pipeline() const {
        return vectors == Vectors::emitted || instructions > kMuchToVectorize ||
               (vectors == Vectors::none && is_long()) || has_many_tests;
    }
};

Code code_of(const llvm::Module& module, std::size_t instructions, Vectors vectors) {
    const auto defined = [](const llvm::Function& f) { return !f.isDeclaration(); };
    return {module.getFunction(kThreadSymbol) != nullptr, vectors, instructions,
            std::count_if(module.begin(), module.end(), defined), has_many_tests(module)};
}

/// Leaves out dead stores where there are slots for memory of the thread. Elsewhere the kernel's own compiler has found
/// nearly all, and to look takes a hundredth of the time.
class SlotStoresPass : public llvm::PassInfoMixin<SlotStoresPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses) {
        if (llvm::none_of(f.getEntryBlock(), llvm::IsaPred<llvm::AllocaInst>)) return llvm::PreservedAnalyses::all();
        return llvm::DSEPass().run(f, analyses);
    }
};

// --- the short pipeline: these four lists, one after the other

/// 1. Before anything is simplified.
void add_first_passes(llvm::ModulePassManager& all, const Code& code) {
    if (code.coroutine) all.addPass(llvm::CoroEarlyPass()); // lowers the intrinsics that no other pass knows
    if (code.is_scalar() && code.functions > 1)             // emitted vectors have no calls but those to be kept apart
        all.addPass(llvm::ModuleInlinerWrapperPass(llvm::getInlineParams(2, 0)));
}

/// 2. Simplifies each function.
void add_simplifying_passes(llvm::ModulePassManager& all, const Code& code) {
    llvm::FunctionPassManager each;
    each.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG)); // PTX registers are stack slots till here
    if (!code.coroutine) each.addPass(LaunchFactsPass());       // frames would keep them
    // Equal addresses become one, and so do equal loads where GVN does not look for them.
    each.addPass(llvm::EarlyCSEPass(code.is_very_long()));
    each.addPass(NearPass());    // conditions are no phis yet
    each.addPass(AddressPass()); // integers become pointers
    each.addPass(llvm::SimplifyCFGPass());
    if (!code.has_many_tests) each.addPass(llvm::InstCombinePass());
    each.addPass(LowBitsPass());                          // one test of alignment for each access in a loop
    if (!code.coroutine) each.addPass(PointerTestPass()); // frames would keep the pointers
    each.addPass(llvm::SimplifyCFGPass());                // removes branches of tests that are known now
    llvm::LoopPassManager loops;
    loops.addPass(llvm::LoopRotatePass());              // gives LICM a place to hoist to
    loops.addPass(llvm::LICMPass(llvm::LICMOptions())); // hoists addresses and loads
    each.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), true));
    // Very long scalar code is left as its own compiler optimised it: nothing else is to be found there.
    if (!code.is_very_long() || code.coroutine || !code.is_scalar()) {
        // MemDep takes longer than all else where there are very many loads, as in fragments of matrices. EarlyCSE has
        // found most equal loads.
        each.addPass(llvm::GVNPass(llvm::GVNOptions().setMemDep(!code.is_very_long())));
        if (code.vectors == Vectors::emitted) {
            each.addPass(SameGatherPass());
            each.addPass(OverlapPass());
        }
        each.addPass(llvm::SCCPPass());                               // constants through loops
        if (!code.coroutine) each.addPass(llvm::JumpThreadingPass()); // coroutines have theirs after they are split
        if (!code.has_many_tests && (code.is_scalar() || !code.is_long()))
            each.addPass(llvm::InstCombinePass()); // of the results of GVN
        each.addPass(SlotStoresPass());            // stores that GVN made dead
    }
    each.addPass(llvm::ADCEPass()); // the rest of what is dead, loops of phis included
    each.addPass(llvm::SimplifyCFGPass());
    if (!code.coroutine) each.addPass(SinkPass()); // what only seldom ways use
    all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(each)));
}

bool is_splat_of_scalar(const llvm::Instruction& i) {
    if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&i))
        return llvm::isa<llvm::UndefValue>(insert->getOperand(0));
    const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&i);
    return shuffle && shuffle->isZeroEltSplat();
}

bool is_cheap_on_vectors(const llvm::Instruction& i) {
    return i.getType()->isVectorTy() &&
           llvm::isa<llvm::BinaryOperator, llvm::CmpInst, llvm::SelectInst, llvm::CastInst>(i);
}

/// Whether a vector is made of no more than `most` vectors that would have to be kept in its place.
bool is_made_of_few(const llvm::Instruction& made, unsigned most) {
    constexpr unsigned kMostOperations = 24;
    llvm::SmallPtrSet<const llvm::Value*, 16> seen, kept;
    llvm::SmallVector<const llvm::Instruction*, 16> todo{&made};
    while (!todo.empty()) {
        const llvm::Instruction* i = todo.pop_back_val();
        for (const llvm::Value* operand : i->operands()) {
            if (llvm::isa<llvm::Constant>(operand) || !operand->getType()->isVectorTy()) continue;
            if (!seen.insert(operand).second) continue;
            const auto* from = llvm::dyn_cast<llvm::Instruction>(operand);
            if (from && (is_cheap_on_vectors(*from) || is_splat_of_scalar(*from)))
                todo.push_back(from);
            else
                kept.insert(operand);
        }
        if (kept.size() > most || seen.size() > kMostOperations) return false;
    }
    return true;
}

/// Whether an integer or a condition is made of one other and of constants, by few operations.
bool is_cheap_number(const llvm::Instruction& made) {
    constexpr unsigned kMostOperations = 4;
    const auto is_cheap = [](const llvm::Instruction& i) {
        if (!i.getType()->isIntegerTy() || !i.getOperand(0)->getType()->isIntegerTy()) return false;
        if (!llvm::isa<llvm::BinaryOperator, llvm::ICmpInst>(i) || i.isIntDivRem()) return false;
        return llvm::isa<llvm::ConstantInt>(i.getOperand(0)) || llvm::isa<llvm::ConstantInt>(i.getOperand(1));
    };
    const llvm::Instruction* i = &made;
    for (unsigned operations = 0; operations < kMostOperations; ++operations) {
        if (!is_cheap(*i)) return operations > 0;
        const unsigned other = llvm::isa<llvm::ConstantInt>(i->getOperand(0)) ? 1 : 0;
        i = llvm::dyn_cast<llvm::Instruction>(i->getOperand(other));
        if (!i) return true;
    }
    return !is_cheap(*i);
}

/// Whether a number is the same for all threads of the block. Rounds compute it once for all of them.
bool is_of_block(const llvm::Instruction& i) {
    constexpr unsigned kMostSteps = 6;
    const llvm::Function& f = *i.getFunction();
    if (f.getName() != kThreadSymbol) return false;
    const auto block = llvm::find_if(f.getArg(0)->users(), [&](const llvm::User* user) {
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(user);
        return load && load->getType()->isPointerTy() && load->getParent() == &f.getEntryBlock();
    });
    if (block == f.getArg(0)->user_end() || *block == &i) return false;
    return ValuesOfBlock(*block, f.getDataLayout()).has_all_of(i, kMostSteps);
}

/// Values that are computed again behind a suspension, instead of being kept in the coroutine's frame: addresses, cheap
/// vector operations, and a number in every lane, which is as wide as a vector and kept as one number. So is a number
/// made of one other: it is one load from the frame as well, and no store. Numbers and vectors made of several others
/// are kept, as computing them again would load each of these. So is a mask: it takes a few bytes, the vector that it
/// was made of does not.
bool is_recomputed(llvm::Instruction& i) {
    if (is_of_block(i)) return true;
    if (is_splat_of_scalar(i)) return true;
    if (is_cheap_on_vectors(i)) return is_made_of_few(i, i.getType()->getScalarSizeInBits() == 1 ? 0 : 1);
    return llvm::isa<llvm::CastInst, llvm::GetElementPtrInst>(i) || is_cheap_number(i);
}

/// Into functions that start, resume and destroy coroutines.
void add_coroutine_split(llvm::ModulePassManager& all) {
    all.addPass(llvm::createModuleToFunctionPassAdaptor(LocalMemoryPass())); // frames hold nothing that can be indexed
    all.addPass(llvm::createModuleToFunctionPassAdaptor(GridStridePass()));  // keeps stores to the frame out of loops
    llvm::CGSCCPassManager split;
    split.addPass(llvm::CoroSplitPass(is_recomputed, true));
    all.addPass(llvm::createModuleToPostOrderCGSCCPassAdaptor(std::move(split)));
    all.addPass(llvm::GlobalDCEPass()); // the unused ones of the three
}

/// 3. Splits coroutines.
void add_coroutine_passes(llvm::ModulePassManager& all, const Code& code) {
    add_coroutine_split(all);
    llvm::FunctionPassManager each;
    each.addPass(llvm::EarlyCSEPass(true));                          // several loads of one value from the frame
    each.addPass(llvm::JumpThreadingPass());                         // from the resume switch to its targets
    if (!code.has_many_tests) each.addPass(llvm::InstCombinePass()); // addresses in the frame
    llvm::LoopPassManager loops;
    loops.addPass(llvm::LICMPass(llvm::LICMOptions())); // loads from the frame, which LLVM puts where they are used
    each.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), true));
    each.addPass(llvm::SimplifyCFGPass());
    all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(each)));
    all.addPass(llvm::CoroCleanupPass()); // lowers the remaining intrinsics
}

llvm::ModulePassManager short_pipeline(const Code& code) {
    llvm::ModulePassManager all;
    add_first_passes(all, code);
    add_simplifying_passes(all, code);
    if (code.coroutine) add_coroutine_passes(all, code);
    all.addPass(llvm::GlobalDCEPass()); // 4. functions that nobody calls any more
    return all;
}

// --- the quick pipeline: for quick code

/// What a code generator that optimises nothing would take longest for, if it was left: registers on the stack, equal
/// addresses, whole frames of coroutines that keep what is cheap to have again.
llvm::ModulePassManager quick_pipeline(const Code& code) {
    llvm::ModulePassManager all;
    if (code.coroutine) all.addPass(llvm::CoroEarlyPass());
    llvm::FunctionPassManager each;
    each.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    each.addPass(llvm::EarlyCSEPass(true));
    each.addPass(AddressPass());
    each.addPass(llvm::SimplifyCFGPass());
    if (!code.has_many_tests) each.addPass(llvm::InstCombinePass());
    each.addPass(LowBitsPass());
    each.addPass(llvm::SimplifyCFGPass());
    all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(each)));
    if (code.coroutine) {
        add_coroutine_split(all);
        llvm::FunctionPassManager parts;
        parts.addPass(llvm::JumpThreadingPass());
        parts.addPass(llvm::SimplifyCFGPass());
        all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(parts)));
        all.addPass(llvm::CoroCleanupPass());
    }
    all.addPass(llvm::GlobalDCEPass());
    return all;
}

// --- LLVM's own pipeline, with our passes in it

llvm::ModulePassManager full_pipeline(llvm::PassBuilder& builder) {
    builder.registerPipelineEarlySimplificationEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
        llvm::FunctionPassManager each;
        each.addPass(AddressPass()); // first, for all analyses of memory
        each.addPass(LowBitsPass());
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(each)));
    });
    builder.registerScalarOptimizerLateEPCallback([](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
        passes.addPass(LocalMemoryPass()); // before coroutines are split
    });
    builder.registerLateLoopOptimizationsEPCallback([](llvm::LoopPassManager& passes, llvm::OptimizationLevel) {
        passes.addPass(KeepShortLoopsPass()); // before LLVM unrolls them
    });
    builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
        llvm::FunctionPassManager each;
        each.addPass(ShortLoopPass());   // no pass may simplify its code afterwards
        each.addPass(RowPrefetchPass()); // of the loops that remain
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(each)));
    });
    return builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
}

/// After all that would have more to do for several rows.
void loop_over_rows(llvm::Module& module, const llvm::TargetMachine& machine, llvm::FunctionAnalysisManager& analyses) {
    llvm::Function* block = module.getFunction(kBlockSymbol);
    if (!block || block->isDeclaration()) return;
    if (put_block_rows_in_step(*block, machine.getTargetTransformInfo(*block)))
        analyses.invalidate(*block, llvm::PreservedAnalyses::none());
}

/// Loops around a suspension have one way in only where each segment has a loop of its own.
void hoist_in_round(llvm::Module& module, llvm::FunctionAnalysisManager& analyses) {
    llvm::Function* round = module.getFunction(kRoundSymbol);
    if (!round || round->isDeclaration()) return;
    llvm::FunctionPassManager passes;
    llvm::LoopPassManager loops;
    loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), true));
    analyses.invalidate(*round, llvm::PreservedAnalyses::none());
    passes.run(*round, analyses);
}

/// Last of all passes, because InstCombine would undo their work. All but the first keep LLVM from mistakes of its code
/// generator.
void rewrite_masks(llvm::Module& module, llvm::FunctionAnalysisManager& analyses, Vectors vectors) {
    for (llvm::Function& f : module) {
        if (f.isDeclaration()) continue;
        if (vectors == Vectors::emitted) {
            (void)NarrowPass::run(f, analyses);
            (void)MaskPass::run(f, analyses);
        }
        (void)MaskedMergePass::run(f, analyses);
        (void)HalfComparePass::run(f, analyses);
        (void)InsertionPass::run(f, analyses);
    }
}

/// Of a kernel whose coroutines may be rows of threads.
std::optional<RowVectors> rows_of(llvm::Module& module, const llvm::TargetMachine& machine, const Optimisation& how) {
    llvm::Function* thread = module.getFunction(kThreadSymbol);
    if (how.tier == Tier::quick || how.lanes < 2 || !thread) return std::nullopt;
    const llvm::TargetTransformInfo target = machine.getTargetTransformInfo(*thread);
    const auto bits = target.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
    return RowVectors{how.lanes, static_cast<unsigned>(bits), target.getNumberOfRegisters(1)};
}

/// After all other passes, so that none undoes it.
void wall_in(llvm::Module& module, llvm::FunctionAnalysisManager& analyses, Walls walls) {
    for (llvm::Function& f : module) {
        if (f.isDeclaration()) continue;
        (void)LocalMemoryPass::move_slots(f);
        if (walls != Walls::none) {
            analyses.invalidate(f, llvm::PreservedAnalyses::none());
            ConfinePass::run(f, analyses, walls);
        }
        (void)LaneIndexPass::run(f, analyses);
    }
}

/// A pass of our own may make what LLVM does not notice until it crashes. Builds with sanitizers look.
void check([[maybe_unused]] const llvm::Module& module) {
#ifdef WARPLIGHT_VERIFY_CODE
    if (llvm::verifyModule(module, &llvm::errs())) llvm::report_fatal_error("generated code is malformed");
#endif
}

} // namespace

bool has_many_tests(const llvm::Module& module) {
    constexpr unsigned kMany = 300;
    const llvm::Function* check = module.getFunction("wl_rt_check_access");
    return check && check->hasNUsesOrMore(kMany);
}

std::size_t count_instructions(const llvm::Module& module) {
    std::size_t count = 0;
    for (const llvm::Function& f : module)
        count += f.getInstructionCount();
    return count;
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine, const Optimisation& how) {
    llvm::PipelineTuningOptions tuning;
    tuning.LoopVectorization = true;
    tuning.LoopInterleaving = true;
    tuning.SLPVectorization = true;
    llvm::PassBuilder builder(&machine, tuning);
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    register_device_alias(builder, functions);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);

    const Code code = code_of(module, how.instructions, how.vectors);
    (how.tier == Tier::quick     ? quick_pipeline(code)
     : code.has_short_pipeline() ? short_pipeline(code)
                                 : full_pipeline(builder))
        .run(module, modules);
    const auto rows = rows_of(module, machine, how);
    loop_over_threads(module, rows ? &*rows : nullptr); // needs split coroutines
    if (how.tier != Tier::quick) hoist_in_round(module, functions);
    if (how.tier != Tier::quick && how.vectors == Vectors::emitted) loop_over_rows(module, machine, functions);
    rewrite_masks(module, functions, how.vectors);
    wall_in(module, functions, how.walls);
    check(module);
}

} // namespace warplight::jit
