// SPDX-License-Identifier: Apache-2.0
// The numbers that stand for textures and surfaces. Kernels look them up without a lock. A slot's object is read before
// its number, so an object is taken only for the number it was stored with. An object taken out of a slot is freed when
// no launch runs that may have read it.
#include "texture.hpp"

#include "failure.hpp"

#include <atomic>
#include <mutex>
#include <utility>

namespace warplight::software {
namespace {

constexpr unsigned kIndexBits = 20;
constexpr std::uint64_t kIndexMask = (std::uint64_t{1} << kIndexBits) - 1;
constexpr std::uint64_t kSurfaceBit = std::uint64_t{1} << kIndexBits;
constexpr unsigned kSerialShift = kIndexBits + 1;
constexpr std::size_t kChunk = 1024; ///< slots

/// How many launches may read.
std::atomic<std::uint64_t>& readers() {
    static std::atomic<std::uint64_t> count = 0;
    return count;
}

std::atomic<std::uint64_t> last_serial = 0;

/// Removed objects that a running launch may still use.
struct Retired {
    std::mutex mutex;
    std::vector<std::shared_ptr<const void>> objects;
    void add(std::shared_ptr<const void> object) {
        if (!object) return;
        {
            const std::scoped_lock lock(mutex);
            objects.push_back(std::move(object));
        }
        free_if_unread();
    }
    void free_if_unread() {
        std::vector<std::shared_ptr<const void>> last; // destroyed outside of the lock
        const std::scoped_lock lock(mutex);
        // A launch that begins from here on finds none of them.
        if (readers().load() == 0) last.swap(objects);
    }
};
Retired& retired() {
    static auto* all = new Retired; // never destroyed: threads may run until the process ends
    return *all;
}

template <class T>
class Table {
public:
    explicit Table(std::uint64_t tag) : tag_(tag) {}

    std::uint64_t add(std::shared_ptr<const T> object) {
        const std::scoped_lock lock(mutex_);
        std::size_t index = 0;
        if (!free_.empty()) {
            index = free_.back();
            free_.pop_back();
        } else {
            index = used_;
            if (index > kIndexMask) fail(CUDA_ERROR_OUT_OF_MEMORY, "too many textures or surfaces");
            if (index % kChunk == 0) {
                chunks_[index / kChunk].store(new Slot[kChunk]);
                owners_.resize(index + kChunk);
            }
            ++used_;
        }
        const std::uint64_t handle = ++last_serial << kSerialShift | tag_ | index;
        Slot& slot = chunks_[index / kChunk].load()[index % kChunk];
        owners_[index] = std::move(object);
        slot.object.store(owners_[index].get());
        slot.handle.store(handle);
        return handle;
    }

    bool replace(std::uint64_t handle, std::shared_ptr<const T> object) {
        {
            const std::scoped_lock lock(mutex_);
            Slot* slot = slot_of(handle);
            if (!slot || slot->handle.load() != handle) return false;
            slot->object.store(object.get());
            owners_[handle & kIndexMask].swap(object);
        }
        retired().add(std::move(object));
        return true;
    }

    bool remove(std::uint64_t handle) {
        std::shared_ptr<const T> object;
        {
            const std::scoped_lock lock(mutex_);
            Slot* slot = slot_of(handle);
            if (handle == 0 || !slot || slot->handle.load() != handle) return false;
            slot->handle.store(0);
            slot->object.store(nullptr);
            owners_[handle & kIndexMask].swap(object);
            free_.push_back(handle & kIndexMask);
        }
        retired().add(std::move(object));
        return true;
    }

    const T* find(std::uint64_t handle) const {
        const Slot* slot = slot_of(handle);
        if (!slot) return nullptr;
        const T* object = slot->object.load();
        return slot->handle.load() == handle ? object : nullptr;
    }

private:
    struct Slot {
        std::atomic<std::uint64_t> handle = 0;
        std::atomic<const T*> object = nullptr;
    };
    Slot* slot_of(std::uint64_t handle) const {
        if (handle == 0 || (handle & kSurfaceBit) != tag_) return nullptr;
        const std::uint64_t index = handle & kIndexMask;
        Slot* chunk = chunks_[index / kChunk].load();
        return chunk ? &chunk[index % kChunk] : nullptr;
    }

    const std::uint64_t tag_;
    std::mutex mutex_; ///< held by writers
    std::size_t used_ = 0;
    std::vector<std::size_t> free_;
    std::vector<std::shared_ptr<const T>> owners_;
    std::atomic<Slot*> chunks_[(kIndexMask + 1) / kChunk] = {};
};

Table<Texture>& textures() {
    static auto* table = new Table<Texture>(0);
    return *table;
}
Table<Surface>& surfaces() {
    static auto* table = new Table<Surface>(kSurfaceBit);
    return *table;
}

} // namespace

TextureReaders::TextureReaders() { ++readers(); }
TextureReaders::~TextureReaders() {
    if (--readers() == 0) retired().free_if_unread();
}

const std::shared_ptr<const Texture>& gone_texture() {
    static const auto* gone = [] {
        auto texture = std::make_shared<Texture>();
        texture->plain.kinds = PlainTexture::gone;
        return new std::shared_ptr<const Texture>(std::move(texture));
    }();
    return *gone;
}
const std::shared_ptr<const Surface>& gone_surface() {
    static const auto* gone = new std::shared_ptr<const Surface>(std::make_shared<Surface>());
    return *gone;
}

std::uint64_t add_texture(std::shared_ptr<const Texture> texture) { return textures().add(std::move(texture)); }
std::uint64_t add_surface(std::shared_ptr<const Surface> surface) { return surfaces().add(std::move(surface)); }
bool replace_texture(std::uint64_t handle, std::shared_ptr<const Texture> texture) {
    return textures().replace(handle, std::move(texture));
}
bool replace_surface(std::uint64_t handle, std::shared_ptr<const Surface> surface) {
    return surfaces().replace(handle, std::move(surface));
}
bool remove_texture(std::uint64_t handle) { return textures().remove(handle); }
bool remove_surface(std::uint64_t handle) { return surfaces().remove(handle); }
const Texture* find_texture(std::uint64_t handle) { return textures().find(handle); }
const Surface* find_surface(std::uint64_t handle) { return surfaces().find(handle); }

} // namespace warplight::software
