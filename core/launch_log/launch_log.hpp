// SPDX-License-Identifier: Apache-2.0
/// What a program and its children do with devices, written to a file while they do it: an object of JSON in each line.
/// The software device writes it, and for other drivers the runtime library. docs/software-device.md tells the keys.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace warplight::launch_log {

/// The environment variables that name the file: for the software device, and for the runtime library over any driver.
/// One of them at a time, or launches are noted twice.
inline constexpr const char* kVariable = "WARPLIGHT_LAUNCH_LOG";
inline constexpr const char* kRuntimeVariable = "WARPLIGHT_RUNTIME_LAUNCH_LOG";
/// Launches of a process that are written; of later ones only the number, at the end.
inline constexpr std::uint64_t kMostLaunches = 100'000;

/// A process uses a device for the first time.
struct Start {
    std::uint64_t process = 0;
    std::string program;
    std::string driver; ///< "software" or "cuda"
};
/// A kernel that has run.
struct Launch {
    std::uint64_t process = 0;
    int device = 0;
    std::string kernel; ///< as the source has it
    std::array<unsigned, 3> grid{}, block{};
    std::optional<double> ms; ///< how long it ran; nothing where that is not known
};
/// An error that ends a context.
struct Fault {
    std::uint64_t process = 0;
    std::string message; ///< with the place in the source, as far as it is known
};
struct Copies {
    std::string direction; ///< "to devices", "to the host", …
    std::uint64_t count = 0, bytes = 0;
};
struct Memory {
    int device = 0;
    std::uint64_t bytes = 0; ///< of the device's memory, at most
};
/// The process ends. Missing where a signal ended it.
struct End {
    std::uint64_t process = 0;
    std::uint64_t launches = 0;
    std::uint64_t unfinished = 0; ///< those of them that had not ended
    std::vector<Copies> copies;
    std::vector<Memory> memory;
};
using Event = std::variant<Start, Launch, Fault, End>;

/// A kernel's name as the source has it; the same text where it is no mangled name.
[[nodiscard]] std::string source_name(const std::string& kernel);
[[nodiscard]] std::uint64_t process_id();

/// With the line's end.
[[nodiscard]] std::string to_line(const Event& event);
/// Nothing for a line that is no event; unknown keys are left out.
[[nodiscard]] std::optional<Event> from_line(std::string_view line);

/// Appends to the file. Lines of several processes do not mix. A file that cannot be written is left alone: the program
/// matters more.
class Writer {
public:
    explicit Writer(const std::filesystem::path& file);
    void write(const Event& event);

private:
    std::mutex mutex_;
    std::ofstream file_;
};

} // namespace warplight::launch_log
