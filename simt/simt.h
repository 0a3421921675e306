/* simt.h - the SIMT engine: runs CUDA kernels on the CPU, deterministically, and reports what is wrong with them.
 *
 * Kernels are compiled by simt/simt-cc (launch syntax rewritten, instrumented, linked as ordinary objects). A host
 * function of such an object that contains a launch statement may be called between simt_begin() and simt_end().
 * The engine knows nothing of ops. A context belongs to one OS thread at a time. */
#ifndef SIMT_SIMT_H
#define SIMT_SIMT_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* A place in the source. Emitted by the instrumenter, one per access and operation, into the section simt_sites. */
typedef struct SimtSite {
  const char *file;              /* as given to the compiler */
  const char *func;              /* function the place is written in */
  const struct SimtSite *caller; /* where that function was called (inlined), or NULL in the kernel itself */
  uint32_t line;
  uint16_t column;
  uint8_t size_log2; /* accesses: log2 of the width in bytes, in the low 5 bits */
  uint8_t align_log2; /* accesses: log2 of the alignment the type asks for */
} __attribute__((aligned(32))) SimtSite;

/* Finding classes, in the order of doc/CASE.md; names by simt_class_name(). The engine itself never reports the
 * classes from SIMT_UNWRITTEN_OUTPUT on except SIMT_LAUNCH_ERROR; they are listed here so that one enum serves. */
typedef enum SimtClass {
  SIMT_RACE_WARP,
  SIMT_RACE_SHARED,
  SIMT_RACE_GLOBAL,
  SIMT_BARRIER_DIVERGENCE,
  SIMT_SHUFFLE_MASK,
  SIMT_OOB_GLOBAL,
  SIMT_OOB_SHARED,
  SIMT_OOB_LOCAL,
  SIMT_MISALIGNED,
  SIMT_UNINIT_GLOBAL,
  SIMT_UNINIT_SHARED,
  SIMT_UNWRITTEN_OUTPUT,
  SIMT_INPUT_WRITTEN,
  SIMT_INT_OVERFLOW,
  SIMT_INT_DIVISION,
  SIMT_HANG,
  SIMT_STACK_OVERFLOW,
  SIMT_TRAP,
  SIMT_LAUNCH_ERROR,
  SIMT_WRONG_SPECIAL,
  SIMT_WRONG_RESULT,
  SIMT_NONDETERMINISTIC,
  SIMT_CLASS_COUNT
} SimtClass;

typedef enum SimtSeverity {
  SIMT_MEANT = -1, /* a race that a comment in the source says is meant: no fault, but told */
  SIMT_WARNING,
  SIMT_ERROR
} SimtSeverity;

const char *simt_class_name(SimtClass c);                     /* "race-shared" */
int simt_class_parse(const char *name, size_t len, SimtClass *out); /* 0, or -1: no such class */

/* A launch as the host has issued it. */
typedef struct SimtIssued {
  const char *kernel;   /* NULL: nothing is said of a launch */
  uint64_t number;      /* of the run's launches, from 1 */
  const SimtSite *site; /* in host code; NULL: not known */
} SimtIssued;

/* One side of a finding. site is NULL where there is no such side. */
typedef struct SimtWhere {
  const SimtSite *site;
  uint32_t block[3], thread[3];
  uint32_t epoch;     /* block barriers this thread had passed */
  const char *access; /* "read", "write", "atomic", "barrier", "shuffle", ...: static text */
  int is_host;        /* 1: in host code; block, thread and epoch say nothing */
  SimtIssued launch;  /* which launch it was in: where the two sides are in several, or in none that the kernel's name tells apart; and of
                       * kernels that are the engine's own */
} SimtWhere;

/* A place in a kernel of the engine's own, which stands in for a library's (cub::DeviceReduce ...), becomes that of the call in host code. Findings have
 * that behind them already; SimtStats.poison has not, since SimtRun.fill_site wants the place itself. */
void simt_where_call(SimtWhere *w);

typedef struct SimtFinding {
  SimtClass cls;
  SimtSeverity severity;
  const char *kernel;   /* name of the __global__ function */
  SimtWhere here;       /* the event that completed the conflict */
  SimtWhere other;      /* its partner */
  const char *object;   /* buffer, shared or local variable, or "" */
  char element[48];      /* "[3][17]": which element of a shared or local array, "" where that is not known. Where it does
                            not begin the element: "[3] + 4 bytes" */
  int64_t offset_bytes;  /* of the access within the object; below 0: in front of it */
  uint32_t size_bytes;   /* width of the access, 0 if none */
  const char *rule;      /* the rule applied and where it is written: static text */
  const char *reason;    /* SIMT_MEANT: why, as the source says; else NULL */
  char detail[256];      /* one sentence, no newline */
  uint64_t count;        /* times seen in this run */
  uint32_t grid[3], launch_block[3]; /* of the launch; all 0 where there was none */
  uint64_t shared_bytes;             /* of it: dynamic shared memory */
} SimtFinding;

/* ---- context ---- */
typedef struct Simt Simt;

enum { /* detectors, SimtRun.detect */
  SIMT_DETECT_RACE = 1u << 0,
  SIMT_DETECT_UNINIT = 1u << 1,
  SIMT_DETECT_ALL = 3u,
  SIMT_TRACE = 1u << 2 /* compute SimtStats.trace_hash; slower */
};

/* One run: everything that decides what happens, besides the memory's contents and the arguments. */
typedef struct SimtRun {
  uint64_t schedule;       /* seed: order of threads, warps and blocks, preemptions; 0: ascending, no preemption */
  uint32_t detect;         /* SIMT_DETECT_* */
  uint32_t fill;           /* 32-bit pattern that stands for a value nobody wrote (fresh shared memory, absent lane); unless it
                            * is 0, no int-overflow is reported from the first read of such a value on */
  const SimtSite *fill_site; /* not NULL: only values read there get `fill`, all others other_fill */
  uint32_t other_fill;
  int fills_locals;        /* 1: locals that nobody has assigned begin with the upper byte of `fill`, and are not looked for. 0: they begin
                            * with bits that are noticed when they are read */
  uint64_t max_steps;      /* accesses + loop iterations a launch may take without any block ending before it is a hang (length.c has the rest); with the
                              threads begun, the work after which the rest of a grid is left out, without a verdict; 0: default */
  int reverse_blocks;      /* run the blocks in the opposite order of the schedule's */
  const uint64_t *blocks;  /* of each launch only these blocks run, by their number x + grid.x * (y + grid.y * z), ascending,
                            * each once; those beyond a grid do not count. NULL: all. gridDim is the grid's all the same. For
                            * kernels whose blocks do not wait for each other. Lives until simt_end() */
  size_t n_blocks;
} SimtRun;

enum { SIMT_MAX_POISON = 8 };

typedef struct SimtStats {
  uint64_t launches, blocks, threads, steps, barriers, warp_ops;
  uint64_t trace_hash;  /* with SIMT_TRACE: of the control flow and addresses of every thread; equal for equal behaviour */
  int poison_read;      /* places where some thread read a value nobody wrote (the result may depend on SimtRun.fill) */
  SimtFinding poison[SIMT_MAX_POISON]; /* the first of them in schedule order; cls: of which kind it would be if it matters */
  int abandoned;        /* 1: at least one thread or block was cut short; outputs must not be judged */
  const char *unsupported; /* a function of CUDA's that host code has called and the engine does not have; NULL: none. Such a run is
                            * abandoned, and what host code dies of afterwards is no finding */
  const SimtSite *unsupported_at; /* NULL: not known */
  char text[1024];      /* what printf in kernels wrote, cut */
  uint32_t grid[3], launch_block[3]; /* of the last launch; all 0: there was none */
  uint64_t shared_bytes;             /* of it: dynamic shared memory */
} SimtStats;

int simt_create(Simt **out); /* 0; -1: no address space or memory */
void simt_destroy(Simt *s);

/* Device memory. Buffers have exact extents; any access outside is reported and does not happen. `name` must outlive
 * the buffer. base_offset_bytes shifts the base from its 256-byte alignment. Contents start as zero bytes; with
 * SIMT_BUF_INIT they count as written. Returns 0 or -1 (no room). */
enum { SIMT_BUF_INIT = 1 };
int simt_alloc(Simt *s, const char *name, size_t bytes, size_t base_offset_bytes, unsigned flags, void **out);
uint64_t simt_largest_buffer(void); /* bytes: more than 2^32 elements of 4, unless built for valgrind */

/* A buffer of any size up to that, of which little is to be accessed: memory is taken, and filled, in chunks of
 * SIMT_CHUNK_BYTES (the last one shorter) when an access or cudaMemset touches them. A run that touches more than
 * SIMT_MAX_CHUNKS ends without a finding, abandoned. */
enum { SIMT_CHUNK_BYTES = 1024, SIMT_MAX_CHUNKS = 3 << 14 };
typedef struct SimtLazyBuffer {
  const char *name;
  size_t bytes, base_offset_bytes, expected_bytes; /* expected: how much is accessed; the default of SimtRun.max_steps follows it */
  unsigned flags; /* as for simt_alloc() */
  /* Writes the `bytes` bytes at `offset_bytes` of the buffer to `to`; called while kernels run, on the stack of a thread. */
  void (*fill)(void *ctx, uint64_t offset_bytes, uint64_t bytes, void *to);
  void *ctx;
} SimtLazyBuffer;
int simt_alloc_lazy(Simt *s, const SimtLazyBuffer *b, void **out); /* 0; -1: no room, no memory */

/* Of the lazy buffer that begins at p: contents are as nobody had touched them; fills the chunks of `bytes` bytes at q
 * inside of it, so that the host may read or write there (0; -1: too many); offsets of the chunks touched since, in the order
 * of that, valid until the next touch. */
void simt_refresh(Simt *s, void *p);
int simt_touch(Simt *s, void *q, size_t bytes);
const uint64_t *simt_touched(Simt *s, const void *p, size_t *n);

void simt_free_all(Simt *s); /* every buffer; also forgets all accesses */

/* Was each `elem_bytes`-sized element of the buffer at p written by a kernel since simt_begin()? Returns the number
 * of elements that were not, and the index of the first in *first. */
uint64_t simt_unwritten(Simt *s, const void *p, size_t elem_bytes, uint64_t n_elems, uint64_t *first);

/* Who wrote the 4 bytes at p last, in the last launch of the last run (with SIMT_DETECT_RACE). 1; 0: nobody, *out is all 0. */
int simt_last_write(Simt *s, const void *p, SimtWhere *out);

/* Between these two, launches run on this context. simt_end() returns the number of distinct findings. */
void simt_begin(Simt *s, const SimtRun *run);
size_t simt_end(Simt *s, SimtStats *stats /* may be NULL */);

/* Between them too: runs host code that launches, as host(arg). What would end the process there (an integer division by zero,
 * an address that is none of the host's, abort(), a failed assert(), exit() ...) is one finding, launch-error; the run counts as
 * cut short then, and -1 is returned; otherwise 0. Meanwhile the signals of such deaths are the engine's; those that host code has
 * not caused go to the handlers that were there. */
int simt_call(Simt *s, void (*host)(void *arg), void *arg);

/* The findings of the last run, in the order found; valid until the next simt_begin(). One per (class, kernel,
 * unordered pair of sites). */
const SimtFinding *simt_findings(const Simt *s, size_t *n);

/* ---- coverage of instrumented code: saturating 8-bit counters, shared by all contexts of the process ---- */
uint8_t *simt_coverage(size_t *n);

/* Which lines of the source the counters of one compiled file stand for: a line was reached if one of its counters is above 0. */
typedef struct SimtCoverLine {
  const char *file;       /* as given to the compiler */
  uint32_t line, counter; /* the latter from the first counter of the file */
} SimtCoverLine;
typedef struct SimtCover {
  const uint32_t *counters;
  uint64_t n_counters;
  const SimtCoverLine *lines;
  uint64_t n_lines;
} SimtCover;
const SimtCover *simt_covers(size_t *n);        /* of all files that are linked */
size_t simt_cover_first(const SimtCover *c);    /* its first counter among those of simt_coverage() */

#ifdef __cplusplus
}
#endif
#endif
