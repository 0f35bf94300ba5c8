// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_row.hpp"

#include "ui/common/icons.hpp"
#include "ui/common/theme.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <utility>

namespace warplight::ui {
namespace {

/// What a row may name: as sessions have it, in words, and an example of its values and of its formulas.
struct Choice {
    const char *name, *title, *values, *formulas;
};
constexpr Choice choices[] = {
    {"block", QT_TRANSLATE_NOOP("SweepRow", "Block"), "64, 128, 32x8", "32, 8"},
    {"grid", QT_TRANSLATE_NOOP("SweepRow", "Grid"), "64, 128, 16x16", "ceil(n/bx)"},
    {"bx", QT_TRANSLATE_NOOP("SweepRow", "Block x"), "32..1024*2", nullptr},
    {"by", QT_TRANSLATE_NOOP("SweepRow", "Block y"), "1..8", nullptr},
    {"bz", QT_TRANSLATE_NOOP("SweepRow", "Block z"), "1, 2, 4", nullptr},
    {"gx", QT_TRANSLATE_NOOP("SweepRow", "Grid x"), "16..128+16", nullptr},
    {"gy", QT_TRANSLATE_NOOP("SweepRow", "Grid y"), "1, 2, 4", nullptr},
    {"gz", QT_TRANSLATE_NOOP("SweepRow", "Grid z"), "1, 2, 4", nullptr},
    {"shared", QT_TRANSLATE_NOOP("SweepRow", "Shared memory"), "0..8192+1024", "4*threads"},
    {"define:", QT_TRANSLATE_NOOP("SweepRow", "Macro"), "8, 16, 32", nullptr},
    {"option", QT_TRANSLATE_NOOP("SweepRow", "Compile option"), ", --use_fast_math", nullptr},
    {"kernel", QT_TRANSLATE_NOOP("SweepRow", "Kernel, template"), "scale<float>, scale<double>", nullptr},
    {"argument:", QT_TRANSLATE_NOOP("SweepRow", "Scalar"), "1000..5000+1000", "2*n"},
    {"shape:", QT_TRANSLATE_NOOP("SweepRow", "Data size"), "1024, 4096, 256x256", "n, n"},
    {"device", QT_TRANSLATE_NOOP("SweepRow", "Device"), "software, cuda", nullptr},
    {"arch", QT_TRANSLATE_NOOP("SweepRow", "Architecture"), "sm_80, sm_90", nullptr},
    {"compiler", QT_TRANSLATE_NOOP("SweepRow", "Compiler"), "nvrtc, nvcc", nullptr},
};

} // namespace

SweepRow::SweepRow(Kind kind, Theme& theme, QWidget* parent)
    : QWidget(parent), theme_(theme), kind_(new QComboBox), subject_(new QComboBox), text_(new QLineEdit),
      remove_(new QToolButton), problem_(new QLabel) {
    const bool axis = kind == Kind::Axis;
    for (const Choice& choice : choices)
        if (axis || choice.formulas)
            kind_->addItem(QCoreApplication::translate("SweepRow", choice.title), QLatin1String(choice.name));
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
        fitSubject(false);
        tell();
    });
    connect(subject_, &QComboBox::currentTextChanged, this, tell);
    connect(text_, &QLineEdit::textChanged, this, tell);
    connect(remove_, &QToolButton::clicked, this, &SweepRow::removeRequested);
    connect(&theme_, &Theme::themeChanged, this, &SweepRow::restyle);
    fitSubject(false);
    restyle();
}

QString SweepRow::prefix() const { return kind_->currentData().toString(); }

std::string SweepRow::name() const {
    const QString name = prefix();
    return (name.endsWith(QLatin1Char(':')) ? name + subject_->currentText().trimmed() : name).toStdString();
}

QString SweepRow::text() const { return text_->text(); }

void SweepRow::set(const std::string& name, const QString& text) {
    setting_ = true;
    const QString whole = QString::fromStdString(name);
    const qsizetype colon = whole.indexOf(QLatin1Char(':')) + 1;
    kind_->setCurrentIndex(std::max(0, kind_->findData(colon ? whole.left(colon) : whole)));
    if (colon) subject_->setCurrentText(whole.mid(colon));
    text_->setText(text);
    text_->setCursorPosition(0);
    setting_ = false;
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
    subject_->setCurrentText(stays ? kept : names.value(0));
    subject_->setVisible(kind.endsWith(QLatin1Char(':')));
    subject_->lineEdit()->setPlaceholderText(kind == QLatin1String("define:") ? QStringLiteral("TILE") : tr("name"));
    const auto choice = std::find_if(std::begin(choices), std::end(choices),
                                     [&](const Choice& each) { return kind == QLatin1String(each.name); });
    const bool axis = kind_->count() == int(std::size(choices));
    text_->setPlaceholderText(QLatin1String(axis ? choice->values : choice->formulas));
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
