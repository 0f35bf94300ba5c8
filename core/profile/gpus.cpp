// SPDX-License-Identifier: Apache-2.0
#include "roofline.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace warplight::profile {
namespace {

constexpr std::array all_gpus = {
#define WARPLIGHT_GPU(name, gigabytes, f32, f64, tensor, source) Gpu{name, gigabytes, f32, f64, tensor, source},
#include "gpus.def"
#undef WARPLIGHT_GPU
};

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

} // namespace

std::span<const Gpu> gpus() { return all_gpus; }

const Gpu* find_gpu(std::string_view name) {
    const std::string wanted = lower(name);
    const Gpu* found = nullptr;
    for (const Gpu& each : all_gpus) {
        // "L40S" is in no name of an L4: the longest one counts.
        const bool fits = wanted.find(lower(each.name)) != std::string::npos;
        if (fits && (!found || each.name.size() > found->name.size())) found = &each;
    }
    return found;
}

} // namespace warplight::profile
