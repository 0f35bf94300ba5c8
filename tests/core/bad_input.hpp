// SPDX-License-Identifier: Apache-2.0
// Bad input for every entry point of the driver: a table of one good call each, of which the sweep makes bad ones by
// spoiling one argument at a time, by taking the context away, and by capturing a stream meanwhile.
#pragma once

#include "driver/entry_points.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace bad_input {

using warplight::driver::detail::EntryPoints;

/// What an argument may stand for.
enum class Thing : std::uint8_t {
    none,
    context,
    current_context,
    stream,
    capturing_stream,
    event,
    shared_event,
    module,
    function,
    plain_function, ///< without parameters
    library,
    kernel,
    linker,
    array,
    line,   ///< an array of one dimension
    canvas, ///< an array for surfaces
    mipmapped,
    texture,
    surface,
    texture_reference,
    bound_reference,
    module_reference,
    surface_reference,
    memory,
    pool_memory,
    managed,
    host_memory,
    registered_memory,
    pool,
    reserved,
    mapped,
    physical,
    graph,
    clone,
    executable,
    kernel_node,
    memcpy_node,
    memset_node,
    host_node,
    child_node,
    empty_node,
    record_node,
    wait_node,
    batch_node,
    memory_graph,
    alloc_node,
    free_node,
    user_object,
};
inline constexpr std::size_t kMemorySize = 65536; ///< bytes of each piece of memory

enum class Kind : std::uint8_t {
    fixed, ///< not spoilt
    out,   ///< where the call writes
    bytes, ///< memory of the host that is read or written
    input, ///< a structure or a list that is read
    name,
    size,
    integer,
    enumerator,
    handle,  ///< of a Thing
    address, ///< of a Thing in memory
};

/// One argument of a call.
struct Slot {
    Kind kind = Kind::fixed;
    Thing thing = Thing::none;
    std::uint64_t bits = 0;
    std::vector<std::byte> blob{};       ///< of Kind::input, and of structures that are passed by value
    std::vector<std::size_t> pointers{}; ///< in the blob: left alone
    std::vector<std::size_t> handles{};  ///< in the blob
    std::vector<std::uint64_t> bad{};    ///< of an integer: which values to take instead of the usual ones
    bool takes = false;                  ///< the call ends the thing
    bool makes = false;                  ///< the call makes one, and writes it where bits points to
};

/// Whose thing it is.
enum class Owner : std::uint8_t { own, other, freed, orphan };

class Gone;

/// What good calls are made of, in a context of its own.
class Fixture {
public:
    explicit Fixture(const EntryPoints& functions);
    ~Fixture();
    Fixture(const Fixture&) = delete;
    Fixture& operator=(const Fixture&) = delete;

    const EntryPoints& api;

    /// For each call anew: the outputs are zeros.
    void begin_call();

    Slot is(Thing thing);
    Slot takes(Thing thing);
    Slot makes(Thing thing);
    /// Device memory, `offset` bytes into it.
    Slot at(Thing thing, std::size_t offset = 0);
    Slot out(std::size_t bytes = 4096);
    Slot bytes(std::size_t size = kMemorySize);
    template <class T>
    Slot in(const T& value, std::vector<std::size_t> pointers = {}, std::vector<std::size_t> handles = {}) {
        Slot slot{.kind = Kind::input};
        slot.blob.resize(sizeof value);
        std::memcpy(slot.blob.data(), &value, sizeof value);
        slot.pointers = std::move(pointers);
        slot.handles = std::move(handles);
        return slot;
    }
    /// A list of one handle.
    Slot one(Thing thing) { return in(get(thing), {}, {0}); }
    /// The arguments of Thing::function.
    Slot parameters();
    Slot no_parameters();
    static Slot fixed(std::uint64_t bits) { return {.bits = bits}; }
    template <class T>
    static Slot fixed(T* pointer) {
        return {.bits = reinterpret_cast<std::uint64_t>(pointer)};
    }
    static Slot pick(std::uint64_t good, std::vector<std::uint64_t> bad) {
        return {.kind = Kind::integer, .bits = good, .bad = std::move(bad)};
    }

    std::uint64_t get(Thing thing, Owner owner = Owner::own);
    template <class T>
    T as(Thing thing) {
        return reinterpret_cast<T>(get(thing));
    }
    /// It was ended by a call.
    void forget(Thing thing, std::uint64_t handle);
    void destroy(Thing thing, std::uint64_t handle);

    /// Makes the fixture's context the only one of the thread.
    void make_current();
    /// Whether the context still does what it should: empty, or what it does not.
    std::string check();
    void end_captures();
    /// Does it on a thread whose context another thread destroyed.
    void on_gone(const std::function<void()>& work);
    /// Ends what calls leave their marks on: graphs, events, linkers, references.
    void renew();
    /// Another context becomes the thread's.
    void stand_aside();
    /// A kernel that faults ends the context.
    void kill();
    CUcontext context() const { return context_; }
    void* scratch(std::size_t size);
    CUstream capture_stream(bool blocking);

private:
    std::uint64_t make(Thing thing);
    std::uint64_t make_graph();
    std::uint64_t make_memory_graph();
    std::uint64_t make_array(Thing thing);
    std::uint64_t made(Thing thing, Owner owner);
    void must(CUresult code, const char* what) const;
    void end(Thing thing, Owner owner);
    void end_graphs(Owner owner);
    /// Another context; made when it is needed, for a GPU's driver takes its time.
    CUcontext other();

    CUcontext context_ = nullptr, other_ = nullptr;
    std::unique_ptr<Gone> gone_;
    CUmodule check_module_ = nullptr;
    CUfunction check_kernel_ = nullptr;
    CUdeviceptr check_memory_ = 0;
    CUstream capture_streams_[2] = {};
    std::map<std::pair<Thing, Owner>, std::uint64_t> things_;
    std::vector<std::pair<Thing, Owner>> order_;
    std::map<std::pair<std::uint64_t, Thing>, std::uint64_t> nodes_; ///< of (graph, kind)
    std::map<std::uint64_t, void*> registered_;
    std::vector<std::byte> scratch_;
    std::size_t used_ = 0;
    Owner making_ = Owner::own;
};

/// A line of the table.
struct Row {
    const char* member;  ///< of entry_points.def
    std::string variant; ///< where a function has several lines
    std::function<std::vector<Slot>(Fixture&)> slots;
    std::function<int(const EntryPoints&, const std::vector<Slot>&)> call; ///< -1: the driver lacks it
    std::vector<Slot> zeros;                                               ///< arguments that are all zero
    std::string name() const { return variant.empty() ? member : std::string(member) + "." + variant; }
};

template <class P>
Slot slot_of(const Slot& slot) {
    static_assert(std::is_trivially_copyable_v<P>);
    return slot;
}
template <class P, class T>
    requires(!std::is_same_v<T, Slot>)
Slot slot_of(const T& value) {
    Slot slot;
    if constexpr (std::is_pointer_v<P>) {
        slot.bits = reinterpret_cast<std::uint64_t>(static_cast<P>(value));
        if (std::is_same_v<P, const char*> && slot.bits) slot.kind = Kind::name;
    } else if constexpr (std::is_same_v<P, std::size_t> || (std::is_integral_v<P> && sizeof(P) == 8)) {
        slot = {.kind = Kind::size, .bits = static_cast<std::uint64_t>(value)};
    } else if constexpr (std::is_integral_v<P> && sizeof(P) == 4) {
        slot = {.kind = Kind::integer, .bits = static_cast<std::uint32_t>(value)};
    } else if constexpr (std::is_enum_v<P>) {
        slot = {.kind = Kind::enumerator, .bits = static_cast<std::uint32_t>(value)};
    } else if constexpr (std::is_class_v<P>) {
        const P passed = value;
        slot.blob.resize(sizeof passed);
        std::memcpy(slot.blob.data(), &passed, sizeof passed);
    } else {
        const P passed = static_cast<P>(value);
        std::memcpy(&slot.bits, &passed, sizeof passed);
    }
    return slot;
}
template <class P>
P argument_of(const Slot& slot) {
    P value{};
    if constexpr (std::is_class_v<P>)
        std::memcpy(&value, slot.blob.data(), sizeof value);
    else
        std::memcpy(&value, &slot.bits, sizeof value);
    return value;
}

template <class... P, class Make>
Row make_row(const char* member, const char* variant, CUresult (CUDAAPI* EntryPoints::*function)(P...), Make make) {
    Row row{member, variant, {}, {}, {}};
    row.zeros = {slot_of<P>(Slot{.blob = std::vector<std::byte>(sizeof(P))})...};
    row.slots = [make](Fixture& fixture) {
        return [&]<std::size_t... i>(auto arguments, std::index_sequence<i...>) {
            static_assert(std::tuple_size_v<decltype(arguments)> == sizeof...(P), "the number of arguments");
            return std::vector<Slot>{slot_of<P>(std::get<i>(arguments))...};
        }(make(fixture), std::index_sequence_for<P...>());
    };
    row.call = [function](const EntryPoints& api, [[maybe_unused]] const std::vector<Slot>& slots) {
        if (!(api.*function)) return -1;
        return [&]<std::size_t... i>(std::index_sequence<i...>) {
            return static_cast<int>((api.*function)(argument_of<P>(slots[i])...));
        }(std::index_sequence_for<P...>());
    };
    return row;
}

/// Goes over a line of the table.
class Sweep {
public:
    explicit Sweep(const EntryPoints& functions) : api(functions) {}

    const EntryPoints& api;
    /// Also what a driver may end the process for: handles of the wrong kind and numbers that are no handles.
    bool wild = true, risky = true, safe = true;
    bool share = false;          ///< one fixture for all lines
    std::set<std::string> known; ///< "LINE STEP": these are left out
    /// Each step is announced; its result is the driver's code, with what became of a capture.
    std::function<void(const Row&, const std::string& step)> before = [](const auto&, const auto&) {};
    std::function<void(const Row&, const std::string& step, const std::string& result, const std::string& problem)>
        after;

    /// Before cuInit, with arguments that are all zero.
    void before_init(const Row& row);
    void run(const Row& row);
    /// With a context that was destroyed while it was the thread's.
    void destroyed(const std::vector<Row>& rows);
    /// With a context that a kernel's fault ended.
    void dead(const std::vector<Row>& rows);

private:
    using Change = std::function<void(Fixture&, std::vector<Slot>&)>;
    struct Spoilt {
        std::string label;
        Change change;
    };
    void step(const Row& row, const std::string& label, const Change& change,
              const std::function<std::string(const std::vector<Slot>&)>& call);
    std::string plain(const Row& row, const std::vector<Slot>& slots) const;
    std::string captured(const Row& row, const std::vector<Slot>& slots, int mode, bool other_thread, bool blocking);
    void clean_up(const Row& row, const std::vector<Slot>& slots);
    /// Bad versions of good arguments: those that a driver looks at, and those that it may believe.
    static void spoil(const std::vector<Slot>& slots, std::vector<Spoilt>& safe, std::vector<Spoilt>& risky,
                      std::vector<Spoilt>& wild);
    void contexts(const Row& row);
    void captures(const Row& row, bool has_stream);

    bool wanted(const Row& row, const std::string& label) const { return !known.contains(row.name() + ' ' + label); }

    std::unique_ptr<Fixture> fixture_;
};

void add_contexts(std::vector<Row>& rows);
void add_memory(std::vector<Row>& rows);
void add_images(std::vector<Row>& rows);
void add_code(std::vector<Row>& rows);
void add_streams(std::vector<Row>& rows);
void add_graphs(std::vector<Row>& rows);
std::vector<Row> all_rows();
/// Entry points that have no line in the table, and why.
const std::map<std::string, std::string>& left_out();

} // namespace bad_input

// `member` must not be handed on to another macro: cuda.h would rename it.
#define WARPLIGHT_ROW_AS(member, variant, ...)                                                                         \
    rows.push_back(                                                                                                    \
        bad_input::make_row(#member, variant, &bad_input::EntryPoints::fn_##member,                                    \
                            []([[maybe_unused]] bad_input::Fixture& f) { return std::make_tuple(__VA_ARGS__); }))
#define WARPLIGHT_ROW(member, ...)                                                                                     \
    rows.push_back(                                                                                                    \
        bad_input::make_row(#member, "", &bad_input::EntryPoints::fn_##member,                                         \
                            []([[maybe_unused]] bad_input::Fixture& f) { return std::make_tuple(__VA_ARGS__); }))
