// SPDX-License-Identifier: Apache-2.0
// Objects with any line table and any description of their units: their map of code is read, or a std::runtime_error
// says why not. The object around them is as it was written, for it has the code that will run.
#include "software/jit/object/sites.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Bytes = std::string;

template <class T>
void put(Bytes& to, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
        to += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i));
}

struct Section {
    const char* name;
    std::uint32_t type;
    std::uint64_t flags;
    Bytes content;
    std::uint32_t link = 0, info = 0;
    std::uint64_t entry = 0;
};

/// A relocatable ELF file of x86-64.
Bytes object_of(const Bytes& abbrev, const Bytes& info, const Bytes& line) {
    Bytes symbols(24, '\0');
    put<std::uint32_t>(symbols, 1);   // the name
    put<std::uint8_t>(symbols, 0x12); // global, a function
    put<std::uint8_t>(symbols, 0);
    put<std::uint16_t>(symbols, 1); // .text
    put<std::uint64_t>(symbols, 0);
    put<std::uint64_t>(symbols, 16);
    std::vector<Section> sections = {{"", 0, 0, {}},
                                     {".text", 1, 6, Bytes(32, '\x90')},
                                     {".debug_abbrev", 1, 0, abbrev},
                                     {".debug_info", 1, 0, info},
                                     {".debug_line", 1, 0, line},
                                     {".symtab", 2, 0, symbols, 6, 1, 24},
                                     {".strtab", 3, 0, Bytes("\0wl_block\0", 10)},
                                     {".shstrtab", 3, 0, {}}};
    Bytes names;
    std::vector<std::uint32_t> name_places;
    for (const Section& each : sections) {
        name_places.push_back(static_cast<std::uint32_t>(names.size()));
        names += each.name;
        names += '\0';
    }
    sections.back().content = names;
    Bytes file("\x7f"
               "ELF\2\1\1\0\0\0\0\0\0\0\0\0",
               16);
    put<std::uint16_t>(file, 1);  // relocatable
    put<std::uint16_t>(file, 62); // x86-64
    put<std::uint32_t>(file, 1);
    put<std::uint64_t>(file, 0);
    put<std::uint64_t>(file, 0);
    std::uint64_t end = 64;
    for (const Section& each : sections)
        end += each.content.size();
    put<std::uint64_t>(file, end); // the section headers
    put<std::uint32_t>(file, 0);
    for (const std::uint16_t each :
         {64, 0, 0, 64, static_cast<int>(sections.size()), static_cast<int>(sections.size()) - 1})
        put<std::uint16_t>(file, each);
    std::vector<std::uint64_t> places;
    for (const Section& each : sections) {
        places.push_back(file.size());
        file += each.content;
    }
    for (std::size_t i = 0; i < sections.size(); ++i) {
        const Section& each = sections[i];
        put<std::uint32_t>(file, name_places[i]);
        put<std::uint32_t>(file, each.type);
        put<std::uint64_t>(file, each.flags);
        put<std::uint64_t>(file, 0);
        put<std::uint64_t>(file, places[i]);
        put<std::uint64_t>(file, each.content.size());
        put<std::uint32_t>(file, each.link);
        put<std::uint32_t>(file, each.info);
        put<std::uint64_t>(file, 1);
        put<std::uint64_t>(file, each.entry);
    }
    return file;
}

const Bytes& plain_abbrev() { // one unit, whose line table is at the start: DW_AT_stmt_list, DW_FORM_sec_offset
    static const Bytes abbrev("\x01\x11\x00\x10\x17\x00\x00\x00", 8);
    return abbrev;
}
const Bytes& plain_info() { // DWARF 4
    static const Bytes info("\x0c\x00\x00\x00\x04\x00\x00\x00\x00\x00\x08\x01\x00\x00\x00\x00", 16);
    return info;
}
const Bytes& plain_line() {
    static const Bytes line = [] {
        Bytes header("\x01\x01\xfb\x0e\x0d\x00\x01\x01\x01\x01\x00\x00\x00\x01\x00\x00\x01\x00"
                     "a\x00\x00\x00\x00\x00",
                     24);
        header.insert(0, 1, '\1'); // the shortest instruction
        Bytes program("\x00\x09\x02\x00\x00\x00\x00\x00\x00\x00\x00\x14\x02\x10\x00\x01\x01", 17);
        Bytes rest;
        put<std::uint16_t>(rest, 4);
        put<std::uint32_t>(rest, static_cast<std::uint32_t>(header.size()));
        rest += header + program;
        Bytes all;
        put<std::uint32_t>(all, static_cast<std::uint32_t>(rest.size()));
        return all + rest;
    }();
    return line;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const Bytes content(reinterpret_cast<const char*>(data) + 1, size - 1);
    Bytes object;
    switch (data[0] % 4) {
    case 0: object = object_of(plain_abbrev(), plain_info(), content); break;
    case 1: object = object_of(content, plain_info(), plain_line()); break;
    case 2: object = object_of(plain_abbrev(), content, plain_line()); break;
    default: { // two bytes of a place, one of a value
        Bytes sections = plain_abbrev() + plain_info() + plain_line();
        for (std::size_t i = 0; i + 2 < content.size(); i += 3) {
            const auto byte = [&](std::size_t at) {
                return static_cast<std::size_t>(static_cast<std::uint8_t>(content[at]));
            };
            sections[(byte(i) | byte(i + 1) << 8) % sections.size()] = content[i + 2];
        }
        const std::size_t info = plain_abbrev().size(), line = info + plain_info().size();
        object = object_of(sections.substr(0, info), sections.substr(info, line - info), sections.substr(line));
    }
    }
    try {
        const warplight::jit::CodeMap map =
            warplight::jit::read_code_map(llvm::StringRef(object.data(), object.size()), "wl_block");
        (void)map.site_at(8);
        for (std::size_t i = 1; i < map.rows.size(); ++i)
            if (map.rows[i].offset < map.rows[i - 1].offset) std::abort();
    } catch (const std::runtime_error& error) {
        if (error.what()[0] == '\0') std::abort();
    }
    return 0;
}
