// SPDX-License-Identifier: Apache-2.0
// A texture or surface of a run in the device's memory.
#pragma once

#include "session/argument_data.hpp"

#include "warplight/argument.hpp"
#include "warplight/array.hpp"
#include "warplight/memory.hpp"
#include "warplight/texture.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace warplight::driver {
class Module;
class Stream;
} // namespace warplight::driver

namespace warplight::session {

class DeviceTexture {
public:
    /// Makes it for the argument's data, in the current context.
    /// @param linear the memory of a texture of linear memory, which stays; others have their own
    /// @throws driver::Error
    DeviceTexture(const ArgumentData& data, driver::DevicePointer linear);

    /// Binds it to the reference of the module that the argument names.
    void bind(const driver::Module& module) const;
    /// False: the elements are in an array or in rows, which the copies below reach.
    [[nodiscard]] bool is_linear() const { return !array_ && !rows_; }
    [[nodiscard]] driver::Argument value(GivenAs as) const;
    /// Of its own memory.
    [[nodiscard]] std::uint64_t allocated_bytes() const { return allocated_; }

    /// Copies all elements, in order with the stream. Host memory stays until it is done.
    void upload(const NdArray& from, const driver::Stream& stream) const;
    void download(const NdArray& to, const driver::Stream& stream) const;
    /// From and to packed memory of the device.
    void upload(driver::DevicePointer from, const driver::Stream& stream) const;
    void download(driver::DevicePointer to, const driver::Stream& stream) const;
    /// Copies all elements and waits.
    void read(MutableBuffer to) const;

private:
    template <class Ends>
    void copy(const driver::Stream* stream, const Ends& ends) const;

    const ArgumentData* data_;
    driver::ArrayDescriptor3D shape_;
    std::size_t row_bytes_ = 0;
    driver::TextureDescriptor sampler_;
    driver::DevicePointer linear_;
    std::uint64_t allocated_ = 0;
    std::optional<driver::Array> array_;
    std::optional<driver::PitchedAllocation> rows_;
    std::optional<driver::TextureObject> texture_;
    std::optional<driver::SurfaceObject> surface_;
};

} // namespace warplight::session
