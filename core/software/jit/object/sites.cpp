// SPDX-License-Identifier: Apache-2.0
#include "sites.hpp"

#include "software/jit/ir_conventions.hpp"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/Endian.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace warplight::jit {

std::optional<std::uint32_t> CodeMap::site_at(std::uint32_t offset) const {
    if (offset >= size) return std::nullopt;
    auto row = std::upper_bound(rows.begin(), rows.end(), offset,
                                [](std::uint32_t value, const Row& r) { return value < r.offset; });
    while (row != rows.begin()) {
        --row;
        if (row->line == kNoSiteLine) return std::nullopt;
        if (row->line) return row->line - 1;
    }
    return std::nullopt;
}

namespace {

/// Whether each extended instruction of a line table ends within it. LLVM adds its length to its place without a look:
/// a huge one leads back, and rows are made until no memory is left.
/// @param table behind the version
bool has_own_lengths(llvm::StringRef table) {
    constexpr std::size_t kHeader = 4, kFirstOpcode = 5; // the header's length; then where the first special opcode is
    if (table.size() < kHeader) return false;
    const std::size_t program = kHeader + std::size_t{llvm::support::endian::read32le(table.data())};
    if (program > table.size() || program <= kHeader + kFirstOpcode) return false;
    const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(table[at]); };
    const std::uint8_t first_special = byte(kHeader + kFirstOpcode);
    for (std::size_t at = program; at < table.size();) {
        const std::uint8_t opcode = byte(at++);
        if (opcode >= first_special) continue;
        const bool is_extended = opcode == 0;
        if (opcode == llvm::dwarf::DW_LNS_fixed_advance_pc) at += 2;
        unsigned numbers = is_extended ? 1 : 0;
        if (!is_extended && opcode != llvm::dwarf::DW_LNS_fixed_advance_pc) {
            const std::size_t count = kHeader + kFirstOpcode + opcode;
            if (count >= program) return false;
            numbers = byte(count);
        }
        std::uint64_t number = 0;
        for (; numbers > 0; --numbers) {
            number = 0;
            for (unsigned shift = 0;; shift += 7) {
                if (at >= table.size() || shift > 28) return false; // the emitter's numbers are short
                number |= std::uint64_t{byte(at) & 0x7fU} << shift;
                if (!(byte(at++) & 0x80)) break;
            }
        }
        if (is_extended && number > table.size() - at) return false;
        if (is_extended) at += static_cast<std::size_t>(number);
    }
    return true;
}

/// Is there a line table as the emitter asks for, whole and of DWARF 4 with 32 bits? LLVM reads beyond the memory of
/// damaged tables of later versions. From a table that names a length beyond its section it makes rows out of zeros
/// for as long as the length says.
bool has_own_table(llvm::StringRef tables, std::uint64_t offset) {
    constexpr std::size_t kLength = 4, kVersion = 2;
    if (offset > tables.size()) return false;
    const llvm::StringRef table = tables.substr(offset);
    if (table.size() < kLength + kVersion) return false;
    const std::uint32_t length = llvm::support::endian::read32le(table.data());
    return length <= table.size() - kLength && llvm::support::endian::read16le(table.data() + kLength) == 4 &&
           has_own_lengths(table.substr(kLength + kVersion, std::max<std::size_t>(length, kVersion) - kVersion));
}

} // namespace

CodeMap read_code_map(llvm::StringRef bytes, const char* entry_symbol) {
    const auto check = [](auto& expected) {
        if (!expected) throw std::runtime_error("bad object: " + llvm::toString(expected.takeError()));
    };
    auto object = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "kernel"));
    check(object);
    CodeMap map;
    std::uint64_t text_index = ~0ull;
    llvm::StringRef tables;
    for (const llvm::object::SectionRef& section : (*object)->sections()) {
        auto name = section.getName();
        check(name);
        if (*name == ".debug_line") {
            auto contents = section.getContents();
            check(contents);
            tables = *contents;
        }
        if (*name != ".text") continue;
        map.size = static_cast<std::uint32_t>(section.getSize());
        text_index = section.getIndex();
    }
    for (const llvm::object::SymbolRef& symbol : (*object)->symbols()) {
        auto name = symbol.getName();
        check(name);
        if (*name != entry_symbol) continue;
        auto value = symbol.getValue();
        check(value);
        map.entry = static_cast<std::uint32_t>(*value);
    }
    std::multimap<std::uint32_t, std::uint32_t> rows; // by offset; at equal offsets the last row counts
    // What is wrong in a line table costs the place of a fault, and is not worth a line on the terminal.
    const auto ignore = [](llvm::Error problem) { llvm::consumeError(std::move(problem)); };
    const std::unique_ptr<llvm::DWARFContext> dwarf = llvm::DWARFContext::create(
        **object, llvm::DWARFContext::ProcessDebugRelocations::Process, nullptr, "", ignore, ignore);
    for (const auto& unit : dwarf->compile_units()) {
        const auto offset = llvm::dwarf::toSectionOffset(unit->getUnitDIE().find(llvm::dwarf::DW_AT_stmt_list));
        if (unit->getVersion() != 4 || !offset || !has_own_table(tables, *offset)) continue;
        const llvm::DWARFDebugLine::LineTable* table = dwarf->getLineTableForUnit(unit.get());
        if (!table) continue;
        for (const llvm::DWARFDebugLine::Row& row : table->Rows)
            if (row.Address.SectionIndex == text_index)
                rows.emplace(static_cast<std::uint32_t>(row.Address.Address), row.EndSequence ? 0u : row.Line);
    }
    map.rows.reserve(rows.size());
    for (const auto& [offset, line] : rows)
        map.rows.push_back({offset, line});
    return map;
}

} // namespace warplight::jit
