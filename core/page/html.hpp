// SPDX-License-Identifier: Apache-2.0
/// Pieces of HTML. They keep to what Qt's rich text knows, too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplight::page {

/// For texts and for attributes between double quotes. Bytes that are no UTF-8, and control characters, become U+FFFD.
std::string escaped(std::string_view text);

class Html {
public:
    void heading(int level, std::string_view text);
    void paragraph(std::string_view text, std::string_view style_class = {});
    /// Names and values, a row each.
    void facts(const std::vector<std::pair<std::string, std::string>>& rows);
    /// @param numbers columns from this one on are aligned to the right
    void table(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& rows,
               std::size_t numbers);
    void preformatted(std::string_view text);
    /// @param address as data_uri() makes it
    void image(std::string_view address, int width, int height, std::string_view description);
    void raw(std::string_view html) { text_ += html; }
    [[nodiscard]] std::string take() { return std::move(text_); }

private:
    std::string text_;
};

} // namespace warplight::page
