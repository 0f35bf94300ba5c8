// SPDX-License-Identifier: Apache-2.0
// Reading SASS, running disassemblers, comparing architectures, and tables of register limits. A script plays nvdisasm,
// so that no toolkit is needed; where the real ones are installed, they are compared with each other.
#include "compiler/disassembler.hpp"
#include "compiler/sass.hpp"
#include "compiler/toolchain.hpp"
#include "compiler/toolkit.hpp"
#include "history/sass_difference.hpp"
#include "profile/residency.hpp"
#include "session/register_table.hpp"
#include "worker/assembly_json.hpp"
#include "worker/client.hpp"
#include "worker/compiler_processes.hpp"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

using namespace warplight;
using namespace warplight::compiler;
namespace fs = std::filesystem;

namespace {

// In the forms of nvdisasm for sm_90: two functions, inlined lines, a forward and a backward branch, filling NOPs.
constexpr char kNvdisasm[] = R"(	.target	sm_90

//--------------------- .text.first                --------------------------
	.section	.text.first,"ax",@progbits
first:
.text.first:
	//## File "/work/k.cu", line 3
        /*0000*/                   LDC R1, c[0x0][0x28] ;
	//## File "/work/h.cuh", line 1 inlined at "/work/k.cu", line 6
	//## File "/work/k.cu", line 6
        /*0010*/              @!P0 LDG.E R4, desc[UR6][R8.64] ;          /* 0x0000000608048981 */
                                                                         /* 0x000ea2000c1e1900 */
        /*0020*/               @P0 BRA `(.L_x_1) ;
	//## File "/work/k.cu", line 7
        /*0030*/                   FMUL R3, R4, R4 ;
.L_x_1:
        /*0040*/                   EXIT ;
.L_x_0:
        /*0050*/                   BRA `(.L_x_0);
        /*0060*/                   NOP;
        /*0070*/                   NOP;
.L_x_9:

//--------------------- .text._Z6secondv           --------------------------
_Z6secondv:
.text._Z6secondv:
        /*0000*/                   HGMMA.64x8x16.F32 R24, gdesc[UR4], RZ, !UPT ;
        /*0010*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
        /*0020*/                   EXIT ;
)";
constexpr char kCuobjdump[] = R"TEXT(
	code for sm_80
		Function : first
	.headerflags	@"EF_CUDA_SM80 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM80)"
        /*0000*/                   MOV R1, c[0x0][0x28] ;                              /* 0x00000a0000017a02 */
                                                                                       /* 0x000fe40000000f00 */
        /*0010*/               @P0 BRA 0x30 ;                                          /* 0x0000002000000947 */
        /*0020*/                   FMUL R3, R4, R4 ;                                   /* 0x0000000404037220 */
        /*0030*/                   EXIT ;                                              /* 0x000000000000794d */
		..........
)TEXT";

// Prints what the file beside it has. FAKE_NVDISASM says what goes wrong.
constexpr char kFakeNvdisasm[] = R"(#!/bin/sh
case $FAKE_NVDISASM in
fail) echo "nvdisasm fatal   : File is damaged" >&2; exit 1 ;;
hang) sleep 100 ;;
rubbish) head -c 100000 /dev/urandom; exit 0 ;;
esac
cat "$(dirname "$0")/listing.txt"
)";

std::span<const std::byte> bytes(const std::string& text) { return std::as_bytes(std::span(text.data(), text.size())); }
const std::string kFakeCubin = std::string("\x7f") + "ELF, as far as the script is concerned";

std::vector<std::string> opcodes(const SassFunction& function) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < function.count(); ++i)
        result.push_back(function.instructions[i].predicate + function.instructions[i].opcode);
    return result;
}

/// Every kernel here compiles for every architecture from sm_80 on.
constexpr char kSource[] = R"(__device__ __forceinline__ float square(float x) { return x * x; }
extern "C" __global__ void __launch_bounds__(256, 2) sum(const float* x, float* y, int n) {
    __shared__ float s[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? square(x[i]) : 0;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) y[blockIdx.x] = sqrtf(s[0]);
}
__global__ void many(float* x, const float* y) {
    float a[64];
    for (int i = 0; i < 64; ++i) a[i] = x[i * 32 + threadIdx.x];
    for (int k = 0; k < 10; ++k)
        for (int i = 0; i < 64; ++i) a[i] = a[i] * a[(i + 7) % 64] + y[k];
    for (int i = 0; i < 64; ++i) x[i * 32 + threadIdx.x] = a[i];
}
)";

CompileRequest request(const std::string& arch) { return {.source = kSource, .arch = arch}; }

} // namespace

class SassTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    bool nvrtc_ = false;
    std::string real_nvdisasm_, real_cuobjdump_;

    void play_nvdisasm() const {
        qputenv("WARPLIGHT_NVDISASM", folder_.filePath("nvdisasm").toUtf8());
        qputenv("WARPLIGHT_DISABLE_CACHE", "1");
    }

private slots:
    void initTestCase() {
        qputenv("WARPLIGHT_CACHE_DIR", folder_.filePath("cache").toUtf8());
        nvrtc_ = compiler_info(Backend::nvrtc).found;
        real_nvdisasm_ = find_tool("nvdisasm").string();
        real_cuobjdump_ = find_tool("cuobjdump").string();
        const fs::path here = folder_.path().toStdString();
        std::ofstream(here / "nvdisasm") << kFakeNvdisasm;
        std::ofstream(here / "listing.txt") << kNvdisasm;
        fs::permissions(here / "nvdisasm", fs::perms::owner_all);
    }
    void cleanup() {
        set_toolchain(nullptr);
        for (const char* name : {"WARPLIGHT_NVDISASM", "WARPLIGHT_CUOBJDUMP", "WARPLIGHT_DISABLE_CACHE",
                                 "FAKE_NVDISASM", "WARPLIGHT_DISASSEMBLER_TIME_LIMIT"})
            qunsetenv(name);
    }

    void nvdisasm_is_read() {
        const auto functions = parse_sass(kNvdisasm);
        QCOMPARE(functions.size(), std::size_t{2});
        const SassFunction& first = functions[0];
        QCOMPARE(first.name, std::string("first"));
        QCOMPARE(first.instructions.size(), std::size_t{8});
        QCOMPARE(first.count(), std::size_t{6}); // without the NOPs
        QCOMPARE(opcodes(first), (std::vector<std::string>{"LDC", "@!P0LDG.E", "@P0BRA", "FMUL", "EXIT", "BRA"}));
        const SassInstruction& load = first.instructions[1];
        QCOMPARE(load.address, std::uint64_t{0x10});
        QCOMPARE(load.operands, std::string("R4, desc[UR6][R8.64]"));
        QCOMPARE(load.places.size(), std::size_t{2});
        QVERIFY((load.places[0] == SassPlace{"/work/h.cuh", 1}));
        QVERIFY((load.places[1] == SassPlace{"/work/k.cu", 6}));
        QCOMPARE(*first.instructions[2].target, std::uint64_t{0x40});
        QCOMPARE(*first.instructions[5].target, std::uint64_t{0x50});
        QVERIFY(!first.instructions[3].target);
        QCOMPARE(first.instructions[3].places.front().line, 7);
        QVERIFY(functions[1].instructions[0].places.empty()); // of another function
        QCOMPARE(functions[1].name, std::string("_Z6secondv"));
    }

    void cuobjdump_is_read() {
        const auto functions = parse_sass(kCuobjdump);
        QCOMPARE(functions.size(), std::size_t{1});
        QCOMPARE(opcodes(functions[0]), (std::vector<std::string>{"MOV", "@P0BRA", "FMUL", "EXIT"}));
        QCOMPARE(*functions[0].instructions[1].target, std::uint64_t{0x30});
        QCOMPARE(functions[0].instructions[2].operands, std::string("R3, R4, R4"));
    }

    void damaged_text_is_read_to_its_end() {
        const std::string whole = kNvdisasm;
        for (std::size_t size = 0; size < whole.size(); size += 7)
            (void)sass_listing(parse_sass(whole.substr(0, size)));
        QVERIFY(parse_sass("/*0000*/ EXIT ;\n").empty()); // of no function
        QVERIFY(parse_sass(std::string(5000, '@')).empty());
    }

    void listing_has_lines_and_targets() {
        const SassListing listing = sass_listing(parse_sass(kNvdisasm));
        QCOMPARE(listing.functions.size(), std::size_t{2});
        QCOMPARE(listing.functions[0].instructions, 6);
        const auto lines = QString::fromStdString(listing.text).split('\n');
        for (const SassListing::Line& line : listing.lines) {
            QVERIFY(lines[line.line - 1].contains("/*"));
            if (line.target > 0) QVERIFY(lines[line.target - 1].startsWith(".L_x_"));
        }
        QCOMPARE(std::ranges::count_if(listing.lines, [](const auto& each) { return each.target > 0; }), 2);
        QCOMPARE(listing.functions[1].first, listing.functions[0].last + 2);
    }

    void opcodes_have_classes() {
        const std::pair<const char*, const char*> cases[] = {{"LDG.E.64", "global memory"},
                                                             {"STS", "shared memory"},
                                                             {"LDL.LU", "local memory"},
                                                             {"HGMMA.64x8x16", "tensor"},
                                                             {"MUFU.RSQ", "special function"},
                                                             {"IMAD.MOV.U32", "move"},
                                                             {"IMAD.WIDE", "integer"},
                                                             {"HFMA2.MMA", "half"},
                                                             {"UIADD3", "uniform"},
                                                             {"BAR.SYNC", "synchronisation"},
                                                             {"DFMA", "float64"},
                                                             {"QQQ", "other"}};
        for (const auto& [opcode, name] : cases)
            QCOMPARE(sass_class(opcode), std::string_view(name));
    }

    void two_disassemblies_are_compared() {
        const auto before = parse_sass(kNvdisasm), after = parse_sass(kCuobjdump);
        const auto difference = history::sass_difference(before, after);
        QCOMPARE(difference.size(), std::size_t{2});
        QCOMPARE(difference[0].before, 6);
        QCOMPARE(difference[0].after, 4);
        int same = 0;
        for (const auto& row : difference[0].rows)
            same += row.kind == history::Line::Kind::same;
        QCOMPARE(same, 3); // @P0 BRA, FMUL, EXIT
        QCOMPARE(difference[1].after, 0);
        const std::string text = history::sass_difference_text(difference, "sm_90", "sm_80");
        QVERIFY(text.find("instructions") != std::string::npos);
        QVERIFY(text.find("- LDC R1, c[0x0][0x28]") != std::string::npos);
    }

    void json_goes_there_and_back() {
        const auto functions = parse_sass(kNvdisasm);
        const auto json = worker::to_json(functions);
        const auto back = worker::sass_functions_from_json(json);
        QCOMPARE(sass_listing(back).text, sass_listing(functions).text);
        QVERIFY(back[0].instructions[1].places == functions[0].instructions[1].places);
        QVERIFY(back[0].instructions[2].target == functions[0].instructions[2].target);
        QVERIFY(worker::sass_functions_from_json({{"name", 3}}).empty());
        QVERIFY(worker::register_table_from_json(nlohmann::json::array()).rows.empty());
    }

    void a_tool_is_run_and_its_result_kept() {
#ifdef _WIN32
        QSKIP("the tool is a script");
#endif
        play_nvdisasm();
        qunsetenv("WARPLIGHT_DISABLE_CACHE");
        const Disassembly first = disassemble(bytes(kFakeCubin));
        QVERIFY2(first.ok, first.problem.c_str());
        QCOMPARE(first.tool, std::string("nvdisasm"));
        QCOMPARE(first.functions.size(), std::size_t{2});
        QVERIFY(!first.cached);
        QVERIFY(disassemble(bytes(kFakeCubin)).cached);
    }

    void failures_say_why() {
#ifdef _WIN32
        QSKIP("the tool is a script");
#endif
        QVERIFY(disassemble(bytes("no code")).problem.find("no CUBIN") != std::string::npos);
        QVERIFY(disassemble_ptx(".version 8.0", "sparc").problem.find("no architecture") != std::string::npos);
        play_nvdisasm();
        qputenv("WARPLIGHT_DISASSEMBLER_TIME_LIMIT", "1");
        for (const auto& [how, word] : {std::pair{"fail", "File is damaged"},
                                        {"rubbish", "no instructions"},
                                        {"hang", "took longer than 1 seconds"}}) {
            qputenv("FAKE_NVDISASM", how);
            QElapsedTimer timer;
            timer.start();
            const Disassembly result = disassemble(bytes(kFakeCubin));
            QVERIFY(!result.ok);
            QVERIFY2(result.problem.find(word) != std::string::npos, result.problem.c_str());
            QVERIFY(timer.elapsed() < 20000);
        }
        qputenv("WARPLIGHT_NVDISASM", folder_.filePath("nowhere").toUtf8());
        qputenv("WARPLIGHT_CUOBJDUMP", folder_.filePath("nowhere").toUtf8());
        const Disassembly missing = disassemble(bytes(kFakeCubin));
        QVERIFY(missing.tool_missing);
        for (const char* word : {"toolkit install --with-nvcc", "PATH", "WARPLIGHT_NVDISASM"})
            QVERIFY2(missing.problem.find(word) != std::string::npos, missing.problem.c_str());
    }

    void a_tool_runs_in_a_confined_process() {
#ifdef _WIN32
        QSKIP("the tool is a script");
#endif
        play_nvdisasm();
        worker::CompilerRules rules;
        rules.confined = true;
        set_toolchain(worker::remote_toolchain(worker::start_compiler_broker(rules, worker::find_worker())));
        const Disassembly result = disassemble(bytes(kFakeCubin));
        QVERIFY2(result.ok, result.problem.c_str());
        QCOMPARE(result.functions.size(), std::size_t{2});
    }

    void limits_are_options() {
        using session::register_limit_of;
        using session::with_register_limit;
        QCOMPARE(register_limit_of({"-O3"}), 0);
        QCOMPARE(register_limit_of({"--maxrregcount=64"}), 64);
        QCOMPARE(register_limit_of({"-maxrregcount", "48", "-lineinfo"}), 48);
        QCOMPARE(with_register_limit({"-maxrregcount", "48", "-O3"}, 32),
                 (std::vector<std::string>{"-O3", "--maxrregcount=32"}));
        QCOMPARE(with_register_limit({"--maxrregcount=64"}, 0), std::vector<std::string>());
    }

    void residency_follows_the_limits() {
        const auto hopper = profile::limits_of(90), turing = profile::limits_of(75);
        const auto full = profile::residency(hopper, 256, 32, 0);
        QCOMPARE(full.blocks, 8);
        QCOMPARE(full.limiter, "nothing");
        const auto registers = profile::residency(hopper, 256, 64, 0);
        QCOMPARE(registers.blocks, 4);
        QCOMPARE(registers.limiter, "registers");
        const auto shared = profile::residency(hopper, 128, 16, 100 * 1024);
        QCOMPARE(shared.blocks, 2);
        QCOMPARE(shared.limiter, "shared memory");
        QCOMPARE(profile::residency(hopper, 32, 16, 0).limiter, "blocks per multiprocessor");
        QCOMPARE(profile::residency(turing, 1024, 64, 0).blocks, 1);
        QCOMPARE(profile::residency(hopper, 2048, 32, 0).blocks, 0);
        QCOMPARE(profile::registers_for(hopper, 256, 2), 128);
        QCOMPARE(profile::registers_for(hopper, 256, 1), 255);
        QCOMPARE(profile::registers_for(hopper, 1024, 9), 0);
    }

    void registers_are_limited() {
        if (!nvrtc_) QSKIP("no NVRTC here");
        const auto table = session::register_table(request("sm_90"), "many", 256, 0);
        QVERIFY2(table.ok, table.problem.c_str());
        QCOMPARE(table.rows.size(), session::kRegisterLimits.size());
        const auto& none = table.rows.front();
        const auto& least = table.rows.back();
        QVERIFY(none.registers > 64);
        QCOMPARE(none.spill_stores, std::size_t{0});
        QCOMPARE(least.registers, 32);
        QVERIFY(least.spill_stores > 0 && least.stack > 0);
        QVERIFY(least.occupancy > none.occupancy);
        QCOMPARE(table.bound_threads, 0);
        for (std::size_t i = 1; i < table.rows.size(); ++i)
            QVERIFY(table.rows[i].registers <= table.rows[i].limit);

        CompileRequest chosen = request("sm_90");
        chosen.options = {"--maxrregcount=56"};
        const auto bounded = session::register_table(chosen, "sum", 256, 0);
        QCOMPARE(bounded.chosen, 56);
        QCOMPARE(bounded.rows.size(), session::kRegisterLimits.size() + 1);
        QCOMPARE(bounded.bound_threads, 256);
        QCOMPARE(bounded.bound_blocks, 2);
        QCOMPARE(bounded.bound_registers, 128);
        QVERIFY(session::register_table_text(bounded).find("__launch_bounds__(256, 2)") != std::string::npos);

        QVERIFY(session::register_table(request("sm_90"), "", 256, 0).problem.find("several kernels") !=
                std::string::npos);
        QVERIFY(session::register_table(request("sm_90"), "none", 256, 0).problem.find("no kernel none") !=
                std::string::npos);
        CompileRequest wrong = request("sm_90");
        wrong.source = "__global__ void k() { nothere; }";
        QCOMPARE(session::register_table(wrong, "k", 256, 0).problem, std::string("the source does not compile"));
    }

    void real_tools_agree_data() {
        QTest::addColumn<QString>("arch");
        for (const char* arch : {"sm_80", "sm_90", "sm_100"})
            QTest::newRow(arch) << QString::fromLatin1(arch);
    }
    void real_tools_agree() {
        if (!nvrtc_) QSKIP("no NVRTC here");
        if (real_nvdisasm_.empty()) QSKIP("no nvdisasm here");
        QFETCH(QString, arch);
        const int number = arch.mid(3).toInt();
        const auto known = compiler_info(Backend::nvrtc).architectures;
        if (std::ranges::find(known, number) == known.end()) QSKIP("this NVRTC does not know the architecture");
        std::vector<std::pair<std::string, std::string>> sources{{"kernel.cu", kSource}};
        if (const QByteArray more = qgetenv("WARPLIGHT_TEST_KERNELS"); !more.isEmpty())
            for (const auto& file : fs::directory_iterator(more.toStdString()))
                if (file.path().extension() == ".cu") {
                    std::ifstream in(file.path());
                    sources.emplace_back(file.path().filename().string(),
                                         std::string(std::istreambuf_iterator<char>(in), {}));
                }
        int compared = 0;
        for (const auto& [name, source] : sources) {
            CompileRequest each{.source = source, .name = name, .arch = arch.toStdString()};
            qputenv("WARPLIGHT_NVDISASM", QByteArray::fromStdString(real_nvdisasm_));
            const SourceDisassembly disassembled = disassemble_source(each);
            if (!disassembled.compiled.ok) continue;
            QVERIFY2(disassembled.sass.ok, (name + ": " + disassembled.sass.problem).c_str());
            QVERIFY(!disassembled.sass.functions.empty());
            // Each source line with SASS has PTX, too, but for the line of the kernel's head.
            std::set<int> ptx_lines, heads;
            for (const LineMapping& mapping : disassembled.compiled.lines)
                if (mapping.file == name) ptx_lines.insert(mapping.source_line);
            for (const Kernel& kernel : disassembled.compiled.kernels)
                heads.insert(kernel.line);
            int linked = 0, other = 0;
            for (const SassFunction& function : disassembled.sass.functions)
                for (const SassInstruction& instruction : function.instructions)
                    for (const SassPlace& place : instruction.places)
                        if (place.file == name)
                            ++(ptx_lines.contains(place.line) || heads.contains(place.line) ? linked : other);
            QVERIFY2(linked > 0, name.c_str());
            QVERIFY2(other * 20 <= linked,
                     (name + ": " + std::to_string(other) + " of " + std::to_string(linked)).c_str());
            for (const SassFunction& function : disassembled.sass.functions)
                for (const SassInstruction& instruction : function.instructions)
                    if (instruction.opcode == "BRA" && instruction.operands.find("`(.L") != std::string::npos)
                        QVERIFY2(instruction.target, (name + instruction.operands).c_str());
            if (real_cuobjdump_.empty()) continue;
            qputenv("WARPLIGHT_NVDISASM", QByteArray::fromStdString(real_cuobjdump_));
            const Disassembly second = disassemble(std::span<const std::byte>(disassembled.compiled.cubin));
            QVERIFY2(second.ok, second.problem.c_str());
            QCOMPARE(second.tool, std::string("cuobjdump"));
            QCOMPARE(second.functions.size(), disassembled.sass.functions.size());
            for (const SassFunction& function : disassembled.sass.functions) {
                const auto found = std::ranges::find(second.functions, function.name, &SassFunction::name);
                QVERIFY2(found != second.functions.end(), function.name.c_str());
                QCOMPARE(found->instructions.size(), function.instructions.size());
                QCOMPARE(opcodes(*found), opcodes(function));
                ++compared;
            }
        }
        qInfo("%d functions agree in nvdisasm and cuobjdump", compared);
    }
};

QTEST_GUILESS_MAIN(SassTest)
#include "sass_test.moc"
