// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"
#include "exact.hpp"

#include <optional>

namespace instructions {
namespace {

using exact::Format;

/// -1, 0, 1; nothing when an operand is NaN.
std::optional<int> order(const std::string& type, std::uint64_t x, std::uint64_t y) {
    if (type[0] == 'f' || type == "bf16") {
        const Format& f = type == "f32"   ? exact::f32
                          : type == "f64" ? exact::f64
                          : type == "f16" ? exact::f16
                                          : exact::bf16;
        if (f.nan(x) || f.nan(y)) return std::nullopt;
        const auto key = [&](std::uint64_t v) {
            const auto m = static_cast<std::int64_t>(f.magnitude(v));
            return f.negative(v) ? -m : m;
        };
        return key(x) < key(y) ? -1 : key(x) > key(y);
    }
    if (type[0] == 's') {
        const std::int64_t a = sign_extend(x, bits_of(type)), b = sign_extend(y, bits_of(type));
        return a < b ? -1 : a > b;
    }
    return x < y ? -1 : x > y;
}

bool holds(std::string op, std::optional<int> o) {
    if (op == "num") return o.has_value();
    if (op == "nan") return !o.has_value();
    if (op.size() == 3) { // equ, neu, …: true of NaN
        if (!o) return true;
        op.pop_back();
    }
    if (!o) return false;
    if (op == "eq") return *o == 0;
    if (op == "ne") return *o != 0;
    if (op == "lt" || op == "lo") return *o < 0;
    if (op == "le" || op == "ls") return *o <= 0;
    if (op == "gt" || op == "hi") return *o > 0;
    return *o >= 0; // ge, hs
}

std::string register_of(const std::string& type) {
    return type == "f32" || type == "f64" ? type : "b" + std::to_string(bits_of(type));
}

void add_setp(Cases& cases) {
    for (const std::string type :
         {"b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64", "f16", "bf16", "f32", "f64"}) {
        const bool is_float = type[0] == 'f' || type == "bf16";
        std::vector<std::string> operators = {"eq", "ne"};
        if (type[0] == 'u' || type[0] == 's') operators.insert(operators.end(), {"lt", "le", "gt", "ge"});
        if (type[0] == 'u') operators.insert(operators.end(), {"lo", "ls", "hi", "hs"});
        if (is_float)
            operators = {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
        const std::string reg = register_of(type);
        for (const std::string& op : operators) {
            Case c;
            c.name = "setp." + op + "." + type;
            // The halves have no second destination.
            const bool pair = type != "f16" && type != "bf16";
            c.body = c.name + (pair ? " o|q, a, b;" : " o, a, b;");
            c.inputs = {reg, reg};
            c.outputs.assign(pair ? 2 : 1, "pred");
            c.values = {edge_values(type), edge_values(type)};
            if (type == "bf16") c.target = 90;
            c.reference = [=](const Inputs& x) {
                const bool p = holds(op, order(type, x[0], x[1]));
                return Outputs{p, !p};
            };
            cases.push_back(c);
        }
    }
    for (const std::string op : {"and", "or", "xor"}) {
        Case c;
        c.name = "setp.lt." + op + ".s32";
        c.body = c.name + " o|q, a, b, !c;";
        c.inputs = {"b32", "b32", "pred"};
        c.outputs = {"pred", "pred"};
        c.values = {edge_values("s32"), edge_values("s32"), {0, 1}};
        c.reference = [=](const Inputs& x) {
            const bool p = holds("lt", order("s32", x[0], x[1])), with = x[2] == 0;
            const auto join = [&](bool v) { return op == "and" ? v && with : op == "or" ? v || with : v != with; };
            return Outputs{join(p), join(!p)};
        };
        cases.push_back(c);
    }
    for (const std::string op : {"eq", "lt", "geu"}) {
        Case c;
        c.name = "setp." + op + ".ftz.f32";
        c.body = c.name + " o, a, b;";
        c.inputs = {"f32", "f32"};
        c.outputs = {"pred"};
        c.values = {edge_values("f32"), edge_values("f32")};
        c.reference = [=](const Inputs& x) {
            return Outputs{holds(op, order("f32", exact::f32.flush(x[0]), exact::f32.flush(x[1])))};
        };
        cases.push_back(c);
    }
    for (const std::string op : {"lt", "neu"}) {
        Case c;
        c.name = "setp." + op + ".f16x2";
        c.body = c.name + " o|q, a, b;";
        c.inputs = {"b32", "b32"};
        c.outputs = {"pred", "pred"};
        c.values = {many_values("f16x2", 200), many_values("f16x2", 20)};
        c.reference = [=](const Inputs& x) {
            return Outputs{holds(op, order("f16", x[0] & 0xFFFF, x[1] & 0xFFFF)),
                           holds(op, order("f16", x[0] >> 16, x[1] >> 16))};
        };
        cases.push_back(c);
    }
}

void add_set(Cases& cases) {
    struct Result {
        const char* type;
        std::uint64_t one;
    };
    const auto add = [&](const Result& to, const std::string& from, const std::string& op) {
        Case c;
        c.name = "set." + op + "." + to.type + "." + from;
        c.body = c.name + " o, a, b;";
        c.inputs = {register_of(from), register_of(from)};
        c.outputs = {register_of(to.type)};
        c.values = {edge_values(from), edge_values(from)};
        c.reference = [=](const Inputs& x) { return Outputs{holds(op, order(from, x[0], x[1])) ? to.one : 0}; };
        cases.push_back(c);
    };
    for (const Result to : {Result{"u32", 0xFFFFFFFF}, Result{"s32", 0xFFFFFFFF}, Result{"f32", 0x3F800000}})
        for (const std::string from : {"u16", "s32", "u64", "f32", "f64"})
            add(to, from, "lt");
    add({"f16", 0x3C00}, "f16", "eq");
    add({"u32", 0xFFFFFFFF}, "f16", "nan");
    add({"u32", 0xFFFFFFFF}, "f32", "gtu");
    for (const std::string to : {"f16x2", "u32"}) {
        Case c;
        c.name = "set.gt." + to + ".f16x2";
        c.body = c.name + " o, a, b;";
        c.inputs = {"b32", "b32"};
        c.outputs = {"b32"};
        c.values = {many_values("f16x2", 200), many_values("f16x2", 20)};
        c.reference = [=](const Inputs& x) {
            const std::uint64_t one = to == "u32" ? 0xFFFF : 0x3C00;
            const auto half = [&](unsigned at) {
                return holds("gt", order("f16", x[0] >> at & 0xFFFF, x[1] >> at & 0xFFFF)) ? one << at : 0;
            };
            return Outputs{half(0) | half(16)};
        };
        cases.push_back(c);
    }
}

void add_selections(Cases& cases) {
    for (const std::string type : {"b16", "b32", "b64", "u32", "s64", "f32", "f64"}) {
        const std::string reg = register_of(type);
        Case c;
        c.name = "selp." + type;
        c.body = c.name + " o, a, b, c;";
        c.inputs = {reg, reg, "pred"};
        c.outputs = {reg};
        c.values = {edge_values(type), edge_values(type), {0, 1}};
        c.reference = [](const Inputs& x) { return Outputs{x[2] ? x[0] : x[1]}; };
        cases.push_back(c);
        for (const std::string selector : {"s32", "f32"}) {
            Case s;
            s.name = "slct." + type + "." + selector;
            s.body = s.name + " o, a, b, c;";
            s.inputs = {reg, reg, register_of(selector)};
            s.outputs = {reg};
            s.values = {{1, 2}, {3, 4}, edge_values(selector)};
            s.reference = [=](const Inputs& x) {
                const std::optional<int> o = order(selector, x[2], 0);
                return Outputs{o && *o >= 0 ? x[0] : x[1]};
            };
            cases.push_back(s);
        }
    }
}

} // namespace

void add_compare_cases(Cases& cases) {
    add_setp(cases);
    add_set(cases);
    add_selections(cases);
}

} // namespace instructions
