// SPDX-License-Identifier: Apache-2.0
#include "export/identifiers.hpp"

#include <algorithm>
#include <iterator>

namespace warplight::exporting {
namespace {

// Keywords of C++ and Python, and what the programs of core/export/templates use.
constexpr std::string_view reserved_names[] = {
    "False", "None", "True", "and", "alignas", "alignof", "as", "asm", "assert", "async", "auto", "await", "bool",
    "break", "case", "catch", "char", "char8_t", "char16_t", "char32_t", "class", "concept", "const", "consteval",
    "constexpr", "constinit", "const_cast", "continue", "co_await", "co_return", "co_yield", "decltype", "def",
    "default", "del", "delete", "do", "double", "dynamic_cast", "elif", "else", "enum", "except", "explicit", "export",
    "extern", "false", "finally", "float", "for", "friend", "from", "global", "goto", "if", "import", "in", "inline",
    "int", "is", "lambda", "long", "mutable", "namespace", "new", "noexcept", "nonlocal", "not", "nullptr", "operator",
    "or", "pass", "print", "private", "protected", "public", "raise", "range", "register", "reinterpret_cast",
    "requires", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch",
    "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned",
    "using", "virtual", "void", "volatile", "wchar_t", "while", "with", "xor", "yield",
    // of the programs
    "arguments", "argc", "argv", "Array", "ALIGNED", "BLOCK", "Block", "begin", "block", "check", "code", "context",
    "cp", "ctypes", "cuda", "cuda_include", "device", "driver", "end", "error", "experiment", "file", "folder",
    "FOLDER", "GRID", "Grid", "grid", "kernel", "launch", "main", "max", "min", "module", "newest_arch", "np",
    "options", "passed", "Path", "program", "ptx", "REPEAT", "results", "run", "shared", "SHARED", "source", "std",
    "stream", "sys", "times", "value", "WARMUP", "warplight", "address", "array", "binding", "config", "compile",
    "copy_to_device", "copy_to_host", "data", "each", "function", "i", "launch_config", "library", "log",
    "milliseconds", "name", "number", "pointers", "read_text", "repeat", "result", "size", "warmup", "bytes", "dict",
    "hasattr", "len", "list", "map", "open", "set", "sorted", "str", "zip", "RuntimeError", "ImportError", "Context",
    "Device", "DeviceAllocation", "DevicePointer", "Driver", "Event", "EventOptions", "Function", "function_attribute",
    "LaunchConfig", "mem_alloc", "memcpy_dtoh", "memcpy_htod", "Module", "module_from_file", "ObjectCode", "Program",
    "ProgramOptions", "StreamOptions", "attributes", "SourceModule", "Stream", "include_path", "linux", "unix", "errno",
    "formulas", "computed", "types", "variable", "Texture", "textures", "bind_texture", "bind_surface", "graph",
    "graph_exec", "Graph", "GraphExec", "capture", "tuple", "NULL", "EOF", "NAN", "INFINITY", "INT64_MIN", "stdin",
    "stdout", "stderr"};

bool is_reserved(std::string_view name) { return std::ranges::find(reserved_names, name) != std::end(reserved_names); }

/// Files of their names are told apart on systems too where letters' case does not count.
std::string without_case(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

bool is_identifier_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

} // namespace

std::string Identifiers::make(std::string_view name) {
    std::string made;
    for (const char c : name)
        if (is_identifier_character(c))
            made += c;
        else if (!made.ends_with('_'))
            made += '_';
    while (made.ends_with('_'))
        made.pop_back();
    // Names that begin with an underscore, or have two, belong to C++.
    const auto first = made.find_first_not_of('_');
    made = first == std::string::npos ? "argument" : made.substr(first);
    for (auto at = made.find("__"); at != std::string::npos; at = made.find("__"))
        made.erase(at, 1);
    if (made.front() >= '0' && made.front() <= '9') made = "a" + made;
    const auto is_free = [&](const std::string& candidate) {
        const std::string name_of_file = without_case(candidate);
        return !is_reserved(candidate) && !taken_.contains(name_of_file) &&
               !taken_.contains(device_name(name_of_file)) && !taken_.contains(result_name(name_of_file));
    };
    std::string candidate = made;
    if (is_reserved(candidate)) candidate = made = made + "_";
    for (int i = 2; !is_free(candidate); ++i)
        candidate = made + (made.ends_with('_') ? "" : "_") + std::to_string(i);
    const std::string name_of_file = without_case(candidate);
    taken_.insert({name_of_file, device_name(name_of_file), result_name(name_of_file)});
    return candidate;
}

} // namespace warplight::exporting
