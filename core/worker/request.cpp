// SPDX-License-Identifier: Apache-2.0
#include "worker/request.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace warplight::worker {
namespace {
[[noreturn]] void refuse(const char* name, const std::string& what) {
    throw RequestError(invalid_parameters, std::string("parameter ") + name + " " + what);
}
} // namespace

bool Params::has(const char* name) const {
    if (!params_.is_object()) return false;
    auto found = params_.find(name);
    return found != params_.end() && !found->is_null();
}

const json& Params::at(const char* name) const {
    if (!has(name)) refuse(name, "is missing");
    return *params_.find(name);
}

std::string Params::text(const char* name) const {
    const json& value = at(name);
    if (!value.is_string()) refuse(name, "must be a text");
    return value.get<std::string>();
}

std::string Params::text(const char* name, std::string fallback) const {
    return has(name) ? text(name) : std::move(fallback);
}

bool Params::boolean(const char* name, bool fallback) const {
    if (!has(name)) return fallback;
    const json& value = at(name);
    if (!value.is_boolean()) refuse(name, "must be true or false");
    return value.get<bool>();
}

double Params::real(const char* name, double fallback) const {
    if (!has(name)) return fallback;
    const json& value = at(name);
    if (!value.is_number()) refuse(name, "must be a number");
    double number = value.get<double>();
    if (std::isnan(number)) refuse(name, "must be a number");
    return number;
}

std::int64_t Params::integer(const char* name, std::int64_t least, std::int64_t most) const {
    const json& value = at(name);
    if (!value.is_number_integer()) refuse(name, "must be a whole number");
    bool fits = !value.is_number_unsigned() ||
                value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    std::int64_t number = fits ? value.get<std::int64_t>() : 0;
    if (!fits || number < least || number > most)
        refuse(name, "must be from " + std::to_string(least) + " to " + std::to_string(most));
    return number;
}

std::int64_t Params::integer(const char* name, std::int64_t least, std::int64_t most, std::int64_t fallback) const {
    return has(name) ? integer(name, least, most) : fallback;
}

std::uint64_t Params::size(const char* name) const {
    return static_cast<std::uint64_t>(integer(name, 0, std::numeric_limits<std::int64_t>::max()));
}

std::uint64_t Params::size(const char* name, std::uint64_t fallback) const { return has(name) ? size(name) : fallback; }

std::vector<std::string> Params::texts(const char* name) const {
    std::vector<std::string> result;
    if (!has(name)) return result;
    const json& list = at(name);
    if (!list.is_array()) refuse(name, "must be a list of texts");
    for (const json& value : list) {
        if (!value.is_string()) refuse(name, "must be a list of texts");
        result.push_back(value.get<std::string>());
    }
    return result;
}

} // namespace warplight::worker
