// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_dialog.hpp"

#include "export/program.hpp"
#include "session/data_file.hpp"
#include "ui/common/activity_bar.hpp"
#include "ui/common/settings.hpp"
#include "worker/client.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

namespace warplight::ui {
namespace {

const QString formatSetting = QStringLiteral("export/format");

QString textOf(std::string_view text) { return QString::fromUtf8(text.data(), qsizetype(text.size())); }

} // namespace

ExportDialog::ExportDialog(const QString& session, const QStringList& allowed, QWidget* parent)
    : FormDialog(parent), session_(session), allowed_(allowed) {
    setWindowTitle(tr("Export as a Program"));
    auto* form = new QWidget;
    auto* rows = new QFormLayout(form);
    format_ = new QComboBox;
    format_->setObjectName(QStringLiteral("exportFormat"));
    for (const exporting::Format& format : exporting::formats())
        format_->addItem(textOf(format.title), textOf(format.name));
    if (const int last = format_->findData(settings().value(formatSetting)); last >= 0) format_->setCurrentIndex(last);
    rows->addRow(tr("Pro&gram"), format_);
    needs_ = new QLabel;
    needs_->setWordWrap(true);
    rows->addRow(QString(), needs_);
    auto* place = new QHBoxLayout;
    folder_ = new QLineEdit;
    folder_->setObjectName(QStringLiteral("exportFolder"));
    auto* browse = new QPushButton(tr("&Choose…"));
    place->addWidget(folder_, 1);
    place->addWidget(browse);
    rows->addRow(tr("F&older"), place);
    qobject_cast<QLabel*>(rows->labelForField(place))->setBuddy(folder_);
    force_ = new QCheckBox(tr("&Replace files that are there"));
    force_->setToolTip(tr("Files of an earlier export that nobody has changed are replaced in any case."));
    rows->addRow(QString(), force_);

    auto* note = new QWidget;
    auto* lines = new QVBoxLayout(note);
    lines->setContentsMargins(0, 0, 0, 0);
    progress_ = new QProgressBar;
    progress_->setRange(0, 0);
    progress_->setTextVisible(false);
    progress_->hide();
    said_ = new QLabel;
    said_->setObjectName(QStringLiteral("exportSaid"));
    said_->setWordWrap(true);
    said_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    said_->hide();
    elapsed_ = new ElapsedLabel;
    elapsed_->hide();
    auto* lasting = new QHBoxLayout;
    lasting->addWidget(progress_, 1);
    lasting->addWidget(elapsed_);
    lines->addLayout(lasting);
    lines->addWidget(said_);
    auto* buttons = new QDialogButtonBox;
    export_ = buttons->addButton(tr("&Export"), QDialogButtonBox::ActionRole);
    show_ = buttons->addButton(tr("&Show Folder"), QDialogButtonBox::ActionRole);
    show_->setEnabled(false);
    close_ = buttons->addButton(QDialogButtonBox::Close);
    setForm(form, buttons, note);
    browse->setAutoDefault(false);
    export_->setDefault(true); // once it is in the dialog
    setMinimumWidth(480);

    connect(browse, &QPushButton::clicked, this, &ExportDialog::chooseFolder);
    connect(format_, &QComboBox::currentIndexChanged, this, &ExportDialog::update);
    connect(folder_, &QLineEdit::textChanged, this, &ExportDialog::update);
    connect(export_, &QPushButton::clicked, this, &ExportDialog::start);
    connect(close_, &QPushButton::clicked, this, &QDialog::reject);
    connect(show_, &QPushButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(QDir::fromNativeSeparators(folder_->text()))); });
    connect(&process_, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        const bool ok = code == 0 && status == QProcess::NormalExit;
        QString text = QString::fromUtf8(ok ? process_.readAllStandardOutput() : process_.readAllStandardError());
        text = text.trimmed();
        if (text.startsWith(QLatin1String("error: "))) text.remove(0, 7);
        if (stopped_) text = tr("Stopped. The folder may have a part of the program; the next export replaces it.");
        finish(ok, text.isEmpty() ? tr("warplight-cli ended with the exit code %1.").arg(code) : text);
    });
    connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            finish(false, tr("warplight-cli, which exports, is missing beside Warplight. Install it again."));
    });
    const QFileInfo file(session_);
    folder_->setText(QDir::toNativeSeparators(
        QStringLiteral("%1/%2-%3")
            .arg(file.absolutePath(), file.completeBaseName(), format_->currentData().toString())));
    update();
}

ExportDialog::~ExportDialog() {
    process_.disconnect(this);
    if (process_.state() == QProcess::NotRunning) return;
    process_.kill();
    process_.waitForFinished(2000);
}

void ExportDialog::chooseFolder() {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Folder of the Program"), QFileInfo(folder_->text()).absolutePath());
    if (!folder.isEmpty()) folder_->setText(QDir::toNativeSeparators(folder));
}

void ExportDialog::update() {
    const auto* format = exporting::find_format(format_->currentData().toString().toStdString());
    needs_->setText(format ? tr("It needs %1.").arg(textOf(format->needs)) : QString());
    const bool busy = process_.state() != QProcess::NotRunning;
    export_->setEnabled(!busy && !folder_->text().trimmed().isEmpty());
    for (QWidget* field :
         {static_cast<QWidget*>(format_), static_cast<QWidget*>(folder_), static_cast<QWidget*>(force_)})
        field->setEnabled(!busy);
    close_->setText(busy ? tr("Stop") : tr("Close"));
    progress_->setVisible(busy);
    elapsed_->setVisible(busy);
    if (!busy) elapsed_->end();
}

void ExportDialog::start() {
    settings().setValue(formatSetting, format_->currentData());
    stopped_ = false;
    QStringList arguments{QStringLiteral("export"),   QDir::toNativeSeparators(session_),
                          QStringLiteral("--as"),     format_->currentData().toString(),
                          QStringLiteral("--output"), folder_->text().trimmed()};
    for (const QString& path : allowed_)
        arguments << QStringLiteral("--allow") << path;
    if (force_->isChecked()) arguments << QStringLiteral("--force");
    said_->hide();
    show_->setEnabled(false);
    elapsed_->begin();
    process_.start(QString::fromStdString(session::utf8_of(worker::find_worker())), arguments);
    update();
    fitToContent();
}

void ExportDialog::finish(bool ok, const QString& text) {
    said_->setText(ok ? text : QStringLiteral("⚠ ") + text);
    said_->show();
    show_->setEnabled(ok);
    update();
    fitToContent();
}

void ExportDialog::done(int result) {
    if (process_.state() == QProcess::NotRunning) return FormDialog::done(result);
    stopped_ = true;
    process_.kill();
}

} // namespace warplight::ui
