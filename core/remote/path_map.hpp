// SPDX-License-Identifier: Apache-2.0
// Where a file of the near machine lies on the far one: `/home/me/x.npy` is `ROOT/home/me/x.npy` there, and
// `C:\d\x.npy` is `ROOT/C/d/x.npy`. Only texts are looked at, no files.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::remote {

/// How a machine writes paths.
enum class PathStyle { linux_style, windows_style };

#ifdef _WIN32
inline constexpr PathStyle own_style = PathStyle::windows_style;
#else
inline constexpr PathStyle own_style = PathStyle::linux_style;
#endif

class PathMap {
public:
    explicit PathMap(PathStyle near = own_style) : near_(near) {}

    /// The far folder for files of the near machine. What was known is forgotten.
    void set_root(std::string far_root);
    [[nodiscard]] const std::string& root() const { return root_; }
    /// Another name of the same far folder, which answers may use.
    void add_root(std::string far_root);
    /// A near folder, with all below it, that is another folder there. @param near absolute
    void add_folder(std::string_view near, std::string far);
    /// A far file or folder that stands for a near one in answers.
    void add_answer(std::string far, std::string near);
    void remove_answer(const std::string& far);
    /// A near path that may come back in answers, so that its end is known there. Only Windows needs this: a path ends
    /// at a blank otherwise.
    void add_known(std::string_view near);

    [[nodiscard]] bool is_absolute(std::string_view near) const;
    /// "home/me/x" of `/home/me/x`, "C/d/x" of `c:\d\.\x`, "UNC/server/share/x" of `\\server\share\x`. Empty for `/`.
    /// Nothing for a path that is not absolute, or that `..` leads out of its root.
    [[nodiscard]] std::optional<std::string> below_root(std::string_view near) const;
    /// The far path of an absolute near one; nothing as of below_root().
    [[nodiscard]] std::optional<std::string> to_far(std::string_view near) const;
    /// A path as a session writes it, as the far machine must read it: an absolute one is mapped. A relative one stays,
    /// unless it leads further up than `folder`, the absolute near folder at which it starts, lies deep.
    [[nodiscard]] std::string to_far_text(std::string_view path, std::string_view folder) const;
    /// A text of the far machine, in which far paths are replaced by near ones.
    [[nodiscard]] std::string to_near_text(std::string_view text) const;
    /// False: to_near_text() changes nothing in it.
    [[nodiscard]] bool names_far_files(std::string_view text) const;

private:
    /// The components of an absolute near path, without `.` and `..`.
    [[nodiscard]] std::optional<std::vector<std::string>> components(std::string_view near) const;
    [[nodiscard]] std::string near_of(const std::vector<std::string>& components) const;
    /// What stands for the far text from a root on, of which `used` bytes are taken.
    [[nodiscard]] std::string near_below_root(std::string_view rest, std::size_t& used) const;
    [[nodiscard]] std::string near_tail(std::string_view rest, std::size_t& used) const;

    struct Prefix {
        std::string far;
        std::string near;
        bool root = false;
        bool file = false; ///< stands for one path, and not for those below it
    };
    PathStyle near_;
    std::string root_;
    std::vector<Prefix> prefixes_;
    std::map<std::string, std::string, std::less<>> folders_; ///< below_root() of the near folder, its far folder
    std::map<std::string, std::string, std::less<>> known_;   ///< below_root() of near paths, as they are written near
};

} // namespace warplight::remote
