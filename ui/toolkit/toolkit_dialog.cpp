// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/toolkit/toolkit_dialog.hpp"

#include "ui/common/activity_bar.hpp"
#include "ui/common/theme.hpp"
#include "worker/client.hpp"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {
namespace {

constexpr int progressSteps = 1000;
constexpr int patienceMs = 5000; ///< for an installation to clean up once it is cancelled

/// Plain text with its addresses as links.
QString withLinks(const QString& text) {
    static const QRegularExpression address(QStringLiteral(R"((https://[^\s<]+))"));
    return QStringLiteral("<div style=\"white-space: pre-wrap\">%1</div>")
        .arg(text.trimmed().toHtmlEscaped().replace(address, QStringLiteral("<a href=\"\\1\">\\1</a>")));
}

QString program() { return QString::fromStdU16String(worker::find_worker().u16string()); }

} // namespace

ToolkitDialog::ToolkitDialog(Missing missing, QWidget* parent)
    : QDialog(parent), text_(new QLabel), problem_(new QLabel), stage_(new QLabel), nvcc_(new QCheckBox),
      progress_(new QProgressBar), elapsed_(new ElapsedLabel) {
    setWindowTitle(tr("Install the CUDA Compiler"));
    auto* intro = new QLabel;
    switch (missing) {
    case Missing::Nvrtc:
        intro->setText(tr("Kernels are compiled by NVIDIA's run-time compiler NVRTC, which is not on this machine. "
                          "Warplight can download it."));
        break;
    case Missing::Nvcc:
        intro->setText(tr("This session is compiled by NVIDIA's nvcc, which is not on this machine. Warplight can "
                          "download it."));
        break;
    case Missing::Disassembler:
        intro->setText(tr("SASS is read by NVIDIA's nvdisasm, which is not on this machine. Warplight can download "
                          "it, together with nvcc."));
        break;
    }
    intro->setWordWrap(true);
    text_->setTextFormat(Qt::RichText);
    text_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    text_->setOpenExternalLinks(true);
    text_->setObjectName(QStringLiteral("announcement"));
    text_->setWordWrap(true);
    text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont)); // sizes stand below each other
    nvcc_->setText(tr("Also &nvcc, ptxas and nvdisasm, for sessions that compile with nvcc and for SASS"));
    nvcc_->setChecked(missing != Missing::Nvrtc);
    problem_->setObjectName(QStringLiteral("problem"));
    problem_->setTextFormat(Qt::PlainText);
    problem_->setWordWrap(true);
    problem_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    stage_->setTextFormat(Qt::PlainText);
    progress_->setRange(0, progressSteps);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Progress"));
    auto* buttons = new QDialogButtonBox;
    install_ = buttons->addButton(tr("&Accept the licence and install"), QDialogButtonBox::AcceptRole);
    install_->setObjectName(QStringLiteral("install"));
    cancel_ = buttons->addButton(QDialogButtonBox::Cancel);

    auto* column = new QVBoxLayout(this);
    column->setSpacing(2 * Theme::grid);
    for (QWidget* widget : {static_cast<QWidget*>(intro), static_cast<QWidget*>(text_), static_cast<QWidget*>(nvcc_),
                            static_cast<QWidget*>(problem_)})
        column->addWidget(widget);
    auto* lasting = new QHBoxLayout;
    lasting->addWidget(stage_, 1);
    lasting->addWidget(elapsed_);
    column->addLayout(lasting);
    column->addWidget(progress_);
    column->addStretch(1);
    column->addWidget(buttons);
    setMinimumWidth(QFontMetrics(text_->font()).averageCharWidth() * 80);

    process_.setProgram(program());
    killTimer_.setSingleShot(true);
    killTimer_.setInterval(patienceMs);
    connect(install_, &QPushButton::clicked, this, &ToolkitDialog::install);
    connect(buttons, &QDialogButtonBox::rejected, this, &ToolkitDialog::reject);
    connect(nvcc_, &QCheckBox::toggled, this, &ToolkitDialog::describe);
    connect(&killTimer_, &QTimer::timeout, &process_, &QProcess::kill);
    connect(&process_, &QProcess::readyReadStandardOutput, this, [this] {
        if (step_ == Step::Installing) readProgress();
    });
    connect(&process_, &QProcess::finished, this, &ToolkitDialog::finished);
    connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return;
        problem_->setText(tr("%1 cannot be started: %2").arg(process_.program(), process_.errorString()));
        setStep(Step::Failed);
    });
    describe();
}

ToolkitDialog::~ToolkitDialog() {
    disconnect(&process_, nullptr, this, nullptr);
    if (process_.state() == QProcess::NotRunning) return;
    process_.terminate();
    if (!process_.waitForFinished(patienceMs)) process_.kill();
    process_.waitForFinished(patienceMs);
}

void ToolkitDialog::start(const QStringList& arguments) {
    QStringList all{QStringLiteral("toolkit"), QStringLiteral("install")};
    if (nvcc_->isChecked()) all << QStringLiteral("--with-nvcc");
    process_.setArguments(all + arguments);
    process_.start();
    process_.closeWriteChannel();
}

void ToolkitDialog::describe() {
    if (process_.state() != QProcess::NotRunning) {
        disconnect(&process_, &QProcess::finished, this, nullptr);
        process_.kill();
        process_.waitForFinished(patienceMs);
        connect(&process_, &QProcess::finished, this, &ToolkitDialog::finished);
    }
    problem_->clear();
    setStep(Step::Asking);
    start({QStringLiteral("--dry-run")});
}

void ToolkitDialog::install() {
    if (step_ != Step::Ready) return;
    problem_->clear();
    stage_->setText(tr("Starting"));
    progress_->setValue(0);
    setStep(Step::Installing);
    elapsed_->begin();
    start({QStringLiteral("--yes"), QStringLiteral("--progress")});
}

void ToolkitDialog::readProgress() {
    while (process_.canReadLine()) {
        const QString line = QString::fromUtf8(process_.readLine()).trimmed();
        if (!line.startsWith(QLatin1String("progress "))) continue;
        progress_->setValue(qRound(line.section(QLatin1Char(' '), 1, 1).toDouble() * progressSteps));
        stage_->setText(line.section(QLatin1Char(' '), 2));
    }
}

void ToolkitDialog::finished(int code, QProcess::ExitStatus status) {
    killTimer_.stop();
    const bool good = status == QProcess::NormalExit && code == 0;
    const Step step = step_;
    QString said = QString::fromUtf8(process_.readAllStandardError()).trimmed();
    if (said.startsWith(QLatin1String("error: "))) said.remove(0, 7);
    if (step == Step::Asking) {
        if (good) text_->setText(withLinks(QString::fromUtf8(process_.readAllStandardOutput())));
        problem_->setText(good ? QString() : said);
        setStep(good ? Step::Ready : Step::Failed);
        return;
    }
    if (good) {
        emit installed();
        accept();
        return;
    }
    if (closing_) {
        QDialog::reject();
        return;
    }
    problem_->setText(step == Step::Cancelling ? tr("Cancelled. Nothing was installed.") : said);
    setStep(Step::Ready);
}

void ToolkitDialog::reject() {
    if (step_ != Step::Installing && step_ != Step::Cancelling) {
        QDialog::reject();
        return;
    }
    if (step_ == Step::Cancelling) { // asked twice: the dialog goes as well
        closing_ = true;
        return;
    }
    setStep(Step::Cancelling);
    stage_->setText(tr("Cancelling"));
#ifdef Q_OS_WIN
    process_.kill(); // no milder signal reaches a console program there; the next installation removes its files
#else
    process_.terminate();
    killTimer_.start();
#endif
}

void ToolkitDialog::setStep(Step step) {
    step_ = step;
    const bool busy = step == Step::Installing || step == Step::Cancelling;
    install_->setEnabled(step == Step::Ready);
    nvcc_->setEnabled(!busy);
    if (!busy) elapsed_->end();
    stage_->setVisible(busy);
    elapsed_->setVisible(busy);
    progress_->setVisible(busy);
    problem_->setVisible(!problem_->text().isEmpty());
    cancel_->setEnabled(step != Step::Cancelling);
    // The dialog grows with its text: the user must see all of the terms without scrolling.
    const QMargins margins = layout()->contentsMargins();
    const int across = std::max(width(), minimumWidth()) - margins.left() - margins.right();
    for (QLabel* label : {text_, problem_})
        label->setMinimumHeight(label->text().isEmpty() ? 0 : label->heightForWidth(across));
    adjustSize();
}

} // namespace warplight::ui
