// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

namespace warplight::ui {

class FileReader;

/// Chooses one array of an .npz or HDF5 file, from a list with their types and shapes.
class MemberBox : public QComboBox {
    Q_OBJECT
public:
    explicit MemberBox(FileReader& reader, QWidget* parent = nullptr);

    /// Lists what the file holds. Does nothing for the file that is shown already.
    void setFile(const QString& path);
    /// A name that is not in the file stays, so that nothing is lost.
    void setMember(const QString& member);
    QString member() const;
    /// There are several, and none is chosen.
    bool mustChoose() const;
    /// Why the list is not there; empty where it is.
    QString problem() const { return problem_; }

signals:
    void listed();

private:
    void fill();

    FileReader& reader_;
    QString file_, wanted_, problem_;
};

} // namespace warplight::ui
