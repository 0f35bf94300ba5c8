// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/mismatch_set.hpp"

#include <algorithm>

namespace warplight::ui {

void MismatchSet::add(qint64 element, qint64 column) {
    if (!containsElement(element)) ++count_;
    bits_.setBit(qsizetype(element * columns_ + column));
}

bool MismatchSet::containsElement(qint64 element) const {
    for (qint64 column = 0; column < columns_; ++column)
        if (contains(element, column)) return true;
    return false;
}

qint64 MismatchSet::find(qint64 from, qint64 to, bool forward) const {
    const char* bytes = bits_.bits(); // bit i is in byte i / 8
    const qint64 step = forward ? 1 : -1;
    for (qint64 bit = forward ? from : to - 1; bit >= from && bit < to;) {
        if (bytes[bit / 8] == 0) { // eight at once, for few differ
            bit = forward ? (bit / 8 + 1) * 8 : bit / 8 * 8 - 1;
            continue;
        }
        if (bits_.testBit(qsizetype(bit))) return bit / columns_;
        bit += step;
    }
    return -1;
}

qint64 MismatchSet::nextIn(qint64 from, qint64 to) const {
    from = std::max<qint64>(0, from);
    to = std::min(to, elements_);
    return from < to ? find(from * columns_, to * columns_, true) : -1;
}

qint64 MismatchSet::next(qint64 from, bool forward) const {
    if (count_ == 0) return -1;
    const qint64 bits = elements_ * columns_;
    const qint64 begin = from * columns_, end = begin + columns_;
    if (from < 0) return find(0, bits, forward);
    const qint64 found = forward ? find(end, bits, true) : find(0, begin, false);
    return found >= 0 ? found : find(0, bits, forward);
}

} // namespace warplight::ui
