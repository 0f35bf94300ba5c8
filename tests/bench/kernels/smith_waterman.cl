// SPDX-License-Identifier: Apache-2.0
#define LENGTH 256
kernel void align(global const uchar* first, global const uchar* second, global int* scores) {
    local uchar letters[LENGTH];
    local int diagonals[3][LENGTH + 1];
    volatile local int best;
    const int t = get_local_id(0);
    const int letter = first[get_global_id(0)];
    letters[t] = second[get_global_id(0)];
    for (int i = 0; i < 3; ++i) {
        diagonals[i][t + 1] = 0;
        if (t == 0) diagonals[i][0] = 0;
    }
    if (t == 0) best = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
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
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    atomic_max(&best, most);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) scores[get_group_id(0)] = best;
}
