// SPDX-License-Identifier: Apache-2.0
// Kernels try to reach the host's memory in every way that PTX has. No access may succeed: each ends as a fault.
#include "access_forms.hpp"
#include "host_ranges.hpp"
#include "software/jit/jit.hpp"
#include "software/ptx/parser.hpp"
#include "software/runtime/address_space.hpp"
#include "software/runtime/block_scheduler.hpp"
#include "software/runtime/local_memory.hpp"
#include "software/runtime/services.hpp"
#include "software/runtime/shared_window.hpp"
#include "software/runtime/trap.hpp"

#include <QtTest>

#include <array>
#include <random>
#include <tuple>

using namespace warplight;
using namespace warplight::software;

namespace {

constexpr std::uint64_t kBufferBytes = std::uint64_t{64} << 10;
constexpr unsigned kThreads = 32;

struct Kernel {
    std::shared_ptr<const jit::CompiledKernel> code;
    std::uint64_t shared_bytes = 512;
};

struct Arguments {
    std::uint64_t buffer, target, way;
};

/// Runs one block. False: it ended in a fault.
bool run(const Kernel& kernel, const Arguments& arguments, SharedWindow& window) {
    const LaunchMemory parameters(reinterpret_cast<const std::byte*>(&arguments), sizeof arguments);
    LaunchContext launch{};
    launch.parameters = parameters.data();
    std::tie(launch.local_begin, launch.local_bytes) = local_range();
    launch.ntid[0] = launch.block_threads = kThreads;
    launch.ntid[1] = launch.ntid[2] = launch.nctaid[0] = launch.nctaid[1] = launch.nctaid[2] = 1;
    for (unsigned axis = 0; axis < 3; ++axis)
        launch.cluster[axis] = launch.nclusters[axis] = 1;
    launch.cluster_blocks = launch.nsmid = 1;
    launch.static_shared = static_cast<std::uint32_t>(kernel.shared_bytes);
    std::byte* shared = window.fit(kernel.shared_bytes, 128);
    const LocalStack::Scope locals;
    Trap trap;
    if (kernel.code->mode() == jit::Mode::loop) {
        BlockContext block{};
        block.launch = &launch;
        block.shared = block.cluster_shared = shared;
        struct Call {
            jit::CompiledKernel::RunBlock run;
            BlockContext* block;
        } call{kernel.code->run_block(), &block};
        return run_guarded([](void* c) { static_cast<Call*>(c)->run(static_cast<Call*>(c)->block); }, &call, trap);
    }
    thread_local BlockScheduler block;
    block.begin(launch, kernel.code->start_thread(), kernel.code->run_round(), shared, 0, 0, kernel.code->width());
    return run_guarded(
        [](void* b) {
            while (static_cast<BlockScheduler*>(b)->turn() == BlockScheduler::Turn::working) {
            }
        },
        &block, trap);
}

/// What is mapped into this process outside of the device's window.
std::vector<HostRange> host_memory() {
    std::vector<HostRange> ranges = host_ranges();
    std::erase_if(ranges, [](const HostRange& r) { return AddressSpace::instance().covers(r.begin); });
    return ranges;
}

/// Addresses of the host, addresses at the edges of the window, and any others.
class Targets {
public:
    explicit Targets(std::uint64_t seed) : random_(seed), host_(host_memory()) {}

    std::uint64_t next() {
        for (;;) {
            const std::uint64_t target = any() & ~std::uint64_t{63};
            // What is in the window may be reached.
            if (!AddressSpace::instance().covers(target)) return target;
        }
    }
    /// Somewhere in each piece of the host's memory.
    std::vector<std::uint64_t> all_of_host() {
        std::vector<std::uint64_t> all;
        for (const HostRange& r : host_)
            all.push_back((r.begin + random_() % (r.end - r.begin)) & ~std::uint64_t{63});
        return all;
    }

private:
    std::uint64_t any() {
        switch (random_() % 8) {
        case 0: return random_();
        case 1: return random_() >> 16;
        case 2: return kWindowEnd + random_() % (2 * kWindowSlack) - kWindowSlack;
        case 3: return 0 - random_() % (2 * kWindowSlack);
        case 4: return random_() >> (random_() % 64);
        default: {
            const HostRange& r = host_[random_() % host_.size()];
            return r.begin + random_() % (r.end - r.begin);
        }
        }
    }

    std::mt19937_64 random_;
    std::vector<HostRange> host_;
};

Kernel compile(const AccessForm& form, unsigned width, jit::Walls walls) {
    auto parsed = ptx::parse(form.text);
    if (const auto* error = std::get_if<ptx::ParseError>(&parsed))
        throw std::runtime_error(form.name + ": " + std::to_string(error->line) + ": " + error->message);
    const ptx::Module& module = std::get<ptx::Module>(parsed);
    for (ptx::FunctionId id = 0; id < module.functions.size(); ++id) {
        if (!module.functions[id].kernel) continue;
        jit::Options options;
        options.width = width;
        options.gain = jit::Gain::ignored;
        options.walls = walls;
        return {jit::compile(module, id, jit::VariableAddresses(module.variables.size()), options).kernel};
    }
    throw std::runtime_error("no kernel");
}

} // namespace

class AccessesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        install_trap_handler();
        link_services();
        if (AddressSpace::instance().walls() == jit::Walls::none)
            QSKIP("no window: a limit on address space leaves no room for it");
        const auto buffer = AddressSpace::instance().allocate(kBufferBytes, Allocation::Kind::device, 0, nullptr);
        QVERIFY(buffer.has_value());
        buffer_ = *buffer;
    }

    /// Without the wall the host's memory is reached, so the tests below would see it.
    void without_a_wall() {
        alignas(64) std::array<std::uint8_t, 64> host{};
        const auto target = reinterpret_cast<std::uint64_t>(host.data());
        SharedWindow window;
        const Kernel kernel = compile(access_forms().front(), 1, jit::Walls::none);
        QVERIFY(run(kernel, {buffer_, target, target - buffer_}, window));
        QCOMPARE(host[0], std::uint8_t{kThreads - 1});
        host = {};
        const Kernel walled = compile(access_forms().front(), 1, AddressSpace::instance().walls());
        QVERIFY(!run(walled, {buffer_, target, target - buffer_}, window));
        QCOMPARE(host[0], std::uint8_t{0});
    }

    void every_form_data() {
        QTest::addColumn<int>("form");
        QTest::addColumn<unsigned>("width");
        const auto forms = access_forms();
        for (std::size_t k = 0; k < forms.size(); ++k)
            for (const unsigned width : {1U, 8U, 32U})
                QTest::addRow("%s, %u lanes", forms[k].name.c_str(), width) << static_cast<int>(k) << width;
    }
    void every_form() {
        QFETCH(int, form);
        QFETCH(unsigned, width);
        const AccessForm f = access_forms()[static_cast<std::size_t>(form)];
        const Kernel kernel = compile(f, width, AddressSpace::instance().walls());
        if (!kernel.code) QSKIP("not with so many lanes");
        SharedWindow window;
        // The form does what it says: its access of the buffer is an access.
        QVERIFY(run(kernel, {buffer_, buffer_ + 4096, 4096}, window));
        const std::uint64_t seed = std::random_device{}();
        Targets targets(seed);
        for (const std::uint64_t target : targets.all_of_host())
            QVERIFY2(!run(kernel, {buffer_, target, target - buffer_}, window),
                     qPrintable("reached " + QString::number(target, 16)));
#ifdef WARPLIGHT_SANITIZED // faults take longer there
        constexpr int kTargets = 50;
#else
        constexpr int kTargets = 5000; // 10^6 in all
#endif
        for (int k = 0; k < kTargets; ++k) {
            const std::uint64_t target = targets.next();
            QVERIFY2(!run(kernel, {buffer_, target, target - buffer_}, window),
                     qPrintable(QString("reached %1, seed %2").arg(target, 0, 16).arg(seed)));
        }
    }

private:
    std::uint64_t buffer_ = 0;
};

QTEST_GUILESS_MAIN(AccessesTest)
#include "accesses_test.moc"
