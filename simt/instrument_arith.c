/* instrument_arith.c - arithmetic in which a device differs from x86 (PTX ISA, "Integer Arithmetic", "Logic and Shift",
 * "cvt"): division by zero does not trap, shift counts clamp, float to integer conversions saturate. */
#include "instrument.h"
#include <string.h>

static unsigned width(LLVMValueRef v) { return LLVMGetIntTypeWidth(LLVMTypeOf(v)); }

static void on_division(Ins *in, LLVMValueRef inst, int is_signed) {
  LLVMValueRef n = LLVMGetOperand(inst, 0), d = LLVMGetOperand(inst, 1);
  LLVMTypeRef t = LLVMTypeOf(d);
  if (LLVMGetTypeKind(t) != LLVMIntegerTypeKind) return;
  if (LLVMIsAConstantInt(d) && !LLVMIsNull(d) && LLVMConstIntGetSExtValue(d) != -1) return;
  ins_before(in, inst);
  LLVMValueRef zero = LLVMBuildICmp(in->b, LLVMIntEQ, d, LLVMConstNull(t), ""), replace = zero;
  LLVMValueRef args[2] = {LLVMBuildZExt(in->b, zero, in->i32, ""), ins_site(in, inst, 1, 0, 0)};
  ins_call(in, "simt_check_divisor", LLVMVoidTypeInContext(in->ctx), args, 2);
  if (is_signed) { /* MIN / -1: the quotient wraps to MIN and the remainder is 0, as with divisor 1 */
    LLVMValueRef over = LLVMBuildAnd(in->b, LLVMBuildICmp(in->b, LLVMIntEQ, d, LLVMConstAllOnes(t), ""),
                                     LLVMBuildICmp(in->b, LLVMIntEQ, n, ins_least(t), ""), "");
    char op = LLVMGetInstructionOpcode(inst) == LLVMSDiv ? '/' : '%';
    if (width(d) == 32 || width(d) == 64) ins_check_signed(in, inst, over, n, d, op);
    replace = LLVMBuildOr(in->b, zero, over, "");
  }
  LLVMSetOperand(inst, 1, LLVMBuildSelect(in->b, replace, LLVMConstInt(t, 1, 0), d, ""));
}

static void on_shift(Ins *in, LLVMValueRef inst, LLVMOpcode op) {
  LLVMValueRef x = LLVMGetOperand(inst, 0), n = LLVMGetOperand(inst, 1);
  LLVMTypeRef t = LLVMTypeOf(x);
  if (LLVMGetTypeKind(t) != LLVMIntegerTypeKind || LLVMIsAConstantInt(n)) return;
  ins_before(in, inst);
  LLVMValueRef w = LLVMConstInt(t, width(x), 0), last = LLVMConstInt(t, width(x) - 1, 0);
  LLVMValueRef big = LLVMBuildICmp(in->b, LLVMIntUGE, n, w, "");
  LLVMValueRef count = LLVMBuildSelect(in->b, big, last, n, "");
  LLVMValueRef r = LLVMBuildBinOp(in->b, op, x, count, "");
  if (op != LLVMAShr) r = LLVMBuildSelect(in->b, big, LLVMConstNull(t), r, "");
  LLVMReplaceAllUsesWith(inst, r);
  LLVMInstructionEraseFromParent(inst);
}

static void on_to_int(Ins *in, LLVMValueRef inst, const char *name) {
  LLVMValueRef x = LLVMGetOperand(inst, 0);
  LLVMTypeRef types[2] = {LLVMTypeOf(inst), LLVMTypeOf(x)};
  if (LLVMGetTypeKind(types[0]) != LLVMIntegerTypeKind) return;
  ins_before(in, inst);
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef f = LLVMGetIntrinsicDeclaration(in->mod, id, types, 2);
  LLVMTypeRef ft = LLVMFunctionType(types[0], &types[1], 1, 0);
  LLVMReplaceAllUsesWith(inst, LLVMBuildCall2(in->b, ft, f, &x, 1, ""));
  LLVMInstructionEraseFromParent(inst);
}

static void on_instruction(Ins *in, LLVMValueRef inst) {
  LLVMOpcode op = LLVMGetInstructionOpcode(inst);
  switch ((int)op) {
  case LLVMSDiv:
  case LLVMSRem: on_division(in, inst, 1); break;
  case LLVMUDiv:
  case LLVMURem: on_division(in, inst, 0); break;
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr: on_shift(in, inst, op); break;
  case LLVMFPToSI: on_to_int(in, inst, "llvm.fptosi.sat"); break;
  case LLVMFPToUI: on_to_int(in, inst, "llvm.fptoui.sat"); break;
  default: break;
  }
}

void ins_arithmetic(Ins *in, LLVMValueRef fn) {
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(fn); bb; bb = LLVMGetNextBasicBlock(bb))
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (ins_is_user(in, i)) on_instruction(in, i);
    }
}
