// SPDX-License-Identifier: Apache-2.0
// Loads and stores of threads side by side: a vector at once where the lanes' elements are neighbours.
#include "one_by_one.hpp"
#include "software/jit/emit/groups.hpp"
#include "software/jit/passes/prefetch.hpp"

#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;

class Emitter::Memory {
public:
    explicit Memory(Emitter& e) : e_(e), b_(e.b), plan_(*e.plan_) {}

    /// Plain accesses at addresses that differ.
    [[nodiscard]] bool moves_vectors(const Instruction& i, const Operand& address) const {
        if (address.base_kind != Operand::Kind::reg || !e_.varies(address.reg)) return false;
        const bool shared = i.space == Space::shared || i.space == Space::shared_cluster;
        if (i.space == Space::param || (!shared && ptx::bits(e_.function.registers[address.reg].type) == 32))
            return false;
        for (const Modifier m : {Modifier::volatile_, Modifier::relaxed, Modifier::acquire, Modifier::release,
                                 Modifier::mmio, Modifier::cv, Modifier::wt})
            if (i.has(m)) return false;
        return ptx::bits(i.types[i.type_count - 1u]) >= 8 && ptx::bits(i.types[i.type_count - 1u]) <= 64;
    }

    void emit_load(const Instruction& i) {
        const Access a = access(i, i.operands[1], true);
        const bool invariant = i.space == Space::constant || i.has(Modifier::nc);
        std::vector<Value*> values(a.count), far(a.count);
        const auto one_by_one = [&](std::vector<Value*>& to) {
            const Scratch in_memory(e_, "elements", std::size_t{a.bytes} * e_.vector_);
            each_alone(a, in_memory.address(), false, [&](unsigned k, auto move) {
                b_.CreateAlignedStore(llvm::Constant::getNullValue(a.type), in_memory.address(), Scratch::alignment());
                move();
                to[k] = b_.CreateAlignedLoad(a.type, in_memory.address(), Scratch::alignment());
            });
        };
        const auto anywhere = [&] {
            if (a.way != Way::scattered) return one_by_one(far);
            scattered(a, [&](Value* places, unsigned k) {
                far[k] = b_.CreateMaskedGather(a.type, pointers(places), llvm::Align(1), scattered_mask(),
                                               llvm::Constant::getNullValue(a.type));
            });
        };
        const auto near = [&](Value* first) {
            if (plan_.ahead[e_.current_]) fetch_ahead(a, first);
            values = a.way == Way::steps    ? load_steps(a, first)
                     : a.way == Way::spread ? load_spread(a, first)
                                            : load_neighbours(a, first, invariant);
        };
        const Reached reached = reach(a, near, anywhere);
        if (reached == Reached::far) values = far;
        for (unsigned k = 0; reached == Reached::either && k < a.count; ++k) {
            llvm::PHINode* value = b_.CreatePHI(a.type, 2);
            value->addIncoming(values[k], near_end_);
            value->addIncoming(far[k], far_end_);
            values[k] = value;
        }
        const ptx::Type type = i.types[i.type_count - 1u];
        e_.width = e_.vector_;
        for (unsigned k = 0; k < a.count; ++k)
            e_.write(element(i.operands[0], k), type, e_.bits_as(values[k], e_.type_of(type)));
        e_.width = 1;
    }

    void emit_store(const Instruction& i) {
        const Access a = access(i, i.operands[0], false);
        std::vector<Value*> values(a.count);
        e_.width = e_.vector_;
        for (unsigned k = 0; k < a.count; ++k)
            values[k] = e_.bits_as(e_.read(element(i.operands.at(1), k), i.types[i.type_count - 1u]), a.type);
        e_.width = 1;
        const auto one_by_one = [&] {
            const Scratch in_memory(e_, "elements", std::size_t{a.bytes} * e_.vector_);
            each_alone(a, in_memory.address(), true, [&](unsigned k, auto move) {
                b_.CreateAlignedStore(values[k], in_memory.address(), Scratch::alignment());
                move();
            });
        };
        const auto anywhere = [&] {
            if (a.way != Way::scattered) return one_by_one();
            scattered(a, [&](Value* places, unsigned k) {
                b_.CreateMaskedScatter(values[k], pointers(places), llvm::Align(1), scattered_mask());
            });
        };
        const auto near = [&](Value* first) {
            if (a.way == Way::steps) return store_steps(a, first, values);
            if (a.way == Way::spread) return store_spread(a, first, values[0]);
            const auto keep = [&] {
                if (e_.mask_)
                    b_.CreateMaskedStore(values[0], first, llvm::Align(1), e_.mask_);
                else
                    b_.CreateAlignedStore(side_by_side(values), first, llvm::Align(1));
            };
            const auto stream = plan_.streamed[e_.current_];
            if (!stream) return keep();
            branch(
                streams(*stream, first),
                [&] {
                    auto* past = b_.CreateAlignedStore(side_by_side(values), first, llvm::Align(kLineBytes));
                    past->setMetadata(llvm::LLVMContext::MD_nontemporal,
                                      llvm::MDNode::get(e_.context, llvm::ConstantAsMetadata::get(b_.getInt32(1))));
                },
                keep, nullptr);
        };
        reach(a, near, anywhere);
    }

private:
    enum class Way : std::uint8_t {
        neighbours, ///< the lanes' elements lie side by side, unless an index wraps
        steps,      ///< they are as far from each other, unless an index wraps
        spread,     ///< close to each other in a way that is known (Access::places), unless an address wraps
        scattered,  ///< by LLVM's instructions for that
        one_by_one,
    };

    struct Access {
        const Operand& address;
        Type* type;     ///< of integers
        unsigned bytes; ///< an element
        unsigned count; ///< elements a lane
        bool shared;
        std::int64_t stride; ///< of addresses that grow, otherwise 0
        Way way;
        std::vector<int> places; ///< of lanes that are spread: elements from the lowest address on
        std::int64_t lowest = 0; ///< bytes from the first lane's address to that
        [[nodiscard]] unsigned all_bytes() const { return bytes * count; }
    };

    Access access(const Instruction& i, const Operand& address, bool load) {
        const unsigned bits = ptx::bits(i.types[i.type_count - 1u]);
        e_.width = e_.vector_;
        Type* type = e_.integer_type(bits);
        e_.width = 1;
        const bool shared = i.space == Space::shared || i.space == Space::shared_cluster;
        Access a{address, type, bits / 8, std::max(1U, unsigned{i.vector_width}), shared, 0, Way::scattered, {}};
        if (plan_.grows(address.reg) && (shared || ptx::bits(e_.function.registers[address.reg].type) == 64))
            a.stride = *plan_.stride[address.reg];
        if (a.stride == static_cast<std::int64_t>(a.all_bytes()) &&
            (!e_.mask_ || (a.count == 1 && (a.bytes >= 4 || host_masks_anything()))))
            a.way = Way::neighbours;
        else if (load && !e_.mask_ && !is_seldom() && has_gaps(a))
            a.way = Way::steps;
        else if (!is_seldom() && find_places(a))
            a.way = Way::spread;
        else if (!host_masks_anything())
            a.way = e_.mask_ || is_seldom() ? Way::one_by_one : is_short_step(a) ? Way::steps : Way::scattered;
        return a;
    }
    /// Whether the lanes' elements lie so close that all from the lowest to the highest are two vectors. (Of such as
    /// grow evenly, structures' members, stores under a mask would only be in the way of the loads behind them.)
    [[nodiscard]] bool find_places(Access& a) const {
        constexpr std::int64_t kMostVectors = 2;
        const auto known = plan_.beyond_first.find(a.address.reg);
        if (a.count != 1 || a.bytes < 4 || !a.shared || known == plan_.beyond_first.end()) return false;
        const auto& beyond = known->second;
        a.lowest = *std::min_element(beyond.begin(), beyond.end());
        std::set<int> places;
        for (const std::int32_t distance : beyond) {
            const std::int64_t place = (distance - a.lowest) / a.bytes;
            if ((distance - a.lowest) % a.bytes || place >= kMostVectors * e_.vector_) return false;
            a.places.push_back(static_cast<int>(place));
            if (!places.insert(a.places.back()).second) return false;
        }
        return a.lowest % a.bytes == 0;
    }
    /// What runs once is not worth code for each lane.
    [[nodiscard]] bool is_seldom() const { return plan_.blocks[plan_.block_of[e_.current_]].seldom; }
    /// Where the last lane's address of 32 bits may be told from one that has wrapped.
    [[nodiscard]] bool is_short_step(const Access& a) const { return a.stride && std::abs(a.stride) < 1 << 24; }

    // --- addresses

    [[nodiscard]] static Operand base_of(const Access& a) {
        Operand base;
        base.kind = Operand::Kind::reg;
        base.reg = a.address.reg;
        return base;
    }
    /// i64, in lanes or of the first one as e_.width is.
    Value* address_value(const Access& a) {
        if (a.shared) return in_window(e_.shared_address(a.address));
        return b_.CreateAdd(e_.read(base_of(a), ptx::Type::b64),
                            e_.splat(b_.getInt64(static_cast<std::uint64_t>(a.address.integer))));
    }
    /// The same for a word of one lane or several.
    Value* in_window(const SharedAddress& at) {
        Value* offset = b_.CreateAdd(b_.getInt64(static_cast<std::uint64_t>(at.offset)),
                                     b_.CreatePtrToInt(e_.shared_base(), b_.getInt64Ty()));
        if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(at.word->getType()))
            offset = b_.CreateVectorSplat(vector->getNumElements(), offset);
        return b_.CreateAdd(e_.extend(at.word, at.is_signed), offset);
    }
    /// Of addresses in shared memory: the first lane's.
    SharedAddress first_in_shared(const Access& a) {
        if (a.stride) return e_.shared_address(a.address);
        e_.width = e_.vector_;
        SharedAddress all = e_.shared_address(a.address);
        e_.width = 1;
        all.word = b_.CreateExtractElement(all.word, std::uint64_t{0});
        return all;
    }
    /// The first lane's address, i64.
    Value* first_address(const Access& a) { return a.stride ? address_value(a) : in_window(first_in_shared(a)); }
    /// Whether neighbours are what they seem: null where they always are.
    Value* evenly(const Access& a) {
        if (!a.shared) return e_.grows_evenly(a.address.reg);
        const SharedAddress in_shared = first_in_shared(a);
        if (in_shared.is_signed) return nullptr;
        Value* first = in_shared.word;
        if (!a.stride) { // of lanes that are spread
            const auto from = static_cast<std::uint64_t>(-a.lowest);
            const auto to = static_cast<std::uint64_t>(*std::max_element(a.places.begin(), a.places.end())) * a.bytes;
            Value* lowest = b_.CreateSub(b_.CreateZExt(first, b_.getInt64Ty()), b_.getInt64(from));
            return b_.CreateICmpULT(lowest, b_.getInt64((std::uint64_t{1} << 32) - to));
        }
        const std::int64_t reach = a.stride * (e_.vector_ - 1);
        if (reach < 0) return b_.CreateICmpUGE(first, b_.getInt32(static_cast<std::uint32_t>(-reach)));
        return b_.CreateICmpULE(first, b_.getInt32(~static_cast<std::uint32_t>(reach)));
    }
    Pattern pattern(const Access& a) {
        if (a.shared) return {1, 0, static_cast<std::int32_t>(a.stride), e_.shared_address(a.address).is_signed};
        const auto& widening = plan_.widening[a.address.reg];
        if (!widening) return {0, a.stride, 0, false};
        return {widening->factor, a.stride - widening->step * widening->factor,
                static_cast<std::int32_t>(widening->step), widening->is_signed};
    }
    /// Of the first lane, i32.
    Value* index(const Access& a) {
        if (a.shared) return e_.shared_address(a.address).word;
        return plan_.widening[a.address.reg] ? e_.index_of(a.address.reg) : b_.getInt32(0);
    }

    // --- where

    /// Of addresses that grow: also where the index wraps their low bits do as they would anywhere.
    void stop_if_misaligned(const Access& a, Value* first) {
        if (a.all_bytes() <= 1) return;
        Value* low = b_.CreateTrunc(first, b_.getInt32Ty());
        // Where all lanes take part one of these two is wrong, if any is: the first one's or the next one's.
        if (a.stride % a.all_bytes())
            low = b_.CreateOr(low, b_.CreateAdd(low, b_.getInt32(static_cast<std::uint32_t>(a.stride))));
        low = b_.CreateAnd(low, b_.getInt32(a.all_bytes() - 1));
        if (e_.mask_) low = b_.CreateSelect(b_.CreateIsNotNull(e_.lanes_taking_part()), low, b_.getInt32(0));
        e_.stop_if_misaligned(low);
    }

    /// `near()` or `far()`, whichever is right when the code runs.
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
    /// Which of its two ways reach() has taken.
    enum class Reached : std::uint8_t { near, far, either };
    /// `near(first address)` where the lanes' elements lie as `a.way` or a guess has it, `far()` where they do not.
    template <class Near, class Far>
    Reached reach(const Access& a, Near near, Far far) {
        if (a.way <= Way::spread) return choose(a, near, far);
        if (may_be_neighbours(a)) return guess(a, near, far);
        far();
        return Reached::far;
    }
    /// Of addresses that grow: `near(first address)`, or `far()` where the index wraps.
    template <class Near, class Far>
    Reached choose(const Access& a, Near near, Far far) {
        stop_if_misaligned(a, first_address(a));
        const auto first = [&] { near(b_.CreateIntToPtr(first_address(a), b_.getPtrTy())); };
        Value* even = evenly(a);
        if (!even) {
            first();
            return Reached::near;
        }
        branch(even, first, far, llvm::MDBuilder(e_.context).createLikelyBranchWeights());
        return Reached::either;
    }
    [[nodiscard]] bool may_be_neighbours(const Access& a) const {
        return !a.stride && !plan_.from_memory[a.address.reg] && a.count == 1 && !is_seldom() &&
               (!e_.mask_ || a.bytes >= 4 || host_masks_anything());
    }
    /// Of addresses of which nothing is known: mostly they are neighbours all the same.
    template <class Near, class Far>
    Reached guess(const Access& a, Near near, Far far) {
        e_.width = e_.vector_;
        SharedAddress in_shared{};
        if (a.shared) in_shared = e_.shared_address(a.address);
        Value* all = a.shared ? in_shared.word : address_value(a);
        const unsigned bits = a.shared ? 32 : 64;
        llvm::SmallVector<llvm::Constant*> distances;
        for (unsigned lane = 0; lane < e_.vector_; ++lane)
            distances.push_back(b_.getIntN(bits, std::uint64_t{lane} * a.bytes));
        Value* first = b_.CreateExtractElement(all, std::uint64_t{0});
        Value* expected = b_.CreateAdd(e_.splat(first), llvm::ConstantVector::get(distances));
        e_.width = 1;
        Value* is_near = nullptr;
        if (host_masks_anything()) {
            Value* elsewhere = b_.CreateICmpNE(all, expected);
            if (e_.mask_) elsewhere = b_.CreateAnd(elsewhere, e_.mask_);
            is_near = b_.CreateIsNull(b_.CreateBitCast(elsewhere, b_.getIntNTy(e_.vector_)));
        } else {
            Value* difference = b_.CreateXor(all, expected);
            if (e_.mask_)
                difference = b_.CreateSelect(e_.mask_, difference, llvm::Constant::getNullValue(all->getType()));
            is_near = b_.CreateIsNull(b_.CreateOrReduce(difference));
        }
        if (a.shared) {
            const std::uint32_t reach = (e_.vector_ - 1) * a.bytes;
            if (!in_shared.is_signed) is_near = b_.CreateAnd(is_near, b_.CreateICmpULE(first, b_.getInt32(~reach)));
            in_shared.word = first;
            first = in_window(in_shared);
        }
        branch(
            is_near,
            [&] {
                stop_if_misaligned(a, first);
                near(b_.CreateIntToPtr(first, b_.getPtrTy()));
            },
            far, nullptr);
        return Reached::either;
    }

    /// `each(element, move)`, where move() gets that element of every lane to or from memory.
    template <class Each>
    void each_alone(const Access& a, Value* in_memory, bool store, Each each) {
        Value* who = e_.lanes_taking_part();
        const auto call = [&](unsigned k, llvm::Function* f, llvm::ArrayRef<Value*> arguments) {
            llvm::CallInst* low = b_.CreateCall(f, arguments);
            low->setCallingConv(OneByOne::kConvention);
            if (!k && a.way == Way::one_by_one && a.all_bytes() > 1)
                e_.stop_if_misaligned(b_.CreateAnd(low, b_.getInt32(a.all_bytes() - 1)));
        };
        if (a.stride) {
            for (unsigned k = 0; k < a.count; ++k)
                each(k, [&] {
                    Value* first = b_.CreateAdd(address_value(a), b_.getInt64(std::uint64_t{k} * a.bytes));
                    OneByOne functions(e_.unit);
                    call(k, functions.growing(8 * a.bytes, store),
                         {in_memory, who, first, index(a), functions.constant(pattern(a))});
                });
            return;
        }
        const Scratch places(e_, "addresses", std::size_t{8} * e_.vector_);
        e_.width = e_.vector_;
        b_.CreateAlignedStore(address_value(a), places.address(), Scratch::alignment());
        e_.width = 1;
        for (unsigned k = 0; k < a.count; ++k)
            each(k, [&] {
                call(k, OneByOne(e_.unit).anywhere(8 * a.bytes, store),
                     {in_memory, who, places.address(), b_.getInt64(std::uint64_t{k} * a.bytes)});
            });
    }

    // --- scattered

    /// `each(addresses, element)`
    template <class Each>
    void scattered(const Access& a, Each each) {
        e_.width = e_.vector_;
        Value* all = address_value(a);
        e_.width = 1;
        if (a.all_bytes() > 1) {
            Type* words = llvm::FixedVectorType::get(b_.getInt32Ty(), e_.vector_);
            Value* low = b_.CreateAnd(b_.CreateTrunc(all, words), llvm::ConstantInt::get(words, a.all_bytes() - 1));
            if (e_.mask_) low = b_.CreateSelect(e_.mask_, low, llvm::Constant::getNullValue(words));
            e_.stop_if_misaligned(b_.CreateBitCast(b_.CreateIsNotNull(low), b_.getIntNTy(e_.vector_)));
        }
        for (unsigned k = 0; k < a.count; ++k) {
            Value* places = all;
            if (k) places = b_.CreateAdd(places, b_.CreateVectorSplat(e_.vector_, b_.getInt64(k * a.bytes)));
            each(places, k);
        }
    }

    [[nodiscard]] Value* scattered_mask() const {
        return e_.mask_ ? e_.mask_
                        : llvm::Constant::getAllOnesValue(llvm::FixedVectorType::get(b_.getInt1Ty(), e_.vector_));
    }
    Value* pointers(Value* places) {
        return b_.CreateIntToPtr(places, llvm::FixedVectorType::get(b_.getPtrTy(), e_.vector_));
    }

    // --- side by side

    [[nodiscard]] Value* step(const Access& a, Value* first, unsigned lane, unsigned element) {
        const std::int64_t offset = a.stride * lane + element * a.bytes;
        return b_.CreateGEP(b_.getInt8Ty(), first, b_.getInt64(static_cast<std::uint64_t>(offset)));
    }
    /// Every second or fourth element, by loads of all from the first lane's to the last one's: what lies in between
    /// is read too, but nothing beyond.
    Value* load_gaps(const Access& a, Value* first) {
        const unsigned gap = static_cast<unsigned>(a.stride) / a.bytes;
        const unsigned piece = 32 / a.bytes; // elements of a narrow host's vector
        const unsigned last = gap * (e_.vector_ - 1);
        Type* type = llvm::FixedVectorType::get(a.type->getScalarType(), piece);
        std::vector<Value*> parts; // of the lanes, piece / gap each; then two of them together, and so on
        for (unsigned lane = 0; lane < e_.vector_; lane += piece / gap) {
            const unsigned wanted = lane * gap, from = std::min(wanted, last + 1 - piece);
            std::vector<int> places(piece / gap);
            for (unsigned k = 0; k < piece / gap; ++k)
                places[k] = static_cast<int>(wanted - from + k * gap);
            Value* address = b_.CreateConstGEP1_64(b_.getInt8Ty(), first, std::uint64_t{from} * a.bytes);
            parts.push_back(b_.CreateShuffleVector(b_.CreateAlignedLoad(type, address, llvm::Align(1)), places));
        }
        while (parts.size() > 1) {
            for (std::size_t k = 0; k < parts.size() / 2; ++k)
                parts[k] = join(parts[2 * k], parts[2 * k + 1]);
            parts.resize(parts.size() / 2);
        }
        return parts[0];
    }
    [[nodiscard]] bool has_gaps(const Access& a) const {
        return a.count == 1 && (a.bytes == 4 || a.bytes == 8) && e_.vector_ * a.bytes >= 32 &&
               (a.stride == 2 * static_cast<std::int64_t>(a.bytes) ||
                a.stride == 4 * static_cast<std::int64_t>(a.bytes));
    }
    std::vector<Value*> load_steps(const Access& a, Value* first) {
        if (has_gaps(a)) return {load_gaps(a, first)};
        std::vector<Value*> values(a.count, llvm::PoisonValue::get(a.type));
        for (unsigned k = 0; k < a.count; ++k)
            for (unsigned lane = 0; lane < e_.vector_; ++lane) {
                Value* one = b_.CreateAlignedLoad(a.type->getScalarType(), step(a, first, lane, k), llvm::Align(1));
                values[k] = b_.CreateInsertElement(values[k], one, std::uint64_t{lane});
            }
        return values;
    }
    void store_steps(const Access& a, Value* first, const std::vector<Value*>& values) {
        for (unsigned k = 0; k < a.count; ++k) // of lanes at one address the last one stays
            for (unsigned lane = 0; lane < e_.vector_; ++lane)
                b_.CreateAlignedStore(b_.CreateExtractElement(values[k], std::uint64_t{lane}), step(a, first, lane, k),
                                      llvm::Align(1));
    }

    /// Whether whole lines are written, to memory of which there is much.
    Value* streams(std::uint32_t stream, Value* first) {
        Value* all =
            e_.load_field(e_.launch(), offsetof(software::LaunchContext, non_temporal), b_.getInt32Ty(), 0, "streamed");
        Value* much = b_.CreateIsNotNull(b_.CreateAnd(all, b_.getInt32(1U << stream)));
        Value* low = b_.CreateAnd(b_.CreatePtrToInt(first, b_.getInt64Ty()), b_.getInt64(kLineBytes - 1));
        Value* whole = b_.CreateAnd(b_.CreateIsNull(low), much);
        if (!e_.mask_) return whole;
        Value* who = b_.CreateBitCast(e_.mask_, b_.getIntNTy(e_.vector_));
        return b_.CreateAnd(whole, b_.CreateICmpEQ(who, llvm::ConstantInt::getAllOnesValue(who->getType())));
    }

    /// Gets what a block to come will read into the cache: 3 KiB were the best of 1 to 8 (docs/measurements.md).
    void fetch_ahead(const Access& a, Value* first) {
        constexpr std::uint64_t kDistance = 3072;
        const std::uint64_t bytes = std::uint64_t{a.all_bytes()} * e_.vector_;
        for (std::uint64_t at = 0; at < bytes; at += kLineBytes)
            fetch_line(b_, first, kDistance + at);
    }

    // --- spread

    /// The vectors that hold the lanes' elements, from the lowest address on: of each element the lane, or -1.
    [[nodiscard]] std::vector<std::vector<int>> pieces_of(const Access& a) const {
        std::vector<std::vector<int>> pieces;
        for (unsigned lane = 0; lane < e_.vector_; ++lane) {
            const auto place = static_cast<unsigned>(a.places[lane]);
            while (pieces.size() <= place / e_.vector_)
                pieces.emplace_back(e_.vector_, -1);
            pieces[place / e_.vector_][place % e_.vector_] = static_cast<int>(lane);
        }
        return pieces;
    }
    /// Which elements of a piece are lanes' that take part; null: all.
    Value* mask_of(const std::vector<int>& piece) {
        llvm::SmallVector<llvm::Constant*> taken;
        for (const int lane : piece)
            taken.push_back(b_.getInt1(lane >= 0));
        Value* there = llvm::ConstantVector::get(taken);
        const bool all = std::find(piece.begin(), piece.end(), -1) == piece.end();
        if (!e_.mask_) return all ? nullptr : there;
        Value* who = b_.CreateShuffleVector(e_.mask_, piece);
        return all ? who : b_.CreateSelect(there, who, llvm::Constant::getNullValue(who->getType()));
    }
    Value* address_of_piece(const Access& a, Value* first, std::size_t piece) {
        const std::int64_t offset = a.lowest + static_cast<std::int64_t>(piece * e_.vector_ * a.bytes);
        return b_.CreateGEP(b_.getInt8Ty(), first, b_.getInt64(static_cast<std::uint64_t>(offset)));
    }
    std::vector<Value*> load_spread(const Access& a, Value* first) {
        const auto pieces = pieces_of(a);
        std::vector<Value*> parts;
        for (std::size_t k = 0; k < pieces.size(); ++k) {
            Value* address = address_of_piece(a, first, k);
            Value* mask = mask_of(pieces[k]);
            parts.push_back(mask ? static_cast<Value*>(b_.CreateMaskedLoad(a.type, address, llvm::Align(1), mask,
                                                                           llvm::Constant::getNullValue(a.type)))
                                 : b_.CreateAlignedLoad(a.type, address, llvm::Align(1)));
        }
        if (parts.size() == 1) return {b_.CreateShuffleVector(parts[0], a.places)};
        return {b_.CreateShuffleVector(parts[0], parts[1], a.places)};
    }
    void store_spread(const Access& a, Value* first, Value* value) {
        const auto pieces = pieces_of(a);
        for (std::size_t k = 0; k < pieces.size(); ++k) {
            Value* part = b_.CreateShuffleVector(value, pieces[k]);
            Value* address = address_of_piece(a, first, k);
            if (Value* mask = mask_of(pieces[k]))
                b_.CreateMaskedStore(part, address, llvm::Align(1), mask);
            else
                b_.CreateAlignedStore(part, address, llvm::Align(1));
        }
    }

    /// Of each lane, element by element.
    std::vector<Value*> load_neighbours(const Access& a, Value* first, bool invariant) {
        if (e_.mask_)
            return {b_.CreateMaskedLoad(a.type, first, llvm::Align(1), e_.mask_, llvm::Constant::getNullValue(a.type))};
        // That it is aligned is looked at when the block is done.
        Type* all = llvm::FixedVectorType::get(a.type->getScalarType(), e_.vector_ * a.count);
        llvm::LoadInst* load = b_.CreateAlignedLoad(all, first, llvm::Align(1));
        if (invariant) load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(e_.context, {}));
        if (a.count == 1) return {load};
        std::vector<Value*> values(a.count);
        for (unsigned k = 0; k < a.count; ++k)
            values[k] = b_.CreateShuffleVector(load, every(a.count, k));
        return values;
    }
    /// Element k of each lane, of those that lie side by side.
    [[nodiscard]] std::vector<int> every(unsigned count, unsigned k) const {
        std::vector<int> places(e_.vector_);
        for (unsigned lane = 0; lane < e_.vector_; ++lane)
            places[lane] = static_cast<int>(lane * count + k);
        return places;
    }
    [[nodiscard]] static const Operand& element(const Operand& operand, unsigned k) {
        return operand.kind == Operand::Kind::vector ? operand.elements.at(k) : operand;
    }
    /// One vector with all of the first lane first.
    Value* side_by_side(const std::vector<Value*>& values) {
        if (values.size() == 1) return values[0];
        Value* all = values.size() == 2 ? join(values[0], values[1])
                                        : join(join(values[0], values[1]), join(values[2], values[3]));
        std::vector<int> places;
        for (unsigned lane = 0; lane < e_.vector_; ++lane)
            for (unsigned k = 0; k < values.size(); ++k)
                places.push_back(static_cast<int>(k * e_.vector_ + lane));
        return b_.CreateShuffleVector(all, places);
    }
    Value* join(Value* x, Value* y) {
        const unsigned count = llvm::cast<llvm::FixedVectorType>(x->getType())->getNumElements();
        std::vector<int> places(std::size_t{2} * count);
        for (unsigned k = 0; k < 2 * count; ++k)
            places[k] = static_cast<int>(k);
        return b_.CreateShuffleVector(x, y, places);
    }

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const LanePlan& plan_;
    llvm::BasicBlock* near_end_ = nullptr;
    llvm::BasicBlock* far_end_ = nullptr;
};

bool Emitter::emit_lane_access(const Instruction& i) {
    Memory memory(*this);
    if (i.opcode == Opcode::ld && memory.moves_vectors(i, i.operands.at(1)))
        memory.emit_load(i);
    else if (i.opcode == Opcode::st && memory.moves_vectors(i, i.operands.at(0)))
        memory.emit_store(i);
    else
        return false;
    return true;
}

} // namespace warplight::jit
