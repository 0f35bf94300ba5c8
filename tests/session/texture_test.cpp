// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces as arguments of sessions, beside plain C++, on the driver that WARPLIGHT_TEST_DRIVER names.
#include "session/runner.hpp"
#include "session/session.hpp"
#include "warplight/driver.hpp"
#include "warplight/half.hpp"
#include "warplight/ndarray.hpp"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

using namespace warplight;
using namespace warplight::session;
using nlohmann::json;

namespace {

constexpr const char* kernels = R"(
#define I (int)(blockIdx.x * blockDim.x + threadIdx.x)
__global__ void plane(cudaTextureObject_t t, const float2* at, float* to, int n) {
    if (I < n) to[I] = tex2D<float>(t, at[I].x, at[I].y);
}
__global__ void plane4(const cudaTextureObject_t t, const float2* at, float4* to, int n) {
    if (I < n) to[I] = tex2D<float4>(t, at[I].x, at[I].y);
}
__global__ void line(cudaTextureObject_t t, float* to, int w) { if (I < w) to[I] = tex1D<float>(t, I + 0.5f); }
__global__ void fetch(cudaTextureObject_t t, float* to, int w) { if (I < w) to[I] = tex1Dfetch<float>(t, I); }
__global__ void integers(cudaTextureObject_t t, int* to, int w) { if (I < w) to[I] = tex1Dfetch<int>(t, I); }
__global__ void bytes2(cudaTextureObject_t t, uchar2* to, int w) { if (I < w) to[I] = tex1D<uchar2>(t, I + 0.5f); }
__global__ void volume(cudaTextureObject_t t, float* to, int w, int h, int d) {
    if (I < w * h * d) to[I] = tex3D<float>(t, I % w + 0.5f, I / w % h + 0.5f, I / w / h + 0.5f);
}
__global__ void lines(cudaTextureObject_t t, float* to, int w, int n) {
    if (I < w * n) to[I] = tex1DLayered<float>(t, I % w + 0.5f, I / w);
}
__global__ void planes(cudaTextureObject_t t, float* to, int w, int h, int n) {
    if (I < w * h * n) to[I] = tex2DLayered<float>(t, I % w + 0.5f, I / w % h + 0.5f, I / w / h);
}
__device__ float3 direction(int face, float s, float t) {
    switch (face) {
    case 0: return make_float3(1, -t, -s);
    case 1: return make_float3(-1, -t, s);
    case 2: return make_float3(s, 1, t);
    case 3: return make_float3(s, -1, -t);
    case 4: return make_float3(s, -t, 1);
    default: return make_float3(-s, -t, -1);
    }
}
__device__ float3 direction_of(int i, int w) {
    return direction(i / w / w % 6, 2 * (i % w + 0.5f) / w - 1, 2 * (i / w % w + 0.5f) / w - 1);
}
__global__ void cube(cudaTextureObject_t t, float* to, int w) {
    if (I >= 6 * w * w) return;
    float3 d = direction_of(I, w);
    to[I] = texCubemap<float>(t, d.x, d.y, d.z);
}
__global__ void cubes(cudaTextureObject_t t, float* to, int w, int n) {
    if (I >= 6 * w * w * n) return;
    float3 d = direction_of(I, w);
    to[I] = texCubemapLayered<float>(t, d.x, d.y, d.z, I / w / w / 6);
}
__global__ void gather(cudaTextureObject_t t, float4* to) { to[0] = tex2Dgather<float4>(t, 2.0f, 1.0f, 0); }
__global__ void invert(cudaSurfaceObject_t s, int w, int h) {
    if (I >= w * h) return;
    uchar4 c = surf2Dread<uchar4>(s, I % w * 4, I / w);
    surf2Dwrite(make_uchar4(255 - c.x, c.z, c.y, c.w), s, I % w * 4, I / w);
}
__global__ void draw1(cudaSurfaceObject_t s, int w) { if (I < w) surf1Dwrite(I * 1.5f, s, I * 4); }
__global__ void draw3(cudaSurfaceObject_t s, int w, int h, int d) {
    if (I < w * h * d) surf3Dwrite((short)I, s, I % w * 2, I / w % h, I / w / h);
}
__global__ void draw_lines(cudaSurfaceObject_t s, int w, int n) {
    if (I < w * n) surf1DLayeredwrite((float)I, s, I % w * 4, I / w);
}
__global__ void draw_planes(cudaSurfaceObject_t s, int w, int h, int n) {
    if (I < w * h * n) surf2DLayeredwrite((float)I, s, I % w * 4, I / w % h, I / w / h);
}
__global__ void draw_cube(cudaSurfaceObject_t s, int w) {
    if (I < 6 * w * w) surfCubemapwrite((float)I, s, I % w * 4, I / w % w, I / w / w);
}
__global__ void draw_cubes(cudaSurfaceObject_t s, int w, int n) {
    if (I < 6 * w * w * n) surfCubemapLayeredwrite((float)I, s, I % w * 4, I / w % w, I / w / w);
}
__global__ void grow(cudaSurfaceObject_t s, int w) {
    if (I < w && surf1Dread<float>(s, I * 4) < 100) surf1Dwrite(1.0f, s, I * 4);
}
__global__ void shift(cudaTextureObject_t from, cudaSurfaceObject_t to, int w, int h) {
    if (I < w * h) surf2Dwrite(tex2D<float>(from, I % w + 1.5f, I / w + 0.5f) + 1, to, I % w * 4, I / w);
}
__global__ void add(float* x, float by, int n) { if (I < n) x[I] += by; }
__global__ void plain(unsigned long long t, float* to, int w) { if (I < w) to[I] = tex1Dfetch<float>(t, I); }
__global__ void number(float t, float* to) { to[0] = t; }
)";

/// Compilers differ on whether {item} is a list of one, or the item.
json list_of(json items) { return items.is_array() ? items : json::array({std::move(items)}); }

json in(const char* name, const char* dtype, json shape, json texture, const char* kind = "arange") {
    return {{"name", name},
            {"direction", "in"},
            {"source", {{"kind", kind}, {"dtype", dtype}, {"shape", list_of(std::move(shape))}}},
            {"texture", std::move(texture)}};
}
json out(const char* name, const char* dtype, json shape) {
    return {{"name", name},
            {"direction", "out"},
            {"source", {{"kind", "constant"}, {"dtype", dtype}, {"shape", list_of(std::move(shape))}, {"value", 77}}}};
}
json drawn(const char* dtype, json shape, const char* kind) {
    json argument = out("s", dtype, std::move(shape));
    argument["surface"] = {{"kind", kind}};
    return argument;
}
json whole(const char* name, int value) {
    return {{"name", name}, {"direction", "scalar"}, {"type", "i32"}, {"value", value}};
}

json document_of(const char* kernel, json arguments, int threads) {
    return {{"warplight", 4},
            {"source", {{"name", "textures.cu"}, {"text", kernels}}},
            {"kernel", kernel},
            {"arguments", std::move(arguments)},
            {"launch", {{"grid", (threads + 63) / 64}, {"block", 64}}}};
}

/// What a texture unit does along one axis: 8 bits of fraction, and the address mode.
struct Taps {
    std::array<int, 2> at{}; ///< -1: the border
    std::array<double, 2> weight{};
};

int place(int i, int n, const std::string& mode) {
    if (i >= 0 && i < n) return i;
    if (mode == "wrap") return (i % n + n) % n;
    if (mode == "border") return -1;
    if (mode == "clamp") return std::clamp(i, 0, n - 1);
    const int j = (i % (2 * n) + 2 * n) % (2 * n);
    return j < n ? j : 2 * n - 1 - j;
}

Taps taps(double x, int n, const std::string& mode, bool linear) {
    if (!linear) return {{place(static_cast<int>(std::floor(x)), n, mode), 0}, {1, 0}};
    const double from = x - 0.5, fraction = from - std::floor(from);
    const int i = static_cast<int>(std::floor(from));
    return {{place(i, n, mode), place(i + 1, n, mode)}, {1 - fraction, fraction}};
}

/// A plane at x, y in elements.
double sampled(const std::vector<double>& plane, int w, int h, double x, double y, const std::string& mode, bool linear,
               double border) {
    const Taps along = taps(x, w, mode, linear), across = taps(y, h, mode, linear);
    double sum = 0;
    for (std::size_t k = 0; k < 2; ++k)
        for (std::size_t m = 0; m < 2; ++m) {
            const bool outside = along.at[m] < 0 || across.at[k] < 0;
            const double value = outside ? border : plane[static_cast<std::size_t>(across.at[k] * w + along.at[m])];
            sum += along.weight[m] * across.weight[k] * value;
        }
    return sum;
}

std::string problem_of(const RunResult& result) { return result.report.error ? result.report.error->message : ""; }

} // namespace

class TextureTest : public QObject {
    Q_OBJECT
    QTemporaryDir temporary_;
    std::optional<driver::Driver> driver_;

    RunResult run_it(const json& document) {
        RunOptions options;
        options.folder = temporary_.path().toStdString();
        return run(session_from_json(document), *driver_, options, {});
    }
    /// Output number `argument` of a run that must work.
    template <class T>
    std::vector<T> result_of(const json& document, int argument) {
        const RunResult result = run_it(document);
        if (result.report.status != Status::ok) QTest::qFail(problem_of(result).c_str(), __FILE__, __LINE__);
        for (const RunBuffer& each : result.buffers)
            if (each.index == argument && each.output) {
                const auto values = each.output->as<T>();
                return {values.begin(), values.end()};
            }
        return {};
    }
    /// That the output counts up from 0.
    template <class T>
    void counts(const json& document, int argument, std::size_t count, double step = 1) {
        const auto values = result_of<T>(document, argument);
        QCOMPARE(values.size(), count);
        for (std::size_t i = 0; i < count; ++i)
            QCOMPARE(static_cast<double>(values[i]), step * static_cast<double>(i));
    }
    void failed(const json& document, const char* pointer, const char* says) {
        const auto report = run_it(document).report;
        QVERIFY2(report.error.has_value(), "it ran");
        QVERIFY2(!report.launched, "it was launched");
        QCOMPARE(QString::fromStdString(report.error->pointer), QString(pointer));
        QVERIFY2(QString::fromStdString(report.error->message).contains(says), report.error->message.c_str());
    }

private slots:
    void initTestCase() {
        const auto name = qEnvironmentVariable("WARPLIGHT_TEST_DRIVER", "software").toStdString();
        if (name != "cuda" && !qEnvironmentVariableIsSet("WARPLIGHT_SOFTWARE_LIBRARY"))
            qputenv("WARPLIGHT_SOFTWARE_LIBRARY", WARPLIGHT_SOFTWARE_LIBRARY_FILE);
        qputenv("XDG_STATE_HOME", (temporary_.path() + "/state").toUtf8());
        driver_ = driver::Driver::from_name(name);
    }

    void documents_come_back() {
        json document =
            document_of("line", json::array({in("t", "float32", 5, {{"kind", "1d"}}), out("to", "float32", 5)}), 5);
        auto& texture = document["arguments"][0]["texture"];
        texture = {{"kind", "cubemap_layered"},
                   {"memory", "pitch2d"},
                   {"address", {"wrap", "mirror", "border"}},
                   {"filter", "linear"},
                   {"read", "normalized_float"},
                   {"normalized_coordinates", true},
                   {"border", {1, 0.5, 0, 0.25}},
                   {"srgb", true},
                   {"seamless", true},
                   {"gather", true},
                   {"fourth", 255},
                   {"later", "x"}};
        document["arguments"][1]["surface"] = {{"kind", "3d"}, {"later", 2}};
        const auto text = to_text(session_from_json(document));
        QVERIFY(text.find("\"warplight\": 4") != std::string::npos);
        QCOMPARE(to_text(parse(text)), text);
        const json back = json::parse(text);
        for (const auto& [key, value] : texture.items()) {
            if (key == "border" || key == "fourth") continue;
            QVERIFY2(back["arguments"][0]["texture"][key].dump() == value.dump(), key.c_str());
        }
        QCOMPARE(back["arguments"][0]["texture"]["border"][1].get<double>(), 0.5);
        QCOMPARE(back["arguments"][0]["texture"]["fourth"].get<double>(), 255.0);
        QVERIFY(back["arguments"][1]["surface"].dump() == document["arguments"][1]["surface"].dump());
        Session session = parse(text);
        session.arguments[0].texture = TextureSetup{};
        session.arguments[1].surface.reset();
        QVERIFY(to_text(session).find("\"texture\": {\n        \"kind\": \"2d\"\n      }") != std::string::npos);
        session.arguments[0].texture.reset();
        QVERIFY(to_text(session).find("\"warplight\": 1") != std::string::npos);
    }

    void planes_are_sampled_data() {
        QTest::addColumn<QString>("memory");
        QTest::addColumn<QString>("address");
        QTest::addColumn<bool>("normalized");
        QTest::addColumn<bool>("linear");
        for (const char* memory : {"array", "pitch2d"})
            for (const char* address : {"clamp", "border", "wrap", "mirror"})
                for (const bool linear : {false, true})
                    for (const bool normalized : {false, true}) {
                        if (!normalized && (address[0] == 'w' || address[0] == 'm')) continue;
                        QTest::addRow("%s %s %s %s", memory, address, linear ? "linear" : "point",
                                      normalized ? "from 0 to 1" : "in elements")
                            << memory << address << normalized << linear;
                    }
    }
    void planes_are_sampled() {
        QFETCH(QString, memory);
        QFETCH(QString, address);
        QFETCH(bool, normalized);
        QFETCH(bool, linear);
        constexpr int w = 8, h = 4, n = 96; // of powers of two coordinates are exact
        const double x_step = 0.1875, y_step = 0.15625, x_first = -7.03125, y_first = -5.0625;
        json texture = {{"kind", "2d"},
                        {"memory", memory.toStdString()},
                        {"address", address.toStdString()},
                        {"filter", linear ? "linear" : "point"},
                        {"normalized_coordinates", normalized},
                        {"border", json::array({address == "border" ? 3.0 : 0.0, 0.0})}};
        const auto coordinate = [&](double first, double step, int extent) {
            return fmt::format("({} + {} * i0) / {}", first, step, normalized ? extent : 1);
        };
        json at = {{"name", "at"},
                   {"direction", "in"},
                   {"source",
                    {{"kind", "formula"},
                     {"dtype", "float32"},
                     {"shape", {n, 2}},
                     {"expression", fmt::format("i1 == 0 ? {} : {}", coordinate(x_first, x_step, w),
                                                coordinate(y_first, y_step, h))}}}};
        json image = in("t", "float32", json::array({h, w}), texture, "formula");
        image["source"]["expression"] = "i*i % 7 - 2 + i0 / 8";
        std::vector<double> plane(w * h);
        for (int i = 0; i < w * h; ++i)
            plane[static_cast<std::size_t>(i)] = i * i % 7 - 2 + (i / w) / 8.0;
        const auto values = result_of<float>(
            document_of("plane", json::array({image, at, out("to", "float32", n), whole("n", n)}), n), 2);
        QCOMPARE(values.size(), std::size_t{n});
        for (int i = 0; i < n; ++i) {
            const double right =
                sampled(plane, w, h, x_first + x_step * i, y_first + y_step * i, address.toStdString(), linear, 3);
            const double is = static_cast<double>(values[static_cast<std::size_t>(i)]);
            QVERIFY2(std::abs(is - right) < 0.03,
                     qPrintable(QStringLiteral("%1: %2, not %3").arg(i).arg(is).arg(right)));
        }
    }

    void formats_data() {
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<bool>("normalized");
        QTest::addColumn<double>("scale");
        QTest::newRow("uint8") << "uint8" << true << 1 / 255.0;
        QTest::newRow("int8") << "int8" << true << 1 / 127.0;
        QTest::newRow("uint16") << "uint16" << true << 1 / 65535.0;
        QTest::newRow("int16") << "int16" << true << 1 / 32767.0;
        QTest::newRow("float16") << "float16" << false << 1.0;
        QTest::newRow("float32") << "float32" << false << 1.0;
    }
    void formats() {
        QFETCH(QString, dtype);
        QFETCH(bool, normalized);
        QFETCH(double, scale);
        constexpr int w = 5, h = 3, n = w * h;
        json texture = {{"kind", "2d"}};
        if (normalized) texture["read"] = "normalized_float";
        json at = {{"name", "at"},
                   {"direction", "in"},
                   {"source",
                    {{"kind", "formula"},
                     {"dtype", "float32"},
                     {"shape", {n, 2}},
                     {"expression", "i1 == 0 ? i0 % 5 + 0.5 : floor(i0 / 5) + 0.5"}}}};
        const auto values = result_of<float>(
            document_of("plane4",
                        json::array({in("t", dtype.toUtf8().constData(), json::array({h, w, 4}), texture), at,
                                     out("to", "float32", json::array({n, 4})), whole("n", n)}),
                        n),
            2);
        QCOMPARE(values.size(), std::size_t{4 * n});
        for (std::size_t i = 0; i < values.size(); ++i)
            QVERIFY2(std::abs(values[i] - static_cast<double>(i) * scale) < 1e-6 * scale + 1e-7,
                     qPrintable(QString::number(values[i])));
    }

    void kinds() {
        const auto to = [](int count) { return out("to", "float32", count); };
        const auto t = [](json shape, const char* kind) {
            return in("t", "float32", std::move(shape), {{"kind", kind}});
        };
        counts<float>(document_of("line", json::array({t(70, "1d"), to(70), whole("w", 70)}), 70), 1, 70);
        counts<float>(document_of("volume",
                                  json::array({t(json::array({3, 4, 5}), "3d"), to(60), whole("w", 5), whole("h", 4),
                                               whole("d", 3)}),
                                  60),
                      1, 60);
        counts<float>(
            document_of("lines",
                        json::array({t(json::array({3, 7}), "1d_layered"), to(21), whole("w", 7), whole("n", 3)}), 21),
            1, 21);
        counts<float>(document_of("planes",
                                  json::array({t(json::array({3, 2, 5}), "2d_layered"), to(30), whole("w", 5),
                                               whole("h", 2), whole("n", 3)}),
                                  30),
                      1, 30);
        counts<float>(
            document_of("cube", json::array({t(json::array({6, 3, 3}), "cubemap"), to(54), whole("w", 3)}), 54), 1, 54);
        counts<float>(document_of("cubes",
                                  json::array({t(json::array({2, 6, 2, 2}), "cubemap_layered"), to(48), whole("w", 2),
                                               whole("n", 2)}),
                                  48),
                      1, 48);
        const json linear = {{"kind", "1d"}, {"memory", "linear"}};
        counts<float>(document_of("fetch", json::array({in("t", "float32", 70, linear), to(70), whole("w", 70)}), 70),
                      1, 70);
        counts<float>(document_of("plain", json::array({in("t", "float32", 70, linear), to(70), whole("w", 70)}), 70),
                      1, 70);
        counts<std::int32_t>(
            document_of("integers", json::array({in("t", "int32", 70, linear), out("to", "int32", 70), whole("w", 70)}),
                        70),
            1, 70);
        counts<std::uint8_t>(document_of("bytes2",
                                         json::array({in("t", "uint8", json::array({30, 2}), {{"kind", "1d"}}),
                                                      out("to", "uint8", json::array({30, 2})), whole("w", 30)}),
                                         30),
                             1, 60);
    }

    void four_at_once() {
        const auto values = result_of<float>(
            document_of("gather",
                        json::array({in("t", "float32", json::array({3, 4}), {{"kind", "2d"}, {"gather", true}}),
                                     out("to", "float32", json::array({1, 4}))}),
                        1),
            1);
        const std::vector<float> around{5, 6, 2, 1}; // of the corner between elements 1, 2, 5 and 6
        QVERIFY(values == around);
    }

    void pictures_get_a_fourth_component() {
        json at = {{"name", "at"},
                   {"direction", "in"},
                   {"source",
                    {{"kind", "formula"},
                     {"dtype", "float32"},
                     {"shape", {6, 2}},
                     {"expression", "0.5 + (i1 == 0 ? i0 % 3 : floor(i0/3))"}}}};
        const json texture = {{"kind", "2d"}, {"read", "normalized_float"}, {"fourth", 255}};
        const auto result = run_it(document_of("plane4",
                                               json::array({in("t", "uint8", json::array({2, 3, 3}), texture), at,
                                                            out("to", "float32", json::array({6, 4})), whole("n", 6)}),
                                               6));
        QVERIFY2(result.report.status == Status::ok, problem_of(result).c_str());
        const auto values = result.buffers[2].output->as<float>();
        for (std::size_t i = 0; i < 24; ++i) {
            const double right = i % 4 == 3 ? 1.0 : static_cast<double>(i / 4 * 3 + i % 4) / 255;
            QVERIFY(std::abs(values[i] - right) < 1e-6);
        }
        QCOMPARE(result.report.inputs[0].shape, (std::vector<std::size_t>{2, 3, 4}));
        QCOMPARE(result.report.inputs[0].texture, std::string("2d texture, normalised values"));
        QCOMPARE(report_from_json(to_json(result.report)).inputs[0].texture, result.report.inputs[0].texture);
    }

    void surfaces() {
        json image = in("s", "uint8", json::array({3, 5, 4}), nullptr);
        image.erase("texture");
        image["direction"] = "inout";
        image["surface"] = {{"kind", "2d"}};
        json document = document_of("invert", json::array({image, whole("w", 5), whole("h", 3)}), 15);
        document["repeat"] = 3; // each starts from the same
        const auto inverted = result_of<std::uint8_t>(document, 0);
        for (std::size_t i = 0; i < 60; ++i) {
            const std::size_t right = i % 4 == 0 ? 255 - i : i % 4 == 1 ? i + 1 : i % 4 == 2 ? i - 1 : i;
            QCOMPARE(static_cast<std::size_t>(inverted[i]), right);
        }
        counts<float>(document_of("draw1", json::array({drawn("float32", 70, "1d"), whole("w", 70)}), 70), 0, 70, 1.5);
        counts<std::int16_t>(document_of("draw3",
                                         json::array({drawn("int16", json::array({3, 4, 5}), "3d"), whole("w", 5),
                                                      whole("h", 4), whole("d", 3)}),
                                         60),
                             0, 60);
        counts<float>(
            document_of(
                "draw_lines",
                json::array({drawn("float32", json::array({3, 7}), "1d_layered"), whole("w", 7), whole("n", 3)}), 21),
            0, 21);
        counts<float>(document_of("draw_planes",
                                  json::array({drawn("float32", json::array({3, 2, 5}), "2d_layered"), whole("w", 5),
                                               whole("h", 2), whole("n", 3)}),
                                  30),
                      0, 30);
        counts<float>(document_of("draw_cube",
                                  json::array({drawn("float32", json::array({6, 3, 3}), "cubemap"), whole("w", 3)}),
                                  54),
                      0, 54);
        counts<float>(document_of("draw_cubes",
                                  json::array({drawn("float32", json::array({2, 6, 2, 2}), "cubemap_layered"),
                                               whole("w", 2), whole("n", 2)}),
                                  48),
                      0, 48);
    }

    void untouched_elements_of_an_out_surface_stay() {
        json document = document_of("draw1", json::array({drawn("float32", 70, "1d"), whole("w", 10)}), 70);
        const auto values = result_of<float>(document, 0);
        for (std::size_t i = 0; i < 70; ++i)
            QCOMPARE(static_cast<double>(values[i]), i < 10 ? 1.5 * static_cast<double>(i) : 77.0);
    }

    // Of an `out` nothing is written before the kernel, whatever fills it.
    void the_check_of_first_reads_looks_at_surfaces() {
        if (driver_->name() != "software") QSKIP("only the software device checks kernels");
        json document = document_of("grow", json::array({drawn("float32", 70, "1d"), whole("w", 70)}), 70);
        document["checks"] = json::array({"init", "memory"});
        const auto found = run_it(document).report;
        QCOMPARE(int(found.status), int(Status::findings));
        QVERIFY(!found.findings.all.empty());
        document["arguments"][0]["direction"] = "inout";
        const auto written = run_it(document).report;
        QVERIFY2(written.status == Status::ok, written.error ? written.error->message.c_str() : "findings");
    }

    // PTX has references, which compilers since CUDA 12 have not.
    void references_data() {
        QTest::addColumn<QString>("memory");
        for (const char* memory : {"array", "pitch2d", "linear"})
            QTest::newRow(memory) << memory;
    }
    void references() {
        QFETCH(QString, memory);
        const bool linear = memory == "linear";
        const std::string fetch =
            linear
                ? "mov.b32 %r2, %f1; cvt.rzi.s32.f32 %r3, %f1; tex.1d.v4.f32.s32 {%f2, %f3, %f4, %f5}, [image, {%r3}];"
                : "tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [image, {%f1, %f6}];";
        const std::string ptx =
            ".version 6.5\n.target sm_75\n.address_size 64\n.global .texref image;\n.global .surfref "
            "canvas;\n.visible .entry k(.param .u64 k_to)\n{\n.reg .b64 %rd<5>;\n.reg .b32 %r<9>;\n"
            ".reg .f32 %f<9>;\nld.param.u64 %rd1, [k_to];\nmov.u32 %r1, %tid.x;\n"
            "cvt.rn.f32.u32 %f1, %r1;\nadd.f32 %f1, %f1, 0f3F000000;\nmov.f32 %f6, 0f3FC00000;\n" +
            fetch +
            "\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nst.global.f32 [%rd3], %f2;\n"
            "shl.b32 %r4, %r1, 2;\nsust.b.1d.b32.trap [canvas, {%r4}], %r1;\nret;\n}\n";
        json texture = {{"memory", memory.toStdString()}, {"kind", linear ? "1d" : "2d"}};
        if (!linear) texture["filter"] = "linear";
        json image = in("image", "float32", linear ? json(8) : json::array({2, 8}), texture);
        image["variable"] = true;
        json canvas = drawn("uint32", 8, "1d");
        canvas["name"] = "canvas";
        canvas["variable"] = true;
        json document = document_of("k", json::array({out("to", "float32", 8), image, canvas}), 8);
        document["source"] = {{"name", "k.ptx"}, {"text", ptx}};
        document["launch"]["block"] = 8;
        const auto values = result_of<float>(document, 0);
        QCOMPARE(values.size(), std::size_t{8});
        for (std::size_t i = 0; i < 8; ++i)
            QCOMPARE(static_cast<double>(values[i]), static_cast<double>(i + (linear ? 0 : 8)));
        counts<std::uint32_t>(document, 2, 8);
        document["arguments"][1]["name"] = "canvas2";
        failed(document, "/arguments/1/name", "There is no texture reference \"canvas2\"");
    }

    // Texture units and plain writes, in steps that take turns.
    void pipelines_data() {
        QTest::addColumn<QString>("run_as");
        QTest::newRow("launches") << "launches";
        QTest::newRow("graph") << "graph";
    }
    void pipelines() {
        QFETCH(QString, run_as);
        constexpr int w = 6, h = 2, rounds = 5;
        const auto both = [&](const char* name, const char* kind) {
            json argument = in(name, "float32", json::array({h, w}), {{"kind", "2d"}, {"address", "clamp"}}, kind);
            argument["surface"] = {{"kind", "2d"}};
            argument["direction"] = "inout";
            return argument;
        };
        json buffer = out("x", "float32", json::array({h, w}));
        const auto step = [](const char* kernel, json arguments) -> json {
            return {{"kind", "launch"},
                    {"kernel", kernel},
                    {"arguments", std::move(arguments)},
                    {"launch", {{"grid", 1}, {"block", 64}}}};
        };
        json document = document_of(
            "", json::array({both("a", "arange"), both("b", "zeros"), buffer, whole("w", w), whole("h", h)}), 1);
        const json loop = {
            {"kind", "loop"},
            {"until", "a[0] >= 10"},
            {"at_most", rounds},
            {"steps", {step("shift", {"a", "b", "w", "h"}), {{"kind", "swap"}, {"buffers", {"a", "b"}}}}}};
        document["pipeline"] = {
            {"run_as", run_as.toStdString()},
            {"steps",
             {loop,
              {{"kind", "copy"}, {"from", "a"}, {"to", "x"}},
              step("add", {"x", {{"type", "f32"}, {"value", 0.5}}, {{"type", "i32"}, {"value", w * h}}}),
              {{"kind", "copy"}, {"from", "x"}, {"to", "b"}, {"from_start", 2}, {"to_start", 1}, {"count", 3}},
              {{"kind", "fill"}, {"buffer", "b"}, {"start", 10}, {"count", 2}, {"value", -1}}}},
            {"frames", {{"buffer", "a"}, {"every", 1}, {"at_most", 10}}}};
        const auto result = run_it(document);
        QVERIFY2(result.report.status == Status::ok, problem_of(result).c_str());
        std::vector<std::vector<float>> frames{{}};
        std::vector<float> a, b(w * h, 0);
        for (int i = 0; i < w * h; ++i)
            a.push_back(static_cast<float>(i));
        frames[0] = a;
        for (int round = 0; round < rounds && a[0] < 10; ++round) {
            for (int i = 0; i < w * h; ++i)
                b[static_cast<std::size_t>(i)] = a[static_cast<std::size_t>(i % w == w - 1 ? i : i + 1)] + 1;
            std::swap(a, b);
            frames.push_back(a);
        }
        std::vector<float> x = a;
        for (float& each : x)
            each += 0.5F;
        std::copy_n(x.begin() + 2, 3, b.begin() + 1);
        std::fill_n(b.begin() + 10, 2, -1.0F);
        const auto values = [&](std::size_t buffer) {
            const auto all = result.buffers[buffer].output->as<float>();
            return std::vector<float>(all.begin(), all.end());
        };
        QVERIFY(values(0) == a);
        QVERIFY(values(1) == b);
        QVERIFY(values(2) == x);
        QCOMPARE(frames.size(), std::size_t{6});
        const auto kept = result.frames->as<float>();
        for (std::size_t i = 0; i < frames.size(); ++i)
            QVERIFY(
                std::equal(frames[i].begin(), frames[i].end(), kept.begin() + static_cast<std::ptrdiff_t>(i * w * h)));

        json other = document;
        other["arguments"][1]["texture"]["filter"] = "linear";
        failed(other, "/pipeline/steps/0/steps/1/buffers", "not the same sort of texture");
        other = document;
        other["pipeline"]["steps"][0]["steps"][1]["buffers"] = {"a", "x"};
        failed(other, "/pipeline/steps/0/steps/1/buffers", "not the same sort of texture");
        other = document;
        other["pipeline"]["steps"][2]["arguments"][0] = "b";
        failed(other, "/arguments/1/texture", "an address");
    }

    // Linear memory is a texture for one launch and plain memory for another.
    void linear_memory_in_pipelines() {
        json t = in("t", "float32", 8, {{"kind", "1d"}, {"memory", "linear"}});
        t["direction"] = "inout";
        json document = document_of("", json::array({t, out("to", "float32", 8), whole("n", 8)}), 1);
        const json launch = {{"grid", 1}, {"block", 32}};
        document["pipeline"] = {
            {"steps",
             {{{"kind", "launch"},
               {"kernel", "add"},
               {"arguments", {"t", {{"type", "f32"}, {"value", 3}}, "n"}},
               {"launch", launch}},
              {{"kind", "launch"}, {"kernel", "fetch"}, {"arguments", {"t", "to", "n"}}, {"launch", launch}}}}};
        const auto values = result_of<float>(document, 1);
        for (std::size_t i = 0; i < 8; ++i)
            QCOMPARE(static_cast<double>(values[i]), static_cast<double>(i + 3));
        json alone = document_of("add", json::array({t, whole("by", 1), whole("n", 8)}), 8);
        alone["arguments"][1]["type"] = "f32";
        failed(alone, "/arguments/0/texture", "only in a pipeline");
    }

    void wrong_textures_are_refused_data() {
        QTest::addColumn<QString>("patch"); // of the argument
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* patch, const char* pointer, const char* says) {
            QTest::newRow(name) << patch << QStringLiteral("/arguments/0") + pointer << says;
        };
        row("float64", R"({"source": {"dtype": "float64"}})", "/source/dtype", "int8, int16");
        row("int64", R"({"source": {"dtype": "int64"}})", "/source/dtype", "float32");
        row("three components", R"({"source": {"shape": [4, 8, 3]}})", "/source", "\"fourth\"");
        row("five components", R"({"source": {"shape": [4, 8, 5]}})", "/source", "1, 2 or 4");
        row("one axis", R"({"source": {"shape": [32]}})", "/source", "[height, width]");
        row("no elements", R"({"source": {"shape": [0, 4]}})", "/source", "no elements");
        row("fourth of uint8", R"({"source": {"dtype": "uint8", "shape": [4, 8, 3]}, "texture": {"fourth": 300}})",
            "/texture/fourth", "300");
        row("faces", R"({"source": {"shape": [5, 4, 4]}, "texture": {"kind": "cubemap"}})", "/source", "6 faces");
        row("squares", R"({"source": {"shape": [6, 4, 3]}, "texture": {"kind": "cubemap"}})", "/source", "squares");
        row("too wide", R"({"source": {"dtype": "uint8", "shape": [1, 140000]}})", "/source", "elements wide");
        row("too many layers", R"({"source": {"shape": [3000, 2, 2]}, "texture": {"kind": "2d_layered"}})", "/source",
            "layers deep");
        row("filtered integers", R"({"source": {"dtype": "uint8"}, "texture": {"filter": "linear"}})",
            "/texture/filter", "normalized_float");
        row("normalised floats", R"({"texture": {"read": "normalized_float"}})", "/texture/read", "leave \"read\" out");
        row("normalised int32", R"({"source": {"dtype": "int32"}, "texture": {"read": "normalized_float"}})",
            "/texture/read", "8 and 16 bits");
        row("wrap", R"({"texture": {"address": "wrap"}})", "/texture/address", "normalized_coordinates");
        row("mirror of y", R"({"texture": {"address": ["clamp", "mirror"]}})", "/texture/address", "mirror");
        row("srgb", R"({"texture": {"srgb": true}})", "/texture/srgb", "uint8");
        row("seamless", R"({"texture": {"seamless": true}})", "/texture/seamless", "cubemaps");
        row("gather", R"({"source": {"shape": [2, 4, 8]}, "texture": {"kind": "3d", "gather": true}})",
            "/texture/gather", "kind 2d");
        row("linear plane", R"({"texture": {"memory": "linear"}})", "/texture/kind", "1d");
        row("linear filter of linear memory",
            R"({"source": {"shape": [32]}, "texture": {"kind": "1d", "memory": "linear", "filter": "linear"}})",
            "/texture/filter", "unfiltered");
        row("pitch of a line", R"({"source": {"shape": [32]}, "texture": {"kind": "1d", "memory": "pitch2d"}})",
            "/texture/kind", "2d");
        row("out", R"({"direction": "out"})", "/direction", "only read");
        row("surface for a texture", R"({"texture": null, "surface": {"kind": "2d"}})", "/surface",
            "is a texture object");
        row("nothing for a texture", R"({"texture": null})", "", "\"texture\"");
        row("two kinds", R"({"surface": {"kind": "3d"}})", "/texture/kind", "one kind");
        row("surface of linear memory",
            R"({"source": {"shape": [32]}, "texture": {"kind": "1d", "memory": "linear"}, "surface": {"kind": "1d"}})",
            "/texture/memory", "array");
    }
    void wrong_textures_are_refused() {
        QFETCH(QString, patch);
        QFETCH(QString, pointer);
        QFETCH(QString, says);
        json document = document_of(
            "plane",
            json::array({in("t", "float32", json::array({4, 8}), {{"kind", "2d"}}, "zeros"),
                         out("at", "float32", json::array({2, 2})), out("to", "float32", 2), whole("n", 2)}),
            2);
        document["arguments"][0].merge_patch(json::parse(patch.toStdString()));
        failed(document, pointer.toUtf8().constData(), says.toUtf8().constData());
    }

    void parameters_are_checked() {
        const json texture = {{"kind", "1d"}};
        failed(document_of("number", json::array({in("t", "float32", 8, texture), out("to", "float32", 1)}), 1),
               "/arguments/0/texture", "parameter \"t\" is float");
        failed(document_of("add", json::array({in("t", "float32", 8, texture), whole("by", 1), whole("n", 8)}), 1),
               "/arguments/0/texture", "an address");
        json handle = whole("t", 7);
        handle["type"] = "u64";
        failed(document_of("line", json::array({handle, out("to", "float32", 8), whole("w", 8)}), 1),
               "/arguments/0/direction", "is a texture object");
        json none = document_of("line", json::array({handle, out("to", "float32", 8), whole("w", 0)}), 1);
        none["arguments"][0]["value"] = 0;
        QVERIFY(run_it(none).report.status == Status::ok);
        json scalar = none;
        scalar["arguments"][0]["texture"] = texture;
        QVERIFY_THROWS_EXCEPTION(SessionError, session_from_json(scalar));
    }

    void wrong_words_are_refused_data() {
        QTest::addColumn<QString>("texture");
        QTest::addColumn<QString>("key");
        const auto row = [](const char* texture, const char* key) { QTest::newRow(texture) << texture << key; };
        row(R"({"kind": "4d"})", "kind");
        row(R"({"memory": "heap"})", "memory");
        row(R"({"address": "repeat"})", "address");
        row(R"({"address": ["wrap", "wrap", "wrap", "wrap"]})", "address");
        row(R"({"address": []})", "address");
        row(R"({"filter": "cubic"})", "filter");
        row(R"({"read": 1})", "read");
        row(R"({"border": [1, 2, 3, 4, 5]})", "border");
        row(R"({"border": ["red"]})", "border");
        row(R"({"srgb": 1})", "srgb");
    }
    void wrong_words_are_refused() {
        QFETCH(QString, texture);
        QFETCH(QString, key);
        const json document = document_of(
            "line", json::array({in("t", "float32", 8, json::parse(texture.toStdString())), out("to", "float32", 8)}),
            8);
        try {
            (void)session_from_json(document);
            QFAIL("it was read");
        } catch (const SessionError& error) {
            QCOMPARE(QString::fromStdString(error.pointer), QStringLiteral("/arguments/0/texture/") + key);
        }
    }

    // Code with every geometry on one texture and one surface. Those of another kind read 0.
    void kernels_of_all_geometries() {
        QFile file(QStringLiteral(TEXTURE_KERNELS));
        if (!file.exists()) QSKIP("The source lies beside the tests, and these are elsewhere.");
        QVERIFY(file.open(QIODevice::ReadOnly));
        constexpr int w = 8, h = 4;
        json texture = {{"kind", "2d"}, {"filter", "linear"}, {"normalized_coordinates", true}};
        json document = document_of("texk",
                                    json::array({in("t", "float32", json::array({h, w, 4}), texture),
                                                 out("o", "float32", json::array({w * h, 4})), out("f", "float32", 64),
                                                 out("u", "uint8", json::array({1, 4})), whole("w", w), whole("h", h)}),
                                    1);
        document["source"] = {{"name", "07_tex.cu"}, {"text", file.readAll().toStdString()}};
        document["launch"] = {{"grid", {1, 1}}, {"block", {w, h}}};
        const auto sampled_at_centres = result_of<float>(document, 1);
        for (std::size_t i = 12; i < 4 * w * h; ++i) // the first elements are written more than once
            QCOMPARE(static_cast<double>(sampled_at_centres[i]), static_cast<double>(i));
        json picture = drawn("uint8", json::array({h, 4 * w, 4}), "2d");
        picture["direction"] = "inout";
        document["kernel"] = "surfk";
        document["arguments"] =
            json::array({picture, out("p", "uint8", json::array({1, 4})), whole("w", w), whole("h", h)});
        // Its write to a volume faults; on a GPU that would be the end of this process's device.
        if (driver_->name() != "software") return;
        const auto report = run_it(document).report;
        QVERIFY(report.status == Status::device_error && report.error);
        QVERIFY2(QString::fromStdString(report.error->details).contains("outside of a surface"),
                 report.error->details.c_str());
    }
};

QTEST_GUILESS_MAIN(TextureTest)
#include "texture_test.moc"
