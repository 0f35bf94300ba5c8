// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings_dialog.hpp"

#include "ui/common/elided_label.hpp"
#include "ui/common/run_history.hpp"
#include "ui/common/translations.hpp"
#include "ui/settings/compile_options_editor.hpp"
#include "ui/settings/option_form.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFontComboBox>
#include <QGroupBox>
#include <QLabel>
#include <QListWidget>
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
    : FormDialog(parent), original_(preferences), theme_(new QComboBox), language_(new QComboBox),
      family_(new QFontComboBox), size_(new QSpinBox), cache_(new QSpinBox),
      options_(new CompileOptionsEditor(ofNewSessions(preferences))),
      autosave_(new QCheckBox(tr("&Keep unsaved work every 30 seconds"))),
      restoreTabs_(new QCheckBox(tr("Open &what was open last time"))),
      check_(new QCheckBox(tr("C&heck the source while typing"))), keepRuns_(new QCheckBox(tr("Keep each ru&n"))),
      keptRuns_(new QSpinBox), linger_(new QSpinBox), agreements_(new QListWidget),
      forget_(new QPushButton(tr("Forg&et"))), kept_(agreements()) {
    setWindowTitle(tr("Settings"));
    theme_->addItem(tr("As the system"), static_cast<int>(Theme::Mode::System));
    theme_->addItem(tr("Light"), static_cast<int>(Theme::Mode::Light));
    theme_->addItem(tr("Dark"), static_cast<int>(Theme::Mode::Dark));
    theme_->setCurrentIndex(theme_->findData(static_cast<int>(preferences.theme)));
    language_->addItem(tr("As the system"), QString());
    for (const Language& each : languages())
        language_->addItem(each.name, each.code);
    language_->setCurrentIndex(std::max(0, language_->findData(preferences.language)));
    language_->setToolTip(tr("Messages of the compilers, drivers and the engine are in English"));
    auto* later = new QLabel(tr("Counts from the next start of the program."));
    later->setObjectName(QStringLiteral("languageNote"));
    later->setVisible(false);
    connect(language_, &QComboBox::currentIndexChanged, later,
            [this, later] { later->setVisible(language_->currentData().toString() != original_.language); });
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
    restoreTabs_->setChecked(preferences.restoreTabs);
    restoreTabs_->setToolTip(tr("In the tabs and windows where they were. Sessions that were never saved are not."));

    linger_->setRange(leastLingerMinutes, mostLingerMinutes);
    linger_->setSuffix(tr(" min"));
    linger_->setValue(preferences.lingerMinutes);
    linger_->setToolTip(
        tr("While the connection to another machine is lost. Then the run there is ended, and nothing is "
           "left of it. Counts from the next connection."));

    keepRuns_->setChecked(preferences.keepRuns);
    keepRuns_->setToolTip(
        tr("With its source, launch, arguments, times and results’ digests; Timing › History has them"));
    keptRuns_->setRange(leastKeptRuns, mostKeptRuns);
    keptRuns_->setSuffix(tr(" runs"));
    keptRuns_->setGroupSeparatorShown(true);
    keptRuns_->setValue(preferences.keptRuns);
    keptRuns_->setToolTip(tr("The oldest go first, but none that is pinned. 10,000 runs take about 12 MiB."));
    keptRuns_->setEnabled(preferences.keepRuns);
    connect(keepRuns_, &QCheckBox::toggled, keptRuns_, &QWidget::setEnabled);
    auto* historyFile = new ElidedLabel(QDir::toNativeSeparators(RunHistory::file()));
    historyFile->setTextFormat(Qt::PlainText);
    historyFile->setTextInteractionFlags(Qt::TextSelectableByMouse);

    const auto group = [](const QString& title) {
        auto* box = new QGroupBox(title);
        auto* form = new OptionForm(box);
        form->setContentsMargins(0, Theme::grid, 0, Theme::grid);
        return std::pair{box, form};
    };
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2 * Theme::grid);
    auto [look, lookForm] = group(tr("Look"));
    lookForm->addOption(tr("&Theme"), theme_);
    lookForm->addOption(tr("Lan&guage"), language_);
    lookForm->addOption({}, later);
    lookForm->addOption(tr("Code &font"), family_);
    lookForm->addOption(tr("Font si&ze"), size_);
    auto [compile, compileForm] = group(tr("Compiling"));
    compileForm->addOption(tr("C&ache"), cache_);
    compileForm->addOption({}, check_);
    auto [fresh, freshForm] = group(tr("New sessions"));
    freshForm->addRow(options_);
    auto [files, filesForm] = group(tr("Files"));
    filesForm->addOption({}, autosave_);
    filesForm->addOption({}, restoreTabs_);
    auto [runs, runsForm] = group(tr("History of runs"));
    runsForm->addOption({}, keepRuns_);
    runsForm->addOption(tr("L&imit"), keptRuns_);
    runsForm->addOption(tr("File"), historyFile);
    auto [remote, remoteForm] = group(tr("Other machines"));
    remoteForm->addOption(tr("Runs sur&vive for"), linger_);
    auto [outside, outsideForm] = group(tr("Files outside of session folders"));
    outsideForm->addRow(agreements_);
    outsideForm->addRow(forget_);
    outside->setVisible(!kept_.isEmpty());
    OptionForm::align({lookForm, compileForm, options_->form(), filesForm, runsForm, remoteForm});
    column->addWidget(look);
    column->addWidget(compile);
    column->addWidget(fresh);
    column->addWidget(files);
    column->addWidget(runs);
    column->addWidget(remote);
    column->addWidget(outside);
    column->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    setForm(content, buttons);
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
    agreements_->setAccessibleName(tr("Folders and files that sessions may use"));
    agreements_->setToolTip(tr("Sessions in the first folder may use the second"));
    for (const Agreement& each : kept_)
        agreements_->addItem(each.isForPrograms() ? tr("%1: programs may run").arg(each.sessions)
                                                  : QStringLiteral("%1 → %2").arg(each.sessions, each.path));
    agreements_->setMaximumHeight(6 * fontMetrics().lineSpacing());
    forget_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    forget_->setEnabled(false);
    connect(agreements_, &QListWidget::currentRowChanged, forget_, [this](int row) { forget_->setEnabled(row >= 0); });
    connect(forget_, &QPushButton::clicked, this, [this] {
        const int row = agreements_->currentRow();
        if (row < 0) return;
        forgotten_ << kept_.takeAt(row);
        delete agreements_->takeItem(row);
    });
    setMinimumWidth(480);
}

void SettingsDialog::accept() {
    for (const Agreement& each : std::as_const(forgotten_))
        forgetAgreement(each);
    FormDialog::accept();
}

Preferences SettingsDialog::preferences() const {
    Preferences p = original_;
    p.theme = static_cast<Theme::Mode>(theme_->currentData().toInt());
    p.language = language_->currentData().toString();
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
    p.restoreTabs = restoreTabs_->isChecked();
    p.lingerMinutes = linger_->value();
    p.keepRuns = keepRuns_->isChecked();
    p.keptRuns = keptRuns_->value();
    return p;
}

} // namespace warplight::ui
