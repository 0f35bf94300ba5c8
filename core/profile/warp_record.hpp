// SPDX-License-Identifier: Apache-2.0
/// What one warp of a launch did, execution by execution. docs/profile.md defines the parts.
#pragma once

#include "findings/finding.hpp"
#include "profile/warp_access.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::profile {

/// A warp of a launch: "5,0,0:2" is warp 2 of block (5,0,0).
struct WarpChoice {
    std::array<std::uint32_t, 3> block{};
    std::uint32_t warp = 0;

    /// "X:WARP", "X,Y:WARP" or "X,Y,Z:WARP". Nothing for another text.
    [[nodiscard]] static std::optional<WarpChoice> parse(std::string_view text);
    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool operator==(const WarpChoice&) const = default;
};

enum class RecordedSpace : std::uint8_t { global, shared, local };
[[nodiscard]] std::string_view name_of(RecordedSpace space);

/// One execution of an instruction that accesses memory, by the lanes that took part.
struct RecordedAccess {
    std::uint64_t order = 0; ///< among all executions of the record, from 0
    RecordedSpace space = RecordedSpace::global;
    WarpAccess access{}; ///< of shared memory offsets in the block's, of local memory in the variable of each thread
};
/// Sectors of global and local memory, wavefronts of shared memory: as a profile counts them.
[[nodiscard]] Cost cost_of(const RecordedAccess& access);

/// One execution of a branch.
struct RecordedBranch {
    struct Way {
        std::uint32_t lanes = 0;
        findings::Place place; ///< of the first instruction there
        int ptx_line = 0;      ///< likewise; 0: these lanes leave the function
        [[nodiscard]] bool operator==(const Way&) const = default;
    };
    std::uint64_t order = 0;
    std::uint32_t lanes = 0; ///< that came
    std::vector<Way> ways;
};

struct RecordedInstruction {
    std::string kernel; ///< the function in the source that holds it
    findings::Place place;
    int ptx_line = 0;
    std::string opcode;           ///< "ld.global.f32"
    std::string access;           ///< read, write, atomic or branch
    std::uint32_t bytes = 0;      ///< of each lane
    std::uint64_t executions = 0; ///< with those that were not kept
    std::vector<RecordedAccess> accesses;
    std::vector<RecordedBranch> branches;

    [[nodiscard]] bool is_branch() const { return access == "branch"; }
    [[nodiscard]] std::size_t kept() const { return is_branch() ? branches.size() : accesses.size(); }
};

/// A buffer or a variable that was accessed.
struct RecordedMemory {
    RecordedSpace space = RecordedSpace::global;
    std::string name;
    std::uint64_t address = 0, bytes = 0;
    std::uint32_t element = 1; ///< bytes: of the session's type, else of the smallest access
};

struct WarpRecord {
    /// Executions that are kept of one instruction, and of all.
    static constexpr std::size_t kMostOfInstruction = 4096, kMost = 65536;

    WarpChoice choice;
    std::array<std::uint32_t, 3> block_size{};
    std::uint32_t lanes = 0;                       ///< that the warp has
    std::vector<RecordedInstruction> instructions; ///< in the order of the PTX text
    std::vector<RecordedMemory> memory;            ///< by space and address
    std::uint64_t executions = 0;                  ///< of all instructions, with those that were not kept
    bool cut = false;                              ///< the warp did more than could be noted: the end is missing

    /// Null where no known memory lies.
    [[nodiscard]] const RecordedMemory* memory_at(RecordedSpace space, std::uint64_t address) const;
    /// "x[160]", "tile+6" where that is between two elements, else "0x7f00".
    [[nodiscard]] std::string element_at(RecordedSpace space, std::uint64_t address) const;
    /// "x[160…191]", "x[0…15, 64…79]", "x[0, 8 … 248]": in the order of addresses.
    [[nodiscard]] std::string elements_of(const RecordedAccess& access) const;
};

/// What happened, and why: "32 lanes read 32 sectors where 4 would do: neighbours are 128 bytes apart."
[[nodiscard]] std::string sentence_of(const RecordedInstruction& instruction, const RecordedAccess& access);
/// "20 lanes go to line 12, 12 lanes to line 15."
[[nodiscard]] std::string sentence_of(const RecordedBranch& branch);
/// Index of a thread in its block, from the lane.
[[nodiscard]] std::array<std::uint32_t, 3> thread_of(const WarpRecord& record, std::uint32_t lane);

[[nodiscard]] nlohmann::json to_json(const WarpRecord& record);
/// Keys that are missing leave the default. @throws nlohmann::json::exception for a value of another type
/// @throws std::out_of_range for more executions than a record has
[[nodiscard]] WarpRecord warp_record_from_json(const nlohmann::json& object);
/// The JSON as a line of text without its end, and back.
[[nodiscard]] std::string to_line(const WarpRecord& record);
[[nodiscard]] WarpRecord warp_record_from_line(std::string_view line);
/// For a terminal: each instruction with its first executions. Ends with a newline.
[[nodiscard]] std::string to_text(const WarpRecord& record);

} // namespace warplight::profile
