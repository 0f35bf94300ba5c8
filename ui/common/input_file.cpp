// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/input_file.hpp"

#include <QCoreApplication>
#include <QCryptographicHash>

namespace warplight::ui {

std::optional<QByteArray> readInputFile(const QString& path, files::Kind kind, QString* problem) {
    try {
        const std::string content = files::read_text(std::filesystem::path(path.toStdU16String()), kind);
        return QByteArray(content.data(), static_cast<qsizetype>(content.size()));
    } catch (const files::InputError& error) {
        if (problem) {
            *problem = QCoreApplication::translate("InputFile", "%1 cannot be read: %2.")
                           .arg(path, QString::fromStdString(error.problem()));
            if (!error.hint().empty())
                *problem += QLatin1Char(' ') + QString::fromStdString(error.hint()) + QLatin1Char('.');
        }
        return std::nullopt;
    }
}

QByteArray digestOf(const QByteArray& bytes) { return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256); }

QByteArray digestOfFile(const QString& path) {
    const auto bytes = readInputFile(path, files::Kind::source);
    return bytes ? digestOf(*bytes) : QByteArray();
}

} // namespace warplight::ui
