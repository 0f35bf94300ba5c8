// SPDX-License-Identifier: Apache-2.0
#include "near_elements.hpp"

#include "software/jit/host.hpp"

#include <algorithm>
#include <utility>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using Layout = LaneAccess::Layout;

std::vector<Value*> NearElements::load(Value* first, bool invariant) {
    if (access_.may_be_spread()) return {load_spread(first)};
    switch (access_.layout()) {
    case Layout::strided: return load_strided(first);
    case Layout::grouped: return {load_groups(first)};
    case Layout::spread: return {load_spread(first)};
    case Layout::backward: return {load_backward(first)};
    default: return load_neighbours(first, invariant);
    }
}

void NearElements::store(Value* first, const Values& values) {
    if (access_.may_be_spread()) return store_spread(first, values[0]);
    switch (access_.layout()) {
    case Layout::strided: return store_strided(first, values);
    case Layout::grouped: return store_groups(first, values[0]);
    case Layout::spread: return store_spread(first, values[0]);
    case Layout::backward: return store_backward(first, values[0]);
    default: return store_neighbours(first, values);
    }
}

void NearElements::store_non_temporal(Value* first, const Values& values) {
    auto* store = b_.CreateAlignedStore(lane_by_lane(values), first, llvm::Align(kLineBytes));
    store->setMetadata(llvm::LLVMContext::MD_nontemporal,
                       llvm::MDNode::get(e_.context, llvm::ConstantAsMetadata::get(b_.getInt32(1))));
}

// --- neighbours. A lane's alignment is checked elsewhere, and the vector's is unknown: the accesses assume none.

std::vector<Value*> NearElements::load_neighbours(Value* first, bool invariant) {
    const unsigned count = access_.count;
    if (Value* mask = e_.lanes.active_mask())
        return {
            b_.CreateMaskedLoad(access_.type, first, llvm::Align(1), mask, llvm::Constant::getNullValue(access_.type))};
    Type* all = llvm::FixedVectorType::get(access_.type->getScalarType(), width_ * count);
    llvm::LoadInst* load = b_.CreateAlignedLoad(all, first, llvm::Align(1), access_.is_volatile);
    if (invariant) load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(e_.context, {}));
    if (count == 1) return {load};
    Values values(count);
    for (unsigned k = 0; k < count; ++k)
        values[k] = b_.CreateShuffleVector(load, every(count, k));
    return values;
}

void NearElements::store_neighbours(Value* first, const Values& values) {
    if (Value* mask = e_.lanes.active_mask())
        b_.CreateMaskedStore(values[0], first, llvm::Align(1), mask);
    else
        b_.CreateAlignedStore(lane_by_lane(values), first, llvm::Align(1), access_.is_volatile);
}

/// The lanes the other way round.
Value* NearElements::turned(Value* lanes) {
    std::vector<int> places(width_);
    for (unsigned lane = 0; lane < width_; ++lane)
        places[lane] = static_cast<int>(width_ - 1 - lane);
    return b_.CreateShuffleVector(lanes, places);
}

Value* NearElements::last_address(Value* first) {
    return b_.CreateGEP(b_.getInt8Ty(), first, b_.getInt64(static_cast<std::uint64_t>(access_.lowest)));
}

Value* NearElements::load_backward(Value* first) {
    Value* at = last_address(first);
    Value* mask = e_.lanes.active_mask();
    if (!mask) return turned(b_.CreateAlignedLoad(access_.type, at, llvm::Align(1)));
    Value* none = llvm::Constant::getNullValue(access_.type);
    return turned(b_.CreateMaskedLoad(access_.type, at, llvm::Align(1), turned(mask), none));
}

void NearElements::store_backward(Value* first, Value* value) {
    Value* at = last_address(first);
    if (Value* mask = e_.lanes.active_mask())
        b_.CreateMaskedStore(turned(value), at, llvm::Align(1), turned(mask));
    else
        b_.CreateAlignedStore(turned(value), at, llvm::Align(1));
}

std::vector<int> NearElements::every(unsigned step, unsigned first) const {
    std::vector<int> places(width_);
    for (unsigned lane = 0; lane < width_; ++lane)
        places[lane] = static_cast<int>(lane * step + first);
    return places;
}

Value* NearElements::lane_by_lane(const Values& values) {
    if (values.size() == 1) return values[0];
    Value* all = concatenate(values);
    std::vector<int> places;
    for (unsigned lane = 0; lane < width_; ++lane)
        for (unsigned k = 0; k < values.size(); ++k)
            places.push_back(static_cast<int>(k * width_ + lane));
    return b_.CreateShuffleVector(all, places);
}

Value* NearElements::concatenate(Values parts) {
    for (; parts.size() > 1; parts.resize(parts.size() / 2))
        for (std::size_t k = 0; k < parts.size() / 2; ++k)
            parts[k] = concatenate(parts[2 * k], parts[2 * k + 1]);
    return parts[0];
}

Value* NearElements::concatenate(Value* x, Value* y) {
    const unsigned count = llvm::cast<llvm::FixedVectorType>(x->getType())->getNumElements();
    std::vector<int> places(std::size_t{2} * count);
    for (unsigned k = 0; k < 2 * count; ++k)
        places[k] = static_cast<int>(k);
    return b_.CreateShuffleVector(x, y, places);
}

// --- strided

std::vector<Value*> NearElements::load_strided(Value* first) {
    if (access_.has_gaps()) return {load_gaps(first)};
    if (access_.is_near()) return {load_members(first)};
    Values values(access_.count, llvm::PoisonValue::get(access_.type));
    for (unsigned k = 0; k < access_.count; ++k)
        for (unsigned lane = 0; lane < width_; ++lane) {
            Value* one =
                b_.CreateAlignedLoad(access_.type->getScalarType(), strided_address(first, lane, k), llvm::Align(1));
            values[k] = b_.CreateInsertElement(values[k], one, std::uint64_t{lane});
        }
    return values;
}

/// The lanes store in their order, so that the last one's value stays where several lanes have one address.
void NearElements::store_strided(Value* first, const Values& values) {
    if (access_.stores_between_gaps()) return store_gaps(first, values[0]);
    for (unsigned k = 0; k < access_.count; ++k)
        for (unsigned lane = 0; lane < width_; ++lane) {
            Value* at = strided_address(first, lane, k);
            b_.CreateAlignedStore(b_.CreateExtractElement(values[k], std::uint64_t{lane}), at, llvm::Align(1));
        }
}

Value* NearElements::strided_address(Value* first, unsigned lane, unsigned element) {
    const std::int64_t offset = access_.stride * lane + element * access_.bytes;
    return b_.CreateGEP(b_.getInt8Ty(), first, b_.getInt64(static_cast<std::uint64_t>(offset)));
}

/// Elements of one of the host's vectors, or of the lanes' where that is less.
unsigned NearElements::piece_of_gaps() const { return std::min(host_width() * 4 / access_.bytes, width_); }

/// Every second or fourth element, by loads of everything from the first lane's element to the last one's. Elements in
/// between are read too, but nothing beyond the last one.
Value* NearElements::load_gaps(Value* first) {
    const unsigned gap = static_cast<unsigned>(access_.stride) / access_.bytes;
    const unsigned piece = piece_of_gaps(), last = gap * (width_ - 1);
    Type* type = llvm::FixedVectorType::get(access_.type->getScalarType(), piece);
    Values parts; // piece / gap lanes each
    for (unsigned lane = 0; lane < width_; lane += piece / gap) {
        const unsigned wanted = lane * gap, from = std::min(wanted, last + 1 - piece);
        std::vector<int> places(piece / gap);
        for (unsigned k = 0; k < piece / gap; ++k)
            places[k] = static_cast<int>(wanted - from + k * gap);
        Value* address = b_.CreateConstGEP1_64(b_.getInt8Ty(), first, std::uint64_t{from} * access_.bytes);
        parts.push_back(b_.CreateShuffleVector(b_.CreateAlignedLoad(type, address, llvm::Align(1)), places));
    }
    return concatenate(std::move(parts));
}

/// A member of structures that follow one another, by loads of all that lies between the first lane's and the last
/// one's. A gather costs more, and the processor's prefetchers learn nothing by it.
Value* NearElements::load_members(Value* first) {
    const unsigned gap = static_cast<unsigned>(access_.stride) / access_.bytes, piece = piece_of_gaps();
    Type* type = llvm::FixedVectorType::get(access_.type->getScalarType(), piece);
    Values parts; // `piece` lanes each
    for (unsigned lane = 0; lane < width_; lane += piece) {
        const unsigned last = (lane + piece - 1) * gap;
        Value* part = nullptr;
        for (unsigned done = 0; done < piece;) {
            const unsigned from = std::min((lane + done) * gap, last + 1 - piece);
            Value* address = b_.CreateConstGEP1_64(b_.getInt8Ty(), first, std::uint64_t{from} * access_.bytes);
            Value* all = b_.CreateAlignedLoad(type, address, llvm::Align(1));
            std::vector<int> places(piece, -1);
            for (unsigned k = 0; k < done; ++k)
                places[k] = static_cast<int>(k);
            for (; done < piece && (lane + done) * gap < from + piece; ++done)
                places[done] = static_cast<int>((part ? piece : 0) + (lane + done) * gap - from);
            part = part ? b_.CreateShuffleVector(part, all, places) : b_.CreateShuffleVector(all, places);
        }
        parts.push_back(part);
    }
    return concatenate(std::move(parts));
}

/// Every second or fourth element. Where the host cannot leave out what lies between them, that is written back as it
/// is: a block's shared memory is used by one host thread. All loads come first, as the last vector overlaps the one
/// before it.
void NearElements::store_gaps(Value* first, Value* value) {
    const unsigned gap = static_cast<unsigned>(access_.stride) / access_.bytes;
    const unsigned piece = piece_of_gaps(), last = gap * (width_ - 1);
    auto* type = llvm::FixedVectorType::get(access_.type->getScalarType(), piece);
    std::vector<std::pair<Value*, Value*>> stores; // what, where
    for (unsigned from = 0; from <= last; from += piece) {
        const unsigned begin = std::min(from, last + 1 - piece);
        Value* address = b_.CreateConstGEP1_64(b_.getInt8Ty(), first, std::uint64_t{begin} * access_.bytes);
        std::vector<int> lanes(piece, -1);
        llvm::SmallVector<llvm::Constant*> taken(piece, b_.getFalse());
        for (unsigned k = 0; k < piece; ++k)
            if ((begin + k) % gap == 0) {
                lanes[k] = static_cast<int>((begin + k) / gap);
                taken[k] = b_.getTrue();
            }
        Value* part = b_.CreateShuffleVector(value, lanes);
        llvm::Constant* mask = llvm::ConstantVector::get(taken);
        if (host_masks_anything()) {
            b_.CreateMaskedStore(part, address, llvm::Align(1), mask);
            continue;
        }
        Value* before = b_.CreateAlignedLoad(type, address, llvm::Align(1));
        stores.emplace_back(b_.CreateSelect(mask, part, before), address);
    }
    for (const auto& [all, address] : stores)
        b_.CreateAlignedStore(all, address, llvm::Align(1));
}

// --- groups

/// Each turn keeps every second element. So the first turns for several elements of a group mostly are the same ones.
Value* NearElements::load_groups(Value* groups) {
    const unsigned piece = host_width() * 4 / access_.bytes;
    const auto group = static_cast<unsigned>(access_.stride) / access_.bytes;
    Type* type = llvm::FixedVectorType::get(access_.type->getScalarType(), piece);
    Values parts;
    for (unsigned from = 0; from < group * width_; from += piece) {
        Value* address = b_.CreateConstGEP1_64(b_.getInt8Ty(), groups, std::uint64_t{from} * access_.bytes);
        parts.push_back(b_.CreateAlignedLoad(type, address, llvm::Align(1)));
    }
    for (unsigned step = 1; step < group; step *= 2) {
        const unsigned count = llvm::cast<llvm::FixedVectorType>(parts[0]->getType())->getNumElements();
        const bool single = parts.size() == 1;
        std::vector<int> places;
        for (unsigned k = access_.place_in_group() / step % 2; k < (single ? 1 : 2) * count; k += 2)
            places.push_back(static_cast<int>(k));
        for (std::size_t k = 0; k < (parts.size() + 1) / 2; ++k)
            parts[k] = single ? b_.CreateShuffleVector(parts[0], places)
                              : b_.CreateShuffleVector(parts[2 * k], parts[2 * k + 1], places);
        parts.resize((parts.size() + 1) / 2);
    }
    return concatenate(std::move(parts));
}

/// What lies between is written back as it is. LLVM knows it, where the run has read or stored it.
void NearElements::store_groups(Value* groups, Value* value) {
    const unsigned piece = host_width() * 4 / access_.bytes;
    const auto group = static_cast<unsigned>(access_.stride) / access_.bytes;
    Type* type = llvm::FixedVectorType::get(access_.type->getScalarType(), piece);
    for (unsigned from = 0; from < group * width_; from += piece) {
        Value* address = b_.CreateConstGEP1_64(b_.getInt8Ty(), groups, std::uint64_t{from} * access_.bytes);
        std::vector<int> lanes(piece, -1), places(piece);
        for (unsigned k = 0; k < piece; ++k) {
            const bool taken = k % group == access_.place_in_group();
            if (taken) lanes[k] = static_cast<int>((from + k) / group);
            places[k] = static_cast<int>(taken ? piece + k : k);
        }
        Value* before = b_.CreateAlignedLoad(type, address, llvm::Align(1));
        Value* all = b_.CreateShuffleVector(before, b_.CreateShuffleVector(value, lanes), places);
        b_.CreateAlignedStore(all, address, llvm::Align(1));
    }
}

// --- spread

/// The vectors that hold the lanes' elements, from the lowest address on.
std::vector<NearElements::Piece> NearElements::pieces() const {
    std::vector<Piece> pieces;
    for (unsigned lane = 0; lane < width_; ++lane) {
        const auto place = static_cast<unsigned>(access_.places[lane]);
        while (pieces.size() <= place / width_)
            pieces.emplace_back(width_, -1);
        pieces[place / width_][place % width_] = static_cast<int>(lane);
    }
    return pieces;
}

/// The elements of a piece that belong to active lanes; null: all.
Value* NearElements::mask_of(const Piece& piece) {
    llvm::SmallVector<llvm::Constant*> taken;
    for (const int lane : piece)
        taken.push_back(b_.getInt1(lane >= 0));
    Value* there = llvm::ConstantVector::get(taken);
    const bool all = std::find(piece.begin(), piece.end(), -1) == piece.end();
    if (!e_.lanes.active_mask()) return all ? nullptr : there;
    Value* active = b_.CreateShuffleVector(e_.lanes.active_mask(), piece);
    return all ? active : b_.CreateSelect(there, active, llvm::Constant::getNullValue(active->getType()));
}

Value* NearElements::address_of_piece(Value* first, std::size_t piece) {
    const std::int64_t offset = access_.lowest + static_cast<std::int64_t>(piece * width_ * access_.bytes);
    return b_.CreateGEP(b_.getInt8Ty(), first, b_.getInt64(static_cast<std::uint64_t>(offset)));
}

Value* NearElements::load_spread(Value* first) {
    const std::vector<Piece> all = pieces();
    Type* type = access_.type;
    if (std::ranges::count(access_.places, 0) == static_cast<std::ptrdiff_t>(width_)) // the same for all lanes
        return b_.CreateVectorSplat(
            width_, b_.CreateAlignedLoad(type->getScalarType(), address_of_piece(first, 0), llvm::Align(1)));
    Values parts;
    for (std::size_t k = 0; k < all.size(); ++k) {
        Value* address = address_of_piece(first, k);
        Value* mask = mask_of(all[k]);
        parts.push_back(mask ? static_cast<Value*>(b_.CreateMaskedLoad(type, address, llvm::Align(1), mask,
                                                                       llvm::Constant::getNullValue(type)))
                             : b_.CreateAlignedLoad(type, address, llvm::Align(1)));
    }
    if (parts.size() == 1) return b_.CreateShuffleVector(parts[0], access_.places);
    return b_.CreateShuffleVector(parts[0], parts[1], access_.places);
}

void NearElements::store_spread(Value* first, Value* value) {
    const std::vector<Piece> all = pieces();
    for (std::size_t k = 0; k < all.size(); ++k) {
        Value* part = b_.CreateShuffleVector(value, all[k]);
        Value* address = address_of_piece(first, k);
        if (Value* mask = mask_of(all[k]))
            b_.CreateMaskedStore(part, address, llvm::Align(1), mask);
        else
            b_.CreateAlignedStore(part, address, llvm::Align(1));
    }
}

} // namespace warplight::jit
