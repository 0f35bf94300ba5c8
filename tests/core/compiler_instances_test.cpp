// SPDX-License-Identifier: Apache-2.0
// Kernels to choose from: instances of templates out of text and out of PTX names, axes that a kernel counts along.
#include "compiler/instances.hpp"
#include "warplight/compiler.hpp"

#include <QtTest>

#include <algorithm>

using namespace warplight::compiler;

class CompilerInstancesTest : public QObject {
    Q_OBJECT
private slots:
    void offers_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("expected"); // names; those of templates with a star
        const auto row = [](const char* name, const char* source, const char* expected) {
            QTest::newRow(name) << source << expected;
        };
        row("no template", "__global__ void k(int* x) {}", "k");
        row("instantiated",
            "template <class T, int N> __global__ void scale(T* x) {}\n"
            "template __global__ void scale<float, 4>(float*);\ntemplate __global__ void scale<double,8>(double* x);",
            "scale*; scale<float, 4>; scale<double, 8>");
        row("deduced",
            "template <typename T> __global__ void scale(const T* x, T factor) {}\n"
            "template __global__ void scale(const unsigned int*, unsigned int);",
            "scale*; scale<unsigned int>");
        row("launched",
            "namespace m { template <class T> __global__ void scale(T* x) {} }\n"
            "int main() { float* x = nullptr; m::scale<float><<<1, 32>>>(x); if (1 < 2) m::scale<float><<<2, 32>>>(x); "
            "auto p = (void*)m::scale<int>; }",
            "m::scale*; m::scale<float>; m::scale<int>");
        row("dependent",
            "template <class T> __global__ void scale(T* x) {}\n"
            "template <class T> void go(T* x) { scale<T><<<1, 32>>>(x); }\nvoid f() { scale<short><<<1, 1>>>(0); }",
            "scale*; scale<short>");
        row("specialised",
            "template <class T> __global__ void scale(T* x) {}\n"
            "template <> __global__ void scale<double>(double* x) {}",
            "scale*; scale<float>; scale<double>; scale<int>");
        row("likely", "template <typename T, int BLOCK, bool B> __global__ void k(T* x) {}",
            "k*; k<float, 256, true>; k<double, 256, true>; k<int, 256, true>");
        row("defaults", "template <typename T = double, int N = 3> __global__ void k(T* x) {}", "k*; k<double, 3>");
        row("variadic", "template <typename... Ts> __global__ void k(Ts... x) {}", "k*");
    }
    void offers() {
        QFETCH(QString, source);
        QStringList names;
        for (const Kernel& kernel : offered_kernels(source.toStdString()))
            names << QString::fromStdString(kernel.name) + (kernel.is_template ? "*" : "");
        QTEST(names.join("; "), "expected");
    }

    void instances_have_their_types() {
        const std::string source =
            "using real = float; template <class T, int N = 2> __global__ void k(const T* x, T* y, T a) {}";
        const auto kernels = offered_kernels(source, {"k<float4,7>", "k<unsigned char>", "other<int>"});
        const auto find = [&](const char* name) {
            for (const Kernel& kernel : kernels)
                if (kernel.name == name) return kernel;
            return Kernel{};
        };
        const Kernel vectors = find("k<float4,7>");
        QCOMPARE(vectors.parameters.size(), std::size_t{3});
        QCOMPARE(vectors.parameters[0].dtype, std::string("float32"));
        QCOMPARE(vectors.parameters[0].components, 4);
        QVERIFY(vectors.parameters[0].is_const && !vectors.parameters[1].is_const);
        QCOMPARE(vectors.parameters[2].size, std::size_t{16});
        QVERIFY(!vectors.is_template);
        QCOMPARE(find("k<unsigned char>").parameters.at(1).dtype, std::string("uint8"));
        QVERIFY(find("other<int>").name.empty());
    }

    void dimensions() {
        const auto of = [](const char* body) {
            const std::string source = std::string("__global__ void k(float* x) ") + body +
                                       "\n__global__ void other(int* y) { y[threadIdx.z] = 0; }";
            const Kernel kernel = parse_signatures(source).at(0);
            return std::pair(kernel.dimensions, kernel.block_dimensions);
        };
        QCOMPARE(of("{ x[threadIdx.x] = 0; }"), std::pair(1, 1));
        QCOMPARE(of("{ if (x) { int y = blockIdx.y * blockDim.y; x[y] = 0; } }"), std::pair(2, 1));
        QCOMPARE(of("{ x[threadIdx . z] = blockIdx.y; }"), std::pair(3, 3));
        QCOMPARE(of("{ x[threadIdx.y] = blockIdx.z; }"), std::pair(3, 2));
        QCOMPARE(of("{ x[gridDim.y] = threadIdx.x; }"), std::pair(1, 1));
        QCOMPARE(of("; void host() { }"), std::pair(1, 1));
    }

    /// Types of which a session has no arrays.
    void types_without_arrays() {
        const Kernel kernel =
            parse_signatures("__global__ void k(cuComplex* a, const cuDoubleComplex* b, __nv_bfloat16* "
                             "c, bool* d, __nv_bfloat16 e) {}")
                .at(0);
        QStringList types;
        for (const Parameter& p : kernel.parameters)
            types << QStringLiteral("%1 %2 %3").arg(QString::fromStdString(p.dtype)).arg(p.components).arg(p.size);
        QCOMPARE(types.join("; "), QString("float32 2 8; float64 2 8; uint16 1 8; bool 1 8; bfloat16 1 2"));
    }

    void names_in_ptx() {
        QCOMPARE(demangled_name("plain"), std::string("plain"));
        QCOMPARE(demangled_name("_ZN4math5scaleEPf"), std::string("math::scale"));
        QCOMPARE(demangled_name("_Z5scaleIfLi4EEvPT_"), std::string("scale<float, 4>"));
        QCOMPARE(demangled_name("_ZN1m5scaleIPKdLb1ELin3EEEvPT_"), std::string("m::scale<const double*, true, -3>"));
        QCOMPARE(demangled_name("_Z5scaleI6float4EvPT_"), std::string("scale<float4>"));
        QCOMPARE(demangled_name("_Z5scaleIN1a1bEEvPT_"), std::string("scale")); // not understood: the template
        for (const char* cut :
             {"_Z", "_Z5sc", "_Z5scaleI", "_Z5scaleIf", "_Z5scaleILi", "_Z5scaleILi4", "_Z99999999999999999999x"})
            QVERIFY(!demangled_name(cut).empty());
    }

    /// What the compiler makes of an explicit instantiation is known by its expression.
    void compiled_instances() {
        if (!compiler_info(Backend::nvrtc).found) QSKIP("no NVRTC");
        const CompileResult result =
            compile({.source = "template <class T, int N> __global__ void fill(T* x) { x[threadIdx.x] = T(N); }\n"
                               "template __global__ void fill<double, 7>(double*);\n"
                               "template __global__ void fill<unsigned char, 3>(unsigned char*);"});
        QVERIFY2(result.ok, result.log.c_str());
        QStringList names;
        for (const Kernel& kernel : result.kernels)
            names << QString::fromStdString(kernel.name + " " + kernel.parameters.at(0).dtype);
        names.sort();
        QCOMPARE(names.join("; "), QString("fill<double, 7> float64; fill<unsigned char, 3> uint8"));
    }

    void nvcc_makes_instances_data() {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("lowered");
        QTest::newRow("in the source") << "scale<double, 3>" << "" << "_Z5scaleIdLi3EEvPT_S0_i";
        QTest::newRow("in the source, other spaces") << "scale<double,3>" << "" << "_Z5scaleIdLi3EEvPT_S0_i";
        QTest::newRow("not in the source") << "scale<float, 4>" << "" << "_Z5scaleIfLi4EEvPT_S0_i";
        QTest::newRow("apart") << "scale<int, 4>" << "--relocatable-device-code=true" << "_Z5scaleIiLi4EEvPT_S0_i";
        QTest::newRow("defaults") << "scale<>" << "" << "_Z5scaleIfLi2EEvPT_S0_i";
        QTest::newRow("another name of a type") << "scale<real, 3>" << "" << "_Z5scaleIdLi3EEvPT_S0_i";
        QTest::newRow("enumeration") << "way<Way::back>" << "" << "_Z3wayIL3Way1EEvPi";
    }
    void nvcc_makes_instances() {
        if (!compiler_info(Backend::nvcc).found) QSKIP("no nvcc here");
        QFETCH(QString, expression);
        QFETCH(QString, option);
        QFETCH(QString, lowered);
        CompileRequest request{.source = "enum class Way { on, back }; using real = double;\n"
                                         "template <class T = float, int N = 2>\n"
                                         "__global__ void scale(T* x, T a, int n) { if (threadIdx.x < n) *x *= a; }\n"
                                         "template __global__ void scale<double, 3>(double*, double, int);\n"
                                         "template <Way w> __global__ void way(int* x) { *x = int(w); } // \\",
                               .name_expressions = {expression.toStdString()},
                               .use_cache = false};
        request.backend = Backend::nvcc;
        if (!option.isEmpty()) request.options = {option.toStdString()};
        request.report = option.isEmpty();
        const CompileResult result = compile(request);
        QVERIFY2(result.ok, result.log.c_str());
        QCOMPARE(QString::fromStdString(result.lowered_name(request.name_expressions[0])), lowered);
        QVERIFY(result.ptx.find(".entry " + lowered.toStdString() + "(") != std::string::npos);
        QVERIFY(result.ptx.find("instance") == std::string::npos);
        const auto kernel = std::find_if(result.kernels.begin(), result.kernels.end(),
                                         [&](const Kernel& each) { return each.lowered == lowered.toStdString(); });
        QVERIFY(kernel != result.kernels.end());
        QCOMPARE(QString::fromStdString(kernel->name), expression);
        for (const LineMapping& line : result.lines)
            QVERIFY(line.file == "kernel.cu" && line.source_line <= 5);
    }

    void nvcc_cannot_make_data() {
        QTest::addColumn<QString>("end");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("message");
        QTest::newRow("no such instance") << "}" << 0 << "the instance scale<int, 4> cannot be made: ";
        QTest::newRow("no brace at the end") << "" << 2 << "expected a \"}\"";
        QTest::newRow("another mistake") << "  *x = nothere;\n}" << 3 << "nothere";
    }
    /// What is wrong with the source alone has its own line.
    void nvcc_cannot_make() {
        if (!compiler_info(Backend::nvcc).found) QSKIP("no nvcc here");
        QFETCH(QString, end);
        QFETCH(int, line);
        const CompileResult result = compile({.source = "template <class T> __global__ void scale(T* x) {}\n"
                                                        "__global__ void other(int* x) {\n" +
                                                        end.toStdString(),
                                              .backend = Backend::nvcc,
                                              .name_expressions = {line == 2 ? "scale<int>" : "scale<int, 4>"},
                                              .use_cache = false});
        QVERIFY(!result.ok);
        const Diagnostic& first = result.diagnostics.at(0);
        QFETCH(QString, message);
        QVERIFY2(QString::fromStdString(first.message).contains(message), first.message.c_str());
        QCOMPARE(first.file, std::string(line ? "kernel.cu" : ""));
        QVERIFY2(first.line == line, result.log.c_str());
    }
};

QTEST_GUILESS_MAIN(CompilerInstancesTest)
#include "compiler_instances_test.moc"
