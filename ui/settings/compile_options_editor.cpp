// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/compile_options_editor.hpp"

#include "ui/common/number_box.hpp"
#include "ui/common/theme.hpp"
#include "ui/settings/option_form.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {

namespace {

constexpr quint64 mostRegisters = 255;

} // namespace

CompileOptionsEditor::CompileOptionsEditor(const session::CompileOptions& options, QWidget* parent)
    : QWidget(parent), original_(options), form_(new OptionForm), compiler_(new QComboBox), standard_(new QComboBox),
      defines_(new QLineEdit), others_(new QLineEdit), registers_(new NumberBox(tr("Most registers a thread"))),
      fastMath_(new QCheckBox(tr("Fast &math"))), lineInfo_(new QCheckBox(tr("Source &lines in the code"))),
      problem_(new QLabel) {
    const CompileChoices choices = CompileChoices::of(options);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Theme::grid);
    column->addLayout(form_);
    column->addWidget(problem_);
    column->addStretch(1);
    compiler_->addItem(tr("NVRTC (in the worker, fast)"), QStringLiteral("nvrtc"));
    compiler_->addItem(tr("nvcc (the toolkit's program)"), QStringLiteral("nvcc"));
    compiler_->setCurrentIndex(std::max(0, compiler_->findData(QString::fromStdString(options.compiler))));
    standard_->addItem(tr("The compiler's own"), QString());
    for (const char* each : {"c++11", "c++14", "c++17", "c++20"})
        standard_->addItem(QStringLiteral("C") + QLatin1String(each + 1), QLatin1String(each));
    if (standard_->findData(choices.standard) < 0) standard_->addItem(choices.standard, choices.standard);
    standard_->setCurrentIndex(standard_->findData(choices.standard));
    defines_->setText(joinWords(choices.defines));
    defines_->setPlaceholderText(QStringLiteral("N=4 DEBUG"));
    defines_->setToolTip(tr("Macros between spaces, each as with -D. A value with spaces goes into quotes."));
    registers_->setNumber(quint64(choices.maxRegisters));
    registers_->setSpecialValueText(tr("no limit"));
    registers_->setLimit(mostRegisters);
    registers_->setHelp(tr("Fewer registers let more warps be resident; values that find no register go to local "
                           "memory (--maxrregcount)."));
    fastMath_->setChecked(choices.fastMath);
    fastMath_->setToolTip(tr("Quick approximations of division, square root and functions such as sinf; denormals "
                             "become 0 (--use_fast_math)."));
    lineInfo_->setChecked(choices.lineInfo);
    lineInfo_->setToolTip(tr("PTX and faults know the line of the source (-lineinfo). It does not make code slower."));
    others_->setText(joinWords(choices.others));
    others_->setPlaceholderText(QStringLiteral("--fmad=false -I include"));
    others_->setToolTip(tr("Any other options of the compiler that a session may have, between spaces"));
    problem_->setWordWrap(true);
    problem_->hide();
    form_->addOption(tr("Com&piler"), compiler_);
    form_->addOption(tr("Language &standard"), standard_);
    form_->addOption(tr("&Defines"), defines_);
    form_->addOption(tr("Most &registers"), registers_);
    form_->addOption(QString(), fastMath_);
    form_->addOption(QString(), lineInfo_);
    form_->addOption(tr("F&urther options"), others_);
    for (QLineEdit* edit : {defines_, others_})
        connect(edit, &QLineEdit::textChanged, this, &CompileOptionsEditor::check);
    for (QComboBox* box : {compiler_, standard_})
        connect(box, &QComboBox::currentIndexChanged, this, &CompileOptionsEditor::check);
    for (QCheckBox* box : {fastMath_, lineInfo_})
        connect(box, &QCheckBox::toggled, this, &CompileOptionsEditor::check);
    connect(registers_, &NumberBox::edited, this, &CompileOptionsEditor::check);
    check();
}

session::CompileOptions CompileOptionsEditor::options() const {
    CompileChoices choices;
    for (QString define : splitWords(defines_->text())) {
        if (define.startsWith(QLatin1String("-D"))) define.remove(0, 2); // as on a command line
        if (!define.isEmpty()) choices.defines << define;
    }
    choices.standard = standard_->currentData().toString();
    // More than a thread can have is a problem, and never taken.
    choices.maxRegisters = int(std::min<quint64>(registers_->number(), mostRegisters + 1));
    choices.fastMath = fastMath_->isChecked();
    choices.lineInfo = lineInfo_->isChecked();
    choices.others = splitWords(others_->text());
    session::CompileOptions options = original_;
    options.compiler = compiler_->currentData().toString().toStdString();
    return choices.in(std::move(options));
}

QString CompileOptionsEditor::problem() const {
    const QString problem = optionsProblem(options());
    return problem.isEmpty() ? registersProblem() : problem;
}

QString CompileOptionsEditor::registersProblem() const {
    return registers_->number() > mostRegisters ? tr("A thread has at most %1 registers.").arg(mostRegisters)
                                                : QString();
}

void CompileOptionsEditor::check() {
    registers_->setProblem(registersProblem());
    const QString text = problem();
    problem_->setText(text.isEmpty() ? text : QStringLiteral("⚠ ") + text);
    problem_->setVisible(!text.isEmpty());
    emit changed();
}

CompileOptionsDialog::CompileOptionsDialog(const session::CompileOptions& options, QWidget* parent)
    : FormDialog(parent), editor_(new CompileOptionsEditor(options)) {
    setWindowTitle(tr("Compile Options of the Session"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    setForm(editor_, buttons);
    // Options that the run would refuse are mended here.
    const auto check = [this, ok = buttons->button(QDialogButtonBox::Ok)] {
        ok->setEnabled(editor_->problem().isEmpty());
    };
    connect(editor_, &CompileOptionsEditor::changed, this, check);
    check();
    setMinimumWidth(480);
}

} // namespace warplight::ui
