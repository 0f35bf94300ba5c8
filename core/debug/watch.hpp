// SPDX-License-Identifier: Apache-2.0
// A variable or memory whose writes are of interest. When a launch runs again, its shared and local memory may have
// other addresses: a watch knows it by the block, the thread and the call.
#pragma once

#include "scope.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplight::debug {

class Watch {
public:
    /// What an expression means here: a variable in a register, or anything with an address.
    /// @throws ExpressionError
    /// @param call number of the thread's calls, 0 is the innermost
    Watch(int id, std::string_view expression, const Scope& scope, const Program& program,
          const software::SteppedBlock& block, std::uint32_t thread, std::size_t call);

    int id = 0;
    std::string name;

    /// Where it lies while this block runs, and its bytes; nothing: it is not there, or in a register.
    [[nodiscard]] std::optional<std::pair<std::uint64_t, std::uint64_t>> range(const software::SteppedBlock& block,
                                                                               const Program& program) const;
    /// Of a variable in a register: looks at its value before a thread's round. Answers with the last round of the
    /// thread if that has changed it. Compilers move variables from register to register, so no write is to be found.
    struct Change {
        std::uint64_t round;
        std::uint32_t site;
    };
    [[nodiscard]] std::optional<Change> change(const software::SteppedBlock& block,
                                               const software::SteppedLaunch& launch, Program& program,
                                               std::uint64_t round);
    [[nodiscard]] bool is_in_register() const { return kind_ == Kind::reg; }
    [[nodiscard]] std::uint64_t block() const { return block_; }
    [[nodiscard]] std::uint32_t thread() const { return thread_; }
    /// The launch begins anew.
    void forget() { last_.reset(); }

private:
    enum class Kind : std::uint8_t { memory, shared, local, reg };
    Kind kind_ = Kind::memory;
    std::uint64_t address_ = 0; ///< of shared and local memory an offset
    std::uint64_t bytes_ = 0;
    std::uint64_t block_ = 0;
    std::uint32_t thread_ = 0;
    std::uint32_t depth_ = 0; ///< of the call: 1 is the kernel
    ptx::FunctionId function_ = 0;
    std::uint32_t variable_ = 0; ///< of local memory
    struct Seen {
        std::optional<std::vector<std::byte>> value; ///< nothing: it had none at that line
        Change where;
    };
    std::optional<Seen> last_; ///< before the thread's last round in the call
};

} // namespace warplight::debug
