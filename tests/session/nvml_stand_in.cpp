// SPDX-License-Identifier: Apache-2.0
// NVIDIA's management library, played for tests. WARPLIGHT_NVML_PLAY has what it answers, by function:
//   "clock=1980 1400;reasons=0 4;power=error"
// Each call gets the next value, and the last one stays. What is not named is an error of a function that is not
// supported. With NVML_LACKS_MOST only clocks can be asked for, and the names are those of old versions.
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

#if defined(_WIN32)
#define PLAYED extern "C" __declspec(dllexport)
#else
#define PLAYED extern "C" __attribute__((visibility("default")))
#endif

namespace {

constexpr int success = 0, not_supported = 3;
std::map<std::string, int> calls;
std::string played; // the play that the calls are of

int answer(const std::string& function, unsigned long long* value) {
    const char* play = std::getenv("WARPLIGHT_NVML_PLAY");
    if (!play) return not_supported;
    if (played != play) calls.clear();
    played = play;
    std::istringstream lines(play);
    for (std::string line; std::getline(lines, line, ';');) {
        if (!line.starts_with(function + '=')) continue;
        std::istringstream words(line.substr(function.size() + 1));
        const int call = calls[function]++;
        std::string word, last;
        for (int i = 0; i <= call && words >> word; ++i)
            last = word;
        if (last == "error") return not_supported;
        *value = std::strtoull(last.c_str(), nullptr, 0);
        return success;
    }
    return not_supported;
}

int answer(const std::string& function, unsigned* value) {
    unsigned long long wide = 0;
    const int result = answer(function, &wide);
    if (result == success) *value = static_cast<unsigned>(wide);
    return result;
}

int device;

int give_device(void** handle) {
    unsigned long long state = 0;
    if (answer("device", &state) != success) return not_supported;
    *handle = state ? &device : nullptr;
    return success;
}

} // namespace

#if defined(NVML_LACKS_MOST)
PLAYED int nvmlInit() { return success; }
PLAYED int nvmlDeviceGetHandleByPciBusId(const char*, void** handle) { return give_device(handle); }
#else
PLAYED int nvmlInit_v2() {
    unsigned long long state = 0;
    return answer("init", &state) == success ? success : not_supported;
}
PLAYED int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** handle) {
    // "0000:E0:00.0" of the software device
    return std::string_view(bus).find(':') == std::string_view::npos ? not_supported : give_device(handle);
}
PLAYED int nvmlDeviceGetMaxClockInfo(void*, unsigned kind, unsigned* mhz) {
    return answer(kind == 1 ? "most" : "most_memory", mhz);
}
PLAYED int nvmlDeviceGetTemperature(void*, unsigned, unsigned* celsius) { return answer("temperature", celsius); }
PLAYED int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) { return answer("power", milliwatts); }
PLAYED int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* reasons) {
    return answer("reasons", reasons);
}
PLAYED int nvmlDeviceGetViolationStatus(void*, unsigned policy, unsigned long long* times) {
    return answer(policy == 0 ? "power_ns" : "thermal_ns", times + 1);
}
PLAYED int nvmlDeviceGetMigMode(void*, unsigned* now, unsigned* pending) {
    *pending = 0;
    return answer("mig", now);
}
#endif
PLAYED int nvmlDeviceGetClockInfo(void*, unsigned kind, unsigned* mhz) {
    return answer(kind == 1 ? "clock" : "memory", mhz);
}
