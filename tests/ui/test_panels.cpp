// SPDX-License-Identifier: GPL-3.0-or-later
// Each row of the panel table, from its icon to the user guide.
#include "window_fixture.hpp"

#include <QDockWidget>
#include <QFile>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QTest>

using namespace warplight;
using namespace warplight::ui;

class TestPanels : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestPanels(const TestHome& home) : WindowFixture(home) {}

private slots:
    void initTestCase() {
        openWindow();
        window_->resize(1600, 1000); // room for all panels
    }
    void cleanupTestCase() { closeWindow(); }
    void everyRow_data();
    void everyRow();
    void everyMenu();
    void resetLayoutBringsAllBack();
    void theUserGuideHasTheKeys();

private:
    QMenu* menu(const char* title) const;
    QDockWidget* dock(const PanelRow& row) const { return window_->findChild<QDockWidget*>(row.name); }
    /// The section about the window.
    static QString userGuide();
};

QMenu* TestPanels::menu(const char* title) const {
    for (const QAction* action : window_->menuBar()->actions())
        if (QString(action->text()).remove('&') == QLatin1String(title)) return action->menu();
    return nullptr;
}

QString TestPanels::userGuide() {
    QFile file(WARPLIGHT_SOURCE_DIR "/docs/user-guide.md");
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QString::fromUtf8(file.readAll()).section(QStringLiteral("## The window"), 1).section("\n## ", 0, 0);
}

void TestPanels::everyRow_data() {
    QTest::addColumn<int>("number");
    int number = 0;
    for (const PanelRow& row : panelTable())
        QTest::newRow(row.name) << number++;
}

void TestPanels::everyRow() {
    QFETCH(int, number);
    const PanelRow& row = panelTable()[std::size_t(number)];
    QDockWidget* panel = dock(row);
    QVERIFY(panel);
    QCOMPARE(panel->windowTitle(), QString(row.title));
    QCOMPARE(window_->dockWidgetArea(panel), row.area);
    QVERIFY2(QFile::exists(QStringLiteral(":/icons/%1.svg").arg(row.icon)), "resources/icons has no such icon");

    QAction* show = window_->findAction(QStringLiteral("window.") + row.name);
    QVERIFY(show);
    QCOMPARE(show->shortcut(), QKeySequence(QStringLiteral("Alt+%1").arg((number + 1) % 10)));
    QCOMPARE(menu("Window")->actions().value(number + 1), show); // after the editor
    QVERIFY(window_->allActions().contains(panel->toggleViewAction()));
    const auto submenus = menu("Window")->findChildren<QMenu*>();
    QVERIFY(std::any_of(submenus.begin(), submenus.end(), [&](const QMenu* submenu) {
        return submenu->actions().contains(panel->toggleViewAction()); // Show or Hide
    }));
    panel->close();
    show->trigger();
    QTRY_VERIFY(window_->isInFront(panel));

    QVERIFY2(userGuide().contains(QRegularExpression(QStringLiteral("\\b%1\\b").arg(row.title))),
             "docs/user-guide.md, The window, does not name the panel");
}

void TestPanels::everyMenu() {
    // Actions without a menu would be in no list of shortcuts, and a menu without actions is a mistake of the row.
    for (const Panel* panel : window_->findChildren<Panel*>()) {
        const auto row = std::find_if(panelTable().begin(), panelTable().end(),
                                      [&](const PanelRow& r) { return dock(r)->isAncestorOf(panel); });
        QVERIFY2(row != panelTable().end(), panel->metaObject()->className());
        QVERIFY2(panel->panelActions().isEmpty() == (row->menu == PanelMenu::None), row->name);
        if (row->menu == PanelMenu::None) continue;
        const QMenu* shown = menu(row->menu == PanelMenu::Build ? "Build"
                                  : row->menu == PanelMenu::Run ? "Run"
                                                                : "Debug");
        for (QAction* action : panel->panelActions())
            QVERIFY2(shown->actions().contains(action), row->name);
    }
}

void TestPanels::resetLayoutBringsAllBack() {
    for (const PanelRow& row : panelTable())
        dock(row)->close();
    window_->resetLayout();
    for (const PanelRow& row : panelTable()) {
        QVERIFY2(!dock(row)->isHidden(), row.name);
        QCOMPARE(window_->dockWidgetArea(dock(row)), row.area);
    }
}

void TestPanels::theUserGuideHasTheKeys() {
    const auto panels = panelTable().size();
    const QString keys = panels < 10 ? QStringLiteral("Alt+1 to Alt+%1 | show a panel").arg(panels)
                                     : QStringLiteral("Alt+1 to Alt+9, and Alt+0 | show a panel");
    QVERIFY2(userGuide().contains(keys), qPrintable("docs/user-guide.md does not say: " + keys));
}

WARPLIGHT_UI_TEST_MAIN(TestPanels)
#include "test_panels.moc"
