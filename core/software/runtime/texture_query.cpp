// SPDX-License-Identifier: Apache-2.0
// What instructions ask of textures, surfaces and samplers without reading them, and samplers that they bring along.
#include "sampling.hpp"

namespace warplight::software {

SamplerState with_sampler(const SamplerState& state, std::uint64_t packed) {
    SamplerState changed = state;
    for (std::size_t axis = 0; axis < 3; ++axis)
        changed.address[axis] = static_cast<CUaddress_mode>(packed >> (4 * axis) & 3);
    changed.filter = packed >> ptx::kSamplerFilter & 1 ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
    if (packed >> ptx::kSamplerUnnormalized & 1) changed.normalized_coordinates = false;
    return changed;
}

std::uint32_t query(const TexelMemory& memory, const SamplerState& sampler, TextureQuery what, std::uint32_t level) {
    // The numbers of OpenCL's image formats.
    constexpr std::uint32_t kSnorm8 = 0x10D0, kSnorm16 = 0x10D1, kUnorm8 = 0x10D2, kUnorm16 = 0x10D3, kSigned8 = 0x10D7,
                            kSigned16 = 0x10D8, kSigned32 = 0x10D9, kUnsigned8 = 0x10DA, kUnsigned16 = 0x10DB,
                            kUnsigned32 = 0x10DC, kHalf = 0x10DD, kFloat = 0x10DE;
    constexpr std::uint32_t kR = 0x10B0, kRg = 0x10B2, kRgba = 0x10B5;
    const auto address = [&](std::size_t axis) { return static_cast<std::uint32_t>(sampler.address[axis]); };
    const TextureLevel none{nullptr, 0, 0, 0, 0, 0};
    const TextureLevel& l = level < memory.levels.size() ? memory.levels[level] : none;
    const bool integers = sampler.read_as_integer;
    switch (what) {
    case TextureQuery::width: return l.width;
    case TextureQuery::height: return memory.dimensions > 1 ? l.height : 0;
    case TextureQuery::depth: return memory.dimensions > 2 ? l.depth : 0;
    case TextureQuery::channel_data_type:
        switch (memory.format) {
        case Texel::u8: return integers ? kUnsigned8 : kUnorm8;
        case Texel::u16: return integers ? kUnsigned16 : kUnorm16;
        case Texel::u32: return kUnsigned32;
        case Texel::s8: return integers ? kSigned8 : kSnorm8;
        case Texel::s16: return integers ? kSigned16 : kSnorm16;
        case Texel::s32: return kSigned32;
        case Texel::f16: return kHalf;
        case Texel::f32: return kFloat;
        }
        return 0;
    case TextureQuery::channel_order: return memory.channels == 1 ? kR : memory.channels == 2 ? kRg : kRgba;
    case TextureQuery::normalized_coords: return sampler.normalized_coordinates ? 1 : 0;
    case TextureQuery::array_size: return memory.layered ? memory.layers : 0;
    case TextureQuery::num_mipmap_levels: return static_cast<std::uint32_t>(memory.levels.size());
    case TextureQuery::num_samples: return 1;
    case TextureQuery::force_unnormalized_coords: return sampler.normalized_coordinates ? 0 : 1;
    case TextureQuery::filter_mode: return sampler.filter == CU_TR_FILTER_MODE_LINEAR ? 1 : 0;
    case TextureQuery::addr_mode_0: return address(0);
    case TextureQuery::addr_mode_1: return address(1);
    case TextureQuery::addr_mode_2: return address(2);
    case TextureQuery::memory_layout: return memory.linear ? 0 : 1;
    }
    return 0;
}

} // namespace warplight::software
