/* abi.h - what instrumented objects and the engine agree on. Written by simt-instrument, read by libsimt. */
#ifndef SIMT_ABI_H
#define SIMT_ABI_H
#include "simt.h"

/* SimtSite.align_log2 holds the alignment in its low bits and these flags. */
#define SIMT_SITE_VOLATILE 0x80
#define SIMT_SITE_POLL 0x40 /* a load or atomic operation that waits in a loop for its value to change */
/* A volatile load: what becomes of its value. */
#define SIMT_SITE_USE 0x30
#define SIMT_SITE_DATA 0x00      /* it is data */
#define SIMT_SITE_LOOKED_AT 0x10 /* it only decides branches; or it is no data all the same: looked at first, chased, read again, a first guess (instrument_use.c) */
#define SIMT_SITE_CONTROL 0x20   /* it decides when to leave a loop, and nothing else */
#define SIMT_SITE_COMPARED 0x30  /* it is data, and compared as a float */
#define SIMT_SITE_ALIGN_MASK 0x0f
/* A sum that is the same as the OR: no bit is in two of them. */
_Static_assert((SIMT_SITE_ALIGN_MASK | SIMT_SITE_USE | SIMT_SITE_POLL | SIMT_SITE_VOLATILE) ==
                   SIMT_SITE_ALIGN_MASK + SIMT_SITE_USE + SIMT_SITE_POLL + SIMT_SITE_VOLATILE,
               "the parts of align_log2 do not overlap");
_Static_assert((SIMT_SITE_DATA | SIMT_SITE_LOOKED_AT | SIMT_SITE_CONTROL | SIMT_SITE_COMPARED) == SIMT_SITE_USE, "uses are within their bits");

/* SimtSite.size_log2 holds the size in its low bits and these flags. */
#define SIMT_SITE_SIZE_MASK 0x1f
#define SIMT_SITE_UPDATE 0x20     /* a volatile access of an update, `*p = *p + x` (instrument_update.c) */
#define SIMT_SITE_OWN 0x80        /* it is the engine's code, and so is all that calls it in the kernel */
#define SIMT_SITE_OWN_KERNEL 0x40 /* the kernel is the engine's, which has called the user's code (a functor, an iterator) */
_Static_assert((SIMT_SITE_SIZE_MASK | SIMT_SITE_UPDATE | SIMT_SITE_OWN_KERNEL | SIMT_SITE_OWN) ==
                   SIMT_SITE_SIZE_MASK + SIMT_SITE_UPDATE + SIMT_SITE_OWN_KERNEL + SIMT_SITE_OWN,
               "the parts of size_log2 do not overlap");

enum { SIMT_SHARED_PAGE_BYTES = 256 }; /* a variable begins a page, and at least as much is free behind it */

/* An array or variable. Offsets of __shared__ ones are within the module's static part; gaps lie between arrays. */
typedef struct SimtVar {
  const char *name;
  uint64_t offset_bytes, size_bytes; /* size 0: not known */
  uint32_t elem_bytes;               /* of an array; 0: it is none */
  uint32_t inner[2];                 /* elements along its second and third dimension; 0: there is none */
} SimtVar;

/* The local array that a checked access is to. In section simt_locals. */
typedef struct SimtLocalSite {
  const SimtSite *site;
  SimtVar var;
} SimtLocalSite;

/* One compiled file. Sites lie in section simt_sites, one 32-byte record each; pointers to modules in simt_modules. */
typedef struct SimtModule {
  const SimtVar *shared;
  uint64_t n_shared;
  uint64_t shared_bytes; /* extent of the static part, gaps included */
  const uint16_t *page_bytes; /* bytes that belong to a variable, from the start of each SIMT_SHARED_PAGE_BYTES of it */
  SimtVar dynamic; /* the extern array; its name is NULL where there is none, or several of other names or types */
} SimtModule;

/* A site on a line whose races are meant, and why. In section simt_meant. */
typedef struct SimtMeantSite {
  const SimtSite *site;
  const char *reason;
} SimtMeantSite;

/* A pointer in a variable's initialiser, to another or the same one. */
typedef struct SimtPointer {
  uint64_t offset_bytes;
  const struct SimtVariable *to;
} SimtPointer;

/* A __device__, __constant__ or __managed__ variable. In section simt_variables. */
enum { SIMT_VARIABLE_ZERO = 1 /* it starts with zeros */, SIMT_VARIABLE_MANAGED = 2 /* host code uses it where kernels do */ };
typedef struct SimtVariable {
  const char *name;
  void *host;     /* what host code sees, and what a run starts with */
  uint64_t bytes;
  uint64_t how;   /* SIMT_VARIABLE_ZERO ... */
  const SimtPointer *pointers;
  uint64_t n_pointers;
} SimtVariable;

/* What lies behind a barrier, or an operation in which lanes of a warp meet, in its function: `ahead` are the barriers
 * reachable from it without going round a loop that holds both, `after` the marked joins that are reachable from it and
 * from which it is not. In section simt_barriers, in the order of the sites. */
typedef struct SimtBarrierInfo {
  const SimtSite *barrier;
  const SimtSite *const *ahead, *const *after;
  uint32_t n_ahead, n_after;
} SimtBarrierInfo;

typedef struct SimtKernel {
  const char *name;              /* as the debug info has it: "softmax_kernel<256>" */
  void (*thunk)(void *args);     /* unpacks the arguments and runs one thread */
  const SimtModule *module;
  uint64_t static_shared_bytes;  /* of the __shared__ variables that it mentions, without gaps */
  uint64_t max_threads;          /* a block, by __launch_bounds__; 0: not said */
} SimtKernel;

/* Bytes of an argument as the source declares it, and where they lie among the packed arguments. */
typedef struct SimtPiece {
  uint32_t arg, arg_offset_bytes, pack_offset_bytes, bytes;
} SimtPiece;

/* How host code finds a kernel: by the address of its stub. In section simt_kernels. */
typedef struct SimtEntry {
  const void *stub;
  const SimtKernel *kernel;
  const SimtPiece *pieces;
  uint64_t pack_bytes;
  uint32_t n_args;  /* ~0: which bytes are whose is not known */
  uint32_t n_pieces;
} SimtEntry;

_Static_assert(sizeof(SimtVar) == 40, "as simt-instrument lays it out");
_Static_assert(sizeof(SimtSite) == 32, "site numbers are offsets divided by 32");
_Static_assert(sizeof(SimtCover) == 32 && sizeof(SimtCoverLine) == 16, "as simt-instrument lays them out");

/* Called by the stub that stands in for a __global__ function. args: bytes as the thunk wants them. */
void simt_launch_kernel(const SimtKernel *k, const void *args, uint64_t bytes);

/* In front of a launch, and of exit(): where host code is. */
void simt_host_place(const SimtSite *site, const char *variable); /* variable: NULL */
/* Likewise of a call of the runtime, by its name; and of one that allocates the variable that is to point to the memory, or NULL. */
void simt_host_call(const SimtSite *site, const char *variable, const char *call);

/* Before each access. Return the address to use: p, or scratch memory when the access must not happen. The numbered ones
 * are for plain scalars whose type is aligned to its size; those of 4 bytes are in simt_access.h. */

void *simt_load_1(void *p, const SimtSite *s);
void *simt_load_2(void *p, const SimtSite *s);
void *simt_load_8(void *p, const SimtSite *s);
void *simt_load_n(void *p, uint64_t bytes, const SimtSite *s);
/* A whole object of a class with padding is copied: of what nobody has written there, only members matter. */
typedef struct SimtHoles {
  uint32_t n, edge[]; /* n stretches of padding: the first byte of each, and the first one behind it */
} SimtHoles;
void *simt_load_class(void *p, uint64_t bytes, const SimtHoles *holes, const SimtSite *s);
void *simt_store_1(void *p, uint64_t value, const SimtSite *s);
void *simt_store_2(void *p, uint64_t value, const SimtSite *s);
void *simt_store_8(void *p, uint64_t value, const SimtSite *s);
void *simt_store_n(void *p, const void *value, uint64_t bytes, const SimtSite *s); /* value NULL: not known */

void *simt_store_bits(void *p, uint64_t value, uint64_t bytes, const SimtSite *s);

/* Before an access to a local array of `size` bytes at base, with an index that is not known to be good. */
void *simt_local(void *p, void *base, uint64_t size, uint64_t bytes, uint32_t writes, const SimtSite *s);

/* The same for constant data of the program, called `name`. */
void *simt_constant(void *p, void *base, uint64_t size, uint64_t bytes, const char *name, const SimtSite *site);

/* Around a local array whose address is kept: guards of SIMT_GUARD_BYTES on either side. */
enum { SIMT_GUARD_BYTES = 128 };
void simt_guard(void *array, uint64_t bytes);
void simt_unguard(void *array, uint64_t bytes);

/* simt_step() at loop headers and simt_pass() at joins of control flow in functions with barriers: simt_hot.h */

void simt_enter(const SimtSite *s);                /* function that could not be inlined: stack check */

void *simt_variable(const SimtVariable *v); /* where it is in this run */
/* simt_op_shfl() of whole warps, where the mode is a constant. */
uint64_t simt_shfl_idx(uint32_t mask, uint64_t bits, uint32_t arg, const SimtSite *s);
uint64_t simt_shfl_up(uint32_t mask, uint64_t bits, uint32_t arg, const SimtSite *s);
uint64_t simt_shfl_down(uint32_t mask, uint64_t bits, uint32_t arg, const SimtSite *s);
uint64_t simt_shfl_xor(uint32_t mask, uint64_t bits, uint32_t arg, const SimtSite *s);

/* A lane in a loop around one shuffle of a whole warp; on its stack. round(frame, result of the shuffle) executes its code from there
 * to the next shuffle, or to a way out of the loop. Only while there is fuel for a step. */
typedef struct SimtAtShuffle {
  uint64_t bits;      /* arguments of the shuffle; the mask stays what it is */
  uint32_t left, arg; /* left: number of the way out; 0: none taken, it is at the shuffle */
} SimtAtShuffle;
typedef struct SimtRounds {
  SimtAtShuffle (*round)(struct SimtRounds *frame, uint64_t value);
  uint32_t mode;      /* SimtShuffle */
  uint32_t left;      /* for the lane when it goes on: the way out that round() has taken for it */
} SimtRounds;

/* The shuffle in such a loop. */
uint64_t simt_shfl_rounds(uint32_t mask, uint64_t bits, uint32_t arg, const SimtSite *s, SimtRounds *frame);

/* simt_check_*() at arithmetic and at accesses through computed indices: simt_checks.h */

/* What is behind the calls that change no registers (fiber.S). The addresses to use are left in simt_hot. */
void simt_distant_load_4(void *p, const SimtSite *s);
void simt_distant_store_4(void *p, uint64_t value, const SimtSite *s);
void simt_distant_out_of_steps(const SimtSite *s, const void *state); /* state: of the thread, up to the end of its stack */
void simt_distant_overflowed(int64_t a, int64_t b, uint32_t op, uint32_t bits, const SimtSite *site);
void simt_distant_wrapped(void *p, int64_t off_bytes, uint32_t is_write, const SimtSite *site, const SimtSite *op);
void simt_distant_misplaced(void *p, void *variable, uint32_t align_bytes, uint32_t is_write, const SimtSite *site);
void simt_distant_unset(const SimtSite *site); /* a local's value that nobody has assigned: its bits, in place of an address */
void simt_distant_divide(uint32_t by_zero, const SimtSite *site); /* integer division; the divisor is replaced by 1 */

char *simt_shared_static(const SimtModule *m) __attribute__((const));
char *simt_shared_dynamic(void) __attribute__((const));

#endif
