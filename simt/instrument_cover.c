/* instrument_cover.c - coverage counters, which lines they stand for, and step counts.
 *
 * A 32-bit counter for each function and each target of a conditional branch, one instruction each. The engine folds them into saturating
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

/* ---- lines ---- */

static void note_line(Ins *in, LLVMMetadataRef loc, unsigned counter, size_t first) {
  LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(loc));
  unsigned n = 0, line = LLVMDILocationGetLine(loc);
  const char *name = file ? LLVMDIFileGetFilename(file, &n) : NULL;
  if (!n || !line) return;
  const CoverLine c = {ins_string(in, name, n), line, counter};
  for (size_t i = first; i < in->n_cover; i++)
    if (in->cover[i].line == c.line && in->cover[i].file == c.file) return;
  in->cover = ins_grow(in->cover, in->n_cover, sizeof *in->cover);
  in->cover[in->n_cover++] = c;
}

/* The user's lines in a block, with those of the calls that were inlined around them. `first`: of the records of this counter. */
static void note_block(Ins *in, LLVMBasicBlockRef bb, unsigned counter, size_t first) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i)) {
    if (ins_calls(i, "llvm.dbg") || ins_calls(i, "llvm.lifetime")) continue;
    for (LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(i); loc; loc = LLVMDILocationGetInlinedAt(loc))
      if (ins_is_user_place(in, loc)) note_line(in, loc, counter, first);
  }
}

/* A block without a counter is reached exactly if one with a counter is from which it follows: all that branch have counters behind
 * them, but for those inside the shim. */
static void note_lines(Ins *in, const Walk *w, unsigned from, unsigned counter) {
  unsigned char *seen = calloc(w->n, 1);
  unsigned *stack = malloc(sizeof *stack * (w->n + 1)), depth = 0;
  size_t first = in->n_cover;
  if (!seen || !stack) abort();
  seen[from] = 1;
  stack[depth++] = from;
  while (depth) {
    unsigned at = stack[--depth];
    LLVMValueRef t = LLVMGetBasicBlockTerminator(w->blocks[at]);
    unsigned n = t ? LLVMGetNumSuccessors(t) : 0;
    note_block(in, w->blocks[at], counter, first);
    for (unsigned i = 0; i < n; i++) {
      unsigned to = index_of(w, LLVMGetSuccessor(t, i));
      if (w->target[to] || seen[to]) continue;
      seen[to] = 1;
      stack[depth++] = to;
    }
  }
  free(seen);
  free(stack);
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
  w.target[0] = 1; /* the function itself */
  for (unsigned i = 0; i < w.n; i++) {
    if (w.target[i] && in->n_counters < MAX_COUNTERS) note_lines(in, &w, i, in->n_counters);
    if (w.header[i]) add_step(in, w.blocks[i]);
    if (w.target[i]) add_counter(in, w.blocks[i]);
  }
  free(w.blocks);
  free(w.state);
}

/* The list of lines, as a global; NULL: there are none. */
static LLVMValueRef cover_lines(Ins *in) {
  LLVMTypeRef member[3] = {in->ptr, in->i32, in->i32}, t = LLVMStructTypeInContext(in->ctx, member, 3, 0);
  LLVMValueRef *all = malloc(sizeof *all * (in->n_cover + 1));
  if (!all) abort();
  for (size_t i = 0; i < in->n_cover; i++) {
    const CoverLine *c = &in->cover[i];
    LLVMValueRef field[3] = {c->file, LLVMConstInt(in->i32, c->line, 0), LLVMConstInt(in->i32, c->counter, 0)};
    all[i] = LLVMConstStructInContext(in->ctx, field, 3, 0);
  }
  LLVMValueRef init = LLVMConstArray(t, all, (unsigned)in->n_cover), g = LLVMAddGlobal(in->mod, LLVMTypeOf(init), "simt.cover.lines");
  free(all);
  LLVMSetInitializer(g, init);
  LLVMSetGlobalConstant(g, 1);
  LLVMSetLinkage(g, LLVMInternalLinkage);
  return g;
}

/* A SimtCover, in section simt_cover. */
static void emit_cover(Ins *in, LLVMValueRef counters) {
  LLVMValueRef field[4] = {LLVMConstPointerCast(counters, in->ptr), LLVMConstInt(in->i64, in->n_counters, 0),
                           LLVMConstPointerCast(cover_lines(in), in->ptr), LLVMConstInt(in->i64, in->n_cover, 0)};
  LLVMValueRef init = LLVMConstStructInContext(in->ctx, field, 4, 0), g = LLVMAddGlobal(in->mod, LLVMTypeOf(init), "simt.cover");
  LLVMSetInitializer(g, init);
  LLVMSetGlobalConstant(g, 1);
  LLVMSetLinkage(g, LLVMInternalLinkage);
  LLVMSetSection(g, "simt_cover");
  LLVMSetAlignment(g, 8);
  ins_keep(in, g);
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
  emit_cover(in, g);
}
