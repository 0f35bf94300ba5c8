// SPDX-License-Identifier: Apache-2.0
// Texture and surface instructions from PTX to their results: every form against what the sampling functions say (these
// have a test of their own), in loops and in coroutines.
#include "software/jit/jit.hpp"
#include "software/ptx/parser.hpp"
#include "software/runtime/block_scheduler.hpp"
#include "software/runtime/sampling.hpp"
#include "software/runtime/services.hpp"
#include "software/runtime/shared_window.hpp"
#include "software/runtime/texel_formats.hpp"
#include "software/runtime/trap.hpp"

#include <QTest>

#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <string>

using namespace warplight::software;
namespace jit = warplight::jit;
namespace ptx = warplight::ptx;

namespace {

using Words = std::array<std::uint32_t, 4>;
using Input = std::array<float, 8>; ///< %f1… and, the same bits as integers, %r1…
constexpr unsigned kThreads = 24;

struct Arguments {
    void* out = nullptr;
    const void* in = nullptr;
    std::uint64_t texture = 0, surface = 0;
};

/// Each thread has its inputs in %f1…%f8 and %i1…%i8 (whole numbers), the handles in %tex and %surf, and leaves what is
/// to be stored in %r1…%r4.
std::string program(const std::string& body, const std::string& globals = {}, const std::string& target = "sm_80") {
    std::string text =
        ".version 8.5\n.target " + target + "\n.address_size 64\n" + globals +
        ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 texture, .param .u64 surface)\n{\n"
        ".reg .pred %p<4>; .reg .b16 %h<8>; .reg .b32 %r<20>; .reg .s32 %i<10>; .reg .f32 %f<10>;\n"
        ".reg .b64 %rd<10>, %tex, %surf;\n"
        "ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in]; ld.param.u64 %tex, [texture];\n"
        "ld.param.u64 %surf, [surface]; mov.u32 %r10, %tid.x;\n"
        "mul.wide.u32 %rd3, %r10, 32; add.s64 %rd2, %rd2, %rd3;\n"
        "mul.wide.u32 %rd3, %r10, 16; add.s64 %rd1, %rd1, %rd3;\n"
        "mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0; mov.b32 %r4, 0;\n";
    for (int k = 1; k <= 8; ++k) {
        const std::string n = std::to_string(k);
        text += "ld.global.f32 %f" + n + ", [%rd2+" + std::to_string(4 * (k - 1)) + "]; cvt.rzi.s32.f32 %i" + n +
                ", %f" + n + ";\n";
    }
    return text + body + "\nst.global.v4.b32 [%rd1], {%r1, %r2, %r3, %r4};\nret;\n}\n";
}

struct Outcome {
    std::vector<Words> words;
    std::optional<Trap> trap;
    std::optional<jit::Site> site;
    jit::Mode mode{};
};

/// Memory for the module's variables, as a loader would give it.
struct Variables {
    std::vector<std::vector<std::uint64_t>> memory;
    jit::VariableAddresses addresses;
    explicit Variables(const ptx::Module& module) {
        for (const ptx::Variable& v : module.variables) {
            memory.emplace_back(v.size / 8 + 2);
            if (!v.initial.empty()) std::memcpy(memory.back().data(), v.initial.data(), v.initial.size());
        }
        for (auto& m : memory)
            addresses.push_back(reinterpret_cast<std::uint64_t>(m.data()));
    }
};

Outcome run(const std::string& text, jit::Mode mode, const std::vector<Input>& inputs, std::uint64_t texture,
            std::uint64_t surface, const std::function<void(const ptx::Module&, Variables&)>& prepare = {}) {
    auto parsed = ptx::parse(text);
    if (const auto* error = std::get_if<ptx::ParseError>(&parsed)) throw std::runtime_error(error->message);
    const ptx::Module& module = std::get<ptx::Module>(parsed);
    for (const ptx::Function& f : module.functions)
        for (const ptx::Instruction& i : f.instructions)
            if (const auto why = jit::unsupported(module, f, i)) throw std::runtime_error(*why);
    Variables variables(module);
    if (prepare) prepare(module, variables);
    jit::Options options;
    options.mode = mode;
    const auto kernel = jit::compile(module, 0, variables.addresses, options).kernel;

    Outcome outcome;
    outcome.mode = kernel->mode();
    outcome.words.assign(kThreads, {0xdead, 0xdead, 0xdead, 0xdead});
    const Arguments arguments{outcome.words.data(), inputs.data(), texture, surface};
    LaunchContext launch{};
    launch.parameters = reinterpret_cast<const std::byte*>(&arguments);
    launch.ntid[0] = launch.block_threads = kThreads;
    launch.ntid[1] = launch.ntid[2] = 1;
    launch.nctaid[0] = launch.nctaid[1] = launch.nctaid[2] = 1;
    launch.nsmid = 1;
    install_trap_handler();
    link_services();
    Trap trap;
    bool ran = false;
    if (kernel->mode() == jit::Mode::loop) {
        BlockContext block{};
        block.launch = &launch;
        struct Call {
            jit::CompiledKernel::RunBlock run;
            BlockContext* block;
        } call{kernel->run_block(), &block};
        ran = run_guarded([](void* c) { static_cast<Call*>(c)->run(static_cast<Call*>(c)->block); }, &call, trap);
    } else {
        BlockScheduler block;
        block.begin(launch, kernel->start_thread(), kernel->run_round(), nullptr, 0, 0);
        ran = run_guarded(
            [](void* b) {
                auto* scheduler = static_cast<BlockScheduler*>(b);
                while (scheduler->turn() != BlockScheduler::Turn::finished) {
                }
            },
            &block, trap);
    }
    if (!ran) {
        outcome.trap = trap;
        if (trap.site != UINT32_MAX) outcome.site = kernel->site(trap.site);
    }
    return outcome;
}

/// Memory of a texture or surface: 16-byte aligned, levels behind one another.
struct Picture {
    TexelMemory memory;
    std::vector<std::vector<std::uint64_t>> levels;
    Picture(Texel format, unsigned channels, unsigned dimensions, std::array<unsigned, 3> size, unsigned slices = 1,
            unsigned level_count = 1) {
        memory.format = format;
        memory.channels = channels;
        memory.dimensions = dimensions;
        for (unsigned k = 0; k < level_count; ++k) {
            TextureLevel l;
            l.width = std::max(size[0] >> k, 1u);
            l.height = std::max(size[1] >> k, 1u);
            l.depth = std::max(size[2] >> k, 1u);
            l.row_bytes = std::uint64_t{l.width} * memory.element_bytes();
            l.slice_bytes = l.row_bytes * l.height;
            levels.emplace_back(l.slice_bytes * l.depth * slices / 8 + 1);
            auto* bytes = reinterpret_cast<std::byte*>(levels.back().data());
            std::uint32_t state = k + 1;
            for (std::size_t at = 0; at + 4 <= levels.back().size() * 8; at += 4) {
                state = state * 1664525u + 1013904223u;
                const std::uint32_t bits =
                    format == Texel::f32 ? std::bit_cast<std::uint32_t>(static_cast<float>(state >> 16) / 64) : state;
                std::memcpy(bytes + at, &bits, 4);
            }
            memory.levels.push_back(l);
        }
        for (unsigned k = 0; k < level_count; ++k)
            memory.levels[k].base = reinterpret_cast<std::byte*>(levels[k].data());
    }
};

/// Registered for the time of a test.
class Handle {
public:
    explicit Handle(Texture texture) : value(added(std::move(texture))) {}
    explicit Handle(Surface surface)
        : value(add_surface(std::make_shared<Surface>(std::move(surface)))), is_surface_(true) {}
    ~Handle() { is_surface_ ? remove_surface(value) : remove_texture(value); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    const std::uint64_t value;

private:
    static std::uint64_t added(Texture texture) {
        find_plain(texture);
        return add_texture(std::make_shared<Texture>(std::move(texture)));
    }

private:
    bool is_surface_ = false;
};

std::vector<Input> inputs() {
    std::vector<Input> all(kThreads);
    std::uint32_t state = 99;
    for (Input& in : all)
        for (float& x : in) {
            state = state * 1664525u + 1013904223u;
            x = static_cast<float>(state >> 12) / static_cast<float>(1u << 20) * 8 - 2; // -2 to 6
        }
    return all;
}

SamplerState linear_sampler() {
    SamplerState s;
    s.filter = s.mipmap_filter = CU_TR_FILTER_MODE_LINEAR;
    s.max_level = 9;
    return s;
}

using Expected = std::function<void(const Texture&, const Input&, std::uint32_t*)>;

std::int32_t whole(float x) { return static_cast<std::int32_t>(x); }
std::uint32_t index_of(float x) { return static_cast<std::uint32_t>(whole(x)); }

/// A plain sample of a geometry with what it takes of the inputs.
Expected plain(TextureGeometry g, float level = NAN) {
    return [=](const Texture& t, const Input& in, std::uint32_t* out) {
        sample(t.memory, t.sampler, g, index_of(in[3]), in[0], in[1], in[2], level, out);
    };
}
Expected requested(std::function<void(TextureRequest&, const Input&)> change) {
    return [=](const Texture& t, const Input& in, std::uint32_t* out) {
        TextureRequest r{};
        r.geometry = TextureGeometry::d2;
        r.component = -1;
        r.x = in[0];
        r.y = in[1];
        r.z = in[2];
        for (std::size_t k = 0; k < 3; ++k)
            r.i[k] = whole(in[k]);
        r.layer = index_of(in[3]);
        r.level = NAN;
        change(r, in);
        sample(t.memory, t.sampler, r, out);
    };
}

struct Form {
    const char* name;
    const char* body;
    unsigned shape; ///< of pictures(): 0 1-D, 1 2-D with levels, 2 3-D, 3 layers, 4 cubes
    Expected expected;
};

const std::vector<Form>& forms() {
    static const std::vector<Form> all = {
        {"1d", "tex.1d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%tex, {%f1}];", 0, plain(TextureGeometry::d1)},
        {"1d scalar", "tex.1d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%tex, %f1];", 0, plain(TextureGeometry::d1)},
        {"1d integer", "tex.1d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%tex, {%i1}];", 0,
         requested([](auto& r, auto&) { r.geometry = TextureGeometry::d1, r.integer_coordinates = 1; })},
        {"2d", "tex.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%tex, {%f1,%f2}];", 1, plain(TextureGeometry::d2)},
        {"2d base", "tex.base.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%tex, {%f1,%f2}];", 1, plain(TextureGeometry::d2)},
        {"2d resident", "tex.2d.v4.f32.f32 {%r1,_,%r3,%r4}|%p1, [%tex, {%f1,%f2}]; selp.b32 %r2, 1, 0, %p1;", 1,
         [](const Texture& t, const Input& in, std::uint32_t* out) {
             plain(TextureGeometry::d2)(t, in, out);
             out[1] = 1;
         }},
        {"2d level", "tex.level.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%tex, {%f1,%f2}], %f5;", 1,
         requested([](auto& r, auto& in) { r.level = in[4]; })},
        {"2d level integer", "tex.level.2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%tex, {%i1,%i2}], %i5;", 1,
         requested([](auto& r, auto& in) { r.integer_coordinates = 1, r.level = static_cast<float>(whole(in[4])); })},
        {"2d offset", "mov.s32 %i9, -3; tex.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%tex, {%f1,%f2}], {2, %i9};", 1,
         requested([](auto& r, auto&) { r.offset[0] = 2, r.offset[1] = -3; })},
        {"2d compare", "tex.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%tex, {%f1,%f2}], %f6;", 1, plain(TextureGeometry::d2)},
        {"2d offset and compare",
         "tex.level.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%tex, {%f1,%f2}], 0f3FC00000, {1, 1}, %f6;", 1,
         requested([](auto& r, auto&) { r.level = 1.5f, r.offset[0] = r.offset[1] = 1; })},
        {"2d gradient", "tex.grad.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%tex, {%f1,%f2}], {%f5,%f6}, {%f7,%f8};", 1,
         requested([](auto& r, auto& in) {
             r.has_gradient = 1;
             std::copy_n(&in[4], 2, r.dx);
             std::copy_n(&in[6], 2, r.dy);
         })},
        {"2d integer", "tex.2d.v4.u32.s32 {%r1,%r2,%r3,%r4}, [%tex, {%i1,%i2}];", 1,
         requested([](auto& r, auto&) { r.integer_coordinates = 1; })},
        {"3d", "tex.3d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%tex, {%f1,%f2,%f3,%f3}];", 2, plain(TextureGeometry::d3)},
        {"3d offset", "tex.3d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%tex, {%f1,%f2,%f3,%f3}], {1,-1,1,0};", 2,
         requested([](auto& r, auto&) {
             r.geometry = TextureGeometry::d3;
             r.offset[0] = r.offset[2] = 1;
             r.offset[1] = -1;
         })},
        {"3d gradient",
         "tex.grad.3d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%tex, {%f1,%f2,%f3,%f3}], {%f5,%f6,%f7,%f7}, {%f6,%f7,%f8,%f8};",
         2, requested([](auto& r, auto& in) {
             r.geometry = TextureGeometry::d3, r.has_gradient = 1;
             std::copy_n(&in[4], 3, r.dx);
             std::copy_n(&in[5], 3, r.dy);
         })},
        {"a1d", "tex.a1d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%tex, {%i4,%f1}];", 3, plain(TextureGeometry::a1d)},
        {"a2d", "tex.a2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%tex, {%i4,%f1,%f2,%f2}];", 3, plain(TextureGeometry::a2d)},
        {"a2d integer", "tex.a2d.v4.f32.s32 {%r1,%r2,%r3,%r4}, [%tex, {%i4,%i1,%i2,%i2}];", 3,
         requested([](auto& r, auto&) { r.geometry = TextureGeometry::a2d, r.integer_coordinates = 1; })},
        {"cube", "tex.cube.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%tex, {%f1,%f2,%f3,%f3}];", 4, plain(TextureGeometry::cube)},
        {"acube", "tex.acube.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%tex, {%i4,%f1,%f2,%f3}];", 4,
         plain(TextureGeometry::acube)},
        {"cube gradient",
         "tex.grad.cube.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%tex, {%f1,%f2,%f3,%f3}], {%f5,%f6,%f7,%f7}, {%f6,%f7,%f8,%f8};",
         4, requested([](auto& r, auto& in) {
             r.geometry = TextureGeometry::cube, r.has_gradient = 1;
             std::copy_n(&in[4], 3, r.dx);
             std::copy_n(&in[5], 3, r.dy);
         })},
        {"half",
         "tex.2d.v4.f16.f32 {%h1,%h2,%h3,%h4}, [%tex, {%f1,%f2}]; cvt.u32.u16 %r1, %h1; cvt.u32.u16 %r2, %h2;"
         "cvt.u32.u16 %r3, %h3; cvt.u32.u16 %r4, %h4;",
         1,
         [](const Texture& t, const Input& in, std::uint32_t* out) {
             plain(TextureGeometry::d2)(t, in, out);
             for (int k = 0; k < 4; ++k)
                 out[k] = float_to_half(static_cast<double>(std::bit_cast<float>(out[k])));
         }},
        {"half pairs", "tex.2d.v2.f16x2.f32 {%r1,%r2}, [%tex, {%f1,%f2}];", 1,
         [](const Texture& t, const Input& in, std::uint32_t* out) {
             plain(TextureGeometry::d2)(t, in, out);
             const auto half = [&](int k) {
                 return std::uint32_t{float_to_half(static_cast<double>(std::bit_cast<float>(out[k])))};
             };
             const Words pairs = {half(0) | half(1) << 16, half(2) | half(3) << 16, 0, 0};
             std::copy(pairs.begin(), pairs.end(), out);
         }},
        {"gather", "tld4.r.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%tex, {%f1,%f2}];", 1,
         requested([](auto& r, auto&) { r.component = 0; })},
        {"gather alpha, offset", "tld4.a.2d.v4.u32.f32 {%r1,%r2,%r3,%r4}|%p1, [%tex, {%f1,%f2}], {-8, 7};", 1,
         requested([](auto& r, auto&) { r.component = 3, r.offset[0] = -8, r.offset[1] = 7; })},
        {"gather layer", "tld4.g.a2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%tex, {%i4,%f1,%f2,%f2}];", 3,
         requested([](auto& r, auto&) { r.geometry = TextureGeometry::a2d, r.component = 1; })},
        {"gather cube", "tld4.b.cube.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%tex, {%f1,%f2,%f3,%f3}];", 4,
         requested([](auto& r, auto&) { r.geometry = TextureGeometry::cube, r.component = 2; })},
        {"queries",
         "txq.width.b32 %r1, [%tex]; txq.height.b32 %r2, [%tex]; txq.num_mipmap_levels.b32 %r3, [%tex];"
         "txq.level.width.b32 %r4, [%tex], 1;",
         1,
         [](const Texture& t, const Input&, std::uint32_t* out) {
             const Words words = {t.memory.levels[0].width, t.memory.levels[0].height,
                                  static_cast<std::uint32_t>(t.memory.levels.size()), t.memory.levels[1].width};
             std::copy(words.begin(), words.end(), out);
         }},
        {"more queries",
         "txq.filter_mode.b32 %r1, [%tex]; txq.normalized_coords.b32 %r2, [%tex];"
         "txq.array_size.b32 %r3, [%tex]; txq.channel_order.b32 %r4, [%tex];",
         3,
         [](const Texture&, const Input&, std::uint32_t* out) {
             const Words words = {1, 0, 3, 0x10B5};
             std::copy(words.begin(), words.end(), out);
         }},
    };
    return all;
}

Texture texture_of(const Picture& picture, const SamplerState& sampler) { return {{}, picture.memory, sampler}; }

Picture picture(unsigned shape) {
    switch (shape) {
    case 0: return {Texel::f32, 4, 1, {6, 1, 1}};
    case 1: return {Texel::f32, 4, 2, {8, 4, 1}, 1, 3};
    case 2: return {Texel::f32, 4, 3, {4, 4, 4}, 1, 2};
    case 3: {
        Picture p(Texel::f32, 4, 2, {4, 3, 1}, 3);
        p.memory.layered = true;
        p.memory.layers = 3;
        return p;
    }
    default: {
        Picture p(Texel::f32, 4, 2, {4, 4, 1}, 12, 2);
        p.memory.cubemap = p.memory.layered = true;
        p.memory.layers = 2;
        return p;
    }
    }
}

constexpr jit::Mode kBothModes[] = {jit::Mode::loop, jit::Mode::coroutine};

} // namespace

class TestTextureKernels : public QObject {
    Q_OBJECT
private slots:
    void every_form_data() {
        QTest::addColumn<int>("form");
        for (std::size_t k = 0; k < forms().size(); ++k)
            QTest::newRow(forms()[k].name) << static_cast<int>(k);
    }
    void every_form() {
        QFETCH(int, form);
        const Form& f = forms()[static_cast<std::size_t>(form)];
        const Picture p = picture(f.shape);
        const Texture texture = texture_of(p, linear_sampler());
        const Handle handle(texture);
        const std::vector<Input> in = inputs();
        for (const jit::Mode mode : kBothModes) {
            const Outcome outcome = run(program(f.body), mode, in, handle.value, 0);
            QVERIFY(!outcome.trap);
            for (unsigned k = 0; k < kThreads; ++k) {
                Words expected{};
                f.expected(texture, in[k], expected.data());
                for (std::size_t c = 0; c < 4; ++c)
                    QCOMPARE(outcome.words[k][c], expected[c]);
            }
        }
    }

    void textures_need_no_coroutines() {
        const Picture p = picture(1);
        const Handle handle(texture_of(p, linear_sampler()));
        QVERIFY(run(program(forms()[3].body), jit::Mode::automatic, inputs(), handle.value, 0).mode == jit::Mode::loop);
    }

    void references() {
        const Picture p = picture(1);
        const Texture texture = texture_of(p, linear_sampler());
        const Handle handle(texture);
        const std::vector<Input> in = inputs();
        // By name; through a register; with a sampler of its own.
        const std::string globals = ".global .texref pictures;\n.tex .u64 old;\n.global .surfref none;\n";
        const auto bound = [&](const ptx::Module& module, Variables& variables) {
            for (const char* name : {"pictures", "old"})
                variables.memory[module.find_variable(name).value()][0] = handle.value;
        };
        for (const char* body : {"tex.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [pictures, {%f1,%f2}];",
                                 "tex.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [old, {%f1,%f2}];",
                                 "mov.u64 %rd4, pictures; tex.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [%rd4, {%f1,%f2}];"}) {
            const Outcome outcome = run(program(body, globals), jit::Mode::loop, in, 0, 0, bound);
            QVERIFY(!outcome.trap);
            for (unsigned k = 0; k < kThreads; ++k) {
                Words expected{};
                plain(TextureGeometry::d2)(texture, in[k], expected.data());
                QVERIFY(outcome.words[k] == expected);
            }
        }
        const Outcome types = run(program("mov.u64 %rd4, pictures; istypep.texref %p1, %rd4; selp.b32 %r1, 1, 0, %p1;"
                                          "istypep.surfref %p2, %rd4; selp.b32 %r2, 1, 0, %p2;"
                                          "istypep.samplerref %p3, %rd4; selp.b32 %r3, 1, 0, %p3;"
                                          "mov.u64 %rd5, none; istypep.surfref %p1, %rd5; selp.b32 %r4, 1, 0, %p1;",
                                          globals),
                                  jit::Mode::loop, in, 0, 0, bound);
        QVERIFY(types.words[0] == (Words{1, 0, 0, 0}));
    }

    void samplers() {
        const Picture p = picture(1);
        const Texture texture = texture_of(p, linear_sampler());
        const Handle handle(texture);
        const std::vector<Input> in = inputs();
        const std::string globals =
            ".global .texref pictures;\n.global .samplerref nearest;\n"
            ".global .samplerref smooth = { filter_mode = linear, addr_mode_0 = clamp_to_border };\n";
        const auto bound = [&](const ptx::Module& module, Variables& variables) {
            variables.memory[module.find_variable("pictures").value()][0] = handle.value;
        };
        const auto check = [&](const char* body, CUfilter_mode filter, CUaddress_mode first) {
            Texture changed = texture;
            changed.sampler.filter = filter;
            changed.sampler.address = {first, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP};
            const Outcome outcome =
                run(program(body, globals, "sm_80, texmode_independent"), jit::Mode::loop, in, 0, 0, bound);
            QVERIFY(!outcome.trap);
            for (unsigned k = 0; k < kThreads; ++k) {
                Words expected{};
                plain(TextureGeometry::d2)(changed, in[k], expected.data());
                QVERIFY(outcome.words[k] == expected);
            }
        };
        check("tex.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [pictures, nearest, {%f1,%f2}];", CU_TR_FILTER_MODE_POINT,
              CU_TR_ADDRESS_MODE_CLAMP);
        check("tex.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [pictures, smooth, {%f1,%f2}];", CU_TR_FILTER_MODE_LINEAR,
              CU_TR_ADDRESS_MODE_BORDER);
        const Outcome asked = run(program("txq.filter_mode.b32 %r1, [smooth]; txq.addr_mode_0.b32 %r2, [smooth];"
                                          "txq.filter_mode.b32 %r3, [nearest]; txq.addr_mode_1.b32 %r4, [nearest];",
                                          globals, "sm_80, texmode_independent"),
                                  jit::Mode::loop, in, 0, 0, bound);
        QVERIFY(asked.words[0] == (Words{1, 3, 0, 1}));
    }

    void surfaces() {
        Picture p(Texel::u32, 1, 2, {16, 8, 1}, 2);
        p.memory.layered = true;
        p.memory.layers = 2;
        auto* words = reinterpret_cast<std::uint32_t*>(p.levels[0].data());
        for (std::uint32_t k = 0; k < 256; ++k)
            words[k] = 1000 + k;
        const Handle handle(Surface{p.memory});
        const std::string place = "mov.u32 %r11, %tid.x; and.b32 %r12, %r11, 7; shr.u32 %r13, %r11, 3;"; // x, y
        const auto read = [&](const std::string& body, jit::Mode mode = jit::Mode::loop) {
            const Outcome outcome = run(program(place + body), mode, inputs(), 0, handle.value);
            if (outcome.trap) throw std::runtime_error("a fault");
            return outcome.words;
        };
        for (const jit::Mode mode : kBothModes) {
            const auto b32 =
                read("shl.b32 %r14, %r12, 2; suld.b.2d.b32.trap %r1, [%surf, {%r14, %r13}];"
                     "suld.b.a2d.b32.trap {%r2}, [%surf, {1, %r14, %r13, %r13}];"
                     "suld.b.2d.b32.zero %r3, [%surf, {64, %r13}]; suld.b.2d.b32.clamp %r4, [%surf, {-4, %r13}];",
                     mode);
            const auto v4 = read("and.b32 %r12, %r12, 3; shl.b32 %r14, %r12, 4;"
                                 "suld.b.2d.v4.b32.trap {%r1,%r2,%r3,%r4}, [%surf, {%r14, %r13}];",
                                 mode);
            const auto b64 =
                read("shl.b32 %r14, %r12, 3; suld.b.2d.b64.trap %rd4, [%surf, {%r14, %r13}];"
                     "mov.b64 {%r1, %r2}, %rd4; suld.b.2d.v2.b16.trap {%h1, %h2}, [%surf, {%r14, %r13}];"
                     "mov.b32 %r3, {%h1, %h2}; suld.b.2d.v4.b8.trap {%h1,%h2,%h3,%h4}, [%surf, {%r14, %r13}];"
                     "cvt.u32.u16 %r4, %h2;",
                     mode);
            for (std::uint32_t t = 0; t < kThreads; ++t) {
                const std::uint32_t x = t & 7, y = t >> 3, at = 1000 + y * 16;
                QVERIFY(b32[t] == (Words{at + x, at + 128 + x, 0, at}));
                const std::uint32_t four = at + (x & 3) * 4;
                QVERIFY(v4[t] == (Words{four, four + 1, four + 2, four + 3}));
                const std::uint32_t two = at + x * 2;
                QVERIFY(b64[t] == (Words{two, two + 1, two, two >> 8 & 255}));
            }
        }
        (void)read(
            "shl.b32 %r14, %r12, 2; add.u32 %r15, %r11, 7; sust.b.2d.b32.trap [%surf, {%r14, %r13}], %r15;"
            "mov.b64 %rd4, {%r15, %r11}; shl.b32 %r14, %r12, 3; sust.b.a2d.b64.clamp [%surf, {1, %r14, %r13, 0}], %rd4;"
            "sust.b.2d.v4.b32.zero [%surf, {256, 0}], {%r15,%r15,%r15,%r15};");
        for (std::uint32_t t = 0; t < kThreads; ++t) {
            const std::uint32_t x = t & 7, y = t >> 3;
            QCOMPARE(words[y * 16 + x], t + 7);
            QCOMPARE(words[128 + y * 16 + x * 2], t + 7);
            QCOMPARE(words[128 + y * 16 + x * 2 + 1], t);
        }
        // Formatted stores count elements; reductions of all threads meet in one.
        words[40] = 0, words[41] = 77, words[42] = 0xF0, words[43] = 5;
        (void)read("add.u32 %r15, %r11, 1; sust.p.2d.b32.trap [%surf, {%r12, 7}], %r15;"
                   "sured.b.add.2d.u32.trap [%surf, {32, 2}], %r15; sured.b.min.2d.s32.trap [%surf, {36, 2}], %r15;"
                   "shl.b32 %r16, 1, %r12; sured.b.or.2d.b32.trap [%surf, {40, 2}], %r16;"
                   "sured.p.max.2d.b32.clamp [%surf, {11, 2}], %r15; sured.b.add.2d.u32.zero [%surf, {32, 99}], %r15;");
        QCOMPARE(words[7 * 16 + 3], 8u * 2 + 3 + 1); // the last thread that wrote there
        QCOMPARE(words[40], kThreads * (kThreads + 1) / 2);
        QCOMPARE(words[41], 1u);
        QCOMPARE(words[42], 0xFFu);
        QCOMPARE(words[43], kThreads);
        const auto asked =
            read("suq.width.b32 %r1, [%surf]; suq.height.b32 %r2, [%surf]; suq.array_size.b32 %r3, [%surf];"
                 "suq.channel_data_type.b32 %r4, [%surf];");
        QVERIFY(asked[0] == (Words{16, 8, 2, 0x10DC}));
    }

    void faults_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<int>("fault");
        QTest::addColumn<QString>("says");
        const int address = static_cast<int>(Fault::illegal_address), alignment = static_cast<int>(Fault::misaligned);
        QTest::newRow("no texture") << "tex.2d.v4.f32.f32 {%r1,%r2,%r3,%r4}, [12345, {%f1,%f2}];" << -1 << "";
        QTest::newRow("read outside") << "suld.b.2d.b32.trap %r1, [%surf, {1024, 0}];" << address
                                      << "outside of a surface";
        QTest::newRow("write outside") << "sust.b.2d.b32.trap [%surf, {0, -1}], %r1;" << address
                                       << "outside of a surface";
        QTest::newRow("reduction outside")
            << "sured.b.add.2d.u32.trap [%surf, {0, 99}], %r1;" << address << "outside of a surface";
        QTest::newRow("misaligned") << "suld.b.2d.b32.zero %r1, [%surf, {2, 0}];" << alignment << "misaligned";
    }
    void faults() {
        QFETCH(QString, body);
        QFETCH(int, fault);
        QFETCH(QString, says);
        const Picture p = picture(1);
        const Handle texture(texture_of(p, linear_sampler()));
        const Picture q(Texel::u32, 1, 2, {4, 4, 1});
        const Handle surface(Surface{q.memory});
        // Thread 5 alone does it.
        const std::string guarded =
            "mov.u32 %r11, %tid.x; setp.eq.u32 %p1, %r11, 5; @!%p1 bra END;\n" + body.toStdString() + "\nEND:\n";
        for (const jit::Mode mode : kBothModes) {
            if (fault < 0) {
                QVERIFY_THROWS_EXCEPTION(std::runtime_error,
                                         run(program(guarded), mode, inputs(), texture.value, surface.value));
                continue;
            }
            const Outcome outcome = run(program(guarded), mode, inputs(), texture.value, surface.value);
            QVERIFY(outcome.trap);
            QCOMPARE(static_cast<int>(outcome.trap->fault), fault);
            QVERIFY2(QString::fromUtf8(outcome.trap->what).contains(says), outcome.trap->what);
            QCOMPARE(outcome.trap->linear, 5u);
            QVERIFY(outcome.site);
        }
    }

    void what_cannot_be() {
        try {
            (void)run(program("tex.2dms.v4.s32.s32 {%r1,%r2,%r3,%r4}, [%tex, {%i1,%i2,%i3,%i3}];"), jit::Mode::loop,
                      inputs(), 0, 0);
            QFAIL("multi-sample textures run");
        } catch (const std::runtime_error& error) {
            QVERIFY2(QString::fromUtf8(error.what()).contains("samples"), error.what());
        }
    }
};

QTEST_GUILESS_MAIN(TestTextureKernels)
#include "test_texture_kernels.moc"
