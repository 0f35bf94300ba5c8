// SPDX-License-Identifier: Apache-2.0
// Tells of values that a kernel uses although nothing wrote the memory that they come from.
#pragma once

#include "checked_launch.hpp"
#include "shadow_memory.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace warplight::software {

class InitChecks {
public:
    explicit InitChecks(const CheckedLaunch& launch) : launch_(launch) {}

    struct Use {
        std::uint32_t linear; ///< thread of the first lane
        std::uint32_t active;
        const std::uint64_t* addresses; ///< of memory that is written; null for other uses
        std::uint32_t site;
        UninitialisedUse what;
    };
    void use(const BlockContext& block, const Use& use);

    /// Shared memory of a block that begins: it holds no values yet.
    void begin(const BlockContext& block) const;

private:
    void write(const BlockContext& block, const Use& use, std::uint32_t lane);
    [[nodiscard]] std::shared_ptr<const UnwrittenStore> store_at(const BlockContext& block, const Use& use,
                                                                 std::uint32_t lane);
    void describe(const Use& use, findings::Finding& finding) const;

    const CheckedLaunch& launch_;
    std::mutex mutex_;
    std::unordered_map<std::uint32_t, std::shared_ptr<const UnwrittenStore>> stores_; ///< by site
};

} // namespace warplight::software
