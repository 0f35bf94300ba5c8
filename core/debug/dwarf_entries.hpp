// SPDX-License-Identifier: Apache-2.0
// The entries of DWARF as they stand in PTX: a tree of tags and attributes, without a meaning yet.
#pragma once

#include "software/ptx/module.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace warplight::debug::dwarf {

// Numbers of the DWARF standard.
enum Tag : std::uint64_t {
    kArray = 0x01,
    kClass = 0x02,
    kEnumeration = 0x04,
    kParameter = 0x05,
    kBlock = 0x0b,
    kMember = 0x0d,
    kPointer = 0x0f,
    kReference = 0x10,
    kUnit = 0x11,
    kStructure = 0x13,
    kSubroutine = 0x15,
    kTypedef = 0x16,
    kUnion = 0x17,
    kInheritance = 0x1c,
    kInlined = 0x1d,
    kSubrange = 0x21,
    kBase = 0x24,
    kConst = 0x26,
    kEnumerator = 0x28,
    kSubprogram = 0x2e,
    kVariable = 0x34,
    kVolatile = 0x35,
    kRestrict = 0x37,
    kNamespace = 0x39,
    kUnspecified = 0x3b,
    kRvalueReference = 0x42,
};
enum Attribute : std::uint64_t {
    kLocation = 0x02,
    kName = 0x03,
    kByteSize = 0x0b,
    kBitOffset = 0x0c,
    kBitSize = 0x0d,
    kLow = 0x11,
    kHigh = 0x12,
    kConstValue = 0x1c,
    kUpperBound = 0x2f,
    kAbstractOrigin = 0x31,
    kCount = 0x37,
    kMemberLocation = 0x38,
    kLine = 0x3b,
    kDeclaration = 0x3c,
    kEncoding = 0x3e,
    kSpecification = 0x47,
    kType = 0x49,
};
enum Operation : std::uint8_t { kOpAddr = 0x03, kOpPlus = 0x23, kOpReg0 = 0x50, kOpRegx = 0x90 };

inline constexpr unsigned kMostDepth = 128; ///< of entries inside of entries

struct Damaged {};

class Reader {
public:
    Reader(const ptx::DebugSection& section, std::size_t at) : section_(&section), at_(at) {}

    [[nodiscard]] std::size_t at() const { return at_; }
    [[nodiscard]] bool is_at_end() const { return at_ >= section_->bytes.size(); }
    void move_to(std::size_t at) { at_ = at; }
    std::uint64_t integer(unsigned bytes) {
        need(bytes);
        std::uint64_t value = 0;
        for (unsigned k = 0; k < bytes; ++k)
            value |= std::uint64_t{static_cast<unsigned char>(section_->bytes[at_ + k])} << 8 * k;
        at_ += bytes;
        return value;
    }
    std::uint64_t uleb() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const std::uint64_t byte = integer(1);
            if (shift < 64) value |= (byte & 0x7f) << shift;
            if (!(byte & 0x80)) return value;
        }
    }
    std::int64_t sleb() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;;) {
            const std::uint64_t byte = integer(1);
            if (shift < 64) value |= (byte & 0x7f) << shift;
            shift += 7;
            if (byte & 0x80) continue;
            if (shift < 64 && (byte & 0x40)) value |= ~std::uint64_t{0} << shift;
            return static_cast<std::int64_t>(value);
        }
    }
    std::string text() {
        const std::size_t end = section_->bytes.find('\0', at_);
        if (end == std::string::npos) throw Damaged();
        std::string found = section_->bytes.substr(at_, end - at_);
        at_ = end + 1;
        return found;
    }
    void skip(std::uint64_t bytes) {
        need(bytes);
        at_ += bytes;
    }
    /// The symbol whose address is here; empty: a plain number.
    [[nodiscard]] std::string symbol() const {
        const auto found = std::lower_bound(section_->symbols.begin(), section_->symbols.end(), at_,
                                            [](const auto& s, std::size_t at) { return s.offset < at; });
        return found != section_->symbols.end() && found->offset == at_ ? found->name : std::string();
    }

private:
    void need(std::uint64_t bytes) const {
        if (bytes > section_->bytes.size() - std::min(at_, section_->bytes.size())) throw Damaged();
    }
    const ptx::DebugSection* section_;
    std::size_t at_;
};

/// The value of an attribute, of whichever form.
struct AttributeValue {
    std::uint64_t number = 0; ///< of strings nothing, of blocks their length
    std::string text;         ///< a string, or the symbol of an address or offset
    std::size_t block = 0;    ///< where a block begins
    bool is_block = false;
};
using Values = std::map<std::uint64_t, AttributeValue>;

struct Entry {
    std::size_t offset = 0; ///< in the section
    std::size_t unit = 0;   ///< where its unit begins: references count from there
    std::uint64_t tag = 0;
    Values values;
    std::vector<Entry> children;
    [[nodiscard]] const AttributeValue* find(std::uint64_t attribute) const {
        const auto found = values.find(attribute);
        return found == values.end() ? nullptr : &found->second;
    }
    [[nodiscard]] std::string name() const {
        const AttributeValue* name = find(kName);
        return name ? name->text : std::string();
    }
    [[nodiscard]] std::uint64_t number(std::uint64_t attribute) const {
        const AttributeValue* value = find(attribute);
        return value ? value->number : 0;
    }
};

class Entries {
public:
    /// What is damaged is left out, with what comes behind it.
    explicit Entries(const ptx::Module& module);

    [[nodiscard]] const std::vector<Entry>& units() const { return units_; }
    /// Null: the module has none.
    [[nodiscard]] const ptx::DebugSection* section(const char* name) const;
    /// The entry that an attribute of another leads to, or null.
    [[nodiscard]] const Entry* referred(const Entry& from, std::uint64_t attribute) const;

private:
    void note(const Entry& entry);

    std::map<std::string, const ptx::DebugSection*, std::less<>> sections_;
    std::vector<Entry> units_;
    std::unordered_map<std::size_t, const Entry*> by_offset_;
};

} // namespace warplight::debug::dwarf
