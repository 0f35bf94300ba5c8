// SPDX-License-Identifier: Apache-2.0
#include "dwarf_entries.hpp"

namespace warplight::debug::dwarf {
namespace {

constexpr std::size_t kMostEntries = 1'000'000; ///< of a module

enum Form : std::uint64_t {
    kAddr = 0x01,
    kBlock2 = 0x03,
    kBlock4 = 0x04,
    kData2 = 0x05,
    kData4 = 0x06,
    kData8 = 0x07,
    kString = 0x08,
    kBlockN = 0x09,
    kBlock1 = 0x0a,
    kData1 = 0x0b,
    kFlag = 0x0c,
    kSdata = 0x0d,
    kStrp = 0x0e,
    kUdata = 0x0f,
    kRefAddr = 0x10,
    kRef1 = 0x11,
    kRef2 = 0x12,
    kRef4 = 0x13,
    kRef8 = 0x14,
    kRefUdata = 0x15,
    kSecOffset = 0x17,
    kExpression = 0x18,
    kFlagPresent = 0x19,
};

struct Abbreviation {
    std::uint64_t tag = 0;
    bool has_children = false;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> attributes; ///< and their forms
};
using Abbreviations = std::unordered_map<std::uint64_t, Abbreviation>;

class UnitReader {
public:
    explicit UnitReader(const Entries& all) : all_(all) {}

    Entry read_unit(Reader& in) {
        const std::size_t unit = in.at();
        const std::uint64_t length = in.integer(4);
        const std::size_t begin = in.at();
        if (in.integer(2) > 4) throw Damaged();
        const std::uint64_t abbreviations = in.integer(4);
        (void)in.integer(1); // of an address
        abbreviations_ = read_abbreviations(abbreviations);
        Entry root;
        if (!read_entry(in, unit, root, 0)) throw Damaged();
        in.move_to(begin + length);
        return root;
    }

private:
    Abbreviations read_abbreviations(std::uint64_t offset) {
        Abbreviations all;
        Reader in(*all_.section("debug_abbrev"), offset);
        while (const std::uint64_t code = in.uleb()) {
            Abbreviation& a = all[code];
            a.tag = in.uleb();
            a.has_children = in.integer(1) != 0;
            a.attributes.clear();
            for (;;) {
                const std::uint64_t attribute = in.uleb();
                const std::uint64_t form = in.uleb();
                if (!attribute && !form) break;
                a.attributes.emplace_back(attribute, form);
            }
        }
        return all;
    }

    /// False: the end of a list.
    bool read_entry(Reader& in, std::size_t unit, Entry& entry, unsigned depth) {
        if (depth > kMostDepth || ++entries_ > kMostEntries) throw Damaged();
        entry.offset = in.at();
        entry.unit = unit;
        const std::uint64_t code = in.uleb();
        if (code == 0) return false;
        const auto found = abbreviations_.find(code);
        if (found == abbreviations_.end()) throw Damaged();
        entry.tag = found->second.tag;
        for (const auto& [attribute, form] : found->second.attributes)
            entry.values[attribute] = read_value(in, form);
        if (!found->second.has_children) return true;
        for (;;) {
            Entry child;
            if (in.is_at_end() || !read_entry(in, unit, child, depth + 1)) return true;
            entry.children.push_back(std::move(child));
        }
    }

    AttributeValue read_value(Reader& in, std::uint64_t form) {
        AttributeValue v;
        const auto plain = [&](unsigned bytes) {
            v.text = in.symbol();
            v.number = in.integer(bytes);
        };
        const auto block = [&](std::uint64_t bytes) {
            v.is_block = true;
            v.block = in.at();
            v.number = bytes;
            in.skip(bytes);
        };
        switch (form) {
        case kAddr:
        case kData8:
        case kRef8: plain(8); break;
        case kData4:
        case kRefAddr:
        case kRef4:
        case kSecOffset: plain(4); break;
        case kData2:
        case kRef2: plain(2); break;
        case kData1:
        case kRef1:
        case kFlag: plain(1); break;
        case kFlagPresent: v.number = 1; break;
        case kUdata:
        case kRefUdata: v.number = in.uleb(); break;
        case kSdata: v.number = static_cast<std::uint64_t>(in.sleb()); break;
        case kString: v.text = in.text(); break;
        case kStrp: v.text = read_string(in); break;
        case kBlock1: block(in.integer(1)); break;
        case kBlock2: block(in.integer(2)); break;
        case kBlock4: block(in.integer(4)); break;
        case kBlockN:
        case kExpression: block(in.uleb()); break;
        default: throw Damaged();
        }
        return v;
    }

    std::string read_string(Reader& in) {
        const std::string symbol = in.symbol();
        std::uint64_t at = in.integer(4);
        const ptx::DebugSection* strings = all_.section("debug_str");
        if (!strings) return {};
        for (const auto& [name, offset] : strings->labels)
            if (name == symbol) at += offset;
        return Reader(*strings, at).text();
    }

    const Entries& all_;
    Abbreviations abbreviations_; ///< of the unit that is read
    std::size_t entries_ = 0;
};

} // namespace

Entries::Entries(const ptx::Module& module) {
    for (const ptx::DebugSection& s : module.debug_sections)
        sections_.emplace(s.name, &s);
    const ptx::DebugSection* info = section("debug_info");
    if (!info || !section("debug_abbrev")) return;
    try {
        UnitReader reader(*this);
        for (Reader in(*info, 0); !in.is_at_end();)
            units_.push_back(reader.read_unit(in));
    } catch (const Damaged&) { // NOLINT(bugprone-empty-catch): what came before it counts
    }
    for (const Entry& unit : units_)
        note(unit);
}

const ptx::DebugSection* Entries::section(const char* name) const {
    const auto found = sections_.find(name);
    return found == sections_.end() ? nullptr : found->second;
}

void Entries::note(const Entry& entry) {
    by_offset_[entry.offset] = &entry;
    for (const Entry& child : entry.children)
        note(child);
}

const Entry* Entries::referred(const Entry& from, std::uint64_t attribute) const {
    const AttributeValue* value = from.find(attribute);
    if (!value) return nullptr;
    const auto found = by_offset_.find(from.unit + value->number);
    return found == by_offset_.end() ? nullptr : found->second;
}

} // namespace warplight::debug::dwarf
