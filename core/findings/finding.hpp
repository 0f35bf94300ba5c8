// SPDX-License-Identifier: Apache-2.0
/// What a check of a running kernel has found. docs/checks.md defines the checks and the keys.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::findings {

enum class Check : std::uint8_t {
#define WARPLIGHT_CHECK(name, help) name,
#include "checks.def"
#undef WARPLIGHT_CHECK
};

/// Which checks are asked for.
class Checks {
public:
    void add(Checks others) { bits_ |= others.bits_; }
    void add(Check check) { bits_ |= 1U << static_cast<unsigned>(check); }
    [[nodiscard]] bool has(Check check) const { return (bits_ >> static_cast<unsigned>(check) & 1) != 0; }
    [[nodiscard]] bool any() const { return bits_ != 0; }
    /// Also what may be right: it has to be asked for by the check's name, "all" is not enough.
    [[nodiscard]] bool has_doubtful_arithmetic() const { return (bits_ & kDoubtful) != 0; }
    [[nodiscard]] bool operator==(const Checks&) const = default;

    /// "all", or names with commas between them; empty or "none": none. Nothing for text with another name.
    [[nodiscard]] static std::optional<Checks> parse(std::string_view text);
    [[nodiscard]] std::vector<std::string> names() const;
    /// What parse() makes the same of: "all", or names.
    [[nodiscard]] std::vector<std::string> words() const;
    /// The same as one text.
    [[nodiscard]] std::string text() const;

private:
    static constexpr std::uint32_t kDoubtful = 1U << 31;
    [[nodiscard]] static Checks all();

    std::uint32_t bits_ = 0;
};
[[nodiscard]] std::string_view name_of(Check check);
/// "memory, …", for messages.
[[nodiscard]] std::string names_of_checks();

/// Where an instruction comes from. Lines and columns count from 1; 0: not known.
struct Place {
    std::string file;
    int line = 0, column = 0;
    [[nodiscard]] bool operator==(const Place&) const = default;
};

/// "FILE:LINE:COLUMN", with "inlined at" places; "PTX line N" where the source is not known.
[[nodiscard]] std::string to_text(const Place& place, const std::vector<Place>& inlined_at, int ptx_line);

/// What a thread did at a place in a kernel.
struct Event {
    std::string kernel;            ///< as the source has it; empty: not a kernel's
    Place place;                   ///< empty without line information
    std::vector<Place> inlined_at; ///< the calls that the place was inlined at, the innermost first
    int ptx_line = 0;
    std::array<std::uint32_t, 3> block{}, thread{};
    std::string access; ///< read, write, atomic, malloc or free
    std::string value;  ///< of a race: what it wrote into the bytes of both, "0x3f800000"; empty: it wrote none
    std::string number; ///< the same as a number, "1.5"; empty where its type is not known
};
/// What orders what two threads do.
enum class Mend : std::uint8_t {
#define WARPLIGHT_MEND(name, advice) name,
#include "mends.def"
#undef WARPLIGHT_MEND
};
[[nodiscard]] std::string_view name_of(Mend mend);
[[nodiscard]] std::string_view advice_of(Mend mend);
[[nodiscard]] std::optional<Mend> mend_from(std::string_view name);

/// "kernel K, block (x,y,z), thread (x,y,z)"
[[nodiscard]] std::string who(const Event& event);

/// A place in a kernel at which something is wrong, with the first block and thread that came there. What a program
/// did itself has no place.
struct Finding : Event {
    std::string kind;                    ///< the check's name
    std::string severity = "error";      ///< or "warning"
    std::string message;                 ///< what happened, and what usually mends it
    std::uint64_t size = 0, address = 0; ///< bytes; of shared memory an offset
    std::string variable;                ///< of the kernel or its module, which the access was meant for
    std::string argument;                ///< of the session, likewise
    std::string allocation;              ///< likewise: size, address and kind of memory
    std::optional<Event> other;          ///< docs/checks.md tells which
    std::optional<Mend> mend;            ///< of two threads that nothing orders
    std::uint64_t count = 1;             ///< threads that came to the place, each time counted
};

/// Why the results of a run are doubtful.
enum class Doubt : std::uint8_t {
    none,
    left_out,  ///< it went on without accesses that were wrong
    unordered, ///< they may depend on which thread was first
};
[[nodiscard]] Doubt doubt_of(const std::vector<Finding>& findings);

[[nodiscard]] nlohmann::json to_json(const Finding& finding);
/// Keys that are missing leave the default. @throws nlohmann::json::exception for a value of another type
[[nodiscard]] Finding finding_from_json(const nlohmann::json& object);
/// "FILE:LINE: error: MESSAGE", and lines with the kernel, block and thread. Ends with a newline.
[[nodiscard]] std::string to_text(const Finding& finding);

/// The findings of a process, of launches since they were taken last.
struct Findings {
    std::vector<Finding> all;
    std::uint64_t more = 0; ///< times that a thread came to a place that is not listed, for there were too many
};
/// How often threads came to places that are not listed. Ends with a newline.
[[nodiscard]] std::string more_text(const Findings& findings);
[[nodiscard]] nlohmann::json to_json(const Findings& findings);
[[nodiscard]] Findings findings_from_json(const nlohmann::json& object);
/// The JSON as a line of text without its end, and back. @throws nlohmann::json::exception where the text is no
/// findings
[[nodiscard]] std::string to_line(const Findings& findings);
[[nodiscard]] Findings findings_from_line(std::string_view line);

} // namespace warplight::findings
