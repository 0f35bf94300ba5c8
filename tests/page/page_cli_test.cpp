// SPDX-License-Identifier: Apache-2.0
// warplight-cli run --report and history report: real runs, and places that cannot be written.
#include "../session/cli_fixture.hpp"

class PageCliTest : public CliFixture {
    Q_OBJECT
    QString page(const char* name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

private slots:
    void initTestCase() { write_scale(); }

    void writes_a_page_of_a_run() {
        const auto result = run({"good.warplight", "--repeat", "6", "--report", "page.html"});
        QVERIFY2(result.code == 0, qPrintable(result.out + result.err));
        const QString html = page("page.html");
        for (const char* text : {"<h2>Settings</h2>", "<h2>Times</h2>", "6 runs", "As expected", "data:image/svg+xml",
                                 "max 2497.5", "y[i] = a * x[i]"})
            QVERIFY2(html.contains(QLatin1String(text)), text);
    }

    void in_process_has_the_same_pictures() {
        const auto beside = run({"good.warplight", "--report", "beside.html"});
        const auto here = run({"good.warplight", "--in-process", "--report", "here.html"});
        QVERIFY2(beside.code == 0 && here.code == 0, qPrintable(beside.err + here.err));
        const auto results = [](const QString& html) {
            const auto begin = html.indexOf("<h2>Results</h2>");
            return begin < 0 ? QString() : html.mid(begin, html.indexOf("<h2>", begin + 4) - begin);
        };
        QVERIFY(!results(page("here.html")).isEmpty());
        QCOMPARE(results(page("here.html")), results(page("beside.html")));
    }

    void writes_a_page_of_what_failed() {
        write("broken.cu", "extern \"C\" __global__ void scale(float* y) { y[0] = undefined_name; }\n");
        const auto result =
            run({"broken.cu", "--grid", "1", "--block", "1", "--arg", "out=float32[4]", "--report", "broken.html"});
        QCOMPARE(result.code, 3);
        QVERIFY(page("broken.html").contains("undefined_name"));
    }

    void writes_a_page_of_a_kept_run() {
        auto kept = run({"good.warplight", "--keep", "--history", path("h.sqlite"), "--note", "a note of it"});
        QVERIFY2(kept.code == 0, qPrintable(kept.err));
        const auto result = cli({"history", "--file", path("h.sqlite"), "report", "1", "-o", "kept.html"});
        QVERIFY2(result.code == 0, qPrintable(result.err));
        QVERIFY(page("kept.html").contains("a note of it"));
        QVERIFY(page("kept.html").contains("y[i] = a * x[i]"));
    }

    void refuses_other_names_and_places() {
        auto result = run({"good.warplight", "--report", "page.pdf"});
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains("ends with .html"), qPrintable(result.err));
        result = run({"good.warplight", "--report", "missing/page.html"});
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains("The report could not be written"), qPrintable(result.err));
    }
};

QTEST_GUILESS_MAIN(PageCliTest)
#include "page_cli_test.moc"
