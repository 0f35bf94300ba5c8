// SPDX-License-Identifier: Apache-2.0
// Kernels to choose from: instances of templates out of text and out of PTX names, axes that a kernel counts along.
#include "compiler/instances.hpp"
#include "warplight/compiler.hpp"

#include <QtTest>

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
            return parse_signatures(source).at(0).dimensions;
        };
        QCOMPARE(of("{ x[threadIdx.x] = 0; }"), 1);
        QCOMPARE(of("{ if (x) { int y = blockIdx.y * blockDim.y; x[y] = 0; } }"), 2);
        QCOMPARE(of("{ x[threadIdx . z] = blockIdx.y; }"), 3);
        QCOMPARE(of("{ x[gridDim.y] = threadIdx.x; }"), 1);
        QCOMPARE(of("; void host() { }"), 1);
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
};

QTEST_GUILESS_MAIN(CompilerInstancesTest)
#include "compiler_instances_test.moc"
