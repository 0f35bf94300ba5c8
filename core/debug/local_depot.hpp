// SPDX-License-Identifier: Apache-2.0
// The variable in which NVRTC and nvcc put all local arrays of a function (__local_depot), and the places where the
// function takes addresses in it. The depot can be divided: then each array is a variable by itself.
#pragma once

#include "software/ptx/module.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::debug {

struct LocalDepot {
    /// An address at a known place in the depot.
    struct Root {
        std::uint32_t instruction = 0;
        std::uint64_t offset = 0;
        bool is_generic = false;            ///< else an address in the local space
        std::optional<std::size_t> operand; ///< of an access to that place; nothing: the address goes to a register
    };
    ptx::VariableId variable = 0;
    std::uint64_t size = 0;
    std::uint32_t alignment = 1;
    std::vector<std::uint32_t> bases; ///< instructions that take the address of the depot itself
    std::vector<Root> roots;

    /// Where roots are, each once, from the lowest.
    [[nodiscard]] std::vector<std::uint64_t> offsets() const;
};
/// Nothing where a function has none, or uses its address in a way that compilers do not.
[[nodiscard]] std::optional<LocalDepot> find_local_depot(const ptx::Function& function);

/// Of a depot. Parts come one after the other. A root belongs to the last part that begins at or before it.
struct DepotPart {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::string name; ///< of its variable: an identifier of PTX
    /// Bytes of the variable in front of the part, so that what lies inside of the part keeps its alignment.
    std::uint64_t lead = 0;
};

/// Makes each part a variable of the function. They stand in their order behind the function's own.
/// @param parts the first of them begins with the depot
void divide(ptx::Function& function, const LocalDepot& depot, std::span<const DepotPart> parts);

/// The same in the text that functions were parsed from. All lines keep their numbers.
class DividedText {
public:
    explicit DividedText(std::string_view text);

    /// False: nothing was changed, because the text does not look as compilers write it.
    [[nodiscard]] bool divide(const ptx::Function& function, const LocalDepot& depot, std::span<const DepotPart> parts);
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::string> lines_;
    std::uint64_t registers_ = 0; ///< that were added
};

} // namespace warplight::debug
