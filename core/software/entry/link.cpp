// SPDX-License-Identifier: Apache-2.0
// The linker, for one PTX input: what it completes to is that PTX, which the module loader takes.
#include "entry.hpp"
#include "jit_options.hpp"

#include "../ptx/parser.hpp"

#include <cstring>
#include <fstream>
#include <iterator>

using namespace warplight::software;

namespace {

struct Linker {
    JitOptions options;
    std::string ptx;
    bool has_input = false;
    void add(CUjitInputType type, std::string text) {
        if (type != CU_JIT_INPUT_PTX) {
            fail_with(type == CU_JIT_INPUT_CUBIN ? CUDA_ERROR_NO_BINARY_FOR_GPU : CUDA_ERROR_NOT_SUPPORTED,
                      "the software device links PTX only\n");
        }
        if (has_input) fail_with(CUDA_ERROR_NOT_SUPPORTED, "the software device links one PTX text only\n");
        text.resize(std::strlen(text.c_str()));
        const auto parsed = warplight::ptx::parse(text);
        if (const auto* error = std::get_if<warplight::ptx::ParseError>(&parsed)) {
            fail_with(error->unsupported_version ? CUDA_ERROR_UNSUPPORTED_PTX_VERSION : CUDA_ERROR_INVALID_PTX,
                      error->message + "\n");
        }
        ptx = std::move(text);
        has_input = true;
    }
    [[noreturn]] void fail_with(CUresult code, const std::string& message) const {
        LoadLog log;
        log.error = message;
        options.write(log);
        fail(code, message);
    }
};

std::shared_ptr<Linker> linker_of(CUlinkState state) { return handles<Linker>().get(state); }

} // namespace

WL_ENTRY(cuLinkCreate_v2, 6050,
         (unsigned int numOptions, CUjit_option* options, void** optionValues, CUlinkState* stateOut)) {
    return enter([&] {
        (void)current_context();
        require(stateOut);
        auto linker = std::make_shared<Linker>();
        linker->options = JitOptions::read(numOptions, options, optionValues);
        handles<Linker>().add(linker);
        *stateOut = reinterpret_cast<CUlinkState>(linker.get());
    });
}

WL_ENTRY(cuLinkAddData_v2, 6050,
         (CUlinkState state, CUjitInputType type, void* data, size_t size, const char*, unsigned int, CUjit_option*,
          void**)) {
    return enter([&] {
        require(data && size > 0);
        linker_of(state)->add(type, std::string(static_cast<const char*>(data), size));
    });
}

WL_ENTRY(cuLinkAddFile_v2, 6050,
         (CUlinkState state, CUjitInputType type, const char* path, unsigned int, CUjit_option*, void**)) {
    return enter([&] {
        require(path);
        const auto linker = linker_of(state);
        std::ifstream file(path, std::ios::binary);
        require(static_cast<bool>(file), CUDA_ERROR_FILE_NOT_FOUND);
        linker->add(type, std::string{std::istreambuf_iterator<char>(file), {}});
    });
}

WL_ENTRY(cuLinkComplete, 5050, (CUlinkState state, void** cubinOut, size_t* sizeOut)) {
    return enter([&] {
        require(cubinOut);
        const auto linker = linker_of(state);
        require(linker->has_input);
        *cubinOut = linker->ptx.data();
        if (sizeOut) *sizeOut = linker->ptx.size() + 1;
    });
}

WL_ENTRY(cuLinkDestroy, 5050, (CUlinkState state)) {
    return enter([&] { require(handles<Linker>().remove(state), CUDA_ERROR_INVALID_HANDLE); });
}
