/* launch.c - a launch: its limits, the order of its blocks, and what a block looks like when it begins. */
#include "judge.h"
#include "runtime_errors.h"
#include "streams.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef SIMT_VALGRIND
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(lo, hi) 0
#define VALGRIND_STACK_DEREGISTER(id) ((void)(id))
#endif

enum {
  CACHE_LINE_BYTES = 64,
  ARBITRARY_KEPT_RESIDENTS = 16, /* blocks whose threads stay for the next run: 4 MiB each where all 1,024 have run */
  ARBITRARY_KEPT_RUNS = 4096     /* and then are freed as well: deep stacks of a few kernels would stay for ever */
};

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

/* Blocks run in the order i -> mul * i + add mod n, a permutation; of those that the run names, if it does not mean all. */
static void choose_order(Simt *s) {
  Launch *l = &s->launch;
  l->order_mul = 1;
  l->order_add = 0;
  if (!s->run.schedule) return;
  l->order_add = simt_random(s) % l->n_blocks;
  if (simt_random(s) & 1) return; /* half the schedules: ascending from somewhere */
  do l->order_mul = 1 + simt_random(s) % l->n_blocks;
  while (gcd(l->order_mul, l->n_blocks) != 1);
}

void simt_block_index(const Simt *s, const Launch *l, uint64_t ordinal, uint32_t out[3]) {
  uint64_t i = s->run.reverse_blocks ? l->n_blocks - 1 - ordinal : ordinal;
  uint64_t at = (uint64_t)(((unsigned __int128)i * l->order_mul + l->order_add) % l->n_blocks);
  if (s->run.blocks) at = s->run.blocks[at];
  out[0] = (uint32_t)(at % l->grid[0]);
  out[1] = (uint32_t)(at / l->grid[0] % l->grid[1]);
  out[2] = (uint32_t)(at / l->grid[0] / l->grid[1]);
}

void simt_free_threads(Block *b) {
  for (unsigned i = 0; i < b->n_fibers; i++) VALGRIND_STACK_DEREGISTER(b->threads[i].stack_id);
  if (b->stacks) munmap(b->stacks, SIMT_STACK_FOOT_BYTES + (size_t)SIMT_MAX_THREADS * SIMT_STACK_BYTES);
  free(b->threads);
  free(b->warps);
  b->threads = NULL;
  b->warps = NULL;
  b->stacks = NULL;
  b->n_fibers = 0;
  memset(b->shape, 0, sizeof b->shape);
}

static int room_for_threads(Simt *s, Block *b) {
  if (b->threads) return 0;
  b->threads = aligned_alloc(CACHE_LINE_BYTES, (SIMT_MAX_THREADS + 2) * sizeof *b->threads);
  if (b->threads) memset(b->threads, 0, (SIMT_MAX_THREADS + 2) * sizeof *b->threads);
  b->warps = aligned_alloc(CACHE_LINE_BYTES, SIMT_MAX_WARPS * sizeof *b->warps);
  if (b->warps) memset(b->warps, 0, SIMT_MAX_WARPS * sizeof *b->warps);
  void *p = mmap(NULL, SIMT_STACK_FOOT_BYTES + (size_t)SIMT_MAX_THREADS * SIMT_STACK_BYTES, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  b->stacks = p == MAP_FAILED ? NULL : p;
  if (!b->threads || !b->warps || !b->stacks) {
    simt_free_threads(b);
    return -1;
  }
  for (unsigned i = 0; i < SIMT_MAX_THREADS; i++) {
    Thread *t = &b->threads[i];
    t->simt = s;
    t->warp = &b->warps[i / SIMT_LANES];
    t->warp->block = b;
    t->actor.index = i;
    t->stack_lo = (uintptr_t)b->stacks + SIMT_STACK_FOOT_BYTES + (uintptr_t)i * SIMT_STACK_STRIDE_BYTES;
    t->stack_hi = t->stack_lo + SIMT_STACK_STRIDE_BYTES;
  }
  return 0;
}

void simt_free_spare_threads(Simt *s) {
  unsigned kept = ++s->n_runs % ARBITRARY_KEPT_RUNS ? ARBITRARY_KEPT_RESIDENTS : 0;
  for (unsigned i = kept; i < SIMT_MAX_RESIDENT && s->resident[i].threads; i++) simt_free_threads(&s->resident[i]);
}

static void begin_thread(Thread *t, uint32_t seg, uint32_t uid) {
  t->last = NULL;
  t->site = 0;
  t->group = SIMT_LANES;
  t->commits = 0;
  t->asked_at = NULL;
  if (t->actor.learnt) t->more = (SimtActorMore){0};
  t->actor = (SimtActor){.word = (uint64_t)seg << 32, .uid = uid, .index = t->actor.index};
}

static void begin_warp(const Simt *s, Block *b, uint32_t w, uint32_t chunk) {
  uint32_t lanes = b->n_threads - w * SIMT_LANES;
  Warp *warp = &b->warps[w];
  if (lanes > SIMT_LANES) lanes = SIMT_LANES;
  for (uint32_t m = warp->used; m; m &= m - 1) warp->group[__builtin_ctz(m)].key = 0;
  warp->live = warp->ready = warp->born = lanes == SIMT_LANES ? ~0u : (1u << lanes) - 1;
  warp->used = warp->open = warp->gathering = 0;
  warp->filling = &warp->group[0];
  warp->index = w;
  Thread *first = &b->threads[w * SIMT_LANES];
  for (uint32_t i = 0; i < lanes; i++) {
    begin_thread(&first[i], chunk << 5 | i, b->ordinal << 5 | w);
    first[i].neighbour = &first[(i + (unsigned)s->stride) % SIMT_LANES];
  }
}

/* threadIdx of every thread; kept from block to block of one shape. */
static void number_threads(Block *b, const uint32_t d[3]) {
  if (!memcmp(b->shape, d, sizeof b->shape)) return;
  memcpy(b->shape, d, sizeof b->shape);
  for (uint32_t i = 0; i < b->n_threads; i++) {
    Thread *t = &b->threads[i];
    t->idx[0] = i % d[0];
    t->idx[1] = i / d[0] % d[1];
    t->idx[2] = i / d[0] / d[1];
  }
}

static void begin_threads(Simt *s, Block *b) {
  for (; b->n_fibers < b->n_threads; b->n_fibers++) {
    Thread *t = &b->threads[b->n_fibers];
    t->stack_id = VALGRIND_STACK_REGISTER(t->stack_lo, t->stack_hi);
    simt_fiber_reset(t);
  }
  uint32_t chunk = simt_observe_chunks(s, b->ordinal << 5, b->n_warps, 0);
  b->shared->floor_seg = chunk << 5;
  simt_hot.sole_chunk = s->launch.n_active == 1 ? chunk : ~0u;
  number_threads(b, s->launch.block);
  for (uint32_t w = 0; w < b->n_warps; w++) begin_warp(s, b, w, chunk + w);
}

/* The rest of the grid is left out: there is no verdict. */
static int cut_launch(Simt *s) {
  s->launch.next_block = s->launch.n_blocks;
  s->launch.cut = s->stats.abandoned = 1;
  return 0;
}

int simt_start_block(Simt *s, Block *b) {
  Launch *l = &s->launch;
  l->last_end = s->launch_steps;
  l->length = (SimtLength){.began = s->launch_steps, .was_late = l->length.is_late | l->length.was_late};
  l->probe = (SimtProbe){0};
  l->waits = 0;
  if (s->aborted || l->next_block == l->n_blocks) return 0;
  unsigned slot = (unsigned)(b - s->resident);
  uint64_t shared = l->kernel->module->shared_bytes + l->shared_bytes;
  if ((l->done + l->begun > s->max_steps && !s->program) || room_for_threads(s, b) ||
      simt_slot_map(s, slot, "shared memory", shared, 0, SLOT_SHARED))
    return cut_launch(s);
  b->shared = &s->slots[slot];
  simt_set_quick(s, b->shared, b == s->block);
  if (slot >= s->top) s->top = slot + 1;
  simt_mark_gaps(b->shared, l->kernel->module);
  b->guard = simt_guard_number(s);
  b->ordinal = (uint32_t)l->next_block++;
  simt_block_index(s, l, b->ordinal, b->idx);
  b->n_threads = b->live = l->block[0] * l->block[1] * l->block[2];
  b->n_warps = (b->n_threads + SIMT_LANES - 1) / SIMT_LANES;
  b->arrived = b->epoch = b->n_exits = 0;
  b->acc_count = b->fences = b->told = 0;
  b->rotate = 0;
  b->repeats = 0;
  memset(b->part_arrived, 0, sizeof b->part_arrived);
  b->bar_site = b->mixed_site = NULL;
  b->ready_warps = b->n_warps == 32 ? ~0u : (1u << b->n_warps) - 1;
  b->current_warp = simt_first_of(s, b->ready_warps);
  b->active = 1;
  l->n_active++;
  begin_threads(s, b);
  s->stats.threads += b->n_threads;
  l->begun += b->n_threads;
  return 1;
}

int simt_replace_block(Simt *s, Block *b) {
  s->launch.done = s->launch_steps;
  return simt_start_block(s, b);
}

/* How many of the blocks that the run names are in a grid of n. */
static uint64_t named_blocks(const SimtRun *run, uint64_t n) {
  size_t named = 0;
  while (named < run->n_blocks && run->blocks[named] < n) named++;
  return named;
}

static void begin_launch(Simt *s, const SimtKernel *k) {
  Launch *l = &s->launch;
  memset(l, 0, sizeof *l);
  l->kernel = k;
  l->number = s->stats.launches;
  l->site = simt_place();
  memcpy(l->grid, s->pending_grid, sizeof l->grid);
  memcpy(l->block, s->pending_block, sizeof l->block);
  l->shared_bytes = s->pending_shared;
  l->stream = simt_stream_index(s, s->pending_stream);
  l->n_blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
  if (s->run.blocks) l->n_blocks = named_blocks(&s->run, l->n_blocks);
}

static void run_blocks(Simt *s) {
  Launch *l = &s->launch;
  simt_observe_launch(s, 1);
  simt_hot.detect = s->detect;
  simt_hot.unset = simt_unset_bits(s);
  simt_hot.chunk = (const SimtChunk *)((uintptr_t)s->races.chunk - s->races.origin * sizeof(SimtChunk));
  for (unsigned i = SIMT_MAX_RESIDENT; i < SIMT_SLOTS; i++) {
    Slot *o = &s->slots[i];
    if (!o->base) continue;
    o->floor_seg = s->races.first_chunk << 5;
    o->clean = o->flags & SIMT_BUF_INIT && !o->parts;
    simt_set_quick(s, o, 1);
  }
  choose_order(s);
  l->residents = simt_residents(s);
  s->launch_steps = 0;
  s->slice = simt_next_slice(s);
  simt_hot.fuel = (int64_t)s->slice;
  if (s->block && s->block->shared) simt_set_quick(s, s->block->shared, 0); /* of the launch before */
  s->block = &s->resident[0];
  s->top = 1;
  for (uint32_t i = 0; i < l->residents; i++) simt_start_block(s, &s->resident[i]);
  s->block = &s->resident[0];
  simt_enter_first(s);
  s->stats.steps += s->launch_steps + s->slice - (uint64_t)(simt_hot.fuel < 0 ? 0 : simt_hot.fuel);
  simt_hot.fuel = INT64_MAX;
  simt_observe_launch(s, 0);
}

/* The launch that s->launch describes, from the memory as it is. */
static void run(Simt *s) {
  s->in_launch = 1;
  run_blocks(s);
  s->in_launch = 0;
}

void simt_run_again(Simt *s) {
  Launch *l = &s->launch;
  l->next_block = l->done = l->begun = l->last_end = l->waits = 0;
  l->length = (SimtLength){0};
  l->probe = (SimtProbe){0};
  l->n_active = 0;
  l->cut = 0;
  run(s);
}

/* A program may launch for long: its launches have the detectors, the budget and the numbers that a run begins with. */
static void begin_in_program(Simt *s) {
  if (!s->program) return;
  s->detect = s->run.detect;
  simt_renew_program(s);
  if (!s->run.max_steps) s->max_steps = simt_default_steps(s);
}

/* As it is asked for, refused or not. */
static void note_geometry(Simt *s) {
  memcpy(s->stats.grid, s->launch.grid, sizeof s->stats.grid);
  memcpy(s->stats.launch_block, s->launch.block, sizeof s->stats.launch_block);
  s->stats.shared_bytes = s->launch.shared_bytes;
}

static void launch(Simt *s, const SimtKernel *k, const void *args, uint64_t bytes) {
  s->stats.launches++;
  begin_in_program(s);
  begin_launch(s, k);
  note_geometry(s);
  if (s->broken) s->last_error = s->broken;
  if (s->program && s->fault) return; /* behind one that has broken the context none runs */
  if (s->aborted || s->broken || simt_check_launch(s) || !s->launch.n_blocks) return;
  s->launch.args = malloc(bytes + 1);
  if (!s->launch.args) {
    s->stats.abandoned = 1;
    return;
  }
  memcpy(s->launch.args, args, bytes);
  simt_judge_before(s);
  simt_stream_issue(s, (unsigned)s->launch.stream);
  run(s);
  simt_stream_done(s, &s->launch);
  simt_judge_after(s);
  free(s->launch.args);
  s->launch.args = NULL;
}

void simt_launch_kernel(const SimtKernel *k, const void *args, uint64_t bytes) {
  simt_program_lock();
  Simt *s = simt_host_context(); /* none: from a kernel, and dynamic parallelism is not supported */
  if (s) {
    int was_configured = s->configured;
    s->in_engine = 1;
    launch(s, k, args, bytes);
    s->configured = s->cooperative = 0;
    s->in_engine = 0;
    if (s->aborted) simt_broke(s, CUDA_LAUNCH_TIMEOUT); /* unless something else has broken it */
    simt_program_tell(s);
    if (was_configured) simt_program_unlock();
  }
  simt_program_unlock();
}

/* Until the launch is over no other host thread comes in between. */
void simt_configure_launch(const uint32_t grid[3], const uint32_t block[3], size_t shared_bytes, void *stream) {
  simt_program_lock();
  Simt *s = simt_host_context();
  if (!s || s->configured) simt_program_unlock();
  if (!s) return;
  memcpy(s->pending_grid, grid, sizeof s->pending_grid);
  memcpy(s->pending_block, block, sizeof s->pending_block);
  s->pending_shared = shared_bytes;
  s->pending_stream = stream;
  s->configured = 1;
}
