// SPDX-License-Identifier: Apache-2.0
#include "compiler/builtin_headers.hpp"
#include "compiler/nvrtc_library.hpp"
#include "compiler/plain_names.hpp"
#include "compiler/products.hpp"
#include "compiler/toolkit.hpp"

#include <algorithm>

namespace warplight::compiler {
namespace {

/// Owns an NVRTC program.
struct Program {
    const NvrtcLibrary& nvrtc;
    NvrtcLibrary::Program handle = nullptr;
    ~Program() {
        if (handle) nvrtc.destroy(&handle);
    }

    std::string product(NvrtcLibrary::Result (*size_of)(NvrtcLibrary::Program, std::size_t*),
                        NvrtcLibrary::Result (*get)(NvrtcLibrary::Program, char*)) const {
        std::size_t size = 0;
        if (!size_of || !get || size_of(handle, &size) != 0 || size == 0) return {};
        std::string bytes(size, '\0');
        if (get(handle, bytes.data()) != 0) return {};
        return bytes;
    }
    /// Without the zero at its end.
    std::string text(NvrtcLibrary::Result (*size_of)(NvrtcLibrary::Program, std::size_t*),
                     NvrtcLibrary::Result (*get)(NvrtcLibrary::Program, char*)) const {
        std::string result = product(size_of, get);
        result.resize(std::min(result.size(), result.find('\0')));
        return result;
    }
};

struct Flow {
    const CancelQuery& cancelled;
    bool answered = false; ///< NVRTC wants the same answer from then on
    static int ask(void* self, void*) {
        Flow& flow = *static_cast<Flow*>(self);
        if (!flow.answered && flow.cancelled()) flow.answered = true;
        return flow.answered;
    }
};

bool has_standard_option(const std::vector<std::string>& options) {
    return std::any_of(options.begin(), options.end(), [](const std::string& option) {
        return option.starts_with("-std") || option.starts_with("--std");
    });
}

constexpr int kCancelled = 16;  // NVRTC_ERROR_CANCELLED
constexpr int kOutOfMemory = 1; // NVRTC_ERROR_OUT_OF_MEMORY

/// The texts of the built-in headers. Before 12.0 the toolkit's C++ library has headers of the same names, and NVRTC
/// takes the built-in ones instead. Those therefore include the library's.
std::vector<std::string> header_texts(const NvrtcLibrary& nvrtc) {
    const auto is_library_header = [&](const char* name) {
        return std::any_of(nvrtc.include_dirs.begin(), nvrtc.include_dirs.end(), [&](const auto& folder) {
            std::error_code ignored;
            return std::filesystem::exists(folder / "cuda/std" / name, ignored);
        });
    };
    std::vector<std::string> texts;
    texts.reserve(builtin_headers().size());
    for (const BuiltinHeader& header : builtin_headers()) {
        std::string text;
        if (nvrtc.major < 12 && is_library_header(header.name))
            text = std::string("#if __cplusplus >= 201103L\n#include <cuda/std/") + header.name + ">\n#endif\n";
        // The library and the toolkit's other headers make int64_t a long long everywhere.
        if (nvrtc.major < 12) text += "#define WARPLIGHT_INT64_IS_LONG_LONG 1\n";
        texts.push_back(std::move(text) + header.text);
    }
    return texts;
}

} // namespace

Products compile_with_nvrtc(const Job& job) {
    const NvrtcLibrary& nvrtc = NvrtcLibrary::instance();
    const CompileRequest& request = job.request;
    Products products;
    PlainNames names_of;

    std::vector<std::string> options{"--gpu-architecture=" + job.arch.text()};
    for (const std::string& option : request.options)
        options.push_back(names_of.of_option(option));
    // NVRTC before 12.0 compiles as C++03 by default, nvcc as C++17.
    if (nvrtc.major < 12 && !has_standard_option(request.options)) options.push_back("--std=c++17");
    if (request.line_info && !has_line_option(request.options)) options.push_back("-lineinfo");
    if (request.lto_ir) options.push_back("-dlto");
#ifndef _WIN32
    // nvcc has __int128 by default, NVRTC only with an option.
    const auto is_int128 = [](const std::string& option) { return option.ends_with("-device-int128"); };
    if (request.source.find("__int128") != std::string::npos &&
        std::none_of(options.begin(), options.end(),
                     is_int128)) // older versions refuse the option when it is given twice
        options.push_back("--device-int128");
#endif
    if (request.report) options.push_back("--ptxas-options=-v");
    if (!request.folder.empty()) options.push_back("--include-path=" + names_of.of(request.folder.string()));
    for (const auto& folder : nvrtc.include_dirs)
        options.push_back("--include-path=" + names_of.of(folder.string()));
    std::vector<const char*> option_pointers;
    for (const std::string& option : options) {
        option_pointers.push_back(option.c_str());
        products.command += (products.command.empty() ? "" : " ") + option;
    }
    const std::vector<std::string> headers = header_texts(nvrtc);
    std::vector<const char*> names, texts;
    for (const BuiltinHeader& header : builtin_headers())
        names.push_back(header.name);
    for (const std::string& text : headers)
        texts.push_back(text.c_str());

    Program program{nvrtc};
    int status = nvrtc.create(&program.handle, job.source.c_str(), names_of.of(job.file).c_str(),
                              static_cast<int>(names.size()), texts.data(), names.data());
    if (status != 0) {
        products.log = std::string("nvrtc: error: ") + nvrtc.error_string(status) + "\n";
        return products;
    }
    for (const std::string& expression : request.name_expressions)
        nvrtc.add_name(program.handle, expression.c_str());
    Flow flow{request.cancelled};
    if (request.cancelled && nvrtc.flow_callback) nvrtc.flow_callback(program.handle, &Flow::ask, &flow);

    status = nvrtc.compile(program.handle, static_cast<int>(option_pointers.size()), option_pointers.data());
    products.log = program.text(nvrtc.log_size, nvrtc.log);
    names_of.restore(products.log);
    if (status == kCancelled || flow.answered) {
        products.cancelled = true;
        return products;
    }
    if (status == kOutOfMemory) products.log += "nvrtc: error: out of memory\n";
    if (status != 0) {
        if (products.log.find_first_not_of(" \n") == std::string::npos)
            products.log = std::string("nvrtc: error: ") + nvrtc.error_string(status) + "\n";
        if (products.log.find("nvrtc-builtins") != std::string::npos)
            products.log += "nvrtc: error: its second library, nvrtc-builtins, is missing in " +
                            nvrtc.path.parent_path().string() + " or is of another release. " + install_hint() + "\n";
        return products;
    }
    if (request.lto_ir) {
        products.lto_ir = program.product(nvrtc.lto_size, nvrtc.lto);
    } else {
        products.ptx = program.text(nvrtc.ptx_size, nvrtc.ptx);
        names_of.restore(products.ptx);
        if (request.cubin) products.cubin = program.product(nvrtc.cubin_size, nvrtc.cubin);
    }
    for (const std::string& expression : request.name_expressions) {
        const char* lowered = nullptr;
        if (nvrtc.lowered_name(program.handle, expression.c_str(), &lowered) == 0 && lowered)
            products.lowered_names.push_back({expression, lowered});
    }
    products.ok = true;
    return products;
}

} // namespace warplight::compiler
