/* instrument_util.c - small builders that the passes share. */
#include "instrument.h"
#include <stdlib.h>
#include <string.h>

LLVMValueRef ins_call(Ins *in, const char *name, LLVMTypeRef ret, LLVMValueRef *args, unsigned n) {
  LLVMTypeRef types[8];
  LLVMValueRef f = LLVMGetNamedFunction(in->mod, name), cast[8];
  for (unsigned i = 0; i < n; i++) types[i] = LLVMTypeOf(args[i]);
  if (!f) f = LLVMAddFunction(in->mod, name, LLVMFunctionType(ret, types, n, 0));
  LLVMTypeRef type = LLVMGlobalGetValueType(f); /* one that the source declares may have other pointer types */
  LLVMGetParamTypes(type, types);
  for (unsigned i = 0; i < n; i++)
    cast[i] = LLVMTypeOf(args[i]) == types[i] ? args[i] : LLVMBuildPointerCast(in->b, args[i], types[i], "");
  LLVMValueRef call = LLVMBuildCall2(in->b, type, f, cast, n, "");
  if (LLVMGetTypeKind(ret) != LLVMPointerTypeKind || LLVMTypeOf(call) == ret) return call;
  return LLVMBuildPointerCast(in->b, call, ret, "");
}

LLVMValueRef ins_as_ptr(Ins *in, LLVMValueRef v) { return LLVMBuildPointerCast(in->b, v, in->ptr, ""); }

/* Has a line of its own: what clang merges or adds has none, or line 0; what a local begins with is not what the line does. Jumps count
 * only when `jumps`. */
static int is_located(LLVMValueRef i, int jumps) {
  int is_aside = LLVMIsAPHINode(i) || LLVMIsADbgInfoIntrinsic(i) || ins_calls(i, "simt_begin_");
  LLVMMetadataRef loc = is_aside ? NULL : LLVMInstructionGetDebugLoc(i);
  if (!loc || !LLVMDILocationGetLine(loc)) return 0;
  return jumps || !LLVMIsATerminatorInst(i) || LLVMGetNumSuccessors(i) != 1;
}

/* The first such place in bb, or in what follows it without a choice. */
static LLVMMetadataRef location_ahead(LLVMBasicBlockRef bb, int jumps) {
  for (int hops = 0; hops < 32; hops++) {
    LLVMValueRef i = LLVMGetFirstInstruction(bb), end = LLVMGetBasicBlockTerminator(bb);
    for (; i; i = LLVMGetNextInstruction(i))
      if (is_located(i, jumps)) return LLVMInstructionGetDebugLoc(i);
    if (!end || LLVMGetNumSuccessors(end) != 1) return NULL;
    bb = LLVMGetSuccessor(end, 0);
  }
  return NULL;
}

LLVMMetadataRef ins_location(Ins *in, LLVMBasicBlockRef bb) {
  LLVMMetadataRef loc = location_ahead(bb, 0), sp = LLVMGetSubprogram(LLVMGetBasicBlockParent(bb));
  if (!loc) loc = location_ahead(bb, 1);
  if (loc || !sp) return loc;
  return LLVMDIBuilderCreateDebugLocation(in->ctx, LLVMDISubprogramGetLine(sp), 0, sp, NULL);
}

void ins_before(Ins *in, LLVMValueRef inst) {
  LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(inst);
  LLVMPositionBuilderBefore(in->b, inst);
  LLVMSetCurrentDebugLocation2(in->b, loc ? loc : ins_location(in, LLVMGetInstructionParent(inst)));
}

void ins_mark(Ins *in, const char *name, LLVMMetadataRef loc) {
  LLVMValueRef null = LLVMConstNull(in->ptr);
  LLVMSetCurrentDebugLocation2(in->b, loc);
  LLVMValueRef call = ins_call(in, name, LLVMVoidTypeInContext(in->ctx), &null, 1);
  LLVMSetOperand(call, 0, LLVMConstPointerCast(ins_site(in, call, 1, 0, 0), LLVMTypeOf(LLVMGetOperand(call, 0))));
}

void ins_keep(Ins *in, LLVMValueRef g) {
  static const char name[] = "llvm.compiler.used";
  LLVMValueRef old = LLVMGetNamedGlobal(in->mod, name), init = old ? LLVMGetInitializer(old) : NULL;
  unsigned n = init ? (unsigned)LLVMGetNumOperands(init) : 0;
  LLVMValueRef *v = malloc((n + 1) * sizeof *v);
  if (!v) abort();
  for (unsigned i = 0; i < n; i++) v[i] = LLVMGetOperand(init, i);
  v[n] = LLVMConstPointerCast(g, in->ptr);
  if (old) LLVMDeleteGlobal(old);
  LLVMValueRef list = LLVMAddGlobal(in->mod, LLVMArrayType(in->ptr, n + 1), name);
  LLVMSetInitializer(list, LLVMConstArray(in->ptr, v, n + 1));
  LLVMSetLinkage(list, LLVMAppendingLinkage);
  LLVMSetSection(list, "llvm.metadata");
  free(v);
}

int ins_starts_with(const char *s, size_t len, const char *prefix) {
  size_t n = strlen(prefix);
  return len >= n && !memcmp(s, prefix, n);
}

int ins_is_named(LLVMValueRef v, const char *prefix) {
  size_t len;
  const char *name = LLVMGetValueName2(v, &len);
  return ins_starts_with(name, len, prefix);
}

int ins_calls(LLVMValueRef inst, const char *prefix) {
  size_t len;
  const char *name = LLVMIsACallInst(inst) ? ins_callee_name(inst, &len) : NULL;
  return name && ins_starts_with(name, len, prefix);
}

/* The constant expression e over other operands, as an instruction. NULL: a kind that addresses do not occur in. */
static LLVMValueRef rebuild(Ins *in, LLVMValueRef e, LLVMValueRef *ops, unsigned n) {
  switch ((int)LLVMGetConstOpcode(e)) {
  case LLVMBitCast: return LLVMBuildBitCast(in->b, ops[0], LLVMTypeOf(e), "");
  case LLVMPtrToInt: return LLVMBuildPtrToInt(in->b, ops[0], LLVMTypeOf(e), "");
  case LLVMIntToPtr: return LLVMBuildIntToPtr(in->b, ops[0], LLVMTypeOf(e), "");
  case LLVMTrunc: return LLVMBuildTrunc(in->b, ops[0], LLVMTypeOf(e), "");
  case LLVMAdd: return LLVMBuildAdd(in->b, ops[0], ops[1], "");
  case LLVMSub: return LLVMBuildSub(in->b, ops[0], ops[1], "");
  case LLVMAddrSpaceCast: return LLVMBuildAddrSpaceCast(in->b, ops[0], LLVMTypeOf(e), "");
  case LLVMGetElementPtr: return LLVMBuildGEP2(in->b, LLVMGetGEPSourceElementType(e), ops[0], ops + 1, n - 1, "");
  default: return NULL;
  }
}

int ins_mentions(LLVMValueRef c, int (*is_root)(LLVMValueRef), int depth) {
  if (LLVMIsAGlobalVariable(c)) return is_root(c);
  if (!LLVMIsAConstantExpr(c) || depth > 16) return 0;
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(c); i++)
    if (ins_mentions(LLVMGetOperand(c, i), is_root, depth + 1)) return 1;
  return 0;
}

LLVMValueRef ins_rebuild(Ins *in, LLVMValueRef c, InsRoot *root) {
  if (LLVMIsAGlobalVariable(c) && root->is(c)) return root->value(in, root, c);
  if (!LLVMIsAConstantExpr(c) || !ins_mentions(c, root->is, 0)) return c;
  LLVMValueRef ops[16];
  unsigned n = (unsigned)LLVMGetNumOperands(c);
  if (n > 16) return NULL;
  for (unsigned i = 0; i < n; i++)
    if (!(ops[i] = ins_rebuild(in, LLVMGetOperand(c, i), root))) return NULL;
  return rebuild(in, c, ops, n);
}

static int rewrite_instruction(Ins *in, LLVMValueRef inst, InsRoot *root) {
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(inst); i++) {
    LLVMValueRef op = LLVMGetOperand(inst, i);
    if (!LLVMIsConstant(op) || !ins_mentions(op, root->is, 0)) continue;
    if (LLVMIsAPHINode(inst))
      LLVMPositionBuilderBefore(in->b, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(inst, i)));
    else
      LLVMPositionBuilderBefore(in->b, inst);
    LLVMSetCurrentDebugLocation2(in->b, LLVMInstructionGetDebugLoc(inst));
    LLVMValueRef v = ins_rebuild(in, op, root);
    if (!v) return -1;
    LLVMSetOperand(inst, i, v);
  }
  return 0;
}

int ins_replace(Ins *in, LLVMValueRef fn, InsRoot *root) {
  root->fn = fn;
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(fn); bb; bb = LLVMGetNextBasicBlock(bb))
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i))
      if (rewrite_instruction(in, i, root)) return -1;
  return 0;
}

const char *ins_callee_name(LLVMValueRef call, size_t *len) {
  LLVMValueRef f = LLVMGetCalledValue(call);
  *len = 0;
  return f && LLVMIsAFunction(f) ? LLVMGetValueName2(f, len) : "";
}
