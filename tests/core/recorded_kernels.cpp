// SPDX-License-Identifier: Apache-2.0
// Conversions, atomics and exchanges within a warp on hard values, and launches of every shape.
#include "recorded_cases.hpp"
#include "warplight/context.hpp"
#include "warplight/function.hpp"
#include "warplight/memory.hpp"
#include "warplight/module.hpp"

#include <bit>
#include <cstring>

using namespace warplight::driver;

namespace recorded {
namespace {

constexpr std::size_t kThreads = 64;
const std::string kHead = ".version 7.0\n.target sm_75\n.address_size 64\n";

/// 64-bit values: patterns that conversions get wrong, then noise.
Bytes hard_values(std::uint32_t seed) {
    constexpr std::uint64_t corners[] = {0,
                                         1,
                                         2,
                                         3,
                                         0x7F,
                                         0x80,
                                         0xFF,
                                         0x100,
                                         0x7FFF,
                                         0x8000,
                                         0xFFFF,
                                         0x10000,
                                         0x7FFFFFFF,
                                         0x80000000,
                                         0xFFFFFFFF,
                                         0x100000000,
                                         0x7FFFFFFFFFFFFFFF,
                                         0x8000000000000000,
                                         0xFFFFFFFFFFFFFFFF,
                                         0x3F800000,
                                         0xBF800000,
                                         0x3F000000,
                                         0x3FC00000,
                                         0x40200000,
                                         0xC0200000,
                                         0x4B000000,
                                         0x4B800001,
                                         0x4F000000,
                                         0x4F7FFFFF,
                                         0xCF000000,
                                         0x5F000000,
                                         0x00000001,
                                         0x00800000,
                                         0x007FFFFF,
                                         0x80000001,
                                         0x7F7FFFFF,
                                         0x7F800000,
                                         0xFF800000,
                                         0x477FE000,
                                         0x477FF000,
                                         0x33000000,
                                         0x38800000,
                                         0x387FC000,
                                         0x3FF0000000000000,
                                         0x4008000000000001,
                                         0xBFE0000000000000,
                                         0x43E0000000000000,
                                         0x47EFFFFFE0000000,
                                         0x7FEFFFFFFFFFFFFF,
                                         0x7FF0000000000000,
                                         0x0000000000000001,
                                         0x3810000000000000,
                                         0x3C00,
                                         0x7BFF,
                                         0x7C00,
                                         0x0001,
                                         0x03FF,
                                         0x8001,
                                         0xFBFF};
    Bytes bytes = noise(kThreads * 8, seed);
    std::memcpy(bytes.data(), corners, sizeof corners);
    return bytes;
}

/// Each thread: `body` makes %o (64 bits) of %a (64 bits); %m is 64 bits of memory that all share, at [%rd2].
std::string program(const std::string& body, const char* shared = "") {
    return kHead + ".visible .entry run(.param .u64 in, .param .u64 out, .param .u64 all)\n{\n" + shared + R"(
    .reg .b64 %a, %o, %rd<8>, %d<4>; .reg .b32 %r<8>, %w<4>; .reg .b16 %h<4>; .reg .f32 %f<4>; .reg .f64 %g<4>;
    .reg .pred %p<4>;
    ld.param.u64 %rd0, [in]; ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [all];
    mov.u32 %r0, %tid.x; mul.wide.u32 %rd3, %r0, 8; add.s64 %rd0, %rd0, %rd3; add.s64 %rd1, %rd1, %rd3;
    ld.global.u64 %a, [%rd0]; cvt.u32.u64 %w0, %a; cvt.u16.u64 %h0, %a; mov.b32 %f0, %w0; mov.b64 %g0, %a;
    mov.u64 %o, 0;
)" + body + "\n    st.global.u64 [%rd1], %o;\n    ret;\n}\n";
}

Bytes run(const std::string& text, std::uint32_t seed, bool threads_results = true) {
    const Module module = module_from_buffer(std::string_view(text));
    const Bytes values = hard_values(seed);
    const DeviceAllocation in = mem_alloc(values.size()), out = mem_alloc(values.size()), all = mem_alloc(64);
    memcpy_htod(in, {values.data(), values.size()});
    memset_d32(all, 100, 16);
    module.get_function("run")({.grid = {1}, .block = {kThreads}}, in, out, all);
    Bytes result(threads_results ? values.size() : 0), shared(64);
    if (threads_results) memcpy_dtoh({result.data(), result.size()}, out);
    memcpy_dtoh({shared.data(), shared.size()}, all);
    result.insert(result.end(), shared.begin(), shared.end());
    return result;
}

/// From a register of the type: %w0, %h0, %f0, %g0, %a; to %o.
std::string conversion(const std::string& how, const std::string& to, const std::string& from) {
    const auto reg = [](const std::string& type, const char* number, bool is_result) -> std::string {
        if (type == "f32") return std::string("%f") + number;
        if (type == "f64") return std::string("%g") + number;
        if (type == "f16" || type.ends_with("16") || type.ends_with("8")) return std::string("%h") + number;
        if (type.ends_with("64")) return is_result ? "%d1" : "%a";
        return std::string("%w") + number;
    };
    const std::string result = reg(to, "1", true);
    std::string body = "    cvt" + how + "." + to + "." + from + " " + result + ", " + reg(from, "0", false) + ";\n";
    if (to == "f32")
        body += "    mov.b32 %w2, %f1; cvt.u64.u32 %o, %w2;";
    else if (to == "f64")
        body += "    mov.b64 %o, %g1;";
    else if (result[1] == 'h')
        body += "    cvt.u64.u16 %o, %h1;";
    else if (result[1] == 'd')
        body += "    mov.b64 %o, %d1;";
    else
        body += "    cvt.u64.u32 %o, %w1;";
    // NaN has many forms, of which GPUs choose one each.
    if (to == "f32") body = body + "\n    testp.notanumber.f32 %p0, %f1; @%p0 mov.u64 %o, 1;";
    if (to == "f64") body = body + "\n    testp.notanumber.f64 %p0, %g1; @%p0 mov.u64 %o, 1;";
    if (to == "f16") body = body + "\n    and.b16 %h2, %h1, 0x7FFF; setp.gt.u16 %p0, %h2, 0x7C00; @%p0 mov.u64 %o, 1;";
    return program(body);
}

void add(std::vector<Case>& cases, std::string name, std::string text, bool threads_results = true) {
    const auto seed = static_cast<std::uint32_t>(9000 + cases.size());
    cases.push_back({std::move(name),
                     [text = std::move(text), seed, threads_results] { return run(text, seed, threads_results); }});
}

Bytes launched(Grid grid, Block block, std::size_t shared, bool cooperative) {
    static const std::string text = kHead + R"(
.extern .shared .align 4 .b8 memory[];
.visible .entry places(.param .u64 out, .param .u32 words)
{
    .reg .b32 %r<24>; .reg .b64 %rd<4>; .reg .pred %p;
    ld.param.u64 %rd0, [out]; ld.param.u32 %r20, [words];
    mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ctaid.y; mov.u32 %r2, %ctaid.z;
    mov.u32 %r3, %nctaid.x; mov.u32 %r4, %nctaid.y; mov.u32 %r5, %nctaid.z;
    mov.u32 %r6, %tid.x; mov.u32 %r7, %tid.y; mov.u32 %r8, %tid.z;
    mov.u32 %r9, %ntid.x; mov.u32 %r10, %ntid.y; mov.u32 %r11, %ntid.z;
    mad.lo.u32 %r12, %r2, %r4, %r1; mad.lo.u32 %r12, %r12, %r3, %r0;
    mad.lo.u32 %r13, %r8, %r10, %r7; mad.lo.u32 %r13, %r13, %r9, %r6;
    mul.lo.u32 %r14, %r9, %r10; mul.lo.u32 %r14, %r14, %r11;
    mad.lo.u32 %r15, %r12, %r14, %r13;
    // Through shared memory, to the thread opposite.
    mov.u32 %r16, memory; sub.u32 %r17, %r14, 1; sub.u32 %r17, %r17, %r13;
    setp.eq.u32 %p, %r20, 0; @%p bra DIRECT;
    mad.lo.u32 %r18, %r13, 4, %r16; st.shared.u32 [%r18], %r15; bar.sync 0;
    mad.lo.u32 %r18, %r17, 4, %r16; ld.shared.u32 %r19, [%r18]; bra STORE;
DIRECT:
    mov.u32 %r21, %laneid; mov.u32 %r22, %dynamic_smem_size; mad.lo.u32 %r19, %r21, 65536, %r22;
STORE:
    mul.wide.u32 %rd1, %r15, 8; add.s64 %rd0, %rd0, %rd1;
    shl.b32 %r23, %r0, 20; or.b32 %r23, %r23, %r13;
    st.global.v2.u32 [%rd0], {%r19, %r23};
    ret;
}
)";
    const Module module = module_from_buffer(std::string_view(text));
    const std::size_t threads = std::size_t{block.x} * block.y * block.z,
                      blocks = std::size_t{grid.x} * grid.y * grid.z;
    const DeviceAllocation out = mem_alloc(threads * blocks * 8);
    memset_d8(out, 0xEE, threads * blocks * 8);
    module.get_function("places")({.grid = grid, .block = block, .shared = shared, .cooperative = cooperative}, out,
                                  static_cast<std::uint32_t>(shared >= threads * 4 ? threads : 0));
    Bytes result(threads * blocks * 8);
    memcpy_dtoh({result.data(), result.size()}, out);
    return result;
}

} // namespace

void add_instructions(std::vector<Case>& cases) {
    for (const char* to : {"s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"})
        for (const char* from : {"f32", "f64"})
            for (const char* how : {".rni", ".rzi", ".rmi", ".rpi"})
                add(cases, std::string("cvt") + how + "." + to + "." + from, conversion(how, to, from));
    for (const char* from : {"s32", "u32", "s64", "u64"})
        for (const char* to : {"f32", "f64", "f16"})
            add(cases, std::string("cvt.rn.") + to + "." + from, conversion(".rn", to, from));
    for (const char* how : {".rn", ".rz", ".rm", ".rp"})
        add(cases, std::string("cvt") + how + ".f32.f64", conversion(how, "f32", "f64"));
    for (const char* how : {".rn", ".rz"})
        add(cases, std::string("cvt") + how + ".f16.f32", conversion(how, "f16", "f32"));
    for (const auto& [to, from] :
         {std::pair("s8", "s32"), {"u8", "s32"}, {"s16", "s64"}, {"u32", "s64"}, {"s32", "u64"}})
        add(cases, std::string("cvt.sat.") + to + "." + from, conversion(".sat", to, from));
    // What all threads make of one word: of each order of them the same.
    struct Atomic {
        const char* name;
        const char* operand;
    };
    for (const Atomic& a : {Atomic{"add.u32", "%w0"},
                            {"add.u64", "%a"},
                            {"min.s32", "%w0"},
                            {"max.s32", "%w0"},
                            {"min.u32", "%w0"},
                            {"max.u32", "%w0"},
                            {"min.s64", "%a"},
                            {"max.s64", "%a"},
                            {"min.u64", "%a"},
                            {"max.u64", "%a"},
                            {"and.b32", "%w0"},
                            {"or.b32", "%w0"},
                            {"xor.b32", "%w0"},
                            {"and.b64", "%a"},
                            {"or.b64", "%a"},
                            {"xor.b64", "%a"},
                            {"inc.u32", "%w3"},
                            {"dec.u32", "%w3"}}) {
        const bool wide = std::string(a.name).ends_with("64");
        const std::string old = wide ? "%d1" : "%w1", count = "    mov.u32 %w3, 77;\n";
        add(cases, std::string("atom.global.") + a.name,
            program(count + "    atom.global." + a.name + " " + old + ", [%rd2], " + a.operand + ";"), false);
        add(cases, std::string("red.global.") + a.name,
            program(count + "    red.global." + a.name + " [%rd2], " + a.operand + ";"), false);
        add(cases, std::string("atom.shared.") + a.name,
            program(count + "    mov.u32 %r1, word; st.shared.u64 [%r1], 1000; bar.sync 0;\n    atom.shared." + a.name +
                        " " + old + ", [%r1], " + a.operand + ";\n    bar.sync 0; ld.shared.u64 %o, [%r1];",
                    "    .shared .align 8 .b64 word;"));
    }
    // Within a warp.
    for (const char* mode :
         {"up.b32 %w1|%p1, %w0, 3, 0", "down.b32 %w1|%p1, %w0, 5, 31", "bfly.b32 %w1|%p1, %w0, 7, 31",
          "idx.b32 %w1|%p1, %w0, %r0, 31", "idx.b32 %w1|%p1, %w0, 9, 0x181F"})
        add(cases, std::string("shfl.sync.") + mode,
            program(std::string("    shfl.sync.") + mode +
                    ", 0xFFFFFFFF;\n    selp.u32 %w2, 1, 0, %p1; mov.b64 %o, {%w1, %w2};"));
    for (const char* mode : {"all", "any", "uni"})
        add(cases, std::string("vote.sync.") + mode,
            program(std::string("    and.b32 %w1, %w0, 1; setp.eq.u32 %p0, %w1, 1; vote.sync.") + mode +
                    ".pred %p1, %p0, 0xFFFFFFFF; selp.u64 %o, 1, 0, %p1;"));
    add(cases, "vote.sync.ballot",
        program("    and.b32 %w1, %w0, 4; setp.eq.u32 %p0, %w1, 4; vote.sync.ballot.b32 %w2, %p0, 0xFFFFFFFF;"
                " cvt.u64.u32 %o, %w2;"));
    add(cases, "match.any.sync",
        program("    and.b32 %w1, %w0, 3; match.any.sync.b32 %w2, %w1, 0xFFFFFFFF; cvt.u64.u32 %o, %w2;"));
    add(cases, "match.all.sync",
        program("    shr.u32 %w1, %r0, 5; match.all.sync.b32 %w2|%p1, %w1, 0xFFFFFFFF; selp.u32 %w3, 1, 0, %p1;"
                " mov.b64 %o, {%w2, %w3};"));
}

void add_launches(std::vector<Case>& cases) {
    struct Launch {
        Grid grid;
        Block block;
        std::size_t shared;
        bool cooperative;
    };
    for (const Launch& l : {Launch{{1}, {1}, 0, false},
                            {{7}, {33}, 0, false},
                            {{3, 5}, {8, 4}, 0, false},
                            {{2, 3, 4}, {3, 4, 5}, 0, false},
                            {{1}, {1024}, 0, false},
                            {{2}, {1, 1, 64}, 0, false},
                            {{65}, {1}, 0, false},
                            {{1, 65}, {2}, 0, false},
                            {{1, 1, 65}, {2}, 0, false},
                            {{4}, {64}, 256, false},
                            {{2, 2}, {16, 16}, 4096, false},
                            {{1}, {1024}, 4096, false},
                            {{3}, {7, 9}, 49152, false},
                            {{2}, {32}, 100, false},
                            {{8}, {128}, 0, true},
                            {{4, 2}, {32, 2}, 1024, true}}) {
        const auto text = [](const auto& d) {
            return std::to_string(d.x) + "x" + std::to_string(d.y) + "x" + std::to_string(d.z);
        };
        cases.push_back({"launch of " + text(l.grid) + " blocks of " + text(l.block) + " threads, " +
                             std::to_string(l.shared) + " bytes" + (l.cooperative ? ", cooperative" : ""),
                         [=] { return launched(l.grid, l.block, l.shared, l.cooperative); }});
    }
}

} // namespace recorded
