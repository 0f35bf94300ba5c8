// SPDX-License-Identifier: Apache-2.0
#include "random_forms.hpp"

#include "random_program.hpp"

#include "software/jit/jit.hpp"
#include "software/ptx/effects.hpp"
#include "software/ptx/parser.hpp"
#include "software/ptx/verify.hpp"
#include "software/ptx/words.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace ptx = warplight::ptx;
using ptx::Modifier;
using ptx::Opcode;
using ptx::OperandRule;
using ptx::Space;
using ptx::Type;
using Role = ptx::OperandRule::Role;
using Width = ptx::OperandRule::Width;

namespace {

constexpr const char* kRefused = "refused when a module is loaded";
constexpr NotGenerated kNotGenerated[] = {
    {"clmad", "*", kRefused, "clmad.lo.u64 %xl0, %xl1, %xl2, %xl0;"},
    {"add", "rn|rz|rm|rp? ftz?", kRefused}, // f32x2, and f32 of halves
    {"add", "rn|rz|rm|rp? sat?", kRefused},
    {"sub", "rn|rz|rm|rp? ftz?", kRefused},
    {"sub", "rn|rz|rm|rp? sat?", kRefused},
    {"mul", "rn|rz|rm|rp? ftz?", kRefused},
    {"fma", "rn|rz|rm|rp! ftz?", kRefused},
    {"fma", "rn|rz|rm|rp! sat?", kRefused},
    {"cvt", "rs! relu? satfinite?", kRefused},
    {"cvt", "rz|rp! satfinite?", kRefused},
    {"cvt", "rn!", kRefused},
    {"cvt", "rs! satfinite! relu?", kRefused, "cvt.rs.satfinite.e4m3x4.f32 %r1, {%f0, %f1, %f2, %f3}, %r2;"},
    {"cvt", "pack! *", kRefused, "cvt.pack.sat.u2.s32.b32 %r1, %r2, %r3, %r4;"},
    {"cvt", "rn! satfinite? relu? scaled::n2::ue8m0?", kRefused,
     "cvt.rn.satfinite.relu.s2f6x2.f32.scaled::n2::ue8m0 %xh0, %f0, %f1, %xh1;"},
    {"shfl", "up|down|bfly|idx!", kRefused},
    {"vote", "all|any|uni!", kRefused},
    {"vote", "ballot!", kRefused},
    {"redux", "sync! min|max! abs? NaN?", kRefused},
    {"st", "bulk! *", kRefused, "st.bulk.weak.shared::cta [%xw1], 16, 0;"},
    {"multimem", "*", kRefused, "multimem.ld_reduce.relaxed.sys.global.add.u32 %r1, [%xw1];"},
    {"tensormap", "*", kRefused, "tensormap.replace.tile.rank.global.b1024.b32 [%xw1], 2;"},
    {"clusterlaunchcontrol", "*", kRefused,
     "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%xs1], [%xs2];"},
    {"wgmma", "*", kRefused, "wgmma.fence.sync.aligned;"},
    {"tcgen05", "*", kRefused, "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%xs1], 32;"},
};

enum class Kind { never, anywhere, together, of_warps, alone, alone_together, alone_everywhere };

bool has(const ptx::Form& form, Modifier m) { return form.allowed.test(static_cast<std::size_t>(m)); }

Kind kind_of(const ptx::Form& form) {
    if (why_not_generated(form)) return Kind::never;
    if (has(form, Modifier::async)) return Kind::alone_everywhere;
    using Group = ptx::OpcodeGroup;
    switch (ptx::group_of(form.opcode)) {
    case Group::branch: return form.opcode == Opcode::brx ? Kind::alone : Kind::never;
    case Group::call:
    case Group::thread_end: return Kind::never; // random_program.cpp has them
    case Group::warp: return Kind::of_warps;
    case Group::barrier:
        if (has(form, Modifier::warp)) return Kind::of_warps;
        return has(form, Modifier::sync) ? Kind::together : Kind::alone_together;
    case Group::cluster: return Kind::alone;
    default: return form.opcode == Opcode::mbarrier ? Kind::alone_everywhere : Kind::anywhere;
    }
}

/// Whether this device runs an instruction that has the form of a row: not all combinations of a row's words mean
/// something. Nothing: it is no PTX.
std::optional<bool> runs(const std::string& declarations, const std::string& instruction) {
    const auto parsed = ptx::parse(".version 8.8\n.target sm_90\n.address_size 64\n" + RandomForms::module_variables() +
                                   ".visible .entry k(.param .align 16 .b8 numbers[64])\n{\n.reg .b32 %r<40>;\n"
                                   ".reg .f32 %f<8>;\n.reg .b64 %rd<20>;\n" +
                                   declarations + instruction + "\n}\n");
    const auto* module = std::get_if<ptx::Module>(&parsed);
    if (!module) {
        // That words of PTX are not known here is a refusal, too; what the operands should be is not.
        if (std::get<ptx::ParseError>(parsed).message.find("unknown modifier") != std::string::npos) return false;
        return std::nullopt;
    }
    const ptx::Function& kernel = module->functions.front();
    return !warplight::jit::unsupported(*module, kernel, kernel.instructions.front());
}

bool is_supported(const std::string& declarations, const std::string& instruction) {
    return runs(declarations, instruction).value_or(false);
}

std::vector<Type> types_of(ptx::TypeSet set) {
    std::vector<Type> types;
    for (unsigned k = 0; k <= static_cast<unsigned>(Type::b1024); ++k)
        if (set >> k & 1) types.push_back(static_cast<Type>(k));
    return types;
}

/// Whether an f32 or f64 that is no number may have any bits, as hosts have it: on a GPU it is 0x7fffffff.
bool calculates(Opcode opcode) {
    switch (opcode) {
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::fma:
    case Opcode::mad:
    case Opcode::div:
    case Opcode::min:
    case Opcode::max:
    case Opcode::rcp:
    case Opcode::sqrt:
    case Opcode::rsqrt:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::lg2:
    case Opcode::ex2:
    case Opcode::tanh:
    case Opcode::cvt: return true;
    default: return false;
    }
}

bool is_integer_or_bits(Type type) { return !ptx::is_float(type) && type != Type::tf32; }

} // namespace

std::span<const NotGenerated> forms_not_generated() { return kNotGenerated; }

bool NotGenerated::is_refused() const { return reason == kRefused; }

const NotGenerated* why_not_generated(const ptx::Form& form) {
    for (const NotGenerated& row : kNotGenerated)
        if (row.opcode == ptx::spelling(form.opcode) && row.modifiers == form.modifiers_text) return &row;
    return nullptr;
}

RandomForms::RandomForms(std::mt19937_64& random, std::string& text, Choice choice)
    : random_(random), text_(text), choice_(choice) {
    for (const Form& form : ptx::all_forms())
        switch (kind_of(form)) {
        case Kind::never: break;
        case Kind::anywhere:
            anywhere_.push_back(&form);
            // Some of what this row has is for these alone.
            if (choice.alone && form.any_operands) alone_.push_back(&form);
            break;
        case Kind::together: together_.push_back(&form); break;
        case Kind::of_warps:
            if (choice.warps) together_.push_back(&form);
            break;
        case Kind::alone:
            if (choice.alone) alone_.push_back(&form);
            break;
        case Kind::alone_together:
            if (choice.alone) together_.push_back(&form);
            break;
        case Kind::alone_everywhere:
            if (!choice.alone) break;
            alone_.push_back(&form);
            together_.push_back(&form);
            break;
        }
}

std::span<const RandomForms::Pool> RandomForms::pools() {
    static constexpr Pool kPools[] = {
        {"%xp", 0, 4, Type::pred}, {"%xh", 0, 3, Type::b16}, {"%xu", 0, 2, Type::u16},  {"%r", 1, 8, Type::b32},
        {"%xa", 0, 2, Type::u32},  {"%xb", 0, 2, Type::s32}, {"%f", 0, 4, Type::f32},   {"%xl", 0, 3, Type::b64},
        {"%xm", 0, 2, Type::s64},  {"%xd", 0, 3, Type::f64}, {"%xq", 0, 2, Type::b128},
    };
    return kPools;
}

std::string RandomForms::module_variables() {
    std::string text = ".const .align 32 .b32 table[16] = {";
    for (std::uint32_t k = 0; k < 16; ++k)
        text += (k ? ", " : "") + std::to_string(k * 2654435761u);
    return text + "};\n";
}

std::string RandomForms::declarations() const {
    std::string text =
        ".shared .align 32 .b8 area_here[16384];\n.shared .align 8 .b8 objects_here[64];\n"
        ".reg .b32 %xs<8>;\n.reg .b64 %xw<8>;\n.reg .pred %xn<3>;\n.reg .f32 %xf<1>;\n.reg .f64 %xg<1>;\n";
    if (choice_.local_memory) text += ".local .align 32 .b8 own_area[64];\n";
    for (const Pool& pool : pools())
        if (pool.prefix.starts_with("%x"))
            text += ".reg ." + std::string(ptx::spelling(pool.type)) + " " + std::string(pool.prefix) + "<" +
                    std::to_string(pool.count) + ">;\n";
    return text;
}

void RandomForms::begin() {
    // Of the block: 64 bytes a thread, those for accesses of n bytes from n times the number of threads on.
    line("add.u32 %xs0, %r30, %r0;\nmov.u32 %xs1, %nctaid.x;\nmul.lo.u32 %xs1, %xs1, %r30;\n"
         "mad.wide.u32 %xw0, %xs1, " +
         std::to_string(4 * kRandomResults) + ", %rd0;\nmul.lo.u32 %xs1, %r34, %r30;\nmad.wide.u32 %xw0, %xs1, " +
         std::to_string(4 * kRandomArea) + ", %xw0;\nmov.u32 %xs3, area_here;");
    line("shl.b32 %xs1, %r0, 6;\nadd.u32 %xs1, %xs1, %xs3;");
    for (unsigned k = 0; k < 4; ++k)
        line("st.shared.v4.u32 [%xs1+" + std::to_string(16 * k) + "], {%r1, %r2, %r3, %r4};");
    line("bar.sync 0;");
    if (choice_.local_memory)
        for (unsigned k = 0; k < 4; ++k)
            line("st.local.v4.u32 [own_area+" + std::to_string(16 * k) + "], {%r3, %r4, %r5, %r6};");
    line("setp.lt.u32 %xp0, %r0, 9;\nsetp.gt.s32 %xp1, %r2, 0;\nsetp.eq.u32 %xp2, %r34, 1;\nsetp.lt.s32 %xp3, %r3, "
         "%r4;");
    line("mov.b32 {%xh0, %xh1}, %r5;\ncvt.u16.u32 %xh2, %r0;\nmov.b32 {%xu0, %xu1}, %r6;");
    line("mov.u32 %xa0, %r0;\nadd.u32 %xa1, %r1, %r2;\nmov.u32 %xb0, %r3;\nmov.s32 %xb1, -7;");
    line("mov.b64 %xl0, {%r1, %r2};\nmul.wide.u32 %xl1, %r0, 12;\nmov.b64 %xl2, 0x3c003c0040003800;\n"
         "mov.b64 %xm0, {%r4, %r3};\ncvt.s64.s32 %xm1, %r7;");
    line("cvt.rn.f64.s32 %xd0, %r5;\nmov.b64 %xd1, {%r6, %r1};\nmov.f64 %xd2, 0d3FE8000000000000;");
    line("mov.b128 %xq0, {%xl0, %xl1};\nmov.b128 %xq1, {%xm0, %xl2};");
}

void RandomForms::store() {
    unsigned at = kRandomForms;
    for (const Pool& pool : pools()) {
        if (!pool.prefix.starts_with("%x") || pool.type == Type::pred) continue;
        const unsigned bytes = ptx::bits(pool.type) / 8;
        at = (at + bytes - 1) / bytes * bytes;
        for (unsigned k = 0; k < pool.count; ++k, at += bytes)
            line("st.global.b" + std::to_string(8 * bytes) + " [%rd4+" + std::to_string(at) + "], " +
                 std::string(pool.prefix) + std::to_string(k) + ";");
    }
    line("mov.b32 %xs1, 0;");
    for (unsigned k = 0; k < 4; ++k)
        line("@%xp" + std::to_string(k) + " or.b32 %xs1, %xs1, " + std::to_string(1u << k) + ";");
    line("st.global.b32 [%rd4+" + std::to_string(4 * kRandomResults - 4) + "], %xs1;");
}

std::vector<std::string> RandomForms::registers_for(Type wanted, bool relaxed) {
    std::vector<std::string> all;
    for (const Pool& pool : pools())
        if (ptx::register_fits(pool.type, wanted, relaxed))
            for (unsigned k = 0; k < pool.count; ++k)
                all.push_back(std::string(pool.prefix) + std::to_string(pool.first + k));
    return all;
}

std::string RandomForms::immediate(Type type) {
    static const std::vector<std::string> kSingle = {"0f00000000", "0f3F800000", "0fBF000000", "0f7F800000",
                                                     "0f00000123", "0f4F000000", "0fC2C80000"};
    static const std::vector<std::string> kDouble = {"0d0000000000000000", "0d3FF0000000000000", "0dBFE0000000000000",
                                                     "0d7FF0000000000000", "0dC1E0000000000000"};
    static const std::vector<std::string> kWhole = {"0", "1", "-1", "2", "5", "8", "31", "32", "33", "64", "255"};
    if (type == Type::f32) return pick(kSingle);
    if (type == Type::f64) return pick(kDouble);
    if (type == Type::pred) return one_in(2) ? "0" : "1";
    return one_in(4) ? std::to_string(below(65536)) : pick(kWhole);
}

std::string RandomForms::source(Type type, bool relaxed, bool special) {
    static const std::vector<std::string> kSpecial = {"%tid.x",   "%tid.y",    "%laneid",      "%ntid.x",
                                                      "%ctaid.x", "%nctaid.x", "%lanemask_lt", "%lanemask_ge"};
    if (special && (type == Type::u32 || type == Type::b32 || type == Type::s32) && one_in(16)) return pick(kSpecial);
    if (one_in(5) && (is_integer_or_bits(type) || type == Type::f32 || type == Type::f64) && ptx::bits(type) <= 64 &&
        type != Type::pred)
        return immediate(type);
    return register_for(type, relaxed);
}

/// Of the thread's own, where it may write.
std::string RandomForms::own_address(Space space, unsigned bytes) {
    const std::string size = std::to_string(bytes);
    const unsigned offset = one_in(3) ? 4 * bytes : 0;
    const auto at = [&](const std::string& reg, const char* type) {
        if (!offset) return "[" + reg + "]";
        line(std::string("sub.") + type + " " + reg + ", " + reg + ", " + std::to_string(offset) + ";");
        return "[" + reg + "+" + std::to_string(offset) + "]";
    };
    switch (space) {
    case Space::shared:
        line("mad.lo.u32 %xs1, %xs0, " + size + ", %xs3;");
        if (one_in(2)) return at("%xs1", "u32");
        line("cvt.u64.u32 %xw1, %xs1;");
        return at("%xw1", "u64");
    case Space::local: {
        line("and.b32 %xs1, %r" + std::to_string(1 + below(8)) + ", " + std::to_string(64 / bytes - 1) +
             ";\nmov.u64 %xw1, own_area;\nmad.wide.u32 %xw1, %xs1, " + size + ", %xw1;");
        return one_in(2) ? "[%xw1]" : "[own_area+" + std::to_string(bytes * below(64 / bytes)) + "]";
    }
    default:
        if (space == Space::generic && one_in(2)) {
            line("mad.lo.u32 %xs1, %xs0, " + size + ", %xs3;\ncvt.u64.u32 %xw1, %xs1;\ncvta.shared.u64 %xw1, %xw1;");
            return at("%xw1", "u64");
        }
        line("mad.wide.u32 %xw1, %xs0, " + size + ", %xw0;");
        return at("%xw1", "u64");
    }
}

/// Of what all threads read: neighbours, scattered, or one for all.
std::string RandomForms::read_address(Space space, unsigned bytes) {
    const std::string size = std::to_string(bytes);
    if (space == Space::param) return "[numbers+" + std::to_string(bytes * below(64 / bytes)) + "]";
    const auto scattered = [&](unsigned total) {
        line("and.b32 %xs1, %r" + std::to_string(1 + below(8)) + ", " + std::to_string(total / bytes - 1) + ";");
    };
    if (space == Space::constant) {
        if (one_in(2)) return "[table+" + std::to_string(bytes * below(64 / bytes)) + "]";
        scattered(64);
        line("mov.u64 %xw1, table;\nmad.wide.u32 %xw1, %xs1, " + size + ", %xw1;");
        return "[%xw1]";
    }
    switch (below(3)) {
    case 0: line("mad.wide.u32 %xw1, %r0, " + size + ", %rd1;"); return "[%xw1]";
    case 1:
        scattered(8192);
        line("mad.wide.u32 %xw1, %xs1, " + size + ", %rd1;");
        return "[%xw1]";
    default: return "[%rd1+" + std::to_string(bytes * below(8192 / bytes)) + "]";
    }
}

std::string RandomForms::address(const Form& form, Space space, unsigned bytes) {
    const bool shared_by_all = space == Space::param || space == Space::constant ||
                               ((space == Space::global || space == Space::generic) && one_in(2));
    if (form.writes_memory || !shared_by_all) return own_address(space, bytes);
    return read_address(space, bytes);
}

std::string RandomForms::members() {
    if (one_in(2)) return "-1";
    static const std::vector<std::string> kBits = {"16", "24", "3", "1"};
    line("and.b32 %xs1, %r38, " + pick(kBits) + ";\nmatch.any.sync.b32 %xs2, %xs1, -1;");
    return "%xs2";
}

void RandomForms::unify_nan(Type type, const std::string& reg) {
    const bool single = type == Type::f32;
    line(std::string("setp.nan.") + (single ? "f32" : "f64") + " %xn0, " + reg + ", " + reg + ";\n@%xn0 mov." +
         (single ? "b32 " : "b64 ") + reg + (single ? ", 0x7fffffff;" : ", 0x7fffffffffffffff;"));
}

std::string RandomForms::from_table(const Form& form, bool in_loop) {
    numbers_.clear();
    std::array<Type, 5> types{};
    for (std::size_t k = 0; k < form.type_count; ++k)
        types[k] = pick(types_of(form.types[k]));
    ptx::ModifierSet modifiers;
    std::string mnemonic(ptx::spelling(form.opcode));
    // Loops around what others may change are loops that wait for them.
    ptx::ModifierSet waiting;
    for (const Modifier m : {Modifier::volatile_, Modifier::relaxed, Modifier::acquire, Modifier::mmio, Modifier::cv})
        waiting.set(static_cast<std::size_t>(m));
    for (const Form::Group& group : form.groups) {
        if (!group.required && one_in(2)) continue;
        std::vector<std::size_t> all;
        for (std::size_t k = 0; k < group.modifiers.size(); ++k)
            if (group.modifiers.test(k) && !(in_loop && form.reads_memory && waiting.test(k))) all.push_back(k);
        if (all.empty()) continue;
        modifiers.set(pick(all));
    }
    const auto with = [&](Modifier m) { return modifiers.test(static_cast<std::size_t>(m)); };
    Space space = Space::generic;
    if (form.any_space) {
        std::vector<Space> spaces = {Space::generic, Space::global, Space::shared};
        if (form.opcode == Opcode::ldu) spaces = {Space::generic, Space::global};
        if (form.opcode == Opcode::ld) spaces.insert(spaces.end(), {Space::constant, Space::param});
        if (choice_.local_memory && (form.opcode == Opcode::ld || form.opcode == Opcode::st))
            spaces.push_back(Space::local);
        if (form.opcode == Opcode::discard || form.opcode == Opcode::applypriority || form.opcode == Opcode::prefetch)
            spaces = {Space::generic, Space::global};
        space = pick(spaces);
        if (space != Space::generic) mnemonic += "." + std::string(ptx::spelling(space));
    }
    for (std::size_t k = 0; k < modifiers.size(); ++k)
        if (modifiers.test(k)) mnemonic += "." + std::string(ptx::spelling(static_cast<Modifier>(k)));
    unsigned elements = 1;
    const bool vectors = std::any_of(form.operands.begin(), form.operands.end(),
                                     [](const OperandRule& rule) { return rule.width == Width::vector; });
    if (vectors && one_in(3)) {
        elements = 2u << below(3);
        if (ptx::bits(types[0]) * elements > 256 || registers_for(types[0], true).size() < elements) elements = 1;
        if (elements > 1) mnemonic += ".v" + std::to_string(elements);
    }
    for (std::size_t k = 0; k < form.type_count; ++k)
        mnemonic += "." + std::string(ptx::spelling(types[k]));
    const unsigned bytes = ptx::bits(types[0]) / 8 * elements;
    const bool carries =
        with(Modifier::cc) || form.opcode == Opcode::addc || form.opcode == Opcode::subc || form.opcode == Opcode::madc;
    const bool of_members = has(form, Modifier::sync) && form.opcode != Opcode::barrier;

    std::vector<std::string> taken; // a vector's elements are different registers
    const auto destination = [&](Type type, bool relaxed) -> std::string {
        for (int k = 0; k < 40; ++k) {
            const std::string r = register_for(type, relaxed);
            if (std::find(taken.begin(), taken.end(), r) != taken.end()) continue;
            taken.push_back(r);
            return r;
        }
        return "_";
    };
    const auto packing = [&](Type type, bool written) -> std::string {
        const unsigned parts = ptx::bits(type) >= 64 && one_in(2) ? 4 : 2;
        const unsigned each = ptx::bits(type) / parts;
        if (each < 16 || type == Type::b16) return "";
        const Type part = each == 16 ? Type::b16 : each == 32 ? Type::b32 : Type::b64;
        std::string text = "{";
        for (unsigned k = 0; k < parts; ++k)
            text += (k ? ", " : "") + (written ? destination(part, false) : register_for(part, false));
        return text + "}";
    };
    const bool packs = form.opcode == Opcode::mov && one_in(3) &&
                       (types[0] == Type::b32 || types[0] == Type::b64 || types[0] == Type::b128);
    const bool unpacks = packs && one_in(2);
    std::string operands;
    for (std::size_t k = 0; k < form.operands.size(); ++k) {
        const OperandRule& rule = form.operands[k];
        const bool counts = form.opcode == Opcode::bar || form.opcode == Opcode::barrier;
        if (rule.optional && (one_in(2) || (counts && !choice_.alone))) continue;
        Type type = rule.type_index < 0 ? rule.type : types[static_cast<std::size_t>(rule.type_index)];
        if (rule.width == Width::doubled)
            type = type == Type::u16   ? Type::u32
                   : type == Type::s16 ? Type::s32
                   : type == Type::u32 ? Type::u64
                                       : Type::s64;
        const bool relaxed = rule.width == Width::relaxed || rule.width == Width::vector;
        const bool last = k + 1 == form.operands.size();
        std::string operand;
        switch (rule.role) {
        case Role::destination:
            if (rule.width == Width::vector && elements > 1) {
                for (unsigned e = 0; e < elements; ++e)
                    operand += (e ? ", " : "{") + destination(type, true);
                operand += "}";
            } else if (unpacks) {
                operand = packing(type, true);
            } else {
                const bool number = calculates(form.opcode) && (type == Type::f32 || type == Type::f64);
                operand = one_in(24) ? "_" : destination(type, relaxed && !number);
                if (number && operand != "_") numbers_.push_back(operand);
                number_type_ = type;
            }
            break;
        case Role::source:
            if (counts) {
                // All threads of the block; a kernel in which that is told by a register runs a thread at a time.
                if (has(form, Modifier::warp)) {
                    operand = members();
                } else if (!rule.optional) {
                    operand = std::to_string(1 + below(15));
                    if (choice_.alone && one_in(2)) {
                        line("mov.u32 %xs1, " + operand + ";");
                        operand = "%xs1";
                    }
                } else {
                    operand = "%r30";
                }
            } else if (of_members && last) {
                operand = members();
            } else if (rule.width == Width::vector && elements > 1) {
                for (unsigned e = 0; e < elements; ++e)
                    operand += (e ? ", " : "{") + register_for(type, true);
                operand += "}";
            } else {
                operand = source(type, relaxed, !carries);
                if ((type == Type::pred || rule.may_be_negated) && operand.starts_with('%') && one_in(4))
                    operand.insert(0, type == Type::pred ? "!" : "-");
            }
            break;
        case Role::paired:
            operand = one_in(6) ? "_" : destination(type, false);
            if (operand == "_" || one_in(2)) operand += "|" + destination(Type::pred, false);
            break;
        case Role::predicates:
            operand = destination(Type::pred, false);
            if (one_in(2)) operand += "|" + (one_in(6) ? "_" : destination(Type::pred, false));
            break;
        case Role::predicate_source: operand = (one_in(3) ? "!" : "") + register_for(Type::pred, false); break;
        case Role::address:
            operand = address(form, space, std::max(bytes, 1U));
            if (form.reads_memory && form.writes_memory && (types[0] == Type::f32 || types[0] == Type::f64)) {
                number_type_ = types[0];
                const std::string place = operand.substr(1, operand.size() - 2);
                const std::size_t plus = place.find('+');
                const unsigned offset = plus == std::string::npos ? 0 : std::stoul(place.substr(plus + 1));
                const std::string name = space == Space::generic ? "" : "." + std::string(ptx::spelling(space));
                for (unsigned e = 0; e < elements; ++e)
                    numbers_.push_back(name + " [" + place.substr(0, plus) + "+" +
                                       std::to_string(offset + e * ptx::bits(types[0]) / 8) + "]");
            }
            break;
        case Role::constant:
            operand = form.opcode == Opcode::lop3         ? std::to_string(below(256))
                      : form.opcode == Opcode::pmevent    ? std::to_string(below(16))
                      : form.opcode == Opcode::setmaxnreg ? std::to_string(24 + 8 * below(8))
                                                          : "128";
            break;
        case Role::move_source: operand = packs && !unpacks ? packing(type, false) : source(type, false, true); break;
        case Role::anything: // a pair of numbers of 8 bits
        case Role::anything_destination:
            operand = rule.role == Role::anything ? register_for(Type::b16, false) : destination(Type::b16, false);
            break;
        case Role::label:
        case Role::branch_list: return "";
        }
        if (operand.empty()) return "";
        operands += (operands.empty() ? " " : ", ") + operand;
    }
    return mnemonic + operands + ";";
}

bool RandomForms::is_refused(const Form& form) {
    if (form.any_operands) return runs(declarations(), std::string(why_not_generated(form)->example)) == false;
    for (int attempt = 0; attempt < 100; ++attempt) {
        const std::string instruction = from_table(form, false);
        if (!instruction.empty() && is_supported(declarations(), instruction)) return false;
    }
    return true;
}

void RandomForms::instruction(Place place, const std::string& guard, bool in_loop) {
    const bool all = place == Place::together && one_in(2);
    const Form& form = *pick(all ? together_ : !alone_.empty() && one_in(3) ? alone_ : anywhere_);
    if (from_template(form, all ? Place::together : Place::anywhere, guard)) return;
    if (form.any_operands) return;
    const std::size_t before = text_.size();
    for (int attempt = 0; attempt < 8; ++attempt) {
        const std::string instruction = from_table(form, in_loop);
        if (!instruction.empty() && is_supported(declarations(), instruction)) {
            line(guard + instruction);
            for (const std::string& number : numbers_) {
                if (number.starts_with('%')) {
                    unify_nan(number_type_, number);
                    continue;
                }
                const std::string type = number_type_ == Type::f32 ? ".f32" : ".f64";
                const std::string space = number.substr(0, number.find(' ')), place = number.substr(space.size());
                const std::string reg = number_type_ == Type::f32 ? "%xf0" : "%xg0";
                line("ld" + space + type + " " + reg + "," + place + ";");
                unify_nan(number_type_, reg);
                line("st" + space + type + place + ", " + reg + ";");
            }
            return;
        }
        text_.resize(before);
    }
}
