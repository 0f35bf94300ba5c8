// SPDX-License-Identifier: Apache-2.0
// Compilation with NVRTC and nvcc: products, messages, the ptxas report. No GPU is used.
#include "warplight/compiler.hpp"

#include <QDirIterator>
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace warplight::compiler;
namespace fs = std::filesystem;

namespace {
const char* kScale = R"(extern "C" __global__ void scale(float* x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= a;
}
)";

void write(const fs::path& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

QByteArray text_of(const CompileResult& result) {
    return QByteArray::fromStdString(result.log + (result.diagnostics.empty() ? "" : result.diagnostics[0].message));
}

const Diagnostic* find(const CompileResult& result, std::string_view part) {
    for (const Diagnostic& diagnostic : result.diagnostics)
        if (diagnostic.message.find(part) != std::string::npos) return &diagnostic;
    return nullptr;
}
} // namespace

class CompilerTest : public QObject {
    Q_OBJECT
    QTemporaryDir cache_;

private slots:
    void initTestCase() {
        qputenv("WARPLIGHT_CACHE_DIR", cache_.path().toUtf8());
        if (!compiler_info(Backend::nvrtc).found) QSKIP("no NVRTC here");
    }

    void ptx_with_lines_and_kernels() {
        CompileRequest request{.source = kScale, .name = "scale.cu", .arch = "compute_80"};
        CompileResult result = compile(request);
        QVERIFY2(result.ok, text_of(result));
        QVERIFY(result.ptx.find(".visible .entry scale(") != std::string::npos);
        QVERIFY(result.ptx.find(".target sm_80") != std::string::npos);
        QCOMPARE(result.kernels.size(), std::size_t{1});
        const Kernel& kernel = result.kernels[0];
        QCOMPARE(kernel.name, std::string("scale"));
        QCOMPARE(kernel.line, 1);
        QCOMPARE(kernel.parameters.size(), std::size_t{3});
        QCOMPARE(kernel.parameters[0].dtype, std::string("float32"));
        QVERIFY(kernel.parameters[0].pointer);
        QCOMPARE(kernel.parameters[1].offset, std::size_t{8});
        QCOMPARE(kernel.parameters[2].offset, std::size_t{12});
        QCOMPARE(kernel.parameters[2].dtype, std::string("int32"));
        // The multiplication stands in line 3 of the source.
        bool found = false;
        int number = 0;
        std::istringstream lines(result.ptx);
        for (std::string line; std::getline(lines, line);) {
            ++number;
            if (line.find("mul.f32") == std::string::npos) continue;
            for (const LineMapping& mapping : result.lines)
                if (mapping.ptx_line == number) {
                    found = true;
                    QCOMPARE(mapping.source_line, 3);
                    QCOMPARE(mapping.file, std::string("scale.cu"));
                }
        }
        QVERIFY(found);
    }

    void cubin_report_and_lto() {
        CompileRequest request{.source = kScale, .arch = "compute_80", .cubin = true, .report = true};
        CompileResult result = compile(request);
        QVERIFY2(result.ok, text_of(result));
        QCOMPARE(result.arch, std::string("sm_80"));
        QVERIFY(result.cubin.size() > 64);
        QCOMPARE(std::memcmp(result.cubin.data(),
                             "\x7f"
                             "ELF",
                             4),
                 0);
        QVERIFY2(result.report.size() == 1, result.report_problem.c_str());
        QCOMPARE(result.report[0].name, std::string("scale"));
        QVERIFY(result.report[0].registers > 0 && result.report[0].registers < 64);
        QCOMPARE(result.report[0].static_shared, std::size_t{0});
        CompileResult lto = compile({.source = kScale, .arch = "80", .lto_ir = true});
        QVERIFY2(lto.ok, text_of(lto));
        QVERIFY(!lto.lto_ir.empty());
    }

    void report_of_every_architecture() {
        const char* source = R"(extern "C" __global__ void k(float* x) {
            __shared__ float s[100];
            s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = s[99 - threadIdx.x]; })";
        for (int number : compiler_info(Backend::nvrtc).architectures) {
            CompileResult result = compile({.source = source, .arch = "sm_" + std::to_string(number), .report = true});
            QVERIFY2(result.ok, text_of(result));
            QVERIFY2(result.report.size() == 1, result.report_problem.c_str());
            QVERIFY(result.report[0].static_shared >= 400);
            if (result.report[0].barriers >= 0) QCOMPARE(result.report[0].barriers, 1); // 11.8 does not say
        }
    }

    void broken_source() {
        CompileResult result =
            compile({.source = "__global__ void k(float* x) {\n    x[0] = nothere;\n}\n", .name = "broken.cu"});
        QVERIFY(!result.ok);
        const Diagnostic* diagnostic = find(result, "nothere");
        QVERIFY(diagnostic);
        QCOMPARE(diagnostic->file, std::string("broken.cu"));
        QCOMPARE(diagnostic->line, 2);
        QCOMPARE(diagnostic->column, 12);
        QVERIFY(diagnostic->severity == Severity::error);
        QVERIFY(result.ptx.empty());
        QCOMPARE(result.kernels.size(), std::size_t{1}); // from the text
    }

    void missing_include_and_found_include() {
        QTemporaryDir folder;
        CompileRequest request{.source = "#include \"part.h\"\n__global__ void k(int* x) { *x = kPart; }\n",
                               .name = "k.cu",
                               .folder = folder.path().toStdString()};
        CompileResult missing = compile(request);
        QVERIFY(!missing.ok);
        const Diagnostic* diagnostic = find(missing, "part.h");
        QVERIFY(diagnostic);
        QCOMPARE(diagnostic->line, 1);
        QCOMPARE(diagnostic->file, std::string("k.cu"));
        write(fs::path(request.folder) / "part.h", "constexpr int kPart = 42;\n");
        CompileResult found = compile(request);
        QVERIFY2(found.ok, text_of(found));
        QVERIFY(found.ptx.find("42") != std::string::npos);
        // An error inside the header names the header.
        write(fs::path(request.folder) / "part.h", "\n\nconstexpr int kPart = oops;\n");
        CompileResult broken = compile(request);
        diagnostic = find(broken, "oops");
        QVERIFY(diagnostic);
        QCOMPARE(diagnostic->line, 3);
        QVERIFY(diagnostic->file.ends_with("part.h"));
    }

    void warnings_do_not_fail() {
        CompileResult result = compile({.source = "__global__ void k(int* x) { int unused; *x = 1; }"});
        QVERIFY(result.ok);
        QCOMPARE(result.diagnostics.size(), std::size_t{1});
        QVERIFY(result.diagnostics[0].severity == Severity::warning);
        QVERIFY(result.diagnostics[0].message.find("unused") != std::string::npos);
    }

    void notes_of_an_instantiation() {
        CompileResult result = compile({.source = "template <class T> __device__ void f(T a) { a.x = 1; }\n"
                                                  "__global__ void k() { f<int>(3); }"});
        QVERIFY(!result.ok);
        const Diagnostic* diagnostic = find(result, "class type");
        QVERIFY(diagnostic);
        QVERIFY(!diagnostic->notes.empty());
        QVERIFY(diagnostic->notes[0].find("instantiation of \"") != std::string::npos);
    }

    void bad_options_and_architectures() {
        CompileResult result = compile({.source = kScale, .options = {"--no-such-option"}});
        QVERIFY(!result.ok);
        QVERIFY(find(result, "no-such-option"));
        for (const char* arch : {"sm_1", "sm_999", "hopper", "-G", "sm_80; rm", ""}) {
            if (!*arch) continue;
            result = compile({.source = kScale, .arch = arch});
            QVERIFY2(!result.ok, arch);
            QVERIFY2(!result.diagnostics.empty(), arch);
        }
        QVERIFY(result.arch.empty());
        result = compile({.source = std::string("a\0b", 3)});
        QVERIFY(!result.ok && !result.arch.empty());
    }

    void name_expressions_and_extern_c() {
        CompileResult result = compile({.source = "namespace m { template <class T, int N> __global__ void fill(T* x) "
                                                  "{ x[threadIdx.x] = T(N); } }",
                                        .name_expressions = {"m::fill<double, 7>", "m::fill<int, 3>"}});
        QVERIFY2(result.ok, text_of(result));
        QCOMPARE(result.lowered_names.size(), std::size_t{2});
        int seen = 0;
        for (const Kernel& kernel : result.kernels) {
            if (kernel.name == "m::fill<double, 7>") {
                ++seen;
                QCOMPARE(kernel.parameters.at(0).dtype, std::string("float64"));
                QCOMPARE(kernel.lowered, result.lowered_name(kernel.name));
            }
            QVERIFY(!kernel.is_template);
        }
        QCOMPARE(seen, 1);
        CompileResult wrong = compile({.source = kScale, .name_expressions = {"nope<int>"}});
        QVERIFY(!wrong.ok);
        // NVRTC names a file of its own, of which nobody knows.
        const Diagnostic* nope = find(wrong, "\"nope\" is undefined");
        QVERIFY2(nope && nope->file.empty() && nope->line == 0, wrong.log.c_str());
        QVERIFY2(nope->message.starts_with("the instance nope<int> cannot be made: "), nope->message.c_str());
        QVERIFY(!find(wrong, "name_map") && !find(wrong, "name expression"));
        wrong = compile({.source = kScale, .name_expressions = {"scale", "other<7>", "third"}});
        QVERIFY2(find(wrong, "the instance other<7> cannot be made: "), wrong.log.c_str());
        QVERIFY2(find(wrong, "the instance third cannot be made: "), wrong.log.c_str());
        QVERIFY2(!find(wrong, "the instance scale "), wrong.log.c_str());
        // Messages of an instance with more than one argument: how NVRTC spaces it is not how it was asked for.
        wrong = compile({.source = kScale, .name_expressions = {"pair<unsigned  int,4>"}});
        QVERIFY2(find(wrong, "the instance pair<unsigned  int,4> cannot be made: "), wrong.log.c_str());
        CompileResult wrapped =
            compile({.source = "__global__ void plain(int* x) { *x = 1; }\n__global__ void bad(){ y; }",
                     .name = "w.cu",
                     .extern_c = true});
        QCOMPARE(find(wrapped, "\"y\"")->line, 2);
        wrapped = compile({.source = "__global__ void plain(int* x) { *x = 1; }", .extern_c = true});
        QVERIFY(wrapped.ptx.find(".entry plain(") != std::string::npos);
    }

    void products_name_the_file_once() {
        for (const char* name : {"sub/k.cu", "../other/sub/k.cu"}) {
            const fs::path folder = fs::absolute("/other/sub");
            const CompileResult result = compile({.source = kScale, .name = name, .folder = folder.string()});
            QVERIFY2(result.ok, text_of(result));
            QString file = QString::fromStdString((folder / "k.cu").lexically_normal().string());
            file = '"' + file.replace('\\', "\\\\") + '"';
            QVERIFY2(result.ptx.find(file.toStdString()) != std::string::npos, result.ptx.c_str());
            QVERIFY(!result.lines.empty());
            QCOMPARE(result.lines[0].file, std::string(name));
        }
    }

    void host_headers_of_pasted_code() {
        CompileResult result = compile({.source = R"(
#include <cstdio>
#include <stdio.h>
#include <math.h>
#include <cmath>
#include <cassert>
#include <cstdint>
#include <climits>
#include <cfloat>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime.h>
#include <cuda_fp16.h>
extern "C" __global__ void k(float* x, uint8_t* b, int64_t n, __half* h) {
    assert(n > 0);
    x[0] = sinf(M_PI) + sqrtf(FLT_MAX) + INT_MAX + (float)b[0];
    h[0] = __float2half(x[0]);
    printf("%f\n", x[0]);
})"});
        QVERIFY2(result.ok, text_of(result));
    }

    void kernels_of_the_examples_data() {
        QTest::addColumn<QString>("path");
        // The sources of the examples, and a folder of more for whoever has one.
        int count = 0;
        for (const QString& folder : {QStringLiteral(WARPLIGHT_SOURCE_DIR) + "/resources/examples",
                                      QString::fromUtf8(qgetenv("WARPLIGHT_TEST_KERNELS"))}) {
            if (folder.isEmpty()) continue;
            QDirIterator it(folder, {"*.cu"}, QDir::Files, QDirIterator::Subdirectories);
            while (it.hasNext()) {
                QString path = it.next();
                QTest::newRow(qPrintable(it.fileName())) << path;
                ++count;
            }
        }
        if (!count) QTest::newRow("none") << QString();
    }
    void kernels_of_the_examples() {
        QFETCH(QString, path);
        if (path.isEmpty()) QSKIP("there are no examples");
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        std::string source = file.readAll().toStdString();
        CompileResult result = compile({.source = source, .name = path.toStdString(), .arch = "compute_80"});
        if (source.find("int main(") != std::string::npos) { // a program, which nvcc builds
            QVERIFY(!result.ok && result.diagnostics.front().message.find("whole program") != std::string::npos);
            return;
        }
        if (source.find("<<<") != std::string::npos) {
            if (result.ok) return; // NVRTC of CUDA 11 takes it
            const Diagnostic* diagnostic = find(result, "device-side kernel launch");
            QVERIFY(diagnostic && diagnostic->line > 0 && !diagnostic->notes.empty());
            return;
        }
        QVERIFY2(result.ok, text_of(result));
        QVERIFY(!result.kernels.empty());
        for (const Kernel& kernel : result.kernels) {
            QVERIFY2(kernel.line > 0, kernel.name.c_str());
            for (const Parameter& parameter : kernel.parameters) {
                QVERIFY2(!parameter.type.empty(), kernel.name.c_str());
                QVERIFY2(kernel.is_template || parameter.size > 0, (kernel.name + " " + parameter.name).c_str());
            }
        }
        QVERIFY(!result.lines.empty());
    }

    void nvcc_too() {
        if (!compiler_info(Backend::nvcc).found) QSKIP("no nvcc here");
        CompileRequest request{
            .source = kScale, .name = "scale.cu", .arch = "sm_80", .backend = Backend::nvcc, .report = true};
        CompileResult result = compile(request);
        QVERIFY2(result.ok, text_of(result));
        QVERIFY(result.ptx.find(".entry scale(") != std::string::npos);
        QCOMPARE(result.report.size(), std::size_t{1});
        QVERIFY(result.report[0].registers > 0);
        QVERIFY(!result.lines.empty());
        QCOMPARE(result.lines[0].file, std::string("scale.cu"));
        request.source =
            "__global__ void k(float* x) {\n    x[0] = nothere;\n}\n__global__ void l() { int u = gone; }\n";
        result = compile(request);
        QVERIFY(!result.ok);
        const Diagnostic* diagnostic = find(result, "nothere");
        QVERIFY(diagnostic);
        QCOMPARE(diagnostic->file, std::string("scale.cu"));
        QCOMPARE(diagnostic->line, 2);
        QCOMPARE(diagnostic->column, 12);
        diagnostic = find(result, "gone");
        QVERIFY(diagnostic);
        QCOMPARE(diagnostic->column, 31); // of the text, not of the front end's spelling of __global__
        request.source = "extern \"C\" __global__ void child(int* p) {}\n"
                         "extern \"C\" __global__ void parent(int* p) { child<<<1, 1>>>(p); }\n";
        request.options = {"--relocatable-device-code=true"};
        result = compile(request);
        QVERIFY2(result.ok, text_of(result));
    }

    void wrong_assembly_names_the_source_line() {
        CompileResult result = compile({.source = "extern \"C\" __global__ void k(float* a) {\n    a[0] = 1;\n    "
                                                  "asm(\"bogus.u32 %0;\" ::\"f\"(a[0]));\n}\n",
                                        .name = "asm.cu",
                                        .arch = "sm_80",
                                        .cubin = true});
        QVERIFY(!result.ok);
        QVERIFY2(find(result, "bogus"), result.log.c_str());
    }

    void cancelled() {
        bool asked = false;
        CompileRequest request{.source = kScale, .use_cache = false};
        request.cancelled = [&] { return asked = true; };
        CompileResult result = compile(request);
        if (!asked) QSKIP("this NVRTC cannot be cancelled");
        QVERIFY(!result.ok);
        QVERIFY(result.cancelled);
    }
};

QTEST_GUILESS_MAIN(CompilerTest)
#include "compiler_test.moc"
