// SPDX-License-Identifier: Apache-2.0
// What a benchmark is: data, kernels that any device runs through a Queue, and the plain loop on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <random>
#include <string>
#include <variant>
#include <vector>

namespace warplight::bench {

/// Memory of which every peer has a copy.
struct Array {
    enum class Check { none, integers, reals };
    std::vector<std::byte> bytes;   ///< what it holds when a run begins
    bool written = false;           ///< by the run: it is set to `bytes` before each
    Check check = Check::none;      ///< whether it is a result: 32-bit integers, which agree, or floats
    double relative = 0;            ///< |value − loop's| may be absolute + relative · |loop's|
    double absolute = 0;            ///< the same
    unsigned width = 0, height = 0; ///< of floats, where kernels read it as a texture

    template <class T>
    static Array input(const std::vector<T>& values) {
        Array array;
        array.bytes.resize(values.size() * sizeof(T));
        std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
        return array;
    }
    /// What kernels write, of which nobody looks at the end.
    static Array scratch(std::size_t bytes) {
        Array array;
        array.bytes.resize(bytes);
        array.written = true;
        return array;
    }
    static Array integers(std::size_t count) {
        Array array = scratch(count * 4);
        array.check = Check::integers;
        return array;
    }
    static Array reals(std::size_t count, double relative, double absolute) {
        Array array = scratch(count * 4);
        array.check = Check::reals;
        array.relative = relative;
        array.absolute = absolute;
        return array;
    }
};

struct Dim {
    unsigned x = 1, y = 1, z = 1;
};
/// Numbers of arrays.
struct Memory {
    unsigned array;
};
struct Texture {
    unsigned array;
};
using Argument = std::variant<Memory, Texture, std::int32_t, float>;

/// A device that runs kernels, one after the other.
class Queue {
public:
    virtual ~Queue() = default;
    virtual void launch(const char* kernel, Dim blocks, Dim threads, std::initializer_list<Argument> arguments) = 0;
    virtual void finish() = 0;
    /// A 32-bit integer of an array, once all that was launched is done.
    virtual std::int32_t read(unsigned array, std::size_t index) = 0;

    Queue() = default;
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;
};

/// The loop's copy of the arrays.
class Host {
public:
    virtual ~Host() = default;
    template <class T>
    T* get(unsigned array) const {
        return static_cast<T*>(address(array));
    }
    Host() = default;
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

protected:
    virtual void* address(unsigned array) const = 0;
};

/// What any machine has to do for a result, at least: for what it could reach.
struct Work {
    double read = 0, written = 0; ///< bytes of memory, each once
    bool in_place = false;        ///< what is written was read
    double passes = 1;            ///< how often all of it is gone through
    double floats = 0;            ///< operations on 32-bit floats; a product with a sum is one
    double integers = 0;          ///< operations on 32-bit integers
};

struct Benchmark {
    std::string name;      ///< also of its files
    std::string size;      ///< for people
    std::string note = {}; ///< how the peers' code differs, if it does
    Work work = {};
    std::vector<Array> arrays = {};
    std::function<void(Queue&)> kernels = {};
    std::function<void(const Host&)> loop = {};
    std::string folder = {}; ///< of its files, below kernels
};

/// All of them, in the order of the table.
struct Entry {
    const char* name;
    Benchmark (*make)();
};
const std::vector<Entry>& all_benchmarks();
/// Others, without an OpenCL twin and without what the machine could reach: kernels of many kinds.
const std::vector<Entry>& more_benchmarks();

/// None of them: keeps all threads of a peer busy.
Benchmark busy();

inline std::vector<float> random_reals(std::size_t count, float low, float high, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> values(low, high);
    std::vector<float> result(count);
    for (float& x : result)
        x = values(random);
    return result;
}

/// From 0 to below `limit`.
template <class T = std::int32_t>
std::vector<T> random_integers(std::size_t count, std::uint32_t limit, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> result(count);
    for (T& x : result)
        x = static_cast<T>(random() % limit);
    return result;
}

} // namespace warplight::bench
