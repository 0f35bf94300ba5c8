// SPDX-License-Identifier: Apache-2.0
#include "worker/crash_report.hpp"

#include "files/risky_read.hpp"

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <new>
#include <ucontext.h>
#include <unistd.h>

namespace warplight::worker {
namespace {

constexpr std::array fatal_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
int maps_file = -1;

// --- in the handler: only what is safe there

/// A line that is put together without memory.
class Line {
public:
    void add(std::string_view text) {
        const std::size_t count = text.size() < room() ? text.size() : room();
        std::memcpy(text_.data() + used_, text.data(), count);
        used_ += count;
    }
    void add_number(std::uint64_t value, unsigned base) {
        std::array<char, 24> digits{};
        std::size_t first = digits.size();
        do {
            digits[--first] = "0123456789abcdef"[value % base];
            value /= base;
        } while (value != 0);
        add({digits.data() + first, digits.size() - first});
    }
    void write_out() {
        add("\n");
        [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text_.data(), used_);
    }

private:
    [[nodiscard]] std::size_t room() const { return text_.size() - used_; }
    std::array<char, 512> text_{};
    std::size_t used_ = 0;
};

/// One line of /proc/self/maps: "begin-end rwxp offset device inode   path".
struct Mapping {
    std::uint64_t begin = 0, end = 0;
    bool runs = false;
    std::string_view path;
};

std::uint64_t take_hex(std::string_view& text) {
    std::uint64_t value = 0;
    while (!text.empty()) {
        const char c = text.front();
        if (c >= '0' && c <= '9')
            value = value * 16 + static_cast<std::uint64_t>(c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value * 16 + static_cast<std::uint64_t>(c - 'a' + 10);
        else
            break;
        text.remove_prefix(1);
    }
    return value;
}

Mapping read_mapping(std::string_view line) {
    Mapping mapping;
    mapping.begin = take_hex(line);
    if (!line.empty()) line.remove_prefix(1);
    mapping.end = take_hex(line);
    mapping.runs = line.size() > 3 && line[3] == 'x';
    const auto path = line.find_first_of("/[");
    if (path != std::string_view::npos) mapping.path = line.substr(path);
    return mapping;
}

void add_place(Line& line, const Mapping& mapping) {
    if (!mapping.runs) return line.add("unknown code");
    if (mapping.path.empty() || mapping.path.starts_with("/memfd:")) return line.add(kernel_place);
    line.add(mapping.path.substr(mapping.path.find_last_of('/') + 1));
}

/// The mapping is looked for in a text that comes in pieces.
void add_place(Line& line, std::uint64_t pc) {
    std::array<char, 8192> buffer;
    std::size_t filled = 0;
    off_t offset = 0;
    for (;;) {
        const ssize_t count = pread(maps_file, buffer.data() + filled, buffer.size() - filled, offset);
        if (count <= 0) break;
        offset += count;
        filled += static_cast<std::size_t>(count);
        std::string_view rest(buffer.data(), filled);
        for (auto end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
            const Mapping mapping = read_mapping(rest.substr(0, end));
            if (pc >= mapping.begin && pc < mapping.end) return add_place(line, mapping);
            rest.remove_prefix(end + 1);
        }
        if (rest.size() == buffer.size()) break;
        std::memmove(buffer.data(), rest.data(), rest.size());
        filled = rest.size();
    }
    line.add("unknown code");
}

std::uint64_t program_counter(const ucontext_t& context) {
#if defined(__x86_64__)
    return static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return context.uc_mcontext.pc;
#else
    (void)context;
    return 0;
#endif
}

void tell_of_input() {
    const auto input = files::risky_read();
    if (input.empty()) return;
    Line line;
    line.add(crash_reading_mark);
    line.add(input);
    line.write_out();
}

void report(int signal, siginfo_t* info, void* context) {
    struct sigaction fallback{};
    fallback.sa_handler = SIG_DFL;
    sigaction(signal, &fallback, nullptr);
    if (info->si_code <= 0) { // another process sent it, or a library gave up
        if (signal == SIGABRT && info->si_pid == getpid()) tell_of_input();
        raise(signal);
        return;
    }
    tell_of_input();
    Line line;
    line.add(crash_mark);
    line.add("signal ");
    line.add_number(static_cast<std::uint64_t>(signal), 10);
    const std::uint64_t pc = program_counter(*static_cast<const ucontext_t*>(context));
    line.add(" at 0x");
    line.add_number(pc, 16);
    line.add(" in ");
    add_place(line, pc);
    line.write_out();
    // The instruction faults again, and the process ends by that signal.
}

} // namespace

void install_crash_report() {
    maps_file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    prepare_thread_for_crash();
    for (const int signal : fatal_signals) {
        struct sigaction before{};
        if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
        struct sigaction action{};
        action.sa_sigaction = report;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
        sigemptyset(&action.sa_mask);
        sigaction(signal, &action, nullptr);
    }
}

void prepare_thread_for_crash() {
    // Faults of kernels are handled on the same stack.
    constexpr std::size_t bytes = std::size_t{64} << 10;
    struct Stack {
        std::unique_ptr<std::byte[]> memory{new (std::nothrow) std::byte[bytes]};
        Stack() {
            if (!memory) return;
            stack_t stack{};
            stack.ss_sp = memory.get();
            stack.ss_size = bytes;
            sigaltstack(&stack, nullptr);
        }
        Stack(const Stack&) = delete;
        Stack& operator=(const Stack&) = delete;
        ~Stack() {
            if (!memory) return;
            stack_t off{};
            off.ss_flags = SS_DISABLE;
            sigaltstack(&off, nullptr);
        }
    };
    stack_t current{};
    if (sigaltstack(nullptr, &current) == 0 && (current.ss_flags & SS_DISABLE) == 0) return;
    thread_local const Stack stack;
    (void)stack;
}

} // namespace warplight::worker
