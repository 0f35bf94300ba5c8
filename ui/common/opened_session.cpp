// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/opened_session.hpp"

#include "compiler/whole_program.hpp"
#include "ui/common/input_file.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStringDecoder>
#include <utility>

namespace warplight::ui {

std::optional<SourceContent> readSource(const QString& path, QString* problem) {
    const auto bytes = readInputFile(path, files::Kind::source, problem);
    if (!bytes) return std::nullopt;
    SourceContent content;
    content.digest = digestOf(*bytes);
    // Old sources are in Latin-1: read as UTF-8 their letters would be lost at the next save.
    QStringDecoder utf8(QStringDecoder::Utf8);
    content.text = utf8(*bytes);
    content.latin1 = utf8.hasError();
    if (content.latin1) content.text = QString::fromLatin1(*bytes);
    return content;
}

std::optional<OpenedSession> readSession(const QString& path, QString* problem) {
    QString why;
    try {
        OpenedSession opened;
        opened.session = session::load(path.toStdString());
        opened.path = QFileInfo(path).absoluteFilePath();
        opened.folder = QFileInfo(path).absolutePath();
        if (opened.session.source.path.empty()) {
            opened.source.text = QString::fromStdString(opened.session.source.text);
        } else {
            opened.sourcePath = QDir::cleanPath(
                QDir(opened.folder).absoluteFilePath(QString::fromStdString(opened.session.source.path)));
            auto source = readSource(opened.sourcePath, problem);
            if (!source) return std::nullopt;
            opened.source = std::move(*source);
        }
        opened.digest = digestOfFile(opened.path);
        return opened;
    } catch (const session::SessionError& error) {
        why = QString::fromStdString(error.what());
        if (const QString pointer = QString::fromStdString(error.pointer); !pointer.isEmpty() && !why.contains(pointer))
            why += QCoreApplication::translate("OpenedSession", " (at %1)").arg(pointer);
    } catch (const std::exception& error) {
        why = QString::fromStdString(error.what());
    }
    if (problem) *problem = why;
    return std::nullopt;
}

std::optional<OpenedSession> readSourceAsSession(const QString& path, QString* problem) {
    const QFileInfo info(path);
    auto source = readSource(info.absoluteFilePath(), problem);
    if (!source) return std::nullopt;
    OpenedSession opened;
    opened.folder = info.absolutePath();
    opened.sourcePath = info.absoluteFilePath();
    opened.source = std::move(*source);
    session::Session& session = opened.session;
    session.title = info.completeBaseName().toStdString();
    session.source.path = info.fileName().toStdString();
    session.source.name = session.source.path;
    const bool isPtx = path.endsWith(QLatin1String(".ptx"), Qt::CaseInsensitive);
    if (!isPtx && compiler::line_of_main(opened.source.text.toStdString()) != 0) {
        session.program.emplace();
        session.compile.compiler = "nvcc";
    }
    return opened;
}

} // namespace warplight::ui
