// SPDX-License-Identifier: Apache-2.0
// Fills the templates of core/export/templates.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplight::exporting {

/// A template by its file name. Built in from core/export/templates.
[[nodiscard]] std::string_view template_text(std::string_view name);

/// Each `@NAME@` and the text in its place.
using Fillings = std::vector<std::pair<std::string_view, std::string>>;

/// A line that is nothing but `@NAME@` becomes the lines of the text, each with the line's indentation, and goes where
/// the text is empty. Every name of the template has to be given. The texts are not looked through again.
[[nodiscard]] std::string fill(std::string_view text, const Fillings& fillings);

/// Lines, each with its end.
class Lines {
public:
    void add(std::string_view line) {
        text_ += line;
        text_ += '\n';
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
};

} // namespace warplight::exporting
