// SPDX-License-Identifier: GPL-3.0-or-later
/// Units and meanings of the driver's device attributes.
#pragma once

#include <QString>

namespace warplight::ui {

/// "48.0 KiB", "1 024 threads", "yes", "1.41 GHz". An attribute that is not known here is a plain number.
QString deviceAttributeText(const QString& name, qint64 value);
/// The name with places for line breaks: after underscores, and within the longest words.
QString breakableName(QString name);
/// One sentence; empty for an attribute that is not known here.
QString deviceAttributeMeaning(const QString& name);

} // namespace warplight::ui
