// SPDX-License-Identifier: Apache-2.0
// The compile options that a document from someone else may use. The list names the allowed ones, because compilers
// have many options that write files, load plug-ins or start programs, and new releases add more.
#include "session/options_check.hpp"

#include "session/runner.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace warplight::session {
namespace {

// Options without a value.
constexpr std::string_view flags[] = {"-G",
                                      "--device-debug",
                                      "-lineinfo",
                                      "--generate-line-info",
                                      "-use_fast_math",
                                      "--use_fast_math",
                                      "-extra-device-vectorization",
                                      "--extra-device-vectorization",
                                      "-default-device",
                                      "--device-as-default-execution-space",
                                      "-restrict",
                                      "--restrict",
                                      "-w",
                                      "--disable-warnings",
                                      "-expt-relaxed-constexpr",
                                      "--expt-relaxed-constexpr",
                                      "-expt-extended-lambda",
                                      "--expt-extended-lambda",
                                      "-extended-lambda",
                                      "--extended-lambda",
                                      "-device-int128",
                                      "--device-int128",
                                      "-no-source-include",
                                      "--no-source-include",
                                      "-Wreorder",
                                      "-Xptxas=-v",
                                      "--ptxas-options=-v"};
// Options with a value: `--std=c++17`, or the value as the next option.
constexpr std::string_view with_value[] = {"-D",
                                           "--define-macro",
                                           "-U",
                                           "--undefine-macro",
                                           "-I",
                                           "--include-path",
                                           "-std",
                                           "--std",
                                           "-maxrregcount",
                                           "--maxrregcount",
                                           "-ftz",
                                           "--ftz",
                                           "-prec-sqrt",
                                           "--prec-sqrt",
                                           "-prec-div",
                                           "--prec-div",
                                           "-fmad",
                                           "--fmad",
                                           "-modify-stack-limit",
                                           "--modify-stack-limit",
                                           "-builtin-move-forward",
                                           "--builtin-move-forward",
                                           "-builtin-initializer-list",
                                           "--builtin-initializer-list",
                                           "-diag-error",
                                           "--diag-error",
                                           "-diag-suppress",
                                           "--diag-suppress",
                                           "-diag-warn",
                                           "--diag-warn",
                                           "-rdc",
                                           "--relocatable-device-code",
                                           "-split-compile",
                                           "--split-compile",
                                           "-O",
                                           "--optimize"};
// Options that also take their value without a separator: -DN=4, -Iinclude, -O3.
constexpr std::string_view joined[] = {"-D", "-U", "-I", "-O"};

template <class List>
bool contains(const List& list, std::string_view name) {
    return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

// nvcc passes its commands to a shell, so a value must have no character that is special in a shell.
bool is_plain(std::string_view value) {
    return std::all_of(value.begin(), value.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_./=:,+-").find(c) != std::string_view::npos;
    });
}

enum class Use { refused, complete, takes_next };

Use use_of(std::string_view option) {
    if (contains(flags, option)) return Use::complete;
    if (contains(with_value, option)) return Use::takes_next;
    const auto equals = option.find('=');
    if (equals != std::string_view::npos && contains(with_value, option.substr(0, equals))) return Use::complete;
    for (const auto& prefix : joined)
        if (option.size() > prefix.size() && option.substr(0, prefix.size()) == prefix) return Use::complete;
    return Use::refused;
}

/// Calls `visit` with the index of each include folder's option, the folder, and whether it is an option of its own.
template <class Visit>
void visit_include_folders(const std::vector<std::string>& options, const Visit& visit) {
    for (std::size_t i = 0; i < options.size(); ++i) {
        for (const std::string_view name : {"--include-path", "-I"}) {
            const std::string_view option = options[i];
            if (!option.starts_with(name)) continue;
            auto folder = option.substr(name.size());
            if (folder.empty()) {
                if (i + 1 < options.size()) visit(i, options[i + 1], true);
                ++i;
                break;
            }
            if (folder.starts_with('='))
                folder.remove_prefix(1);
            else if (name != "-I")
                continue;
            visit(i, std::string(folder), false);
            break;
        }
        // The value of another option may look like one.
        if (i < options.size() && use_of(options[i]) == Use::takes_next) ++i;
    }
}

} // namespace

std::vector<std::string> include_folders_of(const CompileOptions& options) {
    std::vector<std::string> folders;
    visit_include_folders(options.options,
                          [&](std::size_t, const std::string& folder, bool) { folders.push_back(folder); });
    return folders;
}

std::vector<std::string> placed_options(const CompileOptions& options, const Reach& reach) {
    auto placed = options.options;
    visit_include_folders(options.options, [&](std::size_t index, const std::string& folder, bool apart) {
        const auto pointer = fmt::format("/compile/options/{}", apart ? index + 1 : index);
        const auto file = reach.place(folder);
        try {
            reach.for_reading(file);
        } catch (const OutsideError& error) {
            throw OutsideError(fmt::format("The include folder {}", error.what()), error.file, pointer);
        } catch (const SessionError& error) {
            throw SessionError(fmt::format("The include folder {}", error.what()), pointer);
        }
        if (options.compiler == "nvcc" && file.string().find(',') != std::string::npos)
            throw SessionError(fmt::format("nvcc would take the include folder {} for several, because of the comma in "
                                           "its name. Rename the folder, or compile with NVRTC.",
                                           file.string()),
                               pointer);
        if (apart)
            placed[index + 1] = file.string();
        else
            placed[index] = "-I" + file.string();
    });
    return placed;
}

void confine(compiler::CompileRequest& request, const CompileOptions& options, const Reach& reach) {
    check_compile_options(options);
    request.options = placed_options(options, reach);
    request.may_read = [reach](const FilePath& file) { return reach.contains(file); };
}

void check_compile_options(const CompileOptions& options) {
    const auto refuse = [&](std::size_t index, std::string_view why) {
        throw SessionError(fmt::format("The compile option \"{}\" is not accepted in a session: {}. Remove it from the "
                                       "session; on the command line, with a source file in place of a session, "
                                       "--option accepts all of the compiler's.",
                                       options.options[index], why),
                           fmt::format("/compile/options/{}", index));
    };
    for (std::size_t i = 0; i < options.options.size(); ++i) {
        const auto use = use_of(options.options[i]);
        if (use == Use::refused)
            refuse(i, "it is not among those known to change the generated code only, so it might write files or start "
                      "programs");
        const bool next = use == Use::takes_next && i + 1 < options.options.size();
        if (options.compiler == "nvcc" &&
            (!is_plain(options.options[i]) || (next && !is_plain(options.options[i + 1]))))
            refuse(i, "nvcc would pass its special characters to a shell");
        if (next) {
            // The compiler might read such a value as an option.
            if (options.options[i + 1].starts_with("-")) refuse(i + 1, "it stands where a value is expected");
            ++i;
        }
    }
}

} // namespace warplight::session
