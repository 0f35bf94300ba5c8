// SPDX-License-Identifier: Apache-2.0
// Quick code first, and fast code that a thread makes meanwhile: which one launches get, what they compute with each,
// and what happens when the module, its context or the process ends before the fast code is there.
#include "../../sanitizers.hpp"
#include "software/runtime/address_space.hpp"
#include "software/runtime/background_compilation.hpp"
#include "software/runtime/context.hpp"
#include "software/runtime/context_lifetime.hpp"
#include "software/runtime/device.hpp"
#include "software/runtime/launch.hpp"
#include "software/runtime/launch_length.hpp"
#include "software/runtime/module.hpp"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace warplight::software;
namespace jit = warplight::jit;

namespace {

constexpr unsigned kThreads = 64;
constexpr int kSteps = 80;

/// A kernel whose code is long: x[t] = x[t] * 3 + 1, so many times, with a detour for odd numbers. `number` makes its
/// text another one, which the cache does not know.
std::string long_kernel(int number, bool has_loop = false) {
    std::string text = ".version 7.0\n.target sm_80\n.address_size 64\n// " + std::to_string(number) +
                       "\n.visible .entry k(.param .u64 x)\n{\n.reg .pred %p; .reg .b32 %i, %v, %bit, %n; .reg .b64 "
                       "%x, %offset;\nld.param.u64 %x, [x]; mov.u32 %i, %tid.x; mul.wide.u32 %offset, %i, 4;\n"
                       "add.s64 %x, %x, %offset; ld.global.u32 %v, [%x]; mov.u32 %n, 0;\nAGAIN:\n";
    for (int step = 0; step < kSteps; ++step) {
        const std::string label = "EVEN" + std::to_string(step);
        text += "mad.lo.u32 %v, %v, 3, 1; and.b32 %bit, %v, 1; setp.eq.u32 %p, %bit, 0; @%p bra " + label +
                "; xor.b32 %v, %v, " + std::to_string(step) + "; " + label + ":\n";
    }
    if (has_loop) text += "add.u32 %n, %n, 1; setp.lt.u32 %p, %n, %v; @%p bra AGAIN;\n";
    return text + "st.global.u32 [%x], %v; ret;\n}\n";
}

std::uint32_t expected(std::uint32_t v) {
    for (std::uint32_t step = 0; step < kSteps; ++step) {
        v = v * 3 + 1;
        if (v & 1) v ^= step;
    }
    return v;
}

class Loaded {
public:
    explicit Loaded(int number, bool has_loop = false)
        : context(Context::create(device(0), 0, false)), module(load(number, has_loop)), kernel(module->kernel("k")) {
        const auto base = AddressSpace::instance().allocate(kThreads * sizeof(std::uint32_t), Allocation::Kind::device,
                                                            0, context.get());
        if (!base) throw std::runtime_error("no memory");
        memory = *base;
        for (unsigned t = 0; t < kThreads; ++t)
            words()[t] = t;
    }
    ~Loaded() {
        module = nullptr;
        destroy_context(*context);
    }
    Loaded(const Loaded&) = delete;
    Loaded& operator=(const Loaded&) = delete;

    [[nodiscard]] std::uint32_t* words() const { return reinterpret_cast<std::uint32_t*>(memory); }
    [[nodiscard]] LaunchRequest request(unsigned blocks = 1) const {
        LaunchRequest r;
        r.function = {module, kernel};
        r.grid = {blocks, 1, 1};
        r.block = {kThreads, 1, 1};
        std::array<const void*, 1> arguments{&memory};
        r.parameters = pack_parameters(*kernel, const_cast<void* const*>(arguments.data()), nullptr);
        return r;
    }
    [[nodiscard]] std::shared_ptr<const jit::CompiledKernel> code(CodeWanted wanted) const {
        return kernel->compiled_for({kThreads}, jit::GridStride::alone, wanted);
    }

    std::shared_ptr<Context> context;
    std::shared_ptr<Module> module;
    Function* kernel;
    std::uint64_t memory = 0;

private:
    [[nodiscard]] std::shared_ptr<Module> load(int number, bool has_loop) const {
        LoadLog log;
        return Module::load(*context, long_kernel(number, has_loop), log);
    }
};

/// Each test's kernel is another one.
int next_number() {
    static std::atomic<int> number = 0;
    return ++number;
}

/// Keeps the thread busy that makes fast code, so that a busy machine does not decide which code comes first.
class Occupied {
public:
    Occupied()
        : begun_(BackgroundCompilation::begin([released = released_]() -> jit::Compilation {
              while (!*released)
                  std::this_thread::sleep_for(std::chrono::milliseconds(1));
              throw std::runtime_error("nothing to compile");
          })) {}
    ~Occupied() { release(); }
    Occupied(const Occupied&) = delete;
    Occupied& operator=(const Occupied&) = delete;
    void release() { *released_ = true; }

private:
    std::shared_ptr<std::atomic<bool>> released_ = std::make_shared<std::atomic<bool>>(false);
    std::shared_ptr<BackgroundCompilation> begun_;
};

class TestTiers : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (std::thread::hardware_concurrency() < 2) QSKIP("one processor makes fast code only");
    }

    void quick_code_comes_first_and_fast_code_takes_its_place() {
        const Occupied thread;
        const Loaded loaded(next_number());
        QVERIFY(loaded.code(CodeWanted::any)->is_quick());
        QVERIFY(!loaded.code(CodeWanted::fast)->is_quick());
        QVERIFY(!loaded.code(CodeWanted::any)->is_quick());
        QCOMPARE(loaded.code(CodeWanted::any), loaded.code(CodeWanted::fast));
    }

    void only_fast_code_is_kept_in_the_cache() {
        const int number = next_number();
        const QDir objects(QDir(qEnvironmentVariable("WARPLIGHT_CACHE_DIR")).filePath("objects"));
        const auto count = [&] { return objects.entryList({"*.wlobj"}, QDir::Files).size(); };
        const auto before = count();
        {
            const Occupied thread;
            const Loaded loaded(number);
            QVERIFY(loaded.code(CodeWanted::any)->is_quick());
            QVERIFY(!loaded.code(CodeWanted::fast)->from_cache());
            QCOMPARE(count(), before + 1);
        }
        const Loaded again(number);
        QVERIFY(again.code(CodeWanted::any)->from_cache());
        QVERIFY(!again.code(CodeWanted::any)->is_quick());
        QCOMPARE(count(), before + 1);
    }

    void launches_compute_the_same_before_and_after() {
        Occupied thread;
        const Loaded loaded(next_number());
        std::vector<std::uint32_t> values(kThreads);
        for (unsigned t = 0; t < kThreads; ++t)
            values[t] = t;
        bool was_quick = false, was_fast = false;
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!was_fast && std::chrono::steady_clock::now() < until) {
            run_launch(*loaded.context, loaded.request());
            for (std::uint32_t& v : values)
                v = expected(v);
            QVERIFY(std::memcmp(values.data(), loaded.words(), kThreads * sizeof(std::uint32_t)) == 0);
            (loaded.code(CodeWanted::any)->is_quick() ? was_quick : was_fast) = true;
            thread.release();
        }
        QVERIFY(was_quick);
        QVERIFY(was_fast);
    }

    void long_and_timed_launches_wait_for_fast_code() {
        const Loaded straight(next_number()), looping(next_number(), true);
        QVERIFY(code_wanted(straight.request()) == CodeWanted::any);
        QVERIFY(code_wanted(straight.request(1 << 20)) == CodeWanted::fast);
        QVERIFY(code_wanted(looping.request()) == CodeWanted::any);
        // A loop is taken to have some turns.
        QVERIFY(code_wanted(straight.request(1 << 10)) == CodeWanted::any);
        QVERIFY(code_wanted(looping.request(1 << 10)) == CodeWanted::fast);
        straight.context->is_timed = true;
        QVERIFY(code_wanted(straight.request()) == CodeWanted::fast);
        run_launch(*straight.context, straight.request());
        QVERIFY(!straight.code(CodeWanted::any)->is_quick());
    }

    void modules_and_contexts_go_while_fast_code_is_made() {
        for (int round = 0; round < 8; ++round) {
            Occupied thread;
            const Loaded loaded(next_number());
            const auto quick = loaded.code(CodeWanted::any);
            QVERIFY(quick->is_quick());
            thread.release();
            if (round % 2) unload(loaded.module);
        }
        BackgroundCompilation::wait_for_all();
    }

    void many_threads_ask_at_once() {
        for (int round = 0; round < 3; ++round) {
            const Loaded loaded(next_number());
            std::atomic<int> wrong = 0;
            std::vector<std::thread> threads;
            threads.reserve(6);
            for (int k = 0; k < 6; ++k)
                threads.emplace_back([&, k] {
                    const CodeWanted wanted = k % 3 == 2 ? CodeWanted::fast : CodeWanted::any;
                    for (int turn = 0; turn < 20; ++turn) {
                        const auto code = loaded.code(wanted);
                        if (!code || (wanted == CodeWanted::fast && code->is_quick())) ++wrong;
                    }
                });
            for (std::thread& t : threads)
                t.join();
            QCOMPARE(wrong.load(), 0);
            QVERIFY(!loaded.code(CodeWanted::any)->is_quick());
        }
    }

    void work_that_throws_is_told_to_who_waits() {
        const auto failing = BackgroundCompilation::begin(
            []() -> jit::Compilation { throw std::runtime_error("this cannot be compiled"); });
        QVERIFY(failing);
        failing->wait();
        QVERIFY(failing->is_done());
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, (void)failing->take());
    }

    void processes_end_while_fast_code_is_made() {
        if (has_thread_sanitizer) QSKIP("the thread sanitizer ends at the call by which Qt starts a process");
        for (int round = 0; round < 3; ++round) {
            QProcess process;
            process.start(QCoreApplication::applicationFilePath(), {"--launch-and-end", QString::number(1000 + round)});
            QVERIFY(process.waitForFinished(60'000));
            QCOMPARE(process.exitStatus(), QProcess::NormalExit);
            QCOMPARE(process.exitCode(), 0);
            QCOMPARE(process.readAllStandardOutput().trimmed(), QByteArray("quick"));
        }
    }
};

/// Ends in the middle: nothing is taken down.
int launch_and_end(int number) {
    auto* const thread = new Occupied;
    const auto* const loaded = new Loaded(number);
    run_launch(*loaded->context, loaded->request());
    const bool is_right = loaded->words()[5] == expected(5);
    std::printf("%s\n", loaded->code(CodeWanted::any)->is_quick() ? "quick" : "fast");
    thread->release();
    std::fflush(stdout);
    std::exit(is_right ? 0 : 1);
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], "--launch-and-end") == 0) return launch_and_end(std::atoi(argv[2]));
    const QTemporaryDir cache;
    qputenv("WARPLIGHT_CACHE_DIR", cache.path().toLocal8Bit());
    const QCoreApplication app(argc, argv);
    TestTiers test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_tiers.moc"
