// SPDX-License-Identifier: Apache-2.0
// What a module image is: PTX text, a fat binary that holds PTX, or code for a GPU that cannot run here.
#include "failure.hpp"
#include "module.hpp"

#include "../jit/decompress.hpp"

#include <cstring>

namespace warplight::software {
namespace {

constexpr std::uint32_t kFatbinMagic = 0xBA55ED50;
constexpr std::uint32_t kWrapperMagic = 0x466243B1; ///< what __fatBinC_Wrapper_t starts with
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

template <class T>
T read(const std::byte* from) {
    T value;
    std::memcpy(static_cast<void*>(&value), from, sizeof value);
    return value;
}

/// Begins like no text and like no ELF file. The sizes that follow are those of the whole image and of each text.
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

std::string ptx_of_fatbin(const std::byte* image, LoadLog& log) {
    const auto header = read<FatbinHeader>(image);
    const std::byte* at = image + header.header_size;
    const std::byte* end = at + header.size;
    std::string best;
    std::uint32_t best_architecture = 0;
    bool unreadable = false;
    while (at + sizeof(FatbinEntry) <= end) {
        const auto entry = read<FatbinEntry>(at);
        if (entry.header_size < 48 || entry.header_size + entry.padded_size > static_cast<std::uint64_t>(end - at)) {
            break;
        }
        const std::byte* payload = at + entry.header_size;
        if (entry.kind == kPtxKind && (best.empty() || entry.architecture > best_architecture)) {
            std::string text;
            if (entry.flags & kCompressedZstd) {
                text = jit::decompress_zstd(payload, entry.compressed_size, entry.size);
                unreadable |= text.empty();
            } else if (entry.flags & kCompressedLz4) {
                text = decompress_lz4(payload, entry.compressed_size, entry.size);
                unreadable |= text.empty();
            } else {
                text.assign(reinterpret_cast<const char*>(payload), entry.padded_size);
                text.resize(std::strlen(text.c_str()));
            }
            if (!text.empty()) {
                best = std::move(text);
                best_architecture = entry.architecture;
            }
        }
        at = payload + entry.padded_size;
    }
    if (best.empty()) {
        log.error = unreadable ? "the PTX in this fat binary is compressed in a way that is not supported\n"
                               : "this fat binary holds no PTX\n";
        fail(CUDA_ERROR_NO_BINARY_FOR_GPU, log.error);
    }
    return best;
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
    std::size_t at = kLinkedMagic.size() + sizeof(std::uint64_t);
    while (at + sizeof(std::uint64_t) <= image.size()) {
        const auto size = read<std::uint64_t>(reinterpret_cast<const std::byte*>(image.data() + at));
        at += sizeof size;
        if (size > image.size() - at) fail(CUDA_ERROR_INVALID_IMAGE, "the linked image is damaged");
        texts.emplace_back(image.substr(at, size));
        at += size;
    }
    return texts;
}

std::vector<std::string> ptx_of_object(std::string_view object) {
    std::vector<std::string> texts;
    const std::string_view magic{reinterpret_cast<const char*>(&kFatbinMagic), sizeof kFatbinMagic};
    for (std::size_t at = object.find(magic); at != std::string_view::npos; at = object.find(magic, at + 1)) {
        // A copy: a fat binary starts on any byte of an archive, and ends where the object does at the latest.
        const std::string copy(object.substr(at));
        if (copy.size() < sizeof(FatbinHeader)) break;
        const auto header = read<FatbinHeader>(reinterpret_cast<const std::byte*>(copy.data()));
        if (header.header_size < sizeof(FatbinHeader) || header.size > copy.size() - sizeof(FatbinHeader) ||
            header.header_size > copy.size() - header.size)
            continue;
        try {
            LoadLog ignored;
            texts.push_back(ptx_of_fatbin(reinterpret_cast<const std::byte*>(copy.data()), ignored));
        } catch (const Failure&) { // code for GPUs alone
        }
        at += sizeof(FatbinHeader) + header.size - 1;
    }
    return texts;
}

std::string ptx_of_image(const void* image, LoadLog& log) {
    const auto* bytes = static_cast<const std::byte*>(image);
    // Text may be shorter than a magic number.
    const auto starts_with = [&](const void* magic, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) {
            const std::byte expected = static_cast<const std::byte*>(magic)[i];
            if (bytes[i] != expected) return false;
        }
        return true;
    };
    if (starts_with(kLinkedMagic.data(), kLinkedMagic.size()))
        return {static_cast<const char*>(image), read<std::uint64_t>(bytes + kLinkedMagic.size())};
    if (starts_with("\x7f"
                    "ELF",
                    4)) {
        log.error = "the image is machine code of a GPU (CUBIN); the software device runs PTX\n";
        fail(CUDA_ERROR_NO_BINARY_FOR_GPU, log.error);
    }
    if (starts_with(&kWrapperMagic, 4)) bytes = read<const std::byte*>(bytes + 8);
    if (starts_with(&kFatbinMagic, 4)) return ptx_of_fatbin(bytes, log);
    const auto* text = reinterpret_cast<const char*>(bytes);
    const char* first = text;
    while (*first == ' ' || *first == '\t' || *first == '\r' || *first == '\n')
        ++first;
    if (*first != '.' && *first != '/') {
        log.error = *first ? "the image is neither PTX nor a fat binary\n" : "the image is empty\n";
        fail(CUDA_ERROR_INVALID_IMAGE, log.error);
    }
    return text;
}

} // namespace warplight::software
