// SPDX-License-Identifier: Apache-2.0
// Linking PTX, CUBIN, objects and libraries to one module (CUDA 5.5).
#pragma once

#include "warplight/file_path.hpp"
#include "warplight/module.hpp"
#include "warplight/shared.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace warplight::driver {

/// Takes inputs one by one, and links them once. Uses the context that is current when it is made. Move-only.
class Linker {
public:
    /// @param message_handler called by link_module() with the linker's messages, whether it worked or not
    /// @param log_verbose more detail in the messages
    explicit Linker(MessageHandler message_handler = {}, const JitOptions& options = {}, bool log_verbose = false);
    Linker(Linker&&) noexcept = default;
    Linker& operator=(Linker&&) noexcept = default;
    Linker(const Linker&) = delete;
    Linker& operator=(const Linker&) = delete;
    ~Linker() = default;

    /// PTX text needs no final zero byte. @param name how messages call it
    /// @throws LogicError, RuntimeError with the linker's error log in detail(); LogicError after link_module().
    void add_data(std::span<const std::byte> data, jit_input_type type, const std::string& name = "unknown");
    void add_data(std::string_view text, jit_input_type type, const std::string& name = "unknown");
    /// @throws RuntimeError when there is no such file, else as add_data.
    void add_file(const FilePath& filename, jit_input_type type);
    /// Links and loads what was added. The linker is of no use afterwards, also when this fails.
    Module link_module();

private:
    Shared<detail::LinkerState> state_;
};

} // namespace warplight::driver
