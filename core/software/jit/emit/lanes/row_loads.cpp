// SPDX-License-Identifier: Apache-2.0
#include "row_loads.hpp"

#include "lane_access.hpp"
#include "near_elements.hpp"
#include "row_pieces.hpp"
#include "software/jit/emit/memory/prefetch.hpp"
#include "software/jit/host.hpp"
#include "software/jit/lanes/joint_access.hpp"

#include <algorithm>
#include <set>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;
using Layout = LaneAccess::Layout;

namespace {

constexpr std::uint32_t kMostBetween = 256; ///< instructions to look through

const Operand& register_of(const Operand& operand, unsigned k) {
    return operand.kind == Operand::Kind::vector ? operand.elements.at(k) : operand;
}

std::vector<std::int64_t> places_from(std::int64_t first, std::int64_t length, std::int64_t bytes) {
    std::vector<std::int64_t> places;
    for (std::int64_t place = first; place < first + length; place += bytes)
        places.push_back(place);
    return places;
}

/// Whether loads may be done before an instruction that comes before them in the text.
bool lets_loads_pass(const Instruction& i, Space loaded) {
    if (ptx::is_computed_on_vectors(i)) return true;
    const auto is_plain = [&] {
        for (const Modifier m :
             {Modifier::volatile_, Modifier::relaxed, Modifier::acquire, Modifier::release, Modifier::mmio})
            if (i.has(m)) return false;
        return true;
    };
    if (i.opcode == Opcode::ld) return is_plain();
    const auto is_one = [](Space s) { return is_shared(s) || s == Space::global; };
    return i.opcode == Opcode::st && is_plain() && is_one(i.space) && is_one(loaded) &&
           is_shared(i.space) != is_shared(loaded);
}

/// The loads of one row, for all lanes.
class RowReader {
public:
    using Values = std::vector<Value*>;

    RowReader(Emitter& e, LaneAccess& access, std::vector<std::int64_t> places)
        : e_(e), b_(e.b), access_(access), places_(std::move(places)), width_(e.lanes.full_width()),
          pieces_(kPieceBytes / access.bytes) {}

    /// The vectors of the elements, in the order of their places.
    Values load() {
        check_alignment();
        if (is_dense()) {
            Value* as_laid_out = access_.is_as_laid_out();
            return as_laid_out ? either(as_laid_out, [&] { return load_dense(); }) : load_dense();
        }
        if (Value* as_laid_out = access_.stride ? access_.is_as_laid_out() : nullptr)
            return either(as_laid_out, [&] { return load_pieces(); });
        if (access_.may_be_neighbours()) return load_unknown();
        return load_pieces();
    }

    /// All of them where the lanes lie as is likely. One comparison of addresses then serves all.
    Values load_likely(bool prefetches) {
        Value* all = all_addresses();
        Value* first = b_.CreateExtractElement(all, std::uint64_t{0});
        Value* elsewhere = b_.CreateICmpNE(all, access_.likely_addresses(first));
        const auto near = [&] {
            access_.stop_if_misaligned(first);
            Value* pointer = b_.CreateIntToPtr(first, e_.device_pointer());
            if (prefetches) fetch_line(b_, pointer, kNextBlocks);
            NearElements elements(e_, access_);
            Values values;
            for (const std::int64_t place : places_)
                values.push_back(elements.load(at(pointer, place), false)[0]);
            return values;
        };
        const auto far = [&] {
            check_alignment();
            return gather();
        };
        return either(b_.CreateIsNull(b_.CreateBitCast(elsewhere, b_.getIntNTy(width_))), near, far);
    }

private:
    // --- addresses

    Value* all_addresses() {
        const auto vectors = e_.lanes.with_full_width();
        return access_.addresses();
    }
    Value* at(Value* base, std::int64_t offset) {
        return b_.CreateGEP(b_.getInt8Ty(), base, b_.getInt64(static_cast<std::uint64_t>(offset)));
    }
    void check_alignment() {
        if (access_.stride) return access_.stop_if_misaligned(access_.first_address());
        Type* words = llvm::FixedVectorType::get(b_.getInt32Ty(), width_);
        Value* low = b_.CreateAnd(b_.CreateTrunc(all_addresses(), words),
                                  llvm::ConstantInt::get(words, access_.all_bytes() - 1));
        e_.checks.stop_if_misaligned(b_.CreateBitCast(b_.CreateIsNotNull(low), b_.getIntNTy(width_)));
    }
    /// By lane.
    Values bases() {
        Values found;
        if (access_.stride) {
            Value* first = b_.CreateIntToPtr(access_.first_address(), e_.device_pointer());
            for (unsigned lane = 0; lane < width_; ++lane)
                found.push_back(at(first, access_.stride * lane));
            return found;
        }
        Value* all = all_addresses();
        for (unsigned lane = 0; lane < width_; ++lane)
            found.push_back(b_.CreateIntToPtr(b_.CreateExtractElement(all, std::uint64_t{lane}), e_.device_pointer()));
        return found;
    }

    // --- rows that follow one another, such as vectors with three elements: all of them at once

    [[nodiscard]] bool is_dense() const {
        return access_.stride % kPieceBytes != 0 &&
               access_.stride == static_cast<std::int64_t>(places_.size() * access_.bytes);
    }
    Values load_dense() {
        const auto count = static_cast<unsigned>(places_.size());
        Type* type = llvm::FixedVectorType::get(access_.type->getScalarType(), width_ * count);
        Value* first = b_.CreateIntToPtr(access_.first_address(), e_.device_pointer());
        Value* all = b_.CreateAlignedLoad(type, at(first, places_[0]), llvm::Align(1));
        Values values;
        for (unsigned k = 0; k < count; ++k) {
            std::vector<int> lanes(width_);
            for (unsigned lane = 0; lane < width_; ++lane)
                lanes[lane] = static_cast<int>(lane * count + k);
            values.push_back(b_.CreateShuffleVector(all, lanes));
        }
        return values;
    }

    // --- a lane's elements by 16 bytes

    Values load_pieces() {
        const unsigned at_once = std::min(host_width() * 4 / access_.bytes, width_); // lanes
        const Values base = bases();
        Values values(places_.size(), nullptr);
        for (std::size_t k = 0; k < places_.size(); k += pieces_) {
            std::vector<Values> parts(pieces_); // by element, then by lanes
            for (unsigned lane = 0; lane < width_; lane += at_once) {
                const Values these = transposed(base, lane, at_once, places_[k]);
                for (unsigned element = 0; element < pieces_; ++element)
                    parts[element].push_back(these[element]);
            }
            for (unsigned element = 0; element < pieces_; ++element)
                values[k + element] = joined(parts[element]);
        }
        return values;
    }

    /// One vector for each element of a piece. A group of lanes is as many as a piece has elements.
    Values transposed(const Values& base, unsigned from, unsigned lanes, std::int64_t place) {
        Type* piece = llvm::FixedVectorType::get(access_.type->getScalarType(), pieces_);
        Values vectors;
        for (unsigned k = 0; k < pieces_; ++k) {
            Values parts;
            for (unsigned lane = from + k; lane < from + lanes; lane += pieces_)
                parts.push_back(b_.CreateAlignedLoad(piece, at(base[lane], place), llvm::Align(1)));
            vectors.push_back(joined(parts));
        }
        return transposed_pieces(b_, vectors);
    }
    Value* joined(const Values& parts) { return joined_vectors(b_, parts); }

    // --- other ways

    /// Elements of each lane's address. Where an index wraps.
    Values gather() {
        Value* all = all_addresses();
        Values values;
        for (const std::int64_t place : places_) {
            Value* these =
                b_.CreateAdd(all, b_.CreateVectorSplat(width_, b_.getInt64(static_cast<std::uint64_t>(place))));
            Value* pointers = b_.CreateIntToPtr(these, llvm::FixedVectorType::get(e_.device_pointer(), width_));
            values.push_back(b_.CreateMaskedGather(access_.type, pointers, llvm::Align(1)));
        }
        return values;
    }

    template <class Near>
    Values either(Value* condition, Near near) {
        return either(condition, near, [&] { return access_.stride ? gather() : load_pieces(); });
    }
    template <class Near, class Far>
    Values either(Value* condition, Near near, Far far) {
        llvm::BasicBlock* here = e_.new_block("rows");
        llvm::BasicBlock* elsewhere = e_.new_block("far");
        llvm::BasicBlock* rest = e_.new_block("rest");
        b_.CreateCondBr(condition, here, elsewhere);
        b_.SetInsertPoint(here);
        const Values one = near();
        here = b_.GetInsertBlock();
        b_.CreateBr(rest);
        b_.SetInsertPoint(elsewhere);
        const Values other = far();
        elsewhere = b_.GetInsertBlock();
        b_.CreateBr(rest);
        b_.SetInsertPoint(rest);
        Values values;
        for (std::size_t k = 0; k < one.size(); ++k) {
            llvm::PHINode* value = b_.CreatePHI(access_.type, 2);
            value->addIncoming(one[k], here);
            value->addIncoming(other[k], elsewhere);
            values.push_back(value);
        }
        return values;
    }

    /// Nothing is known of the addresses: the lanes may be neighbours all the same.
    Values load_unknown() {
        Value* all = all_addresses();
        Value* first = b_.CreateExtractElement(all, std::uint64_t{0});
        llvm::SmallVector<llvm::Constant*> distances;
        for (unsigned lane = 0; lane < width_; ++lane)
            distances.push_back(b_.getInt64(std::uint64_t{lane} * access_.bytes));
        Value* expected = b_.CreateAdd(b_.CreateVectorSplat(width_, first), llvm::ConstantVector::get(distances));
        Value* elsewhere = b_.CreateBitCast(b_.CreateICmpNE(all, expected), b_.getIntNTy(width_));
        return either(b_.CreateIsNull(elsewhere), [&] {
            Value* pointer = b_.CreateIntToPtr(first, e_.device_pointer());
            Values values;
            for (const std::int64_t place : places_)
                values.push_back(b_.CreateAlignedLoad(access_.type, at(pointer, place), llvm::Align(1)));
            return values;
        });
    }

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    LaneAccess& access_;
    const std::vector<std::int64_t> places_; ///< bytes from the address
    const unsigned width_;
    const unsigned pieces_; ///< elements of 16 bytes
};

} // namespace

bool RowLoads::emit(std::uint32_t at, std::uint32_t end) {
    if (read_.contains(at)) {
        write(at);
        return true;
    }
    if (!may_begin(at)) return false;
    const Instruction& i = e_.function.instructions[at];
    LaneAccess access(e_, i, i.operands[1], true);
    if (access.may_be_spread()) return emit_likely(at, end, access);
    if (access.layout() != Layout::scattered && (access.layout() != Layout::strided || access.has_gaps())) return false;
    const std::vector<Element> all = same_rows(at, end, access.bytes);
    const std::vector<std::int64_t> places = places_of_row(all, access);
    if (places.empty()) return false;
    const Values values = RowReader(e_, access, places).load();
    for (const Element& one : all) {
        const auto found = std::lower_bound(places.begin(), places.end(), one.place);
        if (found == places.end() || *found != one.place) continue;
        Values& of = read_[one.at];
        of.resize(words_of(e_.function.instructions[one.at]));
        of[one.index] = values[static_cast<std::size_t>(found - places.begin())];
    }
    // A load of which only some elements were read reads all of them by itself.
    std::erase_if(read_, [](const auto& load) {
        return std::find(load.second.begin(), load.second.end(), nullptr) != load.second.end();
    });
    if (!read_.contains(at)) return false;
    write(at);
    return true;
}

/// A plain load of words or pairs of words, or of what short rows are made of, for all lanes, in code that is worth it.
bool RowLoads::may_begin(std::uint32_t at) const {
    const Instruction& i = e_.function.instructions[at];
    if (i.opcode != Opcode::ld || i.guarded || !e_.hooks.empty() || e_.lanes.is_seldom()) return false;
    if (e_.unit.options.access_reports != AccessReports::none || is_cold_for_accesses(*e_.plan, at)) return false;
    if (e_.plan->prefetches.all.contains(at) || e_.plan->grid_stride_loads.contains(at)) return false;
    const unsigned bits = ptx::bits(i.types[i.type_count - 1u]);
    const bool is_word = bits == 32 || bits == 64;
    if (is_word ? e_.lanes.full_width() < kPieceBytes * 8 / bits
                : !is_short_row(e_.plan->stride_of(i.operands.at(1)).value_or(0), bits / 8))
        return false;
    if (!is_shared(i.space) && i.space != Space::global && i.space != Space::generic) return false;
    return moves_vectors(e_, i, i.operands.at(1));
}

/// The loads of this block whose addresses are a register's value, as it is at the first one, and a number.
std::vector<RowLoads::Element> RowLoads::same_rows(std::uint32_t at, std::uint32_t end, unsigned bytes) const {
    const auto& all = e_.function.instructions;
    const Operand& address = all[at].operands[1];
    std::vector<Element> found;
    std::vector<std::int64_t> stored; // places in the same structures
    for (std::uint32_t k = at; k < std::min(end, at + kMostBetween); ++k) {
        const Instruction& i = all[k];
        if (const auto place = stored_place(i, all[at], bytes))
            stored.push_back(*place);
        else if (!lets_loads_pass(i, all[at].space) && !(i.opcode == Opcode::st && k < passed_until_))
            break;
        const bool same = i.opcode == Opcode::ld && !i.guarded && i.space == all[at].space && may_begin(k) &&
                          i.operands[1].reg == address.reg && ptx::bits(i.types[i.type_count - 1u]) == 8 * bytes;
        if (same && !read_.contains(k)) {
            const std::int64_t place = number_of_address(i.operands[1]) - number_of_address(address);
            // A vector's own alignment is tested for the first load only.
            if (std::ranges::find(stored, place) != stored.end()) break;
            const bool is_inside = stored.empty() || is_of_structure(all[at], place, bytes);
            if (place % bytes == 0 && is_inside && (k == at || words_of(i) == 1))
                for (unsigned index = 0; index < words_of(i); ++index)
                    found.push_back({k, index, place + std::int64_t{index} * bytes});
        }
        bool changes = false;
        ptx::each_written(e_.function, i, [&](ptx::RegisterId r) { changes |= r == address.reg; });
        if (changes) break;
    }
    return found;
}

/// Whether a place, from that of a load, is in the structure that its address's register points to.
bool RowLoads::is_of_structure(const Instruction& load, std::int64_t place, unsigned bytes) const {
    const std::int64_t row = e_.plan->stride_of(load.operands[1]).value_or(0);
    const std::int64_t first = number_of_address(load.operands[1]);
    return is_short_row(row, bytes) && first >= 0 && first < row && first + place >= 0 && first + place < row;
}

/// The place of a store to another element of the structures that a load reads, of each lane its own. A load of yet
/// another element may be done before it. In place, elements are mostly loaded and stored by turns.
std::optional<std::int64_t> RowLoads::stored_place(const Instruction& i, const Instruction& load,
                                                   unsigned bytes) const {
    if (i.opcode != Opcode::st || i.guarded || words_of(i) > 1 || i.space != load.space || is_shared(i.space))
        return std::nullopt;
    if (i.operands[0].base_kind != Operand::Kind::reg || i.operands[0].reg != load.operands[1].reg ||
        ptx::bits(i.types[i.type_count - 1u]) != 8 * bytes || !moves_vectors(e_, i, i.operands[0]))
        return std::nullopt;
    const std::int64_t place = number_of_address(i.operands[0]) - number_of_address(load.operands[1]);
    return place % bytes == 0 && is_of_structure(load, place, bytes) ? std::optional(place) : std::nullopt;
}

/// Places of whole pieces that follow one another, with the first load's among them. Empty: there are none.
std::vector<std::int64_t> RowLoads::places_of_row(const std::vector<Element>& all, const LaneAccess& access) const {
    const std::int64_t bytes = access.bytes;
    std::set<std::int64_t> wanted;
    for (const Element& one : all)
        wanted.insert(one.place);
    std::int64_t first = 0, behind = 0;
    while (wanted.contains(first - bytes))
        first -= bytes;
    while (wanted.contains(behind))
        behind += bytes;
    if (const std::int64_t row = access.stride; is_short_row(row, bytes))
        if (behind - first >= row && (behind - first < kPieceBytes || row < 2 * kPieceBytes))
            return places_from(std::min(first + -first / row * row, behind - row), row, bytes); // dense
    if (behind - first < kPieceBytes || bytes < 4) return {};
    first += -first / kPieceBytes * kPieceBytes;
    if (behind - first < kPieceBytes) first = behind - kPieceBytes;
    // Half of the host's registers, so that the values need not be kept in memory.
    const std::int64_t vectors = std::max<std::int64_t>(1, e_.lanes.full_width() * bytes / (4 * host_width()));
    const std::int64_t most = std::max<std::int64_t>((host_masks_anything() ? 16 : 8) / vectors * bytes, kPieceBytes);
    return places_from(first, std::min(behind - first, most) / kPieceBytes * kPieceBytes, bytes);
}

/// Loads by one register whose lanes are likely to differ as is known.
bool RowLoads::emit_likely(std::uint32_t at, std::uint32_t end, LaneAccess& access) {
    constexpr std::size_t kMostLoads = 8; // so that their values stay in registers
    std::vector<Element> all = same_rows(at, end, access.bytes);
    std::erase_if(all, [&](const Element& one) { return words_of(e_.function.instructions[one.at]) > 1; });
    if (all.size() < 2) return false;
    all.resize(std::min(all.size(), kMostLoads));
    std::vector<std::int64_t> places;
    bool prefetches = false;
    for (const Element& one : all) {
        places.push_back(one.place);
        prefetches |= e_.plan->prefetches.likely.contains(one.at);
    }
    const Values values = RowReader(e_, access, places).load_likely(prefetches);
    for (std::size_t k = 0; k < all.size(); ++k)
        read_[all[k].at] = {values[k]};
    write(at);
    return true;
}

void RowLoads::write(std::uint32_t at) {
    e_.begin_instruction(at);
    const Instruction& i = e_.function.instructions[at];
    const ptx::Type type = i.types[i.type_count - 1u];
    const Values& values = read_.at(at);
    const auto vectors = e_.lanes.with_full_width();
    for (unsigned k = 0; k < values.size(); ++k)
        e_.write(register_of(i.operands[0], k), type, e_.bits_as(values[k], e_.type_of(type)));
}

} // namespace warplight::jit
