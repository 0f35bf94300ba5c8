// SPDX-License-Identifier: GPL-3.0-or-later
// The window in other languages: texts that stay English, letters that two entries of a menu have, and the setting.
#include "test_home.hpp"
#include "ui/common/translations.hpp"
#include "ui/settings/preferences.hpp"
#include "ui/settings/settings_dialog.hpp"
#include "window_fixture.hpp"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTest>

using namespace warplight::ui;

class TestLanguage : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestLanguage(const TestHome& home) : WindowFixture(home) {}

private slots:
    void cleanup();
    void choosesWhatTheSystemPrefers_data();
    void choosesWhatTheSystemPrefers();
    void areNamedInThemselves();
    void pluralsOfEnglish();
    void speaks_data();
    void speaks();
    void isASetting();

private:
    /// The entries of all menus, with their letters.
    static QStringList entries(const QMenu& menu);
};

namespace {

void codes() {
    QTest::addColumn<QString>("code");
    for (const Language& each : languages())
        if (each.code != "en") QTest::addRow("%s", qPrintable(each.code)) << each.code;
}

QString cancel() {
    QDialogButtonBox box(QDialogButtonBox::Cancel);
    return box.button(QDialogButtonBox::Cancel)->text().remove('&');
}

} // namespace

void TestLanguage::cleanup() { useLanguage("en"); }

void TestLanguage::choosesWhatTheSystemPrefers_data() {
    QTest::addColumn<QStringList>("wanted");
    QTest::addColumn<QString>("code");
    QTest::newRow("of a country") << QStringList{"de-AT", "en"} << "de";
    QTest::newRow("the second") << QStringList{"pt-BR", "fr"} << "fr";
    QTest::newRow("English first") << QStringList{"en-GB", "de"} << "en";
    QTest::newRow("none") << QStringList{"pt"} << "en";
    QTest::newRow("nothing") << QStringList{} << "en";
    QTest::newRow("a longer code") << QStringList{"del"} << "en";
}

void TestLanguage::choosesWhatTheSystemPrefers() {
    QFETCH(QStringList, wanted);
    QFETCH(QString, code);
    QCOMPARE(bestLanguage(wanted), code);
}

/// The files of translations are the list.
void TestLanguage::areNamedInThemselves() {
    QStringList shown;
    for (const Language& each : languages())
        shown << each.code + ' ' + each.name;
    QVERIFY2(shown.contains("de Deutsch") && shown.contains("fr Français"), qPrintable(shown.join(", ")));
    QCOMPARE(shown.front(), QString("en English"));
    const QDir folder(QStringLiteral(WARPLIGHT_SOURCE_DIR "/resources/translations"));
    if (folder.exists()) QCOMPARE(shown.size(), folder.entryList({"warplight_*.ts"}).size());
}

void TestLanguage::pluralsOfEnglish() {
    useLanguage("en");
    const auto text = [](int count) {
        return QCoreApplication::translate("warplight::ui::LaunchPanel",
                                           "The kernel has %n parameter(s) without an argument.", nullptr, count);
    };
    QCOMPARE(text(1), "The kernel has 1 parameter without an argument.");
    QCOMPARE(text(2), "The kernel has 2 parameters without an argument.");
}

QStringList TestLanguage::entries(const QMenu& menu) {
    QStringList texts;
    for (const QAction* action : menu.actions()) {
        if (action->isSeparator() || action->text().isEmpty()) continue;
        texts << action->text();
        if (action->menu()) texts << entries(*action->menu());
    }
    return texts;
}

void TestLanguage::speaks_data() { codes(); }

void TestLanguage::speaks() {
    QFETCH(QString, code);
    const auto texts = [this] {
        QStringList all;
        for (const QAction* menu : window_->menuBar()->actions())
            all << menu->text() << entries(*menu->menu());
        return all;
    };
    useLanguage("en");
    openWindow();
    const QStringList english = texts();
    closeWindow();
    useLanguage(code);
    QVERIFY(cancel() != "Cancel"); // Qt's own texts, too
    openWindow();
    const QStringList translated = texts();
    QCOMPARE(translated.size(), english.size());
    // Some are names: PTX, SASS, Pipeline, examples.
    QStringList same;
    for (qsizetype i = 0; i < english.size(); ++i)
        if (QString(translated[i]).remove('&') == QString(english[i]).remove('&')) same << english[i];
    QVERIFY2(same.size() * 5 < english.size(), qPrintable(same.join("; ")));
    // Menus of the window, and entries of one menu, have letters of their own.
    QStringList wrong;
    const auto letters = [&](const QList<QAction*>& actions) {
        QHash<QString, QString> taken;
        for (const QAction* action : actions) {
            const QString keys = QKeySequence::mnemonic(action->text()).toString();
            if (keys.isEmpty()) continue;
            if (taken.contains(keys)) wrong << action->text() + " and " + taken.value(keys);
            taken.insert(keys, action->text());
        }
    };
    letters(window_->menuBar()->actions());
    for (const QMenu* menu : window_->menuBar()->findChildren<QMenu*>())
        letters(menu->actions());
    closeWindow();
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("; ")));
}

void TestLanguage::isASetting() {
    SettingsDialog dialog((Preferences()));
    auto* const box = [&]() -> QComboBox* {
        for (auto* each : dialog.findChildren<QComboBox*>())
            if (each->findText("Deutsch") >= 0) return each;
        return nullptr;
    }();
    QVERIFY(box);
    QCOMPARE(dialog.preferences().language, QString());
    const auto* note = dialog.findChild<QLabel*>("languageNote");
    QVERIFY(note && note->isHidden());
    box->setCurrentIndex(box->findText("Deutsch"));
    QVERIFY(!note->isHidden());
    const Preferences chosen = dialog.preferences();
    QCOMPARE(chosen.language, "de");
    chosen.save();
    QCOMPARE(Preferences::load().language, "de");
    Preferences().save();
}

int main(int argc, char** argv) {
    TestHome home;
    const auto application = home.applicationOnScreen(argc, argv, TestHome::screenSize());
    if (!application) return 1;
    TestLanguage test(home);
    return QTest::qExec(&test, argc, argv);
}
#include "test_language.moc"
