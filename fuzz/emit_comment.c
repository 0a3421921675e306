/* emit_comment.c - what an emitted program says about itself at its top. */
#include "check_info.h"
#include "emit_impl.h"
#include "source_line.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BIT(c) (1u << (c))

enum { MAX_TOLD = 4 /* findings */ };

/* How a fault shows that spoils no value, or not always. */
typedef struct Tool {
  uint32_t classes;
  const char *tool; /* of compute-sanitizer; NULL: none sees it */
  const char *says;
} Tool;

static const Tool tools[] = {
    {BIT(SIMT_RACE_WARP) | BIT(SIMT_RACE_SHARED), "racecheck", "A race in shared memory need not spoil a value."},
    {BIT(SIMT_RACE_GLOBAL), NULL, "A race in global memory need not spoil a value, and compute-sanitizer does not look for it."},
    {BIT(SIMT_BARRIER_DIVERGENCE) | BIT(SIMT_SHUFFLE_MASK), "synccheck", "A barrier or mask that not all reach need not spoil a value."},
    {BIT(SIMT_OOB_GLOBAL) | BIT(SIMT_OOB_SHARED) | BIT(SIMT_OOB_LOCAL), "memcheck",
     "An access out of bounds may go unnoticed, reads above all."},
    {BIT(SIMT_MISALIGNED) | BIT(SIMT_STACK_OVERFLOW) | BIT(SIMT_TRAP), "memcheck", "Which access or instruction ends the kernel:"},
    {BIT(SIMT_UNINIT_GLOBAL), "initcheck", "What nobody has written may hold harmless values."},
    {BIT(SIMT_UNINIT_SHARED), NULL,
     "What nobody has written may hold harmless values; the program leaves others in shared memory before each run."},
    {BIT(SIMT_INT_OVERFLOW) | BIT(SIMT_INT_DIVISION), NULL, "A device wraps, or gives some quotient: no value need be wrong."},
};

enum { N_TOOLS = sizeof tools / sizeof *tools };

/* What a case expects of its own variant is nothing to another. */
static uint32_t expected_of(const WfEmit *e) { return !e->c->variant || e->c->variant == e->v ? e->c->expect : 0; }

static uint32_t classes_of(const WfEmit *e) { return e->verdict->errors | e->verdict->warnings | expected_of(e); }

/* One line of the comment: nothing in it can end it, or go on in the next one. */
static void add_line(WfText *t, const char *line) {
  WfText safe = {0};
  wf_text_add_safe(&safe, line);
  char *s = wf_text_take(&safe);
  t->failed |= !s;
  for (size_t n = s ? strlen(s) : 0; n > 0 && (s[n - 1] == '\\' || s[n - 1] == ' ' || s[n - 1] == '\t'); n--)
    s[n - 1] = s[n - 1] == '\\' ? '?' : '\0';
  wf_text_add(t, "//%s%s\n", s && *s ? " " : "", s ? s : "");
  free(s);
}

/* Likewise, of what `line` holds; empties it. */
static void add_text(WfText *t, WfText *line) {
  char *s = wf_text_take(line);
  t->failed |= !s;
  if (s)
    add_line(t, s);
  free(s);
}

/* ---- what was found ---- */

/* A relation compares with a run on another input, which the program does not make. */
static int is_of_relation(const WfOp *op, const WfFinding *f) {
  for (const WfRelation *const *r = op->relations; r && *r; r++)
    if ((*r)->rule == f->simt.rule)
      return 1;
  return 0;
}

static void add_finding(WfText *t, const WfFinding *f) {
  WfText line = {0};
  char *places = wf_finding_places(f);
  wf_text_add(&line, "  %s %s%s%s%s%s%s", wf_severity_name(f->simt.severity), simt_class_name(f->simt.cls), f->simt.detail[0] ? ": " : "",
              f->simt.detail, places && *places ? " (" : "", places ? places : "", places && *places ? ")" : "");
  free(places);
  add_text(t, &line);
  if (is_of_relation(f->op, f))
    add_line(t, "    Seen by comparison with a run on another input: this program, which has one input, need not show it.");
}

static void add_findings(WfText *t, const WfEmit *e) {
  const WfVerdict *v = e->verdict;
  WfText line = {0};
  add_line(t, v->n ? "Found on warpfuzz's engine, which runs kernels on the CPU:" :
                     "warpfuzz's engine, which runs kernels on the CPU, finds nothing wrong with it.");
  for (size_t i = 0; i < v->n && i < MAX_TOLD; i++)
    add_finding(t, &v->finding[i]);
  if (v->n > MAX_TOLD)
    wf_text_add(&line, "  and %zu more", v->n - MAX_TOLD + v->n_dropped);
  if (line.len)
    add_text(t, &line);
  if (v->no_verdict)
    add_line(t, "The engine gave up before the end: its findings are not all there are.");
  if (expected_of(e)) {
    wf_text_add(&line, "The case is known for:");
    for (int i = 0; i < SIMT_CLASS_COUNT; i++)
      if (expected_of(e) >> i & 1)
        wf_text_add(&line, " %s", simt_class_name((SimtClass)i));
    add_text(t, &line);
  }
  if (e->v->fault) {
    wf_text_add(&line, "Known fault: %s", e->v->fault);
    add_text(t, &line);
  }
  if (v->outside[0]) {
    wf_text_add(&line, "Outside of the kernel's contract: %s", v->outside);
    add_text(t, &line);
  }
}

/* ---- how it is used ---- */

static void add_problem(WfText *t, const WfEmit *e, const WfGeometry *g) {
  WfText line = {0};
  for (int i = 0; i < e->c->op->n_dims; i++)
    wf_text_add(&line, "%s%s %" PRId64, i ? ", " : "Problem: ", e->c->op->dims[i].name, e->c->dim[i]);
  if (!wf_check_info || !wf_check_info->own_geometry)
    wf_text_add(&line, "; grid %" PRIu32 " %" PRIu32 " %" PRIu32 ", block %" PRIu32 " %" PRIu32 " %" PRIu32, g->grid[0],
                g->grid[1], g->grid[2], g->block[0], g->block[1], g->block[2]);
  if (g->shared_bytes)
    wf_text_add(&line, ", %" PRIu64 " bytes of dynamic shared memory", g->shared_bytes);
  add_text(t, &line);
}

static void add_use(WfText *t, const WfEmit *e) {
  WfText line = {0};
  uint32_t classes = classes_of(e);
  wf_text_add(&line, "Compile: nvcc%s%s -o repro repro.cu", e->v->flavor == WF_FASTMATH ? " -use_fast_math" : "",
              wf_check_info ? wf_check_info->compile : "");
  add_text(t, &line);
  add_line(t, "Run:     ./repro");
  add_line(t, "Exit status: 0 not reproduced, 1 reproduced, 2 a CUDA error outside of the kernel, or wrong usage.");
  for (int i = 0; i < N_TOOLS; i++) {
    if (!(tools[i].classes & classes))
      continue;
    add_line(t, tools[i].says);
    if (tools[i].tool)
      wf_text_add(&line, "  compute-sanitizer --tool %s ./repro --plain", tools[i].tool);
    if (line.len)
      add_text(t, &line);
  }
  add_line(t, "With --plain every tensor is an allocation of its exact size and the kernel runs once, for tools that watch it.");
  add_line(t, "--runs N: so many runs at most; the first that shows a fault is the last.");
}

static void add_origin(WfText *t, const WfEmit *e) {
  WfText line = {0};
  char *text = wf_case_print(e->c);
  wf_text_add(&line, "Made by: warpfuzz emit ");
  wf_text_add_quoted(&line, e->case_path);
  wf_text_add(&line, " --variant %s/%s%s", e->c->op->name, e->v->name, e->verdict->outside[0] ? " --outside" : "");
  add_text(t, &line);
  add_line(t, "The case:");
  t->failed |= !text;
  for (char *at = text, *end; at && *at; at = end) {
    end = at + strcspn(at, "\n");
    wf_text_add(&line, "  %.*s", (int)(end - at), at);
    add_text(t, &line);
    end += *end != '\0';
  }
  free(text);
}

void wf_emit_comment(WfText *t, const WfEmit *e, const WfGeometry *g) {
  WfText line = {0};
  wf_text_add(&line, "%s/%s, a CUDA kernel, and a program that runs and judges it.", e->c->op->name, e->v->name);
  add_text(t, &line);
  add_line(t, "");
  add_findings(t, e);
  add_problem(t, e, g);
  add_line(t, "");
  add_use(t, e);
  add_line(t, "");
  add_origin(t, e);
  wf_text_add(t, "\n");
}

/* ARBITRARY_: what depends on the order of threads wants many runs; what depends on old memory all contents that the
 * program knows; two tell whether a kernel gives the same bits. */
int wf_emit_runs(const WfEmit *e, int has_shared) {
  const uint32_t by_chance = BIT(SIMT_RACE_WARP) | BIT(SIMT_RACE_SHARED) | BIT(SIMT_RACE_GLOBAL) | BIT(SIMT_BARRIER_DIVERGENCE) |
                             BIT(SIMT_SHUFFLE_MASK) | BIT(SIMT_UNINIT_GLOBAL) | BIT(SIMT_UNINIT_SHARED) | BIT(SIMT_NONDETERMINISTIC);
  int contents = wf_emit_is_all_f32(e->c) ? 4 : 6, runs = has_shared || e->v->scratch ? contents : 2;
  if (wf_emit_is_large(e->c))
    return runs;
  return classes_of(e) & by_chance ? 100 : runs;
}
