// SPDX-License-Identifier: Apache-2.0
// Modules: loaded PTX or CUBIN code.
#pragma once

#include "warplight/callback.hpp"
#include "warplight/enums.hpp"
#include "warplight/file_path.hpp"
#include "warplight/handles.hpp"
#include "warplight/shared.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplight::driver {

class Function;
class SurfaceReference;
class TextureReference;

using JitOptions = std::vector<std::pair<jit_option, std::uint64_t>>;
/// Called after each load with the driver's messages, whether it worked or not.
using MessageHandler = Callback<void(bool compile_success, const std::string& info_log, const std::string& error_log)>;

/// A variable of a module.
struct Global {
    device_ptr pointer = 0;
    std::size_t size = 0; ///< bytes
};

/// Code loaded into the context that was current. Move-only; unloaded when it and all its functions are gone.
class Module {
public:
    Module(Module&&) noexcept = default;
    Module& operator=(Module&&) noexcept = default;
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;
    ~Module() = default;

    /// A kernel by its name in the PTX. All handles of one kernel share its state (also what prepare() set).
    /// @throws LogicError when there is none; the message lists those there are, where that is known.
    Function get_function(const std::string& name) const;
    /// A `__device__` or `__constant__` variable. @throws LogicError when there is none.
    Global get_global(const std::string& name) const;
    /// A `.texref` variable (`texture<…>` up to CUDA 11). @throws LogicError when there is none.
    TextureReference get_texref(const std::string& name) const;
    /// A `.surfref` variable (`surface<…>` up to CUDA 11). @throws LogicError when there is none.
    SurfaceReference get_surfref(const std::string& name) const;
    /// Names of the kernels: from the driver (CUDA 12.4), else from the PTX; empty when neither knows.
    std::vector<std::string> functions() const;
    /// What the driver said when it loaded the module.
    const std::string& info_log() const noexcept;

    CUmod_st* handle() const noexcept;
    /// Internal.
    explicit Module(Shared<detail::ModuleState> state) noexcept : state_(std::move(state)) {}

private:
    Shared<detail::ModuleState> state_;
};

/// Loads a PTX, CUBIN or fatbin file. @throws FileError when it cannot be read, else as module_from_buffer.
Module module_from_file(const FilePath& filename);
/// Loads PTX text (a final zero byte is added), CUBIN or fatbin bytes into the current context.
/// @throws LogicError, RuntimeError with the driver's error log in detail().
Module module_from_buffer(std::span<const std::byte> buffer, const JitOptions& options = {},
                          const MessageHandler& message_handler = {});
Module module_from_buffer(std::string_view text, const JitOptions& options = {},
                          const MessageHandler& message_handler = {});

} // namespace warplight::driver
