// SPDX-License-Identifier: Apache-2.0
// Every call of the driver fails once, and every function is missing once, in a program that uses all of the device
// interface: what is thrown says which call it was, nothing is left over, and the device works as before. The failures
// are made in front of the software device, or with WARPLIGHT_TEST_DRIVER=cuda of NVIDIA's driver.
#include "failing_driver.hpp"
#include "graph_kernels.hpp"
#include "interface_kernels.hpp"
#include "warplight/array.hpp"
#include "warplight/event.hpp"
#include "warplight/function.hpp"
#include "warplight/graph.hpp"
#include "warplight/host_memory.hpp"
#include "warplight/library.hpp"
#include "warplight/linker.hpp"
#include "warplight/memory_pool.hpp"
#include "warplight/module.hpp"
#include "warplight/profiler.hpp"
#include "warplight/stream.hpp"
#include "warplight/structured_copy.hpp"
#include "warplight/texture.hpp"

#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <fstream>
#include <set>

using namespace warplight::driver;
using warplight::DType;
using warplight::MutableBuffer;
using warplight::NdArray;
using Words = std::vector<std::uint32_t>;

namespace {

constexpr char kReferences[] = R"(
.version 6.5
.target sm_75
.address_size 64
.global .texref image;
.global .surfref canvas;
.visible .entry nothing() { ret; }
)";

// What is queued may run after the program was left by an exception: it writes here.
Words kept_words(32);
std::atomic<int> called = 0;

struct Files {
    std::filesystem::path module, other, graph;
};

void devices(const Device& device) {
    (void)Device::count(device.driver());
    (void)device.name();
    (void)device.compute_capability();
    (void)device.total_memory();
    (void)device.uuid();
    (void)device.get_attribute(device_attribute::WARP_SIZE);
    (void)Device(device.pci_bus_id(), device.driver());
    (void)device.can_access_peer(device);
    (void)device.driver().version();
}

void contexts(const Context& context) {
    (void)context.get_limit(limit::STACK_SIZE);
    context.set_limit(limit::STACK_SIZE, 4096);
    (void)context.get_cache_config();
    context.set_cache_config(func_cache::PREFER_L1);
    (void)context.get_api_version();
    const ContextScope again(context);
    context.synchronize();
    start_profiler();
    stop_profiler();
}

void streams_and_events(const Function& add) {
    const DeviceAllocation memory = mem_alloc(1024);
    const Stream stream, other(stream_flags::NON_BLOCKING, get_stream_priority_range().greatest);
    Event first, second(event_flags::BLOCKING_SYNC);
    memset_d8_async(memory, 0, 1024, &stream);
    first.record(stream);
    other.wait_for_event(first);
    second.record_with_flags(&other, 0);
    other.synchronize();
    stream.synchronize();
    second.synchronize();
    (void)first.query();
    (void)second.time_since(first);
    (void)stream.is_done();
    (void)other.get_priority();
    (void)other.get_flags();
    (void)other.get_id();
    (void)other.get_context();
    stream.set_synchronization_policy(synchronization_policy::SPIN);
    (void)stream.get_synchronization_policy();
    other.copy_attributes(stream);
    stream.launch_host_func([] { ++called; });
    stream.add_callback([](int) { ++called; });
    stream.synchronize();
    stream.write_value_32(memory, 5);
    stream.wait_value_32(memory, 5);
    stream.batch_mem_op(std::vector<MemoryOperation>{{stream_batch_mem_op_type::WRITE_VALUE_32, memory.get(), 1, 0}});
    LaunchConfig config{.grid = {1}, .block = {32}, .stream = &stream};
    add(config, memory, 1u, 32u);
    config.cooperative = true;
    add(config, memory, 1u, 32u);
    config.priority = 0;
    add(config, memory, 1u, 32u);
    config = {.grid = {1}, .block = {32}, .time_kernel = true};
    (void)add(config, memory, 1u, 32u);
    stream.synchronize();
}

void memory() {
    DeviceAllocation first = mem_alloc(4096);
    const auto [pitched, pitch] = mem_alloc_pitch(64, 8, 4);
    (void)mem_get_info();
    (void)mem_get_address_range(first);
    memset_d8(first, 1, 64);
    memset_d16(first, 1, 64);
    memset_d32(first, 1, 64);
    memset_d2d8(pitched, pitch, 1, 64, 8);
    memset_d2d16(pitched, pitch, 1, 32, 8);
    memset_d2d32(pitched, pitch, 1, 16, 8);
    memset_d16_async(first, 1, 64);
    memset_d32_async(first, 1, 64);
    memset_d2d8_async(pitched, pitch, 1, 64, 8);
    memset_d2d16_async(pitched, pitch, 1, 32, 8);
    memset_d2d32_async(pitched, pitch, 1, 16, 8);
    Words words(64);
    memcpy_dtoh(words, first);
    memcpy_htod(first, words);
    memcpy_dtod(first, first + 512, 256);
    memcpy_dtod_async(first, first + 512, 256);
    const NdArray locked = pagelocked_zeros({64}, DType::uint32(), warplight::Order::C, host_alloc_flags::DEVICEMAP);
    auto& host = host_memory<PagelockedHostAllocation>(locked);
    (void)host.get_flags();
    (void)host.get_device_pointer();
    memcpy_htod_async(first, locked);
    memcpy_dtoh_async(locked, first);
    Context::get_current().synchronize();
    const NdArray aligned = aligned_zeros({4096}, DType::uint8());
    const NdArray registered = register_host_memory(aligned, mem_host_register_flags::DEVICEMAP);
    (void)host_memory<RegisteredHostMemory>(registered).get_device_pointer();
    const NdArray managed = managed_zeros({64}, DType::uint32());
    host_memory<ManagedAllocation>(managed).attach(mem_attach_flags::GLOBAL);
    Context::get_current().synchronize();
    DeviceMemoryPool pool;
    {
        const PooledDeviceAllocation pooled = pool.allocate(1000), another = pool.allocate(2000);
    }
    pool.free_held();
    PageLockedMemoryPool locked_pool;
    {
        const NdArray pooled = locked_pool.allocate({100}, DType::float32());
    }
    locked_pool.stop_holding();
    first.free();
}

void functions(const Module& module, const Files& files) {
    const Function saxpy = module.get_function("saxpy");
    (void)module.get_global("counter");
    (void)saxpy.num_regs();
    saxpy.set_attribute(function_attribute::MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024);
    saxpy.set_cache_config(func_cache::PREFER_L1);
    (void)saxpy.max_active_blocks_per_multiprocessor(64);
    (void)saxpy.max_active_blocks_per_multiprocessor(64, 0, 1);
    (void)saxpy.available_dynamic_shared_memory_per_block(1, 64);
    (void)saxpy.max_potential_block_size();
    (void)saxpy.max_potential_block_size(0, 0, 1);
    std::vector<float> x(32, 1.0F), y(32, 2.0F);
    saxpy({.grid = {1}, .block = {32}}, 32, 2.0F, In(x), InOut(y));
    const DeviceAllocation dx = to_device(x), dy = to_device(y);
    saxpy.prepare("ifPP");
    saxpy.prepared_call({1}, {32}, 32, 2.0F, dx, dy);
    (void)saxpy.prepared_timed_call({1}, {32}, 32, 2.0F, dx, dy)();
    saxpy.set_block_shape(32, 1, 1);
    saxpy.set_shared_size(0);
    saxpy.param_set(32, 2.0F, dx, dy);
    saxpy.launch();
    saxpy.launch_grid(1, 1);
    const Stream stream;
    saxpy.launch_grid_async(1, 1, stream);
    stream.synchronize();
    const Module from_file = module_from_file(files.module);
    (void)from_file.get_function("saxpy");
    bool linked = false;
    Linker linker([&](bool success, const std::string&, const std::string&) { linked = success; });
    linker.add_data(std::string_view(kGraphKernels), jit_input_type::PTX, "graph.ptx");
    linker.add_file(files.other, jit_input_type::PTX);
    (void)linker.link_module().get_function("add");
    const Library library = library_from_buffer(std::string_view(kKernels));
    (void)library.kernels();
    (void)library.get_global("counter");
    (void)library.get_module();
    const Kernel kernel = library.get_kernel("saxpy");
    const Device device = Context::get_current().get_device();
    (void)kernel.get_attribute(function_attribute::NUM_REGS, device);
    kernel.set_attribute(function_attribute::MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024, device);
    kernel.set_cache_config(func_cache::PREFER_L1, device);
    (void)kernel.get_function();
    (void)library_from_file(files.module);
}

void arrays_and_textures() {
    const Array array(ArrayDescriptor{16, 8, array_format::FLOAT, 1}),
        line(ArrayDescriptor{64, 0, array_format::FLOAT, 1});
    const Array canvas({16, 8, 0, array_format::FLOAT, 1, array3d_flags::SURFACE_LDST});
    (void)array.get_descriptor();
    (void)canvas.get_descriptor_3d();
    const MipmappedArray levels({16, 16, 0, array_format::FLOAT, 1, 0}, 3);
    (void)levels.get_level(1);
    const DeviceAllocation memory = mem_alloc(4096);
    std::vector<float> host(128);
    memcpy_htoa(line, 0, std::span(host).first(64));
    memcpy_atoh(std::span(host).first(64), line, 0);
    memcpy_dtoa(line, 0, memory, 256);
    memcpy_atod(memory, line, 0, 256);
    memcpy_atoa(line, 0, line, 128, 64);
    Memcpy2D plane;
    plane.set_src_host(host);
    plane.set_dst_array(array);
    plane.width_in_bytes = plane.src_pitch = 64;
    plane.height = 8;
    plane();
    plane(false);
    const Stream stream;
    plane(stream);
    stream.synchronize();
    Memcpy3D box;
    box.set_src_array(array);
    box.set_dst_device(memory);
    box.width_in_bytes = box.dst_pitch = 64;
    box.height = box.dst_height = 8;
    box.depth = 1;
    box();
    box(stream);
    stream.synchronize();
    const TextureObject texture(ResourceDescriptor::array(array));
    (void)texture.get_resource_descriptor();
    (void)texture.get_texture_descriptor();
    const SurfaceObject surface(canvas);
    (void)surface.get_resource_descriptor();
    const TextureReference reference;
    reference.set_format(array_format::FLOAT, 1);
    reference.set_address_mode(0, address_mode::CLAMP);
    reference.set_filter_mode(filter_mode::POINT);
    reference.set_flags(0);
    (void)reference.get_format();
    (void)reference.get_address_mode(0);
    (void)reference.get_filter_mode();
    (void)reference.get_flags();
    (void)reference.set_address(memory, 4096);
    (void)reference.get_address();
    reference.set_address_2d(memory, {16, 8, array_format::FLOAT, 1}, 64);
    reference.set_array(array);
    (void)reference.get_array();
    const Module module = module_from_buffer(std::string_view(kReferences));
    const TextureReference image = module.get_texref("image");
    image.set_array(array);
    const SurfaceReference drawn = module.get_surfref("canvas");
    drawn.set_array(canvas);
    (void)drawn.get_array();
}

void graphs(const Module& kernels, const Files& files) {
    const Function add = kernels.get_function("add");
    const DeviceAllocation memory = mem_alloc(256), more = mem_alloc(256);
    const LaunchConfig config{.grid = {1}, .block = {32}};
    Words& words = kept_words;
    Event event;
    Graph graph;
    const GraphNode in = graph.add_memcpy_htod_node({}, memory, words);
    const GraphNode kernel = graph.add_kernel_node({in}, add, config, memory, 1u, 32u);
    const GraphNode fill = graph.add_memset_node({kernel}, {.dest = more.get(), .value = 1, .width = 32});
    const GraphNode call = graph.add_host_node({fill}, [] { ++called; });
    const GraphNode out = graph.add_memcpy_dtoh_node({call}, words, memory);
    const GraphNode copy = graph.add_memcpy_dtod_node({out}, more, memory, 128);
    const GraphNode record = graph.add_event_record_node({copy}, event),
                    wait = graph.add_event_wait_node({record}, event);
    const GraphNode empty = graph.add_empty_node({wait});
    Graph child;
    child.add_kernel_node({}, add, config, more, 2u, 32u);
    const GraphNode nested = graph.add_child_graph_node({empty}, child);
    const std::vector<MemoryOperation> operations{{stream_batch_mem_op_type::WRITE_VALUE_32, memory.get(), 1, 0}};
    const GraphNode batch = graph.add_batch_mem_op_node({nested}, operations);
    (void)kernel.get_type();
    (void)kernel.get_grid();
    (void)kernel.get_argument(1, 4);
    kernel.set_kernel(add, config, memory, 3u, 32u);
    kernel.set_priority(0);
    (void)kernel.get_cooperative();
    in.set_memcpy_htod(memory, words);
    (void)copy.get_memcpy_bytes();
    (void)fill.get_memset();
    fill.set_memset({.dest = more.get(), .value = 2, .width = 32});
    call.set_host_function([] { ++called; });
    (void)nested.get_child_graph();
    (void)record.get_event();
    record.set_event(event);
    wait.set_event(event);
    (void)batch.get_memory_operations();
    batch.set_memory_operations(operations);
    (void)kernel.get_dependencies();
    (void)kernel.get_dependent_nodes();
    (void)graph.get_nodes();
    (void)graph.get_root_nodes();
    (void)graph.get_edges();
    graph.add_dependency(in, fill);
    graph.remove_dependency(in, fill);
    const Graph clone = graph.clone();
    clone.destroy_node(clone.find_in_clone(batch));
    graph.debug_dot_print(files.graph);
    const UserObject object([] {});
    graph.retain_user_object(object);
    graph.release_user_object(object);
    const Stream stream;
    const GraphExec exec = graph.instantiate();
    (void)graph.instantiate(graph_instantiate_flags::AUTO_FREE_ON_LAUNCH);
    exec.upload(stream);
    exec.launch(stream);
    stream.synchronize();
    exec.set_kernel(kernel, add, config, memory, 5u, 32u);
    exec.set_memcpy_htod(in, memory, words);
    exec.set_memset(fill, {.dest = more.get(), .value = 3, .width = 32});
    exec.set_host_function(call, [] { ++called; });
    exec.set_event(record, event);
    exec.set_enabled(kernel, false);
    (void)exec.get_enabled(kernel);
    (void)exec.get_flags();
    (void)exec.update(graph);
    stream.synchronize();
    const Graph captured = capture(stream, [&] {
        add({.grid = {1}, .block = {32}, .stream = &stream}, memory, 1u, 32u);
        (void)stream.is_capturing();
        (void)stream.get_capture_info();
    });
    stream.begin_capture_to_graph(child);
    memset_d32_async(memory, 1, 32, &stream);
    stream.end_capture_to_graph();
    {
        const CaptureModeScope relaxed(stream_capture_mode::RELAXED);
    }
    Graph with_memory;
    const GraphNode allocation = with_memory.add_mem_alloc_node({}, 1024);
    with_memory.add_mem_free_node({allocation}, allocation.get_address());
    with_memory.instantiate().launch(stream);
    stream.synchronize();
    graph_mem_trim(0);
    (void)get_graph_mem_attribute(0, graph_mem_attribute::USED_MEM_CURRENT);
    Context::get_current().synchronize();
}

/// A program that uses every class.
void program(const Driver& driver, const Files& files) {
    const Device device(0, driver);
    devices(device);
    const Context context = device.make_context();
    struct Popped {
        ~Popped() {
            try {
                Context::pop();
            } catch (const Error& error) {
                report_cleanup_failure(error);
            }
        }
    } const popped;
    contexts(context);
    memory();
    const Module module = module_from_buffer(std::string_view(kKernels), {{jit_option::OPTIMIZATION_LEVEL, 3}});
    const Module kernels = module_from_buffer(std::string_view(kGraphKernels));
    streams_and_events(kernels.get_function("add"));
    functions(module, files);
    arrays_and_textures();
    graphs(kernels, files);
    const Context primary = device.retain_primary_context();
}

struct Outcome {
    std::string thrown; ///< the routine of what was thrown; "-" without one
    std::string text;
    std::vector<std::string> reported; ///< routines of failed clean-ups
    bool ended = false;                ///< the program came to its end
    bool foreign = false;              ///< something else than an Error was thrown
};

Outcome run(const Driver& driver, const Files& files) {
    Outcome outcome;
    const Reporter before =
        set_cleanup_reporter([&](const Error& error) { outcome.reported.push_back(error.routine()); });
    try {
        program(driver, files);
        outcome.ended = true;
    } catch (const Error& error) {
        outcome.thrown = error.routine().empty() ? "-" : error.routine();
        outcome.text = error.what();
    } catch (const std::exception& error) {
        outcome.foreign = true;
        outcome.text = error.what();
    }
    set_cleanup_reporter(before);
    return outcome;
}

} // namespace

class FaultInjectionTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    Files files_;
    std::optional<Driver> device_;
    std::optional<Context> outside_; ///< of the device itself: to ask how much memory is free

    std::size_t free_memory() const {
        const ContextScope scope(*outside_);
        outside_->synchronize();
        return mem_get_info().free;
    }
    /// What is wrong after a run; empty when nothing is.
    std::string leftovers(bool context_kept_them) const {
        const failing_driver::Control& control = failing_driver::control();
        std::string text;
        for (std::size_t k = 0; k < control.live.size(); ++k)
            if (control.live[k] != 0 && !(context_kept_them && failing_driver::kinds()[k].of_context))
                text += std::to_string(control.live[k]) + " " + failing_driver::kinds()[k].name + " left; ";
        CUcontext current = nullptr;
        device_->state().functions.fn_cuCtxGetCurrent(&current);
        if (current) {
            text += "a context is still current; ";
            device_->state().functions.fn_cuCtxSetCurrent(nullptr);
        }
        return text;
    }

private slots:
    void initTestCase() {
        files_ = {folder_.filePath("module.ptx").toStdString(), folder_.filePath("other.ptx").toStdString(),
                  folder_.filePath("graph.dot").toStdString()};
        std::ofstream(files_.module) << kKernels;
        std::ofstream(files_.other)
            << ".version 6.5\n.target sm_75\n.address_size 64\n.visible .entry other() { ret; }\n";
        device_ = test_driver();
        outside_ = Device(0, *device_).make_context();
        Context::pop();
        const Driver driver = failing_driver::make(*device_);
        failing_driver::begin(-1);
        const Outcome outcome = run(driver, files_);
        QVERIFY2(outcome.ended, outcome.text.c_str());
        QVERIFY2(outcome.reported.empty(), outcome.reported.empty() ? "" : outcome.reported.front().c_str());
        const std::string left = leftovers(false);
        QVERIFY2(left.empty(), left.c_str());
        // Of the interface's calls this program makes most; those of other devices, processes and windows it cannot.
        std::size_t used = 0;
        for (const bool each : failing_driver::control().used)
            used += each;
        QVERIFY2(used > 200, std::to_string(used).c_str());
    }
    void cleanupTestCase() { outside_.reset(); }

    void every_call_fails_once() {
        const Driver driver = failing_driver::make(*device_);
        failing_driver::begin(-1);
        QVERIFY(run(driver, files_).ended);
        const long calls = failing_driver::control().calls;
        const std::size_t free = free_memory();
        constexpr int operating_system = 304;
        // Whose failure leaves nothing to say: the thread's current context is put back as far as that goes.
        // What a driver may lack, and what only a message would say, is asked for without a need; and what is released
        // is waited for as far as that goes.
        const std::set<std::string> silent = {"cuCtxSetCurrent",    "cuCtxPopCurrent",
                                              "cuFuncGetParamInfo", "cuGraphNodeGetType",
                                              "cuCtxSynchronize",   "cuThreadExchangeStreamCaptureMode"};
        std::string problems;
        int wrong = 0;
        for (long n = 0; n < calls && wrong < 20; ++n) {
            failing_driver::begin(n, operating_system);
            const Outcome outcome = run(driver, files_);
            const failing_driver::Control& control = failing_driver::control();
            const std::string name =
                control.failed < 0 ? "" : warplight::driver::detail::kEntryPointTable[control.failed].name;
            const bool reported =
                std::find(outcome.reported.begin(), outcome.reported.end(), name) != outcome.reported.end();
            // Without a current context a clean-up cannot release anything: the context's end does.
            const bool no_scope = name == "cuCtxGetCurrent" || name == "cuCtxPushCurrent";
            std::string problem;
            if (name.empty()) continue; // one call less this time: what is queued may be done already
            if (outcome.foreign) problem += "something else was thrown; ";
            if (outcome.thrown != name && !reported && !silent.contains(name)) problem += "nothing named the call; ";
            problem += leftovers(no_scope);
            if (problem.empty()) continue;
            ++wrong;
            problems += "\ncall " + std::to_string(n) + ", " + name + ": " + problem + " thrown: " + outcome.thrown +
                        " " + outcome.text;
        }
        QVERIFY2(problems.empty(), problems.c_str());
        failing_driver::begin(-1);
        QVERIFY(run(driver, files_).ended);
        QCOMPARE(free_memory(), free);
    }

    void every_function_is_missing_once() {
        const Driver whole = failing_driver::make(*device_);
        failing_driver::begin(-1);
        QVERIFY(run(whole, files_).ended);
        const auto used = failing_driver::control().used;
        std::string problems;
        for (std::size_t i = 0; i < used.size(); ++i) {
            if (!used[i]) continue;
            const Driver driver = failing_driver::make(*device_, i);
            failing_driver::begin(-1);
            const Outcome outcome = run(driver, files_);
            const auto& entry = warplight::driver::detail::kEntryPointTable[i];
            const bool reported =
                std::find(outcome.reported.begin(), outcome.reported.end(), entry.name) != outcome.reported.end();
            std::string problem;
            if (outcome.foreign) problem += "something else was thrown; ";
            // What an older function can do is done by that.
            if (outcome.thrown != entry.name && !reported && !outcome.ended) problem += "nothing named the function; ";
            const failing_driver::Roles role = failing_driver::roles()[i];
            const bool no_scope = std::string_view(entry.name) == "cuCtxGetCurrent";
            if (role.releases < 0)
                problem += leftovers(no_scope);
            else
                (void)leftovers(true);
            if (!problem.empty())
                problems += std::string("\nwithout ") + entry.member + ": " + problem + " thrown: " + outcome.thrown +
                            " " + outcome.text;
        }
        QVERIFY2(problems.empty(), problems.c_str());
    }
};

QTEST_GUILESS_MAIN(FaultInjectionTest)
#include "fault_injection_test.moc"
