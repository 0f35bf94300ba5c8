// SPDX-License-Identifier: Apache-2.0
// Names of files and folders, as the library takes and gives them.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace warplight {

class FilePath;

/// std::filesystem::path, whose header takes longer to compile than all of the library's: without it only its shape.
template <class P>
concept NativePath = !std::is_same_v<P, FilePath> && requires(const P& path) {
    path.native();
    path.root_directory();
    requires std::is_same_v<decltype(path.native()), const typename P::string_type&>;
};

/// A path in the system's own form. Made from text or a std::filesystem::path, and becomes one where one is asked for.
class FilePath {
public:
#ifdef _WIN32
    using value_type = wchar_t;
#else
    using value_type = char;
#endif
    using string_type = std::basic_string<value_type>;

    FilePath() = default;
    /// Text as std::filesystem::path takes it: on Windows in the process's code page.
    FilePath(std::string_view text);
    FilePath(const std::string& text) : FilePath(std::string_view(text)) {}
    FilePath(const char* text) : FilePath(std::string_view(text)) {}
#ifdef _WIN32
    FilePath(std::wstring text) noexcept : native_(std::move(text)) {}
    FilePath(const wchar_t* text) : native_(text) {}
#endif
    template <NativePath P>
    FilePath(const P& path) : native_(path.native()) {}

    template <NativePath P>
    operator P() const {
        return P(native_);
    }
    const string_type& native() const noexcept { return native_; }
    /// For messages.
    std::string string() const;
    bool empty() const noexcept { return native_.empty(); }

    /// The same text; whether it is the same file, std::filesystem::equivalent() knows.
    friend bool operator==(const FilePath& a, const FilePath& b) noexcept { return a.native_ == b.native_; }

private:
    string_type native_;
};

} // namespace warplight
