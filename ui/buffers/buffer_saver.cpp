// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/buffer_saver.hpp"

#include "formats/array_writer.hpp"
#include "formats/extension.hpp"
#include "formats/sound.hpp"
#include "session/data_file.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/save_dialog.hpp"
#include "ui/common/theme.hpp"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <utility>
#include <vector>

namespace warplight::ui {

BufferSaver::BufferSaver(QWidget* parent) : QWidget(parent) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    row->setSpacing(Theme::half);
    text_ = new QLabel(this);
    text_->setMinimumWidth(0);
    text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    progress_ = new QProgressBar(this);
    progress_->setMaximumWidth(120);
    progress_->setMaximumHeight(12);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Saving"));
    cancel_ = new QToolButton(this);
    cancel_->setIcon(icon(QStringLiteral("cancel")));
    cancel_->setAutoRaise(true);
    cancel_->setToolTip(tr("Cancel saving; the file stays as it was"));
    cancel_->setAccessibleName(tr("Cancel saving"));
    row->addWidget(text_, 1);
    row->addWidget(progress_, 1);
    row->addWidget(cancel_);
    connect(cancel_, &QToolButton::clicked, this, &BufferSaver::cancel);
    hide();
}

void BufferSaver::ask(BufferSource* source, const BufferInfo& info, const QString& folder) {
    if (isSaving()) {
        emit message(tr("A buffer is being saved. Wait for it, or cancel it."));
        return;
    }
    // What the array's type and shape allow: the others would be refused.
    const std::vector<std::size_t> shape(info.shape.begin(), info.shape.end());
    const ElementType shown = info.type.kind == ElementKind::BFloat16 ? ElementType(ElementKind::UInt16) : info.type;
    const DType type = shown.isNumeric() ? DType::from_name(shown.name().toStdString()) : DType::opaque(1);
    QStringList kinds;
    for (const auto& [extension, text] : {std::pair{".npy", tr("NumPy array (*.npy)")},
                                          {".npz", tr("NumPy archive (*.npz)")},
                                          {".h5", tr("HDF5 (*.h5)")},
                                          {".csv", tr("Comma-separated values (*.csv)")},
                                          {".txt", tr("Text (*.txt)")},
                                          {".png", tr("PNG image (*.png)")},
                                          {".wav", tr("Sound (*.wav)")}})
        if (formats::why_not_written(extension, type, shape).empty()) kinds << text;
    kinds << tr("Raw bytes (*.bin)");
    const QString path = askWhereToSave(this, tr("Save %1").arg(info.name),
                                        QDir(folder).filePath(QFileInfo(info.name).baseName() + QStringLiteral(".npy")),
                                        kinds.join(QStringLiteral(";;")));
    if (path.isEmpty()) return;
    FileDetails details;
    if (formats::is_sound(formats::extension_of(session::path_from_utf8(path.toStdString())))) {
        bool agreed = false;
        details.rate = QInputDialog::getInt(this, tr("Save %1").arg(info.name), tr("Samples a second, in Hz"),
                                            info.rate ? info.rate : formats::usual_sound_rate, 1,
                                            formats::most_sound_rate, 100, &agreed);
        if (!agreed) return;
    }
    save(source, info, path, details);
}

void BufferSaver::save(BufferSource* source, const BufferInfo& info, const QString& path, const FileDetails& details) {
    if (source_) disconnect(source_, nullptr, this, nullptr);
    source_ = source;
    text_->setText(tr("Saving %1").arg(QFileInfo(path).fileName()));
    progress_->setRange(0, 0);
    show();
    connect(source, &BufferSource::progress, this, [this](quint64 ticket, double fraction) {
        if (ticket != ticket_ || ticket == 0) return;
        progress_->setRange(0, fraction < 0 ? 0 : 1000);
        progress_->setValue(int(fraction * 1000));
    });
    ticket_ = source->saveAs(info.id, path, details, this, [this, path](const BufferReply<QString>& reply) {
        finish();
        emit message(reply.ok() ? tr("Saved %1.").arg(path) : tr("%1 could not be written: %2").arg(path, reply.error));
    });
}

void BufferSaver::cancel() {
    if (!isSaving()) return;
    if (source_) source_->cancel(ticket_);
    finish();
    emit message(tr("Not saved: cancelled."));
}

void BufferSaver::finish() {
    ticket_ = 0;
    hide();
}

} // namespace warplight::ui
