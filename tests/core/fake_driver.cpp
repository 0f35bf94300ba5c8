// SPDX-License-Identifier: Apache-2.0
// A driver library for tests: it lacks most functions, logs what is called, and fails when it is told to.
// Written without cuda.h, so that each name and signature is the one of a certain version of the driver.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#if defined(_WIN32)
#define FAKE extern "C" __declspec(dllexport)
#else
#define FAKE extern "C" __attribute__((visibility("default")))
#endif

namespace {
std::string calls;                   // ";"-separated
std::map<std::string, int> failures; // function → code
std::string report;                  // for cuxWarplightLastError
std::vector<unsigned char> launched; // the last packed argument buffer
thread_local std::vector<void*> stack;
std::mutex memory_mutex;
std::map<void*, std::unique_ptr<unsigned char[]>> memory; // what a test leaves behind goes with the library

void* allocate(std::size_t bytes) {
    const std::scoped_lock lock(memory_mutex);
    auto block = std::make_unique<unsigned char[]>(bytes);
    void* address = block.get();
    memory.emplace(address, std::move(block));
    return address;
}
void release(void* address) {
    const std::scoped_lock lock(memory_mutex);
    memory.erase(address);
}

int answer(const char* function) {
    calls += std::string(function) + ";";
    const auto failure = failures.find(function);
    return failure == failures.end() ? 0 : failure->second;
}
} // namespace

// For the test.
FAKE const char* fake_calls() { return calls.c_str(); }
FAKE void fake_reset() {
    calls.clear();
    failures.clear();
    report.clear();
    launched.clear();
}
FAKE void fake_fail(const char* function, int code) { failures[function] = code; }
FAKE void fake_report(const char* text) { report = text; }
FAKE std::size_t fake_launched(unsigned char* bytes, std::size_t size) {
    if (size >= launched.size() && !launched.empty()) std::memcpy(bytes, launched.data(), launched.size());
    return launched.size();
}
FAKE int fake_stack_depth() { return static_cast<int>(stack.size()); }

// The driver.
FAKE void cuxWarplightLastError(char* text, std::size_t size) {
    if (size) text[report.copy(text, size - 1)] = '\0';
}
FAKE int cuInit(unsigned) {
    if (std::getenv("FAKE_DRIVER_EXIT")) std::_Exit(3);
    return answer("cuInit");
}
static int own_version = 11080;
FAKE void fake_version(int version) { own_version = version; }
FAKE int cuDriverGetVersion(int* version) {
    *version = own_version;
    return answer("cuDriverGetVersion");
}
FAKE int cuGetErrorString(int code, const char** text) {
    if (code == 12345) return 1; // leaves the pointer alone, as drivers do for a code they do not know
    *text = code == 2 ? "out of memory" : "it failed";
    return 0;
}
FAKE int cuDeviceGetCount(int* count) {
    const char* chosen = std::getenv("FAKE_DRIVER_DEVICES");
    *count = chosen ? std::atoi(chosen) : 1;
    return answer("cuDeviceGetCount");
}
FAKE int cuDeviceGet(int* device, int number) {
    *device = number;
    return number == 0 ? answer("cuDeviceGet") : 101;
}
FAKE int cuDeviceGetAttribute(int* value, int attribute, int) {
    if (attribute > 100) return 1; // an old driver: newer attributes are invalid
    *value = attribute == 1 ? 1024 : 1000 + attribute;
    return 0;
}
FAKE int cuCtxCreate_v2(void** context, unsigned, int) {
    const int code = answer("cuCtxCreate");
    if (code) return code;
    *context = allocate(1);
    stack.push_back(*context);
    return 0;
}
FAKE int cuCtxDestroy_v2(void* context) {
    const int code = answer("cuCtxDestroy");
    if (!code) release(context);
    return code;
}
FAKE int cuCtxGetCurrent(void** context) {
    *context = stack.empty() ? nullptr : stack.back();
    return 0;
}
FAKE int cuCtxSetCurrent(void* context) {
    if (!stack.empty()) stack.pop_back();
    if (context) stack.push_back(context);
    return 0;
}
FAKE int cuCtxPushCurrent_v2(void* context) {
    stack.push_back(context);
    return 0;
}
FAKE int cuCtxPopCurrent_v2(void** context) {
    if (stack.empty()) return 201;
    *context = stack.back();
    stack.pop_back();
    return 0;
}
FAKE int cuCtxSynchronize() { return answer("cuCtxSynchronize"); }
FAKE int cuMemAlloc_v2(unsigned long long* address, std::size_t bytes) {
    const int code = answer("cuMemAlloc");
    if (!code) *address = reinterpret_cast<std::uintptr_t>(allocate(bytes));
    return code;
}
FAKE int cuMemFree_v2(unsigned long long address) {
    const int code = answer("cuMemFree");
    if (!code) release(reinterpret_cast<void*>(address));
    return code;
}
FAKE int cuMemcpyHtoD_v2(unsigned long long address, const void* data, std::size_t bytes) {
    std::memcpy(reinterpret_cast<void*>(address), data, bytes);
    return answer("cuMemcpyHtoD");
}
FAKE int cuMemcpyDtoH_v2(void* data, unsigned long long address, std::size_t bytes) {
    std::memcpy(data, reinterpret_cast<void*>(address), bytes);
    return answer("cuMemcpyDtoH");
}
FAKE int cuStreamCreate(void** stream, unsigned) {
    *stream = reinterpret_cast<void*>(0x10);
    return answer("cuStreamCreate");
}
FAKE int cuStreamDestroy_v2(void*) { return answer("cuStreamDestroy"); }
FAKE int cuStreamQuery(void*) { return answer("cuStreamQuery"); }
FAKE int cuModuleLoadDataEx(void** module, const void*, unsigned count, const int* options, void** values) {
    *module = reinterpret_cast<void*>(0x20);
    const int code = answer("cuModuleLoadDataEx");
    for (unsigned i = 0; i < count; ++i)
        if (options[i] == (code ? 5 : 3))
            std::strcpy(static_cast<char*>(values[i]), code ? "line 3: no such thing" : "2 registers");
    return code;
}
FAKE int cuModuleUnload(void*) { return answer("cuModuleUnload"); }
FAKE int cuModuleGetFunction(void** function, void*, const char* name) {
    *function = reinterpret_cast<void*>(0x30);
    return std::strcmp(name, "missing") == 0 ? 500 : answer("cuModuleGetFunction");
}
FAKE int cuFuncGetAttribute(int* value, int attribute, void*) {
    *value = attribute == 0 ? 512 : 0;
    return attribute < 8 ? 0 : 1;
}
FAKE int cuLaunchKernel(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                        void** params, void** extra) {
    launched.clear();
    if (!params && extra) {
        const auto* bytes = static_cast<const unsigned char*>(extra[1]);
        launched.assign(bytes, bytes + *static_cast<std::size_t*>(extra[3]));
    }
    return answer("cuLaunchKernel");
}

#if defined(FAKE_PROC_ADDRESS)
// A driver that is asked by name and version, and gives functions that it does not export.
static int hidden_event_query(void*) { return answer("hidden cuEventQuery"); }
FAKE int cuGetProcAddress(const char* name, void** function, int version, unsigned long long) {
    calls += std::string(name) + "@" + std::to_string(version) + ";";
    *function = nullptr;
    if (std::strcmp(name, "cuEventQuery") == 0) *function = reinterpret_cast<void*>(&hidden_event_query);
    return *function ? 0 : 500;
}
#endif
