// SPDX-License-Identifier: Apache-2.0
// What a driver answers to bad input: how recordings/bad_input.txt is made.
//   bad_input_record DRIVER                                 the number of lines in the table
//   bad_input_record DRIVER PART FIRST COUNT [SKIP]         the answers for COUNT of them, from step SKIP on
// DRIVER: cuda, software or a library. PART: safe; risky, where a driver may crash; wild, where it surely does; all of
// these; destroyed; dead.
#include "bad_input.hpp"
#include "warplight/driver.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

int main(int argc, char** argv) {
    using warplight::driver::Driver;
    if (argc < 2) return 2;
    const std::string_view name = argv[1];
    const Driver driver = name == "cuda" || name == "software" ? Driver::from_name(argv[1]) : Driver::open(argv[1]);
    if (!driver.available()) return 3;
    auto rows = bad_input::all_rows();
    if (argc < 5) {
        std::printf("%zu\n", rows.size());
        return 0;
    }
    const auto number = [&](int i) { return static_cast<std::size_t>(std::strtoul(argv[i], nullptr, 10)); };
    const std::size_t first = std::min(number(3), rows.size()), count = std::min(number(4), rows.size() - first);
    rows = std::vector<bad_input::Row>(rows.begin() + static_cast<std::ptrdiff_t>(first),
                                       rows.begin() + static_cast<std::ptrdiff_t>(first + count));
    const std::string_view part = argv[2];
    bad_input::Sweep sweep(driver.state().functions);
    sweep.wild = part == "wild" || part == "all";
    sweep.safe = part == "safe" || part == "all";
    sweep.risky = part == "risky" || part == "all";
    sweep.share = true;
    sweep.skip = argc > 5 ? number(5) : 0;
    sweep.before = [](const bad_input::Row& row, const std::string& step) {
        std::printf("%s %s ", row.name().c_str(), step.c_str());
        std::fflush(stdout);
    };
    sweep.after = [](const bad_input::Row&, const std::string&, const std::string& result, const std::string& problem) {
        std::printf("%s%s%s\n", result.c_str(), problem.empty() ? "" : " ! ", problem.c_str());
    };
    if (sweep.safe)
        for (const auto& row : rows)
            sweep.before_init(row);
    driver.init();
    if (part == "destroyed") sweep.destroyed(rows);
    if (part == "dead") sweep.dead(rows);
    if (sweep.safe || sweep.risky || sweep.wild)
        for (const auto& row : rows)
            sweep.run(row);
    std::fflush(stdout);
    std::_Exit(0); // what a driver does at the end of a process is not asked for
}
