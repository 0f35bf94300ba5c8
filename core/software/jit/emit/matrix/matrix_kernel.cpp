// SPDX-License-Identifier: Apache-2.0
// D = A B + C for a warp's fragments (see ptx::matrix_place()). A vector holds a register of neighbouring lanes. Four
// lanes share a row; each has two neighbouring columns of C and D, in two registers. So
//   - C and D stay as they are,
//   - an element of A is repeated for the four lanes of its row,
//   - four lanes take every other column of a row of B, and each group of four takes the same ones.
// For that B is transposed once, into rows of eight columns, the even columns first.
//
// Sums are made in the order of k, by fused multiply-add of f32 (or f64). f32 is exact for the integers that occur.
// library/matrix_library.cpp does the same.
#include "matrix_kernel.hpp"

#include "software/jit/emit/emitter.hpp"
#include "software/jit/host.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>

#include <array>
#include <numeric>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::MatrixForm;

namespace {

constexpr unsigned kLanes = kWarpLanes;
constexpr unsigned kRow = 4;     ///< lanes that share a row
constexpr unsigned kColumns = 8; ///< of a block

class Kernel {
public:
    Kernel(Unit& unit, const MatrixForm& form, llvm::Function* function)
        : unit_(unit), form_(form), f_(function), b_(*unit.context), elements_(ptx::matrix_elements(form.a)),
          halves_(form.m == 8 ? 1 : 2), blocks_m_(form.m == 32 ? 2 : 1), blocks_n_(form.n / kColumns),
          chunks_(form.k / (kRow * elements_)), units_(form.a == ptx::Type::b1 ? kRow : kRow * elements_),
          group_(form.a == ptx::Type::f64 ? host_width() / 2 : host_width()) {
        word_ = b_.getIntNTy(form.a == ptx::Type::f64 ? 64 : 32);
        element_ = form.a == ptx::Type::f64  ? b_.getDoubleTy()
                   : form.a == ptx::Type::b1 ? static_cast<Type*>(b_.getInt32Ty())
                                             : b_.getFloatTy();
    }

    void emit(Value* a, Value* b, Value* c, Value* d) {
        auto* entry = block("entry");
        auto* lanes = block("lanes");
        auto* done = block("done");
        b_.SetInsertPoint(entry);
        turned_ = b_.CreateAlloca(llvm::ArrayType::get(element_, std::size_t{blocks_n_} * chunks_ * units_ * kColumns));
        turned_->setAlignment(llvm::Align(64));
        for (unsigned n = 0; n < blocks_n_; ++n)
            for (unsigned chunk = 0; chunk < chunks_; ++chunk)
                turn(b, n, chunk);
        b_.CreateBr(lanes);
        b_.SetInsertPoint(lanes);
        llvm::PHINode* first = b_.CreatePHI(b_.getInt64Ty(), 2);
        first->addIncoming(b_.getInt64(0), entry);
        llvm::PHINode* before = b_.CreatePHI(b_.getInt1Ty(), 2);
        before->addIncoming(b_.getFalse(), entry);
        first_ = first;
        odd_ = before;
        columns_ = hidden(turned_);
        some_lanes(a, c, d);
        Value* next = b_.CreateAdd(first, b_.getInt64(group_));
        first->addIncoming(next, b_.GetInsertBlock());
        before->addIncoming(odd_, b_.GetInsertBlock());
        b_.CreateCondBr(b_.CreateICmpULT(next, b_.getInt64(kLanes)), lanes, done);
        b_.SetInsertPoint(done);
        if (form_.a == ptx::Type::f64) {
            // The library's code decides which one of several NaNs is the result.
            auto* again = block("again");
            auto* rest = block("rest");
            b_.CreateCondBr(odd_, again, rest);
            b_.SetInsertPoint(again);
            auto* ptr = b_.getPtrTy();
            b_.CreateCall(unit_.external("wl_matrix_multiply", b_.getVoidTy(), {b_.getInt64Ty(), ptr, ptr, ptr, ptr}),
                          {b_.getInt64(form_.pack()), a, b, c, d});
            b_.CreateBr(rest);
            b_.SetInsertPoint(rest);
        }
        b_.CreateRetVoid();
    }

private:
    llvm::BasicBlock* block(const char* name) { return llvm::BasicBlock::Create(*unit_.context, name, f_); }
    static Type* vector(Type* type, unsigned count) { return llvm::FixedVectorType::get(type, count); }
    static unsigned size(Value* v) { return llvm::cast<llvm::FixedVectorType>(v->getType())->getNumElements(); }
    /// The words of `count` lanes of a register, from a lane on.
    Value* words_at(Value* base, unsigned reg, Value* lane, unsigned count) {
        Value* at = b_.CreateAdd(lane, b_.getInt64(std::uint64_t{reg} * kLanes));
        return b_.CreateAlignedLoad(vector(word_, count), b_.CreateGEP(word_, base, at), llvm::Align(16));
    }
    template <class Source>
    Value* shuffle(Value* v, unsigned count, Source source) {
        std::vector<int> places(count);
        for (unsigned k = 0; k < count; ++k)
            places[k] = static_cast<int>(source(k));
        return b_.CreateShuffleVector(v, places);
    }
    llvm::Constant* splat(Type* type, std::uint64_t value) { return llvm::ConstantInt::get(type, value); }

    // --- elements

    /// The elements of words, as integers of at least eight bits.
    Value* unpack(Value* words) {
        const unsigned count = size(words), bits = ptx::bits(form_.a);
        if (elements_ == 1 || bits == 1) return words;
        if (bits >= 8) return b_.CreateBitCast(words, vector(b_.getIntNTy(bits), count * elements_));
        Type* bytes = vector(b_.getInt8Ty(), 4 * count);
        Value* pairs = b_.CreateBitCast(words, bytes);
        Value* low = b_.CreateAnd(pairs, splat(bytes, 15));
        Value* high = b_.CreateLShr(pairs, splat(bytes, 4));
        std::vector<int> places(std::size_t{8} * count);
        for (unsigned k = 0; k < 8 * count; ++k)
            places[k] = static_cast<int>(k / 2 + k % 2 * 4 * count);
        return b_.CreateShuffleVector(low, high, places);
    }
    /// The elements from unpack() as numbers to calculate with.
    Value* convert(Value* v, ptx::Type type) {
        const unsigned count = size(v);
        Type* integers = vector(b_.getInt32Ty(), count);
        Type* floats = vector(b_.getFloatTy(), count);
        switch (type) {
        case ptx::Type::f16: return b_.CreateFPExt(b_.CreateBitCast(v, vector(b_.getHalfTy(), count)), floats);
        case ptx::Type::bf16:
            return b_.CreateBitCast(b_.CreateShl(b_.CreateZExt(v, integers), splat(integers, 16)), floats);
        case ptx::Type::tf32: return b_.CreateBitCast(b_.CreateAnd(v, splat(integers, 0xFFFFE000)), floats);
        case ptx::Type::f64: return b_.CreateBitCast(v, vector(b_.getDoubleTy(), count));
        case ptx::Type::s4: { // 0 … 15
            Value* sign = splat(v->getType(), 8);
            return b_.CreateSIToFP(b_.CreateSExt(b_.CreateSub(b_.CreateXor(v, sign), sign), integers), floats);
        }
        case ptx::Type::s8: return b_.CreateSIToFP(b_.CreateSExt(v, integers), floats);
        case ptx::Type::u4:
        case ptx::Type::u8: return b_.CreateSIToFP(b_.CreateZExt(v, integers), floats);
        default: return v;
        }
    }

    // --- B

    /// Transposes and converts a register. Groups of four lanes hold neighbours in a column.
    void turn(Value* b, unsigned n, unsigned chunk) {
        std::array<Value*, kColumns> columns{};
        for (unsigned k = 0; k < kColumns; ++k) {
            const unsigned column = k < 4 ? 2 * k : 2 * k - 7; // 0 2 4 6 1 3 5 7
            columns[k] = unpack(words_at(b, n * chunks_ + chunk, b_.getInt64(column * kRow), kRow));
        }
        const unsigned length = size(columns[0]);
        // Halves are shuffled into each other three times.
        for (unsigned step = 0; step < 3; ++step) {
            const std::array<Value*, kColumns> old = columns;
            for (unsigned k = 0; k < kColumns; ++k) {
                std::vector<int> places(length);
                for (unsigned p = 0; p < length; ++p)
                    places[p] = static_cast<int>(k % 2 * length / 2 + p / 2 + p % 2 * length);
                columns[k] = b_.CreateShuffleVector(old[k / 2], old[k / 2 + 4], places);
            }
        }
        const std::uint64_t first = (std::uint64_t{n} * chunks_ + chunk) * units_ * kColumns;
        for (unsigned k = 0; k < kColumns; ++k)
            b_.CreateAlignedStore(convert(columns[k], form_.b),
                                  b_.CreateConstInBoundsGEP1_64(element_, turned_, first + std::uint64_t{k} * length),
                                  llvm::Align(16));
    }
    /// The address in a form that LLVM knows nothing of. The host repeats four elements while it reads them. If LLVM
    /// knew the memory, it would keep the written values, repeat them for all lanes, and spill them.
    Value* hidden(Value* address) {
        auto* type = llvm::FunctionType::get(address->getType(), {address->getType()}, false);
        return b_.CreateCall(llvm::InlineAsm::get(type, "", "=r,0,~{memory}", true), {address});
    }
    /// Every other column of a row of B, repeated for each four lanes.
    Value* columns_of(unsigned n, unsigned chunk, unsigned unit, unsigned odd) {
        const std::uint64_t at = ((std::uint64_t{n} * chunks_ + chunk) * units_ + unit) * kColumns + odd * kRow;
        Value* four = b_.CreateAlignedLoad(vector(element_, kRow),
                                           b_.CreateConstInBoundsGEP1_64(element_, columns_, at), llvm::Align(16));
        return shuffle(four, group_, [](unsigned lane) { return lane % kRow; });
    }

    // --- A, C and D

    /// A vector for each unit of a chunk. Its groups of four lanes hold their row's element.
    std::vector<Value*> rows_of(Value* a, unsigned m, unsigned half, unsigned chunk) {
        const unsigned reg = (m * chunks_ + chunk) * halves_ + half;
        Value* all = convert(unpack(words_at(a, reg, first_, group_)), form_.a);
        std::vector<Value*> units;
        for (unsigned four = 0; four < units_; four += kRow) {
            Value* part =
                shuffle(all, group_, [&](unsigned lane) { return lane / kRow * units_ + four + lane % kRow; });
            for (unsigned k = 0; k < kRow && four + k < units_; ++k)
                units.push_back(shuffle(part, group_, [&](unsigned lane) { return lane / kRow * kRow + k; }));
        }
        return units;
    }

    Value* step(Value* sum, Value* a, Value* b) {
        if (form_.a == ptx::Type::b1) {
            Value* bits =
                form_.operation == ptx::MatrixOperation::xor_and_count ? b_.CreateXor(a, b) : b_.CreateAnd(a, b);
            return b_.CreateAdd(sum, b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits));
        }
        static const bool fused = host_description().find("+fma") != std::string::npos ||
                                  host_description().find("x86_64") == std::string::npos;
        const bool exact = form_.a == ptx::Type::f16 || !ptx::is_float(form_.a); // products are exact
        if (exact && !fused) return b_.CreateFAdd(sum, b_.CreateFMul(a, b));
        return b_.CreateIntrinsic(llvm::Intrinsic::fma, {sum->getType()}, {a, b, sum});
    }

    /// The register of an element of C or D, and which half of it.
    struct InRegister {
        unsigned reg, half;
    };
    [[nodiscard]] InRegister in_register(ptx::Type type, unsigned tile, unsigned half, unsigned odd) const {
        const unsigned index = (tile * halves_ + half) * 2 + odd;
        return type == ptx::Type::f16 ? InRegister{index / 2, index % 2} : InRegister{index, 0};
    }

    Value* start(Value* c, unsigned tile, unsigned half, unsigned odd) {
        const InRegister in = in_register(form_.c, tile, half, odd);
        Value* words = words_at(c, in.reg, first_, group_);
        if (form_.c == ptx::Type::s32) return words;
        if (form_.c != ptx::Type::f16) return b_.CreateBitCast(words, vector(element_, group_));
        Type* halves = vector(b_.getInt16Ty(), group_);
        Value* bits = b_.CreateTrunc(in.half ? b_.CreateLShr(words, splat(words->getType(), 16)) : words, halves);
        return convert(bits, ptx::Type::f16);
    }

    void finish(Value* d, unsigned tile, unsigned half, Value* even, Value* odd) {
        const auto put = [&](Value* words, unsigned reg) {
            Value* at = b_.CreateAdd(first_, b_.getInt64(std::uint64_t{reg} * kLanes));
            b_.CreateAlignedStore(words, b_.CreateGEP(word_, d, at), llvm::Align(16));
        };
        Type* words = vector(word_, group_);
        if (form_.d == ptx::Type::f16) {
            const auto rounded = [&](Value* v) {
                Type* bits = vector(b_.getInt16Ty(), group_);
                Value* small = b_.CreateBitCast(b_.CreateFPTrunc(v, vector(b_.getHalfTy(), group_)), bits);
                return b_.CreateZExt(b_.CreateSelect(b_.CreateFCmpUNO(v, v), splat(bits, 0x7FFF), small), words);
            };
            put(b_.CreateOr(rounded(even), b_.CreateShl(rounded(odd), splat(words, 16))),
                in_register(form_.d, tile, half, 0).reg);
            return;
        }
        for (unsigned k = 0; k < 2; ++k) {
            Value* v = k ? odd : even;
            if (form_.d == ptx::Type::f32) {
                Value* nan = b_.CreateFCmpUNO(v, v);
                v = b_.CreateSelect(nan, splat(words, 0x7FFFFFFF), b_.CreateBitCast(v, words));
            } else if (form_.d == ptx::Type::f64) {
                odd_ = b_.CreateOr(odd_, b_.CreateOrReduce(b_.CreateFCmpUNO(v, v)));
            }
            put(b_.CreateBitCast(v, words), in_register(form_.d, tile, half, k).reg);
        }
    }

    /// C plus the sum of products, which was made without C.
    Value* add_integers(Value* c, Value* sum) {
        if (form_.a == ptx::Type::b1) return b_.CreateAdd(c, sum);
        Value* products = b_.CreateFPToSI(sum, c->getType());
        return form_.saturate ? b_.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, c, products)
                              : b_.CreateAdd(c, products);
    }

    void some_lanes(Value* a, Value* c, Value* d) {
        const unsigned tiles = blocks_m_ * blocks_n_;
        const bool integers = form_.c == ptx::Type::s32;
        std::vector<Value*> sums;
        for (unsigned tile = 0; tile < tiles; ++tile)
            for (unsigned half = 0; half < halves_; ++half)
                for (unsigned odd = 0; odd < 2; ++odd)
                    sums.push_back(integers ? llvm::Constant::getNullValue(vector(element_, group_))
                                            : start(c, tile, half, odd));
        for (unsigned chunk = 0; chunk < chunks_; ++chunk) {
            std::vector<std::vector<Value*>> rows; // by block and half
            for (unsigned m = 0; m < blocks_m_; ++m)
                for (unsigned half = 0; half < halves_; ++half)
                    rows.push_back(rows_of(a, m, half, chunk));
            for (unsigned unit = 0; unit < units_; ++unit)
                for (unsigned n = 0; n < blocks_n_; ++n)
                    for (unsigned odd = 0; odd < 2; ++odd) {
                        Value* columns = columns_of(n, chunk, unit, odd);
                        for (unsigned m = 0; m < blocks_m_; ++m)
                            for (unsigned half = 0; half < halves_; ++half) {
                                Value*& sum = sums[((m * blocks_n_ + n) * halves_ + half) * 2 + odd];
                                sum = step(sum, rows[m * halves_ + half][unit], columns);
                            }
                    }
        }
        for (unsigned tile = 0; tile < tiles; ++tile)
            for (unsigned half = 0; half < halves_; ++half) {
                std::array<Value*, 2> pair{};
                for (unsigned odd = 0; odd < 2; ++odd) {
                    Value* sum = sums[(tile * halves_ + half) * 2 + odd];
                    pair[odd] = integers ? add_integers(start(c, tile, half, odd), sum) : sum;
                }
                finish(d, tile, half, pair[0], pair[1]);
            }
    }

    Unit& unit_;
    const MatrixForm form_;
    llvm::Function* f_;
    llvm::IRBuilder<> b_;
    const unsigned elements_; ///< of a word
    const unsigned halves_;   ///< of a block: eight rows each
    const unsigned blocks_m_, blocks_n_;
    const unsigned chunks_; ///< parts of k: the elements of four lanes in a register
    const unsigned units_;  ///< of a chunk: elements, or words of single bits
    const unsigned group_;  ///< lanes of a vector
    Type* word_ = nullptr;
    Type* element_ = nullptr; ///< the type of calculation
    llvm::AllocaInst* turned_ = nullptr;
    Value* columns_ = nullptr; ///< the same address, see hidden()
    Value* first_ = nullptr;   ///< lane
    Value* odd_ = nullptr;     ///< there was a NaN
};

} // namespace

llvm::Function* matrix_kernel(Unit& unit, const MatrixForm& form) {
    if (form.a == ptx::Type::e4m3 || form.a == ptx::Type::e5m2 || form.sparse) return nullptr;
    if (form.is_of_quads() || form.rounding != ptx::MatrixRounding::nearest) return nullptr;
    const std::string name = "matrix." + std::to_string(form.pack());
    if (llvm::Function* known = unit.ir->getFunction(name)) return known;
    auto* ptr = llvm::PointerType::get(*unit.context, 0);
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(*unit.context), {ptr, ptr, ptr, ptr}, false);
    auto* f = llvm::Function::Create(type, llvm::Function::InternalLinkage, name, *unit.ir);
    for (unsigned k = 0; k < 4; ++k)
        f->addParamAttr(k, llvm::Attribute::NoCapture);
    for (unsigned k = 0; k < 2; ++k) // C and D may be the same memory
        f->addParamAttr(k, llvm::Attribute::NoAlias);
    MatrixForm upright = form;
    if (form.n == 32) { // the fragments of the transposed product are the same
        std::swap(upright.m, upright.n);
        std::swap(upright.a, upright.b);
    }
    const bool turned = form.n == 32;
    Kernel(unit, upright, f).emit(f->getArg(turned ? 1 : 0), f->getArg(turned ? 0 : 1), f->getArg(2), f->getArg(3));
    return f;
}

} // namespace warplight::jit
