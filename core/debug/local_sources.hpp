// SPDX-License-Identifier: Apache-2.0
// The local arrays of a source, and the lines that use them, from its PTX for debuggers: there each array lies where
// DWARF tells, and no line's code was moved to another.
#pragma once

#include "dwarf.hpp"
#include "local_tiling.hpp"
#include "software/ptx/module.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warplight::debug {

struct LocalSource {
    std::string name; ///< empty: the compiler's own, or of a function that DWARF does not know. Then `size` is the most
    std::uint32_t line = 0; ///< of the declaration
    std::uint64_t size = 0, alignment = 1;
};

class LocalSources {
public:
    explicit LocalSources(ptx::Module module);

    /// False: a function uses local memory in a way that compilers do not.
    [[nodiscard]] bool is_complete() const { return is_complete_; }
    /// Structures and variables whose address is taken are among them.
    [[nodiscard]] const std::vector<LocalSource>& arrays() const { return arrays_; }
    /// Those that the lines of a place use: its own, and those of the calls that it was inlined at.
    [[nodiscard]] std::set<ArrayId> used_at(const ptx::Module& module, std::int32_t location) const;

private:
    struct Of {                                   ///< a function
        std::vector<std::vector<ArrayId>> places; ///< what lies in its depot, one behind the other
        bool is_known = false;                    ///< DWARF has it
    };

    struct Line {
        std::set<ArrayId> arrays;
        bool accesses = false;
        bool by_parameter = false;      ///< accesses by pointers that a caller gives
        bool by_loaded_pointer = false; ///< accesses of what may have escaped
    };

    [[nodiscard]] std::uint64_t alignment_of(const DebugInfo& info, TypeId type, unsigned depth = 0) const;
    void find_arrays(const DebugInfo& info, ptx::FunctionId f);
    void note_uses(ptx::FunctionId f);
    void note_calls(ptx::FunctionId f);
    [[nodiscard]] Line& line_of(std::int32_t location);
    /// Of functions that DWARF does not know, and of those that they call.
    void add_unknown(ptx::FunctionId f, std::set<ptx::FunctionId>& seen, std::set<ArrayId>& ids) const;

    ptx::Module module_;
    std::vector<LocalSource> arrays_;
    std::vector<Of> functions_;
    std::map<std::pair<std::string, std::uint32_t>, Line> by_line_;
    std::set<ArrayId> escaped_; ///< whose address was stored, or given to a function
    bool is_complete_ = true;
};

} // namespace warplight::debug
