// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

namespace warplight::ui {

struct Example {
    QString path; ///< of the .warplight document
    QString title, description;
    QString icon;        ///< of resources/icons
    bool faulty = false; ///< meant to fail
    bool exercise = false;
};

/// The folder of the examples: WARPLIGHT_EXAMPLES, ../share/warplight/examples from the program, or, for a program in
/// its build folder, resources/examples of the source tree. Empty when there is none.
QString examplesFolder();
/// Beside the examples: each has a mistake that a check or the profile shows, and is mended in a second session.
QString lessonsFolder();
/// Beside the examples: sessions whose kernels are to be written.
QString exercisesFolder();
/// Reads the folder's examples, simplest first. Unreadable documents are left out.
std::vector<Example> listExamples(const QString& folder);
/// Copies the example's folder below `target`, an existing folder, unless the copy exists already. Returns the copy's
/// document; empty and `problem` set when that fails.
QString copyExample(const QString& document, const QString& target, QString* problem);
/// The document that a copy was made of; empty for other documents.
QString originalOf(const QString& copy);
/// The folder for copies: Documents/Warplight, made when needed.
QString examplesTarget();

} // namespace warplight::ui
