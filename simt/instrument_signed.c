/* instrument_signed.c - signed arithmetic that overflows.
 *
 * Without -fwrapv the front end marks each addition, subtraction and multiplication whose overflow C++ leaves undefined: it says
 * "nsw". Marks are taken off, so that the wrapped value is what every device gives; in user code a check takes their place. The
 * same goes for "inbounds" of computed addresses, which -fwrapv would have left out too. Nothing may simplify the
 * code before this has run. */
#include "instrument.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* LLVM's C interface tells since version 17 only whether an instruction has the mark. The text has it in all versions. Calls
 * on_line for each instruction "%x = add ...", "sub", "mul", in order. */
static void each_arithmetic_line(char *text, void (*on_line)(void *state, int nsw), void *state) {
  for (char *line = text, *end; *line; line = end) {
    end = line + strcspn(line, "\n");
    if (*end) *end++ = 0;
    const char *is = strncmp(line, "  %", 3) ? NULL : strstr(line, " = ");
    if (is && (!strncmp(is + 3, "add ", 4) || !strncmp(is + 3, "sub ", 4) || !strncmp(is + 3, "mul ", 4)))
      on_line(state, !strncmp(is + 7, "nsw ", 4) || !strncmp(is + 7, "nuw nsw ", 8));
  }
}

typedef struct Walk { /* through the instructions of a function, in step with its text */
  LLVMBasicBlockRef bb;
  LLVMValueRef inst;
  LLVMValueRef *nsw; /* those with the mark */
  size_t n;
  int lost; /* out of step */
} Walk;

static int is_arithmetic(LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  return op == LLVMAdd || op == LLVMSub || op == LLVMMul;
}

static LLVMValueRef next_arithmetic(Walk *w) {
  while (w->bb) {
    w->inst = w->inst ? LLVMGetNextInstruction(w->inst) : LLVMGetFirstInstruction(w->bb);
    if (!w->inst) w->bb = LLVMGetNextBasicBlock(w->bb);
    else if (is_arithmetic(w->inst)) return w->inst;
  }
  return NULL;
}

static void note_nsw(void *state, int nsw) {
  Walk *w = state;
  LLVMValueRef i = next_arithmetic(w);
  if (!i) w->lost = 1;
  if (!i || !nsw) return;
  w->nsw = ins_grow(w->nsw, w->n, sizeof *w->nsw);
  w->nsw[w->n++] = i;
}

static unsigned width(LLVMValueRef v) {
  LLVMTypeRef t = LLVMTypeOf(v);
  return LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
}

static LLVMValueRef plain(Ins *in, LLVMValueRef inst) {
  return LLVMBuildBinOp(in->b, LLVMGetInstructionOpcode(inst), LLVMGetOperand(inst, 0), LLVMGetOperand(inst, 1), "");
}

static LLVMValueRef as_i64(Ins *in, LLVMValueRef v) { return LLVMBuildSExtOrBitCast(in->b, v, in->i64, ""); }

void ins_check_signed(Ins *in, LLVMValueRef inst, LLVMValueRef over, LLVMValueRef a, LLVMValueRef b, char op) {
  LLVMValueRef args[6] = {LLVMBuildZExt(in->b, over, in->i32, ""), as_i64(in, a), as_i64(in, b),
                          LLVMConstInt(in->i32, (unsigned char)op, 0), LLVMConstInt(in->i32, width(inst), 0),
                          ins_site(in, inst, 1, 0, 0)};
  ins_call(in, "simt_check_signed", LLVMVoidTypeInContext(in->ctx), args, 6);
}

LLVMValueRef ins_least(LLVMTypeRef type) { return LLVMConstInt(type, 1ull << (LLVMGetIntTypeWidth(type) - 1), 0); }

/* An intrinsic of two operands and one type. */
static LLVMValueRef call_intrinsic(Ins *in, const char *name, LLVMTypeRef type, LLVMValueRef *args) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef f = LLVMGetIntrinsicDeclaration(in->mod, id, &type, 1);
  return LLVMBuildCall2(in->b, LLVMIntrinsicGetType(in->ctx, id, &type, 1), f, args, 2, "");
}

/* The result and whether it overflowed, from the intrinsic; and the check. */
static LLVMValueRef checked(Ins *in, LLVMValueRef inst) {
  LLVMOpcode op = LLVMGetInstructionOpcode(inst);
  const char *name = op == LLVMAdd   ? "llvm.sadd.with.overflow"
                     : op == LLVMSub ? "llvm.ssub.with.overflow"
                                     : "llvm.smul.with.overflow";
  LLVMTypeRef type = LLVMTypeOf(inst);
  LLVMValueRef args[2] = {LLVMGetOperand(inst, 0), LLVMGetOperand(inst, 1)};
  LLVMValueRef both = call_intrinsic(in, name, type, args);
  LLVMValueRef result = LLVMBuildExtractValue(in->b, both, 0, "");
  LLVMValueRef over = LLVMBuildExtractValue(in->b, both, 1, "");
  ins_check_signed(in, inst, over, args[0], args[1], op == LLVMAdd ? '+' : op == LLVMSub ? '-' : '*');
  return result;
}

/* (1 << n) - 1: everybody's mask of the lower bits. For n = 31 it is right as it wraps, and meant. */
static int is_low_mask(LLVMValueRef inst) {
  LLVMValueRef a = LLVMGetOperand(inst, 0), b = LLVMGetOperand(inst, 1);
  int64_t by = LLVMIsAConstantInt(b) ? LLVMConstIntGetSExtValue(b) : 0;
  if (by != (LLVMGetInstructionOpcode(inst) == LLVMSub ? 1 : LLVMGetInstructionOpcode(inst) == LLVMAdd ? -1 : 0) || !by) return 0;
  if (!LLVMIsAInstruction(a) || LLVMGetInstructionOpcode(a) != LLVMShl) return 0;
  LLVMValueRef one = LLVMGetOperand(a, 0);
  return LLVMIsAConstantInt(one) && LLVMConstIntGetZExtValue(one) == 1;
}

static int is_number(LLVMValueRef v, int64_t number) { return LLVMIsAConstantInt(v) && LLVMConstIntGetSExtValue(v) == number; }

static int is_not(LLVMValueRef v, LLVMValueRef x) { /* ~x */
  return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMXor && is_number(LLVMGetOperand(v, 1), -1) &&
         ins_same_value(LLVMGetOperand(v, 0), x, 0);
}

/* v & x, v ^ x, v & ~x */
static int is_bits_with(LLVMValueRef both, LLVMValueRef v, LLVMValueRef x) {
  LLVMOpcode op = LLVMIsAInstruction(both) ? LLVMGetInstructionOpcode(both) : LLVMUnreachable;
  if (op != LLVMAnd && op != LLVMXor) return 0;
  LLVMValueRef other = LLVMGetOperand(both, LLVMGetOperand(both, 0) == v);
  return ins_same_value(other, x, 0) || (op == LLVMAnd && is_not(other, x));
}

/* x - 1 or -x, of which only the bits beside those of x are used: the lowest bit that is set, taken away or alone, or what lies
 * below it. Where that is the sign bit it is right as it wraps: `for (int m = __ballot_sync(...); m; m &= m - 1)`. */
static int is_low_bit(LLVMValueRef inst) {
  LLVMOpcode op = LLVMGetInstructionOpcode(inst);
  LLVMValueRef a = LLVMGetOperand(inst, 0), b = LLVMGetOperand(inst, 1);
  LLVMValueRef x = op == LLVMSub && is_number(a, 0)                                             ? b
                   : (op == LLVMSub && is_number(b, 1)) || (op == LLVMAdd && is_number(b, -1)) ? a
                                                                                                : NULL;
  for (LLVMUseRef u = x ? LLVMGetFirstUse(inst) : NULL; u; u = LLVMGetNextUse(u))
    if (!is_bits_with(LLVMGetUser(u), inst, x)) return 0;
  return x != NULL;
}

static void unmark(Ins *in, LLVMValueRef inst, int check) {
  int counts = check && (width(inst) == 32 || width(inst) == 64) && !is_low_mask(inst) && !is_low_bit(inst);
  ins_before(in, inst);
  LLVMReplaceAllUsesWith(inst, counts ? checked(in, inst) : plain(in, inst));
  LLVMInstructionEraseFromParent(inst);
}

/* abs() and its kin: a call in clang 14; in clang 19 an intrinsic with a flag that says that the result for the smallest number is
 * undefined. */
static int is_abs(LLVMValueRef inst) {
  static const char *const library[] = {"abs", "labs", "llabs", "imaxabs"};
  LLVMValueRef f = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
  size_t len = 0;
  const char *name = f && width(inst) ? LLVMGetValueName2(f, &len) : "";
  if (ins_starts_with(name, len, "llvm.abs.i")) return !LLVMIsNull(LLVMGetOperand(inst, 1));
  for (unsigned i = 0; i < sizeof library / sizeof library[0]; i++)
    if (len == strlen(library[i]) && !memcmp(name, library[i], len)) return LLVMGetNumArgOperands(inst) == 1;
  return 0;
}

static void on_abs(Ins *in, LLVMValueRef inst, int check) {
  static const char name[] = "llvm.abs";
  LLVMTypeRef type = LLVMTypeOf(inst);
  LLVMValueRef x = LLVMGetOperand(inst, 0), args[2] = {x, LLVMConstNull(in->i1)};
  ins_before(in, inst);
  if (check && (width(x) == 32 || width(x) == 64)) {
    LLVMValueRef over = LLVMBuildICmp(in->b, LLVMIntEQ, x, ins_least(type), "");
    ins_check_signed(in, inst, over, LLVMConstNull(type), x, '-');
  }
  LLVMReplaceAllUsesWith(inst, call_intrinsic(in, name, type, args));
  LLVMInstructionEraseFromParent(inst);
}

/* Fields of an object that is there are left: the first index is 0 and all are known. */
static int is_computed(LLVMValueRef gep) {
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
    LLVMValueRef k = LLVMGetOperand(gep, i);
    if (!LLVMIsAConstantInt(k) || (i == 1 && !LLVMIsNull(k))) return 1;
  }
  return 0;
}

/* The same without flags; LLVMSetIsInBounds() leaves some of LLVM 19's. */
static void plain_gep(Ins *in, LLVMValueRef gep) {
  unsigned n = (unsigned)LLVMGetNumOperands(gep);
  LLVMValueRef *k = malloc(n * sizeof *k);
  if (!k) abort();
  for (unsigned i = 0; i < n; i++) k[i] = LLVMGetOperand(gep, i);
  ins_before(in, gep);
  LLVMReplaceAllUsesWith(gep, LLVMBuildGEP2(in->b, LLVMGetGEPSourceElementType(gep), k[0], k + 1, n - 1, ""));
  LLVMInstructionEraseFromParent(gep);
  free(k);
}

/* The marked operations of fn, through its text. -1: printed. */
static int collect(Walk *w, LLVMValueRef fn) {
  char *text = LLVMPrintValueToString(fn);
  w->bb = LLVMGetFirstBasicBlock(fn);
  each_arithmetic_line(text, note_nsw, w);
  LLVMDisposeMessage(text);
  if (!w->lost && !next_arithmetic(w)) return 0;
  fprintf(stderr, "simt-instrument: the text of this LLVM's instructions has an unknown form\n");
  return -1;
}

int ins_signed(Ins *in, LLVMValueRef fn) {
  int check = ins_is_user_function(in, fn);
  Walk w = {.n = 0};
  int rc = collect(&w, fn);
  for (size_t i = 0; i < w.n && !rc; i++) unmark(in, w.nsw[i], check && ins_is_user(in, w.nsw[i]));
  free(w.nsw);
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(fn); bb && !rc; bb = LLVMGetNextBasicBlock(bb))
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (is_abs(i)) on_abs(in, i, check && ins_is_user(in, i));
      else if (LLVMIsAGetElementPtrInst(i) && LLVMIsInBounds(i) && is_computed(i)) plain_gep(in, i);
    }
  return rc;
}
