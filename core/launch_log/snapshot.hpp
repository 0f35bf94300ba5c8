// SPDX-License-Identifier: Apache-2.0
/// What one launch of a program read and left, in files of a folder: written by the software device, read by whoever
/// makes the launch again without the program (docs/export.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace warplight::launch_log {

/// The environment variables that ask for it: the folder, the kernel's name as the source or the PTX has it, and which
/// of its launches in the process, from 1.
inline constexpr const char* kSnapshotVariable = "WARPLIGHT_SNAPSHOT";
inline constexpr const char* kSnapshotKernelVariable = "WARPLIGHT_SNAPSHOT_KERNEL";
inline constexpr const char* kSnapshotLaunchVariable = "WARPLIGHT_SNAPSHOT_LAUNCH";
/// Bytes of memory that a snapshot has at most.
inline constexpr std::uint64_t kMostSnapshotBytes = std::uint64_t{2} << 30;

/// Memory before and after the launch: names of files in the folder.
struct SnapshotMemory {
    std::uint64_t size = 0; ///< bytes
    std::string before, after;
};
struct SnapshotParameter {
    std::vector<std::uint8_t> bytes; ///< as they were passed
    /// What it points to, to the end of the allocation; nothing where it is no address of the device's memory.
    std::optional<SnapshotMemory> memory;
};
/// A `.global` or `.const` variable of the kernel's module that the kernel reaches.
struct SnapshotVariable {
    std::string name; ///< in the PTX
    bool constant = false;
    SnapshotMemory memory;
};
struct Snapshot {
    std::string kernel; ///< in the PTX
    std::array<unsigned, 3> grid{}, block{};
    std::uint64_t shared = 0; ///< dynamic, bytes
    bool cooperative = false;
    std::vector<SnapshotParameter> parameters;
    std::vector<SnapshotVariable> variables;
    std::string problem; ///< why it is not whole; empty: it is
};

class SnapshotError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A kernel's name in the PTX is that of the source, or that of the PTX. Template arguments and anonymous namespaces
/// may be left out.
[[nodiscard]] bool is_kernel(const std::string& lowered, const std::string& named);

/// Writes the description, after the files that it names. @throws SnapshotError
void write_snapshot(const std::filesystem::path& folder, const Snapshot& snapshot);
/// Nothing where there is none, as no such launch was made. @throws SnapshotError for one that is damaged
[[nodiscard]] std::optional<Snapshot> read_snapshot(const std::filesystem::path& folder);
/// The content of a file of it. @throws SnapshotError where it has another size
[[nodiscard]] std::vector<std::byte> read_memory(const std::filesystem::path& folder, const std::string& file,
                                                 std::uint64_t size);

} // namespace warplight::launch_log
