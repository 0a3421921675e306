/* simt_ops.h - what kernel code calls on the engine. Used by the CUDA shim headers (simt/include) only.
 *
 * In every simt_op_* function the last argument `site` is written as nullptr/NULL in the shim; the instrumenter replaces
 * it by the place of the call in the innermost frame that is not shim code. The shim may therefore wrap these in inline
 * functions and templates of any depth. None may be called outside a kernel unless it says so. */
#ifndef SIMT_SIMT_OPS_H
#define SIMT_SIMT_OPS_H
#include "simt.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Built-in variables; axis x, y, z. Constant within a thread, so calls fold. */
#define SIMT_CONST __attribute__((const, nothrow))
/* Nothing here throws; saying so keeps landing pads out of kernels. */
#define SIMT_NOTHROW __attribute__((nothrow))
unsigned simt_thread_idx_x(void) SIMT_CONST;
unsigned simt_thread_idx_y(void) SIMT_CONST;
unsigned simt_thread_idx_z(void) SIMT_CONST;
unsigned simt_block_idx_x(void) SIMT_CONST;
unsigned simt_block_idx_y(void) SIMT_CONST;
unsigned simt_block_idx_z(void) SIMT_CONST;
unsigned simt_block_dim_x(void) SIMT_CONST;
unsigned simt_block_dim_y(void) SIMT_CONST;
unsigned simt_block_dim_z(void) SIMT_CONST;
unsigned simt_grid_dim_x(void) SIMT_CONST;
unsigned simt_grid_dim_y(void) SIMT_CONST;
unsigned simt_grid_dim_z(void) SIMT_CONST;
unsigned simt_lane_id(void) SIMT_CONST;

/* __syncthreads and its reducing forms: returns the count, the conjunction or the disjunction of pred != 0. */
typedef enum SimtBarrier { SIMT_BARRIER_PLAIN, SIMT_BARRIER_COUNT, SIMT_BARRIER_AND, SIMT_BARRIER_OR } SimtBarrier;
int simt_op_barrier(int kind, int pred, const SimtSite *site) SIMT_NOTHROW;

void simt_op_syncwarp(uint32_t mask, const SimtSite *site) SIMT_NOTHROW;

/* Shuffles of up to 64 bits (callers split wider values). CUDA's rules for delta, width and out-of-range sources. */
typedef enum SimtShuffle { SIMT_SHFL_IDX, SIMT_SHFL_UP, SIMT_SHFL_DOWN, SIMT_SHFL_XOR } SimtShuffle;
uint64_t simt_op_shfl(int mode, uint32_t mask, uint64_t bits, uint32_t arg, uint32_t width, const SimtSite *site)
    SIMT_NOTHROW;

typedef enum SimtVote { SIMT_VOTE_ALL, SIMT_VOTE_ANY, SIMT_VOTE_UNI, SIMT_VOTE_BALLOT } SimtVote;
uint32_t simt_op_vote(int mode, uint32_t mask, int pred, const SimtSite *site) SIMT_NOTHROW;

/* __match_any_sync (all = 0): lanes of mask with the same bits. __match_all_sync (all = 1): mask or 0. */
uint32_t simt_op_match(int all, uint32_t mask, uint64_t bits, const SimtSite *site) SIMT_NOTHROW;

typedef enum SimtReduce {
  SIMT_REDUCE_ADD, SIMT_REDUCE_MIN_U, SIMT_REDUCE_MAX_U, SIMT_REDUCE_MIN_S, SIMT_REDUCE_MAX_S,
  SIMT_REDUCE_AND, SIMT_REDUCE_OR, SIMT_REDUCE_XOR
} SimtReduce;
uint32_t simt_op_reduce(int mode, uint32_t mask, uint32_t value, const SimtSite *site) SIMT_NOTHROW;

uint32_t simt_op_activemask(const SimtSite *site) SIMT_NOTHROW;
/* The lanes that come to this call in lock step: what operations without a mask worked on before Volta. */
uint32_t simt_op_together(const SimtSite *site) SIMT_NOTHROW;

/* Announces an atomic read-modify-write (or, with `kind`, a strong load or store) of `bytes` (1..16) at p and returns
 * the address to perform it on: p, or harmless scratch memory when p is bad. The caller then reads and writes through the
 * returned address with plain code; nothing runs in between. May be called outside kernels (returns p). */
typedef enum SimtScope { SIMT_SCOPE_BLOCK, SIMT_SCOPE_DEVICE, SIMT_SCOPE_SYSTEM } SimtScope;
typedef enum SimtStrong { SIMT_RMW, SIMT_STRONG_LOAD, SIMT_STRONG_STORE } SimtStrong;
void *simt_op_atomic(void *p, uint32_t bytes, int scope, int kind, const SimtSite *site) SIMT_NOTHROW;

/* The same with a memory order, as PTX has it: ld.acquire, st.release, atom.acq_rel ... An order that such an operation does not
 * have (release of a load, acquire of a store) adds nothing. SIMT_SEQ_CST is a fence of that scope in front of the operation, which
 * is acquire and release itself; a fence alone is simt_op_fence(), whatever its order. simt_op_atomic() is SIMT_RELAXED. */
typedef enum SimtOrder { SIMT_RELAXED, SIMT_ACQUIRE, SIMT_RELEASE, SIMT_ACQ_REL, SIMT_SEQ_CST } SimtOrder;
void *simt_op_atomic_ordered(void *p, uint32_t bytes, int scope, int kind, int order, const SimtSite *site) SIMT_NOTHROW;

/* The barrier of a grid, for one thread of each block: returns when one of every block of the launch has called it, and orders what each
 * of them knew before what all do next. The other threads of the block wait at block barriers before and behind it. */
void simt_op_grid_meet(const SimtSite *site) SIMT_NOTHROW;

/* The barrier of n threads of a block that has this number: below SIMT_NAMED_BARRIERS the user's own (PTX, bar.sync), above them one of a
 * tile. Returns when n have come; if it does not wait, at once. Orders what all of them did before what those do next who wait. */
enum { SIMT_NAMED_BARRIERS = 16, SIMT_BLOCK_PARTS = 48 };
void simt_op_part_meet(uint32_t number, uint32_t n, int waits, const SimtSite *site) SIMT_NOTHROW;

/* Asynchronous copies. What the thread has just read at `from` and written at `to` (at most 16 bytes each) happens at some time until it
 * is waited for: by the thread itself, or, with a barrier, by whoever waits for the phase of it that runs now.
 *   commit  those begun since the last commit are a group;
 *   wait    for all groups of the thread but the last `groups_left`;
 *   bind    those begun since the last commit are waited for by way of that barrier;
 *   land    a phase of the barrier has ended, by what the thread has just done to it; `barrier` is the address it was done to. */
void simt_op_copy_begins(void *to, const void *from, uint32_t to_bytes, uint32_t from_bytes, const void *barrier, const SimtSite *site) SIMT_NOTHROW;
void simt_op_copies_commit(const SimtSite *site) SIMT_NOTHROW;
void simt_op_copies_wait(uint32_t groups_left, const SimtSite *site) SIMT_NOTHROW;
void simt_op_copies_bind(const void *barrier, const SimtSite *site) SIMT_NOTHROW;
void simt_op_copies_land(void *barrier, int scope, const SimtSite *site) SIMT_NOTHROW;

/* A warp loads or stores a matrix at `at`, whose lines are so many elements apart: are address and distance what a device wants? Once a lane, in
 * front of the accesses. */
void simt_op_matrix(const void *at, uint32_t stride_elems, uint32_t elem_bytes, int is_stored, const SimtSite *site) SIMT_NOTHROW;

/* Where the shared memory of the thread's block begins: address 0 of its window. NULL on the host. */
char *simt_shared_window(void) SIMT_CONST;

/* __threadfence_block, __threadfence, __threadfence_system */
void simt_op_fence(int scope, const SimtSite *site) SIMT_NOTHROW;

/* These four may be called outside kernels, where they are what the C library has: printf(), a failed assert(), abort(),
 * clock(). Host code of a kernel's file uses the same names. */
int simt_op_printf(const char *fmt, ...) SIMT_NOTHROW; /* device printf; returns the number of arguments as CUDA does */
void simt_op_assert(const char *expr, const SimtSite *site) __attribute__((noreturn)) SIMT_NOTHROW; /* assert() failed */
void simt_op_trap(const SimtSite *site) __attribute__((noreturn)) SIMT_NOTHROW;
void simt_op_exit(int status) __attribute__((noreturn)) SIMT_NOTHROW; /* exit(), of host code only */
/* What the engine does not have: where a kernel reaches it, simt-instrument refuses the kernel and says what, a string literal. Called
 * all the same (by way of a pointer to a function, or on the host), it is a trap. */
void simt_op_refused(const char *what, const SimtSite *site) SIMT_NOTHROW;
int64_t simt_op_clock(const SimtSite *site) SIMT_NOTHROW;         /* clock64(): steps of the launch, monotone */
void simt_op_nanosleep(unsigned ns, const SimtSite *site) SIMT_NOTHROW; /* lets other threads run */

/* Host side of a launch statement: `k<<<grid, block, shared, stream>>>(args)` becomes
 * `(::simt_configure(...), k(args))`; the stub the instrumenter makes of k takes the configuration and launches. */
void simt_configure_launch(const uint32_t grid[3], const uint32_t block[3], size_t shared_bytes, void *stream)
    SIMT_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
