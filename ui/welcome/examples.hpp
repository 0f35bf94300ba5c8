// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

namespace warplight::ui {

struct Example {
    QString path; ///< of the .warplight document
    QString title, description;
    bool faulty = false; ///< meant to fail
};

/// Where the examples are: WARPLIGHT_EXAMPLES, ../share/warplight/examples from the program, or, for a program in
/// its build folder, resources/examples of the source tree. Empty when there are none.
QString examplesFolder();
/// Read from the folder, simplest first. A document that cannot be read is left out.
std::vector<Example> listExamples(const QString& folder);
/// Examples are opened where they can be changed: copies the example's folder below `target` (a folder that exists)
/// unless it is there already, and returns the copy's document. Empty and `problem` set when that fails.
QString copyExample(const QString& document, const QString& target, QString* problem);
/// Where copies go: Documents/Warplight, made when needed.
QString examplesTarget();

} // namespace warplight::ui
