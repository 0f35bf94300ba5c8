// SPDX-License-Identifier: Apache-2.0
// Which texture instructions read which memory: each geometry on each kind of array and memory, as an H100 answers.
// What does not go together reads as 0.
#include "array_fixture.hpp"
#include "warplight/function.hpp"
#include "warplight/memory.hpp"
#include "warplight/module.hpp"
#include "warplight/structured_copy.hpp"
#include "warplight/texture.hpp"

#include <QtTest>

#include <optional>
#include <string>

using namespace warplight::driver;

namespace {

constexpr unsigned kSide = 16, kSlices = 12;

/// Thread x reads (x, 1, 1) or layer 1, or for a cube a place on the face of +y.
struct Instruction {
    const char* name;
    const char* opcode;
    const char* place;
};
constexpr Instruction kInstructions[] = {
    {"d1", "tex.1d.v4.u32.f32", "{%f0}"},
    {"d1i", "tex.1d.v4.u32.s32", "{%r0}"},
    {"d2", "tex.2d.v4.u32.f32", "{%f0, %f1}"},
    {"d2i", "tex.2d.v4.u32.s32", "{%r0, %r5}"},
    {"d3", "tex.3d.v4.u32.f32", "{%f0, %f1, %f1, %f1}"},
    {"d3i", "tex.3d.v4.u32.s32", "{%r0, %r5, %r5, %r5}"},
    {"a1d", "tex.a1d.v4.u32.f32", "{%r5, %f0}"},
    {"a1di", "tex.a1d.v4.u32.s32", "{%r5, %r0}"},
    {"a2d", "tex.a2d.v4.u32.f32", "{%r5, %f0, %f1, %f1}"},
    {"a2di", "tex.a2d.v4.u32.s32", "{%r5, %r0, %r5, %r5}"},
    {"a2di0", "tex.a2d.v4.u32.s32", "{%r6, %r0, %r6, %r6}"},
    {"cube", "tex.cube.v4.u32.f32", "{%f2, %f3, %f2, %f2}"},
    {"acube", "tex.acube.v4.u32.f32", "{%r5, %f2, %f3, %f2}"},
    {"tld4", "tld4.r.2d.v4.u32.f32", "{%f0, %f1}"},
    {"tld4a", "tld4.r.a2d.v4.u32.f32", "{%r5, %f0, %f1, %f1}"},
    {"tld4c", "tld4.r.cube.v4.u32.f32", "{%f2, %f3, %f2, %f2}"},
};

std::string program() {
    std::string text = ".version 7.0\n.target sm_75\n.address_size 64\n";
    for (const Instruction& i : kInstructions)
        text += std::string(".visible .entry ") + i.name + R"((.param .u64 object, .param .u64 out)
{
    .reg .b32 %r<8>;
    .reg .f32 %f<4>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd0, [object];
    ld.param.u64 %rd1, [out];
    mov.u32 %r0, %tid.x;
    mov.u32 %r5, 1;
    mov.u32 %r6, 0;
    cvt.rn.f32.u32 %f0, %r0;
    add.f32 %f0, %f0, 0f3F000000;
    mul.f32 %f0, %f0, 0f3D800000;
    mov.f32 %f1, 0f3DC00000;
    mov.f32 %f2, 0f3F000000;
    mov.f32 %f3, 0f3F800000;
    )" + i.opcode +
                " {%r1, %r2, %r3, %r4}, [%rd0, " + i.place + R"(];
    mul.wide.u32 %rd2, %r0, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;
}
)";
    // Odd threads read the first row, the first four the second, the others nothing.
    text += R"(.visible .entry apart(.param .u64 object, .param .u64 out)
{
    .reg .b32 %r<8>;
    .reg .f32 %f<4>;
    .reg .b64 %rd<5>;
    .reg .pred %p<3>;
    ld.param.u64 %rd0, [object];
    ld.param.u64 %rd1, [out];
    mov.u32 %r0, %tid.x;
    cvt.rn.f32.u32 %f0, %r0;
    add.f32 %f0, %f0, 0f3F000000;
    mul.f32 %f0, %f0, 0f3D800000;
    mov.f32 %f1, 0f3DC00000;
    mov.u32 %r1, 7;
    and.b32 %r5, %r0, 1;
    setp.ne.u32 %p0, %r5, 0;
    @%p0 bra $odd;
    setp.gt.u32 %p1, %r0, 3;
    @%p1 bra $end;
    tex.2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [%rd0, {%f0, %f1}];
    bra $end;
$odd:
    tex.1d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [%rd0, {%f0}];
$end:
    mul.wide.u32 %rd2, %r0, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;
}
)";
    return text;
}

/// The element at (x, y) of a slice.
unsigned texel(unsigned slice, unsigned y, unsigned x) { return 10000 * (slice + 1) + 100 * y + x; }

struct Kind {
    const char* name;
    unsigned height, depth, flags; ///< as ArrayDescriptor3D has them
};
constexpr Kind kArrays[] = {
    {"1-D array", 0, 0, 0},
    {"2-D array", kSide, 0, 0},
    {"3-D array", kSide, kSlices, 0},
    {"1-D layers", 0, kSlices, array3d_flags::LAYERED},
    {"2-D layers", kSide, kSlices, array3d_flags::LAYERED},
    {"cubemap", kSide, 6, array3d_flags::CUBEMAP},
    {"layers of cubemaps", kSide, kSlices, array3d_flags::CUBEMAP | array3d_flags::LAYERED},
};

std::vector<unsigned> texels(unsigned slices, unsigned height) {
    std::vector<unsigned> all;
    all.reserve(std::size_t{slices} * height * kSide);
    for (unsigned slice = 0; slice < slices; ++slice)
        for (unsigned y = 0; y < height; ++y)
            for (unsigned x = 0; x < kSide; ++x)
                all.push_back(texel(slice, y, x));
    return all;
}

void fill(const Array& array, unsigned height, unsigned depth) {
    const unsigned rows = std::max(height, 1U), slices = std::max(depth, 1U);
    const std::vector<unsigned> values = texels(slices, rows);
    Memcpy3D copy;
    copy.set_src_host(values);
    copy.src_pitch = kSide * sizeof(unsigned);
    copy.src_height = rows;
    copy.set_dst_array(array);
    copy.width_in_bytes = kSide * sizeof(unsigned);
    copy.height = rows;
    copy.depth = slices;
    copy();
}

/// What thread 5 reads; everything that is not named is 0.
using Answers = std::vector<std::pair<const char*, unsigned>>;
const std::vector<std::pair<const char*, Answers>>& answers() {
    static const std::vector<std::pair<const char*, Answers>> all = {
        {"1-D array",
         {{"d1", 10005}, {"d2", 10005}, {"a2d", 10005}, {"a2di0", 10005}, {"tld4", 10005}, {"tld4a", 10005}}},
        {"2-D array",
         {{"d1", 10005},
          {"d2", 10105},
          {"d2i", 10105},
          {"a2d", 10105},
          {"a2di0", 10005},
          {"tld4", 10205},
          {"tld4a", 10205}}},
        {"3-D array", {{"d3", 20105}, {"d3i", 20105}}},
        {"1-D layers", {{"d1i", 10005}, {"a1d", 20005}, {"a1di", 20005}}},
        {"2-D layers",
         {{"d1", 10005},
          {"d2", 10105},
          {"d2i", 10105},
          {"a2d", 20105},
          {"a2di", 20105},
          {"a2di0", 10005},
          {"tld4", 10205},
          {"tld4a", 20205}}},
        {"cubemap", {{"cube", 31212}, {"acube", 31212}, {"tld4c", 31211}}},
        {"layers of cubemaps", {{"cube", 31212}, {"acube", 91212}, {"tld4c", 31211}}},
        {"2-D array with levels",
         {{"d1", 10005},
          {"d2", 10105},
          {"d2i", 10105},
          {"a2d", 10105},
          {"a2di", 10105},
          {"a2di0", 10005},
          {"tld4", 10205},
          {"tld4a", 10205}}},
        {"linear memory", {{"d1i", 10005}, {"a1di", 10005}}},
        {"pitched memory",
         {{"d1", 10005},
          {"d2", 10105},
          {"d2i", 10105},
          {"a2d", 10105},
          {"a2di0", 10005},
          {"tld4", 10205},
          {"tld4a", 10205}}},
    };
    return all;
}

} // namespace

class TextureGeometryTest : public QObject {
    Q_OBJECT
    std::optional<Context> context_;
    std::optional<Module> module_;

private slots:
    void initTestCase() {
        (void)array_fixture::test_driver();
        context_ = Device(0).make_context();
        module_ = module_from_buffer(program());
    }
    void cleanupTestCase() {
        module_.reset();
        Context::pop();
        context_.reset();
    }

private:
    static TextureObject texture_of(const ResourceDescriptor& resource) {
        return TextureObject(resource, {.address_mode = {address_mode::CLAMP, address_mode::CLAMP, address_mode::CLAMP},
                                        .flags = TRSF_READ_AS_INTEGER | TRSF_NORMALIZED_COORDINATES});
    }

    /// What the threads of a kernel read.
    [[nodiscard]] std::vector<unsigned> read(const char* kernel, const TextureObject& texture) const {
        const DeviceAllocation out = mem_alloc(kSide * sizeof(unsigned));
        memset_d32(out, 7, kSide);
        module_->get_function(kernel)({.grid = {1}, .block = {kSide}}, texture.handle(), out);
        std::vector<unsigned> got(kSide);
        memcpy_dtoh(got, out);
        return got;
    }

    /// Every instruction on the resource.
    void compare(const char* name, const ResourceDescriptor& resource) {
        const TextureObject texture = texture_of(resource);
        const auto found = std::find_if(answers().begin(), answers().end(),
                                        [&](const auto& each) { return !strcmp(each.first, name); });
        QVERIFY(found != answers().end());
        QStringList wrong;
        for (const Instruction& i : kInstructions) {
            const std::vector<unsigned> got = read(i.name, texture);
            const auto answer = std::find_if(found->second.begin(), found->second.end(),
                                             [&](const auto& each) { return !strcmp(each.first, i.name); });
            const unsigned expected = answer == found->second.end() ? 0 : answer->second;
            if (got[5] != expected)
                wrong << QStringLiteral("%1 reads %2, not %3").arg(i.name).arg(got[5]).arg(expected);
        }
        QVERIFY2(wrong.empty(), qPrintable(wrong.join("; ")));
    }

private slots:
    void arrays_data() {
        QTest::addColumn<int>("number");
        for (int i = 0; i < static_cast<int>(std::size(kArrays)); ++i)
            QTest::newRow(kArrays[i].name) << i;
    }
    void arrays() {
        QFETCH(int, number);
        const Kind& kind = kArrays[number];
        const Array array(
            ArrayDescriptor3D{kSide, kind.height, kind.depth, array_format::UNSIGNED_INT32, 1, kind.flags});
        fill(array, kind.height, kind.depth);
        compare(kind.name, ResourceDescriptor::array(array));
    }
    void levels() {
        const MipmappedArray array({kSide, kSide, 0, array_format::UNSIGNED_INT32, 1, 0}, 2);
        fill(array.get_level(0), kSide, 0);
        compare("2-D array with levels", ResourceDescriptor::mipmapped_array(array));
    }
    void threads_apart() {
        const Array array(ArrayDescriptor3D{kSide, kSide, 0, array_format::UNSIGNED_INT32, 1, 0});
        fill(array, kSide, 0);
        const TextureObject texture = texture_of(ResourceDescriptor::array(array));
        const std::vector<unsigned> got = read("apart", texture);
        for (unsigned x = 0; x < kSide; ++x)
            QCOMPARE(got[x], x % 2 ? texel(0, 0, x) : x <= 3 ? texel(0, 1, x) : 7);
    }
    void memory() {
        const std::vector<unsigned> values = texels(1, kSide);
        const DeviceAllocation memory = to_device(values);
        compare("linear memory", ResourceDescriptor::linear(memory, array_format::UNSIGNED_INT32, 1, kSide * 4));
        compare("pitched memory",
                ResourceDescriptor::pitch2d(memory, array_format::UNSIGNED_INT32, 1, kSide, kSide, kSide * 4));
    }
};

QTEST_GUILESS_MAIN(TextureGeometryTest)
#include "texture_geometry_test.moc"
