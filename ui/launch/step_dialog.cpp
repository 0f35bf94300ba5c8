// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/step_dialog.hpp"

#include "ui/common/theme.hpp"
#include "ui/launch/argument_text.hpp"
#include "ui/launch/launch_options_dialog.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

namespace warplight::ui {
namespace {

QString asText(const std::string& from) { return QString::fromStdString(from); }

template <class List>
QString joined(const List& list) {
    QStringList texts;
    for (const auto& each : list)
        if constexpr (std::is_same_v<std::decay_t<decltype(each)>, std::string>)
            texts << asText(each);
        else
            texts << QString::number(each);
    return texts.join(QStringLiteral(", "));
}

/// Up to three extents of 1 or more.
bool readExtents(const QString& from, std::vector<std::uint32_t>* extents) {
    const QStringList parts = splitExtents(from);
    extents->clear();
    for (const QString& part : parts) {
        bool ok = false;
        extents->push_back(part.toUInt(&ok));
        if (!ok || extents->back() == 0) return false;
    }
    if (extents->empty() || extents->size() > 3) return false;
    extents->resize(3, 1);
    return true;
}

QString countText(const std::optional<std::uint64_t>& count) { return count ? QString::number(*count) : QString(); }

QString argumentText(const session::StepArgument& argument) {
    if (!argument.name.empty()) return asText(argument.name);
    return argument.formula.empty() ? numberText(argument.value) : QStringLiteral("= %1").arg(asText(argument.formula));
}

/// "2." where the name is not known.
QString parameterName(const compiler::Kernel* kernel, std::size_t place) {
    const bool named = kernel && place < kernel->parameters.size() && !kernel->parameters[place].name.empty();
    return named ? asText(kernel->parameters[place].name) : StepDialog::tr("%1.").arg(place + 1);
}

/// Nothing for an empty field.
bool readCount(const QLineEdit* field, std::optional<std::uint64_t>* count) {
    const QString typed = field->text().trimmed();
    count->reset();
    if (typed.isEmpty()) return true;
    bool ok = false;
    *count = typed.toULongLong(&ok);
    return ok;
}

} // namespace

QStringList splitExtents(const QString& from) {
    QStringList parts;
    QString part;
    int depth = 0;
    const bool formulas = from.contains(QLatin1Char('('));
    for (const QChar c : from) {
        if (c == QLatin1Char('(')) ++depth;
        if (c == QLatin1Char(')')) --depth;
        const bool between =
            c == QLatin1Char(',') || c == QLatin1Char(';') || c == QChar(0xD7) ||
            (!formulas && c == QLatin1Char('x') && part.trimmed().size() > 0 && part.trimmed().back().isDigit());
        if (between && depth == 0) {
            parts << part.trimmed();
            part.clear();
        } else {
            part += c;
        }
    }
    if (!part.trimmed().isEmpty()) parts << part.trimmed();
    return parts;
}

StepDialog::StepDialog(const session::PipelineStep& step, const session::Session& session,
                       const std::vector<compiler::Kernel>& kernels, QWidget* parent)
    : FormDialog(parent), step_(step), kernels_(kernels) {
    for (const session::Argument& argument : session.arguments)
        if (argument.direction != session::Direction::scalar)
            arrays_ << asText(argument.name);
        else if (!argument.variable)
            scalars_ << asText(argument.name);
    auto* form = new QWidget;
    rows_ = new QFormLayout(form);
    note_ = new QLabel;
    note_->setWordWrap(true);
    buttons_ = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    std::visit([this](const auto& what) { build(what); }, step.what);
    setForm(form, buttons_, note_);
    connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    setMinimumWidth(460);
    check();
}

QLineEdit* StepDialog::addField(const QString& label, const QString& shown, const QString& help) {
    auto* field = new QLineEdit(shown);
    field->setToolTip(help);
    rows_->addRow(label, field);
    connect(field, &QLineEdit::textChanged, this, &StepDialog::check);
    return field;
}

QComboBox* StepDialog::addArrays(const QString& label, const std::string& chosen) {
    auto* box = new QComboBox;
    box->addItems(arrays_);
    if (!arrays_.contains(asText(chosen)) && !chosen.empty()) box->addItem(asText(chosen));
    box->setCurrentIndex(box->findText(asText(chosen)));
    rows_->addRow(label, box);
    connect(box, &QComboBox::currentTextChanged, this, &StepDialog::check);
    return box;
}

void StepDialog::build(const session::LaunchStep& launch) {
    setWindowTitle(tr("Launch a Kernel"));
    given_ = launch;
    kernelBox_ = new QComboBox;
    kernelBox_->setEditable(true);
    for (const compiler::Kernel& kernel : kernels_)
        if (!kernel.is_template) kernelBox_->addItem(asText(kernel.name));
    kernelBox_->setCurrentText(asText(launch.kernel));
    kernelBox_->setToolTip(tr("A kernel of the source, or an instance of a template, such as scale<float>"));
    rows_->addRow(tr("&Kernel"), kernelBox_);
    auto* parameters = new QWidget;
    parameterRows_ = new QFormLayout(parameters);
    parameterRows_->setContentsMargins(0, 0, 0, 0);
    rows_->addRow(tr("Arguments"), parameters);
    grid_ = addField(tr("&Grid"), launch.grid.empty() ? joined(launch.launch.grid) : joined(launch.grid),
                     tr("Blocks: numbers, or formulas of scalars and the block (bx, by, bz), such as "
                        "ceil(width/bx), ceil(height/by)"));
    block_ = addField(tr("&Block"), joined(launch.launch.block), tr("Threads of a block: x, y, z"));
    shared_ = addField(tr("&Shared"), QString::number(launch.launch.shared), tr("Dynamic shared memory, in bytes"));
    cooperative_ = new QCheckBox(tr("Coope&rative"));
    cooperative_->setChecked(launch.launch.cooperative);
    cooperative_->setToolTip(tr("All blocks are resident at once, so that the grid can wait for all of itself"));
    connect(cooperative_, &QCheckBox::toggled, this, &StepDialog::check);
    auto* options = new QToolButton;
    options->setProperty("framed", true);
    options->setText(tr("&More…"));
    options->setToolTip(tr("Clusters, preferences of the caches, priority"));
    options->setFocusPolicy(Qt::StrongFocus);
    auto* row = new QHBoxLayout;
    row->addWidget(cooperative_, 1);
    row->addWidget(options);
    rows_->addRow(QString(), row);
    connect(options, &QToolButton::clicked, this, [this] {
        auto& launch = std::get<session::LaunchStep>(step_.what);
        LaunchOptionsDialog dialog(launch.launch.options, this);
        if (dialog.exec() == QDialog::Accepted) launch.launch.options = dialog.options();
    });
    connect(kernelBox_, &QComboBox::currentTextChanged, this, [this] {
        listParameters();
        check();
        fitToContent();
    });
    listParameters();
}

const compiler::Kernel* StepDialog::kernelOf(const std::string& name) const {
    const auto found = std::ranges::find(kernels_, name, &compiler::Kernel::name);
    return found == kernels_.end() ? nullptr : &*found;
}

const compiler::Kernel* StepDialog::kernel() const {
    return kernelOf(kernelBox_->currentText().trimmed().toStdString());
}

QString StepDialog::givenText(const QString& name) const {
    if (const auto typed = typed_.find(name); typed != typed_.end()) return typed->second;
    const compiler::Kernel* original = kernelOf(given_.kernel);
    for (std::size_t i = 0; i < given_.arguments.size(); ++i)
        if (parameterName(original, i) == name) return argumentText(given_.arguments[i]);
    return {};
}

/// What was given for the parameter's name stays. In another kernel its kind has to fit; else it is an argument of the
/// parameter's name, or any that fits.
QString StepDialog::textFor(const compiler::Kernel* known, std::size_t place, int arraysBefore) const {
    const compiler::Kernel* original = kernelOf(given_.kernel);
    QString inPlace = givenText(parameterName(original, place));
    if (!known) return inPlace;
    const compiler::Parameter& parameter = known->parameters[place];
    QString name = parameterName(known, place), given = givenText(name);
    const std::string now = kernelBox_->currentText().trimmed().toStdString();
    // Instances of one template have the same parameters.
    const bool same = now.substr(0, now.find('<')) == given_.kernel.substr(0, given_.kernel.find('<'));
    if (same && !given.isEmpty()) return given;
    const auto fits = [&](const QString& each) {
        return !each.isEmpty() && arrays_.contains(each) == parameter.pointer;
    };
    if (fits(given)) return given;
    if (same && fits(inPlace)) return inPlace;
    if ((parameter.pointer ? arrays_ : scalars_).contains(name)) return name;
    // Only the order tells what the parameters of an unknown kernel were.
    if (!original && fits(inPlace)) return inPlace;
    return parameter.pointer && !arrays_.isEmpty() ? arrays_[std::min(arraysBefore, int(arrays_.size()) - 1)]
                                                   : QString();
}

void StepDialog::listParameters() {
    while (parameterRows_->rowCount() > 0)
        parameterRows_->removeRow(0);
    parameters_.clear();
    const compiler::Kernel* known = kernel();
    const compiler::Kernel* named = known ? known : kernelOf(given_.kernel);
    const std::size_t count = known ? known->parameters.size() : given_.arguments.size();
    int arraysUsed = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const compiler::Parameter* parameter = known ? &known->parameters[i] : nullptr;
        auto* box = new QComboBox;
        box->setEditable(!parameter || !parameter->pointer);
        if (!parameter || parameter->pointer) box->addItems(arrays_);
        if (!parameter || !parameter->pointer) box->addItems(scalars_);
        const QString given = textFor(known, i, arraysUsed);
        const QString label = parameterName(known, i);
        if (parameter && parameter->pointer) ++arraysUsed;
        if (box->isEditable()) {
            box->setCurrentText(given);
            box->setToolTip(tr("The name of a scalar, a number, or a formula of scalars and the round: = 2*round"));
        } else {
            if (box->findText(given) < 0 && !given.isEmpty()) box->addItem(given);
            box->setCurrentIndex(box->findText(given));
        }
        box->setAccessibleName(tr("Argument %1").arg(label));
        parameterRows_->addRow(parameter ? QStringLiteral("%1 %2").arg(asText(parameter->type), label) : label, box);
        connect(box, &QComboBox::currentTextChanged, this,
                [this, name = parameterName(named, i)](const QString& typed) {
                    typed_[name] = typed;
                    check();
                });
        parameters_.push_back(box);
    }
    if (!count) parameterRows_->addRow(new QLabel(tr("The kernel has none.")));
}

void StepDialog::build(const session::CopyStep& copy) {
    setWindowTitle(tr("Copy an Array"));
    first_ = addArrays(tr("&From"), copy.from);
    start_ = addField(tr("From &element"), QString::number(copy.from_start), tr("Elements to skip, in C order"));
    second_ = addArrays(tr("&To"), copy.to);
    toStart_ = addField(tr("To e&lement"), QString::number(copy.to_start), tr("Elements to skip, in C order"));
    count_ = addField(tr("Co&unt"), countText(copy.count), tr("Of elements; all where it is empty"));
    count_->setPlaceholderText(tr("all"));
}

void StepDialog::build(const session::FillStep& fill) {
    setWindowTitle(tr("Fill an Array"));
    first_ = addArrays(tr("&Array"), fill.buffer);
    value_ = addField(tr("&Value"), numberText(fill.value), tr("A number, nan, inf or -inf"));
    start_ = addField(tr("From &element"), QString::number(fill.range.start), tr("Elements to skip, in C order"));
    count_ = addField(tr("Co&unt"), countText(fill.range.count), tr("Of elements; all where it is empty"));
    count_->setPlaceholderText(tr("all"));
}

void StepDialog::build(const session::SwapStep& swap) {
    setWindowTitle(tr("Swap Two Arrays"));
    first_ = addArrays(tr("&First"), swap.first);
    second_ = addArrays(tr("&Second"), swap.second);
}

void StepDialog::build(const session::LoopStep& loop) {
    setWindowTitle(tr("Loop"));
    kind_ = new QComboBox;
    kind_->addItems({tr("A number of rounds"), tr("Until a condition holds")});
    kind_->setCurrentIndex(loop.until.empty() ? 0 : 1);
    rows_->addRow(tr("E&nds behind"), kind_);
    times_ = addField(tr("&Rounds"), QString::number(loop.times), tr("How often the steps are done"));
    until_ = addField(tr("&Until"), asText(loop.until),
                      tr("A formula of scalars, elements of arrays, and round: error[0] < 1e-6"));
    every_ = addField(tr("As&ked every"), QString::number(loop.every), tr("Rounds between two looks at the condition"));
    atMost_ = addField(tr("At &most"), QString::number(loop.at_most), tr("Rounds, where the condition never holds"));
    const auto enable = [this] {
        const bool until = kind_->currentIndex() == 1;
        times_->setEnabled(!until);
        for (QLineEdit* each : {until_, every_, atMost_})
            each->setEnabled(until);
        check();
    };
    connect(kind_, &QComboBox::currentIndexChanged, this, enable);
    times_->setEnabled(loop.until.empty());
    for (QLineEdit* each : {until_, every_, atMost_})
        each->setEnabled(!loop.until.empty());
}

QString StepDialog::readArgument(std::size_t place, session::StepArgument& argument) const {
    const QString typed = parameters_[place]->currentText().trimmed();
    const compiler::Kernel* known = kernel();
    const compiler::Parameter* parameter = known ? &known->parameters[place] : nullptr;
    const QString label = parameter ? asText(parameter->name) : QString::number(place + 1);
    argument = {};
    if (typed.isEmpty()) return tr("The argument %1 is missing.").arg(label);
    if (arrays_.contains(typed) || scalars_.contains(typed)) {
        argument.name = typed.toStdString();
        return {};
    }
    const session::StepArgument* given = place < given_.arguments.size() ? &given_.arguments[place] : nullptr;
    if (given && !given->name.empty()) given = nullptr;
    const std::string type = parameter ? session::scalar_type_for(parameter->dtype, parameter->components)
                             : given   ? given->type
                                       : std::string("f32");
    if (session::dtype_of_type(type).empty())
        return tr("%1 is no argument of the session, and %2 takes no plain number.").arg(typed, label);
    argument.type = type;
    if (const auto formula = formulaIn(typed)) {
        argument.formula = formula->trimmed().toStdString();
        return argument.formula.empty() ? tr("The formula of %1 is missing.").arg(label) : QString();
    }
    std::optional<session::Number> shown;
    if (given && given->formula.empty() && given->type == type) shown = given->value;
    if (!readNumber(typed, shown, &argument.value))
        return tr("\"%1\" is no argument of the session, no number, and no formula, which begins with =.").arg(typed);
    try {
        (void)session::pack_scalar(type, argument.value);
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

QString StepDialog::readLaunch(session::LaunchStep& launch) {
    launch.kernel = kernelBox_->currentText().trimmed().toStdString();
    if (launch.kernel.empty()) return tr("Choose a kernel.");
    launch.arguments.resize(parameters_.size());
    for (std::size_t i = 0; i < parameters_.size(); ++i)
        if (const QString wrong = readArgument(i, launch.arguments[i]); !wrong.isEmpty()) return wrong;
    if (!readExtents(block_->text(), &launch.launch.block))
        return tr("A block is one to three numbers of 1 or more: 256, or 32, 8.");
    const QStringList grid = splitExtents(grid_->text());
    if (grid.isEmpty() || grid.size() > 3) return tr("A grid is one to three numbers or formulas.");
    launch.grid.clear();
    if (!readExtents(grid_->text(), &launch.launch.grid)) {
        launch.launch.grid = {1, 1, 1};
        for (const QString& each : grid)
            launch.grid.push_back(each.toStdString());
    }
    bool ok = false;
    launch.launch.shared = shared_->text().trimmed().toUInt(&ok);
    if (!ok) return tr("Shared memory is a whole number of bytes.");
    launch.launch.cooperative = cooperative_->isChecked();
    return {};
}

QString StepDialog::read() {
    const auto whole = [](const QLineEdit* field, std::uint64_t least, std::uint64_t* number) {
        bool ok = false;
        *number = field->text().trimmed().toULongLong(&ok);
        return ok && *number >= least && *number <= 1'000'000'000;
    };
    QString elements = tr("Elements are whole numbers from 0 on.");
    if (auto* launch = std::get_if<session::LaunchStep>(&step_.what)) return readLaunch(*launch);
    if (first_ && first_->currentIndex() < 0) return tr("Choose an array. Arrays are arguments of the session.");
    if (second_ && second_->currentIndex() < 0) return tr("Choose two arrays.");
    if (auto* copy = std::get_if<session::CopyStep>(&step_.what)) {
        std::optional<std::uint64_t> from, to;
        if (!readCount(start_, &from) || !readCount(toStart_, &to) || !readCount(count_, &copy->count)) return elements;
        copy->from = first_->currentText().toStdString();
        copy->to = second_->currentText().toStdString();
        copy->from_start = from.value_or(0);
        copy->to_start = to.value_or(0);
    } else if (auto* fill = std::get_if<session::FillStep>(&step_.what)) {
        std::optional<std::uint64_t> start;
        if (!readCount(start_, &start) || !readCount(count_, &fill->range.count)) return elements;
        if (!readNumber(value_->text(), &fill->value)) return tr("The value is a number, nan, inf or -inf.");
        fill->buffer = first_->currentText().toStdString();
        fill->range.start = start.value_or(0);
    } else if (auto* swap = std::get_if<session::SwapStep>(&step_.what)) {
        *swap = {first_->currentText().toStdString(), second_->currentText().toStdString()};
        if (swap->first == swap->second) return tr("Choose two different arrays.");
    } else if (auto* loop = std::get_if<session::LoopStep>(&step_.what)) {
        const bool until = kind_->currentIndex() == 1;
        QString rounds = tr("Rounds are a whole number, at most a thousand million.");
        loop->until = until ? until_->text().trimmed().toStdString() : std::string();
        if (!until) return whole(times_, 0, &loop->times) ? QString() : rounds;
        if (loop->until.empty()) return tr("Write a condition, such as error[0] < 1e-6.");
        if (!whole(every_, 1, &loop->every) || !whole(atMost_, 1, &loop->at_most)) return rounds;
    }
    return {};
}

void StepDialog::check() {
    said_ = read();
    note_->setText(said_.isEmpty() ? QString() : QStringLiteral("⚠ ") + said_);
    note_->setVisible(!said_.isEmpty());
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(said_.isEmpty());
}

} // namespace warplight::ui
