// SPDX-License-Identifier: Apache-2.0
// Kernels of clusters of blocks, as PTX text.
#pragma once

inline constexpr char kClusterKernels[] = R"(
.version 8.6
.target sm_90
.address_size 64

// out: a block's 20 words, block after block
.visible .entry where(.param .u64 out) {
    .shared .align 16 .b8 pad[48];
    .shared .align 16 .b8 here[16];
    .reg .b32 %r<40>; .reg .b64 %rd<9>; .reg .pred %p<3>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z;
    mov.u32 %r4, %nctaid.x; mov.u32 %r5, %nctaid.y;
    mad.lo.u32 %r6, %r3, %r5, %r2; mad.lo.u32 %r6, %r6, %r4, %r1;
    mul.wide.u32 %rd2, %r6, 80; add.u64 %rd1, %rd1, %rd2;
    mov.u32 %r7, %clusterid.x;      st.global.u32 [%rd1], %r7;
    mov.u32 %r7, %clusterid.y;      st.global.u32 [%rd1+4], %r7;
    mov.u32 %r7, %clusterid.z;      st.global.u32 [%rd1+8], %r7;
    mov.u32 %r7, %nclusterid.x;     st.global.u32 [%rd1+12], %r7;
    mov.u32 %r7, %nclusterid.y;     st.global.u32 [%rd1+16], %r7;
    mov.u32 %r7, %nclusterid.z;     st.global.u32 [%rd1+20], %r7;
    mov.u32 %r7, %cluster_ctaid.x;  st.global.u32 [%rd1+24], %r7;
    mov.u32 %r7, %cluster_ctaid.y;  st.global.u32 [%rd1+28], %r7;
    mov.u32 %r7, %cluster_ctaid.z;  st.global.u32 [%rd1+32], %r7;
    mov.u32 %r7, %cluster_nctaid.x; st.global.u32 [%rd1+36], %r7;
    mov.u32 %r7, %cluster_nctaid.y; st.global.u32 [%rd1+40], %r7;
    mov.u32 %r7, %cluster_nctaid.z; st.global.u32 [%rd1+44], %r7;
    mov.u32 %r8, %cluster_ctarank;  st.global.u32 [%rd1+48], %r8;
    mov.u32 %r9, %cluster_nctarank; st.global.u32 [%rd1+52], %r9;
    // The next rank's place: the rank in a shared and in a generic address, and what space that is in.
    add.u32 %r10, %r8, 1; rem.u32 %r10, %r10, %r9;
    mapa.shared::cluster.u32 %r11, here, %r10;
    getctarank.shared::cluster.u32 %r12, %r11; st.global.u32 [%rd1+56], %r12;
    cvta.shared.u64 %rd3, here;
    mapa.u64 %rd4, %rd3, %r10;
    getctarank.u64 %r12, %rd4; st.global.u32 [%rd1+60], %r12;
    isspacep.shared::cta %p1, %rd4; selp.u32 %r12, 1, 0, %p1;
    isspacep.shared::cluster %p1, %rd4; selp.u32 %r13, 2, 0, %p1;
    isspacep.global %p1, %rd4; selp.u32 %r14, 4, 0, %p1;
    add.u32 %r12, %r12, %r13; add.u32 %r12, %r12, %r14; st.global.u32 [%rd1+64], %r12;
    // From the generic address of another block's memory to its shared address and back.
    cvta.to.shared::cluster.u64 %rd5, %rd4; cvt.u32.u64 %r15, %rd5;
    sub.u32 %r15, %r15, %r11; st.global.u32 [%rd1+68], %r15;
    mov.u32 %r16, here; mapa.shared::cluster.u32 %r17, %r16, %r8;
    sub.u32 %r17, %r17, %r16; st.global.u32 [%rd1+72], %r17;
    getctarank.shared::cluster.u32 %r18, here; sub.u32 %r18, %r18, %r8; st.global.u32 [%rd1+76], %r18;
    ret;
}

// Each thread adds up what the threads of its number have in all blocks of the cluster, read in all the ways there are;
// out: a word a thread. Threads from `leave` on end at once.
.visible .entry sums(.param .u64 out, .param .u32 leave) {
    .shared .align 16 .b8 mine[512];
    .shared .align 16 .b8 total[512];
    .reg .b32 %r<40>; .reg .b64 %rd<9>; .reg .pred %p<3>;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r20, [leave];
    mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
    setp.ge.u32 %p1, %r1, %r20; @%p1 exit;
    mad.lo.u32 %r4, %r2, %r3, %r1;
    mul.wide.u32 %rd2, %r4, 4; add.u64 %rd1, %rd1, %rd2;
    shl.b32 %r5, %r1, 2;
    mov.u32 %r6, mine; add.u32 %r6, %r6, %r5;
    mov.u32 %r7, total; add.u32 %r7, %r7, %r5;
    mad.lo.u32 %r8, %r4, %r4, 3; st.shared.u32 [%r6], %r8;
    mov.u32 %r9, 0; st.shared.u32 [%r7], %r9;
    barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
    mov.u32 %r10, 0; mov.u32 %r11, 0; mov.u32 %r12, %cluster_nctarank;
NEXT:
    mapa.shared::cluster.u32 %r13, %r6, %r11;
    ld.shared::cluster.u32 %r14, [%r13]; add.u32 %r10, %r10, %r14;
    cvt.u64.u32 %rd3, %r6; cvta.shared.u64 %rd3, %rd3; mapa.u64 %rd4, %rd3, %r11;
    ld.u32 %r14, [%rd4]; add.u32 %r10, %r10, %r14;
    mapa.shared::cluster.u32 %r15, %r7, %r11;
    atom.shared::cluster.add.u32 %r16, [%r15], %r8;
    cvt.u64.u32 %rd3, %r7; cvta.shared.u64 %rd3, %rd3; mapa.u64 %rd4, %rd3, %r11;
    red.add.u32 [%rd4], %r8;
    add.u32 %r11, %r11, 1; setp.lt.u32 %p1, %r11, %r12; @%p1 bra NEXT;
    barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
    ld.shared.u32 %r14, [%r7]; add.u32 %r10, %r10, %r14;
    st.global.u32 [%rd1], %r10;
    barrier.cluster.arrive.relaxed; barrier.cluster.wait;
    ret;
}

// A token goes round the blocks `rounds` times: each waits for it at a barrier object of its own, and hands it on by
// arriving at the next block's. Block 0 of a cluster stores what it has become.
.visible .entry ring(.param .u64 out, .param .u32 rounds) {
    .shared .align 8 .b64 come;
    .shared .align 8 .b64 token;
    .reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .pred %p<4>;
    mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0;
    mov.u32 %r2, come; mov.u32 %r3, token;
    mov.u32 %r4, %cluster_ctarank; mov.u32 %r5, %cluster_nctarank;
    ld.param.u32 %r6, [rounds];
    @%p1 bra MEET;
    mbarrier.init.shared::cta.b64 [%r2], 1;
    fence.mbarrier_init.release.cluster;
    mov.u64 %rd1, 1; st.shared.u64 [%r3], %rd1;
MEET:
    barrier.cluster.arrive; barrier.cluster.wait;
    @%p1 bra LAST;
    add.u32 %r7, %r4, 1; rem.u32 %r7, %r7, %r5;
    mapa.shared::cluster.u32 %r8, %r2, %r7; mapa.shared::cluster.u32 %r9, %r3, %r7;
    mov.u32 %r10, 0; setp.eq.u32 %p2, %r4, 0;
ROUND:
    @%p2 bra HAVE;
    and.b32 %r11, %r10, 1;
WAIT:
    mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [%r2], %r11; @!%p3 bra WAIT;
HAVE:
    ld.shared.u64 %rd2, [%r3]; mad.lo.u64 %rd2, %rd2, 3, 1;
    // In even rounds as a store that the barrier object counts the bytes of, in odd ones as a store and an arrival.
    and.b32 %r12, %r10, 1; setp.eq.u32 %p3, %r12, 1; @%p3 bra ODD;
    mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%r8], 8;
    st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u64 [%r9], %rd2, [%r8];
    bra.uni SENT;
ODD:
    st.shared::cluster.u64 [%r9], %rd2;
    mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8];
SENT:
    setp.ne.u32 %p3, %r4, 0; @%p3 bra NEXT;
    and.b32 %r11, %r10, 1;
BACK:
    mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [%r2], %r11; @!%p3 bra BACK;
NEXT:
    add.u32 %r10, %r10, 1; setp.lt.u32 %p3, %r10, %r6; @%p3 bra ROUND;
LAST:
    barrier.cluster.arrive; barrier.cluster.wait;
    setp.ne.or.u32 %p3, %r4, 0, %p1; @%p3 exit;
    ld.param.u64 %rd3, [out]; mov.u32 %r13, %clusterid.x; mul.wide.u32 %rd4, %r13, 8; add.u64 %rd3, %rd3, %rd4;
    ld.shared.u64 %rd2, [%r3]; st.global.u64 [%rd3], %rd2;
    ret;
}

// What every rank adds, takes the least of and so on, in block 0's memory; out: 8 words of each cluster.
.visible .entry reductions(.param .u64 out) {
    .shared .align 16 .b8 word[32];
    .shared .align 8 .b64 done;
    .reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .pred %p<4>;
    mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; @%p1 exit;
    mov.u32 %r2, word; mov.u32 %r3, done; mov.u32 %r4, %cluster_ctarank; mov.u32 %r5, %cluster_nctarank;
    mbarrier.init.shared::cta.b64 [%r3], 1; fence.mbarrier_init.release.cluster;
    mov.u32 %r6, 100; mov.u32 %r7, 0xffffffff;
    st.shared.u32 [%r2], %r6; st.shared.u32 [%r2+4], %r6; st.shared.u32 [%r2+8], %r6; st.shared.u32 [%r2+12], %r6;
    st.shared.u32 [%r2+16], %r7; mov.u64 %rd1, 5000000000; st.shared.u64 [%r2+24], %rd1; st.shared.u32 [%r2+20], %r6;
    mul.lo.u32 %r8, %r5, 32; setp.eq.u32 %p2, %r4, 0;
    @%p2 mbarrier.arrive.expect_tx.shared::cta.b64 %rd2, [%r3], %r8;
    barrier.cluster.arrive; barrier.cluster.wait;
    mapa.shared::cluster.u32 %r9, %r2, 0; mapa.shared::cluster.u32 %r10, %r3, 0;
    add.u32 %r11, %r4, 99; shl.b32 %r12, 1, %r4; not.b32 %r13, %r12; neg.s32 %r14, %r4; mul.wide.u32 %rd3, %r11, 1000000000;
    mov.u32 %r15, 101;
    red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r9], %r11, [%r10];
    red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.min.s32 [%r9+4], %r14, [%r10];
    red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.u32 [%r9+8], %r11, [%r10];
    red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.xor.b32 [%r9+12], %r12, [%r10];
    red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.and.b32 [%r9+16], %r13, [%r10];
    red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%r9+20], %r15, [%r10];
    red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%r9+24], %rd3, [%r10];
    @!%p2 bra LAST;
WAIT:
    mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [%r3], 0; @!%p3 bra WAIT;
    ld.param.u64 %rd4, [out]; mov.u32 %r16, %clusterid.x; mul.wide.u32 %rd5, %r16, 32; add.u64 %rd4, %rd4, %rd5;
    mov.u32 %r17, 0;
COPY:
    add.u32 %r18, %r2, %r17; ld.shared.u32 %r19, [%r18]; st.global.u32 [%rd4], %r19;
    add.u64 %rd4, %rd4, 4; add.u32 %r17, %r17, 4; setp.lt.u32 %p3, %r17, 32; @%p3 bra COPY;
LAST:
    barrier.cluster.arrive; barrier.cluster.wait;
    ret;
}

// Bulk copies. Block 0 gets 256 bytes of `in` into its memory and those of all others; each block sends what it has to
// the second place of the next one, adds its words to that, and copies both to `out`: 512 bytes a block.
.visible .entry bulk(.param .u64 in, .param .u64 out) {
    .shared .align 128 .b8 first[256];
    .shared .align 128 .b8 second[256];
    .shared .align 8 .b64 done[3];
    .reg .b32 %r<24>; .reg .b64 %rd<9>; .reg .pred %p<4>; .reg .b16 %h<3>;
    mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; @%p1 exit;
    mov.u32 %r2, first; mov.u32 %r3, second; mov.u32 %r4, done;
    mov.u32 %r5, %cluster_ctarank; mov.u32 %r6, %cluster_nctarank;
    mbarrier.init.shared::cta.b64 [%r4], 1; mbarrier.init.shared::cta.b64 [%r4+8], 1; mbarrier.init.shared::cta.b64 [%r4+16], 1;
    fence.mbarrier_init.release.cluster;
    mbarrier.arrive.expect_tx.shared::cta.b64 %rd1, [%r4], 256;
    mbarrier.arrive.expect_tx.shared::cta.b64 %rd1, [%r4+8], 256;
    mbarrier.arrive.expect_tx.shared::cta.b64 %rd1, [%r4+16], 256;
    fence.proxy.async;
    barrier.cluster.arrive; barrier.cluster.wait;
    ld.param.u64 %rd2, [in]; setp.ne.u32 %p2, %r5, 0; @%p2 bra RECEIVE;
    shl.b32 %r7, 1, %r6; sub.u32 %r7, %r7, 1; cvt.u16.u32 %h1, %r7;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r2], [%rd2], 256, [%r4], %h1;
RECEIVE:
    mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r4], 0; @!%p3 bra RECEIVE;
    add.u32 %r8, %r5, 1; rem.u32 %r8, %r8, %r6;
    mapa.shared::cluster.u32 %r9, %r3, %r8; mapa.shared::cluster.u32 %r10, %r4, %r8;
    add.u32 %r11, %r10, 8; add.u32 %r12, %r10, 16; mov.u32 %r13, 256;
    cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r9], [%r2], %r13, [%r11];
SENT:
    mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r4+8], 0; @!%p3 bra SENT;
    // All have received before anybody adds.
    barrier.cluster.arrive; barrier.cluster.wait;
    cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r9], [%r2], %r13, [%r12];
ADDED:
    mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r4+16], 0; @!%p3 bra ADDED;
    fence.proxy.async.shared::cta;
    ld.param.u64 %rd3, [out]; mov.u32 %r14, %ctaid.x; mul.wide.u32 %rd4, %r14, 512; add.u64 %rd3, %rd3, %rd4;
    cp.async.bulk.global.shared::cta.bulk_group [%rd3], [%r2], 256;
    cp.async.bulk.commit_group;
    add.u64 %rd3, %rd3, 256;
    cp.async.bulk.global.shared::cta.bulk_group [%rd3], [%r3], %r13;
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group.read 1;
    cp.async.bulk.wait_group 0;
    barrier.cluster.arrive; barrier.cluster.wait;
    ret;
}

.visible .entry touch(.param .u64 out, .param .u32 rank) {
    .shared .align 16 .b8 here[16];
    .reg .b32 %r<9>; .reg .b64 %rd<9>;
    ld.param.u32 %r1, [rank];
    mov.u32 %r3, %cluster_ctarank; add.u32 %r3, %r3, 7; st.shared.u32 [here], %r3;
    barrier.cluster.arrive; barrier.cluster.wait;
    mapa.shared::cluster.u32 %r2, here, %r1;
    ld.shared::cluster.u32 %r4, [%r2];
    ld.param.u64 %rd1, [out]; st.global.u32 [%rd1], %r4;
    barrier.cluster.arrive; barrier.cluster.wait;
    ret;
}

.visible .entry pairs(.param .u64 out) .reqnctapercluster 2, 1, 1 {
    .reg .b32 %r<9>; .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [out]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
    mov.u32 %r2, %cluster_nctarank; mov.u32 %r3, %cluster_ctarank; shl.b32 %r2, %r2, 8; or.b32 %r2, %r2, %r3;
    st.global.u32 [%rd1], %r2;
    ret;
}

.visible .entry explicit_pairs(.param .u64 out) .explicitcluster .reqnctapercluster 2, 1, 1 {
    .reg .b32 %r<9>; .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [out]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
    mov.u32 %r2, %cluster_nctarank; mov.u32 %r3, %cluster_ctarank; shl.b32 %r2, %r2, 8; or.b32 %r2, %r2, %r3;
    st.global.u32 [%rd1], %r2;
    ret;
}
)";
