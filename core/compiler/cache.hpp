// SPDX-License-Identifier: Apache-2.0
// Files with results of compilations, named by the digest of the inputs. Several processes may use one folder: a file
// appears whole or not at all, and a damaged one, or one that has another key inside, is a miss.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace warplight::compiler {

using CacheEntry = std::map<std::string, std::string>;

/// Also marks the entry as used now. An empty folder stands for cache_folder().
std::optional<CacheEntry> cache_load(const std::string& key, const std::filesystem::path& folder = {});
/// On a full disk, or in a folder that cannot be written, only the entry is lost.
void cache_store(const std::string& key, const CacheEntry& entry, const std::filesystem::path& folder = {});
/// Whether WARPLIGHT_DISABLE_CACHE forbids it all.
bool cache_disabled();

} // namespace warplight::compiler
