// SPDX-License-Identifier: Apache-2.0
#include "compiler/include_reach.hpp"

#include "compiler/directives.hpp"
#include "compiler/include_scan.hpp"
#include "files/input_file.hpp"
#include "files/paths.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>
#include <utility>

namespace warplight::compiler {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostHeaders = 20'000;
constexpr std::uintmax_t kMostBytes = std::uintmax_t{64} << 20; ///< of all headers

fs::path resolved(const fs::path& file) {
    std::error_code problem;
    auto result = files::real_path(file, problem);
    return problem ? files::absolute(file, problem) : result;
}

/// What is wrong with a file that is none, such as a pipe.
std::string why_not_read(const fs::path& file) {
    try {
        const files::InputFile input(file);
    } catch (const files::InputError& error) {
        return error.what();
    }
    return file.string() + ": is no regular file";
}

bool below(const fs::path& file, const fs::path& folder) {
    const auto [rest, ignored] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
    return rest == folder.end() || (std::next(rest) == folder.end() && rest->empty());
}

/// Where the host compiler of nvcc looks by itself.
constexpr std::array<const char*, 3> kSystemHeaders = {"/usr/include", "/usr/local/include", "/usr/lib"};

class Check {
public:
    Check(const CompileRequest& request, const std::vector<fs::path>& toolkit) : request_(request) {
        for (const auto& folder : toolkit) {
            folders_.push_back(folder);
            toolkit_.push_back(resolved(folder));
        }
        std::vector<fs::path> own;
        if (!request.folder.empty()) own.emplace_back(request.folder);
        for (auto& folder : include_folders(request.options))
            own.push_back(std::move(folder));
        folders_.insert(folders_.begin(), own.begin(), own.end());
        if (is_nvcc())
            for (const char* folder : kSystemHeaders)
                toolkit_.push_back(resolved(folder));
    }

    IncludeReach run() {
        define_options();
        read(request_.source, request_.name, request_.folder, true);
        while (!waiting_.empty() && result_.refused.empty()) {
            const fs::path file = std::move(waiting_.front());
            waiting_.pop_front();
            header(file);
        }
        // A macro of the toolkit's is refused as well: it may use macros of the source.
        for (const auto& [macro, user] : computed_)
            if (!macros_.contains(macro)) refuse_computed(user.first, user.second);
        return std::move(result_);
    }

private:
    struct Place {
        std::string file; ///< as messages name it
        fs::path folder;
        bool main = false;
    };

    bool is_nvcc() const { return request_.backend == Backend::nvcc; }

    void refuse(const std::string& file, int line, std::string message, std::vector<std::string> notes = {}) {
        if (result_.refused.size() < 20)
            result_.refused.push_back({file, line, 0, Severity::error, std::move(message), std::move(notes)});
    }

    bool of_toolkit(const fs::path& file) const {
        return std::ranges::any_of(toolkit_, [&](const fs::path& folder) { return below(file, folder); });
    }
    /// Notes the file as outside where it may not be read.
    bool may_read(const fs::path& file) {
        // Another machine is asked only where the user has agreed.
        if (files::is_on_other_machine(file) && !request_.may_read(FilePath(file))) {
            result_.outside.push_back(files::normal(file));
            return false;
        }
        const auto target = resolved(file);
        if (of_toolkit(target) || request_.may_read(FilePath(file))) return true;
        if (std::ranges::find(result_.outside, target) == result_.outside.end()) result_.outside.push_back(target);
        return false;
    }

    void refuse_outside(const NamedFile& file, const Place& place) {
        const auto target = result_.outside.empty() ? fs::path() : result_.outside.back();
        refuse(place.file, file.line,
               "\"" + file.text + "\" " + "lies outside of the session's folder" +
                   (target.empty() ? std::string() : ": it is " + target.string()));
    }

    void define_options() {
        for (std::size_t i = 0; i < request_.options.size(); ++i) {
            std::string_view option = request_.options[i];
            for (const std::string_view name : {"--define-macro", "-D"}) {
                if (!option.starts_with(name)) continue;
                option.remove_prefix(name.size());
                if (option.empty() && i + 1 < request_.options.size()) option = request_.options[++i];
                if (option.starts_with('=')) option.remove_prefix(1);
                const auto equals = option.find('=');
                const auto body = equals == std::string_view::npos ? std::string_view("1") : option.substr(equals + 1);
                define({std::string(option.substr(0, equals)), std::string(body)});
                break;
            }
        }
    }

    /// A macro that an include uses may have been defined after it was read.
    void define(const MacroDefinition& macro) {
        if (!macros_[macro.name].insert(macro.body).second) return;
        const auto users = computed_.equal_range(macro.name);
        for (auto user = users.first; user != users.second; ++user)
            computed(user->second.first, macro.body, user->second.second);
    }

    void read(std::string_view text, const std::string& name, const fs::path& folder, bool main) {
        const Directives found = read_directives(text);
        const Place place{name, folder, main};
        if (!found.problem.empty()) refuse(name, found.problem_line, "the source has " + found.problem);
        for (const MacroDefinition& macro : found.macros)
            define(macro);
        for (const NamedFile& file : found.files) {
            if (file.use == NamedFile::Use::line)
                line_name(file, place);
            else if (!file.computed)
                named(file, place);
            else
                by_macro(file, place);
        }
    }

    void by_macro(const NamedFile& file, const Place& place) {
        if (!is_identifier(file.text)) return refuse_computed(file, place);
        computed_.emplace(file.text, std::pair(file, place));
        if (const auto found = macros_.find(file.text); found != macros_.end())
            for (const std::string& body : found->second)
                computed(file, body, place);
    }
    static bool is_identifier(std::string_view text) {
        return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    }
    void computed(NamedFile file, const std::string& body, const Place& place) {
        if (!read_header_name(body, file)) return refuse_computed(file, place);
        named(file, place);
    }
    void refuse_computed(const NamedFile& file, const Place& place) {
        refuse(place.file, file.line,
               "the header of #include " + file.text.substr(0, 100) + " cannot be told before compiling",
               {"a session may only include headers by their names, or by a macro that is nothing but a name"});
    }

    /// The name as a path; refuses one that the system would take for another.
    bool read_path(const NamedFile& file, const Place& place, fs::path& name) {
        std::string problem;
        try {
            name = fs::path(file.text);
            problem = files::path_problem(name);
        } catch (const std::exception&) { // on Windows names are UTF-8
            problem = "is no name: it is not UTF-8";
        }
        if (problem.empty()) return true;
        refuse(place.file, file.line, "\"" + file.text.substr(0, 300) + "\" " + problem);
        return false;
    }

    /// GCC quotes the line of the named file in its messages.
    void line_name(const NamedFile& file, const Place& place) {
        if (!is_nvcc()) return;
        if (file.computed)
            return refuse(place.file, file.line, "the file of #line " + file.text.substr(0, 100) + " cannot be told");
        fs::path name;
        if (!read_path(file, place, name)) return;
        if (files::is_on_other_machine(name) && !may_read(name)) return refuse_outside(file, place);
        std::error_code problem;
        for (const auto& base : {fs::current_path(problem), place.folder, fs::temp_directory_path(problem) / "x"})
            if (fs::exists(files::join(base, name), problem) && !may_read(files::join(base, name)))
                return refuse_outside(file, place);
    }

    void named(const NamedFile& file, const Place& place) {
        if (file.text.empty()) return;
        if (file.text.find('\0') != std::string::npos) return refuse(place.file, file.line, "a zero byte in a name");
        fs::path name;
        if (!read_path(file, place, name)) return;
        if (files::is_absolute(name) || name.has_root_directory() || name.has_root_name()) {
            if (!may_read(name)) return refuse_outside(file, place);
            return visit(name, file, place);
        }
        std::vector<fs::path> bases;
        if (file.quoted && place.main && is_nvcc()) { // nvcc is given a copy of the source there
            std::error_code problem;
            bases.push_back(fs::temp_directory_path(problem) / "x");
        }
        if (file.quoted) bases.push_back(place.folder);
        bases.insert(bases.end(), folders_.begin(), folders_.end());
        // With `..` a name leaves every folder in which compilers search, also those that are not known here.
        const bool climbs = std::ranges::find(name, fs::path("..")) != name.end();
        bool found = false;
        for (const auto& base : bases) {
            std::error_code problem;
            if (!fs::exists(base / name, problem)) continue;
            found = true;
            if (!may_read(base / name)) return refuse_outside(file, place);
            visit(base / name, file, place);
            if (climbs) return;
        }
        if (climbs && !found)
            refuse(place.file, file.line, "\"" + file.text + "\" is not there, seen from the session's folders");
    }

    void visit(const fs::path& path, const NamedFile& file, const Place& place) {
        const auto target = resolved(path);
        std::error_code problem;
        const auto type = fs::status(target, problem).type();
        if (type == fs::file_type::directory || type == fs::file_type::not_found) return;
        if (type != fs::file_type::regular) return refuse(place.file, file.line, why_not_read(target));
        if (of_toolkit(target) && !request_.may_read(FilePath(target))) return;
        // The same header has other neighbours under another path.
        if (!seen_.insert(files::normal(path)).second) return;
        result_.headers.push_back(target);
        if (file.use == NamedFile::Use::query) return;
        bytes_ += fs::file_size(target, problem);
        if (problem || seen_.size() > kMostHeaders || bytes_ > kMostBytes)
            return refuse(place.file, file.line, "the headers are too many or too large for a session");
        waiting_.push_back(path);
    }

    void header(const fs::path& path) {
        std::string text;
        try {
            text = files::read_text(resolved(path), files::Kind::header);
        } catch (const files::InputError& error) {
            return refuse(path.string(), 1, error.what());
        }
        const bool wide = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
        if (wide || text.find('\0') != std::string::npos)
            return refuse(path.string(), 1, "the header has a zero byte in it: it is no text");
        read(text, path.string(), path.parent_path(), false);
    }

    const CompileRequest& request_;
    std::vector<fs::path> folders_; ///< that are searched, in their order
    std::vector<fs::path> toolkit_; ///< canonical
    std::map<std::string, std::set<std::string>> macros_;
    std::multimap<std::string, std::pair<NamedFile, Place>> computed_; ///< includes by the macro that they use
    std::set<fs::path> seen_;
    std::deque<fs::path> waiting_;
    std::uintmax_t bytes_ = 0;
    IncludeReach result_;
};

} // namespace

IncludeReach check_includes(const CompileRequest& request, const std::vector<fs::path>& toolkit) {
    return Check(request, toolkit).run();
}

bool may_be_quoted(const fs::path& file, const CompileRequest& request, const std::vector<fs::path>& toolkit) {
    if (files::is_on_other_machine(file) || !files::path_problem(file).empty()) return request.may_read(FilePath(file));
    std::error_code problem;
    if (!files::is_absolute(file) || !fs::exists(file, problem)) return true;
    const auto target = resolved(file);
    const auto inside = [&](const fs::path& folder) { return below(target, resolved(folder)); };
    return std::ranges::any_of(toolkit, inside) || inside("/usr") || inside("/opt") || request.may_read(FilePath(file));
}

} // namespace warplight::compiler
