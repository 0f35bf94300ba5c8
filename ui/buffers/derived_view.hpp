// SPDX-License-Identifier: GPL-3.0-or-later
/// A field, a part and a slice of a buffer: what the view bar chooses, and what formulas read.
#pragma once

#include "ui/buffers/buffer_source.hpp"

#include <optional>

namespace warplight::ui {

struct BufferView {
    QString field;       ///< of structs, as in BufferInfo::fields; empty: all of it
    QList<qint64> index; ///< of the field's first axes
    std::optional<ComplexPart> part;
    std::optional<BufferSlice> slice;

    bool isWhole() const { return field.isEmpty() && !part && !slice; }
};

/// The red, green, blue or alpha of pixels: all axes but the last, at one index of that.
BufferSlice sliceOfChannel(const QList<qint64>& shape, int channel);

/// Makes the field, then the part of it, then the slice of that. The caller closes the buffer that comes; what is made
/// on the way is closed here. The view is not whole.
void deriveView(BufferSource* source, qint64 buffer, const BufferView& view, QObject* context,
                BufferSource::Done<BufferInfo> done);

} // namespace warplight::ui
