// SPDX-License-Identifier: Apache-2.0
#include "remote/archive.hpp"

#include "compiler/sha256.hpp"
#include "files/input_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <utility>
#include <vector>
#include <zlib.h>

namespace warplight::remote {
namespace {

constexpr std::size_t kTarBlock = 512;
constexpr std::size_t kArchivePiece = 1 << 20;
constexpr std::size_t kLongestEntryName = 100;
constexpr std::uint64_t kLargestEntry = std::uint64_t{8} << 30; // what eleven octal digits can say

gzFile open_gz(const std::filesystem::path& file, const char* mode) {
#ifdef _WIN32
    return gzopen_w(file.c_str(), mode);
#else
    return gzopen(file.c_str(), mode);
#endif
}

struct GzClose {
    void operator()(gzFile file) const { gzclose(file); }
};
using Gz = std::unique_ptr<gzFile_s, GzClose>;

/// Fields of a header of tar, by their offsets and sizes.
std::string_view tar_text(const std::array<char, kTarBlock>& header, std::size_t at, std::size_t size) {
    const std::string_view field(header.data() + at, size);
    return field.substr(0, std::min(field.find('\0'), size));
}

/// Octal digits, or bytes with the highest bit of the first one set.
std::uint64_t tar_number(const std::array<char, kTarBlock>& header, std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    if (static_cast<unsigned char>(header[at]) & 0x80u) {
        for (std::size_t i = size - 8; i < size; ++i)
            value = value << 8 | static_cast<unsigned char>(header[at + i]);
        return value;
    }
    auto text = tar_text(header, at, size);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    std::from_chars(text.data(), text.data() + text.size(), value, 8);
    return value;
}

/// "warplight-0.1.0-Linux-x86_64/bin/x" → "bin/x"
std::string below_first_folder(std::string name) {
    if (name.starts_with("./")) name.erase(0, 2);
    const auto slash = name.find('/');
    return slash == std::string::npos ? std::string() : name.substr(slash + 1);
}

/// Looks through code for the versions of glibc that it needs.
class GlibcScan {
public:
    void add(std::string_view piece) {
        kept_ += piece;
        for (auto at = kept_.find(kName); at != std::string::npos; at = kept_.find(kName, at + 1)) {
            int minor = 0;
            const char* begin = kept_.data() + at + kName.size();
            const auto [end, error] = std::from_chars(begin, kept_.data() + kept_.size(), minor);
            constexpr int most = 999; // others are no versions
            if (error == std::errc() && minor <= most) needed_ = std::max(needed_, minor);
        }
        // A name may go on in the next piece.
        constexpr std::size_t longest = 16;
        if (kept_.size() > longest) kept_.erase(0, kept_.size() - longest);
    }
    [[nodiscard]] int needed() const { return needed_; }

private:
    static constexpr std::string_view kName = "GLIBC_2.";
    std::string kept_;
    int needed_ = 0;
};

/// As `uname -m` says it.
std::string machine_of_code(std::string_view head) {
    constexpr std::size_t at = 18; // e_machine of an ELF header
    if (head.size() < at + 2) return {};
    const int code = static_cast<unsigned char>(head[at]) + 256 * static_cast<unsigned char>(head[at + 1]);
    switch (code) {
    case 62: return "x86_64";
    case 183: return "aarch64";
    case 243: return "riscv64";
    case 21: return "ppc64le";
    default: return fmt::format("machine {}", code);
    }
}

class ArchiveReader {
public:
    explicit ArchiveReader(const std::filesystem::path& file) : file_(file), in_(open_gz(file, "rb")) {
        if (!in_) fail("cannot be read");
        gzbuffer(in_.get(), kArchivePiece);
    }

    void read(ArchiveFacts& facts) {
        std::array<char, kTarBlock> header{};
        bool found = false;
        std::string long_name;
        GlibcScan glibc;
        while (fill(header.data(), header.size()) && header[0] != '\0') {
            const auto size = tar_number(header, 124, 12);
            if (size > kLargestEntry) fail("is no archive that tar has written");
            const char type = header[156];
            std::string name(tar_text(header, 0, 100));
            if (const auto prefix = tar_text(header, 345, 155); !prefix.empty() && tar_text(header, 257, 5) == "ustar")
                name.insert(0, std::string(prefix).append("/"));
            if (type == 'L') { // of GNU: the name of the next entry
                long_name = read_text(size);
                continue;
            }
            if (!long_name.empty()) name = std::exchange(long_name, {});
            const bool is_file = type == '0' || type == '\0';
            name = below_first_folder(std::move(name));
            if (is_file) facts.unpacked += size;
            const bool is_program = is_file && name == "bin/warplight-cli";
            found = found || is_program;
            read_entry(size, is_file, facts, glibc);
        }
        facts.glibc = glibc.needed();
        if (!found) fail("has no bin/warplight-cli, so it is no archive of Warplight for Linux");
        if (facts.machine.empty()) fail("has no program for Linux");
    }

private:
    [[noreturn]] void fail(const std::string& why) const {
        throw ArchiveError(fmt::format("{} {}.", file_.string(), why));
    }
    bool fill(char* to, std::size_t size) {
        const int count = gzread(in_.get(), to, static_cast<unsigned>(size));
        if (count < 0) fail("is damaged, or not packed by gzip");
        return static_cast<std::size_t>(count) == size;
    }
    std::string read_text(std::uint64_t size) {
        constexpr std::uint64_t most = 1 << 16;
        if (size > most) fail("is no archive that tar has written");
        std::string text((static_cast<std::size_t>(size) + kTarBlock - 1) / kTarBlock * kTarBlock, '\0');
        if (!fill(text.data(), text.size())) fail("ends too early");
        text.resize(std::min(text.find('\0'), static_cast<std::size_t>(size)));
        return text;
    }
    void read_entry(std::uint64_t size, bool is_file, ArchiveFacts& facts, GlibcScan& glibc) {
        auto left = (size + kTarBlock - 1) / kTarBlock * kTarBlock;
        bool is_code = false;
        for (bool first = true; left > 0; first = false) {
            const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left, piece_.size()));
            if (!fill(piece_.data(), count)) fail("ends too early");
            const std::string_view piece(piece_.data(), count);
            if (first) {
                is_code = is_file && piece.starts_with("\x7f"
                                                       "ELF");
                if (is_code && facts.machine.empty()) facts.machine = machine_of_code(piece);
            }
            if (is_code) glibc.add(piece);
            left -= count;
        }
    }

    const std::filesystem::path& file_;
    Gz in_;
    std::vector<char> piece_ = std::vector<char>(kArchivePiece);
};

} // namespace

ArchiveFacts read_archive(const std::filesystem::path& file) {
    ArchiveFacts facts;
    try {
        const files::InputFile input(file);
        facts.size = input.size();
        compiler::Sha256 sum;
        std::vector<std::byte> piece(kArchivePiece);
        for (std::uint64_t at = 0; at < facts.size;) {
            const auto count = input.read_some(at, piece);
            if (count == 0) break;
            sum.update({reinterpret_cast<const char*>(piece.data()), count});
            at += count;
        }
        facts.digest = sum.hex();
    } catch (const files::InputError& error) {
        throw ArchiveError(fmt::format("{}.", error.what()));
    }
    ArchiveReader(file).read(facts);
    return facts;
}

struct ArchiveWriter::State {
    std::filesystem::path file;
    gzFile out = nullptr;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (out) gzclose(out);
    }

    [[noreturn]] void fail(const std::string& why) const {
        throw ArchiveError(fmt::format("{} {}.", file.string(), why));
    }
    void write(std::string_view bytes) const {
        if (!bytes.empty() &&
            gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size())) != static_cast<int>(bytes.size()))
            fail("cannot be written: is the disk full?");
    }
    void write_header(std::string_view name, std::uint64_t size, bool is_program) const {
        if (name.size() > kLongestEntryName || size > kLargestEntry)
            throw ArchiveError(fmt::format("{} is too large for an archive, or its name is too long.", name));
        std::array<char, kTarBlock> header{};
        const auto put = [&](std::size_t at, std::string_view text) {
            std::ranges::copy(text, header.begin() + static_cast<std::ptrdiff_t>(at));
        };
        put(0, name);
        put(100, is_program ? "0000755" : "0000644");
        put(108, "0000000");
        put(116, "0000000");
        put(124, fmt::format("{:011o}", size));
        put(136, "00000000000"); // no time: the same files give the same archive
        put(148, "        ");
        put(156, "0");
        put(257, std::string_view("ustar\0"
                                  "00",
                                  8));
        unsigned sum = 0;
        for (const char c : header)
            sum += static_cast<unsigned char>(c);
        put(148, fmt::format("{:06o}", sum) + '\0');
        write({header.data(), header.size()});
    }
    void pad(std::uint64_t size) const {
        constexpr std::array<char, kTarBlock> zeros{};
        if (const auto rest = size % kTarBlock; rest != 0) write({zeros.data(), kTarBlock - rest});
    }
};

ArchiveWriter::ArchiveWriter(const std::filesystem::path& file) : state_(std::make_unique<State>()) {
    state_->file = file;
    // Two thirds of the time of the usual level, for 3 % more bytes.
    state_->out = open_gz(file, "wb4");
    if (!state_->out) state_->fail("cannot be made");
    gzbuffer(state_->out, kArchivePiece);
}

ArchiveWriter::~ArchiveWriter() = default;

void ArchiveWriter::add_file(std::string_view name, const std::filesystem::path& file, bool is_program) {
    try {
        const files::InputFile input(file);
        const auto size = input.size();
        state_->write_header(name, size, is_program);
        std::vector<std::byte> piece(kArchivePiece);
        for (std::uint64_t at = 0; at < size;) {
            const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), size - at));
            input.read(at, std::span(piece).first(count));
            state_->write({reinterpret_cast<const char*>(piece.data()), count});
            at += count;
        }
        state_->pad(size);
    } catch (const files::InputError& error) {
        throw ArchiveError(fmt::format("{}.", error.what()));
    }
}

void ArchiveWriter::add_text(std::string_view name, std::string_view text, bool is_program) {
    state_->write_header(name, text.size(), is_program);
    state_->write(text);
    state_->pad(text.size());
}

void ArchiveWriter::finish() {
    constexpr std::array<char, 2 * kTarBlock> end{};
    state_->write({end.data(), end.size()});
    if (gzclose(std::exchange(state_->out, nullptr)) != Z_OK) state_->fail("cannot be written: is the disk full?");
}

} // namespace warplight::remote
