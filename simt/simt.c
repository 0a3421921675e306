/* simt.c - contexts and runs. */
#include "flight.h"
#include "heap.h"
#include "judge.h"
#include "races.h"
#include "streams.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CHUNK_LIMIT = SIMT_CHUNK_LIMIT, DEFAULT_STEPS = 30000000, STEPS_PER_BYTE = 500 };

extern const SimtSite __stop_simt_sites[] __attribute__((weak));

int simt_create(Simt **out) {
  if ((uintptr_t)__stop_simt_sites >> 32) return -1; /* a position-independent program: see thread_site() */
  Simt *s = aligned_alloc(_Alignof(Simt), sizeof *s);
  if (!s) return -1;
  memset(s, 0, sizeof *s);
  void *p = mmap(NULL, (size_t)CHUNK_LIMIT * sizeof(SimtChunk), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  s->races.chunk = p == MAP_FAILED ? NULL : p;
  s->races.next_chunk = 1;
  if (!s->races.chunk || simt_streams_create(s) || simt_space_create(s)) {
    simt_destroy(s);
    return -1;
  }
  *out = s;
  return 0;
}

void simt_destroy(Simt *s) {
  if (!s) return;
  for (unsigned i = 0; i < SIMT_MAX_RESIDENT; i++) simt_free_threads(&s->resident[i]);
  free(s->host_call);
  for (void *next; s->kept; s->kept = next) {
    next = *(void **)s->kept;
    free(s->kept);
  }
  simt_flights_free(s);
  simt_heap_clear(s);
  simt_heap_destroy(s);
  simt_pools_destroy(s);
  simt_judge_destroy(s);
  simt_streams_destroy(s);
  if (s->races.chunk) munmap(s->races.chunk, (size_t)CHUNK_LIMIT * sizeof(SimtChunk));
  simt_space_destroy(s);
  free(s);
}

/* Segment numbers grow from run to run, so old shadow words are simply old. Half way through them all is cleared. */
static void renew_numbers(Simt *s) {
  if (s->races.next_chunk < CHUNK_LIMIT / 2) return;
  simt_forget_shadow(s);
  s->races.next_chunk = 1;
}

/* What anybody has written is as old as a program can tell. */
static void age_writes(const Slot *o, uint64_t word) {
  const SimtShadow *sh = &o->shadow;
  for (uint64_t g = 0; o->base && g < (o->size + 3) / 4; g++) {
    if (sh->write[g] & WORD_BYTES)
      for (uint64_t b = g * 4 * 4; b < (g + 1) * 4 * 4; b += 4)
        if (sh->bytes[b]) sh->bytes[b] = word;
    if (sh->write[g]) sh->write[g] = word | (sh->write[g] & WORD_BYTES);
    if (sh->read[g]) sh->read[g] = sh->read_far[g] = sh->read_near[g] = 0; /* what was never touched costs no memory */
  }
}

/* Within one run numbers cannot simply be forgotten: they say what has been written. */
void simt_renew_program(Simt *s) {
  if (s->races.next_chunk < CHUNK_LIMIT / 2) return;
  simt_streams_forget(s);
  s->races.next_chunk = s->races.origin = 1;
  s->run_seg = 1 << 5;
  uint64_t word = word_make(simt_host_segment(s, SIMT_HOST_SETS), NULL, 0);
  for (unsigned i = SIMT_MAX_RESIDENT; i < SIMT_SLOTS; i++)
    if (!s->slots[i].lazy) age_writes(&s->slots[i], word);
  for (unsigned i = 0; i < SIMT_MAX_RESIDENT; i++) simt_forget_slot(&s->slots[i]);
  simt_streams_forget(s);
}

uint64_t simt_default_steps(const Simt *s) {
  uint64_t bytes = 0;
  for (unsigned i = SIMT_MAX_RESIDENT; i < SIMT_SLOTS; i++) bytes += simt_expected_bytes(&s->slots[i]);
  return DEFAULT_STEPS + STEPS_PER_BYTE * bytes;
}

void simt_begin(Simt *s, const SimtRun *run) {
  renew_numbers(s);
  simt_forget_variables(s);
  s->run = *run;
  s->detect = run->detect;
  s->fill = run->fill;
  s->rng = run->schedule;
  s->direction = run->schedule >> 2 & 1;
  s->stride = s->direction ? -1 : 1;
  s->stack_step_bytes = s->stride * (long)SIMT_STACK_STRIDE_BYTES;
  s->rotate = run->schedule ? (uint32_t)(simt_random(s) & 31) : 0;
  s->max_steps = run->max_steps ? run->max_steps : simt_default_steps(s);
  s->run_seg = s->races.next_chunk << 5;
  s->races.origin = s->races.next_chunk;
  simt_streams_begin(s);
  simt_hot.trace = 0;
  s->aborted = s->configured = s->cooperative = 0;
  s->last_error = s->fault = s->broken = 0;
  s->failed = (SimtFailed){0};
  s->program = NULL;
  s->n_told = 0;
  s->unjudged = 0;
  s->wrapped = NULL;
  s->n_findings = s->text_len = 0;
  memset(&s->stats, 0, sizeof s->stats);
  simt_active = s;
}

/* What kernels count in, and what the world sees: libFuzzer's section for extra counters. */
enum { MAX_COUNTERS = 1 << 16 };
extern uint32_t __start_simt_counters[] __attribute__((weak)), __stop_simt_counters[] __attribute__((weak));
static uint8_t seen[MAX_COUNTERS] __attribute__((section("__libfuzzer_extra_counters")));

static size_t n_counters(void) {
  size_t n = (size_t)(__stop_simt_counters - __start_simt_counters);
  return n < MAX_COUNTERS ? n : MAX_COUNTERS;
}

/* Adds the run's counts to the 8-bit ones, saturating, and clears them. */
static void fold_counters(void) {
  volatile uint8_t *to = seen; /* libFuzzer reads it behind the compiler's back */
  size_t n = n_counters();
  for (size_t i = 0; i < n; i++) {
    uint32_t c = __start_simt_counters[i];
    if (!c) continue;
    uint32_t sum = to[i] + (c < 255 ? c : 255);
    to[i] = (uint8_t)(sum < 255 ? sum : 255);
    __start_simt_counters[i] = 0;
  }
}

uint8_t *simt_coverage(size_t *n) {
  *n = n_counters();
  return seen;
}

extern const SimtCover __start_simt_cover[] __attribute__((weak)), __stop_simt_cover[] __attribute__((weak));

const SimtCover *simt_covers(size_t *n) {
  *n = (size_t)(__stop_simt_cover - __start_simt_cover);
  return __start_simt_cover;
}

size_t simt_cover_first(const SimtCover *c) { return (size_t)(c->counters - __start_simt_counters); }

size_t simt_end(Simt *s, SimtStats *stats) {
  if (s->run.detect & SIMT_TRACE) s->stats.trace_hash = simt_hot.trace + s->stats.steps * 0x9e3779b97f4a7c15u; /* a longer way takes more steps */
  if (stats) *stats = s->stats;
  simt_free_spare_threads(s);
  simt_active = NULL;
  fold_counters();
  return s->n_findings;
}

const SimtFinding *simt_findings(const Simt *s, size_t *n) {
  *n = s->n_findings;
  return s->finding;
}
