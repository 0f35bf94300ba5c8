// SPDX-License-Identifier: Apache-2.0
#include "stepping.hpp"

#include <algorithm>

namespace warplight::ptx {
namespace {

/// Instructions that branches lead to.
std::vector<bool> branch_targets(const Function& f) {
    std::vector<bool> targets(f.instructions.size() + 1);
    const auto add = [&](LabelId label) { targets[f.labels.at(label).instruction] = true; };
    for (const Instruction& i : f.instructions)
        for (const Operand& o : i.operands)
            if (o.kind == Operand::Kind::label) add(o.index);
    for (const BranchTargets& list : f.branch_targets)
        for (const LabelId label : list.labels)
            add(label);
    return targets;
}

/// The compiler gives line 0 to code that belongs to no line.
bool has_place(const Instruction& i, const Module& module) {
    return i.location >= 0 && module.locations[static_cast<std::size_t>(i.location)].line != 0;
}

/// Of a function with a body: when it returns, the thread is in the middle of a line.
bool is_call(const Instruction& i, const Function& f, const Module& module) {
    if (i.call < 0) return false;
    const auto& callee = f.calls.at(static_cast<std::size_t>(i.call)).callee;
    return !callee || module.functions[*callee].defined;
}

} // namespace

bool has_places(const Function& f, const Module& module) {
    return std::any_of(f.instructions.begin(), f.instructions.end(),
                       [&](const Instruction& i) { return has_place(i, module); });
}

std::vector<bool> stepping_points(const Function& f, const Module& module) {
    if (!has_places(f, module)) return std::vector<bool>(f.instructions.size(), true);
    std::vector<bool> points(f.instructions.size());
    const std::vector<bool> targets = branch_targets(f);
    std::int32_t last = -1;
    for (std::size_t k = 0; k < points.size(); ++k) {
        const Instruction& i = f.instructions[k];
        if (!has_place(i, module)) continue;
        points[k] = i.location != last || targets[k] || (k > 0 && is_call(f.instructions[k - 1], f, module));
        last = i.location;
    }
    return points;
}

StepFrameLayout step_frame_layout(const Function& f) {
    StepFrameLayout layout;
    std::uint64_t at = StepFrameLayout::kHead;
    layout.variables.resize(f.variables.size());
    for (std::size_t k = 0; k < f.variables.size(); ++k) {
        if (f.variables[k].space != Space::local) continue;
        layout.variables[k] = at;
        at += 8;
    }
    layout.parameters.resize(f.parameters.size());
    for (std::size_t k = 0; !f.kernel && k < f.parameters.size(); ++k) {
        layout.parameters[k] = at;
        at += 8;
    }
    for (const Register& r : f.registers) {
        const std::uint64_t bytes = std::max<std::uint64_t>(bits(r.type) / 8, 1);
        at = (at + bytes - 1) / bytes * bytes;
        layout.registers.push_back(at);
        at += bytes;
    }
    layout.size = (at + 15) / 16 * 16;
    return layout;
}

} // namespace warplight::ptx
