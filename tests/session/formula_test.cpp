// SPDX-License-Identifier: Apache-2.0
// Formulas: their values, their names, and what is refused with which words at which place.
#include "session/data_source.hpp"
#include "session/formula.hpp"
#include "session/session.hpp"

#include <QTest>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace warplight;
using namespace warplight::session;

namespace {

NdArray filled(const std::string& expression, const std::string& dtype, const Shape& shape,
               const FormulaInputs& inputs = {}) {
    auto array = NdArray::empty(shape, DType::from_name(dtype));
    if (!fill_by_formula(array, expression, inputs)) qFatal("stopped");
    return array;
}

double value(const std::string& expression, const FormulaInputs& inputs = {}) {
    return filled(expression, "float64", {1}, inputs).as<double>()[0];
}

NdArray counting(const Shape& shape) { return materialise(ArangeSource{"float32", shape, 0.0, 1.0}, {}); }

} // namespace

class FormulaTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (!has_formulas()) QSKIP("built without muParser");
    }

    void each_element_knows_its_place() {
        const auto sine = filled("sin(2*pi*i/n)", "float64", {1000});
        for (std::size_t i = 0; i < 1000; ++i)
            QCOMPARE(sine.as<double>()[i], std::sin(2 * 3.14159265358979323846 * double(i) / 1000));
        const auto places = filled("100*i0 + 10*i1 + i2 + 1000*n0 + n2/10", "float32", {2, 3, 4});
        QCOMPARE(places.as<float>()[0], 2000.4f);
        QCOMPARE(places.as<float>()[23], 2123.4f);
        const auto image = filled("x + 1000*y", "float32", {3, 5});
        QCOMPARE(image.as<float>()[14], 2004.0f);
        QCOMPARE(filled("i + z", "float32", {}).as<float>()[0], 0.0f);
        QCOMPARE(filled("i", "float32", {0, 3}).size(), std::size_t(0));
    }

    /// More elements than one thread takes.
    void large_arrays_are_filled_by_all() {
        const auto array = filled("i0*1000 + i1", "float64", {300, 1000});
        for (std::size_t i = 0; i < array.size(); ++i)
            if (array.as<double>()[i] != double(i)) QFAIL(qPrintable(QString::number(i)));
    }

    void values_data() {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<double>("expected");
        const double infinite = std::numeric_limits<double>::infinity();
        const auto row = [](const char* expression, double expected) {
            QTest::newRow(expression) << expression << expected;
        };
        row("1 + 2*3", 7);
        row("-2^2", -4);
        row("2^-1", 0.5);
        row("2^3^2", 512);
        row("7 % 4 * 2", 6);
        row("-7 % 4", -3);
        row("10 - 4 - 3", 3);
        row("1.5e3 + .5", 1500.5);
        row("0x1F + 0xff", 286);
        row("1 < 2 && 2 >= 2 || 0", 1);
        row("1 != 1", 0);
        row("!0 + !3", 1);
        row("3 > 2 ? 10 : 20", 10);
        row("0 ? 1 : 0 ? 2 : 3", 3);
        row("1/0", infinite);
        row("-1/0", -infinite);
        row("1e999", infinite);
        row("1e-999", 0);
        row("log(0)", -infinite);
        row("inf - 1", infinite);
        row("min(3, 1, 2) + max(5, 7)", 8);
        row("abs(-3) + floor(-0.5) + round(2.5) + rint(2.5) + trunc(-1.7)", 3 - 1 + 3 + 2 - 1);
        row("pow(2, 10) + hypot(3, 4) + fma(2, 3, 4)", 1039);
        row("atan2(0, -1) - pi", 0);
        row("isnan(0/0) + isnan(sqrt(-1)) + isinf(1/0) + isnan(nan)", 4);
        // In the formula's own order: 1e16 + 1 is 1e16.
        row("1e16 + 1 - 1e16", 0);
        row("0.1*3", 0.1 * 3);
    }
    void values() {
        QFETCH(QString, expression);
        QFETCH(double, expected);
        QCOMPARE(value(expression.toStdString()), expected);
    }

    void arguments_are_named() {
        const FormulaInputs inputs{{{"alpha", 2.5}, {"n", 7}}, {{"x", counting({2, 3})}}};
        const auto array = filled("alpha*x + n", "float32", {2, 3}, inputs);
        QCOMPARE(array.as<float>()[5], 19.5f); // n is the argument, x the array
        QCOMPARE(value("x[4] + x(3) + x[1, 2] + x[5/2]", inputs), 4.0 + 3 + 5 + 2);
        QCOMPARE(filled("i > 0 ? x[i - 1] : -1", "float32", {6}, inputs).as<float>()[5], 4.0f);
        QCOMPARE(filled("i > 0 ? x[i-1] : -1", "float32", {6}, inputs).as<float>()[0], -1.0f);
        QVERIFY(names_in_formula("alpha*x[i] + 1e5", {{"alpha", "e5", "n"}, {"x", "y"}}) ==
                (std::set<std::string>{"alpha", "x"}));
        // An array may have the name of a function.
        QCOMPARE(value("min[1]", {{}, {{"min", counting({3})}}}), 1.0);
        // And names that no formula can have do no harm.
        QCOMPARE(value("2", {{{"a b", 1}, {"", 1}}, {{"ns::x", counting({3})}}}), 2.0);
    }

    void arrays_of_every_type_are_read() {
        for (const char* dtype : {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16",
                                  "float32", "float64"})
            QCOMPARE(value("a", {{}, {{"a", materialise(ConstantSource{dtype, {1}, std::int64_t{3}}, {})}}}), 3.0);
    }

    void integers_are_rounded_and_clipped() {
        const auto ints = filled("i - 2.5", "int32", {6});
        const int expected[] = {-2, -2, 0, 0, 2, 2}; // ties to even
        for (std::size_t i = 0; i < 6; ++i)
            QCOMPARE(ints.as<int>()[i], expected[i]);
        QCOMPARE(int(filled("1000", "int8", {1}).as<std::int8_t>()[0]), 127);
        QCOMPARE(int(filled("-1", "uint8", {1}).as<std::uint8_t>()[0]), 0);
        QCOMPARE(filled("0/0", "int32", {1}).as<int>()[0], 0);
        QCOMPARE(filled("-1/0", "int64", {1}).as<std::int64_t>()[0], std::numeric_limits<std::int64_t>::min());
        QCOMPARE(filled("1e30", "uint64", {1}).as<std::uint64_t>()[0], std::numeric_limits<std::uint64_t>::max());
    }

    void wrong_formulas_tell_the_place_data() {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* expression, int column, const char* says) {
            QTest::newRow(*expression ? expression : "empty")
                << QString::fromUtf8(expression) << column << QString::fromUtf8(says);
        };
        row("", 1, "is empty");
        row("  ", 1, "is empty");
        row("1 + foo*2", 5, "has the name \"foo\"");
        row("1 + ", 5, "ends too early, at its end");
        row("sin", 1, "lacks the brackets behind \"sin\"");
        row("sin()", 5, "too few");
        row("sin(1, 2)", 9, "too many");
        row("i(2)", 1, "uses \"i\" as a function or an array");
        row("(1 + 2", 1, "is not closed");
        row("1 + 2)", 6, "is not open");
        row("x[1)", 4, "is not open");
        row("[1]", 1, "without the name of an array");
        row("i = 3", 3, "compare with ==");
        row("2 i", 3, "lacks an operator");
        row("1 ? 2", 6, "condition that is not complete");
        row("1, 2", 1, "several values");
        row("1 * * 2", 5, "an operator where a value");
        row("\"a\"", 1, "means nothing");
        row("2*\u03c0", 3, "means nothing in it, at character 3");
        row("()", 2, "");
    }
    void wrong_formulas_tell_the_place() {
        QFETCH(QString, expression);
        QFETCH(int, column);
        QFETCH(QString, says);
        try {
            check_formula(expression.toStdString(), 1, {{}, {"x"}});
            QFAIL("accepted");
        } catch (const SessionError& error) {
            QVERIFY2(QString::fromUtf8(error.what()).contains(says), error.what());
            QCOMPARE(error.column, column);
            QCOMPARE(error.pointer, std::string("/expression"));
        }
    }

    void long_formulas_are_refused_and_deep_ones_are_not() {
        QVERIFY_THROWS_EXCEPTION(SessionError, check_formula(std::string(5000, '1'), 1, {}));
        QVERIFY_THROWS_EXCEPTION(SessionError, check_formula(std::string(200, 'a'), 1, {{std::string(200, 'a')}, {}}));
        QCOMPARE(value(std::string(1900, '(') + "1" + std::string(1900, ')')), 1.0);
    }

    void elements_that_are_not_there() {
        const FormulaInputs inputs{{}, {{"x", counting({4})}}};
        const auto refused = [&](const char* expression, const Shape& shape, const char* says) {
            auto array = NdArray::empty(shape, DType::float32());
            try {
                fill_by_formula(array, expression, inputs);
                QFAIL("accepted");
            } catch (const SessionError& error) {
                QVERIFY2(std::string(error.what()).find(says) != std::string::npos, error.what());
            }
        };
        refused("x[i - 1]", {4}, "Where the formula makes element 0, it asks for x[-1]");
        refused("x[i + 1]", {4}, "Where the formula makes element 3, it asks for x[4]");
        refused("x[i, 0]", {4}, "2 indices");
        refused("x[0/0]", {4}, "x[");
        refused("x", {5}, "x has 4 elements, and the array of the formula has 5");
        // The first one, whatever the threads do.
        refused("i >= 30000 ? x[9] : 0", {200000}, "makes element 30000,");
    }

    void it_can_be_stopped_and_tells_how_far_it_is() {
        auto array = NdArray::empty({1 << 20}, DType::float32());
        int asked = 0;
        double last = -1;
        bool rises = true;
        const FormulaHooks hooks{.cancelled = [&] { return ++asked == 5; },
                                 .progress =
                                     [&](double fraction) {
                                         rises = rises && fraction > last && fraction < 1;
                                         last = fraction;
                                     }};
        QVERIFY(!fill_by_formula(array, "sin(i)", {}, hooks));
        QCOMPARE(asked, 5);
        QVERIFY(rises && last > 0);
    }
};

QTEST_GUILESS_MAIN(FormulaTest)
#include "formula_test.moc"
