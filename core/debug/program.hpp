// SPDX-License-Identifier: Apache-2.0
// What a debugger knows of a kernel before it runs: lines, the places where threads stop, variables and types.
#pragma once

#include "dwarf.hpp"
#include "software/ptx/stepping.hpp"
#include "software/stepping/stepper.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warplight::debug {

/// A line of a source, or of the PTX where it has no source.
struct Line {
    std::uint32_t file = 0; ///< number in ptx::Module::files; 0: the PTX itself
    std::uint32_t line = 0; ///< from 1
    bool operator==(const Line&) const = default;
};

class Program {
public:
    explicit Program(const software::SteppedLaunch& launch);

    [[nodiscard]] const ptx::Module& module() const { return module_; }
    [[nodiscard]] const ptx::Function& function(ptx::FunctionId f) const { return module_.functions.at(f); }
    [[nodiscard]] const ptx::StepFrameLayout& layout(ptx::FunctionId f) const { return layouts_.at(f); }
    /// In the source.
    [[nodiscard]] std::string name_of(ptx::FunctionId f) const;

    struct Site {
        ptx::FunctionId function = 0;
        std::uint32_t instruction = 0;
        Line line;
        std::uint32_t column = 0;
        std::int32_t inlined_at = -1; ///< ptx::Module::locations
        bool stops = false;           ///< threads stop in front of it
    };
    [[nodiscard]] const Site& site(std::uint32_t number) const { return sites_.at(number); }
    [[nodiscard]] std::uint32_t sites() const { return static_cast<std::uint32_t>(sites_.size()); }

    /// The file of a line as the compiler wrote it; empty: the PTX.
    [[nodiscard]] std::string file_of(const Line& line) const;
    /// Numbers of files that are meant by a path: equal, or equal in their last parts.
    [[nodiscard]] std::vector<std::uint32_t> files_named(const std::string& path) const;
    struct Stop {
        std::uint32_t line; ///< that the breakpoint has: the wanted one, or the next with code
        std::vector<std::uint32_t> sites;
    };
    /// Where threads come to a line: one site of each function and each inlined copy. Nothing where no line from there
    /// on has code.
    [[nodiscard]] std::optional<Stop> stop_at(const std::string& path, std::uint32_t line) const;

    /// Of a variable that has no type but the PTX's; of an array that of its elements.
    [[nodiscard]] ptx::Type type_of(const ptx::Variable& variable);

    DebugInfo info;

private:
    const ptx::Module& module_;
    std::vector<ptx::StepFrameLayout> layouts_;
    std::vector<Site> sites_;
    std::optional<std::map<const ptx::Variable*, ptx::Type>> element_types_; ///< once they were asked for
};

/// The last part of a path of any system.
[[nodiscard]] std::string file_name(const std::string& path);

} // namespace warplight::debug
