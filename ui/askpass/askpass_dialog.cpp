// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/askpass/askpass_dialog.hpp"

#include "ui/common/form_dialog.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/common/theme.hpp"

#include <QApplication>
#include <QDialogButtonBox>
#include <QDir>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <cstdio>

namespace warplight::ui {
namespace {

constexpr qsizetype longestPrompt = 16000;

/// Control characters of a host's message must not hide a part of it.
QString printable(const QString& prompt) {
    QString text;
    for (const QChar c : prompt.left(longestPrompt)) {
        const bool hides = c.category() == QChar::Other_Control || c.category() == QChar::Other_Format;
        text += hides && c != QLatin1Char('\n') ? QChar(0xfffd) : c;
    }
    return text.trimmed();
}

} // namespace

AskpassDialog::Kind AskpassDialog::kindOf(const QString& prompt, const QString& hint) {
    if (hint == QLatin1String("none")) return Kind::Note;
    if (hint == QLatin1String("confirm")) return Kind::Confirm;
    // ssh has no hint for this question. It takes "yes" for an answer, and asks again for any other.
    return prompt.contains(QLatin1String("(yes/no")) ? Kind::HostKey : Kind::Secret;
}

AskpassDialog::AskpassDialog(const QString& prompt, const QString& hint, Theme& theme) : kind_(kindOf(prompt, hint)) {
    setWindowTitle(kind_ == Kind::HostKey ? tr("Is This the Right Machine?") : tr("Question of ssh"));
    setWindowFlag(Qt::WindowStaysOnTopHint);
    const Colours& c = theme.colours();
    auto* symbol = new QLabel;
    const int side = scaledPixels(24);
    const bool warns = kind_ == Kind::HostKey;
    symbol->setPixmap(icon(warns ? QStringLiteral("warning") : QStringLiteral("machine"), warns ? c.warning : c.accent)
                          .pixmap(QSize(side, side), devicePixelRatioF()));
    symbol->setAlignment(Qt::AlignTop);
    auto* text = new QLabel;
    text->setObjectName(QStringLiteral("prompt"));
    text->setTextFormat(Qt::PlainText); // a host may have written it
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text->setText(printable(prompt));
    text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    if (kind_ == Kind::HostKey) text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    auto* area = new QScrollArea;
    area->setWidget(text);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(2 * Theme::grid);
    auto* top = new QHBoxLayout;
    top->setSpacing(Theme::grid);
    top->addWidget(symbol);
    top->addWidget(area, 1);
    column->addLayout(top, 1);
    if (kind_ == Kind::HostKey) {
        auto* note = new QLabel(tr("Compare the fingerprint with one that you got another way, from whom runs the "
                                   "machine. Connect remembers the key; a later change of it is refused."));
        note->setWordWrap(true);
        column->addWidget(note);
    }
    auto* buttons = new QDialogButtonBox;
    if (kind_ == Kind::Secret) {
        secret_ = new QLineEdit;
        secret_->setObjectName(QStringLiteral("secret"));
        secret_->setEchoMode(QLineEdit::Password);
        secret_->setAccessibleName(text->text());
        secret_->setInputMethodHints(Qt::ImhHiddenText | Qt::ImhSensitiveData | Qt::ImhNoPredictiveText);
        column->addWidget(secret_);
        buttons->addButton(QDialogButtonBox::Ok);
        buttons->addButton(QDialogButtonBox::Cancel);
    } else if (kind_ == Kind::Note) {
        buttons->addButton(QDialogButtonBox::Close);
    } else {
        auto* yes =
            buttons->addButton(kind_ == Kind::HostKey ? tr("C&onnect") : tr("&Allow"), QDialogButtonBox::AcceptRole);
        yes->setObjectName(QStringLiteral("yes"));
        yes->setAutoDefault(false); // Enter must not agree by itself
        QPushButton* no = buttons->addButton(QDialogButtonBox::Cancel);
        no->setDefault(true);
        no->setFocus();
    }
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    const int width = fontMetrics().averageCharWidth() * (kind_ == Kind::HostKey ? 80 : 60);
    text->ensurePolished();
    const int lines = text->heightForWidth(width - side - 4 * Theme::grid);
    area->setMinimumHeight(std::min(lines, fontMetrics().height() * 16) + Theme::half);
    area->setMaximumHeight(lines + Theme::grid);
    setMinimumWidth(width);
    resize(QSize(width, sizeHint().height()).boundedTo(roomForDialog(this)));
    if (secret_) secret_->setFocus();
}

QString AskpassDialog::answer() const {
    if (secret_) return secret_->text();
    return kind_ == Kind::Note ? QString() : QStringLiteral("yes");
}

bool isAskpass(int argumentCount) {
    // A window names itself in the first one, for the workers that it starts; only their ssh has both.
    const QByteArray program = qgetenv("WARPLIGHT_ASKPASS");
    return argumentCount == 2 && !program.isEmpty() && qgetenv("SSH_ASKPASS") == program;
}

void offerAskpass() {
    qputenv("WARPLIGHT_ASKPASS", QDir::toNativeSeparators(QCoreApplication::applicationFilePath()).toUtf8());
}

int runAskpass(const QString& prompt) {
    const auto theme = Theme::shared();
    AskpassDialog dialog(prompt, qEnvironmentVariable("SSH_ASKPASS_PROMPT"), *theme);
    if (dialog.exec() != QDialog::Accepted) return 1;
    const QByteArray answer = dialog.answer().toUtf8() + '\n';
    const bool written = std::fwrite(answer.constData(), 1, size_t(answer.size()), stdout) == size_t(answer.size());
    return written && std::fflush(stdout) == 0 ? 0 : 1;
}

} // namespace warplight::ui
