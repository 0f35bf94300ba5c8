// SPDX-License-Identifier: Apache-2.0
/// What a run knows of an argument.
#pragma once

#include "debug/layout.hpp"
#include "session/session.hpp"

#include "warplight/ndarray.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplight::session {

/// What a launch is given for an array.
enum class GivenAs { address, texture, surface };

/// An argument with its data.
struct ArgumentData {
    const Argument* argument = nullptr;
    std::string pointer; ///< /arguments/2
    std::string label;   ///< for messages: `argument 2 (x)`
    NdArray input;       ///< of arrays
    std::vector<std::byte> scalar;
    bool waits = false;  ///< its formula names structs, whose fields are known once the source is compiled
    std::string lowered; ///< of a variable: its name in the PTX
    std::optional<debug::Layout> layout; ///< of a struct, or of the structs in an array; once the source is compiled
    std::size_t alignment = 0;           ///< of a scalar struct, in the kernel's parameters
    std::optional<NdArray> expected;
    std::string expected_path;
    std::filesystem::path save; ///< empty: not saved
    int rate = 0;               ///< Hz of a sound that is made of the array; 0: nothing tells it
    std::shared_ptr<NdArray> output;

    [[nodiscard]] bool is_array() const { return argument->direction != Direction::scalar; }
    [[nodiscard]] bool is_read() const {
        return argument->direction == Direction::in || argument->direction == Direction::inout;
    }
    [[nodiscard]] bool is_result() const {
        return argument->direction == Direction::out || argument->direction == Direction::inout;
    }
    [[nodiscard]] bool is_texture() const { return argument->texture || argument->surface; }
    [[nodiscard]] bool is_struct() const { return !is_array() && argument->type == struct_type; }
    /// Whose number is known once the source is compiled.
    [[nodiscard]] bool is_enumerator() const {
        return !is_array() && std::holds_alternative<Enumerator>(argument->value);
    }
    /// Of an array, or of the scalar.
    [[nodiscard]] std::size_t bytes() const { return is_array() ? input.nbytes() : scalar.size(); }
};

} // namespace warplight::session
