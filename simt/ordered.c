/* ordered.c - memory that is allocated and freed in the order of a stream: cudaMallocAsync(), cudaMallocFromPoolAsync(), cudaFreeAsync().
 *
 * They are operations of their stream that access nothing. What operations of other streams do with the memory has to be behind the one and ahead of
 * the other (CUDA Runtime API, Stream Ordered Memory Allocator). What is issued behind the free, in whatever stream, finds the memory gone. */
#include "ordered.h"

static const char rule_ordered[] =
    "memory of a stream's order may be used between its allocation and its free alone, in that stream or in others that are ordered behind the one and ahead of the other (CUDA Runtime API, Stream Ordered Memory Allocator)";

static int is_watched(const Simt *s, unsigned stream) { return s->detect & SIMT_DETECT_RACE && simt_stream_is_many(s, stream); }

static size_t first_at(const SimtFootprint *f, uintptr_t p) {
  size_t lo = 0, hi = f->n;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (f->touch[mid].at < p) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

/* The memory, which the host has used by `call` at `site`, and an access of a stream's to it. */
static void report(Simt *s, const Allocation *a, const SimtTouch *t, unsigned kind, const char *call, const SimtSite *site, int frees) {
  uint64_t word = t->word[kind];
  const SimtOperation *op = simt_operation_of(s, word_seg(word));
  const SimtSite *used = simt_call_of(&op->launch, word_site(word));
  const char *reason = simt_meant_reason(used, site);
  SimtFinding *f = simt_report_of(s, op->launch.kernel, SIMT_RACE_GLOBAL, reason ? SIMT_MEANT : SIMT_ERROR, used, site);
  if (!f) return;
  f->reason = reason;
  f->rule = rule_ordered;
  simt_word_where(s, &op->launch, &f->here, word, kind & TOUCH_WRITE);
  f->here.launch = simt_issued(&op->launch);
  f->other = simt_host_where(site, call);
  f->object = a->name;
  f->offset_bytes = (int64_t)(t->at - a->base);
  f->size_bytes = 4;
  simt_detail(f, "%s of byte %lld of %s, in stream %u, is not ordered %s the %s in stream %u", f->here.access, (long long)f->offset_bytes, a->name,
              op->stream, frees ? "ahead of" : "behind", call, frees ? s->streams->op[s->streams->n_ops - 1].stream : a->stream);
}

/* The first access to it in f; of operations that are not ordered ahead of this one, where it frees. */
static int report_first(Simt *s, const Allocation *a, const SimtFootprint *f, int frees, const char *call, const SimtSite *site) {
  uint32_t now = s->races.next_chunk << 5;
  for (size_t i = first_at(f, a->base & ~(uintptr_t)3); i < f->n && f->touch[i].at < a->base + a->bytes; i++)
    for (unsigned k = 0; k < TOUCH_KINDS; k++) {
      uint64_t word = f->touch[i].word[k];
      if (!word || (frees && simt_stream_ordered(s, simt_operation_of(s, word_seg(word)), now))) continue;
      report(s, a, &f->touch[i], k, call, site, frees);
      return 1;
    }
  return 0;
}

void simt_ordered_alloc(Simt *s, Allocation *a, unsigned stream) {
  simt_stream_issue(s, stream);
  a->stream = stream;
  a->number = s->streams->stream[stream].n_ops;
}

void simt_ordered_use(Simt *s, unsigned stream, const SimtFootprint *f) {
  const SimtClock *clock = &s->streams->stream[stream].clock;
  for (size_t i = 0; s->heap && i < s->heap->n_live; i++) {
    const Allocation *a = &s->heap->live[i];
    if (a->number && clock->over[a->stream] < a->number) report_first(s, a, f, 0, a->call, a->site);
  }
}

void simt_ordered_free(Simt *s, const Allocation *a, unsigned stream, const SimtSite *site) {
  simt_stream_issue(s, stream);
  if (!is_watched(s, stream)) return;
  for (unsigned i = 0; i < s->streams->n_streams; i++)
    if (i != stream && report_first(s, a, &s->streams->stream[i].record, 1, "cudaFreeAsync", site)) return;
}

void simt_ordered_forget(Simt *s) {
  for (size_t i = 0; s->heap && i < s->heap->n_live; i++) s->heap->live[i].number = 0;
}
