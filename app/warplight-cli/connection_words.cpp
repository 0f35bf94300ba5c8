// SPDX-License-Identifier: GPL-3.0-or-later
#include "connection_words.hpp"

#include "remote/place.hpp"

#include <fmt/format.h>

namespace warplight::cli {

ConnectionWords::ConnectionWords(const std::string& driver) : line_(false) {
    if (const auto place = remote::parse_place(driver, nullptr)) machine_ = remote::machine_of(*place);
}

void ConnectionWords::log(const std::string& level, const std::string& text) {
    if (machine_.empty() || (level != "connection" && level != "remote")) return;
    const std::lock_guard lock(mutex_);
    line_.clear();
    if (level == "remote") {
        fmt::print(stderr, "{}: {}\n", machine_, text);
    } else if (text == "lost") {
        lost_ = true;
        fmt::print(stderr, "The connection to {} is lost. What runs there goes on; trying to connect again.\n",
                   machine_);
    } else if (text == "connected" && lost_) {
        lost_ = false;
        fmt::print(stderr, "Connected to {} again.\n", machine_);
    }
}

void ConnectionWords::progress(const worker::Progress& progress) {
    if (machine_.empty()) return;
    const std::lock_guard lock(mutex_);
    if (progress.stage == "send" || progress.stage == "fetch")
        line_.show(progress.text);
    else
        line_.clear();
}

void ConnectionWords::clear() {
    const std::lock_guard lock(mutex_);
    line_.clear();
}

} // namespace warplight::cli
