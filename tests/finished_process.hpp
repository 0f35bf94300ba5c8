// SPDX-License-Identifier: Apache-2.0
// What a program that a test started left behind.
#pragma once

#include <QProcess>

struct Result {
    int code = -1; ///< -1: ended by a signal, or not at all
    QString out, err;
    QString all() const { return out + err; }
};

inline Result finish(QProcess& process) {
    Result result;
    if (!process.waitForFinished(120000)) {
        process.kill();
        process.waitForFinished();
        result.err = "did not end: " + process.errorString();
    } else if (process.exitStatus() == QProcess::NormalExit) {
        result.code = process.exitCode();
    }
    result.out = QString::fromUtf8(process.readAllStandardOutput());
    result.err += QString::fromUtf8(process.readAllStandardError());
    return result;
}
