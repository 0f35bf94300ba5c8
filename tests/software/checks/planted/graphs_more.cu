// SPDX-License-Identifier: Apache-2.0
// More codes over graphs: several mistakes at once, other types, persistent threads and worklists.
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)
#define THREADS (gridDim.x * blockDim.x)

// CASE neighbours_char kind=race grid=4 block=32 args=n,rows,cols,i100,z4
// CASE neighbours_short kind=race grid=4 block=32 args=n,rows,cols,i200,z4
// CASE neighbours_float kind=race grid=4 block=32 args=n,rows,cols,F400,z4
// CASE neighbours_double kind=race grid=4 block=32 args=n,rows,cols,F800,z8
// CASE neighbours_long kind=race grid=4 block=32 args=n,rows,cols,i800,z8
template <class T, class S> __device__ __forceinline__
void sum_of_neighbours(int n, const int* rows, const int* cols, const T* value, S* sum) {
    const int v = THREAD;
    if (v >= n) return;
    S own = 0;
    for (int e = rows[v]; e < rows[v + 1]; ++e) own += S(value[cols[e]]);
    if (WRONG(true, false)) *sum += own; // HERE
    else atomicAdd(sum, own);
}
#define NEIGHBOURS(name, T, S)                                                                                         \
    extern "C" __global__ void name(int n, const int* rows, const int* cols, const T* value, S* sum) {                 \
        sum_of_neighbours(n, rows, cols, value, sum);                                                                  \
    }
NEIGHBOURS(neighbours_char, signed char, int)
NEIGHBOURS(neighbours_short, short, int)
NEIGHBOURS(neighbours_float, float, float)
NEIGHBOURS(neighbours_double, double, double)
NEIGHBOURS(neighbours_long, unsigned long long, unsigned long long)

// CASE bounds_char kind=memory grid=4 block=32 args=n,rows,cols,i100,z400
// CASE bounds_short kind=memory grid=4 block=32 args=n,rows,cols,i200,z400
// CASE bounds_double kind=memory grid=4 block=32 args=n,rows,cols,F800,z800
template <class T, class S> __device__ __forceinline__
void greatest_neighbour(int n, const int* rows, const int* cols, const T* value, S* most) {
    const int v = THREAD;
    if (v >= n) return;
    S best = 0;
    const int end = rows[v + 1] + WRONG(v == n - 1, 0);
    for (int e = rows[v]; e < end; ++e) {
        const int to = cols[e]; // HERE
        best = max(best, S(value[to])); // ALSO
    }
    most[v] = best;
}
#define GREATEST(name, T, S)                                                                                           \
    extern "C" __global__ void name(int n, const int* rows, const int* cols, const T* value, S* most) {                \
        greatest_neighbour(n, rows, cols, value, most);                                                                \
    }
GREATEST(bounds_char, signed char, int)
GREATEST(bounds_short, short, int)
GREATEST(bounds_double, double, double)

// CASE atomic_and_bounds kind=race grid=4 block=32 args=n,rows,cols,z400
extern "C" __global__ void atomic_and_bounds(int n, const int* rows, const int* cols, int* count) {
    for (int v = THREAD; v < n; v += THREADS)
        for (int e = rows[v]; e < rows[v + 1] + WRONG(v == n - 1, 0); ++e) {
            const int to = cols[e]; // ALSO
            if (WRONG(true, false)) count[to]++; // HERE
            else atomicAdd(&count[to], 1);
        }
}

// CASE conditional_vertex kind=race grid=4 block=32 args=n,rows,cols,s400,z4
extern "C" __global__ void conditional_vertex(int n, const int* rows, const int* cols, const int* value, int* best) {
    const int v = THREAD;
    if (v >= n) return;
    bool is_peak = true;
    for (int e = rows[v]; is_peak && e < rows[v + 1]; ++e) is_peak = value[cols[e]] <= value[v];
    if (is_peak) {
        if (WRONG(true, false)) *best = max(*best, value[v]); // HERE
        else atomicMax(best, value[v]);
    }
}

// CASE conditional_edge_any kind=race grid=8 block=64 args=m,srcs,cols,wts,z4
extern "C" __global__ void conditional_edge_any(int m, const int* srcs, const int* cols, const int* wts, int* found) {
    const int e = THREAD;
    if (e < m && wts[e] == 7) WRONG(*found = e, atomicMax(found, e)); // HERE
}

// CASE any_writes_same kind=race grid=8 block=64 args=m,srcs,cols,wts,z4
extern "C" __global__ void any_writes_same(int m, const int* srcs, const int* cols, const int* wts, int* found) {
    const int e = THREAD;
    if (e < m && wts[e] == 7) WRONG(*found = 1, atomicOr(found, 1)); // HERE
}

// CASE populate_worklist_warp kind=race grid=4 block=64 args=n,rows,s400,z400,z4
extern "C" __global__ void populate_worklist_warp(int n, const int* rows, const int* value, int* list, int* size) {
    const int v = THREAD, lane = threadIdx.x % 32;
    const bool active = v < n && value[v] > 4;
    const unsigned votes = __ballot_sync(~0u, active);
    int at = 0;
    if (lane == 0 && votes) {
        if (WRONG(true, false)) {
            at = *size; // HERE
            *size = at + __popc(votes); // HERE
        } else {
            at = atomicAdd(size, __popc(votes));
        }
    }
    at = __shfl_sync(~0u, at, 0) + __popc(votes & ((1u << lane) - 1));
    if (active) list[at] = v; // ALSO
}

// CASE persistent_worklist kind=race grid=4 block=32 args=n,rows,cols,z400,z4
extern "C" __global__ void persistent_worklist(int n, const int* rows, const int* cols, int* degree, int* next) {
    __shared__ int v;
    while (true) {
        if (threadIdx.x == 0) v = atomicAdd(next, 1); // HERE
        if (WRONG(false, true)) __syncthreads();
        if (v >= n) break; // HERE
        for (int e = rows[v] + threadIdx.x; e < rows[v + 1]; e += blockDim.x) atomicAdd(&degree[cols[e]], 1); // HERE
        __syncthreads();
    }
}

// CASE persistent_worklist_reread kind=race grid=4 block=64 args=n,rows,cols,z400,z4
extern "C" __global__ void persistent_worklist_reread(int n, const int* rows, const int* cols, int* degree, int* next) {
    __shared__ int v;
    while (true) {
        if (threadIdx.x == 0) v = atomicAdd(next, 1); // HERE
        __syncthreads();
        const int mine = v; // HERE
        if (WRONG(false, true)) __syncthreads();
        if (mine >= n) break;
        for (int e = rows[mine] + threadIdx.x; e < rows[mine + 1]; e += blockDim.x) atomicAdd(&degree[cols[e]], 1);
    }
}

// CASE topology_driven_fixpoint kind=race grid=4 block=32 args=n,rows,cols,i400,z4
extern "C" __global__ void topology_driven_fixpoint(int n, const int* rows, const int* cols, int* label, int* changed) {
    const int v = THREAD;
    if (v >= n) return;
    for (int e = rows[v]; e < rows[v + 1]; ++e) {
        const int l = WRONG(label[v], *(volatile int*)&label[v]); // HERE
        if (atomicMin(&label[cols[e]], l) > l) *(volatile int*)changed = 1; // HERE
    }
}

// CASE changed_flag_plain kind=race grid=4 block=32 args=n,rows,cols,i400,z4
extern "C" __global__ void changed_flag_plain(int n, const int* rows, const int* cols, int* label, int* changed) {
    const int v = THREAD;
    if (v >= n) return;
    const int l = atomicAdd(&label[v], 0);
    for (int e = rows[v]; e < rows[v + 1]; ++e)
        if (atomicMin(&label[cols[e]], l) > l) {
            if (WRONG(true, false)) *changed = v; // HERE
            else atomicExch(changed, v);
        }
}

// CASE union_find_halving kind=race grid=8 block=64 args=m,srcs,cols,i400
__device__ int representative(int v, int* parent) {
    while (true) {
        const int p = WRONG(parent[v], *(volatile int*)&parent[v]); // HERE
        if (p == v) return v;
        const int g = *(volatile int*)&parent[p];
        if (p != g) atomicCAS(&parent[v], p, g); // ALSO
        v = g;
    }
}
extern "C" __global__ void union_find_halving(int m, const int* srcs, const int* cols, int* parent) {
    for (int e = THREAD; e < m; e += THREADS) {
        int a = representative(srcs[e], parent), b = representative(cols[e], parent);
        while (a != b) {
            if (a < b) { const int t = a; a = b; b = t; }
            if (atomicCAS(&parent[a], a, b) == a) break; // HERE
            a = representative(a, parent);
        }
    }
}

// CASE luby_random_mis kind=race grid=4 block=32 args=n,rows,cols,s400,z400,z4
extern "C" __global__ void luby_random_mis(int n, const int* rows, const int* cols, const int* priority, int* state, int* left) {
    const int v = THREAD;
    if (v >= n) return;
    if (WRONG(state[v], *(volatile int*)&state[v]) != 0) return; // HERE
    for (int e = rows[v]; e < rows[v + 1]; ++e) {
        const int u = cols[e];
        if (priority[u] > priority[v] || (priority[u] == priority[v] && u > v)) { atomicAdd(left, 1); return; }
    }
    atomicExch(&state[v], 1); // ALSO
    for (int e = rows[v]; e < rows[v + 1]; ++e) atomicExch(&state[cols[e]], 2); // HERE
}

// CASE color_conflict kind=race grid=4 block=32 args=n,rows,cols,z400,u400
extern "C" __global__ void color_conflict(int n, const int* rows, const int* cols, int* color, int* again) {
    const int v = THREAD;
    if (v >= n) return;
    again[v] = 0;
    for (int e = rows[v]; e < rows[v + 1]; ++e)
        if (color[v] == color[cols[e]] && v < cols[e]) { // HERE
            WRONG(color[v] = -1, again[v] = 1); // HERE
            break;
        }
}

// CASE pagerank_residual_block kind=race grid=4 block=64 args=n,rows,cols,F400,z400,z16
extern "C" __global__ void pagerank_residual_block(int n, const int* rows, const int* cols, const float* rank, float* next, float* part) {
    __shared__ float s[64];
    const int v = THREAD;
    float change = 0;
    if (v < n) {
        float sum = 0.15f;
        for (int e = rows[v]; e < rows[v + 1]; ++e) sum += 0.85f * rank[cols[e]];
        next[v] = sum;
        change = fabsf(sum - rank[v]);
    }
    s[threadIdx.x] = change; // HERE
    if (WRONG(false, true)) __syncthreads();
    for (int k = 32; k > 0; k /= 2) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k]; // HERE
        __syncthreads();
    }
    if (threadIdx.x == 0) part[blockIdx.x] = s[0]; // ALSO
}

// CASE spmv_csr_vector kind=race grid=4 block=64 args=n,rows,cols,F2400,F400,z400
extern "C" __global__ void spmv_csr_vector(int n, const int* rows, const int* cols, const float* values, const float* x, float* y) {
    __shared__ volatile float part[64];
    __shared__ float own[64];
    const int lane = threadIdx.x % 32, row = THREAD / 32;
    float sum = 0;
    if (row < n)
        for (int e = rows[row] + lane; e < rows[row + 1]; e += 32) sum += values[e] * x[cols[e]];
    own[threadIdx.x] = sum; // HERE
    part[threadIdx.x] = sum;
    __syncwarp();
    for (int k = 16; k > 0; k /= 2) {
        const float other = lane < k ? own[threadIdx.x + k] : 0; // HERE
        if (lane < k) own[threadIdx.x] += other; // HERE
        if (WRONG(false, true)) __syncwarp();
    }
    if (lane == 0 && row < n) y[row] = own[threadIdx.x];
}

// CASE prefix_edges_local kind=init grid=4 block=32 args=n,rows,z400
extern "C" __global__ void prefix_edges_local(int n, const int* rows, int* out) {
    __shared__ int degrees[33];
    const int v = THREAD;
    if (v < n) degrees[threadIdx.x + 1] = rows[v + 1] - rows[v];
    else if (WRONG(false, true)) degrees[threadIdx.x + 1] = 0;
    if (threadIdx.x == 0) degrees[0] = 0;
    __syncwarp();
    int sum = 0;
    for (int k = 0; k <= 32; ++k) sum += degrees[k];
    if (threadIdx.x == 0) atomicMax(&out[blockIdx.x], sum); // HERE
}

// CASE frontier_bitmap kind=race grid=4 block=32 args=n,rows,cols,z400,z16
extern "C" __global__ void frontier_bitmap(int n, const int* rows, const int* cols, int* level, unsigned* bitmap) {
    const int v = THREAD;
    if (v >= n) return;
    for (int e = rows[v]; e < rows[v + 1]; ++e) {
        const int to = cols[e];
        if (WRONG(true, false)) bitmap[to / 32] |= 1u << to % 32; // HERE
        else atomicOr(&bitmap[to / 32], 1u << to % 32);
    }
}

// CASE triangle_binary_search kind=memory grid=8 block=64 args=m,rows,cols,srcs,z4
extern "C" __global__ void triangle_binary_search(int m, const int* rows, const int* cols, const int* srcs, int* total) {
    const int e = THREAD;
    if (e >= m) return;
    const int u = srcs[e], v = cols[e];
    int count = 0;
    for (int k = rows[u]; k < rows[u + 1]; ++k) {
        int low = rows[v], high = rows[v + 1] - WRONG(0, 1);
        while (low <= high) {
            const int mid = (low + high) / 2;
            const int x = cols[mid]; // HERE
            if (x == cols[k]) { ++count; break; }
            if (x < cols[k]) low = mid + 1;
            else high = mid - 1;
        }
    }
    atomicAdd(total, count);
}

// CASE block_scope_degree kind=race grid=8 block=64 args=m,srcs,z400
extern "C" __global__ void block_scope_degree(int m, const int* srcs, int* degree) {
    const int e = THREAD;
    if (e < m) WRONG(atomicAdd_block(&degree[srcs[e]], 1), atomicAdd(&degree[srcs[e]], 1)); // HERE
}

// CASE block_scope_min kind=race grid=8 block=64 args=m,srcs,cols,m400
extern "C" __global__ void block_scope_min(int m, const int* srcs, const int* cols, unsigned* label) {
    const int e = THREAD;
    if (e >= m) return;
    unsigned* const at = &label[cols[e]];
    WRONG(atomicMin_block(at, unsigned(srcs[e])), atomicMin(at, unsigned(srcs[e]))); // HERE
}

// CASE edge_lock kind=race grid=2 block=32 args=m,srcs,cols,z400,z400
extern "C" __global__ void edge_lock(int m, const int* srcs, const int* cols, int* locks, int* sum) {
    const int e = THREAD;
    if (e >= m) return;
    const int v = cols[e];
    bool done = false;
    while (!done) {
        if (atomicCAS(&locks[v], 0, 1) == 0) {
            if (WRONG(false, true)) __threadfence();
            sum[v] += srcs[e]; // HERE
            __threadfence();
            atomicExch(&locks[v], 0);
            done = true;
        }
    }
}

// CASE read_only_cache_of_written kind=race grid=4 block=32 args=n,rows,cols,i400
extern "C" __global__ void read_only_cache_of_written(int n, const int* rows, const int* cols, int* value) {
    const int v = THREAD;
    if (v >= n) return;
    int least = v;
    for (int e = rows[v]; e < rows[v + 1]; ++e) least = min(least, WRONG(__ldg(&value[cols[e]]), cols[e])); // HERE
    value[v] = least; // HERE
}

// CASE degree_sort_scatter kind=race grid=4 block=32 args=n,rows,z400,z400
extern "C" __global__ void degree_sort_scatter(int n, const int* rows, int* bins, int* out) {
    const int v = THREAD;
    if (v >= n) return;
    const int d = min(rows[v + 1] - rows[v], 20);
    const int at = d * 5 % 100 + WRONG(atomicAdd(&bins[d], 1) / 2, 0);
    if (WRONG(true, false)) out[at] = v; // HERE
    else atomicMax(&out[at], v);
}
