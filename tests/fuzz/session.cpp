// SPDX-License-Identifier: Apache-2.0
// Any bytes as a session document: read or refused, and what was read survives writing.
#include "session/session.hpp"
#include "session/runner.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace warplight::session;
    Session session;
    try {
        session = parse(std::string_view(reinterpret_cast<const char*>(data), size));
    } catch (const SessionError&) {
        return 0;
    }
    const auto text = to_text(session);
    try {
        if (to_text(parse(text)) != text) std::abort();
    } catch (const SessionError&) {
        std::abort();
    }
    try {
        check_compile_options(session.compile);
    } catch (const SessionError&) {
    }
    return 0;
}
