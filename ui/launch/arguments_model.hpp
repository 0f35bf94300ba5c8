// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/document.hpp"
#include "ui/launch/signature_follower.hpp"

#include <QAbstractTableModel>

namespace warplight::ui {

/// The arguments of the session, checked against the kernel's signature. Directions can be edited in place, files
/// can be dropped on rows.
class ArgumentsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { State, Name, Type, Direction, Source, Expectation, ColumnCount };
    enum Role { ProblemRole = Qt::UserRole + 1, GuessedRole, ScalarRole };

    explicit ArgumentsModel(Document& document, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::CopyAction; }
    QStringList mimeTypes() const override;
    bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                         const QModelIndex& parent) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;

    /// Takes the argument's data from this file. The session stores a relative path if possible.
    void setFile(int row, const QString& path);
    void setArgument(int row, const session::Argument& argument);
    /// The argument and all that refers to it get the name, which can be undone.
    /// @returns what is wrong with it, as a sentence
    QString rename(int row, const QString& name);
    /// Why the name is not the user's to choose, as a sentence; empty where it is: in a pipeline, and of PTX.
    QString whyNotRenamed(int row) const;
    int problemCount() const;
    /// What is guessed follows what has become known of files.
    void followFiles() { follower_.follow(); }

    static QString directionName(session::Direction direction);

signals:
    void renameRefused(const QString& problem);

private:
    void reload();

    Document& document_;
    SignatureFollower follower_;
    std::vector<session::Argument> arguments_;
    std::vector<bool> guessed_;
    std::vector<QString> problems_;
};

} // namespace warplight::ui
