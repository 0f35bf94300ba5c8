// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/slurm_dialog.hpp"

#include "ui/common/style_sheet.hpp"
#include "ui/common/theme.hpp"
#include "ui/settings/option_form.hpp"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace warplight::ui {

SlurmDialog::SlurmDialog(const SlurmSettings& settings, Theme& theme, QWidget* parent)
    : FormDialog(parent), given_(settings), theme_(theme), tasks_(new QSpinBox), poll_(new QDoubleSpinBox),
      keep_(new QCheckBox(tr("&Keep the points of a finished sweep in the history"))), problem_(new QLabel),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
    setWindowTitle(tr("Sweeps on Slurm"));
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2 * Theme::grid);
    auto* intro = new QLabel(tr("The points of a sweep run as an array of jobs. These settings are yours, and no part "
                                "of a session."));
    intro->setWordWrap(true);
    column->addWidget(intro);

    partition_ = addText("partition", settings.partition, tr("The cluster's default"),
                         tr("Passed to sbatch as --partition. “sinfo -s” lists them."));
    gres_ = addText("gres", settings.gres, QStringLiteral("gpu:1"),
                    tr("What a task needs, passed to sbatch as --gres. A task with several GPUs uses all of them."));
    time_ = addText("time", settings.time, QStringLiteral("30"),
                    tr("The limit of a job's time, passed to sbatch as --time: minutes, or D-HH:MM:SS"));
    image_ =
        addText("containerImage", settings.containerImage, tr("None"), tr("Passed to sbatch as --container-image"));
    more_ = addText("more", settings.more, QStringLiteral("--account=NAME --mem=8G"),
                    tr("Further options of sbatch, separated by blanks: each as --sbatch-option of the command line"));
    cluster_ = addText("cluster", settings.cluster, tr("This machine, or ssh://user@login"),
                       tr("The login node of the cluster (--cluster), which ssh reaches with your configuration"));
    folder_ = addText("workFolder", settings.workFolder, tr("Beside the session"),
                      tr("A folder that all nodes see under the same path. Each sweep makes a folder of its own in it "
                         "(--work-folder)."));
    program_ = addText("program", settings.program, tr("The one of this window"),
                       tr("The path of warplight-cli as the nodes see it (--program)"));
    tasks_->setObjectName(QStringLiteral("tasks"));
    tasks_->setRange(0, mostSlurmTasks);
    tasks_->setValue(settings.tasks);
    tasks_->setSpecialValueText(tr("So that each takes about 5 min"));
    tasks_->setToolTip(tr("How many jobs the array has, but not more than points (--array-size)"));
    poll_->setObjectName(QStringLiteral("poll"));
    poll_->setRange(0, mostPollSeconds);
    poll_->setDecimals(1);
    poll_->setValue(settings.pollSeconds);
    poll_->setSuffix(tr(" s"));
    poll_->setSpecialValueText(tr("As needed, every 3 to 45 s"));
    poll_->setToolTip(tr("How often squeue tells what the jobs do. Results are looked for more often."));
    keep_->setObjectName(QStringLiteral("keep"));
    keep_->setChecked(settings.keep);
    keep_->setToolTip(tr("At most the 1000 fastest, each with its node and GPU"));

    auto* jobs = new OptionForm;
    jobs->addOption(tr("&Partition"), partition_);
    jobs->addOption(tr("&Devices of a job"), gres_);
    jobs->addOption(tr("&Time of a job"), time_);
    jobs->addOption(tr("&Number of jobs"), tasks_);
    jobs->addOption(tr("Container &image"), image_);
    jobs->addOption(tr("Other option&s"), more_);
    column->addLayout(jobs);
    auto* places = new OptionForm;
    places->addOption(tr("C&luster"), cluster_);
    places->addOption(tr("&Work folder"), folder_);
    places->addOption(tr("P&rogram"), program_);
    places->addOption(tr("&Ask squeue every"), poll_);
    places->addOption({}, keep_);
    column->addLayout(places);
    OptionForm::align({jobs, places});
    column->addStretch(1);

    problem_->setObjectName(QStringLiteral("problem"));
    problem_->setTextFormat(Qt::PlainText);
    problem_->setWordWrap(true);
    setForm(content, buttons_, problem_);
    setMinimumWidth(fontMetrics().averageCharWidth() * 72);
    connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    check();
    partition_->setFocus();
}

QLineEdit* SlurmDialog::addText(const char* name, const QString& text, const QString& example, const QString& help) {
    auto* field = new QLineEdit(text);
    field->setObjectName(QLatin1String(name));
    field->setPlaceholderText(example);
    field->setToolTip(help);
    field->setMaxLength(2000);
    connect(field, &QLineEdit::textChanged, this, &SlurmDialog::check);
    return field;
}

SlurmSettings SlurmDialog::settings() const {
    SlurmSettings now = given_;
    now.partition = partition_->text().trimmed();
    now.gres = gres_->text().trimmed();
    now.time = time_->text().trimmed();
    now.containerImage = image_->text().trimmed();
    now.more = more_->text().trimmed();
    now.cluster = cluster_->text().trimmed();
    now.workFolder = folder_->text().trimmed();
    now.program = program_->text().trimmed();
    now.tasks = tasks_->value();
    now.pollSeconds = poll_->value();
    now.keep = keep_->isChecked();
    return now;
}

QString SlurmDialog::problem() const { return problem_->text(); }

void SlurmDialog::check() {
    const SlurmSettings now = settings();
    const QString why = now.problem();
    problem_->setText(why);
    problem_->setVisible(!why.isEmpty());
    QPalette palette = problem_->palette();
    palette.setColor(QPalette::WindowText, theme_.colours().error);
    problem_->setPalette(palette);
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(why.isEmpty());
    const bool there = !now.cluster.isEmpty();
    folder_->setPlaceholderText(there ? tr("warplight-campaigns in your home folder there") : tr("Beside the session"));
    program_->setPlaceholderText(there ? tr("As it is found there") : tr("The one of this window"));
}

} // namespace warplight::ui
