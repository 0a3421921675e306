/* instrument_cover.c - coverage counters and step counts.
 *
 * A 32-bit counter for each target of a conditional branch, one instruction each. The engine folds them into saturating
 * 8-bit ones at the end of a run: 8-bit counters would wrap, and a branch taken by exactly 256 threads would count 0.
 * Loop headers call simt_step(), so that a loop without accesses still makes countable progress. */
#include "instrument.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_COUNTERS = 1 << 16 };

static LLVMValueRef first_place(LLVMBasicBlockRef bb) {
  LLVMValueRef i = LLVMGetFirstInstruction(bb);
  while (i && (LLVMIsAPHINode(i) || LLVMIsALandingPadInst(i))) i = LLVMGetNextInstruction(i);
  return i;
}

static LLVMValueRef counter_array(Ins *in) {
  if (in->counters) return in->counters;
  in->counters = LLVMAddGlobal(in->mod, LLVMArrayType(in->i32, MAX_COUNTERS), "simt.counters.max");
  LLVMSetLinkage(in->counters, LLVMInternalLinkage);
  return in->counters;
}

static void add_counter(Ins *in, LLVMBasicBlockRef bb) {
  LLVMValueRef at = first_place(bb);
  if (!at || in->n_counters == MAX_COUNTERS) return;
  LLVMPositionBuilderBefore(in->b, at);
  LLVMSetCurrentDebugLocation2(in->b, LLVMInstructionGetDebugLoc(at));
  LLVMValueRef idx[2] = {LLVMConstInt(in->i64, 0, 0), LLVMConstInt(in->i64, in->n_counters++, 0)};
  LLVMValueRef p = LLVMBuildInBoundsGEP2(in->b, LLVMArrayType(in->i32, MAX_COUNTERS), counter_array(in), idx, 2, "");
  LLVMValueRef c = LLVMBuildLoad2(in->b, in->i32, p, "");
  LLVMBuildStore(in->b, LLVMBuildAdd(in->b, c, LLVMConstInt(in->i32, 1, 0), ""), p);
}

static void add_step(Ins *in, LLVMBasicBlockRef bb) {
  LLVMValueRef at = first_place(bb);
  if (!at) return;
  LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(LLVMGetBasicBlockTerminator(bb)); /* the condition, in most loops */
  LLVMPositionBuilderBefore(in->b, at);
  ins_mark(in, "simt_step", loc ? loc : ins_location(in, bb));
}

typedef struct Walk {
  LLVMBasicBlockRef *blocks;
  unsigned char *state, *target, *header; /* state: 0 new, 1 on the path, 2 done */
  unsigned n;
} Walk;

static unsigned index_of(const Walk *w, LLVMBasicBlockRef bb) {
  unsigned i = 0;
  while (i < w->n && w->blocks[i] != bb) i++;
  return i;
}

/* Depth-first; an edge to a block on the current path closes a loop. Explicit stack: functions can be long. */
static void walk(Ins *in, Walk *w) {
  unsigned *stack = malloc(sizeof *stack * (w->n + 1)), *edge = calloc(w->n + 1, sizeof *edge), depth = 0;
  if (!stack || !edge) abort();
  stack[depth++] = 0;
  w->state[0] = 1;
  while (depth) {
    unsigned at = stack[depth - 1];
    LLVMValueRef t = LLVMGetBasicBlockTerminator(w->blocks[at]);
    unsigned n = t ? LLVMGetNumSuccessors(t) : 0;
    if (edge[at] == n) {
      w->state[at] = 2;
      depth--;
      continue;
    }
    unsigned to = index_of(w, LLVMGetSuccessor(t, edge[at]++));
    if (n > 1 && ins_is_user(in, t)) w->target[to] = 1; /* branches inside fmaxf() and the like are no news */
    if (w->state[to] == 1) w->header[to] = 1;
    if (w->state[to]) continue;
    w->state[to] = 1;
    stack[depth++] = to;
  }
  free(stack);
  free(edge);
}

void ins_coverage(Ins *in, LLVMValueRef fn) {
  Walk w = {.n = LLVMCountBasicBlocks(fn)};
  w.blocks = malloc(sizeof *w.blocks * w.n);
  w.state = calloc(w.n, 3);
  if (!w.blocks || !w.state) abort();
  w.target = w.state + w.n;
  w.header = w.target + w.n;
  LLVMGetBasicBlocks(fn, w.blocks);
  walk(in, &w);
  for (unsigned i = 0; i < w.n; i++) {
    if (w.header[i]) add_step(in, w.blocks[i]);
    if (w.target[i]) add_counter(in, w.blocks[i]);
  }
  free(w.blocks);
  free(w.state);
}

/* The array at its real size. */
void ins_coverage_finish(Ins *in) {
  if (!in->counters) return;
  LLVMTypeRef t = LLVMArrayType(in->i32, in->n_counters);
  LLVMValueRef g = LLVMAddGlobal(in->mod, t, "simt.counters");
  LLVMSetInitializer(g, LLVMConstNull(t));
  LLVMSetLinkage(g, LLVMInternalLinkage);
  LLVMSetSection(g, "simt_counters");
  LLVMSetAlignment(g, 4);
  ins_keep(in, g);
  LLVMReplaceAllUsesWith(in->counters, LLVMConstBitCast(g, LLVMTypeOf(in->counters)));
  LLVMDeleteGlobal(in->counters);
}
