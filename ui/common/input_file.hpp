// SPDX-License-Identifier: GPL-3.0-or-later
// The user's files, opened as core opens them: never a pipe or a device, never more than a limit.
#pragma once

#include "files/input_file.hpp"

#include <QByteArray>
#include <QString>
#include <optional>

namespace warplight::ui {

/// The whole file. None where it cannot be read; `problem` then gets a sentence.
std::optional<QByteArray> readInputFile(const QString& path, files::Kind kind, QString* problem = nullptr);
/// Tells whether bytes have changed.
QByteArray digestOf(const QByteArray& bytes);
/// Of a source or a session. Empty when the file cannot be read.
QByteArray digestOfFile(const QString& path);

} // namespace warplight::ui
