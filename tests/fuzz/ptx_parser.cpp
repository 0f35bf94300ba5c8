// SPDX-License-Identifier: Apache-2.0
// PTX of any bytes: parsed, or refused with a message. What is parsed is sound enough to be laid out.
#include "software/ptx/parser.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace warplight::ptx;

namespace {

void check_operand(const Module& m, const Function& f, const Operand& o) {
    using Kind = Operand::Kind;
    const bool names_register = o.kind == Kind::reg || (o.kind == Kind::address && o.base_kind == Kind::reg);
    if (names_register && o.reg >= f.registers.size()) std::abort();
    if (o.kind == Kind::label && f.labels.at(o.index).instruction >= f.instructions.size()) std::abort();
    if (o.kind == Kind::function && o.index >= m.functions.size()) std::abort();
    if (o.kind == Kind::branch_targets && o.index >= f.branch_targets.size()) std::abort();
    for (const Operand& element : o.elements)
        check_operand(m, f, element);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto result = parse(std::string_view(reinterpret_cast<const char*>(data), size));
    if (const auto* error = std::get_if<ParseError>(&result)) {
        if (!error->message.starts_with("ptx, line ")) std::abort();
        return 0;
    }
    const Module& m = std::get<Module>(result);
    for (FunctionId id = 0; id < m.functions.size(); ++id) {
        const Function& f = m.functions[id];
        for (const Instruction& i : f.instructions) {
            for (const Operand& o : i.operands)
                check_operand(m, f, o);
            if (i.location >= static_cast<std::int32_t>(m.locations.size())) std::abort();
        }
        if (f.defined && f.instructions.empty()) std::abort();
        (void)estimate_registers(f);
        (void)layout_parameters(f.parameters);
        if (f.kernel) (void)layout_shared(m, reachable_from(m, id));
    }
    for (const Variable& v : m.variables) {
        if (v.initial.size() > v.size) std::abort();
        for (const Variable::Relocation& r : v.relocations)
            if (r.offset + r.width > v.initial.size()) std::abort();
    }
    return 0;
}
