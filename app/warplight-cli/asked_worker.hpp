// SPDX-License-Identifier: GPL-3.0-or-later
// A worker that is started to be asked something, and ends with this object.
#pragma once

#include "worker/client.hpp"

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace warplight::cli {

class AskedWorker {
public:
    /// `driver`: cuda, software, or one on another machine. @throws std::runtime_error
    explicit AskedWorker(const std::string& driver);
    ~AskedWorker();
    AskedWorker(const AskedWorker&) = delete;
    AskedWorker& operator=(const AskedWorker&) = delete;

    /// The result. @throws std::runtime_error: the worker's own words, or how it ended
    nlohmann::json ask(const std::string& method, nlohmann::json parameters);
    /// Its answer to `hello`.
    nlohmann::json hello();

private:
    worker::Exit exit_;
    std::unique_ptr<worker::Client> client_;
};

} // namespace warplight::cli
