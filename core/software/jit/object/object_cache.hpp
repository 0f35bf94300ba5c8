// SPDX-License-Identifier: Apache-2.0
// Compiled objects on disk. Several processes may share a folder. A damaged or foreign file is a miss.
#pragma once

#include "files/cache_folder.hpp"
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

/// The place of one kernel's code in the cache.
class CacheEntry {
public:
    /// Where Options name no folder, or no digest of the source, nothing is found or kept.
    CacheEntry(const Options& options, Mode mode, std::string_view kernel);

    [[nodiscard]] std::optional<CachedObject> find() const;
    /// Errors are ignored: the cache only saves time.
    void keep(const CodeMap& map, llvm::StringRef object) const;

private:
    files::CacheFolder folder_;
    std::string key_; ///< empty: no cache
};

} // namespace warplight::jit
