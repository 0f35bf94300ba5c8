// SPDX-License-Identifier: GPL-3.0-or-later
/// Numbers, shapes and formulas of arguments as they are typed.
#pragma once

#include "session/session.hpp"

#include <QString>
#include <optional>
#include <string>

namespace warplight::ui {

QString numberText(const session::Number& number);
/// Integers stay exact; 0x… is understood. False if the text is no number.
bool readNumber(const QString& text, session::Number* number);
/// The same, where text that is as it was shown means the number that it was shown for: 1.0 stays 1.0.
bool readNumber(const QString& text, const std::optional<session::Number>& shown, session::Number* number);

/// "1, 2, 3" or "(1, 2, 3)".
bool readNumbers(const QString& text, session::Components* numbers);
/// Of a scalar, to be edited; empty for the size of a buffer.
QString valueText(const std::string& type, const session::ScalarValue& value);

/// "1024, 768" or "1024 × 768" or "1024x768".
bool readShape(const QString& text, session::Shape* shape);
QString showShape(const session::Shape& shape);
/// "mass = 1 + i; pos.x = sin(i)"
QString fieldsText(const std::vector<session::FieldsSource::Field>& fields);
bool readFields(const QString& text, std::vector<session::FieldsSource::Field>* fields);

/// What stands before a digest as the expected result.
inline constexpr QLatin1String digestWord{"digest:"};
/// A file, another session, "= 2*x + y" or "digest:0a1b…", as the dialog of an argument reads them.
QString expectationText(const session::Expectation& expectation);
/// As in a spreadsheet: "= 2*x + y" is a formula, and anything else names a file. The formula; nothing for a file.
std::optional<QString> formulaIn(const QString& text);

} // namespace warplight::ui
