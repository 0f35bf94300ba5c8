// SPDX-License-Identifier: Apache-2.0
// Formats of the elements of arrays and textures: bits of each channel there, a format and a number of channels in the
// driver.
#pragma once

#include "runtime_api/contexts.hpp"

namespace warplight::runtime_api {

struct DriverFormat {
    CUarray_format format;
    unsigned channels;
};

enum ChannelKind : int { channel_signed = 0, channel_unsigned = 1, channel_float = 2, channel_none = 3 };

/// Throws Failure for what no driver has.
DriverFormat driver_format(const ChannelFormat& format);
ChannelFormat runtime_format(CUarray_format format, unsigned channels);

} // namespace warplight::runtime_api
