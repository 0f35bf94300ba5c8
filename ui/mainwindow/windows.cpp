// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mainwindow/windows.hpp"

#include "ui/common/settings.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/tab_window.hpp"

#include <QApplication>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>
#include <QTabBar>
#include <algorithm>

namespace warplight::ui {
namespace {

constexpr auto rememberedKey = "windows";
constexpr auto geometryKey = "geometry";

} // namespace

Windows::Windows(QObject* parent) : QObject(parent) {
    rememberSoon_.setSingleShot(true);
    rememberSoon_.setInterval(0);
    connect(&rememberSoon_, &QTimer::timeout, this, &Windows::remember);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        auto* window = now ? qobject_cast<TabWindow*>(now->window()) : nullptr;
        if (window && windows_.removeOne(window)) windows_ << window;
    });
}

Windows::~Windows() {
    // The history of runs is written to the end when a page goes.
    for (const QPointer<TabWindow>& window : std::as_const(closed_))
        delete window.data();
    for (TabWindow* window : std::as_const(windows_)) {
        window->disconnect(this);
        delete window;
    }
}

TabWindow* Windows::front() const { return windows_.isEmpty() ? nullptr : windows_.last(); }

bool Windows::start(Start how, const QString& file, const std::function<void(MainWindow*)>& opened) {
    // A second process has its own windows, and leaves it to the first to keep them. A killed one's lock goes.
    lock_ = std::make_unique<QLockFile>(stateFolder() + QStringLiteral("/tabs.lock"));
    lock_->setStaleLockTime(0);
    const bool first = lock_->tryLock(0);
    remembers_ = first && how == Start::Remembered;
    if (!remembers_) lock_->unlock();
    const bool restored = remembers_ && Preferences::load().restoreTabs && restoreRemembered();
    if (!restored) {
        TabWindow& window = makeWindow();
        window.restoreGeometry(savedLayout(QLatin1String(geometryKey)));
        MainWindow& page = window.addPage();
        window.show();
        return file.isEmpty() || page.openFile(file, opened);
    }
    for (TabWindow* window : std::as_const(windows_))
        window->show();
    return file.isEmpty() || front()->current()->openFile(file, opened);
}

TabWindow& Windows::makeWindow() {
    auto* window = new TabWindow(*this);
    windows_ << window;
    connect(window, &TabWindow::tabsChanged, &rememberSoon_, qOverload<>(&QTimer::start));
    connect(window, &TabWindow::closeRequested, this, [this](MainWindow* page) { closeTab(*page); });
    connect(window, &TabWindow::moveRequested, this, [this](MainWindow* page) { moveToNewWindow(*page); });
    connect(window, &TabWindow::closeAsked, this, [this, window](bool* may) {
        if (quitting_) return;
        *may = mayGo(window->pages(), window);
        if (*may) finish(*window);
    });
    return *window;
}

TabWindow* Windows::windowOf(const MainWindow& page) const {
    const auto found =
        std::find_if(windows_.begin(), windows_.end(), [&page](const TabWindow* each) { return each->has(page); });
    return found == windows_.end() ? nullptr : *found;
}

MainWindow& Windows::addTab(MainWindow& beside) {
    TabWindow* window = windowOf(beside);
    return (window ? *window : *front()).addPage();
}

MainWindow* Windows::pageOf(const QString& path) {
    for (TabWindow* window : std::as_const(windows_))
        if (MainWindow* page = window->pageOf(path)) return page;
    return nullptr;
}

QList<MainWindow*> Windows::pages() const {
    QList<MainWindow*> all;
    for (const TabWindow* window : windows_)
        all << window->pages();
    return all;
}

void Windows::show(MainWindow& page) {
    TabWindow* window = windowOf(page);
    if (!window) return;
    window->bring(page);
    if (window->isMinimized()) window->showNormal();
    toFront(*window);
}

void Windows::toFront(TabWindow& window) {
    window.raise();
    window.activateWindow();
    // The desktop may do that later, or not at all.
    if (windows_.removeOne(&window)) windows_ << &window;
}

void Windows::closeTab(MainWindow& page) {
    TabWindow* window = windowOf(page);
    if (!window) return;
    if (page.document().isModified()) window->bring(page); // whose changes are asked about
    if (!page.mayReplaceDocument()) return;
    if (window->count() > 1)
        window->remove(page);
    else
        page.clearSession();
}

void Windows::removeTab(MainWindow& page) {
    if (TabWindow* window = windowOf(page); window && window->count() > 1) window->remove(page);
}

bool Windows::isAlone(const MainWindow& page) const {
    const TabWindow* window = windowOf(page);
    return !window || window->count() < 2;
}

void Windows::stepTab(MainWindow& from, int by) {
    if (TabWindow* window = windowOf(from)) window->step(from, by);
}

void Windows::placeBeside(TabWindow& window, const TabWindow& other) {
    constexpr int away = 32;
    const QRect room = other.screen()->availableGeometry();
    const QSize size = other.isMaximized() ? other.normalGeometry().size() : other.size();
    window.resize((size.isEmpty() ? other.size() : size).boundedTo(room.size()));
    const QPoint wanted = other.pos() + QPoint(away, away);
    window.move(std::clamp(wanted.x(), room.left(), std::max(room.left(), room.right() - window.width())),
                std::clamp(wanted.y(), room.top(), std::max(room.top(), room.bottom() - window.height())));
}

void Windows::newWindow(MainWindow& beside) {
    const TabWindow* other = windowOf(beside);
    beside.saveLayouts();
    TabWindow& window = makeWindow();
    if (other) placeBeside(window, *other);
    window.addPage();
    window.show();
    toFront(window);
}

void Windows::moveToNewWindow(MainWindow& page) {
    TabWindow* from = windowOf(page);
    if (!from || from->count() < 2) return;
    TabWindow& window = makeWindow();
    placeBeside(window, *from);
    from->release(page);
    window.adopt(page);
    window.show();
    toFront(window);
}

bool Windows::mayGo(const QList<MainWindow*>& pages, QWidget* parent) {
    QList<MainWindow*> changed;
    for (MainWindow* page : pages)
        if (page->document().isModified() && !page->document().isReadOnly()) changed << page;
    if (changed.isEmpty()) return true;
    if (changed.size() == 1) {
        show(*changed.front());
        return changed.front()->mayReplaceDocument();
    }
    QStringList names;
    for (MainWindow* page : std::as_const(changed))
        names << page->tabTitle();
    QMessageBox box(QMessageBox::Warning, tr("Unsaved changes"),
                    tr("%1 sessions have changes that are not saved.").arg(changed.size()),
                    QMessageBox::SaveAll | QMessageBox::Discard | QMessageBox::Cancel, parent);
    box.setInformativeText(names.join(QLatin1Char('\n')));
    box.setObjectName(QStringLiteral("unsavedSessions"));
    box.button(QMessageBox::Discard)->setText(tr("&Discard All"));
    box.setDefaultButton(QMessageBox::SaveAll);
    switch (box.exec()) {
    case QMessageBox::SaveAll:
        for (MainWindow* page : std::as_const(changed)) {
            show(*page); // a name may have to be asked for
            if (!page->save() || page->document().isModified()) return false;
        }
        return true;
    case QMessageBox::Discard: return true;
    default: return false;
    }
}

void Windows::finish(TabWindow& window) {
    if (!quitting_ && windows_.size() == 1) remember(); // before it is gone
    if (MainWindow* page = window.current()) {
        page->saveLayouts();
        page->preferences().save();
    }
    saveLayout(QLatin1String(geometryKey), window.saveGeometry());
    for (MainWindow* page : window.pages())
        page->endSession();
    windows_.removeOne(&window);
    window.disconnect(this);
    closed_ << &window;
    window.deleteLater(); // it may be what calls
    if (windows_.isEmpty())
        rememberSoon_.stop();
    else
        rememberSoon_.start();
}

void Windows::closeWindow(MainWindow& page) {
    if (TabWindow* window = windowOf(page)) window->close();
}

void Windows::quit() {
    if (windows_.isEmpty() || !mayGo(pages(), front())) return;
    remember();
    quitting_ = true;
    const QList<TabWindow*> windows = windows_;
    for (TabWindow* window : windows) {
        finish(*window);
        window->close();
    }
    quitting_ = false;
}

void Windows::preferencesChanged(const MainWindow& by) {
    for (MainWindow* page : pages())
        if (page != &by) page->takePreferences(by.preferences());
}

void Windows::shortcutsChanged(const MainWindow& by) {
    for (MainWindow* page : pages())
        if (page != &by) page->shortcuts().readAgain();
}

bool Windows::offersRecovery() { return !std::exchange(recoveryOffered_, true); }

void Windows::remember() {
    rememberSoon_.stop();
    if (!remembers_ || windows_.isEmpty()) return;
    QJsonArray all;
    for (const TabWindow* window : std::as_const(windows_)) {
        QJsonArray files;
        int current = 0;
        const QStringList paths = window->paths();
        for (int i = 0; i < paths.size(); ++i) {
            if (i == window->currentIndex()) current = int(files.size());
            if (!paths[i].isEmpty()) files << paths[i];
        }
        all << QJsonObject{{QStringLiteral("files"), files},
                           {QStringLiteral("current"), current},
                           {QStringLiteral("geometry"), QString::fromLatin1(window->saveGeometry().toBase64())}};
    }
    settings().setValue(QLatin1String(rememberedKey),
                        QString::fromUtf8(QJsonDocument(all).toJson(QJsonDocument::Compact)));
}

bool Windows::restoreRemembered() {
    const QByteArray text = settings().value(QLatin1String(rememberedKey)).toString().toUtf8();
    for (const auto& value : QJsonDocument::fromJson(text).array()) {
        const QJsonObject kept = value.toObject();
        QStringList files;
        for (const auto& file : kept.value(QStringLiteral("files")).toArray())
            if (QFileInfo(file.toString()).isFile()) files << file.toString();
        if (files.isEmpty()) continue;
        TabWindow& window = makeWindow();
        for (const QString& file : std::as_const(files))
            window.addLater(file);
        const auto last = static_cast<int>(files.size()) - 1;
        const int current = std::clamp(kept.value(QStringLiteral("current")).toInt(), 0, last);
        window.restoreGeometry(QByteArray::fromBase64(kept.value(QStringLiteral("geometry")).toString().toLatin1()));
        window.showTab(current);
    }
    return !windows_.isEmpty();
}

} // namespace warplight::ui
