// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/program/program_page.hpp"

#include "ui/common/theme.hpp"
#include "ui/settings/compile_options.hpp"

#include <QAction>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QRegularExpression>
#include <QToolButton>

namespace warplight::ui {

QString joinArguments(const std::vector<std::string>& arguments) {
    static const QRegularExpression plain(QStringLiteral("^[^\\s\"]+$"));
    QStringList texts;
    for (const std::string& argument : arguments) {
        QString text = QString::fromStdString(argument);
        if (!plain.match(text).hasMatch()) // three quotes are one of the argument's own
            text = QLatin1Char('"') + text.replace(QLatin1Char('"'), QLatin1String("\"\"\"")) + QLatin1Char('"');
        texts << text;
    }
    return texts.join(QLatin1Char(' '));
}

std::vector<std::string> splitArguments(const QString& text) {
    std::vector<std::string> arguments;
    // Qt leaves out an empty argument.
    static const QString empty = QStringLiteral("\x01");
    static const QRegularExpression twoQuotes(QStringLiteral("(^|\\s)\"\"(?=\\s|$)"));
    for (const QString& each : QProcess::splitCommand(QString(text).replace(twoQuotes, QStringLiteral("\\1") + empty)))
        arguments.push_back(each == empty ? std::string() : each.toStdString());
    return arguments;
}

ProgramPage::ProgramPage(Document& document, QAction* options, QWidget* parent)
    : QWidget(parent), document_(document), arguments_(new QLineEdit), folder_(new QLineEdit), input_(new QLineEdit),
      options_(new QLabel) {
    auto* form = new QFormLayout(this);
    form->setContentsMargins(Theme::grid, Theme::grid, Theme::grid, Theme::grid);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    arguments_->setObjectName(QStringLiteral("programArguments"));
    folder_->setObjectName(QStringLiteral("programFolder"));
    input_->setObjectName(QStringLiteral("programInput"));
    arguments_->setPlaceholderText(tr("none"));
    arguments_->setToolTip(tr("What main() gets as argv[1] and so on. An argument with blanks stands in quotes."));
    folder_->setPlaceholderText(tr("the session's folder"));
    input_->setPlaceholderText(tr("typed in Output"));
    const auto withButton = [this](QLineEdit* edit, const QString& tip, void (ProgramPage::*choose)()) {
        auto* button = new QToolButton;
        button->setText(tr("…"));
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setProperty("framed", true);
        button->setFocusPolicy(Qt::StrongFocus);
        connect(button, &QToolButton::clicked, this, choose);
        auto* row = new QHBoxLayout;
        row->setSpacing(Theme::half);
        row->addWidget(edit, 1);
        row->addWidget(button);
        return row;
    };
    const auto label = [](const QString& text, QWidget* buddy) {
        auto* made = new QLabel(text);
        made->setBuddy(buddy);
        return made;
    };
    form->addRow(label(tr("Ar&guments"), arguments_), arguments_);
    form->addRow(label(tr("Working fol&der"), folder_),
                 withButton(folder_, tr("Choose the folder that the program runs in"), &ProgramPage::chooseFolder));
    form->addRow(label(tr("Standard &input"), input_),
                 withButton(input_, tr("Choose the file that the program reads"), &ProgramPage::chooseInput));
    options_->setWordWrap(true);
    auto* change = new QToolButton;
    change->setText(tr("Options…"));
    change->setToolTip(tr("Defines, language standard and other options of nvcc"));
    change->setProperty("framed", true);
    change->setFocusPolicy(Qt::StrongFocus);
    connect(change, &QToolButton::clicked, options, &QAction::trigger);
    auto* row = new QHBoxLayout;
    row->setSpacing(Theme::grid);
    row->addWidget(options_, 1);
    row->addWidget(change);
    form->addRow(label(tr("C&ompile"), change), row);
    auto* note =
        new QLabel(tr("A program is built by nvcc and runs as any other of your programs: nothing confines it."));
    note->setWordWrap(true);
    form->addRow(note);

    connect(arguments_, &QLineEdit::textEdited, this, [this](const QString& text) {
        this->change(tr("Change Arguments"), "program.arguments",
                     [&](session::Program& program) { program.arguments = splitArguments(text); });
    });
    connect(folder_, &QLineEdit::textEdited, this, [this](const QString& text) {
        this->change(tr("Change Working Folder"), "program.folder",
                     [&](session::Program& program) { program.folder = text.trimmed().toStdString(); });
    });
    connect(input_, &QLineEdit::textEdited, this, [this](const QString& text) {
        this->change(tr("Change Standard Input"), "program.input",
                     [&](session::Program& program) { program.input = text.trimmed().toStdString(); });
    });
    connect(&document_, &Document::sessionChanged, this, &ProgramPage::showSession);
    showSession();
}

void ProgramPage::change(const QString& what, const char* key, const std::function<void(session::Program&)>& change) {
    changing_ = true;
    document_.modify(
        what,
        [&](session::Session& session) {
            if (session.program) change(*session.program);
        },
        QLatin1String(key));
    changing_ = false;
}

void ProgramPage::showSession() {
    const auto& program = document_.session().program;
    if (!program) return;
    options_->setText(describeOptions(document_.session().compile));
    options_->setToolTip(options_->text());
    if (changing_) return;
    const auto show = [](QLineEdit* edit, const QString& text) {
        if (edit->text() != text) edit->setText(text);
    };
    show(arguments_, joinArguments(program->arguments));
    show(folder_, QString::fromStdString(program->folder));
    show(input_, QString::fromStdString(program->input));
}

void ProgramPage::chooseFolder() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Working Folder"), document_.folder());
    if (folder.isEmpty()) return;
    change(tr("Change Working Folder"), "",
           [&](session::Program& program) { program.folder = document_.pathInSession(folder).toStdString(); });
    showSession();
}

void ProgramPage::chooseInput() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Standard Input"), document_.folder());
    if (file.isEmpty()) return;
    change(tr("Change Standard Input"), "",
           [&](session::Program& program) { program.input = document_.pathInSession(file).toStdString(); });
    showSession();
}

} // namespace warplight::ui
