// SPDX-License-Identifier: Apache-2.0
// Instructions: guard, mnemonic, operands.
#include "parser_state.hpp"
#include "verify.hpp"
#include "words.hpp"

namespace warplight::ptx {

/// The opcode with all that follows it, as written.
std::string Parser::mnemonic() const {
    const char* start = opcode_text_.data();
    return {start, mnemonic_end_};
}

namespace {

/// mad of floating-point numbers had no rounding to be written at first: up to PTX 3.1 of f32, before 1.4 of f64. It is
/// to nearest, at once with the sum. Targets before sm_20 have no subnormal numbers of f32.
void round_as_before(const Module& module, Instruction& i) {
    if (i.opcode != Opcode::mad || i.type_count != 1) return;
    for (const Modifier m : {Modifier::rn, Modifier::rz, Modifier::rm, Modifier::rp})
        if (i.has(m)) return;
    const auto version = std::pair(module.version_major, module.version_minor);
    const bool single = i.types[0] == Type::f32 && version <= std::pair(3U, 1U);
    if (!single && (i.types[0] != Type::f64 || version >= std::pair(1U, 4U))) return;
    constexpr unsigned kFirstWithSubnormals = 20;
    i.modifiers.set(static_cast<std::size_t>(Modifier::rn));
    if (single && module.target < kFirstWithSubnormals) i.modifiers.set(static_cast<std::size_t>(Modifier::ftz));
}

/// Of matrices: the order of .row and .col tells which matrix is by rows and which by columns.
void note_layout(Instruction& i, Modifier m) {
    if ((m != Modifier::row && m != Modifier::col) || i.layouts == 8) return;
    if (m == Modifier::col) i.column_layouts |= static_cast<std::uint8_t>(1U << i.layouts);
    ++i.layouts;
}

/// `{%r1}` of a load or store of one register is that register: some compilers write all loads and stores so.
void unwrap(Instruction& i) {
    if (i.vector_width != 1 || (i.opcode != Opcode::ld && i.opcode != Opcode::ldu && i.opcode != Opcode::st)) return;
    Operand& o = i.operands.back();
    if (o.kind != Operand::Kind::vector || o.elements.size() != 1) return;
    Operand only = std::move(o.elements[0]);
    o = std::move(only);
}

} // namespace

void Parser::parse_mnemonic(Instruction& i) {
    const Token name = token_;
    opcode_text_ = expect_identifier("an instruction");
    mnemonic_end_ = opcode_text_.data() + opcode_text_.size();
    i.opcode = find_opcode(opcode_text_);
    std::string unknown;
    bool spaced = false;
    while (token_.kind == Token::Kind::word) {
        const std::string_view text = token_.text;
        mnemonic_end_ = text.data() + text.size();
        if (const Word* word = find_word(text)) {
            switch (word->kind) {
            case Word::Kind::modifier:
                i.modifiers.set(word->value);
                note_layout(i, static_cast<Modifier>(word->value));
                break;
            case Word::Kind::vector: i.vector_width = static_cast<std::uint8_t>(word->value); break;
            case Word::Kind::type:
                if (i.type_count == i.types.size()) fail(token_, "too many types in '" + mnemonic() + "'");
                i.types[i.type_count++] = static_cast<Type>(word->value);
                break;
            case Word::Kind::space:
                (spaced ? i.source_space : i.space) = static_cast<Space>(word->value);
                spaced = true;
                break;
            }
        } else if (unknown.empty()) {
            unknown = text;
        }
        advance();
    }
    if (i.opcode == Opcode::invalid) fail(name, "unknown instruction '" + mnemonic() + "'");
    if (!unknown.empty()) fail(name, "unknown modifier '." + unknown + "' of instruction '" + mnemonic() + "'");
}

void Parser::parse_instruction() {
    Instruction i;
    i.line = token_.line;
    i.column = token_.column;
    i.location = location_;
    if (accept('@')) {
        i.guarded = true;
        i.guard_negated = accept('!');
        const Token guard = token_;
        expect_identifier("a predicate");
        const Operand o = parse_named(guard);
        if (o.kind != Operand::Kind::reg || function_->registers[o.reg].type != Type::pred)
            fail(guard, "guard '" + std::string(guard.text) + "' is not a predicate");
        i.guard = o.reg;
    }
    const Token start = token_;
    parse_mnemonic(i);
    const auto index = static_cast<std::uint32_t>(function_->instructions.size());
    try {
        if (i.opcode == Opcode::call) {
            parse_call(i);
        } else if (!token_.is(';')) {
            i.operands.reserve(4);
            const bool branches = i.opcode == Opcode::bra || i.opcode == Opcode::brx;
            do {
                const auto number = static_cast<std::uint32_t>(i.operands.size());
                if (number == kMaxOperands) fail(token_, "too many operands");
                if (branches && number == (i.opcode == Opcode::brx ? 1u : 0u)) {
                    const Token label = token_;
                    expect_identifier("a label");
                    Operand& o = i.operands.emplace_back();
                    if (i.opcode == Opcode::bra) {
                        o.kind = Operand::Kind::label;
                        label_uses_.push_back({label.text, {label.line, label.column}, scope_, true, index, number});
                    } else {
                        o.kind = Operand::Kind::branch_targets;
                        table_uses_.push_back({label.text, {label.line, label.column}, index, number});
                    }
                } else {
                    i.operands.push_back(parse_operand());
                    unwrap(i);
                }
            } while (accept(','));
        }
        expect(';');
    } catch (Failure& failure) {
        // An error in an operand names its instruction.
        failure.message = "'" + mnemonic() + "': " + failure.message;
        throw;
    }
    round_as_before(module_, i);
    if (const std::optional<std::string> wrong = verify(module_, *function_, i))
        fail(start, "'" + mnemonic() + "': " + *wrong);
    function_->instructions.push_back(std::move(i));
}

} // namespace warplight::ptx
