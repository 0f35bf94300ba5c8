// SPDX-License-Identifier: Apache-2.0
// buffer.*: every answer against a plain computation over all elements, for all dtypes and orders.
#include "worker/buffer_methods.hpp"

#include "warplight/error.hpp"
#include "warplight/npy.hpp"

#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <chrono>

#include <cmath>
#include <cstring>
#include <ctime>
#include <fstream>
#include <random>
#include <thread>

using namespace warplight;
using namespace warplight::worker;

namespace {

/// Values with everything that is special in them, in C order of the array's own shape.
NdArray filled(const NdArray& array, unsigned seed, bool special) {
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < array.size(); ++i) {
        double value = static_cast<double>(random() % 1000) / 4 - 100;
        if (special && random() % 50 == 0) value = std::nan("");
        if (special && random() % 50 == 0) value = random() % 2 ? INFINITY : -INFINITY;
        if (random() % 20 == 0) value = 0;
        array.set_item(i, value);
    }
    return array;
}

struct Case {
    const char* name;
    NdArray array;
};

std::vector<Case> cases() {
    NdArray big = filled(NdArray::empty({300, 700}, DType::float32()), 1, true);
    NdArray cube = filled(NdArray::empty({9, 8, 7}, DType::int16()), 2, false);
    std::vector<Case> list = {
        {"C float32", big},
        {"F float64", filled(NdArray::empty({50, 31}, DType::float64(), Order::F), 3, true)},
        {"transposed", big.transpose()},
        {"every third row backwards", big.slice(0, 0, 100, 3).slice(1, 699, 350, -2)},
        {"cube", cube},
        {"cube slice", cube.slice(1, 2, 3, 2).transpose()},
        {"half", filled(NdArray::empty({1000}, DType::float16()), 4, true)},
        {"bool", filled(NdArray::zeros({77}, DType::boolean()), 5, false)},
        {"uint8", filled(NdArray::empty({12, 5}, DType::uint8()), 6, false)},
        {"int64", filled(NdArray::empty({64}, DType::int64()), 7, false)},
        {"uint64", filled(NdArray::empty({64}, DType::uint64()), 8, false)},
        {"one", filled(NdArray::empty({1}, DType::float32()), 9, false)},
        {"none", NdArray::empty({0, 5}, DType::float32())},
        {"no columns", NdArray::empty({5, 0}, DType::float32())},
        {"scalar", filled(NdArray::empty({}, DType::float64()), 10, false)},
        {"larger than a piece", filled(NdArray::empty({200001}, DType::float32()), 11, true)},
    };
    return list;
}

std::vector<std::byte> packed_bytes(const NdArray& array) {
    std::vector<std::byte> result(array.nbytes());
    for (std::size_t i = 0; i < array.size(); ++i)
        std::memcpy(result.data() + i * array.itemsize(), array.element(i), array.itemsize());
    return result;
}

std::vector<std::byte> data_of(const json& answer) {
    const auto& binary = answer.at("data").get_binary();
    std::vector<std::byte> result(binary.size());
    if (!binary.empty()) std::memcpy(result.data(), binary.data(), binary.size());
    return result;
}

bool near(double a, double b, double tolerance = 1e-9) {
    return a == b || std::abs(a - b) <= tolerance * std::max({std::abs(a), std::abs(b), 1.0});
}

} // namespace

class WorkerBuffersTest : public QObject {
    Q_OBJECT
    BufferStore store_;

    json call(const char* method, const json& params) {
        return call_buffer_method(method, params, store_, RequestContext{});
    }
    int error_of(const char* method, const json& params) {
        try {
            call(method, params);
        } catch (const RequestError& error) {
            return error.code;
        } catch (const Error&) {
            return 1;
        } catch (const std::exception&) {
            return 2;
        }
        return 0;
    }

private slots:
    void every_view_of_every_array_data() {
        QTest::addColumn<int>("index");
        auto list = cases();
        for (std::size_t i = 0; i < list.size(); ++i)
            QTest::newRow(list[i].name) << static_cast<int>(i);
    }
    void every_view_of_every_array() {
        QFETCH(int, index);
        NdArray array = cases()[static_cast<std::size_t>(index)].array;
        std::int64_t id = store_.add(std::make_shared<NdArray>(array), "a", "test");
        const std::vector<std::byte> all = packed_bytes(array);
        const std::size_t n = array.size(), item = array.itemsize();
        json info = call("buffer.info", {{"buffer", id}});
        QCOMPARE(info["elements"].get<std::size_t>(), n);
        QCOMPARE(info["bytes"].get<std::size_t>(), n * item);
        QVERIFY(info["shape"].get<Shape>() == array.shape());

        // Ranges of elements and of bytes, inside, over the end, past the end, largest numbers.
        const std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
        std::mt19937_64 random(17);
        for (int round = 0; round < 200; ++round) {
            std::uint64_t offset = round < 4 ? (round & 1 ? n : 0) : random() % (n + 3);
            std::uint64_t count = round == 5 ? largest : random() % (n + 3);
            if (round == 6) offset = largest;
            auto expect = [&](std::uint64_t unit) {
                std::uint64_t total = all.size() / unit;
                std::uint64_t begin = std::min(offset, total), end = begin + std::min(count, total - begin);
                end = std::min(end, begin + kLargestRead / unit);
                return std::vector<std::byte>(all.begin() + static_cast<std::ptrdiff_t>(begin * unit),
                                              all.begin() + static_cast<std::ptrdiff_t>(end * unit));
            };
            json range = {{"buffer", id}, {"offset", offset}, {"count", count}};
            QVERIFY(data_of(call("buffer.read", range)) == expect(item));
            QVERIFY(data_of(call("buffer.bytes", range)) == expect(1));
        }

        // Windows of the table.
        std::size_t columns = array.ndim() >= 2 ? array.shape().back() : 1, rows = columns ? n / columns : 0;
        QCOMPARE(info["rows"].get<std::size_t>(), rows);
        QCOMPARE(info["columns"].get<std::size_t>(), columns);
        for (int round = 0; round < 50; ++round) {
            std::size_t row = random() % (rows + 2), column = random() % (columns + 2);
            std::size_t want_rows = random() % 20, want_columns = random() % 20;
            json answer = call(
                "buffer.window",
                {{"buffer", id}, {"row", row}, {"rows", want_rows}, {"column", column}, {"columns", want_columns}});
            std::vector<std::byte> expected;
            for (std::size_t r = row; r < std::min(row + want_rows, rows); ++r)
                for (std::size_t c = column; c < std::min(column + want_columns, columns); ++c)
                    expected.insert(expected.end(), array.element(r * columns + c),
                                    array.element(r * columns + c) + item);
            QVERIFY(data_of(answer) == expected);
        }

        // The summary.
        std::uint64_t nan = 0, infinite = 0, finite = 0, zeros = 0;
        double min = INFINITY, max = -INFINITY;
        long double sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
            double value = array.item(i);
            if (std::isnan(value))
                ++nan;
            else if (std::isinf(value))
                ++infinite;
            else {
                ++finite, zeros += value == 0, sum += value;
                min = std::min(min, value), max = std::max(max, value);
            }
        }
        json summary = call("buffer.summary", {{"buffer", id}, {"bins", 10}});
        QCOMPARE(summary["nan"].get<std::uint64_t>(), nan);
        QCOMPARE(summary["inf"].get<std::uint64_t>(), infinite);
        QCOMPARE(summary["zeros"].get<std::uint64_t>(), zeros);
        std::vector<std::uint64_t> counts = summary["histogram"]["counts"];
        QCOMPARE(counts.size(), std::size_t{10});
        if (!finite) {
            QVERIFY(summary["min"].is_null() && summary["mean"].is_null());
        } else {
            double mean = static_cast<double>(sum / static_cast<long double>(finite));
            long double squares = 0;
            for (std::size_t i = 0; i < n; ++i)
                if (double value = array.item(i); std::isfinite(value)) squares += (value - mean) * (value - mean);
            QCOMPARE(summary["min"].get<double>(), min);
            QCOMPARE(summary["max"].get<double>(), max);
            QVERIFY(near(summary["mean"], mean));
            QVERIFY(near(summary["std"], std::sqrt(static_cast<double>(squares / static_cast<long double>(finite)))));
            double low = summary["histogram"]["low"], high = summary["histogram"]["high"];
            QVERIFY(low <= min && high >= max && low < high);
            std::vector<std::uint64_t> expected(10);
            std::uint64_t edge = 0; // values so close to an edge that rounding decides
            for (std::size_t i = 0; i < n; ++i) {
                double value = array.item(i);
                if (!std::isfinite(value)) continue;
                double bin = (value - low) / (high - low) * 10;
                if (std::abs(bin - std::round(bin)) < 1e-9) ++edge;
                ++expected[static_cast<std::size_t>(std::clamp(bin, 0.0, 9.0))];
            }
            std::uint64_t total = 0, wrong = 0;
            for (int i = 0; i < 10; ++i) {
                total += counts[static_cast<std::size_t>(i)];
                auto a = counts[static_cast<std::size_t>(i)], b = expected[static_cast<std::size_t>(i)];
                wrong += a > b ? a - b : b - a;
            }
            QCOMPARE(total, finite);
            QVERIFY(wrong <= 2 * edge);
        }

        // The outline: each bucket's smallest and largest, every element in exactly one bucket.
        for (std::size_t points : {std::size_t{1}, std::size_t{7}, std::size_t{1000}, n + 5}) {
            if (points > 65536) continue;
            std::size_t offset = n / 3, count = n - offset;
            json plot = call("buffer.plot", {{"buffer", id}, {"offset", offset}, {"count", count}, {"points", points}});
            std::size_t buckets = plot["buckets"];
            QCOMPARE(buckets, std::min(points, count));
            for (std::size_t b = 0; b < buckets; ++b) {
                // 128 bits: b · count may be larger than 64.
                auto begin = static_cast<std::size_t>(static_cast<unsigned __int128>(b) * count / buckets);
                auto end = static_cast<std::size_t>(static_cast<unsigned __int128>(b + 1) * count / buckets);
                double low = NAN, high = NAN;
                for (std::size_t i = begin; i < end; ++i)
                    low = std::fmin(low, array.item(offset + i)), high = std::fmax(high, array.item(offset + i));
                if (std::isnan(low))
                    QVERIFY(plot["min"][b].is_null());
                else
                    QVERIFY(plot["min"][b] == low && plot["max"][b] == high);
            }
        }
        call("buffer.close", {{"buffer", id}});
        QCOMPARE(error_of("buffer.info", {{"buffer", id}}), static_cast<int>(invalid_parameters));
    }

    void extreme_ranges() {
        double huge = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
        for (auto values : {std::vector<double>{-huge, 0, huge}, {0, tiny}, {5, 5, 5}, {0, 0}, {-huge, -huge}}) {
            std::int64_t id = store_.add(std::make_shared<NdArray>(NdArray::from(values)), "x", "test");
            json summary = call("buffer.summary", {{"buffer", id}, {"bins", 5}});
            std::uint64_t total = 0;
            for (std::uint64_t count : summary["histogram"]["counts"])
                total += count;
            QCOMPARE(total, std::uint64_t{values.size()});
            double low = summary["histogram"]["low"], high = summary["histogram"]["high"];
            QVERIFY(std::isfinite(low) && std::isfinite(high) && low < high);
        }
    }

    void wrong_parameters() {
        std::int64_t id = store_.add(std::make_shared<NdArray>(NdArray::zeros({10}, DType::float32())), "x", "test");
        const int refused = invalid_parameters;
        for (const json& bad : {json(-1), json("a"), json(1.5), json(nullptr), json(true), json::array(),
                                json(std::uint64_t{1} << 63), json(999999)}) {
            QCOMPARE(error_of("buffer.info", {{"buffer", bad}}), refused);
            if (bad == 999999) continue;
            QCOMPARE(error_of("buffer.read", {{"buffer", id}, {"offset", 0}, {"count", bad}}), refused);
            if (!bad.is_null())
                QCOMPARE(error_of("buffer.read", {{"buffer", id}, {"offset", bad}, {"count", 1}}), refused);
        }
        for (const json& bad : {json(0), json(65537), json("many")})
            QCOMPARE(error_of("buffer.plot", {{"buffer", id}, {"points", bad}}), refused);
        QCOMPARE(error_of("buffer.summary", {{"buffer", id}, {"bins", 0}}), refused);
        QCOMPARE(error_of("buffer.nothing", {{"buffer", id}}), static_cast<int>(unknown_method));
        QCOMPARE(error_of("buffer.read", json(5)), refused);
        std::int64_t opaque =
            store_.add(std::make_shared<NdArray>(NdArray::zeros({3}, DType::opaque(12))), "x", "test");
        QCOMPARE(error_of("buffer.summary", {{"buffer", opaque}}), refused);
        QCOMPARE(data_of(call("buffer.read", {{"buffer", opaque}, {"count", 9}})).size(), std::size_t{36});
    }

    void cancelled() {
        std::int64_t id =
            store_.add(std::make_shared<NdArray>(NdArray::zeros({1 << 20}, DType::float32())), "x", "test");
        std::atomic<bool> flag{false};
        RequestContext context{.cancelled = &flag};
        int calls = 0;
        context.progress = [&](std::string_view, double fraction, std::string_view) {
            QVERIFY(fraction >= 0 && fraction <= 1);
            ++calls;
            flag = true;
        };
        bool stopped = false;
        try {
            call_buffer_method("buffer.summary", {{"buffer", id}}, store_, context);
        } catch (const RequestError& error) {
            stopped = error.code == cancelled_request;
        }
        QVERIFY(stopped);
        QCOMPARE(calls, 1);
    }

    void a_comparison_is_cancelled_while_it_runs() {
        // In Fortran order: the pieces are gathered, nothing is copied as a whole first.
        auto zeros = std::make_shared<NdArray>(NdArray::zeros({8192, 8192}, DType::uint8(), Order::F));
        std::int64_t left = store_.add(zeros, "x", "test"), right = store_.add(zeros, "y", "test");
        std::atomic<bool> flag{false};
        RequestContext context{.cancelled = &flag};
        int code = 0;
        // On a busy machine the other thread may come too late: then once more.
        for (int attempt = 0; attempt < 10 && code == 0; ++attempt) {
            flag = false;
            std::thread other([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
                flag = true;
            });
            try {
                call_buffer_method("buffer.compare", {{"buffer", left}, {"with", right}}, store_, context);
            } catch (const RequestError& error) {
                code = error.code;
            }
            other.join();
        }
        QCOMPARE(code, static_cast<int>(cancelled_request));
        flag = false;
        QVERIFY(call_buffer_method("buffer.compare", {{"buffer", left}, {"with", right}}, store_, context)["passed"]
                    .get<bool>());
    }

    void files() {
        QTemporaryDir folder;
        std::filesystem::path path = folder.path().toStdString();
        NdArray array = filled(NdArray::empty({20, 30}, DType::float32(), Order::F), 5, false);
        std::int64_t id = store_.add(std::make_shared<NdArray>(array), "x", "test");
        call("buffer.save", {{"buffer", id}, {"path", (path / "x.npy").string()}});
        call("buffer.save", {{"buffer", id}, {"path", (path / "x.bin").string()}});
        json opened = call("buffer.open", {{"path", (path / "x.npy").string()}});
        QVERIFY(opened["shape"] == json({20, 30}));
        json compared = call("buffer.compare", {{"buffer", id}, {"with", opened["buffer"]}, {"rtol", 0}, {"atol", 0}});
        QVERIFY(compared["passed"].get<bool>());
        // Raw bytes are in C order.
        json raw =
            call("buffer.open", {{"path", (path / "x.bin").string()}, {"dtype", "float32"}, {"shape", {20, 30}}});
        QVERIFY(call("buffer.compare", {{"buffer", id}, {"with", raw["buffer"]}})["passed"].get<bool>());
        json tail = call("buffer.open", {{"path", (path / "x.bin").string()}, {"dtype", "float32"}, {"offset", 5}});
        QCOMPARE(tail["elements"].get<int>(), 598); // (2400 - 5) / 4; not aligned either
        call("buffer.summary", {{"buffer", tail["buffer"]}});
        for (const json& bad :
             {json{{"dtype", "float99"}}, json{{"dtype", "float32"}, {"shape", {20, 31}}},
              json{{"dtype", "float32"}, {"shape", {-1}}}, json{{"dtype", "float32"}, {"offset", 2401}},
              json{{"dtype", "float32"}, {"shape", {std::uint64_t{1} << 62, 16}}},
              json{{"dtype", "float32"}, {"shape", "x"}}}) {
            json params = bad;
            params["path"] = (path / "x.bin").string();
            QVERIFY(error_of("buffer.open", params) != 0);
        }
        QCOMPARE(error_of("buffer.open", {{"path", (path / "none.npy").string()}}), 1);
        QVERIFY(error_of("buffer.open", {{"path", path.string()}, {"dtype", "float32"}}) != 0);
        QCOMPARE(error_of("buffer.save", {{"buffer", id}, {"path", (path / "no/folder/x.npy").string()}}), 1);
        std::ofstream(path / "cut.npy", std::ios::binary) << "\x93NUMPY\x01";
        QCOMPARE(error_of("buffer.open", {{"path", (path / "cut.npy").string()}}), 1);
        std::ofstream(path / "t.csv") << "a,b\n1,2\n3,4\n";
        json csv = call("buffer.open", {{"path", (path / "t.csv").string()}});
        QVERIFY(csv["shape"] == json({2, 2}));
    }

    void a_large_file_opens_at_once() {
        QTemporaryDir folder;
        std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "large.npy";
        const std::size_t count = std::size_t{1} << 28; // 1 GiB of float32, all of it a hole in the file
        NdArray one = NdArray::zeros({1}, DType::float32());
        std::string header = make_npy_header(one);
        std::string shape = std::to_string(count);
        std::size_t at = header.find("(1,)");
        QVERIFY(at != std::string::npos);
        header.replace(at, 4, "(" + shape + ",)");
        header.erase(header.find_last_of('\n') - (shape.size() - 1), shape.size() - 1); // the padding gives way
        std::ofstream(path, std::ios::binary) << header;
        std::filesystem::resize_file(path, header.size() + count * 4);
        {
            std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
            float value = 42;
            file.seekp(static_cast<std::streamoff>(header.size() + (count - 1) * 4));
            file.write(reinterpret_cast<const char*>(&value), 4);
        }
        // Of this process: a busy machine is not slow reading.
        const std::clock_t start = std::clock();
        json opened = call("buffer.open", {{"path", path.string()}});
        json last = call("buffer.read", {{"buffer", opened["buffer"]}, {"offset", count - 1}, {"count", 100}});
        const auto took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        QCOMPARE(opened["elements"].get<std::size_t>(), count);
        float value = 0;
        QCOMPARE(data_of(last).size(), std::size_t{4});
        std::memcpy(&value, data_of(last).data(), 4);
        QCOMPARE(value, 42.0f);
        QVERIFY2(took < 0.2, qPrintable(QString::number(took)));
    }
};

QTEST_APPLESS_MAIN(WorkerBuffersTest)
#include "worker_buffers_test.moc"
