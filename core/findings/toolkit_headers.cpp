// SPDX-License-Identifier: Apache-2.0
#include "toolkit_headers.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace warplight::findings {
namespace {

// Of CUDA 11 to 13. A project may have a folder include/cuda of its own, so the folders before it count too.
constexpr std::array<std::string_view, 20> kHeaders{
    "cccl/", "cuda/",   "cub/",  "thrust/", "nv/",      "cooperative_groups",
    "crt/",  "cuda_",   "cufft", "cublas",  "sm_",      "device_",
    "math_", "vector_", "mma.h", "curand",  "texture_", "surface_",
    "fatb",  "builtin_"};
constexpr std::array<std::string_view, 4> kFolders{"cuda", "nvidia", "conda", "/toolkit"};

} // namespace

bool is_toolkit_header(std::string_view path) {
    std::string text(path);
    std::ranges::replace(text, '\\', '/');
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (text.ends_with("__nv_nvrtc_builtin_header.h")) return true; // what NVRTC includes by itself
    constexpr std::string_view folder = "/include/";
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at + 1)) {
        const std::string_view before = std::string_view(text).substr(0, at);
        const std::string_view behind = std::string_view(text).substr(at + folder.size());
        const bool is_place = before == "/usr" || std::ranges::any_of(kFolders, [&](std::string_view each) {
                                  return before.find(each) != std::string_view::npos;
                              });
        if (is_place && std::ranges::any_of(kHeaders, [&](std::string_view each) { return behind.starts_with(each); }))
            return true;
    }
    return false;
}

void leave_toolkit(Event& event) {
    if (!is_toolkit_header(event.place.file)) return;
    const auto caller =
        std::ranges::find_if(event.inlined_at, [](const Place& each) { return !is_toolkit_header(each.file); });
    if (caller == event.inlined_at.end()) return;
    event.place = *caller;
    event.inlined_at.erase(event.inlined_at.begin(), caller + 1);
}

} // namespace warplight::findings
