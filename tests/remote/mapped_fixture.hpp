// SPDX-License-Identifier: Apache-2.0
// What tests of a mapped folder share: the near and the far side in one process, and a worker for each.
#pragma once

#include "../json_text.hpp"
#include "remote/far_files.hpp"
#include "remote/near_files.hpp"
#include "worker/client.hpp"

#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>

using namespace warplight;
using namespace warplight::remote;
using namespace std::chrono_literals;
using worker::json;
using worker::RequestError;
namespace fs = std::filesystem;

inline const NearFiles::Cancelled never = [] { return false; };

inline std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {(std::istreambuf_iterator<char>(file)), {}};
}

inline void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

/// Bytes that do not shrink.
inline std::string noise(std::size_t size, unsigned seed) {
    std::mt19937 random(seed);
    std::string text(size, ' ');
    for (char& each : text)
        each = static_cast<char>(random());
    return text;
}

/// float32 in NumPy's format.
inline std::string npy(const std::vector<float>& values) {
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

inline QByteArray error_of(const std::function<void()>& call) {
    try {
        call();
        return {};
    } catch (const RequestError& error) {
        return error.what();
    }
}

/// The parts of a report that are the same at each run.
inline json compared(json report) {
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

inline QByteArray pretty(const json& value) {
    return QByteArray::fromStdString(value.dump(1, ' ', false, json::error_handler_t::replace).substr(0, 6000));
}

class MappedFixture : public QObject {
protected:
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

    /// Both sides and their workers.
    void open_sides() {
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
    void close_sides() {
        here_.reset();
        there_.reset();
        joined_.reset();
    }
};
