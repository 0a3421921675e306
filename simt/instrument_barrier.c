/* instrument_barrier.c - what lies behind each barrier, so that the engine can tell a thread that goes past a barrier from
 * one that takes another arm or leaves early. Likewise for operations in which lanes of a warp meet.
 *
 * In functions with barriers, joins of control flow, ways into loops, and where a thread goes round a barrier or leaves its
 * loop get a marker, except where nothing follows but the return. For each barrier a record (SimtBarrierInfo) lists the
 * barriers ahead of it and the markers behind it. */
#include "instrument.h"
#include <stdlib.h>
#include <string.h>

typedef struct Flow {
  LLVMBasicBlockRef *blocks;
  unsigned n;
  unsigned *first_edge;  /* of a block: its edges are numbered in a row */
  unsigned *to;          /* by edge */
  unsigned char *back;   /* by edge */
} Flow;

typedef struct Barrier { /* of a block or, where lanes of a warp meet, of a warp */
  LLVMValueRef call, site;
  unsigned block;
  int of_block;
  unsigned char *ahead, *reached, *leads; /* by block: reachable from here without and with back edges; leads here */
} Barrier;

static const char *called(LLVMValueRef i, size_t *len) {
  *len = 0;
  if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i)) return "";
  LLVMValueRef f = LLVMGetCalledValue(i);
  return f && LLVMIsAFunction(f) ? LLVMGetValueName2(f, len) : "";
}

static int calls(LLVMValueRef i, const char *name) {
  size_t len;
  const char *s = called(i, &len);
  return len == strlen(name) && !memcmp(s, name, len);
}

static LLVMValueRef last_argument(LLVMValueRef call) { return LLVMGetOperand(call, LLVMGetNumArgOperands(call) - 1); }

static unsigned index_of(const Flow *f, LLVMBasicBlockRef bb) {
  unsigned i = 0;
  while (f->blocks[i] != bb) i++;
  return i;
}

static unsigned successors(const Flow *f, unsigned b) { return f->first_edge[b + 1] - f->first_edge[b]; }

static unsigned successor(const Flow *f, unsigned b, unsigned k) { return f->to[f->first_edge[b] + k]; }

/* Depth-first: an edge to a block on the current path is a back edge. */
static void find_back_edges(Flow *f) {
  unsigned char *state = calloc(f->n, 1);
  unsigned *stack = malloc(sizeof *stack * f->n), *next = calloc(f->n, sizeof *next), depth = 1;
  if (!state || !stack || !next) abort();
  stack[0] = 0;
  state[0] = 1;
  while (depth) {
    unsigned b = stack[depth - 1];
    if (next[b] == successors(f, b)) {
      state[b] = 2;
      depth--;
      continue;
    }
    unsigned k = next[b]++, to = successor(f, b, k);
    if (state[to] == 1) f->back[f->first_edge[b] + k] = 1;
    if (state[to]) continue;
    state[to] = 1;
    stack[depth++] = to;
  }
  free(state);
  free(stack);
  free(next);
}

static void number_edges(Flow *f) {
  f->first_edge[0] = 0;
  for (unsigned b = 0; b < f->n; b++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(f->blocks[b]);
    f->first_edge[b + 1] = f->first_edge[b] + (end ? LLVMGetNumSuccessors(end) : 0);
  }
}

static void build_flow(Flow *f, LLVMValueRef fn) {
  f->n = LLVMCountBasicBlocks(fn);
  f->blocks = malloc(sizeof *f->blocks * f->n);
  f->first_edge = malloc(sizeof *f->first_edge * (f->n + 1));
  if (!f->blocks || !f->first_edge) abort();
  LLVMGetBasicBlocks(fn, f->blocks);
  number_edges(f);
  f->to = malloc(sizeof *f->to * (f->first_edge[f->n] + 1));
  f->back = calloc(f->first_edge[f->n] + 1, 1);
  if (!f->to || !f->back) abort();
  for (unsigned b = 0; b < f->n; b++)
    for (unsigned k = 0; k < successors(f, b); k++)
      f->to[f->first_edge[b] + k] = index_of(f, LLVMGetSuccessor(LLVMGetBasicBlockTerminator(f->blocks[b]), k));
  find_back_edges(f);
}

static void free_flow(Flow *f) {
  free(f->blocks);
  free(f->first_edge);
  free(f->to);
  free(f->back);
}

/* Blocks reachable from `from` over at least one edge. */
static void reach(const Flow *f, unsigned from, const unsigned char *shut, unsigned char *seen) {
  unsigned *stack = malloc(sizeof *stack * (f->n + 1)), depth = 0;
  if (!stack) abort();
  memset(seen, 0, f->n);
  stack[depth++] = from;
  while (depth) {
    unsigned b = stack[--depth];
    for (unsigned k = 0; k < successors(f, b); k++) {
      unsigned to = successor(f, b, k);
      if (seen[to] || (shut && shut[f->first_edge[b] + k])) continue;
      seen[to] = 1;
      stack[depth++] = to;
    }
  }
  free(stack);
}

/* Blocks that lead to `target` over at least one edge. */
static void lead_to(const Flow *f, unsigned target, unsigned char *leads) {
  memset(leads, 0, f->n);
  for (int changed = 1; changed;) {
    changed = 0;
    for (unsigned b = f->n; b-- > 0;)
      for (unsigned k = 0; k < successors(f, b) && !leads[b]; k++)
        if (successor(f, b, k) == target || leads[successor(f, b, k)]) leads[b] = 1, changed = 1;
  }
}

static int does_something(LLVMValueRef i) {
  size_t len;
  const char *name = called(i, &len);
  if (LLVMIsAPHINode(i) || ins_starts_with(name, len, "llvm.dbg.") || ins_starts_with(name, len, "llvm.lifetime.")) return 0;
  return !LLVMIsATerminatorInst(i);
}

/* Nothing but the way out. */
static int only_returns(LLVMBasicBlockRef bb, int depth) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i))
    if (does_something(i)) return 0;
  LLVMValueRef t = LLVMGetBasicBlockTerminator(bb);
  for (unsigned k = 0; k < LLVMGetNumSuccessors(t); k++)
    if (depth == 8 || !only_returns(LLVMGetSuccessor(t, k), depth + 1)) return 0;
  return 1;
}

static void add_marker(Ins *in, LLVMBasicBlockRef bb) {
  LLVMValueRef at = LLVMGetFirstInstruction(bb);
  while (LLVMIsAPHINode(at) || LLVMIsALandingPadInst(at)) at = LLVMGetNextInstruction(at);
  LLVMPositionBuilderBefore(in->b, at);
  ins_mark(in, "simt_pass", ins_location(in, bb));
}

static void add_marker_at_end(Ins *in, LLVMBasicBlockRef bb) {
  LLVMPositionBuilderBefore(in->b, LLVMGetBasicBlockTerminator(bb));
  ins_mark(in, "simt_pass", ins_location(in, bb));
}

/* Where a thread goes round a barrier, or leaves the loop it is in. */
static int goes_past(const Barrier *all, unsigned n, unsigned from, unsigned to) {
  for (unsigned i = 0; i < n; i++)
    if (all[i].leads[from] && !all[i].leads[to] && all[i].reached[to]) return 1;
  return 0;
}

/* Marks in front of the block's code; for a loop's header with one way in, at the end of the block it comes from, so that
 * iterations cost nothing. */
static void mark(Ins *in, const Flow *f, unsigned b, unsigned ways_in, unsigned from, int is_header) {
  if (is_header && ways_in == 1 && successors(f, from) == 1) add_marker_at_end(in, f->blocks[from]);
  else if (!only_returns(f->blocks[b], 0)) add_marker(in, f->blocks[b]);
}

static void mark_joins(Ins *in, const Flow *f, const Barrier *all, unsigned n) {
  unsigned *ways_in = calloc(f->n, sizeof *ways_in), *from = calloc(f->n, sizeof *from); /* back edges not counted */
  unsigned char *header = calloc(f->n, 3), *past = header + f->n, *user = past + f->n; /* user: not inside fmaxf() and the like */
  if (!ways_in || !from || !header) abort();
  for (unsigned b = 0; b < f->n; b++)
    for (unsigned k = 0; k < successors(f, b); k++) {
      unsigned to = successor(f, b, k);
      user[to] |= (unsigned char)ins_is_user(in, LLVMGetBasicBlockTerminator(f->blocks[b]));
      past[to] |= (unsigned char)goes_past(all, n, b, to);
      if (f->back[f->first_edge[b] + k]) header[to] = 1;
      else ways_in[to]++, from[to] = b;
    }
  for (unsigned b = 0; b < f->n; b++)
    if (header[b] || (user[b] && (past[b] || ways_in[b] > 1))) mark(in, f, b, ways_in[b], from[b], header[b]);
  free(ways_in);
  free(from);
  free(header);
}

static LLVMValueRef pointer_array(Ins *in, LLVMValueRef *v, unsigned n) {
  LLVMValueRef init = LLVMConstArray(in->ptr, v, n), g = LLVMAddGlobal(in->mod, LLVMTypeOf(init), "simt.behind");
  LLVMSetInitializer(g, init);
  LLVMSetGlobalConstant(g, 1);
  LLVMSetLinkage(g, LLVMInternalLinkage);
  return LLVMConstPointerCast(g, in->ptr);
}

static void emit_record(Ins *in, LLVMValueRef site, LLVMValueRef *ahead, unsigned n_ahead, LLVMValueRef *after, unsigned n_after) {
  LLVMValueRef f[5] = {site, pointer_array(in, ahead, n_ahead), pointer_array(in, after, n_after),
                       LLVMConstInt(in->i32, n_ahead, 0), LLVMConstInt(in->i32, n_after, 0)};
  LLVMValueRef init = LLVMConstStructInContext(in->ctx, f, 5, 0);
  LLVMValueRef g = LLVMAddGlobal(in->mod, LLVMTypeOf(init), "simt.barrier");
  LLVMSetInitializer(g, init);
  LLVMSetLinkage(g, LLVMInternalLinkage);
  LLVMSetSection(g, "simt_barriers");
  LLVMSetAlignment(g, 8);
  ins_keep(in, g);
}

static unsigned collect_after(Ins *in, const Flow *f, const Barrier *a, LLVMValueRef *out, unsigned room) {
  unsigned n = 0;
  for (unsigned b = 0; b < f->n; b++) {
    if (!a->reached[b] || a->leads[b]) continue;
    for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[b]); i; i = LLVMGetNextInstruction(i))
      if (calls(i, "simt_pass") && n < room) out[n++] = LLVMConstPointerCast(last_argument(i), in->ptr);
  }
  return n;
}

static int in_loop(const Barrier *a, unsigned latch) { return a->block == latch || a->ahead[latch]; }

/* From a one comes to b without going round a loop that holds both. */
static int is_ahead(const Flow *f, const Barrier *a, const Barrier *b) {
  if (a->block == b->block) {
    for (LLVMValueRef i = LLVMGetNextInstruction(a->call); i; i = LLVMGetNextInstruction(i))
      if (i == b->call) return 1;
    return 0;
  }
  unsigned n_edges = f->first_edge[f->n];
  unsigned char *shut = malloc(n_edges + f->n + 1), *seen = shut + n_edges;
  if (!shut) abort();
  for (unsigned x = 0; x < f->n; x++)
    for (unsigned e = f->first_edge[x]; e < f->first_edge[x + 1]; e++) shut[e] = f->back[e] && in_loop(a, x) && in_loop(b, x);
  reach(f, a->block, shut, seen);
  int ahead = seen[b->block];
  free(shut);
  return ahead;
}

static void describe(Ins *in, const Flow *f, const Barrier *all, unsigned n, unsigned which) {
  enum { ROOM = 4096 };
  LLVMValueRef *list = malloc(sizeof *list * (ROOM + n)), *after = list + n;
  if (!list) abort();
  unsigned n_ahead = 0;
  for (unsigned k = 0; k < n; k++)
    if (k != which && all[which].of_block && all[k].of_block && is_ahead(f, &all[which], &all[k])) list[n_ahead++] = all[k].site;
  emit_record(in, all[which].site, list, n_ahead, after, collect_after(in, f, &all[which], after, ROOM));
  free(list);
}

static void survey(const Flow *f, Barrier *a) {
  a->ahead = malloc(3 * (size_t)f->n);
  if (!a->ahead) abort();
  a->reached = a->ahead + f->n;
  a->leads = a->reached + f->n;
  reach(f, a->block, f->back, a->ahead);
  reach(f, a->block, NULL, a->reached);
  lead_to(f, a->block, a->leads);
}

enum { MAX_BARRIERS = 1024 };

static int waits_for_lanes(LLVMValueRef i) {
  static const char *const names[] = {"simt_op_shfl", "simt_op_vote", "simt_op_match", "simt_op_reduce", "simt_op_syncwarp"};
  for (unsigned k = 0; k < sizeof names / sizeof names[0]; k++)
    if (calls(i, names[k])) return 1;
  return 0;
}

static unsigned find_barriers(Ins *in, LLVMValueRef fn, Barrier *all) {
  unsigned n = 0, at = 0;
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(fn); bb; bb = LLVMGetNextBasicBlock(bb), at++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i))
      if ((calls(i, "simt_op_barrier") || waits_for_lanes(i)) && n < MAX_BARRIERS)
        all[n++] = (Barrier){.call = i, .site = LLVMConstPointerCast(last_argument(i), in->ptr), .block = at,
                             .of_block = calls(i, "simt_op_barrier")};
  return n;
}

void ins_barriers(Ins *in, LLVMValueRef fn) {
  Barrier *all = malloc(sizeof *all * MAX_BARRIERS);
  if (!all) abort();
  unsigned n = find_barriers(in, fn, all);
  if (n) {
    Flow f = {0};
    build_flow(&f, fn);
    for (unsigned k = 0; k < n; k++) survey(&f, &all[k]);
    mark_joins(in, &f, all, n);
    for (unsigned k = 0; k < n; k++) describe(in, &f, all, n, k);
    for (unsigned k = 0; k < n; k++) free(all[k].ahead);
    free_flow(&f);
  }
  free(all);
}
