// SPDX-License-Identifier: Apache-2.0
// A driver over another one's table: each of its calls is counted, one chosen call fails, and what is made and
// released is counted by kind.
#pragma once

#include "driver/entry_points.hpp"
#include "warplight/driver.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace failing_driver {

using warplight::driver::Driver;
using warplight::driver::detail::DriverState;
using warplight::driver::detail::EntryPointIndex;
using warplight::driver::detail::EntryPoints;
using warplight::driver::detail::kEntryPointCount;
using warplight::driver::detail::kEntryPointTable;

/// What is made and released. Those of a context go with it.
struct Kind {
    const char* name;
    bool of_context;
    std::vector<std::string_view> make, release;
};
inline const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = {
        {"context", false, {"cuCtxCreate", "cuCtxCreate_v3", "cuCtxCreate_v4"}, {"cuCtxDestroy"}},
        {"primary context", false, {"cuDevicePrimaryCtxRetain"}, {"cuDevicePrimaryCtxRelease"}},
        {"stream", true, {"cuStreamCreate", "cuStreamCreateWithPriority"}, {"cuStreamDestroy"}},
        {"event", true, {"cuEventCreate"}, {"cuEventDestroy"}},
        {"memory",
         true,
         {"cuMemAlloc", "cuMemAllocPitch", "cuMemAllocManaged", "cuMemAllocAsync", "cuMemAllocFromPoolAsync"},
         {"cuMemFree", "cuMemFreeAsync"}},
        {"host memory", true, {"cuMemAllocHost", "cuMemHostAlloc"}, {"cuMemFreeHost"}},
        {"registered memory", true, {"cuMemHostRegister"}, {"cuMemHostUnregister"}},
        {"memory pool", false, {"cuMemPoolCreate"}, {"cuMemPoolDestroy"}},
        {"module",
         true,
         {"cuModuleLoad", "cuModuleLoadData", "cuModuleLoadDataEx", "cuModuleLoadFatBinary"},
         {"cuModuleUnload"}},
        {"library", false, {"cuLibraryLoadData", "cuLibraryLoadFromFile"}, {"cuLibraryUnload"}},
        {"linker", true, {"cuLinkCreate"}, {"cuLinkDestroy"}},
        {"array", true, {"cuArrayCreate", "cuArray3DCreate"}, {"cuArrayDestroy"}},
        {"mipmapped array", true, {"cuMipmappedArrayCreate"}, {"cuMipmappedArrayDestroy"}},
        {"texture object", true, {"cuTexObjectCreate"}, {"cuTexObjectDestroy"}},
        {"surface object", true, {"cuSurfObjectCreate"}, {"cuSurfObjectDestroy"}},
        {"texture reference", true, {"cuTexRefCreate"}, {"cuTexRefDestroy"}},
        {"graph", false, {"cuGraphCreate", "cuGraphClone", "cuStreamEndCapture"}, {"cuGraphDestroy"}},
        {"executable graph",
         false,
         {"cuGraphInstantiate_v2", "cuGraphInstantiateWithFlags", "cuGraphInstantiateWithParams"},
         {"cuGraphExecDestroy"}},
    };
    return all;
}

struct Roles {
    int makes = -1, releases = -1; ///< of kinds()
};
inline const std::array<Roles, kEntryPointCount>& roles() {
    static const auto all = [] {
        std::array<Roles, kEntryPointCount> found{};
        for (std::size_t i = 0; i < kEntryPointCount; ++i)
            for (std::size_t k = 0; k < kinds().size(); ++k) {
                const std::string_view member = kEntryPointTable[i].member;
                for (const auto name : kinds()[k].make)
                    if (name == member) found[i].makes = static_cast<int>(k);
                for (const auto name : kinds()[k].release)
                    if (name == member) found[i].releases = static_cast<int>(k);
            }
        return found;
    }();
    return all;
}

/// One thread uses it at a time.
struct Control {
    bool counting = false;
    long calls = 0;        ///< since counting began
    long fail_at = -1;     ///< the number of the call that fails, from 0
    int code = 0;          ///< with which
    int failed = -1;       ///< which entry point it was
    bool to_graph = false; ///< the capture that began last goes into a graph that was there before
    std::vector<int> live = std::vector<int>(kinds().size());
    std::array<bool, kEntryPointCount> used{};
};
inline Control& control() {
    static Control instance;
    return instance;
}
inline void begin(long fail_at, int code = 999) {
    Control& c = control();
    c = {};
    c.counting = true;
    c.fail_at = fail_at;
    c.code = code;
}

/// A call that releases something, or takes a context off the stack, does it and then fails: drivers do so, too.
template <EntryPointIndex index, class Pointer>
struct Wrapper;
template <EntryPointIndex index, class... Arguments>
struct Wrapper<index, CUresult(CUDAAPI*)(Arguments...)> {
    static inline CUresult(CUDAAPI* original)(Arguments...) = nullptr;
    static CUresult CUDAAPI call(Arguments... arguments) {
        constexpr auto number = static_cast<std::size_t>(index);
        Control& c = control();
        const bool texts =
            index == EntryPointIndex::index_cuGetErrorString || index == EntryPointIndex::index_cuGetErrorName;
        if (!c.counting || texts) return original(arguments...);
        c.used[number] = true;
        const Roles role = roles()[number];
        const bool fails = c.calls++ == c.fail_at;
        if (fails) c.failed = static_cast<int>(number);
        if (fails && role.releases < 0) {
            if (index == EntryPointIndex::index_cuCtxSetCurrent) (void)original(arguments...);
            if (index == EntryPointIndex::index_cuCtxPopCurrent) (void)original(arguments...);
            return static_cast<CUresult>(c.code);
        }
        const CUresult result = original(arguments...);
        if (result == CUDA_SUCCESS) {
            if (index == EntryPointIndex::index_cuStreamBeginCaptureToGraph) c.to_graph = true;
            if (index == EntryPointIndex::index_cuStreamBeginCapture) c.to_graph = false;
            const bool nothing_new = index == EntryPointIndex::index_cuStreamEndCapture && c.to_graph;
            if (role.makes >= 0 && !nothing_new) ++c.live[static_cast<std::size_t>(role.makes)];
            if (role.releases >= 0) --c.live[static_cast<std::size_t>(role.releases)];
        }
        return fails ? static_cast<CUresult>(c.code) : result;
    }
};

/// A driver with the functions of `driver`, but those of `lacking`.
inline Driver make(const Driver& driver, std::size_t lacking = kEntryPointCount) {
    const DriverState& original = driver.state();
    auto state = std::make_shared<DriverState>();
    state->name = "failing";
    state->library = original.library;
    state->handle = original.handle;
    state->version = original.version;
    state->last_error = original.last_error;
    const auto wrap = [&]<EntryPointIndex index, class Pointer>(Pointer& to, Pointer from) {
        Wrapper<index, Pointer>::original = from;
        to = from && static_cast<std::size_t>(index) != lacking ? &Wrapper<index, Pointer>::call : nullptr;
    };
#define WARPLIGHT_ENTRY_POINT(member, name, symbol, type, version, need)                                               \
    wrap.template operator()<EntryPointIndex::index_##member>(state->functions.fn_##member,                            \
                                                              original.functions.fn_##member);
#include "driver/entry_points.def"
#undef WARPLIGHT_ENTRY_POINT
    return Driver(std::shared_ptr<const DriverState>(std::move(state)));
}

} // namespace failing_driver
