// SPDX-License-Identifier: Apache-2.0
// Scores of the best local alignments of pairs of sequences (Smith and Waterman): 2 for equal letters, -1 for others,
// -1 for a letter left out. A block a pair, a thread a letter of the first; the table goes by anti-diagonals, of which
// three are in shared memory. Cell i of a diagonal is the one of letter i - 1; cell 0 is the table's edge.
#define LENGTH 256
extern "C" __global__ void align(const unsigned char* first, const unsigned char* second, int* scores) {
    __shared__ unsigned char letters[LENGTH];
    __shared__ int diagonals[3][LENGTH + 1];
    __shared__ int best;
    const int t = threadIdx.x;
    const int letter = first[blockIdx.x * LENGTH + t];
    letters[t] = second[blockIdx.x * LENGTH + t];
    for (int i = 0; i < 3; ++i) {
        diagonals[i][t + 1] = 0;
        if (t == 0) diagonals[i][0] = 0;
    }
    if (t == 0) best = 0;
    __syncthreads();
    int most = 0, last = 0, before = 1, now = 2;
    for (int diagonal = 0; diagonal < 2 * LENGTH - 1; ++diagonal) {
        const int column = diagonal - t;
        if (column >= 0 && column < LENGTH) {
            const int match = diagonals[last][t] + (letters[column] == letter ? 2 : -1);
            const int gap = max(diagonals[before][t], diagonals[before][t + 1]) - 1;
            const int score = max(0, max(match, gap));
            diagonals[now][t + 1] = score;
            most = max(most, score);
        }
        const int oldest = last;
        last = before;
        before = now;
        now = oldest;
        __syncthreads();
    }
    atomicMax(&best, most);
    __syncthreads();
    if (t == 0) scores[blockIdx.x] = best;
}
