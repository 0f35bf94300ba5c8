// SPDX-License-Identifier: Apache-2.0
#include "remote/control.hpp"

#include <utility>

namespace warplight::remote {

using worker::json;
using worker::RequestError;

std::vector<std::byte> packed(const json& message) {
    const auto bytes = json::to_cbor(message);
    const auto* from = reinterpret_cast<const std::byte*>(bytes.data());
    return {from, from + bytes.size()};
}

json Control::ask(const std::string& method, json params, const std::function<bool()>& cancelled,
                  std::optional<std::chrono::milliseconds> patience) {
    std::int64_t id = 0;
    {
        const std::lock_guard lock(mutex_);
        if (given_up_) throw RequestError(worker::internal_error, *given_up_);
        id = next_++;
        open_[id];
    }
    const auto bytes = packed({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
    const bool sent = send_(bytes);
    std::unique_lock lock(mutex_);
    const auto end = std::chrono::steady_clock::now() + patience.value_or(std::chrono::milliseconds(0));
    std::string problem;
    constexpr auto step = std::chrono::milliseconds(50);
    while (sent && !open_[id]) {
        if (given_up_) {
            problem = *given_up_;
            break;
        }
        if (cancelled && cancelled()) {
            open_.erase(id);
            throw RequestError(worker::cancelled_request, "cancelled");
        }
        if (patience && std::chrono::steady_clock::now() > end) {
            problem = "the other machine does not answer";
            break;
        }
        changed_.wait_for(lock, step);
    }
    const auto answer = std::move(open_[id]);
    open_.erase(id);
    if (!answer) throw RequestError(worker::internal_error, problem.empty() ? "the connection is closed" : problem);
    if (const auto result = answer->find("result"); result != answer->end()) return *result;
    std::string text = "the other machine gave no answer";
    auto code = static_cast<std::int64_t>(worker::internal_error);
    json data;
    if (const auto error = answer->find("error"); error != answer->end() && error->is_object()) {
        if (const auto told = error->find("message"); told != error->end() && told->is_string())
            text = told->get<std::string>();
        if (const auto told = error->find("code"); told != error->end() && told->is_number_integer())
            code = told->get<std::int64_t>();
        if (const auto told = error->find("data"); told != error->end()) data = *told;
    }
    throw RequestError(static_cast<worker::ErrorCode>(code), text, std::move(data));
}

void Control::answer(json message) {
    const auto id = message.find("id");
    if (id == message.end() || !id->is_number_integer()) return;
    const std::lock_guard lock(mutex_);
    const auto found = open_.find(id->get<std::int64_t>());
    if (found == open_.end() || found->second) return;
    found->second = std::move(message);
    changed_.notify_all();
}

void Control::give_up(const std::string& why) {
    const std::lock_guard lock(mutex_);
    given_up_ = why;
    changed_.notify_all();
}

} // namespace warplight::remote
