// SPDX-License-Identifier: GPL-3.0-or-later
/// Keeps unsaved work on disk for the case of a crash, and locks open sessions against other windows.
#pragma once

#include "ui/common/document.hpp"

#include <QLockFile>
#include <memory>

namespace warplight::ui {

/// One file a window, in FOLDER/recovery, guarded by a lock that dies with the process.
class Recovery {
public:
    struct Found {
        QString file;  ///< of the store
        QString title; ///< of the session
        QString path;  ///< of the session; empty when it was never saved
        QDateTime when;
    };

    /// @param folder the state folder
    explicit Recovery(const QString& folder);
    ~Recovery();

    /// Keeps unsaved work, or removes the kept file when all is saved. False when the disk refuses.
    bool keep(const Document& document);
    /// Removes the kept file at the regular end of the window.
    void discard();
    QString file() const { return file_; }

    /// Work that crashed windows left, newest first.
    QList<Found> abandoned() const;
    bool restore(const Found& found, Document& document, QString* problem) const;
    void remove(const Found& found) const;

private:
    QString folder_, file_;
    std::unique_ptr<QLockFile> lock_;
};

/// Held while a session is open: a second window finds it taken.
class SessionLock {
public:
    explicit SessionLock(QString folder) : folder_(std::move(folder)) {}
    /// False when another window has the session; then nothing is held. An empty path frees only.
    bool take(const QString& path);
    QString path() const { return path_; }

private:
    QString folder_, path_;
    std::unique_ptr<QLockFile> lock_;
};

} // namespace warplight::ui
