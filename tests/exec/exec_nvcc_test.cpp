// SPDX-License-Identifier: Apache-2.0
// The nvcc that programs find below `warplight-cli exec`: what it makes of its arguments, and how builds with it go.
#include "arguments.hpp"
#include "exec_environment.hpp"
#include "launch_log/launch_log.hpp"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace warplight;

namespace {

QString joined(const std::vector<std::string>& arguments) {
    QString text;
    for (const std::string& each : arguments)
        text += '[' + QString::fromStdString(each) + ']';
    return text;
}

nvcc::Translation translate(const QStringList& arguments, unsigned capability = 80) {
    std::vector<std::string> given;
    for (const QString& each : arguments)
        given.push_back(each.toStdString());
    return nvcc::translate(given, capability);
}

/// An nvcc that prints its arguments and ends with 7; before the others in the PATH.
QProcessEnvironment with_printing_nvcc(const QTemporaryDir& folder) {
    write_script(folder.filePath("nvcc"), "#!/bin/sh\nfor each; do printf '[%s]' \"$each\"; done\n"
                                          "printf '%s' \"$NVCC_APPEND_FLAGS\"\nexit 7\n");
    auto environment = plain_environment();
    environment.insert("PATH", folder.path() + ":" + environment.value("PATH"));
    return environment;
}

bool has_nvcc() {
    return !QStandardPaths::findExecutable("nvcc").isEmpty() || QFile::exists("/usr/local/cuda/bin/nvcc");
}

/// Whether the program or library is linked with the shared runtime, and holds PTX for the architecture.
QString made_wrong(const QString& path, bool links = true) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return path + " is not there";
    const QByteArray content = file.readAll();
    if (links && !content.contains("libcudart.so.")) return path + " is not linked with the shared runtime";
    if (content.contains("cudart_static")) return path + " is linked with the static runtime";
    return {};
}

constexpr const char* kSource = "#include <cstdio>\n"
                                "extern __device__ int triple(int);\n"
                                "__global__ void run(int* p) { *p = triple(*p); }\n"
                                "int main() {\n"
                                "    int* p; int v = 14;\n"
                                "    cudaMalloc(&p, 4); cudaMemcpy(p, &v, 4, cudaMemcpyHostToDevice);\n"
                                "    run<<<1, 1>>>(p);\n"
                                "    cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost);\n"
                                "    std::printf(\"%d\\n\", v);\n"
                                "    return v != 42;\n"
                                "}\n";
constexpr const char* kOther = "__device__ int triple(int x) { return 3 * x; }\n";

/// Built programs need the runtime library, which lies beside the device's names.
void run_program(const QString& path) {
    const auto result = cli({"exec", "--", path});
    QVERIFY2(result.code == 0, qPrintable(result.all()));
    QCOMPARE(result.out, "42\n");
}

} // namespace

class ExecNvccTest : public QObject {
    Q_OBJECT

private slots:
    void translates_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("expected");
        const QString ptx = "[-gencode=arch=compute_80,code=compute_80][-cudart=shared]", lines = "[-lineinfo]";
        const auto row = [](const char* name, const QString& arguments, const QString& expected) {
            QTest::newRow(name) << arguments.split(' ', Qt::SkipEmptyParts) << expected;
        };
        row("program", "k.cu -o k", "[k.cu][-o][k]" + ptx + lines);
        row("architecture", "-arch=sm_75 k.cu", "[k.cu]" + ptx + lines);
        row("in two", "-arch sm_90a -code sm_90a k.cu -c", "[k.cu][-c]" + ptx + lines);
        row("long", "--gpu-architecture=compute_80 --gpu-code=sm_80,compute_80 k.cu", "[k.cu]" + ptx + lines);
        row("native", "-arch=native k.cu", "[k.cu]" + ptx + lines);
        row("old", "-gencode arch=compute_35,code=sm_35 -gencode=arch=compute_60,code=[sm_60,compute_60] k.cu",
            "[k.cu]" + ptx + lines);
        row("generate", "--generate-code=arch=compute_80,code=[compute_80,sm_80] --generate-code arch=a,code=b k.cu",
            "[k.cu]" + ptx + lines);
        row("static", "-cudart static -cudart=static --cudart=static k.cu", "[k.cu]" + ptx + lines);
        row("none", "-cudart none k.cu", "[k.cu][-gencode=arch=compute_80,code=compute_80][-cudart=none][-lineinfo]");
        row("link", "a.o b.o -o x -lcudart_static -lfoo -l cudart_static,bar",
            "[a.o][b.o][-o][x][-lcudart][-lfoo][-l][cudart,bar]" + ptx);
        row("link by path", "a.o /usr/lib/libcudart_static.a", "[a.o][-lcudart]" + ptx);
        row("other libraries", "a.o -lcudart_static_of_mine", "[a.o][-lcudart_static_of_mine]" + ptx);
        row("device link", "-dlink a.o -o l.o -arch=sm_80", "[-dlink][a.o][-o][l.o]" + ptx);
        row("link time", "-dlto -dc k.cu", "[-rdc=true][-dc][k.cu]" + ptx + lines);
        row("debug", "-G -g k.cu", "[-G][-g][k.cu]" + ptx);
        row("lines", "--generate-line-info k.cu", "[--generate-line-info][k.cu]" + ptx);
        row("run", "-run k.cu -run-args a,b --run", "[k.cu]" + ptx + lines);
        row("for the host", "-Xcompiler -arch=native -Xlinker -cudart -o -cubin k.cu",
            "[-Xcompiler][-arch=native][-Xlinker][-cudart][-o][-cubin][k.cu]" + ptx + lines);
        row("fat binary", "-fatbin -arch=sm_80 k.cu", "[-fatbin][k.cu]" + ptx + lines);
        row("preprocess", "-E k.cu", "[-E][k.cu]" + ptx + lines);
        row("ptx", "--ptx -arch=sm_75 k.cu", "[--ptx][-arch=sm_75][k.cu]");
        row("lto", "-ltoir -arch=lto_80 k.cu", "[-ltoir][-arch=lto_80][k.cu]");
        row("version", "--version", "[--version]");
        row("help", "--help -arch=sm_80", "[--help][-arch=sm_80]");
        row("nothing", "", "");
        row("cubin", "--cubin -arch sm_80 kernel.cu", "[--ptx][-arch][sm_80][kernel.cu][-o][kernel.cubin]");
        row("cubin elsewhere", "-cubin /x/y.cu", "[--ptx][/x/y.cu][-o][y.cubin]");
        row("cubin with output", "-cubin -o a.cubin k.cu", "[--ptx][-o][a.cubin][k.cu]");
        row("cubin with code", "--cubin -code sm_80 -code=sm_90 -arch=compute_80 k.cu",
            "[--ptx][-arch=compute_80][k.cu][-o][k.cubin]");
        row("cubin generated", "--cubin -gencode arch=compute_80,code=sm_80 k.cu",
            "[--ptx][-arch=compute_80][k.cu][-o][k.cubin]");
    }
    void translates() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, expected);
        const auto result = translate(arguments);
        QCOMPARE(joined(result.arguments), expected);
        QCOMPARE(result.asks_version, arguments == QStringList{"--version"});
    }

    /// A note tells of code for later devices, unless some of what is asked for would run.
    void notes() {
        QVERIFY(translate({"-arch=sm_80", "k.cu"}).note.empty());
        QVERIFY(translate({"-arch=all", "k.cu"}).note.empty());
        QVERIFY(translate({"-gencode", "arch=compute_70,code=sm_70", "-gencode", "arch=compute_90,code=sm_90", "k.cu"})
                    .note.empty());
        QVERIFY(translate({"-arch=sm_90", "k.cu"}, 90).note.empty());
        const auto note = QString::fromStdString(translate({"-arch=sm_90a", "k.cu"}).note);
        QVERIFY2(note.contains("compiled for sm_80") && note.contains("exec --arch sm_90"), qPrintable(note));
    }

    void architecture_of_the_device() {
        QCOMPARE(joined(nvcc::translate({"k.o"}, 80, {"/a b", "/c"}).arguments),
                 "[k.o][-gencode=arch=compute_80,code=compute_80][-cudart=shared][-L/a b][-L/c]");
        QCOMPARE(joined(translate({"k.o"}, 90).arguments),
                 "[k.o][-gencode=arch=compute_90,code=compute_90][-cudart=shared]");
        for (const auto& [text, number] : std::vector<std::pair<const char*, unsigned>>{{"", 80},
                                                                                        {"sm_90", 90},
                                                                                        {"compute_75", 75},
                                                                                        {"8.6", 86},
                                                                                        {"10.0", 100},
                                                                                        {"120", 120},
                                                                                        {"90", 90},
                                                                                        {"much", 80},
                                                                                        {"9.x", 80},
                                                                                        {"49", 80},
                                                                                        {"130", 80},
                                                                                        {"sm_", 80}})
            QCOMPARE(nvcc::capability_of(text), number);
    }

    void options_files() {
        const QTemporaryDir folder;
        const QString plain = folder.filePath("plain.txt"), other = folder.filePath("other.txt");
        write_file(plain, "a.o \"b c.o\"\n-lfoo");
        QCOMPARE(joined(translate({"-optf", plain, "-o", "x"}).arguments),
                 "[-optf][" + plain + "][-o][x][-gencode=arch=compute_80,code=compute_80][-cudart=shared]");
        write_file(other, "-arch=sm_75 --cudart static\n'k l.cu' a\\ b.o --options-file " + plain.toUtf8());
        QCOMPARE(joined(translate({"--options-file=" + other}).arguments),
                 "[k l.cu][a b.o][--options-file][" + plain +
                     "][-gencode=arch=compute_80,code=compute_80][-cudart=shared][-lineinfo]");
        // One that names itself, and one that is not there.
        write_file(other, "-arch=sm_75 -optf " + other.toUtf8());
        QVERIFY(!translate({"-optf", other}).arguments.empty());
        QVERIFY(joined(translate({"-optf", "/no/file"}).arguments).startsWith("[-optf][/no/file]"));
    }

    /// The real one gets the rest of the command line, its environment, and gives its exit code.
    void calls_the_next() {
        const QTemporaryDir folder;
        auto environment = with_printing_nvcc(folder);
        auto result = cli({"exec", "--arch", "9.0", "--", "nvcc", "-I/a b", "k.cu"}, environment);
        const QString folder_of_libraries = QFileInfo(SOFTWARE_DRIVER).dir().canonicalPath() + "/exec/link";
        QCOMPARE(result.out, "[-I/a b][k.cu][-gencode=arch=compute_90,code=compute_90][-cudart=shared][-L" +
                                 folder_of_libraries + "][-lineinfo]");
        QCOMPARE(result.code, 7);
        QCOMPARE(result.err, QString());
        // The user's flags stay; those for an nvcc that is called by its path are not for this one.
        environment.insert("NVCC_APPEND_FLAGS", "-O1");
        result = cli({"exec", "--", "nvcc", "--help"}, environment);
        QCOMPARE(result.out, "[--help]-O1");
        result = cli({"exec", "--", folder.filePath("nvcc"), "k.cu"}, environment);
        QCOMPARE(result.out, "[k.cu]-O1 -cudart=shared");
    }

    /// Two installations: each looks behind itself.
    void two_of_them() {
        const QTemporaryDir folder, real;
        auto environment = with_printing_nvcc(real);
        QVERIFY(QFile::copy(NVCC_WRAPPER, folder.filePath("nvcc")));
        environment.insert("PATH", folder.path() + ":" + environment.value("PATH"));
        const auto result = cli({"exec", "--", "nvcc", "k.o"}, environment);
        QCOMPARE(result.code, 7);
        QVERIFY2(result.out.startsWith("[k.o][") &&
                     result.out.endsWith("][-gencode=arch=compute_80,code=compute_80][-cudart=shared]"),
                 qPrintable(result.out));
    }

    /// What programs keep of CUBIN is not what they keep of PTX.
    void version_differs() {
        const QTemporaryDir folder;
        write_script(folder.filePath("nvcc"), "#!/bin/sh\necho \"version 13.0 $1\"\n");
        auto environment = plain_environment();
        environment.insert("PATH", folder.path() + ":" + environment.value("PATH"));
        const auto version = cli({"exec", "--", "nvcc", "--version"}, environment);
        QCOMPARE(version.code, 0);
        QVERIFY2(version.out.startsWith("version 13.0 --version\n") && version.out.contains("PTX"),
                 qPrintable(version.out));
        QProcess process;
        environment.insert("PATH", "/nothing/here");
        process.setProcessEnvironment(environment);
        process.start(NVCC_WRAPPER, {"--version"});
        const auto missing = finish(process);
        QCOMPARE(missing.code, 127);
        QVERIFY2(missing.err.contains("no nvcc"), qPrintable(missing.err));
    }

    /// The phases of a build with relocatable code, by hand.
    void separate_steps() {
        if (!has_nvcc()) QSKIP("there is no nvcc");
        const QTemporaryDir folder;
        write_file(folder.filePath("a.cu"), kSource);
        write_file(folder.filePath("b.cu"), kOther);
        const auto nvcc = [&](const QString& arguments) {
            const auto result =
                cli(QStringList{"exec", "--", "nvcc"} + arguments.split(' '), plain_environment(), folder.path());
            return result.code == 0 && result.err.isEmpty() ? QString() : arguments + ": " + result.all();
        };
        QCOMPARE(nvcc("-dc -arch=sm_75 a.cu -o a.o"), QString());
        QCOMPARE(nvcc("-rdc=true -c b.cu -o b.o"), QString());
        QCOMPARE(nvcc("-lib b.o -o libb.a"), QString());
        QCOMPARE(nvcc("-dlink a.o b.o -o link.o"), QString());
        QProcess gcc;
        gcc.setWorkingDirectory(folder.path());
        gcc.start("g++",
                  {"a.o", "b.o", "link.o", "-o", "by-host", "-L/usr/local/cuda/lib64", "-lcudart", "-lcudadevrt"});
        const auto linked = finish(gcc);
        QVERIFY2(linked.code == 0, qPrintable(linked.all()));
        QCOMPARE(nvcc("a.o -L. -lb -o by-library"), QString());
        QCOMPARE(nvcc("-rdc=true a.cu b.cu -o at-once"), QString());
        QCOMPARE(nvcc("-M a.cu"), QString());
        QCOMPARE(nvcc("-ptx b.cu"), QString());
        QCOMPARE(nvcc("-Xcompiler -Wall,-O2 -MD -c b.cu -o c.o"), QString());
        for (const char* name : {"by-host", "by-library", "at-once"}) {
            QCOMPARE(made_wrong(folder.filePath(name)), QString());
            run_program(folder.filePath(name));
        }
    }

    void builds_by_cmake_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("as it is") << QStringList{};
        QTest::newRow("architectures") << QStringList{"-DCMAKE_CUDA_ARCHITECTURES=75;90"};
        QTest::newRow("static runtime") << QStringList{"-DCMAKE_CUDA_RUNTIME_LIBRARY=Static"};
    }
    void builds_by_cmake() {
        if (!has_nvcc()) QSKIP("there is no nvcc");
        QFETCH(QStringList, options);
        const QTemporaryDir folder;
        write_file(folder.filePath("a.cu"), kSource);
        write_file(folder.filePath("b.cu"), kOther);
        write_file(folder.filePath("CMakeLists.txt"), "cmake_minimum_required(VERSION 3.18)\n"
                                                      "project(two LANGUAGES CXX CUDA)\n"
                                                      "add_library(parts STATIC b.cu)\n"
                                                      "add_executable(two a.cu)\n"
                                                      "target_link_libraries(two parts)\n"
                                                      "set_target_properties(two parts PROPERTIES\n"
                                                      "  CUDA_SEPARABLE_COMPILATION ON)\n");
        const auto configured =
            cli(QStringList{"exec", "--", "cmake", "-B", "build", "."} + options, plain_environment(), folder.path());
        QVERIFY2(configured.code == 0, qPrintable(configured.all()));
        const auto built = cli({"exec", "--", "cmake", "--build", "build"}, plain_environment(), folder.path());
        QVERIFY2(built.code == 0, qPrintable(built.all()));
        QCOMPARE(made_wrong(folder.filePath("build/two")), QString());
        run_program(folder.filePath("build/two"));
    }

    /// The runtime library notes launches for drivers that do not, with times by events; here over one that could.
    void launches_are_noted_by_the_runtime() {
        if (!has_nvcc()) QSKIP("there is no nvcc");
        const QTemporaryDir folder;
        write_file(folder.filePath("a.cu"), QByteArray(kSource).replace("extern __device__ int triple(int);", kOther));
        const auto built = cli({"exec", "--", "nvcc", "a.cu", "-o", "a"}, plain_environment(), folder.path());
        QVERIFY2(built.code == 0, qPrintable(built.all()));
        auto environment = plain_environment();
        environment.insert("WARPLIGHT_RUNTIME_LAUNCH_LOG", folder.filePath("log"));
        QCOMPARE(cli({"exec", "--", folder.filePath("a")}, environment).code, 0);
        QFile file(folder.filePath("log"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        std::vector<launch_log::Event> events;
        while (!file.atEnd())
            if (const auto event = launch_log::from_line(file.readLine().toStdString())) events.push_back(*event);
        QCOMPARE(events.size(), std::size_t(3));
        QCOMPARE(std::get<launch_log::Start>(events[0]).driver, std::string("cuda"));
        QCOMPARE(std::get<launch_log::Start>(events[0]).program, std::string("a"));
        const auto& launch = std::get<launch_log::Launch>(events[1]);
        QCOMPARE(launch.kernel, std::string("run(int*)"));
        QCOMPARE(launch.grid, (std::array<unsigned, 3>{1, 1, 1}));
        QVERIFY(launch.ms && *launch.ms > 0);
        QCOMPARE(std::get<launch_log::End>(events[2]).launches, std::uint64_t(1));
    }

    /// NVIDIA's pip packages have libcudart.so.13 and no libcudart.so.
    void toolkit_of_pip() {
        if (!QFile::exists("/usr/local/cuda/bin/nvcc")) QSKIP("there is no nvcc at its usual place");
        const QTemporaryDir folder;
        const QDir cuda(QFileInfo("/usr/local/cuda").canonicalFilePath());
        for (const QString& name : cuda.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            if (!name.startsWith("lib") && name != "bin" && name != "targets")
                QVERIFY(QFile::link(cuda.filePath(name), folder.filePath(name)));
        // nvcc finds what it needs beside its own file.
        QCOMPARE(QProcess::execute("cp", {"-rL", cuda.filePath("bin"), folder.filePath("bin")}), 0);
        const QDir libraries(cuda.filePath("lib64"));
        for (const char* into : {"lib64", "targets/x86_64-linux/lib"}) {
            QVERIFY(QDir(folder.path()).mkpath(into));
            for (const QString& name : libraries.entryList({"libcudart*", "libcudadevrt*"}, QDir::Files))
                if (name != "libcudart.so")
                    QVERIFY(QFile::link(libraries.filePath(name), folder.filePath(into) + '/' + name));
        }
        QVERIFY(QFile::link(cuda.filePath("include"), folder.filePath("targets/x86_64-linux/include")));
        write_file(folder.filePath("a.cu"), QByteArray(kSource).replace("extern __device__ int triple(int);", kOther));
        auto environment = plain_environment();
        environment.insert("PATH", folder.filePath("bin") + ":" + environment.value("PATH"));
        const auto built = cli({"exec", "--", "nvcc", "a.cu", "-o", "a"}, environment, folder.path());
        QVERIFY2(built.code == 0, qPrintable(built.all()));
        QCOMPARE(made_wrong(folder.filePath("a")), QString());
        run_program(folder.filePath("a"));
    }

    /// Programs that nvcc makes by default, and of machine code alone: the message names the way.
    void built_otherwise() {
        if (!QFile::exists("/usr/local/cuda/bin/nvcc")) QSKIP("there is no nvcc at its usual place");
        const QTemporaryDir folder;
        write_file(folder.filePath("a.cu"), QByteArray(kSource).replace("extern __device__ int triple(int);", kOther));
        const auto build = [&](const QString& arguments) {
            QProcess nvcc;
            nvcc.setWorkingDirectory(folder.path());
            nvcc.start("/usr/local/cuda/bin/nvcc", arguments.split(' '));
            const auto result = finish(nvcc);
            QVERIFY2(result.code == 0, qPrintable(result.all()));
        };
        build("a.cu -o static");
        build("-cudart shared -gencode arch=compute_80,code=sm_80 a.cu -o machine-code");
        build("-cudart shared -gencode arch=compute_90,code=compute_90 a.cu -o later");
        build("-cudart shared -rdc=true -gencode arch=compute_80,code=sm_80 a.cu -o linked");
        for (const char* name : {"static", "machine-code", "later", "linked"}) {
            const auto result = cli({"exec", "--", folder.filePath(name)});
            QCOMPARE(result.code, 1);
            QVERIFY2(result.err.count("warplight: ") == 1 && result.err.contains(QString("/") + name) &&
                         result.err.contains("Build it by `warplight-cli exec -- nvcc"),
                     qPrintable(result.all()));
        }
        const auto run =
            cli({"exec", "--", "nvcc", "-run", "a.cu", "-cudart=static"}, plain_environment(), folder.path());
        QCOMPARE(run.out, "42\n");
        QCOMPARE(run.code, 0);
        // Of several the newest that the device can run is taken.
        build("-cudart shared -gencode arch=compute_75,code=compute_75 -gencode arch=compute_90,code=compute_90 a.cu "
              "-o both");
        run_program(folder.filePath("both"));
    }

    /// A makefile that names nvcc by its path.
    void builds_by_make() {
        if (!QFile::exists("/usr/local/cuda/bin/nvcc")) QSKIP("there is no nvcc at its usual place");
        const QTemporaryDir folder;
        write_file(folder.filePath("a.cu"), QByteArray(kSource).replace("extern __device__ int triple(int);", kOther));
        write_file(folder.filePath("Makefile"), "NVCC = /usr/local/cuda/bin/nvcc\n"
                                                "a: a.cu\n"
                                                "\t$(NVCC) -O2 -arch=sm_80 -o $@ $<\n");
        const auto built = cli({"exec", "--", "make"}, plain_environment(), folder.path());
        QVERIFY2(built.code == 0, qPrintable(built.all()));
        QCOMPARE(made_wrong(folder.filePath("a")), QString());
        run_program(folder.filePath("a"));
    }
};

QTEST_GUILESS_MAIN(ExecNvccTest)
#include "exec_nvcc_test.moc"
