// SPDX-License-Identifier: Apache-2.0
// The interface of libnvJitLink. `warplight-cli exec` lets programs find this library under that name too. Machine code
// of a GPU would not run here, so linking gives PTX. Names, numbers and meaning: nvJitLink.h.
#include "entry.hpp"
#include "linker.hpp"

#include <cstring>
#include <string_view>

namespace {

using namespace warplight::software;

enum class Result : int {
    success,
    unrecognized_option,
    missing_arch,
    invalid_input,
    ptx_compile,
    nvvm_compile,
    internal,
    threadpool,
    unrecognized_input,
    finalize,
    null_input,
};

enum class InputType : int { none, cubin, ptx, ltoir, fatbin, object, library, index, any = 10 };

struct JitLink {
    Linker linker{JitOptions{}};
    std::string image;
    bool completed = false;
};

/// Programs that find 12.3 or later compile to LTO code, which has no compiler here. With less they compile to PTX.
constexpr unsigned kVersion[] = {12, 2};

Result result_of(CUresult code) {
    switch (code) {
    case CUDA_SUCCESS: return Result::success;
    case CUDA_ERROR_INVALID_PTX:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION: return Result::ptx_compile;
    case CUDA_ERROR_JIT_COMPILER_NOT_FOUND: return Result::nvvm_compile;
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_IMAGE: return Result::unrecognized_input;
    case CUDA_ERROR_INVALID_SOURCE: return Result::finalize;
    case CUDA_ERROR_OUT_OF_MEMORY:
    case CUDA_ERROR_UNKNOWN: return Result::internal;
    default: return Result::invalid_input;
    }
}

template <class Body>
Result answer(Body body) noexcept {
    Result result = Result::success;
    const CUresult code = enter_always([&] { result = body(); });
    return code == CUDA_SUCCESS ? result : result_of(code);
}

/// `body(the link)`
template <class Body>
Result with(void* handle, Body body) noexcept {
    return answer([&] {
        if (!handle) return Result::null_input;
        const auto link = handles<JitLink>().get(handle, CUDA_ERROR_INVALID_HANDLE);
        return body(*link);
    });
}

bool is_machine_code(std::string_view elf) {
    constexpr std::size_t kMachine = 18;
    constexpr std::uint16_t kCuda = 190;
    std::uint16_t machine = 0;
    if (elf.size() >= kMachine + sizeof machine) std::memcpy(&machine, elf.data() + kMachine, sizeof machine);
    return machine == kCuda;
}

InputType type_of(std::string_view bytes) {
    if (bytes.starts_with("!<arch>\n")) return InputType::library;
    if (bytes.starts_with("\x50\xED\x55\xBA")) return InputType::fatbin;
    if (bytes.starts_with("\x7F"
                          "ELF"))
        return is_machine_code(bytes) ? InputType::cubin : InputType::object;
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    const bool text = first != std::string_view::npos && (bytes[first] == '.' || bytes[first] == '/');
    return text ? InputType::ptx : InputType::cubin;
}

CUjitInputType driver_type(InputType type) {
    switch (type) {
    case InputType::cubin: return CU_JIT_INPUT_CUBIN;
    case InputType::ptx: return CU_JIT_INPUT_PTX;
    case InputType::fatbin: return CU_JIT_INPUT_FATBINARY;
    case InputType::object: return CU_JIT_INPUT_OBJECT;
    case InputType::library: return CU_JIT_INPUT_LIBRARY;
    case InputType::ltoir:
    case InputType::index: return CU_JIT_INPUT_NVVM;
    default: fail(CUDA_ERROR_INVALID_VALUE, "there is no such type of input");
    }
}

/// Text with its end.
Result give(const std::string& text, char* to) {
    if (!to) return Result::null_input;
    std::memcpy(to, text.c_str(), text.size() + 1);
    return Result::success;
}
template <class T>
Result give(T value, T* to) {
    if (!to) return Result::null_input;
    *to = value;
    return Result::success;
}

// The functions behind the names of all versions.

Result create(void** handle, std::uint32_t count, const char* const* options) {
    return answer([&] {
        if (!handle || (count && !options)) return Result::null_input;
        bool arch = false;
        for (std::uint32_t k = 0; k < count; ++k) {
            const std::string_view option = options[k] ? options[k] : "";
            if (!option.starts_with("-")) return Result::unrecognized_option;
            arch |= option.starts_with("-arch=") || option.starts_with("--arch=");
        }
        // All others are about machine code.
        if (!arch) return Result::missing_arch;
        auto link = std::make_shared<JitLink>();
        handles<JitLink>().add(link);
        *handle = link.get();
        return Result::success;
    });
}
Result destroy(void** handle) {
    return answer([&] {
        if (!handle || !*handle) return Result::null_input;
        require(handles<JitLink>().remove(*handle), CUDA_ERROR_INVALID_HANDLE);
        *handle = nullptr;
        return Result::success;
    });
}
Result add(JitLink& link, int type, std::string bytes, const std::string& name) {
    auto wanted = static_cast<InputType>(type);
    if (wanted == InputType::any) wanted = type_of(bytes);
    link.linker.add(driver_type(wanted), std::move(bytes), name);
    return Result::success;
}
Result add_data(void* handle, int type, const void* data, std::size_t size, const char* name) {
    return with(handle, [&](JitLink& link) {
        if (!data || !size) return Result::null_input;
        return add(link, type, {static_cast<const char*>(data), size}, name ? name : "unnamed");
    });
}
Result add_file(void* handle, int type, const char* path) {
    return with(handle, [&](JitLink& link) {
        if (!path || !*path) return Result::null_input;
        return add(link, type, read_code_file(path), path);
    });
}
Result complete(void* handle) {
    return with(handle, [&](JitLink& link) {
        link.image = link.linker.complete();
        link.completed = true;
        return Result::success;
    });
}
Result get_cubin_size(void* handle, std::size_t* size) {
    return with(handle,
                [&](JitLink& link) { return link.completed ? give(link.image.size(), size) : Result::invalid_input; });
}
Result get_cubin(void* handle, void* cubin) {
    return with(handle, [&](JitLink& link) {
        if (!cubin) return Result::null_input;
        if (!link.completed) return Result::invalid_input;
        std::memcpy(cubin, link.image.data(), link.image.size());
        return Result::success;
    });
}
/// Only linking of LTO code would give PTX.
Result get_ptx_size(void* handle, std::size_t*) {
    return with(handle, [](JitLink&) { return Result::invalid_input; });
}
Result get_ptx(void* handle, char*) {
    return with(handle, [](JitLink&) { return Result::invalid_input; });
}
Result get_error_log_size(void* handle, std::size_t* size) {
    return with(handle, [&](JitLink& link) { return give(link.linker.log().error.size() + 1, size); });
}
Result get_error_log(void* handle, char* log) {
    return with(handle, [&](JitLink& link) { return give(link.linker.log().error, log); });
}
Result get_info_log_size(void* handle, std::size_t* size) {
    return with(handle, [&](JitLink& link) { return give(link.linker.log().info.size() + 1, size); });
}
Result get_info_log(void* handle, char* log) {
    return with(handle, [&](JitLink& link) { return give(link.linker.log().info, log); });
}

} // namespace

// Programs that load the library ask for the plain name. The header of each version makes linked programs ask for a
// name of that version. All symbols have the version of their library (exports.map). Symbols of both libraries exist
// once for each.
#define WL_IN_EACH(name, parameters, arguments)                                                                        \
    extern "C" WL_API int wl_12_nvJitLink##name parameters { return jit_link_##name arguments; }                       \
    extern "C" WL_API int wl_13_nvJitLink##name parameters { return jit_link_##name arguments; }                       \
    asm(".symver wl_12_nvJitLink" #name ",nvJitLink" #name "@libnvJitLink.so.12");                                     \
    asm(".symver wl_13_nvJitLink" #name ",nvJitLink" #name "@@libnvJitLink.so.13")
#define WL_FORM(name, version, parameters, arguments)                                                                  \
    extern "C" WL_API int __nvJitLink##name##_##version parameters { return jit_link_##name arguments; }
#define WL_FORMS(name, parameters, arguments)                                                                          \
    WL_FORM(name, 12_0, parameters, arguments)                                                                         \
    WL_FORM(name, 12_1, parameters, arguments)                                                                         \
    WL_FORM(name, 12_2, parameters, arguments)                                                                         \
    WL_FORM(name, 12_3, parameters, arguments)                                                                         \
    WL_FORM(name, 12_4, parameters, arguments)                                                                         \
    WL_FORM(name, 12_5, parameters, arguments)                                                                         \
    WL_FORM(name, 12_6, parameters, arguments)                                                                         \
    WL_FORM(name, 12_8, parameters, arguments)                                                                         \
    WL_FORM(name, 12_9, parameters, arguments)                                                                         \
    WL_FORM(name, 13_0, parameters, arguments)
#define WL_JIT_LINK(name, body, parameters, arguments)                                                                 \
    static int jit_link_##name parameters { return static_cast<int>(body arguments); }                                 \
    WL_FORMS(name, parameters, arguments)                                                                              \
    WL_IN_EACH(name, parameters, arguments);

// NOLINTBEGIN(bugprone-reserved-identifier): NVIDIA's names
WL_JIT_LINK(Create, create, (void** handle, std::uint32_t count, const char* const* options), (handle, count, options))
WL_JIT_LINK(Destroy, destroy, (void** handle), (handle))
WL_JIT_LINK(AddData, add_data, (void* handle, int type, const void* data, std::size_t size, const char* name),
            (handle, type, data, size, name))
WL_JIT_LINK(AddFile, add_file, (void* handle, int type, const char* path), (handle, type, path))
WL_JIT_LINK(Complete, complete, (void* handle), (handle))
WL_JIT_LINK(GetLinkedCubinSize, get_cubin_size, (void* handle, std::size_t* size), (handle, size))
WL_JIT_LINK(GetLinkedCubin, get_cubin, (void* handle, void* cubin), (handle, cubin))
WL_JIT_LINK(GetLinkedPtxSize, get_ptx_size, (void* handle, std::size_t* size), (handle, size))
WL_JIT_LINK(GetLinkedPtx, get_ptx, (void* handle, char* ptx), (handle, ptx))
WL_JIT_LINK(GetErrorLogSize, get_error_log_size, (void* handle, std::size_t* size), (handle, size))
WL_JIT_LINK(GetErrorLog, get_error_log, (void* handle, char* log), (handle, log))
WL_JIT_LINK(GetInfoLogSize, get_info_log_size, (void* handle, std::size_t* size), (handle, size))
WL_JIT_LINK(GetInfoLog, get_info_log, (void* handle, char* log), (handle, log))
// NOLINTEND(bugprone-reserved-identifier)

static int jit_link_Version(unsigned* major, unsigned* minor) {
    if (!major || !minor) return static_cast<int>(Result::null_input);
    *major = kVersion[0];
    *minor = kVersion[1];
    return static_cast<int>(Result::success);
}
WL_IN_EACH(Version, (unsigned* major, unsigned* minor), (major, minor));
