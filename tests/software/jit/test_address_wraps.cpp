// SPDX-License-Identifier: Apache-2.0
// Addresses of 32 bits are sums modulo 2^32: compilers write `add.s32 r, r, -128; ld.shared [r+192]`, and the register
// alone is nowhere. Each access is made through registers that are off by several distances; what it finds and leaves
// has to be the same.
#include "mini_runtime.hpp"

#include <QTest>

#include <cinttypes>
#include <cstdio>
#include <vector>

using mini::Launch;
using mini::Parameters;
using mini::Program;
using warplight::jit::Mode;

namespace {

constexpr unsigned kThreads = 64, kResults = 8;

/// How far the register is below the address; the offset is as much above it.
constexpr std::int64_t kDistances[] = {128, -64, 0x3FFFFFF0, 0x40000000, 0x7FFFFFF0};

struct Access {
    const char* name;
    /// [B+n] is an address with the register; B: where the thread's own 16 bytes are, a register that is set before.
    const char* place;
    const char* text;
    bool side_by_side = true; ///< threads may be
};

/// %r1: thread; %r2: its lane; %rs: the register; %r3 an input that differs; %rd3 points to the thread's inputs.
const char* const kOwn = "shl.b32 %r4, %r1, 4; mov.u32 %r5, tile; add.u32 %rs, %r4, %r5;";
const char* const kNeighbours = "shl.b32 %r4, %r1, 2; mov.u32 %r5, tile; add.u32 %rs, %r4, %r5;";
const char* const kEightBytes = "shl.b32 %r4, %r1, 3; mov.u32 %r5, tile; add.u32 %rs, %r4, %r5;";
const char* const kSpread = "and.b32 %r6, %r1, 31; and.b32 %r4, %r6, 7; shl.b32 %r6, %r6, 1; sub.u32 %r4, %r6, %r4;"
                            "shl.b32 %r4, %r4, 2; mov.u32 %r5, tile; add.u32 %rs, %r4, %r5;";
const char* const kScattered = "and.b32 %r4, %r3, 63; shl.b32 %r4, %r4, 4; mov.u32 %r5, tile; add.u32 %rs, %r4, %r5;";
const char* const kOne =
    "ld.global.u32 %r4, [%rd5+60]; and.b32 %r4, %r4, 240; mov.u32 %r5, tile; add.u32 %rs, %r4, %r5;";
const char* const kWide = "shl.b32 %r4, %r1, 4; cvt.u64.u32 %rd6, %r4; mov.u64 %rd7, tile; add.u64 %rl, %rd6, %rd7;";

const Access kAccesses[] = {
    {"words", kNeighbours, "st.shared.u32 [B], %r3; bar.sync 0; ld.shared.u32 %o0, [B]; ld.shared.u32 %o1, [B+256];"},
    {"words under a guard", kNeighbours,
     "@%p1 st.shared.u32 [B], %r3; bar.sync 0; @%p2 ld.shared.u32 %o0, [B]; @%p2 ld.shared.u32 %o1, [B+4];"},
    {"words without a barrier", kNeighbours,
     "st.shared.u32 [B], %r3; ld.shared.u32 %o0, [B]; st.shared.u32 [B+256], 7;"},
    {"bytes and halves", kOwn,
     "st.shared.u8 [B+1], %r3; st.shared.u16 [B+2], %r1; bar.sync 0; ld.shared.s8 %o0, [B+1]; ld.shared.u16 %o1, "
     "[B+2];"},
    {"pairs of words", kEightBytes,
     "st.shared.u64 [B], %rd4; bar.sync 0; ld.shared.v2.u32 {%o0, %o1}, [B]; ld.shared.u64 %rd8, [B+8]; cvt.u32.u64 "
     "%o2, "
     "%rd8;"},
    {"vectors", kOwn,
     "st.shared.v4.u32 [B], {%r1, %r2, %r3, %r1}; bar.sync 0; ld.shared.v4.u32 {%o0, %o1, %o2, %o3}, [B+16];"
     "ld.shared.v2.u64 {%rd8, %rd9}, [B]; cvt.u32.u64 %o4, %rd9;"},
    {"volatile", kOwn, "st.volatile.shared.u32 [B], %r3; bar.sync 0; ld.volatile.shared.u32 %o0, [B];"},
    {"places that are spread", kSpread,
     "setp.lt.u32 %p3, %r1, 32; @%p3 st.shared.u32 [B], %r3; bar.sync 0; @%p3 ld.shared.u32 %o0, [B+32];"},
    {"places of which nothing is known", kScattered,
     "st.shared.u32 [B], 5; bar.sync 0; ld.shared.u32 %o0, [B]; ld.shared.u32 %o1, [B+4];"},
    {"places of which nothing is known, under a guard", kScattered,
     "@%p1 st.shared.u32 [B], 5; bar.sync 0; @%p2 ld.shared.u32 %o0, [B]; @%p1 ld.shared.u64 %rd8, [B+8];"},
    {"one place", kOne, "setp.eq.u32 %p3, %r1, 9; @%p3 st.shared.u32 [B], %r3; bar.sync 0; ld.shared.u32 %o0, [B];"},
    {"registers of 64 bits", kWide,
     "st.shared.u32 [L], %r3; bar.sync 0; ld.shared.u32 %o0, [L]; ld.shared.u32 %o1, [L+16];"},
    {"an array in a loop", kNeighbours,
     "st.shared.u32 [B], %r3; bar.sync 0; mov.u32 %r7, 0; mov.u32 %o0, 0;\n"
     "A: ld.shared.u32 %r8, [B]; add.u32 %o0, %o0, %r8; ld.shared.u32 %r8, [B+8]; add.u32 %o0, %o0, %r8;\n"
     "add.u32 %rs, %rs, 4; add.u32 %r7, %r7, 1; setp.lt.u32 %p3, %r7, 9; @%p3 bra A;"},
    {"atomic operations", kOwn,
     "st.shared.u32 [B], 3; bar.sync 0; atom.shared.add.u32 %o0, [B], %r3; atom.shared.cas.b32 %o1, [B], 3, 4;"
     "red.shared.max.u32 [B], %r3; ld.shared.u32 %o2, [B];"},
    {"atomic operations on one element", kOne,
     "atom.shared.add.u32 %o0, [B], 1; mov.u32 %o0, 0; red.shared.add.u32 [B+4], %r3; bar.sync 0; ld.shared.u32 %o1, "
     "[B];"
     "ld.shared.u32 %o2, [B+4];"},
    {"copies", kOwn,
     "cp.async.ca.shared.global [B], [%rd3], 16; cp.async.ca.shared.global [B+1024], [%rd3], 4; cp.async.wait_all;"
     "bar.sync 0; ld.shared.v4.u32 {%o0, %o1, %o2, %o3}, [B]; ld.shared.u32 %o4, [B+1024];"},
    {"barrier objects", kOwn,
     "mbarrier.init.shared.b64 [B], 1; mbarrier.arrive.shared.b64 %rd8, [B]; mbarrier.test_wait.shared.b64 %p3, [B], "
     "%rd8;"
     "selp.u32 %o0, 1, 0, %p3;",
     false},
    {"local memory", "shl.b32 %r4, %r2, 2; and.b32 %r4, %r4, 12; mov.u32 %r5, own; add.u32 %rs, %r4, %r5;",
     "st.local.v4.u32 [own], {%r1, %r1, %r1, %r1}; st.local.u32 [own+16], %r1; st.local.u32 [B], %r3; st.local.u32 "
     "[B+4], 9; bar.sync 0; ld.local.u32 %o0, [B]; ld.local.u32 %o1, [own+4];"},
    {"constants", "and.b32 %r4, %r3, 3; shl.b32 %r4, %r4, 2; mov.u32 %r5, table; add.u32 %rs, %r4, %r5;",
     "ld.const.u32 %o0, [B]; ld.const.u32 %o1, [B+16];"},
    {"parameters", "mov.u32 %rs, numbers;", "ld.param.u32 %o0, [B]; ld.param.u32 %o1, [B+8];"},
};

const Access kMatrices[] = {
    {"rows of matrices", kOwn,
     "st.shared.v4.u32 [B], {%r1, %r2, %r3, %r1}; bar.sync 0; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%o0, %o1, %o2, "
     "%o3}, [B];\nldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%o4}, [B+16]; bar.sync 0;"},
    {"fragments", "and.b32 %r4, %r3, 0; mov.u32 %r5, tile; add.u32 %rs, %r4, %r5;",
     "shl.b32 %r6, %r1, 4; add.u32 %r6, %r6, %r5; st.shared.v4.u32 [%r6], {%r1, %r2, %r3, %r1}; bar.sync 0;\n"
     "wmma.load.c.sync.aligned.row.m16n16k16.shared.f32 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, [B], 16; bar.sync "
     "0;\n"
     "wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [B+1024], {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, 16; "
     "bar.sync "
     "0; and.b32 %r6, %r6, 1023; ld.shared.u32 %o0, [%r6+1024];"},
};

/// With the register so far below.
std::string program(const Access& access, std::int64_t distance, const std::string& word, const std::string& wide) {
    std::string text;
    const std::string body = access.text;
    for (std::size_t k = 0; k < body.size(); ++k) {
        const bool narrow = body.compare(k, 2, "[B") == 0;
        if (!narrow && body.compare(k, 2, "[L") != 0) {
            text += body[k];
            continue;
        }
        const std::size_t end = body.find(']', k);
        const std::int64_t offset = body[k + 2] == '+' ? std::stoll(body.substr(k + 3, end)) : 0;
        text += (narrow ? "[%rs+" : "[%rl+") + std::to_string(static_cast<std::int32_t>(offset + distance)) + "]";
        k = end;
    }
    std::string results;
    for (unsigned k = 0; k < kResults; ++k)
        results += "st.global.u32 [%rd1+" + std::to_string(4 * k) + "], %o" + std::to_string(k) + ";\n";
    std::string cleared;
    for (unsigned k = 0; k < kResults; ++k)
        cleared += "mov.u32 %o" + std::to_string(k) + ", 77;\n";
    return ".version 8.0\n.target sm_80\n.address_size 64\n"
           ".const .align 4 .b32 table[16] = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16};\n"
           ".visible .entry k(.param .u64 out, .param .u64 in, .param .align 4 .b8 numbers[16])\n{\n"
           ".reg .pred %p<8>; .reg .b32 %r<40>; .reg .b32 %o<8>; .reg .b64 %rd<20>; .reg .f32 %f<8>;\n"
           ".reg .b32 %rs; .reg .b64 %rl; .shared .align 16 .b8 tile[2112]; .local .align 16 .b8 own[32];\n"
           "ld.param.u64 %rd1, [out]; ld.param.u64 %rd5, [in]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31;\n"
           "mul.wide.u32 %rd2, %r1, 32; add.u64 %rd1, %rd1, %rd2; mul.wide.u32 %rd2, %r1, 16;\n"
           "add.u64 %rd3, %rd5, %rd2; ld.global.u32 %r3, [%rd3]; ld.global.u64 %rd4, [%rd3+8];\n"
           "setp.gt.s32 %p1, %r3, 0; and.b32 %r9, %r1, 13; setp.ne.u32 %p2, %r9, 13;\n"
           "shl.b32 %r10, %r1, 5; mov.u32 %r11, tile; add.u32 %r10, %r10, %r11; mov.u32 %r12, 0;\n"
           "C: st.shared.u32 [%r10], %r1; add.u32 %r10, %r10, 4; add.u32 %r12, %r12, 1; setp.lt.u32 %p7, %r12, 8;\n"
           "@%p7 bra C; bar.sync 0;\n" +
           cleared + access.place + word + wide + "\n" + text + "\n" + results + "ret;\n}\n";
}

/// Off by a constant, and by a number of which the compiler knows nothing.
std::string plain(const Access& access) { return program(access, 0, "", ""); }
std::string off(const Access& access, std::int64_t distance, bool known) {
    const std::string by = std::to_string(static_cast<std::int32_t>(distance));
    if (known) return program(access, distance, "add.s32 %rs, %rs, -(" + by + ");", "sub.s64 %rl, %rl, " + by + ";");
    return program(access, distance,
                   "ld.param.u32 %r30, [numbers+4]; add.u32 %r30, %r30, " + by + "; sub.u32 %rs, %rs, %r30;",
                   "ld.param.u32 %r30, [numbers+4]; add.u32 %r30, %r30, " + by +
                       "; cvt.s64.s32 %rd10, %r30; sub.u64 %rl, %rl, %rd10;");
}

struct Way {
    Mode mode;
    unsigned width;
};

std::vector<std::uint32_t> run(const std::string& text, Way way) {
    const Program program(text);
    const auto kernel = program.compile("k", way.mode, {}, way.width);
    if (!kernel) throw std::runtime_error("not side by side");
    std::vector<std::uint32_t> in(4 * kThreads), out(kResults * kThreads);
    std::uint32_t x = 1;
    for (std::uint32_t& w : in)
        w = x = x * 1664525 + 1013904223;
    Launch launch;
    launch.block = {kThreads, 1, 1};
    launch.static_shared = 2112;
    struct {
        std::uint32_t words[4] = {11, 0, 13, 14};
    } numbers;
    const auto outcome = mini::run(*kernel, launch, Parameters().add(out.data()).add(in.data()).add(numbers));
    if (outcome.fault) throw std::runtime_error("fault " + std::to_string(static_cast<int>(outcome.fault->reason)));
    if (outcome.deadlock) throw std::runtime_error("deadlock");
    return out;
}

void compare(const Access& access, const std::vector<Way>& ways) {
    const auto expected = run(plain(access), {Mode::coroutine, 1});
    for (const Way& way : ways)
        for (std::size_t n = 0; n < std::size(kDistances) && (access.side_by_side || way.width == 1); ++n)
            for (const bool known : {true, false}) {
                const std::int64_t distance = kDistances[n];
                if (way.width == 16 && known == (n % 2 == 0)) continue; // for the time it takes
                const auto found = run(off(access, distance, known), way);
                for (std::size_t k = 0; k < expected.size(); ++k)
                    QVERIFY2(found[k] == expected[k],
                             qPrintable(QString::asprintf("width %u, off by %" PRId64 "%s: result %zu of thread %zu is "
                                                          "%x, not %x",
                                                          way.width, distance, known ? "" : ", unknown", k % kResults,
                                                          k / kResults, found[k], expected[k])));
            }
}

template <std::size_t count>
void add_rows(const Access (&accesses)[count]) {
    QTest::addColumn<int>("number");
    for (std::size_t k = 0; k < count; ++k)
        QTest::newRow(accesses[k].name) << static_cast<int>(k);
}

} // namespace

class AddressWrapsTest : public QObject {
    Q_OBJECT

private slots:
    void accesses_data() { add_rows(kAccesses); }
    void accesses() {
        QFETCH(int, number);
        compare(kAccesses[number], {{Mode::coroutine, 1}, {Mode::automatic, 8}, {Mode::automatic, 16}});
    }
    void matrices_data() { add_rows(kMatrices); }
    void matrices() {
        QFETCH(int, number);
        compare(kMatrices[number], {{Mode::coroutine, 1}, {Mode::automatic, 32}});
    }
};

QTEST_GUILESS_MAIN(AddressWrapsTest)
#include "test_address_wraps.moc"
