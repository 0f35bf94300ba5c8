// SPDX-License-Identifier: Apache-2.0
// Misuse of the device interface's objects: each ends in an exception of the library's own that says what was wrong,
// never in a crash, and the context works on.
// On the device that WARPLIGHT_TEST_DRIVER names: software (the default) or cuda.
#include "graph_kernels.hpp"
#include "warplight/array.hpp"
#include "warplight/driver_memory_pool.hpp"
#include "warplight/event.hpp"
#include "warplight/function.hpp"
#include "warplight/graph.hpp"
#include "warplight/host_memory.hpp"
#include "warplight/library.hpp"
#include "warplight/managed_memory.hpp"
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

    /// The same, and the error names the driver's call, or none where the library itself objects, and what it was
    /// about.
    void refused_by(const std::string& routine, const std::string& entity, const char* what,
                    const std::function<void()>& call) {
        std::string wrong;
        refused(what, [&] {
            try {
                call();
            } catch (const Error& error) {
                // Newer drivers have newer forms of some calls.
                const bool named = routine.empty() ? error.routine().empty() : error.routine().starts_with(routine);
                if (!named || error.entity().find(entity) == std::string::npos)
                    wrong = "'" + error.routine() + "' of '" + error.entity() + "': " + error.what();
                throw;
            }
        });
        QVERIFY2(wrong.empty(), (std::string(what) + " names " + wrong).c_str());
    }

    /// What is free once nothing is held, and everything is done.
    static std::size_t free_memory() {
        Context::get_current().synchronize();
        return mem_get_info().free;
    }
    /// Of what was refused nothing is left. A GPU's driver keeps memory of its own as it likes.
    static void nothing_left(std::size_t free) {
        if (test_driver().name() == "software") QCOMPARE(free_memory(), free);
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

    void managed_memory() {
        const std::size_t free = free_memory();
        {
            const std::string range = "of 4096 bytes in context", allocation = "managed memory of 16 bytes in context";
            const auto make = [](unsigned flags) { managed_empty({16}, DType::uint8(), warplight::Order::C, flags); };
            refused_by("cuMemAllocManaged", allocation, "no flags", [&] { make(0); });
            refused_by("cuMemAllocManaged", allocation, "unknown flags", [&] { make(99); });
            refused_by("cuMemAllocManaged", allocation, "for one stream from the start", [&] { make(4); });
            refused_by("cuMemAllocManaged", "managed memory of 1152921504606846976 bytes", "as much as nobody has",
                       [] { managed_empty({std::size_t{1} << 60}, DType::uint8()); });
            refused_by("", "", "a shape of all", [] { managed_empty({kMost / 2, kMost / 2}, DType::uint64()); });

            const NdArray array = managed_zeros({1024}, DType::uint32());
            auto* managed = dynamic_cast<ManagedAllocation*>(array.base().get());
            QVERIFY(managed);
            const DevicePointer at(reinterpret_cast<device_ptr>(array.data()));
            const DeviceAllocation plain = mem_alloc(4096);
            const auto device = MemLocation::device(Device(0)), nowhere = MemLocation{mem_location_type::DEVICE, 99};
            const auto advise = [](DevicePointer from, std::size_t bytes) {
                mem_range_advise(from, bytes, mem_advise::SET_READ_MOSTLY);
            };
            refused_by("cuMemAdvise", range, "advice for other memory", [&] { advise(plain, 4096); });
            refused_by("cuMemAdvise", "of 0 bytes", "advice for nothing", [&] { advise(at, 0); });
            refused_by("cuMemAdvise", "of 8192 bytes", "advice past the end", [&] { advise(at, 8192); });
            refused_by("cuMemAdvise", "mem_advise_77", "no advice",
                       [&] { mem_range_advise(at, 4096, static_cast<mem_advise>(77)); });
            refused_by("cuMemAdvise", "SET_PREFERRED_LOCATION", "advice to go nowhere",
                       [&] { mem_range_advise(at, 4096, mem_advise::SET_PREFERRED_LOCATION, nowhere); });
            refused_by("cuMemPrefetchAsync", range, "fetching other memory",
                       [&] { mem_prefetch_async(plain, 4096, device); });
            refused_by("cuMemPrefetchAsync", "device 99", "fetching to nowhere",
                       [&] { mem_prefetch_async(at, 4096, nowhere); });
            refused_by("cuMemPrefetchAsync", "of 8192 bytes", "fetching past the end",
                       [&] { mem_prefetch_async(at, 8192, device); });
            refused_by("cuMemRangeGetAttribute", range, "attribute of other memory",
                       [&] { (void)mem_range_get_attribute(plain, 4096, mem_range_attribute::READ_MOSTLY); });
            refused_by("cuMemRangeGetAttribute", "mem_range_attribute_77", "no attribute",
                       [&] { (void)mem_range_get_attribute(at, 4096, static_cast<mem_range_attribute>(77)); });
            refused_by("cuPointerGetAttribute", "pointer_attribute_777", "no attribute of a pointer",
                       [&] { (void)pointer_get_attribute(at, static_cast<pointer_attribute>(777)); });
            const std::string whole = "managed memory of 4096 bytes";
            refused_by("cuStreamAttachMemAsync", whole, "the default stream's alone", [&] { managed->attach(4); });
            refused_by("", whole, "nobody's", [&] { managed->attach(77); });
            managed->free();
            refused_by("", whole, "freed twice", [&] { managed->free(); });
            refused_by("", whole, "attached when freed", [&] { managed->attach(1); });
            refused_by("cuMemAdvise", range, "advice for what was freed", [&] { advise(at, 4096); });
            refused_by("cuMemPrefetchAsync", range, "fetching what was freed",
                       [&] { mem_prefetch_async(at, 4096, device); });
        }
        nothing_left(free);
    }

    void pools() {
        const std::size_t free = free_memory();
        {
            DeviceMemoryPool pool;
            PooledDeviceAllocation block = pool.allocate(100);
            block.free();
            refused_by("", "allocation of 100 bytes", "given back twice", [&] { block.free(); });
            refused_by("", "allocation of 100 bytes", "used when given back", [&] { memset_d8(block, 0, 16); });
            refused_by("cuMemAlloc", "of a pool of device memory", "all bytes", [&] { pool.allocate(kMost); });
            refused_by("cuMemAlloc", "of a pool of device memory", "as much as nobody has",
                       [&] { pool.allocate(std::size_t{1} << 60); });
            refused_by("", "", "no bin", [] { (void)MemoryPool::alloc_size(100000); });
            QCOMPARE(pool.active_blocks(), std::size_t{0});
            PageLockedMemoryPool host;
            const NdArray array = host.allocate({16}, DType::uint8());
            auto* pages = dynamic_cast<PooledHostAllocation*>(array.base().get());
            QVERIFY(pages);
            pages->free();
            refused_by("", "pooled page-locked memory of 16 bytes", "pages given back twice", [&] { pages->free(); });
            refused_by("", "", "pages of a shape of all",
                       [&] { host.allocate({kMost / 2, kMost / 2}, DType::uint64()); });
            QCOMPARE(host.active_blocks(), std::size_t{0});
        }
        {
            const std::string itself = "memory pool of device 0";
            DriverMemoryPool pool{Device(0)};
            StreamOrderedAllocation memory = pool.allocate(64);
            memory.free();
            refused_by("", "allocation of 64 bytes", "freed twice", [&] { memory.free(); });
            refused_by("", "allocation of 64 bytes", "used when freed", [&] { memset_d8(memory, 0, 16); });
            refused_by("", "context", "no bytes", [&] { pool.allocate(0); });
            refused_by("cuMemAllocFromPoolAsync", itself, "all bytes", [&] { pool.allocate(kMost); });
            refused_by("cuMemAllocFromPoolAsync", itself, "as much as nobody has",
                       [&] { pool.allocate(std::size_t{1} << 50); });
            refused_by("cuMemAllocAsync", "allocation of", "all bytes of the default pool",
                       [] { mem_alloc_async(kMost); });
            refused_by("cuMemPoolSetAccess", itself, "the host's access",
                       [&] { pool.set_access(MemLocation::host(), mem_access_flags::PROT_READWRITE); });
            refused_by("cuMemPoolSetAccess", itself, "no kind of access",
                       [&] { pool.set_access(MemLocation::device(Device(0)), static_cast<mem_access_flags>(77)); });
            refused_by("cuMemPoolGetAccess", "device 99", "nobody's access",
                       [&] { (void)pool.get_access({mem_location_type::DEVICE, 99}); });
            refused_by("", itself, "the end of a pool of the driver's",
                       [] { DriverMemoryPool::default_of(Device(0)).destroy(); });
            refused_by("cuMemPoolCreate", "device 0", "larger than all addresses",
                       [] { const DriverMemoryPool large{Device(0), std::size_t{1} << 62}; });
            QCOMPARE(pool.used(), std::uint64_t{0});
            pool.destroy();
            refused_by("", itself, "allocated from when destroyed", [&] { pool.allocate(64); });
            refused_by("", itself, "destroyed twice", [&] { pool.destroy(); });
            refused_by("", itself, "changed when destroyed", [&] { pool.set_release_threshold(1); });
            refused_by("", itself, "made current when destroyed", [&] { pool.set_current(); });
        }
        nothing_left(free);
    }

    void libraries() {
        const std::size_t free = free_memory();
        {
            const Library library = library_from_buffer(std::string_view(kGraphKernels));
            refused_by("cuLibraryGetKernel", "kernel 'no such kernel' of library", "no such kernel",
                       [&] { (void)library.get_kernel("no such kernel"); });
            refused_by("cuLibraryGetKernel", "kernel '' of library", "no name", [&] { (void)library.get_kernel(""); });
            refused_by("cuLibraryGetGlobal", "variable 'add' of library", "a kernel for a variable",
                       [&] { (void)library.get_global("add"); });
            refused_by("cuLibraryGetGlobal", "variable '' of library", "no name of a variable",
                       [&] { (void)library.get_global(""); });
            refused_by("", "", "no file", [] { (void)library_from_file("no such folder/no such file"); });
            // A driver looks at code when something of it is asked for.
            const auto nonsense = [] { return library_from_buffer(std::string_view("nonsense")); };
            refused("a kernel of nonsense", [&] { (void)nonsense().get_kernel("add"); });
            refused("a module of nonsense", [&] { (void)nonsense().get_module(); });
            const Kernel kernel = library.get_kernel("add");
            const Device device(0);
            refused_by("cuKernelGetAttribute", "kernel add, attribute function_attribute_777", "no attribute",
                       [&] { (void)kernel.get_attribute(static_cast<function_attribute>(777), device); });
            refused_by("cuKernelSetAttribute", "kernel add, attribute NUM_REGS", "an attribute that is as it is",
                       [&] { kernel.set_attribute(function_attribute::NUM_REGS, 4, device); });
            refused_by("cuKernelSetAttribute", "MAX_DYNAMIC_SHARED_SIZE_BYTES", "too much shared memory", [&] {
                kernel.set_attribute(function_attribute::MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 30, device);
            });
            refused_by("cuKernelSetCacheConfig", "kernel add", "no preference",
                       [&] { kernel.set_cache_config(static_cast<func_cache>(77), device); });
            const DeviceAllocation memory = zeros(4);
            refused_by("", "kernel add", "too few arguments",
                       [&] { kernel.get_function()({.grid = {1}, .block = {4}}, memory, 1u); });
            Context::pop();
            const int codes[] = {code_of([&] { (void)library.get_module(); }),
                                 code_of([&] { (void)kernel.get_function(); }), code_of(nonsense)};
            context_->push();
            for (const int code : codes)
                QVERIFY(code != 0);
        }
        nothing_left(free);
    }

    void texture_objects() {
        const std::size_t free = free_memory();
        {
            Array array(ArrayDescriptor{16, 8, array_format::FLOAT, 1});
            const DeviceAllocation memory = mem_alloc(65536);
            const auto texture = [&](const char* what, const ResourceDescriptor& resource,
                                     const TextureDescriptor& how = {},
                                     const std::optional<ResourceViewDescriptor>& view = {}) {
                refused_by("cuTexObjectCreate", "new texture object of context", what,
                           [&] { const TextureObject object(resource, how, view); });
            };
            const auto of_array = ResourceDescriptor::array(array);
            const auto linear = [&](std::size_t at, unsigned channels, std::size_t bytes) {
                return ResourceDescriptor::linear(memory + at, array_format::FLOAT, channels, bytes);
            };
            texture("no array", {});
            ResourceDescriptor unknown = of_array;
            unknown.type = static_cast<resource_type>(77);
            texture("no type", unknown);
            texture("misaligned", linear(4, 1, 64));
            texture("three channels", linear(0, 3, 64));
            texture("all bytes", linear(0, 1, kMost));
            texture("misaligned rows", ResourceDescriptor::pitch2d(memory, array_format::FLOAT, 1, 8, 8, 33));
            texture("no filter", of_array, {.filter_mode = static_cast<filter_mode>(77)});
            texture("no address mode", of_array, {.address_mode = {static_cast<address_mode>(77)}});
            texture("no flags", of_array, {.flags = 0x80000000});
            texture("a view of another format", of_array, {},
                    ResourceViewDescriptor{.format = static_cast<resource_view_format>(1), .width = 16, .height = 8});
            refused_by("cuSurfObjectCreate", "new surface object of context", "a surface of linear memory",
                       [&] { const SurfaceObject object(linear(0, 1, 64)); });

            TextureObject first(of_array);
            TextureObject second = std::move(first);
            refused("moved from", [&] { (void)first.get_resource_descriptor(); });
            refused("freed when moved from", [&] { first.free(); });
            second.free();
            refused_by("", "texture object of context", "freed twice", [&] { second.free(); });
            refused_by("", "texture object of context", "asked when freed",
                       [&] { (void)second.get_texture_descriptor(); });
            const Array written(ArrayDescriptor3D{.width = 16,
                                                  .height = 8,
                                                  .format = array_format::FLOAT,
                                                  .num_channels = 1,
                                                  .flags = array3d_flags::SURFACE_LDST});
            SurfaceObject surface(written);
            surface.free();
            refused_by("", "surface object of context", "a surface freed twice", [&] { surface.free(); });
            refused_by("", "surface object of context", "a surface asked when freed",
                       [&] { (void)surface.get_resource_descriptor(); });

            const Context other = Device(0).make_context();
            std::optional<Array> of_other;
            of_other.emplace(ArrayDescriptor{16, 8, array_format::FLOAT, 1});
            Context::pop();
            texture("an array of another context", ResourceDescriptor::array(*of_other));
            of_other.reset();
            Context::pop();
            const int code = code_of([&] { const TextureObject object(of_array); });
            context_->push();
            QVERIFY(code != 0);
            array.free();
            refused_by("", "array of context", "an array that was freed",
                       [&] { (void)ResourceDescriptor::array(array); });
        }
        nothing_left(free);
    }

    /// An error without words of its own does not come with those of an error before it.
    void words_of_another_error() {
        const NdArray array = managed_zeros({1024}, DType::uint32());
        const DevicePointer at(reinterpret_cast<device_ptr>(array.data()));
        const DeviceAllocation plain = mem_alloc(4096);
        const auto detail = [](const std::function<void()>& call) {
            try {
                call();
            } catch (const Error& error) {
                return error.detail();
            }
            return std::string("nothing was thrown");
        };
        const std::string words = detail([&] { mem_range_advise(plain, 4096, mem_advise::SET_READ_MOSTLY); });
        if (test_driver().name() == "software") QCOMPARE(words, std::string("the memory is not managed"));
        QCOMPARE(detail([&] { mem_range_advise(at, 0, mem_advise::SET_READ_MOSTLY); }), std::string());
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
