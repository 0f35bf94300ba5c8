// SPDX-License-Identifier: Apache-2.0
#include "row_pieces.hpp"

#include <numeric>

namespace warplight::jit {

using llvm::Value;

namespace {

unsigned length_of(Value* vector) { return llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements(); }

/// Elements `distance` at a time of two vectors in turn: the low half of each 128 bits, or the high half.
std::vector<int> interleaved(unsigned lanes, unsigned pieces, unsigned distance, unsigned high) {
    std::vector<int> places;
    for (unsigned block = 0; block < lanes; block += pieces)
        for (unsigned k = 0; k < pieces / 2; k += distance)
            for (const unsigned vector : {0U, lanes})
                for (unsigned d = 0; d < distance; ++d)
                    places.push_back(static_cast<int>(vector + block + high * pieces / 2 + k + d));
    return places;
}

} // namespace

PieceVectors transposed_pieces(llvm::IRBuilder<>& b, PieceVectors vectors) {
    const auto pieces = static_cast<unsigned>(vectors.size());
    const unsigned lanes = length_of(vectors[0]);
    for (unsigned distance = 1; distance < pieces; distance *= 2) {
        PieceVectors next(pieces);
        for (unsigned k = 0; k < pieces / 2; ++k) {
            const unsigned one = distance == 1 ? 2 * k : k, other = distance == 1 ? 2 * k + 1 : k + 2;
            for (unsigned high = 0; high < 2; ++high)
                next[2 * k + high] =
                    b.CreateShuffleVector(vectors[one], vectors[other], interleaved(lanes, pieces, distance, high));
        }
        vectors = next;
    }
    return vectors;
}

Value* joined_vectors(llvm::IRBuilder<>& b, PieceVectors parts) {
    for (; parts.size() > 1; parts.resize(parts.size() / 2))
        for (std::size_t k = 0; k < parts.size() / 2; ++k) {
            Value* first = parts[2 * k];
            std::vector<int> places(std::size_t{2} * length_of(first));
            std::iota(places.begin(), places.end(), 0);
            parts[k] = b.CreateShuffleVector(first, parts[2 * k + 1], places);
        }
    return parts[0];
}

Value* part_of_vector(llvm::IRBuilder<>& b, Value* vector, unsigned from, unsigned count) {
    if (from == 0 && count == length_of(vector)) return vector;
    std::vector<int> places(count);
    std::iota(places.begin(), places.end(), static_cast<int>(from));
    return b.CreateShuffleVector(vector, places);
}

} // namespace warplight::jit
