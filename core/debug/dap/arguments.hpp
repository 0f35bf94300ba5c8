// SPDX-License-Identifier: Apache-2.0
// Arguments of requests: what is missing or of a wrong type becomes a sentence for the user.
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace warplight::debug::dap {

/// A request that cannot be done; its text is for the user.
class RequestError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Arguments {
public:
    explicit Arguments(const nlohmann::json& request) {
        const auto found = request.find("arguments");
        if (found == request.end() || found->is_null()) return;
        if (!found->is_object()) throw RequestError("The arguments must be an object.");
        all_ = *found;
    }
    [[nodiscard]] static Arguments of(const nlohmann::json& object) {
        return Arguments(nlohmann::json{{"arguments", object}});
    }

    [[nodiscard]] const nlohmann::json* find(const char* name) const {
        const auto found = all_.find(name);
        return found == all_.end() || found->is_null() ? nullptr : &*found;
    }
    [[nodiscard]] const nlohmann::json& all() const { return all_; }

    template <class T>
    [[nodiscard]] std::optional<T> optional(const char* name) const {
        const nlohmann::json* value = find(name);
        if (!value) return std::nullopt;
        return converted<T>(name, *value);
    }
    template <class T>
    [[nodiscard]] T get(const char* name) const {
        if (auto value = optional<T>(name)) return *std::move(value);
        throw RequestError(fmt::format("The argument '{}' is missing.", name));
    }
    template <class T>
    [[nodiscard]] T get(const char* name, T otherwise) const {
        return optional<T>(name).value_or(std::move(otherwise));
    }
    /// Empty where it is missing.
    [[nodiscard]] std::vector<Arguments> objects(const char* name) const {
        std::vector<Arguments> list;
        const nlohmann::json* value = find(name);
        if (!value) return list;
        if (!value->is_array()) throw RequestError(fmt::format("The argument '{}' must be a list.", name));
        for (const nlohmann::json& each : *value)
            list.push_back(of(each));
        return list;
    }

private:
    template <class T>
    static T converted(const char* name, const nlohmann::json& value) {
        const auto wrong = [&](const char* what) {
            return RequestError(fmt::format("The argument '{}' must be {}.", name, what));
        };
        if constexpr (std::is_same_v<T, bool>) {
            if (!value.is_boolean()) throw wrong("true or false");
            return value.get<bool>();
        } else if constexpr (std::is_integral_v<T>) {
            if (!value.is_number_integer()) throw wrong("an integer");
            if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::numeric_limits<T>::max())
                throw wrong("a smaller integer");
            if (!value.is_number_unsigned() && value.get<std::int64_t>() < 0) throw wrong("0 or more");
            return value.get<T>();
        } else {
            if (!value.is_string()) throw wrong("a text");
            return value.get<std::string>();
        }
    }

    nlohmann::json all_ = nlohmann::json::object();
};

} // namespace warplight::debug::dap
