// SPDX-License-Identifier: Apache-2.0
#include "matrix_forms.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <initializer_list>

namespace matrices {

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

unsigned elements_of(const std::string& type) { return std::max(1U, 32 / bits_of(type)); }

const char* layout(bool columns) { return columns ? "col" : "row"; }

bool of_quads(const Form& f) { return !f.wmma && f.m == 8 && f.k == 4 && f.a == "f16"; }

unsigned registers_of_part(const Form& f, char part) {
    const std::string& type = part == 'a' ? f.a : part == 'b' ? f.b : part == 'c' ? f.c : f.d;
    const unsigned size = (part == 'b' ? f.k : f.m) * (part == 'a' ? f.stored_k() : f.n);
    if (f.wmma && type == "f16" && part < 'c') return 8;
    if (of_quads(f)) return part < 'c' ? 2 : type == "f16" ? 4 : 8;
    return size / 32 / elements_of(type);
}

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

// --- inputs

struct Random {
    std::uint64_t state;
    std::uint64_t next() {
        state += 0x9E3779B97F4A7C15U;
        std::uint64_t z = state;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
        z = (z ^ z >> 27) * 0x94D049BB133111EBU;
        return z ^ z >> 31;
    }
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((next() >> 32) * n >> 32); }
};

std::uint64_t seed_of(const std::string& name, int number) {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    return hash + static_cast<std::uint64_t>(number) * 1000003;
}

struct Format {
    int mantissa, bias, bits;
    int low, high; ///< exponents of a wide range
};

std::uint64_t make_float(Random& r, const Format& f, int number) {
    const std::uint64_t sign = static_cast<std::uint64_t>(r.below(2)) << (f.bits - 1);
    const std::uint64_t all_mantissa = (std::uint64_t{1} << f.mantissa) - 1, mantissa = r.next() & all_mantissa;
    const auto with = [&](int exponent, std::uint64_t m) {
        return sign | static_cast<std::uint64_t>(exponent + f.bias) << f.mantissa | m;
    };
    if (number == 0) { // halves up to 8, as far as the mantissa has room for them
        const int n = static_cast<int>(r.below(f.mantissa < 4 ? 2U << f.mantissa : 17));
        if (n == 0) return sign;
        const int e = std::bit_width(static_cast<unsigned>(n)) - 1;
        return with(e - 1, static_cast<std::uint64_t>(n) << (f.mantissa - e) & all_mantissa);
    }
    if (number == 2) {
        (void)r.next(); // the recorded results were made with it
        return with(f.low + static_cast<int>(r.below(static_cast<std::uint32_t>(f.high - f.low + 1))), mantissa);
    }
    if (number == 3 && r.below(24) == 0) {
        const std::uint64_t infinity = (2 * static_cast<std::uint64_t>(f.bias) + 1) << f.mantissa;
        switch (r.below(6)) {
        case 0: return sign;
        case 1: return sign | infinity;
        case 2: return sign | infinity | std::uint64_t{1} << (f.mantissa - 1);
        case 3: return sign | mantissa; // subnormal
        case 4: return sign | (infinity - 1);
        default: return sign | mantissa >> 3;
        }
    }
    return with(static_cast<int>(r.below(8)) - 4, mantissa);
}

std::uint64_t make_word(Random& r, const std::string& type, int number) {
    if (type == "f16" || type == "bf16") {
        const Format f = type == "f16" ? Format{10, 15, 16, -14, 15} : Format{7, 127, 16, -30, 30};
        const std::uint64_t low = make_float(r, f, number);
        return low | make_float(r, f, number) << 16;
    }
    if (type == "e4m3" || type == "e5m2") {
        std::uint64_t word = 0;
        for (unsigned shift = 0; shift < 32; shift += 8) {
            std::uint64_t byte =
                type == "e4m3" ? make_float(r, {3, 7, 8, -6, 7}, number) : make_float(r, {2, 15, 8, -14, 15}, number);
            word |= (byte & 0xff) << shift;
        }
        return word;
    }
    if (type == "tf32" || type == "f32") return make_float(r, {23, 127, 32, -30, 30}, number);
    if (type == "f64") return make_float(r, {52, 1023, 64, -30, 30}, number);
    auto x = static_cast<std::uint32_t>(r.next());
    if (type == "s32") {
        if (number == 0) return x & 0xffff;
        if (number == 1) return x;
        return x & 0x80000000U ? 0x80000000U + (x & 0xfff) : 0x7fffffffU - (x & 0xfff);
    }
    if (number == 2) x &= (x >> 8 & 0x0f0f0f0fU) != 0 ? 0xffffffffU : 0x7f7f7f7fU;
    return x;
}

/// Which elements of A are there: of each four two, as two numbers of two bits; of tf32 one of two.
std::uint32_t make_metadata(Random& r, const std::string& type) {
    constexpr std::uint32_t kPairs[] = {4, 8, 12, 9, 13, 14}, kSingles[] = {4, 14};
    std::uint32_t word = 0;
    for (unsigned shift = 0; shift < 32; shift += 4)
        word |= (type == "tf32" ? kSingles[r.below(2)] : kPairs[r.below(6)]) << shift;
    return word;
}

// --- plain C++

struct Place {
    unsigned row, column, product;
};

/// After the figures of the PTX ISA, and of wmma after what an H100 has in its registers.
Place place_of(const Form& f, char part, unsigned lane, unsigned i, unsigned elements) {
    const unsigned group = lane / 4, thread = lane % 4;
    if (of_quads(f)) {
        const unsigned high = lane < 16 ? 0 : 4, quad = lane / 4 % 4;
        if (part == 'a') return f.a_by_columns ? Place{i + high, thread, quad} : Place{thread + high, i, quad};
        if (part == 'b') return f.b_by_columns ? Place{i, thread + high, quad} : Place{thread, i + high, quad};
        if ((part == 'c' ? f.c : f.d) == "f16") return {thread + high, i, quad};
        return {(lane & 1) + (i & 2) + high, (i & 4) + (lane & 2) + (i & 1), quad};
    }
    if (f.n == 32) { // as the transposed product
        Form t = f;
        std::swap(t.m, t.n);
        const Place p = place_of(t, part == 'a' ? 'b' : part == 'b' ? 'a' : part, lane, i, elements);
        return {p.column, p.row, 0};
    }
    const unsigned reg = i / elements, e = i % elements, run = 4 * elements; // elements that four lanes have together
    switch (part) {
    case 'a': {
        if (f.m == 8) return {group, reg * run + thread * elements + e, 0};
        const unsigned registers = 2 * f.stored_k() / run, tile = reg / registers, rest = reg % registers;
        return {tile * 16 + (rest % 2 ? group + 8 : group), rest / 2 * run + thread * elements + e, 0};
    }
    case 'b': {
        const unsigned registers = f.k / run;
        return {reg % registers * run + thread * elements + e, reg / registers * 8 + group, 0};
    }
    default: {
        if (f.m == 8) return {group, thread * 2 + i, 0};
        const unsigned tile = i / 4, rest = i % 4, row = rest < 2 ? group : group + 8;
        return f.m == 32 ? Place{tile * 16 + row, thread * 2 + rest % 2, 0}
                         : Place{row, tile * 8 + thread * 2 + rest % 2, 0};
    }
    }
}

std::uint64_t word_at(const Form& form, const std::vector<std::uint32_t>& words, unsigned reg, unsigned lane) {
    const std::size_t at = std::size_t{32} * reg + lane;
    return form.is_wide() ? words[2 * at] | std::uint64_t{words[2 * at + 1]} << 32 : words[at];
}

} // namespace

unsigned bits_of(const std::string& type) {
    if (type == "b1") return 1;
    if (type == "s4" || type == "u4") return 4;
    if (type == "s8" || type == "u8" || type == "e4m3" || type == "e5m2") return 8;
    if (type == "f16" || type == "bf16") return 16;
    return type == "f64" ? 64 : 32;
}

double number_of(const std::string& type, std::uint64_t bits) {
    const auto low = static_cast<std::uint32_t>(bits);
    if (type == "f64") return std::bit_cast<double>(bits);
    if (type == "f32") return std::bit_cast<float>(low);
    if (type == "tf32") return std::bit_cast<float>(low >> 13 << 13);
    if (type == "bf16") return std::bit_cast<float>(low << 16);
    if (type == "f16") {
        const int exponent = static_cast<int>(low >> 10 & 31), mantissa = static_cast<int>(low & 1023);
        double value = exponent == 31 ? (mantissa ? std::nan("") : HUGE_VAL)
                       : exponent     ? std::ldexp(mantissa + 1024, exponent - 25)
                                      : std::ldexp(mantissa, -24);
        return low & 0x8000 ? -value : value;
    }
    if (type == "e4m3" || type == "e5m2") {
        const bool four = type == "e4m3";
        const int bits_of_fraction = four ? 3 : 2, bias = four ? 7 : 15;
        const int exponent = static_cast<int>(low >> bits_of_fraction & (four ? 15 : 31));
        const int fraction = static_cast<int>(low & (four ? 7 : 3));
        double value = std::ldexp(exponent ? fraction + (1 << bits_of_fraction) : fraction,
                                  std::max(exponent, 1) - bias - bits_of_fraction);
        if (four ? exponent == 15 && fraction == 7 : exponent == 31) // e4m3 has no infinity
            value = four || fraction ? std::nan("") : HUGE_VAL;
        return low & 0x80 ? -value : value;
    }
    const unsigned width = bits_of(type);
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1, value = bits & mask;
    const bool negative = type[0] == 's' && (value >> (width - 1) & 1) != 0;
    return static_cast<double>(static_cast<std::int64_t>(value) - (negative ? std::int64_t{1} << width : 0));
}

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

std::vector<std::uint32_t> input_of(const Form& form, int number) {
    std::vector<std::uint32_t> words(kWords);
    Random random{seed_of(form.name, number)};
    const auto put = [&](unsigned reg, unsigned lane, std::uint64_t value) {
        const std::size_t at = std::size_t{32} * reg + lane;
        words[form.is_wide() ? 2 * at : at] = static_cast<std::uint32_t>(value);
        if (form.is_wide()) words[2 * at + 1] = static_cast<std::uint32_t>(value >> 32);
    };
    if (form.kind == Kind::load || form.kind == Kind::store) {
        for (std::uint32_t& w : words)
            w = static_cast<std::uint32_t>(random.next());
        if (form.kind == Kind::load) return words;
        const std::vector<std::uint32_t> all = words; // the recorded kernels had 8 bytes a lane
        for (unsigned reg = 0; reg < form.registers[0]; ++reg)
            for (unsigned lane = 0; lane < 32; ++lane)
                put(reg, lane,
                    all[std::size_t{64} * reg + 2 * lane] | std::uint64_t{all[std::size_t{64} * reg + 2 * lane + 1]}
                                                                << 32);
    } else if (form.kind == Kind::exchange) {
        for (unsigned reg = 0; reg < form.registers[0]; ++reg)
            for (unsigned lane = 0; lane < 32; ++lane)
                put(reg, lane, random.next());
    } else {
        const std::string* types[3] = {&form.a, &form.b, &form.c};
        unsigned at = 0;
        for (unsigned part = 0; part < 3; ++part)
            for (unsigned reg = 0; reg < form.registers[part]; ++reg, ++at)
                for (unsigned lane = 0; lane < 32; ++lane)
                    put(at, lane, make_word(random, *types[part], number));
        for (unsigned lane = 0; form.sparse && lane < 32; ++lane)
            put(at, lane, make_metadata(random, form.a));
    }
    return words;
}

std::vector<std::uint32_t> result_of(const Form& form, const std::vector<std::uint32_t>& out) {
    std::vector<std::uint32_t> words;
    if (form.kind == Kind::store) {
        const unsigned bits = form.stride() * (form.by_columns ? form.columns : form.rows) * form.bits;
        words.assign(out.begin(), out.begin() + bits / 32);
        return words;
    }
    const unsigned registers = form.registers[form.kind == Kind::product ? 3 : form.kind == Kind::exchange ? 1 : 0];
    words.assign(out.begin(), out.begin() + registers * (form.is_wide() ? 64 : 32));
    return words;
}

namespace {

/// A as if it were not sparse, and where there is an element: the others are not multiplied.
std::vector<double> spread(const Form& form, const std::vector<std::uint32_t>& in, const std::vector<double>& stored,
                           std::vector<bool>& present) {
    const unsigned registers = form.registers[0] + form.registers[1] + form.registers[2];
    // A choice of two bits is of one element, of one of 4 bits of two.
    const unsigned unit = bits_of(form.a) == 4 ? 2 : 1, group = form.a == "tf32" ? 2 : 4;
    const unsigned choices = group / 2, nibbles = form.k / (group * unit); // of a row
    std::vector<double> a(std::size_t{form.m} * form.k);
    present.assign(a.size(), false);
    for (unsigned row = 0; row < form.m; ++row)
        for (unsigned n = 0; n < nibbles; ++n) {
            // One, two or four lanes of each four have the metadata: 16 bits of each of two rows, or of elements of no
            // more than a byte 32 bits of one.
            const unsigned lanes = nibbles / 4;
            const bool small = bits_of(form.a) <= 8;
            const unsigned lane = row % 8 * 4 + form.selector * lanes + (small ? n / 8 * 2 + row / 8 : n / 4);
            const unsigned shift = small ? n % 8 * 4 : row / 8 * 16 + n % 4 * 4;
            const std::uint32_t nibble = in[std::size_t{32} * registers + lane] >> shift & 15;
            for (unsigned choice = 0; choice < choices; ++choice) {
                const unsigned index = group == 2 ? (nibble & 3) / 2 : nibble >> 2 * choice & 3;
                for (unsigned u = 0; u < unit; ++u) {
                    const std::size_t at = std::size_t{row} * form.k + (n * group + index) * unit + u;
                    a[at] = stored[std::size_t{row} * form.stored_k() + (n * choices + choice) * unit + u];
                    present[at] = true;
                }
            }
        }
    return a;
}

} // namespace

std::vector<Expected> expected_of(const Form& form, const std::vector<std::uint32_t>& in) {
    using Matrix = std::vector<double>;
    const auto gather = [&](char part, const std::string& type, unsigned first, unsigned rows, unsigned columns) {
        Matrix matrix(std::size_t{4} * rows * columns);
        const unsigned elements = elements_of(type), bits = bits_of(type);
        const unsigned count = of_quads(form) ? registers_of_part(form, part)
                                              : std::max(1U, rows * columns / 32 / elements); // each element once
        for (unsigned i = 0; i < count * elements; ++i)
            for (unsigned lane = 0; lane < 32; ++lane) {
                const Place p = place_of(form, part, lane, i, elements);
                matrix[(std::size_t{p.product} * rows + p.row) * columns + p.column] =
                    number_of(type, word_at(form, in, first + i / elements, lane) >> (i % elements * bits));
            }
        return matrix;
    };
    Matrix a = gather('a', form.a, 0, form.m, form.stored_k());
    std::vector<bool> present(a.size(), true);
    if (form.sparse) a = spread(form, in, a, present);
    const Matrix b = gather('b', form.b, form.registers[0], form.k, form.n);
    const Matrix c = gather('c', form.c, form.registers[0] + form.registers[1], form.m, form.n);
    const bool bits = form.a == "b1", either = form.name.find("xor") != std::string::npos;
    std::vector<Expected> all;
    const unsigned elements = elements_of(form.d);
    for (unsigned reg = 0; reg < form.registers[3]; ++reg)
        for (unsigned lane = 0; lane < 32; ++lane)
            for (unsigned e = 0; e < elements; ++e) {
                const Place p = place_of(form, 'd', lane, reg * elements + e, elements);
                Expected x{reg, lane, e, c[(std::size_t{p.product} * form.m + p.row) * form.n + p.column], 0};
                x.magnitude = std::abs(x.value);
                for (unsigned k = 0; k < form.k; ++k) {
                    if (!present[(std::size_t{p.product} * form.m + p.row) * form.k + k]) continue;
                    const double f = a[(std::size_t{p.product} * form.m + p.row) * form.k + k];
                    const double g = b[(std::size_t{p.product} * form.k + k) * form.n + p.column];
                    const double term = !bits ? f * g : either ? (f != g ? 1 : 0) : f * g;
                    x.value += term;
                    x.magnitude += std::abs(term);
                }
                all.push_back(x);
            }
    return all;
}

} // namespace matrices
