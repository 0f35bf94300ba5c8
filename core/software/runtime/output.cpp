// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include "configuration.hpp"
#include "failure.hpp"
#include "files/thread_object.hpp"
#include "kernel_pointer.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>

namespace warplight::software {
namespace {

struct Output {
    std::mutex mutex;
    std::mutex delivery; ///< texts arrive in order
    std::string queued;
    OutputReceiver receiver = nullptr;
    void* user = nullptr;

    std::mutex log_mutex;
    std::string last;
    CUresult last_code = CUDA_SUCCESS;
    std::map<std::uint64_t, std::pair<LogReceiver, void*>> listeners;
    std::uint64_t last_listener = 0;
};

Output& output() {
    static auto* instance = new Output;
    return *instance;
}

/// Arguments of a variadic call as the compiler packs them for vprintf.
class Arguments {
public:
    Arguments(const void* base, const KernelCaller& caller)
        : base_(reinterpret_cast<std::uint64_t>(base)), caller_(caller) {}
    template <class T>
    T next() {
        offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        const T value = load_for_kernel<T>(base_ + offset_, caller_);
        offset_ += sizeof value;
        ++count_;
        return value;
    }
    /// The text that the next argument points to.
    void next_text(std::string& text) {
        const auto address = next<std::uint64_t>();
        text.clear();
        if (address == 0)
            text = "(null)";
        else
            append_text_of_kernel(text, address, kMostPrinted, caller_);
    }
    [[nodiscard]] int count() const { return count_; }

private:
    std::uint64_t base_;
    const KernelCaller& caller_;
    std::uint64_t offset_ = 0;
    int count_ = 0;
};

template <class T>
void append(std::string& out, const std::string& specification, T value) {
    char small[128];
    const int size = std::snprintf(small, sizeof small, specification.c_str(), value);
    if (size < 0) return;
    if (static_cast<std::size_t>(size) < sizeof small) {
        out.append(small, static_cast<std::size_t>(size));
        return;
    }
    const std::size_t before = out.size();
    out.resize(before + static_cast<std::size_t>(size) + 1);
    std::snprintf(out.data() + before, static_cast<std::size_t>(size) + 1, specification.c_str(), value);
    out.resize(before + static_cast<std::size_t>(size));
}

/// An integer without flags, width or precision, much faster.
template <class Integer>
void append_decimal(std::string& out, Integer value) {
    char digits[24];
    out.append(digits, std::to_chars(digits, std::end(digits), value).ptr);
}

constexpr int kWidest = 4096; ///< a wild width is not worth the memory

} // namespace

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif

namespace {

/// A conversion specification, such as `%-8.3llu`.
struct Specification {
    std::string text = "%"; ///< flags, width and precision
    bool wide = false;      ///< 64 bits
    int halves = 0;         ///< 1: h, 2: hh
    char conversion = 0;    ///< 0: the format ends inside the specification
};

/// A width or a precision, as digits or as `*`.
void read_number(const char*& p, Arguments& arguments, std::string& text) {
    if (*p == '*') {
        ++p;
        const int value = arguments.next<int>();
        text += std::to_string(value > kWidest ? kWidest : value < -kWidest ? -kWidest : value);
        return;
    }
    int value = 0;
    bool any = false;
    for (; *p >= '0' && *p <= '9'; ++p, any = true)
        value = value < kWidest ? value * 10 + (*p - '0') : value;
    if (any) text += std::to_string(value < kWidest ? value : kWidest);
}

/// Reads from behind the `%`, and leaves `p` behind the specification.
void read_specification(const char*& p, Arguments& arguments, Specification& s) {
    s.text = "%";
    s.wide = false;
    s.halves = 0;
    while (*p && std::strchr("-+ #0", *p))
        s.text.push_back(*p++);
    read_number(p, arguments, s.text);
    if (*p == '.') {
        s.text.push_back('.');
        ++p;
        read_number(p, arguments, s.text);
    }
    for (; *p && std::strchr("hljztLq", *p); ++p) {
        if (*p == 'h')
            ++s.halves;
        else
            s.wide = true;
    }
    s.conversion = *p;
    if (*p) ++p;
}

/// The part of an argument that `h` or `hh` leaves.
template <class Short, class Char, class Value>
Value shortened(Value value, int halves) {
    if (halves == 0) return value;
    return halves == 1 ? static_cast<Value>(static_cast<Short>(value)) : static_cast<Value>(static_cast<Char>(value));
}

/// What format_printf() works on. An access to the kernel's memory may fault, and a fault leaves without destructors.
/// So nothing that owns memory may live on the stack at an access: each thread keeps these texts.
struct Texts {
    std::string format; ///< a copy, because the kernel may change its own meanwhile
    std::string argument;
    Specification specification;
};

/// Of a specification's text, the width and the side: what a text takes.
std::string without_flags(const std::string& text) {
    const std::size_t width = text.find_first_not_of("%-+ #0"), precision = text.find('.');
    const bool left = text.find('-') < std::min(width, precision);
    return (left ? "%-" : "%") + (width < precision ? text.substr(width, precision - width) : std::string());
}

/// False: no such conversion. Takes the argument before it makes any text.
bool append_argument(std::string& out, Texts& texts, Arguments& arguments) {
    const Specification& s = texts.specification;
    switch (s.conversion) {
    case 'd':
    case 'i': {
        const long long value =
            s.wide ? arguments.next<long long>() : shortened<short, signed char>(arguments.next<int>(), s.halves);
        if (s.text == "%")
            append_decimal(out, value);
        else
            append(out, s.text + "lld", value);
        return true;
    }
    case 'u':
    case 'x':
    case 'X':
    case 'o': {
        const unsigned long long value =
            s.wide ? arguments.next<unsigned long long>()
                   : shortened<unsigned short, unsigned char>(arguments.next<unsigned>(), s.halves);
        append(out, s.text + "ll" + s.conversion, value);
        return true;
    }
    case 'c': {
        const int value = arguments.next<int>();
        append(out, s.text + "c", value);
        return true;
    }
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A': {
        const double value = arguments.next<double>();
        append(out, s.text + s.conversion, value);
        return true;
    }
    case 's':
        arguments.next_text(texts.argument);
        if (s.text == "%")
            out += texts.argument;
        else
            append(out, s.text + "s", texts.argument.c_str());
        return true;
    case 'p': {
        // Not the host's %p, of which each system has another.
        if (const auto value = arguments.next<unsigned long long>())
            append(out, "%#" + s.text.substr(1) + "llx", value);
        else
            append(out, without_flags(s.text) + "s", "(nil)");
        return true;
    }
    default: return false;
    }
}

} // namespace

int format_printf(std::string& out, const char* format, const void* raw_arguments, const KernelCaller& caller) {
    if (!format) return -1;
    Arguments arguments(raw_arguments, caller);
    auto& texts = files::thread_object<Texts>();
    texts.format.clear();
    append_text_of_kernel(texts.format, reinterpret_cast<std::uint64_t>(format), kMostPrinted, caller);
    const char* p = texts.format.c_str();
    while (*p && out.size() <= kMostPrinted) {
        const char* start = p;
        if (*p != '%') {
            while (*p && *p != '%')
                ++p;
            out.append(start, static_cast<std::size_t>(p - start));
            continue;
        }
        ++p;
        if (*p == '%') {
            out.push_back('%');
            ++p;
            continue;
        }
        read_specification(p, arguments, texts.specification);
        if (!texts.specification.conversion) { // printed as it stands
            out.append(start);
            break;
        }
        if (!append_argument(out, texts, arguments)) out.append(start, static_cast<std::size_t>(p - start));
    }
    if (out.size() > kMostPrinted) out.resize(kMostPrinted);
    return arguments.count();
}

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

void print(std::string_view text, std::size_t limit) {
    Output& o = output();
    bool full = false;
    {
        const std::scoped_lock lock(o.mutex);
        o.queued.append(text);
        full = o.queued.size() > limit;
    }
    if (full) flush_output();
}

void flush_output() {
    Output& o = output();
    const std::scoped_lock order(o.delivery);
    std::string text;
    OutputReceiver receiver = nullptr;
    void* user = nullptr;
    {
        const std::scoped_lock lock(o.mutex);
        if (o.queued.empty()) return;
        text.swap(o.queued);
        receiver = o.receiver;
        user = o.user;
    }
    if (receiver) {
        receiver(text.data(), text.size(), user);
    } else {
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::fflush(stdout);
    }
}

void set_output_receiver(OutputReceiver receiver, void* user) {
    flush_output();
    Output& o = output();
    const std::scoped_lock order(o.delivery);
    const std::scoped_lock lock(o.mutex);
    o.receiver = receiver;
    o.user = user;
}

void log_error(CUresult code, const std::string& message) {
    Output& o = output();
    std::map<std::uint64_t, std::pair<LogReceiver, void*>> listeners;
    {
        const std::scoped_lock lock(o.log_mutex);
        o.last = message;
        o.last_code = code;
        listeners = o.listeners;
    }
    if (configuration().log) {
        const char* name = error_name(code);
        std::fprintf(stderr, "[warplight] %s: %s\n", name ? name : "error", message.c_str());
    }
    for (const auto& [number, listener] : listeners) {
        std::string copy = message;
        listener.first(listener.second, 0, copy.data(), copy.size());
    }
}

void note_error(CUresult code, bool told) {
    Output& o = output();
    const std::scoped_lock lock(o.log_mutex);
    if (!told || code != o.last_code) o.last.clear();
    o.last_code = code;
}

std::string last_error() {
    Output& o = output();
    const std::scoped_lock lock(o.log_mutex);
    return o.last;
}

std::uint64_t add_log_receiver(LogReceiver receiver, void* user) {
    Output& o = output();
    const std::scoped_lock lock(o.log_mutex);
    o.listeners[++o.last_listener] = {receiver, user};
    return o.last_listener;
}

bool remove_log_receiver(std::uint64_t number) {
    Output& o = output();
    const std::scoped_lock lock(o.log_mutex);
    return o.listeners.erase(number) > 0;
}

} // namespace warplight::software
