// SPDX-License-Identifier: GPL-3.0-or-later
/// The document as it is now, as a run that can be compared with those of the history.
#pragma once

#include "history/run.hpp"

#include <QString>

namespace warplight::ui {

class Document;

/// A run to compare, with its name in sentences.
struct ComparedRun {
    history::Run run;
    QString name;
    bool hasRun = true; ///< else it has no results, and its report says nothing
};

/// With the results of the last run, if that ran what the document is now.
ComparedRun presentState(const Document& document);

} // namespace warplight::ui
