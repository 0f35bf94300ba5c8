// SPDX-License-Identifier: Apache-2.0
// What tests of campaigns share: a kernel that takes a moment, sweeps of it, and what reports say.
#pragma once

#include "../session/cli_fixture.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <memory>

class ClusterFixture : public CliFixture {
protected:
    /// slow.warplight, beside what write_scale() writes. A point takes the longer, the more rounds its loop has.
    void write_slow(int rounds) {
        write_scale();
        write("slow.cu", QByteArray(R"(
extern "C" __global__ void scale(float* y, const float* x, float a, int n) {
    volatile float s = 0;
    for (int i = 0; i < ROUNDS; ++i) s = s + a;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + 0 * s;
}
)")
                             .replace("ROUNDS", QByteArray::number(rounds)));
        write("slow.warplight", session("").replace("scale.cu", "slow.cu"));
    }
    /// So many points that differ in an argument.
    static QStringList vary(int points) {
        QStringList values;
        for (int i = 1; i <= points; ++i)
            values << QString::number(i);
        return {"--vary", "argument:a=" + values.join(',')};
    }
    QJsonObject json(const char* name) const {
        QFile file(path(name));
        if (!file.open(QIODevice::ReadOnly)) return {};
        return QJsonDocument::fromJson(file.readAll()).object();
    }
    static int measured(const QJsonObject& report) {
        int count = 0;
        for (const auto& point : report["points"].toArray())
            count += point.toObject()["state"] == "measured";
        return count;
    }
    std::unique_ptr<QProcess> begin(const QStringList& arguments, const QProcessEnvironment& environment) const {
        auto process = std::make_unique<QProcess>();
        process->setWorkingDirectory(temporary_.path());
        process->setProcessEnvironment(environment);
        process->start(WARPLIGHT_CLI, arguments);
        return process;
    }
};
