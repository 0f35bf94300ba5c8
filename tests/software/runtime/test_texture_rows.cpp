// SPDX-License-Identifier: Apache-2.0
// Samples that generated code takes itself: neighbours along a row, alone and several around each thread, of random
// textures and at random places, against the sampling functions. Bits must be the same at any number of lanes.
#include "software/jit/jit.hpp"
#include "software/ptx/parser.hpp"
#include "software/runtime/sampling.hpp"
#include "software/runtime/services.hpp"
#include "software/runtime/trap.hpp"

#include <QTest>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace warplight::software;
namespace jit = warplight::jit;
namespace ptx = warplight::ptx;

namespace {

constexpr unsigned kWide = 32, kHigh = 2, kThreads = kWide * kHigh, kTaps = 4;
constexpr std::array<std::array<int, 2>, kTaps> kTapAt = {{{-1, 0}, {0, 0}, {2, 0}, {1, -1}}};

/// How coordinates come about: f(x + dx), f(y + dy) for each tap.
enum class Form { counted, scaled, read, row, integers, apart, from_unsigned };
constexpr Form kForms[] = {Form::counted,  Form::scaled, Form::read,         Form::row,
                           Form::integers, Form::apart,  Form::from_unsigned};

struct Arguments {
    std::uint32_t* out = nullptr;
    const float* places = nullptr; ///< x of each tap and thread, then y
    std::uint64_t texture = 0;
    std::int32_t x = 0, y = 0;
    float scale_x = 1, scale_y = 1, more_x = 0, more_y = 0;
};

std::string program(Form form, unsigned channels) {
    std::string text =
        ".version 8.5\n.target sm_80\n.address_size 64\n"
        ".visible .entry k(.param .u64 out, .param .u64 places, .param .u64 texture, .param .s32 x, .param .s32 y,\n"
        "    .param .f32 scale_x, .param .f32 scale_y, .param .f32 more_x, .param .f32 more_y)\n{\n"
        ".reg .pred %p<4>; .reg .b32 %r<120>; .reg .f32 %f<120>; .reg .b64 %rd<60>, %tex;\n"
        "ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [places]; ld.param.u64 %tex, [texture];\n"
        "ld.param.s32 %r1, [x]; ld.param.s32 %r2, [y]; ld.param.f32 %f1, [scale_x]; ld.param.f32 %f2, [scale_y];\n"
        "ld.param.f32 %f3, [more_x]; ld.param.f32 %f4, [more_y];\n"
        "mov.u32 %r3, %tid.x; mov.u32 %r4, %tid.y; add.s32 %r5, %r3, %r1; add.s32 %r6, %r4, %r2;\n"
        "mad.lo.u32 %r7, %r4, " +
        std::to_string(kWide) +
        ", %r3; mul.wide.u32 %rd3, %r7, 4; add.s64 %rd4, %rd2, %rd3;\n"
        "mul.wide.u32 %rd5, %r7, 16; add.s64 %rd6, %rd1, %rd5;\n";
    if (form == Form::apart) text += "and.b32 %r8, %r3, 4; setp.ne.u32 %p1, %r8, 0; @%p1 bra END;\n";
    for (unsigned tap = 0; tap < kTaps; ++tap) {
        const auto n = [&](const char* kind, unsigned k) { return kind + std::to_string(10 + 20 * tap + k); };
        const std::string x = n("%r", 0), y = n("%r", 1), fx = n("%f", 0), fy = n("%f", 1);
        text += "add.s32 " + x + ", %r5, " + std::to_string(kTapAt[tap][0]) + "; add.s32 " + y + ", %r6, " +
                std::to_string(kTapAt[tap][1]) + ";\n";
        if (form == Form::read) {
            const auto at = [&](unsigned axis) { return std::to_string(4 * kThreads * (axis * kTaps + tap)); };
            text += "ld.global.f32 " + fx + ", [%rd4+" + at(0) + "]; ld.global.f32 " + fy + ", [%rd4+" + at(1) + "];\n";
        } else {
            const std::string convert = form == Form::from_unsigned ? "cvt.rn.f32.u32 " : "cvt.rn.f32.s32 ";
            text += convert + n("%f", 2) + ", " + x + "; " + convert + n("%f", 3) + ", " + y + ";\n";
            if (form == Form::scaled)
                text += "fma.rn.f32 " + fx + ", " + n("%f", 2) + ", %f1, %f3; fma.rn.f32 " + fy + ", " + n("%f", 3) +
                        ", %f2, %f4;\n";
            else
                text += "add.f32 " + fx + ", " + n("%f", 2) + ", 0f3F000000; add.f32 " + fy + ", " + n("%f", 3) +
                        ", 0fBE800000;\n"; // 0.5, -0.25
        }
        const std::string results = "{" + n("%r", 4) + ", " + n("%r", 5) + ", " + n("%r", 6) + ", " + n("%r", 7) + "}";
        text += form == Form::integers ? "tex.1d.v4.u32.s32 " + results + ", [%tex, {" + x + "}];\n"
                : form == Form::row    ? "tex.1d.v4.u32.f32 " + results + ", [%tex, {" + fx + "}];\n"
                                       : "tex.2d.v4.u32.f32 " + results + ", [%tex, {" + fx + ", " + fy + "}];\n";
        for (unsigned k = 0; k < channels; ++k)
            text +=
                "st.global.u32 [%rd6+" + std::to_string(16 * kThreads * tap + 4 * k) + "], " + n("%r", 4 + k) + ";\n";
    }
    return text + "END:\nret;\n}\n";
}

class Kernel {
public:
    Kernel(const std::string& text, unsigned lanes) {
        auto parsed = ptx::parse(text);
        if (const auto* error = std::get_if<ptx::ParseError>(&parsed)) throw std::runtime_error(error->message);
        jit::Options options;
        options.mode = jit::Mode::loop;
        options.width = lanes;
        options.gain = jit::Gain::ignored;
        kernel_ = jit::compile(std::get<ptx::Module>(parsed), 0, {}, options).kernel;
        install_trap_handler();
        link_services();
    }
    [[nodiscard]] bool run(const Arguments& arguments) const {
        LaunchContext launch{};
        launch.parameters = reinterpret_cast<const std::byte*>(&arguments);
        launch.ntid[0] = kWide;
        launch.ntid[1] = kHigh;
        launch.ntid[2] = 1;
        launch.block_threads = kThreads;
        launch.nctaid[0] = launch.nctaid[1] = launch.nctaid[2] = 1;
        launch.nsmid = 1;
        BlockContext block{};
        block.launch = &launch;
        struct Call {
            jit::CompiledKernel::RunBlock run;
            BlockContext* block;
        } call{kernel_->run_block(), &block};
        Trap trap;
        return run_guarded([](void* c) { static_cast<Call*>(c)->run(static_cast<Call*>(c)->block); }, &call, trap);
    }

private:
    std::shared_ptr<const jit::CompiledKernel> kernel_;
};

using Random = std::mt19937;

template <class T, std::size_t count>
T one_of(Random& random, const T (&values)[count]) {
    return values[random() % count];
}

/// A random texture, and its memory, which ends with the last element.
struct Picture {
    std::vector<std::uint32_t> words;
    Texture texture;

    Picture(Random& random, Form form, unsigned channels) {
        TexelMemory& m = texture.memory;
        const bool linear = form == Form::integers;
        m.format = one_of(random, {Texel::f32, Texel::u32, Texel::s32, Texel::f32});
        m.channels = random() % 4 ? channels : one_of(random, {1u, 2u, 4u});
        m.linear = linear;
        m.dimensions = linear || form == Form::row ? 1 : 2;
        TextureLevel level;
        level.width = one_of(random, {1u, 7u, 20u, 33u, 40u, 100u});
        level.height = m.dimensions == 1 ? 1 : 1 + random() % 4;
        const std::uint32_t row = level.width * m.channels + (m.dimensions == 2 ? 4 * (random() % 2) : 0);
        level.row_bytes = std::uint64_t{row} * 4;
        level.slice_bytes = level.row_bytes * level.height;
        words.resize(std::size_t{row} * (level.height - 1) + std::size_t{level.width} * m.channels);
        for (std::uint32_t& word : words)
            word = m.format == Texel::f32 ? std::bit_cast<std::uint32_t>(static_cast<float>(random() % 4096) / 16)
                                          : static_cast<std::uint32_t>(random());
        level.base = reinterpret_cast<std::byte*>(words.data());
        m.levels.push_back(level);
        SamplerState& s = texture.sampler;
        constexpr CUaddress_mode kModes[] = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP,
                                             CU_TR_ADDRESS_MODE_BORDER, CU_TR_ADDRESS_MODE_WRAP,
                                             CU_TR_ADDRESS_MODE_MIRROR};
        s.address = {one_of(random, kModes), one_of(random, kModes), one_of(random, kModes)};
        s.read_as_integer = m.format != Texel::f32;
        s.normalized_coordinates = random() % 3 == 0;
        s.border = {1.5f, 2, 3, 4};
        if (m.format == Texel::f32 && random() % 8 == 0) s.filter = CU_TR_FILTER_MODE_LINEAR;
        find_plain(texture);
    }
};

float special(Random& random) {
    const float infinity = std::numeric_limits<float>::infinity();
    return one_of(random, {NAN, infinity, -infinity, -0.0f, -1e-30f, 1e20f, -1e20f, 0x1p31f, -0.5f, 1.0f, 16777216.0f});
}

} // namespace

class TestTextureRows : public QObject {
    Q_OBJECT
private slots:
    void as_sampled_one_by_one_data() {
        QTest::addColumn<unsigned>("lanes");
        for (const unsigned lanes : {4u, 8u, 16u, 32u})
            QTest::addRow("%u lanes", lanes) << lanes;
    }
    void as_sampled_one_by_one() {
        QFETCH(const unsigned, lanes);
        for (const Form form : kForms)
            for (const unsigned channels : {1u, 2u, 4u}) {
                if (channels > 1 && form != Form::counted && form != Form::read && form != Form::integers) continue;
                const Kernel kernel(program(form, channels), lanes);
                Random random(static_cast<unsigned>(form) * 10 + channels); // the same for all lanes
                for (int turn = 0; turn < 24; ++turn) {
                    compare(kernel, form, channels, random);
                    if (QTest::currentTestFailed()) {
                        qWarning("form %d, %u channels, turn %d", static_cast<int>(form), channels, turn);
                        return;
                    }
                }
            }
    }

private:
    static void compare(const Kernel& kernel, Form form, unsigned channels, Random& random) {
        const Picture picture(random, form, channels);
        const TextureLevel& level = picture.texture.memory.levels[0];
        const bool normalized = picture.texture.sampler.normalized_coordinates;
        const auto width = static_cast<float>(level.width), height = static_cast<float>(level.height);
        Arguments a;
        a.x = one_of(random, {0, 1, 2, 4, 8, -1, -40, 70, static_cast<int>(level.width) - 33, 1 << 24, -(1 << 30),
                              std::numeric_limits<int>::max() - 10});
        a.y = one_of(random, {0, 0, 1, 1, -2, 5, 1 << 28});
        a.scale_x = (normalized ? 1 / width : 1) * one_of(random, {1.0f, 1.0f, 1.0f, 0.5f, -1.0f, 2.0f, 0.0f});
        a.scale_y = normalized ? 1 / height : 1;
        a.more_x = a.scale_x * one_of(random, {0.5f, 0.25f, 0.0f, 0.99f});
        a.more_y = a.scale_y * 0.5f;
        std::vector<float> places(std::size_t{2} * kTaps * kThreads);
        const auto noise = random() % 3 == 0;
        for (unsigned tap = 0; tap < kTaps; ++tap)
            for (unsigned thread = 0; thread < kThreads; ++thread) {
                float* x = &places[std::size_t{tap} * kThreads + thread];
                float* y = x + std::size_t{kTaps} * kThreads;
                const auto number = [&](std::int32_t first, unsigned more, int tap_at) {
                    const std::uint32_t sum =
                        static_cast<std::uint32_t>(first) + more + static_cast<std::uint32_t>(tap_at);
                    return form == Form::from_unsigned ? static_cast<float>(sum)
                                                       : static_cast<float>(static_cast<std::int32_t>(sum));
                };
                const float ix = number(a.x, thread % kWide, kTapAt[tap][0]),
                            iy = number(a.y, thread / kWide, kTapAt[tap][1]);
                const bool is_scaled = form == Form::scaled || form == Form::read;
                *x = is_scaled ? std::fma(ix, a.scale_x, a.more_x) : ix + 0.5f;
                *y = is_scaled ? std::fma(iy, a.scale_y, a.more_y) : iy - 0.25f;
                if (form == Form::read && noise && random() % 32 == 0) *x = special(random);
                if (form == Form::read && noise && random() % 64 == 0) *y = special(random);
            }
        constexpr std::uint32_t kUntouched = 0xDEADBEEF;
        std::vector<std::uint32_t> out(std::size_t{kTaps} * kThreads * 4, kUntouched), expected = out;
        for (unsigned tap = 0; tap < kTaps; ++tap)
            for (unsigned thread = 0; thread < kThreads; ++thread) {
                if (form == Form::apart && thread & 4) continue;
                TextureResult result;
                const float x = places[std::size_t{tap} * kThreads + thread],
                            y = places[std::size_t{kTaps + tap} * kThreads + thread];
                const Texture& t = picture.texture;
                if (form == Form::integers)
                    fetch(t.memory, t.sampler,
                          static_cast<std::int32_t>(static_cast<std::uint32_t>(a.x) + thread % kWide +
                                                    static_cast<std::uint32_t>(kTapAt[tap][0])),
                          result);
                else
                    sample(t.memory, t.sampler, form == Form::row ? TextureGeometry::d1 : TextureGeometry::d2, 0, x, y,
                           0, NAN, result);
                std::copy_n(result, channels, &expected[(std::size_t{tap} * kThreads + thread) * 4]);
            }
        const std::uint64_t handle = add_texture(std::make_shared<Texture>(picture.texture));
        a.out = out.data();
        a.places = places.data();
        a.texture = handle;
        const bool ran = kernel.run(a);
        remove_texture(handle);
        QVERIFY(ran);
        QCOMPARE(out, expected);
    }
};

QTEST_GUILESS_MAIN(TestTextureRows)
#include "test_texture_rows.moc"
