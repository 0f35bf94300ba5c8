// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mainwindow/recovery.hpp"

#include "files/new_file.hpp"

#include "ui/common/input_file.hpp"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUuid>
#include <string_view>

namespace warplight::ui {
namespace {

constexpr QLatin1String sessionLocks("/open");

/// Locks last as long as their process; Qt checks that by the process id in the file.
std::unique_ptr<QLockFile> lockAt(const QString& file) {
    auto lock = std::make_unique<QLockFile>(file);
    lock->setStaleLockTime(0);
    return lock;
}

/// Removes the locks of windows that were killed and left nothing that the lock is for.
void removeDeadLocks(const QString& folder) {
    const QString ending = QStringLiteral(".lock");
    for (const QFileInfo& info : QDir(folder).entryInfoList({u'*' + ending}, QDir::Files)) {
        const QString file = info.absoluteFilePath();
        if (QFileInfo::exists(file.chopped(ending.size()))) continue;
        if (const auto lock = lockAt(file); lock->tryLock(0)) lock->unlock(); // which removes the file
    }
}

} // namespace

Recovery::Recovery(const QString& folder) : folder_(folder + QStringLiteral("/recovery")) {
    QDir().mkpath(folder_);
    removeDeadLocks(folder_);
    removeDeadLocks(folder + sessionLocks);
    file_ = folder_ + QLatin1Char('/') + QUuid::createUuid().toString(QUuid::WithoutBraces) + QStringLiteral(".json");
    lock_ = lockAt(file_ + QStringLiteral(".lock"));
    lock_->tryLock(0);
}

Recovery::~Recovery() = default;

bool Recovery::keep(const Document& document) {
    if (!document.isModified() || document.isReadOnly()) {
        QFile::remove(file_);
        return true;
    }
    QJsonArray sources;
    const auto add = [&](const SourceFile* source) {
        sources.append(QJsonObject{{QStringLiteral("path"), source->path()},
                                   {QStringLiteral("name"), source->name()},
                                   {QStringLiteral("text"), source->text()}});
    };
    add(document.mainSource());
    for (const SourceFile* source : document.sources())
        if (source != document.mainSource() && source->isModified()) add(source);
    QJsonObject notes; // empty: they are written
    if (const auto& typed = document.typedNotes())
        notes = {{QStringLiteral("path"), typed->file}, {QStringLiteral("text"), typed->text}};
    const QJsonObject root{{QStringLiteral("version"), 1},
                           {QStringLiteral("title"), document.title()},
                           {QStringLiteral("path"), document.path()},
                           {QStringLiteral("when"), QDateTime::currentDateTimeUtc().toString(Qt::ISODate)},
                           {QStringLiteral("session"), QString::fromStdString(session::to_text(document.session()))},
                           {QStringLiteral("sources"), sources},
                           {QStringLiteral("notes"), notes}};
    try {
        const QByteArray text = QJsonDocument(root).toJson();
        files::write_new_file(QFileInfo(file_).filesystemFilePath(), [&](files::NewFile& file) {
            file.write(std::string_view(text.constData(), text.size()));
        });
        return true;
    } catch (const files::Problem&) {
        return false;
    }
}

void Recovery::discard() {
    QFile::remove(file_);
    lock_->unlock();
}

QList<Recovery::Found> Recovery::abandoned() const {
    QList<Found> all;
    for (const QFileInfo& info : QDir(folder_).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Time)) {
        if (info.absoluteFilePath() == QFileInfo(file_).absoluteFilePath()) continue;
        const auto lock = lockAt(info.absoluteFilePath() + QStringLiteral(".lock"));
        if (!lock->tryLock(0)) continue; // its window lives
        const auto content = readInputFile(info.absoluteFilePath(), files::Kind::session);
        if (!content) continue;
        const QJsonObject root = QJsonDocument::fromJson(*content).object();
        if (root.value(QStringLiteral("version")).toInt() != 1) continue;
        all.append({info.absoluteFilePath(), root.value(QStringLiteral("title")).toString(),
                    root.value(QStringLiteral("path")).toString(),
                    QDateTime::fromString(root.value(QStringLiteral("when")).toString(), Qt::ISODate).toLocalTime()});
    }
    return all;
}

bool Recovery::restore(const Found& found, Document& document, QString* problem) const {
    const auto content = readInputFile(found.file, files::Kind::session, problem);
    if (!content) return false;
    const QJsonObject root = QJsonDocument::fromJson(*content).object();
    try {
        const session::Session session = session::parse(root.value(QStringLiteral("session")).toString().toStdString());
        QList<Document::RecoveredSource> sources;
        for (const auto& value : root.value(QStringLiteral("sources")).toArray()) {
            const QJsonObject item = value.toObject();
            sources.append(Document::RecoveredSource{item.value(QStringLiteral("path")).toString(),
                                                     item.value(QStringLiteral("name")).toString(),
                                                     item.value(QStringLiteral("text")).toString()});
        }
        if (sources.isEmpty()) sources.append(Document::RecoveredSource{});
        std::optional<Document::TypedNotes> notes;
        if (const QJsonObject typed = root.value(QStringLiteral("notes")).toObject(); !typed.isEmpty())
            notes = {typed.value(QStringLiteral("path")).toString(), typed.value(QStringLiteral("text")).toString()};
        document.restore(session, root.value(QStringLiteral("path")).toString(), sources, notes);
        return true;
    } catch (const std::exception& error) {
        if (problem) *problem = QString::fromStdString(error.what());
        return false;
    }
}

void Recovery::remove(const Found& found) const {
    QFile::remove(found.file);
    QFile::remove(found.file + QStringLiteral(".lock"));
}

bool SessionLock::take(const QString& path) {
    if (path == path_ && (lock_ || path.isEmpty())) return true;
    lock_.reset();
    path_.clear();
    if (path.isEmpty()) return true;
    const QString folder = folder_ + sessionLocks;
    QDir().mkpath(folder);
    const QString canonical = QFileInfo(path).canonicalFilePath();
    const QByteArray name =
        QCryptographicHash::hash((canonical.isEmpty() ? path : canonical).toUtf8(), QCryptographicHash::Sha1).toHex();
    auto lock = lockAt(folder + QLatin1Char('/') + QString::fromLatin1(name) + QStringLiteral(".lock"));
    // Without a place for locks (a read-only home) there is no check, but work goes on.
    if (!lock->tryLock(0) && lock->error() == QLockFile::LockFailedError) return false;
    lock_ = std::move(lock);
    path_ = path;
    return true;
}

} // namespace warplight::ui
