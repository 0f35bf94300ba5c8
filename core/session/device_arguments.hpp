// SPDX-License-Identifier: Apache-2.0
// The arguments of a run in the device's memory: arrays of their own, textures, and variables of the module.
#pragma once

#include "findings/finding.hpp"
#include "session/argument_data.hpp"
#include "session/argument_memory.hpp"
#include "session/device_texture.hpp"

#include "warplight/argument.hpp"
#include "warplight/memory.hpp"
#include "warplight/staged_copy.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace warplight::driver {
class Driver;
class Module;
class Stream;
} // namespace warplight::driver

namespace warplight::session {

/// Of a scalar.
driver::Argument scalar_value(const ArgumentData& data);

class DeviceArguments {
public:
    /// @param arguments stay where they are while this lives
    explicit DeviceArguments(std::vector<ArgumentData>& arguments) : arguments_(arguments) {}

    /// Allocates the arrays, and finds the variables. Checks tell to the byte what lies beyond an array.
    /// @param copied_in_steps copy() or fill() will be called: textures need memory for these
    void place(const driver::Module& module, const findings::Checks& checks, bool copied_in_steps);
    /// Copies large arrays by way of page-locked buffers, if some are huge.
    void stage_large_copies();
    /// Gives the memory back.
    void clear();
    [[nodiscard]] std::uint64_t allocated_bytes() const { return allocated_; }
    /// Of the arrays that were allocated, to name them by.
    [[nodiscard]] std::vector<ArgumentMemory> memory() const;

    // --- of each run, in this order
    /// Gives each `out` its first contents.
    void set_outputs(const driver::Stream& stream);
    /// Tells the check `init` that they are of this program's making. The device is done with them.
    void spoil_outputs(const driver::Driver& driver, const driver::Stream& stream) const;
    void upload_inputs(const driver::Stream& stream);
    /// For a launch.
    [[nodiscard]] driver::Argument value(std::size_t argument, GivenAs as) const;
    /// So many bytes of one array to another.
    struct Part {
        std::size_t argument = 0;
        std::uint64_t offset = 0; ///< bytes
    };
    void copy(const Part& to, const Part& from, std::uint64_t bytes, const driver::Stream& stream) const;
    /// @param count elements of as many bytes as `element` has
    void fill(const Part& part, std::uint64_t count, std::span<const std::byte> element,
              const driver::Stream& stream) const;
    /// All of an array, at once. The device is done with it.
    void read(std::size_t argument, MutableBuffer to) const;
    /// Two arrays exchange their memory.
    void swap(std::size_t first, std::size_t second) { std::swap(order_[first], order_[second]); }
    /// Which memory each argument has, by the argument that it had at first.
    [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }
    void set_order(const std::vector<std::size_t>& order) { order_ = order; }
    void start_over();
    void download_results(const driver::Stream& stream);

private:
    struct Place {
        /// Empty of scalars and variables. Of a texture in an array or in rows: for copies in steps, else empty.
        driver::DeviceAllocation own;
        driver::device_ptr address = 0;
        std::size_t allocated = 0; ///< bytes of `own`
        std::optional<DeviceTexture> texture;

        [[nodiscard]] bool is_apart() const { return texture && !texture->is_linear(); }
    };
    [[nodiscard]] Place place_array(const ArgumentData& data, const findings::Checks& checks, bool copied_in_steps);
    void upload(std::size_t argument, const driver::Stream& stream);
    [[nodiscard]] driver::DevicePointer address(std::size_t argument) const;
    [[nodiscard]] const Place& place_of(std::size_t argument) const { return places_[order_[argument]]; }

    std::vector<ArgumentData>& arguments_;
    std::vector<Place> places_;      ///< one for each argument
    std::vector<std::size_t> order_; ///< of the places
    std::uint64_t allocated_ = 0;
    std::optional<driver::StagedCopier> copier_; ///< for large inputs
};

} // namespace warplight::session
