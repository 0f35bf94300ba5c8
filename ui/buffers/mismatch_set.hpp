// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBitArray>
#include <QtGlobal>

namespace warplight::ui {

/// Which elements of a buffer differ from those of another one; of structs, which columns of them.
class MismatchSet {
public:
    /// At most so many elements are marked: a bit each is 32 MiB.
    static constexpr qint64 most = qint64(1) << 28;

    MismatchSet(qint64 buffer, qint64 elements, qint64 columns)
        : buffer_(buffer), elements_(elements), columns_(columns), bits_(qsizetype(elements * columns)) {}
    static bool fits(qint64 elements, qint64 columns) { return columns > 0 && elements <= most / columns; }

    qint64 buffer() const { return buffer_; } ///< whose elements are marked
    qint64 elements() const { return elements_; }
    qint64 columns() const { return columns_; }
    qint64 count() const { return count_; } ///< elements that differ
    void add(qint64 element, qint64 column = 0);
    bool contains(qint64 element, qint64 column = 0) const {
        return element >= 0 && element < elements_ && column >= 0 && column < columns_ &&
               bits_.testBit(qsizetype(element * columns_ + column));
    }
    bool containsElement(qint64 element) const;
    /// The nearest element behind or before `from` that differs, round the ends; -1 where none does.
    qint64 next(qint64 from, bool forward) const;

    /// The first one of [from, to) that differs; -1 where none does.
    qint64 nextIn(qint64 from, qint64 to) const;

private:
    qint64 find(qint64 from, qint64 to, bool forward) const; ///< bits; gives the element

    qint64 buffer_, elements_, columns_;
    qint64 count_ = 0;
    QBitArray bits_;
};

} // namespace warplight::ui
