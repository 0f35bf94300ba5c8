// SPDX-License-Identifier: Apache-2.0
// Codes over graphs: vertices and edges of CSR, a thread, a warp or a block for each vertex.
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)
#define THREADS (gridDim.x * blockDim.x)

template <class T> __device__ __forceinline__ T smaller(T* at, T v) { return atomicMin(at, v); }
template <> __device__ __forceinline__ float smaller(float* at, float v) {
    int* const bits = (int*)at;
    int old = *bits;
    while (__int_as_float(old) > v) {
        const int seen = old;
        old = atomicCAS(bits, seen, __float_as_int(v));
        if (old == seen) break;
    }
    return __int_as_float(old);
}

// CASE bfs_level_int kind=race grid=4 block=32 args=n,rows,cols,m400,z4
// CASE bfs_level_long kind=race grid=4 block=32 args=n,rows,cols,m800,z4
template <class T> __device__ __forceinline__
void bfs_level(int n, const int* rows, const int* cols, T* level, int* changed) {
    const int v = THREAD;
    if (v >= n) return;
    const T d = 1 + v % 5;
    for (int e = rows[v]; e < rows[v + 1]; ++e) {
        const int to = cols[e];
        WRONG(level[to] = d, atomicMin(&level[to], d)); // HERE
    }
    if (v == 0) *changed = 1;
}
extern "C" __global__ void bfs_level_int(int n, const int* rows, const int* cols, unsigned* level, int* changed) {
    bfs_level(n, rows, cols, level, changed);
}
extern "C" __global__ void bfs_level_long(int n, const int* rows, const int* cols, unsigned long long* level,
                                          int* changed) {
    bfs_level(n, rows, cols, level, changed);
}

// CASE bfs_bounds_last_vertex kind=memory grid=4 block=32 args=n,rows,cols,z400,z400
extern "C" __global__ void bfs_bounds_last_vertex(int n, const int* rows, const int* cols, const int* level, int* next) {
    const int v = THREAD;
    if (WRONG(v <= n, v < n)) {
        int least = level[v]; // ALSO
        const int end = rows[v + 1]; // HERE
        for (int e = rows[v]; e < end; ++e) least = min(least, level[cols[e]]); // ALSO
        next[v] = least; // ALSO
    }
}

// CASE bfs_guard kind=race grid=4 block=32 args=n,rows,cols,s400,m400
extern "C" __global__ void bfs_guard(int n, const int* rows, const int* cols, const int* level, unsigned* next) {
    const int v = THREAD;
    if (v >= n) return;
    const unsigned d = level[v] + 1;
    for (int e = rows[v]; e < rows[v + 1]; ++e) {
        const int to = cols[e];
        if (WRONG(true, false)) {
            if (next[to] > d) next[to] = d; // HERE
        } else {
            atomicMin(&next[to], d);
        }
    }
}

// CASE bfs_worklist kind=race grid=4 block=32 args=n,rows,cols,z400,z4000,z4
extern "C" __global__ void bfs_worklist(int n, const int* rows, const int* cols, int* visited, int* list, int* size) {
    const int v = THREAD;
    if (v >= n) return;
    for (int e = rows[v]; e < rows[v + 1]; ++e) {
        const int to = cols[e];
        if (atomicExch(&visited[to], 1) == 0) {
            int at;
            if (WRONG(true, false)) at = (*size)++; // HERE
            else at = atomicAdd(size, 1);
            list[at] = to; // ALSO
        }
    }
}

// CASE bfs_visited_guard kind=race grid=4 block=32 args=n,rows,cols,z400,z4000,z4
extern "C" __global__ void bfs_visited_guard(int n, const int* rows, const int* cols, int* visited, int* list, int* size) {
    const int v = THREAD;
    if (v >= n) return;
    for (int e = rows[v]; e < rows[v + 1]; ++e) {
        const int to = cols[e];
        bool first;
        if (WRONG(true, false)) {
            first = visited[to] == 0; // HERE
            visited[to] = 1; // HERE
        } else {
            first = atomicCAS(&visited[to], 0, 1) == 0;
        }
        if (first) list[atomicAdd(size, 1)] = to; // ALSO
    }
}

// CASE sssp_edges_int kind=race grid=8 block=64 args=m,srcs,cols,wts,i400
// CASE sssp_edges_float kind=race grid=8 block=64 args=m,srcs,cols,wts,F400
template <class T> __device__ __forceinline__
void sssp_edges(int m, const int* srcs, const int* cols, const int* wts, T* dist) {
    const int e = THREAD;
    if (e >= m) return;
    const T d = *(volatile T*)&dist[srcs[e]] + wts[e]; // ALSO
    if (WRONG(true, false)) {
        if (dist[cols[e]] > d) dist[cols[e]] = d; // HERE
    } else {
        smaller(&dist[cols[e]], d);
    }
}
extern "C" __global__ void sssp_edges_int(int m, const int* srcs, const int* cols, const int* wts, int* dist) {
    sssp_edges(m, srcs, cols, wts, dist);
}
extern "C" __global__ void sssp_edges_float(int m, const int* srcs, const int* cols, const int* wts, float* dist) {
    sssp_edges(m, srcs, cols, wts, dist);
}

// CASE sssp_read_plain kind=race grid=8 block=64 args=m,srcs,cols,wts,i400
extern "C" __global__ void sssp_read_plain(int m, const int* srcs, const int* cols, const int* wts, int* dist) {
    const int e = THREAD;
    if (e >= m) return;
    const int d = WRONG(dist[srcs[e]], atomicAdd(&dist[srcs[e]], 0)) + wts[e]; // HERE
    atomicMin(&dist[cols[e]], d); // HERE
}

// CASE sssp_bounds_edge kind=memory grid=8 block=64 args=m,srcs,cols,wts,i400
extern "C" __global__ void sssp_bounds_edge(int m, const int* srcs, const int* cols, const int* wts, int* dist) {
    const int e = THREAD;
    if (e < m + WRONG(1, 0)) {
        const int from = srcs[e]; // HERE
        const int to = cols[e]; // HERE
        const int d = atomicAdd(&dist[from], 0) + wts[e]; // HERE
        atomicMin(&dist[to], d); // ALSO
    }
}

// CASE warp_per_vertex_no_syncwarp kind=race grid=4 block=64 args=n,rows,cols,z400
extern "C" __global__ void warp_per_vertex_no_syncwarp(int n, const int* rows, const int* cols, int* degree) {
    __shared__ int part[64];
    const int lane = threadIdx.x % 32, base = threadIdx.x - lane;
    for (int v = THREAD / 32; v < n; v += THREADS / 32) {
        int sum = 0;
        for (int e = rows[v] + lane; e < rows[v + 1]; e += 32) sum += cols[e];
        part[threadIdx.x] = sum; // HERE
        WRONG((void)0, __syncwarp());
        if (lane == 0) {
            int all = 0;
            for (int k = 0; k < 32; ++k) all += part[base + k]; // HERE
            degree[v] = all; // ALSO
        }
        __syncwarp();
    }
}

// CASE warp_per_vertex_reuse kind=race grid=4 block=64 args=n,rows,cols,z400
extern "C" __global__ void warp_per_vertex_reuse(int n, const int* rows, const int* cols, int* degree) {
    __shared__ int part[64];
    const int lane = threadIdx.x % 32, base = threadIdx.x - lane;
    for (int v = THREAD / 32; v < n; v += THREADS / 32) {
        int sum = 0;
        for (int e = rows[v] + lane; e < rows[v + 1]; e += 32) sum += cols[e];
        part[threadIdx.x] = sum; // HERE
        __syncwarp();
        if (lane == 0) {
            int all = 0;
            for (int k = 0; k < 32; ++k) all += part[base + k]; // HERE
            degree[v] = all; // ALSO
        }
        WRONG((void)0, __syncwarp());
    }
}

// CASE warp_per_vertex_sum_not_atomic kind=race grid=4 block=64 args=n,rows,cols,z400
extern "C" __global__ void warp_per_vertex_sum_not_atomic(int n, const int* rows, const int* cols, int* degree) {
    const int lane = threadIdx.x % 32;
    const int v = THREAD / 32;
    if (v >= n) return;
    for (int e = rows[v] + lane; e < rows[v + 1]; e += 32)
        WRONG(degree[v] += cols[e], atomicAdd(&degree[v], cols[e])); // HERE
}

// CASE block_per_vertex_no_barrier kind=race grid=100 block=64 args=n,rows,cols,z400
extern "C" __global__ void block_per_vertex_no_barrier(int n, const int* rows, const int* cols, int* least) {
    __shared__ int best;
    const int v = blockIdx.x;
    if (threadIdx.x == 0) best = v; // HERE
    WRONG((void)0, __syncthreads());
    for (int e = rows[v] + threadIdx.x; e < rows[v + 1]; e += blockDim.x) atomicMin(&best, cols[e]); // HERE
    __syncthreads();
    if (threadIdx.x == 0) least[v] = best;
}

// CASE block_per_vertex_last_barrier kind=race grid=100 block=64 args=n,rows,cols,z400
extern "C" __global__ void block_per_vertex_last_barrier(int n, const int* rows, const int* cols, int* least) {
    __shared__ int best;
    const int v = blockIdx.x;
    if (threadIdx.x == 0) best = v;
    __syncthreads();
    for (int e = rows[v] + threadIdx.x; e < rows[v + 1]; e += blockDim.x) atomicMin(&best, cols[e]); // HERE
    WRONG((void)0, __syncthreads());
    if (threadIdx.x == 0) least[v] = best; // HERE
}

// CASE block_per_vertex_persistent kind=race grid=5 block=64 args=n,rows,cols,z400
extern "C" __global__ void block_per_vertex_persistent(int n, const int* rows, const int* cols, int* least) {
    __shared__ int best;
    for (int v = blockIdx.x; v < n; v += gridDim.x) {
        if (threadIdx.x == 0) best = v; // HERE
        __syncthreads();
        for (int e = rows[v] + threadIdx.x; e < rows[v + 1]; e += blockDim.x) atomicMin(&best, cols[e]); // HERE
        __syncthreads();
        if (threadIdx.x < 2) least[v] = best; // HERE
        WRONG((void)0, __syncthreads());
    }
}

// CASE block_per_vertex_early_return kind=sync grid=50 block=64 args=n,rows,cols,z400
extern "C" __global__ void block_per_vertex_early_return(int n, const int* rows, const int* cols, int* sums) {
    __shared__ int part[64];
    const int v = blockIdx.x;
    const int degree = rows[v + 1] - rows[v];
    part[threadIdx.x] = 0;
    __syncthreads();
    if (WRONG(threadIdx.x < degree, true)) {
        part[threadIdx.x] = threadIdx.x < degree ? cols[rows[v] + threadIdx.x] : 0; // ALSO
        __syncthreads(); // HERE
    }
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int k = 0; k < 64; ++k) sum += part[k]; // ALSO
        sums[v] = sum;
    }
}

// CASE cc_hook kind=race grid=8 block=64 args=m,srcs,cols,i400
extern "C" __global__ void cc_hook(int m, const int* srcs, const int* cols, int* parent) {
    const int e = THREAD;
    if (e >= m) return;
    int a = *(volatile int*)&parent[srcs[e]], b = *(volatile int*)&parent[cols[e]]; // ALSO
    while (a != b) {
        const int high = max(a, b), low = min(a, b);
        if (WRONG(true, false)) {
            parent[high] = low; // HERE
            break;
        }
        const int was = atomicCAS(&parent[high], high, low);
        if (was == high || was == low) break;
        a = was;
        b = low;
    }
}

// CASE cc_jump kind=race grid=4 block=32 args=n,t400
extern "C" __global__ void cc_jump(int n, int* parent) {
    const int v = THREAD;
    if (v >= n) return;
    volatile int* const p = parent;
    int root = p[v]; // ALSO
    while (root != p[root]) root = p[root]; // ALSO
    if (WRONG(true, false)) parent[v] = root; // HERE
    else p[v] = root;
}

// CASE cc_pull_same_array kind=race grid=4 block=32 args=n,rows,cols,i400,u400
extern "C" __global__ void cc_pull_same_array(int n, const int* rows, const int* cols, int* label, int* next) {
    const int v = THREAD;
    if (v >= n) return;
    int least = label[v];
    for (int e = rows[v]; e < rows[v + 1]; ++e) least = min(least, label[cols[e]]); // HERE
    WRONG(label, next)[v] = least; // HERE
    if (WRONG(true, false)) next[v] = 0;
}

// CASE union_find_compress kind=race grid=8 block=64 args=m,srcs,cols,i400
__device__ __forceinline__ int find_root(int v, int* parent) {
    int p = *(volatile int*)&parent[v]; // ALSO
    if (p != v) {
        int previous = v, next;
        while (p > (next = *(volatile int*)&parent[p])) { // ALSO
            if (WRONG(true, false)) parent[previous] = next; // HERE
            else *(volatile int*)&parent[previous] = next;
            previous = p;
            p = next;
        }
    }
    return p;
}
extern "C" __global__ void union_find_compress(int m, const int* srcs, const int* cols, int* parent) {
    const int e = THREAD;
    if (e >= m) return;
    int a = find_root(srcs[e], parent), b = find_root(cols[e], parent);
    while (a != b) {
        if (a < b) { const int t = a; a = b; b = t; }
        const int was = atomicCAS(&parent[a], a, b); // ALSO
        if (was == a) break;
        a = was;
    }
}

// CASE pagerank_push kind=race grid=4 block=32 args=n,rows,cols,F400,z400
// CASE pagerank_push_double kind=race grid=4 block=32 args=n,rows,cols,F400,z800
template <class T> __device__ __forceinline__
void push(int n, const int* rows, const int* cols, const float* rank, T* next) {
    const int v = THREAD;
    if (v >= n) return;
    const int degree = rows[v + 1] - rows[v];
    for (int e = rows[v]; e < rows[v + 1]; ++e) {
        const T share = T(0.85f * rank[v] / degree);
        if (WRONG(true, false)) next[cols[e]] += share; // HERE
        else atomicAdd(&next[cols[e]], share);
    }
}
extern "C" __global__ void pagerank_push(int n, const int* rows, const int* cols, const float* rank, float* next) {
    push(n, rows, cols, rank, next);
}
extern "C" __global__ void pagerank_push_double(int n, const int* rows, const int* cols, const float* rank, double* next) {
    push(n, rows, cols, rank, next);
}

// CASE pagerank_pull kind=race grid=4 block=32 args=n,rows,cols,F400,z400,z4
extern "C" __global__ void pagerank_pull(int n, const int* rows, const int* cols, float* rank, float* next, float* error) {
    const int v = THREAD;
    if (v >= n) return;
    float sum = 0.15f;
    for (int e = rows[v]; e < rows[v + 1]; ++e) sum += 0.85f * rank[cols[e]];
    next[v] = sum;
    const float change = fabsf(sum - rank[v]);
    if (WRONG(true, false)) *error += change; // HERE
    else atomicAdd(error, change);
}

// CASE pagerank_outdegree_zero kind=arithmetic grid=4 block=32 args=n,rows,cols,s400,z400
extern "C" __global__ void pagerank_outdegree_zero(int n, const int* rows, const int* cols, const int* score, int* next) {
    const int v = THREAD;
    if (v >= n) return;
    const int degree = rows[v + 1] - rows[v];
    if (WRONG(false, degree == 0)) return;
    next[v] = 1000 * score[v] / degree; // HERE
}

// CASE boruvka_lightest kind=race grid=8 block=64 args=m,srcs,cols,wts,m800
extern "C" __global__ void boruvka_lightest(int m, const int* srcs, const int* cols, const int* wts,
                                            unsigned long long* best) {
    const int e = THREAD;
    if (e >= m) return;
    const unsigned long long key = (unsigned long long)wts[e] << 32 | e;
    unsigned long long* const at = &best[srcs[e]];
    if (*(volatile unsigned long long*)at > key) { // ALSO
        if (WRONG(true, false)) *at = key; // HERE
        else atomicMin(at, key);
    }
}

// CASE boruvka_join kind=race grid=4 block=32 args=n,i400,z4,s400
extern "C" __global__ void boruvka_join(int n, int* parent, int* weight, const int* cost) {
    const int v = THREAD;
    if (v >= n) return;
    const int to = cost[v];
    if (to < v) {
        parent[v] = to;
        WRONG(*weight = *weight + to, atomicAdd(weight, to)); // HERE
    }
}

// CASE triangles kind=race grid=4 block=32 args=n,rows,cols,z4
// CASE triangles_shared kind=race grid=4 block=64 args=n,rows,cols,z4
__device__ __forceinline__ int common(int u, int v, const int* rows, const int* cols) {
    int a = rows[u], b = rows[v], count = 0;
    while (a < rows[u + 1] && b < rows[v + 1]) {
        const int x = cols[a], y = cols[b];
        count += x == y && x > v;
        a += x <= y;
        b += y <= x;
    }
    return count;
}
extern "C" __global__ void triangles(int n, const int* rows, const int* cols, int* total) {
    const int u = THREAD;
    if (u >= n) return;
    int count = 0;
    for (int e = rows[u]; e < rows[u + 1]; ++e)
        if (cols[e] > u) count += common(u, cols[e], rows, cols);
    WRONG(total[0] += count, atomicAdd(total, count)); // HERE
}
extern "C" __global__ void triangles_shared(int n, const int* rows, const int* cols, int* total) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    const int u = THREAD;
    int count = 0;
    if (u < n)
        for (int e = rows[u]; e < rows[u + 1]; ++e)
            if (cols[e] > u) count += common(u, cols[e], rows, cols);
    if (WRONG(true, false)) sum += count; // HERE
    else atomicAdd(&sum, count);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(total, sum);
}

// CASE mis_priority kind=race grid=4 block=32 args=n,rows,cols,z100
extern "C" __global__ void mis_priority(int n, const int* rows, const int* cols, unsigned char* state) {
    const int v = THREAD;
    if (v >= n) return;
    volatile unsigned char* const s = state;
    bool in = s[v] == 0; // ALSO
    for (int e = rows[v]; in && e < rows[v + 1]; ++e) in = s[cols[e]] != 1 && cols[e] >= v; // ALSO
    if (in) {
        s[v] = 1; // ALSO
        for (int e = rows[v]; e < rows[v + 1]; ++e) {
            if (WRONG(true, false)) state[cols[e]] = 2; // HERE
            else s[cols[e]] = 2; // ALSO
        }
    }
}

// CASE kcore kind=race grid=4 block=32 args=n,rows,cols,s400,z400
extern "C" __global__ void kcore(int n, const int* rows, const int* cols, int* degree, int* removed) {
    const int v = THREAD;
    if (v >= n) return;
    if (atomicAdd(&degree[v], 0) >= 5) return; // ALSO
    removed[v] = 1;
    for (int e = rows[v]; e < rows[v + 1]; ++e) {
        const int to = cols[e];
        if (WRONG(true, false)) --degree[to]; // HERE
        else atomicSub(&degree[to], 1);
    }
}

// CASE coloring kind=race grid=4 block=32 args=n,rows,cols,z400,u400
extern "C" __global__ void coloring(int n, const int* rows, const int* cols, int* color, int* next) {
    const int v = THREAD;
    if (v >= n) return;
    unsigned used = 0;
    for (int e = rows[v]; e < rows[v + 1]; ++e) used |= 1u << (color[cols[e]] & 31); // HERE
    const int mine = __ffs(~used) - 1;
    WRONG(color[v] = mine, next[v] = mine); // HERE
    if (WRONG(true, false)) next[v] = 0;
}

// CASE degree_count_edges kind=race grid=8 block=64 args=m,srcs,z400
extern "C" __global__ void degree_count_edges(int m, const int* srcs, int* degree) {
    for (int e = THREAD; e < m; e += THREADS) WRONG(++degree[srcs[e]], atomicAdd(&degree[srcs[e]], 1)); // HERE
}

// CASE max_label_block kind=race grid=2 block=64 args=n,s400,z4
extern "C" __global__ void max_label_block(int n, const int* label, int* result) {
    __shared__ int most[2];
    const int v = THREAD, warp = threadIdx.x / 32;
    int x = v < n ? label[v] : 0;
    for (int k = 16; k > 0; k /= 2) x = max(x, __shfl_down_sync(~0u, x, k));
    if (threadIdx.x % 32 == 0) most[warp] = x; // HERE
    WRONG(__syncwarp(), __syncthreads());
    if (threadIdx.x == 0) atomicMax(result, max(most[0], most[1])); // HERE
}

// CASE worklist_block_queue kind=race grid=4 block=32 args=n,rows,cols,z4000,z4
extern "C" __global__ void worklist_block_queue(int n, const int* rows, const int* cols, int* list, int* size) {
    __shared__ int queue[512], count, start;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    const int v = THREAD;
    if (v < n)
        for (int e = rows[v]; e < rows[v + 1]; ++e)
            if (cols[e] < v) queue[atomicAdd(&count, 1)] = cols[e];
    __syncthreads();
    if (threadIdx.x == 0) start = atomicAdd(size, count); // HERE
    WRONG((void)0, __syncthreads());
    for (int k = threadIdx.x; k < count; k += blockDim.x) list[start + k] = queue[k]; // HERE
}

// CASE worklist_overflow kind=memory grid=4 block=32 args=n,rows,cols,z400,z4
extern "C" __global__ void worklist_overflow(int n, const int* rows, const int* cols, int* list, int* size) {
    const int v = THREAD;
    if (v >= n) return;
    for (int e = rows[v]; e < rows[v + 1]; ++e) {
        const int at = atomicAdd(size, 1);
        if (WRONG(true, at < n)) list[at] = cols[e]; // HERE
    }
}

// CASE worklist_size_not_cleared kind=init grid=4 block=32 args=n,rows,cols,z4000,u4,z4
extern "C" __global__ void worklist_size_not_cleared(int n, const int* rows, const int* cols, int* list, int* raw, int* size) {
    const int v = THREAD;
    if (v >= n) return;
    const int at = atomicAdd(WRONG(raw, size), 1); // ALSO
    list[at & 511] = v; // HERE
    if (v == 0 && WRONG(false, true)) *raw = 0;
}

// CASE vertex_binary_search kind=memory grid=8 block=64 args=n,m,rows,z2400
extern "C" __global__ void vertex_binary_search(int n, int m, const int* rows, int* owner) {
    const int e = THREAD;
    if (e >= m) return;
    int low = 0, high = n + WRONG(2, 0);
    if (WRONG(e == m - 1, false)) low = n + 1;
    while (low + 1 < high) {
        const int mid = (low + high) / 2;
        if (rows[mid] <= e) low = mid; // HERE
        else high = mid;
    }
    owner[e] = rows[low]; // HERE
}

// CASE guarded_atomics_right grid=4 block=32 args=n,rows,cols,s400,m400,z4
extern "C" __global__ void guarded_atomics_right(int n, const int* rows, const int* cols, const int* level,
                                                 unsigned* next, int* again) {
    const int v = THREAD;
    if (v >= n) return;
    for (int e = rows[v]; e < rows[v + 1]; ++e) {
        const unsigned d = level[v] + 1;
        if (next[cols[e]] > d && atomicMin(&next[cols[e]], d) > d) atomicExch(again, 1);
    }
}

// CASE edge_centric_double_buffer grid=8 block=64 args=m,srcs,cols,s400,m400
extern "C" __global__ void edge_centric_double_buffer(int m, const int* srcs, const int* cols, const int* now, unsigned* next) {
    for (int e = THREAD; e < m; e += THREADS) atomicMin(next + cols[e], unsigned(now[srcs[e]] + 1));
}
