// SPDX-License-Identifier: Apache-2.0
#include "vector_code.hpp"

#include "software/jit/emit/shape.hpp"
#include "software/jit/front/kernel_source.hpp"
#include "software/jit/ir_conventions.hpp"
#include "software/jit/passes/pipeline.hpp"
#include "software/jit/passes/target.hpp"
#include "software/ptx/parser.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <utility>

namespace jit = warplight::jit;
namespace ptx = warplight::ptx;

namespace {

/// A function that moves the elements of lanes one after the other.
bool is_far_access(const llvm::Function& f) {
    return f.getName().starts_with("wl_load_") || f.getName().starts_with("wl_store_");
}

} // namespace

VectorCode vector_code(std::string_view text, unsigned width) {
    auto parsed = ptx::parse(text);
    const ptx::Module& module = std::get<ptx::Module>(parsed);
    jit::Options options;
    options.width = width;
    jit::KernelSource source = jit::prepare_source(module, 0, options);
    jit::LanesOrObstacle lanes = jit::plan_source(source, width);
    const jit::Mode mode = source.analysis.functions[0].waits ? jit::Mode::coroutine : jit::Mode::loop;
    jit::Unit unit(*source.module, 0, mode, options, std::move(source.analysis));
    if (width > 1) unit.lanes = std::move(lanes.plan.value());
    unit.joins_blocks = unit.has_turns = source.has_turns;
    unit.leaves_idle_rows = unit.lanes && mode == jit::Mode::loop && !unit.has_turns &&
                            !jit::find_idle_exits(source.module->functions[0], *unit.lanes).empty();
    const auto machine = jit::take_target_machine(0);
    jit::set_layout(*unit.ir, *machine);
    jit::emit_kernel(unit);
    jit::set_target_attributes(*unit.ir, *machine);
    jit::optimise(*unit.ir, *machine,
                  {jit::count_instructions(*unit.ir), width > 1 ? jit::Vectors::emitted : jit::Vectors::by_llvm,
                   jit::Walls::none, jit::Tier::fast, width});
    VectorCode code;
    code.leaves_idle_rows = unit.leaves_idle_rows;
    for (const llvm::Function& f : *unit.ir) {
        for (const llvm::BasicBlock& block : f)
            code.loops_in_step += block.getTerminator()->getMetadata(jit::kInStepMetadata) != nullptr;
        for (const llvm::Instruction& i : llvm::instructions(f)) {
            if (const auto* compare = llvm::dyn_cast<llvm::FCmpInst>(&i)) {
                const llvm::Type* type = compare->getOperand(0)->getType();
                code.float_compares += type->isVectorTy();
                code.half_compares += type->isVectorTy() && type->getScalarType()->isHalfTy();
            }
            if (i.getOpcode() == llvm::Instruction::Add || i.getOpcode() == llvm::Instruction::Sub)
                code.short_sums += i.getType()->isVectorTy() && i.getType()->getScalarType()->isIntegerTy(16);
            if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i))
                if (const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(load->getType()))
                    code.short_loads += type->getNumElements() < width;
            if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i)) {
                const bool is_wide = store->getValueOperand()->getType()->isVectorTy();
                code.wide_stores += is_wide;
                code.whole_stores += is_wide && store->getPointerAddressSpace() == jit::kDeviceSpace;
            }
            if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) {
                code.wide_stores += call->getIntrinsicID() == llvm::Intrinsic::masked_store;
                code.gathers += call->getCalledFunction()->getName().contains("gather");
                code.lane_loops += call->getIntrinsicID() == llvm::Intrinsic::cttz && !is_far_access(f);
                code.gap_stores += call->getIntrinsicID() == llvm::Intrinsic::masked_store &&
                                   llvm::isa<llvm::Constant>(call->getArgOperand(3));
                code.prefetches += call->getIntrinsicID() == llvm::Intrinsic::prefetch;
                code.wide_products += call->getIntrinsicID() == llvm::Intrinsic::fma && call->getType()->isVectorTy();
            } else if (llvm::isa<llvm::CallInst>(&i)) {
                ++code.calls;
            }
        }
    }
    return code;
}
