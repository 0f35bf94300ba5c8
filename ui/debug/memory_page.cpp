// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/debug/memory_page.hpp"

#include "ui/buffers/hex_page.hpp"
#include "ui/buffers/table_page.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/number_box.hpp"
#include "ui/common/theme.hpp"
#include "ui/debug/debug_session.hpp"
#include "ui/debug/variables_model.hpp"

#include <QComboBox>
#include <QHash>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QRegularExpression>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace warplight::ui {
namespace {

constexpr quint64 pointerElements = 256; ///< a pointer does not say how many it points at
constexpr quint64 mostElements = quint64(1) << 30;

constexpr ElementKind memoryKinds[] = {
    ElementKind::Float32, ElementKind::Float64, ElementKind::Float16, ElementKind::BFloat16, ElementKind::Int8,
    ElementKind::Int16,   ElementKind::Int32,   ElementKind::Int64,   ElementKind::UInt8,    ElementKind::UInt16,
    ElementKind::UInt32,  ElementKind::UInt64,  ElementKind::Bool,
};

/// Of "float[16][16]" all of them.
quint64 elementsIn(const QString& type, qint64 parts) {
    static const QRegularExpression extent(QStringLiteral("\\[(\\d+)\\]"));
    quint64 count = 1;
    bool any = false;
    for (auto match = extent.globalMatch(type); match.hasNext();) {
        count *= match.next().captured(1).toULongLong();
        any = true;
    }
    return any ? count : quint64(std::max<qint64>(parts, 1));
}

} // namespace

ElementType MemoryPage::elementOf(const QString& type) {
    QString name = type;
    static const QRegularExpression around(
        QStringLiteral("\\b(const|volatile|__restrict__|restrict)\\b|[*&]|\\[\\d*\\]"));
    name.remove(around);
    name = name.simplified();
    static const QHash<QString, ElementKind> kinds{
        {QStringLiteral("float"), ElementKind::Float32},
        {QStringLiteral("double"), ElementKind::Float64},
        {QStringLiteral("__half"), ElementKind::Float16},
        {QStringLiteral("half"), ElementKind::Float16},
        {QStringLiteral("__nv_bfloat16"), ElementKind::BFloat16},
        {QStringLiteral("char"), ElementKind::Int8},
        {QStringLiteral("signed char"), ElementKind::Int8},
        {QStringLiteral("short"), ElementKind::Int16},
        {QStringLiteral("int"), ElementKind::Int32},
        {QStringLiteral("long"), ElementKind::Int64},
        {QStringLiteral("long long"), ElementKind::Int64},
        {QStringLiteral("unsigned char"), ElementKind::UInt8},
        {QStringLiteral("unsigned short"), ElementKind::UInt16},
        {QStringLiteral("unsigned"), ElementKind::UInt32},
        {QStringLiteral("unsigned int"), ElementKind::UInt32},
        {QStringLiteral("unsigned long"), ElementKind::UInt64},
        {QStringLiteral("unsigned long long"), ElementKind::UInt64},
        {QStringLiteral("bool"), ElementKind::Bool},
    };
    return {kinds.value(name, ElementKind::UInt8)};
}

MemoryPage::MemoryPage(DebugSession& session, Theme& theme, QWidget* parent)
    : QWidget(parent), session_(session), memory_(new KernelMemory(session, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    bar->setSpacing(Theme::half);
    expression_ = new QLineEdit;
    expression_->setPlaceholderText(tr("Pointer, array or address"));
    expression_->setAccessibleName(tr("Memory to show"));
    expression_->setClearButtonEnabled(true);
    type_ = new QComboBox;
    type_->setAccessibleName(tr("Type of the elements"));
    type_->setToolTip(type_->accessibleName());
    for (const ElementKind kind : memoryKinds)
        type_->addItem(ElementType(kind).name(), int(kind));
    count_ = new NumberBox(tr("Number of elements"));
    count_->setHelp(tr("Number of elements"));
    count_->setPrefix(QStringLiteral("× "));
    count_->setLimit(mostElements);
    count_->setNumber(pointerElements);
    bar->addWidget(expression_, 1);
    bar->addWidget(type_);
    bar->addWidget(count_);
    column->addLayout(bar);
    stack_ = new QStackedWidget;
    note_ = new QLabel;
    note_->setAlignment(Qt::AlignCenter);
    note_->setWordWrap(true);
    note_->setMargin(Theme::grid);
    stack_->addWidget(note_);
    tabs_ = new QTabWidget;
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("Ways to look at the memory"));
    table_ = new TablePage(theme, tabs_);
    hex_ = new HexPage(theme, tabs_);
    tabs_->addTab(table_, icon(QStringLiteral("table")), tr("Table"));
    tabs_->addTab(hex_, icon(QStringLiteral("hex")), tr("Hex"));
    auto* scroll = new QScrollArea; // the views want more room than a third of the panel
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(tabs_);
    stack_->addWidget(scroll);
    column->addWidget(stack_, 1);
    clear();

    connect(expression_, &QLineEdit::returnPressed, this, [this] { show(expression_->text()); });
    connect(type_, &QComboBox::activated, this, &MemoryPage::read);
    connect(count_, &NumberBox::edited, this, &MemoryPage::read);
    connect(table_, &TablePage::message, this, &MemoryPage::message);
    connect(hex_, &HexPage::message, this, &MemoryPage::message);
}

QString MemoryPage::note() const { return stack_->currentWidget() == note_ ? note_->text() : QString(); }

void MemoryPage::say(const QString& text) {
    note_->setText(text);
    stack_->setCurrentWidget(note_);
}

void MemoryPage::clear() {
    ++reading_;
    address_.clear();
    table_->setBuffer(nullptr, {});
    hex_->setBuffer(nullptr, {});
    say(tr("Choose Show Memory of a pointer or an array in Variables, or type one above."));
}

void MemoryPage::show(const DebugVariable& variable) {
    expression_->setText(variable.expression.isEmpty() ? variable.memory : variable.expression);
    shown_ = expression_->text();
    take(variable.name, variable.memory, variable.type, variable.parts);
}

void MemoryPage::show(const QString& expression) {
    expression_->setText(expression);
    refresh();
}

void MemoryPage::refresh() {
    const QString expression = expression_->text().trimmed();
    const DebugFrame* frame = session_.shownFrame();
    if (expression.isEmpty() || !frame || !session_.isStanding()) return;
    const quint64 reading = ++reading_;
    const bool isNew = std::exchange(shown_, expression) != expression;
    session_.ask(QStringLiteral("evaluate"),
                 {{"expression", expression.toStdString()}, {"frameId", frame->id}, {"context", "watch"}},
                 [this, reading, expression, isNew, alive = QPointer<MemoryPage>(this)](const DapReply& reply) {
                     if (!alive || reading != reading_) return;
                     if (!reply.ok) return say(reply.error);
                     const DebugVariable v = DebugVariable::of(reply.body);
                     // An address that was typed is a number.
                     const QString address =
                         v.memory.isEmpty() && expression.startsWith(QLatin1String("0x")) ? expression : v.memory;
                     if (address.isEmpty()) return say(tr("%1 is not in memory.").arg(expression));
                     take(expression, address, isNew ? v.type : QString(), v.parts);
                 });
}

void MemoryPage::take(const QString& name, const QString& address, const QString& type, qint64 parts) {
    name_ = name;
    address_ = address;
    if (!type.isEmpty()) { // else the user's choice stays
        type_->setCurrentIndex(std::max(0, type_->findData(int(elementOf(type).kind))));
        count_->setNumber(type.contains(QLatin1Char('*')) ? pointerElements : elementsIn(type, parts));
    }
    read();
}

void MemoryPage::read() {
    if (address_.isEmpty()) return;
    const ElementType type(static_cast<ElementKind>(type_->currentData().toInt()));
    const qint64 bytes = qint64(std::clamp<quint64>(count_->number(), 1, mostElements)) * type.size;
    const quint64 reading = ++reading_;
    memory_->probe(address_, bytes, this, [this, type, reading](const BufferReply<qint64>& reply) {
        if (reading != reading_) return;
        if (!reply.ok()) return say(reply.error);
        if (reply.value < type.size) return say(tr("There is not enough memory for an element."));
        const BufferInfo info = memory_->show(name_, address_, type, reply.value);
        table_->setBuffer(memory_, info);
        hex_->setBuffer(memory_, info);
        stack_->setCurrentIndex(1);
    });
}

} // namespace warplight::ui
