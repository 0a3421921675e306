/* instrument_unset.c - local variables that nobody has assigned.
 *
 * The front end starts every local with a pattern and notes which stores do that. Here the pattern becomes what the run says: in the
 * first run SIMT_UNSET, bits that data hardly ever has. Where a number of 4 or 8 bytes comes out of an array that began so, or out of a
 * scalar that may still be as it began, they are looked for, and the run is marked, as at a read of shared memory that nobody wrote.
 * Whether it matters is told by further runs, in which locals begin with other bits: data that happens to have these stays what it is. */
#include "instrument.h"
#include <stdlib.h>
#include <string.h>

int ins_is_start(Ins *in, LLVMValueRef inst) {
  static const char text[] = "auto-init";
  if (!LLVMHasMetadata(inst)) return 0;
  LLVMValueRef note = LLVMGetMetadata(inst, LLVMGetMDKindIDInContext(in->ctx, "annotation", 10));
  size_t len;
  const char *s = note ? ins_md_string(in, ins_md_operand(in, LLVMValueAsMetadata(note), 0), &len) : NULL;
  return s && len == sizeof text - 1 && !memcmp(s, text, len);
}

/* Numbers that are looked at: their size; 0: none. */
static unsigned number_bytes(LLVMTypeRef t) {
  switch ((int)LLVMGetTypeKind(t)) {
  case LLVMFloatTypeKind: return 4;
  case LLVMDoubleTypeKind: return 8;
  case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(t) == 32 ? 4 : LLVMGetIntTypeWidth(t) == 64 ? 8 : 0;
  default: return 0;
  }
}

/* What a local begins with, as a number of type t. Becomes simt_hot_begin_4() or 8 when all is seen. */
static LLVMValueRef beginning(Ins *in, LLVMTypeRef t) {
  int is_word = number_bytes(t) == 4;
  return LLVMBuildBitCast(in->b, ins_call(in, is_word ? "simt_begin_4" : "simt_begin_8", is_word ? in->i32 : in->i64, NULL, 0), t, "");
}

static int is_unset(LLVMValueRef v) {
  if (LLVMIsABitCastInst(v)) v = LLVMGetOperand(v, 0);
  return LLVMIsACallInst(v) && ins_calls(v, "simt_begin_");
}

LLVMValueRef ins_variable_at(LLVMValueRef p) {
  while (LLVMIsAGetElementPtrInst(p) || LLVMIsABitCastInst(p)) p = LLVMGetOperand(p, 0);
  return LLVMIsAAllocaInst(p) ? p : NULL;
}

/* ---- before any pass ---- */

/* An integer of another length, in a class: a member, or fields of bits. */
static int is_part(LLVMTypeRef t, LLVMValueRef store) {
  LLVMValueRef v = ins_variable_at(LLVMGetOperand(store, 1));
  return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) < 64 && v &&
         LLVMGetTypeKind(LLVMGetAllocatedType(v)) == LLVMStructTypeKind;
}

static void start_anew(Ins *in, LLVMValueRef inst) {
  size_t len;
  unsigned kind = LLVMGetMDKindIDInContext(in->ctx, "annotation", 10);
  LLVMTypeRef t = LLVMIsAStoreInst(inst) ? LLVMTypeOf(LLVMGetOperand(inst, 0)) : NULL;
  const char *name = LLVMIsACallInst(inst) ? ins_callee_name(inst, &len) : NULL;
  ins_before(in, inst);
  if (t && number_bytes(t)) LLVMSetOperand(inst, 0, beginning(in, t));
  else if (t && is_part(t, inst)) LLVMSetOperand(inst, 0, LLVMBuildTrunc(in->b, beginning(in, in->i64), t, ""));
  if (!name || !(ins_starts_with(name, len, "llvm.memset.") || ins_starts_with(name, len, "llvm.memcpy."))) return;
  LLVMValueRef byte = LLVMBuildTrunc(in->b, beginning(in, in->i32), in->i8, "");
  LLVMValueRef set = LLVMBuildMemSet(in->b, LLVMGetOperand(inst, 0), byte, LLVMGetOperand(inst, 2), 1);
  LLVMSetMetadata(set, kind, LLVMGetMetadata(inst, kind));
  LLVMInstructionEraseFromParent(inst);
}

void ins_unset_starts(Ins *in) {
  for (LLVMValueRef f = LLVMGetFirstFunction(in->mod); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
      for (LLVMValueRef i = LLVMGetFirstInstruction(bb), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (ins_is_start(in, i) && ins_is_user(in, i)) start_anew(in, i);
      }
}

/* ---- uses ---- */

static int is_noted(Ins *in, LLVMValueRef variable) {
  for (size_t i = 0; i < in->n_unset; i++)
    if (in->unset[i] == variable) return 1;
  return 0;
}

static void note_variable(Ins *in, LLVMValueRef start) {
  LLVMValueRef v = ins_variable_at(LLVMGetOperand(start, LLVMIsAStoreInst(start) ? 1 : 0));
  if (!v || is_noted(in, v)) return;
  in->unset = ins_grow(in->unset, in->n_unset, sizeof *in->unset);
  in->unset[in->n_unset++] = v;
}

/* v, or the run's fill in its place, at the builder. *reads: the instruction that looks at v. */
static LLVMValueRef checked(Ins *in, LLVMValueRef v, LLVMValueRef site, LLVMValueRef *reads) {
  int is_word = number_bytes(LLVMTypeOf(v)) == 4;
  LLVMTypeRef t = is_word ? in->i32 : in->i64;
  LLVMValueRef bits = LLVMBuildBitCast(in->b, v, t, ""), args[2] = {bits, site};
  LLVMValueRef call = ins_call(in, is_word ? "simt_local_4" : "simt_local_8", t, args, 2);
  *reads = bits == v ? call : bits;
  return LLVMBuildBitCast(in->b, call, LLVMTypeOf(v), "");
}

void ins_unset_load(Ins *in, LLVMValueRef load) {
  LLVMValueRef from = ins_variable_at(LLVMGetOperand(load, 0));
  if (!from || !number_bytes(LLVMTypeOf(load)) || !is_noted(in, from)) return;
  LLVMValueRef site = ins_site(in, load, 1, 0, 0);
  ins_local_site(in, from, 0, LLVMGetAllocatedType(from), site);
  LLVMPositionBuilderBefore(in->b, LLVMGetNextInstruction(load));
  LLVMSetCurrentDebugLocation2(in->b, LLVMInstructionGetDebugLoc(load));
  LLVMValueRef reads, value = checked(in, load, site, &reads);
  LLVMReplaceAllUsesWith(load, value);
  LLVMSetOperand(reads, 0, load);
}

/* The numbers of a vector like float4, which has no padding: their count; 0: t is none. */
static unsigned vector_length(LLVMTypeRef t) {
  unsigned n = LLVMGetTypeKind(t) == LLVMStructTypeKind ? LLVMCountStructElementTypes(t) : 0;
  for (unsigned i = 0; i < n; i++)
    if (LLVMStructGetTypeAtIndex(t, i) != LLVMStructGetTypeAtIndex(t, 0)) return 0;
  return n > 1 && n <= 4 && number_bytes(LLVMStructGetTypeAtIndex(t, 0)) ? n : 0;
}

void ins_unset_copy(Ins *in, LLVMValueRef copy) {
  LLVMValueRef from = LLVMGetOperand(copy, 1);
  while (LLVMIsABitCastInst(from)) from = LLVMGetOperand(from, 0);
  unsigned n = LLVMIsAAllocaInst(from) && is_noted(in, from) ? vector_length(LLVMGetAllocatedType(from)) : 0;
  LLVMTypeRef t = n ? LLVMGetAllocatedType(from) : NULL;
  if (!n) return;
  ins_before(in, copy);
  LLVMValueRef reads, site = ins_site(in, copy, 1, 0, 0);
  ins_local_site(in, from, 0, LLVMGetAllocatedType(from), site);
  for (unsigned i = 0; i < n; i++) {
    LLVMValueRef at = LLVMBuildStructGEP2(in->b, t, from, i, "");
    LLVMValueRef v = LLVMBuildLoad2(in->b, LLVMStructGetTypeAtIndex(t, i), at, "");
    LLVMBuildStore(in->b, checked(in, v, site, &reads), at);
  }
}

/* ---- scalars in registers ---- */

typedef struct Values {
  LLVMValueRef *v;
  size_t n;
} Values;

static void add_value(Values *all, LLVMValueRef v) {
  for (size_t i = 0; i < all->n; i++)
    if (all->v[i] == v) return;
  all->v = ins_grow(all->v, all->n, sizeof *all->v);
  all->v[all->n++] = v;
}

static void check_use(Ins *in, LLVMValueRef v, LLVMValueRef user) {
  LLVMValueRef reads, site = ins_site(in, user, 1, 0, 0);
  ins_before(in, user);
  LLVMValueRef value = checked(in, v, site, &reads);
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(user); k++)
    if (LLVMGetOperand(user, k) == v) LLVMSetOperand(user, k, value);
}

/* Users of v, which may be what a scalar began with: phis may be so too, and are noted; others get a check. What a variable in memory begins
 * with is no use. */
static void follow(Ins *in, LLVMValueRef v, Values *may_be) {
  Values users = {0};
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) add_value(&users, LLVMGetUser(u));
  for (size_t i = 0; i < users.n; i++) {
    LLVMValueRef user = users.v[i];
    if (LLVMIsAPHINode(user)) add_value(may_be, user);
    else if (!ins_is_start(in, user) && !is_unset(user) && !LLVMIsATruncInst(user) && !LLVMIsADbgInfoIntrinsic(user)) check_use(in, v, user);
  }
  free(users.v);
}

/* Those of classes and unions that can be followed bit by bit: no longer noted. */
static void follow_classes(Ins *in, LLVMValueRef fn, size_t first) {
  InsBits all = {0};
  size_t n = first;
  ins_bits_begin(in, &all, in->unset + first, in->n_unset - first);
  for (size_t i = first; i < in->n_unset; i++)
    if (!ins_bits_has(&all, in->unset[i])) in->unset[n++] = in->unset[i];
  in->n_unset = n;
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(fn); bb; bb = LLVMGetNextBasicBlock(bb))
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i))
      if (ins_is_start(in, i)) ins_bits_start(in, &all, i);
  ins_bits_end(in, &all);
}

void ins_unset(Ins *in, LLVMValueRef fn) {
  Values may_be = {0};
  const size_t first = in->n_unset;
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(fn); bb; bb = LLVMGetNextBasicBlock(bb))
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i)) {
      if (ins_is_start(in, i)) note_variable(in, i);
      if (is_unset(i)) add_value(&may_be, i);
    }
  if (in->n_unset > first) follow_classes(in, fn, first);
  for (size_t i = 0; i < may_be.n; i++) follow(in, may_be.v[i], &may_be);
  free(may_be.v);
}
