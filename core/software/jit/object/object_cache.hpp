// SPDX-License-Identifier: Apache-2.0
// Compiled objects on disk. Several processes may share a folder; a damaged or foreign file is a miss.
#pragma once

#include "sites.hpp"
#include "software/jit/jit.hpp"

#include <llvm/Support/MemoryBuffer.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace warplight::jit {

struct CachedObject {
    CodeMap map;
    std::unique_ptr<llvm::MemoryBuffer> object;
};

class ObjectCache {
public:
    /// An empty folder name: keeps nothing.
    explicit ObjectCache(std::string folder) : folder_(std::move(folder)) {}

    /// Name of what a kernel compiles to here: a digest of its source, the options, this machine and our versions.
    [[nodiscard]] static std::string key(const Options& options, Mode mode, std::string_view kernel);
    [[nodiscard]] std::optional<CachedObject> find(const std::string& key) const;
    /// Errors are ignored: the cache only saves time.
    void keep(const std::string& key, const CodeMap& map, llvm::StringRef object) const;

private:
    [[nodiscard]] std::string path_of(const std::string& key) const { return folder_ + "/" + key + ".wlobj"; }
    std::string folder_;
};

} // namespace warplight::jit
