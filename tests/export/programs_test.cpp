// SPDX-License-Identifier: Apache-2.0
// Sessions exported in all formats: the programs run on the software device, and what they save has the bytes that
// `warplight-cli run` saves. WARPLIGHT_EXPORT_LIBRARIES names the folder that scripts/export-libraries.sh makes of
// PyCUDA and cuda.core; WARPLIGHT_EXPORT_PYTHON names a Python that has other releases.
#include "../exec/exec_environment.hpp"

#include "export/identifiers.hpp"
#include "export/program.hpp"
#include "session/session.hpp"
#include "warplight/ndarray.hpp"
#include "warplight/npy.hpp"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <algorithm>
#include <memory>
#include <vector>

namespace {

using namespace warplight;

/// A session, and what a run of it has saved.
struct Sample {
    QString name, session, saved;
    QStringList results; ///< names of files in `saved`
};

QProcessEnvironment environment() {
    auto environment = plain_environment();
    environment.insert("WARPLIGHT_SOFTWARE_WORKERS", "1"); // atomics of floats then have an order
    environment.insert("WARPLIGHT_SOFTWARE_ARCH", "9.0");  // has clusters
    environment.insert("PYTHONDONTWRITEBYTECODE", "1");
    environment.remove("LD_LIBRARY_PATH");
    return environment;
}

/// What a format cannot do, by a phrase of its message.
QString refusal(const QString& format, const QString& sample) {
    const bool sets_all = format.startsWith("cpp-") || format == "cuda-core";
    if (sample == "clusters" && !sets_all) return "Export it as cuda-core, cpp-driver or cpp-warplight";
    if (sample == "large_shared" && format == "cupy")
        return "(cache preference shared), which a program for CuPy cannot set";
    if (sample == "large_shared" && format == "numba")
        return "Export it as pycuda, cuda-core, cpp-driver or cpp-warplight";
    if (sample == "preferences" && format == "pycuda") return "(priority -1), which a program for PyCUDA cannot set";
    if (sample == "preferences" && format == "numba")
        return "Export it as cuda-core, cupy, cpp-driver or cpp-warplight";
    if (format == "cuda-core" && sample == "structs") return "passes no value of more than 16 bytes";
    if (format == "pycuda" && sample == "cooperative") return "PyCUDA cannot";
    return {};
}

QByteArray text_of(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString difference(const QString& file, const QString& expected) {
    if (!QFile::exists(file)) return file + " is missing";
    const auto actual = load_npy(file.toStdString()), wanted = load_npy(expected.toStdString());
    if (!(actual.dtype() == wanted.dtype()) || actual.shape() != wanted.shape())
        return file + " has another type or shape";
    return std::ranges::equal(actual.bytes(), wanted.bytes()) ? QString() : file + " has other bytes";
}

} // namespace

class ExportProgramsTest : public QObject {
    Q_OBJECT

    QTemporaryDir temporary_;
    std::vector<Sample> samples_;

    static void copy_folder(const QString& from, const QString& to) {
        QVERIFY(QDir().mkpath(to));
        for (const auto& each : QDir(from).entryInfoList(QDir::AllEntries | QDir::NoDotAndDotDot)) {
            const QString target = to + "/" + each.fileName();
            if (each.isDir())
                copy_folder(each.filePath(), target);
            else
                QVERIFY(QFile::copy(each.filePath(), target));
        }
    }

    /// Saves all results of a run.
    void add_sample(const QString& file) {
        const QFileInfo info(file);
        Sample sample{
            info.completeBaseName(), temporary_.filePath(info.completeBaseName()) + "/" + info.fileName(), {}, {}};
        copy_folder(info.path(), QFileInfo(sample.session).path());
        sample.saved = temporary_.filePath(sample.name + "-saved");
        auto session = session::load(sample.session.toStdString());
        if (session.program || sample.name == "faulty") return;
        exporting::Identifiers identifiers;
        for (auto& argument : session.arguments) {
            const auto identifier = identifiers.make(argument.name);
            argument.save.clear();
            if (argument.direction != session::Direction::out && argument.direction != session::Direction::inout)
                continue;
            argument.save = identifier + ".npy";
            sample.results << QString::fromStdString(argument.save);
        }
        const QString saving = QFileInfo(sample.session).path() + "/saving.warplight";
        session::save(session, saving.toStdString());
        const auto run = cli({"run", saving, "--device", "software", "--out", sample.saved}, environment());
        QVERIFY2(run.code == 0, qPrintable(run.all()));
        samples_.push_back(sample);
    }

    QString program_folder(const QString& format, const QString& sample) const {
        return temporary_.filePath("programs-" + format + "/" + sample);
    }

    /// Those that the format can express.
    std::vector<Sample> export_all(const QString& format) const {
        std::vector<Sample> made;
        for (const auto& each : samples_) {
            const auto result =
                cli({"export", each.session, "--as", format, "-o", program_folder(format, each.name)}, environment());
            const auto refused = refusal(format, each.name);
            const bool as_wanted =
                refused.isEmpty() ? result.code == 0 : result.code == 2 && result.err.contains(refused);
            if (!as_wanted) QTest::qFail(qPrintable(each.name + ": " + result.all()), __FILE__, __LINE__);
            if (refused.isEmpty()) made.push_back(each);
        }
        return made;
    }

    void compare_results(const QString& format, const std::vector<Sample>& samples) const {
        for (const auto& each : samples)
            for (const auto& file : each.results) {
                const auto wrong =
                    difference(program_folder(format, each.name) + "/results/" + file, each.saved + "/" + file);
                QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
            }
    }

    /// What scripts/export-libraries.sh made, for the machine's own Python.
    static QString libraries() { return qEnvironmentVariable("WARPLIGHT_EXPORT_LIBRARIES"); }

    /// The first Python that has the module.
    static QString python_with(const QString& module, const QProcessEnvironment& environment) {
        for (const QString& each : {qEnvironmentVariable("WARPLIGHT_EXPORT_PYTHON"), QStringLiteral("/usr/bin/python3"),
                                    QStringLiteral(PYTHON)}) {
            if (each.isEmpty()) continue;
            if (cli({"exec", "--", each, "-c", QString("import numpy, %1").arg(module)}, environment).code == 0)
                return each;
        }
        return {};
    }

    Result run_python(const QString& python, const QString& folder, const QProcessEnvironment& environment) const {
        return cli({"exec", "--", python, folder + "/run.py"}, environment);
    }

    void run_all(const QString& format, const QString& python, const QProcessEnvironment& environment) const {
        const auto samples = export_all(format);
        std::vector<std::unique_ptr<QProcess>> running;
        const auto finish_first = [&] {
            const auto process = std::move(running.front());
            running.erase(running.begin());
            const auto result = finish(*process);
            QVERIFY2(result.code == 0, qPrintable(process->arguments().last() + ": " + result.all()));
        };
        for (const auto& each : samples) {
            if (running.size() >= 2) finish_first();
            if (QTest::currentTestFailed()) return;
            auto process = std::make_unique<QProcess>();
            process->setProcessEnvironment(environment);
            process->start(WARPLIGHT_CLI, {"exec", "--", python, program_folder(format, each.name) + "/run.py"});
            running.push_back(std::move(process));
        }
        while (!running.empty())
            finish_first();
        compare_results(format, samples);
        if (QTest::currentTestFailed()) return;
        // Another expectation ends it with 1, an error with 2.
        const QString folder = program_folder(format, "saxpy");
        save_npy((folder + "/expected/y.npy").toStdString(), NdArray::zeros({65536}, DType::float32()));
        const auto differs = run_python(python, folder, environment);
        QVERIFY2(differs.code == 1 && differs.out.contains("65536 elements differ"), qPrintable(differs.all()));
        QVERIFY(QFile::remove(folder + "/data/x.npy"));
        QCOMPARE(run_python(python, folder, environment).code, 2);
    }

    /// Builds all programs as one project, and runs them as its tests.
    void build_all(const QString& format, const QStringList& settings) const {
        const auto samples = export_all(format);
        const QString folder = temporary_.filePath("programs-" + format);
        QByteArray project =
            "cmake_minimum_required(VERSION 3.25)\nproject(programs LANGUAGES CXX)\nenable_testing()\n";
        for (const auto& each : samples) {
            project += "add_subdirectory(" + each.name.toUtf8() + ")\n";
            // Here programs of equal kernels' names stand side by side.
            const QString own = program_folder(format, each.name) + "/CMakeLists.txt";
            const QByteArray text = text_of(own);
            const auto begin = text.indexOf("project(") + 8;
            const QByteArray name = text.mid(begin, text.indexOf(' ', begin) - begin);
            write_file(own, QByteArray(text).replace(name, "run_" + each.name.toUtf8()));
        }
        write_file(folder + "/CMakeLists.txt", project);
        const auto run = [&](const QString& program, const QStringList& arguments) {
            QProcess process;
            process.setProcessEnvironment(environment());
            process.setProcessChannelMode(QProcess::MergedChannels);
            process.start(program, arguments);
            const bool ended = process.waitForFinished(400000); // beside other builds it takes long
            const QByteArray said = process.readAll();
            QVERIFY2(ended && process.exitCode() == 0, said.right(2000).constData());
        };
        run(CMAKE, QStringList{"-S", folder, "-B", folder + "/build", "-G", GENERATOR, "-DCMAKE_BUILD_TYPE=None",
                               "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror", QString("-DCMAKE_CXX_COMPILER=") + COMPILER} +
                       settings);
        if (QTest::currentTestFailed()) return;
        run(CMAKE, {"--build", folder + "/build", "--parallel", "2"});
        if (QTest::currentTestFailed()) return;
        run(WARPLIGHT_CLI,
            {"exec", "--", CTEST, "--test-dir", folder + "/build", "-j2", "--output-on-failure", "--no-tests=error"});
        if (QTest::currentTestFailed()) return;
        compare_results(format, samples);
        const QString saxpy = program_folder(format, "saxpy");
        const auto again = [&] { return cli({"exec", "--", folder + "/build/saxpy/run_saxpy", saxpy}, environment()); };
        save_npy((saxpy + "/expected/y.npy").toStdString(), NdArray::zeros({65536}, DType::float32()));
        const auto differs = again();
        QVERIFY2(differs.code == 1 && differs.out.contains("65536 elements differ"), qPrintable(differs.all()));
        QVERIFY(QFile::remove(saxpy + "/data/x.npy"));
        QCOMPARE(again().code, 2);
    }

private slots:
    void initTestCase() {
        const QDir examples(QStringLiteral(WARPLIGHT_SOURCE_DIR "/resources/examples"));
        for (const auto& folder : examples.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            for (const auto& file : QDir(examples.filePath(folder)).entryInfoList({"*.warplight"}))
                add_sample(file.filePath());
        for (const auto& file :
             QDir(QStringLiteral(WARPLIGHT_SOURCE_DIR "/tests/export/sessions")).entryInfoList({"*.warplight"}))
            add_sample(file.filePath());
        QVERIFY(samples_.size() >= 17);
        for (const char* name : {"heat", "galaxy"})
            QVERIFY(std::ranges::find(samples_, name, &Sample::name) != samples_.end());
    }

    void python_data() {
        QTest::addColumn<QString>("module");
        QTest::newRow("pycuda") << "pycuda.driver, pycuda.compiler";
        QTest::newRow("cuda-core") << "cuda.core, cuda.bindings.driver";
        QTest::newRow("numba") << "numba.cuda";
    }
    void python() {
        QFETCH(QString, module);
        const QString format = QTest::currentDataTag();
        auto with_help = environment();
        if (format == "numba")
            with_help.insert("PYTHONPATH", WARPLIGHT_SOURCE_DIR "/tests/export/numba_of_debian");
        else if (!libraries().isEmpty())
            with_help.insert("PYTHONPATH", libraries());
        const QString python = python_with(module, with_help);
        if (python.isEmpty() && format == "numba")
            QFAIL("there is no Python with NumPy and Numba: install python3-numba (scripts/dependencies.sh)");
        if (python.isEmpty() && !libraries().isEmpty())
            QFAIL(qPrintable(libraries() + " lacks " + module + ": remove it, and run scripts/export-libraries.sh"));
        if (python.isEmpty())
            QSKIP("no Python has the package: scripts/export-libraries.sh makes one (docs/export.md)");
        run_all(format, python, with_help);
    }

    // CuPy's own runtime works with NVIDIA's driver alone. The stand-in has the part of CuPy that the programs use.
    void cupy() {
        const QString python = python_with("ctypes", environment());
        QVERIFY2(!python.isEmpty(), "there is no Python with NumPy: install python3-numba (scripts/dependencies.sh)");
        auto with_stand_in = environment();
        with_stand_in.insert("PYTHONPATH", WARPLIGHT_SOURCE_DIR "/tests/export/stand_in");
        with_stand_in.insert("CUPY_STAND_IN_INCLUDE", CUDA_HEADERS);
        run_all("cupy", python, with_stand_in);
        // What CuPy's own classes can say is left to them.
        for (const char* each : {"rotate", "texture_steps"})
            QVERIFY(!QFile::exists(program_folder("cupy", each) + "/textures.py"));
        QVERIFY(QFile::exists(program_folder("cupy", "texture_kinds") + "/textures.py"));
    }

    void cpp_driver() {
        build_all("cpp-driver",
                  {QString("-DCUDA_INCLUDE_DIR=") + CUDA_HEADERS, QString("-DCUDA_DRIVER_LIBRARY=") + DRIVER_SYMBOLS,
                   QString("-DNVRTC_LIBRARY=") + EXEC_FOLDER + "/libnvrtc.so"});
        for (const char* each : {"steps_graph", "texture_steps_graph"})
            QVERIFY(text_of(program_folder("cpp-driver", each) + "/main.cpp").contains("cuGraphLaunch("));
    }

    void cpp_warplight() {
        const QString prefix = temporary_.filePath("prefix");
        QProcess process;
        process.start(CMAKE, {"--install", BUILD, "--component", "Development", "--prefix", prefix});
        const auto installed = finish(process);
        QVERIFY2(installed.code == 0, qPrintable(installed.all()));
        build_all("cpp-warplight", {"-DCMAKE_PREFIX_PATH=" + prefix});
    }
};

QTEST_GUILESS_MAIN(ExportProgramsTest)
#include "programs_test.moc"
