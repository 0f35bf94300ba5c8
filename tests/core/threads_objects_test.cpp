// SPDX-License-Identifier: Apache-2.0
// Eight threads and all devices (two software devices): every thread makes objects of a kind, uses and ends them, in
// contexts that all of them share.
#include "threads.hpp"
#include "warplight/array.hpp"
#include "warplight/array_copies.hpp"
#include "warplight/event.hpp"
#include "warplight/graph.hpp"
#include "warplight/host_memory.hpp"
#include "warplight/library.hpp"
#include "warplight/linker.hpp"
#include "warplight/managed_memory.hpp"
#include "warplight/structured_copy.hpp"
#include "warplight/texture.hpp"

#include <QtTest>

#include <atomic>
#include <numeric>
#include <optional>

using namespace warplight::driver;

namespace {

constexpr unsigned kRounds = 12, kTexels = 128;

constexpr char kFetch[] = R"(
.version 6.5
.target sm_75
.address_size 64

.extern .func (.param .b64 malloc_result) malloc(.param .b64 malloc_size);
.extern .func free(.param .b64 free_pointer);

.global .texref image;

// out[i] = the i-th texel of a texture object
.visible .entry fetch(.param .u64 fetch_texture, .param .u64 fetch_out)
{
    .reg .f32 %f<1>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd0, [fetch_texture];
    ld.param.u64 %rd1, [fetch_out];
    mov.u32 %r0, %tid.x;
    cvt.rn.f32.u32 %f0, %r0;
    tex.1d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [%rd0, {%f0}];
    mul.wide.u32 %rd2, %r0, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;
}

// the same of the texture reference
.visible .entry fetch_image(.param .u64 fetch_image_out)
{
    .reg .f32 %f<1>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [fetch_image_out];
    mov.u32 %r0, %tid.x;
    cvt.rn.f32.u32 %f0, %r0;
    tex.1d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [image, {%f0}];
    mul.wide.u32 %rd2, %r0, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;
}

// out[i] = what thread i wrote to memory of the kernels' heap
.visible .entry heap(.param .u64 heap_out, .param .u32 heap_value)
{
    .reg .b32 %r<6>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd0, [heap_out];
    ld.param.u32 %r0, [heap_value];
    mov.u32 %r1, %tid.x;
    add.u32 %r2, %r0, %r1;
    mov.u64 %rd1, 64;
    {
    .param .b64 size;
    .param .b64 result;
    st.param.b64 [size], %rd1;
    call.uni (result), malloc, (size);
    ld.param.b64 %rd2, [result];
    }
    st.u32 [%rd2], %r2;
    ld.u32 %r3, [%rd2];
    {
    .param .b64 pointer;
    st.param.b64 [pointer], %rd2;
    call.uni free, (pointer);
    }
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd0, %rd3;
    st.global.u32 [%rd4], %r3;
    ret;
}
)";

/// 0, 1, 2, … from a thread's own first number on.
std::vector<std::uint32_t> numbers(unsigned thread, unsigned round) {
    std::vector<std::uint32_t> words(kTexels);
    std::iota(words.begin(), words.end(), thread * 10000 + round * 1000);
    return words;
}

void expect_same(const std::vector<std::uint32_t>& words, const std::vector<std::uint32_t>& expected) {
    for (std::size_t i = 0; i < words.size(); ++i)
        expect(words[i] == expected[i], std::to_string(words[i]) + " instead of " + std::to_string(expected[i]));
}

std::size_t device_of(const Devices& devices, unsigned thread, unsigned round) {
    return (thread + round) % devices.count();
}

} // namespace

class ThreadsObjectsTest : public QObject {
    Q_OBJECT
private slots:
    void libraries_and_modules() {
        Devices devices;
        std::optional<Library> shared;
        {
            const ContextScope scope(devices.contexts[0]);
            shared = library_from_buffer(std::string_view(kGraphKernels));
        }
        const std::string failed = in_threads([&](unsigned thread) {
            for (unsigned round = 0; round < kRounds; ++round) {
                const std::size_t device = device_of(devices, thread, round);
                const ContextScope scope(devices.contexts[device]);
                const Stream stream(stream_flags::NON_BLOCKING);
                const DeviceAllocation memory = zeros(kWords);
                // The library's module of a context is loaded when the first thread asks.
                shared->get_kernel("add").get_function()(in(stream), memory, thread, kWords);
                const Library own = library_from_buffer(std::string_view(kGraphKernels));
                own.get_kernel("add").get_function()(in(stream), memory, 1u, kWords);
                const Module module = module_from_buffer(std::string_view(kGraphKernels));
                module.get_function("add")(in(stream), memory, 1u, kWords);
                Linker linker;
                linker.add_data(std::string_view(kGraphKernels), jit_input_type::PTX);
                const Module linked = linker.link_module();
                linked.get_function("add")(in(stream), memory, 1u, kWords);
                stream.synchronize();
                expect_words(memory, thread + 3);
                expect(own.kernels().size() == module.functions().size(), "the kernels are not the functions");
            }
        });
        QVERIFY2(failed.empty(), failed.c_str());
    }

    void captures_and_graphs() {
        Devices devices;
        std::atomic<unsigned> called = 0, destroyed = 0;
        const std::string failed = in_threads([&](unsigned thread) {
            for (unsigned round = 0; round < kRounds; ++round) {
                const std::size_t device = device_of(devices, thread, round);
                const ContextScope scope(devices.contexts[device]);
                const Function add = devices.add[device];
                const Stream stream(stream_flags::NON_BLOCKING), other(stream_flags::NON_BLOCKING);
                // Waiting for the whole context would end the others' captures.
                const DeviceAllocation memory = mem_alloc(kWords * 4), more = mem_alloc(kWords * 4);
                memset_d32_async(memory, 0, kWords, &stream);
                memset_d32_async(more, 0, kWords, &stream);
                Event fork, join;
                const Graph graph = capture(
                    stream,
                    [&] {
                        fork.record(stream);
                        other.wait_for_event(fork);
                        add(in(other), more, 2u, kWords);
                        add(in(stream), memory, thread, kWords);
                        join.record(other);
                        stream.wait_for_event(join);
                        stream.launch_host_func([&called] { ++called; });
                    },
                    stream_capture_mode::THREAD_LOCAL);
                {
                    const UserObject object([&destroyed] { ++destroyed; });
                    graph.retain_user_object(object);
                }
                const GraphExec exec = graph.instantiate();
                for (int i = 0; i < 3; ++i)
                    exec.launch(i % 2 ? other : stream);
                stream.synchronize();
                other.synchronize();
                expect_words(memory, 3 * thread);
                expect_words(more, 6);
                // With memory of its own.
                Graph owner;
                const GraphNode taken = owner.add_mem_alloc_node({}, kWords * 4);
                const device_ptr address = taken.get_address();
                GraphNode last = owner.add_memset_node(
                    {taken}, {.dest = address, .value = thread, .element_size = 4, .width = kWords});
                last = owner.add_kernel_node({last}, add, kWhole, DevicePointer(address), 5u, kWords);
                last = owner.add_memcpy_dtod_node({last}, memory, address, kWords * 4);
                owner.add_mem_free_node({last}, address);
                const GraphExec owning = owner.instantiate();
                owning.launch(stream);
                owning.launch(stream);
                stream.synchronize();
                expect_words(memory, thread + 5);
            }
        });
        QVERIFY2(failed.empty(), failed.c_str());
        QCOMPARE(called.load(), kThreads * kRounds * 3);
        QTRY_COMPARE_WITH_TIMEOUT(destroyed.load(), kThreads * kRounds, 60000);
    }

    void a_capture_ends_while_others_use_its_stream() {
        // Launching into a stream that is captured changes its graph, and NVIDIA's driver leaves it to the program that
        // one thread does so at a time: two of twelve runs on an H100 crashed.
        if (test_driver().name() == "cuda") QSKIP("graphs of this driver are for one thread at a time");
        const Context context = Device(0, test_driver()).make_context();
        const Module module = module_from_buffer(std::string_view(kGraphKernels));
        const Function add = module.get_function("add");
        const Stream stream(stream_flags::NON_BLOCKING);
        const DeviceAllocation memory = zeros(kWords);
        // Each launch is captured, or runs, or is refused.
        const std::string failed = in_threads([&](unsigned thread) {
            const ContextScope scope(context);
            for (unsigned round = 0; round < 2000; ++round) {
                if (thread == 0) {
                    stream.begin_capture(stream_capture_mode::RELAXED);
                    (void)code_of([&] { (void)stream.end_capture(); });
                    continue;
                }
                const int code = code_of([&] { add(in(stream), memory, 1u, kWords); });
                expect(code == 0 || (code >= kCaptureUnsupported && code <= kCaptureWrongThread),
                       "a launch is refused with " + std::to_string(code));
            }
        });
        QVERIFY2(failed.empty(), failed.c_str());
        QVERIFY(stream.is_capturing() == stream_capture_status::NONE);
        stream.synchronize();
        QVERIFY(words_of(memory, kWords).back() <= 2000 * (kThreads - 1));
    }

    void textures() {
        Devices devices;
        std::vector<Module> modules;
        for (const Context& context : devices.contexts) {
            const ContextScope scope(context);
            modules.push_back(module_from_buffer(std::string_view(kFetch)));
        }
        const std::string failed = in_threads([&](unsigned thread) {
            for (unsigned round = 0; round < kRounds; ++round) {
                const std::size_t device = device_of(devices, thread, round);
                const ContextScope scope(devices.contexts[device]);
                const Stream stream; // behind what clears the memory
                const std::vector<std::uint32_t> texels = numbers(thread, round);
                const Array array(ArrayDescriptor{kTexels, 0, array_format::UNSIGNED_INT32, 1});
                memcpy_htoa(array, 0, texels);
                const TextureObject texture(ResourceDescriptor::array(array), {.flags = TRSF_READ_AS_INTEGER});
                const DeviceAllocation out = zeros(kTexels);
                const LaunchConfig config{.grid = {1}, .block = {kTexels}, .stream = &stream};
                modules[device].get_function("fetch")(config, texture.handle(), out);
                stream.synchronize();
                expect_same(words_of(out, kTexels), texels);
                // A reference belongs to its module: each has one of its own.
                const Module own = module_from_buffer(std::string_view(kFetch));
                const TextureReference image = own.get_texref("image");
                image.set_flags(TRSF_READ_AS_INTEGER);
                bind_array_to_texref(array, image);
                clear(out);
                own.get_function("fetch_image")(config, out);
                stream.synchronize();
                expect_same(words_of(out, kTexels), texels);
            }
        });
        QVERIFY2(failed.empty(), failed.c_str());
    }

    void memory_of_all_kinds() {
        Devices devices;
        const std::string failed = in_threads([&](unsigned thread) {
            for (unsigned round = 0; round < kRounds; ++round) {
                const std::size_t device = device_of(devices, thread, round);
                const ContextScope scope(devices.contexts[device]);
                const Stream stream(stream_flags::NON_BLOCKING);
                const Function add = devices.add[device];
                const auto check = [&](const warplight::NdArray& array, device_ptr address) {
                    add(in(stream), DevicePointer(address), thread + 1, kWords);
                    stream.synchronize();
                    for (std::size_t i = 0; i < kWords; ++i)
                        expect(array.at<std::uint32_t>(i) == thread + 1, "another thread's memory");
                };
                const auto locked = pagelocked_zeros({kWords}, warplight::DType::uint32(), warplight::Order::C,
                                                     host_alloc_flags::DEVICEMAP);
                check(locked, host_pointer(locked).get_device_pointer());
                const auto plain = aligned_zeros({kWords}, warplight::DType::uint32());
                const auto registered = register_host_memory(plain, mem_host_register_flags::DEVICEMAP);
                check(registered, host_pointer(registered).get_device_pointer());
                const auto managed = managed_zeros({kWords}, warplight::DType::uint32());
                const device_ptr address = host_pointer(managed).get_device_pointer();
                check(managed, address);
                expect(pointer_get_attribute(address, pointer_attribute::MEMORY_TYPE) > 0, "memory of no type");
                const MemoryInfo info = mem_get_info();
                expect(info.free <= info.total, "more memory is free than there is");
            }
        });
        QVERIFY2(failed.empty(), failed.c_str());
    }

    void settings_and_the_heap_of_kernels() {
        Devices devices;
        std::vector<Module> modules;
        for (const Context& context : devices.contexts) {
            const ContextScope scope(context);
            modules.push_back(module_from_buffer(std::string_view(kFetch)));
        }
        const std::string failed = in_threads([&](unsigned thread) {
            for (unsigned round = 0; round < kRounds; ++round) {
                const std::size_t device = device_of(devices, thread, round);
                const Context& context = devices.contexts[device];
                const ContextScope scope(context);
                context.set_limit(limit::STACK_SIZE, 1024 * (1 + thread % 4));
                const std::size_t stack = context.get_limit(limit::STACK_SIZE);
                expect(stack >= 1024 && stack <= 4096, std::to_string(stack) + " bytes of stack");
                context.set_cache_config(thread % 2 ? func_cache::PREFER_L1 : func_cache::PREFER_SHARED);
                (void)context.get_cache_config();
                const Function heap = modules[device].get_function("heap");
                expect(heap.max_active_blocks_per_multiprocessor(kTexels) > 0, "no blocks are active");
                (void)heap.max_potential_block_size();
                const Stream stream(stream_flags::NON_BLOCKING);
                const DeviceAllocation out = zeros(kTexels);
                const std::vector<std::uint32_t> expected = numbers(thread, round);
                heap({.grid = {1}, .block = {kTexels}, .stream = &stream}, out, expected[0]);
                stream.synchronize();
                expect_same(words_of(out, kTexels), expected);
            }
        });
        QVERIFY2(failed.empty(), failed.c_str());
    }
};

QTEST_GUILESS_MAIN(ThreadsObjectsTest)
#include "threads_objects_test.moc"
