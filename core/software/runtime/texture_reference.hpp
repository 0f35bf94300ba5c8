// SPDX-License-Identifier: Apache-2.0
// Texture and surface references: variables of a module (or made by themselves) that the host binds to memory. A
// kernel finds the binding under the number that its module's variable holds.
#pragma once

#include "resource.hpp"

#include <cuda.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace warplight::software {

class Array;
class Context;
class MipmappedArray;

class TextureReference {
public:
    /// `of_module`: kernels see it, so a change waits for running ones.
    TextureReference(Context& owner, bool of_module);
    ~TextureReference();
    TextureReference(const TextureReference&) = delete;
    TextureReference& operator=(const TextureReference&) = delete;

    Context& context;
    const bool of_module;
    [[nodiscard]] std::uint64_t number() const { return number_; }

    /// The settings that the host makes and asks for. The format is not one of the texture descriptor's.
    struct State {
        std::shared_ptr<Array> array;
        std::shared_ptr<MipmappedArray> mipmapped;
        bool of_memory = false;  ///< linear or pitched, at 0 even
        CUdeviceptr address = 0; ///< of linear or pitched memory
        std::size_t bytes = 0;   ///< of linear memory
        CUDA_ARRAY_DESCRIPTOR pitched{};
        std::size_t pitch = 0;
        CUarray_format format = CU_AD_FORMAT_FLOAT;
        unsigned channels = 1;
        CUDA_TEXTURE_DESC sampler = clamping();
        [[nodiscard]] bool bound() const { return array || mipmapped || address != 0; }
        [[nodiscard]] static CUDA_TEXTURE_DESC clamping() {
            CUDA_TEXTURE_DESC d{};
            for (auto& mode : d.addressMode)
                mode = CU_TR_ADDRESS_MODE_CLAMP;
            return d;
        }
        /// As it is after memory or an array was taken away.
        void unbind();
    };
    [[nodiscard]] State state() const {
        const std::scoped_lock lock(mutex_);
        return state_;
    }

    /// Changes the state by change(state). Throws when the binding's checks fail, and changes nothing then.
    template <class Change>
    void bind(Change change) {
        const std::scoped_lock lock(mutex_);
        State next = state_;
        next.unbind();
        change(next);
        publish(std::move(next), true);
    }
    /// The same for sampler settings. Settings that do not fit the binding leave the kernels without a texture.
    template <class Change>
    void adjust(Change change) {
        const std::scoped_lock lock(mutex_);
        State next = state_;
        change(next);
        publish(std::move(next), false);
    }

private:
    void publish(State next, bool strict);
    mutable std::mutex mutex_;
    State state_;
    std::uint64_t number_ = 0;
};

class SurfaceReference {
public:
    explicit SurfaceReference(Context& owner);
    ~SurfaceReference();
    SurfaceReference(const SurfaceReference&) = delete;
    SurfaceReference& operator=(const SurfaceReference&) = delete;

    Context& context;
    [[nodiscard]] std::uint64_t number() const { return number_; }
    void bind(std::shared_ptr<Array> array);
    /// Null while nothing is bound.
    [[nodiscard]] std::shared_ptr<Array> array() const {
        const std::scoped_lock lock(mutex_);
        return array_;
    }
    void unbind();

private:
    mutable std::mutex mutex_;
    std::shared_ptr<Array> array_;
    std::uint64_t number_ = 0;
};

/// An array or mipmapped array was destroyed: nothing is bound to its references any more.
void unbind_references(const void* array);
/// Ends the references of a context that has ended.
void forget_references(const Context& context);

} // namespace warplight::software
