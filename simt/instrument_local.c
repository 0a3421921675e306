/* instrument_local.c - accesses to local arrays. The array and its size are known where the access is written; what is checked
 * at run time is the index. */
#include "instrument.h"

static LLVMValueRef step_down(LLVMValueRef p) {
  return LLVMIsAGetElementPtrInst(p) || LLVMIsABitCastInst(p) ? LLVMGetOperand(p, 0) : NULL;
}

/* Index k of an array of n elements: known to be inside? */
static int index_is_inside(LLVMValueRef k, uint64_t n) { return LLVMIsAConstantInt(k) && LLVMConstIntGetZExtValue(k) < n; }

/* Every index of the address computation is a constant inside its array. */
static int is_static(LLVMValueRef gep) {
  LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
  if (!index_is_inside(LLVMGetOperand(gep, 1), 1)) return 0; /* whole objects behind the first */
  for (int i = 2; i < LLVMGetNumOperands(gep); i++) {
    LLVMValueRef k = LLVMGetOperand(gep, (unsigned)i);
    if (LLVMGetTypeKind(t) == LLVMStructTypeKind) t = LLVMStructGetTypeAtIndex(t, (unsigned)LLVMConstIntGetZExtValue(k));
    else if (!index_is_inside(k, LLVMGetTypeKind(t) == LLVMArrayTypeKind ? LLVMGetArrayLength(t) : LLVMGetVectorSize(t))) return 0;
    else t = LLVMGetElementType(t);
  }
  return 1;
}

/* The local variable that p points into, when something about p has to be checked; else NULL. */
static LLVMValueRef doubtful_root(LLVMValueRef p) {
  int doubt = 0;
  for (LLVMValueRef next; (next = step_down(p)); p = next)
    if (LLVMIsAGetElementPtrInst(p) && !is_static(p)) doubt = 1;
  return doubt && LLVMIsAAllocaInst(p) && LLVMIsAConstantInt(LLVMGetOperand(p, 0)) ? p : NULL;
}

LLVMValueRef ins_local(Ins *in, LLVMValueRef inst, LLVMValueRef p, LLVMValueRef bytes, int writes) {
  LLVMValueRef root = doubtful_root(p);
  if (!root) return NULL;
  uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(root, 0));
  uint64_t size = LLVMABISizeOfType(in->data, LLVMGetAllocatedType(root)) * count;
  ins_before(in, inst);
  LLVMValueRef site = ins_site(in, inst, 1, 0, 0);
  ins_local_site(in, root, site);
  LLVMValueRef args[6] = {ins_as_ptr(in, p), ins_as_ptr(in, root), LLVMConstInt(in->i64, size, 0),
                          LLVMBuildZExtOrBitCast(in->b, bytes, in->i64, ""), LLVMConstInt(in->i32, (unsigned)writes, 0),
                          site};
  return ins_call(in, "simt_local", in->ptr, args, 6);
}
