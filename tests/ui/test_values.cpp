// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that are typed: those that fit arrive as they are, others are refused, and nothing else changes.
#include "session/struct_value.hpp"
#include "ui/common/number_box.hpp"
#include "ui/launch/argument_dialog.hpp"
#include "ui/launch/argument_guess.hpp"
#include "ui/launch/kernel_box.hpp"
#include "ui/launch/launch_form.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/launch/struct_dialog.hpp"
#include "ui/launch/texture_rows.hpp"
#include "ui/settings/compile_options_editor.hpp"
#include "window_fixture.hpp"
#include "worker/layout_json.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>
#include <nlohmann/json.hpp>

using namespace warplight;
using namespace warplight::ui;

class TestValues : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestValues(const TestHome& home) : WindowFixture(home) {}

private slots:
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }
    void repeatsInTheToolbar();
    void argumentsKeepWhatNobodyChanges_data();
    void argumentsKeepWhatNobodyChanges();
    void oneEditOfAnArgument();
    void formulasAsTheyAreTyped();
    void numbersOfVectors();
    void numbersOfAnotherType();
    void fieldsOfAStruct();
    void textsOfAStruct();
    void structsAreProposed();
    void texturesAreProposed();
    void aTextureIsSetUp();
    void sharedMemoryOfTheSuggestedBlock();
    void sharedMemoryOfTheKernel();
    void anotherDeviceOfTheWorker();
    void registersAndLines();
    void defaultsOfATemplate();
    void occupancyInPlainWords();

private:
    const session::Session& session() const { return window_->document().session(); }
    LaunchForm& form() { return window_->panel<LaunchPanel>().form(); }
    void type(QWidget& field, const QString& text);
    void openLaunch(const QByteArray& source, const QByteArray& launch);
    QString hint(const char* part);
};

/// As somebody does: into the field, all of it away, the new text.
void TestValues::type(QWidget& field, const QString& text) {
    field.setFocus();
    QTest::keyClick(&field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(&field, text);
}

void TestValues::openLaunch(const QByteArray& source, const QByteArray& launch) {
    write("values/k.cu", source);
    const QString path = write("values/k.warplight", R"({"warplight": 1, "source": "k.cu", "kernel": "k",
        "arguments": [{"name": "x", "direction": "inout", "source": {"kind": "zeros", "dtype": "float32", "shape": [4096]}}],
        "launch": )" + launch + "}");
    QVERIFY(window_->openFile(path));
}

/// The text beside the fields that has this.
QString TestValues::hint(const char* part) {
    for (const QLabel* label : form().findChildren<QLabel*>())
        if (label->isVisible() && label->text().contains(QLatin1String(part))) return label->text();
    return {};
}

void TestValues::repeatsInTheToolbar() {
    NumberBox* box = nullptr;
    for (NumberBox* each : window_->findChildren<NumberBox*>())
        if (each->prefix().contains(QChar(0xd7))) box = each;
    QVERIFY(box);
    QCOMPARE(box->number(), quint64(1)); // no session is open yet
    QVERIFY(!box->property("invalid").toBool());
    openLaunch("extern \"C\" __global__ void k(float* x) { x[threadIdx.x] = 1; }\n",
               R"({"grid": 1, "block": 32}, "repeat": 7)");
    for (const char* unfit : {"9999999999", "2147483648", "0"}) {
        type(*box, unfit);
        QCOMPARE(box->cleanText(), QString(unfit));
        QCOMPARE(session().repeat, 7);
        QVERIFY(box->property("invalid").toBool());
        trigger("run.run");
        QTRY_VERIFY(window_->banners().isShown("run"));
        QVERIFY(!window_->runner().isRunning());
        QVERIFY2(banner("run").contains("2147483647") && banner("run").contains(unfit), qPrintable(banner("run")));
        QTest::keyClick(box, Qt::Key_Tab);
        QCOMPARE(box->cleanText(), QString(unfit)); // it is not taken for another one
        QCOMPARE(session().repeat, 7);
    }
    type(*box, "2147483647");
    QCOMPARE(session().repeat, 2147483647);
    QVERIFY(!box->property("invalid").toBool());
    QTRY_VERIFY(!window_->banners().isShown("run"));
    // What the session gets otherwise takes its place, and so does another session.
    type(*box, "0");
    window_->document().modify("repeat", [](session::Session& s) { s.repeat = 3; });
    QCOMPARE(box->number(), quint64(3));
    type(*box, "0");
    window_->document().setReadOnly(true);
    QVERIFY(window_->openFile(home_.path("values/k.warplight")));
    QTRY_COMPARE(box->number(), quint64(session().repeat));
    QVERIFY(!box->property("invalid").toBool());
}

namespace {

session::Session withArgument(const QByteArray& argument) {
    return session::parse("{\"warplight\": 1, \"source\": \"k.cu\", \"arguments\": [" + argument.toStdString() + "]}");
}

QString text(session::Session session, const session::Argument& argument) {
    session.arguments[0] = argument;
    return QString::fromStdString(session::to_text(session));
}

} // namespace

void TestValues::argumentsKeepWhatNobodyChanges_data() {
    QTest::addColumn<QByteArray>("argument");
    const auto row = [](const char* name, const char* direction, const char* rest) {
        QTest::newRow(name) << QByteArray(R"({"name": "x", "direction": ")") + direction + "\", " + rest + "}";
    };
    row("one value", "in", R"("source": {"kind": "constant", "dtype": "float32", "shape": [8], "value": 1.0})");
    row("counting", "in",
        R"("source": {"kind": "arange", "dtype": "float64", "shape": [8], "start": -2.0, "step": 0.1234567890123})");
    row("large", "in",
        R"("source": {"kind": "constant", "dtype": "uint64", "shape": [8], "value": 18446744073709551615})");
    row("spaced", "in", R"("source": {"kind": "linspace", "dtype": "float64", "shape": [8], "start": 0.0, "stop": 7})");
    row("uniform", "in",
        R"("source": {"kind": "random", "dtype": "float32", "shape": [8], "low": 0.0, "high": 1.0, "seed": 9})");
    row("normal", "in",
        R"("source": {"kind": "random", "dtype": "float64", "shape": [8], "distribution": "normal",
           "mean": 0.1234567890123, "stddev": 1234567.125, "seed": 1})");
    row("array file", "in", R"("source": {"kind": "file", "path": "data/x.npy", "shape": [4, 2]})");
    row("table", "in", R"("source": {"kind": "file", "path": "data/x.csv", "dtype": "float32", "shape": [4, 2]})");
    row("picture", "in", R"("source": {"kind": "file", "path": "data/x.png", "shape": [4, 2, 3]})");
    row("raw file", "in",
        R"("source": {"kind": "file", "path": "data/x.raw", "dtype": "float32", "shape": [4, 2], "offset": 16})");
    row("texture", "in",
        R"("source": {"kind": "file", "path": "data/x.png"}, "texture": {"kind": "2d", "filter": "linear",
           "address": ["wrap", "border", "mirror"], "border": [1, 0.5, 0, 0], "read": "normalized_float",
           "normalized_coordinates": true, "srgb": true, "fourth": 255, "later": 1})");
    row("texture that no run takes", "in",
        R"("source": {"kind": "zeros", "dtype": "float64", "shape": [8]}, "texture": {"kind": "1d", "memory": "linear",
           "address": "wrap", "filter": "linear", "gather": true})");
    row("texture and surface", "inout",
        R"("source": {"kind": "zeros", "dtype": "int16", "shape": [6, 8, 8]}, "texture": {"kind": "cubemap",
           "seamless": true}, "surface": {"kind": "cubemap", "later": [2]})");
    row("expected", "out",
        R"("source": {"kind": "zeros", "dtype": "float32", "shape": [8]}, "save": "y.npy",
           "expect": {"path": "y.npy", "rtol": 1.23456789e-5, "atol": 1.000000001})");
    row("formula", "in",
        R"("source": {"kind": "formula", "dtype": "float32", "shape": [8, 2], "expression": "sin(2*pi*i/n) + i1"})");
    row("expected formula", "inout",
        R"("source": {"kind": "zeros", "dtype": "int32", "shape": [8]}, "expect": {"expression": "x + 1", "atol": 0.5})");
    row("bool", "scalar", R"("type": "bool", "value": true)");
    row("vector", "scalar", R"("type": "float4", "value": [1.0, 2.5, -1, 4e30])");
    row("long vector", "scalar", R"("type": "long2", "value": [1, -2])");
    row("bytes of a struct", "scalar", R"("type": "struct", "value": "0x00ff")");
    row("fields of a struct", "scalar", R"("type": "struct", "value": {"x": 1, "v": [0, 1]})");
    row("formulas of fields", "in",
        R"("source": {"kind": "fields", "shape": [8], "fields": {"pos.x": "2*i", "mass": "1"
}
})");
    row("small float", "scalar", R"("type": "f8e4m3", "value": 0.1)");
    row("scalar", "scalar", R"("type": "f64", "value": 1.0)");
    row("scalar of many digits", "scalar", R"("type": "f64", "value": 0.12345678901234567)");
}
/// As the worker tells it.
static debug::Layout layoutOfParticle() {
    return worker::layouts_from_json(nlohmann::json::parse(R"([{"name": "p", "kind": "struct", "type": "Particle",
        "size": 72, "fields": [
        {"name": "x", "offset": 0, "kind": "number", "number": "f32", "type": "float", "size": 4},
        {"name": "v", "offset": 4, "kind": "number", "number": "f32", "type": "float3", "size": 4, "extents": [3]},
        {"name": "mode", "offset": 16, "kind": "number", "number": "i32", "type": "Mode", "size": 4,
         "enumerators": [{"name": "slow", "value": 0}, {"name": "fast", "value": 1}]},
        {"name": "springs", "offset": 24, "kind": "struct", "type": "Spring", "size": 16, "extents": [2], "fields": [
            {"name": "k", "offset": 0, "kind": "number", "number": "f32", "type": "float", "size": 4},
            {"name": "length", "offset": 8, "kind": "number", "number": "f64", "type": "double", "size": 8}]},
        {"name": "num", "offset": 56, "kind": "union", "type": "Num", "size": 4, "fields": [
            {"name": "i", "offset": 0, "kind": "number", "number": "i32", "type": "int", "size": 4},
            {"name": "f", "offset": 0, "kind": "number", "number": "f32", "type": "float", "size": 4}]},
        {"name": "a", "offset": 60, "kind": "bits", "number": "u32", "type": "unsigned int", "size": 4, "bits": 3,
         "first_bit": 0},
        {"name": "name", "offset": 64, "kind": "number", "number": "i8", "type": "char", "size": 1, "extents": [5]}]}])"))
        .front();
}

void TestValues::fieldsOfAStruct() {
    const QByteArray value =
        R"({"name": "p", "direction": "scalar", "type": "struct", "value": {"x": 2.5, "v": [1, 2, 3], "mode": "fast",
            "springs": [{}, {"length": 0.5}], "num": {"f": 1.5}, "a": 5, "name": "hello"}})";
    const session::Session before = withArgument(value);
    StructDialog dialog(before.arguments[0], layoutOfParticle());
    dialog.show();
    auto* tree = dialog.findChild<QTreeWidget*>();
    const auto item = [&](const char* name) {
        return tree->findItems(QString::fromUtf8(name), Qt::MatchRecursive).front();
    };
    QCOMPARE(item("v")->text(2), QString("1, 2, 3"));
    QCOMPARE(item("a")->text(1), QString("unsigned int, 3 bits"));
    QCOMPARE(item("[1]")->child(1)->text(2), QString("0.5"));
    const auto problem = [&] {
        for (const QLabel* label : dialog.findChildren<QLabel*>())
            if (label->isVisible() && label->wordWrap()) return label->text();
        return QString();
    };
    QCOMPARE(problem(), QString());
    item("a")->setText(2, "8");
    QVERIFY2(problem().contains("from 0 to 7"), qPrintable(problem()));
    dialog.accept();
    QVERIFY(dialog.isVisible());
    QCOMPARE(tree->currentItem(), item("a"));
    item("a")->setText(2, "7");
    item("f")->setText(2, "");
    item("i")->setText(2, "-3");
    item("mode")->setText(2, "slow");
    item("x")->setText(2, "");
    item("[0]")->child(0)->setText(2, "1e3");
    QCOMPARE(problem(), QString());
    dialog.accept();
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
    session::Argument expected = before.arguments[0];
    expected.value =
        session::struct_value(R"({"v": [1, 2, 3], "mode": "slow", "springs": [{"k": 1000.0}, {"length": 0.5}],
                                               "num": {"i": -3}, "a": 7, "name": "hello"})");
    QCOMPARE(text(before, dialog.argument()), text(before, expected));
}

/// A text that looks like a list or a number stays a text.
void TestValues::textsOfAStruct() {
    const auto edited = [](const QByteArray& name, const char* typed) {
        const session::Session before =
            withArgument(R"({"name": "p", "direction": "scalar", "type": "struct", "value": {"name": )" + name + "}}");
        StructDialog dialog(before.arguments[0], layoutOfParticle());
        dialog.show();
        if (typed)
            dialog.findChild<QTreeWidget*>()
                ->findItems(QStringLiteral("name"), Qt::MatchExactly)
                .front()
                ->setText(2, QString::fromUtf8(typed));
        dialog.accept();
        return QByteArray::fromStdString(std::get<session::StructValue>(dialog.argument().value).json);
    };
    for (const char* name : {R"("123")", R"("[1]")", R"(" a ")", "[123]", "[1,2]"})
        QCOMPARE(edited(name, nullptr), QByteArray(R"({"name":)") + name + "}");
    QCOMPARE(edited(R"("123")", "45"), QByteArray(R"({"name":"45"})"));
    QCOMPARE(edited("[123]", "45"), QByteArray(R"({"name":[45]})"));
    QCOMPARE(edited(R"("123")", ""), QByteArray("{}"));
}

void TestValues::structsAreProposed() {
    compiler::Kernel kernel;
    kernel.name = "step";
    const auto parameter = [&](const char* name, const char* type, bool pointer) {
        auto& added = kernel.parameters.emplace_back();
        added.name = name;
        added.type = type;
        added.pointer = pointer;
        added.is_struct = !pointer;
    };
    parameter("p", "Particle", false);
    parameter("ps", "const Particle *", true);
    parameter("rows", "float **", true);
    const auto guess = guessArguments(kernel, {}, {}, {});
    QCOMPARE(QString::fromStdString(guess.arguments[0].type), QString("struct"));
    QCOMPARE(describeSource(guess.arguments[0]), QString("all fields 0"));
    QCOMPARE(describeType(guess.arguments[1]), QString("struct"));
    QCOMPARE(describeType(guess.arguments[2]), QString("float32"));
    QCOMPARE(argumentProblem(guess.arguments[0], &kernel.parameters[0], session(), {}), QString());
}

/// The field with this placeholder.
static QLineEdit* fieldFor(const QWidget& dialog, const char* placeholder) {
    for (QLineEdit* edit : dialog.findChildren<QLineEdit*>())
        if (edit->placeholderText().contains(QLatin1String(placeholder))) return edit;
    return nullptr;
}

static QString visibleText(const QWidget& dialog) {
    QString all;
    for (const QLabel* label : dialog.findChildren<QLabel*>())
        if (label->isVisible()) all += label->text() + QLatin1Char('\n');
    return all;
}

void TestValues::texturesAreProposed() {
    compiler::Kernel kernel;
    kernel.name = "sample";
    kernel.dimensions = 2;
    const auto parameter = [&](const char* name, const char* type, const char* object) {
        auto& added = kernel.parameters.emplace_back();
        added.name = name;
        added.type = type;
        added.object = object;
        added.size = 8;
        added.pointer = !*object;
        if (added.pointer) added.dtype = "float32";
    };
    parameter("from", "cudaTextureObject_t", "texture");
    parameter("to", "cudaSurfaceObject_t", "surface");
    parameter("out", "float *", "");
    const auto guess = guessArguments(kernel, {}, {}, {});
    QVERIFY(guess.arguments[0].texture && guess.arguments[0].direction == session::Direction::in);
    QCOMPARE(textureName(guess.arguments[0]), QString("2D texture"));
    QVERIFY(guess.arguments[1].surface && guess.arguments[1].direction == session::Direction::inout);
    QCOMPARE(textureName(guess.arguments[1]), QString("2D surface"));
    QCOMPARE(textureName(guess.arguments[2]), QString());
    for (std::size_t i = 0; i < 3; ++i)
        QCOMPARE(argumentProblem(guess.arguments[i], &kernel.parameters[i], session(), {}), QString());
    QVERIFY(argumentProblem(guess.arguments[2], &kernel.parameters[0], session(), {}).contains("takes a texture"));
    QVERIFY(argumentProblem(guess.arguments[0], &kernel.parameters[1], session(), {}).contains("takes a surface"));
    QVERIFY(argumentProblem(guess.arguments[0], &kernel.parameters[2], session(), {}).contains("takes an address"));
    session::Argument number;
    number.direction = session::Direction::scalar;
    number.value = session::Number{std::int64_t{3}};
    QVERIFY(!argumentProblem(number, &kernel.parameters[0], session(), {}).isEmpty());
}

/// Rows come as they are needed, and what they say is the session's.
void TestValues::aTextureIsSetUp() {
    const session::Session before = withArgument(
        R"({"name": "x", "direction": "in", "source": {"kind": "zeros", "dtype": "uint8", "shape": [8, 8, 4]}})");
    ArgumentDialog dialog(before.arguments[0], {}, window_->workbench());
    dialog.show();
    /// The visible box that has this choice.
    const auto choose = [&](const char* text) {
        for (QComboBox* box : dialog.findChildren<QComboBox*>())
            if (const int at = box->findText(QString::fromUtf8(text)); at >= 0 && box->isVisible()) {
                box->setCurrentIndex(at);
                return true;
            }
        return false;
    };
    QVERIFY(!visibleText(dialog).contains("Filter"));
    QVERIFY(choose("Texture"));
    QVERIFY(visibleText(dialog).contains("Filter"));
    QVERIFY(!visibleText(dialog).contains("Border colour"));
    QVERIFY(choose("Between elements (linear)"));
    QVERIFY(choose("As floats up to 1 (normalised)"));
    QVERIFY(choose("Border"));
    QVERIFY(visibleText(dialog).contains("Border colour"));
    type(*fieldFor(dialog, "0, 0, 0, 0"), "1, x");
    dialog.accept();
    QVERIFY(dialog.isVisible());
    type(*fieldFor(dialog, "0, 0, 0, 0"), "1, 0.5");
    dialog.accept();
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
    session::Argument expected = before.arguments[0];
    expected.texture = session::TextureSetup{};
    expected.texture->filter = session::FilterMode::linear;
    expected.texture->read = session::ReadMode::normalized_float;
    expected.texture->address = {session::AddressMode::border, session::AddressMode::clamp,
                                 session::AddressMode::clamp};
    expected.texture->border = {1, 0.5, 0, 0};
    QCOMPARE(text(before, dialog.argument()), text(before, expected));
    // Back to an address nothing is left of it.
    session::Session with = before;
    with.arguments[0] = expected;
    ArgumentDialog again(expected, {}, window_->workbench());
    again.show();
    for (QComboBox* box : again.findChildren<QComboBox*>())
        if (const int at = box->findText("Address"); at >= 0) box->setCurrentIndex(at);
    QVERIFY(!visibleText(again).contains("Filter"));
    again.accept();
    QCOMPARE(text(before, again.argument()), text(before, before.arguments[0]));
}

/// OK without an edit writes nothing anew.
void TestValues::argumentsKeepWhatNobodyChanges() {
    QFETCH(QByteArray, argument);
    const session::Session before = withArgument(argument);
    ArgumentDialog dialog(before.arguments[0], {}, window_->workbench());
    dialog.show();
    dialog.accept();
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
    QCOMPARE(text(before, dialog.argument()), text(before, before.arguments[0]));
}

void TestValues::oneEditOfAnArgument() {
    const session::Session before = withArgument(
        R"({"name": "x", "direction": "in", "source": {"kind": "arange", "dtype": "float64", "shape": [8], "start": 1.0, "step": 2.0}})");
    const auto change = [this](const session::Session& session, const QString& was, const QString& is) {
        ArgumentDialog dialog(session.arguments[0], {}, window_->workbench());
        dialog.show();
        for (QLineEdit* edit : dialog.findChildren<QLineEdit*>())
            if (edit->isVisible() && edit->text() == was) edit->setText(is);
        dialog.accept();
        return dialog.argument();
    };
    auto expected = before.arguments[0];
    std::get<session::ArangeSource>(expected.source).step = 2.5;
    QCOMPARE(text(before, change(before, "2", "2.5")), text(before, expected));
    // The shape of a file that has one of its own is there to be seen, changed and taken away.
    const session::Session file = withArgument(
        R"({"name": "x", "direction": "in", "source": {"kind": "file", "path": "x.npy", "shape": [4, 2]}})");
    expected = file.arguments[0];
    std::get<session::FileSource>(expected.source).path = "z.npy";
    QCOMPARE(text(file, change(file, "x.npy", "z.npy")), text(file, expected));
    expected = file.arguments[0];
    std::get<session::FileSource>(expected.source).shape.reset();
    QCOMPARE(text(file, change(file, "4, 2", "")), text(file, expected));
}

/// What is wrong stands below the field at once, and OK does not take it.
void TestValues::formulasAsTheyAreTyped() {
    openLaunch("extern \"C\" __global__ void k(float* x) { x[threadIdx.x] = 1; }\n", R"({"grid": 1, "block": 32})");
    ArgumentDialog dialog(session().arguments[0], {"x"}, window_->workbench());
    dialog.show();
    for (QComboBox* box : dialog.findChildren<QComboBox*>())
        if (const int formula = box->findText("Formula"); formula >= 0) box->setCurrentIndex(formula);
    QLineEdit* formula = fieldFor(dialog, "sin(");
    QVERIFY(formula && formula->isVisible());
    QVERIFY(visibleText(dialog).contains("is empty"));
    type(*formula, "cos(pi*i/n) + foo");
    QVERIFY2(visibleText(dialog).contains("\"foo\""), qPrintable(visibleText(dialog)));
    QVERIFY(visibleText(dialog).contains("at character 15"));
    QVERIFY(formula->property("invalid").toBool());
    dialog.accept();
    QVERIFY(dialog.isVisible());
    type(*formula, "cos(pi*i/n)");
    QVERIFY(!formula->property("invalid").toBool());
    QVERIFY(visibleText(dialog).contains("i is the element"));
    QLineEdit* expected = fieldFor(dialog, "= and a formula");
    QVERIFY(expected && expected->isVisible());
    type(*expected, "= 2*x +");
    QVERIFY(visibleText(dialog).contains("ends too early"));
    dialog.accept();
    QVERIFY(dialog.isVisible());
    type(*expected, "= 2*x");
    QVERIFY(visibleText(dialog).contains("before the run"));
    dialog.accept();
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
    QCOMPARE(std::get<session::FormulaSource>(dialog.argument().source).expression, std::string("cos(pi*i/n)"));
    QCOMPARE(dialog.argument().expect->expression, std::string("2*x"));
    QVERIFY(dialog.argument().expect->path.empty());
}

void TestValues::numbersOfVectors() {
    const session::Session before =
        withArgument(R"({"name": "v", "direction": "scalar", "type": "float3", "value": [1, 2, 3]})");
    ArgumentDialog dialog(before.arguments[0], {}, window_->workbench());
    dialog.show();
    QLineEdit* value = fieldFor(dialog, "3 numbers");
    QVERIFY(value);
    QCOMPARE(value->text(), QString("1, 2, 3"));
    type(*value, "1, 2");
    dialog.accept();
    QVERIFY2(visibleText(dialog).contains("has 3 numbers, but there are 2"), qPrintable(visibleText(dialog)));
    type(*value, "(0.5; 2 -3)");
    dialog.accept();
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
    const auto numbers = std::get<session::Components>(dialog.argument().value);
    QVERIFY(numbers == (session::Components{0.5, std::int64_t{2}, std::int64_t{-3}}));
}

/// 1.0 was shown as 1, which is an i32 too.
void TestValues::numbersOfAnotherType() {
    const session::Session before =
        withArgument(R"({"name": "n", "direction": "scalar", "type": "f32", "value": 1.0})");
    ArgumentDialog dialog(before.arguments[0], {}, window_->workbench());
    for (QComboBox* box : dialog.findChildren<QComboBox*>())
        if (box->findText("i32") >= 0) box->setCurrentText("i32");
    dialog.accept();
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
    QVERIFY(std::get<session::Number>(dialog.argument().value) == session::Number(std::int64_t{1}));
}

void TestValues::sharedMemoryOfTheSuggestedBlock() {
    NEEDS_DEVICE;
    openLaunch("extern \"C\" __global__ void k(float* x) { extern __shared__ float s[]; s[threadIdx.x] = 1;\n"
               "    __syncthreads(); x[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x]; }\n",
               R"({"grid": 16, "block": 256, "shared": 1024})");
    workerIsReady();
    QAction* suggest = nullptr;
    for (QAction* action : window_->panel<LaunchPanel>().panelActions())
        if (action->text().contains("Suggested")) suggest = action;
    QVERIFY(suggest);
    type(*form().box(LaunchField::BlockX), "2");
    QCOMPARE(session().launch.shared, std::uint64_t(1024));
    QVERIFY(hint("adapt").contains("Make it 8 B"));
    QTRY_VERIFY_WITH_TIMEOUT(suggest->isEnabled(), patience);
    suggest->trigger();
    const std::uint64_t threads = threadsOf(session().launch.block);
    QVERIFY(threads > 2);
    QCOMPARE(session().launch.shared, 4 * threads);
    // Shared memory that was typed for this block goes with this block.
    type(*form().box(LaunchField::BlockX), "2");
    type(*form().box(LaunchField::Shared), "16");
    QTRY_VERIFY_WITH_TIMEOUT(suggest->isEnabled(), patience);
    suggest->trigger();
    QCOMPARE(session().launch.shared, 8 * threadsOf(session().launch.block));
}

void TestValues::sharedMemoryOfTheKernel() {
    NEEDS_DEVICE;
    openLaunch("extern \"C\" __global__ void k(float* x) { __shared__ float s[256]; s[threadIdx.x] = x[threadIdx.x];\n"
               "    __syncthreads(); x[threadIdx.x] = s[255 - threadIdx.x]; }\n",
               R"({"grid": 1, "block": 256})");
    workerIsReady();
    QTRY_COMPARE_WITH_TIMEOUT(form().limits().staticShared, quint64(1024), patience);
    QVERIFY(hint("of its own").isEmpty());
    type(*form().box(LaunchField::BlockX), "128");
    QTRY_VERIFY(!hint("of its own").isEmpty());
    QVERIFY2(hint("of its own").contains("256"), qPrintable(hint("of its own")));
    type(*form().box(LaunchField::BlockX), "256");
    QTRY_VERIFY(hint("of its own").isEmpty());
}

void TestValues::anotherDeviceOfTheWorker() {
    NEEDS_DEVICE;
    if (driver() != "software") QSKIP("needs two devices");
    closeWindow();
    qputenv("WARPLIGHT_SOFTWARE_DEVICES", "2");
    openWindow();
    qunsetenv("WARPLIGHT_SOFTWARE_DEVICES");
    const auto choose = [&](const char* device) {
        window_->document().modify("device", [&](session::Session& s) { s.device = device; });
    };
    choose("software:0");
    workerIsReady();
    QTRY_VERIFY_WITH_TIMEOUT(!form().limits().device.isEmpty(), patience);
    const LaunchLimits own = form().limits();
    LaunchLimits other = own;
    other.device = "another";
    other.shared = 1;
    form().setLimits(other);
    choose("software:1");
    QTRY_COMPARE_WITH_TIMEOUT(form().limits().device, own.device, patience);
    QCOMPARE(form().limits().shared, own.shared);
}

void TestValues::registersAndLines() {
    session::CompileOptions options;
    CompileOptionsDialog dialog(options);
    dialog.show();
    auto* registers = dialog.findChild<NumberBox*>();
    const auto* ok = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    for (const char* many : {"256", "9999999999"}) {
        type(*registers, many);
        bool said = false;
        for (const QLabel* label : dialog.findChildren<QLabel*>())
            said = said || (label->isVisible() && label->text().contains("at most 255 registers"));
        QVERIFY(said && !ok->isEnabled());
    }
    type(*registers, "255");
    QVERIFY(ok->isEnabled());
    QCOMPARE(dialog.options().options, std::vector<std::string>{"--maxrregcount=255"});
    QCheckBox* lines = nullptr;
    for (QCheckBox* each : dialog.findChildren<QCheckBox*>())
        if (each->text().contains("lines")) lines = each;
    QVERIFY(lines && lines->isChecked());
    QTest::keyClick(lines, Qt::Key_Space);
    QVERIFY(!dialog.options().line_info);
    QCOMPARE(dialog.options().options, std::vector<std::string>{"--maxrregcount=255"});
    QTest::keyClick(lines, Qt::Key_Space);
    QVERIFY(dialog.options().line_info);
}

void TestValues::defaultsOfATemplate() {
    Document document;
    std::vector<compiler::Kernel> kernels(2);
    kernels[0].name = "scale";
    kernels[0].is_template = kernels[0].all_defaults = true;
    kernels[1].name = "fill";
    kernels[1].is_template = true;
    document.setKernels(kernels);
    KernelBox box(document);
    box.show();
    QSignalSpy refused(&box, &KernelBox::refused);
    for (const char* typed : {"scale<>", "scale< >"}) {
        document.modify("kernel", [](session::Session& s) { s.kernel = "scale<int>"; });
        type(*box.lineEdit(), typed);
        QTest::keyClick(box.lineEdit(), Qt::Key_Return);
        QCOMPARE(QString::fromStdString(document.session().kernel).remove(' '), QString("scale<>"));
        QCOMPARE(refused.count(), 0);
    }
    type(*box.lineEdit(), "fill<>"); // has to be told what to fill in
    QTest::keyClick(box.lineEdit(), Qt::Key_Return);
    QCOMPARE(refused.count(), 1);
    type(*box.lineEdit(), "fill<fill<>>");
    QTest::keyClick(box.lineEdit(), Qt::Key_Return);
    QCOMPARE(refused.count(), 1);
    // The text says which is which.
    const auto read = compiler::parse_signatures("template <class T = int, int = 2> __global__ void a(T* x) {}\n"
                                                 "template <class T, int N = 2> __global__ void b(T* x) {}\n"
                                                 "template <class... T> __global__ void c(T... x) {}\n"
                                                 "__global__ void d(int* x) {}\n");
    QCOMPARE(read.size(), std::size_t(4));
    for (const auto& kernel : read)
        QCOMPARE(kernel.all_defaults, kernel.name == "a" || kernel.name == "c");
}

void TestValues::occupancyInPlainWords() {
    NEEDS_DEVICE;
    openLaunch("// PTX\n", R"({"grid": 1, "block": 32})");
    workerIsReady();
    CompileOutput output; // of which the driver makes nothing
    output.valid = output.ok = true;
    output.ptx = "this is no PTX";
    output.kernels.resize(1);
    output.kernels[0].name = output.kernels[0].lowered = "k";
    window_->document().setCompileOutput(output);
    QString tip;
    const auto find = [&] {
        for (const QLabel* label : form().findChildren<QLabel*>())
            if (label->text().contains("does not tell")) tip = label->toolTip();
        return !tip.isEmpty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(find(), patience);
    for (const char* raw : {"cuModule", "CUDA_ERROR", "ptxas", "failed:"})
        QVERIFY2(!tip.contains(QLatin1String(raw)), qPrintable(tip));
    QVERIFY2(tip.contains("driver could not load"), qPrintable(tip));
}

WARPLIGHT_UI_TEST_MAIN(TestValues)
#include "test_values.moc"
