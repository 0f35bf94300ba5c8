// SPDX-License-Identifier: Apache-2.0
// What is read from text alone: signatures, PTX entries and lines, messages of every compiler.
#include "compiler/ptxas_report.hpp"
#include "compiler/whole_program.hpp"
#include "warplight/compiler.hpp"

#include <QtTest>

#include <random>

using namespace warplight::compiler;

class CompilerTextTest : public QObject {
    Q_OBJECT
private slots:
    void whole_programs_are_known_by_main() {
        QCOMPARE(line_of_main("#include <cstdio>\n\nint main() { return 0; }"), 3);
        QCOMPARE(line_of_main("int\nmain(int argc, char** argv) {}"), 2);
        QCOMPARE(line_of_main("// int main() {}\nconst char* s = \"int main()\";"), 0);
        QCOMPARE(line_of_main("struct S { int main(); };\n__device__ int domain(int x) { return main(x); }"), 0);
        QCOMPARE(line_of_main("#ifdef ALONE\nint main() {}\n#endif\n"), 0);
        QCOMPARE(line_of_main("#if 1\n#endif\nint main() {}"), 3);
        QCOMPARE(line_of_main(""), 0);
    }

    void signatures_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("expected"); // name:line(type name dtype*components …)
        auto row = [](const char* name, const char* source, const char* expected) {
            QTest::newRow(name) << source << expected;
        };
        row("plain", "extern \"C\" __global__ void k(const float* __restrict__ x, int n) {}",
            "k:1(const float * __restrict__ x float32 p c; int n int32)");
        row("nothing", "void f(int); int main() { return 0; }", "");
        row("void", "__global__ void k(void) {}", "k:1()");
        row("attributes",
            "static __global__ void __launch_bounds__(256, 2) k(int* o);\n"
            "__launch_bounds__(64) __global__ void l(int* o) {}\n"
            "__global__ __attribute__((used)) void m(int* o) {}\n"
            "[[maybe_unused]] __global__ [[gnu::used]] void n(int* o) {}\n"
            "void __global__ p(int* o) {}\n"
            "#define BOUNDS(x)\n__global__ void BOUNDS(3) q(int* o) {}",
            "k:1(int * o int32 p)<256> l:2(int * o int32 p)<64> m:3(int * o int32 p) n:4(int * o int32 p) "
            "p:5(int * o int32 p) q:7(int * o int32 p)");
        row("odd name", "__global__ void __grid_constant__test(const __grid_constant__ int n) {}",
            "__grid_constant__test:1(const int n int32)");
        row("comments and strings",
            "// __global__ void no(int a);\n/* __global__ void no2(int a) {} */\n"
            "const char* s = \"__global__ void no3(int a) {}\"; const char* r = R\"x(__global__ void no4();)x\";\n"
            "#define NO __global__ void no5(int a) {\\\n  more }\n#if 0\n__global__ void no6() {}\n#endif\n"
            "__global__ void yes(int /* count */ a, // n\n  float b = 1.0f) {}",
            "yes:9(int a int32; float b float32)");
        row("types",
            "typedef float real; using vec = float4; struct S { int a; };\n"
            "__global__ void k(real* a, vec b, unsigned long long c, const S s, S* t, unsigned char* u, size_t z,\n"
            " double2* d, void* v, short int w, std::uint8_t e, __half* h, bool f, float** pp, const char q[], int4 i4)"
            " {}",
            "k:2(real * a float32 p; vec b float32x4; unsigned long long c uint64; const S s ; S * t  p; "
            "unsigned char * u uint8 p; size_t z uint64; double2 * d float64x2 p; void * v  p; short int w int16; "
            "std::uint8_t e uint8; __half * h float16 p; bool f bool; float ** pp  p; const char* q int8 p c; "
            "int4 i4 int32x4)");
        row("namespaces",
            "namespace a { namespace b::c { __global__ void k(int n) { if (n) { } } } __global__ void l() {} }\n"
            "extern \"C\" { __global__ void m() {} }",
            "a::b::c::k:1(int n int32) a::l:1() m:2()");
        row("templates",
            "template <class T, int N = 4> __global__ void k(const T* x, Array<T, N> y, T z) {}\n"
            "template <> __global__ void k<float, 2>(const float* x, Array<float, 2> y, float z);\n"
            "template <typename F> void host(F f) {}\n__global__ void after(int n) {}",
            "k:1(const T * x  p c; Array<T, N> y ; T z )t k<float, 2>:2(const float * x float32 p c; Array<float, 2> y "
            "; "
            "float z float32) after:4(int n int32)");
        row("declared and defined", "__global__ void k(int);\n\n__global__ void k(int n) {}", "k:3(int n int32)");
        row("function pointer", "__global__ void k(void (*f)(int, float), int n) {}",
            "k:1(void(*)(int, float) f ; int n int32)");
        row("half written", "__global__ void k(float* x, int", "k:1(float * x float32 p; int  int32)");
        row("half written 2", "__global__ void\n__global__ void ok(int n) {}", "ok:2(int n int32)");
        row("half written 3", "__global__ void (float* x) {}\n__global__ void ok(int n) {}", "ok:2(int n int32)");
        row("unbalanced", "}}} ) ] > __global__ void k(int n) {}", "k:1(int n int32)");
    }
    void signatures() {
        QFETCH(QString, source);
        QFETCH(QString, expected);
        std::string actual;
        for (const Kernel& kernel : parse_signatures(source.toStdString())) {
            actual += (actual.empty() ? "" : " ") + kernel.name + ":" + std::to_string(kernel.line) + "(";
            for (const Parameter& p : kernel.parameters) {
                if (&p != &kernel.parameters[0]) actual += "; ";
                actual += p.type + " " + p.name + " " + p.dtype;
                if (p.components > 1) actual += "x" + std::to_string(p.components);
                if (p.pointer) actual += " p";
                if (p.is_const) actual += " c";
            }
            actual += ")";
            if (kernel.max_threads) actual += "<" + std::to_string(kernel.max_threads) + ">";
            if (kernel.is_template) actual += "t";
        }
        QCOMPARE(QString::fromStdString(actual), expected);
    }

    void signatures_of_noise() {
        // Any text is survived, quickly: pieces of code in random order.
        const char* pieces[] = {"__global__ ",
                                "void ",
                                "k(",
                                ")",
                                "{",
                                "}",
                                "template <",
                                "<",
                                ">",
                                "\"",
                                "'",
                                "/*",
                                "*/",
                                "//",
                                "\n",
                                "#if 0\n",
                                "#endif\n",
                                "R\"(",
                                "::",
                                "[[",
                                "]]",
                                "extern \"C\" ",
                                "namespace ",
                                "typedef ",
                                "using a = ",
                                "a",
                                ",",
                                ";",
                                "__launch_bounds__(",
                                "\\",
                                "#",
                                "float* x",
                                "\xff",
                                "7"};
        std::mt19937 random(7);
        for (int round = 0; round < 3000; ++round) {
            std::string source;
            for (unsigned i = random() % 60; i > 0; --i)
                source += pieces[random() % std::size(pieces)];
            parse_signatures(source);
            parse_ptx_entries(source);
            parse_ptx_lines(source);
            parse_diagnostics(source);
            parse_ptxas_report(source);
        }
    }

    void ptx_entries() {
        std::vector<Kernel> kernels = parse_ptx_entries(R"(
.version 9.0
// .entry not_this(
.visible .entry a(
	.param .u64 .ptr .global .align 4 a_param_0,
	.param .u8 a_param_1,
	.param .align 16 .b8 a_param_2[24],
	.param .f64 a_param_3
)
.maxntid 128, 1, 1
.minnctapersm 2
{ ret; }
.entry b() { ret; }
.weak .entry c { ret; }
)");
        QCOMPARE(kernels.size(), std::size_t{3});
        QCOMPARE(kernels[0].lowered, std::string("a"));
        QCOMPARE(kernels[0].max_threads, 128);
        const auto& p = kernels[0].parameters;
        QCOMPARE(p.size(), std::size_t{4});
        QVERIFY(p[0].pointer && !p[1].pointer);
        QCOMPARE(p[0].size, std::size_t{8});
        QCOMPARE(p[0].alignment, std::size_t{8});
        QCOMPARE(p[1].offset, std::size_t{8});
        QCOMPARE(p[2].offset, std::size_t{16});
        QCOMPARE(p[2].size, std::size_t{24});
        QCOMPARE(p[3].offset, std::size_t{40});
        QVERIFY(kernels[1].parameters.empty() && kernels[2].parameters.empty());
    }

    /// NVRTC does not mark pointers: they are what addresses are made of.
    void ptx_pointers() {
        const std::string ptx = R"(
.visible .entry k(
	.param .u64 k_param_0, .param .u64 k_param_1, .param .u64 k_param_2, .param .u64 k_param_3,
	.param .u64 k_param_4, .param .u64 k_param_5, .param .u32 k_param_6, .param .f32 k_param_7
)
{
	.reg .b64 %rd<18>;
	.loc	1 1 0
	ld.param.u64 	%rd1, [k_param_0];
	ld.param.u64 	%rd2, [k_param_1];
	ld.param.u64 	%rd3, [k_param_2];
	ld.param.u64 	%rd4, [k_param_3];
	ld.param.u64 	%rd5, [k_param_4];
	ld.param.u64 	%rd14, [k_param_5];
	mov.u32 	%r4, %ctaid.y;
	mov.u32 	%r5, %tid.x;
$L__BB0_1:
	@%p1 cvta.to.global.u64 	%rd6, %rd1;
	{ .reg .b32 temp; mul.wide.s32 	%rd7, %r1, 4; }
	add.s64 	%rd8, %rd7, %rd2;
	ld.v2.f32 	{%f1, %f2}, [%rd8+4];
	cvt.rn.f64.u64 	%fd1, %rd3;
	selp.b64 	%rd9, %rd4, %rd6, %p2;
	@!%p1 st.global.f64 	[%rd9], %fd1;
	tex.2d.v4.f32.s32 	{%f3, %f4, %f5, %f6}, [%rd5, {%r1, %r2}];
	ret;
}
.visible .entry broken(.param .u64 p) { ld.param.u64 %rd1, [p];
.visible .entry next(.param .u64 q) { ld.param.u64 %rd1, [q]; ld.u32 %r1, [%rd1]; add.s32 %r1, %tid.z, 1; }
.visible .entry end)";
        const std::vector<Kernel> kernels = parse_ptx_entries(ptx);
        QCOMPARE(kernels.size(), std::size_t{4});
        QString pointers;
        for (const Parameter& p : kernels[0].parameters)
            pointers += p.pointer ? '*' : '-';
        QCOMPARE(pointers, QString("**-*----"));
        QCOMPARE(kernels[0].parameters[6].dtype, std::string("uint32"));
        QCOMPARE(kernels[0].parameters[7].dtype, std::string("float32"));
        QVERIFY(kernels[0].parameters[2].dtype.empty());
        QCOMPARE(kernels[0].dimensions, 2);
        QCOMPARE(kernels[0].block_dimensions, 1);
        QVERIFY(!kernels[1].parameters[0].pointer && kernels[2].parameters[0].pointer);
        QCOMPARE(kernels[2].block_dimensions, 3);
    }

    void ptx_lines() {
        std::vector<LineMapping> lines = parse_ptx_lines(".visible .entry k()\n{\n"
                                                         "\t.reg .b32 %r<3>;\n" // 3
                                                         "\t.loc 1 10 3\n"      // 4
                                                         "\tmov.u32 %r1, 1;\n"  // 5: line 10
                                                         "\t.loc 2 99 1, function_name $f, inlined_at 1 11 5\n"
                                                         "\tadd.s32 %r1, %r1, 1;\n" // 7: line 11 of the kernel
                                                         "\t.loc 2 50 1, function_name $g, inlined_at 2 99 1\n"
                                                         "\tadd.s32 %r1, %r1, 2;\n" // 9: still 11
                                                         "\t.loc 1 4 1, function_name $h, inlined_at 1 12 5\n"
                                                         "$L1:\n"
                                                         "\tadd.s32 %r1, %r1, 3;\n" // 12: line 4, own function
                                                         "}\n\t.file 1 \"k.cu\"\n\t.file 2 \"/usr/h.h\"\n");
        QCOMPARE(lines.size(), std::size_t{4});
        const int expected[4][2] = {{5, 10}, {7, 11}, {9, 11}, {12, 4}};
        for (int i = 0; i < 4; ++i) {
            QCOMPARE(lines[i].ptx_line, expected[i][0]);
            QCOMPARE(lines[i].source_line, expected[i][1]);
            QCOMPARE(lines[i].file, std::string("k.cu"));
        }
    }

    /// Calls and inline assembly stand in braces of their own.
    void ptx_lines_behind_braces() {
        const std::string ptx = ".visible .entry k() {\n"
                                "\t.loc 1 10 3\n"
                                "\t{ // callseq 0, 0\n"
                                "\tcall.uni f, ();\n" // 4
                                "\t} // callseq 0\n"
                                "\tmov.u32 %r1, 1;\n" // 6
                                "\t.loc 1 11 3\n"
                                "\t{add.f16 %rs1, %rs2, %rs3;\n" // 8
                                "}\n"
                                "\tld.v2.f32 {%f1, %f2}, [%rd1];\n" // 10
                                "$L1: // a label\n"
                                "$L2: ret; }\n" // 12
                                ".global .u32 a[2] = {\n1,\n2 };\n"
                                ".func f() {\n\tret;\n}\n\t.file 1 \"k.cu\"\n";
        QString mapped;
        for (const LineMapping& mapping : parse_ptx_lines(ptx))
            mapped += QString("%1:%2 ").arg(mapping.ptx_line).arg(mapping.source_line);
        QCOMPARE(mapped, QString("4:10 6:10 8:11 10:11 12:11 "));
    }

    void diagnostics() {
        std::vector<Diagnostic> list =
            parse_diagnostics("/tmp/a (1)/k.cu(4): error: expression must be a modifiable lvalue\n"
                              "            x[0] = 1;\n"
                              "            ^\n"
                              "          detected during instantiation of \"void f(T) [with T=int]\" at line 9\n\n"
                              "k.cu(5): warning #177-D: variable \"u\" was declared but never referenced\n"
                              "  int u;\n"
                              "      ^\n\n"
                              "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n\n"
                              "C:\\x\\k.cu(7): catastrophic error: could not open source file \"no.h\"\n"
                              "1 error detected in the compilation of \"k.cu\".\n"
                              "ptxas /tmp/x.ptx, line 27; error   : Not a name of any known instruction: 'bogus'\n"
                              "ptxas fatal   : Ptx assembly aborted due to errors\n"
                              "nvcc fatal   : Unknown option '--x'\n"
                              "nvrtc: error: invalid value for --gpu-architecture (-arch)\n"
                              "host.h:3:14: error: 'y' was not declared\n"
                              "    3 | int x = y;\n"
                              "      |         ^\n"
                              "host.h:1:1: note: declared here\n"
                              "ptxas info    : Used 14 registers\n"
                              "At end of source: error: expected a \"}\"\n"
                              "k.cu(1): note #3196-D: to match this \"{\"\n");
        QCOMPARE(list.size(), std::size_t{9});
        QCOMPARE(list[0].file, std::string("/tmp/a (1)/k.cu"));
        QCOMPARE(list[0].line, 4);
        QCOMPARE(list[0].column, 11);
        QCOMPARE(list[0].notes.size(), std::size_t{1});
        QVERIFY(list[1].severity == Severity::warning);
        QCOMPARE(list[1].column, 5);
        QCOMPARE(list[2].file, std::string("C:\\x\\k.cu"));
        QCOMPARE(list[2].line, 7);
        QCOMPARE(list[3].file, std::string("/tmp/x.ptx"));
        QCOMPARE(list[3].line, 27);
        QCOMPARE(list[5].message, std::string("nvcc: Unknown option '--x'"));
        QCOMPARE(list[6].line, 0);
        QCOMPARE(list[7].file, std::string("host.h"));
        QCOMPARE(list[7].column, 14);
        QCOMPARE(list[7].notes.size(), std::size_t{1});
        QCOMPARE(list[8].message, std::string("At end of source: expected a \"}\""));
        QCOMPARE(list[8].notes.size(), std::size_t{1});
        // What drivers say of PTX that they are given.
        const auto loads = parse_diagnostics("ptxas application ptx input, line 8; error   : Unknown symbol '%r1'\n"
                                             "ptx, line 9; error: name '%r2' is not declared\n");
        QCOMPARE(loads.size(), std::size_t{2});
        QCOMPARE(loads[0].line, 8);
        QCOMPARE(loads[0].message, std::string("Unknown symbol '%r1'"));
        QCOMPARE(loads[1].line, 9);
        QCOMPARE(loads[1].message, std::string("name '%r2' is not declared"));
    }

    void ptxas_reports() {
        std::vector<KernelResources> report = parse_ptxas_report(
            "ptxas info    : 0 bytes gmem\n"
            "ptxas info    : Compiling entry function '_Z1kPf' for 'sm_80'\n"
            "ptxas info    : Function properties for _Z1kPf\n"
            "    40 bytes stack frame, 36 bytes spill stores, 44 bytes spill loads\n"
            "ptxas info    : Used 255 registers, used 2 barriers, 40 bytes cumulative stack size, 4096 bytes smem, "
            "372 bytes cmem[0], 8 bytes cmem[2]\n"
            "ptxas info    : Function properties for _Z1gi\n"
            "    8 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads\n"
            "ptxas info    : Compiling entry function 'old' for 'sm_60'\n"
            "ptxas info    : Function properties for old\n"
            "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
            "ptxas info    : Used 8 registers, 328 bytes cmem[0]\n");
        QCOMPARE(report.size(), std::size_t{2});
        QCOMPARE(report[0].registers, 255);
        QCOMPARE(report[0].barriers, 2);
        QCOMPARE(report[0].stack, std::size_t{40});
        QCOMPARE(report[0].spill_stores, std::size_t{36});
        QCOMPARE(report[0].spill_loads, std::size_t{44});
        QCOMPARE(report[0].static_shared, std::size_t{4096});
        QCOMPARE(report[0].constant, std::size_t{372});
        QCOMPARE(report[1].lowered, std::string("old"));
        QCOMPARE(report[1].registers, 8);
        QCOMPARE(report[1].barriers, -1);
    }

    /// ptxas takes 16 GiB for a file with the number 4294967295.
    void texts_without_lines() {
        const std::string instructions = "\tadd.s32 %r1, %r2, %r3;\n";
        for (const char* line :
             {".loc\t1 6 28", "\t.loc 4294967295 5 0\r",
              ".loc 1 6 28, function_name $L__info_string0, inlined_at 1 9 5",
              ".loc 1 6 28, function_name $L__info_string0+12, inlined_at 1 9 -5", ".file\t1 \"/a \\b/c.cu\"",
              "  .file 4294967295 \"c.cu\", 1700000000, 120", ".file \"c.cu\""})
            QCOMPARE(without_lines(instructions + line + "\n" + instructions), instructions + "\n" + instructions);
        // More than a directive, or another one.
        for (const char* line : {".loc 1 6 28 ret;", ".loc 1 6 28 ret", ".loc 1 6 28 /*", ".loc 1 6 28 // why",
                                 ".location 1", ".loc", ".file 1 \"a\" ret;", ".file 1 \"a*/ \"", ".file 1 \"a",
                                 ".file 1", "x .loc 1 6 28", ".local .align 4 .b8 x[16];", "$L.loc:", ""})
            QCOMPARE(without_lines(instructions + line + "\n" + instructions),
                     instructions + line + "\n" + instructions);
        QCOMPARE(without_lines(".loc 1 2 3"), std::string());
        QCOMPARE(without_lines("\n.loc 1 2 3\n\nret;"), std::string("\n\n\nret;"));
    }

    /// ptxas takes 16 GiB, and half a minute, for 2147483648 registers.
    void texts_of_many_registers() {
        QCOMPARE(declared_registers(".reg .b32 %r<32>, %s< 0x10 >;\n.reg .pred %p<4>;"), std::uint64_t{52});
        QCOMPARE(declared_registers("setp.lt.s32 %p1, %r1, 5; // a < b, c<\n<x>"), std::uint64_t{0});
        QCOMPARE(declared_registers(".reg .b32 %r<99999999999999999999>, %s<3>;"), UINT64_MAX);
        QCOMPARE(declared_registers("<"), std::uint64_t{0});
        std::string problem;
        const auto report = ptxas_report(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n"
                                         ".reg .b64 %rd<2147483648>;\nret;\n}\n",
                                         "sm_80", problem, {});
        QVERIFY(report.empty());
        QVERIFY2(problem.find("declares 2147483648 registers") != std::string::npos, problem.c_str());
    }
};

QTEST_APPLESS_MAIN(CompilerTextTest)
#include "compiler_text_test.moc"
