// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/buffer_source.hpp"

#include <QPointer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;

namespace warplight::ui {

/// Saves a buffer, and shows how far it is. It is hidden while nothing is saved.
class BufferSaver : public QWidget {
    Q_OBJECT
public:
    explicit BufferSaver(QWidget* parent = nullptr);

    /// Asks for the file, in a format that takes the array, and for the rate of a sound.
    void ask(BufferSource* source, const BufferInfo& info, const QString& folder);
    void save(BufferSource* source, const BufferInfo& info, const QString& path, const FileDetails& details = {});
    bool isSaving() const { return ticket_ != 0; }
    void cancel();

signals:
    void message(const QString& text);

private:
    void finish();

    QPointer<BufferSource> source_;
    BufferSource::Ticket ticket_ = 0;
    QLabel* text_;
    QProgressBar* progress_;
    QToolButton* cancel_;
};

} // namespace warplight::ui
