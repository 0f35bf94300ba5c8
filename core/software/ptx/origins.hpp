// SPDX-License-Identifier: Apache-2.0
// Which memory the addresses of a function are made of, as far as its text tells: of a[i] it is a's, however large i
// is.
#pragma once

#include "flow.hpp"
#include "module.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace warplight::ptx {

/// Where a pointer comes from: a word of a parameter, or a variable, whose address it is.
struct Root {
    Operand::Scope scope = Operand::Scope::parameter;
    std::uint32_t index = 0;  ///< of the parameter or variable
    std::uint64_t offset = 0; ///< of the word in the parameter, bytes
    [[nodiscard]] bool operator==(const Root&) const = default;
};

/// What an address was made of. Analysis only moves down this list.
struct Origin {
    enum class Of : std::uint8_t {
        nothing, ///< of registers that nobody writes
        other,   ///< of no root: a number, a loaded value, or the result of a call
        root,
        several, ///< one root or another, or several at once
    };
    Of of = Of::nothing;
    std::uint64_t memory = 0; ///< that the root points to
    Root root;

    [[nodiscard]] bool is(const Origin& other) const { return of == other.of && memory == other.memory; }
};

class Origins {
public:
    /// A number for the memory that a root points to: roots of one memory have the same. Nothing where it points to
    /// none, as a parameter that is a number.
    using MemoryOf = std::function<std::optional<std::uint64_t>(const Root&)>;

    /// Looks at the addresses of some instructions. The function has to outlive this.
    Origins(const Function& function, std::span<const std::uint32_t> instructions, MemoryOf memory_of);
    /// Of all addresses of one of them.
    [[nodiscard]] Origin of_addresses(std::uint32_t instruction);
    /// Of one of its addresses.
    [[nodiscard]] Origin of_address(const Operand& address, std::uint32_t instruction) {
        return of(address, instruction);
    }

private:
    using Written = std::pair<std::uint32_t, RegisterId>; ///< an instruction, and one of those that it writes

    [[nodiscard]] Origin of(const Operand& operand, std::uint32_t at);
    [[nodiscard]] Origin of_register(RegisterId r, std::uint32_t at);
    [[nodiscard]] Origin of_root(const Root& root) const;
    [[nodiscard]] const std::vector<std::uint32_t>* writers_before(RegisterId r, std::uint32_t at);
    [[nodiscard]] std::optional<std::vector<std::uint32_t>> find_writers_before(RegisterId r, std::uint32_t at);
    [[nodiscard]] Origin through(std::uint32_t at, RegisterId r);
    [[nodiscard]] Origin of_parameter(const Instruction& i, RegisterId r) const;

    const Function& function_;
    const MemoryOf memory_of_;
    const FlowGraph graph_;
    const std::vector<std::vector<std::uint32_t>> writers_;
    /// Of a register with several writers before an instruction; nothing where to find them would take too long.
    std::map<Written, std::optional<std::vector<std::uint32_t>>> before_;
    std::map<Written, Origin> found_;
    bool changed_ = false;
    std::size_t budget_ = std::size_t{1} << 22; ///< instructions to go by on the way to writers
};

} // namespace warplight::ptx
