// SPDX-License-Identifier: Apache-2.0
#include "address_space.hpp"

#include "configuration.hpp"
#include "platform.hpp"
#include "software/jit/abi/abi.hpp"
#include "summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace warplight::software {
namespace {

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

const char* kind_name(Allocation::Kind kind) {
    switch (kind) {
    case Allocation::Kind::device: return "device memory";
    case Allocation::Kind::managed: return "managed memory";
    case Allocation::Kind::host: return "page-locked host memory";
    case Allocation::Kind::registered: return "registered host memory";
    case Allocation::Kind::variable: return "variable of a module";
    case Allocation::Kind::internal: return "memory of the device itself";
    case Allocation::Kind::array: return "array";
    case Allocation::Kind::mapped: return "mapped memory";
    }
    return "memory";
}

bool counts(Allocation::Kind kind) { return kind != Allocation::Kind::host && kind != Allocation::Kind::registered; }
bool counts(const Allocation& a) {
    return counts(a.kind) && !(a.kind == Allocation::Kind::device && (a.flags & Allocation::imported));
}

bool same_family(Allocation::Kind asked, Allocation::Kind actual) {
    if (asked == Allocation::Kind::device) {
        return actual == Allocation::Kind::device || actual == Allocation::Kind::managed;
    }
    return asked == actual;
}

/// Mappings of cuMemMap are counted, and their pages given back, elsewhere.
bool owns_pages(Allocation::Kind kind) {
    return kind != Allocation::Kind::registered && kind != Allocation::Kind::mapped;
}

/// Bytes from an allocation to an address outside of it.
std::uint64_t distance_to(const Allocation& a, std::uint64_t address) {
    return address < a.base ? a.base - address : address - (a.base + a.size);
}

std::string bytes_text(std::uint64_t bytes) {
    if (bytes < (std::uint64_t{1} << 20)) return fmt::format("{} bytes", bytes);
    if (bytes < (std::uint64_t{1} << 30)) return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
    return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1 << 30));
}

} // namespace

AddressSpace& AddressSpace::instance() {
    // Never destroyed: threads may run until the process ends.
    static auto* space = new AddressSpace;
    return *space;
}

void AddressSpace::use(std::uint64_t start, std::uint64_t bytes) {
    free_[start] = start + bytes;
    next_ = start_ = start;
    bytes_ = bytes;
}

/// Memory lies further from both ends of the window than the slack, so that a pointer that is off by less still has its
/// own value when it is confined.
bool AddressSpace::reserve_window() {
    constexpr std::uint64_t kHigh = kHighWindowBegin - kWindowSlack;
    constexpr std::uint64_t kLowest = 64 << 10; // below, systems let nobody map anything
    if (!platform::reserve_at(kHigh, kWindowEnd + kWindowSlack - kHigh)) return false;
    // Programs at fixed addresses, and sanitizers, have memory at low addresses.
    const bool low = !configuration().high_window && platform::reserve_at(kLowest, kHigh - kLowest);
    const std::uint64_t start = (low ? 0 : kHighWindowBegin) + kWindowSlack;
    // Shadows lie in the window too, for generated code reaches nothing else.
    const std::uint64_t each = (kWindowEnd - kWindowSlack - start) / 2;
    use(start, each);
    shadows_ = start + each;
    if (configuration().walls) walls_ = low ? jit::Walls::low : jit::Walls::high;
    return true;
}

AddressSpace::AddressSpace() {
    if (reserve_window()) return;
    // Much more than any memory, so that an address is not soon given out again. Limits on address space may forbid it,
    // and other code of the process needs addresses as well.
    constexpr std::uint64_t most = std::uint64_t{8} << 40, least = std::uint64_t{16} << 20,
                            unit = std::uint64_t{2} << 20;
    const std::uint64_t room = platform::address_room();
    limited_ = room < 2 * most;
    for (std::uint64_t bytes = std::min(most, room / 2 / unit * unit); bytes >= least;
         bytes = bytes / 2 / unit * unit) {
        if (void* base = platform::reserve(bytes)) {
            use(reinterpret_cast<std::uint64_t>(base), bytes);
            return;
        }
    }
}

bool AddressSpace::make_shadows() {
    const std::scoped_lock lock(mutex_);
    if (shadows_ == 0) shadows_ = reinterpret_cast<std::uint64_t>(platform::reserve(bytes_));
    if (shadows_ == 0 || !platform::commit_when_touched(reinterpret_cast<void*>(shadows_), bytes_, start_))
        return false;
    shadow_distance_ = shadows_ - start_;
    return true;
}

std::optional<std::uint64_t> AddressSpace::take_pages(std::uint64_t bytes, std::uint64_t alignment) {
    const std::uint64_t page = platform::page_size();
    const auto fits = [&](std::uint64_t start, std::uint64_t end) -> std::optional<std::uint64_t> {
        // One page at least stays unmapped on each side.
        const std::uint64_t first = round_up(start + page, alignment);
        if (first < end && end - first >= bytes + page) return first;
        return std::nullopt;
    };
    for (const bool wrapped : {false, true}) {
        const std::uint64_t from = wrapped ? 0 : next_;
        auto range = free_.upper_bound(from);
        if (range != free_.begin()) --range;
        for (; range != free_.end(); ++range) {
            if (range->second <= from) continue;
            const auto [start, end] = *range;
            const auto first = fits(std::max(start, from), end);
            if (!first) continue;
            const std::uint64_t lower = *first - page;
            const std::uint64_t upper = *first + bytes + page;
            free_.erase(range);
            if (lower > start) free_[start] = lower;
            if (upper < end) free_[upper] = end;
            next_ = upper;
            forget_freed(*first, bytes);
            return first;
        }
    }
    return std::nullopt;
}

void AddressSpace::remember_freed(const Allocation& allocation) {
    constexpr std::size_t kMost = 1024;
    freed_[allocation.pages] = allocation;
    if (freed_.size() <= kMost) return;
    freed_.erase(std::min_element(freed_.begin(), freed_.end(),
                                  [](const auto& x, const auto& y) { return x.second.id < y.second.id; }));
}

void AddressSpace::forget_freed(std::uint64_t first_page, std::uint64_t bytes) {
    auto at = freed_.upper_bound(first_page);
    if (at != freed_.begin()) --at;
    while (at != freed_.end() && at->first < first_page + bytes)
        at = at->first + at->second.page_bytes > first_page ? freed_.erase(at) : std::next(at);
}

void AddressSpace::give_back(const Allocation& allocation) {
    shared_.erase(allocation.base);
    platform::decommit(reinterpret_cast<void*>(allocation.pages), allocation.page_bytes);
    give_back_pages(allocation.pages, allocation.page_bytes);
}

void AddressSpace::give_back_pages(std::uint64_t first, std::uint64_t bytes) {
    const std::uint64_t page = platform::page_size();
    std::uint64_t start = first - page;
    std::uint64_t end = first + bytes + page;
    if (const auto after = free_.find(end); after != free_.end()) {
        end = after->second;
        free_.erase(after);
    }
    if (auto before = free_.lower_bound(start); before != free_.begin()) {
        --before;
        if (before->second == start) {
            start = before->first;
            free_.erase(before);
        }
    }
    free_[start] = end;
}

std::optional<std::uint64_t> AddressSpace::allocate(std::uint64_t size, Allocation::Kind kind, int device,
                                                    Context* context, unsigned flags, std::uint64_t alignment) {
    const std::scoped_lock lock(mutex_);
    if (counts(kind) && used_[device] + size > configuration().memory) return std::nullopt;
    auto a = place(size, alignment);
    if (!a) return std::nullopt;
    a->kind = kind;
    a->device = device;
    a->context = context;
    a->flags = flags;
    if (!platform::commit(reinterpret_cast<void*>(a->pages), a->page_bytes)) {
        give_back(*a);
        return std::nullopt;
    }
    if (counts(kind)) summary::add_use(device, used_[device] += size);
    allocations_[a->base] = *a;
    return a->base;
}

std::optional<Allocation> AddressSpace::place(std::uint64_t size, std::uint64_t alignment) {
    const std::uint64_t page = platform::page_size();
    if (size == 0 || size > (std::uint64_t{1} << 46)) return std::nullopt;
    // Also of an allocation whose size is a multiple, a part behind it may be used.
    const std::uint64_t unit = configuration().round_allocations;
    const std::uint64_t usable = unit > 0 ? round_up(size + 1, unit) : size;
    const std::uint64_t page_bytes = round_up(usable, page);
    const std::uint64_t large = std::uint64_t{2} << 20;
    const auto pages = take_pages(page_bytes, page_bytes >= 2 * large ? large : page);
    if (!pages) return std::nullopt;
    Allocation a;
    a.size = size;
    a.id = ++last_id_;
    a.pages = *pages;
    a.page_bytes = page_bytes;
    a.base = *pages + page_bytes - round_up(usable, std::min(alignment, page));
    return a;
}

std::optional<platform::SharedMemory::Name> AddressSpace::share(std::uint64_t base) {
    const std::scoped_lock lock(mutex_);
    const auto found = allocations_.find(base);
    if (found == allocations_.end() || found->second.kind != Allocation::Kind::device) return std::nullopt;
    if (const auto shared = shared_.find(base); shared != shared_.end()) return shared->second.name();
    const Allocation& a = found->second;
    platform::SharedMemory memory = platform::SharedMemory::create(a.page_bytes);
    if (!memory || !memory.replace(reinterpret_cast<void*>(a.pages))) return std::nullopt;
    return shared_.emplace(base, std::move(memory)).first->second.name();
}

std::optional<platform::SharedMemory::Name> AddressSpace::shared(std::uint64_t base) const {
    const std::shared_lock lock(mutex_);
    const auto found = shared_.find(base);
    if (found == shared_.end()) return std::nullopt;
    return found->second.name();
}

std::optional<std::uint64_t> AddressSpace::map(const platform::SharedMemory& memory, std::uint64_t size, int device,
                                               Context* context) {
    const std::scoped_lock lock(mutex_);
    if (size == 0 || memory.name().size != round_up(size, platform::page_size())) return std::nullopt;
    auto a = place(size, alignment_of_device_memory);
    if (!a) return std::nullopt;
    a->kind = Allocation::Kind::device;
    a->device = device;
    a->context = context;
    a->flags = Allocation::imported;
    if (!memory.map(reinterpret_cast<void*>(a->pages))) {
        give_back(*a);
        return std::nullopt;
    }
    allocations_[a->base] = *a;
    return a->base;
}

std::optional<Allocation> AddressSpace::release(std::uint64_t base, Allocation::Kind kind) {
    const std::scoped_lock lock(mutex_);
    const auto found = allocations_.find(base);
    if (found == allocations_.end() || !same_family(kind, found->second.kind)) return std::nullopt;
    const Allocation a = found->second;
    allocations_.erase(found);
    if (counts(a)) used_[a.device] -= a.size;
    give_back(a);
    remember_freed(a);
    return a;
}

std::vector<Allocation> AddressSpace::all_of(const Context* context) const {
    const std::shared_lock lock(mutex_);
    std::vector<Allocation> all;
    for (const auto& [base, allocation] : allocations_)
        if (allocation.context == context && allocation.host_base == 0) all.push_back(allocation);
    return all;
}

void AddressSpace::release_all(const Context* context) {
    const std::scoped_lock lock(mutex_);
    std::vector<Allocation> registered;
    for (auto it = allocations_.begin(); it != allocations_.end();) {
        const Allocation a = it->second;
        if (a.context != context || a.host_base != 0) {
            ++it;
            continue;
        }
        it = allocations_.erase(it);
        if (a.kind == Allocation::Kind::registered) registered.push_back(a);
        if (!owns_pages(a.kind)) continue;
        if (counts(a)) used_[a.device] -= a.size;
        give_back(a);
    }
    for (const Allocation& a : registered)
        take_device_address(a);
}

namespace {

/// The pages that hold some bytes, and which of the first and the last one other registered memory lies in as well.
struct Pages {
    std::uint64_t begin, end;

    explicit Pages(const Allocation& a)
        : begin(a.base / platform::page_size() * platform::page_size()),
          end(round_up(a.base + a.size, platform::page_size())) {}
    [[nodiscard]] std::uint64_t last() const { return end - platform::page_size(); }
};

void* at(std::uint64_t address) { return reinterpret_cast<void*>(address); }

} // namespace

/// Two arrays may share a page. It is exchanged for the first one, and goes back with the last one.
bool AddressSpace::give_device_address(Allocation& a) {
    const Pages pages(a);
    const std::uint64_t page = platform::page_size();
    const auto range = take_pages(pages.end - pages.begin, page);
    if (!range) return false;
    const std::uint64_t from = edges_.contains(pages.begin) ? pages.begin + page : pages.begin;
    const std::uint64_t to = std::max(from, edges_.contains(pages.last()) ? pages.last() : pages.end);
    bool done = from == to || platform::make_shared(at(from), to - from);
    const auto alias = [&](std::uint64_t begin, std::uint64_t end) {
        if (done && begin < end) done = platform::map_again(at(begin), end - begin, at(*range + (begin - pages.begin)));
    };
    alias(pages.begin, from);
    alias(from, to);
    alias(to, pages.end);
    if (!done) {
        give_back_pages(*range, pages.end - pages.begin);
        return false;
    }
    ++edges_[pages.begin];
    if (pages.last() != pages.begin) ++edges_[pages.last()];
    a.device_base = *range + (a.base - pages.begin);
    Allocation second = a;
    second.base = a.device_base;
    second.host_base = a.base;
    second.device_base = 0;
    second.pages = *range;
    second.page_bytes = pages.end - pages.begin;
    allocations_[second.base] = second;
    return true;
}

void AddressSpace::take_device_address(const Allocation& a) {
    if (a.device_base == 0) return;
    const auto second = allocations_.find(a.device_base);
    platform::decommit(at(second->second.pages), second->second.page_bytes);
    give_back_pages(second->second.pages, second->second.page_bytes);
    allocations_.erase(second);
    const Pages pages(a);
    const std::uint64_t page = platform::page_size();
    const auto leave = [&](std::uint64_t edge) {
        const auto found = edges_.find(edge);
        if (--found->second > 0) return false;
        edges_.erase(found);
        return true;
    };
    const bool first = leave(pages.begin);
    const bool last = pages.last() == pages.begin ? first : leave(pages.last());
    const std::uint64_t from = first ? pages.begin : pages.begin + page, to = last ? pages.end : pages.last();
    if (from < to) platform::make_private(at(from), to - from);
}

AddressSpace::Registration AddressSpace::register_host(std::uint64_t base, std::uint64_t size, int device,
                                                       Context* context, unsigned flags) {
    const std::scoped_lock lock(mutex_);
    auto next = allocations_.lower_bound(base);
    if (next != allocations_.end() && next->first < base + size) return Registration::known;
    if (next != allocations_.begin()) {
        const auto& before = std::prev(next)->second;
        if (before.base + before.size > base) return Registration::known;
    }
    Allocation a;
    a.base = base;
    a.size = size;
    a.kind = Allocation::Kind::registered;
    a.device = device;
    a.context = context;
    a.flags = flags;
    a.id = ++last_id_;
    if (walls_ != jit::Walls::none && !give_device_address(a)) return Registration::impossible;
    allocations_[base] = a;
    return Registration::done;
}

std::optional<Allocation> AddressSpace::unregister_host(std::uint64_t base) {
    const std::scoped_lock lock(mutex_);
    const auto found = allocations_.find(base);
    if (found == allocations_.end() || found->second.kind != Allocation::Kind::registered || found->second.host_base)
        return std::nullopt;
    const Allocation a = found->second;
    allocations_.erase(found);
    take_device_address(a);
    return a;
}

std::optional<std::uint64_t> AddressSpace::take_range(std::uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    return take_pages(bytes, platform::page_size());
}

void AddressSpace::return_range(std::uint64_t base, std::uint64_t bytes) {
    platform::decommit(reinterpret_cast<void*>(base), bytes);
    const std::scoped_lock lock(mutex_);
    give_back_pages(base, bytes);
}

std::optional<std::uint64_t> AddressSpace::reserve(std::uint64_t bytes, std::uint64_t alignment) {
    if (bytes == 0 || bytes > (std::uint64_t{1} << 46) || alignment > (std::uint64_t{1} << 46)) return std::nullopt;
    const std::scoped_lock lock(mutex_);
    const auto base = take_pages(bytes, std::max<std::uint64_t>(alignment, platform::page_size()));
    if (base) ranges_[*base] = bytes;
    return base;
}

bool AddressSpace::unreserve(std::uint64_t base, std::uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    const auto found = ranges_.find(base);
    if (found == ranges_.end() || found->second != bytes) return false;
    ranges_.erase(found);
    give_back_pages(base, bytes);
    return true;
}

std::pair<std::uint64_t, std::uint64_t> AddressSpace::range_at(std::uint64_t address) const {
    const std::shared_lock lock(mutex_);
    const auto after = ranges_.upper_bound(address);
    if (after == ranges_.begin()) return {};
    return *std::prev(after);
}

bool AddressSpace::reserved(std::uint64_t base, std::uint64_t bytes) const {
    const auto [start, size] = range_at(base);
    return size > 0 && base - start <= size && bytes <= size - (base - start);
}

bool AddressSpace::add_mapping(std::uint64_t base, std::uint64_t bytes, int device) {
    const std::scoped_lock lock(mutex_);
    const auto next = allocations_.lower_bound(base);
    if (next != allocations_.end() && next->first < base + bytes) return false;
    if (next != allocations_.begin()) {
        const Allocation& before = std::prev(next)->second;
        if (before.base + before.size > base) return false;
    }
    Allocation a;
    a.base = a.pages = base;
    a.size = a.page_bytes = bytes;
    a.kind = Allocation::Kind::mapped;
    a.device = device;
    a.access = 0;
    a.id = ++last_id_;
    allocations_[base] = a;
    return true;
}

void AddressSpace::set_access(std::uint64_t base, unsigned access) {
    const std::scoped_lock lock(mutex_);
    if (const auto found = allocations_.find(base); found != allocations_.end()) found->second.access = access;
}

void AddressSpace::remove_mapping(std::uint64_t base) {
    const std::scoped_lock lock(mutex_);
    allocations_.erase(base);
}

bool AddressSpace::take_memory(std::uint64_t bytes, int device) {
    const std::scoped_lock lock(mutex_);
    std::uint64_t& used = used_[device];
    if (bytes > configuration().memory || used > configuration().memory - bytes) return false;
    used += bytes;
    summary::add_use(device, used);
    return true;
}

void AddressSpace::return_memory(std::uint64_t bytes, int device) {
    const std::scoped_lock lock(mutex_);
    used_[device] -= bytes;
}

void AddressSpace::set_sync_memops(std::uint64_t base, bool on) {
    const std::scoped_lock lock(mutex_);
    if (const auto found = allocations_.find(base); found != allocations_.end()) found->second.sync_memops = on;
}

std::uint64_t AddressSpace::room(std::uint64_t address) const {
    const std::shared_lock lock(mutex_);
    auto next = allocations_.upper_bound(address);
    if (next == allocations_.begin()) return 0;
    const Allocation& a = std::prev(next)->second;
    if (address - a.base >= a.size || a.access == 0) return 0;
    std::uint64_t end = a.base + a.size;
    if (a.kind == Allocation::Kind::mapped) {
        for (; next != allocations_.end(); ++next) {
            const Allocation& behind = next->second;
            if (behind.base != end || behind.kind != Allocation::Kind::mapped || behind.access == 0) break;
            end += behind.size;
        }
    }
    return end - address;
}

std::optional<Allocation> AddressSpace::find(std::uint64_t address) const {
    const std::shared_lock lock(mutex_);
    auto after = allocations_.upper_bound(address);
    if (after == allocations_.begin()) return std::nullopt;
    const Allocation& a = std::prev(after)->second;
    if (address - a.base >= a.size) return std::nullopt;
    return a;
}

const Allocation* AddressSpace::find_freed(std::uint64_t address) const {
    const auto after = freed_.upper_bound(address);
    if (after == freed_.begin()) return nullptr;
    const Allocation& a = std::prev(after)->second;
    return address - a.pages < a.page_bytes ? &a : nullptr;
}

std::optional<Allocation> AddressSpace::find_or_freed(std::uint64_t address) const {
    if (auto found = find(address)) return found;
    const std::shared_lock lock(mutex_);
    const Allocation* freed = find_freed(address);
    return freed && address - freed->base < freed->size ? std::optional(*freed) : std::nullopt;
}

const Allocation* AddressSpace::find_nearest(std::uint64_t address) const {
    constexpr std::uint64_t near = std::uint64_t{16} << 20; // memory this near is meant, of whatever kind
    constexpr std::uint64_t far = std::uint64_t{1} << 40;   // memory further off is not meant
    constexpr int most = 64;
    const auto meant = [](const Allocation& a, std::uint64_t distance) {
        return distance < near ||
               (distance < far && a.kind != Allocation::Kind::variable && a.kind != Allocation::Kind::internal);
    };
    const Allocation* best = nullptr;
    std::uint64_t distance = UINT64_MAX;
    const auto after = allocations_.upper_bound(address);
    auto below = after;
    for (int i = 0; below != allocations_.begin() && i < most; ++i) {
        const Allocation& a = (--below)->second;
        if (address - a.base < a.size) return &a;
        if (!meant(a, address - a.base - a.size)) continue;
        best = &a;
        distance = address - a.base - a.size;
        break;
    }
    auto above = after;
    for (int i = 0; above != allocations_.end() && i < most; ++i, ++above) {
        const Allocation& a = above->second;
        const std::uint64_t ahead = a.base - address;
        if (ahead >= distance) break;
        if (meant(a, ahead)) return &a;
    }
    return best;
}

std::string AddressSpace::name_of(const Allocation& a) {
    return fmt::format("the {} bytes at 0x{:x} ({})", a.size, a.base, kind_name(a.kind));
}

std::string AddressSpace::describe(std::uint64_t address, const Naming& naming) const {
    const std::optional<Allocation> meant = naming.meant ? find_or_freed(*naming.meant) : std::nullopt;
    const std::shared_lock lock(mutex_);
    if (address < 65536) return "a null pointer, or an offset from one";
    if (const auto top = static_cast<std::int64_t>(address) >> 47; top != 0 && top != -1)
        return "outside of any address space";
    const auto place_in = [&](const Allocation& a) {
        std::string name = naming.name ? naming.name(a) : std::string();
        if (name.empty()) name = name_of(a);
        if (address - a.base < a.size) return fmt::format("byte {} of {}", address - a.base, name);
        const bool past = address > a.base;
        return fmt::format("{} {} {}", bytes_text(distance_to(a, address)), past ? "past the end of" : "before", name);
    };
    const Allocation* nearest = find_nearest(address);
    if (nearest && address - nearest->base < nearest->size && meant && meant->id != nearest->id)
        return place_in(*meant) + ", which is " + place_in(*nearest);
    if (nearest && address - nearest->base < nearest->size)
        return place_in(*nearest) + (nearest->access == 0   ? ", without access"
                                     : nearest->access == 1 ? ", to be read only"
                                                            : "");
    const Allocation* freed = find_freed(address);
    if (!freed && meant && find_freed(meant->base)) freed = &*meant;
    if (freed) return place_in(*freed) + ", which was freed";
    if (meant) return place_in(*meant);
    if (!nearest) return "not near any allocation";
    // An address further off than the memory is long may have been meant for other memory.
    return place_in(*nearest) + (distance_to(*nearest, address) > nearest->size ? ", the nearest memory" : "");
}

std::uint64_t AddressSpace::used(int device) const {
    const std::shared_lock lock(mutex_);
    const auto found = used_.find(device);
    return found == used_.end() ? 0 : found->second;
}

} // namespace warplight::software
