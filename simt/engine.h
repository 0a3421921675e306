/* engine.h - the engine's state. Internal to libsimt. */
#ifndef SIMT_ENGINE_H
#define SIMT_ENGINE_H
#include "abi.h"
#include "include/simt_access.h"
#include "observer.h"
#include "program.h"
#include "simt_ops.h"

enum {
  SIMT_LANES = 32,
  SIMT_MAX_THREADS = 1024, /* of a block, as on every device since compute capability 2 */
  SIMT_MAX_WARPS = 32,
  SIMT_MAX_RESIDENT = 264,  /* blocks whose threads exist at the same time */
  SIMT_MAX_FINDINGS = 64,
  SIMT_SLOT_BITS = SIMT_SLOT_SHIFT,
  SIMT_SLOTS = SIMT_SLOT_COUNT, /* 256 of shared memory, 64 of buffers, 64 of lazy ones, 128 of variables */
  SIMT_FIRST_LAZY = 320,
  SIMT_END_LAZY = 384,
  SIMT_MAX_VARIABLES = 128, /* __device__ and __constant__ variables of a run that have a slot of their own */
  SIMT_STACK_BYTES = 576 << 10, /* a device gives a thread up to 512 KiB of local memory */
  SIMT_STACK_FOOT_BYTES = 1 << 20, /* below the first stack: that a frame is too large shows only when it is there; CUDA's limit is half of this */
  SIMT_STACK_RESERVE_BYTES = 32 << 10, /* of it, for the engine */
  /* Stacks begin at different cache sets, and what two neighbours use does not differ by a multiple of 4096 bytes, which loads
   * would take for the same address. */
  SIMT_STACK_STRIDE_BYTES = SIMT_STACK_BYTES - 704
};

/* Of a granule's four bytes, four words each. */
static inline size_t simt_shadow_parts_bytes(const SimtShadow *sh) { return sh->granules * 4 * 4 * sizeof(uint64_t); }

/* One object in the device address space: a buffer, or the shared memory of a resident block. Address bits above
 * SIMT_SLOT_BITS select the slot; anything between `size` and the slot's end belongs to no object. */
typedef struct Slot {
  _Alignas(128) uintptr_t base; /* first byte of the object */
  uint64_t quick;     /* granules that may be accessed the short way: none, or all that lie inside as a whole */
  uint32_t floor_zero; /* 0: with the next field a shadow word, which those of history are below */
  uint32_t floor_seg; /* accesses of older segments are history: before this launch, or of an earlier block */
  uint32_t clean;     /* 1: an input that nobody has written in this launch, and no granule is kept in parts */
  uint32_t flags;     /* SIMT_BUF_INIT, SLOT_SHARED */
  SimtShadow shadow;
  uint32_t parts;     /* 1: some granules are kept in parts */
  uint64_t size;      /* 0: free */
  const char *name;
  struct SimtLazy *lazy; /* lazy.c: contents come when they are touched; NULL: they are there. Never quick. */
} Slot;
_Static_assert(sizeof(Slot) == 128, "an access computes the address of its slot by a shift");
enum {
  SLOT_SHARED = 1 << 8,
  SLOT_HEAP = 1 << 9,    /* of the runtime's: heap.c */
  SLOT_HOST = 1 << 10,   /* host code may access it too: pinned or managed */
  SLOT_PACKED = 1 << 11  /* holds many allocations: heap.c knows their extents. Never quick */
};
_Static_assert(sizeof(Slot) == sizeof(SimtHotSlot) && offsetof(Slot, quick) == offsetof(SimtHotSlot, quick) &&
                   offsetof(Slot, floor_seg) == offsetof(SimtHotSlot, floor) + 4 && offsetof(Slot, clean) == offsetof(SimtHotSlot, clean) &&
                   offsetof(Slot, flags) == offsetof(SimtHotSlot, flags) &&
                   offsetof(Slot, shadow) + offsetof(SimtShadow, write) == offsetof(SimtHotSlot, write) &&
                   offsetof(Slot, shadow) + offsetof(SimtShadow, read) == offsetof(SimtHotSlot, read) &&
                   offsetof(Slot, shadow) + offsetof(SimtShadow, read_far) == offsetof(SimtHotSlot, far) &&
                   offsetof(Slot, shadow) + offsetof(SimtShadow, read_near) == offsetof(SimtHotSlot, near), "as kernels see it");

struct Block;
struct Warp;

/* What a suspended thread gets when it goes on, and from whom. */
typedef enum Wait { WAIT_NOTHING, WAIT_BARRIER, WAIT_SHUFFLE, WAIT_GROUP, WAIT_GATHERING } Wait;

typedef struct Thread {
  _Alignas(64) SimtActor actor; /* what detectors see; first */
  void *sp;             /* saved stack pointer */
  struct Thread *neighbour; /* of the same warp: the first choice for who runs next, in the order of this schedule */
  struct Warp *warp;
  const SimtSite *last; /* last join passed */
  uint32_t site;        /* of the operation it waits in, or waited in last: see thread_site() */
  uint8_t wait;         /* Wait */
  uint8_t mode;         /* SimtBarrier */
  uint8_t group;        /* number of the group it was in last; it may have to read it until it enters another */
  uint8_t source;       /* lane that the shuffle reads from */
  /* a cache line ends here: what follows is not needed to switch */
  _Alignas(64) Simt *simt; /* simt_active, while it runs */
  unsigned idx[3];
  uint32_t gathered;    /* answer of __activemask */
  uintptr_t stack_lo, stack_hi;
  unsigned stack_id;    /* what valgrind calls the stack */
  SimtActorMore more;
  struct SimtFlight *flights; /* flight.h: copies that it has begun, oldest first */
  uint32_t commits;     /* groups of them so far */
  const SimtSite *asked_at; /* its last atomic operation: where, of what, and what was there */
  const void *asked_of;
  uint64_t answer;
  uint32_t asked;       /* how often in a row */
  uint32_t repeats;     /* pass of the probe in which it came back to a state */
} Thread;
_Static_assert(offsetof(SimtActor, word) == offsetof(SimtHotActor, word) && offsetof(SimtActor, block_base) == offsetof(SimtHotActor, block_base) &&
                   offsetof(SimtActor, learnt) == offsetof(SimtHotActor, learnt),
               "as kernels see it");
_Static_assert(offsetof(Thread, simt) == 64, "what switching touches is one cache line");

/* Sites are static data of a program that is not position-independent: 32 bits hold their addresses. */
static inline uint32_t site_bits(const SimtSite *s) { return (uint32_t)(uintptr_t)s; }
static inline const SimtSite *thread_site(const Thread *t) { return (const SimtSite *)(uintptr_t)t->site; }

/* Lanes of one warp that meet in one operation: same mask, same operation. */
typedef struct Group {
  _Alignas(64) uint64_t key; /* mask and operation while lanes are expected, 0 afterwards */
  uint32_t missing;   /* lanes that are expected still */
  uint32_t arrived;   /* lanes that took part; when no more are expected */
  uint32_t expected, gone; /* lanes alive when it was opened; those of them that left the kernel instead */
  uint32_t mask;
  int op;
  uint8_t number;     /* among the warp's groups */
  uint8_t in_rounds;  /* lanes that came by simt_shfl_rounds() with this function */
  SimtAtShuffle (*round)(SimtRounds *frame, uint64_t value); /* the first one's */
  const SimtSite *site; /* of the first to arrive */
  const char *what;
  uint64_t value[SIMT_LANES];
} Group;

/* Lanes that have arrived at an open group. */
static inline uint32_t simt_group_arrived(const Group *g) { return g->expected & ~g->missing & ~g->gone; }

typedef struct Warp {
  uint32_t live, ready, born; /* lanes; born: those that the block has */
  uint32_t used;        /* groups that may be in use: open, or not yet read by all */
  uint32_t open;        /* groups that expect lanes */
  uint32_t index;       /* in the block */
  uint32_t gathering;   /* lanes waiting in activemask */
  Group *filling;       /* opened last */
  uint32_t bar_seg;     /* first segment behind the last block barrier */
  struct Block *block;
  SimtRounds *rounds[SIMT_LANES]; /* of lanes that wait in simt_shfl_rounds() */
  Group group[SIMT_LANES];
} Warp;

/* Where threads that left the kernel had got to; few distinct places a block. */
typedef struct Exit {
  const SimtSite *last;
  uint32_t thread;
} Exit;

typedef struct Block {
  uint32_t ordinal;       /* n-th block started in this launch */
  uint32_t idx[3];
  uint32_t shape[3];      /* that the threads are numbered for */
  uint32_t n_threads, n_warps, live, arrived;
  uint32_t ready_warps;
  uint32_t epoch;         /* barriers passed */
  int fences;             /* some thread has executed a fence: barriers pass on what it knows */
  int told;               /* some thread has looked at what another block wrote: by an atomic, or a volatile read of a flag */
  int active;             /* has threads that have not finished */
  int acc_count, result;  /* of the barrier that fills, of the last one */
  int bar_arrivals;       /* threads in the last barrier */
  uint32_t bar_chunk;     /* first of the segments behind the last barrier */
  const SimtSite *bar_site;
  uint32_t bar_thread;    /* first to arrive */
  const SimtSite *mixed_site;
  uint32_t mixed_thread;
  uint32_t current_warp;
  uint32_t rotate;        /* Simt.rotate while it runs, where threads take turns */
  unsigned n_exits;
  Exit exits[16];
  uint64_t guard;         /* what guards of its threads are made from */
  Slot *shared;
  Thread *threads;        /* SIMT_MAX_THREADS, kept from block to block */
  Warp *warps;            /* SIMT_MAX_WARPS */
  char *stacks;
  uint32_t part_arrived[SIMT_BLOCK_PARTS], part_phase[SIMT_BLOCK_PARTS]; /* barriers of a part of its threads: part.c */
  uint32_t n_flights;     /* of all its threads */
  uint32_t n_fibers;      /* threads whose stacks have been set up */
  int repeats;            /* 1: it was seen to repeat itself (recur.c), with memory's contents being: */
  uint64_t repeats_with;
} Block;

typedef struct SimtLength { /* length.c: since a block last began or ended */
  uint64_t began, second_half; /* steps when the budget began, and when half of it was used up */
  uint64_t touched, contents; /* in that half: granules of memory touched so far, and a hash of what it held */
  uint32_t budgets;       /* used up */
  int is_late, was_late;  /* 1: the first half is used up; once was, in the launch */
  int was_looked_at;      /* 1: the numbers of the second half are there */
  Block *alone;           /* has all the steps while no thread waits for others; NULL: by turns */
} SimtLength;

typedef struct SimtProbe { /* recur.c: looks whether the block that runs alone does the same for ever */
  int is_on;              /* 1: threads take one step at a time */
  int is_proven;          /* 1: it does */
  Thread *thread;         /* whose states are compared; NULL: of none yet */
  const void *state;      /* of the running thread, at the head of a loop; NULL: it is elsewhere */
  uint64_t anchor, steps, renew; /* a hash of a state, the states since then, and after how many the next is taken */
  uint64_t epoch_anchor, epochs, epoch_renew; /* the same of all threads at a barrier */
  uint64_t one_anchor;    /* of one of these threads alone */
  uint64_t contents;      /* of memory, when the pass began */
  uint64_t spent;         /* states seen */
} SimtProbe;

typedef struct Launch {
  const SimtKernel *kernel;
  void *args;
  uint32_t grid[3], block[3];
  int stream;             /* index of it; -1: there is none of that name */
  uint64_t shared_bytes, n_blocks, next_block;
  uint64_t order_mul, order_add;
  uint32_t n_active;      /* resident blocks that have not finished */
  uint32_t residents;     /* wanted; more when none ends for long: they may wait for one that has not begun */
  uint64_t last_end;      /* steps when a block last began or ended */
  SimtLength length;
  SimtProbe probe;
  uint64_t waits;         /* turns that threads gave away since then */
  uint64_t done;          /* steps when a block last ended; 0: none has */
  uint64_t begun;         /* threads of the blocks so far */
  int cut;                /* blocks were left out: too many for the budget of steps, or no memory */
  uint64_t number;        /* of the run's launches, from 1 */
  const SimtSite *site;   /* in host code; NULL: not known */
  uint64_t grid_arrived, grid_turn; /* blocks at the grid's barrier; how often it has been passed */
} Launch;

/* A kernel for which the host has asked for more than the usual dynamic shared memory, in this run or an earlier one. */
enum { SIMT_MAX_OPT_INS = 256 };
typedef struct SimtOptIn {
  const SimtKernel *kernel;
  uint64_t bytes;
} SimtOptIn;

typedef struct SimtFailed { /* of the runtime, by host code that says where it is */
  const char *call;       /* "cudaMalloc"; NULL: a launch, that of `kernel` */
  const SimtKernel *kernel;
  const SimtSite *site;   /* NULL: not known */
  int error;              /* a cudaError; 0: none has failed */
} SimtFailed;

struct Simt {
  uintptr_t base;         /* of the device address space */
  uint32_t detect;
  uint32_t fill;
  Slot slots[SIMT_SLOTS];
  SimtRaces races;        /* detector's own state */
  struct SimtStreams *streams; /* streams.h */
  uint32_t run_seg;       /* first segment of the run */
  struct SimtFlight *spare_flights;

  void *host_sp;          /* the launching host code */
  Block *block;           /* running */
  Block resident[SIMT_MAX_RESIDENT];
  unsigned top;           /* residents from here on have not been used in this launch */
  Launch launch;
  int in_launch, aborted;
  int in_engine;          /* the host has called the engine: what fails now is the engine's fault */
  struct SimtHostCall *call, *host_call; /* host code that runs by simt_call(), or NULL; its room, kept from run to run */
  struct SimtHeap *heap;    /* heap.h; NULL: nothing has been allocated */
  struct SimtPool *pools, *current_pool; /* runtime_pool.c; NULL: none has been asked for; the device's own */
  const SimtProgramHow *program; /* a whole program runs: program.c; or NULL */
  int last_error;           /* what cudaGetLastError() will say; a cudaError */
  SimtFailed failed;        /* the last call of the run that failed */
  int fault;                /* the same, of a kernel that breaks the device's context; no call has told of it yet */
  int broken;               /* the same, told: all calls return it from then on */
  size_t n_told;            /* findings that the program has been told of */
  SimtSeverity told[64];    /* and how severe they were; SIMT_MAX_FINDINGS */
  size_t limit[8];          /* cudaLimit, once one has been asked for */
  int limits_set;
  struct SimtJudge *judge;  /* judge.c */
  uint64_t unjudged;        /* launches that read values nobody wrote and were not run again */
  int quiet;                /* a launch runs again: nothing is printed, nothing is told */
  const void *host_access; /* the last address that host code announced, and where */
  const SimtSite *host_site;
  const void *wrapped;    /* address of the last access whose index wrapped: if it is bad as well, that has been said */
  const SimtHoles *holes; /* padding of the object that is being read, which begins at holes_at; or NULL */
  uintptr_t holes_at;
  uint64_t guards;        /* numbers of guards given out */
  void *kept;             /* memory to be freed with the context: each begins with the address of the next one */
  const SimtVariable *variable[SIMT_MAX_VARIABLES]; /* that have a slot in this run, the last slots downwards */
  unsigned n_variables;

  SimtRun run;
  uint64_t rng, slice, max_steps, steps_done, launch_steps;
  uint32_t pass;          /* of all probes (recur.c), from launch to launch: threads keep the number of theirs */
  uint64_t n_runs;        /* that have ended */
  int direction;          /* order among ready lanes and warps: ascending or descending */
  int stride;             /* the same as a step: 1 or -1 */
  long stack_step_bytes;  /* between stacks, in that direction */
  uint32_t rotate;

  uint32_t pending_grid[3], pending_block[3];
  size_t pending_shared;
  const void *pending_stream; /* handle */
  SimtOptIn opt_ins[SIMT_MAX_OPT_INS];
  unsigned next_opt_in;
  int configured;
  uint32_t multiprocessors; /* of the device; 0: as many as usual */
  int cooperative;          /* the next launch is: all its blocks must fit on the device at once */

  SimtStats stats;
  size_t text_len;
  size_t n_findings;
  SimtFinding finding[SIMT_MAX_FINDINGS];
};

/* Functions that never return: before such a call AddressSanitizer would clean up what it takes for the stack, which is not a
 * fiber's. */
#define SIMT_ON_FIBER __attribute__((no_sanitize_address))
#define SIMT_TLS __attribute__((tls_model("local-exec"))) /* the engine lives in executables only */
extern __thread Thread *simt_current SIMT_TLS; /* NULL on the host */
extern Slot simt_no_slots[SIMT_SLOTS]; /* access.c: empty ones, for SimtHot on the host */
extern __thread Simt *simt_active SIMT_TLS;    /* between simt_begin and simt_end */

/* fiber.S */
void simt_fiber_start(void);
uint64_t simt_switch(void **save, void *to, uint64_t value);

/* Who goes on, in registers: see fiber.S. */
typedef struct SimtResume {
  void *sp;
  uint64_t value;
} SimtResume;

/* sched.c */
SimtResume simt_hand_over(Thread *self); /* self waits: the next thread, whatever it takes to find one */
SimtResume simt_go_on(Thread *to);       /* `to` is the running thread now */
SimtResume simt_arrive_end(void *sp);
void simt_thread_runs(void);
void simt_abandon_block(Thread *self) __attribute__((noreturn));
void simt_abort_launch(Thread *self) __attribute__((noreturn));
void simt_out_of_fuel(Thread *t, const SimtSite *s);
void simt_check_length(Thread *t, const SimtSite *s); /* does not return where the launch takes too long */
uint64_t simt_hash_contents(const Simt *s); /* of memory */
void simt_probe_begin(Simt *s);
Thread *simt_probe(Thread *t); /* after a step of t: who goes on; NULL: as otherwise, the probe has ended */
void simt_probe_blind(void); /* the running thread asks for something that is neither its own nor in memory */
void simt_probe_barrier(Block *b); /* all threads have come to a barrier */
void simt_blocks_talk(Simt *s); /* a fence, or an atomic with an order, of wider scope than a block */
uint64_t simt_random(Simt *s);
uint64_t simt_next_slice(Simt *s);
uint32_t simt_residents(const Simt *s); /* blocks at a time, at the start of a launch */
void simt_fiber_reset(Thread *t);
void simt_enter_first(Simt *s); /* host: runs the launch to its end */

/* launch.c */
void simt_free_threads(Block *b);
void simt_free_spare_threads(Simt *s); /* behind a run: of more blocks than runs mostly have at a time; now and then of all */
int simt_start_block(Simt *s, Block *b); /* 0: none left */
int simt_check_launch(Simt *s);                 /* -1: no device takes the launch, which is a finding now */
uint64_t simt_device_residency(const Simt *s);  /* blocks of the launch that a device holds at the same time */
uint64_t simt_kernel_residency(const SimtKernel *k, uint64_t n_threads, uint64_t dynamic_bytes); /* of a multiprocessor */
uint64_t simt_most_dynamic_shared(Simt *s, const SimtKernel *k); /* bytes that a launch may ask for */
int simt_allow_dynamic_shared(Simt *s, const SimtKernel *k, int bytes); /* from now on; 0, or -1: more than a device has */
void simt_run_again(Simt *s);                   /* the launch that ran last, from the memory as it is now */
int simt_replace_block(Simt *s, Block *b); /* the same, after b has ended */
void simt_block_index(const Simt *s, const Launch *l, uint64_t ordinal, uint32_t out[3]);

/* barrier.c, warp.c */
void simt_barrier_maybe_complete(Block *b);
void simt_warp_exit(Thread *self); /* a lane left: may complete groups */
int simt_release_gathering(Simt *s, Block *b, const Warp *running); /* running: of the thread that is preempted, or NULL. 1: some lanes became ready */

/* report.c */
SimtFinding *simt_report(Simt *s, SimtClass cls, SimtSeverity sev, const SimtSite *here, const SimtSite *other);
/* The same, of a kernel (NULL: none) that does not run any more. */
SimtFinding *simt_report_of(Simt *s, const SimtKernel *k, SimtClass cls, SimtSeverity sev, const SimtSite *here, const SimtSite *other);
const char *simt_meant_reason(const SimtSite *a, const SimtSite *b); /* why a race of the two is meant; NULL: it is not */
/* A value that nobody wrote is read at this place: what it is. The record to fill in when the place is new, else NULL. */
uint32_t simt_poison(Simt *s, SimtClass cls, const SimtSite *site, SimtFinding **f);
void simt_where(SimtWhere *w, const Thread *t, const SimtSite *site, const char *access);
void simt_where_itself(SimtWhere *w, const Thread *t, const SimtSite *site, const char *access); /* the same without simt_where_call() */
SimtIssued simt_issued(const Launch *l);
/* Of a site in this launch: itself, or the call in host code if it is the engine's own code. */
const SimtSite *simt_call_of(const Launch *l, const SimtSite *site);
void simt_where_issued(SimtWhere *w, const Launch *l); /* w is in l: says so, and where the call was, if it is in a kernel of the engine's own */
void simt_detail(SimtFinding *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void simt_report_deadlock(Simt *s, Block *b);
void simt_report_barrier(Block *b); /* at completion: who was elsewhere */
void simt_report_gone(Warp *w, const Group *g, uint32_t lanes); /* at completion: lanes that have exited */

/* unset.c */
uint32_t simt_unset_bits(const Simt *s); /* what locals begin with */
int simt_unset_was_read(const Simt *s); /* a local that nobody has assigned, in this run (of a program, launch) */

/* objects.c */
void simt_object(Simt *s, SimtFinding *f, const Slot *o, uint64_t off); /* name and offset, by shared variable */
void simt_outside(Simt *s, SimtFinding *f, const Slot *o, int64_t off); /* nearest object and text; size_bytes and access are set */
const char *simt_local_name(const SimtSite *site); /* of the array that a checked access there is to; NULL: not known */
void simt_local_object(SimtFinding *f, int64_t off); /* the local array that f->here is about; here.site is set */
void simt_outside_local(SimtFinding *f, int64_t off, uint64_t size); /* likewise; here is set */

/* simt.c */
uint64_t simt_default_steps(const Simt *s); /* by the memory there is */
void simt_renew_program(Simt *s); /* in front of a launch, so that numbers of segments do not run out */

/* host.c */
const char *simt_error_name(int error); /* of a cudaError: "cudaErrorInvalidValue" */
void simt_add_failed(const Simt *s, SimtFinding *f); /* to the detail: which call has failed before that, if one has */
SimtFinding *simt_report_host(Simt *s, const SimtSite *site); /* launch-error; no kernel is to blame. See simt_report() */
/* Host code at this place cannot go on; fmt: of what it dies. Returns if nobody has asked to know (simt_call()). */
void simt_host_dies(const SimtSite *site, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void simt_host_divides(const SimtSite *site, const char *what); /* raises SIGFPE rather than return */
enum { SIMT_HOST_WRITES = 1, SIMT_HOST_STRONG = 2 /* atomic */ };
void simt_host_access(void *p, uint64_t bytes, unsigned how, const SimtSite *site);
SimtWhere simt_host_where(const SimtSite *site, const char *access);
/* The context for a call of the host's; NULL: none runs, or the call comes from a kernel. */
Simt *simt_host_context(void);
const SimtSite *simt_place(void); /* where host code is: of the call that it made last; NULL: not known */
const char *simt_place_call(void); /* the name of that call, of the runtime; NULL: it is none, or not known */
const char *simt_place_variable(void); /* what is to point to the memory that it allocates; NULL: not known */

/* program.c */
void simt_program_tell(Simt *s); /* what has been found since */
void simt_program_lock(void);    /* one host thread at a time; nests */
void simt_program_unlock(void);
void simt_broke(Simt *s, int error); /* a kernel did what breaks a device's context: a cudaError */

/* space.c */
int simt_space_create(Simt *s);
void simt_space_destroy(Simt *s);
int simt_slot_map(Simt *s, unsigned slot, const char *name, uint64_t bytes, uint64_t offset, uint32_t flags);
void simt_slot_clear(const Slot *o); /* zero bytes */
void simt_slot_large_pages(const Slot *o); /* where the system has them */
void simt_slot_unmap(Slot *o);
void simt_forget_shadow(Simt *s);
void simt_forget_slot(Slot *o); /* the same, of one */
void simt_mark_gaps(Slot *o, const SimtModule *m); /* accesses there are never quick */

/* lazy.c */
int simt_lazy_touch(Slot *o, uint64_t off, uint64_t bytes); /* 0; -1: more than a lazy buffer may hold is touched */
void simt_lazy_free(Slot *o);
uint64_t simt_expected_bytes(const Slot *o); /* of it, to be accessed */
uint64_t simt_lazy_touched(const Slot *o); /* chunks of it that have contents */

/* guards.c */
uint64_t simt_guard_number(Simt *s);
int simt_in_guard(const Thread *t, uintptr_t a, uint64_t bytes); /* of t's stack: does an access there touch a guard? */

/* variables.c */
void simt_forget_variables(Simt *s);
const SimtVariable *simt_variable_at(const void *host, uint64_t *offset_bytes); /* the one whose image holds that address; NULL: none */
const SimtVariable *simt_variable_of(Simt *s, const void *p, uint64_t *offset_bytes); /* the one whose memory in this run holds p; NULL: none */
void *simt_variable_in(Simt *s, const SimtVariable *v); /* where it is in this run; NULL: no room */

/* Does an access to shared memory touch bytes that belong to no variable? */
static inline int simt_in_gap(const SimtModule *m, uint64_t off, uint64_t bytes) {
  uint64_t last = off + bytes - 1, page = SIMT_SHARED_PAGE_BYTES;
  if (off >= m->shared_bytes) return 0; /* dynamic */
  if (off % page >= m->page_bytes[off / page] || last >= m->shared_bytes || last % page >= m->page_bytes[last / page]) return 1;
  for (uint64_t p = off / page; p < last / page; p++)
    if (m->page_bytes[p] < page) return 1;
  return 0;
}

static inline void simt_make_ready(Warp *w, Block *b, uint32_t lanes) {
  w->ready |= lanes;
  if (w->ready) b->ready_warps |= 1u << w->index;
}

static inline void simt_spend(Thread *t, const SimtSite *site) { /* one step */
  if (__builtin_expect(--simt_hot.fuel < 0, 0)) simt_out_of_fuel(t, site);
}

/* 1: other blocks have no turns beside b. */
static inline int simt_runs_alone(const Simt *s, const Block *b) { return s->launch.length.alone == b && !s->launch.waits; }

enum { SIMT_POLL_STEPS = 50 }; /* that a look at what others have not done yet costs, so that endless waiting ends */

/* Waiting for another thread: its turn. The rest of the slice is given up, not spent, but for `cost` steps: 0 where the thread may have work of
 * its own, and only seems to wait. */
static inline void simt_give_way(Simt *s, int64_t cost) {
  s->launch.waits++;
  if (simt_hot.fuel <= cost) return;
  uint64_t rest = (uint64_t)(simt_hot.fuel - cost);
  if (rest > s->launch_steps) return;
  s->launch_steps -= rest;
  simt_hot.fuel = 0;
}

/* First set bit in the order of this schedule. m is not 0. */
static inline unsigned simt_first_of(const Simt *s, uint32_t m) {
  uint32_t r = m >> s->rotate | m << (-s->rotate & 31);
  unsigned i = s->direction ? 31u - (unsigned)__builtin_clz(r) : (unsigned)__builtin_ctz(r);
  return (i + s->rotate) & 31;
}

uint64_t simt_group_value(Thread *t); /* warp.c: what t gets from its group */

uint64_t simt_absent_value(const Thread *t, const Group *g, unsigned src);
static inline uint64_t simt_shuffle_value(const Thread *t) {
  const Group *g = &t->warp->group[t->group];
  return __builtin_expect(g->arrived >> t->source & 1, 1) ? g->value[t->source] : simt_absent_value(t, g, t->source);
}

/* t goes on behind a block barrier: in a new segment. */
static inline void simt_behind_barrier(Thread *t) {
  t->actor.word = (uint64_t)(t->warp->bar_seg | t->actor.index % SIMT_LANES) << 32; /* as a whole: it is read so */
  t->actor.block_base = t->warp->block->bar_chunk;
}

static inline uint64_t simt_barrier_value(Thread *t) {
  const Block *b = t->warp->block;
  simt_behind_barrier(t);
  if (__builtin_expect(t->actor.learnt, 0)) simt_forget_row(t);
  if (__builtin_expect(t->mode == SIMT_BARRIER_PLAIN, 1)) return 0;
  return t->mode == SIMT_BARRIER_COUNT ? (uint64_t)b->result
         : t->mode == SIMT_BARRIER_AND ? b->result == b->bar_arrivals
                                       : b->result != 0;
}

/* The block that runs: accesses to its shared memory may take the short way, those to other blocks' may not. */
static inline void simt_set_quick(const Simt *s, Slot *o, int may) {
  o->quick = may && !o->lazy && !(o->flags & SLOT_PACKED) && !(s->detect & SIMT_TRACE) && !(o->base & 3) ? o->size / 4 : 0;
}
static inline void simt_run_block(Simt *s, Block *b) {
  if (s->block->shared) simt_set_quick(s, s->block->shared, 0);
  s->block = b;
  if (!s->run.schedule) s->rotate = b->rotate; /* its own turns: those of all blocks together would pass over lanes, always the same ones */
  if (b->shared) simt_set_quick(s, b->shared, 1);
}

static inline SimtResume simt_make_current(Thread *to, uint64_t value) {
  simt_current = to;
  simt_hot.last = &to->last;
  return (SimtResume){to->sp, value};
}

/* simt_go_on(), the usual ways at once: short enough to be part of every switch. */
static inline __attribute__((always_inline)) SimtResume simt_resume(Thread *to) {
  if (to->wait == WAIT_SHUFFLE) return simt_make_current(to, simt_shuffle_value(to));
  if (__builtin_expect(to->wait != WAIT_BARRIER || to->mode != SIMT_BARRIER_PLAIN || to->actor.learnt, 0)) return simt_go_on(to);
  simt_behind_barrier(to);
  return simt_make_current(to, 0);
}

/* The neighbour, if it is ready; else any ready lane of the warp; NULL: none is. The pointer is loaded rather than computed:
 * from one switch to the next it is what everything waits for. */
static inline __attribute__((always_inline)) Thread *simt_next_lane(Thread *self) {
  Warp *w = self->warp;
  Thread *next = self->neighbour;
  uint32_t ready = w->ready, bit = 1u << (next->actor.index % SIMT_LANES);
  if (__builtin_expect(!(ready & bit), 0)) {
    if (!ready) return NULL;
    unsigned lane = simt_first_of(simt_active, ready);
    next = &w->block->threads[w->index * SIMT_LANES + lane];
    bit = 1u << lane;
  }
  w->ready = ready &= ~bit;
  if (__builtin_expect(!ready, 0)) w->block->ready_warps &= ~(1u << w->index);
  return next;
}

/* Is p what an index that wrapped led to, at this access? Asked once. */
static inline int simt_was_wrapped(Simt *s, const void *p) {
  int was = s->wrapped == p && p;
  if (was) s->wrapped = NULL;
  return was;
}

static inline Slot *simt_slot_of(Simt *s, uintptr_t p) {
  uintptr_t o = p - s->base;
  return o >> SIMT_SLOT_BITS < SIMT_SLOTS ? &s->slots[o >> SIMT_SLOT_BITS] : NULL;
}

#endif
