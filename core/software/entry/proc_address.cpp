// SPDX-License-Identifier: Apache-2.0
// cuGetProcAddress: entry points by name and the version of the interface that the caller was built for.
#include "entry.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::software {
namespace {

struct Export {
    std::string symbol; ///< without _ptsz or _ptds
    int since = 0;
    void* function = nullptr;
    void* per_thread = nullptr;
};

/// By name without the version suffix.
std::map<std::string, std::vector<Export>, std::less<>>& exports() {
    static auto* all = new std::map<std::string, std::vector<Export>, std::less<>>;
    return *all;
}

std::string without_version(std::string_view symbol) {
    const auto at = symbol.rfind("_v");
    if (at == std::string_view::npos || at + 2 >= symbol.size()) return std::string(symbol);
    const bool digits = std::all_of(symbol.begin() + static_cast<std::ptrdiff_t>(at) + 2, symbol.end(),
                                    [](char c) { return c >= '0' && c <= '9'; });
    return std::string(digits ? symbol.substr(0, at) : symbol);
}

constexpr std::uint64_t kPerThreadFlag = 2; ///< CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM
enum Status { kFound = 0, kNotFound = 1, kVersionNotSufficient = 2 };

Status look_up(std::string_view name, int version, std::uint64_t flags, void*& function) {
    function = nullptr;
    const auto found = exports().find(name);
    if (found == exports().end()) return kNotFound;
    const Export* best = nullptr;
    for (const Export& e : found->second) {
        if (e.since <= version && (!best || e.since > best->since)) best = &e;
    }
    if (!best) return kVersionNotSufficient;
    function = (flags & kPerThreadFlag) && best->per_thread ? best->per_thread : best->function;
    return kFound;
}

} // namespace

Registration::Registration(const char* symbol, int since, void* function) {
    std::string_view name = symbol;
    const bool per_thread = name.ends_with("_ptsz") || name.ends_with("_ptds");
    if (per_thread) name.remove_suffix(5);
    auto& versions = exports()[without_version(name)];
    auto found = std::find_if(versions.begin(), versions.end(), [&](const Export& e) { return e.symbol == name; });
    if (found == versions.end())
        found = versions.insert(versions.end(), Export{std::string(name), 0, nullptr, nullptr});
    if (per_thread) {
        found->per_thread = function;
    } else {
        found->function = function;
        found->since = since;
    }
}

} // namespace warplight::software

using namespace warplight::software;

#undef cuGetProcAddress

// The form of 11.3 to 11.8.
extern "C" WL_API CUresult CUDAAPI cuGetProcAddress(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags);
WL_ENTRY(cuGetProcAddress, (const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags)) {
    if (!symbol || !pfn || flags > 2) return CUDA_ERROR_INVALID_VALUE;
    return look_up(symbol, cudaVersion, flags, *pfn) == kFound ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

#if CUDA_VERSION >= 12000
using QueryResult = CUdriverProcAddressQueryResult;
#else
using QueryResult = int;
#endif

WL_ENTRY(cuGetProcAddress_v2,
         (const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags, QueryResult* symbolStatus)) {
    if (!symbol || !pfn || flags > 2) return CUDA_ERROR_INVALID_VALUE;
    const Status status = look_up(symbol, cudaVersion, flags, *pfn);
    if (symbolStatus) {
        *symbolStatus = static_cast<QueryResult>(status);
        return CUDA_SUCCESS;
    }
    return status == kFound ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
