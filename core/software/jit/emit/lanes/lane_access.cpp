// SPDX-License-Identifier: Apache-2.0
#include "lane_access.hpp"

#include "group_place.hpp"
#include "software/jit/host.hpp"
#include "software/jit/lanes/joint_access.hpp"
#include "software/jit/lanes/linear_form.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <set>
#include <utility>

namespace warplight::jit {

using llvm::Value;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;

namespace {

/// Neighbours in shared memory, of all lanes: the last steps of a tree, which a warp takes without barriers.
bool is_volatile_row(const Emitter& e, const Instruction& i, const Operand& address) {
    const auto stride = e.plan->stride(address.reg);
    return is_shared(i.space) && !e.lanes.active_mask() && i.vector_width <= 1 &&
           stride == static_cast<std::int64_t>(ptx::bits(i.types[i.type_count - 1u]) / 8);
}

} // namespace

bool moves_vectors(const Emitter& e, const ptx::Instruction& i, const Operand& address) {
    if (address.base_kind != Operand::Kind::reg || !e.registers.varies(address.reg)) return false;
    if (i.space == Space::param) return false;
    if (!is_shared(i.space) && ptx::bits(e.function.registers[address.reg].type) == 32) return false;
    if (i.has(Modifier::volatile_) && !is_volatile_row(e, i, address)) return false;
    for (const Modifier m :
         {Modifier::relaxed, Modifier::acquire, Modifier::release, Modifier::mmio, Modifier::cv, Modifier::wt})
        if (i.has(m)) return false;
    const unsigned bits = ptx::bits(i.types[i.type_count - 1u]);
    return bits >= 8 && bits <= 64;
}

LaneAccess::LaneAccess(Emitter& e, const ptx::Instruction& i, const Operand& address, bool is_load)
    : type(nullptr), bytes(ptx::bits(i.types[i.type_count - 1u]) / 8), count(std::max(1U, unsigned{i.vector_width})),
      shared(is_shared(i.space)), is_volatile(i.has(Modifier::volatile_)), e_(e), b_(e.b), plan_(*e.plan),
      address_(address), width_(e.lanes.full_width()), is_load_(is_load) {
    const auto vectors = e.lanes.with_full_width();
    type = e.integer_type(8 * bytes);
    if (plan_.is_affine(address.reg) && (shared || ptx::bits(e.function.registers[address.reg].type) == 64))
        stride = *plan_.stride(address.reg);
    if (e.lanes.assumed_step() && plan_.registers.evenly_spaced.contains(e.instruction())) {
        stride = e.lanes.assumed_step();
        assumed_ = true;
    }
    layout_ = choose_layout(is_load);
    if (layout_ == Layout::scattered) find_likely_places();
}

// --- layout

LaneAccess::Layout LaneAccess::choose_layout(bool is_load) {
    const bool masked = e_.lanes.active_mask() != nullptr;
    if (find_group()) return Layout::grouped;
    if (stride == static_cast<std::int64_t>(all_bytes()) && (!masked || (count == 1 && is_masked_cheaply())))
        return Layout::neighbours;
    if (count == 1 && stride == -static_cast<std::int64_t>(bytes) && !is_cold() && (!masked || is_masked_cheaply())) {
        lowest = stride * (width_ - 1);
        return Layout::backward;
    }
    if (is_load && !masked && !is_cold() && has_gaps()) return Layout::strided;
    if (!is_load && !masked && !is_cold() && stores_between_gaps()) return Layout::strided;
    if (!masked && !is_cold() && is_near()) return Layout::strided;
    if (!is_cold() && find_certain_places()) return Layout::spread;
    if (host_masks_anything()) return Layout::scattered;
    if (masked || is_cold()) return Layout::serial;
    // The last lane's 32-bit address must not look like one that has wrapped.
    const bool is_short_stride = stride && std::abs(stride) < 1 << 24;
    return is_short_stride ? Layout::strided : Layout::scattered;
}

/// Whether all elements from the lowest to the highest fit in two vectors. Affine addresses are excluded: they are
/// mostly members of structures, and a masked store of a vector to one member would delay the loads of the others.
bool LaneAccess::find_certain_places() {
    const auto known = plan_.registers.lane_offsets.find(address_.reg);
    return shared && known != plan_.registers.lane_offsets.end() && find_places(known->second);
}

/// Under a mask they would have to be looked for among the active lanes' elements.
void LaneAccess::find_likely_places() {
    const auto likely = plan_.registers.likely_offsets.find(address_.reg);
    if (shared || stride || e_.lanes.active_mask() || is_cold() || likely == plan_.registers.likely_offsets.end())
        return;
    (void)find_places(likely->second);
}

bool LaneAccess::find_places(const std::vector<std::int32_t>& offsets) {
    constexpr std::int64_t kMostVectors = 2;
    if (count != 1 || bytes < 4) return false;
    const bool may_share = is_load_ && !e_.lanes.active_mask(); // an element
    const std::int64_t from = *std::min_element(offsets.begin(), offsets.end());
    if (from % bytes) return false;
    std::vector<int> found;
    std::set<int> taken;
    for (const std::int32_t offset : offsets) {
        const std::int64_t place = (offset - from) / bytes;
        if ((offset - from) % bytes || place >= kMostVectors * width_) return false;
        found.push_back(static_cast<int>(place));
        if (!taken.insert(found.back()).second && !may_share) return false;
    }
    places = std::move(found);
    lowest = from;
    return true;
}

Value* LaneAccess::likely_addresses(Value* first) {
    llvm::SmallVector<llvm::Constant*> offsets;
    for (const int place : places)
        offsets.push_back(b_.getInt64(static_cast<std::uint64_t>(lowest + std::int64_t{place} * bytes)));
    return b_.CreateAdd(b_.CreateVectorSplat(width_, first), llvm::ConstantVector::get(offsets));
}

bool LaneAccess::has_gaps() const {
    const std::int64_t element = bytes;
    return count == 1 && (bytes == 4 || bytes == 8) && width_ * bytes >= 32 &&
           (stride == 2 * element || stride == 4 * element);
}

bool LaneAccess::is_near() const {
    constexpr unsigned kLeastLanes = 8;
    return count == 1 && width_ >= kLeastLanes && host_masks_anything() && lies_near(stride, bytes);
}

/// Groups of two, four or eight elements, no longer than a vector of the host.
bool LaneAccess::find_group() {
    constexpr std::int64_t kMostElements = 8;
    if (!e_.lanes.has_groups() || !shared || count != 1 || e_.lanes.active_mask() || is_cold()) return false;
    if ((bytes != 4 && bytes != 8) || !std::has_single_bit(width_) || stride < std::int64_t{2} * bytes ||
        !std::has_single_bit(static_cast<std::uint64_t>(stride)))
        return false;
    const std::int64_t vector = std::int64_t{4} * host_width();
    if (stride > kMostElements * bytes || stride > vector || stride * width_ < vector) return false;
    const auto place = jit::place_in_group(e_, address_, stride);
    if (!place || *place % bytes != 0) return false;
    place_in_group_ = *place / bytes;
    return true;
}

bool LaneAccess::stores_between_gaps() const {
    return shared && has_gaps() && 2 * stride <= std::int64_t{4} * host_width();
}

bool LaneAccess::may_be_neighbours() const {
    if (stride || count != 1 || is_cold() || may_be_packed() || may_be_spread() || is_apart()) return false;
    if (!plan_.registers.from_memory[address_.reg]) return !e_.lanes.active_mask() || is_masked_cheaply();
    return !is_load_ && !e_.lanes.active_mask() && is_by_rank(false);
}

/// Whether neighbouring lanes are known to leave elements out.
bool LaneAccess::is_apart() const {
    const auto& distances = plan_.registers.lane_distances;
    const auto known = distances.find(address_.reg);
    return known != distances.end() && known->second > bytes;
}

bool LaneAccess::may_be_packed() const {
    return !stride && count == 1 && bytes == 4 && !shared && !is_load_ && layout_ == Layout::scattered && !is_cold() &&
           e_.lanes.active_mask() && host_masks_anything() && width_ * bytes >= kLineBytes && is_by_rank(true);
}

/// Looks back from the address for what all lanes add to one element, or for a count of bits. Where an element of a
/// table is added to that, such as the place where a lane's digit begins, neighbours seldom follow each other.
bool LaneAccess::is_by_rank(bool in_tables) const {
    constexpr std::size_t kMostRegisters = 12, kMostInstructions = 1000; // it takes a pass over all for each register
    if (e_.function.instructions.size() > kMostInstructions) return false;
    std::vector<ptx::RegisterId> seen{address_.reg};
    bool found = false;
    for (std::size_t k = 0; k < seen.size() && k < kMostRegisters; ++k)
        for (const Instruction& i : e_.function.instructions) {
            const ptx::RegisterId* to = ptx::destination_register(i);
            if (!to || *to != seen[k]) continue;
            found |= i.opcode == Opcode::popc || (i.opcode == Opcode::atom && is_combined(e_.function, i, plan_));
            if (!in_tables && is_of_table(i)) return false;
            if (!linear_form_of(i)) continue;
            for (const Operand& x : ptx::sources_of(i))
                if (x.kind == Operand::Kind::reg && std::find(seen.begin(), seen.end(), x.reg) == seen.end())
                    seen.push_back(x.reg);
        }
    return found;
}

/// Whether each lane reads an element anywhere.
bool LaneAccess::is_of_table(const Instruction& i) const {
    if (i.opcode != Opcode::ld || i.operands.at(1).base_kind != Operand::Kind::reg) return false;
    const ptx::RegisterId address = i.operands[1].reg;
    return !plan_.registers.uniform(address) && !plan_.is_affine(address);
}

bool LaneAccess::is_cold() const { return is_cold_for_accesses(plan_, e_.instruction()); }

bool LaneAccess::is_masked_cheaply() const { return bytes >= 4 || host_masks_anything(); }

// --- addresses

Value* LaneAccess::addresses() {
    if (shared) return in_window(e_.addresses.shared_address(address_));
    return b_.CreateAdd(e_.registers.read(address_.reg, ptx::Type::b64), e_.splat(offset()));
}

Value* LaneAccess::base_addresses() {
    const auto vectors = e_.lanes.with_full_width();
    return e_.registers.read(address_.reg, ptx::Type::b64);
}

Value* LaneAccess::offset() {
    Value* offset = b_.getInt64(static_cast<std::uint64_t>(address_.integer));
    if (Value* distance = e_.addresses.to_shadow()) offset = b_.CreateAdd(offset, distance);
    return offset;
}

Value* LaneAccess::first_address() { return stride && !assumed_ ? addresses() : in_window(first_in_shared()); }

Value* LaneAccess::in_window(const Addresses::Shared& at) {
    Value* offset = b_.CreateAdd(b_.getInt64(static_cast<std::uint64_t>(at.offset)),
                                 b_.CreatePtrToInt(e_.place.shared_base(), b_.getInt64Ty()));
    if (Value* distance = e_.addresses.to_shadow()) offset = b_.CreateAdd(offset, distance);
    if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(at.word->getType()))
        offset = b_.CreateVectorSplat(vector->getNumElements(), offset);
    return b_.CreateAdd(e_.addresses.extend(at.word, at.is_signed), offset);
}

Addresses::Shared LaneAccess::shared_addresses() {
    const auto vectors = e_.lanes.with_full_width();
    return e_.addresses.shared_address(address_);
}

Addresses::Shared LaneAccess::first_in_shared() {
    if (stride && !assumed_) return e_.addresses.shared_address(address_);
    Addresses::Shared first = shared_addresses();
    first.word = b_.CreateExtractElement(first.word, std::uint64_t{0});
    return first;
}

LaneStep LaneAccess::lane_step() {
    if (shared) return {1, 0, static_cast<std::int32_t>(stride), e_.addresses.shared_address(address_).is_signed};
    const auto& widening = plan_.widening(address_.reg);
    if (!widening) return {0, stride, 0, false};
    return {widening->factor, stride - widening->step * widening->factor, static_cast<std::int32_t>(widening->step),
            widening->is_signed};
}

Value* LaneAccess::first_index() {
    if (shared) return e_.addresses.shared_address(address_).word;
    return plan_.widening(address_.reg) ? e_.registers.index(address_.reg) : b_.getInt32(0);
}

Value* LaneAccess::group_word() {
    if (Value* known = e_.lanes.group_word()) return known;
    const Addresses::Shared at = first_in_shared();
    return b_.CreateAdd(at.word, b_.getInt32(static_cast<std::uint32_t>(at.offset) - place_in_group_ * bytes));
}

// --- checks

Value* LaneAccess::is_in_groups() {
    constexpr std::uint32_t kTooFar = 3U << 30; // a block has less than 1 GiB of shared memory
    const std::uint32_t low = static_cast<std::uint32_t>(stride) - 1;
    return b_.CreateIsNull(b_.CreateAnd(group_word(), b_.getInt32(kTooFar | low)));
}

Value* LaneAccess::is_as_laid_out() { return assumed_ ? nullptr : wraps_nowhere(); }

Value* LaneAccess::has_assumed_step() {
    Value* all = shared_addresses().word;
    Value* step =
        b_.CreateSub(b_.CreateExtractElement(all, std::uint64_t{1}), b_.CreateExtractElement(all, std::uint64_t{0}));
    Value* holds = b_.CreateICmpEQ(step, b_.getInt32(static_cast<std::uint32_t>(stride)));
    Value* even = wraps_nowhere();
    return even ? b_.CreateAnd(holds, even) : holds;
}

Value* LaneAccess::wraps_nowhere() {
    if (!shared) return e_.registers.is_even(address_.reg);
    const Addresses::Shared in_shared = first_in_shared();
    if (in_shared.is_signed) return nullptr;
    Value* first = in_shared.word;
    if (layout_ == Layout::spread) {
        const auto from = static_cast<std::uint64_t>(-lowest);
        const auto to = static_cast<std::uint64_t>(*std::max_element(places.begin(), places.end())) * bytes;
        Value* at_lowest = b_.CreateSub(b_.CreateZExt(first, b_.getInt64Ty()), b_.getInt64(from));
        return b_.CreateICmpULT(at_lowest, b_.getInt64((std::uint64_t{1} << 32) - to));
    }
    const std::int64_t reach = stride * (width_ - 1);
    if (reach < 0) return b_.CreateICmpUGE(first, b_.getInt32(static_cast<std::uint32_t>(-reach)));
    return b_.CreateICmpULE(first, b_.getInt32(~static_cast<std::uint32_t>(reach)));
}

Value* LaneAccess::is_in_page(Value* first_address) {
    constexpr std::uint64_t kPage = 4096; // or a multiple
    const bool spread = layout_ == Layout::spread;
    if (!shared || (!spread && !e_.lanes.active_mask())) return nullptr;
    const std::uint64_t vector = std::uint64_t{width_} * bytes;
    std::uint64_t reach = vector;
    if (spread) {
        const auto last = static_cast<std::uint64_t>(*std::max_element(places.begin(), places.end()));
        reach = (last / width_ + 1) * vector;
    }
    if (lowest) first_address = b_.CreateAdd(first_address, b_.getInt64(static_cast<std::uint64_t>(lowest)));
    return b_.CreateICmpULE(b_.CreateAnd(first_address, kPage - 1), b_.getInt64(kPage - reach));
}

void LaneAccess::stop_if_misaligned(Value* first_address) {
    if (all_bytes() <= 1) return;
    Value* low = b_.CreateTrunc(first_address, b_.getInt32Ty());
    // With all lanes active, either the first lane's or the second lane's address is wrong, if any is.
    if (stride % all_bytes())
        low = b_.CreateOr(low, b_.CreateAdd(low, b_.getInt32(static_cast<std::uint32_t>(stride))));
    low = b_.CreateAnd(low, b_.getInt32(all_bytes() - 1));
    if (e_.lanes.active_mask()) low = b_.CreateSelect(b_.CreateIsNotNull(e_.active_bits()), low, b_.getInt32(0));
    e_.checks.stop_if_misaligned(low);
}

} // namespace warplight::jit
