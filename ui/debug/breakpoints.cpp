// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/debug/breakpoints.hpp"

#include "ui/common/document.hpp"
#include "ui/common/settings.hpp"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

namespace warplight::ui {
namespace {

constexpr auto breakpointsKey = "debug/breakpoints";
constexpr qsizetype mostSources = 200;   ///< that are kept
constexpr auto unsavedMark = "unsaved:"; // paths are absolute

void sortByLine(QList<Breakpoint>& list) {
    std::sort(list.begin(), list.end(), [](const Breakpoint& a, const Breakpoint& b) { return a.line < b.line; });
}

} // namespace

Breakpoints::Breakpoints(QObject* parent) : QObject(parent) {
    const auto text = settings().value(QLatin1String(breakpointsKey)).toByteArray();
    for (const QJsonValue file : QJsonDocument::fromJson(text).array()) {
        QList<Breakpoint> list;
        for (const QJsonValue each : file[QLatin1String("breakpoints")].toArray()) {
            Breakpoint b;
            b.id = ++lastId_;
            b.line = each[QLatin1String("line")].toInt();
            b.condition = each[QLatin1String("condition")].toString();
            b.enabled = each[QLatin1String("enabled")].toBool(true);
            if (b.line > 0) list << b;
        }
        sortByLine(list);
        const QString path = file[QLatin1String("path")].toString();
        if (!path.isEmpty() && !list.isEmpty()) files_.insert(path, list);
    }
}

QString Breakpoints::keyOf(const SourceFile& source) {
    return source.path().isEmpty() ? keyOfUnsaved(source.name()) : keyOfPath(source.path());
}

QString Breakpoints::keyOfPath(const QString& path) {
    const QString real = QFileInfo(path).canonicalFilePath();
    return real.isEmpty() ? path : real;
}

QString Breakpoints::keyOfUnsaved(const QString& name) { return QLatin1String(unsavedMark) + name; }
QString Breakpoints::nameOfUnsaved(const QString& key) { return key.mid(QLatin1String(unsavedMark).size()); }
bool Breakpoints::isUnsaved(const QString& key) { return key.startsWith(QLatin1String(unsavedMark)); }

const Breakpoint* Breakpoints::at(const QString& key, int line) const {
    const auto file = files_.constFind(key);
    if (file == files_.cend()) return nullptr;
    const auto found = std::find_if(file->cbegin(), file->cend(), [&](const Breakpoint& b) { return b.line == line; });
    return found == file->cend() ? nullptr : &*found;
}

Breakpoint* Breakpoints::find(const QString& key, int line) { return const_cast<Breakpoint*>(at(key, line)); }

bool Breakpoints::isEmpty() const {
    return std::all_of(files_.cbegin(), files_.cend(), [](const QList<Breakpoint>& list) { return list.isEmpty(); });
}

void Breakpoints::toggle(const QString& key, int line) {
    QList<Breakpoint>& list = files_[key];
    if (list.removeIf([&](const Breakpoint& b) { return b.line == line; }) == 0) {
        Breakpoint b;
        b.id = ++lastId_;
        b.line = line;
        list << b;
        sortByLine(list);
    }
    if (list.isEmpty()) files_.remove(key);
    store();
    emit changed(key);
}

void Breakpoints::setCondition(const QString& key, int line, const QString& condition) {
    if (!at(key, line)) toggle(key, line);
    find(key, line)->condition = condition.trimmed();
    store();
    emit changed(key);
}

void Breakpoints::setEnabled(const QString& key, int line, bool enabled) {
    Breakpoint* b = find(key, line);
    if (!b || b->enabled == enabled) return;
    b->enabled = enabled;
    store();
    emit changed(key);
}

void Breakpoints::clear(const QString& key) {
    if (!files_.remove(key)) return;
    store();
    emit changed(key);
}

void Breakpoints::clearAll() {
    for (const QString& key : sources())
        clear(key);
}

void Breakpoints::rename(const QString& from, const QString& to) {
    if (from == to) return;
    emit renamed(from, to);
    if (!files_.contains(from)) return;
    files_.insert(to, files_.take(from));
    store();
    emit changed(to);
}

void Breakpoints::follow(const QString& key, LineEdit edit) {
    const auto file = files_.find(key);
    if (file == files_.end()) return;
    bool any = false;
    for (Breakpoint& b : *file) {
        const int line = edit.moved(b.line);
        const int to = line ? line : std::max(1, edit.after); // of a line that is gone: the one before it
        any = any || to != b.line;
        b.line = to;
    }
    if (!any) return;
    const auto last = std::unique(file->begin(), file->end(),
                                  [](const Breakpoint& a, const Breakpoint& b) { return a.line == b.line; });
    const bool merged = last != file->end();
    file->erase(last, file->end());
    store();
    if (merged)
        emit changed(key);
    else
        emit moved(key);
}

void Breakpoints::setState(const QString& key, int id, Breakpoint::State state, const QString& message, int setAt) {
    const auto file = files_.find(key);
    if (file == files_.end()) return;
    for (Breakpoint& b : *file) {
        if (b.id != id) continue;
        b.state = state;
        b.message = message;
        b.setAt = setAt;
    }
    emit stateChanged(key);
}

void Breakpoints::forgetStates() {
    for (auto file = files_.begin(); file != files_.end(); ++file) {
        for (Breakpoint& b : *file) {
            b.state = Breakpoint::State::Idle;
            b.message.clear();
            b.setAt = 0;
        }
        emit stateChanged(file.key());
    }
}

void Breakpoints::store() {
    QJsonArray files;
    for (auto file = files_.cbegin(); file != files_.cend(); ++file) {
        // Sources that are gone make room for others.
        if (isUnsaved(file.key()) || (files_.size() > mostSources && !QFileInfo::exists(file.key()))) continue;
        QJsonArray list;
        for (const Breakpoint& b : *file) {
            QJsonObject each{{QStringLiteral("line"), b.line}};
            if (!b.condition.isEmpty()) each.insert(QStringLiteral("condition"), b.condition);
            if (!b.enabled) each.insert(QStringLiteral("enabled"), false);
            list << each;
        }
        files << QJsonObject{{QStringLiteral("path"), file.key()}, {QStringLiteral("breakpoints"), list}};
    }
    settings().setValue(QLatin1String(breakpointsKey), QJsonDocument(files).toJson(QJsonDocument::Compact));
}

} // namespace warplight::ui
