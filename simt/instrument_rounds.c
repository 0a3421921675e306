/* instrument_rounds.c - loops around one shuffle, which most reductions over a warp are: the code from one shuffle to the next, a
 * round, becomes a function as well, by which the engine takes lanes that wait to their next shuffle without switching to
 * them (SimtRounds in abi.h).
 *
 *     header: ... before ...; shuffle; ... behind ...; to header          a loop, with any ways out
 *
 * The function is the code behind the shuffle and then, from the header, the code before it. What it has to know lies in a frame
 * on the lane's stack: values from outside the loop; those that the code before the shuffle leaves to the code behind it; those that
 * the loop leaves to what follows. The loop itself stays as it is and keeps its values there too, so that at every shuffle a
 * lane can go on in either. When the function has left the loop on a lane's behalf, `left` says by which way, and the lane follows. */
#include "instrument_rounds.h"
#include <stdlib.h>
#include <string.h>

/* ---- what there is ---- */

static int is_after(LLVMValueRef first, LLVMValueRef inst) {
  for (LLVMValueRef i = LLVMGetNextInstruction(first); i; i = LLVMGetNextInstruction(i))
    if (i == inst) return 1;
  return 0;
}

/* The result of the shuffle is there behind it. */
Part ins_rounds_part(const Loop *l, LLVMValueRef inst) {
  unsigned b = ins_loop_index(l, LLVMGetInstructionParent(inst));
  if (b == l->n) return OUTSIDE;
  if (b == l->split && (inst == l->call || is_after(l->call, inst))) return BEHIND;
  return (Part)l->part[b];
}

Part ins_rounds_end(const Loop *l, LLVMBasicBlockRef bb) { /* of the block */
  unsigned b = ins_loop_index(l, bb);
  return b == l->n ? OUTSIDE : b == l->split ? BEHIND : (Part)l->part[b];
}

/* Where operand i of a user is needed. */
static Part use_part(const Loop *l, LLVMValueRef user, unsigned i) {
  if (user == l->call) return BEFORE;
  return LLVMIsAPHINode(user) ? ins_rounds_end(l, LLVMGetIncomingBlock(user, i)) : ins_rounds_part(l, user);
}

unsigned ins_rounds_place(const Rounds *r, LLVMValueRef v) {
  unsigned i = 0;
  while (i < r->n_values && r->value[i] != v) i++;
  return i;
}

static int add_value(Rounds *r, LLVMValueRef v) {
  if (ins_rounds_place(r, v) < r->n_values) return 1;
  if (r->n_values == MAX_VALUES) return 0;
  r->value[r->n_values++] = v;
  return 1;
}

/* Is an inner value needed where it is not at hand: outside the loop, or behind the shuffle in place of before? */
static int is_handed_on(const Loop *l, LLVMValueRef v) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (ins_rounds_part(l, user) == OUTSIDE) return 1;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(user); i++)
      if (LLVMGetOperand(user, i) == v && use_part(l, user, i) == BEHIND && ins_rounds_part(l, v) == BEFORE) return 1;
  }
  return 0;
}

int ins_rounds_is_debug(LLVMValueRef inst) {
  return ins_calls(inst, "llvm.dbg.");
}

static int add_outer(Rounds *r, LLVMValueRef user) {
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(user) && !ins_rounds_is_debug(user); i++) {
    LLVMValueRef v = LLVMGetOperand(user, i);
    int is_outer = LLVMIsAArgument(v) || (LLVMIsAInstruction(v) && ins_rounds_part(r->l, v) == OUTSIDE);
    if (is_outer && use_part(r->l, user, i) != OUTSIDE && !add_value(r, v)) return 0;
  }
  return 1;
}

typedef int (*OnInstruction)(Rounds *r, LLVMValueRef inst);

static int add_inner(Rounds *r, LLVMValueRef inst) { return !is_handed_on(r->l, inst) || add_value(r, inst); }

static int each_in_loop(Rounds *r, OnInstruction on) {
  for (unsigned b = 0; b < r->l->n; b++)
    for (LLVMValueRef i = r->l->part[b] ? LLVMGetFirstInstruction(r->l->block[b]) : NULL; i; i = LLVMGetNextInstruction(i))
      if (!on(r, i)) return 0;
  return 1;
}

static int collect_exits(Rounds *r) {
  const Loop *l = r->l;
  for (unsigned b = 0; b < l->n; b++)
    for (unsigned k = 0; l->part[b] && k < l->n_next[b]; k++) {
      if (l->part[l->next[b][k]]) continue;
      if (r->n_exits == MAX_EXITS) return 0;
      r->exit_from[r->n_exits] = b;
      r->exit_to[r->n_exits++] = l->block[l->next[b][k]];
    }
  return 1;
}

static int count_copy(Rounds *r, LLVMValueRef inst) {
  (void)inst;
  return ++r->n_copies < MAX_COPIES;
}

/* The same in every round. */
static int is_fixed(const Loop *l, LLVMValueRef v) { return !LLVMIsAInstruction(v) || ins_rounds_part(l, v) == OUTSIDE; }

static int survey(Rounds *r) {
  if (!is_fixed(r->l, LLVMGetOperand(r->l->call, 0))) return 0; /* the mask */
  if (!each_in_loop(r, count_copy) || !each_in_loop(r, add_inner)) return 0;
  r->n_copies = 0;
  r->n_inner = r->n_values;
  return each_in_loop(r, add_outer) && collect_exits(r);
}

LLVMValueRef ins_rounds_field(Rounds *r, LLVMValueRef frame, unsigned i) { return LLVMBuildStructGEP2(r->in->b, r->type, frame, i, ""); }

/* ---- the loop ---- */

/* A phi with another block for `from`. */
static void rename_incoming(Rounds *r, LLVMValueRef phi, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  Ins *in = r->in;
  unsigned n = LLVMCountIncoming(phi), at = ins_rounds_place(r, phi);
  ins_before(in, phi);
  LLVMValueRef copy = LLVMBuildPhi(in->b, LLVMTypeOf(phi), "");
  for (unsigned k = 0; k < n; k++) {
    LLVMValueRef v = LLVMGetIncomingValue(phi, k);
    LLVMBasicBlockRef bb = LLVMGetIncomingBlock(phi, k);
    if (bb == from) bb = to;
    LLVMAddIncoming(copy, &v, &bb, 1);
  }
  LLVMReplaceAllUsesWith(phi, copy);
  LLVMInstructionEraseFromParent(phi);
  if (at < r->n_values) r->value[at] = copy;
}

/* What follows the shuffle moves to a block of its own, which from now on counts as one of the loop's. */
static void split_block(Rounds *r) {
  Loop *l = r->l;
  LLVMBasicBlockRef from = l->block[l->split];
  r->rest = LLVMAppendBasicBlockInContext(r->in->ctx, l->fn, "");
  LLVMPositionBuilderAtEnd(r->in->b, r->rest);
  LLVMSetCurrentDebugLocation2(r->in->b, NULL);
  for (LLVMValueRef i = LLVMGetNextInstruction(l->call), next; i; i = next) {
    next = LLVMGetNextInstruction(i);
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilder(r->in->b, i);
  }
  LLVMValueRef t = LLVMGetBasicBlockTerminator(r->rest);
  for (unsigned k = 0; k < LLVMGetNumSuccessors(t); k++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetSuccessor(t, k)), next; LLVMIsAPHINode(i); i = next) {
      next = LLVMGetNextInstruction(i);
      rename_incoming(r, i, from, r->rest);
    }
  l->block[l->n] = r->rest;
  l->part[l->n++] = BEHIND;
}

static LLVMValueRef load_value(Rounds *r, unsigned at) {
  return LLVMBuildLoad2(r->in->b, LLVMTypeOf(r->value[at]), ins_rounds_field(r, r->frame, FIRST_VALUE + at), "");
}

static void make_final(Rounds *r, unsigned at) {
  LLVMPositionBuilderBefore(r->in->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(r->l->fn)));
  LLVMSetCurrentDebugLocation2(r->in->b, NULL);
  r->final[at] = LLVMBuildAlloca(r->in->b, LLVMTypeOf(r->value[at]), "");
}

static void find_finals(Rounds *r) {
  for (unsigned at = 0; at < r->n_inner; at++)
    for (LLVMUseRef u = LLVMGetFirstUse(r->value[at]); u && !r->final[at]; u = LLVMGetNextUse(u))
      if (ins_rounds_part(r->l, LLVMGetUser(u)) == OUTSIDE) make_final(r, at);
}

/* The ways out that a round may have taken. */
static void branch_out(Rounds *r) {
  Ins *in = r->in;
  const Loop *l = r->l;
  LLVMPositionBuilderAtEnd(in->b, l->block[l->split]);
  LLVMSetCurrentDebugLocation2(in->b, LLVMInstructionGetDebugLoc(l->call));
  LLVMValueRef left = LLVMBuildLoad2(in->b, in->i32, ins_rounds_field(r, r->frame, LEFT), "");
  LLVMValueRef jump = LLVMBuildSwitch(in->b, left, r->rest, r->n_exits);
  for (unsigned k = 0; k < r->n_exits; k++) {
    LLVMBasicBlockRef way = LLVMAppendBasicBlockInContext(in->ctx, l->fn, ""), to = r->exit_to[k];
    LLVMBasicBlockRef from = r->exit_from[k] == l->split ? r->rest : l->block[r->exit_from[k]];
    LLVMAddCase(jump, LLVMConstInt(in->i32, k + 1, 0), way);
    LLVMPositionBuilderAtEnd(in->b, way);
    LLVMValueRef end = LLVMBuildBr(in->b, to);
    LLVMPositionBuilderBefore(in->b, end);
    for (unsigned at = 0; at < r->n_inner; at++)
      if (r->final[at]) LLVMBuildStore(in->b, load_value(r, at), r->final[at]);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(to); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
      unsigned i = 0;
      while (LLVMGetIncomingBlock(phi, i) != from) i++;
      LLVMValueRef v = LLVMGetIncomingValue(phi, i);
      unsigned at = ins_rounds_place(r, v);
      LLVMPositionBuilderBefore(in->b, end);
      if (at < r->n_inner) v = load_value(r, at);
      LLVMAddIncoming(phi, &v, &way, 1);
    }
  }
}

/* One use of an inner value: from the frame, where a round may have changed it since. */
static void redirect(Rounds *r, LLVMValueRef user, unsigned i, unsigned at) {
  Ins *in = r->in;
  LLVMValueRef v = r->value[at];
  Part part = use_part(r->l, user, i);
  if (part == OUTSIDE) {
    if (LLVMIsAPHINode(user)) ins_before(in, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, i)));
    else ins_before(in, user);
    LLVMSetOperand(user, i, LLVMBuildLoad2(in->b, LLVMTypeOf(v), r->final[at], ""));
  } else if (part == BEHIND && ins_rounds_part(r->l, v) == BEFORE) {
    if (!r->again[at]) {
      LLVMPositionBuilderBefore(in->b, LLVMGetFirstInstruction(r->rest));
      r->again[at] = load_value(r, at);
    }
    LLVMSetOperand(user, i, r->again[at]);
  }
}

static void redirect_uses(Rounds *r, unsigned at) {
  LLVMValueRef *user = NULL, v = r->value[at];
  size_t n = 0;
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    user = ins_grow(user, n, sizeof *user);
    user[n++] = LLVMGetUser(u);
  }
  for (size_t k = 0; k < n; k++)
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(user[k]); i++)
      if (LLVMGetOperand(user[k], i) == v) redirect(r, user[k], i, at);
  free(user);
}

static void keep_in_loop(Rounds *r, unsigned at) {
  LLVMValueRef v = r->value[at], next = v == r->l->call ? LLVMGetFirstInstruction(r->rest) : LLVMGetNextInstruction(v);
  while (LLVMIsAPHINode(next)) next = LLVMGetNextInstruction(next);
  LLVMPositionBuilderBefore(r->in->b, next);
  LLVMSetCurrentDebugLocation2(r->in->b, LLVMInstructionGetDebugLoc(next));
  LLVMBuildStore(r->in->b, v, ins_rounds_field(r, r->frame, FIRST_VALUE + at));
  if (r->final[at]) LLVMBuildStore(r->in->b, v, r->final[at]);
}

/* A lane goes on behind the shuffle, where rounds may have taken it past the values that it had computed in front of it. */
static void renew_final(Rounds *r, unsigned at) {
  if (!r->final[at] || ins_rounds_part(r->l, r->value[at]) != BEFORE) return;
  LLVMPositionBuilderBefore(r->in->b, LLVMGetFirstInstruction(r->rest));
  LLVMSetCurrentDebugLocation2(r->in->b, NULL);
  LLVMBuildStore(r->in->b, load_value(r, at), r->final[at]);
}

static void make_frame(Rounds *r) {
  LLVMPositionBuilderBefore(r->in->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(r->l->fn)));
  LLVMSetCurrentDebugLocation2(r->in->b, NULL);
  r->frame = LLVMBuildAlloca(r->in->b, r->type, "simt.rounds");
}

static void replace_call(Rounds *r, unsigned mode) {
  Ins *in = r->in;
  LLVMValueRef call = r->l->call, args[5];
  unsigned at = ins_rounds_place(r, call);
  ins_before(in, call);
  LLVMBuildStore(in->b, LLVMConstPointerCast(r->round, in->ptr), ins_rounds_field(r, r->frame, ROUND));
  LLVMBuildStore(in->b, LLVMConstInt(in->i32, mode, 0), ins_rounds_field(r, r->frame, MODE));
  for (unsigned i = r->n_inner; i < r->n_values; i++) LLVMBuildStore(in->b, r->value[i], ins_rounds_field(r, r->frame, FIRST_VALUE + i));
  for (unsigned i = 0; i < 4; i++) args[i] = LLVMGetOperand(call, i);
  args[4] = ins_as_ptr(in, r->frame);
  r->l->call = ins_call(in, "simt_shfl_rounds", in->i64, args, 5);
  LLVMReplaceAllUsesWith(call, r->l->call);
  LLVMInstructionEraseFromParent(call);
  if (at < r->n_values) r->value[at] = r->l->call;
}

static void rewrite_loop(Rounds *r, unsigned mode) {
  make_frame(r);
  replace_call(r, mode);
  split_block(r);
  find_finals(r);
  branch_out(r);
  for (unsigned i = 0; i < r->n_inner; i++) redirect_uses(r, i);
  for (unsigned i = 0; i < r->n_inner; i++) keep_in_loop(r, i);
  for (unsigned i = 0; i < r->n_inner; i++) renew_final(r, i);
}

/* No two of a function's loops run at the same time: one frame serves them all. */
static void share_frame(Rounds *r) {
  LLVMValueRef other = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(r->l->fn)), larger = r->frame;
  for (; other; other = LLVMGetNextInstruction(other))
    if (other != r->frame && LLVMIsAAllocaInst(other) && ins_is_named(other, "simt.rounds")) break;
  if (!other) return;
  if (LLVMABISizeOfType(r->in->data, LLVMGetAllocatedType(other)) > LLVMABISizeOfType(r->in->data, r->type)) larger = other;
  LLVMValueRef smaller = larger == other ? r->frame : other, after = larger;
  while (LLVMIsAAllocaInst(after)) after = LLVMGetNextInstruction(after);
  ins_before(r->in, after);
  LLVMReplaceAllUsesWith(smaller, LLVMBuildPointerCast(r->in->b, larger, LLVMTypeOf(smaller), ""));
  LLVMInstructionEraseFromParent(smaller);
}

static void on_shuffle(Ins *in, LLVMValueRef call, unsigned mode) {
  Rounds *r = calloc(1, sizeof *r);
  Loop *l = calloc(1, sizeof *l);
  if (!r || !l) abort();
  r->in = in;
  r->l = l;
  if (ins_loop_find(l, call) && survey(r)) {
    ins_round_build(r);
    rewrite_loop(r, mode);
    share_frame(r);
  }
  free(r);
  free(l);
}

void ins_rounds(Ins *in) {
  static const char *const name[] = {"simt_shfl_idx", "simt_shfl_up", "simt_shfl_down", "simt_shfl_xor"}; /* by SimtShuffle */
  for (unsigned mode = 0; mode < sizeof name / sizeof name[0]; mode++) {
    LLVMValueRef f = LLVMGetNamedFunction(in->mod, name[mode]), *call = NULL;
    size_t n = 0;
    for (LLVMUseRef u = f ? LLVMGetFirstUse(f) : NULL; u; u = LLVMGetNextUse(u)) {
      if (!LLVMIsACallInst(LLVMGetUser(u)) || LLVMGetCalledValue(LLVMGetUser(u)) != f) continue;
      call = ins_grow(call, n, sizeof *call);
      call[n++] = LLVMGetUser(u);
    }
    for (size_t i = n; i-- > 0;) on_shuffle(in, call[i], mode); /* uses come last first */
    free(call);
  }
}
