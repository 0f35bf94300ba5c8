// SPDX-License-Identifier: Apache-2.0
// Two ends of a stream in memory, with the faults of real ones: cut in the middle of a byte sequence, slow, standing
// still.
#pragma once

#include "remote/stream.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace warplight::remote {

/// One direction. What is not read stays in a buffer of limited size, as in a pipe.
struct MemoryPipe {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::byte> bytes;
    std::size_t most = std::size_t{64} << 10;
    std::uint64_t passed = 0, cut_after = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t bytes_a_second = 0; ///< 0: any number
    bool closed = false, still = false;

    void close() {
        const std::lock_guard lock(mutex);
        closed = true;
        changed.notify_all();
    }
    bool write(const std::byte* from, std::size_t size) {
        while (size > 0) {
            std::size_t count = 0;
            {
                std::unique_lock lock(mutex);
                changed.wait(lock, [this] { return closed || bytes.size() < most; });
                if (closed) return false;
                count = std::min(size, most - bytes.size());
                if (bytes_a_second) count = std::min<std::size_t>(count, bytes_a_second / 500 + 1);
                const std::uint64_t left = cut_after - passed;
                if (count > left) count = static_cast<std::size_t>(left);
                bytes.insert(bytes.end(), from, from + count);
                passed += count;
                if (passed == cut_after) closed = true;
                changed.notify_all();
                if (closed && count < size) return false;
            }
            from += count;
            size -= count;
            if (bytes_a_second)
                std::this_thread::sleep_for(
                    std::chrono::duration<double>(static_cast<double>(count) / static_cast<double>(bytes_a_second)));
        }
        return true;
    }
    std::size_t read(std::byte* to, std::size_t size) {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return closed || (!still && !bytes.empty()); });
        if (bytes.empty() || still) return 0;
        const std::size_t count = std::min(size, bytes.size());
        std::copy_n(bytes.begin(), count, to);
        bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
        changed.notify_all();
        return count;
    }
};

class MemoryStream : public Stream {
public:
    MemoryStream(std::shared_ptr<MemoryPipe> in, std::shared_ptr<MemoryPipe> out)
        : in(std::move(in)), out(std::move(out)) {}
    std::size_t read(std::byte* to, std::size_t size) override { return in->read(to, size); }
    bool write(const std::byte* from, std::size_t size) override { return out->write(from, size); }
    void close() override {
        in->close();
        out->close();
    }
    const std::shared_ptr<MemoryPipe> in, out;
};

struct MemoryStreams {
    std::shared_ptr<MemoryPipe> forth = std::make_shared<MemoryPipe>(), back = std::make_shared<MemoryPipe>();
    MemoryStream near{back, forth}, far{forth, back};
};

} // namespace warplight::remote
