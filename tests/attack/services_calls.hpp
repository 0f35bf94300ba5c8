// SPDX-License-Identifier: Apache-2.0
// Calls of the device's services, as PTX text.
#pragma once

#include <initializer_list>
#include <string>

/// A call's argument.
struct Argument {
    std::string type;  ///< b64, b32, or a structure: dim3, words
    std::string value; ///< what is stored; of words a list
};

[[nodiscard]] inline Argument d(std::string value) { return {"b64", std::move(value)}; }
[[nodiscard]] inline Argument w(std::string value) { return {"b32", std::move(value)}; }
/// A dim3 whose extents are all that register or number.
[[nodiscard]] Argument dim3_of(const std::string& each);
/// A structure of 64-bit words.
[[nodiscard]] Argument words(std::initializer_list<const char*> values);

/// Calls a function; its result, if it has one, goes to %rd9.
[[nodiscard]] std::string call(const std::string& name, std::initializer_list<Argument> arguments,
                               const char* result = "b32");

/// A module with the kernel k(a, d): `body` is executed by thread 0 at services.cu:7:3. It has %rd1 = a, %rd2 = d,
/// %rd3 … %rd9, %r1 … %r9, %p1 … %p3, and the texts `text` ("%s\n"), `number` ("%d\n") and `word` ("word").
[[nodiscard]] std::string services_module(const std::string& body, const std::string& more = "");
