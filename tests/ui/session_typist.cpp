// SPDX-License-Identifier: GPL-3.0-or-later
#include "session_typist.hpp"

#include "session/exercise_cases.hpp"
#include "ui/common/number_box.hpp"
#include "ui/launch/argument_text.hpp"
#include "ui/launch/arguments_model.hpp"
#include "ui/launch/checks_box.hpp"
#include "ui/launch/launch_form.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/launch/pipeline_page.hpp"
#include "ui/launch/struct_dialog.hpp"
#include "ui/program/program_page.hpp"
#include "ui/settings/compile_options.hpp"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>

namespace warplight::ui {
namespace {

constexpr int patience = 90000; // a machine that is busy with other things

QString toText(const std::string& text) { return QString::fromStdString(text); }

QString plain(QString text) { return text.remove(QLatin1Char('&')); }

template <class List>
QString joined(const List& list) {
    QStringList texts;
    for (const auto& each : list)
        if constexpr (std::is_same_v<std::decay_t<decltype(each)>, std::string>)
            texts << toText(each);
        else
            texts << QString::number(each);
    return texts.join(QStringLiteral(", "));
}

/// What the user reads in a dialog that refuses something.
QString complaint(const QDialog& dialog) {
    QStringList texts;
    for (const QLabel* label : dialog.findChildren<QLabel*>())
        if (label->isVisible() && label->wordWrap()) texts << label->text();
    return QStringLiteral("%1: %2").arg(dialog.windowTitle(), texts.join(QLatin1Char(' ')));
}

bool isSame(const session::Argument& a, const session::Argument& b) {
    session::Session one, other;
    one.arguments = {a};
    other.arguments = {b};
    return session::to_json(one) == session::to_json(other);
}

} // namespace

void SessionTypist::fail(const QString& what) {
    if (problem_.isEmpty()) problem_ = what;
}

void SessionTypist::press(QDialog& dialog) {
    if (auto* box = qobject_cast<QMessageBox*>(&dialog)) {
        fail(box->text());
        box->reject();
        return;
    }
    auto* buttons = dialog.findChild<QDialogButtonBox*>();
    QPushButton* ok = buttons ? buttons->button(QDialogButtonBox::Ok) : nullptr;
    if (buttons && !ok) ok = buttons->button(QDialogButtonBox::Save);
    // What the dialog asks is not expected.
    QTimer refuse;
    QObject::connect(&refuse, &QTimer::timeout, &refuse, [this] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (!box) return;
        fail(box->text());
        box->reject();
    });
    refuse.start(20);
    if (!failed() && ok) ok->click();
    if (!dialog.isVisible()) return;
    fail(complaint(dialog));
    dialog.reject();
}

void SessionTypist::answer(const std::function<void()>& open, std::initializer_list<Fill> fills) {
    if (failed()) return;
    const std::vector<Fill> all = fills;
    std::size_t done = 0;
    QWidget* const below = QApplication::activeModalWidget();
    QTimer poll;
    poll.setInterval(1);
    QObject::connect(&poll, &QTimer::timeout, &poll, [&] {
        auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        if (!dialog || dialog == below || done == all.size()) return;
        poll.stop();
        if (!qobject_cast<QMessageBox*>(dialog)) all[done++](*dialog);
        press(*dialog);
        if (failed()) done = all.size();
        if (done < all.size()) poll.start();
    });
    poll.start();
    open();
    if (!QTest::qWaitFor([&] { return done == all.size(); }, patience)) fail(QStringLiteral("No dialog came."));
}

template <class Field>
Field* SessionTypist::field(QWidget& in, const QString& name) {
    if (failed()) return nullptr;
    for (Field* each : in.findChildren<Field*>())
        if (each->isVisibleTo(&in) && each->accessibleName() == name) return each;
    for (const QLabel* label : in.findChildren<QLabel*>())
        if (label->isVisibleTo(&in) && plain(label->text()) == name)
            if (auto* found = qobject_cast<Field*>(label->buddy())) return found;
    if constexpr (std::is_base_of_v<QAbstractButton, Field>)
        for (Field* each : in.findChildren<Field*>())
            if (each->isVisibleTo(&in) && plain(each->text()) == name) return each;
    fail(QStringLiteral("%1 has no field “%2”.").arg(in.windowTitle(), name));
    return nullptr;
}

/// All of what is there goes, and the text comes letter by letter.
void SessionTypist::typeInto(QWidget& field, const QString& text) {
    field.setFocus();
    QTest::keyClick(&field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(&field, Qt::Key_Delete);
    for (const QChar letter : text) {
        if (letter == QLatin1Char('\n')) {
            QTest::keyClick(&field, Qt::Key_Return);
            continue;
        }
        // QTest has no letters beyond Latin-1.
        QKeyEvent down(QEvent::KeyPress, 0, Qt::NoModifier, QString(letter));
        QKeyEvent up(QEvent::KeyRelease, 0, Qt::NoModifier, QString(letter));
        QApplication::sendEvent(&field, &down);
        QApplication::sendEvent(&field, &up);
    }
}

void SessionTypist::type(QWidget& in, const QString& name, const QString& text) {
    auto* edit = field<QLineEdit>(in, name);
    if (edit && edit->text() != text) typeInto(*edit, text);
    if (edit && edit->text() != text) fail(QStringLiteral("“%1” has %2, and no %3").arg(name, edit->text(), text));
}

void SessionTypist::tick(QWidget& in, const QString& name, bool on) {
    auto* box = field<QCheckBox>(in, name);
    if (box && box->isChecked() != on) box->click();
    if (box && box->isChecked() != on) fail(QStringLiteral("“%1” cannot be changed.").arg(name));
}

void SessionTypist::choose(QComboBox* box, int index, const QString& wanted) {
    if (!box || failed()) return;
    if (index < 0) return fail(QStringLiteral("“%1” is not in the list %2.").arg(wanted, box->accessibleName()));
    if (index == box->currentIndex()) return;
    box->showPopup();
    box->view()->setCurrentIndex(box->model()->index(index, box->modelColumn(), box->rootModelIndex()));
    QTest::keyClick(box->view(), Qt::Key_Return);
    if (box->currentIndex() != index) fail(QStringLiteral("“%1” cannot be chosen.").arg(wanted));
}

void SessionTypist::chooseText(QWidget& in, const QString& name, const QString& text) {
    if (auto* box = field<QComboBox>(in, name)) choose(box, box->findText(text), text);
}

void SessionTypist::chooseData(QWidget& in, const QString& name, const QVariant& data) {
    if (auto* box = field<QComboBox>(in, name)) choose(box, box->findData(data), data.toString());
}

void SessionTypist::choosePlace(QWidget& in, const QString& name, int index) {
    choose(field<QComboBox>(in, name), index, name);
}

void SessionTypist::number(QWidget& in, const QString& name, quint64 value) {
    auto* box = field<QAbstractSpinBox>(in, name);
    if (!box) return;
    const auto shown = [&]() -> double {
        const auto* whole = qobject_cast<QSpinBox*>(box);
        return whole ? whole->value() : static_cast<QDoubleSpinBox*>(box)->value();
    };
    if (shown() == double(value)) return;
    typeInto(*box, QString::number(value));
    QTest::keyClick(box, Qt::Key_Tab);
    if (shown() != double(value)) fail(QStringLiteral("“%1” does not take %2.").arg(name).arg(value));
}

void SessionTypist::real(QWidget& in, const QString& name, double value) {
    auto* box = field<QDoubleSpinBox>(in, name);
    if (!box || box->value() == value) return;
    typeInto(*box, QString::number(value));
    QTest::keyClick(box, Qt::Key_Tab);
    if (box->value() != value) fail(QStringLiteral("“%1” does not take %2.").arg(name).arg(value));
}

QString SessionTypist::setUp(const session::Session& wanted) {
    wanted_ = wanted;
    problem_.clear();
    window_.findAction(QStringLiteral("window.launch"))->trigger();
    typeProperties();
    typeCompileOptions();
    if (wanted.program) {
        typeProgram();
    } else {
        chooseKernel();
        typeArguments();
        if (wanted.pipeline)
            typePipeline();
        else
            typeLaunch();
        typeExercise();
    }
    if (!failed() && now().profile != wanted.profile) window_.findAction(QStringLiteral("run.profile"))->trigger();
    if (auto* devices = window_.findChild<QComboBox*>(QStringLiteral("deviceBox")); now().device != wanted.device)
        choose(devices, devices->findData(toText(wanted.device)), toText(wanted.device));
    return problem_;
}

QString SessionTypist::saveAs(const QString& path) {
    problem_.clear();
    answer([this] { window_.findAction(QStringLiteral("file.saveAs"))->trigger(); }, {[&](QDialog& dialog) {
               // It is in the source's folder, and proposes the source's name.
               auto* edit = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
               const QString name = QFileInfo(path).fileName();
               if (edit->text() == name) return;
               // The dialog names the proposal once it has read the folder, and completes letters to other names.
               QTest::qWait(100);
               edit->setText(name);
           }});
    if (!failed() && QFileInfo(window_.document().path()) != QFileInfo(path)) fail(QStringLiteral("It is not saved."));
    return problem_;
}

void SessionTypist::typeProperties() {
    const session::Notes& notes = now().notes;
    if (now().title == wanted_.title && now().description == wanted_.description && notes.path == wanted_.notes.path)
        return;
    answer([this] { window_.findAction(QStringLiteral("file.properties"))->trigger(); }, {[this](QDialog& dialog) {
               type(dialog, QStringLiteral("Title"), toText(wanted_.title));
               type(dialog, QStringLiteral("Notes are in"), toText(wanted_.notes.path));
               if (auto* edit = field<QPlainTextEdit>(dialog, QStringLiteral("Description")))
                   typeInto(*edit, toText(wanted_.description));
           }});
}

void SessionTypist::typeCompileOptions() {
    const CompileChoices choices = CompileChoices::of(wanted_.compile);
    if (now().compile.compiler != wanted_.compile.compiler || !(CompileChoices::of(now().compile) == choices))
        answer([this] { window_.panel<LaunchPanel>().compileOptionsAction()->trigger(); }, {[&](QDialog& dialog) {
                   chooseData(dialog, QStringLiteral("Compiler"), toText(wanted_.compile.compiler));
                   chooseData(dialog, QStringLiteral("Language standard"), choices.standard);
                   type(dialog, QStringLiteral("Defines"), joinWords(choices.defines));
                   number(dialog, QStringLiteral("Most registers a thread"), quint64(choices.maxRegisters));
                   tick(dialog, QStringLiteral("Fast math"), choices.fastMath);
                   tick(dialog, QStringLiteral("Source lines in the code"), choices.lineInfo);
                   type(dialog, QStringLiteral("Further options"), joinWords(choices.others));
               }});
    if (auto* architectures = window_.findChild<QComboBox*>(QStringLiteral("archBox"));
        now().compile.arch != wanted_.compile.arch)
        choose(architectures, architectures->findData(toText(wanted_.compile.arch)), toText(wanted_.compile.arch));
}

void SessionTypist::typeProgram() {
    if (!now().program) window_.findAction(QStringLiteral("run.asProgram"))->trigger();
    ProgramPage& page = window_.panel<LaunchPanel>().programPage();
    type(page, QStringLiteral("Arguments"), joinArguments(wanted_.program->arguments));
    type(page, QStringLiteral("Working folder"), toText(wanted_.program->folder));
    type(page, QStringLiteral("Standard input"), toText(wanted_.program->input));
}

void SessionTypist::chooseKernel() {
    const auto known = [this] { return !window_.document().kernels().empty(); };
    if (!QTest::qWaitFor(known, patience)) return fail(QStringLiteral("The source has no kernel."));
    if (wanted_.pipeline || now().kernel == wanted_.kernel) return;
    const QString name = toText(wanted_.kernel);
    auto* box = window_.findChild<QComboBox*>(QStringLiteral("kernelBox"));
    if (const int index = box->findData(name); index >= 0) {
        choose(box, index, name);
    } else if (box->isEditable()) {
        typeInto(*box->lineEdit(), name);
        QTest::keyClick(box->lineEdit(), Qt::Key_Return);
    }
    if (now().kernel != wanted_.kernel)
        fail(QStringLiteral("The kernel “%1” cannot be chosen; it is “%2”.").arg(name, toText(now().kernel)));
}

void SessionTypist::typeLaunch() {
    LaunchForm& form = window_.panel<LaunchPanel>().form();
    const session::LaunchConfiguration& launch = wanted_.launch;
    const auto side = [](const std::vector<std::uint32_t>& sides, std::size_t i) {
        return i < sides.size() ? sides[i] : 1;
    };
    for (std::size_t i = 0; i < 3; ++i) {
        const QChar axis = QLatin1Char("xyz"[i]);
        number(form, QStringLiteral("Grid %1").arg(axis), side(launch.grid, i));
        number(form, QStringLiteral("Block %1").arg(axis), side(launch.block, i));
    }
    number(form, QStringLiteral("Dynamic shared memory"), launch.shared);
    tick(form, QStringLiteral("Cooperative"), launch.cooperative);
    if (now().launch.options != launch.options)
        answer([&] { form.findChild<QToolButton*>(QStringLiteral("launchOptions"))->click(); },
               {[&](QDialog& dialog) { fillOptions(dialog, launch.options); }});
    typeRuns(form);
}

void SessionTypist::typeRuns(QWidget& page) {
    number(page, QStringLiteral("Repeats"), quint64(wanted_.repeat));
    number(page, QStringLiteral("Warm-up runs"), quint64(wanted_.warmup));
    chooseChecks(page);
}

void SessionTypist::chooseChecks(QWidget& page) {
    if (failed() || now().checks == wanted_.checks) return;
    if (wanted_.checks == *findings::Checks::parse("all") || !wanted_.checks.any())
        return tick(page, QStringLiteral("Check the running kernel"), wanted_.checks.any());
    tickChecks(*page.findChild<ChecksButton*>(), wanted_.checks);
}

void SessionTypist::tickChecks(ChecksButton& button, const findings::Checks& checks) {
    const std::vector<std::string> names = checks.names();
    for (QAction* action : button.menu()->actions())
        if ((std::ranges::find(names, action->data().toString().toStdString()) != names.end()) != action->isChecked())
            action->trigger();
}

void SessionTypist::fillOptions(QDialog& dialog, const session::LaunchOptions& options) {
    type(dialog, QStringLiteral("Cluster"), joined(options.cluster));
    chooseData(dialog, QStringLiteral("Cache"), toText(options.cache));
    const auto spin = [&](const QString& name, int value) {
        auto* box = field<QSpinBox>(dialog, name);
        if (!box || box->value() == value) return;
        typeInto(*box, QString::number(value));
        QTest::keyClick(box, Qt::Key_Tab);
        if (box->value() != value) fail(QStringLiteral("“%1” does not take %2.").arg(name).arg(value));
    };
    if (options.carveout) spin(QStringLiteral("Carve-out"), *options.carveout);
    spin(QStringLiteral("Priority"), options.priority);
}

// Arguments

void SessionTypist::selectArgument(int row) {
    auto* table = field<QTableView>(window_.panel<LaunchPanel>(), QStringLiteral("Arguments"));
    if (table) table->setCurrentIndex(table->model()->index(row, ArgumentsModel::Name));
}

void SessionTypist::removeArgument(int row) {
    selectArgument(row);
    const std::size_t before = now().arguments.size();
    auto* table = field<QTableView>(window_.panel<LaunchPanel>(), QStringLiteral("Arguments"));
    if (table) QTest::keyClick(table, Qt::Key_Delete);
    if (now().arguments.size() + 1 != before) fail(QStringLiteral("The argument %1 cannot be removed.").arg(row));
}

void SessionTypist::addArgument(const session::Argument& argument) {
    LaunchPanel& panel = window_.panel<LaunchPanel>();
    if (!argument.variable) { // of a pipeline
        auto* button = field<QToolButton>(panel, QStringLiteral("Add Argument"));
        if (!button) return;
        const bool scalar = argument.direction == session::Direction::scalar;
        answer([&] { button->menu()->actions().at(scalar ? 1 : 0)->trigger(); },
               {[&](QDialog& dialog) { typeInto(*dialog.findChild<QLineEdit*>(), toText(argument.name)); },
                [&](QDialog& dialog) { fillArgument(dialog, argument); }});
        return;
    }
    build(); // then the variables are known
    for (const QAction* action : panel.panelActions()) {
        if (!action->menu()) continue;
        action->menu()->popup({});
        for (QAction* each : action->menu()->actions())
            if (each->text().startsWith(toText(argument.name) + QLatin1Char(','))) {
                each->trigger();
                break;
            }
        action->menu()->close();
    }
    if (now().arguments.empty() || now().arguments.back().name != argument.name)
        fail(QStringLiteral("The variable %1 cannot be added.").arg(toText(argument.name)));
}

void SessionTypist::build() {
    const auto built = [this] {
        const CompileOutput& output = window_.document().compileOutput();
        return output.ok && output.revision == window_.document().mainSource()->revision();
    };
    if (built()) return;
    window_.findAction(QStringLiteral("build.build"))->trigger();
    if (!QTest::qWaitFor(built, patience)) fail(QStringLiteral("The source does not compile."));
}

void SessionTypist::typeArguments() {
    LaunchPanel& panel = window_.panel<LaunchPanel>();
    // A build tells which parameters are structs.
    if (std::ranges::any_of(wanted_.arguments, [](const auto& each) { return each.type == session::struct_type; }))
        build();
    if (wanted_.pipeline) {
        choosePlace(panel, QStringLiteral("What a run does"), 1);
        // The arguments of the kernel that was there before.
        while (!failed() && !now().arguments.empty())
            removeArgument(0);
    }
    for (std::size_t i = 0; i < wanted_.arguments.size() && !failed(); ++i) {
        const session::Argument& argument = wanted_.arguments[i];
        if (i >= now().arguments.size()) addArgument(argument);
        if (failed() || isSame(now().arguments[i], argument)) continue;
        selectArgument(int(i));
        answer([&] { panel.panelActions().front()->trigger(); },
               {[&](QDialog& dialog) { fillArgument(dialog, argument); }});
    }
}

void SessionTypist::fillArgument(QDialog& dialog, const session::Argument& argument) {
    if (qobject_cast<StructDialog*>(&dialog)) return fillStruct(dialog, argument);
    if (argument.direction == session::Direction::scalar)
        fillScalar(dialog, argument);
    else
        fillArray(dialog, argument);
}

void SessionTypist::fillScalar(QDialog& dialog, const session::Argument& argument) {
    if (argument.type == session::struct_type)
        return fail(QStringLiteral("%1 is a struct, and has no fields to fill in.").arg(toText(argument.name)));
    chooseText(dialog, QStringLiteral("Type"), toText(argument.type));
    const auto* size = std::get_if<session::SizeOf>(&argument.value);
    tick(dialog, QStringLiteral("the size of a buffer"), size);
    if (!size) return type(dialog, QStringLiteral("Value"), valueText(argument.type, argument.value));
    chooseText(dialog, QStringLiteral("Buffer"), toText(size->argument));
    type(dialog, QStringLiteral("Axis"), size->axis ? QString::number(*size->axis) : QString());
}

void SessionTypist::fillArray(QDialog& dialog, const session::Argument& argument) {
    chooseData(dialog, QStringLiteral("Direction"), int(argument.direction));
    const auto kind = [&](const char* title) { chooseText(dialog, QStringLiteral("Data from"), QLatin1String(title)); };
    const auto named = [&](const char* label, const session::Number& value) {
        type(dialog, QLatin1String(label), numberText(value));
    };
    std::visit(
        [&](const auto& source) {
            using Source = std::decay_t<decltype(source)>;
            if constexpr (std::is_same_v<Source, session::FileSource>) {
                kind("File");
                type(dialog, QStringLiteral("Path"), toText(source.path));
                type(dialog, QStringLiteral("Shape"), source.shape ? showShape(*source.shape) : QString());
                if (source.raw) tick(dialog, QStringLiteral("Raw numbers, whatever its name says"), true);
                if (source.offset) type(dialog, QStringLiteral("Offset"), QString::number(source.offset));
            }
            if constexpr (std::is_same_v<Source, session::ZerosSource>) kind("Zeros");
            if constexpr (std::is_same_v<Source, session::ConstantSource>) {
                kind("One value");
                named("Value", source.value);
            }
            if constexpr (std::is_same_v<Source, session::ArangeSource>) {
                kind("Counting up");
                named("Start", source.start);
                named("Step", source.step);
            }
            if constexpr (std::is_same_v<Source, session::LinspaceSource>) {
                kind("Evenly spaced");
                named("Start", source.start);
                named("Stop", source.stop);
            }
            if constexpr (std::is_same_v<Source, session::RandomSource>) {
                kind("Random");
                const bool normal = source.distribution == session::RandomSource::Distribution::normal;
                choosePlace(dialog, QStringLiteral("Distribution"), normal ? 1 : 0);
                named(normal ? "Mean" : "Lowest", normal ? session::Number{source.mean} : source.low);
                named(normal ? "Deviation" : "Below", normal ? session::Number{source.stddev} : source.high);
                type(dialog, QStringLiteral("Seed"), QString::number(source.seed));
            }
            if constexpr (std::is_same_v<Source, session::FormulaSource>) {
                kind("Formula");
                type(dialog, QStringLiteral("Formula"), toText(source.expression));
            }
            if constexpr (std::is_same_v<Source, session::FieldsSource>) {
                kind("Formulas of fields");
                type(dialog, QStringLiteral("Formula"), fieldsText(source.fields));
            } else {
                chooseData(dialog, QStringLiteral("Element type"), toText(source.dtype));
            }
            if constexpr (!std::is_same_v<Source, session::FileSource>)
                type(dialog, QStringLiteral("Shape"), showShape(source.shape));
        },
        argument.source);
    fillTexture(dialog, argument);
    if (argument.direction == session::Direction::in) return;
    type(dialog, QStringLiteral("Save as"), toText(argument.save));
    const session::Expectation expect = argument.expect.value_or(session::Expectation());
    type(dialog, QStringLiteral("Expected"),
         expect.expression.empty() ? toText(expect.path + expect.session)
                                   : QStringLiteral("= ") + toText(expect.expression));
    if (!expect.session.empty()) type(dialog, QStringLiteral("Its argument"), toText(expect.argument));
    if (!argument.expect) return;
    type(dialog, QStringLiteral("Relative tolerance"), numberText(expect.rtol));
    type(dialog, QStringLiteral("Absolute tolerance"), numberText(expect.atol));
}

/// What the kernel gets in place of the array's address.
void SessionTypist::fillTexture(QDialog& dialog, const session::Argument& argument) {
    const bool texture = argument.texture.has_value(), surface = argument.surface.has_value();
    choosePlace(dialog, QStringLiteral("Given as"), texture && surface ? 3 : surface ? 2 : texture ? 1 : 0);
    if (!texture && !surface) return;
    choosePlace(dialog, QStringLiteral("Kind"), int(texture ? argument.texture->kind : argument.surface->kind));
    if (!texture) return;
    const session::TextureSetup &setup = *argument.texture, plain;
    const auto choice = [&](const char* label, auto wanted, auto usual) {
        if (wanted != usual) choosePlace(dialog, QLatin1String(label), int(wanted));
    };
    choice("Lies in", setup.memory, plain.memory);
    choice("Filter", setup.filter, plain.filter);
    choice("Values", setup.read, plain.read);
    choice("Coordinates", setup.normalized_coordinates, plain.normalized_coordinates);
    for (std::size_t i = 0; i < setup.address.size(); ++i) {
        const QString name = QStringLiteral("Outside along %1").arg(QLatin1Char("xyz"[i]));
        for (auto* box : dialog.findChildren<QComboBox*>()) // one for each coordinate
            if (box->accessibleName() == name && box->isVisibleTo(&dialog)) choose(box, int(setup.address[i]), name);
    }
    if (setup.border != plain.border) type(dialog, QStringLiteral("Border colour"), joined(setup.border));
    if (setup.fourth) type(dialog, QStringLiteral("Fourth component"), numberText(*setup.fourth));
    if (setup.srgb) tick(dialog, QStringLiteral("sRGB"), true);
    if (setup.seamless) tick(dialog, QStringLiteral("Seamless"), true);
    if (setup.gather) tick(dialog, QStringLiteral("For tex2Dgather"), true);
}

void SessionTypist::fillStruct(QDialog& dialog, const session::Argument& argument) {
    auto* tree = field<QTreeWidget>(dialog, QStringLiteral("Fields"));
    const auto* value = std::get_if<session::StructValue>(&argument.value);
    if (!value) return fail(QStringLiteral("%1 is no struct.").arg(toText(argument.name)));
    if (tree) fillRows(*tree, {}, nlohmann::ordered_json::parse(value->json));
}

void SessionTypist::fillRows(QTreeWidget& tree, const QModelIndex& parent, const nlohmann::ordered_json& value) {
    const QAbstractItemModel& model = *tree.model();
    const auto textOf = [](const nlohmann::ordered_json& each) {
        return each.is_string() ? toText(each.get<std::string>()) : toText(each.dump());
    };
    const auto fill = [&](const QString& name, const nlohmann::ordered_json& each) {
        for (int row = 0; row < model.rowCount(parent); ++row) {
            const QModelIndex at = model.index(row, 0, parent), place = at.siblingAtColumn(2);
            if (at.data().toString() != name) continue;
            if (model.rowCount(at) > 0) return fillRows(tree, at, each);
            QStringList parts;
            for (const auto& part : each.is_array() ? each : nlohmann::ordered_json::array({each}))
                parts << textOf(part);
            tree.setCurrentIndex(place);
            tree.edit(place);
            auto* editor = tree.viewport()->findChild<QLineEdit*>();
            if (!editor) return fail(QStringLiteral("The field %1 cannot be edited.").arg(name));
            const QString text = parts.join(QStringLiteral(", "));
            typeInto(*editor, text);
            QTest::keyClick(editor, Qt::Key_Return);
            if (!QTest::qWaitFor([&] { return place.data().toString() == text; }, patience))
                fail(QStringLiteral("The field %1 does not take %2.").arg(name, text));
            return;
        }
        fail(QStringLiteral("There is no field %1.").arg(name));
    };
    if (value.is_array())
        for (std::size_t i = 0; i < value.size(); ++i)
            fill(QStringLiteral("[%1]").arg(i), value[i]);
    else
        for (const auto& [name, each] : value.items())
            fill(toText(name), each);
}

// Exercises

void SessionTypist::typeExercise() {
    if (!wanted_.exercise) return;
    const session::Exercise& exercise = *wanted_.exercise;
    answer([this] { window_.findAction(QStringLiteral("file.exercise"))->trigger(); }, {[&](QDialog& dialog) {
               for (const session::ExerciseCase& each : exercise.cases) {
                   auto* add = field<QPushButton>(dialog, QStringLiteral("Add…"));
                   if (add) answer([&] { add->click(); }, {[&](QDialog& inner) { fillCase(inner, each); }});
               }
               if (auto* hints = field<QPlainTextEdit>(dialog, QStringLiteral("Hints"))) {
                   QStringList lines;
                   for (const std::string& hint : exercise.hints)
                       lines << toText(hint);
                   typeInto(*hints, lines.join(QLatin1Char('\n')));
               }
               type(dialog, QStringLiteral("Required words"), joined(exercise.required));
               type(dialog, QStringLiteral("Forbidden words"), joined(exercise.forbidden));
               real(dialog, QStringLiteral("Time limit"), exercise.time_limit);
           }});
}

void SessionTypist::fillCase(QDialog& dialog, const session::ExerciseCase& each) {
    type(dialog, QStringLiteral("Name"), toText(each.name));
    type(dialog, QStringLiteral("Hint"), toText(each.hint));
    real(dialog, QStringLiteral("Points"), each.points);
    if (each.time_limit) real(dialog, QStringLiteral("Time limit"), *each.time_limit);
    tick(dialog, QStringLiteral("Hidden: only passing or failing is shown"), each.hidden);
    if (each.checks) {
        tick(dialog, QStringLiteral("Checks of its own"), true);
        if (auto* button = field<ChecksButton>(dialog, QStringLiteral("Choose checks")))
            tickChecks(*button, *each.checks);
    }
    const session::Session made = session::session_of_case(wanted_, each);
    if (!wanted_.pipeline) {
        type(dialog, QStringLiteral("Grid"), joined(made.launch.grid));
        type(dialog, QStringLiteral("Block"), joined(made.launch.block));
        type(dialog, QStringLiteral("Shared"), QString::number(made.launch.shared));
    }
    auto* list = field<QTreeWidget>(dialog, QStringLiteral("Arguments"));
    auto* edit = field<QPushButton>(dialog, QStringLiteral("Edit…"));
    session::ExerciseCase plain = each;
    plain.arguments.clear();
    const session::Session base = session::session_of_case(wanted_, plain);
    for (std::size_t i = 0; list && edit && i < made.arguments.size() && !failed(); ++i) {
        if (isSame(made.arguments[i], base.arguments[i])) continue;
        list->setCurrentItem(list->topLevelItem(int(i)));
        answer([&] { edit->click(); }, {[&](QDialog& inner) { fillArgument(inner, made.arguments[i]); }});
    }
}

// Pipelines

void SessionTypist::typePipeline() {
    PipelinePage& page = window_.panel<LaunchPanel>().pipelinePage();
    QAction* remove = page.stepActions().at(2);
    while (!now().pipeline->steps.empty()) {
        page.setCurrent({0});
        remove->trigger();
    }
    addSteps(wanted_.pipeline->steps, {});
    choosePlace(page, QStringLiteral("Run as"), wanted_.pipeline->graph ? 1 : 0);
    if (const auto& frames = wanted_.pipeline->frames) {
        chooseData(page, QStringLiteral("Array that is kept as frames"), toText(frames->buffer));
        number(page, QStringLiteral("Rounds from one frame to the next"), frames->every);
        number(page, QStringLiteral("Most frames that are kept"), frames->at_most);
    }
    typeRuns(page);
}

void SessionTypist::addSteps(const std::vector<session::PipelineStep>& steps, const QList<int>& above) {
    PipelinePage& page = window_.panel<LaunchPanel>().pipelinePage();
    auto* button = field<QToolButton>(page, QStringLiteral("Add Step"));
    for (std::size_t i = 0; i < steps.size() && !failed(); ++i) {
        const auto* loop = std::get_if<session::LoopStep>(&steps[i].what);
        // Behind the step before it; the first one of a loop goes into the loop.
        const bool first = i == 0;
        if (first && above.isEmpty())
            page.steps()->clearSelection();
        else
            page.setCurrent(first ? above : QList<int>(above) << int(i) - 1);
        QAction* add = button->menu()->actions().at(int(steps[i].what.index()));
        const Fill fill = [&](QDialog& dialog) { fillStep(dialog, steps[i]); };
        const bool behindLoop = !first && std::holds_alternative<session::LoopStep>(steps[i - 1].what);
        if (loop)
            add->trigger();
        else
            answer([&] { add->trigger(); }, {fill});
        if (behindLoop) page.stepActions().at(4)->trigger(); // out of that loop, into which it has come
        const QList<int> here = QList<int>(above) << int(i);
        if (!failed() && page.current() != here) return fail(QStringLiteral("A step is not where it should be."));
        if (!loop) continue;
        answer([&] { page.stepActions().front()->trigger(); }, {fill});
        addSteps(loop->steps, here);
    }
}

void SessionTypist::fillStep(QDialog& dialog, const session::PipelineStep& step) {
    const auto count = [](const std::optional<std::uint64_t>& each) {
        return each ? QString::number(*each) : QString();
    };
    if (const auto* launch = std::get_if<session::LaunchStep>(&step.what)) return fillLaunchStep(dialog, *launch);
    if (const auto* copy = std::get_if<session::CopyStep>(&step.what)) {
        chooseText(dialog, QStringLiteral("From"), toText(copy->from));
        type(dialog, QStringLiteral("From element"), QString::number(copy->from_start));
        chooseText(dialog, QStringLiteral("To"), toText(copy->to));
        type(dialog, QStringLiteral("To element"), QString::number(copy->to_start));
        type(dialog, QStringLiteral("Count"), count(copy->count));
    } else if (const auto* fill = std::get_if<session::FillStep>(&step.what)) {
        chooseText(dialog, QStringLiteral("Array"), toText(fill->buffer));
        type(dialog, QStringLiteral("Value"), numberText(fill->value));
        type(dialog, QStringLiteral("From element"), QString::number(fill->range.start));
        type(dialog, QStringLiteral("Count"), count(fill->range.count));
    } else if (const auto* swap = std::get_if<session::SwapStep>(&step.what)) {
        chooseText(dialog, QStringLiteral("First"), toText(swap->first));
        chooseText(dialog, QStringLiteral("Second"), toText(swap->second));
    } else if (const auto* loop = std::get_if<session::LoopStep>(&step.what)) {
        choosePlace(dialog, QStringLiteral("Ends behind"), loop->until.empty() ? 0 : 1);
        if (loop->until.empty()) return type(dialog, QStringLiteral("Rounds"), QString::number(loop->times));
        type(dialog, QStringLiteral("Until"), toText(loop->until));
        type(dialog, QStringLiteral("Asked every"), QString::number(loop->every));
        type(dialog, QStringLiteral("At most"), QString::number(loop->at_most));
    }
}

void SessionTypist::fillLaunchStep(QDialog& dialog, const session::LaunchStep& step) {
    auto* kernel = field<QComboBox>(dialog, QStringLiteral("Kernel"));
    if (kernel && kernel->currentText() != toText(step.kernel)) typeInto(*kernel->lineEdit(), toText(step.kernel));
    QList<QComboBox*> parameters = dialog.findChildren<QComboBox*>();
    parameters.removeIf(
        [](const QComboBox* box) { return !box->accessibleName().startsWith(QLatin1String("Argument ")); });
    if (parameters.size() != qsizetype(step.arguments.size()))
        return fail(QStringLiteral("%1 has %2 parameters.").arg(toText(step.kernel)).arg(parameters.size()));
    for (qsizetype i = 0; i < parameters.size(); ++i) {
        const session::StepArgument& argument = step.arguments[std::size_t(i)];
        const QString text = !argument.name.empty()     ? toText(argument.name)
                             : argument.formula.empty() ? numberText(argument.value)
                                                        : QStringLiteral("= ") + toText(argument.formula);
        if (!parameters[i]->isEditable())
            choose(parameters[i], parameters[i]->findText(text), text);
        else if (parameters[i]->currentText() != text)
            typeInto(*parameters[i]->lineEdit(), text);
    }
    type(dialog, QStringLiteral("Grid"), step.grid.empty() ? joined(step.launch.grid) : joined(step.grid));
    type(dialog, QStringLiteral("Block"), joined(step.launch.block));
    type(dialog, QStringLiteral("Shared"), QString::number(step.launch.shared));
    tick(dialog, QStringLiteral("Cooperative"), step.launch.cooperative);
    if (step.launch.options == session::LaunchOptions()) return;
    auto* more = field<QToolButton>(dialog, QStringLiteral("More…"));
    answer([&] { more->click(); }, {[&](QDialog& options) { fillOptions(options, step.launch.options); }});
}

QString differences(const session::Session& is, const session::Session& wanted) {
    const auto whole = [](session::Session session) {
        if (session.pipeline || session.program) {
            session.kernel.clear();
            session.launch = {};
        }
        if (session.program) session.arguments.clear();
        nlohmann::json document = session::to_json(session);
        document.erase("warplight"); // follows from the rest
        if (!session.exercise) return document;
        auto& cases = document["exercise"]["cases"];
        for (std::size_t i = 0; i < cases.size(); ++i) {
            cases[i].erase("arguments");
            cases[i].erase("launch");
            cases[i]["made"] = session::to_json(session::session_of_case(session, session.exercise->cases[i]));
        }
        return document;
    };
    const nlohmann::json patch = nlohmann::json::diff(whole(is), whole(wanted));
    return patch.empty() ? QString() : toText(patch.dump());
}

} // namespace warplight::ui
