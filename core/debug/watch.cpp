// SPDX-License-Identifier: Apache-2.0
#include "watch.hpp"

#include <cstring>

namespace warplight::debug {
namespace {

std::uint64_t variable_address(const Call& call, const ptx::StepFrameLayout& layout, std::uint32_t variable) {
    std::uint64_t address = 0;
    std::memcpy(&address, call.frame + *layout.variables[variable], sizeof address);
    return address;
}

} // namespace

Watch::Watch(int number, std::string_view expression, const Scope& scope, const Program& program,
             const software::SteppedBlock& block, std::uint32_t thread, std::size_t call)
    : id(number), name(expression), block_(block.number), thread_(thread) {
    const std::vector<Call> calls = calls_of(block, thread, program);
    if (call >= calls.size()) throw ExpressionError("The thread has ended.");
    depth_ = static_cast<std::uint32_t>(calls.size() - call);
    function_ = calls[call].function;
    if (scope.register_of(expression)) {
        kind_ = Kind::reg;
        return;
    }
    const Value value = Expression(expression).evaluate(scope);
    if (!value.address) throw ExpressionError("Only variables and memory can be watched.");
    address_ = value.address;
    bytes_ = program.info.size_of(value.type);
    if (bytes_ == 0) throw ExpressionError("This has no size: cast it, as in *(float*)p.");
    const std::uint64_t in_shared = address_ - reinterpret_cast<std::uint64_t>(block.context->shared);
    if (in_shared < block.shared_bytes) {
        kind_ = Kind::shared;
        address_ = in_shared;
        return;
    }
    for (std::size_t k = 0; k < calls.size(); ++k) {
        const ptx::StepFrameLayout& layout = program.layout(calls[k].function);
        const auto& variables = program.function(calls[k].function).variables;
        for (std::uint32_t v = 0; v < variables.size(); ++v) {
            if (!layout.variables[v]) continue;
            const std::uint64_t offset = address_ - variable_address(calls[k], layout, v);
            if (offset >= variables[v].size) continue;
            kind_ = Kind::local;
            address_ = offset;
            variable_ = v;
            depth_ = static_cast<std::uint32_t>(calls.size() - k);
            function_ = calls[k].function;
            return;
        }
    }
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> Watch::range(const software::SteppedBlock& block,
                                                                    const Program& program) const {
    if (kind_ == Kind::memory) return std::pair(address_, bytes_);
    if (kind_ == Kind::reg || block.number != block_) return std::nullopt;
    if (kind_ == Kind::shared)
        return std::pair(reinterpret_cast<std::uint64_t>(block.context->shared) + address_, bytes_);
    const std::vector<Call> calls = calls_of(block, thread_, program);
    if (calls.size() < depth_) return std::nullopt;
    const Call& call = calls[calls.size() - depth_];
    if (call.function != function_) return std::nullopt;
    return std::pair(variable_address(call, program.layout(function_), variable_) + address_, bytes_);
}

std::optional<Watch::Change> Watch::change(const software::SteppedBlock& block, const software::SteppedLaunch& launch,
                                           Program& program, std::uint64_t round) {
    const std::vector<Call> calls = calls_of(block, thread_, program);
    if (calls.size() < depth_ || calls[calls.size() - depth_].function != function_) {
        last_.reset();
        return std::nullopt;
    }
    const Call& call = calls[calls.size() - depth_];
    const Scope scope(program, launch, block, thread_, call);
    Seen now{std::nullopt, {round, call.site}};
    try {
        if (const auto value = scope.find(name)) now.value = bytes_of(*value, scope);
    } catch (const ExpressionError&) { // NOLINT(bugprone-empty-catch): it has no value at this line
    }
    const std::optional<Seen> before = std::exchange(last_, now);
    if (!before || !now.value || before->value == now.value) return std::nullopt;
    return before->where;
}

} // namespace warplight::debug
