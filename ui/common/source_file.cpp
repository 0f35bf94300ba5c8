// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/document.hpp"

#include "ui/common/input_file.hpp"

#include <QFileInfo>
#include <QSaveFile>
#include <QStringEncoder>

namespace warplight::ui {
SourceFile::SourceFile(QString path, QString text, QObject* parent)
    : QObject(parent), path_(std::move(path)), text_(std::move(text)) {}

void SourceFile::setPath(const QString& path) {
    if (path == path_) return;
    path_ = path;
    emit pathChanged();
}

QString SourceFile::name() const {
    if (!path_.isEmpty()) return QFileInfo(path_).fileName();
    return untitled_.isEmpty() ? QStringLiteral("untitled.cu") : untitled_;
}

bool SourceFile::isPtx() const { return name().endsWith(QLatin1String(".ptx"), Qt::CaseInsensitive); }

void SourceFile::setText(const QString& text) {
    if (text == text_) return;
    text_ = text;
    ++revision_;
    markModified(true);
    emit textChanged();
}

void SourceFile::markModified(bool modified) {
    if (modified == modified_) return;
    modified_ = modified;
    emit modifiedChanged(modified);
}

void SourceFile::setReadOnly(bool readOnly) {
    if (readOnly == readOnly_) return;
    readOnly_ = readOnly;
    emit readOnlyChanged();
}

bool SourceFile::reload(QString* problem) {
    auto content = readSource(path_, problem);
    if (!content) return false;
    take(std::move(*content));
    return true;
}

void SourceFile::take(SourceContent content) {
    onDisk_ = std::move(content.digest);
    latin1_ = content.latin1;
    const QString& text = content.text;
    if (text != text_) {
        text_ = text;
        ++revision_;
        emit textChanged();
    }
    markModified(false);
}

bool SourceFile::save(QString* problem) { return saveAs(path_, problem); }

bool SourceFile::saveAs(const QString& path, QString* problem) {
    QSaveFile file(path);
    QStringEncoder latin1(QStringEncoder::Latin1);
    QByteArray bytes = latin1_ ? QByteArray(latin1(text_)) : text_.toUtf8();
    if (latin1_ && latin1.hasError()) { // a letter was added that Latin-1 has not
        bytes = text_.toUtf8();
        latin1_ = false;
    }
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
        if (problem) *problem = tr("%1 cannot be written: %2.").arg(path, file.errorString());
        return false;
    }
    onDisk_ = digestOf(bytes);
    setPath(path);
    markModified(false);
    return true;
}

bool SourceFile::isChangedOnDisk() const {
    if (path_.isEmpty() || onDisk_.isEmpty()) return false;
    const QByteArray now = digestOfFile(path_);
    return !now.isEmpty() && now != onDisk_;
}

} // namespace warplight::ui
