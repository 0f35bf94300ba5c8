// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/output/output_panel.hpp"

#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"

#include <QAction>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSaveFile>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {
namespace {

constexpr int flushMs = 30; ///< that lines are collected before they are shown

} // namespace

OutputPanel::OutputPanel(Workbench& workbench, QWidget* parent) : Panel(workbench, parent) {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    bar->setSpacing(Theme::half);
    kinds_ = new QComboBox(content);
    kinds_->setAccessibleName(tr("What to show"));
    kinds_->addItem(tr("All"), -1);
    kinds_->addItem(tr("Printed"), OutputLine::Printed);
    kinds_->addItem(tr("Build"), OutputLine::Build);
    kinds_->addItem(tr("Worker"), OutputLine::Worker);
    filter_ = new QLineEdit(content);
    filter_->setPlaceholderText(tr("Filter"));
    filter_->setAccessibleName(tr("Filter lines"));
    filter_->setClearButtonEnabled(true);
    const auto toggle = [&](const QString& name, const QString& text, const QString& tip, bool on) {
        auto* button = new QToolButton(content);
        button->setIcon(icon(name));
        button->setText(text);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setToolTip(tip);
        button->setCheckable(true);
        button->setChecked(on);
        button->setProperty("framed", true);
        return button;
    };
    times_ = toggle(QStringLiteral("timing"), tr("Times"), tr("Show when each line came"), true);
    follow_ = toggle(QStringLiteral("arrow-down"), tr("Follow"), tr("Keep the last line in view"), true);
    clear_ = new QAction(icon(QStringLiteral("clear")), tr("&Clear Output"), this);
    save_ = new QAction(icon(QStringLiteral("save")), tr("&Save Output…"), this);
    connect(clear_, &QAction::triggered, this, &OutputPanel::clear);
    connect(save_, &QAction::triggered, this, &OutputPanel::save);
    bar->addWidget(kinds_);
    bar->addWidget(filter_, 1);
    bar->addWidget(times_);
    bar->addWidget(follow_);
    for (QAction* action : {save_, clear_}) {
        auto* button = new QToolButton(content);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setAccessibleName(action->text().remove(QLatin1Char('&')));
        bar->addWidget(button);
    }
    column->addLayout(bar);
    view_ = new QPlainTextEdit(content);
    view_->setReadOnly(true);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setUndoRedoEnabled(false);
    view_->setLineWrapMode(QPlainTextEdit::NoWrap);
    view_->setMaximumBlockCount(log_.limit());
    view_->setAccessibleName(tr("Output"));
    view_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    column->addWidget(view_, 1);
    input_ = new QLineEdit(content);
    input_->setObjectName(QStringLiteral("programTyped"));
    input_->setPlaceholderText(tr("Input for the program; Enter sends it"));
    input_->setAccessibleName(tr("Input for the program"));
    auto* end = new QToolButton(content);
    end->setText(tr("End of Input"));
    end->setToolTip(tr("The program reads the end of its standard input (Ctrl+D)"));
    end->setShortcut(QKeySequence(QStringLiteral("Ctrl+D")));
    end->setProperty("framed", true);
    end->setFocusPolicy(Qt::StrongFocus);
    inputRow_ = new QWidget(content);
    auto* row = new QHBoxLayout(inputRow_);
    row->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    row->setSpacing(Theme::half);
    row->addWidget(input_, 1);
    row->addWidget(end);
    column->addWidget(inputRow_);
    inputRow_->hide();
    connect(input_, &QLineEdit::returnPressed, this, [this] {
        const QString line = input_->text() + QLatin1Char('\n');
        input_->clear();
        log_.append(OutputLine::Typed, line);
        emit inputEntered(line);
    });
    connect(end, &QToolButton::clicked, this, &OutputPanel::inputEnded);
    setContent(content);

    flush_.setSingleShot(true);
    flush_.setInterval(flushMs);
    connect(&flush_, &QTimer::timeout, this, &OutputPanel::flush);
    // A question that waits for its answer has no end of line.
    question_.setSingleShot(true);
    question_.setInterval(150);
    connect(&question_, &QTimer::timeout, &log_, &OutputLog::finish);
    connect(&log_, &OutputLog::added, this, &OutputPanel::showLine);
    connect(&log_, &OutputLog::cleared, this, &OutputPanel::rebuild);
    connect(kinds_, &QComboBox::currentIndexChanged, this, &OutputPanel::rebuild);
    connect(filter_, &QLineEdit::textChanged, this, &OutputPanel::rebuild);
    connect(times_, &QToolButton::toggled, this, &OutputPanel::rebuild);
    connect(follow_, &QToolButton::toggled, this, [this](bool on) {
        if (on) view_->verticalScrollBar()->setValue(view_->verticalScrollBar()->maximum());
    });
    connect(view_->verticalScrollBar(), &QScrollBar::sliderReleased, this, [this] {
        follow_->setChecked(view_->verticalScrollBar()->value() == view_->verticalScrollBar()->maximum());
    });
    connect(&theme(), &Theme::themeChanged, this, &OutputPanel::rebuild);
    // The style sheet sets fonts back when it first sees a widget.
    connect(this, &Panel::panelShown, this, [this] { view_->setFont(theme().monospace()); });

    this->workbench().forEachWorker(this, [this](WorkerConnection* worker) { attach(worker); });
    connect(&document(), &Document::compiled, this, &OutputPanel::onCompiled);
    connect(&document(), &Document::reportChanged, &log_, &OutputLog::finish);
    rebuild();
}

void OutputPanel::attach(WorkerConnection* worker) {
    connect(worker, &WorkerConnection::output, this,
            [this](int, const QString& text) { log_.append(OutputLine::Printed, text); });
    connect(worker, &WorkerConnection::log, this, [this](const QString& level, const QString& text) {
        log_.append(level == QLatin1String("error") ? OutputLine::Failure : OutputLine::Worker,
                    text + QLatin1Char('\n'));
    });
    connect(worker, &WorkerConnection::stateChanged, this,
            [this](WorkerConnection::State state, const QString& reason) {
                if (state == WorkerConnection::State::Dead && !reason.isEmpty())
                    log_.append(OutputLine::Failure, reason + QLatin1Char('\n'));
            });
}

void OutputPanel::onCompiled() {
    const CompileOutput& output = document().compileOutput();
    if (!output.valid) return;
    log_.finish();
    QString head = output.ok ? tr("Built") : tr("Build failed");
    if (!output.compiler.isEmpty()) head += QStringLiteral(" · ") + output.compiler;
    if (!output.arch.isEmpty()) head += QStringLiteral(" · ") + output.arch;
    head += QStringLiteral(" · ") + (output.cached ? tr("from the cache") : formatMs(output.ms));
    log_.append(output.ok ? OutputLine::Build : OutputLine::Failure, head + QLatin1Char('\n'));
    if (!output.log.trimmed().isEmpty()) log_.append(OutputLine::Build, output.log.trimmed() + QLatin1Char('\n'));
}

bool OutputPanel::accepts(const OutputLine& line) const {
    const int kind = kinds_->currentData().toInt();
    // Failures are shown with every kind, because they explain missing output.
    if (kind >= 0 && line.kind != kind && line.kind != OutputLine::Failure &&
        !(kind == OutputLine::Printed && (line.kind == OutputLine::PrintedError || line.kind == OutputLine::Typed)))
        return false;
    return filter_->text().isEmpty() || line.text.contains(filter_->text(), Qt::CaseInsensitive);
}

QString OutputPanel::shownText(const OutputLine& line) const {
    return times_->isChecked() ? line.when.toString(QStringLiteral("HH:mm:ss.zzz  ")) + line.text : line.text;
}

QTextCharFormat OutputPanel::format(OutputLine::Kind kind) const {
    const Colours& colours = theme().colours();
    QTextCharFormat format;
    format.setForeground(kind == OutputLine::Failure        ? colours.error
                         : kind == OutputLine::PrintedError ? colours.warning
                         : kind == OutputLine::Typed        ? colours.accent
                         : kind == OutputLine::Printed      ? colours.text
                                                            : colours.mutedText);
    return format;
}

void OutputPanel::showLine(const OutputLine& line) {
    pending_.append(line);
    if (pending_.size() > log_.limit()) pending_.remove(0, pending_.size() - log_.limit());
    if (!flush_.isActive()) flush_.start();
}

void OutputPanel::flush() {
    if (pending_.isEmpty()) return;
    QElapsedTimer taken;
    taken.start();
    showContent();
    QScrollBar* bar = view_->verticalScrollBar();
    const int before = bar->value();
    QTextCursor cursor(view_->document());
    cursor.movePosition(QTextCursor::End);
    cursor.beginEditBlock();
    QTextCharFormat muted;
    muted.setForeground(theme().colours().mutedText);
    for (const OutputLine& line : std::as_const(pending_)) {
        if (!accepts(line)) continue;
        if (!view_->document()->isEmpty()) cursor.insertBlock();
        if (times_->isChecked()) cursor.insertText(line.when.toString(QStringLiteral("HH:mm:ss.zzz  ")), muted);
        cursor.insertText(line.text, format(line.kind));
    }
    cursor.endEditBlock();
    pending_.clear();
    bar->setValue(follow_->isChecked() ? bar->maximum() : before);
    // However fast lines come, most of the window's time is left to its user.
    flush_.setInterval(std::max(flushMs, static_cast<int>(4 * taken.elapsed())));
}

void OutputPanel::rebuild() {
    view_->setFont(theme().monospace());
    view_->clear();
    pending_ = log_.lines();
    flush();
    if (log_.lines().isEmpty())
        showEmptyNote(QStringLiteral("output"), tr("No output yet"),
                      tr("What kernels and programs print, and the log of each build, appears here."));
}

void OutputPanel::setTakesInput(bool takes) {
    if (takes == !inputRow_->isHidden()) return;
    inputRow_->setVisible(takes);
    if (takes) return showContent();
    input_->clear();
}

void OutputPanel::appendOfProgram(bool isError, const QString& text) {
    log_.append(isError ? OutputLine::PrintedError : OutputLine::Printed, text);
    if (!inputRow_->isHidden()) question_.start();
}

void OutputPanel::clear() { log_.clear(); }

bool OutputPanel::saveTo(const QString& path, QString* problem) {
    QSaveFile file(path);
    bool ok = file.open(QIODevice::WriteOnly | QIODevice::Text);
    for (const OutputLine& line : log_.lines())
        if (ok && accepts(line)) {
            const QByteArray text = (shownText(line) + QLatin1Char('\n')).toUtf8();
            ok = file.write(text) == text.size();
        }
    ok = ok && file.commit();
    if (!ok && problem) *problem = tr("The output could not be written to %1: %2.").arg(path, file.errorString());
    return ok;
}

void OutputPanel::save() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Save Output"), document().folder(), tr("Text (*.txt)"));
    if (path.isEmpty()) return;
    QString problem;
    if (!saveTo(path, &problem)) emit workbench().statusMessage(problem);
}

} // namespace warplight::ui
