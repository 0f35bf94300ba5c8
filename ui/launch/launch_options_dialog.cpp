// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/launch_options_dialog.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>

namespace warplight::ui {
namespace {

constexpr int notSet = -1; ///< of the carve-out: its field's first value

QString cacheText(const std::string& cache) {
    if (cache == "shared") return LaunchOptionsDialog::tr("More shared memory");
    if (cache == "l1") return LaunchOptionsDialog::tr("More L1 cache");
    if (cache == "equal") return LaunchOptionsDialog::tr("As much of both");
    return LaunchOptionsDialog::tr("As the driver chooses");
}

QString extentsText(const std::vector<std::uint32_t>& extents, const QString& between) {
    QStringList texts;
    for (const std::uint32_t extent : extents)
        texts << QString::number(extent);
    return texts.join(between);
}

} // namespace

QString launchOptionsText(const session::LaunchOptions& options, bool coldL2) {
    QStringList parts;
    if (!options.cluster.empty())
        parts << LaunchOptionsDialog::tr("clusters of %1").arg(extentsText(options.cluster, QStringLiteral(" × ")));
    if (options.carveout) parts << LaunchOptionsDialog::tr("carve-out %1 %").arg(*options.carveout);
    if (options.cache == "shared") parts << LaunchOptionsDialog::tr("more shared memory");
    if (options.cache == "l1") parts << LaunchOptionsDialog::tr("more L1 cache");
    if (options.cache == "equal") parts << LaunchOptionsDialog::tr("as much of both");
    if (options.priority != 0) parts << LaunchOptionsDialog::tr("priority %1").arg(options.priority);
    if (coldL2) parts << LaunchOptionsDialog::tr("cold L2 cache");
    if (parts.isEmpty()) return LaunchOptionsDialog::tr("As the kernel and the driver choose");
    QString text = parts.join(QStringLiteral(", "));
    text[0] = text[0].toUpper();
    return text;
}

LaunchOptionsDialog::LaunchOptionsDialog(const session::LaunchOptions& options, QWidget* parent,
                                         std::optional<bool> coldL2)
    : FormDialog(parent) {
    setWindowTitle(tr("Launch Options of the Session"));
    auto* form = new QWidget;
    auto* rows = new QFormLayout(form);
    cluster_ = new QLineEdit(extentsText(options.cluster, QStringLiteral(", ")));
    cluster_->setPlaceholderText(tr("as declared, or 2, 1, 1"));
    cluster_->setToolTip(tr("Blocks of a cluster along x, y and z. Clusters need compute capability 9.0."));
    rows->addRow(tr("C&luster"), cluster_);
    carveout_ = new QSpinBox;
    carveout_->setRange(notSet, 100);
    carveout_->setSpecialValueText(tr("As the driver chooses"));
    carveout_->setSuffix(tr(" %"));
    carveout_->setToolTip(
        tr("How much of a multiprocessor's L1 cache shared memory should take. The driver takes it as "
           "a preference."));
    carveout_->setValue(options.carveout.value_or(notSet));
    rows->addRow(tr("C&arve-out"), carveout_);
    cache_ = new QComboBox;
    cache_->addItem(cacheText({}), QString());
    for (const std::string_view name : session::cache_preferences)
        cache_->addItem(cacheText(std::string(name)), QString::fromUtf8(name.data(), qsizetype(name.size())));
    cache_->setToolTip(tr("What the kernel wants more of. The carve-out outdoes it."));
    cache_->setCurrentIndex(cache_->findData(QString::fromStdString(options.cache)));
    rows->addRow(tr("Cac&he"), cache_);
    priority_ = new QSpinBox;
    priority_->setRange(-session::furthest_priority, session::furthest_priority);
    priority_->setValue(options.priority);
    priority_->setToolTip(tr("Of the stream: a lower number is sooner. A GPU has -5 to 0, for example."));
    rows->addRow(tr("&Priority"), priority_);
    coldL2_ = new QCheckBox(tr("Col&d before each measured run"));
    coldL2_->setToolTip(tr("Memory of twice the cache's size is written before each run, so that the kernel finds none "
                           "of its data there."));
    coldL2_->setChecked(coldL2.value_or(false));
    rows->addRow(tr("L2 cache"), coldL2_);
    rows->setRowVisible(coldL2_, coldL2.has_value());
    problem_ = new QLabel;
    problem_->setWordWrap(true);
    problem_->hide();
    buttons_ = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    setForm(form, buttons_, problem_);
    connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(cluster_, &QLineEdit::textChanged, this, &LaunchOptionsDialog::check);
    check();
    setMinimumWidth(400);
}

std::optional<std::vector<std::uint32_t>> LaunchOptionsDialog::cluster() const {
    static const QRegularExpression separators(QStringLiteral("[,;x×\\s]+"));
    const QStringList parts = cluster_->text().split(separators, Qt::SkipEmptyParts);
    if (parts.size() > 3) return {};
    std::vector<std::uint32_t> extents;
    for (const QString& part : parts) {
        bool ok = false;
        extents.push_back(part.toUInt(&ok));
        if (!ok || extents.back() == 0) return {};
    }
    if (!extents.empty()) extents.resize(3, 1);
    return extents;
}

void LaunchOptionsDialog::check() {
    const bool readable = cluster().has_value();
    problem_->setText(QStringLiteral("⚠ ") + tr("A cluster is one to three numbers of 1 or more: 2, or 2, 1, 1."));
    problem_->setVisible(!readable);
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(readable);
}

bool LaunchOptionsDialog::coldL2() const { return coldL2_->isChecked(); }

session::LaunchOptions LaunchOptionsDialog::options() const {
    session::LaunchOptions options;
    options.cluster = cluster().value_or(std::vector<std::uint32_t>());
    if (carveout_->value() != notSet) options.carveout = carveout_->value();
    options.cache = cache_->currentData().toString().toStdString();
    options.priority = priority_->value();
    return options;
}

} // namespace warplight::ui
