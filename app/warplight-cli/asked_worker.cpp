// SPDX-License-Identifier: GPL-3.0-or-later
#include "asked_worker.hpp"

#include "worker/message.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace warplight::cli {

AskedWorker::AskedWorker(const std::string& driver) {
    worker::ClientOptions options;
    options.driver = driver;
    options.on_exit = [this](const worker::Exit& how) { exit_ = how; };
    client_ = std::make_unique<worker::Client>(std::move(options));
    client_->start();
}

AskedWorker::~AskedWorker() { client_->shutdown(); }

nlohmann::json AskedWorker::ask(const std::string& method, nlohmann::json parameters) {
    const auto reply = client_->call_wait(method, std::move(parameters));
    if (reply.ok) return *reply.result;
    if (!reply.worker_died) throw std::runtime_error(reply.error);
    client_->shutdown(); // waits for on_exit
    throw std::runtime_error(fmt::format("the worker {}: {}{}",
                                         exit_.reason.text.empty() ? "gave no answer" : exit_.reason.text, reply.error,
                                         exit_.stderr_tail.empty() ? std::string() : "\n" + exit_.stderr_tail));
}

nlohmann::json AskedWorker::hello() { return ask("hello", {{"protocol", worker::kProtocolVersion}}); }

} // namespace warplight::cli
