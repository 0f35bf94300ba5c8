// SPDX-License-Identifier: Apache-2.0
// Requests over a mapped folder: a worker that has only what was sent runs sessions as a local one does.
#include "../json_text.hpp"
#include "compiler/sha256.hpp"
#include "remote/far_files.hpp"
#include "remote/known_digests.hpp"
#include "remote/near_files.hpp"
#include "worker/client.hpp"

#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <random>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>

using namespace warplight;
using namespace warplight::remote;
using namespace std::chrono_literals;
using worker::json;
using worker::RequestError;
namespace fs = std::filesystem;

namespace {

const NearFiles::Cancelled never = [] { return false; };

std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {(std::istreambuf_iterator<char>(file)), {}};
}

void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

/// Bytes that do not shrink.
std::string noise(std::size_t size, unsigned seed) {
    std::mt19937 random(seed);
    std::string text(size, ' ');
    for (char& each : text)
        each = static_cast<char>(random());
    return text;
}

/// float32 in NumPy's format.
std::string npy(const std::vector<float>& values) {
    std::string head = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(values.size()) + ",), }";
    head.resize(117, ' ');
    head += '\n';
    std::string text("\x93NUMPY\x01\x00\x76\x00", 10);
    text += head;
    text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    return text;
}

/// A channel with a thread at its end, which takes few messages before the sender has to wait.
class Pipe {
public:
    explicit Pipe(std::function<void(std::span<const std::byte>)> to)
        : thread_([this, to = std::move(to)] {
              std::unique_lock lock(mutex_);
              while (true) {
                  changed_.wait(lock, [this] { return closed_ || !queue_.empty(); });
                  if (queue_.empty()) return;
                  const auto bytes = std::move(queue_.front());
                  queue_.pop_front();
                  changed_.notify_all();
                  lock.unlock();
                  to(bytes);
                  lock.lock();
              }
          }) {}
    ~Pipe() {
        close();
        thread_.join();
    }
    bool send(std::span<const std::byte> bytes) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || queue_.size() < 3; });
        if (closed_) return false;
        queue_.emplace_back(bytes.begin(), bytes.end());
        changed_.notify_all();
        return true;
    }
    void close() {
        const std::scoped_lock lock(mutex_);
        closed_ = true;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::vector<std::byte>> queue_;
    bool closed_ = false;
    std::thread thread_;
};

/// The two sides in one process, and the far folder.
struct Joined {
    fs::path folder;
    std::unique_ptr<FarFiles> far;
    std::unique_ptr<NearFiles> near;
    std::atomic<int> asked{0};
    std::atomic<std::uint64_t> sent{0}; ///< bytes of pieces
    std::uint64_t most = ~0ull;         ///< after so many the connection is lost
    std::vector<std::string> told;
    std::function<json(const std::string&, json)> answer; ///< in place of the far side
    std::mutex mutex;

    Joined(fs::path far_folder, const std::string& id, worker::Access access = {}, bool confined = false,
           fs::path digests = {})
        : folder(std::move(far_folder)) {
        far = std::make_unique<FarFiles>(FarFiles::Settings{.folder = folder, .held = folder / "held" / id},
                                         [this](std::span<const std::byte> bytes) {
                                             near->receive_bulk(bytes);
                                             return true;
                                         });
        near = std::make_unique<NearFiles>(
            access, confined,
            NearFiles::Channelling{.ask =
                                       [this](const std::string& method, json params, const NearFiles::Cancelled&) {
                                           ++asked;
                                           return answer ? answer(method, std::move(params))
                                                         : far->call(method, params);
                                       },
                                   .send_bulk =
                                       [this](std::span<const std::byte> bytes) {
                                           sent += bytes.size();
                                           if (sent > most) return false;
                                           far->receive_bulk(bytes);
                                           return true;
                                       },
                                   .progress =
                                       [this](int, double, const std::string& text) {
                                           const std::scoped_lock lock(mutex);
                                           told.push_back(text);
                                       },
                                   .machine = "me@far",
                                   .digests = std::move(digests)});
        near->set_far(
            {{"held", (folder / "held" / id).string()}, {"root", FarFiles::root_of(folder / "held" / id).string()}});
    }
    ~Joined() { far.reset(); }
    fs::path held() const { return fs::canonical(folder / "held").string() + "/" + name(); }
    std::string name() const { return fs::directory_iterator(folder / "held")->path().filename().string(); }
    fs::path there(const fs::path& path) const { return held() / "root" / path.relative_path(); }
};

QByteArray error_of(const std::function<void()>& call) {
    try {
        call();
        return {};
    } catch (const RequestError& error) {
        return error.what();
    }
}

/// The parts of a report that are the same at each run.
json compared(json report) {
    json parts = json::object();
    for (const char* key : {"status", "kernel", "lowered", "error", "outputs", "inputs", "comparisons", "diagnostics",
                            "session", "grid", "block"})
        if (report.contains(key)) parts[key] = report[key];
    for (const char* list : {"outputs", "inputs"})
        if (parts.contains(list))
            for (json& each : parts[list])
                each.erase("buffer");
    return parts;
}

QByteArray pretty(const json& value) {
    return QByteArray::fromStdString(value.dump(1, ' ', false, json::error_handler_t::replace).substr(0, 6000));
}

} // namespace

class RemoteFilesTest : public QObject {
    Q_OBJECT
    QTemporaryDir temporary_;
    fs::path base_, session_;
    std::unique_ptr<worker::Client> here_, there_;
    std::unique_ptr<Joined> joined_;
    int id_ = 0;

    std::unique_ptr<worker::Client> start(worker::Access access) const {
        worker::ClientOptions options;
        options.program = WARPLIGHT_CLI;
        options.driver = "software";
        options.access = std::move(access);
        auto client = std::make_unique<worker::Client>(std::move(options));
        client->start();
        return client;
    }

    json document(const json& arguments, const json& more = json::object()) const {
        json session = {{"warplight", 4},
                        {"source", "k.cu"},
                        {"kernel", "scale"},
                        {"arguments", arguments},
                        {"launch", {{"grid", 1}, {"block", 8}}}};
        session.update(more);
        return session;
    }
    static json scale_arguments(const std::string& path = "x.npy") {
        return json::array({{{"name", "x"}, {"direction", "in"}, {"source", {{"kind", "file"}, {"path", path}}}},
                            {{"name", "y"},
                             {"direction", "out"},
                             {"source", {{"kind", "zeros"}, {"dtype", "float32"}, {"shape", json::array({8})}}}}});
    }
    json params_of(const json& session, const json& more = json::object()) const {
        json params = {{"session", session},
                       {"folder", session_.string()},
                       {"session_path", (session_ / "s.warplight").string()},
                       {"repeat", 1},
                       {"warmup", 0}};
        params.update(more);
        return params;
    }
    json run_there(const json& params) {
        const int id = ++id_;
        json prepared;
        prepared = joined_->near->prepare("run", params, id, never);
        const auto reply = there_->call_wait("run", prepared, {}, 60s);
        if (!reply.ok) return {{"request_error", reply.error}};
        return joined_->near->finish("run", prepared, *reply.result, id, never);
    }
    json run_here(const json& params) {
        const auto reply = here_->call_wait("run", params, {}, 60s);
        return reply.ok ? *reply.result : json{{"request_error", reply.error}};
    }
    json call_there(const std::string& method, const json& params) {
        const int id = ++id_;
        const json prepared = joined_->near->prepare(method, params, id, never);
        const auto reply = there_->call_wait(method, prepared, {}, 60s);
        if (!reply.ok) return joined_->near->near_strings({{"request_error", reply.error}});
        return joined_->near->finish(method, prepared, *reply.result, id, never);
    }
    json call_here(const std::string& method, const json& params) {
        const auto reply = here_->call_wait(method, params, {}, 60s);
        return reply.ok ? *reply.result : json{{"request_error", reply.error}};
    }
    /// Both runs tell the same. What they saved is removed in between, unless it is to stay.
    bool same(const json& params, const char* status, const std::vector<std::string>& saved = {}) {
        const json mine = run_here(params);
        std::map<std::string, std::string> texts;
        for (const std::string& each : saved) {
            texts[each] = text_of(session_ / each);
            fs::remove(session_ / each);
        }
        const json theirs = run_there(params);
        bool right = compared(mine) == compared(theirs) && mine.value("status", "") == status;
        for (const auto& [file, text] : texts)
            right = right && !text.empty() && text_of(session_ / file) == text;
        if (!right)
            qWarning("here %s\nthere %s", pretty(compared(mine)).constData(), pretty(compared(theirs)).constData());
        return right;
    }

private slots:
    void initTestCase() {
        base_ = fs::canonical(temporary_.path().toStdString());
        qputenv("HOME", QByteArray::fromStdString((base_ / "home").string()));
        qputenv("XDG_STATE_HOME", QByteArray::fromStdString((base_ / "home/state").string()));
        session_ = base_ / "near/a/s";
        write(session_ / "k.cu", "#include \"k.h\"\n#include <deep.h>\n"
                                 "extern \"C\" __global__ void scale(const float* x, float* y) {\n"
                                 "    y[threadIdx.x] = FACTOR * x[threadIdx.x] + DEEP;\n}\n");
        write(session_ / "k.h", "#include \"sub/../../shared.h\"\n");
        write(session_ / "sub/unused", "");
        write(base_ / "near/a/shared.h", "#define FACTOR 3\n");
        write(session_ / "inc/deep.h", "#define DEEP 1\n");
        write(session_ / "x.npy", npy({0, 1, 2, 3, 4, 5, 6, 7}));
        write(session_ / "expected.npy", npy({1, 4, 7, 10, 13, 16, 19, 22}));
        write(base_ / "near/outside/x.npy", npy({7, 6, 5, 4, 3, 2, 1, 0}));
        fs::create_directories(base_ / "near/keep");
        worker::Access near{.read = {session_, base_ / "near/a", base_ / "near/outside"},
                            .write = {session_, base_ / "near/keep"}};
        here_ = start(near);
        const fs::path held = base_ / "far/held/1";
        joined_ = std::make_unique<Joined>(base_ / "far", "1", near, true);
        const fs::path kept = base_ / "far/kept/1";
        fs::create_directories(kept);
        joined_->near->set_kept(base_ / "near/keep", kept.string());
        there_ = start({.read = {FarFiles::root_of(held)}, .write = {held / "out", kept}});
    }
    void cleanupTestCase() {
        here_.reset();
        there_.reset();
        joined_.reset();
    }

    void a_run_is_the_same() {
        json arguments = scale_arguments();
        arguments[1]["save"] = "results/y.npy";
        arguments[1]["expect"] = {{"path", "expected.npy"}};
        const json compile = {{"compile", {{"options", json::array({"-Iinc"})}}}};
        const json allow = {{"allow", json::array({(base_ / "near/a/shared.h").string()})}};
        QVERIFY(same(params_of(document(arguments, compile), allow), "ok", {"results/y.npy"}));
        QVERIFY(text_of(session_ / "results/y.npy").ends_with(npy({1, 4, 7, 10, 13, 16, 19, 22}).substr(128)));
        // Once more: each file is there, and the result may be replaced.
        const int asked = joined_->asked;
        QVERIFY(same(params_of(document(arguments, compile), allow), "ok"));
        QCOMPARE(joined_->asked - asked, 1); // for the result
        // Nothing of results stays there.
        QVERIFY(fs::is_empty(joined_->held() / "out"));
        // The source of an editor, another input, a failed expectation.
        const json edited = {{"source_text",
                              "#define FACTOR 2\n#define DEEP 0\nextern \"C\" __global__ void scale(const "
                              "float* x, float* y) { y[threadIdx.x] = FACTOR * x[threadIdx.x] + DEEP; }"}};
        QVERIFY(same(params_of(document(arguments), edited), "expectation_failed"));
        // The expected result is that of another session.
        write(session_ / "other.warplight", document(arguments).dump());
        json by_session = scale_arguments();
        by_session[1]["expect"] = {{"session", "other.warplight"}, {"argument", "y"}};
        QVERIFY(same(params_of(document(by_session), edited), "ok"));
        // All results in one file, and each format.
        json several = scale_arguments();
        several.push_back(several[1]);
        several[2]["name"] = "z";
        several[1]["save"] = several[2]["save"] = "both.npz";
        const json two = {{"source_text",
                           "extern \"C\" __global__ void scale(const float* x, float* y, float* z) {\n"
                           "    y[threadIdx.x] = x[threadIdx.x]; z[threadIdx.x] = 2 * x[threadIdx.x]; }"}};
        QVERIFY(same(params_of(document(several), two), "ok", {"both.npz"}));
        several[1]["save"] = "y.csv";
        several[2]["save"] = "z.txt";
        QVERIFY(same(params_of(document(several), two), "ok", {"y.csv", "z.txt"}));
        several[2]["save"] = "z.wav"; // which has the time in it
        QVERIFY(same(params_of(document(several), two), "ok"));
    }

    // Typed on a command line: paths may lead anywhere, and options start at the current folder.
    void a_typed_run_is_the_same() {
        json arguments = scale_arguments((session_ / "x.npy").string());
        arguments[1]["save"] = (base_ / "near/keep/typed.npy").string();
        arguments[1]["expect"] = {{"path", "../../../../../../../../../.." + (session_ / "expected.npy").string()}};
        json session = document(
            arguments, {{"compile", {{"options", json::array({"-I", fs::relative(session_ / "inc").string()})}}}});
        session["source"] = (session_ / "k.cu").string();
        QVERIFY(same(params_of(session, {{"trusted", true}}), "ok", {"../../keep/typed.npy"}));
        QVERIFY(same(params_of(session, {{"trusted", true}}), "ok")); // a typed result replaces any file
        session["arguments"][1]["save"] = (session_ / "x.npy").string();
        QVERIFY(same(params_of(session, {{"trusted", true}}), "input_error"));
    }

    void every_kind_of_file_is_read() {
        write(session_ / "raw.bin", npy({9, 8, 7, 6, 5, 4, 3, 2}));
        write(session_ / "t.csv", "a,b\n1,2\n3,4\n");
        write(session_ / "t.txt", "1 2 3\n4 5 6\n");
        write(session_ / "i.pgm", "P5\n2 2\n255\nabcd");
        const json buffer = call_here("buffer.open", {{"path", (session_ / "x.npy").string()}});
        std::vector<std::string> made = {"x.npz", "x.wav"};
        if (!call_here("buffer.save", {{"buffer", buffer["buffer"]}, {"path", (session_ / "x.h5").string()}})
                 .contains("request_error"))
            made.push_back("x.h5");
        for (const std::string& name : made)
            (void)call_here("buffer.save", {{"buffer", buffer["buffer"]}, {"path", (session_ / name).string()}});
        json sources = json::array(
            {{{"kind", "file"}, {"path", "x.npy"}},
             {{"kind", "file"}, {"path", "t.csv"}},
             {{"kind", "file"}, {"path", "t.txt"}},
             {{"kind", "file"}, {"path", "i.pgm"}},
             {{"kind", "file"}, {"path", "raw.bin"}, {"dtype", "float32"}, {"offset", 128}, {"shape", {2, 4}}},
             {{"kind", "formula"}, {"dtype", "float32"}, {"shape", json::array({8})}, {"expression", "a0 + i"}}});
        for (const std::string& name : made)
            sources.push_back({{"kind", "file"}, {"path", name}});
        json arguments = json::array();
        for (const json& source : sources)
            arguments.push_back(
                {{"name", "a" + std::to_string(arguments.size())}, {"direction", "in"}, {"source", source}});
        // The inputs alone are read, as after a lost worker.
        const json params = params_of(document(arguments), {{"lost_because", "It was lost."}});
        const json mine = run_here(params), theirs = run_there(params);
        QCOMPARE(pretty(compared(mine)), pretty(compared(theirs)));
        QCOMPARE(mine["buffers"].size(), sources.size());
        for (std::size_t i = 0; i < sources.size(); ++i) {
            const auto bytes = [&](const json& report, worker::Client& client) {
                const auto reply = client.call_wait(
                    "buffer.bytes", {{"buffer", report["buffers"][i]["buffer"]}, {"offset", 0}, {"count", 4096}});
                return reply.ok ? (*reply.result)["data"] : json();
            };
            QVERIFY(!bytes(mine, *here_).is_null());
            QVERIFY2(bytes(mine, *here_) == bytes(theirs, *there_), pretty(sources[i]).constData());
        }
    }

    void what_lies_outside_is_refused_with_the_same_words() {
        const fs::path outside = base_ / "near/outside/x.npy";
        const json edited = {{"source_text", "extern \"C\" __global__ void scale(const float* x, float* y) {\n"
                                             "    y[threadIdx.x] = x[threadIdx.x]; }"}};
        for (const std::string& path : {outside.string(), std::string("../../outside/x.npy"),
                                        "../../../../../../../../../../.." + outside.string()}) {
            json params = params_of(document(scale_arguments(path)), edited);
            QVERIFY(same(params, "input_error"));
            params["allow"] = json::array({outside.parent_path().string()});
            QVERIFY(same(params, "ok"));
        }
        QVERIFY(!fs::exists(joined_->there(base_ / "near/outside/secret")));
        fs::create_symlink(outside, session_ / "link.npy");
        fs::create_directory_symlink("../../outside", session_ / "folder");
        for (const char* path : {"link.npy", "folder/x.npy"}) {
            json params = params_of(document(scale_arguments(path)), edited);
            QVERIFY(same(params, "input_error"));
            QVERIFY(run_there(params)["error"]["outside"][0] == outside.string());
            params["allow"] = json::array({outside.parent_path().string()});
            QVERIFY(same(params, "ok"));
        }
        // A header of the source.
        QVERIFY(same(params_of(document(scale_arguments(), {{"compile", {{"options", json::array({"-Iinc"})}}}})),
                     "input_error"));
        QVERIFY(same(
            params_of(document(scale_arguments(), {{"compile", {{"options", json::array({"-I/usr/share"})}}}}), edited),
            "input_error"));
    }

    void what_is_missing_or_no_file_is_told_with_the_same_words() {
        const json edited = {{"source_text", "extern \"C\" __global__ void scale(const float* x, float* y) {}"}};
        QVERIFY(same(params_of(document(scale_arguments("none.npy")), edited), "input_error"));
        QVERIFY(same(params_of(document(scale_arguments("inc")), edited), "input_error"));
        QCOMPARE(mkfifo((session_ / "pipe.npy").c_str(), 0600), 0);
        QVERIFY(same(params_of(document(scale_arguments("pipe.npy")), edited), "input_error"));
        json missing = document(scale_arguments());
        missing["source"] = "none.cu";
        QVERIFY(same(params_of(missing), "input_error"));
        QVERIFY(same(params_of(document(scale_arguments()),
                               {{"source_text", "#include \"none.h\"\nextern \"C\" __global__ void scale() {}"}}),
                     "compile_error"));
        json wrong = document(scale_arguments());
        wrong["arguments"][0]["direction"] = "sideways";
        QVERIFY(error_of([&] { run_there(params_of(wrong)); }) ==
                run_here(params_of(wrong))["request_error"].get<std::string>().c_str());
        // A device is no file: that is known here.
        json params = params_of(document(scale_arguments("/dev/null")), edited);
        params["trusted"] = true;
        joined_->near->forget(0);
        const QByteArray error = error_of([&] {
            NearFiles everything({}, false,
                                 {.ask = [](const auto&, json, const auto&) { return json::object(); },
                                  .send_bulk = [](auto) { return true; }});
            everything.set_far({{"held", "/far/held/1"}});
            (void)everything.prepare("run", params, 1, never);
        });
        QVERIFY2(error.startsWith("/dev/null: is a device"), error.constData());
        // What was there and is no more is removed there, too.
        write(session_ / "gone.npy", npy({1, 2, 3, 4, 5, 6, 7, 8}));
        QVERIFY(same(params_of(document(scale_arguments("gone.npy")), edited), "ok"));
        QVERIFY(fs::exists(joined_->there(session_ / "gone.npy")));
        fs::remove(session_ / "gone.npy");
        QVERIFY(same(params_of(document(scale_arguments("gone.npy")), edited), "input_error"));
        QVERIFY(!fs::exists(joined_->there(session_ / "gone.npy")));
        write(session_ / "gone.npy", npy({1, 2, 3, 4, 5, 6, 7, 9}));
        QVERIFY(same(params_of(document(scale_arguments("gone.npy")), edited), "ok"));
    }

    void results_replace_nothing_that_they_must_not() {
        const json edited = {{"source_text", "extern \"C\" __global__ void scale(const float* x, float* y) {\n"
                                             "    y[threadIdx.x] = x[threadIdx.x]; }"}};
        const auto saving = [&](const std::string& path, const json& more = json::object()) {
            json arguments = scale_arguments();
            arguments[1]["save"] = path;
            json params = params_of(document(arguments), edited);
            params.update(more);
            return params;
        };
        write(session_ / "precious.npy", npy({1}));
        const std::string before = text_of(session_ / "precious.npy");
        for (const char* path : {"precious.npy", "x.npy", "k.cu", "../y.npy", "y.exe", "/tmp/y.npy", "link.npy", "inc"})
            QVERIFY2(same(saving(path), "input_error"), path);
        QVERIFY(text_of(session_ / "precious.npy") == before);
        QVERIFY(run_there(saving("precious.npy"))["error"]["replaces"][0] == (session_ / "precious.npy").string());
        QVERIFY(same(saving("precious.npy", {{"overwrite", true}}), "ok"));
        // The session has written it there, and may replace it; a change by somebody else is kept.
        QCOMPARE(run_there(saving("precious.npy")).value("status", ""), "ok");
        QCOMPARE(run_here(saving("precious.npy")).value("status", ""), "ok");
        write(session_ / "precious.npy", npy({2}));
        QCOMPARE(run_there(saving("precious.npy")).value("status", ""), "input_error");
        // A folder where nothing can be written. The run and its report stay.
        write(session_ / "blocked", "a file");
        const json report = run_there(saving("blocked/y.npy"));
        QCOMPARE(report.value("status", ""), "input_error");
        QVERIFY2(QByteArray::fromStdString(report["error"]["message"]).contains("cannot be saved as"),
                 pretty(report["error"]).constData());
        QCOMPARE(report["outputs"].size(), 1u);
        QVERIFY(!report["outputs"][0].contains("saved"));
    }

    void compilations_find_their_headers() {
        const json params = {{"source", text_of(session_ / "k.cu")},
                             {"name", "k.cu"},
                             {"folder", session_.string()},
                             {"options", json::array({"-I", "inc"})},
                             {"allow", json::array({(base_ / "near/a").string()})}};
        const json there = call_there("compile", params), here = call_here("compile", params);
        QVERIFY2(there.value("ok", false), pretty(there).constData());
        QCOMPARE(there["kernels"], here["kernels"]);
        QCOMPARE(there["lines"], here["lines"]);
        // The far folder is named nowhere.
        QVERIFY(there.dump(-1, ' ', false, json::error_handler_t::replace).find("/far/held/") == std::string::npos);
        json refused = params;
        refused.erase("allow");
        QVERIFY(call_there("compile", refused)["outside"] == call_here("compile", refused)["outside"]);
        json layouts = params;
        layouts["kernel"] = "scale";
        QCOMPARE(call_there("layouts", layouts), call_here("layouts", layouts));
        json occupancy = {{"device", 0}, {"ptx", there["ptx"]}, {"kernel", "scale"}, {"block", 32}};
        QVERIFY2(!call_there("occupancy", occupancy).contains("request_error"), "occupancy");
    }

    void buffers_open_and_are_saved() {
        const json opened = call_there("buffer.open", {{"path", (session_ / "x.npz").string()}});
        QVERIFY2(!opened.contains("request_error"), pretty(opened).constData());
        QCOMPARE(call_there("buffer.members", {{"path", (session_ / "x.npz").string()}}),
                 call_here("buffer.members", {{"path", (session_ / "x.npz").string()}}));
        const fs::path target = base_ / "near/keep/saved.npy";
        json saved = call_there("buffer.save", {{"buffer", opened["buffer"]}, {"path", target.string()}});
        QVERIFY2(saved.value("path", "") == target.string(), pretty(saved).constData());
        QCOMPARE(text_of(target).size(), text_of(session_ / "x.npy").size());
        QVERIFY(fs::is_empty(joined_->held() / "out"));
        // Where this side may not write.
        QVERIFY(error_of([&] {
                    call_there("buffer.save", {{"buffer", opened["buffer"]}, {"path", (base_ / "y.npy").string()}});
                }).contains("lies outside of the folders"));
        QVERIFY(!fs::exists(base_ / "y.npy"));
        // A file that it may not read is not sent.
        write(base_ / "secret.npy", npy({1}));
        QVERIFY(call_there("buffer.open", {{"path", (base_ / "secret.npy").string()}}).contains("request_error"));
        QVERIFY(!fs::exists(joined_->there(base_ / "secret.npy")));
        // What a run keeps there opens again under its near name.
        json report =
            run_there(params_of(document(scale_arguments()),
                                {{"keep", (base_ / "near/keep").string()},
                                 {"source_text", "extern \"C\" __global__ void scale(const float* x, float* y) {}"}}));
        const std::string kept = report["buffers"][0].value("kept", "");
        QVERIFY2(kept.starts_with((base_ / "near/keep/").string()), pretty(report).constData());
        QVERIFY(!fs::exists(kept));
        QTRY_VERIFY(!call_there("buffer.open", {{"path", kept}}).contains("request_error"));
    }

    void large_files_go_once_and_go_on_after_a_cut() {
        const fs::path file = session_ / "large.bin";
        write(file, noise(5'000'000, 1));
        const json params = {{"path", file.string()}};
        Joined first(base_ / "far2", "a");
        first.most = 2'000'000;
        QVERIFY(error_of([&] { first.near->prepare("buffer.open", params, 1, never); }).contains("was lost"));
        first.far.reset(); // its process ends
        fs::remove_all(first.folder / "held/a");
        Joined second(base_ / "far2", "b");
        const json prepared = second.near->prepare("buffer.open", params, 1, never);
        QVERIFY(second.sent < 3'700'000); // and not all of it again
        QVERIFY(text_of(prepared["path"].get<std::string>()) == text_of(file));
        const auto sent = second.sent.load();
        const int asked = second.asked;
        QCOMPARE(second.near->prepare("buffer.open", params, 2, never), prepared);
        QCOMPARE(second.asked.load(), asked);
        QCOMPARE(second.sent.load(), sent);
        second.far.reset();
        fs::remove_all(second.folder / "held/b");
        Joined third(base_ / "far2", "c");
        (void)third.near->prepare("buffer.open", params, 1, never);
        QCOMPARE(third.sent.load(), 0ull); // its digest was known there
        QVERIFY(text_of(third.there(file)) == text_of(file));
        // Changed by a byte, with the same size.
        QTest::qSleep(60);
        write(file, noise(5'000'000, 2));
        (void)third.near->prepare("buffer.open", params, 3, never);
        QVERIFY(text_of(third.there(file)) == text_of(file));
    }

    /// The next process does not read a large file again, as long as it is the same.
    void digestsOfLargeFilesAreKept() {
        const fs::path file = base_ / "digests" / "large.bin", folder = base_ / "digests" / "kept";
        const std::string bytes = noise(std::size_t{5} << 20, 9);
        write(file, bytes);
        std::this_thread::sleep_for(100ms); // its time is over
        const json params = {{"path", file.string()}};
        const auto bring = [&](const std::string& id) {
            Joined joined(base_ / "digests" / ("far" + id), id, {}, false, folder);
            joined.near->prepare("buffer.open", params, 1, never);
            return text_of(joined.there(file));
        };
        QVERIFY(bring("a") == bytes);
        const KnownDigests kept(folder);
        const auto stamp = stamp_of(file);
        QVERIFY(stamp && tells_every_change(*stamp));
        QCOMPARE(kept.find(file, *stamp).value_or(""), compiler::sha256_hex(bytes));
        QCOMPARE(kept.find(base_ / "digests" / "other.bin", *stamp).value_or(""), "");
        // One that is kept is believed; a wrong one is found out by the other machine, and forgotten.
        kept.keep(file, *stamp, compiler::sha256_hex("wrong"));
        QVERIFY2(error_of([&] { (void)bring("b"); }).contains("was changed while it was sent"), "it was read again");
        QVERIFY(!kept.find(file, *stamp));
        QVERIFY(bring("c") == bytes);
        // Another file at its place, of the same size and the same time.
        const auto time = fs::last_write_time(file);
        const std::string others = noise(bytes.size(), 10);
        write(file, others);
        fs::last_write_time(file, time);
        std::this_thread::sleep_for(100ms);
        QVERIFY(bring("d") == others);
        // A small one is read at once.
        const fs::path small = base_ / "digests" / "small.bin";
        write(small, noise(100'000, 11));
        kept.keep(small, *stamp_of(small), compiler::sha256_hex("wrong"));
        QVERIFY(!kept.find(small, *stamp_of(small)));
    }

    void cuts_at_any_place_lose_nothing() {
        const fs::path file = session_ / "cut.bin";
        write(file, noise(2'500'000, 11) + std::string(1'000'000, 'z'));
        std::mt19937 random(12);
        std::uint64_t sent = 0;
        for (int i = 0; true; ++i) {
            QVERIFY(i < 200);
            const std::string id = std::to_string(i);
            Joined joined(base_ / "far9", id);
            joined.most = random() % 1'500'000;
            const QByteArray error =
                error_of([&] { joined.near->prepare("buffer.open", {{"path", file.string()}}, 1, never); });
            sent += std::min<std::uint64_t>(joined.sent, joined.most);
            const bool whole = error.isEmpty() && text_of(joined.there(file)) == text_of(file);
            joined.far.reset();
            fs::remove_all(joined.folder / "held" / id);
            if (whole) break;
            QVERIFY2(error.contains("was lost"), error.constData());
        }
        // Each cut costs what was on its way, and not what had come.
        QVERIFY2(sent < 8'000'000, qPrintable(QString::number(sent)));
    }

    // The next connection has its files under the same paths, so compiled code is found again.
    void compiled_code_outlives_a_connection() {
        const json params = {{"source", text_of(session_ / "k.cu")},
                             {"name", "k.cu"},
                             {"folder", session_.string()},
                             {"options", json::array({"-Iinc", "-DOUTLIVES=1"})},
                             {"allow", json::array({(base_ / "near/a").string()})}};
        fs::path before;
        for (const bool second : {false, true}) {
            Joined joined(base_ / "far10", second ? "b" : "a");
            Joined other(base_ / "far10", second ? "d" : "c");
            const fs::path root = FarFiles::root_of(joined.folder / "held" / (second ? "b" : "a"));
            QVERIFY(root != FarFiles::root_of(joined.folder / "held" / (second ? "d" : "c")));
            QVERIFY(fs::is_empty(root));
            if (second) QCOMPARE(root, before);
            before = root;
            const auto client = start({.read = {root}, .write = {}});
            const auto reply = client->call_wait("compile", joined.near->prepare("compile", params, 1, never), {}, 60s);
            QVERIFY2(reply.ok && reply.result->value("ok", false), reply.error.c_str());
            QCOMPARE(reply.result->value("cached", false), second);
            write(root.parent_path() / "7/left/by/a/killed/process", "x");
            QCOMPARE(chmod((root.parent_path() / "7").c_str(), 0700), 0);
            for (int i = 2; i < 7; ++i)
                fs::create_directories(root.parent_path() / std::to_string(i));
        }
        Joined last(base_ / "far10", "e");
        QVERIFY(fs::is_empty(before.parent_path() / "7"));
    }

    void a_far_folder_behind_a_link_is_known_by_both_names() {
        fs::create_directories(base_ / "real11");
        fs::create_directory_symlink(base_ / "real11", base_ / "far11");
        Joined joined(base_ / "far11", "a");
        const fs::path file = session_ / "x.npy", target = session_ / "linked.npy";
        const json prepared = joined.near->prepare("buffer.open", {{"path", file.string()}}, 1, never);
        const json save = joined.near->prepare("buffer.save", {{"path", target.string()}}, 2, never);
        const std::string there = prepared["path"], real = fs::canonical(there), saved = save["path"];
        const std::string real_saved = (fs::canonical(fs::path(saved).parent_path()) / fs::path(saved).filename());
        QVERIFY(saved != real_saved);
        for (const std::string& path : {there, real, (base_ / "far11/held/a/root").string() + file.string()}) {
            QVERIFY(joined.near->names_far_files("in " + path));
            QCOMPARE(joined.near->near_strings(path).get<std::string>(), file.string());
        }
        for (const std::string& path : {saved, real_saved})
            QCOMPARE(joined.near->near_strings(path).get<std::string>(), target.string());
        joined.near->forget(2);
        QCOMPARE(joined.near->near_strings(saved).get<std::string>(), saved);
    }

    void many_small_files_take_one_message() {
        std::string source = "extern \"C\" __global__ void scale() {}\n";
        for (int i = 0; i < 300; ++i) {
            const std::string name = "many/h" + std::to_string(i) + ".h";
            write(session_ / name,
                  "// " + std::string(100, static_cast<char>('a' + i % 26)) + std::to_string(i) + "\n");
            source += "#include \"" + name + "\"\n";
        }
        Joined joined(base_ / "far3", "a");
        const json params = {{"source", source}, {"name", "k.cu"}, {"folder", session_.string()}};
        (void)joined.near->prepare("compile", params, 1, never);
        QCOMPARE(joined.asked.load(), 1);
        QCOMPARE(joined.sent.load(), 0ull);
        QVERIFY(text_of(joined.there(session_ / "many/h299.h")) == text_of(session_ / "many/h299.h"));
        write(session_ / "many/h7.h", "// changed\n");
        (void)joined.near->prepare("compile", params, 2, never);
        QCOMPARE(joined.asked.load(), 2);
        QVERIFY(text_of(joined.there(session_ / "many/h7.h")) == "// changed\n");
        (void)joined.near->prepare("compile", params, 3, never);
        QCOMPARE(joined.asked.load(), 2);
    }

    void stopping_and_changes_while_a_file_is_sent() {
        const fs::path file = session_ / "changing.bin";
        write(file, noise(4'000'000, 3));
        const json params = {{"path", file.string()}};
        Joined joined(base_ / "far4", "a");
        // Stopped in the middle: what has come stays.
        const auto stop = [&] { return joined.sent > 1'500'000; };
        QVERIFY(error_of([&] { joined.near->prepare("buffer.open", params, 1, stop); }) == "cancelled");
        const auto before = joined.sent.load();
        (void)joined.near->prepare("buffer.open", params, 2, never);
        QVERIFY(joined.sent - before < 2'600'000);
        QVERIFY(text_of(joined.there(file)) == text_of(file));
        QVERIFY(!joined.told.empty());
        QVERIFY2(joined.told.back().starts_with("sending changing.bin: "), joined.told.back().c_str());

        write(file, noise(4'000'000, 4));
        const auto change = [&, done = false]() mutable {
            if (!done && joined.sent > 6'000'000) write(file, noise(4'000'000, 5));
            done = done || joined.sent > 6'000'000;
            return false;
        };
        const QByteArray error = error_of([&] { joined.near->prepare("buffer.open", params, 3, change); });
        QVERIFY2(error.contains("was changed while it was sent to me@far"), error.constData());
        (void)joined.near->prepare("buffer.open", params, 4, never);
        QVERIFY(text_of(joined.there(file)) == text_of(file));
    }

    void a_far_side_without_room_is_told() {
        qputenv("WARPLIGHT_REMOTE_LIMIT", "1M");
        Joined joined(base_ / "far5", "a");
        write(session_ / "toolarge.bin", noise(2'000'000, 6));
        const json params = {{"path", (session_ / "toolarge.bin").string()}};
        QByteArray error = error_of([&] { joined.near->prepare("buffer.open", params, 1, never); });
        QVERIFY2(error.contains("larger than the data that may be stored on me@far: 2.0 MB"), error.constData());
        qunsetenv("WARPLIGHT_REMOTE_LIMIT");
        joined.answer = [](const std::string&, const json&) -> json {
            throw RequestError(worker::file_error, "full",
                               {{"why", "disk"}, {"needed", 40'000'000u}, {"free", 12'000'000u}});
        };
        error = error_of([&] { joined.near->prepare("buffer.open", params, 2, never); });
        QCOMPARE(error,
                 "The disk is full on me@far: 40 MB needed, 12 MB free. `warplight-cli remote clean me@far` removes "
                 "stored data.");
    }

    void a_hostile_far_side_reaches_nothing() {
        const fs::path file = session_ / "x.npy";
        const json open = {{"path", file.string()}};
        for (const json& wanted :
             {json("x"), json::array({1}), json::array({{{"file", 7u}, {"transfer", 1u}, {"have", 0u}}}),
              json::array({{{"file", 0u}, {"transfer", 0u}, {"have", 0u}}}),
              json::array({{{"file", 0u}, {"transfer", kFirstFetch}, {"have", 0u}}}),
              json::array({{{"file", 0u}, {"transfer", 1u}, {"have", 1'000'000u}}}),
              json::array({{{"file", -1}, {"transfer", 1u}, {"have", 0u}}})}) {
            Joined joined(base_ / "far6", "a");
            joined.answer = [&](const std::string&, const json&) { return json{{"wanted", wanted}, {"root", "/"}}; };
            QVERIFY2(!error_of([&] { joined.near->prepare("buffer.open", open, 1, never); }).isEmpty() || wanted == "x",
                     pretty(wanted).constData());
        }
        Joined joined(base_ / "far6", "a");
        QVERIFY(!error_of([&] { joined.near->set_far({{"held", "relative"}}); }).isEmpty());
        QVERIFY(!error_of([&] { joined.near->set_far({{"held", 3}}); }).isEmpty());
        // Pieces that nobody has asked for.
        for (const Piece& piece : {Piece{.kind = Piece::Kind::end, .transfer = 1},
                                   Piece{.kind = Piece::Kind::end, .transfer = kFirstFetch + 1}})
            QVERIFY_THROWS_EXCEPTION(TransferError, joined.near->receive_bulk(encode(piece)));
        joined.near->receive_bulk(encode_note(Piece::Kind::failed, 99, "{\"why\": [1]}")); // of a request that is over

        // A report that names other files: only the result that was asked for is written.
        json arguments = scale_arguments();
        arguments[1]["save"] = "hostile.npy";
        const json prepared = joined.near->prepare("run", params_of(document(arguments)), 5, never);
        QVERIFY(!prepared.dump().empty());
        joined.answer = [&](const std::string& method, const json& params) -> json {
            if (method != "files.fetch" || params["files"].size() != 1) return json::object();
            const std::string text = "content";
            return {{"files", json::array({{{"size", 7u}, {"data", json::binary({text.begin(), text.end()})}}})}};
        };
        const json answer = {{"outputs", json::array({{{"index", 1}, {"saved", "/etc/passwd"}},
                                                      {{"index", 0}, {"saved", "/root/.bashrc"}}})},
                             {"status", "ok"}};
        json finished = joined.near->finish("run", prepared, answer, 5, never);
        QCOMPARE(finished["outputs"][0]["saved"].get<std::string>(), (session_ / "hostile.npy").string());
        QVERIFY(text_of(session_ / "hostile.npy") == "content");
        // Wrong sizes and digests: nothing is written, and the report says so.
        for (const json& entry : {json{{"size", 8u}, {"data", json::binary({1})}}, json{{"size", "x"}}, json(3),
                                  json{{"problem", "it is gone"}}, json{{"size", std::uint64_t{1} << 60}}}) {
            (void)joined.near->prepare("run", params_of(document(arguments)), 6, never);
            joined.answer = [&](const std::string&, const json&) { return json{{"files", json::array({entry})}}; };
            finished = joined.near->finish("run", {}, answer, 6, never);
            QCOMPARE(finished["status"].get<std::string>(), "input_error");
            QVERIFY(text_of(session_ / "hostile.npy") == "content");
            joined.answer = nullptr;
        }
    }

    void a_hostile_near_side_reaches_nothing() {
        Joined joined(base_ / "far7", "a");
        const fs::path root = joined.held() / "root";
        const std::string digest = compiler::sha256_hex("x");
        const auto file = [&](const json& path) {
            return json{{"files", json::array({{{"digest", digest},
                                                {"size", 1},
                                                {"data", json::binary({'x'})},
                                                {"paths", json::array({path})}}})}};
        };
        for (const json& path :
             {json("../x"), json("a/../../x"), json("/etc/x"), json("a//x"), json("a/./x"), json(""), json(3),
              json(std::string("a\0b", 3)), json(std::string(5000, 'a')), json(std::string(300, 'a'))})
            QVERIFY(!error_of([&] { joined.far->call("files.offer", file(path)); }).isEmpty());
        QVERIFY(!error_of([&] {
                     joined.far->call("files.offer",
                                      {{"links", json::array({{{"path", "l"}, {"target", "../../.."}}})}});
                 }).isEmpty());
        for (const json& wrong :
             {json{{"files", 3}}, json{{"files", json::array({3})}}, json{{"folders", json::array({3})}},
              json{{"files", json::array({{{"digest", "x"}, {"size", 1}}})}},
              json{{"files", json::array({{{"digest", digest}, {"size", -1}}})}},
              json{{"files", json::array({{{"digest", digest}, {"size", 1}, {"data", "x"}}})}},
              json{{"files", json::array({{{"digest", digest}, {"size", 2}, {"data", json::binary({'x'})}}})}},
              json{{"files",
                    json::array({{{"digest", digest}, {"size", 9}, {"data", json::binary({'x'})}, {"packed", true}}})}},
              json{{"remove", json::array({"../a"})}}, json::array()})
            QVERIFY2(!error_of([&] { joined.far->call("files.offer", wrong); }).isEmpty(), pretty(wrong).constData());
        // A link of its own is replaced, and not followed.
        joined.far->call("files.offer", {{"folders", json::array({"real"})},
                                         {"links", json::array({{{"path", "l"}, {"target", "real"}}})}});
        QVERIFY(fs::is_symlink(root / "l"));
        joined.far->call("files.offer", file("l/x"));
        QVERIFY(!fs::exists(root / "real/x"));
        QVERIFY(fs::exists(root / "l/x"));
        joined.far->call("files.offer", {{"remove", json::array({""})}});
        QVERIFY(fs::exists(root / "l/x"));
        // Results: never through a link of the worker's, and never from elsewhere.
        fs::create_symlink("/etc/passwd", joined.held() / "out/p");
        fs::create_directory_symlink("/etc", joined.held() / "out/e");
        const auto fetch = [&](const json& path) {
            return joined.far->call("files.fetch",
                                    {{"files", json::array({{{"path", path}, {"transfer", kFirstFetch}}})}});
        };
        for (const char* path : {"p", "e/passwd", "none"})
            QVERIFY(fetch(path)["files"][0].contains("problem"));
        for (const json& path : {json("../root/l/x"), json(""), json(1), json("/etc/passwd")})
            QVERIFY(!error_of([&] { fetch(path); }).isEmpty());
        QVERIFY(!error_of([&] {
                     joined.far->call("files.fetch", {{"files", json::array({{{"path", "p"}, {"transfer", 3}}})}});
                 }).isEmpty());
        QVERIFY(!error_of([&] { joined.far->call("files.fetch", {{"remove", "../root"}}); }).isEmpty());
        QVERIFY(!error_of([&] { joined.far->call("files.none", json::object()); }).isEmpty());
        QVERIFY(fs::exists(root / "l/x"));
        // An offer that fails in the middle leaves nothing open: the same file can be begun again.
        const json part = {{"digest", std::string(64, 'd')}, {"size", 70'000}, {"paths", json::array({"part"})}};
        QVERIFY(!error_of([&] { joined.far->call("files.offer", {{"files", json::array({part, 3})}}); }).isEmpty());
        const auto parts = [&] {
            return std::ranges::count_if(fs::recursive_directory_iterator(joined.folder / "data"),
                                         [](const auto& each) { return each.path().extension() == ".part"; });
        };
        QCOMPARE(parts(), 1);
        joined.far->call("files.offer", {{"files", json::array({part})}});
        QCOMPARE(parts(), 1);
        // Pieces: of no file, out of order, twice, too many.
        const std::string content = noise(100'000, 9);
        const auto offer = [&] {
            const json answer =
                joined.far->call("files.offer", {{"files", json::array({{{"digest", compiler::sha256_hex(content)},
                                                                         {"size", content.size()},
                                                                         {"paths", json::array({"big"})}}})}});
            return answer["wanted"][0]["transfer"].get<std::uint64_t>();
        };
        const auto piece = [&](std::uint64_t transfer, std::uint64_t offset, std::size_t size) {
            const auto bytes = std::as_bytes(std::span(content)).subspan(0, size);
            return encode({.kind = Piece::Kind::raw,
                           .transfer = transfer,
                           .offset = offset,
                           .size = static_cast<std::uint32_t>(size),
                           .body = bytes});
        };
        QVERIFY_THROWS_EXCEPTION(TransferError, joined.far->receive_bulk(piece(77, 0, 10)));
        QVERIFY_THROWS_EXCEPTION(TransferError, joined.far->receive_bulk(piece(offer(), 10, 10)));
        std::uint64_t transfer = offer();
        joined.far->receive_bulk(piece(transfer, 0, 10));
        QVERIFY_THROWS_EXCEPTION(TransferError, joined.far->receive_bulk(piece(transfer, 0, 10)));
        transfer = offer();
        QVERIFY_THROWS_EXCEPTION(TransferError,
                                 joined.far->receive_bulk(encode({.kind = Piece::Kind::stored, .transfer = transfer})));
        transfer = offer();
        joined.far->receive_bulk(piece(transfer, 10, content.size() - 10)); // the wrong bytes: told, and removed
        QVERIFY(!fs::exists(root / "big"));
        transfer = offer();
        joined.far->receive_bulk(piece(transfer, 0, content.size()));
        QVERIFY(text_of(root / "big") == content);
    }

    // Each side in threads of its own: two requests bring files while a third fetches a result.
    void both_sides_work_at_once() {
        const fs::path folder = base_ / "far12", held = folder / "held/a", target = base_ / "near/keep/at-once.npy";
        std::unique_ptr<FarFiles> far;
        std::unique_ptr<NearFiles> near;
        auto to_far = std::make_unique<Pipe>([&](std::span<const std::byte> bytes) { far->receive_bulk(bytes); });
        auto to_near = std::make_unique<Pipe>([&](std::span<const std::byte> bytes) { near->receive_bulk(bytes); });
        far = std::make_unique<FarFiles>(FarFiles::Settings{.folder = folder, .held = held},
                                         [&](std::span<const std::byte> bytes) { return to_near->send(bytes); });
        std::mutex control;
        near = std::make_unique<NearFiles>(
            worker::Access{}, false,
            NearFiles::Channelling{.ask =
                                       [&](const std::string& method, const json& params, const NearFiles::Cancelled&) {
                                           const std::scoped_lock lock(control);
                                           return far->call(method, params);
                                       },
                                   .send_bulk = [&](std::span<const std::byte> bytes) { return to_far->send(bytes); }});
        near->set_far({{"held", held.string()}, {"root", FarFiles::root_of(held).string()}});
        const auto path_of = [&](int i) { return session_ / ("at-once" + std::to_string(i) + ".bin"); };
        for (int i = 0; i < 9; ++i)
            write(path_of(i), noise(700'000, static_cast<unsigned>(100 + i)));
        const auto bring = [&](int first) {
            for (int i = first; i < first + 6; ++i) {
                const json prepared = near->prepare("buffer.open", {{"path", path_of(i).string()}}, i, never);
                if (text_of(prepared["path"].get<std::string>()) != text_of(path_of(i))) qFatal("other bytes");
            }
        };
        std::thread one([&] { bring(0); }), other([&] { bring(3); }); // three files twice
        const std::string content = noise(5'000'000, 200);
        for (int id = 100; id < 103; ++id) {
            const json prepared = near->prepare("buffer.save", {{"path", target.string()}}, id, never);
            write(prepared["path"].get<std::string>(), content);
            (void)near->finish("buffer.save", prepared, {{"path", "x"}}, id, never);
            QVERIFY(text_of(target) == content);
            fs::remove(target);
        }
        one.join();
        other.join();
        to_near->close(); // what FarFiles may wait for
        far.reset();
        to_far.reset();
        to_near.reset();
        near.reset();
    }

    void large_results_are_fetched_whole_or_not() {
        Joined joined(base_ / "far8", "a", {.read = {}, .write = {base_ / "near/keep"}}, true);
        const std::string content = noise(3'000'000, 10) + std::string(30'000'000, 'z');
        const fs::path target = base_ / "near/keep/large.npy";
        const auto save = [&](int id) {
            const json prepared =
                joined.near->prepare("buffer.save", {{"buffer", 1}, {"path", target.string()}}, id, never);
            write(prepared["path"].get<std::string>(), content);
            return prepared;
        };
        json prepared = save(1);
        const json answer = joined.near->finish("buffer.save", prepared, {{"path", prepared["path"]}}, 1, never);
        QCOMPARE(answer["path"].get<std::string>(), target.string());
        QVERIFY(text_of(target) == content);
        QVERIFY(fs::is_empty(joined.held() / "out"));
        // Stopped: the older file stays.
        prepared = save(2);
        write(target, "older");
        QVERIFY(error_of([&] {
                    joined.near->finish("buffer.save", prepared, {{"path", "x"}}, 2, [] { return true; });
                }).contains("stopped"));
        QVERIFY(text_of(target) == "older");
        // The disk is full here: a limit on files stands for it.
        prepared = save(4);
        const auto before = std::signal(SIGXFSZ, SIG_IGN);
        rlimit limit{};
        QCOMPARE(getrlimit(RLIMIT_FSIZE, &limit), 0);
        const rlimit small{10'000'000, limit.rlim_max};
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
        QByteArray full = error_of([&] { joined.near->finish("buffer.save", prepared, {{"path", "x"}}, 4, never); });
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &limit), 0);
        std::signal(SIGXFSZ, before);
        QVERIFY2(full.contains("cannot be written"), full.constData());
        QVERIFY(text_of(target) == "older");
        QCOMPARE(
            std::distance(fs::directory_iterator(target.parent_path()), {}),
            std::ranges::count_if(fs::directory_iterator(target.parent_path()), [](const fs::directory_entry& each) {
                return !each.path().filename().string().starts_with('.');
            })); // and nothing is left of it
        // The far side ends in the middle.
        prepared = save(3);
        joined.answer = [&](const std::string&, const json& params) {
            const auto transfer = params["files"][0]["transfer"].get<std::uint64_t>();
            Packer packer;
            joined.near->receive_bulk(packer.piece(transfer, 0, std::vector<std::byte>(1000)));
            joined.near->close();
            return json{{"files", json::array({{{"size", 5000u}, {"transfer", transfer}}})}};
        };
        const QByteArray error =
            error_of([&] { joined.near->finish("buffer.save", prepared, {{"path", "x"}}, 3, never); });
        QVERIFY2(error.contains("the connection to me@far was lost"), error.constData());
        QVERIFY(text_of(target) == "older");
    }
};

QTEST_GUILESS_MAIN(RemoteFilesTest)
#include "remote_files_test.moc"
