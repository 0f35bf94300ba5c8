// SPDX-License-Identifier: GPL-3.0-or-later
/// Type and shape of the files that arguments read. Those that the window does not parse, HDF5 and sounds, are asked
/// for once, and known from then on.
#pragma once

#include "session/data_source.hpp"
#include "session/session.hpp"

#include <QObject>
#include <QSet>
#include <QString>
#include <optional>

namespace warplight::ui {

class Workbench;

/// Whether the window itself looks into the file. HDF5 and sound are left to the worker, whose end by a damaged file
/// harms nothing.
bool isReadHere(const session::FileSource& file);

/// Of a source in this folder, as far as it is known without waiting. Files that sessions in the folder may not use
/// are not known.
std::optional<session::ArrayDescription> knownArray(const session::DataSource& source, const QString& folder);

/// Asks for what is not known of the files of the session, once the user has changed or run it.
class FileHeads : public QObject {
    Q_OBJECT
public:
    explicit FileHeads(Workbench& workbench, QObject* parent = nullptr);

    /// Asks for this file, where it is not known. Each state of a file is asked for once.
    void ask(const session::FileSource& file);

signals:
    /// More is known than before.
    void learned();

private:
    void askAll();

    Workbench& workbench_;
    QSet<QString> asked_; ///< states of files
};

} // namespace warplight::ui
