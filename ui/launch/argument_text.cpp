// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/argument_text.hpp"

#include <QLocale>
#include <QRegularExpression>
#include <QStringList>

namespace warplight::ui {

namespace {

QString numbersText(const session::Components& numbers) {
    QStringList parts;
    for (const session::Number& each : numbers)
        parts << numberText(each);
    return parts.join(QStringLiteral(", "));
}

} // namespace

QString numberText(const session::Number& number) {
    if (const auto* i = std::get_if<std::int64_t>(&number)) return QString::number(*i);
    if (const auto* u = std::get_if<std::uint64_t>(&number)) return QString::number(*u);
    return QString::number(std::get<double>(number), 'g', QLocale::FloatingPointShortest);
}

bool readNumber(const QString& text, session::Number* number) {
    const QString trimmed = text.trimmed();
    bool ok = false;
    if (const qint64 value = trimmed.toLongLong(&ok, 0); ok) {
        *number = std::int64_t{value};
        return true;
    }
    if (const quint64 value = trimmed.toULongLong(&ok, 0); ok) {
        *number = std::uint64_t{value};
        return true;
    }
    if (const double value = trimmed.toDouble(&ok); ok) {
        *number = value;
        return true;
    }
    return false;
}

bool readNumber(const QString& text, const std::optional<session::Number>& shown, session::Number* number) {
    if (!shown || text != numberText(*shown)) return readNumber(text, number);
    *number = *shown;
    return true;
}

bool readNumbers(const QString& text, session::Components* numbers) {
    static const QRegularExpression separators(QStringLiteral("[\\s,;\\[\\](){}]+"));
    numbers->clear();
    for (const QString& part : text.split(separators, Qt::SkipEmptyParts)) {
        session::Number number;
        if (!readNumber(part, &number)) return false;
        numbers->push_back(number);
    }
    return !numbers->empty();
}

QString valueText(const std::string& type, const session::ScalarValue& value) {
    if (const auto* numbers = std::get_if<session::Components>(&value)) return numbersText(*numbers);
    if (const auto* fields = std::get_if<session::StructValue>(&value)) return QString::fromStdString(fields->json);
    if (const auto* named = std::get_if<session::Enumerator>(&value)) return QString::fromStdString(named->name);
    const auto* number = std::get_if<session::Number>(&value);
    if (!number) return {};
    if (type == "bool") return session::as_double(*number) != 0 ? QStringLiteral("true") : QStringLiteral("false");
    return numberText(*number);
}

QString fieldsText(const std::vector<session::FieldsSource::Field>& fields) {
    QStringList parts;
    for (const auto& each : fields)
        parts << QString::fromStdString(each.path) + QLatin1String(" = ") + QString::fromStdString(each.expression);
    return parts.join(QStringLiteral("; "));
}

bool readFields(const QString& text, std::vector<session::FieldsSource::Field>* fields) {
    fields->clear();
    for (const QString& part : text.split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
        if (part.trimmed().isEmpty()) continue;
        const qsizetype equals = part.indexOf(QLatin1Char('='));
        const QString path = part.left(equals).trimmed(), expression = part.mid(equals + 1).trimmed();
        if (equals < 0 || path.isEmpty() || expression.isEmpty()) return false;
        fields->push_back({path.toStdString(), expression.toStdString()});
    }
    return !fields->empty();
}

QString expectationText(const session::Expectation& expectation) {
    if (!expectation.digest.empty()) return digestWord + QString::fromStdString(expectation.digest);
    if (!expectation.expression.empty()) return QLatin1String("= ") + QString::fromStdString(expectation.expression);
    return QString::fromStdString(expectation.path.empty() ? expectation.session : expectation.path);
}

std::optional<QString> formulaIn(const QString& text) {
    const QString trimmed = text.trimmed();
    if (!trimmed.startsWith(QLatin1Char('='))) return std::nullopt;
    return trimmed.mid(1).trimmed();
}

bool readShape(const QString& text, session::Shape* shape) {
    static const QRegularExpression separators(QStringLiteral("[\\s,;x×\\[\\]()]+"));
    shape->clear();
    for (const QString& part : text.split(separators, Qt::SkipEmptyParts)) {
        bool ok = false;
        const quint64 length = part.toULongLong(&ok);
        if (!ok || length == 0) return false;
        shape->push_back(std::size_t(length));
    }
    return !shape->empty();
}

QString showShape(const session::Shape& shape) {
    QStringList parts;
    for (std::size_t length : shape)
        parts << QString::number(length);
    return parts.join(QStringLiteral(", "));
}

} // namespace warplight::ui
