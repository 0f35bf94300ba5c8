// SPDX-License-Identifier: Apache-2.0
#include "matrix_forms.hpp"

#include <algorithm>
#include <initializer_list>

namespace matrices {

unsigned bits_of(const std::string& type) {
    if (type == "b1") return 1;
    if (type == "s4" || type == "u4") return 4;
    if (type == "s8" || type == "u8" || type == "e4m3" || type == "e5m2") return 8;
    if (type == "f16" || type == "bf16") return 16;
    return type == "f64" ? 64 : 32;
}

unsigned elements_of(const std::string& type) { return std::max(1U, 32 / bits_of(type)); }

bool of_quads(const Form& f) { return !f.wmma && f.m == 8 && f.k == 4 && f.a == "f16"; }

unsigned registers_of_part(const Form& f, char part) {
    const std::string& type = part == 'a' ? f.a : part == 'b' ? f.b : part == 'c' ? f.c : f.d;
    const unsigned size = (part == 'b' ? f.k : f.m) * (part == 'a' ? f.stored_k() : f.n);
    if (f.wmma && type == "f16" && part < 'c') return 8;
    if (of_quads(f)) return part < 'c' ? 2 : type == "f16" ? 4 : 8;
    return size / 32 / elements_of(type);
}

namespace {

const std::string kHead =
    ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 "
    "out, .param .u32 stride)\n{\n.reg .u64 %p<4>;\n.reg .u32 %t<8>;\n"
    "ld.param.u64 %p0,[in];\nld.param.u64 %p1,[out];\nmov.u32 %t0,%tid.x;\n"
    "mul.wide.u32 %p2,%t0,LANE;\n";

/// Bytes of a register in memory are 32 times those of a lane.
std::string head(bool wide) {
    std::string text = kHead;
    return text.replace(text.find("LANE"), 4, wide ? "8" : "4");
}

std::string registers_of(char letter, unsigned count) {
    std::string list = "{";
    for (unsigned k = 0; k < count; ++k)
        list += (k ? ",%" : "%") + std::string(1, letter) + std::to_string(k);
    return list + "}";
}

std::string register_type(const std::string& type) { return type == "f64" ? ".f64" : type == "f32" ? ".f32" : ".b32"; }

std::string moves(const char* what, char letter, unsigned count, const std::string& type, unsigned first,
                  const char* base) {
    std::string text;
    for (unsigned k = 0; k < count; ++k) {
        const std::string at =
            "[%" + std::string(base) + "+" + std::to_string((type == "f64" ? 256 : 128) * (first + k)) + "]";
        const std::string reg = "%" + std::string(1, letter) + std::to_string(k);
        const bool load = what[0] == 'l';
        text += std::string(what) + ".global" + register_type(type) + " " + (load ? reg + "," + at : at + "," + reg) +
                ";\n";
    }
    return text;
}

std::string shape_name(const Form& f) {
    return "m" + std::to_string(f.m) + "n" + std::to_string(f.n) + "k" + std::to_string(f.k);
}

const char* layout(bool columns) { return columns ? "col" : "row"; }

/// `behind` comes after the types, `within` after the opcode.
Form product(bool wmma, unsigned m, unsigned n, unsigned k, const char* d, const char* a, const char* b, const char* c,
             bool a_by_columns, bool b_by_columns, const std::string& within, const std::string& behind,
             int selector = -1) {
    Form f;
    f.sparse = selector >= 0;
    f.selector = f.sparse ? static_cast<unsigned>(selector) : 0;
    f.kind = Kind::product;
    f.wmma = wmma;
    f.m = m;
    f.n = n;
    f.k = k;
    f.a = a;
    f.b = b;
    f.c = c;
    f.d = d;
    f.a_by_columns = a_by_columns;
    f.b_by_columns = b_by_columns;
    const std::string layouts = std::string(layout(a_by_columns)) + "." + layout(b_by_columns);
    std::string types = std::string(".") + d;
    if (!wmma || f.a != "f16") types += "." + f.a + "." + f.b;
    types += "." + f.c;
    const std::string text =
        wmma ? "wmma.mma" + within + ".sync.aligned." + layouts + "." + shape_name(f) + types + behind
             : std::string("mma") + (f.sparse ? ".sp" : "") + ".sync.aligned." + shape_name(f) + "." + layouts + types +
                   within + behind;
    f.name = std::string(wmma ? "wmma_" : "mma_") + shape_name(f) + "_" + layout(a_by_columns) + layout(b_by_columns) +
             "_" + d + "_" + a + "_" + b + "_" + c;
    for (std::string extra : {wmma ? behind : std::string(), within, wmma ? std::string() : behind}) {
        std::replace(extra.begin(), extra.end(), '.', '_');
        f.name += extra;
    }
    if (f.sparse) f.name += "_sp" + std::to_string(selector);
    const char parts[4] = {'a', 'b', 'c', 'd'};
    const std::string* types_of[4] = {&f.a, &f.b, &f.c, &f.d};
    f.ptx = head(f.is_wide()) + "add.u64 %p0,%p0,%p2;\nadd.u64 %p1,%p1,%p2;\n";
    unsigned first = 0;
    for (unsigned part = 0; part < 4; ++part) {
        f.registers[part] = registers_of_part(f, parts[part]);
        f.ptx += ".reg " + register_type(*types_of[part] == "tf32" ? "b32" : *types_of[part]) + " %" + parts[part] +
                 "<" + std::to_string(f.registers[part]) + ">;\n";
        if (part == 3) break;
        f.ptx += moves("ld", parts[part], f.registers[part], *types_of[part], first, "p0");
        first += f.registers[part];
    }
    if (f.sparse) f.ptx += ".reg .b32 %e<1>;\n" + moves("ld", 'e', 1, "b32", first, "p0");
    f.ptx += text + " " + registers_of('d', f.registers[3]) + "," + registers_of('a', f.registers[0]) + "," +
             registers_of('b', f.registers[1]) + "," + registers_of('c', f.registers[2]) +
             (f.sparse ? ",%e0," + std::to_string(selector) : "") + ";\n" +
             moves("st", 'd', f.registers[3], f.d, 0, "p1") + "ret;\n}\n";
    return f;
}

Form move(char part, bool by_columns, unsigned m, unsigned n, unsigned k, const char* type) {
    Form f;
    const bool load = part != 'd';
    f.kind = load ? Kind::load : Kind::store;
    f.wmma = true;
    f.m = m;
    f.n = n;
    f.k = k;
    (part == 'a' ? f.a : part == 'b' ? f.b : part == 'c' ? f.c : f.d) = type;
    f.bits = bits_of(type);
    f.rows = part == 'b' ? k : m;
    f.columns = part == 'a' ? k : n;
    f.by_columns = by_columns;
    f.registers[0] = registers_of_part(f, part);
    f.name =
        std::string(load ? "load_" : "store_") + part + "_" + layout(by_columns) + "_" + shape_name(f) + "_" + type;
    const std::string fragment = registers_of('r', f.registers[0]);
    const std::string what =
        std::string(".") + part + ".sync.aligned." + layout(by_columns) + "." + shape_name(f) + ".global." + type + " ";
    f.ptx = head(f.is_wide()) + ".reg " + register_type(type) + " %r<" + std::to_string(f.registers[0]) +
            ">;\nld.param.u32 %t1,[stride];\n";
    if (load)
        f.ptx += "add.u64 %p1,%p1,%p2;\nwmma.load" + what + fragment + ",[%p0],%t1;\n" +
                 moves("st", 'r', f.registers[0], type, 0, "p1");
    else
        f.ptx += "add.u64 %p0,%p0,%p2;\n" + moves("ld", 'r', f.registers[0], type, 0, "p0") + "wmma.store" + what +
                 "[%p1]," + fragment + ",%t1;\n";
    f.ptx += "ret;\n}\n";
    return f;
}

/// Matrices lie in shared memory with their rows in disorder.
Form rows(bool load, unsigned count, bool transposed) {
    Form f;
    f.kind = Kind::exchange;
    f.registers[0] = 4;
    f.registers[1] = load ? count : 4;
    f.name = std::string(load ? "ld" : "st") + "matrix_x" + std::to_string(count) + (transposed ? "_trans" : "");
    f.ptx = head(false) +
            ".shared .align 16 .b8 m[512];\n.reg .b32 %r<4>;\nadd.u64 %p0,%p0,%p2;\nadd.u64 %p1,%p1,%p2;\n"
            "mov.u32 %t1,m;\nmad.lo.u32 %t2,%t0,4,%t1;\nmul.lo.u32 %t3,%t0,13;\nadd.u32 %t3,%t3,5;\n"
            "and.b32 %t3,%t3,31;\nmad.lo.u32 %t3,%t3,16,%t1;\n";
    const std::string what =
        std::string(".sync.aligned.m8n8.x") + std::to_string(count) + (transposed ? ".trans" : "") + ".shared.b16 ";
    const std::string fragment = registers_of('r', count);
    for (unsigned k = 0; k < 4; ++k) {
        const std::string reg = "%r" + std::to_string(k), place = "[%t2+" + std::to_string(128 * k) + "]";
        f.ptx += "ld.global.b32 " + (load ? "%t4" : reg) + ",[%p0+" + std::to_string(128 * k) + "];\n";
        f.ptx += "st.shared.b32 " + place + "," + (load ? "%t4" : "0") + ";\n";
    }
    f.ptx += "bar.sync 0;\n";
    f.ptx += load ? "ldmatrix" + what + fragment + ",[%t3];\n" : "stmatrix" + what + "[%t3]," + fragment + ";\n";
    f.ptx += "bar.sync 0;\n";
    for (unsigned k = 0; k < f.registers[1]; ++k) {
        if (!load) f.ptx += "ld.shared.b32 %r" + std::to_string(k) + ",[%t2+" + std::to_string(128 * k) + "];\n";
        f.ptx += "st.global.b32 [%p1+" + std::to_string(128 * k) + "],%r" + std::to_string(k) + ";\n";
    }
    f.ptx += "ret;\n}\n";
    return f;
}

Form movmatrix() {
    Form f;
    f.kind = Kind::exchange;
    f.registers[0] = f.registers[1] = 1;
    f.name = "movmatrix";
    f.ptx = head(false) + "add.u64 %p0,%p0,%p2;\nadd.u64 %p1,%p1,%p2;\nld.global.b32 %t1,[%p0];\n"
                          "movmatrix.sync.aligned.m8n8.trans.b16 %t2,%t1;\nst.global.b32 [%p1],%t2;\nret;\n}\n";
    return f;
}

void add_products_of_mma(std::vector<Form>& forms) {
    const auto mma = [&](unsigned m, unsigned n, unsigned k, const char* d, const char* a, const char* b, const char* c,
                         const char* within = "", const char* behind = "", int layouts = 2) {
        forms.push_back(product(false, m, n, k, d, a, b, c, (layouts & 1) != 0, (layouts & 2) != 0, within, behind));
    };
    for (const int layouts : {0, 2, 1, 3})
        for (const auto& [d, c] : {std::pair{"f16", "f16"}, std::pair{"f32", "f16"}, std::pair{"f32", "f32"}})
            mma(8, 8, 4, d, "f16", "f16", c, "", "", layouts);
    for (const unsigned k : {8, 16}) {
        mma(16, 8, k, "f16", "f16", "f16", "f16");
        mma(16, 8, k, "f32", "f16", "f16", "f32");
        mma(16, 8, k, "f32", "bf16", "bf16", "f32");
    }
    for (const unsigned k : {4, 8})
        mma(16, 8, k, "f32", "tf32", "tf32", "f32");
    mma(8, 8, 4, "f64", "f64", "f64", "f64");
    for (const unsigned k : {4, 8, 16})
        mma(16, 8, k, "f64", "f64", "f64", "f64");
    for (const char* rounding : {".rn", ".rz", ".rm", ".rp"})
        mma(8, 8, 4, "f64", "f64", "f64", "f64", "", rounding);
    mma(16, 8, 8, "f64", "f64", "f64", "f64", "", ".rz");
    struct Shape {
        unsigned m, k;
    };
    const auto integers = [&](std::initializer_list<Shape> shapes, std::initializer_list<const char*> types) {
        for (const Shape& s : shapes)
            for (const char* a : types)
                for (const char* b : types)
                    for (const char* saturate : {"", ".satfinite"}) {
                        if (*saturate && a != b) continue;
                        forms.push_back(product(false, s.m, 8, s.k, "s32", a, b, "s32", false, true, "", saturate));
                    }
    };
    integers({{8, 16}, {16, 16}, {16, 32}}, {"s8", "u8"});
    integers({{8, 32}, {16, 32}, {16, 64}}, {"s4", "u4"});
    for (const Shape& s : {Shape{8, 128}, Shape{16, 128}, Shape{16, 256}})
        for (const char* operation : {".xor.popc", ".and.popc"})
            mma(s.m, 8, s.k, "s32", "b1", "b1", "s32", operation);
}

void add_products_of_bytes(std::vector<Form>& forms) {
    for (const unsigned k : {16, 32})
        for (const char* a : {"e4m3", "e5m2"})
            for (const char* b : {"e4m3", "e5m2"})
                for (const char* d : {"f32", "f16"})
                    forms.push_back(product(false, 16, 8, k, d, a, b, d, false, true, "", ""));
}

void add_sparse_products(std::vector<Form>& forms) {
    const auto sparse = [&](unsigned k, const char* d, const char* a, const char* b, int selectors,
                            const char* behind = "") {
        for (int selector = 0; selector < selectors; ++selector)
            forms.push_back(product(false, 16, 8, k, d, a, b, d, false, true, "", behind, selector));
    };
    for (const char* d : {"f16", "f32"}) {
        sparse(16, d, "f16", "f16", 4);
        sparse(32, d, "f16", "f16", 2);
    }
    sparse(16, "f32", "bf16", "bf16", 4);
    sparse(32, "f32", "bf16", "bf16", 2);
    sparse(8, "f32", "tf32", "tf32", 4);
    sparse(16, "f32", "tf32", "tf32", 2);
    for (const char* a : {"s8", "u8"})
        for (const char* b : {"s8", "u8"}) {
            sparse(32, "s32", a, b, 2);
            sparse(64, "s32", a, b, 1);
        }
    sparse(32, "s32", "s8", "s8", 1, ".satfinite");
    for (const char* a : {"s4", "u4"})
        for (const char* b : {"s4", "u4"}) {
            sparse(64, "s32", a, b, 2);
            sparse(128, "s32", a, b, 1);
        }
    for (const char* a : {"e4m3", "e5m2"})
        for (const char* b : {"e4m3", "e5m2"})
            sparse(64, "f32", a, b, 1);
}

struct Tile {
    unsigned m, n, k;
};
constexpr Tile kTiles[] = {{16, 16, 16}, {8, 32, 16}, {32, 8, 16}};

void add_products_of_wmma(std::vector<Form>& forms) {
    const auto wmma = [&](const Tile& t, const char* d, const char* a, const char* c, int layouts,
                          const char* within = "", const char* behind = "") {
        forms.push_back(
            product(true, t.m, t.n, t.k, d, a, a, c, (layouts & 1) != 0, (layouts & 2) != 0, within, behind));
    };
    for (const Tile& t : kTiles) {
        for (const int layouts : {0, 2, 1, 3}) {
            if (layouts != 2) { // the fragments are the same
                if (t.m == 16) wmma(t, "f32", "f16", "f32", layouts);
                continue;
            }
            for (const char* d : {"f16", "f32"})
                for (const char* c : {"f16", "f32"})
                    wmma(t, d, "f16", c, layouts);
            wmma(t, "f32", "bf16", "f32", layouts);
            for (const char* type : {"s8", "u8"})
                wmma(t, "s32", type, "s32", layouts);
        }
        for (const char* type : {"s8", "u8"})
            wmma(t, "s32", type, "s32", 2, "", ".satfinite");
    }
    for (const int layouts : {0, 2, 1, 3}) {
        wmma({16, 16, 8}, "f32", "tf32", "f32", layouts);
        wmma({8, 8, 4}, "f64", "f64", "f64", layouts);
    }
    for (const char* rounding : {".rn", ".rz", ".rm", ".rp"})
        wmma({8, 8, 4}, "f64", "f64", "f64", 2, "", rounding);
    for (const char* type : {"s4", "u4"})
        for (const char* saturate : {"", ".satfinite"})
            wmma({8, 8, 32}, "s32", type, "s32", 2, "", saturate);
    for (const char* operation : {".xor.popc", ".and.popc"})
        wmma({8, 8, 128}, "s32", "b1", "s32", 2, operation);
}

void add_moves(std::vector<Form>& forms) {
    const auto accumulators = [&](const Tile& t, std::initializer_list<const char*> types) {
        for (const char* type : types)
            for (const bool columns : {false, true})
                for (const char part : {'c', 'd'})
                    forms.push_back(move(part, columns, t.m, t.n, t.k, type));
    };
    const auto factors = [&](const Tile& t, std::initializer_list<const char*> types) {
        for (const char* type : types)
            for (const bool columns : {false, true})
                for (const char part : {'a', 'b'})
                    if (bits_of(type) >= 8 || columns == (part == 'b'))
                        forms.push_back(move(part, columns, t.m, t.n, t.k, type));
    };
    for (const Tile& t : kTiles) {
        factors(t, {"f16", "bf16", "s8", "u8"});
        accumulators(t, {"f16", "f32", "s32"});
    }
    factors({16, 16, 8}, {"tf32"});
    factors({8, 8, 4}, {"f64"});
    factors({8, 8, 32}, {"s4", "u4"});
    factors({8, 8, 128}, {"b1"});
    accumulators({16, 16, 8}, {"f32"});
    accumulators({8, 8, 4}, {"f64"});
    accumulators({8, 8, 32}, {"s32"});
    accumulators({8, 8, 128}, {"s32"});
}

} // namespace

unsigned Form::stride() const {
    const unsigned least = by_columns ? rows : columns;
    return least + (bits == 1 ? 128 : bits < 8 ? 32 : 256 / bits);
}

bool Form::is_wide() const { return kind == Kind::product ? d == "f64" : bits == 64; }

int Form::cases() const { return kind != Kind::product ? 1 : is_integer() ? 3 : 4; }

std::vector<Form> all_forms() {
    std::vector<Form> forms;
    add_products_of_mma(forms);
    add_products_of_wmma(forms);
    add_products_of_bytes(forms);
    add_sparse_products(forms);
    add_moves(forms);
    for (const bool load : {true, false})
        for (const unsigned count : {1, 2, 4})
            for (const bool transposed : {false, true})
                forms.push_back(rows(load, count, transposed));
    forms.push_back(movmatrix());
    return forms;
}

} // namespace matrices
