// SPDX-License-Identifier: Apache-2.0
// Samples of one texture for all lanes.
#include "lane_groups.hpp"
#include "plain_texture.hpp"
#include "software/jit/emit/memory/texture_operands.hpp"
#include "software/jit/ir_conventions.hpp"

#include <llvm/IR/MDBuilder.h>

#include <array>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using ptx::Operand;
using software::PlainTexture;
using software::TextureGeometry;
using software::TextureLanes;
using Kind = Operand::Kind;

namespace {

class SampleLanes {
public:
    SampleLanes(Emitter& e, const ptx::Instruction& i)
        : e_(e), b_(e.b), i_(i), width_(e.lanes.full_width()), geometry_(geometry_of(i)),
          integers_(i.types[1] == ptx::Type::s32) {}

    void emit() {
        read_coordinates();
        const std::uint32_t kind = integers_                          ? PlainTexture::elements
                                   : geometry_ == TextureGeometry::d1 ? PlainTexture::row
                                   : geometry_ == TextureGeometry::d2 ? PlainTexture::picture
                                                                      : 0;
        write(kind == 0 ? ask(texture_object(e_, i_.operands.at(1))) : look(kind));
    }

private:
    using Channels = std::array<Value*, 4>;

    [[nodiscard]] const Operand& coordinates() const { return i_.operands.at(1).elements.back(); }
    [[nodiscard]] std::size_t first() const { return is_layered(geometry_) ? 1 : 0; }
    [[nodiscard]] llvm::Type* words() const { return llvm::FixedVectorType::get(b_.getInt32Ty(), width_); }
    Value* splat(Value* value) { return b_.CreateVectorSplat(width_, value); }
    [[nodiscard]] const Operand& coordinate(std::size_t axis) const {
        return element_of(coordinates(), first() + axis);
    }
    [[nodiscard]] ptx::Type coordinate_type() const { return integers_ ? ptx::Type::b32 : ptx::Type::f32; }

    void read_coordinates() {
        const auto vectors = e_.lanes.with_full_width();
        for (unsigned k = 0; k < coordinates_of(geometry_); ++k) // inactive lanes may have anything there
            place_.push_back(b_.CreateFreeze(e_.read(coordinate(k), coordinate_type())));
    }
    void write(const Channels& channels) {
        const auto vectors = e_.lanes.with_full_width();
        const ptx::Type type = i_.types[0];
        for (unsigned k = 0; k < 4; ++k) {
            const Operand& to = i_.operands.front().elements.at(k);
            if (to.kind != Kind::none) e_.write(to, type, e_.bits_as(channels[k], e_.type_of(type)));
        }
    }
    /// How many channels an element has whose channels are all wanted: 1, 2 or 4.
    [[nodiscard]] unsigned wanted_channels() const {
        unsigned last = 0;
        for (unsigned k = 0; k < 4; ++k) {
            const Operand& to = i_.operands.front().elements.at(k);
            if (to.kind == Kind::reg && e_.plan->registers.read[to.reg]) last = k;
        }
        return last == 0 ? 1 : last == 1 ? 2 : 4;
    }

    /// Neighbours are a vector of the texture's memory, and elements that fit in a vector are picked from one. Others
    /// are gathered, or the runtime is asked.
    Channels look(std::uint32_t kind) {
        texture_ = plain_texture(e_, i_.operands.at(1));
        PlainTextureCode plain(b_, texture_);
        base_ = plain.base(); // here, so that all samples of the texture share it
        if (is_of_shadow(i_)) base_ = b_.CreateGEP(b_.getInt8Ty(), base_, e_.addresses.to_shadow());
        kinds_ = plain.word(offsetof(PlainTexture, kinds));
        Ways ways(*this);
        const Run run = find_run(plain, kind);
        ways.add("near", run.is_run, kAllNearMetadata, [&] { return read_run(run.first); });
        if (const Window window = find_window(plain, kind); window.fits)
            ways.add("window", window.fits, kAllPickedMetadata, [&] { return read_window(window); });
        if (!is_looked_at(e_, i_)) return ways.end(read_anywhere(kind));
        Value* is_plain = has_kinds(kind);
        if (e_.traces_image) is_plain = b_.CreateAnd(is_plain, b_.CreateNot(e_.traces_image));
        ways.add("gather", is_plain, nullptr, [&] { return read_anywhere(kind); });
        stop_if_gone(e_, i_, kinds_);
        return ways.end(ask(texture_));
    }

    /// Code for one case after the other, and where they meet.
    class Ways {
    public:
        explicit Ways(SampleLanes& s) : s_(s) {}

        /// @param metadata of the branch; null: none
        template <class Read>
        void add(const char* name, Value* condition, const char* metadata, Read read) {
            llvm::BasicBlock* block = s_.e_.new_block(name);
            llvm::BasicBlock* other = s_.e_.new_block("other");
            llvm::MDNode* weights = metadata ? llvm::MDBuilder(s_.e_.context).createLikelyBranchWeights() : nullptr;
            llvm::BranchInst* branch = s_.b_.CreateCondBr(condition, block, other, weights);
            if (metadata) branch->setMetadata(metadata, llvm::MDNode::get(s_.e_.context, {}));
            s_.b_.SetInsertPoint(block);
            meet(read());
            s_.b_.SetInsertPoint(other);
        }
        Channels end(const Channels& last) {
            meet(last);
            s_.b_.SetInsertPoint(rest_);
            Channels channels{};
            for (unsigned k = 0; k < 4; ++k) {
                llvm::PHINode* phi = s_.b_.CreatePHI(s_.words(), static_cast<unsigned>(ends_.size()));
                for (const auto& [block, values] : ends_)
                    phi->addIncoming(values[k], block);
                channels[k] = phi;
            }
            return channels;
        }

    private:
        void meet(const Channels& channels) {
            ends_.emplace_back(s_.b_.GetInsertBlock(), channels);
            s_.b_.CreateBr(rest_);
        }

        SampleLanes& s_;
        llvm::BasicBlock* rest_ = s_.e_.new_block("rest");
        std::vector<std::pair<llvm::BasicBlock*, Channels>> ends_;
    };

    [[nodiscard]] Value* has_kinds(std::uint32_t kinds) {
        return b_.CreateICmpEQ(b_.CreateAnd(kinds_, std::uint64_t{kinds}), b_.getInt32(kinds));
    }
    [[nodiscard]] Value* in_all(Value* lanes) {
        llvm::Type* bits = b_.getIntNTy(width_);
        return b_.CreateICmpEQ(b_.CreateBitCast(lanes, bits), llvm::ConstantInt::getAllOnesValue(bits));
    }

    // --- places

    /// A coordinate that is an integer plus a fraction.
    struct Count {
        Value* integer; ///< i32, the first lane's
        std::int32_t floor;
        bool is_unsigned;
    };
    std::optional<Count> counted(std::size_t axis, std::int64_t stride) {
        const Operand& o = coordinate(axis);
        if (integers_ || o.kind != Kind::reg || o.negated) return std::nullopt;
        const auto found = e_.plan->counted.find(o.reg);
        if (found == e_.plan->counted.end() || e_.plan->stride(found->second.integer) != stride) return std::nullopt;
        const CountedFloat& f = found->second;
        const std::uint32_t at = e_.instruction();
        if (f.first_writer < at && at <= f.last_writer) return std::nullopt;
        return Count{b_.CreateFreeze(e_.registers.read(f.integer, ptx::Type::b32)), f.floor, f.is_unsigned};
    }
    /// The element's number, if that is inside.
    Value* number_of(const Count& count) {
        return b_.CreateAdd(count.integer, b_.getInt32(static_cast<std::uint32_t>(count.floor)));
    }
    /// The nearest element's number.
    /// @param integer the count's own, or a vector of them
    /// @param size    elements along the axis
    Value* nearest(const Count& count, Value* integer, Value* size) {
        const auto as_wide = [&](Value* x) { return integer->getType()->isVectorTy() ? splat(x) : x; };
        const auto with = [&](llvm::Intrinsic::ID id, Value* x, Value* y) {
            return b_.CreateBinaryIntrinsic(id, x, as_wide(y));
        };
        Value* last = b_.CreateSub(size, b_.getInt32(1));
        if (count.is_unsigned) {
            const auto less = static_cast<std::uint32_t>(-count.floor);
            return with(llvm::Intrinsic::umin, with(llvm::Intrinsic::usub_sat, integer, b_.getInt32(less)), last);
        }
        Value* floor = b_.getInt32(static_cast<std::uint32_t>(count.floor));
        Value* number = with(llvm::Intrinsic::smax, with(llvm::Intrinsic::sadd_sat, integer, floor), b_.getInt32(0));
        return with(llvm::Intrinsic::smin, number, last);
    }

    struct Run {
        Value *is_run, *first; ///< i1, and the number of the first word, i32
    };

    void find_counts(std::uint32_t kind) {
        x_count_ = counted(0, 1);
        if (kind == PlainTexture::picture) y_count_ = counted(1, 0);
    }

    /// Whether the lanes name elements one after the other, all within the texture.
    Run find_run(PlainTextureCode& plain, std::uint32_t kind) {
        find_counts(kind);
        Value *x = x_count_ ? number_of(*x_count_) : nullptr, *y = y_count_ ? number_of(*y_count_) : nullptr;
        Value* is_run = has_kinds(PlainTexture::inside(kind) | (x || y ? PlainTexture::unscaled : 0));
        const auto must = [&](Value* condition) { is_run = b_.CreateAnd(is_run, condition); };
        if (e_.traces_image) must(b_.CreateNot(e_.traces_image));
        Value* count = b_.getInt32(wanted_channels());
        must(b_.CreateICmpEQ(plain.word(offsetof(PlainTexture, channels)), count));
        if (y) {
            must(b_.CreateICmpULT(y, plain.word(offsetof(PlainTexture, height))));
        } else if (kind == PlainTexture::picture) {
            // Where edges go on outside, the row outside is the one at the edge.
            Value* goes_on = has_kinds(kind);
            if (const ElementPlace place = row_place(plain); place.index->getType()->isVectorTy()) {
                y = b_.CreateExtractElement(place.index, std::uint64_t{0});
                must(in_all(b_.CreateOr(splat(goes_on), place.inside)));
                must(in_all(b_.CreateICmpEQ(place.index, splat(y))));
            } else {
                y = place.index;
                must(b_.CreateOr(goes_on, place.inside));
            }
        }
        if (x) {
            // 0 where the texture has fewer elements than there are lanes.
            Value* firsts = b_.CreateBinaryIntrinsic(
                llvm::Intrinsic::usub_sat, b_.CreateAdd(plain.word(offsetof(PlainTexture, width)), b_.getInt32(1)),
                b_.getInt32(width_));
            must(b_.CreateICmpULT(x, firsts));
        } else {
            const ElementPlace place = column_place(plain);
            x = b_.CreateExtractElement(place.index, std::uint64_t{0});
            must(in_all(place.inside));
            must(in_all(b_.CreateICmpEQ(place.index, b_.CreateAdd(splat(x), b_.CreateStepVector(words())))));
        }
        Value* first = b_.CreateMul(x, count);
        if (y) first = b_.CreateAdd(b_.CreateMul(y, plain.word(offsetof(PlainTexture, row_words))), first);
        return {is_run, first};
    }

    [[nodiscard]] ElementPlace column_place(PlainTextureCode& plain) {
        return integers_ ? plain.place_of_integer(place_[0]) : plain.place(place_[0], 0);
    }
    /// Scalars if all lanes have the same row.
    [[nodiscard]] ElementPlace row_place(PlainTextureCode& plain) {
        const Operand& operand = coordinate(1);
        if (!e_.plan->uniform(operand)) return plain.place(place_[1], 1);
        return plain.place(b_.CreateFreeze(e_.read(operand, coordinate_type())), 1);
    }

    /// Elements of one channel in one row, of each part of the lanes so near that a vector holds them.
    struct Window {
        Value* fits = nullptr;           ///< i1; null: the host has no instruction to pick them, or rows differ
        std::vector<Value*> first = {};  ///< of each part: the number of the vector's first word
        std::vector<Value*> places = {}; ///< in that vector, of each lane of the part
    };

    Window find_window(PlainTextureCode& plain, std::uint32_t kind) {
        Window w;
        const unsigned part = permuted_lanes(width_);
        const bool has_rows = kind == PlainTexture::picture;
        if (part == 0 || wanted_channels() != 1 || (has_rows && !e_.plan->uniform(coordinate(1)))) return w;
        const bool counts = x_count_ || y_count_;
        w.fits = has_kinds(PlainTexture::inside(kind) | (counts ? kind | PlainTexture::unscaled : 0));
        const auto must = [&](Value* condition) { w.fits = b_.CreateAnd(w.fits, condition); };
        if (e_.traces_image) must(b_.CreateNot(e_.traces_image));
        must(b_.CreateICmpEQ(plain.word(offsetof(PlainTexture, channels)), b_.getInt32(1)));
        Value* width = plain.word(offsetof(PlainTexture, width));
        must(b_.CreateICmpUGE(width, b_.getInt32(part)));

        Value *index = nullptr, *row = nullptr, *inside = nullptr;
        if (x_count_) {
            index = nearest(*x_count_, b_.CreateAdd(splat(x_count_->integer), b_.CreateStepVector(words())), width);
            // Then numbers that follow one another are near each other, also at the edge.
            const std::uint32_t most = (x_count_->is_unsigned ? ~0U : ~0U >> 1) - width_;
            must(b_.CreateICmp(x_count_->is_unsigned ? llvm::CmpInst::ICMP_ULE : llvm::CmpInst::ICMP_SLE,
                               x_count_->integer, b_.getInt32(most)));
        } else {
            const ElementPlace x = column_place(plain);
            index = x.index;
            inside = in_all(x.inside);
        }
        if (y_count_) {
            row = nearest(*y_count_, y_count_->integer, plain.word(offsetof(PlainTexture, height)));
        } else if (has_rows) {
            const ElementPlace y = row_place(plain);
            row = y.index;
            inside = inside ? b_.CreateAnd(inside, y.inside) : y.inside;
        }
        if (row) row = b_.CreateMul(row, plain.word(offsetof(PlainTexture, row_words)));
        if (inside && !counts) must(integers_ ? inside : b_.CreateOr(has_kinds(kind), inside));
        Value* highest = b_.CreateSub(width, b_.getInt32(part));
        for (unsigned lane = 0; lane < width_; lane += part) {
            std::vector<int> these(part);
            std::iota(these.begin(), these.end(), static_cast<int>(lane));
            Value* numbers = b_.CreateShuffleVector(index, these);
            const auto end = [&](unsigned k) { return b_.CreateExtractElement(numbers, std::uint64_t{k}); };
            Value* first = x_count_ ? end(0) : b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, end(0), end(part - 1));
            first = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, first, highest);
            Value* place = b_.CreateSub(numbers, b_.CreateVectorSplat(part, first));
            if (!x_count_) {
                llvm::Type* bits = b_.getIntNTy(part);
                Value* near = b_.CreateICmpULT(place, b_.CreateVectorSplat(part, b_.getInt32(part)));
                must(b_.CreateICmpEQ(b_.CreateBitCast(near, bits), llvm::ConstantInt::getAllOnesValue(bits)));
            }
            w.places.push_back(place);
            w.first.push_back(row ? b_.CreateAdd(row, first) : first);
        }
        return w;
    }

    Value* address_of(Value* word) {
        return b_.CreateGEP(b_.getInt32Ty(), base_, b_.CreateZExt(word, b_.getInt64Ty()));
    }

    // --- elements

    Channels read_window(const Window& window) {
        std::vector<Value*> parts;
        parts.reserve(window.first.size());
        for (std::size_t k = 0; k < window.first.size(); ++k)
            parts.push_back(permute(
                b_, b_.CreateAlignedLoad(window.places[k]->getType(), address_of(window.first[k]), llvm::Align(4)),
                window.places[k]));
        for (; parts.size() > 1; parts.resize(parts.size() / 2))
            for (std::size_t k = 0; k < parts.size() / 2; ++k)
                parts[k] = concatenate(b_, parts[2 * k], parts[2 * k + 1]);
        Value* zero = llvm::Constant::getNullValue(words());
        return {parts[0], zero, zero, zero};
    }

    Channels read_run(Value* first) {
        const unsigned count = wanted_channels();
        llvm::Type* type = llvm::FixedVectorType::get(b_.getInt32Ty(), width_ * count);
        Value* all = b_.CreateAlignedLoad(type, address_of(first), llvm::Align(4));
        Channels channels{};
        std::vector<int> places(width_);
        for (unsigned k = 0; k < 4; ++k) {
            for (unsigned lane = 0; lane < width_; ++lane)
                places[lane] = static_cast<int>(lane * count + k);
            channels[k] = k >= count   ? llvm::Constant::getNullValue(words())
                          : count == 1 ? all
                                       : b_.CreateShuffleVector(all, places);
        }
        return channels;
    }

    Channels read_anywhere(std::uint32_t kind) {
        const unsigned count = wanted_channels();
        const Scratch asked(e_, "asked", std::size_t{width_} * 3 * 4), found(e_, "found", std::size_t{width_} * 4 * 4);
        for (unsigned k = 0; k < place_.size(); ++k)
            store(asked, k, place_[k]);
        Value* level = llvm::ConstantPointerNull::get(b_.getPtrTy());
        if (i_.has(Modifier::level)) {
            const auto vectors = e_.lanes.with_full_width();
            store(asked, 2, e_.read(i_.operands.at(2), ptx::Type::f32));
            level = part(asked, 2);
        }
        b_.CreateCall(sample_anywhere(e_.unit, kind, width_, count),
                      {texture_, base_, asked.address(), found.address(), level, e_.active_bits(),
                       e_.place.first_linear_thread(), e_.site_value()});
        return channels_in(found, count);
    }

    // --- the runtime

    Value* part(const Scratch& memory, unsigned which) {
        return b_.CreateConstInBoundsGEP1_64(b_.getInt32Ty(), memory.address(), which * width_);
    }
    void store(const Scratch& memory, unsigned which, Value* value) {
        b_.CreateAlignedStore(value, part(memory, which), llvm::Align(4));
    }
    Channels channels_in(const Scratch& found, unsigned count) {
        Channels channels{};
        for (unsigned k = 0; k < 4; ++k)
            channels[k] = k < count ? b_.CreateAlignedLoad(words(), part(found, k), llvm::Align(4))
                                    : static_cast<Value*>(llvm::Constant::getNullValue(words()));
        return channels;
    }

    /// @param texture the Texture
    Channels ask(Value* texture) {
        // Three coordinates, the layer, the level.
        const Scratch asked(e_, "asked", std::size_t{width_} * 5 * 4), found(e_, "found", std::size_t{width_} * 4 * 4);
        for (unsigned k = 0; k < place_.size(); ++k)
            store(asked, k, place_[k]);
        Request request(e_, sizeof(TextureLanes));
        {
            const auto vectors = e_.lanes.with_full_width();
            if (first()) {
                store(asked, 3, e_.read(element_of(coordinates(), 0), ptx::Type::b32));
                request.set(offsetof(TextureLanes, layer), part(asked, 3));
            }
            if (i_.has(Modifier::level)) {
                store(asked, 4, e_.read(i_.operands.at(2), ptx::Type::f32));
                request.set(offsetof(TextureLanes, level), part(asked, 4));
            }
        }
        Value* active = e_.active_bits();
        request.set(offsetof(TextureLanes, lanes), width_);
        request.set(offsetof(TextureLanes, mask), active);
        request.set(offsetof(TextureLanes, coordinates), part(asked, 0));
        request.set(offsetof(TextureLanes, result), found.address());
        if (is_looked_at(e_, i_)) set_caller(e_, i_, request, offsetof(TextureLanes, caller));
        if (integers_)
            e_.runtime_call("wl_rt_tex_fetch_lanes", b_.getVoidTy(), {texture, request.address()});
        else
            e_.runtime_call("wl_rt_tex_lanes", b_.getVoidTy(),
                            {texture, b_.getInt32(static_cast<std::uint32_t>(geometry_)), request.address()});
        return channels_in(found, 4);
    }

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const ptx::Instruction& i_;
    const unsigned width_;
    const TextureGeometry geometry_;
    const bool integers_;
    Value *texture_ = nullptr, *base_ = nullptr, *kinds_ = nullptr; ///< the PlainTexture, and two of its fields
    std::vector<Value*> place_;
    std::optional<Count> x_count_, y_count_;
};

} // namespace

void emit_lane_samples(Emitter& e, const ptx::Instruction& i) { SampleLanes(e, i).emit(); }

} // namespace warplight::jit
