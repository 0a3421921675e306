/* instrument_fastmath.c - the fast-math flavour: what nvcc -use_fast_math does to float arithmetic in device code. That is
 * -ftz=true (PTX ISA, "Floating Point Instructions": .ftz flushes subnormal operands and results to zero of their sign),
 * -prec-div=false, -prec-sqrt=false, and the fast form of some functions (CUDA C++ Programming Guide, "Functions Affected by
 * -use_fast_math"). doc/FASTMATH.md has the details. Runs ahead of all other passes, on inlined code. Double arithmetic and
 * host code stay as they are. */
#include "instrument.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FLUSHED "simt.ftz" /* name of what is_flushed() knows again */

static int is_float(LLVMValueRef v) { return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMFloatTypeKind; }

/* ---- flushing ---- */

static int is_flushed(LLVMValueRef v) {
  size_t len;
  if (LLVMIsASIToFPInst(v) || LLVMIsAUIToFPInst(v)) return 1; /* whole numbers */
  const char *name = LLVMIsABitCastInst(v) ? LLVMGetValueName2(v, &len) : NULL;
  return name && ins_starts_with(name, len, FLUSHED);
}

/* The float of these bits with zero of its sign in place of a subnormal, at the builder. */
static LLVMValueRef flush_bits(Ins *in, LLVMValueRef bits) {
  LLVMValueRef exponent = LLVMBuildAnd(in->b, bits, LLVMConstInt(in->i32, 0x7f800000, 0), "");
  LLVMValueRef sign = LLVMBuildAnd(in->b, bits, LLVMConstInt(in->i32, 0x80000000, 0), "");
  LLVMValueRef small = LLVMBuildICmp(in->b, LLVMIntEQ, exponent, LLVMConstInt(in->i32, 0, 0), "");
  LLVMValueRef kept = LLVMBuildSelect(in->b, small, sign, bits, "");
  return LLVMBuildBitCast(in->b, kept, LLVMFloatTypeInContext(in->ctx), FLUSHED);
}

static LLVMValueRef flush(Ins *in, LLVMValueRef v) {
  return is_flushed(v) ? v : flush_bits(in, LLVMBuildBitCast(in->b, v, in->i32, ""));
}

static void flush_operands(Ins *in, LLVMValueRef inst, unsigned n) {
  ins_before(in, inst);
  for (unsigned i = 0; i < n; i++) {
    LLVMValueRef v = LLVMGetOperand(inst, i);
    if (is_float(v)) LLVMSetOperand(inst, i, flush(in, v));
  }
}

static void flush_result(Ins *in, LLVMValueRef inst) {
  LLVMValueRef next = LLVMGetNextInstruction(inst);
  while (next && LLVMIsAPHINode(next)) next = LLVMGetNextInstruction(next);
  if (!is_float(inst) || !next) return;
  LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(inst);
  LLVMPositionBuilderBefore(in->b, next);
  LLVMSetCurrentDebugLocation2(in->b, loc ? loc : ins_location(in, LLVMGetInstructionParent(inst)));
  LLVMValueRef bits = LLVMBuildBitCast(in->b, inst, in->i32, "");
  LLVMReplaceAllUsesWith(inst, flush_bits(in, bits));
  LLVMSetOperand(bits, 0, inst); /* the one use that stays */
}

static void flush_all(Ins *in, LLVMValueRef inst, unsigned n_operands) {
  flush_operands(in, inst, n_operands);
  flush_result(in, inst);
}

/* Replaces inst by a call of a function of the engine with n of its operands, and returns the call. */
static LLVMValueRef replace(Ins *in, LLVMValueRef inst, const char *name, unsigned first, unsigned n) {
  LLVMValueRef args[2] = {NULL, NULL};
  for (unsigned i = 0; i < n; i++) args[i] = LLVMGetOperand(inst, first + i);
  ins_before(in, inst);
  LLVMValueRef call = ins_call(in, name, LLVMFloatTypeInContext(in->ctx), args, n);
  LLVMReplaceAllUsesWith(inst, call);
  LLVMInstructionEraseFromParent(inst);
  return call;
}

/* ---- calls ---- */

static const struct Fast {
  const char *precise, *fast;
} fast_form[] = {
    {"simt_cosf", "simt_fast_cosf"},         {"simt_exp10f", "simt_fast_exp10f"}, {"simt_exp2f", "simt_fast_exp2f"},
    {"simt_expf", "simt_fast_expf"},         {"simt_log10f", "simt_fast_log10f"}, {"simt_log2f", "simt_fast_log2f"},
    {"simt_logf", "simt_fast_logf"},         {"simt_powf", "simt_fast_powf"},     {"simt_rsqrtf", "simt_fast_rsqrtf"},
    {"simt_sinf", "simt_fast_sinf"},         {"simt_tanf", "simt_fast_tanf"},     {"simt_tanhf", "simt_fast_tanhf"},
    {"simt_fdividef", "simt_fast_fdividef"},
};

/* The engine's float functions; its other ones move bits and are not arithmetic. tanh.approx keeps subnormals. */
static const char *const math[] = {
#define SIMT_MATH1(f) "simt_" #f,
#define SIMT_MATH2(f) "simt_" #f,
#define SIMT_FAST1(f) "simt_fast_" #f,
#define SIMT_FAST2(f) "simt_fast_" #f,
#include "device_math.def"
#undef SIMT_MATH1
#undef SIMT_MATH2
#undef SIMT_FAST1
#undef SIMT_FAST2
    "simt_arith_f32", "simt_narrow_f32", "simt_frsqrt_rn", "simt_fast_rcpf", "simt_fast_sqrtf", "simt_fast_rsqrtf",
    "simt_fast_exp2f",
};

/* Functions of the C library and intrinsics are arithmetic, but for these, which work on bits. */
static const char *const bitwise[] = {"llvm.copysign.", "llvm.is.fpclass.", "nextafterf", "copysignf"};

static int is_arithmetic(const char *name, size_t len) {
  if (ins_starts_with(name, len, "simt_")) {
    for (size_t i = 0; i < sizeof math / sizeof *math; i++)
      if (!strcmp(name, math[i])) return strcmp(name, "simt_fast_tanhf") != 0;
    return 0;
  }
  for (size_t i = 0; i < sizeof bitwise / sizeof *bitwise; i++)
    if (ins_starts_with(name, len, bitwise[i])) return 0;
  return 1;
}

/* What fast math calls instead, or NULL. A root in the shim is __fsqrt_rn(), which stays. */
static const char *fast_name(Ins *in, LLVMValueRef call, const char *name) {
  if (!strcmp(name, "llvm.sqrt.f32") || !strcmp(name, "sqrtf")) return ins_is_user(in, call) ? "simt_fast_sqrtf" : NULL;
  for (size_t i = 0; i < sizeof fast_form / sizeof *fast_form; i++)
    if (!strcmp(name, fast_form[i].precise)) return fast_form[i].fast;
  return NULL;
}

static void on_call(Ins *in, LLVMValueRef call) {
  LLVMValueRef f = LLVMGetCalledValue(call);
  size_t len;
  if (!f || !LLVMIsAFunction(f) || LLVMGetFirstBasicBlock(f)) return;
  const unsigned n = LLVMGetNumArgOperands(call);
  const char *name = LLVMGetValueName2(f, &len), *fast = fast_name(in, call, name);
  if (fast) {
    call = replace(in, call, fast, 0, n);
    name = fast;
    len = strlen(fast);
  }
  if (is_arithmetic(name, len)) flush_all(in, call, n);
}

/* ---- division ---- */

/* The compiler divides by 2^n exactly: it multiplies by 2^-n. */
static int is_power_of_2(LLVMValueRef v) {
  LLVMBool inexact;
  int exponent;
  const double d = LLVMIsAConstantFP(v) ? LLVMConstRealGetDouble(v, &inexact) : 0;
  return d != 0 && isfinite(d) && fabs(frexp(d, &exponent)) == 0.5 && exponent > -125 && exponent < 128;
}

static int is_one(LLVMValueRef v) {
  LLVMBool inexact;
  return LLVMIsAConstantFP(v) && LLVMConstRealGetDouble(v, &inexact) == 1;
}

/* The shim's divisions are __fdiv_rn() and __frcp_rn(). */
static void on_division(Ins *in, LLVMValueRef inst) {
  LLVMValueRef x = LLVMGetOperand(inst, 0), y = LLVMGetOperand(inst, 1);
  if (is_power_of_2(y) || !ins_is_user(in, inst)) flush_all(in, inst, 2);
  else if (is_one(x)) flush_all(in, replace(in, inst, "simt_fast_rcpf", 1, 1), 1);
  else flush_all(in, replace(in, inst, "simt_fast_fdividef", 0, 2), 2);
}

/* ---- all instructions of device code ---- */

static void on_instruction(Ins *in, LLVMValueRef inst) {
  switch ((int)LLVMGetInstructionOpcode(inst)) {
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFRem: flush_all(in, inst, 2); break;
  case LLVMFDiv:
    if (is_float(inst)) on_division(in, inst);
    break;
  case LLVMFNeg:
  case LLVMFPExt: flush_operands(in, inst, 1); break;
  case LLVMFCmp: flush_operands(in, inst, 2); break;
  case LLVMFPTrunc: flush_result(in, inst); break;
  case LLVMSelect: /* in the shim, what makes minimum and maximum */
  case LLVMPHI:
    if (is_float(inst) && !ins_is_user(in, inst)) flush_result(in, inst);
    break;
  case LLVMCall: on_call(in, inst); break;
  default: break;
  }
}

/* ---- which code that is ---- */

typedef struct Set {
  LLVMValueRef *fn;
  size_t n;
} Set;

/* Adds the functions with a body that a constant mentions: callees, function pointers, tables of them. */
static void add_mentioned(Set *s, LLVMValueRef c, int depth) {
  if (depth > 8 || !LLVMIsAConstant(c)) return;
  if (LLVMIsAFunction(c)) {
    for (size_t i = 0; i < s->n; i++)
      if (s->fn[i] == c) return;
    if (!LLVMGetFirstBasicBlock(c)) return;
    s->fn = ins_grow(s->fn, s->n, sizeof *s->fn);
    s->fn[s->n++] = c;
    return;
  }
  if (LLVMIsAGlobalVariable(c)) {
    LLVMValueRef init = LLVMGetInitializer(c);
    if (init) add_mentioned(s, init, depth + 1);
    return;
  }
  for (int i = 0, n = LLVMGetNumOperands(c); i < n; i++) add_mentioned(s, LLVMGetOperand(c, (unsigned)i), depth + 1);
}

static int is_kernel(LLVMValueRef f) {
  const char *section = LLVMGetSection(f);
  return section && !strcmp(section, "simt_global");
}

static void on_function(Ins *in, Set *device, LLVMValueRef fn) {
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(fn); bb; bb = LLVMGetNextBasicBlock(bb))
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      for (int k = 0, n = LLVMGetNumOperands(i); k < n; k++) add_mentioned(device, LLVMGetOperand(i, (unsigned)k), 0);
      on_instruction(in, i);
    }
}

void ins_fastmath(Ins *in) {
  Set device = {NULL, 0};
  for (LLVMValueRef f = LLVMGetFirstFunction(in->mod); f; f = LLVMGetNextFunction(f))
    if (is_kernel(f)) add_mentioned(&device, f, 0);
  for (size_t k = 0; k < device.n; k++) on_function(in, &device, device.fn[k]);
  free(device.fn);
}
