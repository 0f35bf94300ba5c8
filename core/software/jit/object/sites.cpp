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

/// Is there a line table as the emitter asks for, whole and of DWARF 4 with 32 bits? LLVM reads beyond the memory of
/// damaged tables of later versions. From a table that names a length beyond its section it makes rows out of zeros
/// for as long as the length says.
bool has_own_table(llvm::StringRef tables, std::uint64_t offset) {
    constexpr std::size_t kLength = 4, kVersion = 2;
    if (offset > tables.size()) return false;
    const llvm::StringRef table = tables.substr(offset);
    if (table.size() < kLength + kVersion) return false;
    const std::uint32_t length = llvm::support::endian::read32le(table.data());
    return length <= table.size() - kLength && llvm::support::endian::read16le(table.data() + kLength) == 4;
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
