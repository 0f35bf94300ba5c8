// SPDX-License-Identifier: Apache-2.0
// Objects in memory, linked to the runtime and to a module's variables.
#pragma once

#include <llvm/Support/MemoryBuffer.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warplight::jit {

struct Symbol {
    std::string name;
    std::uint64_t address;
};

/// Code of one kernel; unloaded with the object.
class LoadedObject {
public:
    virtual ~LoadedObject() = default;
    [[nodiscard]] virtual std::uint64_t entry(std::size_t number = 0) const = 0;
};

/// Links an object that defines `entries`. It may refer to `variables`, the runtime's services and the C library.
/// Throws std::runtime_error when a symbol is missing.
[[nodiscard]] std::unique_ptr<LoadedObject> load_object(std::unique_ptr<llvm::MemoryBuffer> object,
                                                        const std::vector<const char*>& entries,
                                                        const std::vector<Symbol>& variables);

} // namespace warplight::jit
