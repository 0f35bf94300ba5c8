// SPDX-License-Identifier: Apache-2.0
#include "device.hpp"

namespace instructions {

template <class F>
F Device::resolve(const char* name) {
    const QFunctionPointer f = library_.resolve(name);
    if (!f && error_.isEmpty()) error_ = QString("the driver has no %1").arg(name);
    return reinterpret_cast<F>(f);
}

QString Device::describe(const char* call, int code) {
    const auto name_of = resolve<int (*)(int, const char**)>("cuGetErrorName");
    const char* name = nullptr;
    if (name_of) name_of(code, &name);
    return QString("%1: %2 (%3)").arg(call, name ? name : "error").arg(code);
}

Device::Device(const QString& library) : library_(library) {
    library_.setLoadHints(QLibrary::ResolveAllSymbolsHint | QLibrary::PreventUnloadHint);
    if (!library_.load()) {
        error_ = library_.errorString();
        return;
    }
    const auto init = resolve<int (*)(unsigned)>("cuInit");
    const auto get = resolve<int (*)(int*, int)>("cuDeviceGet");
    const auto get_name = resolve<int (*)(char*, int, int)>("cuDeviceGetName");
    const auto attribute = resolve<int (*)(int*, int, int)>("cuDeviceGetAttribute");
    const auto retain = resolve<int (*)(void**, int)>("cuDevicePrimaryCtxRetain");
    const auto current = resolve<int (*)(void*)>("cuCtxSetCurrent");
    if (!error_.isEmpty()) return;
    int device = 0, major = 0, minor = 0;
    char name[128] = "";
    if (const int code = init(0))
        error_ = describe("cuInit", code);
    else if (const int code = get(&device, 0))
        error_ = describe("cuDeviceGet", code);
    else if (const int code = retain(&context_, device))
        error_ = describe("cuDevicePrimaryCtxRetain", code);
    else if (const int code = current(context_))
        error_ = describe("cuCtxSetCurrent", code);
    if (!error_.isEmpty()) return;
    get_name(name, sizeof name, device);
    name_ = name;
    attribute(&major, 75, device); // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
    attribute(&minor, 76, device);
    architecture_ = static_cast<unsigned>(10 * major + minor);
}

Device::~Device() {
    if (context_)
        if (const auto release = resolve<int (*)(int)>("cuDevicePrimaryCtxRelease_v2")) release(0);
}

std::vector<Outputs> Device::run(const std::string& ptx, const std::vector<Inputs>& inputs, QString& problem) {
    using Pointer = unsigned long long;
    const auto load = resolve<int (*)(void**, const void*, unsigned, int*, void**)>("cuModuleLoadDataEx");
    const auto unload = resolve<int (*)(void*)>("cuModuleUnload");
    const auto get = resolve<int (*)(void**, void*, const char*)>("cuModuleGetFunction");
    const auto allocate = resolve<int (*)(Pointer*, std::size_t)>("cuMemAlloc_v2");
    const auto free = resolve<int (*)(Pointer)>("cuMemFree_v2");
    const auto upload = resolve<int (*)(Pointer, const void*, std::size_t)>("cuMemcpyHtoD_v2");
    const auto download = resolve<int (*)(void*, Pointer, std::size_t)>("cuMemcpyDtoH_v2");
    const auto launch = resolve<int (*)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                        void*, void**, void**)>("cuLaunchKernel");
    if (!error_.isEmpty()) {
        problem = error_;
        return {};
    }
    std::vector<Outputs> outputs(inputs.size());
    const std::size_t in_bytes = inputs.size() * sizeof(Inputs), out_bytes = inputs.size() * sizeof(Outputs);
    void *module = nullptr, *function = nullptr;
    Pointer in = 0, out = 0;
    char log[4096] = "";
    int options[] = {5, 6}; // CU_JIT_ERROR_LOG_BUFFER and its size
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    auto count = static_cast<std::uint32_t>(inputs.size());
    void* arguments[] = {&in, &out, &count};
    const auto step = [&](const char* name, int code) {
        if (code != 0) problem = describe(name, code) + (log[0] ? ": " + QString::fromUtf8(log) : QString());
        return code == 0;
    };
    const bool good = step("cuModuleLoadDataEx", load(&module, ptx.c_str(), 2, options, values)) &&
                      step("cuModuleGetFunction", get(&function, module, "k")) &&
                      step("cuMemAlloc", allocate(&in, in_bytes)) && step("cuMemAlloc", allocate(&out, out_bytes)) &&
                      step("cuMemcpyHtoD", upload(in, inputs.data(), in_bytes)) &&
                      step("cuMemcpyHtoD", upload(out, outputs.data(), out_bytes)) &&
                      step("cuLaunchKernel",
                           launch(function, (count + 127) / 128, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr)) &&
                      step("cuMemcpyDtoH", download(outputs.data(), out, out_bytes));
    if (in) free(in);
    if (out) free(out);
    if (module) unload(module);
    return good ? outputs : std::vector<Outputs>{};
}

} // namespace instructions
