// SPDX-License-Identifier: Apache-2.0
#include "advice.hpp"

#include "process_end.hpp"

#include <fmt/format.h>

#include <array>
#include <mutex>
#include <set>
#include <string>

namespace warplight::software::advice {
namespace {

struct Known {
    std::string_view beginning, name;
};
constexpr auto kClosed = std::to_array<Known>({
#define WARPLIGHT_CLOSED_LIBRARY(beginning, name) {beginning, name},
#include "closed_libraries.def"
#undef WARPLIGHT_CLOSED_LIBRARY
});

constexpr const char* kHowToBuild = "Build it by `warplight-cli exec -- nvcc …`, or by nvcc with `-cudart shared` and "
                                    "PTX (`-gencode arch=compute_{0},code=compute_{0}`).\n";

std::string_view name_of(std::string_view file) {
    std::string_view name = file.substr(file.find_last_of("/\\") + 1); // npos + 1 is 0
    if (name.starts_with("lib")) name.remove_prefix(3);
    return name;
}

/// True the first time for each file.
bool is_new(const std::string& file) {
    static std::mutex mutex;
    static auto* const told = new std::set<std::string>; // for threads that run until the end
    const std::scoped_lock lock(mutex);
    return told->insert(file).second;
}

void tell(const std::string& text) { platform::write_error("warplight: " + text); }

void tell_of_closed(const std::string& file, std::string_view name) {
    tell(fmt::format("this program uses {} ({}), a library of NVIDIA's that works with NVIDIA's driver alone.\n"
                     "The software device cannot run it. Thrust, CUB and other libraries of headers run.\n",
                     name, file));
}

} // namespace

std::string_view closed_library(std::string_view file) {
    const std::string_view name = name_of(file);
    for (const Known& known : kClosed)
        if (name.starts_with(known.beginning)) return known.name;
    return {};
}

void on_machine_code(const void* image, unsigned capability) {
    const std::string file = platform::file_of(image);
    if (file.empty() || !is_new(file)) return;
    if (const auto name = closed_library(file); !name.empty()) return tell_of_closed(file, name);
    tell(fmt::format("{} holds code for GPUs, and no PTX for compute capability {}.{} or lower, which the software "
                     "device runs.\n",
                     file, capability / 10, capability % 10) +
         fmt::format(fmt::runtime(kHowToBuild), capability));
}

void on_private_tables(const void* caller) {
    const std::string file = platform::file_of(caller);
    if (!is_new(file)) return;
    if (const auto name = closed_library(file); !name.empty()) return tell_of_closed(file, name);
    if (name_of(file).starts_with("cudart"))
        return tell(fmt::format("{} is NVIDIA's CUDA runtime, which asks for private tables of NVIDIA's driver.\n"
                                "The software device has none. The program must find Warplight's libcudart first: it "
                                "has a DT_RPATH, or opens NVIDIA's by its path.\n",
                                file));
    tell(fmt::format("{} is linked with the static CUDA runtime (libcudart_static), as nvcc does by default. It asks "
                     "for private tables of NVIDIA's driver, which the software device does not have.\n",
                     file.empty() ? "this program" : file) +
         fmt::format(fmt::runtime(kHowToBuild), 80));
}

} // namespace warplight::software::advice
