// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/machines/install_dialog.hpp"

#include "session/data_file.hpp"
#include "ui/common/activity_bar.hpp"
#include "ui/common/form_dialog.hpp"
#include "ui/common/theme.hpp"
#include "worker/client.hpp"

#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {
namespace {

constexpr int patienceMs = 5000; ///< for an installation to end its copy once it is stopped
constexpr int mostLines = 2000;
constexpr int progressSteps = 1000;

} // namespace

InstallDialog::InstallDialog(const QString& address, QWidget* parent)
    : QDialog(parent), address_(address), text_(new QLabel), stage_(new QLabel), progress_(new QProgressBar),
      elapsed_(new ElapsedLabel), log_(new QPlainTextEdit) {
    setWindowTitle(tr("Install Warplight on Another Machine"));
    text_->setTextFormat(Qt::PlainText);
    text_->setWordWrap(true);
    text_->setText(tr("Copies the self-contained build of this version into your folder on %1 and checks it there. It "
                      "needs no rights of an administrator. A copy that was stopped goes on where it ended.")
                       .arg(address_));
    stage_->setTextFormat(Qt::PlainText);
    stage_->setObjectName(QStringLiteral("stage"));
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Progress"));
    progress_->setRange(0, progressSteps);
    log_->setObjectName(QStringLiteral("log"));
    log_->setReadOnly(true);
    log_->setMaximumBlockCount(mostLines);
    log_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    log_->setAccessibleName(tr("Messages of the installation"));
    log_->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    auto* buttons = new QDialogButtonBox;
    install_ = buttons->addButton(tr("&Install"), QDialogButtonBox::AcceptRole);
    install_->setObjectName(QStringLiteral("install"));
    close_ = buttons->addButton(QDialogButtonBox::Cancel);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(2 * Theme::grid);
    column->addWidget(text_);
    column->addWidget(log_, 1);
    auto* lasting = new QHBoxLayout;
    lasting->addWidget(stage_, 1);
    lasting->addWidget(elapsed_);
    column->addLayout(lasting);
    column->addWidget(progress_);
    column->addWidget(buttons);
    resize(QSize(fontMetrics().averageCharWidth() * 84, fontMetrics().height() * 20).boundedTo(roomForDialog(this)));

    process_.setProgram(QString::fromStdString(session::utf8_of(worker::find_worker())));
    process_.setProcessChannelMode(QProcess::MergedChannels);
    killTimer_.setSingleShot(true);
    killTimer_.setInterval(patienceMs);
    connect(&killTimer_, &QTimer::timeout, &process_, &QProcess::kill);
    connect(install_, &QPushButton::clicked, this, &InstallDialog::start);
    connect(buttons, &QDialogButtonBox::rejected, this, &InstallDialog::reject);
    connect(&process_, &QProcess::readyReadStandardOutput, this, &InstallDialog::read);
    connect(&process_, &QProcess::finished, this, &InstallDialog::finished);
    connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return;
        stage_->setText(tr("%1 cannot be started: %2").arg(process_.program(), process_.errorString()));
        updateButtons();
    });
    updateButtons();
}

InstallDialog::~InstallDialog() {
    disconnect(&process_, nullptr, this, nullptr);
    if (!isRunning()) return;
    process_.terminate();
    if (!process_.waitForFinished(patienceMs)) process_.kill();
    process_.waitForFinished(patienceMs);
}

void InstallDialog::start() {
    if (isRunning()) return;
    stopping_ = done_ = false;
    log_->clear();
    stage_->setText(tr("Connecting"));
    progress_->setRange(0, 0);
    elapsed_->begin();
    process_.setArguments({QStringLiteral("remote"), QStringLiteral("install"), address_, QStringLiteral("--yes"),
                           QStringLiteral("--progress")});
    process_.start();
    process_.closeWriteChannel();
    updateButtons();
}

void InstallDialog::read() {
    static const QRegularExpression progress(QStringLiteral("^progress (\\S+) (.*)$"));
    while (process_.canReadLine()) {
        const QString line = QString::fromUtf8(process_.readLine()).trimmed();
        if (line.isEmpty()) continue;
        const auto match = progress.match(line);
        if (!match.hasMatch()) {
            log_->appendPlainText(line);
            continue;
        }
        stage_->setText(match.captured(2));
        progress_->setRange(0, progressSteps);
        progress_->setValue(std::clamp(int(match.captured(1).toDouble() * progressSteps), 0, progressSteps));
    }
}

void InstallDialog::finished(int code, QProcess::ExitStatus status) {
    read();
    if (const QString rest = QString::fromUtf8(process_.readAll()).trimmed(); !rest.isEmpty())
        log_->appendPlainText(rest);
    killTimer_.stop();
    elapsed_->end();
    done_ = status == QProcess::NormalExit && code == 0;
    progress_->setRange(0, progressSteps);
    progress_->setValue(done_ ? progressSteps : 0);
    stage_->setText(done_       ? tr("Installed on %1.").arg(address_)
                    : stopping_ ? tr("Stopped. The next try goes on where it ended.")
                                : tr("It failed. The messages above say why."));
    updateButtons();
    if (done_) emit installed();
}

void InstallDialog::updateButtons() {
    install_->setVisible(!done_);
    install_->setEnabled(!isRunning());
    close_->setText(isRunning() ? tr("&Stop") : done_ ? tr("&Close") : tr("&Cancel"));
    close_->setEnabled(!isRunning() || !stopping_);
    progress_->setVisible(isRunning() || done_);
}

void InstallDialog::reject() {
    if (isRunning() && !stopping_) {
        stopping_ = true;
        stage_->setText(tr("Stopping"));
        process_.terminate();
        killTimer_.start();
        return updateButtons();
    }
    if (!isRunning()) QDialog::reject();
}

} // namespace warplight::ui
