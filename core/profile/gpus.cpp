// SPDX-License-Identifier: Apache-2.0
#include "roofline.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace warplight::profile {
namespace {

constexpr std::array all_gpus = {
#define WARPLIGHT_GPU(name, gigabytes, f32, f64, tensor, reported, source)                                             \
    Gpu{name, gigabytes, f32, f64, tensor, reported, source},
#include "gpus.def"
#undef WARPLIGHT_GPU
};

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

/// Of a list with | between its words.
bool is_among(std::string_view word, std::string_view list) {
    while (!list.empty()) {
        const std::size_t end = std::min(list.find('|'), list.size());
        if (list.substr(0, end) == word) return true;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
}

} // namespace

std::span<const Gpu> gpus() { return all_gpus; }

const Gpu* find_gpu(std::string_view name) {
    const std::string wanted = lower(name);
    const std::span<const Gpu> all = gpus();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Gpu& each) {
        return lower(each.name) == wanted || is_among(wanted, lower(each.reported));
    });
    return found == all.end() ? nullptr : &*found;
}

} // namespace warplight::profile
