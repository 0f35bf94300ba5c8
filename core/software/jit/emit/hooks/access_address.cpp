// SPDX-License-Identifier: Apache-2.0
#include "access_address.hpp"

namespace warplight::jit {

using llvm::Value;
using ptx::Operand;
using ptx::Space;
using Scope = Operand::Scope;

namespace {

constexpr std::uint64_t kWord = 8; ///< bytes of a pointer
constexpr std::uint64_t kOfModule = std::uint64_t{1} << 32, kOfFunction = std::uint64_t{2} << 32;

} // namespace

std::vector<std::uint32_t> instructions_with_accesses(const ptx::Function& function) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t k = 0; k < function.instructions.size(); ++k)
        if (!ptx::all_accesses_of(function.instructions[k]).empty()) found.push_back(k);
    return found;
}

std::optional<std::uint64_t> memory_of(const Emitter& e, const ptx::Root& root) {
    if (root.scope == Scope::module) return kOfModule + root.index;
    if (root.scope == Scope::function) return kOfFunction + root.index;
    if (root.scope != Scope::parameter || !e.function.kernel) return std::nullopt;
    const std::uint64_t at = e.unit.kernel_parameters.offsets.at(root.index) + root.offset;
    return at % kWord ? std::nullopt : std::optional(at / kWord);
}

bool has_base(const Operand& address) {
    return address.kind == Operand::Kind::reg || address.base_kind == Operand::Kind::reg;
}

Space space_of(const Emitter& e, const Operand& address, Space written) {
    return is_by_variable(address) ? e.variables.space_of(address) : written;
}

bool is_hookable(const Emitter& e, const Operand& address, Space written) {
    const Space space = space_of(e, address, written);
    if (is_shared(space)) return true;
    if (space == Space::param) return false;
    return !has_base(address) || ptx::bits(e.function.registers[address.reg].type) == 64;
}

Value* count_of(Emitter& e, const ptx::MemoryAccess& access) {
    if (!access.count) return nullptr;
    const Operand& count = *access.count;
    const bool ignores = count.kind == Operand::Kind::reg && e.function.registers[count.reg].type == ptx::Type::pred;
    if (ignores) return e.b.CreateSelect(e.read(count, ptx::Type::pred), e.integer(32, 0), e.integer(32, access.bytes));
    Value* bytes = e.read(count, ptx::Type::b32);
    if (access.bytes == 0) return bytes;
    return e.intrinsic(llvm::Intrinsic::umin, {bytes->getType()}, {bytes, e.integer(32, access.bytes)});
}

Value* address_of(Emitter& e, const Operand& address, Space written) {
    const auto offset = static_cast<std::uint64_t>(address.kind == Operand::Kind::reg ? 0 : address.integer);
    const bool shared = is_shared(space_of(e, address, written));
    if (is_by_variable(address)) {
        Value* at = e.variables.lane_addresses_of(address);
        return shared ? e.b.CreateTrunc(at, e.integer_type(32)) : at;
    }
    if (!has_base(address)) return shared ? e.integer(32, offset & 0xffffffffU) : e.integer(64, offset);
    if (!shared) return e.b.CreateAdd(e.registers.read(address.reg, ptx::Type::b64), e.integer(64, offset));
    return e.b.CreateAdd(e.registers.read(address.reg, ptx::Type::b32), e.integer(32, offset & 0xffffffffU));
}

} // namespace warplight::jit
