// SPDX-License-Identifier: Apache-2.0
// Texture and surface objects and references: making them, what they tell, and what is refused. On the device that
// WARPLIGHT_TEST_DRIVER names.
#include "array_fixture.hpp"
#include "warplight/array.hpp"
#include "warplight/array_copies.hpp"
#include "warplight/function.hpp"
#include "warplight/memory.hpp"
#include "warplight/module.hpp"
#include "warplight/structured_copy.hpp"
#include "warplight/texture.hpp"

#include <memory>
#include <optional>
#include <set>

using namespace warplight::driver;
using namespace array_fixture;
using warplight::MutableBuffer;
using warplight::NdArray;
using warplight::Order;

namespace {

constexpr char kReferences[] = R"(
.version 6.5
.target sm_75
.address_size 64

.global .texref image;
.global .texref signal;
.global .surfref canvas;
.visible .global .align 4 .u32 counter = 5;

.visible .entry number(.param .u64 number_handle, .param .u64 number_out)
{
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [number_handle];
    ld.param.u64 %rd2, [number_out];
    st.global.u64 [%rd2], %rd1;
    ret;
}
)";

Array image(array_format format = array_format::FLOAT, unsigned channels = 1) {
    return Array(ArrayDescriptor{16, 8, format, channels});
}
Array canvas() { return Array({16, 8, 0, array_format::FLOAT, 1, array3d_flags::SURFACE_LDST}); }

int texture_code(const ResourceDescriptor& resource, const TextureDescriptor& texture = {},
                 const std::optional<ResourceViewDescriptor>& view = {}) {
    return code_of([&] { const TextureObject object(resource, texture, view); });
}

} // namespace

class TextureTest : public QObject {
    Q_OBJECT
    std::optional<Context> context_;
    std::optional<Module> module_;

private slots:
    void initTestCase() {
        (void)test_driver();
        context_ = Device(0).make_context();
        module_ = module_from_buffer(std::string_view(kReferences));
    }
    void cleanupTestCase() {
        module_.reset();
        Context::pop();
        context_.reset();
    }

    // covers: TRSA_OVERRIDE_FORMAT, TRSF_READ_AS_INTEGER, TRSF_NORMALIZED_COORDINATES, TR_DEFAULT
    // covers: address_mode.WRAP, address_mode.CLAMP, address_mode.MIRROR, address_mode.BORDER
    // covers: filter_mode.POINT, filter_mode.LINEAR
    void constants() {
        QCOMPARE(TRSA_OVERRIDE_FORMAT, 1U);
        QCOMPARE(TRSF_READ_AS_INTEGER, 1U);
        QCOMPARE(TRSF_NORMALIZED_COORDINATES, 2U);
        QCOMPARE(TR_DEFAULT, -1);
        QCOMPARE(static_cast<int>(address_mode::WRAP), 0);
        QCOMPARE(static_cast<int>(address_mode::CLAMP), 1);
        QCOMPARE(static_cast<int>(address_mode::MIRROR), 2);
        QCOMPARE(static_cast<int>(address_mode::BORDER), 3);
        QCOMPARE(static_cast<int>(filter_mode::POINT), 0);
        QCOMPARE(static_cast<int>(filter_mode::LINEAR), 1);
        QCOMPARE(static_cast<int>(resource_type::PITCH2D), 3);
        QCOMPARE(static_cast<int>(resource_view_format::FLOAT_4X32), 0x18);
        QCOMPARE(static_cast<int>(resource_view_format::UNSIGNED_BC7), 0x22);
        QCOMPARE(static_cast<int>(array_format::UNORM_INT_101010_2), 0x50);
    }

    void texture_objects() {
        const Array array = image(array_format::UNSIGNED_INT8, 4);
        TextureDescriptor asked;
        asked.address_mode = {address_mode::MIRROR, address_mode::BORDER, address_mode::CLAMP};
        asked.filter_mode = filter_mode::LINEAR;
        asked.flags = TRSF_NORMALIZED_COORDINATES;
        asked.border_color = {0.25F, 0.5F, 0.75F, 1};
        const TextureObject object(ResourceDescriptor::array(array), asked);
        QVERIFY(object.handle() != 0);
        const ResourceDescriptor resource = object.get_resource_descriptor();
        QCOMPARE(resource.type, resource_type::ARRAY);
        QVERIFY(resource.array_handle == array.handle());
        const TextureDescriptor texture = object.get_texture_descriptor();
        QVERIFY(texture.address_mode == asked.address_mode);
        QCOMPARE(texture.filter_mode, asked.filter_mode);
        QCOMPARE(texture.flags, asked.flags);
        QVERIFY(texture.border_color == asked.border_color);
        QCOMPARE(object.get_resource_view_descriptor().format, resource_view_format::NONE); // there is none
        QCOMPARE(object.get_resource_view_descriptor().width, std::size_t{0});

        const DeviceAllocation memory = mem_alloc(4096);
        const TextureObject linear(ResourceDescriptor::linear(memory, array_format::FLOAT, 2, 2048));
        const ResourceDescriptor l = linear.get_resource_descriptor();
        QCOMPARE(l.type, resource_type::LINEAR);
        QCOMPARE(l.pointer, memory.get());
        QCOMPARE(l.format, array_format::FLOAT);
        QCOMPARE(l.num_channels, 2U);
        QCOMPARE(l.size_in_bytes, std::size_t{2048});
        const TextureObject pitched(ResourceDescriptor::pitch2d(memory, array_format::HALF, 1, 30, 16, 64));
        const ResourceDescriptor p = pitched.get_resource_descriptor();
        QCOMPARE(p.type, resource_type::PITCH2D);
        QCOMPARE(p.width, std::size_t{30});
        QCOMPARE(p.height, std::size_t{16});
        QCOMPARE(p.pitch_in_bytes, std::size_t{64});
        const MipmappedArray levels({16, 16, 0, array_format::FLOAT, 1, 0}, 5);
        const TextureObject mipmapped(ResourceDescriptor::mipmapped_array(levels),
                                      {.flags = TRSF_NORMALIZED_COORDINATES, .max_mipmap_level_clamp = 4});
        QVERIFY(mipmapped.get_resource_descriptor().mipmapped_array_handle == levels.handle());
        QCOMPARE(mipmapped.get_texture_descriptor().max_mipmap_level_clamp, 4.0F);
        const std::set<unsigned long long> handles{object.handle(), linear.handle(), pitched.handle(),
                                                   mipmapped.handle()};
        QCOMPARE(handles.size(), std::size_t{4});
    }

    void views() {
        const Array array = image(array_format::UNSIGNED_INT8, 4);
        const ResourceViewDescriptor view{.format = resource_view_format::SINT_4X8, .width = 16, .height = 8};
        const TextureObject object(ResourceDescriptor::array(array), {}, view);
        const ResourceViewDescriptor told = object.get_resource_view_descriptor();
        QCOMPARE(told.format, view.format);
        QCOMPARE(told.width, std::size_t{16});
        QCOMPARE(told.height, std::size_t{8});
        QCOMPARE(told.last_layer, 0U);
        const Array stack({8, 8, 5, array_format::FLOAT, 1, array3d_flags::LAYERED});
        const TextureObject part(ResourceDescriptor::array(stack), {},
                                 ResourceViewDescriptor{.format = resource_view_format::FLOAT_1X32,
                                                        .width = 8,
                                                        .height = 8,
                                                        .depth = 5,
                                                        .first_layer = 1,
                                                        .last_layer = 3});
        QCOMPARE(part.get_resource_view_descriptor().last_layer, 3U);
        const DeviceAllocation memory = mem_alloc(4096);
        const auto linear = ResourceDescriptor::linear(memory, array_format::UNSIGNED_INT8, 4, 1024);
        QCOMPARE(texture_code(linear, {}, view), -1); // no array: the view is of no matter
        auto wrong = view;
        wrong.width = 15;
        QCOMPARE(texture_code(ResourceDescriptor::array(array), {}, wrong), kInvalidValue);
        wrong = view;
        wrong.format = resource_view_format::UINT_4X16; // of another size
        QCOMPARE(texture_code(ResourceDescriptor::array(array), {}, wrong), kInvalidValue);
        wrong = view;
        wrong.last_mipmap_level = 1;
        QCOMPARE(texture_code(ResourceDescriptor::array(array), {}, wrong), kInvalidValue);
        wrong = view;
        wrong.last_layer = 1;
        QCOMPARE(texture_code(ResourceDescriptor::array(array), {}, wrong), kInvalidValue);
        wrong = view;
        wrong.format = resource_view_format::NONE;
        QCOMPARE(texture_code(ResourceDescriptor::array(array), {}, wrong), kInvalidValue);
        // Layers and levels that are not there are left out.
        ResourceViewDescriptor beyond{.format = resource_view_format::FLOAT_1X32, .width = 8, .height = 8, .depth = 5};
        beyond.last_layer = 9;
        QCOMPARE(texture_code(ResourceDescriptor::array(stack), {}, beyond), -1);
        beyond.first_layer = 3;
        beyond.last_layer = 1;
        QCOMPARE(texture_code(ResourceDescriptor::array(stack), {}, beyond), kInvalidValue);
        wrong.format = resource_view_format(0x77);
        QCOMPARE(texture_code(ResourceDescriptor::array(array), {}, wrong), kInvalidValue);
    }

    void refused_textures() {
        const Array floats = image(), bytes = image(array_format::UNSIGNED_INT8, 4),
                    integers = image(array_format::UNSIGNED_INT32);
        const DeviceAllocation memory = mem_alloc(1 << 16);
        const auto of = [](const Array& array) { return ResourceDescriptor::array(array); };
        // Filters need numbers to interpolate.
        QCOMPARE(texture_code(of(floats), {.filter_mode = filter_mode::LINEAR}), -1);
        QCOMPARE(texture_code(of(bytes), {.filter_mode = filter_mode::LINEAR}), -1);
        QCOMPARE(texture_code(of(bytes), {.flags = TRSF_READ_AS_INTEGER}), -1);
        const ResourceDescriptor nothing;
        QVERIFY(texture_code(nothing) > 0);
        auto unknown = of(floats);
        unknown.type = resource_type(7);
        QCOMPARE(texture_code(unknown), kInvalidValue);
        const auto linear = [&](std::size_t offset, array_format format, unsigned channels, std::size_t size) {
            return texture_code(ResourceDescriptor::linear(memory + offset, format, channels, size));
        };
        QCOMPARE(linear(0, array_format::FLOAT, 1, 1024), -1);
        QCOMPARE(linear(512, array_format::UNSIGNED_INT8, 4, 1024), -1);
        QCOMPARE(linear(0, array_format::FLOAT, 3, 1024), kInvalidValue);
        QCOMPARE(linear(0, array_format(0), 1, 1024), kInvalidValue);
        QCOMPARE(texture_code(ResourceDescriptor::linear(DevicePointer(0), array_format::FLOAT, 1, 64)), kInvalidValue);
        // How much memory there is does not matter until a kernel reads it.
        QCOMPARE(linear(0, array_format::FLOAT, 1, 0), -1);
        QCOMPARE(linear(0, array_format::FLOAT, 1, 3), -1);
        QCOMPARE(linear(0, array_format::FLOAT, 1, (1 << 16) + 4), -1);
        QCOMPARE(linear(0, array_format::FLOAT, 1, std::size_t{1} << 33), kInvalidValue);
        QCOMPARE(linear(4, array_format::FLOAT, 1, 1024), kInvalidValue); // TEXTURE_ALIGNMENT
        const auto pitched = [&](std::size_t width, std::size_t height, std::size_t pitch) {
            return texture_code(ResourceDescriptor::pitch2d(memory, array_format::FLOAT, 1, width, height, pitch));
        };
        QCOMPARE(pitched(16, 8, 64), -1);
        QCOMPARE(pitched(0, 8, 64), -1);
        QCOMPARE(pitched(16, 0, 64), -1);
        QCOMPARE(pitched(17, 8, 64), -1); // rows may overlap
        QCOMPARE(pitched(16, 8, 0), -1);
        QCOMPARE(pitched(16, 2000, 64), -1);
        QCOMPARE(pitched(16, 8, 68), kInvalidValue); // TEXTURE_PITCH_ALIGNMENT
        const auto height =
            static_cast<std::size_t>(Device(0).get_attribute(device_attribute::MAXIMUM_TEXTURE2D_LINEAR_HEIGHT));
        QCOMPARE(pitched(8, height + 1, 32), kInvalidValue);
        const MipmappedArray levels({16, 16, 0, array_format::FLOAT, 1, 0}, 5);
        QCOMPARE(texture_code(ResourceDescriptor::mipmapped_array(levels), {.flags = TRSF_NORMALIZED_COORDINATES}), -1);
        QCOMPARE(texture_code(ResourceDescriptor::mipmapped_array(levels)), -1);
        const Array shorts = image(array_format::SIGNED_INT16, 2);
        for (const Array* array : {&bytes, &integers, &shorts})
            QCOMPARE(texture_code(of(*array), {.filter_mode = filter_mode::LINEAR, .flags = TRSF_READ_AS_INTEGER}), -1);
        QCOMPARE(texture_code(of(integers), {.filter_mode = filter_mode::LINEAR}), -1);
        QCOMPARE(texture_code(of(floats), {.filter_mode = filter_mode(2)}), kInvalidValue);
        TextureDescriptor mode;
        mode.address_mode[1] = address_mode(4);
        QCOMPARE(texture_code(of(floats), mode), kInvalidValue);
        mode.address_mode = {address_mode::WRAP, address_mode::WRAP, address_mode(4)};
        QCOMPARE(texture_code(of(floats), mode), -1); // a dimension that the array has not
        QCOMPARE(texture_code(of(floats), {.flags = 0x4000}), kInvalidValue);
        QCOMPARE(texture_code(of(floats), {.flags = TRSF_SEAMLESS_CUBEMAP}), kInvalidValue);
        Context other = Device(0).make_context();
        QCOMPARE(texture_code(of(floats)), kPeerAccessNotEnabled); // of another context
        QCOMPARE(linear(0, array_format::FLOAT, 1, 1024), -1);
        Context::pop();
        other.detach();
    }

    void texture_ends() {
        Array array = image();
        TextureObject object(ResourceDescriptor::array(array));
        TextureObject copy(ResourceDescriptor::array(array));
        const auto handle = object.handle();
        object.free();
        QCOMPARE(object.handle(), 0ULL);
        QVERIFY(refused([&] { object.free(); }));
        QVERIFY(refused([&] { object.get_texture_descriptor(); }));
        QVERIFY(refused([&] { const Argument argument(object); }));
        const TextureObject later(ResourceDescriptor::array(array));
        if (on_software()) QVERIFY(later.handle() != handle); // numbers are not given twice
        const TextureObject moved = std::move(copy);
        QVERIFY(refused([&] { copy.get_texture_descriptor(); })); // NOLINT(bugprone-use-after-move)
        // The object keeps its array.
        std::optional<Array> own(image());
        const auto array_handle = own->handle();
        const TextureObject keeper(ResourceDescriptor::array(*own));
        own.reset();
        const Array still = Array::from_native(array_handle);
        QCOMPARE(still.get_descriptor().width, std::size_t{16});
        array.free();
        QVERIFY(refused([&] { ResourceDescriptor::array(array); }));

        std::unique_ptr<TextureObject> lost;
        {
            Context other = Device(0).make_context();
            lost = std::make_unique<TextureObject>(ResourceDescriptor::array(image()));
            Context::pop();
            other.detach();
        }
        QVERIFY(refused([&] { lost->get_texture_descriptor(); }));
        lost.reset();
    }

    void surface_objects() {
        const Array array = canvas();
        SurfaceObject surface(array);
        QVERIFY(surface.handle() != 0);
        QVERIFY(surface.get_resource_descriptor().array_handle == array.handle());
        const MipmappedArray levels({16, 16, 0, array_format::FLOAT, 1, array3d_flags::SURFACE_LDST}, 3);
        const SurfaceObject level(levels.get_level(1));
        QVERIFY(level.handle() != surface.handle());
        const DeviceAllocation memory = mem_alloc(4096);
        QVERIFY(refused([&] { SurfaceObject(ResourceDescriptor::linear(memory, array_format::FLOAT, 1, 1024)); }));
        QVERIFY(refused([&] { SurfaceObject(ResourceDescriptor::mipmapped_array(levels)); }));
        QVERIFY(refused([] { SurfaceObject(ResourceDescriptor{}); }));
        const Array plain = image();
        const SurfaceObject of_plain(plain); // not made for surfaces, and yet
        QVERIFY(of_plain.handle() != 0);
        surface.free();
        QVERIFY(refused([&] { surface.free(); }));
        QVERIFY(refused([&] { surface.get_resource_descriptor(); }));
    }

    void arguments() {
        const Array array = canvas();
        const TextureObject texture(ResourceDescriptor::array(array));
        const SurfaceObject surface(array);
        const Function number = module_->get_function("number");
        const DeviceAllocation out = mem_alloc(8);
        unsigned long long back = 0;
        number({.block = {1}}, texture, out);
        memcpy_dtoh(MutableBuffer(&back, 8), out);
        QCOMPARE(back, texture.handle());
        number({.block = {1}}, surface, out);
        memcpy_dtoh(MutableBuffer(&back, 8), out);
        QCOMPARE(back, surface.handle());
    }

    // covers: TextureReference(), TextureReference.set_format(format, num_components), TextureReference.get_format()
    // covers: TextureReference.set_address_mode(dim, am), TextureReference.get_address_mode(dim)
    // covers: TextureReference.set_filter_mode(fm), TextureReference.get_filter_mode()
    // covers: TextureReference.set_flags(flags), TextureReference.get_flags()
    void reference_state() {
        const TextureReference reference;
        QVERIFY(reference.handle() != nullptr);
        for (const int channels : {1, 2, 4}) {
            reference.set_format(array_format::SIGNED_INT16, channels);
            QVERIFY(reference.get_format() == std::pair(array_format::SIGNED_INT16, channels));
        }
        for (int dim = 0; dim < 3; ++dim)
            reference.set_address_mode(dim, static_cast<address_mode>(dim + 1));
        for (int dim = 0; dim < 3; ++dim)
            QCOMPARE(reference.get_address_mode(dim), static_cast<address_mode>(dim + 1));
        reference.set_filter_mode(filter_mode::LINEAR);
        QCOMPARE(reference.get_filter_mode(), filter_mode::LINEAR);
        reference.set_filter_mode(filter_mode::POINT);
        QCOMPARE(reference.get_filter_mode(), filter_mode::POINT);
        for (const unsigned flags : {TRSF_READ_AS_INTEGER, TRSF_NORMALIZED_COORDINATES, 3U, 0U}) {
            reference.set_flags(flags);
            QCOMPARE(reference.get_flags(), flags);
        }
        QCOMPARE(TextureReference().get_address_mode(0), address_mode::CLAMP);
        QVERIFY(refused([&] { reference.set_format(array_format::FLOAT, 3); }));
        QVERIFY(refused([&] { reference.set_address_mode(3, address_mode::CLAMP); }));
        QVERIFY(refused([&] { reference.set_address_mode(-1, address_mode::CLAMP); }));
        if (on_software()) {
            QVERIFY(refused([&] { reference.set_format(array_format(7), 1); }));
            QVERIFY(refused([&] { reference.set_address_mode(0, address_mode(4)); }));
            QVERIFY(refused([&] { reference.set_filter_mode(filter_mode(2)); }));
        }
        QVERIFY(refused([&] { reference.set_flags(0x4000); }));
        QVERIFY(refused([&] { reference.set_flags(TRSF_SEAMLESS_CUBEMAP); }));
        QVERIFY(reference.get_format() == std::pair(array_format::SIGNED_INT16, 4));
    }

    // covers: TextureReference.set_array(array), TextureReference.get_array()
    // covers: TextureReference.set_address(devptr, bytes, allow_offset=False), TextureReference.get_address()
    // covers: TextureReference.set_address_2d(devptr, descr, pitch)
    void bindings() {
        const TextureReference reference;
        QVERIFY(refused([&] { reference.get_array(); })); // nothing is bound
        QVERIFY(refused([&] { reference.get_address(); }));
        std::optional<Array> array(image(array_format::HALF, 2));
        const auto handle = array->handle();
        reference.set_array(*array);
        QVERIFY(reference.get_array() == *array);
        QVERIFY(reference.get_format() == std::pair(array_format::HALF, 2));
        array.reset(); // the reference keeps it
        QCOMPARE(reference.get_array().get_descriptor().width, std::size_t{16});
        QVERIFY(reference.get_array().handle() == handle);

        const DeviceAllocation memory = mem_alloc(4096);
        reference.set_format(array_format::FLOAT, 1);
        QCOMPARE(reference.set_address(memory, 4096), std::size_t{0});
        QCOMPARE(reference.get_address(), memory.get());
        QVERIFY(refused([&] { reference.get_array(); })); // no longer
        QCOMPARE(reference.set_address(memory + 516, 64, true), std::size_t{4});
        QVERIFY(refused([&] { reference.set_address(memory + 516, 64); }));
        QCOMPARE(reference.set_address(memory, 4100),
                 std::size_t{0}); // past the allocation: no matter until it is read
        QVERIFY(refused([&] { reference.set_address(memory, std::size_t{1} << 33); }));
        if (on_software()) {
            const MemoryInfo before = mem_get_info();
            {
                const TextureReference brief;
                brief.set_array(image());
                QVERIFY(mem_get_info().free < before.free);
            }
            QCOMPARE(mem_get_info().free, before.free);
        }
        reference.set_address_2d(memory, {16, 8, array_format::UNSIGNED_INT8, 4}, 64);
        QVERIFY(reference.get_format() == std::pair(array_format::UNSIGNED_INT8, 4));
        QCOMPARE(reference.get_address(), memory.get());
        QVERIFY(refused([&] { reference.set_address_2d(memory, {16, 8, array_format::FLOAT, 1}, 68); }));
        QVERIFY(refused([&] { reference.set_address_2d(memory, {17, 8, array_format::FLOAT, 1}, 64); }));
        QVERIFY(refused([&] { reference.set_address_2d(memory, {16, 8, array_format::FLOAT, 1}, 0); }));
        reference.set_address_2d(memory, {0, 8, array_format::FLOAT, 1}, 64);
        reference.set_address_2d(memory, {16, 0, array_format::FLOAT, 1}, 64);
        Array freed = image();
        freed.free();
        QVERIFY(refused([&] { reference.set_array(freed); }));
        const Array other = image();
        reference.set_array(other);
        QVERIFY(reference.get_array() == other);
    }

    // covers: Module.get_texref(name), Module.get_surfref(name)
    // covers: SurfaceReference, SurfaceReference.set_array(array, flags=0), SurfaceReference.get_array()
    // covers: Function.param_set_texref(texref), Function.texrefs, Function.arg_format
    void of_modules() {
        const TextureReference first = module_->get_texref("image"), same = module_->get_texref("image"),
                               second = module_->get_texref("signal");
        QVERIFY(first == same);
        QVERIFY(!(first == second));
        QCOMPARE(code_of([&] { module_->get_texref("nothing"); }), kNotFound);
        QCOMPARE(code_of([&] { module_->get_surfref("nothing"); }), kNotFound);
        QVERIFY(refused([&] { module_->get_texref("counter"); }));
        QVERIFY(refused([&] { module_->get_surfref("image"); }));
        QVERIFY(refused([&] { module_->get_texref("canvas"); }));
        const Array array = image();
        bind_array_to_texref(array, first);
        QVERIFY(same.get_array() == array);
        QCOMPARE(same.get_address_mode(0), address_mode::CLAMP);
        QVERIFY(refused([&] { second.get_array(); }));

        const SurfaceReference surface = module_->get_surfref("canvas");
        QVERIFY(surface.handle() != nullptr);
        QVERIFY(refused([&] { surface.get_array(); }));
        std::optional<Array> drawn(canvas());
        const auto handle = drawn->handle();
        surface.set_array(*drawn);
        QVERIFY(surface.get_array() == *drawn);
        drawn.reset(); // the reference keeps it
        QVERIFY(module_->get_surfref("canvas").get_array().handle() == handle);
        QCOMPARE(surface.get_array().get_descriptor().width, std::size_t{16});

        const Function number = module_->get_function("number");
        number.param_set_texref(first);
        QVERIFY(refused([&] { number.param_set_texref(TextureReference()); })); // of no module
        const DeviceAllocation out = mem_alloc(8);
        number({.block = {1}, .texrefs = {&first, &second}}, 17ULL, out);
        unsigned long long back = 0;
        memcpy_dtoh(MutableBuffer(&back, 8), out);
        QCOMPARE(back, 17ULL);
        number.prepare("QP", {&first});
        QCOMPARE(number.arg_format(), std::string("QP"));
        QCOMPARE(number.texrefs().size(), std::size_t{1});
        QVERIFY(module_->get_function("number").texrefs()[0] == first);
        number.prepared_call({1}, {1}, 18ULL, out);
        memcpy_dtoh(MutableBuffer(&back, 8), out);
        QCOMPARE(back, 18ULL);
        context_->synchronize();
    }

    // covers: bind_array_to_texref(ary, texref), matrix_to_texref(matrix, texref, order)
    void binding_helpers() {
        const TextureReference reference = module_->get_texref("image");
        reference.set_address_mode(0, address_mode::WRAP);
        reference.set_filter_mode(filter_mode::LINEAR);
        const Array array = image();
        bind_array_to_texref(array, reference);
        QVERIFY(reference.get_array() == array);
        QCOMPARE(reference.get_address_mode(0), address_mode::CLAMP);
        QCOMPARE(reference.get_address_mode(1), address_mode::CLAMP);
        QCOMPARE(reference.get_filter_mode(), filter_mode::POINT);
        std::vector<float> values(35);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>(i);
        const NdArray matrix = NdArray::from(values, {5, 7});
        for (const Order order : {Order::C, Order::F}) {
            matrix_to_texref(matrix, reference, order);
            const Array bound = reference.get_array();
            const std::size_t width = order == Order::C ? 7 : 5, height = order == Order::C ? 5 : 7;
            QCOMPARE(bound.get_descriptor().width, width);
            QCOMPARE(bound.get_descriptor().height, height);
            const NdArray back = NdArray::zeros({height, width}, warplight::DType::float32());
            Memcpy2D copy;
            copy.set_src_array(bound);
            copy.set_dst_host(back);
            copy.width_in_bytes = width * 4;
            copy.height = height;
            copy();
            for (std::size_t y = 0; y < height; ++y)
                for (std::size_t x = 0; x < width; ++x)
                    QCOMPARE(back.at<float>(y, x), order == Order::C ? matrix.at<float>(y, x) : matrix.at<float>(x, y));
        }
    }

    void module_gone() {
        std::optional<TextureReference> reference;
        {
            const Module module = module_from_buffer(std::string_view(kReferences));
            reference = module.get_texref("image");
            reference->set_array(image());
        }
        // The reference keeps the module.
        QCOMPARE(reference->get_array().get_descriptor().height, std::size_t{8});
        reference.reset();
        Context other = Device(0).make_context();
        std::optional<Module> lost = module_from_buffer(std::string_view(kReferences));
        const TextureReference of_lost = lost->get_texref("image");
        of_lost.set_array(image());
        Context::pop();
        other.detach();
        QVERIFY(refused([&] { of_lost.get_array(); }));
        QVERIFY(refused([&] { lost->get_texref("image"); }));
        lost.reset();
    }
};

QTEST_GUILESS_MAIN(TextureTest)
#include "texture_test.moc"
