// SPDX-License-Identifier: Apache-2.0
// The record of a warp for people: names of elements, and what an execution shows.
#include "profile/warp_record.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace warplight::profile {
namespace {

std::uint32_t number_of(std::uint32_t lanes) { return static_cast<std::uint32_t>(std::popcount(lanes)); }

std::string counted(std::uint64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// Lowest and highest address of the lanes that take part.
std::pair<std::uint64_t, std::uint64_t> range_of(const WarpAccess& access) {
    std::uint64_t low = ~std::uint64_t{0}, high = 0;
    for (std::uint32_t left = access.active; left != 0; left &= left - 1) {
        const std::uint64_t at = access.addresses[static_cast<unsigned>(std::countr_zero(left))];
        low = std::min(low, at);
        high = std::max(high, at);
    }
    return {low, high};
}

/// Bytes that lie together.
struct Piece {
    std::uint64_t begin, end;
};
/// So many are named one by one.
constexpr std::size_t kMostPieces = 4;

/// In the order of addresses.
std::vector<Piece> pieces_of(const WarpAccess& access) {
    std::vector<std::uint64_t> addresses;
    for (std::uint32_t left = access.active; left != 0; left &= left - 1)
        addresses.push_back(access.addresses[static_cast<unsigned>(std::countr_zero(left))]);
    std::sort(addresses.begin(), addresses.end());
    std::vector<Piece> pieces;
    for (const std::uint64_t at : addresses) {
        if (!pieces.empty() && at <= pieces.back().end)
            pieces.back().end = std::max(pieces.back().end, at + access.bytes);
        else
            pieces.push_back({at, at + access.bytes});
    }
    return pieces;
}

/// From lane to lane, if more than half of them have it.
std::optional<std::uint64_t> most_frequent_distance(const WarpAccess& access) {
    std::map<std::uint64_t, std::uint32_t> counts;
    std::uint32_t all = 0;
    for (unsigned lane = 1; lane < 32; ++lane) {
        if ((access.active >> (lane - 1) & 3) != 3) continue;
        const std::uint64_t from = access.addresses[lane - 1], to = access.addresses[lane];
        ++counts[to > from ? to - from : from - to];
        ++all;
    }
    for (const auto& [distance, count] : counts)
        if (2 * count > all && distance != 0) return distance;
    return std::nullopt;
}

/// Why an access costs what it costs.
std::string reason_of(const RecordedAccess& access) {
    const WarpAccess& lanes = access.access;
    const auto stride = stride_of(lanes);
    if (!stride) {
        const std::size_t pieces = pieces_of(lanes).size();
        if (pieces <= kMostPieces)
            return pieces == 1 ? std::string("all in one piece") : fmt::format("in {} pieces", pieces);
        if (const auto most = most_frequent_distance(lanes))
            return fmt::format("most neighbours are {} bytes apart", *most);
        return "the addresses are scattered";
    }
    if (*stride == 0) return "all at one address";
    const auto forward = static_cast<std::uint64_t>(*stride);
    const std::uint64_t distance = *stride < 0 ? 0 - forward : forward;
    if (distance == lanes.bytes) {
        if (access.space == RecordedSpace::global && range_of(lanes).first % kSectorBytes != 0)
            return fmt::format("neighbours touch, but the first address is {} bytes into a sector",
                               range_of(lanes).first % kSectorBytes);
        return "neighbours touch";
    }
    return fmt::format("neighbours are {} bytes apart", distance);
}

std::string_view verb_of(const RecordedInstruction& instruction, bool is_one) {
    if (instruction.access == "read") return is_one ? "reads" : "read";
    if (instruction.access == "write") return is_one ? "writes" : "write";
    return is_one ? "changes" : "change";
}

} // namespace

const RecordedMemory* WarpRecord::memory_at(RecordedSpace space, std::uint64_t address) const {
    const auto found = std::find_if(memory.begin(), memory.end(), [&](const RecordedMemory& each) {
        return each.space == space && address - each.address < each.bytes;
    });
    return found == memory.end() ? nullptr : &*found;
}

std::string WarpRecord::element_at(RecordedSpace space, std::uint64_t address) const {
    const RecordedMemory* const known = memory_at(space, address);
    if (!known)
        return space == RecordedSpace::global ? fmt::format("0x{:x}", address) : fmt::format("byte {}", address);
    const std::uint64_t offset = address - known->address;
    return offset % known->element == 0 ? fmt::format("{}[{}]", known->name, offset / known->element)
                                        : fmt::format("{}+{}", known->name, offset);
}

std::string WarpRecord::elements_of(const RecordedAccess& access) const {
    const auto [low, high] = range_of(access.access);
    const RecordedMemory* const known = memory_at(access.space, low);
    const std::string first = element_at(access.space, low);
    const std::uint64_t last = high + access.access.bytes - 1;
    if (!known || last - known->address >= known->bytes || (low - known->address) % known->element != 0)
        return low == high ? first : first + " … " + element_at(access.space, high);
    const std::vector<Piece> pieces = pieces_of(access.access);
    const auto index = [&](std::uint64_t address) { return (address - known->address) / known->element; };
    std::string text = known->name + "[";
    if (pieces.size() > kMostPieces) {
        const auto stride = stride_of(access.access);
        const std::string second = stride ? fmt::format(", {}", index(pieces[1].begin)) : std::string();
        return text + fmt::format("{}{} … {}]", index(low), second, index(last));
    }
    for (const Piece& piece : pieces) {
        const std::uint64_t from = index(piece.begin), to = index(piece.end - 1);
        text += fmt::format("{}{}", text.back() == '[' ? "" : ", ", from);
        if (to > from) text += fmt::format("…{}", to);
    }
    return text + "]";
}

Cost cost_of(const RecordedAccess& access) {
    switch (access.space) {
    case RecordedSpace::shared: return wavefronts_of(access.access);
    case RecordedSpace::local: {
        const std::uint32_t is = local_sectors_of(access.access);
        const std::uint32_t bytes = number_of(access.access.active) * access.access.bytes;
        return {is, std::min(is, (bytes + kSectorBytes - 1) / kSectorBytes)};
    }
    case RecordedSpace::global: break;
    }
    return sectors_of(access.access);
}

std::string sentence_of(const RecordedInstruction& instruction, const RecordedAccess& access) {
    const std::uint32_t lanes = number_of(access.access.active);
    const Cost cost = cost_of(access);
    const bool is_shared = access.space == RecordedSpace::shared;
    std::string text = counted(lanes, "lane");
    text += fmt::format(" {} {}", verb_of(instruction, lanes == 1),
                        is_shared ? "shared memory in " + counted(cost.is, "wavefront") : counted(cost.is, "sector"));
    if (access.space == RecordedSpace::local) text += " of local memory";
    text += cost.is > cost.ideal ? fmt::format(" where {} would do", cost.ideal) : ", the fewest possible";
    if (is_shared) {
        if (const std::uint32_t words = conflict_of(access.access); words > 1)
            text += fmt::format(": {} different words lie in one bank", words);
        else if (cost.is == cost.ideal && stride_of(access.access) == 0)
            text += ": all at one address";
    }
    if (lanes > 1 && access.space == RecordedSpace::global) text += ": " + reason_of(access);
    if (lanes > 1 && is_shared && cost.is > cost.ideal) text += ", " + reason_of(access);
    if (const std::uint32_t addresses = addresses_of(access.access);
        instruction.access == "atomic" && addresses < lanes)
        text +=
            addresses == 1 ? "; they take turns there" : fmt::format("; they take turns at {} addresses", addresses);
    return text + ".";
}

std::string sentence_of(const RecordedBranch& branch) {
    const auto where = [](const RecordedBranch::Way& way) {
        if (way.ptx_line == 0) return std::string("leave the function");
        return way.place.line > 0 ? fmt::format("go to line {}", way.place.line)
                                  : fmt::format("go to PTX line {}", way.ptx_line);
    };
    if (branch.ways.size() == 1)
        return fmt::format("{} {}.",
                           branch.lanes == ~0U ? std::string("All 32 lanes")
                                               : "All of the " + counted(number_of(branch.lanes), "lane"),
                           where(branch.ways.front()));
    std::string text = "The warp parts: ";
    for (std::size_t k = 0; k < branch.ways.size(); ++k)
        text += fmt::format("{}{} {}", k == 0 ? "" : ", ", counted(number_of(branch.ways[k].lanes), "lane"),
                            where(branch.ways[k]));
    return text + ".";
}

std::array<std::uint32_t, 3> thread_of(const WarpRecord& record, std::uint32_t lane) {
    const std::uint32_t linear = record.choice.warp * 32 + lane;
    const std::uint32_t x = std::max(record.block_size[0], 1U), y = std::max(record.block_size[1], 1U);
    return {linear % x, linear / x % y, linear / x / y};
}

std::string to_text(const WarpRecord& record) {
    constexpr std::size_t kMostShown = 3;
    const auto& block = record.choice.block;
    std::string text =
        fmt::format("block ({},{},{}), warp {}: {}, {}\n", block[0], block[1], block[2], record.choice.warp,
                    counted(number_of(record.lanes), "thread"), counted(record.executions, "execution"));
    for (const RecordedInstruction& each : record.instructions) {
        text += fmt::format("\n{}: {}", findings::to_text(each.place, {}, each.ptx_line), each.opcode);
        if (!each.is_branch()) text += fmt::format(", {} of {} a lane", each.access, counted(each.bytes, "byte"));
        text += fmt::format(", {}\n", counted(each.executions, "execution"));
        for (std::size_t k = 0; k < each.kept() && k < kMostShown; ++k) {
            if (each.is_branch()) {
                text += fmt::format("  {:>6}  {}\n", each.branches[k].order, sentence_of(each.branches[k]));
                continue;
            }
            const RecordedAccess& access = each.accesses[k];
            text += fmt::format("  {:>6}  {}\n          {}\n", access.order, sentence_of(each, access),
                                record.elements_of(access));
        }
        if (each.executions > kMostShown)
            text += fmt::format("          … and {} more; --json has {}\n", each.executions - kMostShown,
                                each.executions == each.kept() ? std::string("all of them")
                                                               : fmt::format("the first {}", each.kept()));
    }
    if (record.instructions.empty()) text += "The warp accessed no memory and took no branch.\n";
    if (record.cut) text += "\nThe end is missing: the warp did more than could be noted.\n";
    return text;
}

} // namespace warplight::profile
