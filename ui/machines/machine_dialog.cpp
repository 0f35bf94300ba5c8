// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/machines/machine_dialog.hpp"

#include "ui/common/icons.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/common/theme.hpp"
#include "ui/machines/machine_probe.hpp"
#include "ui/settings/option_form.hpp"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace warplight::ui {

MachineDialog::MachineDialog(Machines& machines, Theme& theme, QWidget* parent)
    : FormDialog(parent), machines_(machines), theme_(theme), address_(new QLineEdit), name_(new QLineEdit),
      port_(new QSpinBox), problem_(new QLabel), symbol_(new QLabel), finding_(new QLabel),
      test_(new QPushButton(tr("&Test"))), install_(new QPushButton(tr("&Install Warplight There…"))),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
    setWindowTitle(tr("Add Machine"));
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2 * Theme::grid);
    auto* intro =
        new QLabel(tr("Its GPUs are used over ssh, with your configuration, keys and known hosts. Sessions run "
                      "there as they run here; a session never chooses a machine by itself."));
    intro->setWordWrap(true);
    column->addWidget(intro);
    auto* rows = new OptionForm;
    rows->setContentsMargins(0, 0, 0, 0);
    address_->setObjectName(QStringLiteral("address"));
    address_->setPlaceholderText(tr("user@host"));
    address_->setToolTip(tr("As for ssh: a host, user@host, or a name of ~/.ssh/config"));
    address_->setMaxLength(600);
    port_->setObjectName(QStringLiteral("port"));
    port_->setRange(0, 65535);
    port_->setSpecialValueText(tr("As configured for ssh"));
    name_->setObjectName(QStringLiteral("name"));
    name_->setPlaceholderText(tr("As the address"));
    name_->setToolTip(tr("What the machine is called in lists"));
    name_->setMaxLength(80);
    rows->addOption(tr("A&ddress"), address_);
    rows->addOption(tr("&Port"), port_);
    rows->addOption(tr("&Name"), name_);
    column->addLayout(rows);

    auto* found = new QHBoxLayout;
    symbol_->setAlignment(Qt::AlignTop);
    finding_->setObjectName(QStringLiteral("finding"));
    finding_->setTextFormat(Qt::PlainText);
    finding_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    finding_->setWordWrap(true);
    finding_->setAccessibleName(tr("What the test has found"));
    found->addWidget(symbol_);
    found->addWidget(finding_, 1);
    column->addLayout(found);
    install_->setObjectName(QStringLiteral("install"));
    install_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    install_->hide();
    column->addWidget(install_);
    column->addStretch(1);

    problem_->setObjectName(QStringLiteral("problem"));
    problem_->setTextFormat(Qt::PlainText);
    problem_->setWordWrap(true);
    test_->setObjectName(QStringLiteral("test"));
    test_->setToolTip(tr("Connects, and tells what is there"));
    test_->setAutoDefault(false);
    buttons_->addButton(test_, QDialogButtonBox::ActionRole);
    buttons_->button(QDialogButtonBox::Ok)->setText(tr("&Add"));
    setForm(content, buttons_, problem_);
    setMinimumWidth(fontMetrics().averageCharWidth() * 72);

    connect(buttons_, &QDialogButtonBox::accepted, this, &MachineDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(address_, &QLineEdit::textChanged, this, &MachineDialog::check);
    connect(port_, &QSpinBox::valueChanged, this, &MachineDialog::check);
    connect(test_, &QPushButton::clicked, this, &MachineDialog::test);
    connect(install_, &QPushButton::clicked, this, [this] {
        if (const Machine now = machine(); !now.address.isEmpty()) emit installRequested(now.address);
    });
    check();
    address_->setFocus();
}

MachineDialog::~MachineDialog() = default;

Machine MachineDialog::machine() const {
    QString why;
    return {machineAddress(address_->text(), port_->value(), &why), name_->text().trimmed()};
}

QString MachineDialog::problem() const {
    if (address_->text().trimmed().isEmpty()) return {};
    QString why;
    const QString address = machineAddress(address_->text(), port_->value(), &why);
    if (!why.isEmpty()) return why;
    return machines_.contains(address) ? tr("%1 is in the list already.").arg(address) : QString();
}

QString MachineDialog::finding() const { return finding_->text(); }

void MachineDialog::check() {
    const QString why = problem();
    problem_->setText(why.isEmpty() ? QString() : QStringLiteral("⚠ ") + why);
    problem_->setVisible(!why.isEmpty());
    const bool good = why.isEmpty() && !machine().address.isEmpty();
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(good);
    test_->setEnabled(good && (!probe_ || probe_->isDone()));
    if (probe_ && probe_->address() != machine().address) { // what was found is of another one
        probe_.reset();
        test_->setEnabled(good);
        setFinding({}, {}, {});
        install_->hide();
    }
}

void MachineDialog::test() {
    probe_ = std::make_unique<MachineProbe>(machine().address);
    connect(probe_.get(), &MachineProbe::changed, this, &MachineDialog::showProbe, Qt::QueuedConnection);
    showProbe();
}

void MachineDialog::showProbe() {
    if (!probe_) return;
    const Colours& c = theme_.colours();
    const bool failed = probe_->state() == MachineProbe::State::Failed;
    switch (probe_->state()) {
    case MachineProbe::State::Connecting:
        setFinding(QStringLiteral("refresh"), c.mutedText, tr("Connecting to %1…").arg(probe_->address()));
        break;
    case MachineProbe::State::Asking:
        setFinding(QStringLiteral("refresh"), c.mutedText, tr("Connected. Looking for devices…"));
        break;
    case MachineProbe::State::Found: setFinding(QStringLiteral("success"), c.success, probe_->text()); break;
    case MachineProbe::State::Failed: setFinding(QStringLiteral("error"), c.error, probe_->text()); break;
    }
    // The sentence about a missing or another version names the command, which the button is.
    install_->setVisible(failed && probe_->text().contains(QLatin1String("remote install")));
    test_->setEnabled(probe_->isDone());
    fitToContent();
}

void MachineDialog::setFinding(const QString& symbol, const QColor& colour, const QString& text) {
    finding_->setText(text);
    const int side = scaledPixels(16);
    symbol_->setPixmap(symbol.isEmpty() ? QPixmap()
                                        : icon(symbol, colour).pixmap(QSize(side, side), devicePixelRatioF()));
}

void MachineDialog::accept() {
    if (!problem().isEmpty() || machine().address.isEmpty()) return;
    if (const QString why = machines_.add(machine()); !why.isEmpty()) {
        problem_->setText(QStringLiteral("⚠ ") + why);
        problem_->show();
        return;
    }
    FormDialog::accept();
}

} // namespace warplight::ui
