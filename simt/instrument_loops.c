/* instrument_loops.c - finds loops around one shuffle: natural loops without loops in them, in each round of which the shuffle is
 * executed once, whose code touches no memory but coverage counters and waits for nothing else. */
#include "instrument_rounds.h"
#include <string.h>

unsigned ins_loop_index(const Loop *l, LLVMBasicBlockRef bb) {
  unsigned i = 0;
  while (i < l->n && l->block[i] != bb) i++;
  return i;
}

/* 0: too large, or a jump with too many ways. */
static int read_blocks(Loop *l) {
  l->n = 0;
  if (LLVMCountBasicBlocks(l->fn) >= LOOP_MAX_BLOCKS) return 0; /* one more may come */
  l->n = LLVMCountBasicBlocks(l->fn);
  LLVMGetBasicBlocks(l->fn, l->block);
  for (unsigned b = 0; b < l->n; b++) {
    LLVMValueRef t = LLVMGetBasicBlockTerminator(l->block[b]);
    unsigned ways = LLVMGetNumSuccessors(t);
    if (ways > LOOP_MAX_WAYS) return 0;
    l->n_next[b] = (unsigned char)ways;
    for (unsigned k = 0; k < ways; k++) l->next[b][k] = (unsigned short)ins_loop_index(l, LLVMGetSuccessor(t, k));
  }
  return 1;
}

/* Marks what can be reached from block `from` over at least one edge without entering block `wall`. */
static void reach(const Loop *l, unsigned from, unsigned wall, unsigned char *seen) {
  unsigned stack[LOOP_MAX_BLOCKS], depth = 0;
  memset(seen, 0, LOOP_MAX_BLOCKS);
  for (stack[depth++] = from; depth;) {
    unsigned b = stack[--depth];
    for (unsigned k = 0; k < l->n_next[b]; k++) {
      unsigned to = l->next[b][k];
      if (to == wall || seen[to]) continue;
      seen[to] = 1;
      stack[depth++] = to;
    }
  }
}

/* in[]: the natural loop of header h; its size, 0: h is no header. */
static unsigned natural_loop(const Loop *l, unsigned h, unsigned char *in) {
  unsigned char open[LOOP_MAX_BLOCKS], seen[LOOP_MAX_BLOCKS];
  unsigned count = 0;
  if (h) reach(l, 0, h, open); /* what the entry reaches without h: not dominated by it */
  else memset(open, 0, sizeof open);
  if (h) open[0] = 1;
  memset(in, 0, LOOP_MAX_BLOCKS);
  for (unsigned b = 0; b < l->n; b++) {
    if (open[b]) continue;
    reach(l, b, h, seen);
    seen[b] = 1;
    for (unsigned e = 0; e < l->n && !in[b]; e++)
      for (unsigned k = 0; k < l->n_next[e]; k++)
        if (seen[e] && !open[e] && l->next[e][k] == h) in[b] = 1;
    count += in[b];
  }
  return count;
}

static int innermost(Loop *l, unsigned char *in) {
  unsigned char candidate[LOOP_MAX_BLOCKS];
  unsigned best = 0;
  for (unsigned h = 0; h < l->n; h++) {
    unsigned count = natural_loop(l, h, candidate);
    if (!count || !candidate[l->split] || (best && count >= best)) continue;
    best = count;
    l->header = h;
    memcpy(in, candidate, LOOP_MAX_BLOCKS);
  }
  return best > 0;
}

/* Blocks of the loop reachable within it from `from`, which is none of them unless it is on a cycle that leaves the header out. */
static void mark(Loop *l, unsigned from, const unsigned char *in, Part part, unsigned char *marked) {
  unsigned stack[LOOP_MAX_BLOCKS], depth = 0;
  memset(marked, 0, LOOP_MAX_BLOCKS);
  for (stack[depth++] = from; depth;) {
    unsigned b = stack[--depth];
    for (unsigned k = 0; k < l->n_next[b]; k++) {
      unsigned to = l->next[b][k];
      if (to == l->header || !in[to] || marked[to]) continue;
      marked[to] = 1;
      if (part == BEFORE && to == l->split) continue; /* not past the shuffle */
      stack[depth++] = to;
    }
  }
}

/* Is there a cycle among the marked blocks? */
static int has_cycle(const Loop *l, const unsigned char *marked) {
  unsigned char done[LOOP_MAX_BLOCKS] = {0};
  for (int changed = 1; changed;) {
    changed = 0;
    for (unsigned b = 0; b < l->n; b++) {
      int waits = 0;
      if (!marked[b] || done[b]) continue;
      for (unsigned k = 0; k < l->n_next[b]; k++) waits |= marked[l->next[b][k]] && !done[l->next[b][k]];
      if (!waits) done[b] = 1, changed = 1;
    }
  }
  return memcmp(done, marked, LOOP_MAX_BLOCKS) != 0;
}

/* Each round passes the shuffle, and only the loop itself goes round. */
static int divide(Loop *l, const unsigned char *in) {
  unsigned char before[LOOP_MAX_BLOCKS], behind[LOOP_MAX_BLOCKS];
  memset(before, 0, sizeof before);
  if (l->header != l->split) mark(l, l->header, in, BEFORE, before);
  before[l->header] = 1;
  mark(l, l->split, in, BEHIND, behind);
  if (!before[l->split]) return 0;
  unsigned char inner[LOOP_MAX_BLOCKS];
  memcpy(inner, before, sizeof inner);
  inner[l->split] = 0;
  if (has_cycle(l, inner) || has_cycle(l, behind)) return 0;
  for (unsigned b = 0; b < l->n; b++) {
    if (before[b] && behind[b]) return 0;
    if (in[b] && !before[b] && !behind[b]) return 0;
    l->part[b] = before[b] ? BEFORE : behind[b] ? BEHIND : OUTSIDE;
    for (unsigned k = 0; before[b] && b != l->split && k < l->n_next[b]; k++)
      if (l->next[b][k] == l->header) return 0; /* a round without the shuffle */
  }
  return 1;
}

static int has_attribute(LLVMValueRef f, const char *name, uint64_t value) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAttributeRef a = kind ? LLVMGetEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind) : NULL;
  return a && LLVMGetEnumAttributeValue(a) == value;
}

/* Touches no memory, or what the engine knows of: steps, marks, checks of arithmetic. */
static int is_harmless_call(LLVMValueRef inst) {
  static const char *const names[] = {"simt_step", "simt_pass", "simt_check_signed", "simt_thread_idx_", "simt_block_idx_",
                                      "simt_hot_", "simt_lane_id", "llvm.dbg."};
  size_t len;
  const char *name = ins_callee_name(inst, &len);
  LLVMValueRef f = LLVMGetCalledValue(inst);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (ins_starts_with(name, len, names[i])) return 1;
  return LLVMIsAFunction(f) && (has_attribute(f, "readnone", 0) || has_attribute(f, "memory", 0));
}

static int is_counter(LLVMValueRef p) {
  while (LLVMIsAConstantExpr(p)) p = LLVMGetOperand(p, 0);
  size_t len = 0;
  const char *name = LLVMIsAGlobalVariable(p) ? LLVMGetValueName2(p, &len) : "";
  return ins_starts_with(name, len, "simt.counters");
}

static int is_harmless(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMCall: return is_harmless_call(i);
  case LLVMLoad: return is_counter(LLVMGetOperand(i, 0));
  case LLVMStore: return is_counter(LLVMGetOperand(i, 1));
  case LLVMBr: case LLVMPHI: case LLVMSelect: case LLVMFreeze: case LLVMICmp: case LLVMFCmp:
  case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMUDiv: case LLVMSDiv: case LLVMURem: case LLVMSRem:
  case LLVMShl: case LLVMLShr: case LLVMAShr: case LLVMAnd: case LLVMOr: case LLVMXor:
  case LLVMFAdd: case LLVMFSub: case LLVMFMul: case LLVMFDiv: case LLVMFNeg:
  case LLVMTrunc: case LLVMZExt: case LLVMSExt: case LLVMFPToUI: case LLVMFPToSI: case LLVMUIToFP: case LLVMSIToFP:
  case LLVMFPTrunc: case LLVMFPExt: case LLVMBitCast: case LLVMExtractValue: case LLVMInsertValue: return 1;
  default: return 0;
  }
}

static int all_harmless(const Loop *l) {
  for (unsigned b = 0; b < l->n; b++)
    for (LLVMValueRef i = l->part[b] ? LLVMGetFirstInstruction(l->block[b]) : NULL; i; i = LLVMGetNextInstruction(i))
      if (i != l->call && !is_harmless(i)) return 0;
  return 1;
}

int ins_loop_find(Loop *l, LLVMValueRef shuffle) {
  unsigned char in[LOOP_MAX_BLOCKS];
  l->call = shuffle;
  l->fn = LLVMGetBasicBlockParent(LLVMGetInstructionParent(shuffle));
  if (!read_blocks(l)) return 0;
  l->split = ins_loop_index(l, LLVMGetInstructionParent(shuffle));
  return innermost(l, in) && divide(l, in) && all_harmless(l);
}
