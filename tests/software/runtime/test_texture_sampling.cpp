// SPDX-License-Identifier: Apache-2.0
// Samples of textures against a model in double precision, and against what a GPU answered.
#include "software/runtime/sampling.hpp"
#include "software/runtime/surface_access.hpp"
#include "texture_model.hpp"

#include <QFile>
#include <QTest>

#include <bit>
#include <limits>
#include <numeric>

using namespace warplight::software;

namespace {

class Random {
public:
    std::uint32_t bits() { return (state_ = state_ * 1664525u + 1013904223u) >> 8; }
    float between(float low, float high) { return low + (high - low) * static_cast<float>(bits() % 65536) / 65536.0f; }

private:
    std::uint32_t state_ = 7;
};

std::size_t channel_bytes(Texel format) {
    constexpr std::array<std::size_t, 8> kBytes = {1, 2, 4, 1, 2, 4, 2, 4};
    return kBytes[static_cast<std::size_t>(format)];
}

/// A texture with memory of its own.
struct Picture {
    TexelMemory memory;
    std::vector<std::vector<std::byte>> levels;

    Picture(Texel format, unsigned channels, unsigned dimensions, std::array<unsigned, 3> size, unsigned layers = 1,
            unsigned level_count = 1) {
        memory.format = format;
        memory.channels = channels;
        memory.dimensions = dimensions;
        memory.layered = layers > 1;
        memory.layers = layers;
        for (unsigned k = 0; k < level_count; ++k) {
            TextureLevel level;
            level.width = std::max(size[0] >> k, 1u);
            level.height = std::max(size[1] >> k, 1u);
            level.depth = std::max(size[2] >> k, 1u);
            level.row_bytes = level.width * memory.element_bytes() + 32; // rows may lie apart
            level.slice_bytes = level.row_bytes * level.height + 64;
            levels.emplace_back(level.slice_bytes * level.depth * layers);
            memory.levels.push_back(level);
        }
        for (unsigned k = 0; k < level_count; ++k)
            memory.levels[k].base = levels[k].data();
    }
    void fill(Random& random) {
        for (auto& bytes : levels)
            for (std::size_t at = 0; at + 4 <= bytes.size(); at += channel_bytes(memory.format)) {
                if (memory.format == Texel::f32) {
                    const float value = random.between(-10, 10);
                    std::memcpy(&bytes[at], &value, 4);
                } else if (memory.format == Texel::f16) {
                    const auto half =
                        static_cast<std::uint16_t>((random.bits() & 0x83FF) | (10 + random.bits() % 8) << 10);
                    std::memcpy(&bytes[at], &half, 2);
                } else {
                    const std::uint32_t value = random.bits() << 8 ^ random.bits();
                    std::memcpy(&bytes[at], &value, channel_bytes(memory.format));
                }
            }
    }
};

double value_of(const TexelMemory& m, const SamplerState& s, std::uint32_t bits) {
    if (m.format == Texel::u32 || (s.read_as_integer && m.format < Texel::s8)) return bits;
    if (m.format == Texel::s32 || (s.read_as_integer && m.format < Texel::f16)) return static_cast<std::int32_t>(bits);
    return static_cast<double>(std::bit_cast<float>(bits));
}

/// How far a filtered value may lie from the model's: weights have 8 bits, and so on.
double allowed(Texel format, bool linear) {
    if (!linear) return format == Texel::f16 || format == Texel::f32 ? 0 : 1e-7;
    const bool real = format == Texel::f16 || format == Texel::f32;
    return (real ? 10.0 : 1.0) * 6 / 256;
}

constexpr Texel kFormats[] = {Texel::u8,  Texel::u16, Texel::u32, Texel::s8,
                              Texel::s16, Texel::s32, Texel::f16, Texel::f32};

struct Sampled {
    TextureGeometry geometry;
    unsigned dimensions;
    std::array<unsigned, 3> size;
    unsigned layers;
};
constexpr Sampled kShapes[] = {
    {TextureGeometry::d1, 1, {7, 1, 1}, 1},  {TextureGeometry::d2, 2, {5, 3, 1}, 1},
    {TextureGeometry::d3, 3, {4, 3, 2}, 1},  {TextureGeometry::a1d, 1, {6, 1, 1}, 3},
    {TextureGeometry::a2d, 2, {4, 5, 1}, 3},
};

} // namespace

class TestTextureSampling : public QObject {
    Q_OBJECT
private slots:
    void every_mode_data() {
        QTest::addColumn<int>("shape");
        QTest::addColumn<int>("format");
        for (int shape = 0; shape < 5; ++shape)
            for (const Texel format : kFormats)
                QTest::addRow("geometry %d, format %d", shape, static_cast<int>(format))
                    << shape << static_cast<int>(format);
    }
    void every_mode() {
        QFETCH(int, shape);
        QFETCH(int, format);
        const Sampled& what = kShapes[shape];
        const auto texel = static_cast<Texel>(format);
        Random random;
        for (const unsigned channels : {1u, 2u, 4u})
            for (int mode = 0; mode < 4; ++mode)
                for (int variant = 0; variant < 8; ++variant) {
                    SamplerState s;
                    s.normalized_coordinates = variant & 1;
                    s.read_as_integer = variant & 2;
                    s.filter = variant & 4 ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
                    const bool integers = s.read_as_integer || texel == Texel::u32 || texel == Texel::s32;
                    if (integers && (variant & 4)) continue; // cannot be filtered
                    if (texel >= Texel::f16 && s.read_as_integer) continue;
                    s.address.fill(static_cast<CUaddress_mode>(mode));
                    // A border that every format holds exactly; along axes that there are not it must not count.
                    for (std::size_t axis = what.dimensions; axis < 3; ++axis)
                        s.address[axis] = CU_TR_ADDRESS_MODE_CLAMP;
                    if (!integers) s.border = {1, 0, 1, 0};
                    Picture picture(texel, channels, what.dimensions, what.size, what.layers);
                    picture.fill(random);
                    for (int n = 0; n < 40; ++n) {
                        std::vector<float> x(what.dimensions);
                        for (std::size_t k = 0; k < x.size(); ++k) {
                            const float size = s.normalized_coordinates ? 1 : static_cast<float>(what.size[k]);
                            x[k] = random.between(-2 * size, 3 * size);
                        }
                        const auto layer = random.bits() % 5; // the last ones are clamped
                        TextureResult result;
                        sample(picture.memory, s, what.geometry, layer, x[0], x.size() > 1 ? x[1] : 0,
                               x.size() > 2 ? x[2] : 0, NAN, result);
                        const bool layered = what.layers > 1;
                        const int slice = layered ? static_cast<int>(std::min(layer, what.layers - 1)) : 0;
                        const model::Channels expected =
                            model::fetch(picture.memory, s, picture.memory.levels[0], slice, x);
                        for (std::size_t c = 0; c < 4; ++c) {
                            const double got = value_of(picture.memory, s, result[c]);
                            if (std::fabs(got - expected[c]) <= allowed(texel, variant & 4)) continue;
                            QFAIL(qPrintable(
                                QString("channels %1 mode %2 variant %3 at %4: channel %5 is %6, expected %7")
                                    .arg(channels)
                                    .arg(mode)
                                    .arg(variant)
                                    .arg(static_cast<double>(x[0]))
                                    .arg(c)
                                    .arg(got, 0, 'g', 9)
                                    .arg(expected[c], 0, 'g', 9)));
                        }
                    }
                }
    }

    void weights_have_eight_bits() {
        Picture line(Texel::f32, 1, 1, {2, 1, 1});
        const std::array<float, 2> values = {0, 256};
        std::memcpy(line.levels[0].data(), values.data(), 8);
        SamplerState s;
        s.filter = CU_TR_FILTER_MODE_LINEAR;
        for (int k = 0; k <= 2048; ++k) {
            TextureResult result;
            sample(line.memory, s, TextureGeometry::d1, 0, 0.5f + static_cast<float>(k) / 2048, 0, 0, NAN, result);
            QCOMPARE(std::bit_cast<float>(result[0]), std::floor(static_cast<float>(k) / 8 + 0.5f));
        }
    }

    void cubemaps() {
        Random random;
        Picture cubes(Texel::f32, 2, 2, {4, 4, 1}, 12);
        cubes.memory.cubemap = true;
        cubes.memory.layers = 2;
        cubes.fill(random);
        for (const bool linear : {false, true}) {
            SamplerState s;
            s.normalized_coordinates = true;
            s.address.fill(CU_TR_ADDRESS_MODE_CLAMP);
            s.filter = linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
            for (int n = 0; n < 2000; ++n) {
                const float x = random.between(-1, 1), y = random.between(-1, 1), z = random.between(-1, 1);
                const bool many = n & 1;
                const std::uint32_t cube = many ? random.bits() % 4 : 0;
                TextureResult result;
                sample(cubes.memory, s, many ? TextureGeometry::acube : TextureGeometry::cube, cube, x, y, z, NAN,
                       result);
                int face = 0;
                float u = 0, v = 0;
                model::cube(x, y, z, face, u, v);
                const int slice = static_cast<int>(std::min(cube, 1u)) * 6 + face;
                const model::Channels expected = model::fetch(cubes.memory, s, cubes.memory.levels[0], slice, {u, v});
                for (std::size_t c = 0; c < 4; ++c)
                    QVERIFY(std::fabs(static_cast<double>(std::bit_cast<float>(result[c])) - expected[c]) <=
                            allowed(Texel::f32, linear));
            }
        }
    }

    /// A cube whose elements say how far along x they lie: filtered over its edges there is no jump.
    void seamless_cubemaps() {
        Picture cube(Texel::f32, 1, 2, {8, 8, 1}, 6);
        cube.memory.cubemap = true;
        cube.memory.layers = 1;
        cube.memory.layered = false;
        const TextureLevel& level = cube.memory.levels[0];
        for (int face = 0; face < 6; ++face)
            for (int j = 0; j < 8; ++j)
                for (int i = 0; i < 8; ++i) {
                    const float u = (static_cast<float>(i) + 0.5f) / 4 - 1, v = (static_cast<float>(j) + 0.5f) / 4 - 1;
                    const float x = face == 0 ? 1 : face == 1 ? -1 : face == 5 ? -u : u;
                    (void)v;
                    std::memcpy(level.base + static_cast<std::size_t>(face) * level.slice_bytes +
                                    static_cast<std::size_t>(j) * level.row_bytes + static_cast<std::size_t>(i) * 4,
                                &x, 4);
                }
        SamplerState s;
        s.normalized_coordinates = true;
        s.filter = CU_TR_FILTER_MODE_LINEAR;
        s.address.fill(CU_TR_ADDRESS_MODE_CLAMP);
        const auto at = [&](float x, float y, float z) {
            TextureResult result;
            sample(cube.memory, s, TextureGeometry::cube, 0, x, y, z, NAN, result);
            return std::bit_cast<float>(result[0]);
        };
        const float before = at(0.999f, 0.1f, 1), after = at(1, 0.1f, 0.999f);
        QVERIFY(std::fabs(before - after) > 0.1f); // faces apart: the elements beside the edge differ
        s.seamless_cubemap = true;
        QVERIFY(std::fabs(at(0.999f, 0.1f, 1) - at(1, 0.1f, 0.999f)) < 0.01f);
        QVERIFY(std::fabs(at(0.1f, 0.999f, 1) - at(0.1f, 1, 0.999f)) < 0.01f);
        QVERIFY(std::fabs(at(0.999f, 1, 1) - at(1, 0.999f, 0.9995f)) < 0.05f); // a corner
    }

    void mipmaps() {
        Picture picture(Texel::f32, 1, 2, {16, 16, 1}, 1, 5);
        // Every level of one value: what is sampled says which.
        for (std::size_t k = 0; k < 5; ++k)
            for (std::size_t at = 0; at + 4 <= picture.levels[k].size(); at += 4) {
                const auto value = static_cast<float>(k);
                std::memcpy(&picture.levels[k][at], &value, 4);
            }
        SamplerState s;
        s.normalized_coordinates = true;
        s.max_level = 9;
        const auto at = [&](float level) {
            TextureResult result;
            sample(picture.memory, s, TextureGeometry::d2, 0, 0.3f, 0.6f, 0, level, result);
            return std::bit_cast<float>(result[0]);
        };
        QCOMPARE(at(0.49f), 0.0f);
        QCOMPARE(at(0.5f), 1.0f);
        QCOMPARE(at(-3), 0.0f);
        QCOMPARE(at(77), 4.0f);
        QCOMPARE(at(NAN), 0.0f);
        s.mipmap_filter = CU_TR_FILTER_MODE_LINEAR;
        QCOMPARE(at(1.25f), 1.25f);
        QCOMPARE(at(3.999f), 3.99609375f);
        s.level_bias = 0.5f;
        QCOMPARE(at(1.25f), 1.75f);
        QCOMPARE(at(NAN), 0.0f); // no level, no bias
        s.min_level = 2;
        s.max_level = 3;
        QCOMPARE(at(0), 2.0f);
        QCOMPARE(at(3.25f), 3.0f);
        QCOMPARE(at(NAN), 2.0f);
        s.level_bias = s.min_level = 0;
        s.max_level = 9;
        TextureRequest r{};
        r.x = r.y = 0.5f;
        r.geometry = TextureGeometry::d2;
        r.has_gradient = 1;
        r.component = -1;
        const auto step = [&](float dx, float dy) {
            r.dx[0] = dx;
            r.dy[1] = dy;
            TextureResult result;
            sample(picture.memory, s, r, result);
            return std::bit_cast<float>(result[0]);
        };
        QCOMPARE(step(1.0f / 16, 1.0f / 16), 0.0f);
        QCOMPARE(step(1.0f / 4, 1.0f / 16), 2.0f); // four elements to the next sample
        QCOMPARE(step(1.0f / 64, 1.0f / 2), 3.0f);
        QCOMPARE(step(0, 0), 0.0f);
    }

    void integer_coordinates() {
        Random random;
        Picture picture(Texel::u16, 2, 2, {5, 3, 1}, 1, 2);
        picture.fill(random);
        SamplerState s;
        s.address.fill(CU_TR_ADDRESS_MODE_CLAMP);
        s.read_as_integer = true;
        TextureRequest r{};
        r.geometry = TextureGeometry::d2;
        r.integer_coordinates = 1;
        r.component = -1;
        for (int y = -2; y < 5; ++y)
            for (int x = -2; x < 7; ++x) {
                r.i[0] = x - 1;
                r.i[1] = y;
                r.offset[0] = 1;
                TextureResult result;
                sample(picture.memory, s, r, result);
                std::array<std::uint16_t, 2> expected{};
                if (x >= 0 && x < 5 && y >= 0 && y < 3) {
                    const TextureLevel& l = picture.memory.levels[0];
                    std::memcpy(expected.data(),
                                l.base + static_cast<std::size_t>(y) * l.row_bytes + static_cast<std::size_t>(x) * 4,
                                4);
                }
                QCOMPARE(result[0], std::uint32_t{expected[0]});
                QCOMPARE(result[1], std::uint32_t{expected[1]});
                QCOMPARE(result[2] | result[3], 0u);
            }
        r.i[0] = r.i[1] = 0;
        r.offset[0] = 0;
        r.level = 2; // there is none
        TextureResult result;
        sample(picture.memory, s, r, result);
        QCOMPARE(result[0], 0u);
    }

    /// Integers of any width are filtered as what they are. The numbers are an H100's.
    void filtered_integers() {
        std::array<std::uint32_t, 16> words{};
        std::array<std::uint8_t, 64> bytes{};
        std::array<std::int16_t, 32> shorts{};
        for (std::size_t i = 0; i < 64; ++i)
            bytes[i] = static_cast<std::uint8_t>(i * 4 + 3);
        for (std::size_t i = 0; i < 16; ++i) {
            words[i] = 100 + 10 * static_cast<std::uint32_t>(i);
            shorts[2 * i] = static_cast<std::int16_t>(-300 * static_cast<int>(i));
            shorts[2 * i + 1] = static_cast<std::int16_t>(1000 * static_cast<int>(i));
        }
        struct Case {
            Texel format;
            std::uint32_t channels;
            void* texels;
            std::array<std::array<std::uint32_t, 4>, 3> expected;
        };
        const Case cases[] = {
            {Texel::u32, 1, words.data(), {{{150}, {162}, {175}}}},
            {Texel::u8, 4, bytes.data(), {{{83, 87, 91, 95}, {103, 107, 111, 115}, {123, 127, 131, 135}}}},
            {Texel::s16, 2, shorts.data(), {{{0xFFFFFA24, 5000}, {0xFFFFF8AD, 6250}, {0xFFFFF736, 7500}}}},
        };
        for (const Case& c : cases) {
            TexelMemory memory;
            memory.format = c.format;
            memory.channels = c.channels;
            memory.dimensions = 2;
            const std::uint64_t row = std::uint64_t{4} * memory.element_bytes();
            memory.levels = {{static_cast<std::byte*>(c.texels), 4, 4, 1, row, 4 * row}};
            SamplerState s;
            s.filter = CU_TR_FILTER_MODE_LINEAR;
            s.read_as_integer = true;
            for (std::size_t i = 0; i < 3; ++i) {
                const float at = 1.5F + 0.25F * static_cast<float>(i);
                TextureResult result;
                sample(memory, s, TextureGeometry::d2, 0, at, at, 0, NAN, result);
                for (std::size_t k = 0; k < 4; ++k)
                    QCOMPARE(result[k], c.expected[i][k]);
            }
        }
    }

    void linear_memory() {
        std::array<std::int8_t, 6> bytes = {-128, -127, 0, 1, 64, 127};
        TexelMemory memory;
        memory.format = Texel::s8;
        memory.linear = true;
        memory.levels = {{reinterpret_cast<std::byte*>(bytes.data()), 6, 1, 1, 6, 6}};
        const SamplerState s;
        for (int x = -3; x < 9; ++x) {
            TextureResult result;
            fetch(memory, s, x, result);
            const bool inside = x >= 0 && x < 6;
            const float expected =
                inside ? std::max(static_cast<float>(bytes[static_cast<std::size_t>(x)]) / 127.0f, -1.0f) : 0.0f;
            QCOMPARE(std::bit_cast<float>(result[0]), expected);
        }
    }

    /// Samples of many lanes at once, which are made by vectors, are those of single threads, bit for bit.
    void lanes_sample_as_threads_do() {
        Random random;
        const float infinity = std::numeric_limits<float>::infinity();
        const std::array<float, 8> odd = {NAN, infinity, -infinity, 1e30F, -1e30F, 0x1p23F, -0x1p24F, 3e8F};
        int compared = 0;
        for (int round = 0; round < 1500; ++round) {
            constexpr std::array kGeometries = {TextureGeometry::d1, TextureGeometry::d2, TextureGeometry::d3,
                                                TextureGeometry::a1d, TextureGeometry::a2d};
            const TextureGeometry geometry = kGeometries[random.bits() % kGeometries.size()];
            const unsigned layers = geometry == TextureGeometry::a1d || geometry == TextureGeometry::a2d ? 3 : 1;
            const unsigned dimensions = geometry == TextureGeometry::d3                                       ? 3
                                        : geometry == TextureGeometry::d1 || geometry == TextureGeometry::a1d ? 1
                                                                                                              : 2;
            const auto format = static_cast<Texel>(random.bits() % 8);
            Picture picture(format, 1u << random.bits() % 3, dimensions,
                            {1 + random.bits() % 37, dimensions > 1 ? 1 + random.bits() % 9 : 1,
                             dimensions > 2 ? 1 + random.bits() % 5 : 1},
                            layers);
            picture.fill(random);
            if (format == Texel::f32) std::memcpy(picture.levels[0].data(), &infinity, 4);
            SamplerState state;
            for (auto& mode : state.address)
                mode = static_cast<CUaddress_mode>(random.bits() % 4);
            state.border = {0.3F, -0.7F, infinity, 9.0F};
            state.filter = random.bits() % 2 ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
            state.normalized_coordinates = random.bits() % 2;
            state.read_as_integer = random.bits() % 2;
            state.srgb = format == Texel::u8 && !state.read_as_integer && random.bits() % 4 == 0;

            const std::array<std::uint32_t, 4> widths = {4, 8, 16, 32};
            TextureLanes all{};
            all.lanes = widths[random.bits() % 4];
            all.mask = random.bits() % 2 ? ~0U : random.bits() << 8 ^ random.bits();
            if (all.lanes < 32) all.mask &= (1U << all.lanes) - 1;
            std::vector<float> at(std::size_t{3} * all.lanes);
            const float far = state.normalized_coordinates ? 3.0F : 90.0F;
            for (float& c : at) {
                c = random.between(-far, far);
                if (random.bits() % 8 == 0) c = odd[random.bits() % odd.size()];
                if (random.bits() % 4 == 0) c = std::round(c * 2) / 2;
            }
            std::vector<std::uint32_t> layer(all.lanes), found(std::size_t{4} * all.lanes, 0xABCD);
            for (std::uint32_t& l : layer)
                l = random.bits() % 5;
            all.coordinates = at.data();
            if (layers > 1) all.layer = layer.data();
            all.result = found.data();
            const bool fetches = random.bits() % 8 == 0;
            if (fetches) {
                picture.memory.linear = true;
                picture.memory.layered = false;
                for (float& c : at)
                    c = std::bit_cast<float>(static_cast<std::int32_t>(random.bits() % 64) - 8);
                fetch_lanes(picture.memory, state, all);
            } else {
                sample_lanes(picture.memory, state, geometry, all);
            }
            for (std::uint32_t k = 0; k < all.lanes; ++k) {
                TextureResult expected = {0xABCD, 0xABCD, 0xABCD, 0xABCD};
                if ((all.mask >> k & 1) != 0) {
                    if (fetches)
                        fetch(picture.memory, state, std::bit_cast<std::int32_t>(at[k]), expected);
                    else
                        sample(picture.memory, state, geometry, all.layer ? layer[k] : 0, at[k], at[all.lanes + k],
                               at[std::size_t{2} * all.lanes + k], NAN, expected);
                }
                for (std::size_t c = 0; c < 4; ++c, ++compared)
                    QCOMPARE(found[c * all.lanes + k], expected[c]);
            }
        }
        QVERIFY(compared > 50'000);
    }

    /// Every case: 16 integers and 4 floats that describe the texture, its levels, then samples of 8 floats and the 4
    /// words that an H100 answered.
    void as_a_gpu_answers() {
        QFile file(QStringLiteral(WARPLIGHT_SOURCE_DIR "/tests/software/runtime/textures/h100.bin"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray data = qUncompress(file.readAll());
        QVERIFY(!data.isEmpty());
        const char* p = data.constData();
        const char* end = p + data.size();
        const auto take = [&](void* to, std::size_t bytes) {
            std::memcpy(to, p, bytes);
            p += bytes;
        };
        int compared = 0, exact = 0;
        while (p < end) {
            std::array<std::int32_t, 16> k;
            std::array<float, 4> f;
            take(k.data(), sizeof k);
            take(f.data(), sizeof f);
            const auto [op, has_height, width, height, depth, flags, format, channels, address, filter, normalized,
                        integers, cube_or_srgb, level_count, mip_filter, count] = k;
            (void)has_height;
            TexelMemory m;
            m.format = static_cast<Texel>(format);
            m.channels = static_cast<std::uint32_t>(channels);
            m.dimensions = op == 2 ? 3 : op == 0 || op == 3 ? 1 : 2;
            m.layered = flags & 1;
            m.cubemap = flags & 4;
            m.layers = static_cast<std::uint32_t>(m.cubemap ? depth / 6 : m.layered ? depth : 1);
            std::vector<std::vector<std::byte>> bytes;
            for (int level = 0; level < level_count; ++level) {
                TextureLevel l;
                l.width = static_cast<std::uint32_t>(std::max(width >> level, 1));
                l.height = static_cast<std::uint32_t>(std::max(height >> level, 1));
                l.depth = flags ? 1 : static_cast<std::uint32_t>(std::max(depth >> level, 1));
                l.row_bytes = std::uint64_t{l.width} * m.element_bytes();
                l.slice_bytes = l.row_bytes * l.height;
                bytes.emplace_back(l.slice_bytes * (flags ? static_cast<std::uint32_t>(depth) : l.depth));
                take(bytes.back().data(), bytes.back().size());
                m.levels.push_back(l);
            }
            for (std::size_t level = 0; level < bytes.size(); ++level)
                m.levels[level].base = bytes[level].data();
            SamplerState s;
            s.address.fill(static_cast<CUaddress_mode>(address));
            s.filter = static_cast<CUfilter_mode>(filter);
            s.mipmap_filter = static_cast<CUfilter_mode>(mip_filter);
            s.read_as_integer = integers;
            s.normalized_coordinates = normalized;
            s.seamless_cubemap = cube_or_srgb & 1;
            s.srgb = cube_or_srgb & 2;
            s.level_bias = f[0];
            s.min_level = f[1];
            s.max_level = f[2];
            s.border = {.1f, .7f, -.3f, 2};
            for (int n = 0; n < count; ++n) {
                std::array<float, 8> in;
                TextureResult answer, result{};
                take(in.data(), sizeof in);
                take(answer, sizeof answer);
                TextureRequest r{};
                r.geometry = TextureGeometry::d2;
                r.x = in[0];
                r.y = in[1];
                r.component = -1;
                const auto layer = static_cast<std::uint32_t>(static_cast<std::int32_t>(in[3]));
                const auto plain = [&](TextureGeometry geometry, float level = NAN) {
                    sample(m, s, geometry, layer, in[0], in[1], in[2], level, result);
                };
                switch (op) {
                case 0: plain(TextureGeometry::d1); break;
                case 1: plain(TextureGeometry::d2); break;
                case 2: plain(TextureGeometry::d3); break;
                case 3: plain(TextureGeometry::a1d); break;
                case 4: plain(TextureGeometry::a2d); break;
                case 5: plain(TextureGeometry::cube); break;
                case 6: plain(TextureGeometry::acube); break;
                case 7: plain(TextureGeometry::d2, in[4]); break;
                case 8:
                    r.has_gradient = 1;
                    std::copy_n(&in[4], 2, r.dx);
                    std::copy_n(&in[6], 2, r.dy);
                    sample(m, s, r, result);
                    break;
                case 9:
                    r.component = static_cast<std::int32_t>(in[3]) & 3;
                    sample(m, s, r, result);
                    break;
                case 10:
                    r.integer_coordinates = 1;
                    r.i[0] = static_cast<std::int32_t>(in[0]);
                    r.i[1] = static_cast<std::int32_t>(in[1]);
                    sample(m, s, r, result);
                    break;
                default:
                    r.offset[0] = 1;
                    r.offset[1] = -2;
                    sample(m, s, r, result);
                    break;
                }
                ++compared;
                const bool same = std::equal(result, result + 4, answer);
                exact += same;
                // Filters that a GPU rounds in ways of its own: sums of floats, bytes with a sign, sRGB, corners of
                // cubes, levels from gradients.
                const double scale = m.format < Texel::f16 ? 1 : 10;
                const double slack = op == 8                        ? 0.2
                                     : s.srgb || s.seamless_cubemap ? 0.02
                                     : op == 2                      ? 0.01
                                     : m.format == Texel::f16       ? 0.0005
                                     : m.format == Texel::s8        ? 0.0001
                                     : m.format == Texel::f32       ? 1e-6
                                                                    : 0;
                for (std::size_t c = 0; c < 4 && !same; ++c) {
                    const bool close = (filter || mip_filter) &&
                                       std::fabs(static_cast<double>(std::bit_cast<float>(result[c])) -
                                                 static_cast<double>(std::bit_cast<float>(answer[c]))) <= slack * scale;
                    if (!close && op != 8 && !s.srgb)
                        QFAIL(qPrintable(
                            QString("op %1 format %2 channels %3 address %4 filter %5 normalised %6 at %7, %8: "
                                    "channel %9 is %10, the GPU says %11")
                                .arg(op)
                                .arg(format)
                                .arg(channels)
                                .arg(address)
                                .arg(filter)
                                .arg(normalized)
                                .arg(static_cast<double>(in[0]))
                                .arg(static_cast<double>(in[1]))
                                .arg(c)
                                .arg(static_cast<double>(std::bit_cast<float>(result[c])))
                                .arg(static_cast<double>(std::bit_cast<float>(answer[c])))));
                }
            }
        }
        QVERIFY(p == end);
        QVERIFY(compared > 1000);
        QVERIFY2(exact * 100 > compared * 85,
                 qPrintable(QString("%1 of %2 are the same bits").arg(exact).arg(compared)));
        qInfo("%d of %d samples are the same bits", exact, compared);
    }

    void surface_bounds() {
        Picture picture(Texel::u32, 1, 2, {4, 3, 1});
        const TextureLevel& l = picture.memory.levels[0];
        for (std::uint32_t y = 0; y < 3; ++y)
            for (std::uint32_t x = 0; x < 4; ++x) {
                const std::uint32_t value = 0x100 + y * 4 + x;
                std::memcpy(l.base + y * l.row_bytes + x * 4, &value, 4);
            }
        // As an H100 answered: the fault, or what was read.
        struct Case {
            int x, y;
            SurfaceFault trap;
            std::uint32_t clamped, zeroed;
        };
        constexpr Case kCases[] = {
            {4, 1, SurfaceFault::none, 0x105, 0x105},  {-4, 1, SurfaceFault::boundary, 0x104, 0},
            {16, 1, SurfaceFault::boundary, 0x107, 0}, {4, 3, SurfaceFault::boundary, 0x109, 0},
            {5, 1, SurfaceFault::misaligned, 1, 1},    {-1, -5, SurfaceFault::boundary, 1, 1},
            {15, 9, SurfaceFault::boundary, 1, 1},
        };
        for (const Case& c : kCases)
            for (const SurfaceBounds bounds : {SurfaceBounds::trap, SurfaceBounds::clamp, SurfaceBounds::zero}) {
                SurfaceRequest r{};
                r.x = c.x;
                r.y = c.y;
                r.geometry = TextureGeometry::d2;
                r.bounds = bounds;
                std::uint32_t got = 1;
                const SurfaceFault fault = load_surface(picture.memory, r, 4, &got);
                const bool misaligned = c.x & 3;
                const SurfaceFault expected = bounds == SurfaceBounds::trap ? c.trap
                                              : misaligned                  ? SurfaceFault::misaligned
                                                                            : SurfaceFault::none;
                QCOMPARE(static_cast<int>(fault), static_cast<int>(expected));
                if (fault != SurfaceFault::none) continue;
                QCOMPARE(got, bounds == SurfaceBounds::zero    ? c.zeroed
                              : bounds == SurfaceBounds::clamp ? c.clamped
                                                               : 0x105u);
            }
    }

    void surface_formats() {
        const std::array<std::uint32_t, 4> words = {70000, static_cast<std::uint32_t>(-70000), 5,
                                                    std::bit_cast<std::uint32_t>(1.5f)};
        SurfaceRequest r{};
        r.geometry = TextureGeometry::d1;
        r.x = 1;
        const auto stored = [&](Texel format) {
            Picture picture(format, 4, 1, {2, 1, 1});
            if (store_formatted(picture.memory, r, 4, words.data()) != SurfaceFault::none)
                return std::vector<std::byte>{};
            const std::size_t bytes = picture.memory.element_bytes();
            const std::byte* from = picture.levels[0].data() + bytes;
            return std::vector<std::byte>(from, from + bytes);
        };
        const auto as = [](const std::vector<std::byte>& bytes, auto type) {
            std::vector<decltype(type)> values(bytes.size() / sizeof type);
            std::memcpy(values.data(), bytes.data(), bytes.size());
            return values;
        };
        QCOMPARE(as(stored(Texel::s16), std::int16_t{})[0], std::int16_t{32767});
        QCOMPARE(as(stored(Texel::s16), std::int16_t{})[1], std::int16_t{-32768});
        QCOMPARE(as(stored(Texel::u8), std::uint8_t{})[0], std::uint8_t{255});
        QCOMPARE(as(stored(Texel::u8), std::uint8_t{})[2], std::uint8_t{5});
        QCOMPARE(as(stored(Texel::f16), std::uint16_t{})[3], std::uint16_t{0x3E00});
        QCOMPARE(as(stored(Texel::u32), std::uint32_t{})[1], words[1]);
    }

    void surface_reductions() {
        Picture picture(Texel::s32, 1, 1, {4, 1, 1});
        SurfaceRequest r{};
        r.geometry = TextureGeometry::d1;
        const auto value = [&](std::size_t k) {
            std::int32_t v;
            std::memcpy(&v, &picture.levels[0][4 * k], 4);
            return v;
        };
        r.x = 4;
        for (int n = 0; n < 3; ++n)
            QVERIFY(reduce_surface(picture.memory, r, SurfaceReduction::add_32, false, 7) == SurfaceFault::none);
        QCOMPARE(value(1), 21);
        QVERIFY(reduce_surface(picture.memory, r, SurfaceReduction::min_s32, false, static_cast<std::uint32_t>(-4)) ==
                SurfaceFault::none);
        QCOMPARE(value(1), -4);
        QVERIFY(reduce_surface(picture.memory, r, SurfaceReduction::max_u32, false, 9) == SurfaceFault::none);
        QCOMPARE(value(1), -4); // a large number, without a sign
        r.x = 2;
        QVERIFY(reduce_surface(picture.memory, r, SurfaceReduction::min_u32, true, static_cast<std::uint32_t>(-9)) ==
                SurfaceFault::none);
        QCOMPARE(value(2), -9); // formatted: the surface has signs
        QVERIFY(reduce_surface(picture.memory, r, SurfaceReduction::add_32, false, 1) == SurfaceFault::misaligned);
        r.x = 16;
        QVERIFY(reduce_surface(picture.memory, r, SurfaceReduction::or_32, false, 1) == SurfaceFault::boundary);
        r.x = 0;
        QVERIFY(reduce_surface(picture.memory, r, SurfaceReduction::add_64, false, std::uint64_t{3} << 32 | 5) ==
                SurfaceFault::none);
        QCOMPARE(value(0), 5);
        QCOMPARE(value(1), -4 + 3);
    }
};

QTEST_GUILESS_MAIN(TestTextureSampling)
#include "test_texture_sampling.moc"
