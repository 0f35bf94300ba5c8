// SPDX-License-Identifier: Apache-2.0
// Loads and stores at each lane's address. Elements that lie near each other are moved by whole vectors. If only the
// running code can tell that they do, two ways are emitted: a near one and a far one.
#include "lane_groups.hpp"
#include "near_elements.hpp"
#include "software/jit/emit/groups.hpp"
#include "software/jit/emit/memory/prefetch.hpp"
#include "software/jit/host.hpp"

#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/MDBuilder.h>

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

// Bytes from a load to what it prefetches, the best of several (docs/measurements.md).
constexpr std::uint64_t kNextTiles = 256;    ///< of blocks with rows, of 64 to 512
constexpr std::uint64_t kNextRows = 6144;    ///< in a loop over a row, of 2 to 8 KiB
constexpr std::uint64_t kNextThreads = 1024; ///< in a grid-stride loop, of 512 to 2048

const Operand& element(const Operand& operand, unsigned k) {
    return operand.kind == Operand::Kind::vector ? operand.elements.at(k) : operand;
}

class Memory {
public:
    Memory(Emitter& e, const Instruction& i, const Operand& address, bool is_load)
        : e_(e), b_(e.b), plan_(*e.plan), i_(i), type_(i.types[i.type_count - 1u]), a_(e, i, address, is_load),
          near_(e, a_) {}

    void load() {
        const bool invariant = i_.space == Space::constant || i_.has(Modifier::nc);
        std::vector<Value*> values(a_.count), far(a_.count);
        const Reached reached = reach(
            [&](Value* first) {
                prefetch_for_others(first);
                values = near_.load(first, invariant);
            },
            [&] { may_be_runs() ? load_runs(far) : load_far(far); });
        if (reached == Reached::far) values = far;
        for (unsigned k = 0; reached == Reached::either && k < a_.count; ++k) {
            llvm::PHINode* value = b_.CreatePHI(a_.type, 2);
            value->addIncoming(values[k], near_end_);
            value->addIncoming(far[k], far_end_);
            values[k] = value;
        }
        const auto vectors = e_.lanes.with_full_width();
        for (unsigned k = 0; k < a_.count; ++k)
            e_.write(element(i_.operands[0], k), type_, e_.bits_as(values[k], e_.type_of(type_)));
    }

    void store() {
        std::vector<Value*> values(a_.count);
        {
            const auto vectors = e_.lanes.with_full_width();
            for (unsigned k = 0; k < a_.count; ++k)
                values[k] = e_.bits_as(e_.read(element(i_.operands.at(1), k), type_), a_.type);
        }
        if (a_.may_be_packed() && !e_.lanes.is_seldom()) return store_packed(values[0]);
        reach([&](Value* first) { store_near(first, values); }, [&] { store_far(values); });
    }

private:
    // --- elements that lie near each other

    void store_near(Value* first, const std::vector<Value*>& values) {
        const auto pointer = plan_.non_temporal_stores.pointer_of(e_.instruction());
        if (!pointer || a_.layout() == Layout::strided || a_.layout() == Layout::spread || a_.may_be_spread())
            return store_cached(first, values);
        branch(
            is_non_temporal(*pointer, first), [&] { near_.store_non_temporal(first, values); },
            [&] { store_cached(first, values); }, nullptr);
    }
    void store_cached(Value* first, const std::vector<Value*>& values) {
        if (plan_.prefetches.all.contains(e_.instruction())) prefetch_next_blocks(first, true);
        near_.store(first, values);
    }

    /// Whole cache lines are written, to memory that the launch writes much of.
    Value* is_non_temporal(std::uint32_t pointer, Value* first) {
        Value* all = e_.load_field(e_.place.launch(), offsetof(software::LaunchContext, non_temporal), b_.getInt32Ty(),
                                   0, "streamed");
        Value* much = b_.CreateIsNotNull(b_.CreateAnd(all, b_.getInt32(1U << pointer)));
        Value* low = b_.CreateAnd(b_.CreatePtrToInt(first, b_.getInt64Ty()), b_.getInt64(kLineBytes - 1));
        Value* whole = b_.CreateAnd(b_.CreateIsNull(low), much);
        if (!e_.lanes.active_mask()) return whole;
        Value* active = b_.CreateBitCast(e_.lanes.active_mask(), b_.getIntNTy(width()));
        return b_.CreateAnd(whole, b_.CreateICmpEQ(active, llvm::ConstantInt::getAllOnesValue(active->getType())));
    }

    void prefetch_for_others(Value* first) {
        if (plan_.prefetches.all.contains(e_.instruction())) return prefetch_next_blocks(first, false);
        if (plan_.prefetches.likely.contains(e_.instruction()))
            return prefetch(first, plan_.registers.from_memory[i_.operands[1].reg] ? kNextTiles : kNextBlocks);
        if (!e_.coroutine) return;
        const auto read = plan_.grid_stride_loads.find(e_.instruction());
        if (read == plan_.grid_stride_loads.end()) return;
        if (read->second.steps.empty()) return prefetch(first, kNextThreads);
        Value* distance = b_.getInt64(0);
        for (const Operand& step : read->second.steps) {
            const unsigned bits = ptx::bits(e_.function.registers[step.reg].type);
            Value* by = e_.read(step, bits == 64 ? ptx::Type::s64 : ptx::Type::s32);
            distance = b_.CreateAdd(distance, b_.CreateSExt(by, b_.getInt64Ty()));
        }
        distance = b_.CreateMul(distance, b_.getInt64(read->second.bytes * read->second.rounds));
        prefetch(b_.CreateGEP(b_.getInt8Ty(), first, distance), 0);
    }

    void prefetch_next_blocks(Value* first, bool to_write) {
        const auto& steps = plan_.prefetches.of_long_blocks;
        const auto step = steps.find(e_.instruction());
        if (step == steps.end()) return prefetch(first, distance(), to_write);
        if (!step->second.each_thread) return prefetch(first, step->second.bytes, to_write);
        Value* threads =
            e_.load_field(e_.place.launch(), offsetof(software::LaunchContext, ntid), b_.getInt32Ty(), 0, "ntid");
        Value* bytes = b_.CreateMul(b_.CreateZExt(threads, b_.getInt64Ty()), b_.getInt64(step->second.bytes));
        prefetch(b_.CreateGEP(b_.getInt8Ty(), first, bytes), 0, to_write);
    }

    [[nodiscard]] std::uint64_t distance() const {
        if (plan_.prefetches.of_tiles.contains(e_.instruction())) return kNextTiles;
        return is_in_loop() ? kNextRows : kNextBlocks;
    }
    [[nodiscard]] bool is_in_loop() const {
        return e_.unit.analysis.functions[e_.function_id].has_loop && !plan_.blocks.of(e_.instruction()).cold;
    }

    void prefetch(Value* first, std::uint64_t distance, bool to_write = false) {
        const std::uint64_t bytes = std::max<std::uint64_t>(a_.all_bytes(), std::abs(a_.stride)) * width();
        for (std::uint64_t at = 0; at < bytes; at += kLineBytes)
            fetch_line(b_, first, distance + at, to_write);
    }

    /// The active lanes' elements mostly follow each other.
    void store_packed(Value* values) {
        Value* all = lane_addresses();
        Value* mask = e_.lanes.active_mask();
        std::vector<std::uint32_t> lower(width());
        for (unsigned lane = 0; lane < width(); ++lane)
            lower[lane] = (1U << lane) - 1;
        Value* before = b_.CreateAnd(b_.CreateVectorSplat(width(), e_.active_bits()),
                                     llvm::ConstantDataVector::get(e_.context, lower));
        before = b_.CreateZExt(b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, before), all->getType());
        before = b_.CreateMul(before, llvm::ConstantInt::get(all->getType(), a_.bytes));
        Value* firsts = b_.CreateSub(b_.CreateFreeze(all), before); // the same in all active lanes
        // Active or not, the first lane mostly has computed it as the others have. To look for one takes longer.
        Value* first = b_.CreateExtractElement(firsts, std::uint64_t{0});
        Value* others = b_.CreateAnd(b_.CreateICmpNE(firsts, b_.CreateVectorSplat(width(), first)), mask);
        branch(
            b_.CreateIsNull(b_.CreateBitCast(others, b_.getIntNTy(width()))),
            [&] {
                a_.stop_if_misaligned(first);
                store_compressed(values, b_.CreateIntToPtr(first, e_.device_pointer()));
            },
            [&] { store_far({values}); }, nullptr);
    }

    /// The elements of active lanes, one behind the other. A store that compresses is slower than its two halves.
    void store_compressed(Value* values, Value* to) {
        const unsigned part = kLineBytes / a_.bytes;
        auto* vector = llvm::FixedVectorType::get(b_.getInt32Ty(), part);
        Type* bits = b_.getIntNTy(part);
        values = b_.CreateBitCast(values, llvm::FixedVectorType::get(b_.getInt32Ty(), width()));
        for (unsigned from = 0; from < width(); from += part) {
            llvm::SmallVector<int> lanes;
            for (unsigned lane = 0; lane < part; ++lane)
                lanes.push_back(static_cast<int>(from + lane));
            Value* mask = b_.CreateShuffleVector(e_.lanes.active_mask(), lanes);
            Value* packed =
                e_.intrinsic(llvm::Intrinsic::x86_avx512_mask_compress, {vector},
                             {b_.CreateShuffleVector(values, lanes), llvm::Constant::getNullValue(vector), mask});
            Value* count = b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, b_.CreateBitCast(mask, bits));
            count = b_.CreateZExt(count, b_.getInt64Ty());
            Value* low = b_.CreateSub(b_.CreateShl(b_.getInt64(1), count), b_.getInt64(1));
            low = b_.CreateBitCast(b_.CreateTrunc(low, bits), mask->getType());
            b_.CreateMaskedStore(packed, to, llvm::Align(1), low);
            to = b_.CreateGEP(b_.getInt32Ty(), to, count);
        }
    }

    // --- elements that lie anywhere

    void load_far(std::vector<Value*>& values) {
        if (a_.layout() == Layout::scattered && moves_pairs()) {
            each_scattered([&](Value* addresses, unsigned k) {
                Type* pairs = llvm::FixedVectorType::get(b_.getInt64Ty(), width());
                Value* pair = b_.CreateMaskedGather(pairs, pointers(addresses), llvm::Align(1), full_mask(),
                                                    llvm::Constant::getNullValue(pairs));
                pair = b_.CreateBitCast(pair, llvm::FixedVectorType::get(b_.getInt32Ty(), 2 * width()));
                for (unsigned half : {0U, 1U})
                    values[k + half] = b_.CreateShuffleVector(pair, near_.every(2, half));
            });
            return;
        }
        if (a_.layout() == Layout::scattered) {
            each_scattered([&](Value* addresses, unsigned k) {
                values[k] = b_.CreateMaskedGather(a_.type, pointers(addresses), llvm::Align(1), full_mask(),
                                                  llvm::Constant::getNullValue(a_.type));
            });
            return;
        }
        const Scratch elements(e_, "elements", std::size_t{a_.bytes} * width());
        each_serial(elements.address(), false, [&](unsigned k, auto move) {
            b_.CreateAlignedStore(llvm::Constant::getNullValue(a_.type), elements.address(), Scratch::alignment());
            move();
            values[k] = b_.CreateAlignedLoad(a_.type, elements.address(), Scratch::alignment());
        });
    }

    /// Lanes that leave a loop at different times may go on in the next one as two rows of neighbours: the first lanes
    /// are a round ahead of the last ones. So it is with loops that compilers have written out four times, behind a
    /// loop for what is left of them.
    [[nodiscard]] bool may_be_runs() const {
        return !a_.shared && a_.may_be_neighbours() && e_.lanes.active_mask() && !e_.lanes.is_seldom() &&
               host_masks_anything();
    }
    void load_runs(std::vector<Value*>& values) {
        Value* all = a_.base_addresses();
        Value* first = b_.CreateExtractElement(all, std::uint64_t{0});
        const std::uint64_t reach = std::uint64_t{width() - 1} * a_.bytes;
        Value* second = b_.CreateSub(b_.CreateExtractElement(all, std::uint64_t{width() - 1}), b_.getInt64(reach));
        Value* ahead = b_.CreateAnd(e_.lanes.active_mask(), b_.CreateICmpEQ(all, neighbours_of(first, 64)));
        Value* behind = b_.CreateAnd(e_.lanes.active_mask(), b_.CreateNot(ahead));
        Value* elsewhere = b_.CreateAnd(behind, b_.CreateICmpNE(all, neighbours_of(second, 64)));
        llvm::BasicBlock* runs = e_.new_block("runs");
        llvm::BasicBlock* scattered = e_.new_block("scattered");
        llvm::BasicBlock* rest = e_.new_block("rest");
        b_.CreateCondBr(b_.CreateIsNull(as_bits(elsewhere)), runs, scattered);
        b_.SetInsertPoint(runs);
        Value* address = b_.CreateAdd(second, a_.offset());
        // The first lane tells nothing where no active lane follows it.
        a_.stop_if_misaligned(b_.CreateSelect(b_.CreateIsNull(as_bits(ahead)), address,
                                              b_.CreateOr(b_.CreateAdd(first, a_.offset()), address)));
        Value* value = llvm::Constant::getNullValue(a_.type);
        for (const auto& [from, lanes] : {std::pair(first, ahead), std::pair(second, behind)}) {
            Value* pointer = b_.CreateIntToPtr(b_.CreateAdd(from, a_.offset()), e_.device_pointer());
            value = b_.CreateMaskedLoad(a_.type, pointer, llvm::Align(1), lanes, value);
        }
        llvm::BasicBlock* runs_end = b_.GetInsertBlock();
        b_.CreateBr(rest);
        b_.SetInsertPoint(scattered);
        load_far(values);
        llvm::BasicBlock* scattered_end = b_.GetInsertBlock();
        b_.CreateBr(rest);
        b_.SetInsertPoint(rest);
        llvm::PHINode* either = b_.CreatePHI(a_.type, 2);
        either->addIncoming(value, runs_end);
        either->addIncoming(values[0], scattered_end);
        values[0] = either;
    }

    void store_far(const std::vector<Value*>& values) {
        const bool may_be_held = plan_.held_store && plan_.held_store->instruction == e_.instruction() &&
                                 e_.unit.options.tells_nothing() && !e_.lanes.active_mask();
        if (!may_be_held) return store_scattered(values);
        llvm::BasicBlock* ask = e_.new_block("ask");
        llvm::BasicBlock* now = e_.new_block("now");
        llvm::BasicBlock* rest = e_.new_block("rest");
        Value* held =
            e_.load_field(e_.place.block(), offsetof(software::BlockContext, held_stores), b_.getPtrTy(), 0, "held");
        b_.CreateCondBr(b_.CreateIsNull(held), now, ask);
        b_.SetInsertPoint(ask);
        b_.CreateCondBr(b_.CreateIsNull(hold(values[0])), now, rest);
        b_.SetInsertPoint(now);
        store_scattered(values);
        b_.CreateBr(rest);
        b_.SetInsertPoint(rest);
    }

    /// Whether the worker makes the store later.
    Value* hold(Value* values) {
        const Scratch addresses(e_, "addresses", std::size_t{8} * width());
        const Scratch elements(e_, "elements", std::size_t{a_.bytes} * width());
        b_.CreateAlignedStore(lane_addresses(), addresses.address(), Scratch::alignment());
        b_.CreateAlignedStore(values, elements.address(), Scratch::alignment());
        return e_.runtime_call("wl_rt_hold_store", b_.getInt32Ty(),
                               {e_.place.block(), addresses.address(), elements.address(), b_.getInt32(width())});
    }

    void store_scattered(const std::vector<Value*>& values) {
        if (a_.layout() == Layout::scattered && moves_pairs()) {
            each_scattered([&](Value* addresses, unsigned k) {
                Value* pair = near_.lane_by_lane({values[k], values[k + 1]});
                pair = b_.CreateBitCast(pair, llvm::FixedVectorType::get(b_.getInt64Ty(), width()));
                b_.CreateMaskedScatter(pair, pointers(addresses), llvm::Align(1), full_mask());
            });
            return;
        }
        if (a_.layout() == Layout::scattered) {
            each_scattered([&](Value* addresses, unsigned k) {
                b_.CreateMaskedScatter(values[k], pointers(addresses), llvm::Align(1), full_mask());
            });
            return;
        }
        const Scratch elements(e_, "elements", std::size_t{a_.bytes} * width());
        each_serial(elements.address(), true, [&](unsigned k, auto move) {
            b_.CreateAlignedStore(values[k], elements.address(), Scratch::alignment());
            move();
        });
    }

    /// A gather or scatter takes its time for each element, however long.
    [[nodiscard]] bool moves_pairs() const { return a_.bytes == 4 && a_.count % 2 == 0; }

    /// `each(addresses, element)`; of pairs for the first one's
    template <class Each>
    void each_scattered(Each each) {
        Value* all = lane_addresses();
        if (a_.all_bytes() > 1) {
            Type* words = llvm::FixedVectorType::get(b_.getInt32Ty(), width());
            Value* low = b_.CreateAnd(b_.CreateTrunc(all, words), llvm::ConstantInt::get(words, a_.all_bytes() - 1));
            if (Value* mask = e_.lanes.active_mask())
                low = b_.CreateSelect(mask, low, llvm::Constant::getNullValue(words));
            e_.checks.stop_if_misaligned(b_.CreateBitCast(b_.CreateIsNotNull(low), b_.getIntNTy(width())));
        }
        for (unsigned k = 0; k < a_.count; k += moves_pairs() ? 2 : 1) {
            Value* addresses = all;
            if (k) addresses = b_.CreateAdd(addresses, b_.CreateVectorSplat(width(), b_.getInt64(k * a_.bytes)));
            each(addresses, k);
        }
    }
    [[nodiscard]] Value* full_mask() const {
        Value* mask = e_.lanes.active_mask();
        return mask ? mask : llvm::Constant::getAllOnesValue(llvm::FixedVectorType::get(b_.getInt1Ty(), width()));
    }
    Value* pointers(Value* addresses) {
        return b_.CreateIntToPtr(addresses, llvm::FixedVectorType::get(e_.device_pointer(), width()));
    }

    /// `each(element, move)`, where move() moves that element of every active lane between memory and `elements`.
    template <class Each>
    void each_serial(Value* elements, bool store, Each each) {
        Value* active = e_.active_bits();
        const auto call = [&](unsigned k, llvm::Function* f, llvm::ArrayRef<Value*> arguments) {
            llvm::CallInst* low = b_.CreateCall(f, arguments);
            low->setCallingConv(SerialAccess::kConvention);
            if (!k && a_.layout() == Layout::serial && a_.all_bytes() > 1)
                e_.checks.stop_if_misaligned(b_.CreateAnd(low, b_.getInt32(a_.all_bytes() - 1)));
        };
        if (a_.stride) {
            for (unsigned k = 0; k < a_.count; ++k)
                each(k, [&] {
                    Value* first = b_.CreateAdd(a_.addresses(), b_.getInt64(std::uint64_t{k} * a_.bytes));
                    SerialAccess functions(e_.unit);
                    const LaneStep step = a_.lane_step();
                    const bool are_neighbours = step.factor * step.step + step.beyond == a_.bytes;
                    call(k,
                         are_neighbours && host_masks_anything() ? functions.neighbours(8 * a_.bytes, store)
                                                                 : functions.affine(8 * a_.bytes, store),
                         {elements, active, first, a_.first_index(), functions.constant(step)});
                });
            return;
        }
        const Scratch addresses(e_, "addresses", std::size_t{8} * width());
        b_.CreateAlignedStore(lane_addresses(), addresses.address(), Scratch::alignment());
        for (unsigned k = 0; k < a_.count; ++k)
            each(k, [&] {
                call(k, SerialAccess(e_.unit).scattered(8 * a_.bytes, store),
                     {elements, active, addresses.address(), b_.getInt64(std::uint64_t{k} * a_.bytes)});
            });
    }

    // --- the near way or the far way

    enum class Reached : std::uint8_t { near, far, either };
    /// Emits `near(first lane's address)` for elements that lie as a layout or a guess has it, `far()` for others.
    template <class Near, class Far>
    Reached reach(Near near, Far far) {
        if (e_.lanes.is_seldom()) {
            far();
            return Reached::far;
        }
        if (a_.layout() == Layout::grouped) return by_groups(near, far);
        if (a_.has_layout()) return by_layout(near, far);
        if (a_.may_be_spread()) return by_likely_places(near, far);
        if (a_.may_be_neighbours()) return by_guess(near, far);
        far();
        return Reached::far;
    }

    /// Far where an index wraps, or where a processor would be slow.
    template <class Near, class Far>
    Reached by_layout(Near near, Far far) {
        Value* address = a_.first_address();
        a_.stop_if_misaligned(address);
        const auto first = [&] { near(b_.CreateIntToPtr(a_.first_address(), e_.device_pointer())); };
        Value* as_laid_out = both(a_.is_as_laid_out(), a_.is_in_page(address));
        if (!as_laid_out) {
            first();
            return Reached::near;
        }
        branch(as_laid_out, first, far, llvm::MDBuilder(e_.context).createLikelyBranchWeights());
        return Reached::either;
    }

    /// Far where a register was not what the place in the group was guessed from.
    template <class Near, class Far>
    Reached by_groups(Near near, Far far) {
        const auto groups = [&] {
            near(b_.CreateIntToPtr(a_.in_window({a_.group_word(), 0, false}), e_.device_pointer()));
        };
        if (e_.lanes.group_word()) {
            groups();
            return Reached::near;
        }
        a_.stop_if_misaligned(a_.first_address());
        branch(a_.is_in_groups(), groups, far, llvm::MDBuilder(e_.context).createLikelyBranchWeights());
        return Reached::either;
    }

    /// Far where an index is negative or wraps.
    template <class Near, class Far>
    Reached by_likely_places(Near near, Far far) {
        Value* all = a_.base_addresses(); // without the offset, so that those of one register are compared once
        Value* first = b_.CreateExtractElement(all, std::uint64_t{0});
        const auto lie_there = [&] {
            Value* address = b_.CreateAdd(first, a_.offset());
            a_.stop_if_misaligned(address);
            near(b_.CreateIntToPtr(address, e_.device_pointer()));
        };
        branch(are(a_.likely_addresses(first), all), lie_there, far,
               llvm::MDBuilder(e_.context).createLikelyBranchWeights());
        return Reached::either;
    }

    /// Nothing is known of the addresses: mostly the elements are neighbours all the same.
    template <class Near, class Far>
    Reached by_guess(Near near, Far far) {
        Addresses::Shared in_shared{};
        if (a_.shared) in_shared = a_.shared_addresses();
        // Without the offset, so that neighbours of one register are looked for once.
        Value* all = a_.shared ? in_shared.word : a_.base_addresses();
        Value* first = b_.CreateExtractElement(all, std::uint64_t{0});
        Value* is_near = are_neighbours(all, first);
        if (a_.shared) {
            const std::uint32_t reach = (width() - 1) * a_.bytes;
            if (!in_shared.is_signed) is_near = b_.CreateAnd(is_near, b_.CreateICmpULE(first, b_.getInt32(~reach)));
            in_shared.word = first;
            first = a_.in_window(in_shared);
            is_near = both(is_near, a_.is_in_page(first));
        } else {
            first = b_.CreateAdd(first, a_.offset());
        }
        branch(
            is_near,
            [&] {
                a_.stop_if_misaligned(first);
                near(b_.CreateIntToPtr(first, e_.device_pointer()));
            },
            far, nullptr);
        return Reached::either;
    }

    /// A null condition holds.
    Value* both(Value* one, Value* other) {
        if (!one || !other) return one ? one : other;
        return b_.CreateAnd(one, other);
    }

    /// i1: active lanes have addresses that follow the first lane's.
    Value* are_neighbours(Value* all, Value* first) { return are(neighbours_of(first, a_.shared ? 32 : 64), all); }

    /// i1: of the active lanes.
    Value* are(Value* expected, Value* all) {
        Value* mask = e_.lanes.active_mask();
        if (host_masks_anything()) {
            Value* elsewhere = b_.CreateICmpNE(all, expected);
            if (mask) elsewhere = b_.CreateAnd(elsewhere, mask);
            return b_.CreateIsNull(as_bits(elsewhere));
        }
        Value* difference = b_.CreateXor(all, expected);
        if (mask) difference = b_.CreateSelect(mask, difference, llvm::Constant::getNullValue(all->getType()));
        return b_.CreateIsNull(b_.CreateOrReduce(difference));
    }

    Value* as_bits(Value* mask) { return b_.CreateBitCast(mask, b_.getIntNTy(width())); }
    Value* neighbours_of(Value* first, unsigned bits) {
        llvm::SmallVector<llvm::Constant*> distances;
        for (unsigned lane = 0; lane < width(); ++lane)
            distances.push_back(b_.getIntN(bits, std::uint64_t{lane} * a_.bytes));
        return b_.CreateAdd(b_.CreateVectorSplat(width(), first), llvm::ConstantVector::get(distances));
    }

    template <class Near, class Far>
    void branch(Value* is_near, Near near, Far far, llvm::MDNode* weights) {
        llvm::BasicBlock* here = e_.new_block("near");
        llvm::BasicBlock* elsewhere = e_.new_block("far");
        llvm::BasicBlock* rest = e_.new_block("rest");
        b_.CreateCondBr(is_near, here, elsewhere, weights);
        b_.SetInsertPoint(here);
        near();
        near_end_ = b_.GetInsertBlock();
        b_.CreateBr(rest);
        b_.SetInsertPoint(elsewhere);
        far();
        far_end_ = b_.GetInsertBlock();
        b_.CreateBr(rest);
        b_.SetInsertPoint(rest);
    }

    [[nodiscard]] unsigned width() const { return e_.lanes.full_width(); }
    Value* lane_addresses() {
        const auto vectors = e_.lanes.with_full_width();
        return a_.addresses();
    }

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const LanePlan& plan_;
    const Instruction& i_;
    const ptx::Type type_;
    LaneAccess a_;
    NearElements near_;
    llvm::BasicBlock* near_end_ = nullptr;
    llvm::BasicBlock* far_end_ = nullptr;
};

} // namespace

bool emit_lane_access(Emitter& e, const Instruction& i) {
    if (i.opcode == Opcode::ld && moves_vectors(e, i, i.operands.at(1)))
        Memory(e, i, i.operands[1], true).load();
    else if (i.opcode == Opcode::st && moves_vectors(e, i, i.operands.at(0)))
        Memory(e, i, i.operands[0], false).store();
    else
        return false;
    return true;
}

} // namespace warplight::jit
