// SPDX-License-Identifier: Apache-2.0
#include "words.hpp"

#include "names.hpp"

#include <array>
#include <utility>

namespace warplight::ptx {
namespace {

struct TypeFacts {
    Type type;
    std::string_view spelling;
    std::uint16_t bits;
    bool is_float, is_signed;
};
constexpr TypeFacts kTypes[] = {
    {Type::none, "", 0, false, false},
    {Type::pred, "pred", 1, false, false},
    {Type::b8, "b8", 8, false, false},
    {Type::b16, "b16", 16, false, false},
    {Type::b32, "b32", 32, false, false},
    {Type::b64, "b64", 64, false, false},
    {Type::b128, "b128", 128, false, false},
    {Type::u8, "u8", 8, false, false},
    {Type::u16, "u16", 16, false, false},
    {Type::u32, "u32", 32, false, false},
    {Type::u64, "u64", 64, false, false},
    {Type::s8, "s8", 8, false, true},
    {Type::s16, "s16", 16, false, true},
    {Type::s32, "s32", 32, false, true},
    {Type::s64, "s64", 64, false, true},
    {Type::f16, "f16", 16, true, false},
    {Type::f16x2, "f16x2", 32, true, false},
    {Type::bf16, "bf16", 16, true, false},
    {Type::bf16x2, "bf16x2", 32, true, false},
    {Type::tf32, "tf32", 32, true, false},
    {Type::f32, "f32", 32, true, false},
    {Type::f64, "f64", 64, true, false},
    {Type::u16x2, "u16x2", 32, false, false},
    {Type::s16x2, "s16x2", 32, false, true},
    {Type::e4m3, "e4m3", 8, true, false},
    {Type::e5m2, "e5m2", 8, true, false},
    {Type::e4m3x2, "e4m3x2", 16, true, false},
    {Type::e5m2x2, "e5m2x2", 16, true, false},
    {Type::texref, "texref", 64, false, false},
    {Type::samplerref, "samplerref", 64, false, false},
    {Type::surfref, "surfref", 64, false, false},
    {Type::b1, "b1", 1, false, false},
    {Type::b4, "b4", 4, false, false},
    {Type::u4, "u4", 4, false, false},
    {Type::s4, "s4", 4, false, true},
    {Type::e2m1, "e2m1", 4, true, false},
    {Type::e2m3, "e2m3", 6, true, false},
    {Type::e3m2, "e3m2", 6, true, false},
    {Type::ue8m0, "ue8m0", 8, true, false},
    {Type::e2m1x2, "e2m1x2", 8, true, false},
    {Type::e2m3x2, "e2m3x2", 16, true, false},
    {Type::e3m2x2, "e3m2x2", 16, true, false},
    {Type::ue8m0x2, "ue8m0x2", 16, true, false},
    {Type::e4m3x4, "e4m3x4", 32, true, false},
    {Type::e5m2x4, "e5m2x4", 32, true, false},
    {Type::e2m1x4, "e2m1x4", 16, true, false},
    {Type::e2m3x4, "e2m3x4", 32, true, false},
    {Type::e3m2x4, "e3m2x4", 32, true, false},
    {Type::f32x2, "f32x2", 64, true, false},
    {Type::s2f6x2, "s2f6x2", 16, true, false},
    {Type::b1024, "b1024", 1024, false, false},
};
static_assert(std::size(kTypes) == static_cast<std::size_t>(Type::b1024) + 1);

constexpr std::string_view kOpcodes[] = {
    "invalid",
#define WARPLIGHT_OPCODE(identifier, spelling, group) spelling,
#include "opcodes.def"
#undef WARPLIGHT_OPCODE
};
constexpr std::string_view kModifiers[] = {
#define WARPLIGHT_MODIFIER(identifier, spelling) spelling,
#include "modifiers.def"
#undef WARPLIGHT_MODIFIER
};
constexpr std::string_view kSpecialRegisters[] = {
#define WARPLIGHT_SPECIAL_REGISTER(identifier, spelling) spelling,
#include "special_registers.def"
#undef WARPLIGHT_SPECIAL_REGISTER
};
constexpr std::pair<std::string_view, Space> kSpaces[] = {
    {"reg", Space::reg},
    {"sreg", Space::sreg},
    {"const", Space::constant},
    {"global", Space::global},
    {"local", Space::local},
    {"param", Space::param},
    {"param::entry", Space::param},
    {"param::func", Space::param},
    {"shared", Space::shared},
    {"shared::cta", Space::shared},
    {"shared::cluster", Space::shared_cluster},
};

struct Tables {
    NameMap<Word> words;
    NameMap<Opcode> opcodes;
    NameMap<SpecialRegister> special;
    Tables() {
        const auto index = [](auto i) { return static_cast<std::uint16_t>(i); };
        for (std::size_t i = 0; i < std::size(kModifiers); ++i)
            words[kModifiers[i]] = {Word::Kind::modifier, index(i)};
        for (const TypeFacts& t : kTypes)
            if (t.type != Type::none) words[t.spelling] = {Word::Kind::type, index(t.type)};
        for (const auto& [name, space] : kSpaces)
            words[name] = {Word::Kind::space, index(space)};
        words["v2"] = {Word::Kind::vector, 2};
        words["v4"] = {Word::Kind::vector, 4};
        words["v8"] = {Word::Kind::vector, 8};
        for (std::size_t i = 1; i < std::size(kOpcodes); ++i)
            opcodes[kOpcodes[i]] = static_cast<Opcode>(i);
        for (std::size_t i = 0; i < std::size(kSpecialRegisters); ++i)
            special[kSpecialRegisters[i]] = static_cast<SpecialRegister>(i);
    }
};
Tables& tables() {
    static auto* const instance = new Tables; // never destroyed: threads may run until the process ends
    return *instance;
}

} // namespace

unsigned bits(Type type) { return kTypes[static_cast<std::size_t>(type)].bits; }
bool is_float(Type type) { return kTypes[static_cast<std::size_t>(type)].is_float; }
bool is_signed(Type type) { return kTypes[static_cast<std::size_t>(type)].is_signed; }
std::string_view spelling(Type type) { return kTypes[static_cast<std::size_t>(type)].spelling; }
std::string_view spelling(Opcode opcode) { return kOpcodes[static_cast<std::size_t>(opcode)]; }
std::string_view spelling(Modifier modifier) { return kModifiers[static_cast<std::size_t>(modifier)]; }
std::string_view spelling(SpecialRegister special) { return kSpecialRegisters[static_cast<std::size_t>(special)]; }
std::string_view spelling(Space space) {
    for (const auto& [name, value] : kSpaces)
        if (value == space) return name;
    return "generic";
}

const Word* find_word(std::string_view name) { return std::as_const(tables().words).find(name); }
Opcode find_opcode(std::string_view name) {
    const Opcode* found = std::as_const(tables().opcodes).find(name);
    return found ? *found : Opcode::invalid;
}
std::optional<SpecialRegister> find_special_register(std::string_view name) {
    const SpecialRegister* found = std::as_const(tables().special).find(name);
    return found ? std::optional(*found) : std::nullopt;
}
std::optional<Type> find_type(std::string_view name) {
    const Word* word = find_word(name);
    if (!word || word->kind != Word::Kind::type) return std::nullopt;
    return static_cast<Type>(word->value);
}

} // namespace warplight::ptx
