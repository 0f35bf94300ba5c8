// SPDX-License-Identifier: Apache-2.0
// Misuse of the device interface's objects: each ends in an exception of the library's own that says what was wrong,
// never in a crash, and the context works on.
// On the device that WARPLIGHT_TEST_DRIVER names: software (the default) or cuda.
#include "graph_kernels.hpp"
#include "warplight/array.hpp"
#include "warplight/event.hpp"
#include "warplight/function.hpp"
#include "warplight/graph.hpp"
#include "warplight/host_memory.hpp"
#include "warplight/library.hpp"
#include "warplight/memory_pool.hpp"
#include "warplight/module.hpp"
#include "warplight/stream.hpp"
#include "warplight/structured_copy.hpp"
#include "warplight/texture.hpp"

#include <QtTest>

#include <functional>
#include <limits>
#include <optional>
#include <thread>

using namespace warplight::driver;
using warplight::DType;
using warplight::NdArray;

namespace {
constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
}

class InterfaceMisuseTest : public QObject {
    Q_OBJECT
    std::optional<Context> context_;
    std::optional<Module> module_;
    std::optional<Function> add_;

    /// What the call throws is an Error of the library, and the device works on.
    void refused(const char* what, const std::function<void()>& call) {
        std::string wrong = "nothing was thrown";
        try {
            call();
        } catch (const Error& error) {
            wrong = std::string(error.what()).empty() ? "an error without a text" : "";
        } catch (const std::exception& error) {
            wrong = std::string("something else was thrown: ") + error.what();
        }
        QVERIFY2(wrong.empty(), (std::string(what) + ": " + wrong).c_str());
        const DeviceAllocation memory = zeros(4);
        (*add_)({.grid = {1}, .block = {4}}, memory, 7u, 4u);
        QVERIFY2(words_of(memory, 4) == std::vector<std::uint32_t>(4, 7), what);
    }

private slots:
    void initTestCase() {
        Driver::set_default(test_driver());
        context_ = Device(0).make_context();
        module_ = module_from_buffer(std::string_view(kGraphKernels));
        add_ = module_->get_function("add");
    }
    void cleanupTestCase() {
        add_.reset();
        module_.reset();
        Context::pop();
        context_.reset();
    }

    void moved_from_objects() {
        DeviceAllocation memory = mem_alloc(64);
        const DeviceAllocation other = std::move(memory);
        refused("memory", [&] { memset_d8(memory, 0, 64); });
        refused("memory again", [&] { memory.free(); });
        Stream stream;
        const Stream moved = std::move(stream);
        refused("stream", [&] { stream.synchronize(); });
        Event event;
        const Event kept = std::move(event);
        refused("event", [&] { event.record(moved); });
        Graph graph;
        const Graph second = std::move(graph);
        refused("graph", [&] { (void)graph.get_nodes(); });
    }

    void freed_memory() {
        DeviceAllocation memory = mem_alloc(64);
        memory.free();
        std::vector<std::uint32_t> words(16);
        refused("copy from", [&] { memcpy_dtoh(words, memory); });
        refused("fill", [&] { memset_d32(memory, 1, 4); });
        refused("kernel", [&] { (*add_)({.grid = {1}, .block = {4}}, memory, 1u, 4u); });
    }

    void sizes() {
        const DeviceAllocation memory = mem_alloc(64);
        std::vector<std::uint32_t> words(17);
        refused("no bytes", [] { mem_alloc(0); });
        refused("all bytes", [] { mem_alloc(kMost); });
        refused("nearly all bytes", [] { mem_alloc(kMost - 15); });
        refused("pitch of all", [] { mem_alloc_pitch(kMost, 2, 4); });
        refused("rows of all", [] { mem_alloc_pitch(64, kMost, 4); });
        refused("element of 3", [] { mem_alloc_pitch(64, 2, 3); });
        refused("past the end", [&] { memcpy_dtoh(words, memory); });
        refused("to past the end", [&] { memcpy_htod(memory, words); });
        refused("fill past the end", [&] { memset_d8(memory, 0, 65); });
        refused("fill of all", [&] { memset_d32(memory, 0, kMost / 2); });
        refused("misaligned fill", [&] { memset_d32(memory + 1, 0, 1); });
        refused("rows past the end", [&] { memset_d2d8(memory, 32, 0, 32, 3); });
        refused("array of nothing", [] { Array(ArrayDescriptor{0, 0, array_format::FLOAT, 1}); });
        refused("array of three channels", [] { Array(ArrayDescriptor{16, 16, array_format::FLOAT, 3}); });
        refused("array of all", [] { Array(ArrayDescriptor{kMost, kMost, array_format::FLOAT, 4}); });
        refused("shape of all", [] { pagelocked_zeros({kMost / 2, kMost / 2}, DType::float64()); });
    }

    void arguments_of_kernels() {
        const DeviceAllocation memory = zeros(4);
        const LaunchConfig four{.grid = {1}, .block = {4}};
        refused("too few", [&] { (*add_)(four, memory, 1u); });
        refused("too many", [&] { (*add_)(four, memory, 1u, 4u, 5u); });
        refused("of another size", [&] { (*add_)(four, memory, 1.0, 4u); });
        refused("no threads", [&] { (*add_)({.grid = {1}, .block = {0}}, memory, 1u, 4u); });
        refused("no blocks", [&] { (*add_)({.grid = {0}, .block = {4}}, memory, 1u, 4u); });
        refused("too many threads", [&] { (*add_)({.grid = {1}, .block = {1025}}, memory, 1u, 4u); });
        refused("too much shared memory",
                [&] { (*add_)({.grid = {1}, .block = {4}, .shared = 1u << 30}, memory, 1u, 4u); });
        refused("prepared with nonsense", [&] { add_->prepare("Pz!"); });
        refused("no such kernel", [&] { (void)module_->get_function("no such kernel"); });
        refused("no such variable", [&] { (void)module_->get_global(""); });
        refused("no code", [] { (void)module_from_buffer(std::string_view("")); });
        refused("no file", [] { (void)module_from_file("no such folder/no such file"); });
    }

    void copies_of_regions() {
        const Array array(ArrayDescriptor{16, 8, array_format::FLOAT, 1});
        std::vector<float> host(128);
        Memcpy2D copy;
        refused("nothing set", [&] {
            copy.width_in_bytes = 64;
            copy.height = 8;
            copy();
        });
        copy.set_src_host(host);
        copy.set_dst_array(array);
        copy.src_pitch = 64;
        copy.height = 9;
        refused("too many rows", [&] { copy(); });
        copy.height = 8;
        copy.src_pitch = 32;
        refused("rows that overlap", [&] { copy(); });
        copy.src_pitch = 64;
        copy.dst_x_in_bytes = kMost - 3;
        refused("far to the right", [&] { copy(); });
        copy.dst_x_in_bytes = 0;
        copy.width_in_bytes = kMost;
        refused("as wide as all", [&] { copy(); });
    }

    void objects_of_another_context() {
        const Context other = Device(0).make_context();
        std::optional<Stream> stream;
        std::optional<Event> event;
        stream.emplace();
        event.emplace();
        Context::pop();
        const DeviceAllocation memory = zeros(4);
        refused("a kernel's stream", [&] { (*add_)({.grid = {1}, .block = {4}, .stream = &*stream}, memory, 1u, 4u); });
        refused("an event's stream", [&] {
            Event mine;
            mine.record(*stream);
        });
        // Each is released in its own context.
        stream.reset();
        event.reset();
        QVERIFY(Context::get_current() == *context_);
    }

    void without_a_context() {
        Context::pop();
        std::vector<int> codes;
        const auto code = [&](const std::function<void()>& call) { codes.push_back(code_of(call)); };
        code([] { mem_alloc(64); });
        code([] { const Stream stream; });
        code([] { const Event event; });
        code([] { const Array array(ArrayDescriptor{16, 8, array_format::FLOAT, 1}); });
        code([] { (void)module_from_buffer(std::string_view(kGraphKernels)); });
        code([] { Context::pop(); });
        code([] { (void)mem_get_info(); });
        context_->push();
        QVERIFY2(std::none_of(codes.begin(), codes.end(), [](int each) { return each == 0; }), "one was accepted");
        std::thread([&] { codes.front() = code_of([] { mem_alloc(64); }); }).join();
        QVERIFY(codes.front() != 0);
    }

    void after_the_context() {
        std::optional<Context> gone = Device(0).make_context();
        DeviceAllocation memory = mem_alloc(64);
        Stream stream;
        Event event;
        const Module module = module_from_buffer(std::string_view(kGraphKernels));
        const Function add = module.get_function("add");
        gone->detach();
        gone.reset();
        // They keep what they belong to, or say that it is gone.
        for (const auto& call : std::vector<std::function<void()>>{
                 [&] { stream.synchronize(); }, [&] { (void)event.query(); }, [&] { (void)add.num_regs(); }}) {
            try {
                call();
            } catch (const Error&) { // told
            }
        }
        refused("memory of a context that is not there", [&] {
            memory.free();
            memory.free();
            memset_d8(memory, 0, 64);
        });
    }
};

QTEST_GUILESS_MAIN(InterfaceMisuseTest)
#include "interface_misuse_test.moc"
