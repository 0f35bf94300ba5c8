// SPDX-License-Identifier: Apache-2.0
// Buffers made of others, exact counts of values, and buffers as files: each against a plain computation.
#include "worker/buffer_methods.hpp"

#include "session/formula.hpp"
#include "session/session.hpp"
#include "warplight/error.hpp"
#include "warplight/npy.hpp"
#include "warplight/struct_field.hpp"
#include "worker/value_counts.hpp"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>

using namespace warplight;
using namespace warplight::worker;

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

NdArray counted(Shape shape) {
    NdArray array = NdArray::empty(std::move(shape), DType::float32());
    auto values = array.as_mutable<float>();
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i);
    return array;
}

std::vector<float> random_floats(std::size_t count, unsigned seed, bool special) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(3, 2);
    std::vector<float> values(count);
    for (float& value : values) {
        value = normal(random);
        if (special && random() % 100 == 0) value = static_cast<float>(nan_value);
        if (special && random() % 100 == 0) value = static_cast<float>(random() % 2 ? infinite : -infinite);
    }
    return values;
}

} // namespace

class WorkerDerivedTest : public QObject {
    Q_OBJECT
    BufferStore store_;
    QTemporaryDir folder_;

    json call(const char* method, const json& params, const RequestContext& context = {}) {
        return call_buffer_method(method, params, store_, context);
    }
    std::int64_t add(const NdArray& array) { return store_.add(std::make_shared<NdArray>(array), "a", "test"); }
    /// The same elements in a file, which stay there.
    std::int64_t add_file(const NdArray& array, const char* name) {
        const std::string path = folder_.filePath(QLatin1String(name)).toStdString();
        save_npy(path, array);
        return call("buffer.open", {{"path", path}}).at("buffer").get<std::int64_t>();
    }
    template <class T>
    std::vector<T> values(std::int64_t id, std::size_t offset = 0, std::size_t count = 1 << 20) {
        const json answer = call("buffer.read", {{"buffer", id}, {"offset", offset}, {"count", count}});
        const auto& data = answer.at("data").get_binary();
        std::vector<T> result(data.size() / sizeof(T));
        if (!data.empty()) std::memcpy(result.data(), data.data(), data.size());
        return result;
    }
    std::string error_of(const char* method, const json& params) {
        try {
            call(method, params);
        } catch (const std::exception& error) {
            return error.what();
        }
        return {};
    }

private slots:
    void slices_of_any_axes() {
        const NdArray cube = counted({3, 4, 5, 6});
        for (const std::int64_t id : {add(cube), add_file(cube, "cube.npy")}) {
            const json info = call("buffer.derive", {{"kind", "slice"},
                                                     {"buffer", id},
                                                     {"axes", {{{"axis", 3}}, {{"axis", 0}, {"start", 1}}}},
                                                     {"index", {0, 2, 4, 0}}});
            QCOMPARE(info.at("shape").get<std::vector<std::size_t>>(), (std::vector<std::size_t>{6, 2}));
            const auto got = values<float>(info.at("buffer"));
            QCOMPARE(got.size(), std::size_t(12));
            for (std::size_t x = 0; x < 6; ++x)
                for (std::size_t y = 0; y < 2; ++y)
                    QCOMPARE(got[x * 2 + y], static_cast<float>((((y + 1) * 4 + 2) * 5 + 4) * 6 + x));
            // A part of it begins anywhere, and a slice of the slice is one, too.
            QCOMPARE(values<float>(info.at("buffer"), 5, 4), (std::vector<float>(got.begin() + 5, got.begin() + 9)));
            const json row = call("buffer.derive", {{"kind", "slice"},
                                                    {"buffer", info.at("buffer")},
                                                    {"axes", {{{"axis", 0}, {"start", 2}, {"count", 3}}}},
                                                    {"index", {0, 1}}});
            QCOMPARE(values<float>(row.at("buffer")), (std::vector<float>{got[5], got[7], got[9]}));
            const json one = call(
                "buffer.derive", {{"kind", "slice"}, {"buffer", id}, {"axes", json::array()}, {"index", {2, 3, 4, 5}}});
            QCOMPARE(values<float>(one.at("buffer")), (std::vector<float>{359}));
            QVERIFY(!error_of("buffer.derive",
                              {{"kind", "slice"}, {"buffer", id}, {"axes", {{{"axis", 4}}}}, {"index", {0, 0, 0, 0}}})
                         .empty());
            QVERIFY(!error_of("buffer.derive",
                              {{"kind", "slice"}, {"buffer", id}, {"axes", {{{"axis", 0}}}}, {"index", {0, 4, 0, 0}}})
                         .empty());
        }
    }

    void complex_numbers() {
        const std::vector<float> parts = {3, 4, -1, 0, 0, 2, 0.5F, -0.5F};
        const NdArray pairs = NdArray::from(parts, {4, 2});
        const NdArray numbers =
            NdArray::wrap(const_cast<std::byte*>(pairs.data()), {4}, DType::complex64(), Order::C, pairs.base(), false);
        const NdArray turned = NdArray::from(std::vector<float>{3, -1, 0, 0.5F, 4, 0, 2, -0.5F}, {2, 4}).transpose();
        for (const std::int64_t id :
             {add(pairs), add(numbers), add(turned), add_file(pairs, "pairs.npy"), add_file(numbers, "complex.npy")}) {
            const auto part = [&](const char* name) {
                return call("buffer.derive", {{"kind", "complex"}, {"buffer", id}, {"part", name}});
            };
            QCOMPARE(part("both").at("dtype").get<std::string>(), std::string("complex64"));
            QCOMPARE(values<float>(part("both").at("buffer")), parts);
            QCOMPARE(values<float>(part("real").at("buffer")), (std::vector<float>{3, -1, 0, 0.5F}));
            QCOMPARE(values<float>(part("imaginary").at("buffer")), (std::vector<float>{4, 0, 2, -0.5F}));
            const auto size = values<float>(part("magnitude").at("buffer"));
            const auto phase = values<float>(part("phase").at("buffer"));
            for (std::size_t i = 0; i < 4; ++i) {
                const std::complex<float> number(parts[i * 2], parts[i * 2 + 1]);
                QCOMPARE(size[i], std::hypot(number.real(), number.imag()));
                QCOMPARE(phase[i], std::arg(number));
            }
        }
        QVERIFY(
            !error_of("buffer.derive", {{"kind", "complex"}, {"buffer", add(counted({3}))}, {"part", "real"}}).empty());
    }

    void formulas() {
        if (!session::has_formulas()) QSKIP("no formulas in this build");
        const NdArray a = counted({40, 50});
        const NdArray b = NdArray::from(random_floats(2000, 1, false), {40, 50});
        const auto in_b = b.as<float>();
        const std::int64_t a_file = add_file(a, "a.npy"), b_memory = add(b);
        const auto formula = [&](const char* expression) -> json {
            return {{"kind", "formula"},   {"buffer", b_memory},           {"expression", expression},
                    {"names", {"a", "b"}}, {"arrays", {a_file, b_memory}}, {"scalars", {{"k", 2.0}}}};
        };
        const json info = call("buffer.derive", formula("k*a - b + (i0 > 0 ? a[i - n1] : 0)"));
        QCOMPARE(info.at("dtype").get<std::string>(), std::string("float64"));
        const auto got = values<double>(info.at("buffer"), 30, 100);
        for (std::size_t i = 0; i < got.size(); ++i) {
            const std::size_t at = 30 + i;
            const double above = at >= 50 ? static_cast<double>(at - 50) : 0;
            QCOMPARE(got[i], 2.0 * static_cast<double>(at) - static_cast<double>(in_b[at]) + above);
        }
        // Of a formula, too.
        const json twice = call("buffer.derive", {{"kind", "formula"},
                                                  {"buffer", b_memory},
                                                  {"expression", "2*f"},
                                                  {"names", {"f"}},
                                                  {"arrays", {info.at("buffer")}}});
        QCOMPARE(values<double>(twice.at("buffer"), 30, 1).front(), 2 * got[0]);
        QVERIFY(QString::fromStdString(error_of("buffer.derive", formula("a - "))).contains("ends too early"));
        QVERIFY(QString::fromStdString(error_of("buffer.derive", formula("a - c"))).contains("\"c\""));
        const json outside = call("buffer.derive", formula("a[i + 1]"));
        QCOMPARE(values<double>(outside.at("buffer"), 0, 3), (std::vector<double>{1, 2, 3}));
        QVERIFY(!error_of("buffer.read", {{"buffer", outside.at("buffer")}, {"offset", 1990}, {"count", 10}}).empty());
    }

    /// Each field against the bytes that were written, in memory and in a file, with padding and the other byte order.
    void fields() {
        struct Inner {
            std::int16_t a;
            float b;
        };
        struct Body {
            std::uint8_t tag;
            double mass;
            float v[2][3];
            Inner in[2];
        };
        const DType inner = struct_dtype(
            {{"a", 0, DType::int16(), {}, false, {}}, {"b", offsetof(Inner, b), DType::float32(), {}, false, {}}},
            sizeof(Inner));
        const DType body = struct_dtype({{"tag", 0, DType::opaque(1), {}, false, {}},
                                         {"mass", offsetof(Body, mass), DType::float64(), {}, false, {}},
                                         {"v", offsetof(Body, v), DType::float32(), {2, 3}, false, {}},
                                         {"in", offsetof(Body, in), inner, {2}, false, {}}},
                                        sizeof(Body));
        const NdArray bodies = NdArray::zeros({4, 100}, body);
        auto* all = reinterpret_cast<Body*>(bodies.mutable_data());
        for (int i = 0; i < 400; ++i) {
            const auto number = static_cast<float>(i);
            all[i] = {static_cast<std::uint8_t>(i), 0.5 * i, {{number, 1, 2}, {3, 4, -number}}, {{}, {}}};
            all[i].in[1] = {static_cast<std::int16_t>(-i), number / 4};
        }
        for (const std::int64_t id : {add(bodies), add_file(bodies, "bodies.npy")}) {
            const json info = call("buffer.info", {{"buffer", id}});
            std::vector<std::string> names;
            for (const json& field : info.at("fields"))
                names.push_back(field.at("name"));
            QCOMPARE(names, (std::vector<std::string>{"tag", "mass", "v[][]", "in[].a", "in[].b"}));
            QCOMPARE(info.at("fields")[3].at("strides").get<std::vector<std::size_t>>(),
                     std::vector<std::size_t>{sizeof(Inner)});
            QCOMPARE(info.at("fields")[3].at("offset").get<std::size_t>(), offsetof(Body, in));
            const auto field = [&](const char* name, const std::vector<int>& index) {
                return call("buffer.derive", {{"kind", "field"}, {"buffer", id}, {"field", name}, {"index", index}});
            };
            const json mass = field("mass", {});
            QCOMPARE(mass.at("shape").get<std::vector<std::size_t>>(), (std::vector<std::size_t>{4, 100}));
            QCOMPARE(values<double>(mass.at("buffer"), 17, 2), (std::vector<double>{8.5, 9}));
            const json v = field("v[][]", {1});
            QCOMPARE(v.at("shape").get<std::vector<std::size_t>>(), (std::vector<std::size_t>{4, 100, 3}));
            QCOMPARE(values<float>(v.at("buffer"), 7 * 3 + 1, 4), (std::vector<float>{4, -7, 3, 4}));
            QCOMPARE(values<float>(field("v[][]", {}).at("buffer"), 9 * 6, 6), (std::vector<float>{9, 1, 2, 3, 4, -9}));
            QCOMPARE(values<std::int16_t>(field("in[].a", {1}).at("buffer"), 399, 1), std::vector<std::int16_t>{-399});
            QCOMPARE(values<float>(field("in[].b", {}).at("buffer"), 5, 1), std::vector<float>{0.5F});
            QCOMPARE(field("tag", {}).at("dtype").get<std::string>(), std::string("V1"));
            // Numbers of a field are numbers like any other.
            QCOMPARE(call("buffer.summary", {{"buffer", mass.at("buffer")}}).at("max").get<double>(), 199.5);
            const json wrong{{"kind", "field"}, {"buffer", id}, {"field", "v"}};
            QVERIFY(QString::fromStdString(error_of("buffer.derive", wrong)).contains("v[][]"));
            for (const std::vector<int>& index : {std::vector<int>{2}, {0, 3}, {0, 0, 0}, {-1}})
                QVERIFY(!error_of("buffer.derive",
                                  {{"kind", "field"}, {"buffer", id}, {"field", "v[][]"}, {"index", index}})
                             .empty());
        }
        QVERIFY(call("buffer.info", {{"buffer", add(counted({3}))}}).at("fields").empty());
        QVERIFY(!error_of("buffer.derive", {{"kind", "field"}, {"buffer", add(counted({3}))}, {"field", "x"}}).empty());

        const NdArray swapped = NdArray::zeros({2}, DType::opaque(12, "[('n', '>i4'), ('c', '>c8')]"));
        const unsigned char bytes[] = {0, 0, 1, 2, 0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0};
        std::memcpy(swapped.mutable_data() + 12, bytes, sizeof bytes);
        const std::int64_t id = add(swapped);
        const auto of = [&](const char* name) -> std::int64_t {
            return call("buffer.derive", {{"kind", "field"}, {"buffer", id}, {"field", name}}).at("buffer");
        };
        QCOMPARE(values<std::int32_t>(of("n")), (std::vector<std::int32_t>{0, 258}));
        QCOMPARE(values<float>(of("c")), (std::vector<float>{0, 0, 1, -2}));
    }

    void columns() {
        const std::int64_t a = add(counted({2, 3}));
        const std::int64_t b = add(NdArray::from(std::vector<std::int32_t>{9, 8, 7, 6, 5, 4}));
        const json mixed = call("buffer.derive", {{"kind", "columns"}, {"arrays", {a, b}}});
        QCOMPARE(mixed.at("shape").get<std::vector<std::size_t>>(), (std::vector<std::size_t>{6, 2}));
        QCOMPARE(values<double>(mixed.at("buffer"), 3, 6), (std::vector<double>{8, 2, 7, 3, 6, 4}));
        const json same = call("buffer.derive", {{"kind", "columns"}, {"arrays", {b, b}}});
        QCOMPARE(same.at("dtype").get<std::string>(), std::string("int32"));
        QCOMPARE(values<std::int32_t>(same.at("buffer"), 0, 3), (std::vector<std::int32_t>{9, 9, 8}));
        QVERIFY(!error_of("buffer.derive", {{"kind", "columns"}, {"arrays", {a, add(counted({5}))}}}).empty());
    }

    void histograms() {
        const std::vector<float> numbers = random_floats(200001, 2, true);
        const std::int64_t id = add(NdArray::from(numbers));
        std::vector<double> finite;
        std::uint64_t nan = 0, positive = 0, negative = 0;
        for (const float value : numbers) {
            if (std::isfinite(value)) finite.push_back(static_cast<double>(value));
            nan += std::isnan(value);
            positive += value == static_cast<float>(infinite);
            negative += value == static_cast<float>(-infinite);
        }
        const auto check = [&](const json& answer, double low, double high) {
            const std::size_t bins = answer.at("counts").size();
            QCOMPARE(answer.at("low").get<double>(), low);
            QCOMPARE(answer.at("high").get<double>(), high);
            std::vector<std::uint64_t> counts(bins, 0);
            std::uint64_t below = 0, above = 0;
            std::vector<double> edges(bins + 1);
            for (std::size_t i = 0; i < bins; ++i)
                edges[i] = low + static_cast<double>(i) * ((high - low) / static_cast<double>(bins));
            edges[bins] = high;
            for (const double value : finite) {
                if (value < low) {
                    ++below;
                } else if (value > high) {
                    ++above;
                } else {
                    const auto edge = std::upper_bound(edges.begin(), edges.end(), value);
                    ++counts[std::min<std::size_t>(static_cast<std::size_t>(edge - edges.begin()) - 1, bins - 1)];
                }
            }
            QCOMPARE(answer.at("counts").get<std::vector<std::uint64_t>>(), counts);
            QCOMPARE(answer.at("below").get<std::uint64_t>(), below);
            QCOMPARE(answer.at("above").get<std::uint64_t>(), above);
            QCOMPARE(answer.at("nan").get<std::uint64_t>(), nan);
            QCOMPARE(answer.at("positive_inf").get<std::uint64_t>(), positive);
            QCOMPARE(answer.at("negative_inf").get<std::uint64_t>(), negative);
        };
        std::ranges::sort(finite);
        check(call("buffer.histogram", {{"buffer", id}, {"bins", 100}}), finite.front(), finite.back());
        check(call("buffer.histogram", {{"buffer", id}, {"bins", 10}, {"low", 0}, {"high", 10}}), 0, 10);
        const auto rank = [&](double percent) {
            return finite[static_cast<std::size_t>(std::ceil(percent / 100 * static_cast<double>(finite.size()))) - 1];
        };
        check(call("buffer.histogram", {{"buffer", id}, {"bins", 64}, {"low_percent", 2}, {"high_percent", 99.5}}),
              rank(2), rank(99.5));
        const json none = call("buffer.histogram", {{"buffer", add(NdArray::from({NAN, INFINITY}))}, {"bins", 4}});
        QVERIFY(none.at("min").is_null());
        const json same = call("buffer.histogram", {{"buffer", add(NdArray::from({7.0, 7.0}))}, {"bins", 4}});
        QCOMPARE(same.at("low").get<double>(), 3.5);
        QVERIFY(!error_of("buffer.histogram", {{"buffer", id}, {"low", 2}, {"high", 1}}).empty());
        QVERIFY(!error_of("buffer.histogram", {{"buffer", id}, {"low", 2}}).empty());
    }

    void scatters() {
        const std::vector<float> x = random_floats(50000, 3, true), y = random_floats(50000, 4, true);
        const json answer = call("buffer.scatter", {{"buffer", add(NdArray::from(x))},
                                                    {"with", add(NdArray::from(y))},
                                                    {"columns", 20},
                                                    {"rows", 10},
                                                    {"x_low", 0},
                                                    {"x_high", 8},
                                                    {"y_low", -2},
                                                    {"y_high", 6},
                                                    {"points", 65536}});
        std::vector<std::uint32_t> counts(200, 0);
        std::uint64_t pairs = 0, outside = 0;
        std::vector<double> points;
        std::vector<std::uint64_t> indices;
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (!std::isfinite(x[i]) || !std::isfinite(y[i])) continue;
            ++pairs;
            const auto a = static_cast<double>(x[i]), b = static_cast<double>(y[i]);
            if (a < 0 || a > 8 || b < -2 || b > 6) {
                ++outside;
                continue;
            }
            points.insert(points.end(), {a, b});
            indices.push_back(i);
            std::size_t column = 0, row = 0;
            while (column < 19 && a >= static_cast<double>(column + 1) * (8.0 / 20))
                ++column;
            while (row < 9 && b >= -2 + static_cast<double>(row + 1) * (8.0 / 10))
                ++row;
            ++counts[row * 20 + column];
        }
        QCOMPARE(answer.at("pairs").get<std::uint64_t>(), pairs);
        QCOMPARE(answer.at("outside").get<std::uint64_t>(), outside);
        QCOMPARE(answer.at("not_finite").get<std::uint64_t>(), x.size() - pairs);
        const auto binary = [&](const char* key) { return answer.at(key).get_binary(); };
        QVERIFY(std::memcmp(binary("counts").data(), counts.data(), counts.size() * 4) == 0);
        QCOMPARE(binary("points").size(), points.size() * 8);
        QVERIFY(std::memcmp(binary("points").data(), points.data(), points.size() * 8) == 0);
        QCOMPARE(binary("indices").size(), indices.size() * 8);
        QVERIFY(std::memcmp(binary("indices").data(), indices.data(), indices.size() * 8) == 0);
        QVERIFY(!error_of("buffer.scatter",
                          {{"buffer", add(counted({3}))}, {"with", add(counted({4}))}, {"columns", 4}, {"rows", 4}})
                     .empty());
    }

    void files() {
        const NdArray array = NdArray::from(random_floats(210, 5, true), {30, 7});
        const std::int64_t id = add(array);
        const json turned = call("buffer.derive", {{"kind", "slice"},
                                                   {"buffer", id},
                                                   {"axes", {{{"axis", 1}, {"count", 3}}, {{"axis", 0}}}},
                                                   {"index", {0, 0}}});
        const auto wanted = values<float>(turned.at("buffer"));
        const std::string npy = folder_.filePath("turned.npy").toStdString();
        call("buffer.save", {{"buffer", turned.at("buffer")}, {"path", npy}});
        const NdArray read = load_npy(npy);
        QCOMPARE(read.shape(), (Shape{3, 30}));
        QVERIFY(std::memcmp(read.data(), wanted.data(), wanted.size() * 4) == 0);

        const std::string csv = folder_.filePath("array.csv").toStdString();
        call("buffer.save", {{"buffer", id}, {"path", csv}, {"headings", {"a", "b,c", "d", "e", "f", "g", "h"}}});
        QFile file(QString::fromStdString(csv));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readLine(), QByteArray("a,\"b,c\",d,e,f,g,h\n"));
        const auto elements = array.as<float>();
        for (std::size_t row = 0; row < 30; ++row) {
            const QList<QByteArray> cells = file.readLine().trimmed().split(',');
            QCOMPARE(cells.size(), 7);
            for (std::size_t i = 0; i < 7; ++i) {
                const float number = cells[static_cast<qsizetype>(i)].toFloat(), is = elements[row * 7 + i];
                QVERIFY(number == is || (std::isnan(number) && std::isnan(is)));
            }
        }
        QVERIFY(file.atEnd());

        // A file that is cancelled is not there.
        std::atomic<bool> cancelled = false;
        RequestContext context;
        context.cancelled = &cancelled;
        context.progress = [&](std::string_view, double fraction, std::string_view) {
            if (fraction > 0.3) cancelled = true;
        };
        const std::string path = folder_.filePath("cancelled.npy").toStdString();
        const std::int64_t large = add(NdArray::zeros({std::size_t(1) << 23}, DType::float32()));
        QVERIFY_THROWS_EXCEPTION(RequestError, call("buffer.save", {{"buffer", large}, {"path", path}}, context));
        QVERIFY(!QFile::exists(QString::fromStdString(path)));
        QVERIFY(cancelled);
    }

    void a_file_that_changes_has_no_percentiles() {
        NdArray array = NdArray::zeros({std::size_t(1) << 21}, DType::float32());
        RequestContext context;
        context.progress = [&](std::string_view, double, std::string_view) { // in the first walk
            std::ranges::fill(array.as_mutable<float>(), 1.0F);
        };
        QVERIFY_THROWS_EXCEPTION(RequestError, percentiles(array, {50}, context));
    }

    /// 24 GiB that the file system does not hold: slices and formulas of it are read in parts only.
    void large_files_stay_where_they_are() {
#ifdef Q_OS_WIN
        QSKIP("Windows gives the file all its room");
#endif
        QFile file(folder_.filePath("large.bin"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        if (!file.resize(qint64(24) << 30)) QSKIP("no sparse files here");
        file.seek((qint64(23) << 30) + 4 * 5);
        const float five = 5;
        file.write(reinterpret_cast<const char*>(&five), 4);
        file.close();
        QElapsedTimer time;
        time.start();
        const json info =
            call("buffer.open",
                 {{"path", file.fileName().toStdString()}, {"dtype", "float32"}, {"shape", {24, 1024, 1 << 18}}});
        const json slice = call("buffer.derive", {{"kind", "slice"},
                                                  {"buffer", info.at("buffer")},
                                                  {"axes", {{{"axis", 2}}, {{"axis", 0}}}},
                                                  {"index", {0, 0, 0}}});
        QCOMPARE(values<float>(slice.at("buffer"), 5 * 24, 24).back(), five);
        if (session::has_formulas()) {
            const json twice = call("buffer.derive", {{"kind", "formula"},
                                                      {"buffer", info.at("buffer")},
                                                      {"expression", "2*v + i"},
                                                      {"names", {"v"}},
                                                      {"arrays", {info.at("buffer")}}});
            const std::size_t place = (std::size_t(23) << 28) + 5;
            QCOMPARE(values<double>(twice.at("buffer"), place, 1).front(), 10.0 + static_cast<double>(place));
        }
        QVERIFY2(time.elapsed() < 2000, qPrintable(QString::number(time.elapsed())));
    }
};

QTEST_GUILESS_MAIN(WorkerDerivedTest)
#include "worker_derived_test.moc"
