// SPDX-License-Identifier: Apache-2.0
// As much of a runtime as running one block takes: services for generated code, and a scheduler that is simple rather
// than fast, so that it can serve as a second opinion.
#pragma once

#include "software/jit/jit.hpp"
#include "software/ptx/parser.hpp"

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace mini {

struct Fault {
    std::uint32_t linear = 0;
    warplight::software::Fault reason{};
    std::uint32_t site = 0;
    std::string message;
};

/// A parsed module with memory for its variables.
class Program {
public:
    explicit Program(std::string_view ptx);
    [[nodiscard]] const warplight::ptx::Module& module() const { return module_; }
    [[nodiscard]] std::unique_ptr<warplight::jit::CompiledKernel>
    compile(std::string_view kernel, warplight::jit::Mode mode, std::string cache = {}, unsigned width = 1,
            std::string* why_not = nullptr, unsigned most_threads = 0) const;
    /// Host memory of a module variable.
    [[nodiscard]] std::byte* variable(std::string_view name);

private:
    std::string source_;
    warplight::ptx::Module module_;
    std::vector<std::vector<std::byte>> memory_;
    warplight::jit::VariableAddresses addresses_;
};

struct Launch {
    std::array<std::uint32_t, 3> grid{1, 1, 1};
    std::array<std::uint32_t, 3> block{1, 1, 1};
    std::uint32_t static_shared = 0;
    std::uint32_t dynamic_shared = 0;
};

/// The kernel's parameters, packed.
class Parameters {
public:
    template <class T>
    Parameters& add(const T& value) {
        const std::size_t at = (bytes_.size() + alignof(T) - 1) / alignof(T) * alignof(T);
        bytes_.resize(at + sizeof(T));
        std::memcpy(bytes_.data() + at, &value, sizeof(T));
        return *this;
    }
    [[nodiscard]] std::vector<std::byte> bytes() const { return bytes_; }

private:
    std::vector<std::byte> bytes_;
};

struct Outcome {
    std::optional<Fault> fault;
    bool deadlock = false;
    std::string printed;
};

/// Runs every block of the grid, one after another.
[[nodiscard]] Outcome run(const warplight::jit::CompiledKernel& kernel, const Launch& launch,
                          const Parameters& parameters);

} // namespace mini
