// SPDX-License-Identifier: GPL-3.0-or-later
#include "connection_words.hpp"

#include "worker/client.hpp"

#include <cstdio>
#include <fmt/format.h>

namespace warplight::cli {

ConnectionWords::ConnectionWords(const std::string& machine, bool quiet)
    : machine_(worker::machine_name(machine)), own_(quiet), files_(quiet) {
    worker::ConnectionWatch::Hooks hooks;
    hooks.on_state = [this](const worker::ConnectionState& state) { show_state(state); };
    hooks.on_files = [this](const worker::FilesOnTheirWay& files) { show_files(files); };
    if (!quiet) hooks.on_text = [this](const std::string& text) { say(machine_ + ": " + text + "\n"); };
    watch_ = std::make_shared<worker::ConnectionWatch>(std::move(hooks));
}

void ConnectionWords::show_state(const worker::ConnectionState& state) {
    using Kind = worker::ConnectionState::Kind;
    const std::lock_guard lock(mutex_);
    if (state.kind == Kind::lost && !lost_) {
        lost_ = true;
        say_now(
            fmt::format("The connection to {} is lost. What runs there goes on; trying to connect again.\n", machine_));
    } else if (state.kind == Kind::connected && lost_) {
        lost_ = false;
        say_now(fmt::format("Connected to {} again.\n", machine_));
    }
}

void ConnectionWords::show_files(const worker::FilesOnTheirWay& files) {
    const std::lock_guard lock(mutex_);
    files_move_ = !files.text.empty();
    own_.clear();
    if (files_move_)
        files_.show(files.text);
    else
        files_.clear();
}

bool ConnectionWords::is_due() {
    const std::lock_guard lock(mutex_);
    return !files_move_ && own_.is_due();
}

void ConnectionWords::progress(const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (!files_move_) own_.show(text);
}

void ConnectionWords::say(const std::string& lines) {
    const std::lock_guard lock(mutex_);
    say_now(lines);
}

void ConnectionWords::say_now(const std::string& lines) {
    own_.clear();
    files_.clear();
    fmt::print(stderr, "{}", lines);
}

void ConnectionWords::clear() {
    const std::lock_guard lock(mutex_);
    own_.clear();
    files_.clear();
}

} // namespace warplight::cli
