// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_row.hpp"

#include "ui/common/icons.hpp"
#include "ui/common/theme.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <utility>

namespace warplight::ui {
namespace {

/// Whose the value is.
enum class Whose { Session, Launch, Loop, OwnLaunch, Pipeline };

/// What a row may name: as sessions have it, in words, and an example of its values and of its formulas.
struct Choice {
    const char *name, *title, *values, *formulas;
    Whose whose = Whose::Session;
};
constexpr Choice choices[] = {
    {"block", QT_TRANSLATE_NOOP("SweepRow", "Block"), "64, 128, 32x8", "32, 8", Whose::Launch},
    {"grid", QT_TRANSLATE_NOOP("SweepRow", "Grid"), "64, 128, 16x16", "ceil(n/bx)", Whose::Launch},
    {"bx", QT_TRANSLATE_NOOP("SweepRow", "Block x"), "32..1024*2", nullptr, Whose::Launch},
    {"by", QT_TRANSLATE_NOOP("SweepRow", "Block y"), "1..8", nullptr, Whose::Launch},
    {"bz", QT_TRANSLATE_NOOP("SweepRow", "Block z"), "1, 2, 4", nullptr, Whose::Launch},
    {"gx", QT_TRANSLATE_NOOP("SweepRow", "Grid x"), "16..128+16", nullptr, Whose::Launch},
    {"gy", QT_TRANSLATE_NOOP("SweepRow", "Grid y"), "1, 2, 4", nullptr, Whose::Launch},
    {"gz", QT_TRANSLATE_NOOP("SweepRow", "Grid z"), "1, 2, 4", nullptr, Whose::Launch},
    {"shared", QT_TRANSLATE_NOOP("SweepRow", "Shared memory"), "0..8192+1024", "4*threads", Whose::Launch},
    {"cluster", QT_TRANSLATE_NOOP("SweepRow", "Cluster"), ", 2, 2x2", nullptr, Whose::Launch},
    {"cooperative", QT_TRANSLATE_NOOP("SweepRow", "Cooperative"), "false, true", nullptr, Whose::Launch},
    {"carveout", QT_TRANSLATE_NOOP("SweepRow", "Carve-out"), ", 25, 50, 100", nullptr, Whose::Launch},
    {"cache", QT_TRANSLATE_NOOP("SweepRow", "Cache preference"), ", shared, l1, equal", nullptr, Whose::Launch},
    {"priority", QT_TRANSLATE_NOOP("SweepRow", "Priority"), "-1, 0", nullptr},
    {"times", QT_TRANSLATE_NOOP("SweepRow", "Rounds of a loop"), "100, 200", "2*n", Whose::Loop},
    {"every", QT_TRANSLATE_NOOP("SweepRow", "Rounds between questions"), "1, 8, 64", "n/8", Whose::Loop},
    {"at_most", QT_TRANSLATE_NOOP("SweepRow", "Most rounds"), "100, 1000", "2*n", Whose::Loop},
    {"value:", QT_TRANSLATE_NOOP("SweepRow", "Value of a launch"), "0.1, 0.2", nullptr, Whose::OwnLaunch},
    {"l2", QT_TRANSLATE_NOOP("SweepRow", "L2 cache"), "warm, cold", nullptr},
    {"run_as", QT_TRANSLATE_NOOP("SweepRow", "Run as"), "launches, graph", nullptr, Whose::Pipeline},
    {"define:", QT_TRANSLATE_NOOP("SweepRow", "Macro"), "8, 16, 32", nullptr},
    {"option", QT_TRANSLATE_NOOP("SweepRow", "Compile option"), ", --use_fast_math", nullptr},
    {"kernel", QT_TRANSLATE_NOOP("SweepRow", "Kernel, template"), "scale<float>, scale<double>", nullptr,
     Whose::Launch},
    {"template:", QT_TRANSLATE_NOOP("SweepRow", "Template argument"), "8, 16, 32", nullptr, Whose::Launch},
    {"argument:", QT_TRANSLATE_NOOP("SweepRow", "Scalar"), "1000..5000+1000", "2*n"},
    {"shape:", QT_TRANSLATE_NOOP("SweepRow", "Data size"), "1024, 4096, 256x256", "n, n"},
    {"device", QT_TRANSLATE_NOOP("SweepRow", "Device"), "software, cuda", nullptr},
    {"arch", QT_TRANSLATE_NOOP("SweepRow", "Architecture"), "sm_80, sm_90", nullptr},
    {"compiler", QT_TRANSLATE_NOOP("SweepRow", "Compiler"), "nvrtc, nvcc", nullptr},
};

const Choice* choiceOf(const QString& name) {
    const auto* found = std::find_if(std::begin(choices), std::end(choices),
                                     [&](const Choice& each) { return name == QLatin1String(each.name); });
    return found == std::end(choices) ? nullptr : found;
}

bool isNumbered(const QString& kind) { return kind == QLatin1String("template:") || kind == QLatin1String("value:"); }

} // namespace

SweepRow::SweepRow(Kind kind, Theme& theme, QWidget* parent)
    : QWidget(parent), theme_(theme), step_(new QComboBox), kind_(new QComboBox), subject_(new QComboBox),
      text_(new QLineEdit), remove_(new QToolButton), problem_(new QLabel), axis_(kind == Kind::Axis) {
    const bool axis = axis_;
    fitKinds();
    step_->setAccessibleName(tr("Step"));
    step_->setToolTip(tr("The step of the pipeline"));
    step_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    step_->setMinimumContentsLength(5);
    step_->hide();
    // The longest name must not take the room of the values.
    constexpr int kindLetters = 12, valueLetters = 14;
    kind_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    kind_->setMinimumContentsLength(kindLetters);
    text_->setMinimumWidth(valueLetters * text_->fontMetrics().averageCharWidth());
    kind_->setAccessibleName(axis ? tr("What is varied") : tr("What follows"));
    subject_->setAccessibleName(tr("Name"));
    subject_->setEditable(true);
    subject_->setInsertPolicy(QComboBox::NoInsert);
    subject_->setMinimumContentsLength(4);
    text_->setAccessibleName(axis ? tr("Values") : tr("Formulas"));
    text_->setToolTip(axis
                          ? tr("Values between commas. A range is 1..8, 64..512+64 or 32..1024*2. A value in quotation "
                               "marks may have commas.")
                          : tr("A formula for each axis, between commas. bx, by, bz are the block, gx, gy, gz the "
                               "grid, threads is the product of the block; scalars and macros have their names."));
    remove_->setIcon(icon(QStringLiteral("close")));
    remove_->setToolTip(tr("Remove"));
    remove_->setAccessibleName(tr("Remove"));
    remove_->setFocusPolicy(Qt::StrongFocus);
    problem_->setWordWrap(true);
    problem_->hide();
    auto* fields = new QHBoxLayout;
    fields->setSpacing(Theme::half);
    fields->addWidget(kind_);
    fields->addWidget(step_);
    fields->addWidget(subject_);
    fields->addWidget(text_, 1);
    fields->addWidget(remove_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Theme::half);
    column->addLayout(fields);
    column->addWidget(problem_);

    const auto tell = [this] {
        if (!setting_) emit edited();
    };
    connect(kind_, &QComboBox::currentIndexChanged, this, [this, tell] {
        fitSteps(false);
        fitSubject(false);
        tell();
    });
    connect(step_, &QComboBox::currentIndexChanged, this, tell);
    connect(subject_, &QComboBox::currentTextChanged, this, tell);
    connect(text_, &QLineEdit::textChanged, this, tell);
    connect(remove_, &QToolButton::clicked, this, &SweepRow::removeRequested);
    connect(&theme_, &Theme::themeChanged, this, &SweepRow::restyle);
    fitSubject(false);
    restyle();
}

QString SweepRow::prefix() const { return kind_->currentData().toString(); }

std::string SweepRow::name() const {
    QString name = prefix();
    if (name.endsWith(QLatin1Char(':'))) name += subject_->currentText().trimmed();
    if (!step_->isHidden()) name = QStringLiteral("step:%1.%2").arg(step_->currentData().toString(), name);
    return name.toStdString();
}

QString SweepRow::text() const { return text_->text(); }

void SweepRow::set(const std::string& name, const QString& text) {
    setting_ = true;
    QString whole = QString::fromStdString(name), step;
    if (whole.startsWith(QLatin1String("step:"))) {
        const qsizetype dot = whole.lastIndexOf(QLatin1Char('.'));
        step = whole.mid(5, dot - 5);
        whole = whole.mid(dot + 1);
    }
    const qsizetype colon = whole.indexOf(QLatin1Char(':')) + 1;
    const QString kind = colon ? whole.left(colon) : whole;
    if (kind_->findData(kind) < 0) // of a session with a pipeline, or of one without
        if (const Choice* choice = choiceOf(kind))
            kind_->addItem(QCoreApplication::translate("SweepRow", choice->title), kind);
    kind_->setCurrentIndex(std::max(0, kind_->findData(kind)));
    if (!step.isEmpty()) {
        if (step_->findData(step) < 0) step_->addItem(step, step);
        step_->setCurrentIndex(step_->findData(step));
        step_->show();
    }
    if (colon) subject_->setCurrentText(whole.mid(colon));
    text_->setText(text);
    text_->setCursorPosition(0);
    setting_ = false;
}

void SweepRow::setSteps(bool isPipeline, const QList<SweepStep>& steps) {
    if (isPipeline == isPipeline_ && steps == steps_) return;
    const bool other = isPipeline != isPipeline_;
    isPipeline_ = isPipeline;
    steps_ = steps;
    if (other) fitKinds();
    fitSteps(true);
}

/// Those that the session can have; the one that is there stays in any case.
void SweepRow::fitKinds() {
    const QSignalBlocker blocker(kind_); // step and subject stay
    const QString now = prefix();
    kind_->clear();
    for (const Choice& choice : choices) {
        const bool isThere = now == QLatin1String(choice.name);
        const bool fits = choice.whose == Whose::Session || choice.whose == Whose::Launch || isPipeline_;
        if ((axis_ || choice.formulas) && (fits || isThere))
            kind_->addItem(QCoreApplication::translate("SweepRow", choice.title), QLatin1String(choice.name));
    }
    kind_->setCurrentIndex(std::max(0, kind_->findData(now)));
}

void SweepRow::fitSteps(bool keep) {
    const bool was = std::exchange(setting_, true);
    const Choice* choice = choiceOf(prefix());
    const QString now = step_->currentData().toString();
    const bool ofLoop = choice && choice->whose == Whose::Loop;
    const bool ofStep = choice && choice->whose != Whose::Session && choice->whose != Whose::Pipeline;
    step_->clear();
    for (const SweepStep& each : steps_)
        if (each.isLoop == ofLoop) step_->addItem(each.title, each.name);
    if (keep && !now.isEmpty() && step_->findData(now) < 0) step_->addItem(now, now); // it is marked
    step_->setCurrentIndex(std::max(0, step_->findData(now)));
    // Without a pipeline the step stays too, and is marked.
    step_->setVisible(ofStep && (isPipeline_ || (keep && !now.isEmpty())));
    setting_ = was;
}

void SweepRow::setArguments(const QStringList& scalars, const QStringList& arrays) {
    if (scalars == scalars_ && arrays == arrays_) return;
    scalars_ = scalars;
    arrays_ = arrays;
    fitSubject(true); // an argument that is gone stays, and is marked
}

void SweepRow::fitSubject(bool keep) {
    const QString kind = prefix();
    const bool was = std::exchange(setting_, true);
    const QStringList names = kind == QLatin1String("argument:") ? scalars_
                              : kind == QLatin1String("shape:")  ? arrays_
                                                                 : QStringList();
    const QString kept = subject_->currentText();
    subject_->clear();
    subject_->addItems(names);
    const bool stays = !kept.isEmpty() && (keep || names.isEmpty() || names.contains(kept));
    subject_->setCurrentText(stays ? kept : isNumbered(kind) ? QStringLiteral("1") : names.value(0));
    subject_->setVisible(kind.endsWith(QLatin1Char(':')));
    subject_->lineEdit()->setPlaceholderText(kind == QLatin1String("define:") ? QStringLiteral("TILE")
                                             : isNumbered(kind)               ? QStringLiteral("1")
                                                                              : tr("name"));
    if (const Choice* choice = choiceOf(kind))
        text_->setPlaceholderText(QLatin1String(axis_ ? choice->values : choice->formulas));
    setting_ = was;
}

void SweepRow::setProblem(const QString& problem) {
    problem_->setText(problem.isEmpty() ? QString() : QStringLiteral("⚠ ") + problem);
    problem_->setVisible(!problem.isEmpty());
    if (text_->property("invalid").toBool() == !problem.isEmpty()) return;
    text_->setProperty("invalid", !problem.isEmpty());
    text_->style()->unpolish(text_);
    text_->style()->polish(text_);
}

QString SweepRow::problem() const { return problem_->text().mid(2); }

void SweepRow::restyle() {
    text_->setFont(theme_.monospace());
    QPalette palette = problem_->palette();
    palette.setColor(QPalette::WindowText, theme_.colours().error);
    problem_->setPalette(palette);
}

} // namespace warplight::ui
