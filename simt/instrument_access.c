/* instrument_access.c - a call in front of every memory access of user code; the access goes through its result.
 *
 * This runs on what the front end made, inlined and with scalar locals in registers, before any optimisation: every
 * access of the source is there once, at full width, with its own line. */
#include "instrument.h"
#include <stdio.h>
#include <string.h>

/* Is the address certainly in this function's own frame or in constant data? */
static int is_private(LLVMValueRef p, int depth) {
  for (;;) {
    if (LLVMIsAAllocaInst(p)) return 1;
    if (LLVMIsAGlobalVariable(p)) return LLVMIsGlobalConstant(p);
    if (LLVMIsAGetElementPtrInst(p) || LLVMIsABitCastInst(p)) p = LLVMGetOperand(p, 0);
    else if (LLVMIsAConstantExpr(p) && LLVMGetNumOperands(p) > 0) p = LLVMGetOperand(p, 0);
    else break;
  }
  if (LLVMIsAPHINode(p) && depth < 4) {
    for (unsigned i = 0; i < LLVMCountIncoming(p); i++)
      if (!is_private(LLVMGetIncomingValue(p, i), depth + 1)) return 0;
    return 1;
  }
  if (LLVMIsASelectInst(p) && depth < 4)
    return is_private(LLVMGetOperand(p, 1), depth + 1) && is_private(LLVMGetOperand(p, 2), depth + 1);
  return 0;
}

static unsigned log2_of(uint64_t v) {
  unsigned n = 0;
  while (n < 12 && (2ull << n) <= v) n++;
  return n;
}

static LLVMValueRef call_access(Ins *in, const char *kind, uint64_t bytes, LLVMValueRef *args, unsigned n) {
  char name[32];
  snprintf(name, sizeof name, "simt_%s_%u", kind, (unsigned)bytes);
  return ins_call(in, name, in->ptr, args, n);
}

/* Plain accesses of a scalar at its own alignment have short ways of their own. */
static int is_plain(uint64_t bytes, uint64_t align, LLVMValueRef inst) {
  return (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) && align == bytes && !LLVMGetVolatile(inst);
}

/* The access goes through p. It may be misaligned by now, which has been reported: x86 must not fault on it. */
static void set_pointer(Ins *in, LLVMValueRef inst, unsigned operand, LLVMValueRef p) {
  LLVMOpcode op = LLVMGetInstructionOpcode(inst);
  if ((op == LLVMLoad || op == LLVMStore) && LLVMGetOrdering(inst) == LLVMAtomicOrderingNotAtomic) LLVMSetAlignment(inst, 1);
  if (op == LLVMCall) LLVMRemoveCallSiteEnumAttribute(inst, operand + 1, LLVMGetEnumAttributeKindForName("align", 5));
  LLVMSetOperand(inst, operand, LLVMBuildPointerCast(in->b, p, LLVMTypeOf(LLVMGetOperand(inst, operand)), ""));
}

/* In the thread's own frame or arguments: what is read there twice is most likely the same. */
static int is_own(LLVMValueRef p) {
  while (LLVMIsAGetElementPtrInst(p) || LLVMIsABitCastInst(p)) p = LLVMGetOperand(p, 0);
  return LLVMIsAArgument(p) || is_private(p, 0);
}

/* Same value, as far as can be seen: the same expression over the same operands. */
int ins_same_value(LLVMValueRef a, LLVMValueRef b, int depth) {
  while (LLVMIsABitCastInst(a)) a = LLVMGetOperand(a, 0);
  while (LLVMIsABitCastInst(b)) b = LLVMGetOperand(b, 0);
  if (a == b) return 1;
  if (depth > 6 || !LLVMIsAInstruction(a) || !LLVMIsAInstruction(b)) return 0;
  LLVMOpcode op = LLVMGetInstructionOpcode(a);
  int n = LLVMGetNumOperands(a);
  if (op != LLVMGetInstructionOpcode(b) || n != LLVMGetNumOperands(b) || LLVMTypeOf(a) != LLVMTypeOf(b)) return 0;
  if (op == LLVMCall ? n != 1 : op == LLVMPHI || op == LLVMAlloca) return 0; /* calls: threadIdx.x */
  if (op == LLVMLoad && (LLVMGetVolatile(a) || LLVMGetVolatile(b) || !is_own(LLVMGetOperand(a, 0)))) return 0;
  for (int i = 0; i < n; i++)
    if (!ins_same_value(LLVMGetOperand(a, i), LLVMGetOperand(b, i), depth + 1)) return 0;
  return 1;
}

/* Read by the shim through an atomic operation on `p`. */
static int comes_from_atomic(LLVMValueRef v, LLVMValueRef p) {
  while (LLVMIsABitCastInst(v)) v = LLVMGetOperand(v, 0);
  if (!LLVMIsALoadInst(v)) return 0;
  LLVMValueRef q = LLVMGetOperand(v, 0);
  while (LLVMIsABitCastInst(q)) q = LLVMGetOperand(q, 0);
  return ins_calls(q, "simt_op_atomic") && ins_same_value(LLVMGetOperand(q, 0), p, 0);
}

/* A first guess for a loop around atomicCAS(): `old = *p; do assumed = old, old = atomicCAS(p, assumed, f(assumed)); while
 * (assumed != old)`, as in the CUDA C++ Programming Guide, Atomic Functions. A stale value does no harm: taken as strong. */
static int is_first_guess(LLVMValueRef v, LLVMValueRef p, int depth) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsAICmpInst(user) && (comes_from_atomic(LLVMGetOperand(user, 0), p) || comes_from_atomic(LLVMGetOperand(user, 1), p))) return 1;
    if (depth < 3 && (LLVMIsABitCastInst(user) || LLVMIsAPHINode(user)) && is_first_guess(user, p, depth + 1)) return 1;
  }
  return 0;
}

/* Operand `operand` of inst points to private memory: only the extent of a local array matters, and where in it the access lies. */
static void on_private(Ins *in, LLVMValueRef inst, unsigned operand, LLVMValueRef bytes, uint64_t align, int writes) {
  LLVMValueRef p = LLVMGetOperand(inst, operand), q = ins_local(in, inst, p, bytes, writes);
  int may_be_off = ins_align_local(in, inst, p, q ? q : p, align, writes);
  if (q || may_be_off) set_pointer(in, inst, operand, q ? q : p);
}

/* How far a load or store through p must be aligned. */
static uint64_t scalar_align(Ins *in, LLVMValueRef inst, LLVMValueRef p, LLVMTypeRef t, uint64_t bytes) {
  uint64_t told = LLVMGetAlignment(inst), wanted = ins_alignment(in, inst, p, t, bytes);
  return wanted > told ? wanted : told;
}

static void on_load(Ins *in, LLVMValueRef inst) {
  LLVMValueRef p = LLVMGetOperand(inst, 0);
  uint64_t bytes = LLVMStoreSizeOfType(in->data, LLVMTypeOf(inst));
  uint64_t align = scalar_align(in, inst, p, LLVMTypeOf(inst), bytes);
  if (ins_is_own_object(p)) {
    ins_unset_load(in, inst);
    on_private(in, inst, 0, LLVMConstInt(in->i64, bytes, 0), align, 0);
    return;
  }
  ins_before(in, inst);
  int guess = is_first_guess(inst, p, 0);
  unsigned use = LLVMGetVolatile(inst) ? ins_use(inst) : guess ? SIMT_SITE_LOOKED_AT : 0;
  LLVMValueRef site = ins_site(in, inst, bytes, log2_of(align) | use, LLVMGetVolatile(inst) || guess);
  LLVMValueRef q;
  if (is_plain(bytes, align, inst) && !guess)
    q = call_access(in, "load", bytes, (LLVMValueRef[]){ins_as_ptr(in, p), site}, 2);
  else
    q = ins_call(in, "simt_load_n", in->ptr,
                 (LLVMValueRef[]){ins_as_ptr(in, p), LLVMConstInt(in->i64, bytes, 0), site}, 3);
  set_pointer(in, inst, 0, q);
}

/* The bits of a value as i64, or NULL when it is none of the scalar types. */
static LLVMValueRef bits_of(Ins *in, LLVMValueRef v) {
  LLVMTypeRef t = LLVMTypeOf(v);
  switch ((int)LLVMGetTypeKind(t)) {
  case LLVMIntegerTypeKind: return LLVMBuildZExtOrBitCast(in->b, v, in->i64, "");
  case LLVMFloatTypeKind: return LLVMBuildZExt(in->b, LLVMBuildBitCast(in->b, v, in->i32, ""), in->i64, "");
  case LLVMDoubleTypeKind: return LLVMBuildBitCast(in->b, v, in->i64, "");
  case LLVMPointerTypeKind: return LLVMBuildPtrToInt(in->b, v, in->i64, "");
  default: return NULL;
  }
}

static void on_store(Ins *in, LLVMValueRef inst) {
  LLVMValueRef v = LLVMGetOperand(inst, 0), p = LLVMGetOperand(inst, 1);
  uint64_t bytes = LLVMStoreSizeOfType(in->data, LLVMTypeOf(v));
  uint64_t align = scalar_align(in, inst, p, LLVMTypeOf(v), bytes);
  if (ins_is_own_object(p)) {
    on_private(in, inst, 1, LLVMConstInt(in->i64, bytes, 0), align, 1);
    return;
  }
  ins_before(in, inst);
  LLVMValueRef site = ins_site(in, inst, bytes, log2_of(align), LLVMGetVolatile(inst));
  LLVMValueRef bits = bytes <= 8 ? bits_of(in, v) : NULL, q, n = LLVMConstInt(in->i64, bytes, 0);
  if (bits && is_plain(bytes, align, inst))
    q = call_access(in, "store", bytes, (LLVMValueRef[]){ins_as_ptr(in, p), bits, site}, 3);
  else if (bits)
    q = ins_call(in, "simt_store_bits", in->ptr, (LLVMValueRef[]){ins_as_ptr(in, p), bits, n, site}, 4);
  else
    q = ins_call(in, "simt_store_n", in->ptr, (LLVMValueRef[]){ins_as_ptr(in, p), LLVMConstNull(in->ptr), n, site}, 4);
  set_pointer(in, inst, 1, q);
}

static uint64_t param_align(Ins *in, LLVMValueRef call, unsigned param, uint64_t bytes) {
  unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
  LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, param + 1, kind);
  uint64_t told = a ? LLVMGetEnumAttributeValue(a) : 1, wanted = ins_alignment(in, call, LLVMGetOperand(call, param), NULL, bytes);
  return wanted > told ? wanted : told;
}

/* memcpy, memmove, memset intrinsics: how aggregates (float4, structs) are copied. */
static void on_memory_intrinsic(Ins *in, LLVMValueRef inst, int copies) {
  LLVMValueRef dst = LLVMGetOperand(inst, 0), src = LLVMGetOperand(inst, 1), len = LLVMGetOperand(inst, 2);
  uint64_t bytes = LLVMIsAConstantInt(len) ? LLVMConstIntGetZExtValue(len) : 1;
  int is_volatile = (int)LLVMConstIntGetZExtValue(LLVMGetOperand(inst, 3));
  ins_before(in, inst);
  LLVMValueRef n = LLVMBuildZExtOrBitCast(in->b, len, in->i64, ""), from = LLVMConstNull(in->ptr);
  uint64_t to_align = param_align(in, inst, 0, bytes);
  if (copies) {
    uint64_t align = param_align(in, inst, 1, bytes);
    from = ins_as_ptr(in, src);
    if (!ins_is_own_object(src)) {
      LLVMValueRef site = ins_site(in, inst, bytes, log2_of(align), is_volatile);
      LLVMValueRef holes = ins_holes(in, inst, bytes);
      from = holes ? ins_call(in, "simt_load_class", in->ptr, (LLVMValueRef[]){from, n, holes, site}, 4)
                   : ins_call(in, "simt_load_n", in->ptr, (LLVMValueRef[]){from, n, site}, 3);
      set_pointer(in, inst, 1, from);
    } else {
      ins_unset_copy(in, inst);
      on_private(in, inst, 1, len, align, 0);
    }
  }
  if (ins_is_own_object(dst)) {
    on_private(in, inst, 0, len, to_align, 1);
    return;
  }
  ins_before(in, inst);
  LLVMValueRef site = ins_site(in, inst, bytes, log2_of(to_align), is_volatile);
  set_pointer(in, inst, 0, ins_call(in, "simt_store_n", in->ptr, (LLVMValueRef[]){ins_as_ptr(in, dst), from, n, site}, 4));
}

/* Compiler builtins for atomics, used directly: announced like the shim's. */
static void on_atomic(Ins *in, LLVMValueRef inst) {
  LLVMValueRef p = LLVMGetOperand(inst, 0);
  if (ins_is_own_object(p)) return;
  uint64_t bytes = LLVMStoreSizeOfType(in->data, LLVMTypeOf(LLVMGetOperand(inst, 1)));
  ins_before(in, inst);
  LLVMValueRef args[5] = {ins_as_ptr(in, p), LLVMConstInt(in->i32, bytes, 0), LLVMConstInt(in->i32, 1, 0),
                          LLVMConstInt(in->i32, 0, 0), ins_site(in, inst, bytes, log2_of(bytes), 0)};
  set_pointer(in, inst, 0, ins_call(in, "simt_op_atomic", in->ptr, args, 5));
}

static void on_call(Ins *in, LLVMValueRef inst) {
  size_t len;
  const char *name = ins_callee_name(inst, &len);
  if (ins_starts_with(name, len, "llvm.memcpy.") || ins_starts_with(name, len, "llvm.memmove."))
    on_memory_intrinsic(in, inst, 1);
  else if (ins_starts_with(name, len, "llvm.memset."))
    on_memory_intrinsic(in, inst, 0);
}

static void on_instruction(Ins *in, LLVMValueRef inst) {
  switch ((int)LLVMGetInstructionOpcode(inst)) {
  case LLVMLoad: on_load(in, inst); break;
  case LLVMStore: on_store(in, inst); break;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg: on_atomic(in, inst); break;
  case LLVMCall: on_call(in, inst); break;
  default: break;
  }
}

void ins_accesses(Ins *in, LLVMValueRef fn) {
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(fn); bb; bb = LLVMGetNextBasicBlock(bb))
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (ins_is_user(in, i)) on_instruction(in, i);
    }
}

/* Engine calls end in a NULL site: the place of the call is filled in. */
void ins_ops(Ins *in, LLVMValueRef fn) {
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(fn); bb; bb = LLVMGetNextBasicBlock(bb))
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i)) {
      if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i)) continue;
      size_t len;
      const char *name = ins_callee_name(i, &len);
      unsigned n = LLVMGetNumArgOperands(i);
      if (!ins_starts_with(name, len, "simt_op_") || !n) continue;
      LLVMValueRef last = LLVMGetOperand(i, n - 1);
      if (!LLVMIsAConstantPointerNull(last)) continue;
      int is_atomic = ins_starts_with(name, len, "simt_op_atomic");
      unsigned poll = is_atomic && ins_is_polling(i) ? SIMT_SITE_POLL : 0;
      uint64_t bytes = is_atomic && LLVMIsAConstantInt(LLVMGetOperand(i, 1)) ? LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1)) : 1;
      LLVMSetOperand(i, n - 1, LLVMConstPointerCast(ins_site(in, i, bytes, poll, 0), LLVMTypeOf(last)));
    }
}
