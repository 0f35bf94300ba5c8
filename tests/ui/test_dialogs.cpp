// SPDX-License-Identifier: GPL-3.0-or-later
// Dialogs on small screens and with large text, and the letters that reach fields and buttons.
// WARPLIGHT_TEST_SCREEN=1366x768 is the screen, QT_SCALE_FACTOR its density; with WARPLIGHT_PICTURES=FOLDER every
// dialog is photographed, to be looked at, in the language of WARPLIGHT_TEST_LANGUAGE.
#include "window_fixture.hpp"

#include "ui/buffers/buffers_panel.hpp"
#include "ui/common/elided_label.hpp"
#include "ui/common/folders.hpp"
#include "ui/common/theme.hpp"
#include "ui/common/translations.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/launch/launch_form.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/launch/pipeline_edit.hpp"
#include "ui/launch/step_dialog.hpp"
#include "ui/launch/struct_dialog.hpp"
#include "ui/machines/install_dialog.hpp"
#include "ui/machines/machine_dialog.hpp"
#include "ui/notes/case_dialog.hpp"
#include "ui/sweep/slurm_dialog.hpp"
#include "ui/toolkit/toolkit_dialog.hpp"

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QTreeWidget>
#include <cmath>
#include <functional>

using namespace warplight;
using namespace warplight::ui;

namespace {

constexpr int argumentKinds = 7; // of data: a file, zeros, …

QString described(const QRect& rect) {
    return QStringLiteral("%1 × %2 at %3, %4").arg(rect.width()).arg(rect.height()).arg(rect.x()).arg(rect.y());
}

QRect inside(const QWidget& top, const QWidget& part) { return {part.mapTo(&top, QPoint()), part.size()}; }

/// What is shown of a widget with the letter in it; empty without one.
QStringList lettered(const QWidget& widget) {
    QStringList all;
    const auto* label = qobject_cast<const QLabel*>(&widget);
    if (label && label->buddy()) all << label->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) all << button->text();
    if (const auto* tabs = qobject_cast<const QTabBar*>(&widget))
        for (int i = 0; i < tabs->count(); ++i)
            all << tabs->tabText(i);
    if (const auto* menus = qobject_cast<const QMenuBar*>(&widget))
        for (const QAction* menu : menus->actions())
            all << menu->text();
    // Some desktops give their own letters to these.
    if (const auto* box = qobject_cast<const QDialogButtonBox*>(&widget))
        for (const auto& [button, text] : {std::pair{QDialogButtonBox::Ok, "&OK"},
                                           {QDialogButtonBox::Cancel, "&Cancel"},
                                           {QDialogButtonBox::Open, "&Open"},
                                           {QDialogButtonBox::Close, "&Close"}})
            if (box->button(button) && QKeySequence::mnemonic(box->button(button)->text()).isEmpty())
                all << QLatin1String(text);
    all.removeIf([](const QString& text) { return QKeySequence::mnemonic(text).isEmpty(); });
    return all;
}

/// Letters that two visible parts of a window have, and letters of fields that take no keys.
QStringList wrongLetters(QWidget& top) {
    QStringList wrong;
    QHash<QString, QString> taken;
    for (const QWidget* widget : top.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->window() != &top) continue;
        for (const QString& text : lettered(*widget)) {
            const QString keys = QKeySequence::mnemonic(text).toString();
            if (taken.contains(keys)) wrong << text + " and " + taken.value(keys);
            taken.insert(keys, text);
            const auto* label = qobject_cast<const QLabel*>(widget);
            if (label && label->buddy()->focusPolicy() == Qt::NoFocus) wrong << text + " reaches nothing";
        }
    }
    return wrong;
}

} // namespace

class TestDialogs : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestDialogs(const TestHome& home) : WindowFixture(home), font_(QApplication::font()) {}

private slots:
    void init();
    void cleanup();
    void dialogsFitTheScreen_data();
    void dialogsFitTheScreen();
    void aDialogGrowsWithWhatItSays();
    void lettersOfDialogs();
    void lettersOfTheWindow();
    void lettersPressAfterARun();

private:
    void open(int points);
    void zoomTo(int steps);
    void eachDialog(const std::function<void(QDialog&, const QString&)>& look);
    void withDialog(const std::function<void()>& open, const std::function<void(QDialog&)>& look);
    void withArgument(int row, const std::function<void(QDialog&)>& look);
    void checkSize(QDialog& dialog, const QString& state);
    void checkTexts(QDialog& dialog, const QString& state);
    void checkScrolling(QDialog& dialog, const QString& state);
    void photograph(QDialog& dialog, const QString& name);

    const QFont font_; ///< of the desktop
};

void TestDialogs::init() { QFile::remove(home_.path("k.bin")); }

void TestDialogs::cleanup() {
    if (!window_) return;
    trigger("view.theme.light");
    trigger("view.zoomReset");
    closeWindow();
    QApplication::setFont(font_);
    QFile::remove(configFolder() + "/warplight/warplight.ini");
}

/// The window with an example, on a desktop with text of this size.
void TestDialogs::open(int points) {
    QFont font = font_;
    font.setPointSize(points);
    QApplication::setFont(font);
    useLanguage(qEnvironmentVariable("WARPLIGHT_TEST_LANGUAGE", "en"));
    openWindow();
    trigger("view.theme.light");
    QVERIFY(openExample("blur"));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->document().session().arguments.empty(), patience);
}

/// As keys do, so that it stays.
void TestDialogs::zoomTo(int steps) {
    trigger("view.zoomReset");
    if (steps > 0) {
        window_->workbench().theme().setZoom(steps - 1);
        trigger("view.zoomIn");
    }
    QTest::qWait(300); // what is too large for the window is taken back
}

void TestDialogs::withDialog(const std::function<void()>& open, const std::function<void(QDialog&)>& look) {
    bool seen = false;
    QTimer timer;
    connect(&timer, &QTimer::timeout, this, [&] {
        auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        if (!dialog || seen) return;
        seen = true;
        QTest::qWait(50);
        look(*dialog);
        dialog->reject();
    });
    timer.start(10);
    open();
    QTRY_VERIFY(seen && !QApplication::activeModalWidget());
}

void TestDialogs::withArgument(int row, const std::function<void(QDialog&)>& look) {
    window_->showPanel("launch");
    auto* table = window_->panel<LaunchPanel>().findChild<QTableView*>();
    withDialog(
        [&] {
            table->setFocus();
            table->setCurrentIndex(table->model()->index(row, 0));
            QTest::keyClick(table, Qt::Key_Return);
        },
        look);
}

void TestDialogs::eachDialog(const std::function<void(QDialog&, const QString&)>& look) {
    const auto named = [&](const char* name) {
        return [&look, name](QDialog& dialog) { look(dialog, QLatin1String(name)); };
    };
    withDialog([&] { trigger("edit.settings"); }, named("settings"));
    withDialog([&] { trigger("help.shortcuts"); }, named("shortcuts"));
    withDialog([&] { window_->panel<LaunchPanel>().compileOptionsAction()->trigger(); }, named("compile options"));
    withDialog([&] { window_->findChild<QToolButton*>("launchOptions")->click(); }, named("launch options"));
    withDialog([&] { trigger("file.properties"); }, named("properties"));
    withDialog([&] { trigger("file.exercise"); }, named("exercise"));
    CaseDialog exerciseCase(session::ExerciseCase(), {}, window_->workbench(), window_.get());
    withDialog([&] { exerciseCase.exec(); }, named("case"));
    const session::Session& session = window_->document().session();
    for (int kind = 0; kind < 5; ++kind) {
        StepDialog step(newStep(session, kind), session, window_->document().kernels(), window_.get());
        withDialog([&] { step.exec(); }, [&](QDialog& dialog) { look(dialog, QStringLiteral("step %1").arg(kind)); });
    }
    debug::Layout number, layout;
    number.name = "mass";
    number.kind = debug::Layout::Kind::number;
    number.type = "float";
    number.number = "f32";
    number.size = 4;
    layout.kind = debug::Layout::Kind::structure;
    layout.type = "Particle";
    layout.size = 4;
    layout.fields = {number};
    session::Argument argument;
    argument.name = "p";
    StructDialog fields(argument, layout, window_.get());
    withDialog([&] { fields.exec(); }, named("struct"));
    const QString raw = write("k.bin", QByteArray(64, 0));
    withDialog([&] { window_->panel<BuffersPanel>().openFile(raw); }, named("raw data"));
    const auto& arguments = window_->document().session().arguments;
    for (const bool scalar : {true, false})
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            if ((arguments[i].direction == session::Direction::scalar) != scalar) continue;
            withArgument(int(i), [&](QDialog& dialog) {
                if (scalar) return look(dialog, QStringLiteral("scalar"));
                // An output from a raw file has most rows, one from random numbers the next.
                const QList<QComboBox*> boxes = dialog.findChildren<QComboBox*>();
                boxes[0]->setCurrentIndex(2);
                for (int kind = 0; kind < argumentKinds; ++kind) {
                    boxes[1]->setCurrentIndex(kind);
                    for (QLineEdit* edit : dialog.findChildren<QLineEdit*>())
                        if (kind == 0 && edit->placeholderText().contains(".npy")) edit->setText("k.bin");
                    QTest::qWait(20);
                    look(dialog, QStringLiteral("argument ") + boxes[1]->currentText());
                }
            });
            break;
        }
}

void TestDialogs::photograph(QDialog& dialog, const QString& name) {
    const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    QVERIFY(dialog.grab().save(folder + QLatin1Char('/') + QString(name).replace(' ', '-') + QStringLiteral(".png")));
}

void TestDialogs::dialogsFitTheScreen_data() {
    QTest::addColumn<int>("points");
    QTest::addColumn<int>("zoom");
    for (const int points : {9, 12})
        for (const int zoom : {0, 4, 7})
            QTest::addRow("%d pt, zoom %d", points, zoom) << points << zoom;
}

void TestDialogs::dialogsFitTheScreen() {
    QFETCH(int, points);
    QFETCH(int, zoom);
    open(points);
    for (const char* theme : {"light", "dark"}) {
        trigger((QByteArray("view.theme.") + theme).constData());
        zoomTo(zoom);
        eachDialog([&](QDialog& dialog, const QString& name) {
            photograph(dialog, QStringLiteral("%1-%2-%3-%4").arg(name).arg(points).arg(zoom).arg(QLatin1String(theme)));
            checkSize(dialog, name);
            if (!QTest::currentTestFailed()) checkTexts(dialog, name);
            if (!QTest::currentTestFailed()) checkScrolling(dialog, name);
        });
        if (QTest::currentTestFailed() || !qEnvironmentVariableIsSet("WARPLIGHT_PICTURES")) return;
    }
}

/// All of it is on the screen, and so are its buttons.
void TestDialogs::checkSize(QDialog& dialog, const QString& state) {
    const QRect room = dialog.screen()->availableGeometry();
    // At 125 % the platform rounds each side of the frame up.
    const double density = dialog.devicePixelRatio();
    const int rounding = density == std::floor(density) ? 0 : 1;
    const QRect frame = dialog.frameGeometry();
    QVERIFY2(room.contains(dialog.geometry()) && room.adjusted(0, 0, rounding, rounding).contains(frame),
             qPrintable(state + ": " + described(frame) + " in " + described(room)));
    const auto* box = dialog.findChild<QDialogButtonBox*>();
    QVERIFY(box && !box->buttons().isEmpty());
    for (const QAbstractButton* button : box->buttons()) {
        const QRect place = inside(dialog, *button);
        const QString text = state + ": " + button->text() + ", " + described(place);
        QVERIFY2(dialog.rect().contains(place), qPrintable(text));
        QVERIFY2(button->visibleRegion() == QRegion(button->rect()), qPrintable(text));
        const QSize least = button->sizeHint();
        QVERIFY2(place.width() >= least.width() && place.height() >= least.height(), qPrintable(text));
    }
}

/// Nothing in it is cut.
void TestDialogs::checkTexts(QDialog& dialog, const QString& state) {
    for (const QWidget* widget : dialog.findChildren<QWidget*>()) {
        if (!widget->isVisible()) continue;
        const auto* label = qobject_cast<const QLabel*>(widget);
        if (const auto* elided = dynamic_cast<const ElidedLabel*>(label)) // its tool tip has the rest
            QVERIFY2(elided->text().isEmpty() || !elided->shownText().isEmpty(), qPrintable(state));
        else if (label && label->wordWrap())
            QVERIFY2(label->height() >= label->heightForWidth(label->width()),
                     qPrintable(state + ": " + label->text()));
        else if (label || qobject_cast<const QCheckBox*>(widget))
            QVERIFY2(widget->width() >= widget->sizeHint().width(),
                     qPrintable(state + ": " + lettered(*widget).join(' ')));
        if (const auto* choice = qobject_cast<const QComboBox*>(widget)) {
            QStyleOptionComboBox option;
            option.initFrom(choice);
            const int width = choice->style()
                                  ->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, choice)
                                  .width();
            QVERIFY2(choice->fontMetrics().horizontalAdvance(choice->currentText()) <= width,
                     qPrintable(state + ": " + choice->currentText()));
        }
        if (const auto* list = qobject_cast<const QTreeWidget*>(widget)) {
            for (int i = 0; i < list->topLevelItemCount(); ++i)
                for (int column = 0; column < list->columnCount(); ++column) {
                    const QTreeWidgetItem* item = list->topLevelItem(i);
                    const int width = list->columnWidth(column) -
                                      2 * (list->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, list) + 1);
                    QVERIFY2(list->fontMetrics().horizontalAdvance(item->text(column)) <= width,
                             qPrintable(state + ": " + item->text(column)));
                }
            QCOMPARE(list->horizontalScrollBar()->maximum(), 0);
            QVERIFY2(list->viewport()->height() >= 4 * list->visualItemRect(list->topLevelItem(0)).height(),
                     qPrintable(state));
        }
    }
}

/// What is larger than the screen scrolls, nothing else does; and the field with the keys is in sight.
void TestDialogs::checkScrolling(QDialog& dialog, const QString& state) {
    const auto* area = dialog.findChild<QScrollArea*>();
    if (!area) return;
    QCOMPARE(area->horizontalScrollBar()->maximum(), 0);
    constexpr int frame = 48; // of a window manager, of which no dialog knows before it is shown
    const int room = dialog.screen()->availableGeometry().height();
    if (area->verticalScrollBar()->maximum() > 0)
        QVERIFY2(dialog.height() >= room - frame, qPrintable(state + ": " + described(dialog.geometry())));
    for (QWidget* field : area->widget()->findChildren<QWidget*>()) {
        if (!field->isVisible() || !field->isEnabled() || !(field->focusPolicy() & Qt::TabFocus)) continue;
        field->setFocus(Qt::ShortcutFocusReason);
        QVERIFY2(QRect(QPoint(), area->viewport()->size()).contains(inside(*area->viewport(), *field)),
                 qPrintable(state + ": " + described(inside(*area->viewport(), *field)) + " in " +
                            described(area->viewport()->rect())));
    }
}

void TestDialogs::aDialogGrowsWithWhatItSays() {
    open(9);
    const auto says = [&](QDialog& dialog, const std::function<void()>& mistake) {
        const int before = dialog.height();
        mistake();
        QLabel* problem = nullptr;
        for (QLabel* label : dialog.findChildren<QLabel*>())
            if (label->wordWrap() && label->isVisible() && !label->text().isEmpty()) problem = label;
        QVERIFY(problem);
        const auto* area = dialog.findChild<QScrollArea*>();
        const bool room = dialog.screen()->availableGeometry().height() > before + 120;
        if (room) QTRY_VERIFY(dialog.height() > before);
        if (room) QTRY_COMPARE(area->verticalScrollBar()->maximum(), 0);
        QTRY_COMPARE(QRegion(problem->rect()), problem->visibleRegion());
        checkSize(dialog, problem->text());
    };
    withDialog([&] { window_->panel<LaunchPanel>().compileOptionsAction()->trigger(); },
               [&](QDialog& dialog) {
                   auto* others = dialog.findChildren<QLineEdit*>().last();
                   for (QLineEdit* edit : dialog.findChildren<QLineEdit*>())
                       if (edit->placeholderText().contains("fmad")) others = edit;
                   others->setFocus();
                   says(dialog, [&] { QTest::keyClicks(others, "\"open"); });
               });
    withArgument(0, [&](QDialog& dialog) {
        dialog.findChildren<QComboBox*>()[1]->setCurrentIndex(5); // random: numbers, which these are not
        QTest::qWait(50);
        for (QLineEdit* edit : dialog.findChildren<QLineEdit*>())
            if (edit->isVisible()) edit->setText("nothing");
        says(dialog, [&] { QTest::keyClick(&dialog, Qt::Key_Return); });
    });
}

void TestDialogs::lettersOfDialogs() {
    open(9);
    const auto check = [](QDialog& dialog, const QString& name) {
        QVERIFY2(wrongLetters(dialog).isEmpty(), qPrintable(name + ": " + wrongLetters(dialog).join("; ")));
    };
    eachDialog([&](QDialog& dialog, const QString& name) {
        check(dialog, name);
        // And each is there, whatever else is wrong with its place.
        for (QLabel* label : dialog.findChildren<QLabel*>()) {
            if (!label->isVisible() || !label->buddy() || !label->buddy()->isEnabled()) continue;
            const QString letter = QKeySequence::mnemonic(label->text()).toString().right(1);
            if (letter.isEmpty()) continue;
            QTest::keyClick(&dialog, Qt::Key(letter.at(0).unicode()), Qt::AltModifier);
            QVERIFY2(label->buddy()->hasFocus() || label->buddy()->isAncestorOf(QApplication::focusWidget()),
                     qPrintable(name + ": " + label->text()));
        }
    });
    MachineDialog machine(window_->workbench().machines(), window_->workbench().theme());
    check(machine, QStringLiteral("machine"));
    InstallDialog install(QStringLiteral("me@host"));
    check(install, QStringLiteral("install there"));
    ToolkitDialog toolkit;
    toolkit.show();
    check(toolkit, "toolkit");
    SlurmDialog slurm(SlurmSettings(), window_->workbench().theme());
    slurm.show();
    check(slurm, "slurm");
}

void TestDialogs::lettersOfTheWindow() {
    open(9);
    const auto check = [&](const QString& state) {
        QVERIFY2(wrongLetters(*window_).isEmpty(), qPrintable(state + ": " + wrongLetters(*window_).join("; ")));
    };
    check("before a run");
    if (TestHome::hasDevice()) {
        workerIsReady();
        QVERIFY(run());
        QVERIFY(isCompiled());
    }
    for (const char* panel : panelNames()) {
        window_->showPanel(panel);
        QTest::qWait(50);
        check(QLatin1String(panel));
    }
    for (int tab = 0; tab < window_->panel<BuffersPanel>().tabs()->count(); ++tab) {
        window_->panel<BuffersPanel>().tabs()->setCurrentIndex(tab);
        QTest::qWait(50);
        check("buffers: " + window_->panel<BuffersPanel>().tabs()->tabText(tab));
    }
    for (QAction* action : window_->editors().editActions())
        if (action->text().remove('&').startsWith("Replace")) action->trigger();
    QTest::qWait(50);
    check("find and replace");
    trigger("help.welcome");
    QTest::qWait(50);
    check("welcome");
    // What is hidden now comes some time: menus and Launch keep their letters then, too.
    QHash<QString, QString> kept;
    QStringList wrong;
    const QWidget* launch = &window_->panel<LaunchPanel>();
    const auto isKept = [&](const QWidget* widget) {
        return qobject_cast<const QMenuBar*>(widget) || launch->isAncestorOf(widget);
    };
    for (const bool first : {true, false})
        for (const QWidget* widget : window_->findChildren<QWidget*>()) {
            if (widget->window() != window_.get() || isKept(widget) != first) continue;
            for (const QString& text : lettered(*widget)) {
                const QString keys = QKeySequence::mnemonic(text).toString();
                if (first)
                    kept.insert(keys, text);
                else if (kept.contains(keys))
                    wrong << text + " and " + kept.value(keys);
            }
        }
    QVERIFY(kept.size() >= 14);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("; ")));
}

void TestDialogs::lettersPressAfterARun() {
    NEEDS_DEVICE;
    open(9);
    workerIsReady();
    QVERIFY(run());
    for (const char* panel : panelNames(Qt::BottomDockWidgetArea))
        window_->showPanel(panel);
    QTest::qWait(50);
    QSignalSpy covered(&window_->panel<LaunchPanel>().form(), &LaunchForm::coverRequested);
    QTest::keyClick(window_.get(), Qt::Key_C, Qt::AltModifier);
    QTRY_COMPARE(covered.count(), 1); // once the button is up again
    QTest::keyClick(window_.get(), Qt::Key_S, Qt::AltModifier);
    QVERIFY(window_->panel<LaunchPanel>().isAncestorOf(QApplication::focusWidget()));
}

int main(int argc, char** argv) {
    TestHome home;
    const auto application = home.applicationOnScreen(argc, argv, TestHome::screenSize());
    if (!application) return 1;
    TestDialogs test(home);
    return QTest::qExec(&test, argc, argv);
}
#include "test_dialogs.moc"
