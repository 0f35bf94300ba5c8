// SPDX-License-Identifier: Apache-2.0
// The steps of a plan as a program: launches, copies, fills, swaps and loops. A session without a pipeline has one
// step.
#pragma once

#include "export/experiment.hpp"
#include "export/formula_code.hpp"
#include "export/language.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::exporting {

/// A part of an array on the device.
struct Place {
    const ExportedArgument* argument = nullptr;
    std::uint64_t offset = 0; ///< bytes
};
struct ArgumentInProgram {
    std::string text;
    bool is_computed = false; ///< an expression, and not the name of something
};
struct LaunchInProgram {
    const ExportedLaunch& launch;
    std::vector<ArgumentInProgram> arguments;
    std::string config; ///< of formats that make a configuration of a launch beforehand: its name
};
/// Elements that are all the same.
struct FillInProgram {
    Place to;
    std::uint64_t count = 0; ///< elements of so many bytes
    std::size_t bytes = 0;   ///< 1, 2, 4 or 8
    std::uint64_t value = 0; ///< the bytes of an element

    /// An element of 8 bytes whose halves differ: no function of the driver fills with it at once.
    [[nodiscard]] bool is_of_halves() const { return bytes == 8 && (value >> 32) != (value & 0xffffffff); }
    /// The same in elements that the driver fills with.
    [[nodiscard]] FillInProgram fitting() const;
    /// Of 8 bytes.
    [[nodiscard]] std::uint32_t low() const { return static_cast<std::uint32_t>(value); }
    [[nodiscard]] std::uint32_t high() const { return static_cast<std::uint32_t>(value >> 32); }
};

/// What differs between formats. Texts are lines, or what stands within one.
class StepWords {
public:
    virtual ~StepWords() = default;
    StepWords() = default;
    StepWords(const StepWords&) = delete;
    StepWords& operator=(const StepWords&) = delete;

    /// An argument of a launch that is no formula: an array's memory, an object of a texture, or a scalar's name.
    [[nodiscard]] virtual std::string argument(const LaunchArgument& argument) const = 0;
    [[nodiscard]] virtual std::string launch(const LaunchInProgram& launch) const = 0;
    [[nodiscard]] virtual std::string copy(const Place& from, const Place& to, std::uint64_t bytes) const = 0;
    [[nodiscard]] virtual std::string fill(const FillInProgram& fill) const = 0;
    /// Reads an array back into its result_name(), when all before it is done. It is not empty.
    [[nodiscard]] virtual std::string read_back(const ExportedArgument& argument) const = 0;
};

/// Graphs that the format can capture.
struct GraphWords {
    std::string_view begin = {}, end = {}; ///< lines around the steps that are captured
    std::string_view launch = {};
    bool is_block = false;         ///< the steps stand within brackets
    std::string_view why_not = {}; ///< instead of the others, as a sentence without its end: "PyCUDA has no graphs"
};

struct StepsInProgram {
    std::string before; ///< the loop over all runs
    std::string steps;  ///< of a run
    std::string after;  ///< all runs, before results are read back
    bool captured = false;
};
[[nodiscard]] StepsInProgram steps_of(const Experiment& experiment, Language language, const StepWords& words,
                                      const GraphWords& graph);

/// Texts of arguments with commas between them.
[[nodiscard]] std::string list_of(const std::vector<ArgumentInProgram>& arguments);
/// "5, 15, 1"
[[nodiscard]] std::string extents_text(const std::array<std::uint32_t, 3>& extents);

/// The module `formulas` of Python, or the header of C++, which programs with formulas need.
[[nodiscard]] bool uses_formulas(const Experiment& experiment);

} // namespace warplight::exporting
