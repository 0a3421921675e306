/* instrument_round.c - the function that is one round of a loop around a shuffle (instrument_rounds.c says what it does): a copy of the loop's
 * blocks, with the part behind the shuffle first. */
#include "instrument_rounds.h"

static void make_type(Rounds *r) {
  Ins *in = r->in;
  LLVMTypeRef t[FIRST_VALUE + MAX_VALUES] = {in->ptr, in->i32, in->i32};
  for (unsigned i = 0; i < r->n_values; i++) t[FIRST_VALUE + i] = LLVMTypeOf(r->value[i]);
  r->type = LLVMStructTypeInContext(in->ctx, t, FIRST_VALUE + r->n_values, 0);
}

static LLVMBasicBlockRef add_block(Rounds *r) { return LLVMAppendBasicBlockInContext(r->in->ctx, r->round, ""); }

static LLVMValueRef frame_in_round(Rounds *r) {
  return LLVMBuildPointerCast(r->in->b, LLVMGetParam(r->round, 0), LLVMPointerType(r->type, 0), "");
}

static void make_function(Rounds *r) {
  Ins *in = r->in;
  LLVMTypeRef param[2] = {in->ptr, in->i64}, result[2] = {in->i64, in->i64}; /* as C returns SimtAtShuffle */
  LLVMAttributeRef a[64];
  r->round = LLVMAddFunction(in->mod, "simt.round", LLVMFunctionType(LLVMStructTypeInContext(in->ctx, result, 2, 0), param, 2, 0));
  LLVMSetLinkage(r->round, LLVMInternalLinkage);
  unsigned n = LLVMGetAttributeCountAtIndex(r->l->fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex);
  if (n <= 64) LLVMGetAttributesAtIndex(r->l->fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, a);
  for (unsigned i = 0; n <= 64 && i < n; i++) LLVMAddAttributeAtIndex(r->round, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, a[i]);
  r->begin = add_block(r);
  for (unsigned b = 0; b < r->l->n; b++) r->copy_of[b] = r->l->part[b] ? add_block(r) : NULL;
  for (unsigned k = 0; k < r->n_exits; k++) {
    r->way_out[k] = add_block(r);
    LLVMPositionBuilderAtEnd(in->b, r->way_out[k]);
    LLVMValueRef left[2] = {LLVMConstNull(in->i64), LLVMConstInt(in->i64, k + 1, 0)};
    LLVMBuildAggregateRet(in->b, left, 2);
  }
  LLVMPositionBuilderAtEnd(in->b, r->begin);
  for (unsigned i = 0; i < r->n_values; i++)
    r->loaded[i] = LLVMBuildLoad2(in->b, LLVMTypeOf(r->value[i]), ins_rounds_field(r, frame_in_round(r), FIRST_VALUE + i), "");
}

/* What an operand needed in this part of the loop is in the function. */
static LLVMValueRef in_round(const Rounds *r, LLVMValueRef v, Part part) {
  if (v == r->l->call) return LLVMGetParam(r->round, 1);
  if (!LLVMIsAArgument(v) && !LLVMIsAInstruction(v)) return v;
  unsigned at = ins_rounds_place(r, v);
  if (at >= r->n_inner && at < r->n_values) return r->loaded[at];
  if (part == BEHIND && ins_rounds_part(r->l, v) == BEFORE) return r->loaded[at];
  for (unsigned i = 0; i < r->n_copies; i++)
    if (r->copy[i].from == v) return r->copy[i].to;
  return v;
}

static void keep(Rounds *r, LLVMValueRef original, LLVMValueRef v) {
  unsigned at = ins_rounds_place(r, original);
  if (at < r->n_inner) LLVMBuildStore(r->in->b, v, ins_rounds_field(r, frame_in_round(r), FIRST_VALUE + at));
}

static void note_copy(Rounds *r, LLVMValueRef from, LLVMValueRef to, Part part) {
  LLVMInstructionSetDebugLoc(to, NULL);
  r->copy[r->n_copies++] = (Copy){from, to, part};
}

static void copy_block(Rounds *r, unsigned b) {
  LLVMBuilderRef at = r->in->b;
  LLVMPositionBuilderAtEnd(at, r->copy_of[b]);
  LLVMValueRef i = LLVMGetFirstInstruction(r->l->block[b]);
  for (; LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) note_copy(r, i, LLVMBuildPhi(at, LLVMTypeOf(i), ""), (Part)r->l->part[b]);
  for (unsigned k = 0, n = r->n_copies; k < n; k++)
    if (LLVMGetInstructionParent(r->copy[k].from) == r->l->block[b]) keep(r, r->copy[k].from, r->copy[k].to);
  for (; i; i = LLVMGetNextInstruction(i)) {
    if (i == r->l->call) {
      LLVMPositionBuilderAtEnd(at, r->begin);
      keep(r, i, LLVMGetParam(r->round, 1));
      continue;
    }
    if (ins_rounds_is_debug(i)) continue;
    LLVMValueRef c = LLVMInstructionClone(i);
    LLVMInsertIntoBuilder(at, c);
    note_copy(r, i, c, ins_rounds_part(r->l, i));
    keep(r, i, c);
  }
}

static LLVMBasicBlockRef target(const Rounds *r, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  unsigned b = ins_loop_index(r->l, to), f = ins_loop_index(r->l, from);
  if (r->l->part[b]) return r->copy_of[b];
  for (unsigned k = 0; k < r->n_exits; k++)
    if (r->exit_from[k] == f && r->exit_to[k] == to) return r->way_out[k];
  return NULL;
}

static void connect_phi(Rounds *r, const Copy *c) {
  for (unsigned k = 0; k < LLVMCountIncoming(c->from); k++) {
    LLVMBasicBlockRef bb = LLVMGetIncomingBlock(c->from, k);
    unsigned b = ins_loop_index(r->l, bb);
    if (!r->l->part[b]) continue; /* the way in */
    LLVMBasicBlockRef from = b == r->l->split ? r->begin : r->copy_of[b];
    LLVMValueRef v = in_round(r, LLVMGetIncomingValue(c->from, k), ins_rounds_end(r->l, bb));
    LLVMAddIncoming(c->to, &v, &from, 1);
  }
}

static void connect(Rounds *r, const Copy *c) {
  if (LLVMIsAPHINode(c->from)) {
    connect_phi(r, c);
    return;
  }
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(c->from); i++) {
    LLVMValueRef v = LLVMGetOperand(c->from, i);
    if (!LLVMValueIsBasicBlock(v)) LLVMSetOperand(c->to, i, in_round(r, v, c->part));
  }
  if (!LLVMIsATerminatorInst(c->from)) return;
  for (unsigned k = 0; k < LLVMGetNumSuccessors(c->from); k++)
    LLVMSetSuccessor(c->to, k, target(r, LLVMGetInstructionParent(c->from), LLVMGetSuccessor(c->from, k)));
}

/* The shuffle that a round ends at. */
static void end_at_shuffle(Rounds *r) {
  LLVMBuilderRef b = r->in->b;
  LLVMTypeRef i64 = r->in->i64;
  LLVMPositionBuilderAtEnd(b, r->copy_of[r->l->split]);
  LLVMValueRef arg = LLVMBuildZExt(b, in_round(r, LLVMGetOperand(r->l->call, 2), BEFORE), i64, "");
  LLVMValueRef at[2] = {in_round(r, LLVMGetOperand(r->l->call, 1), BEFORE), LLVMBuildShl(b, arg, LLVMConstInt(i64, 32, 0), "")};
  LLVMBuildAggregateRet(b, at, 2);
}

void ins_round_build(Rounds *r) {
  make_type(r);
  LLVMSetCurrentDebugLocation2(r->in->b, NULL);
  make_function(r);
  for (unsigned b = 0; b < r->l->n; b++)
    if (r->l->part[b]) copy_block(r, b);
  for (unsigned i = 0; i < r->n_copies; i++) connect(r, &r->copy[i]);
  end_at_shuffle(r);
}
