// SPDX-License-Identifier: Apache-2.0
// Programs of Warplight in a home of their own, so that everything they leave can be seen.
#pragma once

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

class OwnHome {
public:
    OwnHome() {
        for (const char* name : {"work", "tmp", "cache", "home", "runtime"})
            QDir(folder_.path()).mkdir(QLatin1String(name));
        QFile::setPermissions(path("runtime"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    QString path(const QString& name = {}) const { return folder_.filePath(name); }
    QString work(const QString& name = {}) const { return folder_.filePath("work/" + name); }

    QProcessEnvironment environment() const {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("WARPLIGHT_SOFTWARE_LIBRARY", WARPLIGHT_SOFTWARE_LIBRARY_FILE);
        environment.insert("TMPDIR", path("tmp"));
        environment.insert("WARPLIGHT_CACHE_DIR", path("cache"));
        environment.insert("HOME", path("home"));
        environment.insert("XDG_RUNTIME_DIR", path("runtime"));
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        for (const char* name : {"XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"})
            environment.remove(name);
        return environment;
    }
    void write(const QString& name, const QByteArray& text) const {
        QFile file(work(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }
    /// A session whose result is y[i] = 2 i + `number`, with `number` in the kernel's code.
    void write_session(int number, int count = 1000, const QByteArray& compiler = "nvrtc") const {
        write("k.cu", "extern \"C\" __global__ void k(float* y, int n) {\n"
                      "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                      "    if (i < n) y[i] = 2.0f * i + " +
                          QByteArray::number(number) + ";\n}\n");
        write("k.warplight",
              R"({"warplight": 1, "source": "k.cu", "kernel": "k", "device": "software:0", "compile": {"compiler": ")" +
                  compiler + R"("}, "arguments": [
            {"name": "y", "direction": "out", "save": "y.npy",
             "source": {"kind": "zeros", "dtype": "float32", "shape": [)" +
                  QByteArray::number(count) + R"(]}},
            {"name": "n", "direction": "scalar", "type": "i32", "value": {"size_of": "y"}}],
            "launch": {"grid": )" +
                  QByteArray::number((count + 255) / 256) + R"(, "block": 256}})");
    }
    static QStringList names(const QString& folder) {
        return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    }
    /// Files below the folder.
    static QStringList files(const QString& folder) {
        QStringList all;
        for (const QFileInfo& info :
             QDir(folder).entryInfoList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot))
            if (info.isDir() && !info.isSymLink())
                all += files(info.absoluteFilePath());
            else
                all << info.absoluteFilePath();
        return all;
    }
    /// Files of the caches that are no entries.
    QStringList strange_cache_files() const {
        QStringList all = files(path("cache"));
        all.removeIf([](const QString& name) { return name.endsWith(".wlc") || name.endsWith(".wlobj"); });
        return all;
    }

private:
    QTemporaryDir folder_;
};

/// A number from an environment variable, for records that take longer than a test may.
inline int count_from(const char* variable, int otherwise) {
    const QByteArray text = qgetenv(variable);
    return text.isEmpty() ? otherwise : std::max(1, text.toInt());
}
