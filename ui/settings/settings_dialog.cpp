// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings_dialog.hpp"

#include "ui/settings/compile_options_editor.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFontComboBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {
namespace {

session::CompileOptions ofNewSessions(const Preferences& preferences) {
    session::CompileOptions options;
    options.compiler = preferences.compiler.toStdString();
    for (const QString& option : preferences.compileOptions)
        options.options.push_back(option.toStdString());
    options.line_info = preferences.lineInfo;
    return options;
}

} // namespace

SettingsDialog::SettingsDialog(const Preferences& preferences, QWidget* parent)
    : QDialog(parent), original_(preferences), theme_(new QComboBox), family_(new QFontComboBox), size_(new QSpinBox),
      cache_(new QSpinBox), options_(new CompileOptionsEditor(ofNewSessions(preferences))),
      autosave_(new QCheckBox(tr("&Keep unsaved work every 30 seconds"))),
      check_(new QCheckBox(tr("C&heck the source while typing"))) {
    setWindowTitle(tr("Settings"));
    theme_->addItem(tr("As the system"), static_cast<int>(Theme::Mode::System));
    theme_->addItem(tr("Light"), static_cast<int>(Theme::Mode::Light));
    theme_->addItem(tr("Dark"), static_cast<int>(Theme::Mode::Dark));
    theme_->setCurrentIndex(theme_->findData(static_cast<int>(preferences.theme)));
    family_->setFontFilters(QFontComboBox::MonospacedFonts);
    if (!preferences.fontFamily.isEmpty()) family_->setCurrentFont(QFont(preferences.fontFamily));
    size_->setRange(6, 40);
    size_->setSuffix(tr(" pt"));
    size_->setValue(preferences.fontSize);
    cache_->setRange(16, 65536);
    cache_->setSuffix(tr(" MiB"));
    cache_->setValue(preferences.cacheMiB);
    cache_->setToolTip(tr("What was not used for longest is removed first. Counts from the next start of a worker."));
    autosave_->setChecked(preferences.autosave);
    autosave_->setToolTip(tr("Offered again should the program not end as it should"));
    check_->setChecked(preferences.checkWhileTyping);

    // The fields of all groups begin at one place.
    int labelWidth = 0;
    QList<QLabel*> labels;
    const auto label = [&](const QString& text, QWidget* field) {
        auto* made = new QLabel(text);
        made->setBuddy(field);
        labelWidth = std::max(labelWidth, made->sizeHint().width());
        labels << made;
        return made;
    };
    const auto group = [](const QString& title) {
        auto* box = new QGroupBox(title);
        auto* form = new QFormLayout(box);
        form->setContentsMargins(0, Theme::grid, 0, Theme::grid);
        form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
        return std::pair{box, form};
    };
    auto* column = new QVBoxLayout(this);
    column->setSpacing(2 * Theme::grid);
    auto [look, lookForm] = group(tr("Look"));
    lookForm->addRow(label(tr("&Theme"), theme_), theme_);
    lookForm->addRow(label(tr("Code &font"), family_), family_);
    lookForm->addRow(label(tr("Font &size"), size_), size_);
    auto [compile, compileForm] = group(tr("Compiling"));
    compileForm->addRow(label(tr("Ca&che"), cache_), cache_);
    compileForm->addRow(label(QString(), check_), check_);
    auto [fresh, freshForm] = group(tr("New sessions"));
    for (int row = 0; row < options_->form()->rowCount(); ++row)
        if (auto* made = qobject_cast<QLabel*>(options_->form()->itemAt(row, QFormLayout::LabelRole)
                                                   ? options_->form()->itemAt(row, QFormLayout::LabelRole)->widget()
                                                   : nullptr)) {
            labelWidth = std::max(labelWidth, made->sizeHint().width());
            labels << made;
        }
    options_->form()->setHorizontalSpacing(freshForm->horizontalSpacing());
    freshForm->addRow(options_);
    auto [files, filesForm] = group(tr("Files"));
    filesForm->addRow(label(QString(), autosave_), autosave_);
    for (QLabel* each : std::as_const(labels))
        each->setMinimumWidth(labelWidth);
    column->addWidget(look);
    column->addWidget(compile);
    column->addWidget(fresh);
    column->addWidget(files);
    column->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    const auto check = [this, ok = buttons->button(QDialogButtonBox::Ok)] {
        ok->setEnabled(options_->problem().isEmpty());
    };
    connect(options_, &CompileOptionsEditor::changed, this, check);
    check();
    connect(theme_, &QComboBox::currentIndexChanged, this, &SettingsDialog::edited);
    connect(family_, &QFontComboBox::currentFontChanged, this, [this] {
        familyChosen_ = true;
        emit edited();
    });
    connect(size_, &QSpinBox::valueChanged, this, &SettingsDialog::edited);
    setMinimumWidth(480);
}

Preferences SettingsDialog::preferences() const {
    Preferences p = original_;
    p.theme = static_cast<Theme::Mode>(theme_->currentData().toInt());
    // Untouched, the box shows some family: that is no choice of the user's.
    if (familyChosen_) p.fontFamily = family_->currentFont().family();
    p.fontSize = size_->value();
    const session::CompileOptions options = options_->options();
    p.compiler = QString::fromStdString(options.compiler);
    p.compileOptions.clear();
    for (const std::string& option : options.options)
        p.compileOptions << QString::fromStdString(option);
    p.lineInfo = options.line_info;
    p.cacheMiB = cache_->value();
    p.autosave = autosave_->isChecked();
    p.checkWhileTyping = check_->isChecked();
    return p;
}

} // namespace warplight::ui
