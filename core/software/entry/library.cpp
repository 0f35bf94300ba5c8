// SPDX-License-Identifier: Apache-2.0
#include "entry.hpp"

#include "../runtime/capture.hpp"
#include "jit_options.hpp"

#include "../runtime/library.hpp"

#include <cstring>

#if CUDA_VERSION < 12000
using CUlibrary = struct CUlib_st*;
using CUkernel = struct CUkern_st*;
using CUlibraryOption = int;
#endif

using namespace warplight::software;

namespace {

std::shared_ptr<Library> library_of(CUlibrary handle) { return handles<Library>().get(handle); }
std::shared_ptr<Kernel> kernel_of(CUkernel handle) { return handles<Kernel>().get(handle); }

/// `image`: a pointer, or the bytes of a file.
template <class Image>
void load(CUlibrary* handle, const Image& image, const JitOptions& jit, unsigned count, CUlibraryOption* options) {
    require(options || count == 0);
    for (unsigned i = 0; i < count; ++i) {
        const int option = static_cast<int>(options[i]);
        require(option >= 0 && option < 2);
    }
    LoadLog log;
    std::shared_ptr<Library> library;
    try {
        library = Library::load(ptx_of_image(image, log), log);
        // Whether this device can run the code is known where there is a context.
        if (const auto context = current_context_or_null()) (void)library->module(*context);
    } catch (const Failure& failure) {
        // As with a driver, which compiles when something of the library is used.
        if (log.error.empty()) log.error = failure.message;
        if (library) {
            library->unload();
            handles<Library>().remove(library.get());
        }
        library = Library::useless(failure);
    }
    *handle = reinterpret_cast<CUlibrary>(library.get());
    jit.write(log);
}

} // namespace

WL_ENTRY(cuLibraryLoadData,
         (CUlibrary * library, const void* code, CUjit_option* jitOptions, void** jitOptionsValues,
          unsigned int numJitOptions, CUlibraryOption* libraryOptions, void**, unsigned int numLibraryOptions)) {
    if (const CUresult wrong = look_at([&] { require(library && code); })) return wrong;
    return enter([&] {
        load(library, code, JitOptions::read(numJitOptions, jitOptions, jitOptionsValues), numLibraryOptions,
             libraryOptions);
    });
}

WL_ENTRY(cuLibraryLoadFromFile,
         (CUlibrary * library, const char* fileName, CUjit_option* jitOptions, void** jitOptionsValues,
          unsigned int numJitOptions, CUlibraryOption* libraryOptions, void**, unsigned int numLibraryOptions)) {
    if (const CUresult wrong = look_at([&] { require(library && fileName && *fileName); })) return wrong;
    return enter([&] {
        JitOptions options = JitOptions::read(numJitOptions, jitOptions, jitOptionsValues);
        const std::string image = read_code_file(fileName);
        load(library, image, options, numLibraryOptions, libraryOptions);
    });
}

WL_ENTRY(cuLibraryUnload, (CUlibrary handle)) {
    if (const CUresult wrong = look_at([&] { require(handle, CUDA_ERROR_INVALID_HANDLE); })) return wrong;
    return enter([&] {
        forbid_unsafe_call();
        const auto library = library_of(handle);
        handles<Library>().remove(handle);
        library->unload();
    });
}

WL_ENTRY(cuLibraryGetKernel, (CUkernel * pKernel, CUlibrary handle, const char* name)) {
    if (const CUresult wrong = look_at([&] { require(pKernel && name); })) return wrong;
    return enter([&] {
        const auto library = library_of(handle);
        library->check();
        const auto kernel = library->kernel(name);
        if (!kernel) fail(CUDA_ERROR_NOT_FOUND, std::string("the library has no kernel '") + name + "'");
        *pKernel = reinterpret_cast<CUkernel>(kernel.get());
    });
}

WL_ENTRY(cuLibraryGetKernelCount, (unsigned int* count, CUlibrary lib)) {
    if (const CUresult wrong = look_at([&] { require(count); })) return wrong;
    return enter([&] { *count = static_cast<unsigned>(library_of(lib)->kernels().size()); });
}

WL_ENTRY(cuLibraryEnumerateKernels, (CUkernel * kernels, unsigned int numKernels, CUlibrary lib)) {
    if (const CUresult wrong = look_at([&] { require(kernels); })) return wrong;
    return enter([&] {
        const auto library = library_of(lib);
        const auto& all = library->kernels();
        for (std::size_t i = 0; i < all.size() && i < numKernels; ++i)
            kernels[i] = reinterpret_cast<CUkernel>(all[i].get());
    });
}

WL_ENTRY(cuLibraryGetModule, (CUmodule * pMod, CUlibrary handle)) {
    if (const CUresult wrong = look_at([&] { require(pMod); })) return wrong;
    return enter([&] {
        Context& context = current_context();
        *pMod = reinterpret_cast<CUmodule>(library_of(handle)->module(context).get());
    });
}

namespace {
void get_variable(CUdeviceptr* address, std::size_t* bytes, CUlibrary handle, const char* name, bool managed) {
    Context& context = current_context();
    const auto module = library_of(handle)->module(context);
    const auto variable = module->ptx.find_variable(name);
    const auto global = module->global(name);
    if (!global || (managed && !module->ptx.variables[*variable].managed))
        fail(CUDA_ERROR_NOT_FOUND, std::string("the library has no such variable '") + name + "'");
    if (address) *address = global->address;
    if (bytes) *bytes = global->size;
}
} // namespace

WL_ENTRY(cuLibraryGetGlobal, (CUdeviceptr * dptr, size_t* bytes, CUlibrary handle, const char* name)) {
    if (const CUresult wrong = look_at([&] { require(name && *name && (dptr || bytes)); })) return wrong;
    return enter([&] { get_variable(dptr, bytes, handle, name, false); });
}

WL_ENTRY_SINCE(cuLibraryGetManaged, 12000, (CUdeviceptr * dptr, size_t* bytes, CUlibrary handle, const char* name)) {
    if (const CUresult wrong = look_at([&] { require(name && *name && (dptr || bytes)); })) return wrong;
    return enter([&] { get_variable(dptr, bytes, handle, name, true); });
}

WL_ENTRY(cuKernelGetFunction, (CUfunction * pFunc, CUkernel handle)) {
    if (const CUresult wrong = look_at([&] { require(pFunc); })) return wrong;
    return enter([&] {
        Context& context = current_context();
        *pFunc = reinterpret_cast<CUfunction>(kernel_of(handle)->function(context).function);
    });
}

WL_ENTRY(cuKernelGetLibrary, (CUlibrary * pLib, CUkernel handle)) {
    if (const CUresult wrong = look_at([&] { require(pLib); })) return wrong;
    return enter([&] { *pLib = reinterpret_cast<CUlibrary>(&kernel_of(handle)->library); });
}

WL_ENTRY(cuKernelGetName, (const char** name, CUkernel hfunc)) {
    if (const CUresult wrong = look_at([&] { require(name && hfunc); })) return wrong;
    return enter([&] { *name = kernel_of(hfunc)->name.c_str(); });
}

WL_ENTRY(cuKernelGetParamInfo, (CUkernel handle, size_t paramIndex, size_t* paramOffset, size_t* paramSize)) {
    if (const CUresult wrong = look_at([&] { require(handle && paramOffset); })) return wrong;
    return enter([&] {
        Context& context = current_context();
        const auto reference = kernel_of(handle)->function(context);
        const Function& f = *reference.function;
        require(paramIndex < f.parameters.offsets.size());
        *paramOffset = f.parameters.offsets[paramIndex];
        if (paramSize) *paramSize = f.ptx().parameters[paramIndex].size;
    });
}

WL_ENTRY(cuKernelGetAttribute, (int* pi, CUfunction_attribute attrib, CUkernel handle, CUdevice dev)) {
    if (const CUresult wrong = look_at([&] { require(handle, CUDA_ERROR_INVALID_HANDLE); })) return wrong;
    return enter([&] {
        require(pi);
        const auto reference = kernel_of(handle)->function_on(dev);
        const auto value = reference.function->attribute(attrib);
        require(value.has_value());
        *pi = *value;
    });
}

WL_ENTRY(cuKernelSetAttribute, (CUfunction_attribute attrib, int val, CUkernel handle, CUdevice dev)) {
    if (const CUresult wrong = look_at([&] { require(handle, CUDA_ERROR_INVALID_HANDLE); })) return wrong;
    return enter([&] { kernel_of(handle)->set_attribute(dev, attrib, val); });
}

WL_ENTRY(cuKernelSetCacheConfig, (CUkernel handle, CUfunc_cache config, CUdevice dev)) {
    if (const CUresult wrong = look_at([&] { require(handle, CUDA_ERROR_INVALID_HANDLE); })) return wrong;
    return enter([&] {
        require(config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL);
        kernel_of(handle)->set_cache_config(dev, config);
    });
}
