// SPDX-License-Identifier: Apache-2.0
// warplight-cli in a folder of its own, and what most of its tests run: a kernel that scales an array.
#pragma once

#include "../finished_process.hpp"
#include "warplight/ndarray.hpp"
#include "warplight/npy.hpp"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <functional>

inline constexpr const char* scale_source = R"(
extern "C" __global__ void scale(float* y, const float* x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i];
}
extern "C" __global__ void other() {}
)";

class CliFixture : public QObject {
protected:
    QTemporaryDir temporary_{QDir::tempPath() + "/cli-XXXXXX"}; // no word that a test looks for
    QString device_;

    QString path(const char* name) const { return temporary_.filePath(name); }
    void write(const char* name, const QByteArray& text) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }
    QProcessEnvironment environment() const {
        auto environment = QProcessEnvironment::systemEnvironment();
        if (!environment.contains("WARPLIGHT_SOFTWARE_LIBRARY"))
            environment.insert("WARPLIGHT_SOFTWARE_LIBRARY", WARPLIGHT_SOFTWARE_LIBRARY_FILE);
        environment.insert("XDG_STATE_HOME", path("state")); // what was saved is recorded there
        return environment;
    }
    Result cli(const QStringList& arguments, const QProcessEnvironment& environment,
               const std::function<void()>& in_child = {}) const {
        QProcess process;
        process.setWorkingDirectory(temporary_.path());
        process.setProcessEnvironment(environment);
#ifdef Q_OS_UNIX
        if (in_child) process.setChildProcessModifier(in_child);
#else
        Q_ASSERT(!in_child);
#endif
        process.start(WARPLIGHT_CLI, arguments);
        return finish(process);
    }
    Result cli(const QStringList& arguments) const { return cli(arguments, environment()); }
    Result run(QStringList arguments) const {
        arguments.prepend("run");
        return cli(arguments << "--device" << device_);
    }
    QByteArray session(const QByteArray& more) const {
        return R"({"warplight": 1, "source": "scale.cu", "kernel": "scale", "arguments": [
            {"name": "y", "direction": "out", "source": {"kind": "zeros", "dtype": "float32", "shape": [1000]})" +
               more + R"(},
            {"name": "x", "direction": "in", "source": {"kind": "file", "path": "x.npy"}},
            {"name": "a", "direction": "scalar", "type": "f32", "value": 2.5},
            {"name": "n", "direction": "scalar", "type": "i32", "value": {"size_of": "x"}}],
            "launch": {"grid": 4, "block": 256}})";
    }
    /// scale.cu, x.npy, right.npy and good.warplight, which passes. Returns what x.npy holds.
    warplight::NdArray write_scale() {
        using namespace warplight;
        device_ = qEnvironmentVariable("WARPLIGHT_TEST_DRIVER", "software");
        write("scale.cu", scale_source);
        auto x = NdArray::zeros({1000}, DType::float32());
        auto right = NdArray::zeros({1000}, DType::float32());
        for (std::size_t i = 0; i < 1000; ++i) {
            x.set_item(i, static_cast<double>(i));
            right.set_item(i, 2.5 * static_cast<double>(i));
        }
        save_npy(path("x.npy").toStdString(), x);
        save_npy(path("right.npy").toStdString(), right);
        write("good.warplight", session(R"(, "expect": {"path": "right.npy"})"));
        return x;
    }
};
