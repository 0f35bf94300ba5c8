// SPDX-License-Identifier: Apache-2.0
// Events that several processes record and wait for, by means of shared memory.
#pragma once

#include "platform.hpp"

#include <cstdint>
#include <memory>

namespace warplight::software {

class SharedEvent : public std::enable_shared_from_this<SharedEvent> {
public:
    /// Where other processes find it.
    struct Name {
        platform::SharedMemory::Name memory;
        std::uint32_t slot = 0;
        std::uint64_t nonce = 0; ///< of this event: a slot is used again
    };

    /// Null when the system has no shared memory.
    [[nodiscard]] static std::shared_ptr<SharedEvent> create();
    /// Null when there is no such event, now or any longer.
    [[nodiscard]] static std::shared_ptr<SharedEvent> open(const Name& name);
    [[nodiscard]] const Name& name() const { return name_; }

    /// Not another process's.
    [[nodiscard]] bool made_here() const { return owner_; }

    /// Counts one more record, which has been reached when `reached` and all its copies are gone: so it is also where
    /// the work before it is dropped.
    struct Mark {
        std::uint64_t number = 0;
        std::shared_ptr<void> reached;
    };
    [[nodiscard]] Mark record();
    /// The number of the last record of any process; 0 when there was none.
    [[nodiscard]] std::uint64_t last() const;
    /// Also true when the recording process has ended, and once the event's own process has destroyed it.
    [[nodiscard]] bool reached(std::uint64_t number) const;
    void wait(std::uint64_t number) const;

    struct Slot;
    struct Block;
    SharedEvent(std::shared_ptr<Block> block, Name name, bool owner);
    ~SharedEvent();
    SharedEvent(const SharedEvent&) = delete;
    SharedEvent& operator=(const SharedEvent&) = delete;

private:
    void finish(std::uint64_t number) const;

    std::shared_ptr<Block> block_;
    Slot* slot_;
    Name name_;
    bool owner_;
};

} // namespace warplight::software
