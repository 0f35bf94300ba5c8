// SPDX-License-Identifier: Apache-2.0
// What a page shows of arrays against plain loops, its pictures against another reader of PNG, and what hostile texts
// become.
#include "page/charts.hpp"
#include "page/html.hpp"
#include "page/page.hpp"
#include "session/data_file.hpp"
#include "session/image.hpp"
#include "warplight/file_io.hpp"
#include "worker/array_view.hpp"

#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

using namespace warplight;

namespace {

NdArray made(const Shape& shape, unsigned seed) {
    auto array = NdArray::zeros(shape, DType::float32());
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(3, 2);
    auto* values = reinterpret_cast<float*>(array.mutable_bytes().data());
    for (std::size_t i = 0; i < array.size(); ++i)
        values[i] = normal(random);
    return array;
}

history::Run made_run(const std::string& text) {
    session::Session session;
    session.title = text;
    session.description = text;
    session.kernel = "k";
    session.source.name = text;
    session.source.text = text;
    session.compile.options = {text};
    session::Argument argument;
    argument.name = text;
    argument.direction = session::Direction::out;
    session.arguments.push_back(argument);
    session::Report report;
    report.device.name = text;
    report.output = text;
    report.grid = {1};
    report.block = {32};
    report.times.kernel_ms = {1, 2, 3, 1, 2, 3};
    report.times.htod_ms = report.times.dtoh_ms = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
    session::ReportOutput output;
    output.name = text;
    output.dtype = "float32";
    output.shape = {64, 64};
    report.outputs.push_back(output);
    auto run = history::run_of(session, text, report);
    run.entry.note = text;
    return run;
}

} // namespace

class PageTest : public QObject {
    Q_OBJECT
private slots:
    void views_are_those_of_plain_loops_data() {
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("size");
        QTest::newRow("small") << 8 << 5 << 1 << 512;
        QTest::newRow("every third") << 100 << 300 << 1 << 100;
        QTest::newRow("odd") << 101 << 37 << 1 << 10;
        QTest::newRow("colours") << 60 << 70 << 3 << 32;
        QTest::newRow("colours and alpha") << 9 << 11 << 4 << 512;
    }
    void views_are_those_of_plain_loops() {
        QFETCH(int, height);
        QFETCH(int, width);
        QFETCH(int, channels);
        QFETCH(int, size);
        Shape shape{static_cast<std::size_t>(height), static_cast<std::size_t>(width)};
        if (channels > 1) shape.push_back(static_cast<std::size_t>(channels));
        const auto array = made(shape, 1);
        const auto view = worker::array_view_from_json(to_json(worker::view_of(array, 16, size, {})));
        const auto& picture = view.picture;
        const int step = (std::max(height, width) + size - 1) / size;
        QCOMPARE(picture.step, static_cast<std::size_t>(step));
        QCOMPARE(picture.channels, channels);
        const auto* values = reinterpret_cast<const float*>(array.data());
        std::vector<float> expected;
        for (int y = 0; y < height; y += step)
            for (int x = 0; x < width; x += step)
                for (int c = 0; c < channels; ++c)
                    expected.push_back(values[(y * width + x) * channels + c]);
        QVERIFY(picture.values == expected);
        QCOMPARE(picture.columns * picture.rows * static_cast<std::size_t>(channels), expected.size());
        double least = values[0], most = values[0];
        for (std::size_t i = 0; i < array.size(); ++i) {
            least = std::min(least, static_cast<double>(values[i]));
            most = std::max(most, static_cast<double>(values[i]));
        }
        QCOMPARE(view.summary.min, least);
        QCOMPARE(view.summary.max, most);
        QCOMPARE(view.summary.finite, array.size());
    }

    void lines_have_an_outline_only() {
        const auto view = worker::array_view_from_json(to_json(worker::view_of(made({5000}, 2), 16, 100, {})));
        QCOMPARE(view.picture.width, std::size_t{0});
        QCOMPARE(view.outline.min.size(), std::size_t{100});
        // Thin arrays are lines as well.
        QCOMPARE(worker::view_of(made({5000, 2}, 2), 16, 100, {}).picture.width, std::size_t{0});
    }

    void refuses_damaged_views_data() {
        QTest::addColumn<QByteArray>("pointer");
        QTest::addColumn<qint64>("value");
        QTest::newRow("columns") << QByteArray("/picture/columns") << qint64{9};
        QTest::newRow("huge rows") << QByteArray("/picture/rows") << (qint64{1} << 60);
        QTest::newRow("step") << QByteArray("/picture/step") << qint64{0};
        QTest::newRow("channels") << QByteArray("/picture/channels") << qint64{2};
        QTest::newRow("nan") << QByteArray("/summary/nan") << (qint64{1} << 50);
        QTest::newRow("no list") << QByteArray("/outline/min") << qint64{1};
        QTest::newRow("no picture") << QByteArray("/picture") << qint64{1};
    }
    void refuses_damaged_views() {
        QFETCH(QByteArray, pointer);
        QFETCH(qint64, value);
        auto object = to_json(worker::view_of(made({8, 8}, 3), 16, 512, {}));
        object[nlohmann::json::json_pointer(pointer.toStdString())] = value;
        QVERIFY_THROWS_EXCEPTION(std::exception, worker::array_view_from_json(object));
    }

    void refuses_pictures_without_values() {
        for (const char* side : {"columns", "rows"}) {
            auto object = to_json(worker::view_of(made({8, 8}, 3), 16, 512, {}));
            object["picture"][side] = 0;
            object["picture"]["data"] = nlohmann::json::binary({});
            QVERIFY_THROWS_EXCEPTION(worker::RequestError, worker::array_view_from_json(object));
        }
    }

    void pictures_are_read_back() {
        auto array = NdArray::zeros({20, 30, 3}, DType::uint8());
        auto* values = reinterpret_cast<std::uint8_t*>(array.mutable_bytes().data());
        for (std::size_t i = 0; i < array.size(); ++i)
            values[i] = static_cast<std::uint8_t>(i * 7);
        const auto view = worker::view_of(array, 16, 512, {});
        const auto pixels = page::pixels_of(view.picture, view.summary);
        const std::string png = page::to_png(pixels);
        const QTemporaryDir folder;
        const auto file = session::path_from_utf8(folder.filePath("x.png").toStdString());
        write_file_atomically(file, png);
        const auto read = session::read_image(file);
        QCOMPARE(read.shape(), array.shape());
        QVERIFY(std::equal(values, values + array.size(), reinterpret_cast<const std::uint8_t*>(read.data())));
    }

    void odd_values_are_drawn() {
        const float infinite = std::numeric_limits<float>::infinity();
        auto array = NdArray::zeros({4, 4}, DType::float32());
        auto* values = reinterpret_cast<float*>(array.mutable_bytes().data());
        values[0] = std::nanf("");
        values[1] = infinite;
        values[2] = -infinite;
        values[3] = std::numeric_limits<float>::max();
        values[4] = -std::numeric_limits<float>::max();
        const auto view = worker::array_view_from_json(to_json(worker::view_of(array, 16, 512, {})));
        const auto pixels = page::pixels_of(view.picture, view.summary).values;
        QCOMPARE((std::vector<int>{pixels[0], pixels[1], pixels[2]}), (std::vector<int>{220, 0, 200}));
        QVERIFY(std::equal(&pixels[3], &pixels[6], &pixels[9]));  // infinite as the greatest
        QVERIFY(std::equal(&pixels[6], &pixels[9], &pixels[12])); // and the least
        const auto line = worker::view_of(array.reshape({16}), 16, 512, {});
        for (const auto& drawing : {page::chart_of(line.outline), page::histogram_of(line.summary)})
            QVERIFY(page::to_svg(drawing).find("nan") == std::string::npos);
    }

    void texts_stay_texts() {
        const std::string hostile = "</pre><script>alert(1)</script> & \"quoted\" \x01\xff <img src=http://x/>";
        const auto run = made_run(hostile);
        const auto view = worker::view_of(made({64, 64}, 4), 48, 512, {});
        const auto html = page::to_html(run, {{0, view}});
        for (const char* tag : {"<script", "<img src=http", "\"quoted\"", "\x01", "\xff"})
            QVERIFY2(html.find(tag) == std::string::npos, tag);
        QVERIFY(html.find("&lt;script&gt;") != std::string::npos);
        QVERIFY(QString::fromStdString(html).toUtf8() == QByteArray::fromStdString(html)); // UTF-8
        // All images are in the page.
        std::size_t images = 0;
        for (std::size_t at = html.find("<img src=\""); at != std::string::npos;
             at = html.find("<img src=\"", at + 1)) {
            QVERIFY(html.compare(at + 10, 11, "data:image/") == 0);
            ++images;
        }
        QCOMPARE(images, std::size_t{3}); // times, picture, histogram
    }

    void results_without_names_stay_apart() {
        auto run = made_run("x");
        run.report.outputs = {run.report.outputs[0], run.report.outputs[0]};
        for (int i = 0; i < 2; ++i) {
            auto& output = run.report.outputs[static_cast<std::size_t>(i)];
            output.index = i;
            output.name.clear();
            session::Comparison comparison;
            comparison.index = i;
            comparison.passed = i == 0;
            run.report.comparisons.push_back(comparison);
        }
        auto ones = NdArray::zeros({8, 8}, DType::float32());
        ones.set_item(0, 5);
        const auto html = QString::fromStdString(
            page::to_html(run, {{1, worker::view_of(ones, 8, 512, {})},
                                {0, worker::view_of(NdArray::zeros({8, 8}, DType::float32()), 8, 512, {})}}));
        const auto second = html.indexOf("<h3>argument 1</h3>");
        const auto first = html.mid(0, second);
        QVERIFY(second > 0 && first.contains("As expected") && first.contains("max 0"));
        QVERIFY(!first.contains("elements differ") && !first.contains("max 5"));
        QVERIFY(html.mid(second).contains("elements differ") && html.mid(second).contains("max 5"));
        QVERIFY(!html.mid(second).contains("As expected"));
    }

    void pipelines_have_their_steps() {
        auto run = made_run("x");
        run.document.pipeline.emplace();
        run.report.kernel = "first, second";
        auto& pipeline = run.report.pipeline.emplace();
        pipeline.run_as = "graph";
        pipeline.graphs = 1;
        pipeline.graph_nodes = 7;
        pipeline.note = "A <note>.";
        pipeline.apart = true;
        session::ReportStep loop, launch, swap, last;
        loop.path = "1";
        loop.kind = "loop";
        loop.label = "until done";
        loop.rounds = 3;
        loop.sum_ms = 3;
        loop.held = false;
        launch.path = "1.1";
        launch.kind = "launch";
        launch.label = "first";
        launch.grid = {5, 6, 1};
        launch.block = {32, 1, 1};
        launch.rounds = 3;
        launch.sum_ms = 3;
        launch.median_ms = 0.5;
        swap.path = "1.2";
        swap.kind = "swap";
        last.path = "2";
        last.kind = "fill";
        last.sum_ms = last.median_ms = 1;
        pipeline.steps = {loop, launch, swap, last};
        const auto html = page::to_html(run, {});
        for (const char* text :
             {"first, second", "<td align=\"left\">Pipeline</td>", "pipeline's median", "<h2>Steps</h2>",
              "5 x 6</td><td align=\"left\">32</td><td align=\"right\">3</td><td align=\"right\">3.00 ms</td>",
              "75.0 %</td><td align=\"right\">500 µs", "25.0 %", "The condition of step 1 never held.",
              "1 graph with 7 nodes", "A &lt;note&gt;.", "one by one"})
            QVERIFY2(html.find(text) != std::string::npos, (text + ("\n" + html.substr(0, 6000))).c_str());
        // Those of the settings would be of the first launch alone.
        QVERIFY(html.find(">Grid</th><td>") == std::string::npos);
    }

    void the_field_of_a_struct_that_differs_is_named() {
        auto run = made_run("x");
        session::Comparison comparison;
        comparison.index = 0;
        comparison.mismatches = 1;
        comparison.elements = 8;
        comparison.first = 3;
        comparison.first_field = "pos.x";
        comparison.first_actual = 8;
        comparison.first_expected = 1;
        run.report.comparisons.push_back(comparison);
        const auto html = page::to_html(run, {});
        QVERIFY(html.find("1 of 8 elements differ; the first is number 3, pos.x: 8 instead of 1") != std::string::npos);
    }

    void drawings_are_xml() {
        const std::vector<double> times{1, 2, 3, 2, 1};
        QXmlStreamReader xml(QString::fromStdString(page::to_svg(page::chart_of_times(times))));
        int circles = 0;
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("circle")) ++circles;
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(circles, 5);
    }

    void conditions_of_times_are_told() {
        auto run = made_run("x");
        run.report.cold_l2 = true;
        run.report.empty_launch = session::ReportEmptyLaunch{.kind = "launch", .ms = 0.6, .runs = 15};
        auto html = page::to_html(run, {});
        QVERIFY(html.find("cold before each run") != std::string::npos);
        QVERIFY(html.find("its launch") == std::string::npos && html.find("Throttled") == std::string::npos);
        run.report.empty_launch->ms = 1.5; // the median is 2
        auto& clocks = run.report.clocks.emplace();
        clocks.sm_mhz = session::ClockRange{990, 1980};
        clocks.held_by = {driver::ClockLimit::power_cap};
        html = page::to_html(run, {});
        for (const char* text : {"SM 990 … 1980 MHz", "Throttled: the clocks were held down by the power cap.",
                                 "The SM clock changed by 50 %", "Most of the kernel's time is its launch."})
            QVERIFY2(html.find(text) != std::string::npos, text);
    }

    void failed_runs_have_pages() {
        auto run = made_run("x");
        run.report = {};
        run.report.status = session::Status::compile_error;
        run.report.error = session::ReportError{.kind = "compile", .message = "It does not compile."};
        run.report.diagnostics.push_back({"x.cu", 3, 1, "error", "what <is> this", {"a note"}});
        const auto html = page::to_html(run, {});
        QVERIFY(html.find("It does not compile.") != std::string::npos);
        QVERIFY(html.find("x.cu:3: error: what &lt;is&gt; this\n  a note") != std::string::npos);
        QVERIFY(html.find("<h2>Times</h2>") == std::string::npos);
    }
};

QTEST_APPLESS_MAIN(PageTest)
#include "page_test.moc"
