// SPDX-License-Identifier: Apache-2.0
// What a driver answers to bad input, for recordings/record_bad_input.py, which starts it again where a driver ended
// it.
//   bad_input_record DRIVER     cuda, software or a library
// It prints the lines of the table and ".", and then does what its input says:
//   skip LINE STEP…             these are not asked
//   ask PART LINE               prints "LINE STEP ANSWER" for each step, and "."; * is all lines
// PART: before_init, for as long as nothing else was asked; safe; risky, where a driver may crash; wild, where it
// surely does; dead; destroyed.
#include "bad_input.hpp"
#include "warplight/driver.hpp"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>

namespace {

using bad_input::Row;

void ask(bad_input::Sweep& sweep, const warplight::driver::Driver& driver, const std::string& part,
         const std::vector<Row>& rows) {
    if (part == "before_init") {
        for (const Row& row : rows)
            sweep.before_init(row);
        return;
    }
    driver.init();
    if (part == "destroyed") return sweep.destroyed(rows);
    if (part == "dead") return sweep.dead(rows);
    sweep.safe = part == "safe";
    sweep.risky = part == "risky";
    sweep.wild = part == "wild";
    for (const Row& row : rows)
        sweep.run(row);
}

void print(const char* line) {
    std::puts(line);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    using warplight::driver::Driver;
    if (argc < 2) return 2;
    const std::string_view name = argv[1];
    const Driver driver = name == "cuda" || name == "software" ? Driver::from_name(argv[1]) : Driver::open(argv[1]);
    if (!driver.available()) return 3;
    const std::vector<Row> all = bad_input::all_rows();
    for (const Row& row : all)
        std::puts(row.name().c_str());
    print(".");
    bad_input::Sweep sweep(driver.state().functions);
    sweep.share = true;
    sweep.before = [](const Row& row, const std::string& step) {
        std::printf("%s %s ", row.name().c_str(), step.c_str());
        std::fflush(stdout);
    };
    sweep.after = [](const Row&, const std::string&, const std::string& result, const std::string& problem) {
        print((result + (problem.empty() ? "" : " ! ") + problem).c_str());
    };
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string verb, first, second;
        words >> verb >> first;
        if (verb == "skip") {
            while (words >> second)
                sweep.known.insert(first + ' ' + second);
        } else if (verb == "ask") {
            words >> second;
            std::vector<Row> rows;
            for (const Row& row : all)
                if (second == "*" || second == row.name()) rows.push_back(row);
            ask(sweep, driver, first, rows);
            print(".");
        }
    }
    std::_Exit(0); // what a driver does at the end of a process is not asked for
}
