// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/argument_dialog.hpp"

#include "session/data_source.hpp"
#include "session/struct_value.hpp"
#include "ui/common/agreements.hpp"
#include "ui/common/data_files.hpp"
#include "ui/common/format.hpp"
#include "ui/common/theme.hpp"
#include "ui/common/workbench.hpp"
#include "ui/launch/argument_formula.hpp"
#include "ui/launch/argument_text.hpp"
#include "ui/launch/file_heads.hpp"
#include "ui/launch/form_fields.hpp"
#include "ui/launch/member_box.hpp"
#include "ui/launch/result_rows.hpp"
#include "ui/launch/texture_rows.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <utility>

namespace warplight::ui {

namespace {

const QStringList dtypes{QStringLiteral("int8"),    QStringLiteral("int16"),   QStringLiteral("int32"),
                         QStringLiteral("int64"),   QStringLiteral("uint8"),   QStringLiteral("uint16"),
                         QStringLiteral("uint32"),  QStringLiteral("uint64"),  QStringLiteral("float16"),
                         QStringLiteral("float32"), QStringLiteral("float64"), QStringLiteral("struct")};

} // namespace

ArgumentDialog::ArgumentDialog(const session::Argument& argument, const QStringList& arrays, Workbench& workbench,
                               QWidget* parent)
    : FormDialog(parent), argument_(argument), workbench_(workbench), document_(workbench.document()),
      problem_(new QLabel(this)) {
    setWindowTitle(tr("Argument %1").arg(QString::fromStdString(argument.name)));
    problem_->setWordWrap(true);
    problem_->hide();
    auto* fields = new QWidget;
    form_ = new QFormLayout(fields);
    form_->setContentsMargins(0, 0, 0, 0);
    form_->setHorizontalSpacing(2 * Theme::grid);
    form_->setVerticalSpacing(Theme::grid);
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    if (argument.direction == session::Direction::scalar)
        buildScalar(form_, arrays);
    else
        buildArray(form_);
    setForm(fields, new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel), problem_);
    setMinimumWidth(460);
}

void ArgumentDialog::buildScalar(QFormLayout* form, const QStringList& arrays) {
    type_ = new QComboBox;
    for (const std::string& each : session::names_of_scalar_types())
        type_->addItem(QString::fromStdString(each));
    const QString type = QString::fromStdString(argument_.type);
    type_->addItem(QString::fromUtf8(session::struct_type.data(), qsizetype(session::struct_type.size())));
    if (type_->findText(type) < 0) type_->addItem(type);
    type_->setCurrentText(type);
    value_ = numberField();
    sizeOf_ = new QCheckBox(tr("the size of a buffer"));
    array_ = new QComboBox;
    array_->addItems(arrays);
    axis_ = numberField(tr("all elements; or an axis: 0, 1, …"));
    form->addRow(tr("&Type"), type_);
    form->addRow(tr("&Value"), value_);
    form->addRow(QString(), sizeOf_);
    form->addRow(tr("&Buffer"), array_);
    form->addRow(tr("&Axis"), axis_);
    if (const auto* size = std::get_if<session::SizeOf>(&argument_.value)) {
        sizeOf_->setChecked(true);
        array_->setCurrentText(QString::fromStdString(size->argument));
        if (size->axis) axis_->setText(QString::number(*size->axis));
    } else {
        value_->setText(valueText(argument_.type, argument_.value));
    }
    const auto showType = [this] {
        const auto chosen = session::scalar_type(type_->currentText().toStdString());
        value_->setPlaceholderText(!chosen                  ? tr("{\"x\": 1, \"v\": [1, 2]}, or the bytes: 0x…")
                                   : chosen->components > 1 ? tr("%n numbers: 1, 2, …", nullptr, chosen->components)
                                   : chosen->component == "bool" ? tr("true or false")
                                                                 : tr("a number; 0x… is hexadecimal"));
    };
    connect(type_, &QComboBox::currentTextChanged, this, showType);
    showType();
    sizeOf_->setEnabled(!arrays.isEmpty());
    const auto toggle = [this] {
        value_->setEnabled(!sizeOf_->isChecked());
        array_->setEnabled(sizeOf_->isChecked());
        axis_->setEnabled(sizeOf_->isChecked());
    };
    connect(sizeOf_, &QCheckBox::toggled, this, toggle);
    toggle();
}

void ArgumentDialog::setEnumerators(const QStringList& names) {
    enumerators_ = names;
    if (names.isEmpty() || !value_) return;
    auto* completer = new QCompleter(names, value_);
    completer->setFilterMode(Qt::MatchContains);
    value_->setCompleter(completer);
    auto* list = new QLabel(tr("One of %1, or a number").arg(names.join(QStringLiteral(", "))));
    list->setWordWrap(true);
    int row = 0;
    form_->getWidgetPosition(value_, &row, nullptr);
    form_->insertRow(row + 1, QString(), list);
}

void ArgumentDialog::buildArray(QFormLayout* form) {
    direction_ = new QComboBox;
    direction_->addItem(tr("In: copied to the device before each run"), int(session::Direction::in));
    direction_->addItem(tr("Out: copied back after the run"), int(session::Direction::out));
    direction_->addItem(tr("InOut: both"), int(session::Direction::inout));
    direction_->setCurrentIndex(direction_->findData(int(argument_.direction)));
    kind_ = new QComboBox;
    kind_->addItems({tr("File"), tr("Zeros"), tr("One value"), tr("Counting up"), tr("Evenly spaced"), tr("Random"),
                     tr("Formula"), tr("Formulas of fields")});
    path_ = new QLineEdit;
    path_->setPlaceholderText(tr(".npy, .npz, HDF5, .csv, .txt, .wav, an image, or raw numbers"));
    pathRow_ = withBrowse(
        path_,
        [this] {
            const QString chosen = QFileDialog::getOpenFileName(this, tr("Choose Data"), document_.folder(),
                                                                tr("Data (%1);;All files (*)").arg(dataPatterns()));
            if (chosen.isEmpty()) return;
            agreeToChosen(document_.folder(), chosen);
            path_->setText(document_.pathInSession(chosen));
        },
        tr("Choose a file"));
    dtype_ = new QComboBox;
    dtype_->setEditable(false);
    shape_ = new QLineEdit;
    shape_->setPlaceholderText(tr("1024, 768"));
    offset_ = numberField(tr("bytes to skip; raw files only"));
    raw_ = new QCheckBox(tr("Raw numbers, whatever its name says"));
    connect(raw_, &QCheckBox::toggled, this, &ArgumentDialog::showKind);
    distribution_ = new QComboBox;
    distribution_->addItems({tr("uniform"), tr("normal")});
    first_ = numberField();
    second_ = numberField();
    seed_ = numberField();
    formula_ = new QLineEdit;
    formula_->setPlaceholderText(QStringLiteral("sin(2*pi*i/n)"));
    member_ = new MemberBox(workbench_.fileReader());
    member_->setObjectName(QStringLiteral("member"));
    connect(member_, &MemberBox::listed, this, &ArgumentDialog::showKind);
    connect(member_, &MemberBox::currentIndexChanged, this, &ArgumentDialog::showKind);
    files_ = new FileHeads(workbench_, this);
    connect(files_, &FileHeads::learned, this, &ArgumentDialog::showKind);
    form->addRow(tr("&Direction"), direction_);
    form->addRow(tr("Data fro&m"), kind_);
    form->addRow(tr("&Path"), pathRow_);
    form->addRow(tr("&Array in it"), member_);
    form->addRow(tr("Element t&ype"), dtype_);
    form->addRow(tr("&Shape"), shape_);
    form->addRow(QString(), raw_);
    form->addRow(tr("O&ffset"), offset_);
    form->addRow(tr("D&istribution"), distribution_);
    form->addRow(tr("Form&ula"), formula_);
    form->addRow(tr("From"), first_);
    form->addRow(tr("To"), second_);
    form->addRow(tr("S&eed"), seed_);
    texture_ = new TextureRows(argument_, form, this);
    result_ = new ResultRows(
        argument_, form, workbench_, [this](const std::string& formula) { return problemOf(formula); }, this);
    // A letter reaches the field, not the row that it shares with a button.
    qobject_cast<QLabel*>(form->labelForField(pathRow_))->setBuddy(path_);
    fillArray();
    connect(kind_, &QComboBox::currentIndexChanged, this, &ArgumentDialog::showKind);
    connect(direction_, &QComboBox::currentIndexChanged, this, &ArgumentDialog::showKind);
    connect(distribution_, &QComboBox::currentIndexChanged, this, &ArgumentDialog::showKind);
    const auto showType = [this] { texture_->setElementType(dtype_->currentData().toString()); };
    connect(dtype_, &QComboBox::currentIndexChanged, this, showType);
    showType();
    connect(texture_, &TextureRows::changed, this, [this] { fitToContent(); });
    connect(path_, &QLineEdit::textChanged, this, &ArgumentDialog::showKind);
    connect(result_, &ResultRows::changed, this, &ArgumentDialog::showFormulas);
    for (const QLineEdit* each : {formula_, shape_})
        connect(each, &QLineEdit::textChanged, this, &ArgumentDialog::showFormulas);
    showKind();
}

void ArgumentDialog::fillArray() {
    dtype_->addItem(tr("as in the file"), QString());
    for (const QString& dtype : dtypes)
        dtype_->addItem(dtype, dtype);
    std::visit(
        [this](const auto& source) {
            using Source = std::decay_t<decltype(source)>;
            const QString dtype = QString::fromStdString(source.dtype);
            if (!dtype.isEmpty() && dtype_->findData(dtype) < 0) dtype_->addItem(dtype, dtype);
            dtype_->setCurrentIndex(std::max(0, dtype_->findData(dtype)));
            if constexpr (std::is_same_v<Source, session::FileSource>) {
                kind_->setCurrentIndex(File);
                path_->setText(QString::fromStdString(source.path));
                member_->setMember(QString::fromStdString(source.member));
                if (source.shape) shape_->setText(showShape(*source.shape));
                raw_->setChecked(source.raw || (source.offset != 0 && session::is_raw_before_version_4(source.path)));
                if (source.offset != 0) offset_->setText(QString::number(source.offset));
            } else {
                shape_->setText(showShape(source.shape));
            }
            if constexpr (std::is_same_v<Source, session::ZerosSource>) kind_->setCurrentIndex(Zeros);
            if constexpr (std::is_same_v<Source, session::ConstantSource>) {
                kind_->setCurrentIndex(Constant);
                showNumbers(source.value, {});
            }
            if constexpr (std::is_same_v<Source, session::ArangeSource>) {
                kind_->setCurrentIndex(Arange);
                showNumbers(source.start, source.step);
            }
            if constexpr (std::is_same_v<Source, session::LinspaceSource>) {
                kind_->setCurrentIndex(Linspace);
                showNumbers(source.start, source.stop);
            }
            if constexpr (std::is_same_v<Source, session::FormulaSource>) {
                kind_->setCurrentIndex(Formula);
                formula_->setText(QString::fromStdString(source.expression));
            }
            if constexpr (std::is_same_v<Source, session::FieldsSource>) {
                kind_->setCurrentIndex(Fields);
                formula_->setText(fieldsText(source.fields));
            }
            if constexpr (std::is_same_v<Source, session::RandomSource>) {
                kind_->setCurrentIndex(Random);
                const bool normal = source.distribution == session::RandomSource::Distribution::normal;
                distribution_->setCurrentIndex(normal ? 1 : 0);
                showNumbers(normal ? source.mean : source.low, normal ? source.stddev : source.high);
                seed_->setText(QString::number(source.seed));
            }
        },
        argument_.source);
    fileShown_ = kind_->currentIndex() == File;
}

void ArgumentDialog::showNumbers(const session::Number& first, const std::optional<session::Number>& second) {
    firstShown_ = first;
    first_->setText(numberText(first));
    secondShown_ = second;
    if (second) second_->setText(numberText(*second));
}

void ArgumentDialog::showKind() {
    const int kind = kind_->currentIndex();
    const bool output = direction_->currentData().toInt() != int(session::Direction::in);
    const bool named = kind == File && !path_->text().isEmpty(), typed = named && saysItsType(path_->text());
    const bool raw = named && (!typed || raw_->isChecked());
    const auto row = [this](QWidget* field, bool visible, const QString& label = {}) {
        showRow(form_, field, visible, label);
    };
    row(pathRow_, kind == File);
    // The shape that other data have is none that a file is to get.
    if ((kind == File) != fileShown_) {
        QString typed = shape_->text();
        shape_->setText(otherShape_);
        otherShape_ = typed;
        fileShown_ = kind == File;
    }
    shape_->setPlaceholderText(kind != File ? tr("1024, 768") : raw ? tr("all that is there") : tr("as in the file"));
    dtype_->setItemText(0, tr("as in the file"));
    if (named && !raw) showFile();
    row(raw_, typed);
    row(offset_, raw);
    row(distribution_, kind == Random);
    row(formula_, kind == Formula || kind == Fields);
    row(dtype_, kind != Fields);
    formula_->setPlaceholderText(kind == Fields ? QStringLiteral("mass = 1; pos.x = sin(i)")
                                                : QStringLiteral("sin(2*pi*i/n)"));
    row(seed_, kind == Random);
    const bool normal = distribution_->currentIndex() == 1;
    row(first_, kind == Constant || kind == Arange || kind == Linspace || kind == Random,
        kind == Constant ? tr("Val&ue")
        : kind == Random ? (normal ? tr("Mea&n") : tr("&Lowest"))
                         : tr("St&art"));
    row(second_, kind == Arange || kind == Linspace || kind == Random,
        kind == Arange   ? tr("S&tep")
        : kind == Random ? (normal ? tr("Devia&tion") : tr("Belo&w"))
                         : tr("S&top"));
    const QString file = QDir(document_.folder()).absoluteFilePath(path_->text().trimmed());
    row(member_, named && !raw && isContainerFile(file));
    if (!member_->isHidden() && QFileInfo(file).isFile()) member_->setFile(file);
    result_->setOutput(output);
    showFormulas();
}

/// Type and shape in the file, as far as they are known; else they come later.
void ArgumentDialog::showFile() {
    session::FileSource file;
    const QString path = path_->text().trimmed();
    file.path = (QDir::isAbsolutePath(path) ? document_.pathInSession(path) : path).toStdString();
    if (!member_->isHidden()) file.member = member_->member().toStdString();
    files_->ask(file);
    const auto array = knownArray(file, document_.folder());
    if (!array) return;
    const QString type = QString::fromStdString(array->dtype);
    if (!type.isEmpty()) dtype_->setItemText(0, tr("as in the file: %1").arg(type));
    const std::vector<qint64> lengths(array->shape.begin(), array->shape.end());
    shape_->setPlaceholderText(tr("as in the file: %1").arg(lengths.empty() ? tr("one number") : formatShape(lengths)));
}

QString ArgumentDialog::problemOf(const std::string& formula) const {
    session::Shape shape;
    // Of a file's axes nothing is known here.
    const std::size_t axes = readShape(shape_->text(), &shape) ? shape.size() : 32;
    std::vector<session::Argument> all = document_.session().arguments;
    if (std::ranges::find(all, argument_.name, &session::Argument::name) == all.end()) all.push_back(argument_);
    return formulaProblem(formula, axes, formulaNames(all));
}

QString ArgumentDialog::problemOfFormula() const {
    return kind_->currentIndex() == Formula ? problemOf(formula_->text().trimmed().toStdString()) : QString();
}

void ArgumentDialog::showFormulas() {
    QString note = problemOfFormula();
    setInvalid(formula_, !note.isEmpty());
    if (note.isEmpty()) note = result_->problem();
    if (note.isEmpty() && !member_->isHidden()) note = member_->problem();
    if (note.isEmpty() && (kind_->currentIndex() == Formula || result_->isFormula()))
        note = tr("i is the element, n their number; x, y, z or i0, i1, … its place, n0, n1, … the shape. Other "
                  "arguments have their names: a*x + y[i - 1]. Arrays have their contents before the run.");
    problem_->setText(note);
    problem_->setVisible(!note.isEmpty());
    fitToContent();
}

bool ArgumentDialog::takeScalar(QString* problem) {
    const std::string typeBefore = std::exchange(argument_.type, type_->currentText().toStdString());
    if (sizeOf_->isChecked()) {
        session::SizeOf size{array_->currentText().toStdString(), std::nullopt};
        if (!axis_->text().trimmed().isEmpty()) {
            bool ok = false;
            const int axis = axis_->text().trimmed().toInt(&ok);
            if (!ok || axis < 0) {
                *problem = tr("The axis is a number from 0 on, or nothing for all elements.");
                return false;
            }
            size.axis = axis;
        }
        argument_.value = size;
        return true;
    }
    const auto type = session::scalar_type(argument_.type);
    const QString text = value_->text().trimmed();
    if (!type) return takeStruct(text, problem);
    // Numbers of another type are read anew: 1.0 is no i32.
    if (argument_.type == typeBefore && value_->text() == valueText(argument_.type, argument_.value)) return true;
    try {
        if (type->components > 1) {
            session::Components numbers;
            if (!readNumbers(text, &numbers)) {
                *problem = tr("“%1” has no %n numbers, such as 1, 2.5.", nullptr, type->components).arg(value_->text());
                return false;
            }
            (void)session::pack_scalar(argument_.type, numbers);
            argument_.value = numbers;
            return true;
        }
        session::Number value;
        const bool is = text.compare(QLatin1String("true"), Qt::CaseInsensitive) == 0;
        if (argument_.type == "bool" && (is || text.compare(QLatin1String("false"), Qt::CaseInsensitive) == 0)) {
            value = std::int64_t{is};
        } else if (enumerators_.contains(text.mid(text.lastIndexOf(QLatin1Char(':')) + 1)) &&
                   session::may_be_enumerator(argument_.type, text.toStdString())) {
            argument_.value = session::Enumerator{text.toStdString()};
            return true;
        } else if (!readNumber(text, &value)) {
            *problem = tr("“%1” is not a number.").arg(value_->text());
            return false;
        }
        (void)session::pack_scalar(argument_.type, value);
        argument_.value = value;
    } catch (const std::exception& error) {
        *problem = QString::fromStdString(error.what());
        return false;
    }
    return true;
}

bool ArgumentDialog::takeStruct(const QString& typed, QString* problem) {
    const QString text = typed.isEmpty() ? QStringLiteral("{}") : typed; // all fields 0
    try {
        const bool bytes = text.startsWith(QLatin1String("0x")); // need no quotes here
        argument_.value =
            session::struct_value((bytes ? QLatin1Char('"') + text + QLatin1Char('"') : text).toStdString());
    } catch (const std::exception& error) {
        *problem = QString::fromUtf8(error.what());
        return false;
    }
    return true;
}

bool ArgumentDialog::takeArray(QString* problem) {
    argument_.direction = session::Direction(direction_->currentData().toInt());
    const int kind = kind_->currentIndex();
    std::string dtype = dtype_->currentData().toString().toStdString();
    session::Shape shape;
    if ((kind != File || !shape_->text().trimmed().isEmpty()) && !readShape(shape_->text(), &shape)) {
        *problem = tr("The shape is one or more lengths, such as “1024, 768”.");
        return false;
    }
    if (kind != File && dtype.empty()) dtype = "float32";
    if (dtype == session::struct_type && kind != File && kind != Zeros && kind != Fields) {
        *problem = tr("Structs come from a file, are zeros, or have formulas for their fields.");
        return false;
    }
    // Numbers of another type are read anew: 1.0 is no int32.
    const bool sameType =
        std::visit([&](const auto& source) { return source.dtype == dtype; }, std::as_const(argument_.source));
    const auto none = std::optional<session::Number>();
    session::Number first = std::int64_t{0}, second = std::int64_t{1};
    if (!first_->isHidden() && !readNumber(first_->text(), sameType ? firstShown_ : none, &first)) {
        *problem = tr("“%1” is not a number.").arg(first_->text());
        return false;
    }
    if (!second_->isHidden() && !readNumber(second_->text(), sameType ? secondShown_ : none, &second)) {
        *problem = tr("“%1” is not a number.").arg(second_->text());
        return false;
    }
    switch (kind) {
    case File: {
        session::FileSource source;
        const QString path = path_->text().trimmed();
        source.path = (QDir::isAbsolutePath(path) ? document_.pathInSession(path) : path).toStdString();
        if (source.path.empty()) {
            *problem = tr("Choose a file.");
            return false;
        }
        source.dtype = dtype;
        if (!shape.empty()) source.shape = shape;
        if (!member_->isHidden() && member_->mustChoose()) {
            *problem = tr("The file has several arrays: choose one.");
            return false;
        }
        if (!member_->isHidden()) source.member = member_->member().toStdString();
        const auto* before = std::get_if<session::FileSource>(&argument_.source);
        if (before) source.offset = before->offset;
        source.raw = !raw_->isHidden() && raw_->isChecked();
        if (!offset_->isHidden()) {
            if (dtype.empty()) {
                *problem = tr("A file of raw numbers needs an element type.");
                return false;
            }
            bool ok = true;
            const QString offset = offset_->text().trimmed();
            source.offset = offset.isEmpty() ? 0 : offset.toULongLong(&ok, 0);
            if (!ok) {
                *problem = tr("The offset is a number of bytes.");
                return false;
            }
        }
        // Files of some kinds are raw by an offset alone.
        const bool byOffset = source.offset != 0 && session::is_raw_before_version_4(source.path);
        if (byOffset && !source.raw) source.offset = 0;
        if (byOffset && source.raw && before && !before->raw && before->path == source.path &&
            before->offset == source.offset)
            source.raw = false; // as the session has it
        argument_.source = source;
        break;
    }
    case Zeros: argument_.source = session::ZerosSource{dtype, shape}; break;
    case Constant: argument_.source = session::ConstantSource{dtype, shape, first}; break;
    case Arange: argument_.source = session::ArangeSource{dtype, shape, first, second}; break;
    case Formula:
        if (*problem = problemOfFormula(); !problem->isEmpty()) return false;
        argument_.source = session::FormulaSource{dtype, shape, formula_->text().trimmed().toStdString()};
        break;
    case Fields: {
        session::FieldsSource source;
        source.shape = shape;
        if (!readFields(formula_->text(), &source.fields)) {
            *problem = tr("Write a formula for each field, such as “mass = 1; pos.x = sin(i)”.");
            return false;
        }
        argument_.source = source;
        break;
    }
    case Linspace: argument_.source = session::LinspaceSource{dtype, shape, first, second}; break;
    case Random: {
        session::RandomSource source;
        source.dtype = dtype;
        source.shape = shape;
        if (distribution_->currentIndex() == 1) {
            source.distribution = session::RandomSource::Distribution::normal;
            source.mean = session::as_double(first);
            source.stddev = session::as_double(second);
        } else {
            source.low = first;
            source.high = second;
        }
        bool ok = true;
        if (!seed_->text().trimmed().isEmpty()) source.seed = seed_->text().trimmed().toULongLong(&ok, 0);
        if (!ok) {
            *problem = tr("The seed is a whole number from 0 on.");
            return false;
        }
        argument_.source = source;
        break;
    }
    }
    if (!texture_->take(argument_, problem)) return false;
    return result_->take(argument_, problem);
}

void ArgumentDialog::accept() {
    const session::Argument before = argument_;
    QString problem;
    if (argument_.direction == session::Direction::scalar ? takeScalar(&problem) : takeArray(&problem)) {
        QDialog::accept();
        return;
    }
    argument_ = before;
    problem_->setText(problem);
    problem_->show();
}

} // namespace warplight::ui
