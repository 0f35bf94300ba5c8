// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/formula_scope.hpp"

#include <QPointer>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <memory>
#include <utility>

namespace warplight::ui {

namespace {

// Structs of more numbers are seldom meant: their fields can be buffers of their own.
constexpr qint64 mostFieldNames = 256;

QSet<QString> namesIn(const QString& expression) {
    static const QRegularExpression word(QStringLiteral("[A-Za-z_][A-Za-z0-9_]*"));
    QSet<QString> names;
    for (auto matches = word.globalMatch(expression); matches.hasNext();)
        names.insert(matches.next().captured());
    return names;
}

/// Makes buffers of the views that are named, one after the other, and then that of the formula.
struct FormulaJob : std::enable_shared_from_this<FormulaJob> {
    QPointer<BufferSource> source;
    QPointer<QObject> context;
    qint64 like = -1;
    QString expression;
    QList<FormulaScope::Array> arrays;
    QHash<QString, double> scalars;
    BufferSource::Done<BufferInfo> done;
    QList<QPair<QString, qint64>> found;
    QList<qint64> views; ///< buffers that the formula's buffer keeps alive in the worker
    qsizetype at = 0;

    void next() {
        if (!source || !context) return;
        const auto self = shared_from_this();
        while (at < arrays.size() && arrays[at].view.isWhole()) {
            found.append({arrays[at].name, arrays[at].buffer});
            ++at;
        }
        if (at == arrays.size()) {
            if (like < 0 && !found.isEmpty()) like = found.first().second;
            source->formula(like, expression, found, scalars, context,
                            [self](const BufferReply<BufferInfo>& reply) { self->finish(reply); });
            return;
        }
        const FormulaScope::Array& array = arrays[at];
        deriveView(source, array.buffer, array.view, context, [self](const BufferReply<BufferInfo>& reply) {
            if (!reply.ok()) {
                self->finish(reply);
                return;
            }
            self->views << reply.value.id;
            self->found.append({self->arrays[self->at].name, reply.value.id});
            ++self->at;
            self->next();
        });
    }
    void finish(const BufferReply<BufferInfo>& reply) {
        for (const qint64 view : std::as_const(views))
            if (source) source->close(view);
        done(reply);
    }
};

/// A field as the source writes it has the name of its buffer then: pos.x is pos_x, or pos_0 of a vector. Both are as
/// long, so places in messages stay.
QString withBufferNames(const QString& expression, const FormulaScope& scope) {
    static const QRegularExpression member(QStringLiteral("[A-Za-z_][A-Za-z0-9_]*(?:\\.[A-Za-z_][A-Za-z0-9_]*)+"));
    const auto known = [&](const QString& name) {
        return std::any_of(scope.arrays.cbegin(), scope.arrays.cend(),
                           [&](const FormulaScope::Array& each) { return each.name == name; });
    };
    QString text = expression;
    for (auto matches = member.globalMatch(expression); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        QString name = match.captured().replace(QLatin1Char('.'), QLatin1Char('_'));
        const qsizetype letter = QStringLiteral("xyzw").indexOf(name.back());
        if (!known(name) && letter >= 0 && name[name.size() - 2] == QLatin1Char('_'))
            name.replace(name.size() - 1, 1, QString::number(letter));
        if (known(name)) text.replace(match.capturedStart(), match.capturedLength(), name);
    }
    return text;
}

} // namespace

QString FormulaScope::identifier(const QString& name) {
    static const QRegularExpression ending(QStringLiteral("\\.(npy|csv|tsv|png|jpe?g|bmp|p[gpn]m|bin|raw)$"));
    static const QRegularExpression other(QStringLiteral("[^A-Za-z0-9_]+"));
    QString text = name;
    text.remove(ending);
    text.replace(other, QStringLiteral("_"));
    while (text.size() > 1 && text.endsWith(QLatin1Char('_')))
        text.chop(1);
    if (text.isEmpty() || text.front().isDigit()) text.prepend(QLatin1Char('_'));
    return text;
}

void FormulaScope::add(const QString& name, const QString& ending, qint64 buffer, const BufferView& view) {
    const auto taken = [this](const QString& text) {
        return std::any_of(arrays.cbegin(), arrays.cend(), [&](const Array& each) { return each.name == text; });
    };
    QString text = identifier(name);
    if (taken(text) && !ending.isEmpty()) text += QLatin1Char('_') + ending;
    const QString base = text;
    for (int number = 2; taken(text); ++number)
        text = QStringLiteral("%1_%2").arg(base).arg(number);
    arrays.append({text, buffer, view});
}

void FormulaScope::addFields(const BufferInfo& structs) {
    for (const BufferField& field : structs.fields) {
        if (!field.type.isNumeric()) continue;
        for (qint64 element = 0; element < field.count() && arrays.size() < mostFieldNames; ++element) {
            QList<qint64> index;
            qint64 rest = element;
            for (qsizetype axis = field.shape.size() - 1; axis >= 0; --axis) {
                index.prepend(rest % std::max<qint64>(1, field.shape[axis]));
                rest /= std::max<qint64>(1, field.shape[axis]);
            }
            BufferView view;
            view.field = field.name;
            view.index = index;
            add(field.nameOf(element), {}, structs.id, view);
        }
    }
}

QStringList FormulaScope::names() const {
    QStringList names;
    for (const Array& each : arrays)
        names << each.name;
    QStringList numbers = scalars.keys();
    numbers.sort();
    return names + numbers;
}

void deriveFormula(BufferSource* source, qint64 like, const QString& expression, const FormulaScope& scope,
                   QObject* context, BufferSource::Done<BufferInfo> done) {
    auto job = std::make_shared<FormulaJob>();
    job->source = source;
    job->context = context;
    job->like = like;
    job->expression = withBufferNames(expression, scope);
    job->done = std::move(done);
    const QSet<QString> used = namesIn(job->expression);
    for (const FormulaScope::Array& each : scope.arrays)
        if (used.contains(each.name)) job->arrays << each;
    for (auto it = scope.scalars.cbegin(); it != scope.scalars.cend(); ++it)
        if (used.contains(it.key())) job->scalars.insert(it.key(), it.value());
    job->next();
}

} // namespace warplight::ui
