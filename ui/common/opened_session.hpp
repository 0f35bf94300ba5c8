// SPDX-License-Identifier: GPL-3.0-or-later
/// Sessions and sources as they are read from files, in any thread. A document takes them over.
#pragma once

#include "session/session.hpp"

#include <QByteArray>
#include <QString>
#include <optional>

namespace warplight::ui {

/// The text of a file, and what saving it needs to know.
struct SourceContent {
    QString text;
    QByteArray digest;
    bool latin1 = false;
};

/// None where it cannot be read; `problem` then gets a sentence.
std::optional<SourceContent> readSource(const QString& path, QString* problem);

struct OpenedSession {
    session::Session session;
    QString path;   ///< of the document, absolute; empty of a source without a session
    QString folder; ///< where relative paths start
    QByteArray digest;
    QString sourcePath; ///< absolute; empty where the text stands in the document
    SourceContent source;
};

/// None where it cannot be read; `problem` then gets a sentence.
std::optional<OpenedSession> readSession(const QString& path, QString* problem);
/// A session around a source, of a program where the source has a main().
std::optional<OpenedSession> readSourceAsSession(const QString& path, QString* problem);

} // namespace warplight::ui
