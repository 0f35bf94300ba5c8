// SPDX-License-Identifier: Apache-2.0
#include "architecture_options.hpp"

#include <algorithm>
#include <string_view>

namespace warplight::nvrtc {
namespace {

constexpr std::string_view kNames[] = {"--gpu-architecture", "-gpu-architecture", "-arch", "--arch"};
constexpr std::string_view kGpu = "sm_", kVirtual = "compute_";

} // namespace

std::vector<const char*> Options::pointers() const {
    std::vector<const char*> result;
    result.reserve(texts.size());
    for (const auto& text : texts)
        result.push_back(text.c_str());
    return result;
}

Options for_virtual_architecture(std::span<const char* const> options) {
    Options result;
    bool is_value = false; // of the option before
    for (const char* option : options) {
        std::string text = option ? option : "";
        const auto first = std::min(text.find_first_not_of(' '), text.size());
        const std::string_view view = std::string_view(text).substr(first);
        std::size_t at = is_value ? first : std::string::npos; // where the architecture begins
        is_value = false;
        for (const std::string_view name : kNames) {
            if (!view.starts_with(name)) continue;
            const auto rest = view.substr(name.size());
            const auto begin = rest.find_first_not_of(" =");
            if (begin == std::string_view::npos)
                is_value = rest.find('=') == std::string_view::npos;
            else if (begin > 0)
                at = first + name.size() + begin;
        }
        if (at < text.size() && std::string_view(text).substr(at).starts_with(kGpu)) {
            text.replace(at, kGpu.size(), kVirtual);
            result.changed = true;
        }
        result.texts.push_back(std::move(text));
    }
    return result;
}

} // namespace warplight::nvrtc
