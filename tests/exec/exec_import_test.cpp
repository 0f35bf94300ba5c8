// SPDX-License-Identifier: Apache-2.0
// warplight-cli import: launches of programs become sessions that pass; what cannot become one is told.
#include "../session/cli_fixture.hpp"
#include "launch_log/snapshot.hpp"
#include "session/data_file.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

using namespace warplight;

namespace {

const char* const program = R"(
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
__constant__ float coefficients[4];
__device__ unsigned calls;
struct Box { float low, high; };
namespace wave {
template <class T> __global__ void step(const T* now, T* next, float dt, int n, bool odd, float2 shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) atomicAdd(&calls, 1u);
    if (i < n) next[i] = now[i] + dt * coefficients[i % 4] * (odd ? 1 : 2) + shift.x * shift.y;
}
}
__global__ void sum(const float4* values, double* result, int n) {
    extern __shared__ double part[];
    part[threadIdx.x] = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        part[threadIdx.x] += values[i].x + values[i].y + values[i].z + values[i].w;
    __syncthreads();
    if (threadIdx.x == 0)
        for (unsigned i = 0; i < blockDim.x; ++i) *result += part[i];
}
__global__ void clamp(float* x, Box box) { x[threadIdx.x] = fminf(fmaxf(x[threadIdx.x], box.low), box.high); }
__global__ void maybe(const float* x, float* y) { y[threadIdx.x] = x ? x[threadIdx.x] : 0; }
__global__ void halves(float* low, float* high) { low[threadIdx.x] = high[threadIdx.x]; }
__global__ void never(float* x) { *x = 1; }
int main(int argc, char**) {
    const int n = 4000;
    std::vector<float> x(n);
    for (int i = 0; i < n; ++i) x[i] = std::sin(i * 0.01f);
    const float c[4] = {1, 2, 3, 4};
    cudaMemcpyToSymbol(coefficients, c, sizeof c);
    float *a, *b;
    double* d;
    cudaMalloc(&a, n * 4);
    cudaMalloc(&b, n * 4);
    cudaMalloc(&d, 8);
    cudaMemset(d, 0, 8);
    cudaMemcpy(a, x.data(), n * 4, cudaMemcpyHostToDevice);
    for (int k = 0; k < 5; ++k) {
        wave::step<<<(n + 127) / 128, 128>>>(a, b, 0.5f, n, k % 2 == 1, make_float2(k, 0.25f));
        float* t = a; a = b; b = t;
    }
    sum<<<1, 64, 64 * sizeof(double)>>>((const float4*)a, d, n / 4);
    clamp<<<1, 32>>>(a, Box{0, 1});
    maybe<<<1, 32>>>(nullptr, b);
    halves<<<1, 32>>>(a, a + n / 2);
    cudaDeviceSynchronize();
    if (argc > 1) std::abort();
    std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
)";

} // namespace

class ImportTest : public CliFixture {
    Q_OBJECT
    Result import(const QStringList& arguments) const {
        return cli(QStringList{"import", "program.cu", "--program", "program"} << arguments);
    }
    QJsonObject session(const char* name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
    }
    /// The argument of that name.
    static QJsonObject argument(const QJsonObject& session, const char* name) {
        for (const auto& each : session["arguments"].toArray())
            if (each.toObject()["name"] == QLatin1String(name)) return each.toObject();
        return {};
    }
    bool has_nvcc_ = false;

private slots:
    void initTestCase() {
        device_ = "software";
        has_nvcc_ = !QStandardPaths::findExecutable("nvcc").isEmpty() || QFile::exists("/usr/local/cuda/bin/nvcc");
        write("program.cu", program);
        if (!has_nvcc_) return;
        const auto built = cli({"exec", "--", "nvcc", "program.cu", "-o", "program"});
        QVERIFY2(built.code == 0, qPrintable(built.out + built.err));
    }

    void a_template_with_variables() {
        if (!has_nvcc_) QSKIP("there is no nvcc");
        const auto result = import({"--kernel", "wave::step", "--launch", "3", "-o", "step"});
        QVERIFY2(result.code == 0, qPrintable(result.err));
        const auto made = session("step/program.warplight");
        QCOMPARE(made["kernel"].toString(), QString("wave::step<float>"));
        QCOMPARE(made["launch"].toObject()["grid"].toArray()[0].toInt(), 32);
        QCOMPARE(argument(made, "dt")["value"].toDouble(), 0.5);
        QCOMPARE(argument(made, "odd")["value"].toBool(true), false);
        QCOMPARE(argument(made, "shift")["value"].toArray(), (QJsonArray{2.0, 0.25}));
        QCOMPARE(argument(made, "now")["direction"].toString(), QString("in"));
        QCOMPARE(argument(made, "coefficients")["variable"].toBool(), true);
        // In plain C++, what the third step finds and leaves.
        const auto now = load_npy(path("step/data/now.npy").toStdString());
        const auto next = load_npy(path("step/data/next-after.npy").toStdString());
        QCOMPARE(now.shape(), (Shape{4000}));
        for (std::size_t i = 0; i < 4000; ++i) {
            float value = std::sin(static_cast<float>(i) * 0.01F);
            const float c = static_cast<float>(i % 4 + 1);
            for (int k = 0; k < 2; ++k)
                value += 0.5F * c * (k == 1 ? 1 : 2) + static_cast<float>(k) * 0.25F;
            QVERIFY(std::abs(now.item(i) - static_cast<double>(value)) < 1e-5);
            QVERIFY(std::abs(next.item(i) - now.item(i) - static_cast<double>(0.5F * c * 2 + 0.5F)) < 1e-5);
        }
        QCOMPARE(load_npy(path("step/data/calls.npy").toStdString()).item(0), 2.0);
        QCOMPARE(load_npy(path("step/data/calls-after.npy").toStdString()).item(0), 3.0);
        const auto ran = run({"step/program.warplight"});
        QVERIFY2(ran.code == 0, qPrintable(ran.out + ran.err));
        QVERIFY2(ran.out.contains("passed"), qPrintable(ran.out));
    }

    void shared_memory_and_vectors() {
        if (!has_nvcc_) QSKIP("there is no nvcc");
        const auto result = import({"--kernel", "sum", "-o", "sum"});
        QVERIFY2(result.code == 0, qPrintable(result.err));
        const auto made = session("sum/program.warplight");
        QCOMPARE(made["launch"].toObject()["shared"].toInt(), 512);
        QCOMPARE(load_npy(path("sum/data/values.npy").toStdString()).shape(), (Shape{1000, 4}));
        QCOMPARE(argument(made, "result")["source"].toObject()["kind"].toString(), QString("zeros"));
        const auto ran = run({"sum/program.warplight"});
        QVERIFY2(ran.code == 0 && ran.out.contains("passed"), qPrintable(ran.out + ran.err));
    }

    void builds_the_file_itself() {
        if (!has_nvcc_) QSKIP("there is no nvcc");
        const auto result = cli({"import", "program.cu", "--kernel", "halves", "-o", "halves"});
        QVERIFY2(result.code == 0, qPrintable(result.err));
        // Both pointed into one allocation.
        QVERIFY2(result.err.contains("low and high pointed into the same memory"), qPrintable(result.err));
        write("broken.cu", "int main() { return nothing; }\n");
        const auto broken = cli({"import", "broken.cu", "--kernel", "k", "-o", "broken"});
        QCOMPARE(broken.code, 3);
        QVERIFY2(broken.err.contains("could not be built") && broken.err.contains("nothing"), qPrintable(broken.err));
    }

    void refuses_with_a_reason_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("reason");
        QTest::newRow("not launched") << QStringList{"--kernel", "never"} << "did not launch never";
        QTest::newRow("not so often") << QStringList{"--kernel", "sum", "--launch", "2"}
                                      << "did not launch sum so often";
        QTest::newRow("structure") << QStringList{"--kernel", "clamp"} << "box is a Box";
        QTest::newRow("null pointer") << QStringList{"--kernel", "maybe"} << "x of maybe is no address";
        QTest::newRow("a folder with the files") << QStringList{"--kernel", "sum", "-o", "."} << "exists";
    }
    void refuses_with_a_reason() {
        if (!has_nvcc_) QSKIP("there is no nvcc");
        QFETCH(QStringList, arguments);
        QFETCH(QString, reason);
        write("program.warplight", "{}");
        if (!arguments.contains("-o")) arguments << "-o" << "refused";
        const auto result = import(arguments);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains(reason), qPrintable(result.err));
        QVERIFY(!QFile::exists(path("refused")));
    }

    void a_program_that_fails_later_has_launched() {
        if (!has_nvcc_) QSKIP("there is no nvcc");
        const auto result = import({"--kernel", "sum", "-o", "failing", "--argument", "fail"});
        QVERIFY2(result.code == 0, qPrintable(result.err));
        QVERIFY2(result.err.contains("ended with the exit code"), qPrintable(result.err));
    }

    void a_kernel_that_fails_is_told() {
        if (!has_nvcc_) QSKIP("there is no nvcc");
        write("fault.cu",
              "__global__ void fault(float* x) { x[1 << 28] = 1; }\nint main() { float* x; cudaMalloc(&x, 4);"
              " fault<<<1, 1>>>(x); return cudaDeviceSynchronize(); }\n");
        const auto result = cli({"import", "fault.cu", "--kernel", "fault", "-o", "fault"});
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains("could not be copied: the kernel failed: "), qPrintable(result.err));
    }

    void names_that_are_alike_have_files_of_their_own() {
        if (!has_nvcc_) QSKIP("there is no nvcc");
        // A parameter may have the name of a variable, which hides it.
        write("alike.cu", R"(__constant__ float c[4];
namespace { __device__ float read(int i) { return c[i]; } }
namespace { __global__ void add(float* a, float* A, const float* c) {
    int i = threadIdx.x;
    a[i] += read(i % 4) + c[i];
    A[i] -= c[i];
} }
int main() {
    float host[32], *p[3];
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 32; ++i) host[i] = 100 * k + i + 1;
        cudaMalloc(&p[k], sizeof host);
        cudaMemcpy(p[k], host, sizeof host, cudaMemcpyHostToDevice);
    }
    cudaMemcpyToSymbol(c, host, 16);
    add<<<1, 32>>>(p[0], p[1], p[2]);
    return cudaDeviceSynchronize();
}
)");
        const auto result = cli({"import", "alike.cu", "--kernel", "add", "-o", "alike"});
        QVERIFY2(result.code == 0, qPrintable(result.err));
        QCOMPARE(load_npy(path("alike/data/a.npy").toStdString()).item(0), 1.0);
        QCOMPARE(load_npy(path("alike/data/A-2.npy").toStdString()).item(0), 101.0);
        const auto made = session("alike/alike.warplight");
        QCOMPARE(argument(made, "c")["variable"].toBool(), true);
        QCOMPARE(argument(made, "c_2")["direction"].toString(), QString("in"));
        const auto ran = run({"alike/alike.warplight"});
        QVERIFY2(ran.code == 0 && ran.out.contains("passed"), qPrintable(ran.out + ran.err));
    }

    void damaged_snapshots_are_told_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no JSON") << QByteArray("{");
        QTest::newRow("no object") << QByteArray("[]");
        const QByteArray start =
            R"({"kernel":"k","grid":[1,1,1],"block":[1,1,1],"shared":0,"cooperative":false,"problem":"",)";
        QTest::newRow("a path") << start + R"("variables":[],"parameters":[{"bytes":[0,0,0,0,0,0,0,0],"memory":
            {"size":1,"before":"../x","after":"y"}}]})";
        QTest::newRow("too large") << start + R"("variables":[],"parameters":[{"bytes":[0,0,0,0,0,0,0,0],"memory":
            {"size":1000000000000,"before":"x","after":"y"}}]})";
        QTest::newRow("half an address") << start + R"("variables":[],"parameters":[{"bytes":[0,0,0,0],"memory":
            {"size":1,"before":"x","after":"y"}}]})";
        QTest::newRow("no bytes") << start + R"("variables":[],"parameters":[{"bytes":[256]}]})";
        QTest::newRow("two extents") << QByteArray(R"({"kernel":"k","grid":[1,1],"block":[1,1,1],"shared":0,
            "cooperative":false,"problem":"","variables":[],"parameters":[]})");
    }
    void damaged_snapshots_are_told() {
        QFETCH(QByteArray, text);
        const auto folder = session::path_from_utf8(path("damaged").toStdString());
        QDir().mkpath(path("damaged"));
        write("damaged/launch.json", text);
        if (QByteArray(QTest::currentDataTag()) == "no bytes") {
            // A number that is no byte is cut, as of any JSON.
            QVERIFY(launch_log::read_snapshot(folder));
            return;
        }
        QVERIFY_THROWS_EXCEPTION(launch_log::SnapshotError, (void)launch_log::read_snapshot(folder));
        write("damaged/short", "12");
        QVERIFY_THROWS_EXCEPTION(launch_log::SnapshotError, (void)launch_log::read_memory(folder, "short", 3));
        QVERIFY_THROWS_EXCEPTION(launch_log::SnapshotError, (void)launch_log::read_memory(folder, "short", 1));
    }

    void names_of_kernels() {
        QVERIFY(launch_log::is_kernel("_ZN4wave4stepIfEEvPKT_PS1_fib6float2", "wave::step"));
        QVERIFY(launch_log::is_kernel("_ZN4wave4stepIfEEvPKT_PS1_fib6float2", "wave::step<float>"));
        QVERIFY(!launch_log::is_kernel("_ZN4wave4stepIfEEvPKT_PS1_fib6float2", "wave::step<double>"));
        QVERIFY(!launch_log::is_kernel("_ZN4wave4stepIfEEvPKT_PS1_fib6float2", "step"));
        QVERIFY(launch_log::is_kernel("plain", "plain"));
        QVERIFY(launch_log::is_kernel("_Z3sumPK6float4Pdi", "sum"));
        QVERIFY(!launch_log::is_kernel("_Z3sumPK6float4Pdi", "su"));
        QVERIFY(launch_log::is_kernel("_ZN33_GLOBAL__N__0123abcd_4_x_cu_456784stepEPf", "step"));
        QVERIFY(launch_log::is_kernel("_ZN33_GLOBAL__N__0123abcd_4_x_cu_456784stepEPf", "(anonymous namespace)::step"));
        QVERIFY(launch_log::is_kernel("_ZN4wave12_GLOBAL__N_14stepIfEEvPT_", "wave::step<float>"));
    }
};

QTEST_GUILESS_MAIN(ImportTest)
#include "exec_import_test.moc"
