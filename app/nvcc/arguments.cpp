// SPDX-License-Identifier: GPL-3.0-or-later
#include "arguments.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>

namespace warplight::nvcc {
namespace {

using Names = std::span<const std::string_view>;

bool is_one_of(std::string_view text, Names names) {
    return std::find(names.begin(), names.end(), text) != names.end();
}

constexpr std::string_view kArchitecture[] = {"-arch", "--gpu-architecture", "-gpu-architecture"};
constexpr std::string_view kCode[] = {"-code", "--gpu-code", "-gpu-code"};
constexpr std::string_view kGenerate[] = {"-gencode", "--generate-code", "-generate-code"};
constexpr std::string_view kRuntime[] = {"-cudart", "--cudart"};
constexpr std::string_view kLibrary[] = {"-l", "--library", "-library"};
constexpr std::string_view kOptionsFile[] = {"-optf", "--options-file", "-options-file"};
constexpr std::string_view kOutput[] = {"-o", "--output-file", "-output-file"};
constexpr std::string_view kRun[] = {"-run", "--run"};
constexpr std::string_view kRunArguments[] = {"-run-args", "--run-args"};
constexpr std::string_view kCubin[] = {"-cubin", "--cubin"};
/// These write PTX, or something that only NVIDIA's tools read.
constexpr std::string_view kOnlyDeviceCode[] = {"-ptx", "--ptx", "-optix-ir", "--optix-ir", "-ltoir", "--ltoir"};
constexpr std::string_view kLinkTimeOptimization[] = {"-dlto", "--dlink-time-opt", "-dlink-time-opt", "-lto",
                                                      "--lto", "-gen-opt-lto",     "--gen-opt-lto"};
constexpr std::string_view kDebug[] = {"-G",        "--device-debug",       "-device-debug",
                                       "-lineinfo", "--generate-line-info", "-generate-line-info"};
constexpr std::string_view kAsks[] = {"-h",       "--help",          "-help",
                                      "-arch-ls", "--list-gpu-arch", "-list-gpu-arch",
                                      "-code-ls", "--list-gpu-code", "-list-gpu-code"};
constexpr std::string_view kVersion[] = {"--version", "-V", "-version"};
/// Options whose value stands in the next argument, and may look like an option.
constexpr std::string_view kWithValue[] = {"-Xcompiler", "--compiler-options",
                                           "-Xlinker",   "--linker-options",
                                           "-Xarchive",  "--archive-options",
                                           "-Xptxas",    "--ptxas-options",
                                           "-Xnvlink",   "--nvlink-options",
                                           "-Xcudafe",   "-Xfatbin",
                                           "-I",         "--include-path",
                                           "-isystem",   "--system-include",
                                           "-D",         "--define-macro",
                                           "-U",         "--undefine-macro",
                                           "-L",         "--library-path",
                                           "-include",   "--pre-include",
                                           "-odir",      "--output-directory",
                                           "-ccbin",     "--compiler-bindir",
                                           "-MF",        "--dependency-output",
                                           "-MT",        "--dependency-target-name",
                                           "-run-args",  "--run-args",
                                           "-keep-dir",  "--keep-dir",
                                           "-x",         "--x",
                                           "-std",       "--std"};

struct Option {
    std::string_view name;
    std::optional<std::string_view> value; ///< behind "="
};
Option split(std::string_view argument) {
    const auto sign = argument.find('=');
    if (!argument.starts_with('-') || sign == std::string_view::npos) return {argument, std::nullopt};
    return {argument.substr(0, sign), argument.substr(sign + 1)};
}

/// The words of an options file: parted by blanks, which quotes and a backslash keep.
std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool inside = false;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
            word += text[++i];
            inside = true;
        } else if (quote ? c == quote : c == '"' || c == '\'') {
            quote = quote ? '\0' : c;
            inside = true;
        } else if (!quote && std::isspace(static_cast<unsigned char>(c))) {
            if (inside) words.push_back(std::move(word));
            word.clear();
            inside = false;
        } else {
            word += c;
            inside = true;
        }
    }
    if (inside) words.push_back(std::move(word));
    return words;
}

/// The content of options files (a list with commas), or nothing where they say nothing of architectures and runtimes.
std::optional<std::vector<std::string>> options_of(std::string_view files) {
    std::vector<std::string> all;
    bool matters = false;
    while (!files.empty()) {
        const auto comma = std::min(files.find(','), files.size());
        std::ifstream file(std::string(files.substr(0, comma)), std::ios::binary);
        if (!file) return std::nullopt; // nvcc says so better
        const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        for (const std::string_view word : {"arch", "code", "cudart", "cubin", "lto", "optf", "options-file"})
            matters |= text.find(word) != std::string::npos;
        auto words = words_of(text);
        std::move(words.begin(), words.end(), std::back_inserter(all));
        files.remove_prefix(std::min(comma + 1, files.size()));
    }
    if (!matters) return std::nullopt;
    return all;
}

std::vector<std::string> expand(const std::vector<std::string>& arguments, unsigned depth = 0) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const Option option = split(arguments[i]);
        const bool next = !option.value && i + 1 < arguments.size();
        if (is_one_of(option.name, kOptionsFile) && (option.value || next) && depth < 16) {
            if (const auto content = options_of(option.value ? *option.value : std::string_view(arguments[i + 1]))) {
                auto words = expand(*content, depth + 1);
                std::move(words.begin(), words.end(), std::back_inserter(result));
                i += next;
                continue;
            }
        }
        result.push_back(arguments[i]);
        if (next && is_one_of(option.name, kWithValue)) result.push_back(arguments[++i]);
    }
    return result;
}

/// Reads "sm_90a" and "compute_75" in a list of architectures and codes.
void add_numbers(std::string_view text, std::vector<unsigned>& numbers) {
    for (const std::string_view prefix : {"sm_", "compute_", "lto_"}) {
        for (auto at = text.find(prefix); at != std::string_view::npos; at = text.find(prefix, at + 1)) {
            const auto digits = text.substr(at + prefix.size());
            unsigned number = 0;
            if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec == std::errc{})
                numbers.push_back(number);
        }
    }
}

/// The parts of a list with commas.
void add_list(std::string_view list, std::vector<std::string>& parts) {
    while (!list.empty()) {
        const auto comma = std::min(list.find(','), list.size());
        parts.emplace_back(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
}

bool is_source(std::string_view argument) { return !argument.starts_with('-') && argument.ends_with(".cu"); }

/// What the arguments ask for, before any of them is replaced.
struct Request {
    bool cubin = false, only_device_code = false, asks = false, asks_version = false;
    bool output = false, has_lines = false, no_runtime = false, run = false;
    std::string output_file;
    std::vector<std::string> run_arguments;
    std::vector<std::string> sources;
    std::vector<unsigned> architectures;
    bool any_architecture = false; ///< "native", "all", "all-major"
};

Request read(const std::vector<std::string>& arguments) {
    Request r;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const Option option = split(arguments[i]);
        const bool next = !option.value && i + 1 < arguments.size();
        const auto value = [&] {
            return option.value ? *option.value : next ? std::string_view(arguments[i + 1]) : "";
        };
        const auto is = [&](Names names) { return is_one_of(option.name, names); };
        r.cubin |= is(kCubin);
        r.only_device_code |= is(kOnlyDeviceCode);
        r.asks |= is(kAsks);
        r.asks_version |= is(kVersion);
        r.output |= is(kOutput);
        r.has_lines |= is(kDebug);
        r.run |= is(kRun);
        if (is(kOutput)) r.output_file = value();
        if (is(kRunArguments)) add_list(value(), r.run_arguments);
        if (is(kRuntime)) r.no_runtime = value() == "none";
        if (is(kArchitecture) || is(kGenerate)) {
            const auto before = r.architectures.size();
            add_numbers(value(), r.architectures);
            r.any_architecture |= r.architectures.size() == before;
        }
        if (is_source(arguments[i])) r.sources.push_back(arguments[i]);
        if (next && (is(kWithValue) || is(kOutput) || is(kArchitecture) || is(kCode) || is(kGenerate))) ++i;
    }
    return r;
}

/// PTX, for a virtual architecture, under the name that CUBIN would have.
std::vector<std::string> in_place_of_cubin(const std::vector<std::string>& arguments, const Request& request) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const Option option = split(arguments[i]);
        const bool next = !option.value && i + 1 < arguments.size();
        if (is_one_of(option.name, kCubin)) {
            result.emplace_back("--ptx");
        } else if (is_one_of(option.name, kCode)) {
            i += next;
        } else if (is_one_of(option.name, kGenerate)) {
            std::vector<unsigned> numbers;
            add_numbers(option.value ? *option.value : next ? std::string_view(arguments[i + 1]) : "", numbers);
            if (!numbers.empty())
                result.push_back("-arch=compute_" + std::to_string(*std::min_element(numbers.begin(), numbers.end())));
            i += next;
        } else {
            result.push_back(arguments[i]);
            if (next && is_one_of(option.name, kWithValue)) result.push_back(arguments[++i]);
        }
    }
    if (!request.output && request.sources.size() == 1) {
        const auto& source = request.sources[0];
        const auto name = source.substr(source.rfind('/') + 1); // npos + 1 is 0
        result.emplace_back("-o");
        result.push_back(name.substr(0, name.size() - 3) + ".cubin");
    }
    return result;
}

/// "cudart_static" in a list of libraries is "cudart".
std::string shared_libraries(std::string_view list) {
    constexpr std::string_view name = "cudart_static";
    std::string result(list);
    for (auto at = result.find(name); at != std::string::npos; at = result.find(name, at + 1)) {
        const auto end = at + name.size();
        if ((at == 0 || result[at - 1] == ',') && (end == result.size() || result[end] == ','))
            result.replace(at, name.size(), "cudart");
    }
    return result;
}

std::vector<std::string> for_program(const std::vector<std::string>& arguments, const Request& request,
                                     unsigned capability, const std::vector<std::string>& libraries) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const Option option = split(arguments[i]);
        const bool next = !option.value && i + 1 < arguments.size();
        if (is_one_of(option.name, kArchitecture) || is_one_of(option.name, kCode) ||
            is_one_of(option.name, kGenerate) || is_one_of(option.name, kRuntime) ||
            is_one_of(option.name, kRunArguments)) {
            i += next;
        } else if (is_one_of(option.name, kRun)) {
            continue; // main() does so
        } else if (is_one_of(option.name, kLinkTimeOptimization)) {
            // It links code that is relocatable, which stays so.
            result.emplace_back("-rdc=true");
        } else if (is_one_of(option.name, kLibrary) && (option.value || next)) {
            result.emplace_back(kLibrary[0]);
            result.push_back(shared_libraries(option.value ? *option.value : std::string_view(arguments[++i])));
        } else if (option.name.starts_with("-l") && !option.value && option.name.size() > 2) {
            result.push_back("-l" + shared_libraries(option.name.substr(2)));
        } else if (!option.name.starts_with('-') && option.name.ends_with("libcudart_static.a")) {
            result.emplace_back("-lcudart");
        } else {
            result.push_back(arguments[i]);
            if (next && (is_one_of(option.name, kWithValue) || is_one_of(option.name, kOutput)))
                result.push_back(arguments[++i]);
        }
    }
    const auto number = std::to_string(capability);
    result.push_back("-gencode=arch=compute_" + number + ",code=compute_" + number);
    result.emplace_back(request.no_runtime ? "-cudart=none" : "-cudart=shared");
    for (const std::string& folder : libraries)
        result.push_back("-L" + folder);
    // Faults of kernels are told with their line.
    if (!request.has_lines && !request.sources.empty()) result.emplace_back("-lineinfo");
    return result;
}

} // namespace

unsigned capability_of(std::string_view text) {
    for (const std::string_view prefix : {"sm_", "compute_"})
        if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
    const auto number = [](std::string_view digits) {
        unsigned value = 0;
        const auto read = std::from_chars(digits.begin(), digits.end(), value);
        return read.ec == std::errc{} && read.ptr == digits.end() ? std::optional(value) : std::nullopt;
    };
    const auto point = text.find('.');
    std::optional<unsigned> value = number(text.substr(0, point));
    if (value && point != std::string_view::npos) {
        const auto minor = number(text.substr(point + 1));
        value = minor && *minor <= 9 ? std::optional(*value * 10 + *minor) : std::nullopt;
    }
    return value && *value >= 50 && *value <= 129 ? *value : 80;
}

Translation translate(const std::vector<std::string>& given, unsigned capability,
                      const std::vector<std::string>& libraries) {
    const auto arguments = expand(given);
    const Request request = read(arguments);
    Translation result;
    result.arguments = given;
    result.asks_version = request.asks_version;
    if (arguments.empty() || request.asks || request.asks_version) return result;
    if (request.cubin) result.arguments = in_place_of_cubin(arguments, request);
    if (request.cubin || request.only_device_code) return result;
    result.arguments = for_program(arguments, request, capability, libraries);
    result.run = request.run;
    result.run_arguments = request.run_arguments;
    result.output = request.output_file;
    const auto& asked = request.architectures;
    if (!request.any_architecture && !asked.empty() && *std::min_element(asked.begin(), asked.end()) > capability) {
        const auto device = std::to_string(capability);
        const auto wanted = std::to_string(*std::min_element(asked.begin(), asked.end()));
        result.note = "warplight: compiled for sm_" + device + ", the software device's architecture, in place of sm_" +
                      wanted + "; `warplight-cli exec --arch sm_" + wanted + " -- …` has a device of that one\n";
    }
    return result;
}

} // namespace warplight::nvcc
