// SPDX-License-Identifier: Apache-2.0
// The arguments of a run in the device's memory: arrays of their own, and variables of the module.
#pragma once

#include "findings/finding.hpp"
#include "session/argument_data.hpp"
#include "session/argument_memory.hpp"

#include "warplight/argument.hpp"
#include "warplight/memory.hpp"
#include "warplight/staged_copy.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
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
    void place(const driver::Module& module, const findings::Checks& checks);
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
    /// Tells the check `init` that they are of this program's making.
    void spoil_outputs(const driver::Driver& driver) const;
    void upload_inputs(const driver::Stream& stream);
    /// For a launch.
    [[nodiscard]] driver::Argument value(std::size_t argument) const;
    [[nodiscard]] driver::DevicePointer address(std::size_t argument) const;
    /// Two arrays exchange their memory.
    void swap(std::size_t first, std::size_t second) { std::swap(order_[first], order_[second]); }
    /// Which memory each argument has, by the argument that it had at first.
    [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }
    void set_order(const std::vector<std::size_t>& order) { order_ = order; }
    void start_over();
    void download_results(const driver::Stream& stream);

private:
    struct Place {
        driver::DeviceAllocation own; ///< empty of scalars and variables
        driver::device_ptr address = 0;
        std::size_t allocated = 0; ///< bytes of `own`
    };
    void upload(std::size_t argument, const driver::Stream& stream);
    [[nodiscard]] const Place& place_of(std::size_t argument) const { return places_[order_[argument]]; }

    std::vector<ArgumentData>& arguments_;
    std::vector<Place> places_;      ///< one for each argument
    std::vector<std::size_t> order_; ///< of the places
    std::uint64_t allocated_ = 0;
    std::optional<driver::StagedCopier> copier_; ///< for large inputs
};

} // namespace warplight::session
