// SPDX-License-Identifier: Apache-2.0
#include "sites.hpp"

#include "software/jit/ir_conventions.hpp"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ObjectFile.h>

#include <algorithm>
#include <map>
#include <stdexcept>

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

CodeMap read_code_map(llvm::StringRef bytes, const char* entry_symbol) {
    const auto check = [](auto& expected) {
        if (!expected) throw std::runtime_error("bad object: " + llvm::toString(expected.takeError()));
    };
    auto object = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "kernel"));
    check(object);
    CodeMap map;
    std::uint64_t text_index = ~0ull;
    for (const llvm::object::SectionRef& section : (*object)->sections()) {
        auto name = section.getName();
        check(name);
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
    const std::unique_ptr<llvm::DWARFContext> dwarf = llvm::DWARFContext::create(**object);
    for (const auto& unit : dwarf->compile_units()) {
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
