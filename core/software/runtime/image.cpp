// SPDX-License-Identifier: Apache-2.0
#include "image.hpp"

#include "advice.hpp"
#include "configuration.hpp"
#include "failure.hpp"
#include "platform.hpp"

#include "software/jit/object/decompress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace warplight::software {
namespace {

constexpr std::uint32_t kFatbinMagic = 0xBA55ED50;
constexpr std::uint32_t kWrapperMagic = 0x466243B1; ///< begins a __fatBinC_Wrapper_t
constexpr std::uint16_t kPtxKind = 1;
constexpr std::uint64_t kCompressedLz4 = 0x2000;
constexpr std::uint64_t kCompressedZstd = 0x8000;

struct FatbinHeader {
    std::uint32_t magic;
    std::uint16_t version;
    std::uint16_t header_size;
    std::uint64_t size;
};

struct FatbinEntry {
    std::uint16_t kind;
    std::uint16_t version;
    std::uint32_t header_size;
    std::uint64_t padded_size;
    std::uint32_t compressed_size;
    std::uint32_t options_offset;
    std::uint16_t minor, major;
    std::uint32_t architecture;
    std::uint32_t name_offset, name_size;
    std::uint64_t flags;
    std::uint64_t zero;
    std::uint64_t size; ///< uncompressed
};

constexpr std::size_t kSmallestEntry = 48; ///< up to the flags; compressed entries have their sizes behind them

/// An image, of which only its own words say how long it is where the caller did not.
class Bytes {
public:
    explicit Bytes(const void* begin) : begin_(static_cast<const std::byte*>(begin)) {}
    explicit Bytes(std::string_view all) : begin_(reinterpret_cast<const std::byte*>(all.data())), size_(all.size()) {}

    [[nodiscard]] std::optional<std::uint64_t> size() const { return size_; }
    /// How many of them there are.
    std::size_t copy(std::uint64_t offset, void* to, std::size_t count) const {
        if (size_) {
            if (offset >= *size_) return 0;
            count = static_cast<std::size_t>(std::min<std::uint64_t>(count, *size_ - offset));
            std::memcpy(to, begin_ + offset, count);
            return count;
        }
        const auto begin = reinterpret_cast<std::uintptr_t>(begin_);
        if (offset > UINTPTR_MAX - begin) return 0;
        return platform::read_memory(reinterpret_cast<const void*>(begin + static_cast<std::uintptr_t>(offset)), to,
                                     count);
    }
    /// False where they are not all there.
    template <class T>
    [[nodiscard]] bool read(std::uint64_t offset, T& value, std::size_t count = sizeof(T)) const {
        return copy(offset, static_cast<void*>(&value), count) == count;
    }
    [[nodiscard]] bool append(std::uint64_t offset, std::uint64_t count, std::string& to) const {
        return append(offset, count, to, false);
    }
    /// Up to a zero, which is left out.
    [[nodiscard]] bool append_text(std::uint64_t offset, std::uint64_t most, std::string& to) const {
        return append(offset, most, to, true);
    }
    [[nodiscard]] bool starts_with(std::string_view magic) const {
        std::string first(magic.size(), '\0');
        return copy(0, first.data(), first.size()) == magic.size() && first == magic;
    }

private:
    /// A piece at a time: there may be less than a damaged image says.
    bool append(std::uint64_t offset, std::uint64_t count, std::string& to, bool text) const {
        constexpr std::size_t most = std::size_t{1} << 20;
        for (std::size_t piece = 4096; count > 0; piece = std::min(2 * piece, most)) {
            const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(piece, count));
            const std::size_t before = to.size();
            to.resize(before + wanted);
            const std::size_t got = copy(offset, to.data() + before, wanted);
            to.resize(before + got);
            if (const std::size_t end = text ? to.find('\0', before) : std::string::npos; end != std::string::npos) {
                to.resize(end);
                return true;
            }
            if (got < wanted) return false;
            offset += got;
            count -= got;
        }
        return true;
    }

    const std::byte* begin_;
    std::optional<std::uint64_t> size_;
};

template <class T>
std::string_view bytes_of(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

[[noreturn]] void refuse(CUresult code, LoadLog& log, std::string_view why) {
    log.error = fmt::format("{}\n", why);
    fail(code, log.error);
}
[[noreturn]] void damaged(LoadLog& log, std::string_view why) {
    refuse(CUDA_ERROR_INVALID_IMAGE, log, fmt::format("the fat binary is damaged: {}", why));
}
[[noreturn]] void damaged_link(LoadLog& log) { refuse(CUDA_ERROR_INVALID_IMAGE, log, "the linked image is damaged"); }

/// Begins like no text and like no ELF file. The sizes of the whole image and of each text follow.
constexpr std::string_view kLinkedMagic{"\x7fWLLINK\n", 8};

/// The LZ4 block format. Empty where the data is not that.
std::string decompress_lz4(const std::byte* data, std::size_t size, std::size_t expected) {
    if (expected > (std::size_t{1} << 30)) return {};
    std::string out;
    out.reserve(expected);
    std::size_t at = 0;
    const auto next = [&] { return std::to_integer<unsigned>(data[at++]); };
    const auto length = [&](unsigned nibble, std::size_t& result) {
        result = nibble;
        if (nibble != 15) return true;
        unsigned more = 255;
        while (more == 255) {
            if (at >= size) return false;
            more = next();
            result += more;
        }
        return true;
    };
    while (at < size) {
        const unsigned token = next();
        std::size_t literals = 0;
        if (!length(token >> 4, literals) || literals > size - at || out.size() + literals > expected) return {};
        out.append(reinterpret_cast<const char*>(data + at), literals);
        at += literals;
        if (at >= size || out.size() == expected) break;
        if (size - at < 2) return {};
        const unsigned low = next();
        const std::size_t distance = low | next() << 8;
        std::size_t match = 0;
        if (!length(token & 15, match) || distance == 0 || distance > out.size()) return {};
        match += 4;
        if (out.size() + match > expected) return {};
        for (; match > 0; --match)
            out.push_back(out[out.size() - distance]);
    }
    return out.size() == expected ? out : std::string{};
}

/// The size of the content, where the header of a zstd frame has it.
std::optional<std::uint64_t> zstd_content_size(std::string_view frame) {
    constexpr std::string_view magic{"\x28\xb5\x2f\xfd", 4};
    if (!frame.starts_with(magic) || frame.size() <= magic.size()) return std::nullopt;
    const auto byte = [&](std::size_t at) { return static_cast<std::uint64_t>(static_cast<unsigned char>(frame[at])); };
    const std::uint64_t descriptor = byte(magic.size());
    const bool one_segment = descriptor & 0x20;
    constexpr std::array<std::size_t, 4> dictionary_bytes{0, 1, 2, 4};
    const std::size_t bytes = descriptor >> 6 ? std::size_t{1} << (descriptor >> 6) : one_segment;
    const std::size_t at = magic.size() + 1 + (one_segment ? 0 : 1) + dictionary_bytes[descriptor & 3];
    if (bytes == 0 || frame.size() < at + bytes) return std::nullopt;
    std::uint64_t size = bytes == 2 ? 256 : 0;
    for (std::size_t i = 0; i < bytes; ++i)
        size += byte(at + i) << 8 * i;
    return size;
}

/// Empty where it cannot be unpacked.
std::string unpack(const Bytes& image, std::uint64_t at, const FatbinEntry& entry, LoadLog& log) {
    if (entry.header_size < sizeof entry || entry.compressed_size > entry.padded_size)
        damaged(log, "a compressed text is larger than its entry");
    std::string packed;
    if (!image.append(at, entry.compressed_size, packed)) damaged(log, "it is cut off");
    const bool zstd = entry.flags & kCompressedZstd;
    // No byte stands for more than 255 in LZ4, no block of at least four for more than 128 KiB in zstd.
    const std::uint64_t most = zstd ? packed.size() / 4 << 17 : std::uint64_t{packed.size()} * 255;
    if (entry.size > most || (zstd && zstd_content_size(packed).value_or(entry.size) != entry.size))
        damaged(log, fmt::format("{} bytes do not unpack to {}", packed.size(), entry.size));
    const auto* data = reinterpret_cast<const std::byte*>(packed.data());
    const auto size = static_cast<std::size_t>(entry.size);
    return zstd ? jit::decompress_zstd(data, packed.size(), size) : decompress_lz4(data, packed.size(), size);
}

/// Where it ends. Throws where that cannot be.
std::uint64_t end_of_fatbin(const Bytes& image, FatbinHeader& header, LoadLog& log) {
    if (!image.read(0, header)) damaged(log, "its header is cut off");
    if (header.header_size < sizeof header)
        damaged(log, fmt::format("a header cannot have {} bytes", header.header_size));
    if (header.size > UINT64_MAX - header.header_size) damaged(log, "it is larger than all memory");
    const std::uint64_t end = header.header_size + header.size;
    if (image.size() && end > *image.size())
        damaged(log, fmt::format("it says that it has {} bytes, and there are {}", end, *image.size()));
    std::byte last{};
    if (!image.read(end - 1, last))
        damaged(log, fmt::format("it says that it has {} bytes, which are not all memory that can be read", end));
    return end;
}

/// Whether PTX for one architecture is better than that for another: the newest that the device can run, else the
/// oldest that it cannot.
bool is_better(std::uint32_t architecture, std::uint32_t best) {
    const std::uint32_t device = configuration().capability;
    if ((architecture <= device) != (best <= device)) return architecture <= device;
    return architecture <= device ? architecture > best : architecture < best;
}

struct FatbinPtx {
    std::string text;
    std::uint32_t architecture = 0;
};

FatbinPtx ptx_of_fatbin(const Bytes& image, LoadLog& log) {
    FatbinHeader header{};
    const std::uint64_t end = end_of_fatbin(image, header, log);
    FatbinPtx best;
    bool unreadable = false;
    for (std::uint64_t at = header.header_size; end - at >= kSmallestEntry;) {
        FatbinEntry entry{};
        if (!image.read(at, entry, kSmallestEntry)) damaged(log, "it is cut off");
        if (entry.header_size < kSmallestEntry || entry.header_size > end - at ||
            entry.padded_size > end - at - entry.header_size)
            damaged(log, fmt::format("the entry at byte {} reaches past its end", at));
        if (entry.header_size >= sizeof entry && !image.read(at, entry)) damaged(log, "it is cut off");
        at += entry.header_size;
        if (entry.kind == kPtxKind && (best.text.empty() || is_better(entry.architecture, best.architecture))) {
            std::string text;
            if (entry.flags & (kCompressedZstd | kCompressedLz4)) {
                text = unpack(image, at, entry, log);
                unreadable |= text.empty();
            } else if (!image.append_text(at, entry.padded_size, text)) {
                damaged(log, "it is cut off");
            }
            if (!text.empty()) best = {std::move(text), entry.architecture};
        }
        at += entry.padded_size;
    }
    if (best.text.empty())
        refuse(CUDA_ERROR_NO_BINARY_FOR_GPU, log,
               unreadable ? "the PTX in this fat binary is compressed in a way that is not supported"
                          : "this fat binary holds no PTX");
    return best;
}

/// Calls `take(offset, size)` for each text, which together fill the image.
template <class Take>
void each_linked_text(const Bytes& image, LoadLog& log, Take take) {
    std::uint64_t total = 0;
    if (!image.read(kLinkedMagic.size(), total) || total > image.size().value_or(total)) damaged_link(log);
    std::uint64_t at = kLinkedMagic.size() + sizeof total;
    while (at < total) {
        std::uint64_t size = 0;
        if (total - at < sizeof size || !image.read(at, size)) damaged_link(log);
        at += sizeof size;
        if (size > total - at) damaged_link(log);
        take(at, size);
        at += size;
    }
    if (at != total) damaged_link(log);
}

std::string ptx_in(const Bytes& image, LoadLog& log) {
    if (image.starts_with(kLinkedMagic)) {
        std::string copy;
        const auto take = [&](std::uint64_t offset, std::uint64_t size) {
            const std::uint64_t begin = copy.size();
            if (!image.append(begin, offset - begin + size, copy)) damaged_link(log);
        };
        each_linked_text(image, log, take);
        return copy;
    }
    if (image.starts_with("\x7f"
                          "ELF"))
        refuse(CUDA_ERROR_NO_BINARY_FOR_GPU, log,
               "the image is machine code of a GPU (CUBIN); the software device runs PTX");
    if (image.starts_with(bytes_of(kFatbinMagic))) {
        FatbinPtx found = ptx_of_fatbin(image, log);
        const unsigned device = configuration().capability;
        if (found.architecture > device)
            refuse(CUDA_ERROR_NO_BINARY_FOR_GPU, log,
                   fmt::format("the PTX in this fat binary is for sm_{} and later, and the device is sm_{}",
                               found.architecture, device));
        return std::move(found.text);
    }
    std::string text;
    if (!image.append_text(0, UINT64_MAX, text) && !image.size())
        refuse(CUDA_ERROR_INVALID_IMAGE, log, "the image has no end: the memory behind it cannot be read");
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) refuse(CUDA_ERROR_INVALID_IMAGE, log, "the image is empty");
    if (text[first] != '.' && text[first] != '/')
        refuse(CUDA_ERROR_INVALID_IMAGE, log, "the image is neither PTX nor a fat binary");
    return text;
}

} // namespace

std::string linked_image(const std::vector<std::string>& texts) {
    std::string image(kLinkedMagic);
    std::uint64_t total = kLinkedMagic.size() + sizeof total;
    for (const std::string& text : texts)
        total += sizeof(std::uint64_t) + text.size();
    image.append(reinterpret_cast<const char*>(&total), sizeof total);
    for (const std::string& text : texts) {
        const std::uint64_t size = text.size();
        image.append(reinterpret_cast<const char*>(&size), sizeof size);
        image += text;
    }
    return image;
}

std::vector<std::string> texts_of_linked_image(std::string_view image) {
    std::vector<std::string> texts;
    if (!image.starts_with(kLinkedMagic)) return texts;
    LoadLog log;
    each_linked_text(Bytes(image), log,
                     [&](std::uint64_t offset, std::uint64_t size) { texts.emplace_back(image.substr(offset, size)); });
    return texts;
}

std::vector<std::string> ptx_of_object(std::string_view object, LoadLog& log) {
    std::vector<std::string> texts;
    const std::string_view magic = bytes_of(kFatbinMagic);
    for (std::size_t at = object.find(magic); at != std::string_view::npos; at = object.find(magic, at + 1)) {
        const Bytes image(object.substr(at)); // a fat binary starts on any byte of an archive
        LoadLog why;
        try {
            FatbinHeader header{};
            const std::uint64_t end = end_of_fatbin(image, header, why);
            texts.push_back(ptx_of_fatbin(image, why).text);
            at += static_cast<std::size_t>(end) - 1;
        } catch (const Failure& failure) { // code for GPUs alone, or no fat binary at all
            if (failure.code == CUDA_ERROR_INVALID_IMAGE) log.error = why.error;
        }
    }
    return texts;
}

std::string bytes_at(const void* data, std::size_t size) {
    std::string bytes;
    if (!Bytes(data).append(0, size, bytes))
        fail(CUDA_ERROR_INVALID_IMAGE,
             fmt::format("the input is said to have {} bytes, of which {} can be read", size, bytes.size()));
    return bytes;
}

std::string ptx_of_image(std::string_view image, LoadLog& log) { return ptx_in(Bytes(image), log); }

std::string ptx_of_image(const void* image, LoadLog& log) {
    const void* inner = image;
    const Bytes bytes(image);
    if (bytes.starts_with(bytes_of(kWrapperMagic)) && (!bytes.read(8, inner) || !inner))
        refuse(CUDA_ERROR_INVALID_IMAGE, log, "the wrapper of a fat binary is damaged");
    try {
        return ptx_in(Bytes(inner), log);
    } catch (const Failure& failure) {
        // A device link step of nvcc leaves an empty one where all code is PTX of its inputs.
        FatbinHeader header{};
        const bool empty = Bytes(inner).read(0, header) && header.magic == kFatbinMagic && header.size == 0;
        if (failure.code == CUDA_ERROR_NO_BINARY_FOR_GPU && !empty)
            advice::on_machine_code(inner, configuration().capability);
        throw;
    }
}

} // namespace warplight::software
