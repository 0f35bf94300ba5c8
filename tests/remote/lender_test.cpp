// SPDX-License-Identifier: Apache-2.0
// NVRTC of this machine for a worker that has none, and for requests that no worker of ours would send.
#include "remote/lender.hpp"
#include "warplight/compiler.hpp"
#include "worker/compiler_messages.hpp"
#include "worker/platform.hpp"

#include <QTemporaryDir>
#include <QtTest>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

using namespace warplight;
using worker::json;

namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

/// Answers to requests of a lender, by their ids.
class Answers {
public:
    void take(const json& message) {
        const std::lock_guard lock(mutex_);
        answers_[message.at("id").get<int>()] = message;
        changed_.notify_all();
    }
    /// The null value where none comes in time.
    json wait(int id) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, std::chrono::seconds(60), [&] { return answers_.contains(id); });
        return answers_[id];
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<int, json> answers_;
};

json request(int id, worker::CompilerTask task, const std::vector<std::byte>& bytes) {
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    return {{"jsonrpc", "2.0"},
            {"id", id},
            {"method", "compiler"},
            {"params",
             {{"task", static_cast<int>(task)},
              {"request", json::binary(std::vector<std::uint8_t>(data, data + bytes.size()))}}}};
}

std::vector<std::byte> compile_task(const std::string& source, const fs::path& folder,
                                    std::vector<std::string> options = {}, bool nvcc = false) {
    compiler::CompileRequest wanted;
    wanted.source = source;
    wanted.folder = folder;
    wanted.options = std::move(options);
    if (nvcc) wanted.backend = compiler::Backend::nvcc;
    return worker::encode(compiler::Job{wanted, *compiler::parse_architecture("80"), "kernel.cu", source});
}

compiler::Products products_of(const json& answer) {
    const auto& binary = answer.at("result").at("bytes").get_binary();
    return worker::decode_products(std::as_bytes(std::span(binary.data(), binary.size())));
}

std::string refusal_of(const json& answer) {
    return answer.contains("error") ? answer.at("error").at("message").get<std::string>() : "not refused";
}

/// A worker without NVRTC, and the side that lends it one.
class FarWorker {
public:
    FarWorker(remote::Lender& lender, const fs::path& folder)
        : lender_(lender),
          child_(WARPLIGHT_CLI, {"worker", "--driver", "software", "--lent-compiler", "--read=" + folder.string()},
                 {.variables = {{"WARPLIGHT_NVRTC", "/nowhere/libnvrtc.so"}}}),
          errors_([this] {
              std::byte buffer[4096];
              while (child_.read_errors(buffer, sizeof buffer) != 0) {
              }
          }),
          reader_([this] { read(); }) {
        call("hello", {{"protocol", worker::kProtocolVersion}});
    }
    ~FarWorker() {
        child_.close_input();
        reader_.join();
        errors_.join();
        child_.wait();
    }
    json call(const std::string& method, const json& params) {
        const int id = next_++;
        send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
        return answers_.wait(id);
    }
    void send(const json& message) {
        const auto bytes = worker::encode_message(message);
        const std::lock_guard lock(writing_);
        child_.write(bytes.data(), bytes.size());
    }

private:
    void read() {
        worker::FrameReader frames(
            [](void* stream, std::byte* to, std::size_t size) {
                return static_cast<worker::platform::Child*>(stream)->read_output(to, size);
            },
            &child_);
        std::vector<std::byte> bytes;
        while (frames.next(bytes) == worker::FrameReader::Result::message) {
            json message;
            std::string problem;
            if (!worker::decode_message(bytes, message, problem)) return;
            if (message.contains("method"))
                lender_.receive(message);
            else
                answers_.take(message);
        }
    }

    remote::Lender& lender_;
    worker::platform::Child child_;
    Answers answers_;
    std::mutex writing_;
    int next_ = 1;
    std::thread errors_, reader_;
};

} // namespace

class LenderTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (!compiler::compiler_info(compiler::Backend::nvrtc).found) QSKIP("no NVRTC here");
        if (!worker::can_confine_files()) QSKIP("this system cannot confine the compiler, so nothing is lent");
        QVERIFY(folder_.isValid());
        root_ = folder_.path().toStdString();
        near_ = root_ / "near";
        far_ = root_ / "far";
        const std::string header = "#define TWICE(x) ((x) + (x))\n";
        for (const fs::path& each : {near_, far_}) // as the files of a session are brought there
            write(each / "part" / "twice.h", header);
        write(root_ / "secret.h", "secret_word_of_this_machine\n");
        lender_ = std::make_unique<remote::Lender>(worker::Access{{near_}, {}});
        lender_->begin([this](std::string text) { return replaced(std::move(text), far_.string(), near_.string()); },
                       [this](const json& answer) {
                           answers_.take(answer);
                           if (worker_) worker_->send(answer);
                       });
    }
    void cleanupTestCase() { worker_.reset(); }

    void lendsToAWorkerWithoutNvrtc() {
        worker_ = std::make_unique<FarWorker>(*lender_, far_);
        const json compilers = worker_->call("compilers", json::object());
        QVERIFY(compilers.at("result").at("nvrtc").at("found").get<bool>());
        QVERIFY(compilers.at("result").at("nvrtc").at("lent").get<bool>());
        const json compiled = worker_->call(
            "compile", {{"source", "#include \"part/twice.h\"\n"
                                   "__global__ void twice(float* x) { x[threadIdx.x] = TWICE(x[threadIdx.x]); }\n"},
                        {"folder", far_.string()},
                        {"name", "twice.cu"},
                        {"report", false}});
        QVERIFY2(compiled.contains("result"), compiled.dump().c_str());
        const json& result = compiled.at("result");
        QVERIFY2(result.at("ok").get<bool>(), result.at("log").dump().c_str());
        QVERIFY(result.at("ptx").get<std::string>().find(".entry") != std::string::npos);
        QVERIFY(result.at("compiler").get<std::string>().ends_with(compiler::lent_words));
        // Nothing of this machine's folder is told there.
        QVERIFY(result.at("ptx").get<std::string>().find(near_.string()) == std::string::npos);
    }

    void tellsMistakesByThePathsThere() {
        QVERIFY(worker_);
        const json compiled = worker_->call(
            "compile", {{"source", "#include \"part/wrong.h\"\n"}, {"folder", far_.string()}, {"report", false}});
        const json& result = compiled.at("result");
        QVERIFY(!result.at("ok").get<bool>());
        QVERIFY(!result.at("diagnostics").empty());
        QVERIFY2(result.dump().find(near_.string()) == std::string::npos, result.dump().c_str());
    }

    void runsWithALentCompiler() {
        QVERIFY(worker_);
        const json session = {
            {"warplight", 4},
            {"source", {{"text", "__global__ void fill(int* x) { x[threadIdx.x] = 3 * threadIdx.x; }"}}},
            {"kernel", "fill"},
            {"arguments", json::array({json::object(
                              {{"name", "x"},
                               {"direction", "out"},
                               {"source", {{"kind", "zeros"}, {"dtype", "int32"}, {"shape", json::array({32})}}}})})},
            {"launch", {{"grid", json::array({1})}, {"block", json::array({32})}}},
            {"device", "software:0"}};
        const json ran = worker_->call("run", {{"session", session}, {"folder", far_.string()}});
        QVERIFY2(ran.contains("result"), ran.dump().c_str());
        QCOMPARE(QString::fromStdString(ran.at("result").at("status").get<std::string>()), QStringLiteral("ok"));
    }

    void lendsNoProgramsAndNoOtherFiles() {
        Answers& answers = answers_;
        lender_->receive(request(1001, worker::CompilerTask::nvcc_identity, {}));
        QCOMPARE(QString::fromStdString(refusal_of(answers.wait(1001))), QStringLiteral("lends NVRTC only"));
        lender_->receive(request(1002, worker::CompilerTask::compile, compile_task("", near_, {}, true)));
        QCOMPARE(QString::fromStdString(refusal_of(answers.wait(1002))), QStringLiteral("lends NVRTC only"));
        // A worker that was taken over need not look at what a source includes.
        const std::string secret = (root_ / "secret.h").string();
        int id = 1010;
        for (const auto& [source, options] : std::vector<std::pair<std::string, std::vector<std::string>>>{
                 {"#include \"" + secret + "\"\n", {}},
                 {"#include \"secret.h\"\n", {"-I" + root_.string()}},
                 {"#include \"../secret.h\"\n", {}},
                 {"", {"-include=" + secret}}}) {
            lender_->receive(request(++id, worker::CompilerTask::compile, compile_task(source, near_, options)));
            const json answer = answers.wait(id);
            QVERIFY2(answer.dump().find("secret_word") == std::string::npos, answer.dump().c_str());
            if (answer.contains("result")) QVERIFY(!products_of(answer).ok);
        }
    }

    void refusesWhatIsNoRequest() {
        lender_->receive({{"method", "compiler"}});
        lender_->receive({{"method", "compiler"}, {"id", "x"}, {"params", 3}});
        lender_->receive({{"method", "compiler"}, {"id", 1100}, {"params", json::array()}});
        QVERIFY(answers_.wait(1100).contains("error"));
        lender_->receive({{"method", "compiler.cancel"}, {"params", {{"id", 77}}}});
        lender_->receive({{"method", "compiler.cancel"}});
        lender_->receive(request(1101, worker::CompilerTask::compile, {std::byte{0xff}, std::byte{0x00}}));
        QVERIFY(answers_.wait(1101).contains("error"));
        QVERIFY(!lender_->receive({{"method", "progress"}}));
    }

    void stopsACompilation() {
        // Instances that take NVRTC minutes.
        const std::string source = "template <int Depth, int Path> struct Sum {\n"
                                   "    static constexpr long value = Sum<Depth - 1, 2 * Path>::value\n"
                                   "                                + Sum<Depth - 1, 2 * Path + 1>::value;\n"
                                   "};\n"
                                   "template <int Path> struct Sum<0, Path> { static constexpr long value = Path; };\n"
                                   "__global__ void k(long* x) { *x = Sum<24, 0>::value; }\n";
        lender_->receive(request(1200, worker::CompilerTask::compile, compile_task(source, near_)));
        QTest::qWait(300);
        QElapsedTimer timer;
        timer.start();
        lender_->receive({{"method", "compiler.cancel"}, {"params", {{"id", 1200}}}});
        const json answer = answers_.wait(1200);
        QVERIFY2(answer.contains("result") && answer.at("result").value("cancelled", false), answer.dump().c_str());
        QVERIFY(timer.elapsed() < 20'000);
    }

private:
    QTemporaryDir folder_;
    fs::path root_, near_, far_;
    Answers answers_;
    std::unique_ptr<remote::Lender> lender_;
    std::unique_ptr<FarWorker> worker_;
};

QTEST_APPLESS_MAIN(LenderTest)
#include "lender_test.moc"
