// SPDX-License-Identifier: GPL-3.0-or-later
/// Asks for the file to save to.
#pragma once

#include <QString>

class QWidget;

namespace warplight::ui {

/// A name without an ending gets that of the chosen kind, before the dialog asks about a file that is there. Who
/// chooses another kind changes the ending.
/// @param kinds as of QFileDialog, one ending each: "Web pages (*.html);;PDF (*.pdf)"
/// @return empty: nothing is to be saved
QString askWhereToSave(QWidget* parent, const QString& title, const QString& proposal, const QString& kinds);

} // namespace warplight::ui
