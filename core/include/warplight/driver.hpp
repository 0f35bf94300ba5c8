// SPDX-License-Identifier: Apache-2.0
// A driver: a shared library with the CUDA driver API, opened at run time.
#pragma once

#include "warplight/error.hpp"
#include "warplight/file_path.hpp"
#include "warplight/handles.hpp"
#include "warplight/shared.hpp"

#include <string>
#include <vector>

namespace warplight::driver {

/// A handle to an opened driver library; copies share it. Opening never fails: a library that is missing
/// is an error when it is used. An opened library stays open until the process ends.
class Driver {
public:
    /// NVIDIA's driver: libcuda.so.1 or nvcuda.dll.
    static Driver cuda();
    /// Warplight's software device, libwarplight-cuda.so: from WARPLIGHT_SOFTWARE_LIBRARY, else beside the
    /// program, in ../bin, ../lib or ../lib/warplight from there, or where the loader finds it. Programs that are built
    /// with the CMake package have the folder of the installed one in their run path.
    static Driver software();
    /// Any library with the driver API. Opening the same path again gives the same driver.
    static Driver open(const FilePath& library);
    /// "cuda" or "software". @throws LogicError for another name.
    static Driver from_name(const std::string& name);
    /// The process's default: what set_default() chose, else CUDA where it has a device, else the software device.
    static Driver get_default();
    static void set_default(const Driver& driver);

    /// "cuda", "software", or the library's path.
    const std::string& name() const noexcept;
    /// The library that was opened, or the one that was looked for.
    const std::string& library() const noexcept;
    /// Whether the library could be opened.
    bool available() const noexcept;
    /// Why not; empty when it could.
    const std::string& unavailable_because() const noexcept;
    /// The CUDA version offered, e.g. 12040. @throws RuntimeError when unavailable.
    int version() const;
    /// Entry points of the table that this library lacks, by name.
    std::vector<std::string> missing_entry_points(bool with_optional = false) const;
    /// Every entry point that the table asks for.
    static std::vector<std::string> entry_point_names();
    bool has_entry_point(const std::string& name) const;
    /// Initialises the driver. Idempotent, thread-safe; Device calls it.
    void init(unsigned flags = 0) const;

    friend bool operator==(const Driver& a, const Driver& b) noexcept { return a.state_ == b.state_; }

    /// Internal.
    const detail::DriverState& state() const noexcept { return *state_; }
    explicit Driver(Shared<const detail::DriverState> state) noexcept : state_(std::move(state)) {}

private:
    Shared<const detail::DriverState> state_;
};

/// Initialises the default driver; the other functions do so by themselves.
void init(unsigned flags = 0);

} // namespace warplight::driver
