// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/result_rows.hpp"

#include "formats/extension.hpp"
#include "formats/sound.hpp"
#include "session/data_file.hpp"
#include "ui/common/agreements.hpp"
#include "ui/common/data_files.hpp"
#include "ui/common/document.hpp"
#include "ui/common/workbench.hpp"
#include "ui/launch/argument_text.hpp"
#include "ui/launch/form_fields.hpp"
#include "ui/launch/member_box.hpp"

#include <QCheckBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <utility>

namespace warplight::ui {

ResultRows::ResultRows(const session::Argument& argument, QFormLayout* form, Workbench& workbench, ProblemOf problemOf,
                       QWidget* dialog)
    : QObject(dialog), document_(workbench.document()), name_(argument.name), before_(argument.expect),
      problemOf_(std::move(problemOf)), form_(form), save_(new QLineEdit(QString::fromStdString(argument.save))),
      rate_(numberField()), expect_(new QLineEdit), expectArgument_(new QLineEdit),
      rtol_(numberField(QStringLiteral("0"))), atol_(numberField(QStringLiteral("0"))),
      member_(new MemberBox(workbench.fileReader())), raw_(new QCheckBox) {
    expectRow_ = withBrowse(expect_, [this, dialog] { chooseExpected(dialog); }, tr("Choose a file"));
    raw_->setText(tr("Raw numbers, whatever its name says"));
    rate_->setPlaceholderText(tr("Hz; that of the .wav files that are read"));
    save_->setPlaceholderText(tr("not saved; or a file below the session's folder"));
    if (argument.rate) rate_->setText(QString::number(argument.rate));
    expect_->setPlaceholderText(tr("nothing; a file with the right result; or = and a formula"));
    expect_->setToolTip(tr("An array's file, = and a formula, or a session (.warplight) whose saved result is right"));
    rate_->setObjectName(QStringLiteral("rate"));
    member_->setObjectName(QStringLiteral("expectMember"));
    raw_->setObjectName(QStringLiteral("expectRaw"));
    expectArgument_->setPlaceholderText(QString::fromStdString(name_));
    form->addRow(tr("Sa&ve as"), save_);
    form->addRow(tr("Rate (Hz)"), rate_);
    form->addRow(tr("E&xpected"), expectRow_);
    form->addRow(tr("Array in t&hat"), member_);
    form->addRow(QString(), raw_);
    form->addRow(tr("Its ar&gument"), expectArgument_);
    form->addRow(tr("&Relative tolerance"), rtol_);
    form->addRow(tr("A&bsolute tolerance"), atol_);
    // A letter reaches the field, not the row that it shares with a button.
    qobject_cast<QLabel*>(form->labelForField(expectRow_))->setBuddy(expect_);
    if (before_) fill(*before_);
    for (const QLineEdit* each : {save_, expect_})
        connect(each, &QLineEdit::textChanged, this, &ResultRows::showRows);
    connect(raw_, &QCheckBox::toggled, this, &ResultRows::showRows);
    connect(member_, &MemberBox::listed, this, &ResultRows::changed);
}

void ResultRows::chooseExpected(QWidget* dialog) {
    const QString chosen =
        QFileDialog::getOpenFileName(dialog, tr("Choose the Expected Result"), document_.folder(),
                                     tr("Arrays and sessions (%1 *.warplight);;All files (*)").arg(dataPatterns()));
    if (chosen.isEmpty()) return;
    agreeToChosen(document_.folder(), chosen);
    expect_->setText(document_.pathInSession(chosen));
}

void ResultRows::fill(const session::Expectation& expect) {
    expect_->setText(expectationText(expect));
    member_->setMember(QString::fromStdString(expect.member));
    raw_->setChecked(expect.raw);
    expectArgument_->setText(QString::fromStdString(expect.argument));
    rtol_->setText(numberText(expect.rtol));
    atol_->setText(numberText(expect.atol));
}

void ResultRows::setOutput(bool output) {
    output_ = output;
    showRows();
}

void ResultRows::showRows() {
    const QString path = expect_->text().trimmed();
    const bool file = output_ && !formulaIn(path) && !path.startsWith(digestWord) && !expectsSession();
    showRow(form_, save_, output_);
    const QString saved = save_->text().trimmed();
    showRow(form_, rate_,
            output_ && formats::is_sound(formats::extension_of(session::path_from_utf8(saved.toStdString()))));
    showRow(form_, expectRow_, output_);
    showRow(form_, raw_, file && saysItsType(path));
    const bool raw = !raw_->isHidden() && raw_->isChecked();
    showRow(form_, member_, file && !raw && isContainerFile(path));
    const QString there = QDir(document_.folder()).absoluteFilePath(path);
    if (!member_->isHidden() && QFileInfo(there).isFile()) member_->setFile(there);
    showRow(form_, expectArgument_, output_ && expectsSession());
    showRow(form_, rtol_, output_);
    showRow(form_, atol_, output_);
    emit changed();
}

bool ResultRows::expectsSession() const {
    const QString text = expect_->text().trimmed();
    const bool before = before_ && !text.isEmpty() && text.toStdString() == before_->session;
    return before || (!formulaIn(text) && text.endsWith(QLatin1String(".warplight"), Qt::CaseInsensitive));
}

bool ResultRows::isFormula() const { return formulaIn(expect_->text()).has_value(); }

QString ResultRows::problemOfFormula() const {
    const auto formula = formulaIn(expect_->text());
    return output_ && formula ? problemOf_(formula->toStdString()) : QString();
}

QString ResultRows::problem() {
    const QString formula = problemOfFormula();
    setInvalid(expect_, !formula.isEmpty());
    return formula.isEmpty() && !member_->isHidden() ? member_->problem() : formula;
}

bool ResultRows::take(session::Argument& argument, QString* problem) const {
    argument.save.clear();
    argument.rate = 0;
    argument.expect.reset();
    if (argument.direction == session::Direction::in) return true;
    argument.save = save_->text().trimmed().toStdString();
    return takeRate(argument, problem) && takeExpectation(argument, problem);
}

bool ResultRows::takeRate(session::Argument& argument, QString* problem) const {
    const QString text = rate_->text().trimmed();
    if (rate_->isHidden() || text.isEmpty()) return true;
    bool ok = false;
    argument.rate = text.toInt(&ok);
    if (ok && argument.rate >= 1 && argument.rate <= formats::most_sound_rate) return true;
    *problem = tr("The sampling rate is in Hz, from 1 to %1, such as 48000. Empty, it is that of the input.")
                   .arg(formats::most_sound_rate);
    return false;
}

bool ResultRows::takeExpectation(session::Argument& argument, QString* problem) const {
    const bool session = expectsSession();
    const auto formula = formulaIn(expect_->text());
    if (*problem = problemOfFormula(); !problem->isEmpty()) return false;
    QString expected = formula ? QString() : expect_->text().trimmed(), digest;
    if (expected.startsWith(digestWord)) {
        digest = expected.mid(digestWord.size());
        expected.clear();
    }
    if (QDir::isAbsolutePath(expected)) expected = document_.pathInSession(expected);
    if (!formula && digest.isEmpty() && expected.isEmpty()) return true;
    session::Expectation expectation = before_.value_or(session::Expectation{});
    expectation.path = session ? std::string() : expected.toStdString();
    expectation.session = session ? expected.toStdString() : std::string();
    expectation.member = member_->isHidden() ? std::string() : member_->member().toStdString();
    expectation.raw = !raw_->isHidden() && raw_->isChecked();
    const std::string named = expectArgument_->text().trimmed().toStdString();
    expectation.argument = !session ? std::string() : named.empty() ? name_ : named;
    expectation.expression = formula ? formula->toStdString() : std::string();
    expectation.digest = digest.toStdString();
    bool okR = true, okA = true;
    expectation.rtol = rtol_->text().trimmed().isEmpty() ? 0 : rtol_->text().trimmed().toDouble(&okR);
    expectation.atol = atol_->text().trimmed().isEmpty() ? 0 : atol_->text().trimmed().toDouble(&okA);
    if (!okR || !okA || expectation.rtol < 0 || expectation.atol < 0) {
        *problem = tr("Tolerances are numbers from 0 on, such as 1e-5.");
        return false;
    }
    static const QRegularExpression digits(QStringLiteral("^[0-9a-f]{64}$"));
    if (!digest.isEmpty() && !digits.match(digest).hasMatch()) {
        *problem = tr("A digest has 64 hexadecimal digits, as warplight-cli exercise --digests writes them.");
        return false;
    }
    if (!digest.isEmpty() && (expectation.rtol != 0 || expectation.atol != 0)) {
        *problem = tr("A digest is of an exact result. Leave the tolerances empty.");
        return false;
    }
    argument.expect = expectation;
    return true;
}

} // namespace warplight::ui
