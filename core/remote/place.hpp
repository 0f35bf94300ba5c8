// SPDX-License-Identifier: Apache-2.0
/// Which device of which machine: `ssh://[user@]host[:port][/driver[:ordinal]]`. Only the user names one. A session
/// never does, since opening it would reach out to a machine that its author chose.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplight::remote {

struct Place {
    std::string user;            ///< empty: whom the configuration of ssh says
    std::string host;            ///< a name, an address (IPv6 without brackets) or an alias of the configuration of ssh
    int port = 0;                ///< 0: what the configuration of ssh says
    std::string driver = "auto"; ///< or "cuda", "software"
    int ordinal = 0;

    bool operator==(const Place&) const = default;
};

/// Nothing, and a sentence in `problem` (may be null), where the text is no place.
[[nodiscard]] std::optional<Place> parse_place(std::string_view text, std::string* problem);

/// It begins with `ssh://`, in letters of any case.
[[nodiscard]] bool is_place(std::string_view device);

/// `user@host:port`, without what is not given. An IPv6 address stands in brackets where a port follows.
[[nodiscard]] std::string machine_of(const Place& place);

/// `ssh://user@host:port/driver:ordinal`, which parse_place() reads; without `:0`.
[[nodiscard]] std::string to_text(const Place& place);

/// The same machine, with the driver of a worker there: `ssh://user@host:port/driver`, for worker::ClientOptions.
[[nodiscard]] std::string driver_at(const Place& place, std::string_view driver);

} // namespace warplight::remote
