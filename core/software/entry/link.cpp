// SPDX-License-Identifier: Apache-2.0
#include "entry.hpp"
#include "linker.hpp"

#include "../runtime/advice.hpp"
#include "../runtime/configuration.hpp"

using namespace warplight::software;

namespace {

std::shared_ptr<Linker> linker_of(CUlinkState state) { return handles<Linker>().get(state); }

} // namespace

WL_ENTRY(cuLinkCreate_v2,
         (unsigned int numOptions, CUjit_option* options, void** optionValues, CUlinkState* stateOut)) {
    return enter([&] {
        (void)current_context();
        require(stateOut);
        auto linker = std::make_shared<Linker>(JitOptions::read(numOptions, options, optionValues));
        handles<Linker>().add(linker);
        *stateOut = reinterpret_cast<CUlinkState>(linker.get());
    });
}

WL_ENTRY(cuLinkAddData_v2, (CUlinkState state, CUjitInputType type, void* data, size_t size, const char* name,
                            unsigned int count, CUjit_option* options, void** values)) {
    if (const CUresult wrong = look_at([&] { require(state, CUDA_ERROR_INVALID_HANDLE); })) return wrong;
    return enter([&] {
        require(data && size > 0);
        (void)JitOptions::read(count, options, values);
        try {
            linker_of(state)->add(type, bytes_at(data, size), name ? name : "unknown");
        } catch (const Failure& failure) {
            if (failure.code == CUDA_ERROR_NO_BINARY_FOR_GPU) advice::on_machine_code(data, configuration().capability);
            throw;
        }
    });
}

WL_ENTRY(cuLinkAddFile_v2, (CUlinkState state, CUjitInputType type, const char* path, unsigned int count,
                            CUjit_option* options, void** values)) {
    if (const CUresult wrong = look_at([&] { require(state, CUDA_ERROR_INVALID_HANDLE); })) return wrong;
    return enter([&] {
        require(path && *path);
        (void)JitOptions::read(count, options, values);
        const auto linker = linker_of(state);
        linker->add(type, read_code_file(path), path);
    });
}

WL_ENTRY(cuLinkComplete, (CUlinkState state, void** cubinOut, size_t* sizeOut)) {
    if (const CUresult wrong = look_at([&] { require(state, CUDA_ERROR_INVALID_HANDLE); })) return wrong;
    return enter([&] {
        require(cubinOut);
        const std::string& image = linker_of(state)->complete();
        *cubinOut = const_cast<char*>(image.data());
        if (sizeOut) *sizeOut = image.size();
    });
}

WL_ENTRY(cuLinkDestroy, (CUlinkState state)) {
    if (const CUresult wrong = look_at([&] { require(state, CUDA_ERROR_INVALID_HANDLE); })) return wrong;
    return enter([&] { require(handles<Linker>().remove(state), CUDA_ERROR_INVALID_HANDLE); });
}
