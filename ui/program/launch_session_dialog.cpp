// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/program/launch_session_dialog.hpp"

#include "session/data_file.hpp"
#include "ui/common/format.hpp"
#include "worker/client.hpp"

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
#include <QRegularExpression>
#include <QSpinBox>
#include <QVBoxLayout>
#include <utility>

#ifdef Q_OS_UNIX
#include <csignal>
#include <unistd.h>
#endif

namespace warplight::ui {
namespace {

constexpr int elapsedIntervalMs = 100;
constexpr int endMs = 2000; ///< for a process to end once it is killed

/// With the program that it runs, which is in its group.
void endImport(QProcess& process) {
#ifdef Q_OS_UNIX
    if (const auto group = static_cast<pid_t>(process.processId()); group > 0) ::kill(-group, SIGKILL);
#endif
    process.kill();
}

/// "scale<float>" of "void scale<float>(float*, int)", as `import` takes it.
QString withoutParameters(QString kernel) {
    if (kernel.startsWith(QLatin1String("void "))) kernel.remove(0, 5);
    if (!kernel.endsWith(QLatin1Char(')'))) return kernel;
    int depth = 0;
    for (qsizetype i = kernel.size(); i-- > 0;) {
        if (kernel[i] == QLatin1Char(')')) ++depth;
        if (kernel[i] == QLatin1Char('(') && --depth == 0) return kernel.left(i);
    }
    return kernel;
}

/// "saxpy" of "saxpy<float>(float*, int)", for the name of a folder.
QString plainName(const QString& kernel) {
    QString name = kernel;
    name.truncate(kernel.indexOf(QRegularExpression(QStringLiteral("[<(]"))) < 0
                      ? kernel.size()
                      : kernel.indexOf(QRegularExpression(QStringLiteral("[<(]"))));
    return name.replace(QRegularExpression(QStringLiteral("[^A-Za-z0-9_-]+")), QStringLiteral("_"));
}

} // namespace

LaunchSessionDialog::LaunchSessionDialog(ProgramLaunches launches, QWidget* parent)
    : FormDialog(parent), launches_(std::move(launches)), which_(new QSpinBox), folder_(new QLineEdit),
      about_(new QLabel), said_(new QLabel), progress_(new QProgressBar) {
    launches_.kernel = withoutParameters(launches_.kernel);
    setWindowTitle(tr("Make a Session of a Launch"));
    auto* form = new QWidget;
    auto* rows = new QFormLayout(form);
    about_->setWordWrap(true);
    about_->setText(tr("The program runs once more, on the software device, with the same arguments. The session gets "
                       "the data that "
                       "the launch read, and expects what it left.") +
                    (launches_.readsInput ? QLatin1Char(' ') + tr("Its standard input is empty then.") : QString()));
    rows->addRow(about_);
    const auto count = static_cast<int>(launches_.launches.size());
    which_->setObjectName(QStringLiteral("launchNumber"));
    which_->setRange(1, count);
    which_->setSuffix(tr(" of %1").arg(formatCount(count)));
    which_->setEnabled(count > 1);
    rows->addRow(tr("&Launch of %1").arg(plainName(launches_.kernel)), which_);
    auto* place = new QHBoxLayout;
    folder_->setObjectName(QStringLiteral("launchFolder"));
    auto* browse = new QPushButton(tr("&Choose…"));
    place->addWidget(folder_, 1);
    place->addWidget(browse);
    rows->addRow(tr("F&older"), place);
    qobject_cast<QLabel*>(rows->labelForField(place))->setBuddy(folder_);

    auto* note = new QWidget;
    auto* lines = new QVBoxLayout(note);
    lines->setContentsMargins(0, 0, 0, 0);
    progress_->setRange(0, 0);
    progress_->setTextVisible(false);
    progress_->hide();
    said_->setObjectName(QStringLiteral("launchSaid"));
    said_->setWordWrap(true);
    said_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    said_->hide();
    lines->addWidget(progress_);
    lines->addWidget(said_);
    auto* buttons = new QDialogButtonBox;
    make_ = buttons->addButton(tr("&Make Session"), QDialogButtonBox::ActionRole);
    close_ = buttons->addButton(QDialogButtonBox::Close);
    setForm(form, buttons, note);
    browse->setAutoDefault(false);
    make_->setDefault(true);
    setMinimumWidth(480);

    connect(browse, &QPushButton::clicked, this, &LaunchSessionDialog::chooseFolder);
    connect(folder_, &QLineEdit::textChanged, this, &LaunchSessionDialog::update);
    connect(make_, &QPushButton::clicked, this, &LaunchSessionDialog::start);
    connect(close_, &QPushButton::clicked, this, &QDialog::reject);
    connect(&process_, &QProcess::finished, this, &LaunchSessionDialog::finish);
    connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return;
        timer_.stop();
        say(QStringLiteral("⚠ ") +
            tr("warplight-cli, which makes the session, is missing beside Warplight. Install it again."));
    });
    timer_.setInterval(elapsedIntervalMs);
    connect(&timer_, &QTimer::timeout, this, &LaunchSessionDialog::showElapsed);
    folder_->setText(QDir::toNativeSeparators(
        QStringLiteral("%1/%2-session").arg(QFileInfo(launches_.source).absolutePath(), plainName(launches_.kernel))));
    update();
}

LaunchSessionDialog::~LaunchSessionDialog() {
    process_.disconnect(this);
    if (!isRunning()) return;
    endImport(process_);
    process_.waitForFinished(endMs);
}

void LaunchSessionDialog::chooseFolder() {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Folder of the Session"), QFileInfo(folder_->text()).absolutePath());
    if (!folder.isEmpty()) folder_->setText(QDir::toNativeSeparators(folder));
}

void LaunchSessionDialog::update() {
    make_->setEnabled(!isRunning() && !folder_->text().trimmed().isEmpty());
    which_->setEnabled(!isRunning() && which_->maximum() > 1);
    folder_->setEnabled(!isRunning());
    close_->setText(isRunning() ? tr("Stop") : tr("Close"));
    progress_->setVisible(isRunning());
}

void LaunchSessionDialog::start() {
    if (isRunning()) return;
    stopped_ = false;
    const quint64 launch = launches_.launches[static_cast<std::size_t>(which_->value() - 1)];
    QStringList arguments{
        QStringLiteral("import"),    QDir::toNativeSeparators(launches_.source),
        QStringLiteral("--kernel"),  launches_.kernel,
        QStringLiteral("--launch"),  QString::number(launch),
        QStringLiteral("--program"), QDir::toNativeSeparators(launches_.program),
        QStringLiteral("--output"),  QDir(launches_.folder).absoluteFilePath(folder_->text().trimmed())};
    for (const QString& each : std::as_const(launches_.arguments))
        arguments << QStringLiteral("--argument=") + each;
    for (const QString& each : std::as_const(launches_.options))
        arguments << QStringLiteral("--option=") + each;
    process_.setWorkingDirectory(launches_.folder);
    process_.setStandardInputFile(QProcess::nullDevice());
#ifdef Q_OS_UNIX
    process_.setChildProcessModifier([] { ::setpgid(0, 0); });
#endif
    clock_.start();
    timer_.start();
    process_.start(QString::fromStdString(session::utf8_of(worker::find_worker())), arguments);
    update();
    showElapsed();
}

void LaunchSessionDialog::showElapsed() {
    if (isRunning() && !stopped_)
        say(tr("The program runs again: %1").arg(formatMs(static_cast<double>(clock_.elapsed()))));
}

void LaunchSessionDialog::say(const QString& text) {
    const bool was = said_->isVisible();
    said_->setText(text);
    said_->show();
    update();
    if (!was || !isRunning()) fitToContent();
}

void LaunchSessionDialog::finish(int code, QProcess::ExitStatus status) {
    timer_.stop();
    if (stopped_) return say(tr("Stopped. There is no session."));
    const QString out = QString::fromUtf8(process_.readAllStandardOutput());
    const QStringList said = QString::fromUtf8(process_.readAllStandardError()).split(QLatin1Char('\n'));
    QStringList problems;
    for (const QString& line : said) {
        if (line.startsWith(QLatin1String("note: "))) notes_ << line.mid(6);
        if (line.startsWith(QLatin1String("error: "))) problems << line.mid(7);
        if (line.startsWith(QLatin1String("warning: "))) problems << line.mid(9);
    }
    const QString mark = QStringLiteral("session: ");
    const qsizetype at = out.indexOf(mark);
    if (code == 0 && status == QProcess::NormalExit && at >= 0) {
        session_ = out.mid(at + mark.size()).section(QLatin1Char('\n'), 0, 0).trimmed();
        return accept();
    }
    say(QStringLiteral("⚠ ") + (problems.isEmpty() ? tr("warplight-cli ended with the exit code %1.").arg(code)
                                                   : problems.join(QLatin1Char('\n'))));
}

void LaunchSessionDialog::done(int result) {
    if (!isRunning()) return FormDialog::done(result);
    stopped_ = true;
    endImport(process_);
}

} // namespace warplight::ui
