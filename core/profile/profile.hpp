// SPDX-License-Identifier: Apache-2.0
/// What the instructions of a kernel did, counted by warp. docs/profile.md defines each figure.
#pragma once

#include "findings/finding.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::profile {

enum class Operation : std::uint8_t {
#define WARPLIGHT_OPERATION(name) name,
#include "operations.def"
#undef WARPLIGHT_OPERATION
    count_,
};
inline constexpr std::size_t kOperations = static_cast<std::size_t>(Operation::count_);
[[nodiscard]] std::string_view name_of(Operation operation);

struct Figures {
#define WARPLIGHT_FIGURE(name) std::uint64_t name = 0;
#include "figures.def"
#undef WARPLIGHT_FIGURE
    std::array<std::uint64_t, kOperations> operations{}; ///< of all threads

    void add(const Figures& others);
    [[nodiscard]] std::uint64_t operations_of(Operation kind) const {
        return operations[static_cast<std::size_t>(kind)];
    }
    /// Of floating point, with those of tensor cores.
    [[nodiscard]] std::uint64_t floating_point() const;
    [[nodiscard]] bool operator==(const Figures&) const = default;
};

/// What a wavefront of shared memory and a sector cost, in instructions of a warp. A multiprocessor issues four
/// instructions in the time of a wavefront, and moves a sector in the time of two (from its cache) to six (from
/// memory).
inline constexpr std::uint64_t kWavefrontCost = 4, kSectorCost = 4;
/// What lines are compared by: a measure of the work that the figures tell, not of time. A thread that waits for its
/// turn at the address of an atomic operation counts as a sector.
[[nodiscard]] std::uint64_t cost_of(const Figures& figures);

struct Instruction {
    std::string kernel; ///< the function in the source that holds it
    findings::Place place;
    int ptx_line = 0;
    std::string opcode; ///< "ld.global.f32"
    Figures figures;
};

struct Line {
    std::string file;
    int line = 0;
    Figures figures;
};

/// Of all launches that were looked at.
struct Profile {
    std::vector<Instruction> instructions; ///< in the order of the PTX text
    std::uint64_t launches = 0;
    std::uint64_t warps = 0;
    /// Blocks whose threads did more than could be kept: their figures are missing. 0: all are there.
    std::uint64_t lost_blocks = 0;

    [[nodiscard]] Figures total() const;
    /// By file and line; instructions without a place are left out.
    [[nodiscard]] std::vector<Line> lines() const;
};

/// What the kernel reached, by the time of a run without profile.
struct Speed {
    double ms = 0;
    double gigabytes_a_second = 0; ///< of the bytes that threads asked global memory for
    double gigaflops = 0;
};
[[nodiscard]] Speed speed_of(const Figures& total, double ms);

[[nodiscard]] nlohmann::json to_json(const Figures& figures);
/// {"lines": …, "instructions": …, "kernel": …}
[[nodiscard]] nlohmann::json to_json(const Profile& profile);
/// Keys that are missing leave the default. @throws nlohmann::json::exception for a value of another type
[[nodiscard]] Profile profile_from_json(const nlohmann::json& object);
/// The JSON as a line of text without its end, and back.
[[nodiscard]] std::string to_line(const Profile& profile);
[[nodiscard]] Profile profile_from_line(std::string_view line);

} // namespace warplight::profile
