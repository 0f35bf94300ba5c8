// SPDX-License-Identifier: Apache-2.0
#include "entry.hpp"

#include "../runtime/capture.hpp"
#include "files/input_file.hpp"
#include "jit_options.hpp"

#include <chrono>
#include <cstring>

using namespace warplight::software;

std::string warplight::software::read_code_file(const std::string& path) {
    try {
        return files::read_text(path, files::Kind::module);
    } catch (const files::InputError& error) {
        fail(CUDA_ERROR_FILE_NOT_FOUND, std::string("cannot open ") + error.what());
    }
}

namespace {

/// `image`: a pointer, or the bytes of a file.
template <class Image>
void load(CUmodule* handle, const Image& image, const JitOptions& options) {
    Context& context = current_context();
    require(handle);
    LoadLog log;
    const auto start = std::chrono::steady_clock::now();
    const auto finish = [&] {
        log.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        options.write(log);
    };
    try {
        *handle = reinterpret_cast<CUmodule>(Module::load(context, ptx_of_image(image, log), log).get());
    } catch (const Failure& failure) {
        if (log.error.empty()) log.error = failure.message;
        finish();
        throw;
    }
    finish();
}

void load_data(CUmodule* handle, const void* image, const JitOptions& options) {
    (void)current_context();
    require(image);
    load(handle, image, options);
}

std::shared_ptr<Module> module_of(CUmodule handle) { return handles<Module>().get(handle); }
/// Of any context that is there.
std::shared_ptr<Module> live_module(CUmodule handle) {
    auto module = module_of(handle);
    module->context.check();
    return module;
}

} // namespace

WL_ENTRY(cuModuleLoadData, (CUmodule * module, const void* image)) {
    return enter([&] { load_data(module, image, {}); });
}

WL_ENTRY(cuModuleLoadDataEx,
         (CUmodule * module, const void* image, unsigned int numOptions, CUjit_option* options, void** optionValues)) {
    return enter([&] { load_data(module, image, JitOptions::read(numOptions, options, optionValues)); });
}

WL_ENTRY(cuModuleLoadFatBinary, (CUmodule * module, const void* fatCubin)) {
    return enter([&] { load_data(module, fatCubin, {}); });
}

WL_ENTRY(cuModuleLoad, (CUmodule * module, const char* fname)) {
    return enter([&] {
        (void)current_context();
        require(module && fname && *fname);
        const std::string image = read_code_file(fname);
        load(module, image, {});
    });
}

WL_ENTRY(cuModuleUnload, (CUmodule hmod)) {
    return enter([&] {
        forbid_unsafe_call();
        const auto module = module_of(hmod);
        module->context.drain();
        unload(module);
        module->unload();
        module->context.check();
    });
}

WL_ENTRY(cuModuleGetLoadingMode, (CUmoduleLoadingMode * mode)) {
    return enter([&] {
        require(mode);
        *mode = CU_MODULE_LAZY_LOADING;
    });
}

WL_ENTRY(cuModuleGetFunction, (CUfunction * hfunc, CUmodule hmod, const char* name)) {
    return enter([&] {
        const auto module = live_module(hmod);
        require(hfunc && name && *name);
        Function* function = module->kernel(name);
        if (!function) fail(CUDA_ERROR_NOT_FOUND, std::string("the module has no kernel '") + name + "'");
        *hfunc = reinterpret_cast<CUfunction>(function);
    });
}

WL_ENTRY(cuModuleGetFunctionCount, (unsigned int* count, CUmodule mod)) {
    if (const CUresult wrong = look_at([&] { require(count); })) return wrong;
    return enter([&] { *count = static_cast<unsigned>(live_module(mod)->kernels().size()); });
}

WL_ENTRY(cuModuleEnumerateFunctions, (CUfunction * functions, unsigned int numFunctions, CUmodule mod)) {
    if (const CUresult wrong = look_at([&] { require(functions); })) return wrong;
    return enter([&] {
        const auto kernels = live_module(mod)->kernels();
        for (std::size_t i = 0; i < kernels.size() && i < numFunctions; ++i) {
            functions[i] = reinterpret_cast<CUfunction>(kernels[i]);
        }
    });
}

WL_ENTRY(cuModuleGetGlobal_v2, (CUdeviceptr * dptr, size_t* bytes, CUmodule hmod, const char* name)) {
    return enter([&] {
        const auto module = live_module(hmod);
        require(name && *name && (dptr || bytes));
        const auto global = module->global(name);
        if (!global) fail(CUDA_ERROR_NOT_FOUND, std::string("the module has no variable '") + name + "'");
        if (dptr) *dptr = global->address;
        if (bytes) *bytes = global->size;
    });
}
